"""Minimum deadwood and the card to give back, of many hands, under rules with jokers.

Hand after hand: without a joker as :mod:`rumsim.engine.hands` counts them, not in passes.  Hands of more than 26
cards, and those with no card to give back, are left to the caller, as in :mod:`rumsim.engine.batch`.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.batch import LEFT, REFUSED
from rumsim.engine.bits import popcount
from rumsim.engine.hands import card_of, left_of
from rumsim.engine.jit import kernel
from rumsim.engine.melding import count, discard, discard_without

_0, _1 = np.uint64(0), np.uint64(1)
_MOST = np.uint64(26)


@kernel
def deadwoods(hands, base, jokers, deck, counts):
    """Count every hand; return how many are left to the caller, REFUSED for bits that are no card.

    Parameters
    ----------
    hands : uint64[n]
        Masks.
    base, jokers, deck : uint64, Jokers, uint64
        The tables, and cards in the deck.
    counts : uint8[n]
        Filled, in points.
    """
    left = 0
    for i in range(hands.size):
        if hands[i] >> deck:
            return REFUSED
        if popcount(hands[i]) > _MOST:
            counts[i] = LEFT
            left += 1
        else:
            counts[i] = count(hands[i], base, jokers)
    return left


@kernel
def discards(hands, taken, base, jokers, deck, cards, counts):
    """Find every hand's card to give back; return as ``deadwoods`` does.

    Parameters
    ----------
    hands, taken : uint64[n], int8[n] or int8[0]
        Masks; cards that may not be given back and must be held, -1 for none.
    base, jokers, deck : uint64, Jokers, uint64
        The tables, and cards in the deck.
    cards, counts : uint8[n]
        Filled: the card, and the points that are left without it.
    """
    left = 0
    for i in range(hands.size):
        hand, forbidden = hands[i], _0
        if hand >> deck:
            return REFUSED
        if taken.size and taken[i] != -1:
            if taken[i] < 0 or not hand >> np.uint64(taken[i]) & _1:
                return REFUSED
            forbidden = _1 << np.uint64(taken[i])
        if hand == forbidden or popcount(hand) > _MOST:
            counts[i] = LEFT
            left += 1
            continue
        key = discard_without(hand, base, jokers, np.uint64(taken[i])) if forbidden else discard(hand, base, jokers)
        cards[i], counts[i] = card_of(key), left_of(key)
    return left
