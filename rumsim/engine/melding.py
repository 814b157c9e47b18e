"""Minimum deadwood and the card to give back, of one hand: with jokers where the rules have them.

Rules without jokers bring ``jokers`` as None, a type of its own: kernels compiled for it hold nothing of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from rumsim.engine import hands
from rumsim.engine.hands import NOTHING
from rumsim.engine.jit import inlined
from rumsim.engine.joker_tables import joker_table
from rumsim.engine.tables import PATTERNS
from rumsim.rules import Rules

_52 = np.uint64(52)
_natural_count, _natural_discard, _natural_discard_without = hands.count, hands.discard, hands.discard_without

# What :mod:`rumsim.engine.jokers` offers by name: of a hand, the place of its ace's tables, the address of the jokers'
# table, and for a discard the card that may not go.
COUNT, DISCARD = "rumsim_count_with_jokers", "rumsim_discard_with_jokers"
COUNT_KIND: Any = types.uint64(types.uint64, types.uint64, types.int64)
DISCARD_KIND: Any = types.uint64(types.uint64, types.uint64, types.int64, types.uint64)
_count_with_jokers = types.ExternalFunction(COUNT, COUNT_KIND)
_discard_with_jokers = types.ExternalFunction(DISCARD, DISCARD_KIND)


class Jokers(NamedTuple):
    """What kernels know of jokers: the address of :func:`rumsim.engine.joker_tables.joker_table`, and their points."""

    table: int
    value: int


def base_of(rules: Rules) -> np.uint64:
    """Return where the tables for the ace of these rules begin.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> int(base_of(parse_rules("ledger:ace-high")))
    8192
    """
    return np.uint64(PATTERNS if rules.ace == "high-or-low" else 0)


def jokers_of(rules: Rules) -> Jokers | None:
    """Return what kernels know of jokers; None without jokers.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> jokers_of(parse_rules("ledger")) is None
    True
    """
    if not rules.jokers:
        return None
    from rumsim.engine.jokers import KNOWN as KNOWN  # its functions get their names

    table = joker_table(rules.ace, rules.min_naturals, rules.joker_value)
    return Jokers(table.ctypes.data, rules.joker_value)


@inlined
def count(hand, base, jokers):
    """Return the minimum deadwood of a hand, in points."""
    if jokers is not None and hand >> _52:
        return _count_with_jokers(hand, base, jokers.table)
    return _natural_count(hand, base)


@inlined
def discard(hand, base, jokers):
    """Return the key of the card to give back when any may go: see ``card_of`` and ``left_of``."""
    if jokers is not None and hand >> _52:
        return _discard_with_jokers(hand, base, jokers.table, NOTHING)
    return _natural_discard(hand, base)


@inlined
def discard_without(hand, base, jokers, taken):
    """Return the key of the card to give back when ``taken`` may not go."""
    if jokers is not None and hand >> _52:
        return _discard_with_jokers(hand, base, jokers.table, taken)
    return _natural_discard_without(hand, base, taken)


@inlined
def any_joker(hand, jokers):
    """Return whether a hand holds a joker."""
    if jokers is not None:
        return hand >> _52 != np.uint64(0)
    return False


@inlined
def points(card, jokers):
    """Return a card's points as deadwood."""
    if jokers is not None and card >= _52:
        return jokers.value
    return min(np.int64(card % np.uint64(13)) + 1, 10)
