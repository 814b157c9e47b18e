"""Estimates over blocks: a block is one deck played once for each rotation, and the unit of every error.

Deals of a block share their cards, so a deal is never the sample.  Sums are whole numbers, which makes them
exact and free of order; they turn into fractions and floats only here.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from rumsim.stats.student import quantile

SKEW = 100  # blocks from which Student's interval of a seat's points, whose blocks are skew, keeps its level


class Estimate(NamedTuple):
    """A mean over blocks, its standard error and its interval; None where they do not exist."""

    mean: float | None
    error: float | None
    interval: tuple[float, float] | None


def estimate(total: int, squares: int, blocks: int, unit: int, level: float = 0.95) -> Estimate:
    """Estimate a mean from the exact sums of block totals.

    Parameters
    ----------
    total, squares : int
        Sum of the block totals, and of their squares.
    blocks : int
        Number of blocks, from 0.
    unit : int
        What a block total is divided by: for points in twelfths summed over the deals of a block, twelve times
        the number of deals in it (and of players, where several share the bot).
    level : float
        Coverage of the interval, by Student's t with ``blocks - 1`` degrees of freedom.

    Returns
    -------
    Estimate
        In units a deal.  Without blocks there is no mean, with one block no error.

    Examples
    --------
    >>> estimate(total=12, squares=80, blocks=2, unit=1).error
    2.0
    """
    if not blocks:
        return Estimate(None, None, None)
    mean = total / (blocks * unit)
    if blocks == 1:
        return Estimate(mean, None, None)
    # Exact until the square root: differences of large sums lose nothing.
    variance = Fraction(blocks * squares - total * total, blocks * (blocks - 1))
    error = math.sqrt(variance / blocks) / unit
    margin = quantile(blocks - 1, (1 + level) / 2) * error
    return Estimate(mean, error, (mean - margin, mean + margin))


def cautious(found: Estimate, blocks: int, least: int = SKEW) -> Estimate:
    """Leave out the interval of an estimate over too few blocks for it to keep its level.

    Parameters
    ----------
    found : Estimate
        Of something whose block totals are skew, such as the points of a seat: where equal bots play, a block is one
        deal, and a few rums make up most of its variance.  Student's intervals over 20 such blocks hold 88 to 95 % of
        the time, over 50 blocks 92 to 95 %, over 100 blocks 93 to 96 %.
    blocks, least : int
        Number of blocks, and from how many on there is an interval.

    Returns
    -------
    Estimate
        The same mean and error.

    Examples
    --------
    >>> cautious(Estimate(1.0, 2.0, (-3.0, 5.0)), blocks=99)
    Estimate(mean=1.0, error=2.0, interval=None)
    """
    return found if blocks >= least else found._replace(interval=None)
