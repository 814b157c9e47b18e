"""A grid of thresholds from traces: what every focal threshold gets against every other, in one pass a deck.

A trace is a deal played as if nobody knocked.  Under any thresholds the deal is the trace cut at the first count that
is low enough (``STATISTICS``: one trace answers every threshold).  With an own threshold ``a`` against ``b``, a focal
seat gets what the earlier of two records is worth to it: its own first at or below ``a``, its opponents' first at or
below ``b``.  Both are step functions, so what a block gets, the sum over its focal seats, is one on the grid, with as
many steps each way as the deck has counts at records: some fifteen.

The columns of the steps are walked from the highest threshold down, that is forward in time.  Where the next column
differs, its sums over the focal seats are made for all steps of rows at once, by vector instructions, and set against
those before.  By how much the difference of the two columns, or of their squares, jumps from step to step goes to the
cells of the grid; the jumps are summed over rows and columns once per thousands of blocks.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.deal import deal_out, play_deal
from rumsim.engine.grid_requests import (
    ABOVE_SQUARES,
    ABOVE_WINS,
    DECKS,
    ENDS_BITS,
    ENDS_WORTH,
    OLD,
    RECORDS,
    STEP_UP,
    STEPS,
    TOTAL,
    WINS_BITS,
)
from rumsim.engine.jit import inlined, kernel
from rumsim.engine.records import TIMES, TIMES_MASK, find_records, settle_records
from rumsim.engine.requests import LOG_COUNT, MOST_PLAYERS
from rumsim.engine.steps import FIRSTS, FOUND, KEPT, OPPONENTS, OWNS, copy_columns, find_firsts, lay_steps, padded

# What is added up, in parts of the cells that follow each other: points and wins with their squares, packed; how deals
# end; their table turns.
_POINTS, _ENDS, _TURNS = (np.int64(plane) for plane in range(3))

_0, _1, _2, _3, _4 = (np.uint64(n) for n in (0, 1, 2, 3, 4))
_RECORDS, _ENDS_WORTH = np.uint64(RECORDS), np.uint64(RECORDS * ENDS_WORTH)
_F0, _F1, _F2, _F3, _F4 = FIRSTS
_U0, _U1, _U2, _U3, _U4 = OWNS
_G0, _G1, _G2, _G3, _G4 = OPPONENTS
_TOTAL = np.uint64(STEPS * TOTAL)
_OLD_A, _OLD_B = (np.uint64(STEPS * (OLD + place)) for place in range(2))
_UP_A, _UP_B = (np.uint64(STEPS * (STEP_UP + place)) for place in range(2))
_WINS_MASK = (1 << WINS_BITS) - 1
_LOW_A, _LOW_B = 64 - ABOVE_WINS, 64 - ABOVE_SQUARES  # by how much to shift for what lies below


@inlined
def _either(first, limit, later, own):
    """Return what a focal seat gets at a step: the worth of its opponents' record, or of its own if that is earlier."""
    return np.int64(later if first >= limit else own)


@inlined
def _add_seats(vectors, limits, later, steps):
    """Add up what the focal seats get at all steps of a column; ``limits``, ``later``: of their opponents' records."""
    g0, g1, g2, g3, g4 = limits
    v0, v1, v2, v3, v4 = later
    for n in range(vectors):
        k = np.uint64(n)
        u0, u1, u2, u3, u4 = (steps[_U0 + k], steps[_U1 + k], steps[_U2 + k], steps[_U3 + k], steps[_U4 + k])
        steps[_TOTAL + k] = np.int32(
            _either(steps[_F0 + k], g0, v0, u0)
            + _either(steps[_F1 + k], g1, v1, u1)
            + _either(steps[_F2 + k], g2, v2, u2)
            + _either(steps[_F3 + k], g3, v3, u3)
            + _either(steps[_F4 + k], g4, v4, u4)
        )


@inlined
def _times(total, way):
    """Return how often deals ended in one way, at the place where that is added up."""
    return (total >> way * TIMES & TIMES_MASK) << way * ENDS_BITS


@inlined
def _set_against(a, b, k, sums):
    """Set two numbers against those of the column before, and put them in their place."""
    sums[_UP_A + k] = a - sums[_OLD_A + k]
    sums[_UP_B + k] = b - sums[_OLD_B + k]
    sums[_OLD_A + k] = a
    sums[_OLD_B + k] = b


@inlined
def _compare(plane, vectors, steps, sums):
    """Make the two numbers of all steps of a column from its totals, and see by how much they differ from before."""
    if plane == _POINTS:
        for n in range(vectors):
            k = np.uint64(n)
            total = np.int64(steps[_TOTAL + k])
            points, wins = total >> WINS_BITS, total & _WINS_MASK
            _set_against((points * points << ABOVE_WINS) + wins, (points << ABOVE_SQUARES) + wins * wins, k, sums)
    else:
        for n in range(vectors):
            k = np.uint64(n)
            total = np.int64(steps[_TOTAL + k])
            if plane == _TURNS:
                _set_against(total, 0, k, sums)
            else:
                knocks, others = _times(total, 0) + _times(total, 1) + _times(total, 2), total >> 3 * TIMES
                _set_against(knocks, _times(others, 0) + _times(others, 1), k, sums)


@inlined
def _walk(players, many, base, apart, plane, ladder, desk, cells):
    """Add a block to the jumps of a plane.

    Parameters
    ----------
    players : int64
        At the table.
    many : uint64
        Steps.
    base, apart : uint64
        Where ``worth`` tells what each record is worth to the first focal seat, and how far on to the next.
    plane : int64
        What that is: ``POINTS``, ``ENDS`` or ``TURNS``.
    ladder, desk : Ladder, Desk
        The thresholds; and the steps.
    cells : int64[…]
        Added to, two numbers a cell.
    """
    steps, sums, row_at, column_at, worth = desk.steps, desk.sums, desk.row_at, desk.column_at, desk.worth
    vectors = padded(many)
    for k in range(vectors):
        sums[_OLD_A + np.uint64(k)] = sums[_OLD_B + np.uint64(k)] = 0
    column_size = np.uint64(ladder.rows + 1) << _1
    plane_size = np.uint64(ladder.columns) * column_size
    g0 = g1 = g2 = g3 = g4 = np.int32(-1)
    v2 = v3 = v4 = np.int32(0)
    step = many
    while step > _0:
        high = np.uint64(column_at[step])
        step -= _1
        if high == _0:
            break
        h0, h1, h2, h3, h4 = g0, g1, g2, g3, g4
        g0, g1, g2 = steps[_G0 + step], steps[_G1 + step], steps[_G2 + step]
        g3, g4 = steps[_G3 + step], steps[_G4 + step]
        if g0 ^ h0 | g1 ^ h1 | g2 ^ h2 | g3 ^ h3 | g4 ^ h4 == 0:
            continue
        v0, v1 = worth[base + np.uint64(g0)], worth[base + apart + np.uint64(g1)]
        if players > 2:
            v2 = worth[base + _2 * apart + np.uint64(g2)]
        if players > 3:
            v3 = worth[base + _3 * apart + np.uint64(g3)]
        if players > 4:
            v4 = worth[base + _4 * apart + np.uint64(g4)]
        _add_seats(vectors, (g0, g1, g2, g3, g4), (v0, v1, v2, v3, v4), steps)
        _compare(plane, vectors, steps, sums)
        at = np.uint64(plane) * plane_size + (high - _1) * column_size
        a = b = 0
        for n in range((many + _3) & ~_3):  # four at a time; beyond the last step lies a row that is not read
            k = np.uint64(n)
            up_a, up_b = sums[_UP_A + k], sums[_UP_B + k]
            cell = at + (np.uint64(row_at[k]) << _1)
            cells[cell] += up_a - a
            cells[cell + _1] += up_b - b
            a, b = up_a, up_b


@inlined
def _unpack(sheet):
    """Add what is packed to the sums of points and wins, and empty it."""
    cells, points = sheet.cells, sheet.points
    for number in range(points.size >> 2):
        at, cell = np.uint64(number) << _1, np.uint64(number) << _2
        a, b = cells[at], cells[at + _1]
        cells[at] = cells[at + _1] = 0
        wins, wins_squares = a << _LOW_A >> _LOW_A, b << _LOW_B >> _LOW_B
        points[cell] += (b - wins_squares) >> ABOVE_SQUARES
        points[cell + _1] += (a - wins) >> ABOVE_WINS
        points[cell + _2] += wins
        points[cell + _3] += wins_squares


@kernel
def trace_grid(game, seating, key, first, blocks, room, ladder, desk, sheet):
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
    ladder : Ladder
        The thresholds.
    desk : Desk
        To work in.
    sheet : GridSheet
        Added to; how deals end only if there is room for it.
    """
    players, traces, log, tapes = game.players, ladder.traces, desk.log, desk.tapes
    longest, planes = traces * (players + game.max_turns), 2 * sheet.cells.size // sheet.points.size
    done = packed = 0
    while done < blocks:
        tape = row = np.int64(0)
        while tape < DECKS * traces and done < blocks and row + longest <= log.shape[0]:
            block = np.uint64(first + done)
            ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
            for rotation in range(traces):
                for seat in range(MOST_PLAYERS):
                    room.hands[seat] = room.dealt[seat]
                    room.counts[seat] = room.dealt_counts[seat]
                for seat in range(players):
                    log[row + seat, LOG_COUNT] = room.dealt_counts[seat]
                end, _, _, turns, ready = play_deal(
                    game, seating, rotation, key, block, ready, room, room.hands, room.counts, log[row + players :]
                )
                tapes[0, tape], tapes[1, tape], tapes[2, tape] = row, turns, end
                row += players + turns
                tape += 1
            done += 1
        for start in range(0, tape, traces):
            upto = np.int64(0)
            for trace in range(traces):
                begin, turns, end = tapes[0, start + trace], tapes[1, start + trace], tapes[2, start + trace]
                desk.starts[trace] = upto
                upto = find_records(players, end, turns, begin, ladder.most, desk, upto) + 1
                desk.starts[trace + 1] = upto
            settle_records(game, upto, desk)
            many = lay_steps(ladder, desk)
            for plane in range(planes):
                base, apart = _0, _RECORDS
                if plane > _POINTS:  # the same to all focal seats
                    base, apart = _ENDS_WORTH + np.uint64(plane - _ENDS) * _RECORDS, _0
                for trace in range(traces):
                    find_firsts(players, desk.starts[trace], desk.starts[trace + 1] - 1, many, base, apart, desk)
                    # Of its own trace only the focal seat's columns are wanted: those found before are taken back.
                    for focal in range(trace if traces > 1 else 0):
                        copy_columns(focal, many, KEPT, FOUND, desk)
                    if traces > 1:
                        copy_columns(trace, many, FOUND, KEPT, desk)
                _walk(players, many, base, apart, plane, ladder, desk, sheet.cells)
            packed += 1
            if packed == sheet.every or (done == blocks and start + traces == tape):
                _unpack(sheet)
                packed = 0
