"""Whole traces, for knock rules of any shape: schedules by seat and own turn, known only after the deck was played."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots import ThresholdBot
from rumsim.bots.threshold import NEVER
from rumsim.engine.requests import MOST_PLAYERS, Game, Seating, Traces, game_of, new_room
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
    fit_for_traces(rules, tuple(bot for table in tables for bot in table))
    seating = seating_of_tables([[replace(bot, knock=((NEVER,),)) for bot in table] for table in tables], rules)
    game = game_of(rules, len(tables[0])), seating, np.uint64(decks.key_of(seed))
    step = -(-(last - first) // jobs) if last > first else 1
    ranges = [(start, min(start + step, last)) for start in range(first, last, step)] or [(first, last)]

    def traced(one: tuple[int, int]) -> list[Traces]:
        here = which[one[0] - first : one[1] - first] if len(which) > 1 else which
        return _traced(game, rules.max_turns, here, *one)

    # The first by itself: two threads that compile the same would be in each other's way.
    found = [traced(ranges[0])]
    if len(ranges) > 1:
        with ThreadPoolExecutor(jobs) as threads:
            found += threads.map(traced, ranges[1:])
    return _joined([part for parts in found for part in parts])


def _traced(table: tuple[Game, Seating, np.uint64], turns: int, which: Integers, first: int, last: int) -> list[Traces]:
    """Trace a range of blocks, as many at a time as have room."""
    from rumsim.engine.trace import trace_blocks

    game, seating, key = table
    players, begin = game.players, first
    room, log = new_room(), np.zeros((turns, 1), np.int64)
    points, wins = np.zeros((2, MOST_PLAYERS), np.int64)
    parts: list[Traces] = []
    while first < last or not parts:
        blocks, rows = last - first, min(max(_ROWS, turns + 1), (last - first) * (turns + 1))
        found = Traces(
            np.zeros(blocks + 1, np.int64),
            np.zeros(rows, np.int16),
            np.zeros((rows, players), np.int32),
            np.zeros((rows, players), np.int16),
        )
        here = which[first - begin :] if len(which) > 1 else which
        done = trace_blocks(game, seating, here, key, first, blocks, room, log, points, wins, found)
        used = found.starts[done]
        kept = (array[:used].copy() for array in (found.counts, found.points, found.wins))  # not all of the room
        parts.append(Traces(found.starts[: done + 1], *kept))  # type: ignore[arg-type]
        first += done
    return parts


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
