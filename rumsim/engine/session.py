"""Sessions: deals to a result, the compiled twin of :mod:`rumsim.session_rules`.

All rotations of a block are played side by side, so that a deck is shuffled and dealt out once for all.
"""

from __future__ import annotations

import numpy as np

from rumsim import decks
from rumsim.engine.closing import UNCHANGED, aim, is_last, lay, others
from rumsim.engine.deal import deal_out, play_deal
from rumsim.engine.jit import inlined, kernel
from rumsim.engine.requests import MOST_PLAYERS, SIXTIETHS, TWELFTHS
from rumsim.engine.session_requests import CUMULATIVE, NO_CLOSER, POOL, ROTATION
from rumsim.engine.settle import settle
from rumsim.session_rules import STAKE

_0 = np.uint64(0)
_DEALS = np.uint64(decks.SESSION_DEALS)


@inlined
def _let_go(plan, desk, base, still, players, deal):
    """Let players of a pool who have nothing left re-enter, or go out; return who is still in."""
    for player in range(players):
        at = base + player
        if still >> player & 1:
            left = TWELFTHS * STAKE * (1 + desk.entries[at]) + desk.ledger[at]
            while left <= 0 and desk.entries[at] < plan.rebuys:
                desk.entries[at] += 1
                left += TWELFTHS * STAKE
            if left <= 0:
                desk.out[at] = deal
                still &= ~(1 << player)
    return still


@inlined
def _last_wins(desk, base, still, players):
    """Give a pool to the last one in, if there is but one; return whether there is."""
    over = still & (still - 1) == 0
    if over:
        for player in range(players):
            desk.wins[base + player] = SIXTIETHS * (still >> player & 1)
    return over


@inlined
def _best_wins(plan, desk, base, players, deals):
    """Give any other session to the highest net, if it is over; return whether it is."""
    ledger = desk.ledger
    best, leaders = ledger[base], 0
    for player in range(1, players):
        best = max(best, ledger[base + player])
    for player in range(players):
        leaders += ledger[base + player] == best
    if plan.kind == ROTATION:
        over = deals == players
    elif plan.kind == CUMULATIVE:
        over = deals >= plan.deals and leaders == 1
    else:
        over = best > plan.target and leaders == 1
    if over:
        for player in range(players):
            desk.wins[base + player] = SIXTIETHS // leaders * (ledger[base + player] == best)
    return over


@inlined
def _how_many(still):
    """Return how many players are in a set."""
    many = 0
    for player in range(MOST_PLAYERS):
        many += still >> player & 1
    return many


@inlined
def _begin(desk, players):
    """Start a block: in rotation r the first dealer is player N - 1 - r."""
    for at in range(MOST_PLAYERS * MOST_PLAYERS):
        desk.ledger[at] = desk.wins[at] = desk.entries[at] = desk.out[at] = 0
    for rotation in range(players):
        desk.dealer[rotation] = players - 1 - rotation
        desk.still[rotation] = (1 << players) - 1
        desk.many[rotation] = players


@inlined
def _write_down(desk, players, row, found):
    """Fill the row of a block."""
    for rotation in range(players):
        for player in range(players):
            at = rotation * MOST_PLAYERS + player
            found.ledger[row, rotation, player] = desk.ledger[at]
            found.wins[row, rotation, player] = desk.wins[at]
            found.entries[row, rotation, player] = desk.entries[at]
            found.out[row, rotation, player] = desk.out[at]


@kernel
def play_sessions(games, plan, company, key, first, room, log, desk, found):
    """Play blocks of sessions with all rotations.

    Parameters
    ----------
    games : tuple of 4 Games
        The rules for 2, 3, 4 and 5 players; those for more than the table has are not read.
    plan, company : Plan, Company
        The format and the bots.
    key : uint64
        Of the decks.
    first : int64
        The first block of sessions.
    room, log, desk : Room, int64[0, 6], SessionDesk
        To work in.
    found : SessionRows
        Filled: a row a block.
    """
    players = np.int64(found.deals.shape[1])
    hands, counts = room.hands, room.counts
    spare = np.int64(company.seating.draw.shape[0] // MOST_PLAYERS - 1)
    for row in range(found.deals.shape[0]):
        _begin(desk, players)
        deals, most = np.int64(0), players
        while most > 0:
            block = np.uint64(first + row) * _DEALS + np.uint64(deals)
            deals += 1
            for many in range(most, 1, -1):  # those with as many players share the cards dealt out
                game = games[many - 2]
                dealt, ready = False, _0
                for rotation in range(players):
                    if desk.many[rotation] != many:
                        continue
                    if not dealt:
                        ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
                        dealt = True
                        for seat in range(many, MOST_PLAYERS):
                            hands[seat] = _0
                    for seat in range(many):
                        hands[seat], counts[seat] = room.dealt[seat], room.dealt_counts[seat]
                    base, still = rotation * MOST_PLAYERS, desk.still[rotation]
                    dealer = still * MOST_PLAYERS + desk.dealer[rotation]
                    table = company.table[still * MOST_PLAYERS + company.left[dealer]]
                    laid = table
                    if company.closers:
                        last, changed = is_last(plan, players, deals - 1), False
                        for seat in range(many):
                            player = company.who[table * MOST_PLAYERS + seat]
                            near, more, hope = company.near[player], company.more[player], company.hope[player]
                            added, most_now = np.int64(0), UNCHANGED
                            if near != NO_CLOSER:
                                own = desk.ledger[base + player]
                                best, least = others(desk.ledger, base, still, players, player)
                                added, most_now = aim(plan, last, many, game.size, own, best, least, near, more, hope)
                            changed |= added > 0 or most_now != UNCHANGED
                            desk.added[seat], desk.most[seat] = added, min(most_now, company.limit)
                        if changed:
                            laid = spare
                            lay(company.seating, table, spare, many, desk.added, desk.most)
                    _, knocker, _, _, ready = play_deal(
                        game, company.seating, laid, key, block, ready, room, hands, counts, log
                    )
                    settle(counts, knocker, game, desk.points, desk.shares)
                    for seat in range(many):
                        desk.ledger[base + company.who[table * MOST_PLAYERS + seat]] += desk.points[seat]
                    if plan.kind == POOL:
                        still = _let_go(plan, desk, base, still, players, deals)
                        over = _last_wins(desk, base, still, players)
                    else:
                        over = _best_wins(plan, desk, base, players, deals)
                    if over or deals >= plan.max_deals:
                        found.deals[row, rotation] = deals
                        desk.many[rotation] = 0
                    else:
                        desk.dealer[rotation] = company.left[still * MOST_PLAYERS + desk.dealer[rotation]]
                        desk.still[rotation] = still
                        desk.many[rotation] = -_how_many(still)
            most = 0
            for rotation in range(players):
                desk.many[rotation] = -desk.many[rotation]
                most = max(most, desk.many[rotation])
        _write_down(desk, players, row, found)
