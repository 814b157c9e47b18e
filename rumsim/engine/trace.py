"""Whole traces: every turn of deals that nobody ends, and what each seat gets if its mover knocks there."""

from __future__ import annotations

import numpy as np

from rumsim.engine.deal import deal_out_apart, opening, play_on_apart
from rumsim.engine.jit import kernel
from rumsim.engine.requests import COMPARED, EXHAUSTED, LOG_COUNT, MOST_PLAYERS, STALLED, VOID
from rumsim.engine.settle import settle

_AT_ONCE = 8  # turns between two looks whether a trace may stop


@kernel
def trace_blocks(game, seating, least, tables, key, first, blocks, room, log, points, wins, traces):
    """Fill traces until all blocks are done, or there is no room for one more of the longest.

    A trace stops where two seats have reached counts with which they knock for certain: whichever seat is studied, some
    other has ended the deal by then.

    Parameters
    ----------
    game, seating : Game, Seating
        The rules; and how seats draw, none of whom ever knocks, in tables of five rows.
    least : int16[5, turns]
        By seat and own turn, the last for all later ones, a count with which the seat knocks for certain; -1 for none.
    tables : int64[1] or int64[B]
        Which of these tables plays, for all blocks or for each.
    key : uint64
        Of the decks.
    first, blocks : int64
        The first block, and how many.
    room : Room
        To work in.
    log : int64[max_turns, 1]
        To work in.
    points, wins : int64[5]
        To work in.
    traces : Traces
        Filled.

    Returns
    -------
    int64
        How many blocks were traced.
    """
    players = game.players
    counts = room.dealt_counts
    last = least.shape[1] - 1
    row = 0
    traces.starts[0] = 0
    for number in range(blocks):
        if row + log.shape[0] + 1 > traces.counts.shape[0]:
            return number
        block = np.uint64(first + number)
        ready = deal_out_apart(game, key, block, room, room.dealt, counts)
        for seat in range(MOST_PLAYERS):
            room.hands[seat] = room.dealt[seat]
            room.counts[seat] = counts[seat]
        table = tables[number] if tables.shape[0] > 1 else tables[0]
        stage = opening(game, ready, room.cards)
        seat = own_turn = turns = 0
        one = -1  # a seat that knocks for certain
        stopped = False
        while True:
            upto = min(turns + _AT_ONCE, game.max_turns)
            end, _, stage = play_on_apart(
                game, seating, table, key, block, stage, upto, room, room.hands, room.counts, log
            )
            while turns < stage.turns and not stopped:
                if log[turns, LOG_COUNT] <= least[seat, min(own_turn, last)]:
                    stopped = one >= 0 and one != seat
                    one = seat
                turns += 1
                seat += 1
                if seat == players:
                    seat = 0
                    own_turn += 1
            if stopped or end != STALLED or turns >= game.max_turns:
                break
        seat = 0
        for turn in range(turns + 1):
            # After the last turn stands the end that comes if nobody knocks; nobody asks for it where a trace stops.
            if turn < turns:
                counts[seat] = log[turn, LOG_COUNT]
                settle(counts, seat, game, points, wins)
                traces.counts[row] = counts[seat]
            else:
                settle(counts, COMPARED if end == EXHAUSTED else VOID, game, points, wins)
                traces.counts[row] = -1
            for place in range(players):
                traces.points[row, place] = points[place]
                traces.wins[row, place] = wins[place]
            row += 1
            seat = seat + 1 if seat + 1 < players else 0
        traces.starts[number + 1] = row
    return blocks


@kernel
def cut(players, knock, starts, counts, rows):
    """Find where traces end under knock rules.

    Parameters
    ----------
    players : int64
        At the table.
    knock : int16[5, turns]
        The highest count to knock with, by seat and own turn; the last for all later ones, -1 for never.
    starts, counts : int64[B + 1] and int16[R]
        Of the traces.
    rows : int64[B]
        Filled: the row of the turn with the first knock, or the last row, where nobody did.
    """
    last = knock.shape[1] - 1
    for number in range(rows.shape[0]):
        seat = own_turn = 0
        row = starts[number]
        while row < starts[number + 1] - 1 and counts[row] > knock[seat, min(own_turn, last)]:
            row += 1
            seat += 1
            if seat == players:
                seat = 0
                own_turn += 1
        rows[number] = row
