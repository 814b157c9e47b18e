"""A grid of thresholds from traces: what every focal threshold gets against every other, in one pass a deck.

A trace is a deal played as if nobody knocked.  Under any thresholds the deal is the trace cut at the first count that
is low enough (``STATISTICS``: one trace answers every threshold), so only turns at which a seat's count falls to a new
low, its records, end a deal somewhere in the grid, and each of them in whole rectangles:

* a record of the focal seat takes the rows of its own thresholds that it is the first to reach, at all columns that
  no opponent has reached;
* a record of an opponent takes the columns that it is the first of them to reach, at all rows that the focal seat has
  not.

The result of a block is the sum over the focal seats, a step function on the grid.  Its columns are walked from the
highest threshold down, that is forward in time.  For each stretch of columns that are alike, the steps of a row of sums
are compared with those of the stretch before; by how much the difference of the two rows, or of their squares, jumps
goes to a cell.  So a deck touches some sixty cells; the jumps are summed over rows and columns once per thousands of
blocks.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.bits import trailing_zeros
from rumsim.engine.deal import deal_out, play_deal
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.requests import (
    COMPARED,
    ENDS_BITS,
    EXHAUSTED,
    GRID_WORDS,
    KNOCK,
    LOG_COUNT,
    MOST_PLAYERS,
    RECORDS,
    VOID,
)
from rumsim.engine.settle import settled

# Sums of how deals end: rum, undercut and tied in one number, exhausted and stalled in another, turns in a third.
_KNOCKS, _OTHERS, _TURNS = (np.uint64(plane) for plane in range(3))
_POINTS = np.uint64(3)

# Records lie in columns of RECORDS places: five counts and the knocker; then, settled, what each seat gets.
_C1, _C2, _C3, _C4, _C5 = (np.uint64(RECORDS * column) for column in range(1, 6))

# For each focal seat, in sections of the plan: its own records, with the first row that each reaches, and levels: down
# to a column, columns end at a record, where the focal seat has had so many records of its own.
_OWN_LOW, _OWN_RECORD, _LEVEL_LOW, _LEVEL_RECORD, _LEVEL_OWN = (np.uint64(section) for section in range(5))
# And where a focal seat stands in its lists: how long they are, the next of each, and the first row reached.
_OWNS, _LEVELS, _OWN, _LEVEL, _REACHED = (np.uint64(MOST_PLAYERS * section) for section in range(5))

# Points and wins of a seat in one number: wins of five seats come to 300 sixtieths.
_WINS_BITS = np.int64(10)
_WINS_MASK = (1 << 10) - 1
_0, _1, _2, _3, _6, _63 = (np.uint64(n) for n in (0, 1, 2, 3, 6, 63))
_ALL = np.uint64(2**64 - 1)
_WORDS = np.uint64(GRID_WORDS)


@inlined
def _record(ended, how, at, players, counts, knocker, turns):
    """Put down the counts at a turn that may end the deal."""
    for place in range(players):
        ended[place * RECORDS + at] = counts[place]
    ended[MOST_PLAYERS * RECORDS + at] = knocker
    how[2 * RECORDS + at] = turns


@inlined
def _add_own(plan, place, size, focal, row, record):
    """Add a record of the focal seat."""
    at = focal * (size // MOST_PLAYERS) + place[_OWNS + focal]
    plan[_OWN_LOW * size + at] = row
    plan[_OWN_RECORD * size + at] = record
    place[_OWNS + focal] += _1


@inlined
def _add_level(plan, place, size, focal, column, record):
    """Add a record of an opponent."""
    at = focal * (size // MOST_PLAYERS) + place[_LEVELS + focal]
    plan[_LEVEL_LOW * size + at] = column
    plan[_LEVEL_RECORD * size + at] = record
    plan[_LEVEL_OWN * size + at] = place[_OWNS + focal]
    place[_LEVELS + focal] += _1


@outlined
def _find_records(game, end, turns, log, dealt_counts, ladder, only, desk, at):
    """Walk a trace, put its records down and list them for the focal seats, or for ``only`` one; return the next place.

    The lowest column that any seat has reached, and the lowest that another one has, are the columns from which deals
    have ended for focal seats: the second for the seat that reached the first, which is no opponent of itself.
    """
    players = game.players
    ended, how, plan, place = desk.ended, desk.how, desk.plan, desk.place
    counts, rows, columns = desk.counts, desk.rows, desk.columns
    row_of, column_of = ladder.row_of, ladder.column_of
    size = np.uint64(plan.size // 5)
    for seat in range(players):
        counts[seat] = dealt_counts[seat]
        rows[seat] = ladder.rows
        columns[seat] = ladder.columns
    first = second = np.int64(ladder.columns)
    holder = np.int64(-1)
    seat = 0
    for turn in range(turns):
        count = log[turn, LOG_COUNT]
        counts[seat] = count
        row, column = np.int64(row_of[count]), np.int64(column_of[count])
        if row < rows[seat] or column < columns[seat]:
            _record(ended, how, at, players, counts, seat, turn + 1)
            if row < rows[seat]:
                rows[seat] = row
                if only < 0 or only == seat:
                    _add_own(plan, place, size, np.uint64(seat), row, at)
            if column < columns[seat]:
                columns[seat] = column
                if column < first:
                    for focal in range(players):
                        if focal != seat and (only < 0 or only == focal):
                            _add_level(plan, place, size, np.uint64(focal), column, at)
                    if seat != holder:
                        second = first
                        holder = seat
                    first = column
                elif seat != holder and column < second:
                    second = column
                    if only < 0 or only == holder:
                        _add_level(plan, place, size, np.uint64(holder), column, at)
            at += 1
        seat += 1
        if seat == players:
            seat = 0
    if end != KNOCK:
        _record(ended, how, at, players, counts, COMPARED if end == EXHAUSTED else VOID, turns)
        at += 1
    # The last level reaches down to column 0: where nobody knocked, and where the focal seat did at the lowest row.
    for focal in range(players):
        if (only < 0 or only == focal) and (second if focal == holder else first) > 0:
            _add_level(plan, place, size, np.uint64(focal), 0, at - 1)
    return at


@outlined
def _settle_records(desk, records, game):
    """Settle all records: what each seat gets."""
    ended, worth = desk.ended, desk.worth
    for i in range((records + 3) & ~3):  # as many as a vector takes; what lies beyond is not read
        n = np.uint64(i)
        counts = (ended[n], ended[n + _C1], ended[n + _C2], ended[n + _C3], ended[n + _C4])
        (p0, p1, p2, p3, p4), (w0, w1, w2, w3, w4), _ = settled(counts, ended[n + _C5], game)
        worth[n] = (p0 << _WINS_BITS) + w0
        worth[n + _C1] = (p1 << _WINS_BITS) + w1
        worth[n + _C2] = (p2 << _WINS_BITS) + w2
        worth[n + _C3] = (p3 << _WINS_BITS) + w3
        worth[n + _C4] = (p4 << _WINS_BITS) + w4


@outlined
def _tell_ends(desk, records, game):
    """Fill in how the deal ends at each record."""
    ended, how = desk.ended, desk.how
    for i in range(records):
        n = np.uint64(i)
        counts = (ended[n], ended[n + _C1], ended[n + _C2], ended[n + _C3], ended[n + _C4])
        knocker = ended[n + _C5]
        _, _, (rum, undercut, tied) = settled(counts, knocker, game)
        how[n] = rum + (undercut << ENDS_BITS) + (tied << 2 * ENDS_BITS)
        how[_C1 + n] = (knocker == COMPARED) + ((knocker == VOID) << ENDS_BITS)


@outlined
def _add_block(players, desk, ladder, values, apart, plane, sheet):
    """Add a block to the grid, from what is listed for its focal seats.

    A row of sums is kept as jumps: at the lows of focal seats, whose bits are set in ``bits``.  Where it differs from
    the row before, its own values ``old`` tell.

    Parameters
    ----------
    players : int64
        At the table.
    desk, ladder : Desk, Ladder
        The records, and the thresholds.
    values, apart : int64[…], uint64
        What a record is worth to each focal seat, these so far apart.
    plane : uint64
        ``POINTS``, or which of the sums of how deals end, whose values lie so many RECORDS on.
    sheet : GridSheet
        Added to.
    """
    # Arrays by themselves, and no calls with arrays below: each time a reference would be counted.
    plan, place, jumps, old, bits = desk.plan, desk.place, desk.jumps, desk.old, desk.bits
    points, ends = sheet.points, sheet.ends
    size, seats, rows = np.uint64(plan.size // 5), np.uint64(players), np.uint64(ladder.rows)
    list_size = size // np.uint64(MOST_PLAYERS)
    base = _0 if plane == _POINTS else plane * _C1
    words = (rows >> _6) + _1
    word = _0
    while word < words:
        bits[word] = bits[_WORDS + word] = _0
        word += _1
    bits[0] = bits[_WORDS] = _1
    jumps[0] = old[0] = jumps[rows] = 0
    focal = _0
    while focal < seats:
        place[_OWN + focal] = place[_LEVEL + focal] = _0
        place[_REACHED + focal] = rows
        desk.fills[focal] = 0
        focal += _1
    top = rows
    high = np.uint64(ladder.columns)
    while high > _0 and top > _0:
        low = highest = focal = _0
        while focal < seats:
            low = max(low, np.uint64(plan[_LEVEL_LOW * size + focal * list_size + place[_LEVEL + focal]]))
            focal += _1
        focal = _0
        while focal < seats:
            start = focal * list_size
            level = start + place[_LEVEL + focal]
            if np.uint64(plan[_LEVEL_LOW * size + level]) == low:
                place[_LEVEL + focal] += _1
            worth, reached, fill = focal * apart + base, place[_REACHED + focal], desk.fills[focal]
            jumps[0] -= fill
            jumps[reached] += fill
            # The focal seat's own records, as many as there were at this level,
            own, owns = place[_OWN + focal], np.uint64(plan[_LEVEL_OWN * size + level])
            while own < owns:
                value = values[worth + np.uint64(plan[_OWN_RECORD * size + start + own])]
                row = np.uint64(plan[_OWN_LOW * size + start + own])
                bit = _1 << (row & _63)
                if not bits[row >> _6] & bit:
                    bits[row >> _6] |= bit
                    jumps[row] = 0
                jumps[row] += value
                jumps[reached] -= value
                reached = row
                own += _1
            # and below them what the level pays.
            fill = values[worth + np.uint64(plan[_LEVEL_RECORD * size + level])]
            jumps[0] += fill
            jumps[reached] -= fill
            place[_OWN + focal], place[_REACHED + focal], desk.fills[focal] = own, reached, fill
            highest = max(highest, reached)
            focal += _1
        at = (high - _1) * (rows + _1)
        now = before = 0
        was0 = was1 = was2 = was3 = 0
        word = _0
        while word <= top >> _6:
            left, known = bits[word], bits[_WORDS + word]
            if word == top >> _6:
                left &= _ALL >> (_63 - (top & _63))
            while left:
                shift = trailing_zeros(left)
                left &= left - _1
                row = (word << _6) + shift
                now += jumps[row]
                if known >> shift & _1:
                    before = old[row]
                old[row] = now
                if plane == _POINTS:
                    cell = (at + row) << _2
                    new, past = now >> _WINS_BITS, before >> _WINS_BITS
                    won, had = now & _WINS_MASK, before & _WINS_MASK
                    change = new - past
                    points[cell] += change - was0
                    was0 = change
                    change *= new + past
                    points[cell + _1] += change - was1
                    was1 = change
                    change = won - had
                    points[cell + _2] += change - was2
                    was2 = change
                    change *= won + had
                    points[cell + _3] += change - was3
                    was3 = change
                else:
                    change = now - before
                    ends[((at + row) << _2) + plane] += change - was0
                    was0 = change
            bits[_WORDS + word] |= bits[word]
            word += _1
        # Rows that the focal seat had reached in every seat are the same in all lower columns.
        top = highest
        high = low


@kernel
def trace_grid(game, seating, key, first, blocks, room, log, ladder, desk, sheet):
    """Trace blocks and add them to a grid.

    Parameters
    ----------
    game, seating : Game, Seating
        The rules; how seats draw, and at which count a trace may stop.
    key : uint64
        Of the decks.
    first, blocks : int64
        The first block, and how many.
    room : Room
        To work in.
    log : int64[max_turns, 1]
        To work in.
    ladder : Ladder
        The thresholds.
    desk : Desk
        To work in.
    sheet : GridSheet
        Added to; how deals end only if there is room for it.
    """
    players = game.players
    for number in range(blocks):
        block = np.uint64(first + number)
        ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
        for n in range(2 * MOST_PLAYERS):
            desk.place[n] = _0  # the lists are empty
        records = np.int64(0)
        for rotation in range(ladder.traces):
            for seat in range(MOST_PLAYERS):
                room.hands[seat] = room.dealt[seat]
                room.counts[seat] = room.dealt_counts[seat]
            end, _, _, turns, ready = play_deal(
                game, seating, rotation, key, block, ready, room, room.hands, room.counts, log
            )
            only = np.int64(rotation if ladder.traces > 1 else -1)
            records = _find_records(game, end, turns, log, room.dealt_counts, ladder, only, desk, records)
        _settle_records(desk, records, game)
        _add_block(players, desk, ladder, desk.worth, _C1, _POINTS, sheet)
        if sheet.ends.size > 0:
            _tell_ends(desk, records, game)
            _add_block(players, desk, ladder, desk.how, _0, _KNOCKS, sheet)
            _add_block(players, desk, ladder, desk.how, _0, _OTHERS, sheet)
            _add_block(players, desk, ladder, desk.how, _0, _TURNS, sheet)
