"""A chunk of deals: put down as they end, then settled and added up together.

One deal's books cost as much time as two of its turns, full of branches; those of a chunk are columns of whole
numbers, which the processor's vector instructions take several at a time.  That needs addresses a compiler can tell
apart, therefore each kind of chunk is one flat array of columns of ``CHUNK`` places.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined, outlined
from rumsim.engine.requests import MOST_PLAYERS, RUM, TIED, UNDERCUT
from rumsim.engine.settle import VACANT, settled

CHUNK = 128  # blocks

# How deals ended: columns for each rotation, the counts by seat and then the knocker.
_KNOCKER = MOST_PLAYERS
_COLUMNS = MOST_PLAYERS + 1
_C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9 = (np.uint64(CHUNK * column) for column in range(1, 10))


@inlined
def new_ended(players):
    """Return room for how the deals of a chunk ended."""
    return np.full(players * _COLUMNS * CHUNK, VACANT, np.int64)


@inlined
def new_sheet():
    """Return room for what a chunk of one rotation is worth: points by seat, then wins by seat."""
    return np.empty(2 * MOST_PLAYERS * CHUNK, np.int64)


@inlined
def put_down(ended, rotation, row, players, counts, knocker):
    """Put down how a deal ended."""
    at = rotation * _COLUMNS * CHUNK + row
    for seat in range(players):
        ended[at + seat * CHUNK] = counts[seat]
    ended[at + _KNOCKER * CHUNK] = knocker


@inlined
def _settle_rotation(ended, rotation, rows, game, sheet):
    """Fill the sheet for one rotation; return how many deals were rum, undercut and tied."""
    rums = undercuts = ties = 0
    at = np.uint64(rotation * _COLUMNS * CHUNK)
    for row in range(rows):
        to = np.uint64(row)
        n = at + to
        counts = (ended[n], ended[n + _C1], ended[n + _C2], ended[n + _C3], ended[n + _C4])
        points, wins, (rum, undercut, tied) = settled(counts, ended[n + _C5], game)
        sheet[to], sheet[to + _C1], sheet[to + _C2], sheet[to + _C3], sheet[to + _C4] = points
        sheet[to + _C5], sheet[to + _C6], sheet[to + _C7], sheet[to + _C8], sheet[to + _C9] = wins
        rums += rum
        undercuts += undercut
        ties += tied
    return rums, undercuts, ties


@inlined
def _add(sheet, column, rows, out, first, place):
    for row in range(rows):
        out[first + row, place] += sheet[column * CHUNK + row]


@outlined
def add_up(ended, rows, game, entry, sheet, first, out):
    """Settle a chunk and add it to the blocks from ``first`` on.

    Parameters
    ----------
    ended : int64[…]
        How its deals ended.
    rows : int64
        Blocks in the chunk.
    game : Game
        The table.
    entry : int64[25]
        For each rotation and seat, which of the bots asked about sits there.
    sheet : int64[…]
        Room to work in.
    first : int64
        The row of its first block.
    out : Blocks
        Added to.
    """
    for rotation in range(game.players):
        rums, undercuts, ties = _settle_rotation(ended, rotation, rows, game, sheet)
        out.ends[RUM] += rums
        out.ends[UNDERCUT] += undercuts
        out.ends[TIED] += ties
        for seat in range(game.players):
            place = entry[rotation * MOST_PLAYERS + seat]
            _add(sheet, seat, rows, out.points, first, place)
            _add(sheet, MOST_PLAYERS + seat, rows, out.wins, first, place)
            _add(sheet, seat, rows, out.seat_points, first, seat)
            _add(sheet, MOST_PLAYERS + seat, rows, out.seat_wins, first, seat)
