"""Lines of text to hands, and hands to lines: what a file of millions of hands needs beside their counts.

What is rare goes back to the caller, who has the readable way: lines that are not plain cards, hands with jokers, and
hands with several equally good arrangements or so many sets that trying all ways to use them would take long.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.bits import popcount, trailing_zeros
from rumsim.engine.hands import (
    KINGS,
    at_all_suits,
    loose,
    next_choice,
    set_aside,
    threes_of,
)
from rumsim.engine.jit import inlined, kernel

BLANK, PLAIN, OTHER = 0, 1, 2  # kinds of lines
MOST_BYTES = 1024  # of a written hand: 52 cards twice, as JSON

_0, _1, _13 = (np.uint64(n) for n in (0, 1, 13))
_12 = np.uint64(12)
_JOKERS = np.uint64(52)
_SUIT = np.uint64(0x1FFF)
_MOST_SETS = 6  # ranks of three or more, of which each has up to six ways

# What a byte may be in a line of plain cards: a rank or suit plus one, 0 for anything else.
_NONE, _GAP, _LINE_FEED, _RETURN = 0, 1, 2, 3
_CLASS, _RANK, _SUIT_OF = np.zeros((3, 256), np.uint8)
for _byte in b" \t,":
    _CLASS[_byte] = _GAP
_CLASS[ord("\n")], _CLASS[ord("\r")] = _LINE_FEED, _RETURN
for _rank, _letters in enumerate(("Aa", "2", "3", "4", "5", "6", "7", "8", "9", "Tt", "Jj", "Qq", "Kk")):
    for _letter in _letters:
        _RANK[ord(_letter)] = _rank + 1
for _suit, _letters in enumerate(("Ss", "Hh", "Dd", "Cc")):
    for _letter in _letters:
        _SUIT_OF[ord(_letter)] = _suit + 1
_SYMBOL = np.zeros(256, np.uint8)  # by the last of the three bytes of ♠ ♥ ♦ ♣ in UTF-8
for _suit, _symbol in enumerate("♠♥♦♣"):
    _SYMBOL[_symbol.encode()[2]] = _suit + 1
_SYMBOL_1, _SYMBOL_2 = "♠".encode()[:2]


@inlined
def card_at(data, at):
    """Return the card that is written at a place of the data, and the place behind it; 52 for none."""
    size = data.size
    rank = np.int64(_RANK[data[at]])
    if rank == 0:
        if data[at] != 49 or at + 1 >= size or data[at + 1] != 48:  # "10"
            return 52, at
        rank = 10
        at += 1
    at += 1
    if at >= size:
        return 52, at
    suit = np.int64(_SUIT_OF[data[at]])
    if suit == 0 and at + 2 < size and data[at] == _SYMBOL_1 and data[at + 1] == _SYMBOL_2:
        suit = np.int64(_SYMBOL[data[at + 2]])
        at += 2
    if suit == 0:
        return 52, at
    return 13 * (suit - 1) + rank - 1, at + 1


@kernel
def read_lines(data, hands, kinds, ends):
    """Read lines of cards; return how many there are.

    Parameters
    ----------
    data : uint8[n]
        Whole lines: the last one may lack its end.
    hands : uint64[n + 1]
        Filled for plain lines: the masks.
    kinds : uint8[n + 1]
        Filled: ``BLANK``, ``PLAIN``, or ``OTHER`` for a line that must be read otherwise.
    ends : int64[n + 2]
        Filled: where each line begins; behind the last, where the data ends.
    """
    lines, at, size = 0, 0, data.size
    while at < size:
        ends[lines] = at
        hand, kind = _0, BLANK
        while at < size:
            what = _CLASS[data[at]]
            if what == _GAP:
                at += 1
            elif what != _NONE:
                break
            else:
                card, at = card_at(data, at)
                kind = PLAIN
                held = _1 << np.uint64(card)
                if card == 52 or hand & held or (at < size and _CLASS[data[at]] == _NONE):
                    kind = OTHER
                    break
                hand |= held
        while at < size and _CLASS[data[at]] != _LINE_FEED and _CLASS[data[at]] != _RETURN:
            at += 1
        if at < size:
            at += 2 if at + 1 < size and data[at] == 13 and data[at + 1] == 10 else 1
        hands[lines], kinds[lines] = hand, kind
        lines += 1
    ends[lines] = size
    return lines


# ---- arrangements --------------------------------------------------------------------------------------------


@inlined
def arrange(hand, count, base, melds):
    """Fill ``melds`` with masks, runs by suit and then sets by rank; return how many, and the other cards.

    -1 if the hand has a joker, several equally good arrangements that leave ``count`` points, or is large.
    """
    ranks = threes_of(hand)
    many = 0
    rest = ranks
    while rest:
        rest &= rest - _1
        many += 1
    if hand >> _JOKERS or many > _MOST_SETS or (base and hand & hand << _1 & hand << _12 & KINGS):
        return -1, hand
    # Of several best ways with one rank's set the one with most cards in it, as rumsim.melds has it.
    left, ways, alike, most, choice = hand, 0, 0, _0, _0
    while True:
        without = set_aside(hand, ranks, choice)
        if loose(without, base) == count:
            in_sets = popcount(hand & ~without)
            if ways == 0 or in_sets > most:
                left, most, alike = without, in_sets, 1
            elif in_sets == most:
                alike += 1
            ways += 1
        choice = next_choice(hand, ranks, choice)
        if not choice:
            break
    if alike != 1 or (ways > 1 and many > 1):
        return -1, hand
    found = 0
    sets = hand & ~left
    for suit in range(4):
        shift = np.uint64(13 * suit)
        cards = left >> shift & _SUIT
        while cards:
            low = cards & (~cards + _1)
            above = cards + low  # the run of bits from the lowest carries into the bit behind it
            run = cards & ~above
            cards &= above
            if run & run >> _1 & run >> np.uint64(2):
                melds[found] = run << shift
                left &= ~(run << shift)
                found += 1
    while ranks:
        rank = ranks & (~ranks + _1)
        ranks ^= rank
        one = sets & at_all_suits(rank)
        if one:
            melds[found] = one
            found += 1
    return found, left


# ---- writing -------------------------------------------------------------------------------------------------


@inlined
def put(out, at, piece):
    """Write bytes; return the place behind them."""
    for k in range(piece.size):
        out[at + k] = piece[k]
    return at + piece.size


@inlined
def put_cards(out, at, cards, tokens, gap):
    """Write cards in the order of their ids, ``gap`` between them; a token is its length and its bytes."""
    first = True
    while cards:
        card = trailing_zeros(cards)
        cards &= cards - _1
        if not first:
            at = put(out, at, gap)
        first = False
        for k in range(np.int64(tokens[card, 0])):
            out[at + k] = tokens[card, k + 1]
        at += np.int64(tokens[card, 0])
    return at


@inlined
def put_number(out, at, number, width):
    """Write a number of up to three digits, right-aligned in so many places if it is shorter."""
    digits = 1 + (number >= 10) + (number >= 100)
    for _ in range(width - digits):
        out[at] = 32
        at += 1
    for k in range(digits):
        out[at + digits - 1 - k] = 48 + number % 10
        number //= 10
    return at + digits


@kernel
def write_lines(hands, counts, base, as_json, tokens, pieces, out, place):
    """Write hands, a line each, until the end, a hand without a plain arrangement, or too little room.

    Parameters
    ----------
    hands, counts : uint64[n], uint8[n]
        Masks and their deadwood.
    base : uint64
        Where the tables of the rules begin.
    as_json : bool
        JSON, or text with loose cards in the order in which people hold them.
    tokens : uint8[52, 8]
        Of each card: how many bytes its text has, and these.
    pieces : tuple of uint8[:]
        Before the hand, between cards, between hand and count, between count and melds, before a meld, between its
        cards, after it, between melds, for none, before the loose cards, between these, at the end.
    out : uint8[m]
        Filled.
    place : int64[2]
        The first hand to write, and where in ``out``; moved on.  The hand there was not written.
    """
    start, gap, to_count, to_melds, opened, within, closed, between, none, to_loose, apart, end = pieces
    melds = np.empty(20, np.uint64)
    i, at = place[0], place[1]
    while i < hands.size and at + MOST_BYTES <= out.size:
        hand = hands[i]
        found, left = arrange(hand, np.uint64(counts[i]), base, melds)
        if found < 0:
            break
        at = put(out, at, start)
        if as_json:
            at = put_cards(out, at, hand, tokens, gap)
        at = put(out, at, to_count)
        at = put_number(out, at, np.int64(counts[i]), 1 if as_json else 4)
        at = put(out, at, to_melds)
        for k in range(found):
            if k:
                at = put(out, at, between)
            at = put(out, at, opened)
            at = put_cards(out, at, melds[k], tokens, within)
            at = put(out, at, closed)
        if found == 0:
            at = put(out, at, none)
        if as_json:
            at = put(out, at, to_loose)
            at = put_cards(out, at, left, tokens, apart)
        elif left:
            at = put(out, at, to_loose)
            first = True
            for above in range(13):  # dear ones first, then by suit
                cards = left & at_all_suits(_1 << np.uint64(12 - above))
                if cards:
                    if not first:
                        at = put(out, at, apart)
                    first = False
                    at = put_cards(out, at, cards, tokens, apart)
        at = put(out, at, end)
        i += 1
    place[0], place[1] = i, at
