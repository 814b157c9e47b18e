"""One turn, up to the knock: what is drawn and what is given back.  It serves direct play and traces alike."""

from __future__ import annotations

import numpy as np

from rumsim.engine.hands import NOTHING, card_of, left_of
from rumsim.engine.jit import inlined
from rumsim.engine.melding import any_joker, count, discard, discard_without, points
from rumsim.engine.requests import IMPROVE, MELD, STOCK

_0, _1, _2, _13 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(13)
_SUIT = np.uint64(0x1FFF)
_RANK = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)  # a card of every suit
# Of the five places around a card in its suit, two below to two above: which of them held make a run with it.
_NEAR = np.uint64(0b11011)
_RUNS = np.uint64(sum(1 << n for n in range(32) if n & 3 == 3 or n & 10 == 10 or n & 24 == 24))


@inlined
def may_meld(hand, card):
    """Return whether a card could lie in a meld with cards of the hand, the ace being low."""
    suit = card // _13
    rank = card - suit * _13
    column = hand >> rank & _RANK
    near = ((hand >> suit * _13 & _SUIT) << _2) >> rank & _NEAR
    return column & (column - _1) != _0 or _RUNS >> near & _1 != _0


@inlined
def take_upcard(hand, held, up, draw, margin, base, jokers):
    """Decide on the upcard by a draw rule; return whether to take it, and then the key of the best discard.

    Parameters
    ----------
    hand, held : uint64, int64
        The cards before the draw, and their count.
    up : uint64
        The upcard.
    draw, margin : int64
        The draw rule.
    base : uint64
        Where the tables for this ace begin.
    jokers : Jokers or None
        What is known of jokers.
    """
    if draw == STOCK:
        return False, NOTHING
    with_up = hand | _1 << up
    natural = not any_joker(with_up, jokers)
    if draw == IMPROVE and natural and points(up, jokers) + margin > 10 and base == _0 and not may_meld(hand, up):
        # No card given back in its place is dear enough to make up for it.
        return False, NOTHING
    if draw == MELD and np.int64(count(with_up, base, jokers)) >= held + points(up, jokers):
        return False, NOTHING
    key = discard(with_up, base, jokers)
    if draw == IMPROVE and margin > 0:
        # If nothing beats giving it straight back, which is forbidden, it leaves what was held: no improvement.
        return np.int64(left_of(key)) <= held - margin, key
    if card_of(key) == up:
        key = discard_without(with_up, base, jokers, up)
    return draw != IMPROVE or np.int64(left_of(key)) <= held - margin, key
