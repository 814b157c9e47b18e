"""The integer sums that a grid of thresholds leaves behind, and how chunks of them merge."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from rumsim.tasks.sums import Integers, exact_sum

BATCHES = 128  # what a band is made from: enough that its factor is known well, few enough to keep


@dataclass(frozen=True)
class Batch:
    """Sums over some blocks.

    Attributes
    ----------
    blocks : int
        How many.
    points, wins : int64[P, T, F]
        As of :class:`GridSums`.
    """

    blocks: int
    points: Integers
    wins: Integers

    def __add__(self, other: Batch) -> Batch:
        """Merge the sums of disjoint blocks."""
        points, wins = exact_sum(self.points, other.points), exact_sum(self.wins, other.wins)
        return Batch(self.blocks + other.blocks, points, wins)


@dataclass(frozen=True)
class GridSums:
    """Sums over whole blocks for P player counts, T opponents' thresholds and F focal thresholds.

    Attributes
    ----------
    blocks : int
        Blocks played.
    points, points_squares : int64[P, T, F]
        Twelfths of a point of the focal bot over all deals, and the squares of block totals.
    wins, wins_squares : int64[P, T, F]
        The same in sixtieths of a win share.
    ends : int64[P, T, F, 6]
        Deals that ended so, in the order of ``rumsim.engine.requests.ENDS``; empty where nobody asked.
    turns : int64[P, T, F]
        Table turns; empty where nobody asked.
    batches : dict of int to Batch
        Sums over stretches of blocks, from which it is seen how cells go together.
    """

    blocks: int
    points: Integers
    points_squares: Integers
    wins: Integers
    wins_squares: Integers
    ends: Integers
    turns: Integers
    batches: dict[int, Batch]

    def __add__(self, other: GridSums) -> GridSums:
        """Merge the sums of two disjoint ranges of blocks; exact, so the order does not matter."""
        batches = dict(self.batches)
        for number, batch in other.batches.items():
            batches[number] = batches[number] + batch if number in batches else batch
        names = [field.name for field in fields(self)][1:-1]
        return GridSums(
            self.blocks + other.blocks,
            **{name: exact_sum(getattr(self, name), getattr(other, name)) for name in names},
            batches=dict(sorted(batches.items())),
        )


def no_sums(players: int, table: int, focal: int, *, ends: bool) -> GridSums:
    """Return the sums of no block.

    Examples
    --------
    >>> no_sums(2, 3, 5, ends=True).ends.shape
    (2, 3, 5, 6)
    """
    shape = players, table, focal
    points, squares, wins, wins_squares = (np.zeros(shape, np.int64) for _ in range(4))
    how = np.zeros((*shape, 6) if ends else 0, np.int64)
    return GridSums(0, points, squares, wins, wins_squares, how, np.zeros(shape if ends else 0, np.int64), {})


def batch_ranges(first: int, last: int, size: int, most: int) -> list[tuple[int, int]]:
    """Part a range of blocks where batches of a size begin, and wherever a part would be longer than ``most``.

    Examples
    --------
    >>> batch_ranges(5, 25, size=10, most=8)
    [(5, 10), (10, 18), (18, 20), (20, 25)]
    """
    ranges = []
    while first < last:
        end = min(last, (first // size + 1) * size, first + most)
        ranges.append((first, end))
        first = end
    return ranges


def batch_size(blocks: int) -> int:
    """Return how many blocks make a batch in a run of that many.

    Examples
    --------
    >>> batch_size(1), batch_size(128), batch_size(1000)
    (1, 1, 8)
    """
    return -(-blocks // BATCHES)
