"""A grid of thresholds from traces: what every focal threshold gets against every other, in one pass a deck.

A trace is a deal played as if nobody knocked.  Under any thresholds the deal is the trace cut at the first count that
is low enough (``STATISTICS``: one trace answers every threshold), so only turns at which a seat's count falls to a new
low, its records, end a deal somewhere in the grid, and each of them in whole rectangles:

* a record of the focal seat takes the rows of its own thresholds that it is the first to reach, at all columns that
  no opponent has reached;
* a record of an opponent takes the columns that it is the first of them to reach, at all rows that the focal seat has
  not.

The result of a block is the sum over the focal seats, a step function on the grid.  Its columns are walked from the
highest threshold down, that is forward in time; a row of sums is made for each stretch of columns that are alike, and
what it differs by from the one before goes, with its square, to the first column of the stretch.  The columns are
summed once per thousands of blocks.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.deal import deal_out, play_deal
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.requests import (
    COMPARED,
    EXHAUSTED,
    KNOCK,
    LANES,
    LOG_COUNT,
    MOST_PLAYERS,
    RECORDS,
    VOID,
)
from rumsim.engine.settle import settled

POINTS, ENDS, TURNS = range(3)

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
# How a deal ended in one number: three bits each for up to five seats.
RUM_BIT, UNDERCUT_BIT, TIED_BIT, EXHAUSTED_BIT, STALLED_BIT = (3 * place for place in range(5))
HOW = 5
_0, _1 = np.uint64(0), np.uint64(1)


@inlined
def _record(ended, turns_at, at, players, counts, knocker, turns):
    """Put down the counts at a turn that may end the deal."""
    for place in range(players):
        ended[place * RECORDS + at] = counts[place]
    ended[MOST_PLAYERS * RECORDS + at] = knocker
    turns_at[at] = turns


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


@inlined
def _find_records(game, end, turns, log, dealt_counts, ladder, only, desk, at):
    """Walk a trace, put its records down and list them for the focal seats, or for ``only`` one; return the next place.

    The lowest column that any seat has reached, and the lowest that another one has, are the columns from which deals
    have ended for focal seats: the second for the seat that reached the first, which is no opponent of itself.
    """
    players = game.players
    ended, turns_at, plan, place = desk.ended, desk.turns, desk.plan, desk.place
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
            _record(ended, turns_at, at, players, counts, seat, turn + 1)
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
        _record(ended, turns_at, at, players, counts, COMPARED if end == EXHAUSTED else VOID, turns)
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
    for i in range(records):
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
        how[n] = (
            (rum << RUM_BIT)
            + (undercut << UNDERCUT_BIT)
            + (tied << TIED_BIT)
            + ((knocker == COMPARED) << EXHAUSTED_BIT)
            + ((knocker == VOID) << STALLED_BIT)
        )


@outlined
def _add_block(players, desk, ladder, values, apart, what, sheet):
    """Add a block to the grid, from what is listed for its focal seats.

    Parameters
    ----------
    players : int64
        At the table.
    desk, ladder : Desk, Ladder
        The records, and the thresholds.
    values, apart : int64[…], uint64
        What a record is worth to each focal seat, these so far apart.
    what : int64
        ``POINTS``, ``ENDS`` or ``TURNS``.
    sheet : GridSheet
        Added to.
    """
    # Arrays by themselves, and no calls with arrays below: each time a reference would be counted.
    plan, place, steps = desk.plan, desk.place, desk.steps
    points, squares, wins, win_squares = sheet.points, sheet.squares, sheet.wins, sheet.win_squares
    ends, turns = sheet.ends, sheet.turns
    size, width, seats = np.uint64(plan.size // 5), np.uint64(sheet.width), np.uint64(players)
    list_size = size // np.uint64(MOST_PLAYERS)
    now, before = np.uint64(MOST_PLAYERS) * width, np.uint64(MOST_PLAYERS + 1) * width
    focal = _0
    while focal < seats:
        place[_OWN + focal] = _0
        place[_LEVEL + focal] = _0
        place[_REACHED + focal] = np.uint64(ladder.rows)
        focal += _1
    for row in range(sheet.width):
        steps[before + np.uint64(row)] = 0
    top = np.int64(sheet.width)
    high = np.uint64(ladder.columns)
    while high > _0 and top > 0:
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
            # The focal seat's own records, as many as there were at this level,
            mine, worth = focal * width, focal * apart
            reached, own, owns = (
                place[_REACHED + focal],
                place[_OWN + focal],
                np.uint64(plan[_LEVEL_OWN * size + level]),
            )
            while own < owns:
                value = np.int32(values[worth + np.uint64(plan[_OWN_RECORD * size + start + own])])
                row = np.uint64(plan[_OWN_LOW * size + start + own])
                for n in range(np.int64(row), np.int64(reached)):
                    steps[mine + np.uint64(n)] = value
                reached = row
                own += _1
            place[_OWN + focal], place[_REACHED + focal] = own, reached
            highest = max(highest, reached)
            # and below them what the level pays.
            fill, bound = np.int32(values[worth + np.uint64(plan[_LEVEL_RECORD * size + level])]), np.int32(reached)
            if focal == _0:
                for first in range(0, top, LANES):
                    for lane in range(LANES):
                        row = np.uint64(first + lane)
                        own_value = steps[mine + row]
                        steps[now + row] = fill if np.int32(first + lane) < bound else own_value
            else:
                for first in range(0, top, LANES):
                    for lane in range(LANES):
                        row = np.uint64(first + lane)
                        own_value = steps[mine + row]
                        steps[now + row] += fill if np.int32(first + lane) < bound else own_value
            focal += _1
        to = (high - _1) * width
        # By how much it differs from the row before.
        if what == POINTS:
            for first in range(0, top, LANES):
                for lane in range(LANES):
                    row = np.uint64(first + lane)
                    new, old = steps[now + row] >> _WINS_BITS, steps[before + row] >> _WINS_BITS
                    change, both = np.int32(new - old), np.int32(new + old)
                    points[to + row] += change
                    squares[to + row] += np.int64(change) * np.int64(both)
                for lane in range(LANES):
                    row = np.uint64(first + lane)
                    new, old = steps[now + row] & _WINS_MASK, steps[before + row] & _WINS_MASK
                    wins[to + row] += new - old
                    win_squares[to + row] += (new - old) * (new + old)
        elif what == ENDS:
            for end in range(HOW):
                for n in range(top):
                    row = np.uint64(n)
                    new, old = steps[now + row] >> 3 * end & 7, steps[before + row] >> 3 * end & 7
                    ends[end, to + row] += new - old
        else:
            for n in range(top):
                row = np.uint64(n)
                turns[to + row] += steps[now + row] - steps[before + row]
        now, before = before, now
        # Rows that the focal seat had reached in every seat are the same in all lower columns.
        top = (np.int64(highest) + LANES - 1) // LANES * LANES
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
        Added to: what columns differ by from the next higher one; ends and turns only if there is room for them.
    """
    points, ends, turns_taken = np.int64(POINTS), np.int64(ENDS), np.int64(TURNS)
    players = game.players
    for number in range(blocks):
        block = np.uint64(first + number)
        ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
        for n in range(2 * MOST_PLAYERS):
            desk.place[n] = _0  # the lists are empty
        records = 0
        for rotation in range(ladder.traces):
            for seat in range(MOST_PLAYERS):
                room.hands[seat] = room.dealt[seat]
                room.counts[seat] = room.dealt_counts[seat]
            end, _, _, turns, ready = play_deal(
                game, seating, rotation, key, block, ready, room, room.hands, room.counts, log
            )
            only = rotation if ladder.traces > 1 else -1
            records = _find_records(game, end, turns, log, room.dealt_counts, ladder, only, desk, records)
        _settle_records(desk, records, game)
        _add_block(players, desk, ladder, desk.worth, _C1, points, sheet)
        if sheet.turns.size > 0:
            _tell_ends(desk, records, game)
            _add_block(players, desk, ladder, desk.how, _0, ends, sheet)
            _add_block(players, desk, ladder, desk.turns, _0, turns_taken, sheet)
