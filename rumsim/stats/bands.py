"""Bands that hold a whole curve: wide enough that all its points lie within them together.

Intervals of 95 % each leave out some point of a curve of twenty far more often than once in twenty times.  The points
of a curve are played on the same decks and go together, so that Bonferroni's factor would be too wide; the right one is
the quantile of the largest studentised deviation among them, found by bootstrap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.stats.student import quantile

Floats = npt.NDArray[np.float64]

DRAWS = 10_000  # the factor of a curve of 80 points is then known to 0.5 %
_SMALLEST = 1e-9  # less correlation than that is none: the rest of a division


class Bands(NamedTuple):
    """Means with their errors and bands, all float64[C], in the unit asked for; NaN where they do not exist.

    ``margin`` is half the width of a band: ``factor`` times the error.
    """

    mean: Floats
    error: Floats
    margin: Floats
    factor: float


def bands(
    totals: npt.ArrayLike,
    products: npt.ArrayLike,
    blocks: int,
    unit: int,
    level: float = 0.95,
    *,
    seed: int = 0,
    draws: int = DRAWS,
) -> Bands:
    """Estimate the points of a curve that were played on the same blocks, with simultaneous bands.

    Parameters
    ----------
    totals : array_like of int, shape (C,)
        For each point of the curve the sum of its block totals.
    products : array_like of int, shape (C, C)
        Sums over blocks of the products of two points' block totals; squares on the diagonal.
    blocks : int
        Number of blocks, from 0.
    unit : int
        What a block total is divided by, as in ``estimate``.
    level : float
        The chance that the bands hold all points together.
    seed, draws : int
        Of the bootstrap; the same ones give the same bands.

    Returns
    -------
    Bands
        Points that are equal in every block have an error and a band of exactly 0.

    Notes
    -----
    A multiplier bootstrap: block deviations weighted with normal numbers are, given the blocks, normal with the
    blocks' covariance, so that sums over blocks suffice.  Each draw is divided by a common root of chi²/(blocks - 1),
    which makes the band of a single point Student's interval.

    References
    ----------
    V. Chernozhukov, D. Chetverikov, K. Kato, "Gaussian approximations and multiplier bootstrap for maxima of sums of
    high-dimensional random vectors", Annals of Statistics 41 (2013).

    Examples
    --------
    >>> import numpy as np
    >>> played = np.array([[1, 2], [3, 2], [2, 5], [6, 7]])  # four blocks, two points
    >>> found = bands(played.sum(axis=0), played.T @ played, blocks=4, unit=1)
    >>> found.mean, bool(found.factor > 3.18)  # Student's alone
    (array([3., 4.]), True)
    """
    sums = np.asarray(totals, object)
    points = len(sums)
    if blocks < 2:
        nothing = np.full(points, np.nan)
        mean = np.array([float(total) / unit for total in sums]) / blocks if blocks else nothing
        return Bands(mean, nothing, nothing, float("nan"))
    # Python's whole numbers: the difference of two large ones loses nothing.
    crossed: npt.NDArray[Any] = blocks * np.asarray(products, object) - np.outer(sums, sums)
    spread = crossed.astype(np.float64)
    scale = np.sqrt(np.diagonal(spread))
    varies = scale > 0
    correlation = spread[np.ix_(varies, varies)] / np.outer(scale[varies], scale[varies])
    mean = np.array([float(total) / (blocks * unit) for total in sums])
    error = scale / (unit * blocks * np.sqrt(blocks - 1.0))
    factor = band_factor(correlation, blocks - 1, level, seed=seed, draws=draws)
    return Bands(mean, error, factor * error, factor)


def batch_factor(
    batches: npt.ArrayLike, sizes: npt.ArrayLike, level: float = 0.95, *, seed: int = 0, draws: int = DRAWS
) -> float:
    """Return the factor of :func:`band_factor` for a curve of which sums over batches of blocks are known.

    Parameters
    ----------
    batches : array_like of float, shape (G, C)
        For each batch and point the sum of block totals.
    sizes : array_like of int, shape (G,)
        Blocks in each batch.
    level : float
        The chance that the band holds all points.
    seed, draws : int
        Of the bootstrap.

    Returns
    -------
    float
        NaN for fewer than two batches.  How points go together is known as well as from so many blocks.

    Examples
    --------
    >>> import numpy as np
    >>> alike = batch_factor([[1, 2], [3, 6], [2, 4], [7, 14]], [10, 10, 10, 10], draws=2000)
    >>> round(alike, 3), bool(np.isnan(batch_factor([[1, 2]], [10])))  # one point twice: Student's factor
    (3.182, True)
    """
    sums, blocks = np.asarray(batches, np.float64), np.asarray(sizes, np.float64)
    if len(sums) < 2:
        return float("nan")
    student = quantile(len(sums) - 1, (1 + level) / 2)
    apart = sums - np.outer(blocks / blocks.sum(), sums.sum(axis=0))
    spread = np.sqrt((apart**2).sum(axis=0))
    varies = spread > _SMALLEST * max(1.0, float(np.abs(sums).max()))
    scaled = apart[:, varies] / spread[varies]
    if scaled.shape[1] == 0 or np.all(np.abs(scaled.T @ scaled) > 1 - _SMALLEST):
        return student
    # Weighted with normal numbers, batches' deviations are normal with their covariance; see the notes of bands.
    weights, root = multipliers(seed, draws, len(sums))
    largest = np.abs(weights @ scaled).max(axis=1) / root
    return max(student, float(np.quantile(largest, level)))


def upper_bound(batches: npt.ArrayLike, sizes: npt.ArrayLike, level: float = 0.95, *, seed: int = 0) -> float:
    """Return a bound that the largest of several means does not exceed, with a given chance.

    Parameters
    ----------
    batches : array_like of float, shape (G, C)
        For each batch and quantity the sum over its blocks.
    sizes : array_like of int, shape (G,)
        Blocks in each batch.
    level : float
        The chance that all means lie below their bounds; the largest bound is returned.
    seed : int
        Of the bootstrap.

    Returns
    -------
    float
        The largest of mean plus factor times standard error; NaN for fewer than two batches.

    Examples
    --------
    >>> import numpy as np
    >>> round(upper_bound([[1.0], [3.0], [2.0], [2.0]], [1, 1, 1, 1]), 2)  # mean 2, one-sided Student's bound
    2.96
    """
    sums, blocks = np.asarray(batches, np.float64), np.asarray(sizes, np.float64)
    if len(sums) < 2:
        return float("nan")
    mean = sums.sum(axis=0) / blocks.sum()
    apart = sums - np.outer(blocks, mean)
    error = np.sqrt((apart**2).sum(axis=0) * len(sums) / (len(sums) - 1)) / blocks.sum()
    varies = error > 0
    weights, root = multipliers(seed, DRAWS, len(sums))
    scaled = apart[:, varies] / np.sqrt((apart[:, varies] ** 2).sum(axis=0))
    largest = (weights @ scaled).max(axis=1, initial=-np.inf) / root
    factor = max(quantile(len(sums) - 1, level), float(np.quantile(largest, level)) if varies.any() else 0.0)
    return float((mean + factor * error).max())


@lru_cache(maxsize=4)
def multipliers(seed: int, draws: int, batches: int) -> tuple[Floats, Floats]:
    """Return the random numbers of a multiplier bootstrap over batches: the same for all curves of a grid.

    Parameters
    ----------
    seed, draws : int
        Of the bootstrap.
    batches : int
        Number of batches, at least 2.

    Returns
    -------
    weights : float64[draws, batches]
        Normal numbers.
    root : float64[draws]
        Roots of chi²/(batches - 1): the common error by which a draw is divided.

    Examples
    --------
    >>> [part.shape for part in multipliers(seed=0, draws=3, batches=5)]
    [(3, 5), (3,)]
    """
    random = np.random.Generator(np.random.PCG64(seed))
    normal = random.standard_normal((draws, batches))
    return normal, np.sqrt(random.chisquare(batches - 1, draws) / (batches - 1))


def band_factor(
    correlation: npt.ArrayLike, degrees: int, level: float = 0.95, *, seed: int = 0, draws: int = DRAWS
) -> float:
    """Return how many standard errors a band reaches to either side so that it holds all points together.

    Parameters
    ----------
    correlation : array_like of float, shape (C, C)
        Of the block totals of the points; need not have full rank.
    degrees : int
        Blocks less one.
    level : float
        The chance that the band holds all points.
    seed, draws : int
        Of the bootstrap.

    Returns
    -------
    float
        Never less than Student's factor for one point.

    Examples
    --------
    >>> round(band_factor([[1.0]], degrees=10), 6), round(band_factor([[1.0, 1.0], [1.0, 1.0]], degrees=10), 6)
    (2.228139, 2.228139)
    """
    known = np.asarray(correlation, np.float64)
    student = quantile(degrees, (1 + level) / 2)
    if np.all(np.abs(known) > 1 - _SMALLEST):  # no point, one, or several that are one up to their sign
        return student
    values, vectors = np.linalg.eigh(known)
    # The symmetric root: unlike the vectors it does not depend on a library's choice of signs.
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    random = np.random.Generator(np.random.PCG64(seed))
    largest = np.abs(random.standard_normal((draws, len(known))) @ root).max(axis=1)
    largest /= np.sqrt(random.chisquare(degrees, draws) / degrees)
    return max(student, float(np.quantile(largest, level)))
