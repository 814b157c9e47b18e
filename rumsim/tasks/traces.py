"""Whole traces, for knock rules of any shape: schedules by seat and own turn, known only after the deck was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots import ThresholdBot
from rumsim.bots.threshold import NEVER
from rumsim.engine.requests import MOST_PLAYERS, Traces, game_of, new_room
from rumsim.rules import Rules
from rumsim.tasks.seating import seating_of_tables
from rumsim.tasks.sums import Integers
from rumsim.tasks.trace_grid import fit_for_traces

_ROWS = 1 << 18  # at a time


def trace(
    rules: Rules, bots: Sequence[ThresholdBot], seed: int, first: int, last: int, *, rotation: int = 0, jobs: int = 1
) -> Traces:
    """Play decks as if nobody knocked, and note what a knock on each turn would bring.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    bots : sequence of ThresholdBot
        How each player draws and discards; their thresholds do not matter.
    seed, first, last : int
        The decks: the blocks from ``first`` up to, not including, ``last``.
    rotation : int
        Player ``i`` sits in seat ``(i + rotation) mod N``.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    Traces
        By seat.

    Raises
    ------
    RequestError
        For bots or rules of which a trace does not tell.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> from rumsim.rules import parse_rules
    >>> traces = trace(parse_rules("ledger"), [parse_bot("knock=10")] * 3, seed=1, first=0, last=2)
    >>> len(traces.starts) - 1, traces.points.shape[1]
    (2, 3)
    """
    players = len(bots)
    seats = [bots[(seat - rotation) % players] for seat in range(players)]
    return trace_tables(rules, [seats], np.zeros(1, np.int64), seed, first, last, jobs)


def trace_tables(
    rules: Rules,
    tables: Sequence[Sequence[ThresholdBot]],
    which: Integers,
    seed: int,
    first: int,
    last: int,
    jobs: int = 1,
) -> Traces:
    """Play decks as :func:`trace` does, with other bots from block to block.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    tables : sequence of sequence of ThresholdBot
        How seats draw and discard, by seat.
    which : int64[1] or int64[last - first]
        The table for all blocks, or for each.
    seed, first, last : int
        The decks.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    Traces
        By seat.

    Raises
    ------
    RequestError
        For bots or rules of which a trace does not tell.
    """
    step = -(-(last - first) // jobs) if last > first else 1
    ranges = [(start, min(start + step, last)) for start in range(first, last, step)] or [(first, last)]

    def traced(one: tuple[int, int]) -> list[Traces]:
        here = which[one[0] - first : one[1] - first] if len(which) > 1 else which
        return [_copied(part) for _, part in pieces(rules, tables, here, seed, *one)]

    # The first by itself: two threads that compile the same would be in each other's way.
    found = [traced(ranges[0])]
    if len(ranges) > 1:
        with ThreadPoolExecutor(jobs) as threads:
            found += threads.map(traced, ranges[1:])
    return _joined([part for parts in found for part in parts])


def pieces(
    rules: Rules,
    tables: Sequence[Sequence[ThresholdBot]],
    which: Integers,
    seed: int,
    first: int,
    last: int,
    least: npt.NDArray[np.int16] | None = None,
) -> Iterator[tuple[int, Traces]]:
    """Trace a range of blocks piece by piece, in the same room.

    Parameters
    ----------
    rules, tables, which, seed, first, last
        As of :func:`trace_tables`.
    least : int16[5, turns], optional
        By seat and own turn, a count with which the seat knocks for certain, -1 for none: traces stop where two seats
        have reached theirs.

    Yields
    ------
    first, traces
        The first block of the piece, and its traces; they are gone with the next piece.

    Raises
    ------
    RequestError
        For bots or rules of which a trace does not tell.

    Notes
    -----
    The memory needed is that of a quarter of a million turns, or of the longest deal that the rules allow.
    """
    from rumsim.engine.trace import trace_blocks

    fit_for_traces(rules, tuple(bot for table in tables for bot in table))
    seating = seating_of_tables([[replace(bot, knock=((NEVER,),)) for bot in table] for table in tables], rules)
    game, key = game_of(rules, len(tables[0])), np.uint64(decks.key_of(seed))
    players, turns, begin = game.players, rules.max_turns, first
    certain = np.full((MOST_PLAYERS, 1), -1, np.int16) if least is None else least
    rows = min(max(_ROWS, turns + 1), max(1, last - first) * (turns + 1))
    room, log = new_room(), np.empty((turns, 1), np.int64)
    points, wins = np.zeros((2, MOST_PLAYERS), np.int64)
    # Not zeros: of the room for the longest deals hardly any is ever touched.
    columns = (
        np.empty(rows, np.int16),
        np.empty((rows, players), np.int32),
        np.empty((rows, players), np.int16),
    )
    starts = np.zeros(last - first + 1, np.int64)
    while first < last or first == begin:
        here = which[first - begin :] if len(which) > 1 else which
        found = Traces(starts, *columns)
        done = trace_blocks(*(game, seating, certain, here, key, first, last - first, room, log, points, wins, found))
        used = starts[done]
        yield first, Traces(starts[: done + 1], *(column[:used] for column in columns))  # type: ignore[arg-type]
        first += done
        if first == last:
            break


def _copied(part: Traces) -> Traces:
    return Traces._make(column.copy() for column in part)


def _joined(parts: list[Traces]) -> Traces:
    offsets = np.cumsum([0, *(part.starts[-1] for part in parts)])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    return Traces(
        np.concatenate([*starts, offsets[-1:]]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.wins for part in parts]),
    )


def ends_under(traces: Traces, knock: npt.ArrayLike, rules: Rules) -> Integers:
    """Return the row in which each trace ends under knock rules.

    Parameters
    ----------
    traces : Traces
        Of B blocks.
    knock : array_like of int, shape (N, turns)
        The highest count to knock with, by seat and own turn; the last for all later ones, -1 for never.
    rules : Rules
        Their knock limit is applied.

    Returns
    -------
    int64[B]
        Rows: of the turn with the first knock, or the last, where nobody did.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> from rumsim.rules import parse_rules
    >>> rules = parse_rules("ledger")
    >>> traces = trace(rules, [parse_bot("knock=10")] * 2, seed=1, first=0, last=3)
    >>> at = ends_under(traces, [[200], [200]], rules)  # whoever begins knocks
    >>> bool((at == traces.starts[:-1]).all())
    True
    """
    from rumsim.engine.trace import cut

    limit = 200 if rules.knock_limit is None else rules.knock_limit
    thresholds = np.minimum(np.asarray(knock), limit).astype(np.int16)
    rows = np.zeros(len(traces.starts) - 1, np.int64)
    cut(traces.points.shape[1], thresholds, traces.starts, traces.counts, rows)
    return rows
