"""Which of several candidates may be the best: a confidence set, from what they earned on the same blocks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rumsim.stats.bands import multipliers
from rumsim.stats.student import quantile

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

LEAST = 20  # blocks: with fewer, nothing is called beaten
_DRAWS = 2000
_EQUAL = 1e-9  # of the largest difference: less spread is none, the rest of a subtraction


def not_beaten(
    batches: npt.ArrayLike, sizes: npt.ArrayLike, level: float = 0.95, *, seed: int = 0, draws: int = _DRAWS
) -> Truths:
    """Return which candidates may be the best: those that no other is known to exceed.

    Parameters
    ----------
    batches : array_like of float or int, shape (G, C)
        For each batch of blocks and each candidate the sum of what it earned; more is better.
    sizes : array_like of int, shape (G,)
        Blocks in each batch.
    level : float
        The chance, at least, that the candidate with the highest mean is in the set.
    seed, draws : int
        Of the bootstrap; the same ones give the same set.

    Returns
    -------
    bool[C]
        True for the members; the one with the highest mean seen is always among them.  All are members where there
        are fewer than two batches, or than 20 blocks in all.

    Notes
    -----
    A candidate is left out where the largest of its studentised paired differences, another's less its own, exceeds
    the quantile of the largest such difference if all means were equal.  That quantile is the candidate's own: found
    by a multiplier bootstrap over batches as in :func:`rumsim.stats.bands.upper_bound`, but never below Student's
    one-sided quantile for one difference, nor above Bonferroni's for all.  So the true best is left out with a chance
    of at most ``1 - level``, whatever the others are and however many.

    References
    ----------
    J. C. Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the best", Annals of
    Statistics 12 (1984); P. R. Hansen, A. Lunde, J. M. Nason, "The model confidence set", Econometrica 79 (2011).

    Examples
    --------
    The first two go up and down together, one point apart; the third earns as much on average, but not reliably.

    >>> import numpy as np
    >>> level = np.arange(30) % 7
    >>> played = np.column_stack([level, level + 1, level + 1 + 5 * (-1) ** np.arange(30)])
    >>> not_beaten(played, np.ones(30, int)).tolist()
    [False, True, True]
    """
    sums, blocks = np.asarray(batches, np.float64), np.asarray(sizes, np.float64)
    rows, candidates = sums.shape
    if rows < 2 or candidates < 2 or blocks.sum() < LEAST:
        return np.ones(candidates, np.bool_)
    mean = sums.sum(axis=0) / blocks.sum()
    apart = (sums - np.outer(blocks, mean)) * np.sqrt(rows / (rows - 1)) / blocks.sum()
    products = apart.T @ apart
    own = np.diagonal(products)
    # Errors of all differences; what is left of equal candidates by the subtraction is none.
    variance = own[:, None] + own[None, :] - 2 * products
    error = np.sqrt(np.where(variance > _EQUAL * (own[:, None] + own[None, :]), variance, 0.0))
    ahead = mean[:, None] - mean[None, :]  # by how much the row's candidate is ahead of the column's
    ahead[np.abs(ahead) <= _EQUAL * np.abs(mean).max(initial=0.0)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = np.where(ahead > 0, ahead / error, 0.0).max(axis=0)
    least = quantile(rows - 1, level)
    most = quantile(rows - 1, 1 - (1 - level) / (candidates - 1))
    found: Truths = worst <= least
    unsure = np.flatnonzero((worst > least) & (worst <= most))
    if unsure.size:
        weights, root = multipliers(seed, draws, rows)
        drawn = (weights @ apart) / root[:, None]  # a draw of all means' deviations, one a row
        for one in unsure:
            varies = error[:, one] > 0
            gaps = (drawn[:, varies] - drawn[:, [one]]) / error[varies, one]
            found[one] = worst[one] <= np.quantile(gaps.max(axis=1), level)
    found[mean.argmax()] = True
    return found
