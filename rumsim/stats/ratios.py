"""A ratio of two totals, such as wins a deal where deals differ in number, with its error over clusters."""

from __future__ import annotations

import math

from rumsim.stats.blocks import Estimate
from rumsim.stats.student import quantile


def ratio(
    wins: int, deals: int, wins_squares: int, products: int, deals_squares: int, blocks: int, level: float = 0.95
) -> Estimate:
    """Estimate wins a deal from sums over blocks that hold unequal numbers of deals.

    Parameters
    ----------
    wins, deals : int
        Sums over blocks of w and k, the wins and deals of a block; w may be in any unit.
    wins_squares, products, deals_squares : int
        Sums over blocks of w², w·k and k².
    blocks : int
        Number of blocks, m.
    level : float
        Coverage of the interval, by Student's t with ``blocks - 1`` degrees of freedom.

    Returns
    -------
    Estimate
        Σw/Σk and the root of m/(m-1)·Σ(w - p·k)² / (Σk)².  Without deals there is no mean, with one block no error.

    Notes
    -----
    With the same number of deals in every block it is the plain estimate over blocks.

    Examples
    --------
    One win in one deal, and one in three.

    >>> ratio(wins=2, deals=4, wins_squares=2, products=4, deals_squares=10, blocks=2)[:2]
    (0.5, 0.25)
    """
    if not deals:
        return Estimate(None, None, None)
    mean = wins / deals
    if blocks < 2:
        return Estimate(mean, None, None)
    # Exact until the square root, in whole numbers: fractions reduce themselves at every step, which is slow.
    spread = wins_squares * deals**2 - 2 * wins * products * deals + wins**2 * deals_squares
    error = math.sqrt(spread * blocks / (deals**2 * (blocks - 1))) / deals
    margin = quantile(blocks - 1, (1 + level) / 2) * error
    return Estimate(mean, error, (mean - margin, mean + margin))
