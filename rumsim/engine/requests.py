"""What kernels are given and what they fill: few things, with names.

Python validates, makes these and allocates the arrays; kernels assume that all is valid.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.melding import Jokers, base_of, jokers_of
from rumsim.rules import Rules

MOST_PLAYERS = 5
TWELFTHS = 12  # at most four share a payment, so every amount is a multiple of 1/12 point
PARTS = 1 << 16  # of a twelfth, where chances are weighed: whole numbers add up to the same in any order
SIXTIETHS = 60  # at most five share a deal, so every win share is a multiple of 1/60

# How a deal ended, and what became of the knocker: places in the array ``ends``.
KNOCK, RUM, UNDERCUT, TIED, EXHAUSTED, STALLED = range(6)
ENDS = ("knock", "rum", "undercut", "tied", "exhausted", "stalled")
COMPARED, VOID = -1, -2  # instead of a knocker's seat: hands are compared, or nobody receives anything
FAILED = -1  # a person's own bot gave no legal answer: the deal has no end

# How a seat draws.
STOCK, MELD, IMPROVE, ALWAYS = range(4)
DRAWS = ("stock", "meld", "improve", "always")
OWN = -1  # as a bot of people's own says

# The histograms at the knock: counts 0 to 259 and own turns 1 to 63; the last place holds all beyond.
COUNT_PLACES, TURN_PLACES = 261, 64

# What the log of a deal holds for each turn: places in a row.  A log of one column holds counts only.
LOG_COUNT, LOG_SEAT, LOG_TAKEN, LOG_CARD, LOG_DISCARD, LOG_RENEWED, LOG_WIDTH = range(7)

RENEWED = 64  # the place of a renewed stock's first card, beyond any deck
VACANT = 1 << 20  # stands for the count of a seat where nobody sits: never the lowest
CHUNK = 128  # blocks that are settled together

MOST_THRESHOLD = 200


class Game(NamedTuple):
    """The rules at one table, as numbers."""

    players: int
    size: int
    deck: int
    base: Any  # uint64: where the tables for this ace begin
    jokers: Jokers | None
    compare: bool
    tie_pays: int
    undercut: int
    rum_bonus: int
    max_turns: int


class Seating(NamedTuple):
    """The bots: for each rotation and seat, the one that sits there, at 5 times the rotation plus the seat.

    ``draw`` int64[25] and ``margin`` int64[25] are how it draws; ``knock`` int16[25, turns] the highest count to knock
    with on each own turn, the last for all later ones, the rules' limit already applied, -1 for never; ``entry``
    int64[25] which of the bots asked about it is.

    ``draw`` is OWN for people's own bots.  ``door`` int64[…] is what :mod:`rumsim.engine.door` asks them with; without
    such bots it is empty.
    """

    draw: npt.NDArray[np.int64]
    margin: npt.NDArray[np.int64]
    knock: npt.NDArray[np.int16]
    entry: npt.NDArray[np.int64]
    door: npt.NDArray[np.int64]


class Rows(NamedTuple):
    """What a kernel fills block by block, if it is wanted; E bots were asked about, N players sit at the table.

    ``points`` int64[B, E] and ``wins`` int64[B, E] are totals of a block over all its deals and all players with a
    bot, in twelfths and sixtieths; ``seat_points`` and ``seat_wins`` int64[B, N] the same by seat.
    """

    points: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    seat_points: npt.NDArray[np.int64]
    seat_wins: npt.NDArray[np.int64]


class Totals(NamedTuple):
    """What a kernel adds up over blocks.

    ``points`` int64[E] and ``points_products`` int64[E, E] are sums of the columns of :class:`Rows` and of their
    products, ``wins`` and ``wins_squares`` int64[E] those of the columns and their squares; so too by seat.  ``ends``
    int64[6] counts deals by how they ended, ``turns`` int64[1] table turns, ``knock_counts`` and ``knock_turns``
    int64[E, …] the knocks of each bot by the count and by the own turn.
    """

    points: npt.NDArray[np.int64]
    points_products: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    wins_squares: npt.NDArray[np.int64]
    seat_points: npt.NDArray[np.int64]
    seat_squares: npt.NDArray[np.int64]
    seat_wins: npt.NDArray[np.int64]
    seat_wins_squares: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    knock_counts: npt.NDArray[np.int64]
    knock_turns: npt.NDArray[np.int64]


def empty_rows(blocks: int, entries: int, players: int) -> Rows:
    """Return rows for a kernel to fill.

    Examples
    --------
    >>> empty_rows(10, 2, 3).seat_points.shape
    (10, 3)
    """
    return Rows(*(np.zeros((blocks, columns), np.int64) for columns in (entries, entries, players, players)))


def empty_totals(entries: int, players: int) -> Totals:
    """Return zeros for a kernel to add to.

    Examples
    --------
    >>> empty_totals(2, 3).points_products.shape
    (2, 2)
    """
    shapes: tuple[tuple[int, ...], ...] = (
        *((entries,), (entries, entries), (entries,), (entries,), (players,), (players,), (players,), (players,)),
        *((len(ENDS),), (1,), (entries, COUNT_PLACES), (entries, TURN_PLACES)),
    )
    return Totals(*(np.zeros(shape, np.int64) for shape in shapes))


class Room(NamedTuple):
    """What kernels work in: arrays that are theirs while they run.

    Made by Python, since each shape that a kernel allocates takes a tenth of a second to compile.  ``state`` is the
    generator's; ``cards`` holds a deck, and a renewed stock in its second half; ``dealt``, ``dealt_counts``, ``hands``
    and ``counts`` are by seat; ``ended``, ``sheet`` and ``book`` are columns of ``CHUNK`` places, see
    :mod:`rumsim.engine.chunk`.
    """

    state: npt.NDArray[np.uint64]
    cards: npt.NDArray[np.uint8]
    dealt: npt.NDArray[np.uint64]
    dealt_counts: npt.NDArray[np.int64]
    hands: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    ended: npt.NDArray[np.int64]
    sheet: npt.NDArray[np.int64]
    book: npt.NDArray[np.int64]


def new_room() -> Room:
    """Return room for one kernel at a time.

    Examples
    --------
    >>> new_room().cards.size
    128
    """
    return Room(
        state=np.zeros(4, np.uint64),
        cards=np.zeros(2 * RENEWED, np.uint8),
        dealt=np.zeros(MOST_PLAYERS, np.uint64),
        dealt_counts=np.zeros(MOST_PLAYERS, np.int64),
        hands=np.zeros(MOST_PLAYERS, np.uint64),
        counts=np.zeros(MOST_PLAYERS, np.int64),
        ended=np.full(MOST_PLAYERS * (MOST_PLAYERS + 1) * CHUNK, VACANT, np.int64),
        sheet=np.zeros(2 * MOST_PLAYERS * CHUNK, np.int64),
        book=np.zeros(4 * MOST_PLAYERS * CHUNK, np.int64),
    )


def no_log() -> npt.NDArray[np.int64]:
    """Return a log without rows, for deals of which only the end is wanted.

    Examples
    --------
    >>> no_log().shape
    (0, 6)
    """
    return np.zeros((0, LOG_WIDTH), np.int64)


def game_of(rules: Rules, players: int) -> Game:
    """Return the rules at a table of that many players, as numbers.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> game_of(parse_rules("ledger"), 2).size
    10
    """
    return Game(
        players=players,
        size=rules.size_for(players),
        deck=rules.deck_size,
        base=base_of(rules),
        jokers=jokers_of(rules),
        compare=rules.stock == "compare",
        tie_pays=rules.undercut if rules.tie == "penalty" else 0,
        undercut=rules.undercut,
        rum_bonus=rules.rum_bonus,
        max_turns=rules.max_turns,
    )


class Traces(NamedTuple):
    """Traces of B blocks for N players, R rows in all: a row a turn, and one for the end if nobody knocks.

    The rows of block ``b`` are those from ``starts[b]`` to ``starts[b + 1] - 1``, ``starts`` int64[B + 1]; the turn of
    the i-th is that of seat i mod N, its own turn i div N, from 0.  ``counts`` int16[R] is the mover's count after the
    discard, -1 in the last row; ``points`` int32[R, N] and ``wins`` int16[R, N] are what each seat gets if the mover
    knocks there, in twelfths and sixtieths; in the last row, what it gets if nobody ever does.
    """

    starts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int16]
    points: npt.NDArray[np.int32]
    wins: npt.NDArray[np.int16]
