"""Traces that are asked again and again, for other opponents each time: no more rows than schedules can tell apart.

Schedules have a threshold for each of some own turns, and the last one holds for all later turns: of those only the
turns matter at which a seat reaches a new low among them.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.decisions import END, OVER
from rumsim.engine.jit import kernel
from rumsim.engine.requests import MOST_THRESHOLD, PARTS

_NOBODY = 1e-12  # a chance times all points of a deal that no sum feels


@kernel
def keep(players, apart, starts, counts, points, low, kept):
    """Write down the rows of traces that matter.

    Parameters
    ----------
    players, apart : int64
        At the table; and how many own turns have a threshold of their own, the last for all later ones.
    starts, counts, points : int64[B + 1], int16[R] and int32[R, N]
        Of the traces.
    low : int64[5]
        To work in.
    kept : Kept
        Filled; ``starts`` from 0.
    """
    place = 0
    kept.starts[0] = 0
    for block in range(starts.shape[0] - 1):
        low[:] = OVER + 1
        seat = turn = 0
        last = starts[block + 1] - 1
        for row in range(starts[block], last + 1):
            count = min(np.int64(counts[row]), OVER)
            if row == last or turn < apart - 1 or count < low[seat]:
                if turn >= apart - 1:
                    low[seat] = count
                kept.seats[place], kept.turns[place] = seat, min(turn, apart - 1)
                kept.counts[place] = END if row == last else count
                for other in range(players):
                    kept.points[place, other] = points[row, other]
                place += 1
            seat += 1
            if seat == players:
                seat = 0
                turn += 1
        kept.starts[block + 1] = place


@kernel
def keep_lows(kept, low, found):
    """Write down the rows of traces at which a seat reaches a new low, all that constant thresholds tell apart.

    Parameters
    ----------
    kept : Kept
        The traces.
    low : int64[5]
        To work in.
    found : Kept
        Filled.
    """
    place = 0
    found.starts[0] = 0
    for block in range(kept.starts.shape[0] - 1):
        low[:] = OVER + 1
        last = kept.starts[block + 1] - 1
        for row in range(kept.starts[block], last + 1):
            seat, count = np.int64(kept.seats[row]), np.int64(kept.counts[row])
            if row == last or count < low[seat]:
                low[seat] = count
                found.seats[place], found.turns[place], found.counts[place] = seat, kept.turns[row], count
                for other in range(kept.points.shape[1]):
                    found.points[place, other] = kept.points[row, other]
                place += 1
        found.starts[block + 1] = place


@kernel
def untils(players, knock, kept, until):
    """Find where the opponents of each seat end traces.

    Parameters
    ----------
    players : int64
        At the table.
    knock : int16[N, turns]
        The schedule of all, by seat and own turn; -1 for never.
    kept : Kept
        The traces.
    until : int64[N, B]
        Filled: for each seat the row of the first knock of another, or the last row.
    """
    for block in range(until.shape[1]):
        row, last = kept.starts[block], kept.starts[block + 1] - 1
        first = -1
        while row < last:
            seat = np.int64(kept.seats[row])
            if seat != first and kept.counts[row] <= knock[seat, kept.turns[row]]:
                if first >= 0:
                    break
                first = seat
                for other in range(players):
                    until[other, block] = row
            row += 1
        if first >= 0:
            until[first, block] = row
        else:
            for other in range(players):
                until[other, block] = row


@kernel
def collect_kept(focal, kept, until, starts, ends, held, pays):
    """Write down the own turns of a seat as :func:`rumsim.engine.decisions.collect` does, and where they lie.

    Parameters
    ----------
    focal : int64
        The seat.
    kept : Kept
        The traces.
    until : int64[B]
        Where its opponents end them.
    starts, ends, held, pays : int32[B], int32[B], uint8[…] and int32[…]
        Filled.

    Returns
    -------
    int64
        Rows in all.
    """
    place = 0
    for block in range(until.shape[0]):
        starts[block] = place
        for row in range(kept.starts[block], until[block]):
            if kept.seats[row] == focal:
                held[place], pays[place] = kept.counts[row], kept.points[row, focal]
                place += 1
        held[place], pays[place] = END, kept.points[until[block], focal]
        ends[block] = place
        place += 1
    return place


@kernel
def mixed_totals(players, focal, knocks, kept, least, totals):
    """Add up what a seat gets with each constant threshold when opponents draw theirs from a mixture: one pass.

    An opponent has not knocked yet if its threshold is below its least count so far, so the chance that nobody has is a
    product over opponents that changes only where one of them reaches a new low.

    Parameters
    ----------
    players, focal : int64
        At the table, and the seat.
    knocks : float64[256]
        For each count the chance that an opponent's threshold allows a knock with it.
    kept : Kept
        The traces.
    least : int64[5]
        To work in.
    totals : int64[203]
        Added to, as jumps from one threshold to the next, the first of them never: parts of ``PARTS`` of a twelfth.  A
        deal's stay below 2^33, so that 10^7 blocks with five seats have room.
    """
    never = knocks.shape[0] - 1
    for block in range(kept.starts.shape[0] - 1):
        for seat in range(players):
            least[seat] = never  # a count that nobody holds, with a chance of 0
        low = MOST_THRESHOLD + 1
        nobody = 1.0  # the chance that no opponent has knocked,
        paid = 0.0  # and what the seat got where one has, times its chance
        last = kept.starts[block + 1] - 1
        for row in range(kept.starts[block], last):
            count, seat = np.int64(kept.counts[row]), np.int64(kept.seats[row])
            if seat == focal:
                if count < low:
                    worth = np.int64(np.floor((paid + nobody * kept.points[row, focal]) * PARTS + 0.5))
                    totals[count + 1] += worth
                    totals[low + 1] -= worth
                    low = count
            elif count < least[seat]:
                before, now = 1.0 - knocks[least[seat]], 1.0 - knocks[count]
                paid += nobody * (before - now) / before * kept.points[row, focal]
                nobody *= now / before
                least[seat] = count
                if nobody < _NOBODY:
                    nobody = 0.0
                    break
        paid += nobody * kept.points[last, focal]
        worth = np.int64(np.floor(paid * PARTS + 0.5))
        totals[0] += worth
        totals[low + 1] -= worth
