"""Tables for jokers over the patterns of one suit, made from the rules: what one or two jokers in its runs leave.

A run of which jokers are a part sets its natural cards aside, whatever the jokers stand for: another card of the
suit, be it held or not.  So a suit with one joker in its runs counts what the best such run leaves, and a suit with
two of them what the best run with two leaves, or the best two runs with one each.
"""

from __future__ import annotations

import functools
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rumsim.engine.tables import BIAS, LOOSE, NO_CARD, PATTERNS

# One array of uint32 for all that the engine knows of jokers: places in it.
VALUE = 0  # a joker's points as deadwood
# By the suits held of a rank, as four bits: how many ways there are to put a set with one joker (or two) together,
# and for each the suits that go into it.
ONE_WAYS, TWO_WAYS = 1, 17
ONE_SETS, TWO_SETS = 33, 193
SET_PLACES = 10
# By the pattern of a suit: points outside runs with one joker (or two) in them; the two best cards to give back, as
# keys of the change of points, dearness and rank.
ONE_LOOSE = 353
ONE_BEST, ONE_SECOND = ONE_LOOSE + PATTERNS, ONE_LOOSE + 2 * PATTERNS
TWO_LOOSE = ONE_LOOSE + 3 * PATTERNS
TWO_BEST, TWO_SECOND = TWO_LOOSE + PATTERNS, TWO_LOOSE + 2 * PATTERNS
PLACES = TWO_LOOSE + 3 * PATTERNS

IMPOSSIBLE = 1 << 12  # points where no run can hold so many jokers: more than any hand's

_ACE = 1 << 13  # the ace above the king, in a pattern of fourteen places


@functools.cache
def joker_table(ace: str, min_naturals: int, value: int) -> npt.NDArray[np.uint32]:
    """Return what the engine needs to know of jokers, uint32[PLACES]; kept for good, as kernels know its address.

    Examples
    --------
    >>> int(joker_table("low", 1, 15)[VALUE])
    15
    """
    table = np.zeros(PLACES, np.uint32)
    table[VALUE] = value
    for held in range(16):
        suits = [suit for suit in range(4) if held >> suit & 1]
        for jokers, ways_at, sets_at in ((1, ONE_WAYS, ONE_SETS), (2, TWO_WAYS, TWO_SETS)):
            sizes = range(max(min_naturals, 3 - jokers), 4 - jokers + 1)
            ways = [sum(1 << suit for suit in some) for size in sizes for some in combinations(suits, size)]
            table[ways_at + held] = len(ways)
            table[sets_at + SET_PLACES * held :][: len(ways)] = ways
    none = LOOSE[PATTERNS:] if ace == "high-or-low" else LOOSE[:PATTERNS]
    one = _with_a_run(none.astype(np.int64), _naturals(ace, min_naturals, 1))
    two = np.minimum(
        _with_a_run(none.astype(np.int64), _naturals(ace, min_naturals, 2)),
        _with_a_run(one, _naturals(ace, min_naturals, 1)),
    )
    for loose, at in ((one, ONE_LOOSE), (two, TWO_LOOSE)):
        table[at : at + PATTERNS] = loose
        best, second = _discards(loose)
        table[at + PATTERNS : at + 2 * PATTERNS] = best
        table[at + 2 * PATTERNS : at + 3 * PATTERNS] = second
    return table


def _naturals(ace: str, min_naturals: int, jokers: int) -> list[int]:
    """Return the natural cards, as patterns, of every run of one suit with so many jokers."""
    top = 14 if ace == "high-or-low" else 13
    found = set()
    for first in range(top):
        for size in range(max(3, min_naturals + jokers), min(top - first, 13) + 1):
            places = range(first, first + size)
            for stand_ins in combinations(places, jokers):
                found.add(sum(1 << place for place in places if place not in stand_ins))
    # The ace has one card, however high it lies.
    return sorted({run & ~_ACE | (1 if run & _ACE else 0) for run in found})


def _with_a_run(loose: npt.NDArray[np.int64], runs: list[int]) -> npt.NDArray[np.int64]:
    """Return, by pattern, the least points outside one of these runs and what ``loose`` says of the other cards."""
    pattern = np.arange(PATTERNS)
    best = np.full(PATTERNS, IMPOSSIBLE)
    for run in runs:
        held = pattern[pattern & run == run]
        best[held] = np.minimum(best[held], loose[held & ~run])
    return best


def _discards(loose: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the two best keys of every pattern: change of points, then dearest, then lowest rank."""
    pattern, rank = np.arange(PATTERNS)[:, None], np.arange(13)
    left = loose[pattern & ~(1 << rank)]
    change = left - loose[:, None] + BIAS
    possible = (pattern >> rank & 1 == 1) & (left < IMPOSSIBLE)
    if change[possible].min() < 0:
        raise AssertionError("a change of points does not fit its bits")
    keys = np.where(possible, change << 16 | (9 - np.minimum(rank, 9)) << 8 | rank, NO_CARD)
    keys = np.sort(keys, axis=1)
    return keys[:, 0], keys[:, 1]
