"""Sessions of bots: every session of a range of blocks, with all rotations of the bots through the places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rumsim import decks
from rumsim.bots.closer import CloserBot
from rumsim.bots.threshold import ThresholdBot
from rumsim.engine.requests import MOST_THRESHOLD, Game, game_of, new_room, no_log
from rumsim.engine.session_requests import (
    NO_CLOSER,
    Company,
    Plan,
    SessionRows,
    empty_sessions,
    new_session_desk,
    plan_of,
    table_places,
    tables,
)
from rumsim.rules import Rules
from rumsim.session_rules import Format
from rumsim.tasks.seating import seating_of_tables
from rumsim.tasks.session_sums import MOST_SESSIONS, SessionSums, summed
from rumsim.tasks.sums import parts

_DEALS_AT_ONCE = 60_000  # some tens of milliseconds, so that Ctrl-C is heard and threads share the work
_USUAL_DEALS = {"match": 40, "pool": 80}


@dataclass(frozen=True)
class Sessions:
    """A table of bots, to play sessions on the decks of a seed.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    format : Format
        How a session ends.
    bots : tuple of ThresholdBot
        The bot of each player.
    entry_of : tuple of int
        For each player, which of the bots asked about it has.
    seed : int
        The seed of the decks.
    """

    rules: Rules
    format: Format
    bots: tuple[ThresholdBot, ...]
    entry_of: tuple[int, ...]
    seed: int

    def empty(self) -> SessionSums:
        """Return the sums of no block."""
        return summed(empty_sessions(0, len(self.bots)), self.entry_of, self._pool)

    def run(self, first: int, last: int) -> SessionSums:
        """Play the blocks from ``first`` up to, not including, ``last``."""
        total = self.empty()
        for start, end in parts(first, last, MOST_SESSIONS):
            total = total + summed(self.rows(start, end), self.entry_of, self._pool)
        return total

    def rows(self, first: int, last: int) -> SessionRows:
        """Play blocks and return what became of each session."""
        from rumsim.engine.session import play_sessions

        games, plan, company, key = self._table
        seating = company.seating._replace(  # the spare table is laid anew for each deal, and threads run one task
            draw=company.seating.draw.copy(), margin=company.seating.margin.copy(), knock=company.seating.knock.copy()
        )
        found = empty_sessions(last - first, len(self.bots))
        alone = company._replace(seating=seating)
        play_sessions(games, plan, alone, key, first, new_room(), no_log(), new_session_desk(), found)
        return found

    @property
    def chunk(self) -> int:
        """How many blocks to play at a time."""
        usual = {"rotation": len(self.bots), "cumulative": self.format.deals} | _USUAL_DEALS
        deals = min(usual[self.format.name], self.format.max_deals) * len(self.bots)
        return max(_DEALS_AT_ONCE // deals, 1)

    @property
    def _pool(self) -> bool:
        return self.format.name == "pool"

    @cached_property
    def _table(self) -> tuple[tuple[Game, ...], Plan, Company, np.uint64]:
        players = len(self.bots)
        found = tables(players) if self._pool else tables(players)[:players]
        left, table, who = table_places(found, players)
        spare = found[0]
        seating = seating_of_tables([[self.bots[player] for player in here] for here in [*found, spare]], self.rules)
        games = [game_of(self.rules, many if self._pool else players) for many in range(2, players + 1)]
        closers = [bot if isinstance(bot, CloserBot) else None for bot in self.bots]
        company = Company(
            seating=seating,
            left=left,
            table=table,
            who=who,
            near=np.array([NO_CLOSER if bot is None else bot.near for bot in closers]),
            more=np.array([0 if bot is None else bot.more for bot in closers]),
            hope=np.array([0 if bot is None else bot.hope for bot in closers]),
            closers=any(closers),
            limit=MOST_THRESHOLD if self.rules.knock_limit is None else self.rules.knock_limit,
        )
        return (*games, *games[-1:] * (5 - players)), plan_of(self.format), company, np.uint64(decks.key_of(self.seed))
