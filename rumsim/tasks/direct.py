"""Direct play: every deal of a range of blocks, with all rotations of the bots through the seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rumsim import decks
from rumsim.bots import Bot, ThresholdBot
from rumsim.engine.bounds import most_blocks
from rumsim.engine.requests import Game, Rows, Seating, Totals, empty_rows, empty_totals, game_of, new_room, no_log
from rumsim.errors import RequestError
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.rules import Rules
from rumsim.tasks.seating import seating_of
from rumsim.tasks.sums import DealSums, parts


@dataclass(frozen=True)
class Direct:
    """A table of bots, to be played on the decks of a seed.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    bots : tuple of Bot
        The bot of each player.
    entry_of : tuple of int
        For each player, which of the bots asked about it has.
    seed : int
        The seed of the decks.
    """

    rules: Rules
    bots: tuple[Bot, ...]
    entry_of: tuple[int, ...]
    seed: int

    def __post_init__(self) -> None:
        """Prepare bots from users' files, so that what is wrong with one is said before any work.

        Raises
        ------
        RequestError
            If such a bot fails in rehearsal, or cannot be compiled.
        """
        if not all(isinstance(bot, ThresholdBot) for bot in self.bots):
            _ = self._table

    def empty(self) -> DealSums:
        """Return the sums of no block."""
        return DealSums(0, *self._empty_totals())

    def run(self, first: int, last: int) -> DealSums:
        """Play the blocks from ``first`` up to, not including, ``last``.

        Raises
        ------
        RequestError
            If a bot from a user's file fails or breaks a rule; names the deal.
        """
        total = self.empty()
        for start, end in parts(first, last, most_blocks(self._table[0])):
            total = total + DealSums(end - start, *self._play(start, end, 0)[0])
        return total

    def blocks(self, first: int, last: int) -> Rows:
        """Play blocks and return what happened in each of them; raises as :meth:`run` does."""
        return self.run_and_rows(first, last)[1]

    def run_and_rows(self, first: int, last: int) -> tuple[DealSums, Rows]:
        """Play blocks; return the sums and what happened in each block; raises as :meth:`run` does."""
        totals, rows = self._play(first, last, last - first)
        return DealSums(last - first, *totals), rows

    @cached_property
    def _table(self) -> tuple[Game, Seating, np.uint64]:
        seating = seating_of(self.bots, self.entry_of, self.rules)
        return game_of(self.rules, len(self.bots)), seating, np.uint64(decks.key_of(self.seed))

    def _empty_totals(self) -> Totals:
        return empty_totals(max(self.entry_of) + 1, len(self.bots))

    def _play(self, first: int, last: int, wanted_rows: int) -> tuple[Totals, Rows]:
        from rumsim.engine.deal import play_blocks

        rows, totals = empty_rows(wanted_rows, max(self.entry_of) + 1, len(self.bots)), self._empty_totals()
        game, seating, key = self._table
        assert last - first <= most_blocks(game), "more blocks than the sums of one call hold"
        alone = seating._replace(door=seating.door.copy())  # threads run the same task
        words = game, alone, key, first, last - first, new_room(), no_log(), rows, totals
        row, rotation, turns = play_blocks(*words)
        if row >= 0:
            raise self._failure(first + row, rotation, turns)
        return totals, rows

    def _failure(self, block: int, rotation: int, turns: int) -> RequestError:
        """Say why the engine stopped: the referee plays the same deal, and has the words."""
        where = f"seed {self.seed}, block {block}, rotation {rotation}"
        deck = decks.deck(self.seed, block, self.rules.deck_size)
        deal = Deal(self.rules, len(self.bots), len(self.bots) - 1 - rotation, deck)
        try:
            play_out(deal, self.bots, self.seed, block)
        except RequestError as error:
            return RequestError(*(f"{line} ({where})" for line in error.lines))
        return RequestError(
            f"bots: got no legal answer from a compiled bot on table turn {turns + 1} of {where}, where plain Python "
            "has one; allowed: a bot that keeps nothing between turns, and whole numbers below 2^63"
        )
