"""Minimum deadwood and the card to give back, of one hand: the compiled twin of :mod:`rumsim.melds`.

A hand is a uint64 with bit ``card id``; its suits are four 13-bit slices.  After sets are set aside, a hand's
points are four look-ups, since what is left can only lie in runs.  Three ideas keep the rest short:

* hands without three of a rank, most of them, need no more than that;
* of a rank none of whose cards lies in a run, the set is always set aside;
* a key of points, then dearness, then id orders discards exactly, so the minimum over suits is the answer.

Jokers are not known here.  Every constant is a uint64: beside a signed number numba would turn all signed.
"""

from __future__ import annotations

import numpy as np
from numba import types

from rumsim.engine.bits import trailing_zeros
from rumsim.engine.jit import by_name, inlined, outlined
from rumsim.engine.tables import (
    BEST,
    BIAS,
    CHANGE_AT,
    LOOSE,
    NO_CARD,
    PACKED,
    PACKED_BIAS,
    POINTS_AT,
    SECOND,
    SET_CARDS,
    SET_CHOICES,
)

_0, _1, _3, _7, _13, _26, _39 = (np.uint64(n) for n in (0, 1, 3, 7, 13, 26, 39))
_SUIT = np.uint64(0x1FFF)
_NO_CARD = np.uint64(NO_CARD) << np.uint64(1)
_BYTE = np.uint64(0xFF)
_RANK = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)  # a card of every suit
_SHIFT = np.uint64(16)
_BIAS = np.uint64(BIAS)
NOTHING = np.uint64(255)  # no card is forbidden

_12 = np.uint64(12)
KINGS = np.uint64(0x1000 * (1 | 1 << 13 | 1 << 26 | 1 << 39))
_MIDDLES = np.uint64(0x0FFE * (1 | 1 << 13 | 1 << 26 | 1 << 39))  # the ranks with a neighbour on both sides

# Parts of a packed key, see tables.py.
_POINTS, CHANGE = np.uint32(POINTS_AT), np.uint32(CHANGE_AT)
_KEY, CARD = np.uint32(0xFFFF), np.uint32(0x3F)
GAIN = np.uint32(PACKED_BIAS)
NO_GAIN = GAIN << CHANGE  # the first key that lowers nothing
_TO_H, _TO_D, _TO_C = np.uint32(13), np.uint32(26), np.uint32(39)
_FROM_PACKED = np.uint64(BIAS - PACKED_BIAS)


@inlined
def settled(hand, kings):
    """Return the hand without its sure sets, and the ranks of three or more of which some card lies in a run."""
    pairs = hand & hand >> _13
    either = hand | hand >> _13
    ranks = ((pairs & either >> _26) | (pairs >> _26 & either)) & _SUIT
    neighbours = hand & hand << _1
    middle = neighbours & hand >> _1 & _MIDDLES
    runs = middle | middle << _1 | middle >> _1
    top = neighbours & hand << _12 & kings  # queen, king and ace
    runs |= top | top >> _1 | top >> _12
    runs |= runs >> _26
    runs |= runs >> _13
    return hand & ~at_all_suits(ranks & ~runs), ranks & runs


@inlined
def threes(a, b, c, d):
    """Return the ranks of which three or four are held, from the four suits."""
    return ((a & b) & (c | d)) | ((c & d) & (a | b))


@inlined
def threes_of(hand):
    """Return the ranks of which a hand holds three or four."""
    return threes(hand & _SUIT, hand >> _13 & _SUIT, hand >> _26 & _SUIT, hand >> _39)


@inlined
def loose(hand, base):
    """Return the points outside runs."""
    return (
        np.uint64(LOOSE[base + (hand & _SUIT)])
        + np.uint64(LOOSE[base + (hand >> _13 & _SUIT)])
        + np.uint64(LOOSE[base + (hand >> _26 & _SUIT)])
        + np.uint64(LOOSE[base + (hand >> _39)])
    )


@inlined
def at_all_suits(ranks):
    """Return the cards of these ranks, in all suits."""
    return ranks | ranks << _13 | ranks << _26 | ranks << _39


@inlined
def next_choice(hand, ranks, choice):
    """Advance a mixed-radix number, three bits a digit, over the ways to set cards of each rank aside; 0 at the end."""
    shift = _0
    while ranks:
        rank = trailing_zeros(ranks)
        ranks &= ranks - _1
        digit = (choice >> shift & _7) + _1
        if digit < np.uint64(SET_CHOICES[suits_held(hand, rank)]):
            return choice + (_1 << shift)
        choice &= ~(_7 << shift)
        shift += _3
    return _0


@inlined
def set_aside(hand, ranks, choice):
    """Return the hand without the cards that a choice sets aside."""
    left = hand
    while ranks:
        rank = trailing_zeros(ranks)
        ranks &= ranks - _1
        left &= ~(SET_CARDS[suits_held(hand, rank), choice & _7] << rank)
        choice >>= _3
    return left


@inlined
def suits_held(hand, rank):
    """Return which suits are held of a rank, as four bits."""
    column = hand >> rank & _RANK
    return (column | column >> np.uint64(12) | column >> np.uint64(24) | column >> np.uint64(36)) & np.uint64(15)


@by_name(types.uint64(types.uint64, types.uint64, types.uint64))
def count_with_sets(hand, base, open_ranks):
    """Return the minimum deadwood of a hand whose sure sets are set aside, with a choice of sets of these ranks."""
    best = loose(hand, base)
    choice = next_choice(hand, open_ranks, _0)
    while choice:
        best = min(best, loose(set_aside(hand, open_ranks, choice), base))
        choice = next_choice(hand, open_ranks, choice)
    return best


@inlined
def count(hand, base):
    """Return the minimum deadwood of a hand, in points."""
    rest, open_ranks = settled(hand, KINGS if base else _0)
    if open_ranks:
        return count_with_sets(rest, base, open_ranks)
    return loose(rest, base)


@inlined
def look_up(hand, base):
    """Return the packed best discards of the four suits."""
    return (
        PACKED[base + (hand & _SUIT)],
        PACKED[base + (hand >> _13 & _SUIT)],
        PACKED[base + (hand >> _26 & _SUIT)],
        PACKED[base + (hand >> _39)],
    )


@inlined
def merged(a, b, c, d):
    """Return the points of four suits and the least of their keys."""
    points = (a >> _POINTS) + (b >> _POINTS) + (c >> _POINTS) + (d >> _POINTS)
    key = min(min(a & _KEY, (b & _KEY) + _TO_H), min((c & _KEY) + _TO_D, (d & _KEY) + _TO_C))
    return points, key


@inlined
def best_key(hand, base):
    """Return the least key among the cards outside sets: points left plus bias, 10 less value, card id."""
    a, b, c, d = hand & _SUIT, hand >> _13 & _SUIT, hand >> _26 & _SUIT, hand >> _39
    return (loose(hand, base) << _SHIFT) + min(
        min(np.uint64(BEST[base + a]), np.uint64(BEST[base + b]) + _13),
        min(np.uint64(BEST[base + c]) + _26, np.uint64(BEST[base + d]) + _39),
    )


@inlined
def best_key_without(hand, base, taken):
    """Return the least key among the cards outside sets but for one that may not be given back."""
    best = _NO_CARD
    shift = _0
    for _ in range(4):
        at = base + (hand >> shift & _SUIT)
        key = np.uint64(BEST[at]) + shift
        if (key & _BYTE) == taken and key < np.uint64(NO_CARD):
            key = np.uint64(SECOND[at]) + shift
        best = min(best, key)
        shift += _13
    return (loose(hand, base) << _SHIFT) + best


@by_name(types.uint64(types.uint64, types.uint64, types.uint64, types.uint64))
def discard_with_sets(hand, base, ranks, taken):
    """Return the least key of a hand with three or more of these ranks, trying all ways to set them aside."""
    rest, open_ranks = settled(hand, KINGS if base else _0)
    best = _NO_CARD << _1
    points = _BYTE << _3
    choice = _0
    while True:
        left = set_aside(rest, open_ranks, choice)
        points = min(points, loose(left, base))
        best = min(best, best_key(left, base) if taken == NOTHING else best_key_without(left, base, taken))
        choice = next_choice(rest, open_ranks, choice)
        if not choice:
            break
    # A sure set gives a card only where nothing else lowers the count.
    if rest != hand and (best >> _SHIFT) >= points + _BIAS:
        choice = _0
        while True:
            left = set_aside(hand, ranks, choice)
            best = min(best, best_key(left, base) if taken == NOTHING else best_key_without(left, base, taken))
            choice = next_choice(hand, ranks, choice)
            if not choice:
                break
    return best


@inlined
def total_key(hand, base):
    """Return the points of a hand whose sets are settled, and its least key with these points added."""
    a, b, c, d = look_up(hand, base)
    points, key = merged(a, b, c, d)
    return points, (points << CHANGE) + key


@inlined
def unpacked(key):
    """Return a key as :func:`card_of` and :func:`left_of` read it."""
    return (np.uint64(key >> CHANGE) + _FROM_PACKED) << _SHIFT | np.uint64(key & CARD)


@by_name(types.uint64(types.uint64, types.uint64, types.uint64, types.uint64))
def discard_open(hand, rest, open_ranks, base):
    """Return the key of the card to give back where one rank's set competes with a run, or in any harder case."""
    one = open_ranks & (~open_ranks + _1)
    cards = rest & at_all_suits(one)
    if one and open_ranks == one:
        points, best = total_key(rest, base)
        all_points, all_best = total_key(rest & ~cards, base)
        points, best = min(points, all_points), min(best, all_best)
        if cards == at_all_suits(one):
            for _ in range(4):
                three_points, three_best = total_key(rest & ~(cards ^ one), base)
                points, best = min(points, three_points), min(best, three_best)
                one <<= _13
        if best >> CHANGE < points + GAIN:
            return unpacked(best)
    return discard_with_sets(hand, base, threes_of(hand), NOTHING)


@inlined
def discard(hand, base):
    """Return the key of the card to give back when any may go: see :func:`card_of` and :func:`left_of`."""
    if not threes_of(hand):
        return unpacked(total_key(hand, base)[1])  # most hands of few cards
    rest, open_ranks = settled(hand, KINGS if base else _0)
    points, best = total_key(rest, base)
    # A choice of sets, or nothing loose, when a sure set may have to give a card.
    if open_ranks or best >> CHANGE >= points + GAIN:
        return discard_open(hand, rest, open_ranks, base)
    return unpacked(best)


@outlined
def discard_without(hand, base, taken):
    """Return the key of the card to give back when ``taken`` may not go."""
    return discard_with_sets(hand, base, threes_of(hand), taken)


@inlined
def card_of(key):
    """Return the card of a key."""
    return key & _BYTE


@inlined
def left_of(key):
    """Return the points left after the discard of a key."""
    return (key >> _SHIFT) - _BIAS
