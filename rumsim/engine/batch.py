"""Minimum deadwood and the card to give back, of many hands: the same answers as :mod:`rumsim.engine.hands`, faster.

Hands are worked off in passes that stay in the nearest cache, each in steps that do one thing to all its hands:

* arithmetic, several hands in a vector register: set aside every set that is sure, and note the ranks whose set
  competes with a run;
* look-ups, one a suit;
* more arithmetic;
* out of line, the few hands that have a choice of sets.

Nothing common hangs on a branch that a processor would have to guess.  Hands with more choices than 26 cards can
have, and those that have no card to give back, are left to the caller, who finds a count of ``LEFT``.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.hands import (
    CARD,
    CHANGE,
    GAIN,
    KINGS,
    NO_GAIN,
    NOTHING,
    at_all_suits,
    best_key_without,
    card_of,
    left_of,
    look_up,
    loose,
    merged,
    settled,
    threes_of,
)
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.tables import PATTERNS

PASS = 512  # hands a pass
LEFT = 255  # no hand counts more than 170: two cards of every rank
REFUSED = -1
MOST_WAYS = 1 << 16  # 26 cards have at most 6^6

_0, _1, _13 = (np.uint64(n) for n in (0, 1, 13))
_PACK = np.uint64(52)
_LEFT = np.uint32(LEFT)

# ---- before the look-ups -------------------------------------------------------------------------------------


@inlined
def settle(hands, kings, rest, ranks):
    """Set the sure sets of a pass aside; return all cards that were seen."""
    seen = _0
    for i in range(hands.size):
        seen |= hands[i]
        rest[i], ranks[i] = settled(hands[i], kings)
    return seen


@inlined
def spread(hand, ranks, ways):
    """Fill ``ways`` with what every choice of sets of these ranks leaves; return how many, 0 for too many."""
    ways[0] = hand
    many = 1
    while ranks:
        if many * 6 > MOST_WAYS:
            return 0
        one = ranks & (~ranks + _1)
        ranks ^= one
        whole = at_all_suits(one)
        cards = hand & whole
        for way in range(many):
            ways[many + way] = ways[way] & ~cards
        if cards == whole:
            for suit in range(4):
                for way in range(many):
                    ways[many * (2 + suit) + way] = ways[way] & ~(cards ^ one)
                one <<= _13
            many *= 6
        else:
            many *= 2
    return many


@inlined
def pick(flags, size, fours, chosen):
    """Fill ``chosen`` with the places of the first ``size`` flags that are not zero; return how many.

    Of four flags at once most are zero, and an append that moves on only if it counted needs no branch.
    """
    flags[size:] = 0
    words = flags.view(np.uint64)
    some = 0
    for word in range((size + 3) >> 2):
        fours[some] = word
        some += words[word] != _0
    many = 0
    for k in range(some):
        first = np.int64(fours[k]) << 2
        for i in range(first, first + 4):
            chosen[many] = i
            many += flags[i] != 0
    return many


# ---- deadwood ------------------------------------------------------------------------------------------------


def _deadwoods(base, kings):
    """Make the kernel for tables that begin at ``base``; as constants they cost nothing."""

    @kernel
    def deadwoods(hands, counts):
        """Count every hand, pass by pass; return how many are left to the caller, REFUSED for bits that are no card.

        Parameters
        ----------
        hands : uint64[n]
            Masks.
        counts : uint8[n]
            Filled, in points.
        """
        rest, ranks = np.empty(PASS, np.uint64), np.empty(PASS, np.uint16)
        fours, chosen = np.empty(PASS // 4 + 1, np.int64), np.empty(PASS + 1, np.int64)
        ways = np.empty(MOST_WAYS, np.uint64)
        left = 0
        for start in range(0, hands.size, PASS):
            held, count = hands[start : start + PASS], counts[start : start + PASS]
            if settle(held, kings, rest, ranks) >> _PACK:
                return REFUSED
            for i in range(held.size):
                count[i] = loose(rest[i], base)
            for k in range(pick(ranks, held.size, fours, chosen)):
                i = chosen[k]
                many = spread(rest[i], np.uint64(ranks[i]), ways)
                least = np.uint64(LEFT)
                for way in range(many):
                    least = min(least, loose(ways[way], base))
                count[i] = least
                left += many == 0
        return left

    return deadwoods


# ---- the card to give back -----------------------------------------------------------------------------------


@outlined
def slow_key(hand, base, taken, ways):
    """Return the least key over all ways to set sets aside, sure ones too; LEFT for too many ways or no card."""
    ranks = threes_of(hand)
    many = spread(hand, ranks, ways)
    if not many:
        return (_LEFT + GAIN) << CHANGE
    best = best_key_without(hand, base, taken)
    for way in range(1, many):
        best = min(best, best_key_without(ways[way], base, taken))
    left = min(left_of(best), np.uint64(LEFT))  # the key of no card is greater
    return np.uint32((left + np.uint64(GAIN)) << np.uint64(CHANGE) | card_of(best))


@inlined
def not_held(hands, taken):
    """Return whether a card taken is none of the hand's, or no card nor -1."""
    absent, lowest, beyond = _0, 0, 0  # gathered by "or", so that nothing branches
    for i in range(hands.size):
        card = np.int64(taken[i])
        any_taken = ~(card >> 63)  # all bits, or none for -1
        absent |= ~hands[i] >> np.uint64(card & 63) & _1 & np.uint64(any_taken)
        lowest |= card + 1
        beyond |= card & any_taken
    return absent != _0 or lowest < 0 or beyond >= 64


def _discards(base, kings):
    """Make the kernel for tables that begin at ``base``."""

    @kernel
    def discards(hands, taken, cards, counts):
        """Find every hand's card to give back, pass by pass; return as ``deadwoods`` does.

        Parameters
        ----------
        hands : uint64[n]
            Masks.
        taken : int8[n] or int8[0]
            Cards that may not be given back and must be held, -1 for none.
        cards, counts : uint8[n]
            Filled: the card, and the points that are left without it.
        """
        rest, ranks, odd = np.empty(PASS, np.uint64), np.empty(PASS, np.uint16), np.empty(PASS, np.uint16)
        keys = np.empty(4 * PASS, np.uint32)  # one array: so many apart would each be suspected to overlap the others
        fours, chosen = np.empty(PASS // 4 + 1, np.int64), np.empty(PASS + 1, np.int64)
        ways = np.empty(MOST_WAYS, np.uint64)
        left = 0
        for start in range(0, hands.size, PASS):
            held = hands[start : start + PASS]
            if settle(held, kings, rest, ranks) >> _PACK:
                return REFUSED
            if taken.size and not_held(held, taken[start : start + PASS]):
                return REFUSED
            for i in range(held.size):
                keys[i], keys[i + PASS], keys[i + 2 * PASS], keys[i + 3 * PASS] = look_up(rest[i], base)
            for i in range(held.size):
                points, key = merged(keys[i], keys[i + PASS], keys[i + 2 * PASS], keys[i + 3 * PASS])
                keys[i] = (points << CHANGE) + key
                odd[i] = ranks[i] | np.uint16(key >= NO_GAIN)
            for k in range(pick(odd, held.size, fours, chosen)):
                i = chosen[k]
                many = spread(rest[i], np.uint64(ranks[i]), ways)
                points, key = _LEFT, _LEFT << CHANGE
                for way in range(many):
                    a, b, c, d = look_up(ways[way], base)
                    total, change = merged(a, b, c, d)
                    points, key = min(points, total), min(key, (total << CHANGE) + change)
                # A sure set gives a card only where nothing else lowers the count.
                if (key >> CHANGE) >= points + GAIN or not many:
                    key = slow_key(held[i], base, NOTHING, ways)
                keys[i] = key
            if taken.size:
                # The best of all cards is the best of those allowed, unless it is the card taken.
                forbidden = taken[start : start + PASS]
                for i in range(held.size):
                    odd[i] = np.int32(keys[i] & CARD) == np.int32(forbidden[i])
                for k in range(pick(odd, held.size, fours, chosen)):
                    i = chosen[k]
                    keys[i] = slow_key(held[i], base, np.uint64(forbidden[i]), ways)
            card, count = cards[start : start + PASS], counts[start : start + PASS]
            for i in range(held.size):
                card[i] = keys[i] & CARD
                count[i] = (keys[i] >> CHANGE) - GAIN
            for i in range(held.size):
                left += count[i] == _LEFT
        return left

    return discards


# By ``ace``: where its tables begin, and the kings that are high neighbours of an ace.
_TABLES = {"low": (_0, _0), "high-or-low": (np.uint64(PATTERNS), KINGS)}
DEADWOODS = {ace: _deadwoods(*tables) for ace, tables in _TABLES.items()}
DISCARDS = {ace: _discards(*tables) for ace, tables in _TABLES.items()}
