"""The integer sums that direct play leaves behind, and how chunks of them merge."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]  # where sums are merged also Python's whole numbers, dtype object
_LARGEST = (1 << 63) - 1


def exact_sum(one: Integers, other: Integers) -> Integers:
    """Add two arrays of whole numbers exactly: int64 while that holds the sums, Python's numbers from there on.

    Parameters
    ----------
    one, other : int64 or object[…]
        Of one shape.

    Returns
    -------
    int64 or object[…]
        The sums.

    Examples
    --------
    >>> half = np.array([1 << 62])
    >>> exact_sum(half, half - 1).dtype, exact_sum(half, half).tolist() == [1 << 63]
    (dtype('int64'), True)
    """
    if one.dtype == other.dtype == np.int64:
        # Not the sizes alone: that of the lowest int64 is none.
        most = [max(int(each.max(initial=0)), -int(each.min(initial=0))) for each in (one, other)]
        if sum(most) <= _LARGEST:
            return one + other
    return np.add(one.astype(object), other.astype(object), dtype=object)  # type: ignore[no-any-return,unused-ignore]


def parts(first: int, last: int, most: int) -> list[tuple[int, int]]:
    """Part a range of blocks into ranges of so many at most.

    Examples
    --------
    >>> parts(3, 10, 4)
    [(3, 7), (7, 10)]
    """
    return [(start, min(start + most, last)) for start in range(first, last, most)] or [(first, last)]


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
        names = [field.name for field in fields(self)][1:]
        return DealSums(
            self.blocks + other.blocks, *(exact_sum(getattr(self, name), getattr(other, name)) for name in names)
        )
