"""One turn, up to the knock: what is drawn and what is given back.  It serves direct play and traces alike."""

from __future__ import annotations

import numpy as np

from rumsim.engine.hands import NOTHING, card_of, count, discard, discard_without, left_of
from rumsim.engine.jit import inlined
from rumsim.engine.requests import ALWAYS, MELD, STOCK

_1 = np.uint64(1)
TAKEN, DRAWN = 0, 1  # where the card of a turn came from


@inlined
def points(card):
    """Return a card's points as deadwood."""
    return min(np.int64(card % np.uint64(13)) + 1, 10)


@inlined
def take_upcard(hand, held, up, draw, margin, base):
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
    """
    if draw == STOCK:
        return False, NOTHING
    with_up = hand | _1 << up
    if draw == MELD and np.int64(count(with_up, base)) >= held + points(up):
        return False, NOTHING
    key = discard(with_up, base)
    if card_of(key) == up:
        # Nothing beats giving it straight back, which is forbidden: the others leave as much or more.
        if draw not in (MELD, ALWAYS) and margin > 0:
            return False, NOTHING
        key = discard_without(with_up, base, up)
    return draw in (MELD, ALWAYS) or np.int64(left_of(key)) <= held - margin, key
