"""What a seat chooses between on its own turns, and which thresholds serve it best there.

An *own turn* is a row: the count held and what a knock pays.  After a block's own turns stands a row ``END`` with what
the seat gets if it knocks on none of them.  In these rows nothing is left of the opponents but where they end the deal.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined, kernel
from rumsim.engine.requests import MOST_THRESHOLD

END = 255  # instead of a count
OVER = MOST_THRESHOLD + 1  # stands for all counts above any threshold
_SQUARES = 256  # where squares begin, after the gains of all counts
_SWEEPS = 100  # each gains, and few are needed; against endless ones only


@kernel
def collect(players, focal, apart, until, starts, counts, points, base, sizes, held, pays):
    """Write down the own turns of a seat.

    Parameters
    ----------
    players, focal : int64
        At the table, and the seat.
    apart : int64
        How many own turns have a threshold of their own; of those that share the last, only new lows count.
    until : int64[B]
        The row of traces where opponents end them.
    starts, counts, points : int64[B + 1], int16[R] and int32[R, N]
        Of the traces.
    base : int64[B]
        Taken from all that the seat gets.
    sizes : int32[B]
        Filled: how many rows a block has, the last one included.
    held, pays : uint8[…] and int32[…]
        Filled.

    Returns
    -------
    int64
        Rows in all.
    """
    place = 0
    for block in range(until.shape[0]):
        began = place
        low = OVER + 1
        turn = 0
        row = starts[block] + focal
        while row < until[block]:
            count = min(np.int64(counts[row]), OVER)
            if turn < apart - 1 or count < low:
                held[place] = count
                pays[place] = points[row, focal] - base[block]
                place += 1
                if turn >= apart - 1:
                    low = count
            row += players
            turn += 1
        held[place] = END
        pays[place] = points[until[block], focal] - base[block]
        place += 1
        sizes[block] = place - began
    return place


@inlined
def _weigh(turn, last, block, starts, ends, held, pays, after, gains):
    """Add by count what a knock on a turn brings over playing on; then, after the counts, the squares of that."""
    place, end = starts[block] + turn, ends[block]
    if turn < last:
        if place < end:
            gain = pays[place] - after
            gains[held[place]] += gain
            gains[_SQUARES + held[place]] += gain * gain
    else:  # the turns that share the last threshold: each is a new low
        while place < end:
            gain = np.int64(pays[place]) - pays[place + 1]
            gains[held[place]] += gain
            gains[_SQUARES + held[place]] += gain * gain
            place += 1


@inlined
def _sure(threshold, other, gain, errors, gains):
    """Say whether one threshold gets more than another by more than so many standard errors."""
    squares = np.float64(0)
    for count in range(min(threshold, other) + 1, max(threshold, other) + 1):
        squares += gains[_SQUARES + count]
    return gain > 0 and np.float64(gain) ** 2 > errors**2 * squares


@inlined
def _stop(block, last, starts, ends, held, thresholds):
    """Return on which row from its first a seat knocks, or the last one."""
    place, end = starts[block], ends[block]
    turn = 0
    while place < end and held[place] > thresholds[min(turn, last)]:
        place += 1
        turn += 1
    return turn


@inlined
def _update(turn, last, threshold, blocks, starts, ends, held, pays, value):
    """Let the seat's rule of a turn decide what blocks are worth when it comes."""
    for n in range(blocks.shape[0]):
        place, end = starts[blocks[n]] + turn, ends[blocks[n]]
        if place >= end:
            break
        if turn < last:
            if held[place] <= threshold:
                value[n] = pays[place]
        else:
            while place < end and held[place] > threshold:
                place += 1
            value[n] = pays[place]


@kernel
def climb(limit, errors, lowest, anew, blocks, starts, ends, held, pays, thresholds, stops, value, gains):
    """Improve thresholds, one own turn at a time given all others, until no change of a single one gains.

    On a turn only those deals count that come to it under the thresholds of the turns before; what playing on is worth
    is known from those after it.  The gain of "now" over "play on" is added up by the count held: the best threshold is
    where its sum is highest.  Every change gains, so it comes to an end.

    Parameters
    ----------
    limit : int64
        The rules' knock limit.
    errors : float64
        By how many standard errors a change must gain: 0 finds the most that these very deals yield, and more keeps off
        what is only their chance.
    lowest : int64
        The first own turn, from 0, that may change.
    anew : int64
        Whether to begin with thresholds from all deals, as if nobody had knocked before; the given ones are lost.
    blocks : int32[n]
        Which blocks count, those with most rows first.
    starts, ends : int32[B]
        The first row of each block, and its last.
    held, pays : uint8[R] and int32[R]
        The own turns.
    thresholds : int64[T]
        By own turn, the last for all later ones; -1 for never.  Improved.
    stops, value, gains : int64[n], int64[n] and int64[512]
        To work in.  At the end ``stops`` says on which of its rows each block ends.

    Returns
    -------
    total, squares : int64
        What the thresholds get over the blocks, and the sum of squares.
    """
    last = thresholds.shape[0] - 1
    total = squares = np.int64(0)
    for sweep in range(_SWEEPS):
        fresh = anew != 0 and sweep == 0
        total = squares = np.int64(0)
        for n in range(blocks.shape[0]):
            block = blocks[n]
            stops[n] = _stop(block, last, starts, ends, held, thresholds)
            got = np.int64(pays[starts[block] + stops[n]])
            total += got
            squares += got * got
            value[n] = pays[ends[block]]
        changed = fresh
        for turn in range(last, lowest - 1, -1):
            gains[:] = 0
            for n in range(blocks.shape[0]):
                if ends[blocks[n]] - starts[blocks[n]] <= turn:
                    break
                if fresh or stops[n] >= turn:
                    _weigh(turn, last, blocks[n], starts, ends, held, pays, value[n], gains)
            best = now = summed = np.int64(0)
            threshold = np.int64(-1)
            for count in range(limit + 1):
                summed += gains[count]
                if summed > best:
                    best = summed
                    threshold = count
                if count == thresholds[turn]:
                    now = summed
            if fresh or _sure(threshold, thresholds[turn], best - now, errors, gains):
                thresholds[turn] = threshold
                changed = True
            _update(turn, last, thresholds[turn], blocks, starts, ends, held, pays, value)
        if not changed:
            break
    return total, squares


@kernel
def flat_ranges(limit, flat, blocks, starts, ends, held, pays, thresholds, stops, value, gains, ranges, reached):
    """Find around each threshold those that lose little, if all others stay, and how many blocks come to the turn.

    Parameters
    ----------
    limit : int64
        The rules' knock limit.
    flat : int64
        What may be lost over all blocks.
    blocks, starts, ends, held, pays, thresholds, stops, value, gains
        As of :func:`climb`; thresholds stay.
    ranges : int64[2, T]
        Filled: the lowest and the highest.
    reached : int64[T]
        Filled.
    """
    last = thresholds.shape[0] - 1
    reached[:] = 0
    for n in range(blocks.shape[0]):
        block = blocks[n]
        stops[n] = _stop(block, last, starts, ends, held, thresholds)
        value[n] = pays[ends[block]]
        for turn in range(min(stops[n], ends[block] - starts[block] - 1, last) + 1):
            reached[turn] += 1
    for turn in range(last, -1, -1):
        gains[:] = 0
        for n in range(blocks.shape[0]):
            if ends[blocks[n]] - starts[blocks[n]] <= turn:
                break
            if stops[n] >= turn:
                _weigh(turn, last, blocks[n], starts, ends, held, pays, value[n], gains)
        low = high = thresholds[turn]
        lost = np.int64(0)
        while low >= 0 and lost + gains[low] <= flat:
            lost += gains[low]
            low -= 1
        lost = np.int64(0)
        while high < limit and lost - gains[high + 1] <= flat:
            high += 1
            lost -= gains[high]
        ranges[0, turn], ranges[1, turn] = low, high
        _update(turn, last, thresholds[turn], blocks, starts, ends, held, pays, value)


@kernel
def block_values(starts, ends, held, pays, thresholds, total):
    """Add to ``total`` int64[B] what a seat gets in each block with thresholds int64[T]."""
    last = thresholds.shape[0] - 1
    for block in range(starts.shape[0]):
        total[block] += pays[starts[block] + _stop(block, last, starts, ends, held, thresholds)]
