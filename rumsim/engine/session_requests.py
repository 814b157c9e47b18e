"""What the kernel of sessions is given and what it fills, as :mod:`rumsim.engine.requests` has it for deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_PLAYERS, TWELFTHS, Seating
from rumsim.session_rules import FORMATS, Format

KINDS = tuple(FORMATS)
ROTATION, CUMULATIVE, MATCH, POOL = (KINDS.index(name) for name in ("rotation", "cumulative", "match", "pool"))

NO_CLOSER = -1  # in ``near``: the bot does not look at the ledger

Integers = npt.NDArray[np.int64]


class Plan(NamedTuple):
    """How a session ends: ``kind`` is a place in ``KINDS``, ``target`` counts twelfths of a point."""

    kind: int
    deals: int
    target: int
    rebuys: int
    max_deals: int


class Company(NamedTuple):
    """The bots, and the T tables at which they may sit: one for every set of players still in and every first to move.

    ``seating`` has a row of five seats for each table, and a spare one.  A set of players is a number with a bit for
    each.  ``left`` int64[160] is, at 5 times the set plus a player, the next one in at the left of that player, and
    ``table`` int64[160] the table at which that player moves first; ``who`` int64[5 T] is the player in each seat.

    ``near``, ``more`` and ``hope`` int64[N] are what :mod:`rumsim.bots.closer` has by these names, in points,
    ``NO_CLOSER`` for other bots; ``closers`` says if there is any.  ``limit`` is the highest count that may knock.
    """

    seating: Seating
    left: Integers
    table: Integers
    who: Integers
    near: Integers
    more: Integers
    hope: Integers
    closers: bool
    limit: int


class SessionRows(NamedTuple):
    """What became of sessions: of B blocks, N rotations and N players.

    ``ledger`` int64[B, N, N] are net points in twelfths and ``wins`` int64[B, N, N] sixtieths of the session won;
    ``entries`` int64[B, N, N] re-entries, ``out`` int64[B, N, N] the number of the deal, from 1, in which a player
    went out, 0 for who did not; ``deals`` int64[B, N] how many were played.
    """

    ledger: Integers
    wins: Integers
    entries: Integers
    out: Integers
    deals: Integers


class SessionDesk(NamedTuple):
    """What the kernel works in.

    For each rotation, at 5 times it plus the player: ``ledger``, ``wins``, ``entries`` and ``out`` int64[25] as in
    :class:`SessionRows`.  For each rotation: ``dealer`` int64[5] deals next, ``still`` int64[5] is the set of players
    who are in, ``many`` int64[5] how many these are, negative once the deal is played, 0 when the session is over.
    By seat: ``points`` and ``shares`` int64[5] of a deal; ``added`` and ``most`` int64[5] for a deal to come, what is
    added to a threshold, and what it then is at most.
    """

    ledger: Integers
    wins: Integers
    entries: Integers
    out: Integers
    dealer: Integers
    still: Integers
    many: Integers
    points: Integers
    shares: Integers
    added: Integers
    most: Integers


def plan_of(format: Format) -> Plan:
    """Return a format as numbers.

    Examples
    --------
    >>> plan_of(Format("match")).target
    2400
    """
    kind = KINDS.index(format.name)
    return Plan(kind, format.deals, TWELFTHS * format.target, format.rebuys, format.max_deals)


def tables(players: int) -> list[tuple[int, ...]]:
    """Return who sits at every table that players can form while some go out, in the order of moving.

    Examples
    --------
    >>> tables(3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    """
    found = []
    for still in sorted(range(1 << players), key=lambda still: (-still.bit_count(), still)):
        here = tuple(player for player in range(players) if still >> player & 1)
        if len(here) > 1:
            found += [here[at:] + here[:at] for at in range(len(here))]
    return found


def table_places(found: Sequence[tuple[int, ...]], players: int) -> tuple[Integers, Integers, Integers]:
    """Return ``left``, ``table`` and ``who`` of a :class:`Company`.

    Examples
    --------
    >>> left, table, who = table_places(tables(3), 3)
    >>> in_0_and_2 = 5 * 0b101
    >>> int(left[in_0_and_2 + 0]), int(left[in_0_and_2 + 1]), int(table[in_0_and_2 + 2])
    (2, 2, 6)
    """
    left, table = np.zeros((2, 1 << MOST_PLAYERS, MOST_PLAYERS), np.int64)
    who = np.zeros((len(found), MOST_PLAYERS), np.int64)
    for number, here in enumerate(found):
        still = sum(1 << player for player in here)
        table[still, here[0]] = number
        who[number, : len(here)] = here
        for player in range(players):
            circle = ((player + step) % players for step in range(1, players))
            left[still, player] = next(other for other in circle if other in here)
    return left.ravel(), table.ravel(), who.ravel()


def empty_sessions(blocks: int, players: int) -> SessionRows:
    """Return room for the kernel to fill.

    Examples
    --------
    >>> empty_sessions(10, 3).deals.shape
    (10, 3)
    """
    each = (blocks, players, players)
    return SessionRows(*(np.zeros(shape, np.int64) for shape in (each, each, each, each, (blocks, players))))


def new_session_desk() -> SessionDesk:
    """Return room for one kernel at a time.

    Examples
    --------
    >>> new_session_desk().ledger.size
    25
    """
    return SessionDesk(*(np.zeros(size, np.int64) for size in [MOST_PLAYERS * MOST_PLAYERS] * 4 + [MOST_PLAYERS] * 7))
