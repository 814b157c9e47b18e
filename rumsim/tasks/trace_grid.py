"""A grid of thresholds from traces: one deck played without knocks tells what every pair of thresholds gets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rumsim import decks
from rumsim.bots import Bot, ThresholdBot
from rumsim.engine.bounds import GRID_BLOCKS, most_blocks
from rumsim.engine.grid_requests import ENDS_BITS, ENDS_MASK, Ladder, empty_sheet, ladder_of, new_desk, sums_in
from rumsim.engine.requests import Game, Seating, game_of, new_room
from rumsim.errors import RequestError
from rumsim.rules import Rules
from rumsim.tasks.grid_sums import Batch, GridSums, batch_ranges, no_sums
from rumsim.tasks.seating import seating_of
from rumsim.tasks.sums import Integers

MOST_TURNS = 1_000_000  # what is remembered of a trace


def fit_for_traces(rules: Rules, bots: tuple[Bot, ...]) -> None:
    """Check that the play of bots does not hang on when deals may be knocked, so that a trace holds for all of them.

    Raises
    ------
    RequestError
        If it does, or may; says which bot, or which rule.
    """
    for bot in bots:
        if not getattr(bot, "ignores_knocks", False):
            raise RequestError(
                f"bots: got {str(bot)!r}, whose play may depend on who knocks when; allowed: bots that draw and "
                "discard alike under all knock rules (a file says so with IGNORES_KNOCKS = True)"
            )
    if rules.max_turns > MOST_TURNS:
        raise RequestError(f"rules: got max_turns={rules.max_turns}; allowed: up to {MOST_TURNS} with traces")


@dataclass(frozen=True)
class TraceGrid:
    """Every cell of a grid, from one trace a deck; or one for each seat of a focal bot that plays otherwise.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players : tuple of int
        Player counts.
    focal, table : ThresholdBot
        How the focal player draws and discards, and how all others do; their thresholds do not matter.
    own, others : tuple of int
        Focal thresholds and those of the opponents, in ascending order; -1 is never.
    seed : int
        The seed of the decks.
    batch : int
        Blocks in a batch.
    ends : bool
        Whether how deals end is counted too; it takes twice the time.
    """

    rules: Rules
    players: tuple[int, ...]
    focal: ThresholdBot
    table: ThresholdBot
    own: tuple[int, ...]
    others: tuple[int, ...]
    seed: int
    batch: int = 1
    ends: bool = False

    def __post_init__(self) -> None:
        """Refuse bots and rules of which a trace does not tell.

        Raises
        ------
        RequestError
            As :func:`fit_for_traces`.
        """
        fit_for_traces(self.rules, (self.focal, self.table))

    @property
    def deals_a_block(self) -> int:
        """Deals in all cells together that a block tells of."""
        return sum(self.players) * len(self.others) * len(self.own)

    def empty(self) -> GridSums:
        """Return the sums of no block."""
        return no_sums(len(self.players), len(self.others), len(self.own), ends=self.ends)

    def run(self, first: int, last: int) -> GridSums:
        """Trace the blocks from ``first`` up to, not including, ``last``."""
        total = self.empty()
        most = min(GRID_BLOCKS, *(most_blocks(game) for game, _, _ in self._tables))
        for start, end in batch_ranges(first, last, self.batch, most):
            total = total + self._traced(start, end)
        return total

    def _traced(self, first: int, last: int) -> GridSums:
        """Trace blocks of one batch."""
        columns = zip(*(self._at(place, first, last) for place in range(len(self.players))), strict=True)
        points, squares, wins, wins_squares, ends, turns = (np.stack(column) for column in columns)
        batches = {first // self.batch: Batch(last - first, points, wins)}
        if not self.ends:
            ends, turns = self._nothing.ends, self._nothing.turns
        return GridSums(last - first, points, squares, wins, wins_squares, ends, turns, batches)

    def _at(self, place: int, first: int, last: int) -> tuple[Integers, ...]:
        """Return the sums for one player count; of how deals end only if it was asked."""
        from rumsim.engine.grid import trace_grid

        game, seating, ladder = self._tables[place]
        assert last - first <= min(GRID_BLOCKS, most_blocks(game)), "more blocks than the sums of one call hold"
        sheet = empty_sheet(ladder, game, self.ends)
        key = np.uint64(decks.key_of(self.seed))
        trace_grid(game, seating, key, first, last - first, new_room(), ladder, new_desk(ladder, game), sheet)
        sums = tuple(sums_in(sheet.points, ladder))
        if not self.ends:
            return (*sums, sums[0], sums[0])
        (knocks, others), (turns, _) = (sums_in(plane, ladder) for plane in np.split(sheet.cells, 3)[1:])
        rum, undercut, tied = (knocks >> ENDS_BITS * part & ENDS_MASK for part in range(3))
        exhausted, stalled = (others >> ENDS_BITS * part & ENDS_MASK for part in range(2))
        knock = (last - first) * self.players[place] - exhausted - stalled
        return (*sums, np.stack([knock, rum, undercut, tied, exhausted, stalled], axis=-1), turns)

    @cached_property
    def _nothing(self) -> GridSums:
        return self.empty()

    @cached_property
    def _tables(self) -> list[tuple[Game, Seating, Ladder]]:
        """The rules, the bots and the thresholds at each player count."""
        limit = 200 if self.rules.knock_limit is None else self.rules.knock_limit
        own, others = np.minimum(self.own, limit), np.minimum(self.others, limit)
        least = int(min(own[0], others[0]))  # a trace stops where everybody would have knocked
        focal, table = (replace(bot, knock=((least,),)) for bot in (self.focal, self.table))
        made = []
        for players in self.players:
            seating = seating_of((focal, *[table] * (players - 1)), (0,) * players, self.rules)
            traces = 1 if focal == table else players
            made.append((game_of(self.rules, players), seating, ladder_of(own, others, traces)))
        return made
