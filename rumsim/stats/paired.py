"""The difference of two bots that played the same deals: their results go together, so the pair is the sample."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from rumsim.stats.blocks import Estimate, estimate

Amount = int | Fraction


def paired_difference(first: Sequence[Amount], second: Sequence[Amount], level: float = 0.95) -> Estimate:
    """Estimate by how much the first bot earned more than the second, over blocks or deals that both played.

    Parameters
    ----------
    first, second : sequence of int or Fraction
        What each earned in each block, or in each recorded deal of its own deck; in points.
    level : float
        Coverage of the interval, by Student's t.

    Returns
    -------
    Estimate
        Of the difference a block.  Without pairs there is no mean, with one no error.

    Raises
    ------
    ValueError
        If they did not play equally many.

    Notes
    -----
    To add the variances of the two, as if one's points told nothing of the other's, is wrong: with two players, where
    one wins what the other loses, it gives an error too small by the square root of 2.

    Examples
    --------
    >>> paired_difference([30, -12, 7, -25], [-30, 12, -7, 25]).mean
    0.0
    """
    gaps = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
    unit = lcm(*(gap.denominator for gap in gaps))
    whole = [int(gap * unit) for gap in gaps]
    return estimate(sum(whole), sum(gap * gap for gap in whole), len(whole), unit, level)


def paired_totals(
    totals: tuple[int, int],
    squares: tuple[int, int],
    product: int,
    blocks: int,
    units: tuple[int, int],
    level: float = 0.95,
) -> Estimate:
    """Estimate the same from sums over blocks, as ``estimate`` does for one bot.

    Parameters
    ----------
    totals, squares : pair of int
        For each bot the sum of its block totals, and of their squares.
    product : int
        The sum over blocks of the product of the two block totals.
    blocks : int
        Number of blocks, from 0.
    units : pair of int
        What the block totals of each bot are divided by.
    level : float
        Coverage of the interval.

    Returns
    -------
    Estimate
        Of the first less the second, in units a deal.

    Examples
    --------
    >>> paired_totals((11, -11), (1869, 1869), -1869, blocks=4, units=(1, 1)).mean
    5.5
    """
    (a, b), (u, v) = totals, units
    # a/u - b/v = (v·a - u·b) / (u·v), in whole numbers.
    spread = v * v * squares[0] - 2 * u * v * product + u * u * squares[1]
    return estimate(v * a - u * b, spread, blocks, u * v, level)
