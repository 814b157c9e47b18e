"""Direct play: every deal of a range of blocks, with all rotations of the bots through the seats."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rumsim import decks
from rumsim.bots import Bot
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.rules import Rules
from rumsim.tasks.sums import ENDS, SIXTIETHS, TWELFTHS, DealSums


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
        return DealSums.empty(max(self.entry_of) + 1, len(self.bots))

    def run(self, first: int, last: int) -> DealSums:
        """Play the blocks from ``first`` up to, not including, ``last``."""
        sums = self.empty()
        for block in range(first, last):
            self._play(block, sums)
        return replace(sums, blocks=last - first)

    def _play(self, block: int, sums: DealSums) -> None:
        players = len(self.bots)
        points, wins = np.zeros_like(sums.points), np.zeros_like(sums.wins)
        seat_points, seat_wins = np.zeros_like(sums.seat_points), np.zeros_like(sums.seat_wins)
        deck = decks.deck(self.seed, block, self.rules.deck_size)
        for rotation in range(players):
            deal = Deal(self.rules, players, players - 1 - rotation, deck)
            play_out(deal, self.bots, self.seed, block)
            result = deal.settle()
            for player in range(players):
                entry, seat = self.entry_of[player], deal.seat_of(player)
                points[entry] += (amount := int(result.transfers[player] * TWELFTHS))
                wins[entry] += (share := int(result.win_shares[player] * SIXTIETHS))
                seat_points[seat] += amount
                seat_wins[seat] += share
            happened = {deal.end, *(name for name in ("rum", "undercut", "tied") if getattr(result, name))}
            sums.ends[:] += [name in happened for name in ENDS]
            sums.turns[:] += deal.table_turns
        sums.points[:] += points
        sums.points_products[:] += np.outer(points, points)
        sums.wins[:] += wins
        sums.wins_squares[:] += wins * wins
        sums.seat_points[:] += seat_points
        sums.seat_squares[:] += seat_points * seat_points
        sums.seat_wins[:] += seat_wins
        sums.seat_wins_squares[:] += seat_wins * seat_wins
