"""Minimum deadwood and the card to give back, of one hand: with jokers where the rules have them.

Rules without jokers bring ``jokers`` as None, a type of its own: kernels compiled for it hold nothing of them.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine import hands
from rumsim.engine.hands import NOTHING
from rumsim.engine.jit import inlined
from rumsim.engine.joker_tables import VALUE
from rumsim.engine.jokers import count_with_jokers, discard_with_jokers

_52 = np.uint64(52)
_natural_count, _natural_discard, _natural_discard_without = hands.count, hands.discard, hands.discard_without


@inlined
def count(hand, base, jokers):
    """Return the minimum deadwood of a hand, in points."""
    if jokers is not None:
        if hand >> _52:
            return count_with_jokers(hand, base, jokers)
    return _natural_count(hand, base)


@inlined
def discard(hand, base, jokers):
    """Return the key of the card to give back when any may go: see ``card_of`` and ``left_of``."""
    if jokers is not None:
        if hand >> _52:
            return discard_with_jokers(hand, base, jokers, NOTHING)
    return _natural_discard(hand, base)


@inlined
def discard_without(hand, base, jokers, taken):
    """Return the key of the card to give back when ``taken`` may not go."""
    if jokers is not None:
        if hand >> _52:
            return discard_with_jokers(hand, base, jokers, taken)
    return _natural_discard_without(hand, base, taken)


@inlined
def any_joker(hand, jokers):
    """Return whether a hand holds a joker."""
    if jokers is not None:
        return hand >> _52 != np.uint64(0)
    return False


@inlined
def points(card, jokers):
    """Return a card's points as deadwood."""
    if jokers is not None:
        if card >= _52:
            return np.int64(jokers[VALUE])
    return min(np.int64(card % np.uint64(13)) + 1, 10)
