"""How much a block is worth: deals that share their cards and seats against deals dealt by themselves."""

from __future__ import annotations

from fractions import Fraction


def variance_reduction(total: int, deal_squares: int, block_squares: int, blocks: int, rotations: int) -> float | None:
    """Return how many independent deals each played deal was worth.

    The variance of the focal bot's points in one deal, with a fresh deck and a random seat, over N times the
    variance of the block means, which is the variance a deal that the same number of deals had in blocks.

    Parameters
    ----------
    total : int
        The sum of the focal bot's points over all deals, in any unit.
    deal_squares : int
        The sum over deals of the squares of its points.
    block_squares : int
        The sum over blocks of the squares of its block totals.
    blocks, rotations : int
        Number of blocks, and of deals in each.

    Returns
    -------
    float or None
        1 where rotating brought nothing; None with fewer than two blocks, or where every block is equal.

    Examples
    --------
    Two blocks of two deals, 1 and 0 points in the one, -1 and 0 in the other.

    >>> variance_reduction(total=0, deal_squares=2, block_squares=2, blocks=2, rotations=2)
    0.75
    """
    if blocks < 2:
        return None
    deals = blocks * rotations
    mean = Fraction(total, deals)
    of_means = Fraction(blocks * block_squares - total * total, blocks * (blocks - 1)) / rotations**2
    if not of_means:
        return None
    # The mean of squares less the squared mean, which is on average too large by the variance of the mean.
    of_one = Fraction(deal_squares, deals) - mean**2 + of_means / blocks
    return float(of_one / (rotations * of_means))
