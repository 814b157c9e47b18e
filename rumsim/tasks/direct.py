"""Direct play: every deal of a range of blocks, with all rotations of the bots through the seats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rumsim import decks
from rumsim.bots import Bot
from rumsim.engine.requests import Blocks, empty_blocks, game_of
from rumsim.rules import Rules
from rumsim.tasks.seating import seating_of
from rumsim.tasks.sums import DealSums, sums_of

_ROWS = 4096  # blocks a call of the kernel: some megabytes at most, some milliseconds


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

    def empty(self) -> DealSums:
        """Return the sums of no block."""
        return sums_of(empty_blocks(0, max(self.entry_of) + 1, len(self.bots)))

    def run(self, first: int, last: int) -> DealSums:
        """Play the blocks from ``first`` up to, not including, ``last``."""
        total = self.empty()
        for start in range(first, last, _ROWS):
            total = total + sums_of(self.blocks(start, min(start + _ROWS, last)))
        return total

    def blocks(self, first: int, last: int) -> Blocks:
        """Play blocks and return what happened in each of them."""
        from rumsim.engine.deal import play_blocks

        found = empty_blocks(last - first, max(self.entry_of) + 1, len(self.bots))
        seating = seating_of(self.bots, self.entry_of, self.rules)
        play_blocks(game_of(self.rules, len(self.bots)), seating, np.uint64(decks.key_of(self.seed)), first, found)
        return found
