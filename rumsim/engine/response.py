"""Where opponents end traces, and what constant thresholds and schedules get there."""

from __future__ import annotations

import numpy as np

from rumsim import decks
from rumsim.engine.jit import kernel
from rumsim.engine.requests import MOST_THRESHOLD
from rumsim.engine.shuffle import first_word, start

_OPPONENTS = np.uint64(decks.OPPONENTS)


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
