"""Minimum deadwood and the card to give back, of one hand that holds one joker or two.

A joker lies in a set, in a run, or loose.  Every way to put jokers into sets is tried, since few ranks offer one; for
those left, tables know by suit what runs with jokers leave (:mod:`rumsim.engine.joker_tables`), after every way to
set natural sets aside.  What remains is natural and counted as ever (:mod:`rumsim.engine.hands`).

Keys are those of :func:`rumsim.engine.hands.card_of`, with 10 less the card's points between, 15 for a joker.

Kernels call what is here by name, through :mod:`rumsim.engine.melding`: linked into each of them, it would be
optimised anew in every function on the way, three times the work of all the rest.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from rumsim.engine.bits import popcount, trailing_zeros
from rumsim.engine.hands import (
    CARD,
    CHANGE,
    GAIN,
    KINGS,
    NOTHING,
    count,
    discard_with_sets,
    next_choice,
    set_aside,
    settled,
    suits_held,
    threes_of,
    total_key,
)
from rumsim.engine.jit import entrance, inlined, outlined
from rumsim.engine.joker_tables import (
    IMPOSSIBLE,
    ONE_BEST,
    ONE_LOOSE,
    ONE_SECOND,
    ONE_SETS,
    ONE_WAYS,
    PLACES,
    SET_PLACES,
    TWO_BEST,
    TWO_LOOSE,
    TWO_SECOND,
    TWO_SETS,
    TWO_WAYS,
    VALUE,
)
from rumsim.engine.melding import COUNT, COUNT_KIND, DISCARD, DISCARD_KIND
from rumsim.engine.tables import BEST, BIAS, LOOSE, NO_CARD, PACKED_BIAS, SECOND

_0, _1, _2, _10, _12, _13, _26, _39, _52, _53 = (np.uint64(n) for n in (0, 1, 2, 10, 12, 13, 26, 39, 52, 53))
_SUIT = np.uint64(0x1FFF)
NATURAL = (_1 << _52) - _1
_BYTE, _AT_POINTS = np.uint64(0xFF), np.uint64(16)
_NO_CARD = np.uint64(NO_CARD)
_BIAS = np.uint64(BIAS)
_FROM_PACKED = np.uint64(BIAS - PACKED_BIAS)
_JOKER = np.uint64(15 << 8)  # dearness after any natural card
_MOST = np.uint64(IMPOSSIBLE)
_VALUE, _ONE_WAYS, _ONE_SETS, _TWO_WAYS, _TWO_SETS, _SET_PLACES = (
    np.uint64(n) for n in (VALUE, ONE_WAYS, ONE_SETS, TWO_WAYS, TWO_SETS, SET_PLACES)
)
_ONE_LOOSE, _ONE_BEST, _ONE_SECOND = (np.uint64(n) for n in (ONE_LOOSE, ONE_BEST, ONE_SECOND))
_TWO_LOOSE, _TWO_BEST, _TWO_SECOND = (np.uint64(n) for n in (TWO_LOOSE, TWO_BEST, TWO_SECOND))


@inlined
def _with_two(hand):
    """Return the ranks of which a natural hand holds two or more."""
    a, b, c, d = hand & _SUIT, hand >> _13 & _SUIT, hand >> _26 & _SUIT, hand >> _39
    return a & b | c & d | (a | b) & (c | d)


@inlined
def _with_any(hand):
    """Return the ranks of which a natural hand holds any."""
    return (hand | hand >> _13 | hand >> _26 | hand >> _39) & _SUIT


@inlined
def _cards(suits, rank):
    """Return the cards of a rank in these suits."""
    spread = suits & _1 | (suits & _2) << np.uint64(12) | (suits & np.uint64(4)) << np.uint64(24)
    return (spread | (suits & np.uint64(8)) << np.uint64(36)) << rank


@outlined
def _natural_count(hand, base):
    """Return the minimum deadwood of a natural hand."""
    return count(hand, base)


# ---- minimum deadwood ----------------------------------------------------------------------------------------


@outlined
def _run_points(hand, base, jokers, many):
    """Return the points of natural cards outside runs, one joker or two being in runs or loose."""
    value = np.uint64(jokers[_VALUE])
    total, one, second, two = _0, _MOST, _MOST, _MOST  # the best changes, plus 512
    shift = _0
    for _ in range(4):
        suit = hand >> shift & _SUIT
        loose = np.uint64(LOOSE[base + suit])
        total += loose
        change = np.uint64(jokers[_ONE_LOOSE + suit]) + np.uint64(512) - loose
        second = min(second, max(one, change))
        one = min(one, change)
        if many == _2:
            two = min(two, np.uint64(jokers[_TWO_LOOSE + suit]) + np.uint64(512) - loose)
        shift += _13
    one += total - np.uint64(512)
    if many == _1:
        return min(total + value, one)
    return min(min(total + value, one) + value, min(one + second - np.uint64(512), total + two - np.uint64(512)))


@outlined
def _runs_and_sets(hand, base, jokers, many):
    """Return the least points of natural cards and so many jokers that are in no set."""
    best = _run_points(hand, base, jokers, many)
    ranks = threes_of(hand)
    if ranks:
        choice = next_choice(hand, ranks, _0)
        while choice:
            best = min(best, _run_points(set_aside(hand, ranks, choice), base, jokers, many))
            choice = next_choice(hand, ranks, choice)
    return best


@outlined
def _count_with_one(hand, base, jokers):
    """Return the minimum deadwood of natural cards and one joker."""
    best = _runs_and_sets(hand, base, jokers, _1)
    ranks = _with_two(hand)
    if not ranks:
        return best
    without = _natural_count(hand, base)
    for step in range(13):  # the dear ones first
        rank = _12 - np.uint64(step)
        if not ranks >> rank & _1:
            continue
        held = suits_held(hand, rank)
        for way in range(jokers[_ONE_WAYS + held]):
            suits = np.uint64(jokers[_ONE_SETS + _SET_PLACES * held + np.uint64(way)])
            # The set's cards, loose, and what the others leave are one way to hold all of them.
            if without < best + popcount(suits) * min(rank + _1, _10):
                best = min(best, _natural_count(hand & ~_cards(suits, rank), base))
    return best


@outlined
def count_with_jokers(hand, base, jokers):
    """Return the minimum deadwood, in points, of a hand that holds one joker or two."""
    natural = hand & NATURAL
    if hand >> _52 != np.uint64(3):
        return _count_with_one(natural, base, jokers)
    best = _runs_and_sets(natural, base, jokers, _2)
    ranks = _with_any(natural)
    while ranks:
        rank = trailing_zeros(ranks)
        ranks &= ranks - _1
        held = suits_held(natural, rank)
        for way in range(jokers[_ONE_WAYS + held]):
            suits = np.uint64(jokers[_ONE_SETS + _SET_PLACES * held + np.uint64(way)])
            best = min(best, _count_with_one(natural & ~_cards(suits, rank), base, jokers))
        for way in range(jokers[_TWO_WAYS + held]):
            suits = np.uint64(jokers[_TWO_SETS + _SET_PLACES * held + np.uint64(way)])
            best = min(best, _natural_count(natural & ~_cards(suits, rank), base))
    return best


# ---- the card to give back -----------------------------------------------------------------------------------


@inlined
def _allowed(first, second, shift, taken):
    """Return the better key of a suit that may go."""
    key = np.uint64(first) + shift
    return np.uint64(second) + shift if (key & _BYTE) == taken and key < _NO_CARD else key


@outlined
def _run_key_with_two(hand, base, jokers, taken):
    """Return the least key among natural cards, two jokers being in runs or loose."""
    value = np.uint64(jokers[_VALUE])
    best = (_0 - _1) >> _1
    total = _0
    shift = _0
    for _ in range(4):
        total += np.uint64(LOOSE[base + (hand >> shift & _SUIT)])
        shift += _13
    # Where the jokers go: a suit, or 4 for loose.
    for one in range(5):
        for two in range(one, 5):
            points, least = total, _NO_CARD << _1
            shift = _0
            possible = True
            for suit in range(4):
                pattern = hand >> shift & _SUIT
                number = (1 if one == suit else 0) + (1 if two == suit else 0)
                if number == 0:
                    key = _allowed(BEST[base + pattern], SECOND[base + pattern], shift, taken)
                else:
                    natural = np.uint64(LOOSE[base + pattern])
                    if number == 1:
                        loose = np.uint64(jokers[_ONE_LOOSE + pattern])
                        key = _allowed(jokers[_ONE_BEST + pattern], jokers[_ONE_SECOND + pattern], shift, taken)
                    else:
                        loose = np.uint64(jokers[_TWO_LOOSE + pattern])
                        key = _allowed(jokers[_TWO_BEST + pattern], jokers[_TWO_SECOND + pattern], shift, taken)
                    points = points + loose - natural
                    possible = possible and loose < _MOST
                least = min(least, key)
                shift += _13
            if possible:
                loose_jokers = np.uint64((1 if one == 4 else 0) + (1 if two == 4 else 0))
                best = min(best, ((points + value * loose_jokers) << _AT_POINTS) + least)
    return best


@inlined
def _suit_with_one(pattern, base, jokers, shift, taken):
    """Return of a suit the points outside runs and the best key, and both with a joker in its runs."""
    at = base + pattern
    return (
        np.uint64(LOOSE[at]),
        _allowed(BEST[at], SECOND[at], shift, taken),
        np.uint64(jokers[_ONE_LOOSE + pattern]),
        _allowed(jokers[_ONE_BEST + pattern], jokers[_ONE_SECOND + pattern], shift, taken),
    )


@outlined
def _run_key_with_one(hand, base, jokers, taken):
    """Return the least key among natural cards, a joker being in a run or loose: for most hands with jokers."""
    loose0, key0, one0, other0 = _suit_with_one(hand & _SUIT, base, jokers, _0, taken)
    loose1, key1, one1, other1 = _suit_with_one(hand >> _13 & _SUIT, base, jokers, _13, taken)
    loose2, key2, one2, other2 = _suit_with_one(hand >> _26 & _SUIT, base, jokers, _26, taken)
    loose3, key3, one3, other3 = _suit_with_one(hand >> _39 & _SUIT, base, jokers, _39, taken)
    total = loose0 + loose1 + loose2 + loose3
    low, high = min(key0, key1), min(key2, key3)
    best = ((total + np.uint64(jokers[_VALUE])) << _AT_POINTS) + min(low, high)
    # Where no run can hold the joker, the points are more than any hand's.
    best = min(best, ((total + one0 - loose0) << _AT_POINTS) + min(min(other0, key1), high))
    best = min(best, ((total + one1 - loose1) << _AT_POINTS) + min(min(other1, key0), high))
    best = min(best, ((total + one2 - loose2) << _AT_POINTS) + min(min(other2, key3), low))
    return min(best, ((total + one3 - loose3) << _AT_POINTS) + min(min(other3, key2), low))


@inlined
def _any_run_key(hand, base, jokers, many, taken):
    """Return the least key among natural cards, one joker or two being in runs or loose."""
    if many == _1:
        return _run_key_with_one(hand, base, jokers, taken)
    return _run_key_with_two(hand, base, jokers, taken)


@outlined
def _runs_and_sets_key(hand, base, jokers, many, taken):
    """Return the least key among natural cards, so many jokers being in no set."""
    best = _any_run_key(hand, base, jokers, many, taken)
    ranks = threes_of(hand)
    if ranks:
        choice = next_choice(hand, ranks, _0)
        while choice:
            best = min(best, _any_run_key(set_aside(hand, ranks, choice), base, jokers, many, taken))
            choice = next_choice(hand, ranks, choice)
    return best


@inlined
def _widened(key):
    """Return a packed key with its dearness, as the others are."""
    points = np.uint64(key >> CHANGE) + _FROM_PACKED
    return points << _AT_POINTS | np.uint64(key >> np.uint32(6) & np.uint32(15)) << np.uint64(8) | np.uint64(key & CARD)


@outlined
def _natural_key(hand, base, taken):
    """Return the least key of a natural hand: in the usual cases as quickly as without jokers."""
    if taken == NOTHING and hand:
        if not threes_of(hand):
            return _widened(total_key(hand, base)[1])
        rest, open_ranks = settled(hand, KINGS if base else _0)
        points, best = total_key(rest, base)
        if not open_ranks and best >> CHANGE < points + GAIN:
            return _widened(best)
    return discard_with_sets(hand, base, threes_of(hand), taken)


@outlined
def _key_with_one(hand, base, jokers, taken):
    """Return the least key among the natural cards of a hand with one joker more."""
    best = _runs_and_sets_key(hand, base, jokers, _1, taken)
    ranks = _with_two(hand)
    if not ranks:
        return best
    without = _natural_count(hand, base)
    for step in range(13):
        rank = _12 - np.uint64(step)
        if not ranks >> rank & _1:
            continue
        held = suits_held(hand, rank)
        for way in range(jokers[_ONE_WAYS + held]):
            suits = np.uint64(jokers[_ONE_SETS + _SET_PLACES * held + np.uint64(way)])
            # As above, and no card given back takes more than ten points along.
            if without + _BIAS <= (best >> _AT_POINTS) + popcount(suits) * min(rank + _1, _10) + _10:
                best = min(best, _natural_key(hand & ~_cards(suits, rank), base, taken))
    return best


@outlined
def discard_with_jokers(hand, base, jokers, taken):
    """Return the key of the card to give back from a hand with one joker or two; ``taken`` may not go."""
    natural = hand & NATURAL
    held_jokers = hand >> _52
    # The lowest joker that may go; it leaves as much as the other would.
    joker = _52 if held_jokers & _1 and taken != _52 else _53
    if held_jokers >> (joker - _52) & _1 and joker != taken:
        others = hand & ~(_1 << joker)
        left = count_with_jokers(others, base, jokers) if others >> _52 else _natural_count(natural, base)
        best = (left + _BIAS) << _AT_POINTS | _JOKER | joker
    else:
        best = (_0 - _1) >> _1
    if held_jokers != np.uint64(3):
        return min(best, _key_with_one(natural, base, jokers, taken))
    best = min(best, _runs_and_sets_key(natural, base, jokers, _2, taken))
    ranks = _with_any(natural)
    while ranks:
        rank = trailing_zeros(ranks)
        ranks &= ranks - _1
        held = suits_held(natural, rank)
        for way in range(jokers[_ONE_WAYS + held]):
            suits = np.uint64(jokers[_ONE_SETS + _SET_PLACES * held + np.uint64(way)])
            best = min(best, _key_with_one(natural & ~_cards(suits, rank), base, jokers, taken))
        for way in range(jokers[_TWO_WAYS + held]):
            suits = np.uint64(jokers[_TWO_SETS + _SET_PLACES * held + np.uint64(way)])
            best = min(best, _natural_key(natural & ~_cards(suits, rank), base, taken))
    return best


# ---- by name -------------------------------------------------------------------------------------------------

_TABLE: Any = types.CPointer(types.uint32)


@intrinsic
def _table_at(typing_context, address):  # type: ignore[no-untyped-def,unused-ignore]
    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def,unused-ignore]
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return _TABLE(types.int64), codegen


@entrance(COUNT_KIND)
def _count(hand, base, table):
    """Return the minimum deadwood of a hand that holds a joker."""
    return count_with_jokers(hand, base, carray(_table_at(table), PLACES))


@entrance(DISCARD_KIND)
def _discard(hand, base, table, taken):
    """Return the key of the card to give back from a hand that holds a joker."""
    return discard_with_jokers(hand, base, carray(_table_at(table), PLACES), taken)


KNOWN = (COUNT, DISCARD)  # names that can be called once this module is loaded
for _name, _function in zip(KNOWN, (_count, _discard), strict=True):
    llvmlite.binding.add_symbol(_name, _function.address)
