"""Records of a trace: the turns at which a seat's count falls to a new low, the only ones to end a deal of a grid.

They are written without a branch, as whether a turn is a record is hard to foretell: every turn is put down, and the
next one over it if it was none.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.grid_requests import ENDS_WORTH, MOVER, RECORD, RECORDS, TURN, TURNS_WORTH, WINS_BITS
from rumsim.engine.jit import inlined
from rumsim.engine.requests import COMPARED, EXHAUSTED, LOG_COUNT, VOID
from rumsim.engine.settle import settled

_0, _1, _6, _63 = (np.uint64(n) for n in (0, 1, 6, 63))
_C1, _C2, _C3, _C4 = (np.uint64(RECORDS * seat) for seat in range(1, 5))
_ENDS, _TURNS = (np.uint64(RECORDS * column) for column in (ENDS_WORTH, TURNS_WORTH))
_MOVER, _RECORD, _TURN = (np.uint64(RECORDS * column) for column in (MOVER, RECORD, TURN))

# How deals end, of five focal seats at most, in one number: three bits each.
TIMES = 3
TIMES_MASK = (1 << TIMES) - 1


@inlined
def _put_down(records, at, c0, c1, c2, c3, c4, mover, turn):
    """Put down the counts at a turn."""
    records[at] = c0
    records[at + _C1] = c1
    records[at + _C2] = c2
    records[at + _C3] = c3
    records[at + _C4] = c4
    records[at + _MOVER] = mover
    records[at + _TURN] = turn


@inlined
def find_records(players, end, turns, begin, most, desk, first):
    """Put down the records of a trace, up to a count, and its end; return the place of the end.

    Parameters
    ----------
    players, end, turns : int64
        At the table; how the trace ended, and after how many table turns.
    begin : int64
        Where the log has the counts dealt, by seat; those of the turns follow.
    most : int64
        The highest threshold: no higher count ends a deal.
    desk : Desk
        Filled: ``records`` from place ``first`` on, ``bits``.
    first : int64
        The first place.
    """
    log, records, bits, counts, lows = desk.log, desk.records, desk.bits, desk.counts, desk.lows
    for seat in range(players):
        counts[seat] = log[begin + seat, LOG_COUNT]
        lows[seat] = most + 1
    at, seat, last_seat = np.uint64(first), _0, np.uint64(players - 1)
    row = np.uint64(begin + players)
    for turn in range(turns):
        count = log[row + np.uint64(turn), LOG_COUNT]
        new = np.uint64(count < lows[seat])
        lows[seat] = min(lows[seat], count)
        counts[seat] = count
        _put_down(records, at, counts[0], counts[1], counts[2], counts[3], counts[4], seat, turn + 1)
        records[at + _RECORD] = count
        bits[np.uint64(count) >> _6] |= new << (np.uint64(count) & _63)
        at += new
        seat = _0 if seat == last_seat else seat + _1
    nobody = COMPARED if end == EXHAUSTED else VOID
    _put_down(records, at, counts[0], counts[1], counts[2], counts[3], counts[4], nobody, turns)
    return np.int64(at)


@inlined
def settle_records(game, upto, desk):
    """Fill what each of the records before a place is worth to each seat, how deals end there, and the table turn."""
    records, worth = desk.records, desk.worth
    for i in range((upto + 3) & ~3):  # as many as a vector takes; what lies beyond is not read
        n = np.uint64(i)
        counts = (records[n], records[n + _C1], records[n + _C2], records[n + _C3], records[n + _C4])
        mover = records[n + _MOVER]
        (p0, p1, p2, p3, p4), (w0, w1, w2, w3, w4), (rum, undercut, tied) = settled(counts, mover, game)
        worth[n] = (p0 << WINS_BITS) + w0
        worth[n + _C1] = (p1 << WINS_BITS) + w1
        worth[n + _C2] = (p2 << WINS_BITS) + w2
        worth[n + _C3] = (p3 << WINS_BITS) + w3
        worth[n + _C4] = (p4 << WINS_BITS) + w4
        others = (mover == COMPARED) + ((mover == VOID) << TIMES)
        worth[n + _ENDS] = rum + (undercut << TIMES) + (tied << 2 * TIMES) + (others << 3 * TIMES)
        worth[n + _TURNS] = records[n + _TURN]
