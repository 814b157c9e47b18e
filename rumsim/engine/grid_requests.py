"""What the kernel of a grid is given and fills."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.bounds import most_points
from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, SIXTIETHS, VACANT, Game

# Records lie in columns of so many places: for five traces, each seat's new lows from the highest threshold down, and
# the end.  The first five columns are the counts by seat, then come who moved, its count, and the table turn.
RECORDS = MOST_PLAYERS * (MOST_PLAYERS * (MOST_THRESHOLD + 1) + 1) + 2
# What they are worth lies in columns by seat, and two more: how the deal ends, and the table turn.
MOVER, RECORD, TURN, RECORD_COLUMNS = 5, 6, 7, 8
ENDS_WORTH, TURNS_WORTH, WORTH_COLUMNS = 5, 6, 7

# Steps, the counts of records and one below all, lie in columns of so many places: a multiple of 8, as vectors take
# them, though not of 64, as columns would fall on each other in the cache.
STEPS = 1 + (MOST_THRESHOLD + 1) + 14
FIRST, OWN, OTHERS = (MOST_PLAYERS * part for part in range(3))  # columns by seat
FIRST_KEPT, TOTAL = (MOST_PLAYERS * part for part in (3, 6))  # the three once more; and all seats together
STEP_COLUMNS = TOTAL + 1
OLD, STEP_UP, SUM_COLUMNS = range(0, 6, 2)  # pairs of columns

WINS_BITS = 10  # points and wins of a seat in one number: wins of five seats come to 300 sixtieths
DECKS = 64  # that are played before they are added up, so that the tables of melds stay near
ENDS_BITS = 20  # for each way to end a deal, where a number holds several
ENDS_MASK = (1 << ENDS_BITS) - 1

# Two sums share a number: squares of points above wins, and points above squares of wins.
ABOVE_WINS, ABOVE_SQUARES = 21, 32


class Ladder(NamedTuple):
    """The thresholds of a grid.

    ``row_of[count]`` int16 is how many own thresholds are below a count, ``column_of[count]`` how many of the
    opponents'; ``rows`` and ``columns`` how many there are, ``most`` the highest of all.  ``traces`` is 1 where the
    focal bot draws and discards as its opponents do, else the number of players: a trace for each seat that it can
    have.
    """

    row_of: npt.NDArray[np.int16]
    column_of: npt.NDArray[np.int16]
    rows: int
    columns: int
    most: int
    traces: int


class Desk(NamedTuple):
    """What the kernel of a grid works in.

    ``log`` int64[…, 1] takes the counts of traces, and ``tapes`` int64[3, …] where each begins, its turns and its end.
    ``records`` int64 and ``worth`` int32 are columns of ``RECORDS`` places: a trace's records, and what each is worth
    to every focal seat, or says of how the deal ends.  ``steps`` int32 and ``sums`` int64 are columns of ``STEPS``
    places, ``row_at`` and ``column_at`` int64[STEPS] where a step lies in the grid, ``step_of`` uint64[…] is a count's
    step.  ``bits`` uint64[…] is a set of counts; ``counts`` and ``lows`` int64[5] are by seat, ``starts`` int64[6] by
    trace.
    """

    log: npt.NDArray[np.int64]
    tapes: npt.NDArray[np.int64]
    records: npt.NDArray[np.int64]
    worth: npt.NDArray[np.int32]
    steps: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int64]
    row_at: npt.NDArray[np.int64]
    column_at: npt.NDArray[np.int64]
    step_of: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    lows: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


class GridSheet(NamedTuple):
    """What the kernel of a grid adds to, as jumps from cell to cell: :func:`sums_in` makes sums of them.

    ``points`` int64[columns · (rows + 1) · 4] are the block totals in twelfths, their squares, and the same of wins in
    sixtieths.  ``cells`` int64[planes · columns · (rows + 1) · 2] are first the same of up to ``every`` blocks, packed
    into two numbers; then, if they are asked for, how deals ended, in two numbers, and table turns beside nothing.
    """

    points: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]
    every: int


TOP_COUNT = 512  # above any count


def ladder_of(rows: npt.ArrayLike, columns: npt.ArrayLike, traces: int) -> Ladder:
    """Return the thresholds of a grid, own and opponents', each in ascending order, as kernels look them up.

    Examples
    --------
    >>> ladder_of([0, 10], [5], 1).row_of[[0, 1, 10, 11]]
    array([0, 1, 1, 2], dtype=int16)
    """
    counts = np.arange(TOP_COUNT)
    own, others = np.asarray(rows), np.asarray(columns)
    return Ladder(
        np.searchsorted(own, counts, side="left").astype(np.int16),
        np.searchsorted(others, counts, side="left").astype(np.int16),
        *(len(own), len(others), int(max(own[-1], others[-1])), traces),
    )


def new_desk(ladder: Ladder, game: Game) -> Desk:
    """Return what the kernel of a grid works in.

    Examples
    --------
    >>> from rumsim.engine.requests import game_of
    >>> from rumsim.rules import parse_rules
    >>> new_desk(ladder_of([0, 10], [5], 1), game_of(parse_rules("ledger"), 3)).lows.size
    5
    """
    longest = ladder.traces * (game.players + game.max_turns)
    return Desk(
        log=np.zeros((longest + DECKS * ladder.traces * 64, 1), np.int64),
        tapes=np.zeros((3, DECKS * MOST_PLAYERS), np.int64),
        records=np.full(RECORD_COLUMNS * RECORDS, VACANT, np.int64),
        worth=np.zeros(WORTH_COLUMNS * RECORDS, np.int32),
        steps=np.zeros(STEP_COLUMNS * STEPS, np.int32),
        sums=np.zeros(SUM_COLUMNS * STEPS, np.int64),
        row_at=np.zeros(STEPS, np.int64),
        column_at=np.zeros(STEPS, np.int64),
        step_of=np.zeros(TOP_COUNT, np.uint64),
        bits=np.zeros(TOP_COUNT // 64, np.uint64),
        counts=np.full(MOST_PLAYERS, VACANT, np.int64),
        lows=np.zeros(MOST_PLAYERS, np.int64),
        starts=np.zeros(MOST_PLAYERS + 1, np.int64),
    )


def empty_sheet(ladder: Ladder, game: Game, ends: bool) -> GridSheet:
    """Return zeros for the kernel of a grid to add to.

    Examples
    --------
    >>> from rumsim.engine.requests import game_of
    >>> from rumsim.rules import parse_rules
    >>> empty_sheet(ladder_of([0, 10], [5], 1), game_of(parse_rules("ledger"), 5), ends=False).every
    1747
    """
    size = ladder.columns * (ladder.rows + 1)
    return GridSheet(
        np.zeros(4 * size, np.int64),
        np.zeros((6 if ends else 2) * size, np.int64),
        most_packed(game),
    )


def most_packed(game: Game) -> int:
    """Return of how many blocks a packed sheet can hold the jumps.

    A jump is by how much a difference of two cells differs from that of two others: four numbers at most.  Points may
    have either sign, so it is up to four times the largest; wins and squares have one, so it is up to twice.  A field
    of n bits with a sign holds less than half of 2^n: hence four times the largest in what follows.
    """
    points, wins = most_points(game) * game.players, SIXTIETHS * game.players
    if points >> 31 - WINS_BITS:
        raise AssertionError("the points of a block do not fit beside its wins")
    return min(
        (1 << 63 - ABOVE_WINS) // (4 * points**2),
        (1 << ABOVE_WINS) // (4 * wins),
        (1 << 63 - ABOVE_SQUARES) // (4 * points),
        (1 << ABOVE_SQUARES) // (4 * wins**2),
    )


def sums_in(jumps: npt.NDArray[np.int64], ladder: Ladder) -> npt.NDArray[np.int64]:
    """Return the sums of each cell, int64[sums, columns, rows], from the jumps between cells.

    Examples
    --------
    >>> jumps = np.zeros(2 * 3 * 4, np.int64)
    >>> jumps[4 * 4] = 7  # in the second column, the second row: so in all rows from there, and in lower columns
    >>> sums_in(jumps, ladder_of([0, 10], [5, 6], 1))[0]
    array([[0, 7],
           [0, 7]])
    """
    cells = jumps.reshape(ladder.columns, ladder.rows + 1, -1)[:, : ladder.rows]
    sums = cells[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)
    return np.moveaxis(sums, 2, 0)
