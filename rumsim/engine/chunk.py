"""A chunk of deals: put down as they end, then settled and added up together.

One deal's books cost as much time as two of its turns, full of branches; those of a chunk are columns of whole
numbers, which the processor's vector instructions take several at a time.  That needs addresses a compiler can tell
apart, therefore each kind of chunk is one flat array of columns of ``CHUNK`` places.
"""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined, outlined
from rumsim.engine.requests import CHUNK, MOST_PLAYERS, RUM, TIED, UNDERCUT
from rumsim.engine.settle import settled

# How deals ended: columns for each rotation, the counts by seat and then the knocker.
_KNOCKER = MOST_PLAYERS
_COLUMNS = MOST_PLAYERS + 1
_C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8, _C9 = (np.uint64(CHUNK * column) for column in range(1, 10))

# A book holds totals of blocks: points and wins of each bot asked about, then of each seat.
# (Not plain numbers: of a function that is given those numba makes a version for each.)
_POINTS, _WINS, _SEAT_POINTS, _SEAT_WINS = (np.int64(MOST_PLAYERS * part) for part in range(4))


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


@outlined
def _add(sheet, column, rows, book, place):
    """Add a column of the sheet to one of the book."""
    to, column = np.uint64(place * CHUNK), np.uint64(column * CHUNK)
    for row in range(rows):
        n = np.uint64(row)
        book[to + n] += sheet[column + n]


@outlined
def _total(book, place, rows):
    total = 0
    for row in range(rows):
        total += book[place * CHUNK + row]
    return total


@outlined
def _product(book, one, other, rows):
    total = 0
    for row in range(rows):
        total += book[one * CHUNK + row] * book[other * CHUNK + row]
    return total


@outlined
def _total_up(book, first_place, rows, totals, squares):
    """Add columns of the book, as many as there are totals, to their totals and sums of squares."""
    for place in range(totals.shape[0]):
        totals[place] += _total(book, first_place + place, rows)
        squares[place] += _product(book, first_place + place, first_place + place, rows)


@outlined
def _copy(book, first_place, rows, first, to):
    for row in range(rows):
        for place in range(to.shape[1]):
            to[first + row, place] = book[(first_place + place) * CHUNK + row]


@outlined
def add_up(room, rows, game, entry, first, by_block, totals):
    """Settle a chunk, add it to the totals, and fill its rows if there are any.

    Parameters
    ----------
    room : Room
        How its deals ended, and room to work in.
    rows : int64
        Blocks in the chunk.
    game : Game
        The table.
    entry : int64[25]
        For each rotation and seat, which of the bots asked about sits there.
    first : int64
        The row of its first block.
    by_block : Rows
        Filled, unless it has no rows.
    totals : Totals
        Added to.
    """
    ended, sheet, book = room.ended, room.sheet, room.book
    for n in range(book.size):
        book[n] = 0
    for rotation in range(game.players):
        rums, undercuts, ties = _settle_rotation(ended, rotation, rows, game, sheet)
        totals.ends[RUM] += rums
        totals.ends[UNDERCUT] += undercuts
        totals.ends[TIED] += ties
        for seat in range(game.players):
            place = entry[rotation * MOST_PLAYERS + seat]
            _add(sheet, seat, rows, book, place)
            _add(sheet, MOST_PLAYERS + seat, rows, book, _WINS + place)
            _add(sheet, seat, rows, book, _SEAT_POINTS + seat)
            _add(sheet, MOST_PLAYERS + seat, rows, book, _SEAT_WINS + seat)
    entries = totals.points.shape[0]
    for one in range(entries):
        totals.points[one] += _total(book, one, rows)
        for other in range(entries):
            totals.points_products[one, other] += _product(book, one, other, rows)
    _total_up(book, _WINS, rows, totals.wins, totals.wins_squares)
    _total_up(book, _SEAT_POINTS, rows, totals.seat_points, totals.seat_squares)
    _total_up(book, _SEAT_WINS, rows, totals.seat_wins, totals.seat_wins_squares)
    if by_block.points.shape[0] > 0:
        _copy(book, _POINTS, rows, first, by_block.points)
        _copy(book, _WINS, rows, first, by_block.wins)
        _copy(book, _SEAT_POINTS, rows, first, by_block.seat_points)
        _copy(book, _SEAT_WINS, rows, first, by_block.seat_wins)
