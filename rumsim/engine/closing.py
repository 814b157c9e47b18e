"""With how much a bot knocks that looks at the ledger: the compiled twin of :mod:`rumsim.bots.closer`."""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined, outlined
from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, TWELFTHS
from rumsim.engine.session_requests import MATCH, POOL, ROTATION
from rumsim.session_rules import STAKE

# Arrays that a function is given are counted at every call, which takes longer than all it does: so few, or none.

UNCHANGED = np.int64(1 << 20)  # in place of what a threshold is at most: above any
_FAR = np.int64(1 << 60)  # beyond any ledger


@inlined
def others(ledger, base, still, players, player):
    """Return the best net of the other players, and the least of all who are in."""
    best, least = -_FAR, _FAR
    for other in range(players):
        net = ledger[base + other]
        if other != player:
            best = max(best, net)
        if still >> other & 1:
            least = min(least, net)
    return best, least


@inlined
def aim(plan, last, many, cards, own, best, least, near, more, hope):
    """Return what is added to a player's threshold in the deal to come, and what it then is at most.

    Parameters
    ----------
    plan : Plan
        The format.
    last : bool
        Whether it is the last deal of a rotation or a cumulative session, or breaks its ties.
    many, cards : int64
        Players of the deal, and how many cards each holds.
    own, best, least : int64
        Nets in twelfths: the player's, the best other, the least of those who are in.
    near, more, hope : int64
        The bot, in points.
    """
    added, most = np.int64(0), UNCHANGED
    if plan.kind == MATCH:
        if plan.target - own <= TWELFTHS * near:
            added = more
    elif plan.kind == POOL:
        if TWELFTHS * STAKE * (1 + plan.rebuys) + least <= TWELFTHS * near:
            added = more
    elif last:
        part = (own - best) // (TWELFTHS * many)
        if own >= best:
            added = part
        else:
            most = max(hope * cards + part, 0)
    return added, most


@inlined
def is_last(plan, players, played):
    """Return whether a rotation or a cumulative session may end with the deal to come."""
    return played + 1 >= (players if plan.kind == ROTATION else plan.deals)


@outlined
def lay(seating, table, spare, many, added, most):
    """Copy a table to the spare one, with other thresholds in each seat."""
    for seat in range(many):
        fro, to = table * MOST_PLAYERS + seat, spare * MOST_PLAYERS + seat
        seating.draw[to], seating.margin[to] = seating.draw[fro], seating.margin[fro]
        for turn in range(seating.knock.shape[1]):
            threshold = np.int64(seating.knock[fro, turn])
            if threshold >= 0:
                threshold = min(min(threshold + added[seat], MOST_THRESHOLD), most[seat])
            seating.knock[to, turn] = threshold
