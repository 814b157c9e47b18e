"""What a seat had best do in traces: by own turn, backwards, knowing what the opponents do."""

from __future__ import annotations

import numpy as np

from rumsim import decks
from rumsim.engine.jit import kernel
from rumsim.engine.requests import MOST_THRESHOLD
from rumsim.engine.shuffle import first_word, start

_OPPONENTS = np.uint64(decks.OPPONENTS)
_NOBODY = 1e-12  # a chance times all points of a deal that no sum feels


@kernel
def opponents_end(players, focal, knock, choice, starts, counts, until):
    """Find where opponents end traces.

    Parameters
    ----------
    players, focal : int64
        At the table, and the seat that never knocks here.
    knock : int16[V, 5, turns]
        Knock schedules by bot, seat and own turn; the last for all later ones, -1 for never.
    choice : uint8[B, N]
        Which of the bots sits in each seat in each block.
    starts, counts : int64[B + 1] and int16[R]
        Of the traces.
    until : int64[B]
        Filled: the row of the first knock of an opponent, or the last row.
    """
    last = knock.shape[2] - 1
    for block in range(until.shape[0]):
        seat = own_turn = 0
        row = starts[block]
        while row < starts[block + 1] - 1:
            if seat != focal and counts[row] <= knock[choice[block, seat], seat, min(own_turn, last)]:
                break
            row += 1
            seat += 1
            if seat == players:
                seat = 0
                own_turn += 1
        until[block] = row


@kernel
def best_schedule(players, focal, limit, flat, starts, counts, points, until, value, gains, thresholds):
    """Find the best threshold on each own turn of a seat, the later ones first.

    Whether to knock on a turn is decided by what comes otherwise, and that is known in each trace: the opponents' rules
    are given, and the seat's own of later turns have just been found.  So the gain of "now" over "play on" is added up
    by the count held, and the best threshold is where its sum over counts is highest.

    Parameters
    ----------
    players, focal, limit : int64
        At the table, the seat, and the rules' knock limit.
    flat : int64
        By how many twelfths in all a threshold may be worse and still be within the flat range.
    starts, counts, points : int64[B + 1], int16[R] and int32[R, N]
        Of the traces.
    until : int64[B]
        Where opponents end them.
    value : int64[B]
        What the seat gets if it never knocks; at the end, if it knocks by the thresholds found.
    gains : int64[202]
        To work in.
    thresholds : int64[3, turns]
        Filled: the best threshold on each own turn, -1 for never, then the ends of its flat range.
    """
    for turn in range(thresholds.shape[1] - 1, -1, -1):
        gains[:] = 0
        for block in range(until.shape[0]):
            row = starts[block] + turn * players + focal
            if row < until[block]:
                gains[min(counts[row], MOST_THRESHOLD + 1)] += points[row, focal] - value[block]
        best = total = 0
        threshold = -1
        for count in range(limit + 1):
            total += gains[count]
            if total > best:
                best = total
                threshold = count
        low = high = threshold
        total = 0
        for count in range(limit + 1):
            total += gains[count]
            if count > high and count == high + 1 and total >= best - flat:
                high = count
        total = best
        while low >= 0 and total - gains[low] >= best - flat:
            total -= gains[low]
            low -= 1
        thresholds[0, turn], thresholds[1, turn], thresholds[2, turn] = threshold, low, high
        for block in range(until.shape[0]):
            row = starts[block] + turn * players + focal
            if row < until[block] and counts[row] <= threshold:
                value[block] = points[row, focal]


@kernel
def constant_totals(players, focal, starts, counts, points, until, totals):
    """Add up what a seat gets with each constant threshold: int64[202], as jumps from one threshold to the next."""
    for block in range(until.shape[0]):
        low = MOST_THRESHOLD + 1
        row = starts[block] + focal
        while row < until[block]:
            count = counts[row]
            if count < low:
                totals[count] += points[row, focal]
                totals[low] -= points[row, focal]
                low = count
            row += players
        totals[0] += points[until[block], focal]
        totals[low] -= points[until[block], focal]


@kernel
def seat_ends(players, focal, schedule, starts, counts, until, rows):
    """Find where traces end if the seat knocks by a schedule, int64[turns], too; fill their rows."""
    last = schedule.shape[0] - 1
    for block in range(until.shape[0]):
        row = starts[block] + focal
        turn = 0
        while row < until[block] and counts[row] > schedule[min(turn, last)]:
            row += players
            turn += 1
        rows[block] = min(row, until[block])


@kernel
def draw_bots(key, first, index, cumulative, state, choice):
    """Draw which bot of a mixture plays, anew for each block from ``first`` on.

    Parameters
    ----------
    key : uint64
        Of the decks.
    first, index : int64
        The first block; and which deal of it, which player.
    cumulative : float64[V]
        Chances of the bots up to each; the last is 1.
    state : uint64[4]
        To work in.
    choice : uint8[B]
        Filled.
    """
    for place in range(choice.shape[0]):
        start(state, key, np.uint64(first + place), _OPPONENTS, np.uint64(index))
        chance = np.float64(first_word(state) >> np.uint64(11)) * 2.0**-53
        bot = 0
        while chance >= cumulative[bot] and bot < cumulative.shape[0] - 1:
            bot += 1
        choice[place] = bot


@kernel
def mixed_totals(players, focal, knocks, starts, counts, points, least, totals):
    """Add up what a seat gets with each constant threshold when opponents draw theirs from a mixture: one pass.

    An opponent has not knocked yet if its threshold is below its least count so far, so the chance that nobody has is a
    product over opponents that changes only where one of them reaches a new low.

    Parameters
    ----------
    players, focal : int64
        At the table, and the seat.
    knocks : float64[counts]
        For each count the chance that an opponent's threshold allows a knock with it.
    starts, counts, points : int64[B + 1], int16[R] and int32[R, N]
        Of the traces.
    least : int64[5]
        To work in.
    totals : float64[202]
        Added to, as jumps from one threshold to the next, in twelfths.
    """
    never = knocks.shape[0] - 1
    for block in range(starts.shape[0] - 1):
        for seat in range(players):
            least[seat] = never  # a count that nobody holds, with a chance of 0
        low = MOST_THRESHOLD + 1
        nobody = 1.0  # the chance that no opponent has knocked,
        paid = 0.0  # and what the seat got where one has, times its chance
        seat = 0
        last = starts[block + 1] - 1
        for row in range(starts[block], last):
            count = counts[row]
            if seat == focal:
                if count < low:
                    worth = paid + nobody * points[row, focal]
                    totals[count] += worth
                    totals[low] -= worth
                    low = count
            elif count < least[seat]:
                before, now = 1.0 - knocks[least[seat]], 1.0 - knocks[count]
                paid += nobody * (before - now) / before * points[row, focal]
                nobody *= now / before
                least[seat] = count
                if nobody < _NOBODY:
                    nobody = 0.0
                    break
            seat += 1
            if seat == players:
                seat = 0
        paid += nobody * points[last, focal]
        totals[0] += paid
        totals[low] -= paid
