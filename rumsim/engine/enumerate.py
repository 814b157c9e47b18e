"""Every hand of a size, counted by its deadwood: no sampling, no error.

Renaming suits changes no count, so hands are looked at up to suits: four suit patterns in one fixed order, each such
hand standing for the 1 to 24 ways to give its patterns to the suits.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined, kernel
from rumsim.engine.melding import count
from rumsim.engine.tables import PATTERNS

MOST_CARDS = 13  # more would not fit one suit, and takes hours
MOST_POINTS = 420  # all 52 cards and two jokers

_CARDS = np.array([pattern.bit_count() for pattern in range(PATTERNS)])
# Patterns with few cards first; those with n cards stand from START[n] to START[n + 1].
ORDER = np.argsort(_CARDS, kind="stable").astype(np.uint64)
CARDS = np.sort(_CARDS)
START = np.searchsorted(CARDS, np.arange(15))

_13, _26, _39 = (np.uint64(n) for n in (13, 26, 39))


@inlined
def ways_of_three(i, j, k):
    """Return the orders of three places of which equal ones stand side by side."""
    if i == k:
        return 1
    return 3 if i == j or j == k else 6


@inlined
def ways_last_two_equal(i, j, k):
    """Return the orders of four places of which the last two are both ``k``."""
    if i == k:
        return 1
    if j == k:
        return 4
    return 6 if i == j else 12


@kernel
def tally(size, base, jokers, held, stripe, stripes, into):
    """Add hands of some natural cards and jokers to ``into[deadwood]``, for one stripe of the first two suits.

    Parameters
    ----------
    size : int64
        Natural cards, 1 to MOST_CARDS, so that what is left always fits one suit.
    base, jokers : uint64, Jokers or None
        The tables.
    held : uint64
        The jokers held, as bits of a mask.
    stripe, stripes : int64
        Which part of all hands, of how many.
    into : int64[MOST_POINTS + 1]
        Added to.
    """
    turn = 0
    for i in range(PATTERNS):
        left_for_three = size - CARDS[i]
        if left_for_three < 3 * CARDS[i]:
            break
        for j in range(i, PATTERNS):
            left_for_two = left_for_three - CARDS[j]
            if left_for_two < 2 * CARDS[j]:
                break
            turn += 1
            if turn % stripes != stripe:
                continue
            for k in range(j, PATTERNS):
                left = left_for_two - CARDS[k]
                if left < CARDS[k]:
                    break
                hand = held | ORDER[i] | ORDER[j] << _13 | ORDER[k] << _26
                if left == CARDS[k]:
                    into[count(hand | ORDER[k] << _39, base, jokers)] += ways_last_two_equal(i, j, k)
                ways = 4 * ways_of_three(i, j, k)
                for m in range(max(START[left], k + 1), START[left + 1]):
                    into[count(hand | ORDER[m] << _39, base, jokers)] += ways
