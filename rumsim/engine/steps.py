"""Steps of a deck: at which record each seat, and each seat's opponents, first come down to a count.

All counts of a deck's records, ascending, and one below all are its steps.  Between two of them no threshold makes a
difference: whoever knocks at any of these counts knocks at the same record.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.bits import trailing_zeros
from rumsim.engine.grid_requests import (
    FIRST,
    FIRST_KEPT,
    MOVER,
    OTHERS,
    OWN,
    RECORD,
    RECORDS,
    STEPS,
)
from rumsim.engine.jit import inlined, outlined
from rumsim.engine.requests import MOST_PLAYERS

_0, _1, _2, _3, _4, _7 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 7))
_STEPS = np.uint64(STEPS)
_MOVER, _RECORD = np.uint64(RECORDS * MOVER), np.uint64(RECORDS * RECORD)

# Where columns begin, by seat.
FIRSTS = tuple(np.uint64(STEPS * (FIRST + seat)) for seat in range(MOST_PLAYERS))
OWNS = tuple(np.uint64(STEPS * (OWN + seat)) for seat in range(MOST_PLAYERS))
OPPONENTS = tuple(np.uint64(STEPS * (OTHERS + seat)) for seat in range(MOST_PLAYERS))
_F0, _F1, _F2, _F3, _F4 = FIRSTS
_U0, _U1, _U2, _U3, _U4 = OWNS
_G0, _G1, _G2, _G3, _G4 = OPPONENTS
FOUND, KEPT = FIRSTS[0], np.uint64(STEPS * FIRST_KEPT)
_BY_SEAT = np.uint64(STEPS * MOST_PLAYERS)


@inlined
def padded(many):
    """Return how many places vectors of eight take."""
    return np.int64((many + _7) & ~_7)


@inlined
def lay_steps(ladder, desk):
    """Lay out the steps of the counts in ``bits``, and where they lie in the grid; return how many there are."""
    row_at, column_at, step_of, bits = desk.row_at, desk.column_at, desk.step_of, desk.bits
    row_of, column_of = ladder.row_of, ladder.column_of
    row_at[0] = column_at[0] = 0
    many = _1
    for word in range(bits.size):
        left = bits[word]
        bits[word] = _0
        while left:
            count = np.uint64(64 * word) + trailing_zeros(left)
            left &= left - _1
            step_of[count] = many
            row_at[many] = row_of[count]
            column_at[many] = column_of[count]
            many += _1
    column_at[many] = ladder.columns
    for beyond in range(many, padded(many)):
        row_at[beyond] = ladder.rows  # a row that is not read
    return many


@inlined
def find_firsts(players, first, end, many, base, apart, desk):
    """Fill for each seat and step the seat's first record at or below it, and the first one of its opponents.

    Where there is none stands the place of the trace's end.  And what the seat's own is worth to it.

    Parameters
    ----------
    players : int64
        At the table.
    first, end : int64
        Places of the trace's first record and of its end.
    many : uint64
        Steps.
    base, apart : uint64
        Where ``worth`` tells what each record is worth to the first seat, and how far on to the next.
    desk : Desk
        Filled: the columns ``FIRST``, ``OWN`` and ``OTHERS`` of ``steps``.
    """
    steps, records, step_of, worth = desk.steps, desk.records, desk.step_of, desk.worth
    base1, base2, base3, base4 = base + apart, base + _2 * apart, base + _3 * apart, base + _4 * apart
    never = np.int32(end)
    for step in range(padded(many)):
        k = np.uint64(step)
        steps[_F0 + k] = never
        steps[_F1 + k] = never
        steps[_F2 + k] = never
        steps[_F3 + k] = never
        steps[_F4 + k] = never
    for place in range(first, end):
        at = np.uint64(place)
        step, mover = step_of[np.uint64(records[_RECORD + at])], np.uint64(records[_MOVER + at])
        steps[_F0 + mover * _STEPS + step] = np.int32(place)
    f0 = f1 = f2 = f3 = f4 = np.int64(end)
    for step in range(many):
        k = np.uint64(step)
        f0, f1 = min(f0, np.int64(steps[_F0 + k])), min(f1, np.int64(steps[_F1 + k]))
        steps[_F0 + k], steps[_U0 + k] = np.int32(f0), worth[base + np.uint64(f0)]
        steps[_F1 + k], steps[_U1 + k] = np.int32(f1), worth[base1 + np.uint64(f1)]
        if players > 2:
            f2 = min(f2, np.int64(steps[_F2 + k]))
            steps[_F2 + k], steps[_U2 + k] = np.int32(f2), worth[base2 + np.uint64(f2)]
        if players > 3:
            f3 = min(f3, np.int64(steps[_F3 + k]))
            steps[_F3 + k], steps[_U3 + k] = np.int32(f3), worth[base3 + np.uint64(f3)]
        if players > 4:
            f4 = min(f4, np.int64(steps[_F4 + k]))
            steps[_F4 + k], steps[_U4 + k] = np.int32(f4), worth[base4 + np.uint64(f4)]
    for step in range(padded(many)):
        k = np.uint64(step)
        a, b, c, d, e = steps[_F0 + k], steps[_F1 + k], steps[_F2 + k], steps[_F3 + k], steps[_F4 + k]
        ab, de = min(a, b), min(d, e)
        abc, cde = min(ab, c), min(c, de)
        steps[_G0 + k] = min(b, cde)
        steps[_G1 + k] = min(a, cde)
        steps[_G2 + k] = min(ab, de)
        steps[_G3 + k] = min(abc, e)
        steps[_G4 + k] = min(abc, d)


@outlined
def copy_columns(focal, many, fro, to, desk):
    """Copy what was found for one focal seat: the columns ``FIRST``, ``OWN`` and ``OTHERS``, or where they are kept."""
    steps = desk.steps
    for step in range(padded(many)):
        k = np.uint64(focal) * _STEPS + np.uint64(step)
        steps[to + k] = steps[fro + k]
        steps[to + _BY_SEAT + k] = steps[fro + _BY_SEAT + k]
        steps[to + _2 * _BY_SEAT + k] = steps[fro + _2 * _BY_SEAT + k]
