"""Sessions: deals to a result, the compiled twin of :mod:`rumsim.session_rules`.

All rotations of a block are played side by side, so that a deck is shuffled and dealt once for them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.engine.deal import deal_out, play_deal
from rumsim.engine.jit import inlined, kernel
from rumsim.engine.requests import MOST_PLAYERS, SIXTIETHS, TWELFTHS
from rumsim.engine.settle import settle
from rumsim.session_rules import FORMATS, STAKE, Format

ROTATION, CUMULATIVE, MATCH, POOL = map(list(FORMATS).index, ("rotation", "cumulative", "match", "pool"))

_0 = np.uint64(0)
_DEALS = np.uint64(decks.SESSION_DEALS)
_STAKE = STAKE * TWELFTHS


class Plan(NamedTuple):
    """How a session ends; ``target`` in twelfths of a point."""

    kind: int
    deals: int
    target: int
    rebuys: int
    max_deals: int


class Tables(NamedTuple):
    """Who sits where, for every set of players still in (bit = player) and every first to move.

    ``next_in`` int64[160] is, at 5 times the set plus a player, the next player in at the left of that one; ``number``
    int64[160] the number of the table that this one opens.  ``who`` int64[T * 5] is the player in each seat of each
    table.
    """

    next_in: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    who: npt.NDArray[np.int64]


class Sessions(NamedTuple):
    """What became of sessions: for B blocks, N rotations and N players.

    ``ledger`` int64[B, N, N] are net points in twelfths, ``wins`` int64[B, N, N] sixtieths of the session won;
    ``entries`` int64[B, N, N] re-entries and ``out`` int64[B, N, N] the number of the deal, from 1, in which a player
    went out, 0 for who did not; ``deals`` int64[B, N] how many were played.
    """

    ledger: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    entries: npt.NDArray[np.int64]
    out: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]


class SessionDesk(NamedTuple):
    """What the kernel works in.

    For each rotation, at 5 times it plus the player: ``ledger``, ``entries``, ``out`` and ``wins`` int64[25] as in
    :class:`Sessions`; for each rotation, ``dealer`` int64[5] who deals next, ``still`` int64[5] who is in, as bits, and
    ``many`` int64[5] how many these are, 0 where the session is over; ``points`` and ``shares`` int64[5] by seat.
    """

    ledger: npt.NDArray[np.int64]
    entries: npt.NDArray[np.int64]
    out: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    dealer: npt.NDArray[np.int64]
    still: npt.NDArray[np.int64]
    many: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    shares: npt.NDArray[np.int64]


def plan_of(format: Format) -> Plan:
    """Return a format as numbers.

    Examples
    --------
    >>> plan_of(Format("match")).target
    2400
    """
    kind = list(FORMATS).index(format.name)
    return Plan(kind, format.deals, format.target * TWELFTHS, format.rebuys, format.max_deals)


def empty_sessions(blocks: int, players: int) -> Sessions:
    """Return zeros for the kernel to fill.

    Examples
    --------
    >>> empty_sessions(10, 3).deals.shape
    (10, 3)
    """
    each = (blocks, players, players)
    return Sessions(*(np.zeros(each, np.int64) for _ in range(4)), np.zeros((blocks, players), np.int64))


def new_session_desk() -> SessionDesk:
    """Return room for one kernel at a time."""
    per_player = MOST_PLAYERS * MOST_PLAYERS
    return SessionDesk(*(np.zeros(size, np.int64) for size in (*[per_player] * 4, *[MOST_PLAYERS] * 5)))


def tables_of(players: int) -> Tables:
    """Return the tables that so many players can form, the full ones first."""
    next_in, number = np.zeros((2, 1 << MOST_PLAYERS, MOST_PLAYERS), np.int64)
    who = []
    for still in sorted(range(1, 1 << players), key=lambda bits: -bits.bit_count()):
        for player in range(players):
            circle = [(player + step) % players for step in range(players)]
            here = [each for each in circle if still >> each & 1]
            next_in[still, player] = here[1 % len(here)] if here[0] == player else here[0]
            if here[0] == player and len(here) > 1:
                number[still, player] = len(who)
                who.append(here + [0] * (MOST_PLAYERS - len(here)))
    return Tables(next_in.ravel(), number.ravel(), np.array(who).ravel())


@inlined
def _let_go(plan, desk, base, still, players, deal):
    """Let players who have nothing left re-enter, or go out; return who is still in."""
    for player in range(players):
        at = base + player
        if still >> player & 1:
            while _STAKE * (1 + desk.entries[at]) + desk.ledger[at] <= 0 and desk.entries[at] < plan.rebuys:
                desk.entries[at] += 1
            if _STAKE * (1 + desk.entries[at]) + desk.ledger[at] <= 0:
                desk.out[at] = deal
                still &= ~(1 << player)
    return still


@inlined
def _decide(plan, desk, base, players, deals):
    """Fill the shares of the winners by net points, if the session is over; return whether it is."""
    ledger = desk.ledger
    best = ledger[base]
    for player in range(1, players):
        best = max(best, ledger[base + player])
    leaders = 0
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
def _ones(bits):
    """Return how many players are in a set."""
    many = 0
    for player in range(MOST_PLAYERS):
        many += bits >> player & 1
    return many


@kernel
def play_sessions(games, plan, seating, tables, key, first, room, log, desk, found):
    """Play blocks of sessions: in rotation r the first dealer is player N - 1 - r.

    Parameters
    ----------
    games : tuple of 4 Games
        The rules for 2, 3, 4 and 5 players; those that cannot occur are not read.
    plan : Plan
        The format.
    seating : Seating
        The bots, with a row of five seats for each of the tables.
    tables : Tables
        Who sits where.
    key : uint64
        Of the decks.
    first : int64
        The first block of sessions.
    room, log, desk : Room, int64[0, 6], SessionDesk
        To work in.
    found : Sessions
        Filled: a row a block.
    """
    players = np.int64(found.deals.shape[1])
    hands, counts = room.hands, room.counts
    for row in range(found.deals.shape[0]):
        for n in range(MOST_PLAYERS * MOST_PLAYERS):
            desk.ledger[n] = desk.entries[n] = desk.out[n] = desk.wins[n] = 0
        for rotation in range(players):
            desk.dealer[rotation] = players - 1 - rotation
            desk.still[rotation] = (1 << players) - 1
            desk.many[rotation] = players
        most = players
        deals = np.int64(0)
        while most > 0:
            block = np.uint64(first + row) * _DEALS + np.uint64(deals)
            deals += 1
            # Those with equally many players in share a deck dealt out.
            upto, most = most, 0
            for many in range(upto, 1, -1):
                game = games[many - 2]
                dealt = False
                ready = _0
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
                    base = rotation * MOST_PLAYERS
                    still = desk.still[rotation]
                    opens = tables.next_in[still * MOST_PLAYERS + desk.dealer[rotation]]
                    table = tables.number[still * MOST_PLAYERS + opens]
                    _, knocker, _, _, ready = play_deal(
                        game, seating, table, key, block, ready, room, hands, counts, log
                    )
                    settle(counts, knocker, game, desk.points, desk.shares)
                    for seat in range(many):
                        desk.ledger[base + tables.who[table * MOST_PLAYERS + seat]] += desk.points[seat]
                    if plan.kind == POOL:
                        still = _let_go(plan, desk, base, still, players, deals)
                        over = still & (still - 1) == 0
                        if over:
                            for player in range(players):
                                desk.wins[base + player] = SIXTIETHS * (still >> player & 1)
                    else:
                        over = _decide(plan, desk, base, players, deals)
                    if over or deals >= plan.max_deals:
                        found.deals[row, rotation] = deals
                        desk.many[rotation] = 0
                    else:
                        desk.dealer[rotation] = tables.next_in[still * MOST_PLAYERS + desk.dealer[rotation]]
                        desk.still[rotation] = still
                        desk.many[rotation] = -_ones(still)  # played
            for rotation in range(players):
                desk.many[rotation] = -desk.many[rotation]
                most = max(most, desk.many[rotation])
        for rotation in range(players):
            for player in range(players):
                at = rotation * MOST_PLAYERS + player
                found.ledger[row, rotation, player] = desk.ledger[at]
                found.wins[row, rotation, player] = desk.wins[at]
                found.entries[row, rotation, player] = desk.entries[at]
                found.out[row, rotation, player] = desk.out[at]
