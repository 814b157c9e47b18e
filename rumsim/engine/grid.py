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
    SEVERAL,
    VOID,
)
from rumsim.engine.settle import settled

POINTS, ENDS, TURNS = range(3)
# Records lie in columns of RECORDS places: five counts and the knocker; then, settled, what each seat gets.
_C1, _C2, _C3, _C4, _C5 = (np.uint64(RECORDS * column) for column in range(1, 6))

# Points and wins of a seat in one number: wins of five seats come to 300 sixtieths.
_WINS_BITS = np.int64(10)
_WINS_MASK = (1 << 10) - 1
# How a deal ended in one number: three bits each for up to five seats.
RUM_BIT, UNDERCUT_BIT, TIED_BIT, EXHAUSTED_BIT, STALLED_BIT = (3 * place for place in range(5))
HOW = 5


@inlined
def _record(desk, at, players, counts, knocker, seat, row, column, turns):
    """Put down the counts at a turn that may end the deal."""
    for place in range(players):
        desk.ended[place * RECORDS + at] = counts[place]
    desk.ended[MOST_PLAYERS * RECORDS + at] = knocker
    desk.seat[at] = seat
    desk.row[at] = row
    desk.column[at] = column
    desk.turns[at] = turns


@inlined
def _find_records(game, end, turns, log, dealt_counts, ladder, desk, at):
    """Walk a trace and put its records down, the end without a knock last; return the place after them."""
    players = game.players
    counts, rows, columns = desk.counts, desk.rows, desk.columns
    for seat in range(players):
        counts[seat] = dealt_counts[seat]
        rows[seat] = ladder.rows
        columns[seat] = ladder.columns
    seat = 0
    for turn in range(turns):
        count = log[turn, LOG_COUNT]
        counts[seat] = count
        row, column = np.int64(ladder.row_of[count]), np.int64(ladder.column_of[count])
        if row < rows[seat] or column < columns[seat]:
            rows[seat] = min(rows[seat], row)
            columns[seat] = min(columns[seat], column)
            _record(desk, at, players, counts, seat, seat, row, column, turn + 1)
            at += 1
        seat += 1
        if seat == players:
            seat = 0
    if end != KNOCK:
        _record(desk, at, players, counts, COMPARED if end == EXHAUSTED else VOID, -1, 0, 0, turns)
        at += 1
    return at


@outlined
def _settle_records(desk, records, game):
    """Settle all records: what each seat gets, and how the deal ended."""
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
    ended = desk.ended
    for i in range(records):
        n = np.uint64(i)
        counts = (ended[n], ended[n + _C1], ended[n + _C2], ended[n + _C3], ended[n + _C4])
        knocker = ended[n + _C5]
        _, _, (rum, undercut, tied) = settled(counts, knocker, game)
        desk.how[i] = (
            (rum << RUM_BIT)
            + (undercut << UNDERCUT_BIT)
            + (tied << TIED_BIT)
            + ((knocker == COMPARED) << EXHAUSTED_BIT)
            + ((knocker == VOID) << STALLED_BIT)
        )


@inlined
def _list_steps(desk, focal, first, last, ladder):
    """List what ends deals for a focal seat: its own records, and those of opponents, each the lowest so far.

    Opponents' records are levels: down to ``level_low`` their columns end at a record, where the focal seat has had so
    many records of its own.  The last level reaches down to column 0.
    """
    at = focal * desk.own_low.size // MOST_PLAYERS
    own = level = at
    row, column = np.int64(ladder.rows), np.int64(ladder.columns)
    for record in range(first, last):
        seat = desk.seat[record]
        if seat == focal:
            if desk.row[record] < row:
                row = desk.row[record]
                desk.own_low[own] = row
                desk.own_record[own] = record
                own += 1
        elif desk.column[record] < column:
            column = desk.column[record]
            desk.level_low[level] = column
            desk.level_record[level] = record
            desk.level_own[level] = own
            level += 1
    if column > 0:  # the focal seat reached the lowest threshold of all
        desk.level_low[level] = 0
        desk.level_record[level] = last - 1
        desk.level_own[level] = own
    desk.at_own[focal] = desk.at_level[focal] = at
    desk.row_reached[focal] = ladder.rows


@inlined
def _own_steps(desk, values, focal, width):
    """Enter the focal seat's own records, as many as there were at its level; return the rows that they leave."""
    low = desk.row_reached[focal]
    for own in range(desk.at_own[focal], desk.level_own[desk.at_level[focal]]):
        value = values[desk.own_record[own]]
        for row in range(desk.own_low[own], low):
            desk.steps[focal * width + row] = value
        low = desk.own_low[own]
    return low


@inlined
def _row_of_sums(steps, width, players, lows, fills, upto):
    """Sum over the focal seats: below its low what its level pays, above what its own records did."""
    total = np.uint64(MOST_PLAYERS * width)
    for start in range(0, upto, LANES):
        for lane in range(LANES):
            steps[total + np.uint64(start + lane)] = 0
        for focal in range(players):
            low, fill, at = np.int32(lows[focal]), np.int32(fills[focal]), np.uint64(focal * width + start)
            for lane in range(LANES):
                to = total + np.uint64(start + lane)
                own = steps[at + np.uint64(lane)]
                steps[to] += fill if np.int32(start + lane) < low else own


@inlined
def _enter_points(steps, width, upto, column, sheet):
    """Add by how much points, wins and their squares differ from the row before, at a column."""
    total, before, to = (
        np.uint64(MOST_PLAYERS * width),
        np.uint64((MOST_PLAYERS + 1) * width),
        np.uint64(column * width),
    )
    for start in range(0, upto, LANES):
        for lane in range(LANES):
            row = np.uint64(start + lane)
            new, old = steps[total + row] >> _WINS_BITS, steps[before + row] >> _WINS_BITS
            sheet.points[to + row] += new - old
            sheet.squares[to + row] += np.int64(new) * np.int64(new) - np.int64(old) * np.int64(old)
        for lane in range(LANES):
            row = np.uint64(start + lane)
            new, old = steps[total + row] & _WINS_MASK, steps[before + row] & _WINS_MASK
            sheet.wins[to + row] += new - old
            sheet.win_squares[to + row] += new * new - old * old


@inlined
def _enter_ends(steps, width, upto, column, sheet):
    """Add by how much the ways deals ended differ from the row before, at a column."""
    total, before, to = MOST_PLAYERS * width, (MOST_PLAYERS + 1) * width, column * width
    for end in range(HOW):
        for row in range(upto):
            new, old = steps[total + row] >> 3 * end & 7, steps[before + row] >> 3 * end & 7
            sheet.ends[end, to + row] += new - old


@inlined
def _enter_turns(steps, width, upto, column, sheet):
    """Add by how much the turns differ from the row before, at a column."""
    total, before, to = MOST_PLAYERS * width, (MOST_PLAYERS + 1) * width, column * width
    for row in range(upto):
        sheet.turns[to + row] += steps[total + row] - steps[before + row]


@outlined
def _add_block(players, desk, ladder, first, values, apart, what, sheet):
    """Add a block to the grid, from the records of its traces.

    Parameters
    ----------
    players : int64
        At the table.
    desk, ladder : Desk, Ladder
        The records, and the thresholds.
    first : int64
        The first trace of the block.
    values, apart : int64[…], int64
        What a record is worth to each focal seat, these so far apart.
    what : int64
        ``POINTS``, ``ENDS`` or ``TURNS``.
    sheet : GridSheet
        Added to.
    """
    width, steps = sheet.width, desk.steps
    for focal in range(players):
        trace = first + (focal if ladder.traces > 1 else 0)
        _list_steps(desk, focal, desk.trace_at[trace], desk.trace_at[trace + 1], ladder)
    before = (MOST_PLAYERS + 1) * width
    for row in range(width):
        steps[before + row] = 0
    top = np.int64(width)
    high = np.int64(ladder.columns)
    while high > 0 and top > 0:
        low = highest = np.int64(0)
        for focal in range(players):
            low = max(low, np.int64(desk.level_low[desk.at_level[focal]]))
        for focal in range(players):
            level = desk.at_level[focal]
            worth = values[focal * apart :]
            reached = _own_steps(desk, worth, focal, width)
            desk.at_own[focal] = desk.level_own[level]
            desk.row_reached[focal] = reached
            desk.fills[focal] = worth[desk.level_record[level]]
            highest = max(highest, np.int64(reached))
            if desk.level_low[level] == low:
                desk.at_level[focal] = level + 1
        _row_of_sums(steps, width, players, desk.row_reached, desk.fills, top)
        if what == POINTS:
            _enter_points(steps, width, top, high - 1, sheet)
        elif what == ENDS:
            _enter_ends(steps, width, top, high - 1, sheet)
        else:
            _enter_turns(steps, width, top, high - 1, sheet)
        for row in range(top):
            steps[before + row] = steps[MOST_PLAYERS * width + row]
        # Rows that the focal seat had reached in every seat are the same in all lower columns.
        top = (highest + LANES - 1) // LANES * LANES
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
    most = game.players * (ladder.rows + ladder.columns) + 1
    done = 0
    while done < blocks:
        # Play some blocks,
        many = records = 0
        desk.trace_at[0] = 0
        while many < SEVERAL and done + many < blocks and records + ladder.traces * most <= RECORDS:
            block = np.uint64(first + done + many)
            ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
            for rotation in range(ladder.traces):
                for seat in range(MOST_PLAYERS):
                    room.hands[seat] = room.dealt[seat]
                    room.counts[seat] = room.dealt_counts[seat]
                end, _, _, turns, ready = play_deal(
                    game, seating, rotation, key, block, ready, room, room.hands, room.counts, log
                )
                records = _find_records(game, end, turns, log, room.dealt_counts, ladder, desk, records)
                desk.trace_at[many * ladder.traces + rotation + 1] = records
            many += 1
        # then settle the records of all, and add them up.
        _settle_records(desk, records, game)
        for one in range(0, many * ladder.traces, ladder.traces):
            _add_block(game.players, desk, ladder, one, desk.worth, RECORDS, points, sheet)
        if sheet.turns.size > 0:
            _tell_ends(desk, records, game)
            for one in range(0, many * ladder.traces, ladder.traces):
                _add_block(game.players, desk, ladder, one, desk.how, 0, ends, sheet)
                _add_block(game.players, desk, ladder, one, desk.turns, 0, turns_taken, sheet)
        done += many
