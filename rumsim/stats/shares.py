"""Shares with intervals that hold: inside 0 to 1, and never of no width because nothing happened yet.

Student's interval of a win share leaves 0 to 1 where the share is near an end, and has no width where all blocks agree.
Here blocks are still the unit, but the error at a supposed share follows from that share, as for a count of successes.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from rumsim.stats.blocks import Estimate, estimate
from rumsim.stats.student import quantile

Floats = npt.NDArray[np.float64]

LEAST = 20  # blocks: below, no interval keeps its level
_NORMAL = NormalDist()
_ROUNDED = 1e-14  # nearer to its end than that, a share is at it: the rest of a division


def share(total: int, squares: int, blocks: int, unit: int, level: float = 0.95, *, places: int = 1) -> Estimate:
    """Estimate a share, such as of deals won, from the exact sums of block totals.

    Parameters
    ----------
    total, squares : int
        Sum of the block totals, and of their squares.
    blocks : int
        Number of blocks, from 0.
    unit : int
        What a block total is divided by, as in :func:`rumsim.stats.blocks.estimate`.
    level : float
        Coverage of the interval.
    places : int
        How many have this share on average and cannot have more than 1 together: their mean is at most
        ``1 / places``.

    Returns
    -------
    Estimate
        Mean and standard error as in ``estimate``; the interval is that of :func:`limits`, None with fewer than 20
        blocks.

    Examples
    --------
    Not one deal won in 20 blocks, and all of them: up to one in six may be won or lost all the same.

    >>> [round(end, 3) for end in share(total=0, squares=0, blocks=20, unit=1).interval]
    [0.0, 0.168]
    >>> [round(end, 3) for end in share(total=20, squares=20, blocks=20, unit=1).interval]
    [0.832, 1.0]
    >>> share(total=19, squares=19, blocks=19, unit=1).interval is None
    True
    """
    found = estimate(total, squares, blocks, unit)
    if found.mean is None or found.error is None or blocks < LEAST:
        return found._replace(interval=None)
    low, high = limits(found.mean, found.error, blocks, level, most=1 / places)
    return found._replace(interval=(float(low), float(high)))


def shares(
    totals: Sequence[int], squares: Sequence[int], blocks: int, unit: int, level: float = 0.95
) -> tuple[Estimate, ...]:
    """Estimate the shares that all seats of a table have, such as of deals won, as :func:`share` does for one.

    Parameters
    ----------
    totals, squares : sequence of int
        For each seat, as in ``share``.
    blocks, unit, level
        As in ``share``.

    Returns
    -------
    tuple of Estimate
        Means and standard errors of each by itself; the intervals use :func:`steadied` errors.

    Examples
    --------
    >>> [round(found.mean, 2) for found in shares([30, 10], [30, 10], blocks=40, unit=1)]
    [0.75, 0.25]
    """
    found = [share(int(a), int(b), blocks, unit) for a, b in zip(totals, squares, strict=True)]
    if blocks < LEAST:
        return tuple(found)
    mean = np.array([each.mean for each in found], np.float64)
    error = np.array([each.error for each in found], np.float64)
    low, high = limits(mean, steadied(mean, error), blocks, level)
    return tuple(each._replace(interval=(float(a), float(b))) for each, a, b in zip(found, low, high, strict=True))


def steadied(mean: npt.ArrayLike, error: npt.ArrayLike) -> Floats:
    """Return errors of the shares of all seats, not far below what all seats together suggest.

    Over 20 blocks the error of a seat that wins seldom hangs on whether its few wins lie in few blocks: seats of 5
    players then had intervals that held in 91 of 100 runs.  How much the deals of a block go together is much the same
    for all seats of a table, and better known from all of them.

    Parameters
    ----------
    mean, error : array_like of float, shape (seats, …)
        Shares, and their standard errors over blocks.

    Returns
    -------
    float64[seats, …]
        The roots of the squared errors, or of the mean of these and ``p (1 - p)`` times their common ratio where that
        is more; 0 where an error is 0.

    Examples
    --------
    >>> steadied([0.5, 0.1], [0.05, 0.01]).round(4).tolist()
    [0.05, 0.0199]
    """
    p, variance = np.asarray(mean, np.float64), np.asarray(error, np.float64) ** 2
    alone = p * (1 - p)
    total = alone.sum(axis=0)
    ratio = np.where(total > 0, variance.sum(axis=0) / np.where(total > 0, total, 1), 0)
    found: Floats = np.sqrt(np.maximum(variance, (variance + ratio * alone) / 2))
    return np.where(variance > 0, found, 0.0)  # where all blocks agree, limits knows better


def limits(
    mean: npt.ArrayLike,
    error: npt.ArrayLike,
    blocks: int,
    level: float = 0.95,
    *,
    most: npt.ArrayLike = 1.0,
    factor: npt.ArrayLike | None = None,
) -> tuple[Floats, Floats]:
    """Return the ends of intervals of shares, from their means and standard errors over blocks.

    Parameters
    ----------
    mean, error : array_like of float
        Shares between 0 and ``most``, and their standard errors over blocks.
    blocks : int
        Number of blocks, at least 2.
    level : float
        Coverage of each interval.
    most : array_like of float
        What a share can come to.
    factor : array_like of float, optional
        Of bands that hold several shares together, in place of Student's factor; see :mod:`rumsim.stats.bands`.

    Returns
    -------
    low, high : float64[...]
        Between 0 and ``most``; NaN where there is no error.

    Notes
    -----
    Wilson's score interval for the effective number of deals, ``p (1 - p) / error²`` (the independent deals that would
    know the share as well), with Student's quantile, since that number is estimated.  Wilson's end towards 0 comes too
    near to a share of few successes; where Byar's one-sided limit of a Poisson count, with the effective number of
    successes and the variance of a binomial one, lies nearer to 0, it is taken; likewise towards the other end.  Where
    all blocks agree a deal tells no more than its block: successes in no block have the exact upper limit
    ``1 - tail ** (1 / blocks)``.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927); L. Kish, "Survey sampling" (1965), for the effective number; L. D. Brown,
    T. T. Cai, A. DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16 (2001), for few
    successes; N. E. Breslow, N. E. Day, "Statistical methods in cancer research" II (1987), for Byar's limit.

    Examples
    --------
    >>> low, high = limits([0.0, 0.25, 1.0], [0.0, 0.02, 0.0], blocks=100)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.213, 0.964], [0.036, 0.292, 1.0])
    """
    top = np.asarray(most, np.float64)
    p, spread = np.asarray(mean, np.float64) / top, np.asarray(error, np.float64) / top
    p = np.where(p < _ROUNDED, 0.0, np.where(p > 1 - _ROUNDED, 1.0, p))
    two, one = quantile(blocks - 1, (1 + level) / 2), quantile(blocks - 1, level)
    wide = np.asarray(two if factor is None else factor, np.float64)
    # Of a band's factor the same parts as of Student's.
    tail = 1 - np.vectorize(_NORMAL.cdf, otypes=[np.float64])(_NORMAL.inv_cdf((1 + level) / 2) * wide / two)
    with np.errstate(divide="ignore", invalid="ignore"):
        known = np.where(spread > 0, p * (1 - p) / spread**2, blocks)
        middle = (p + wide**2 / (2 * known)) / (1 + wide**2 / known)
        half = wide * np.sqrt(p * (1 - p) / known + (wide / (2 * known)) ** 2) / (1 + wide**2 / known)
        low = np.minimum(middle - half, _few(p, known, wide * one / two))
        high = np.maximum(middle + half, 1 - _few(1 - p, known, wide * one / two))
    rest = tail ** (1 / blocks)  # the chance of a block without any, were the chance of no block with any the tail
    low = np.where(p <= 0, 0.0, np.where(p >= 1, rest, low))
    high = np.where(p >= 1, 1.0, np.where(p <= 0, 1 - rest, high))
    missing = np.isnan(spread) | np.isnan(p)
    low, high = (np.where(missing, np.nan, np.clip(end, 0, 1)) * top for end in (low, high))
    return low, high


def _few(p: Floats, known: Floats, factor: Floats) -> Floats:
    """Return Byar's lower limit of a share, from its effective number of successes."""
    scale = (1 - p) / (p * known)
    limit: Floats = p * np.maximum(1 - scale / 9 - factor / 3 * np.sqrt(scale), 0) ** 3
    return limit
