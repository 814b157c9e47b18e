"""The integer sums that direct play leaves behind, and how chunks of them merge."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class DealSums:
    """Sums over whole blocks; E bots were asked about, N players sit at the table.

    Attributes
    ----------
    blocks : int
        Blocks played.
    points : int64[E]
        Twelfths of a point, over all players with that bot, all deals.
    points_products : int64[E, E]
        Sums over blocks of products of two bots' block totals; squares on the diagonal.
    wins, wins_squares : int64[E]
        Sixtieths of a win share, and the squares of block totals.
    seat_points, seat_squares, seat_wins, seat_wins_squares : int64[N]
        The same by seat.
    ends : int64[6]
        Deals that ended so, in the order of ``rumsim.engine.requests.ENDS``.
    turns : int64[1]
        Table turns.
    knock_counts, knock_turns : int64[E, …]
        The knocks of each bot by the knocker's count and by the own turn.
    """

    blocks: int
    points: Integers
    points_products: Integers
    wins: Integers
    wins_squares: Integers
    seat_points: Integers
    seat_squares: Integers
    seat_wins: Integers
    seat_wins_squares: Integers
    ends: Integers
    turns: Integers
    knock_counts: Integers
    knock_turns: Integers

    def __add__(self, other: DealSums) -> DealSums:
        """Merge the sums of two disjoint ranges of blocks; exact, so the order does not matter."""
        return DealSums(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))
