"""Win shares from who won which deal."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def win_shares(winners: Iterable[Iterable[int]], players: int) -> tuple[Fraction, ...]:
    """Add up each player's share of the deals: a deal counts 1, split evenly among those who share it.

    Parameters
    ----------
    winners : iterable of iterables of int
        The winners of each deal; none where nobody won it.
    players : int
        Players at the table.

    Returns
    -------
    tuple of Fraction
        By player; they add up to the number of deals that somebody won.

    Examples
    --------
    >>> [str(share) for share in win_shares([[0], [0, 1], [2]], players=3)]
    ['3/2', '1/2', '1']
    """
    total = [Fraction(0)] * players
    for deal in winners:
        sharing = frozenset(deal)
        for player in sharing:
            total[player] += Fraction(1, len(sharing))
    return tuple(total)
