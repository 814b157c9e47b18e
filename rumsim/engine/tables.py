"""Tables over the 8,192 patterns of one suit, made from the rules: points outside runs, and what to give back.

Bit ``r`` of a pattern is the card of rank ``r``.  Each table holds the patterns of ``ace=low`` first and those of
``ace=high-or-low`` behind them; ``base`` picks one: 0 or 8,192.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

PATTERNS = 1 << 13
BIAS = 128  # keeps a change of points positive
NO_CARD = 0x3FFF0000  # a key above that of any card

_POINTS = np.minimum(np.arange(14) + 1, 10)
_POINTS[13] = 1  # the ace above the king


def _in_runs(pattern: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the ranks that stand in three or more in a row."""
    middle = pattern & pattern << 1 & pattern >> 1
    return middle | middle << 1 | middle >> 1


def _points(pattern: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    bits: npt.NDArray[np.int64] = (pattern[:, None] >> np.arange(14) & 1) @ _POINTS
    return bits


def _loose(high_ace: bool) -> npt.NDArray[np.int64]:
    low = np.arange(PATTERNS)
    found = _points(low & ~_in_runs(low))
    if high_ace:
        high = np.where(low & 1, low - 1 + PATTERNS, low)
        found = np.minimum(found, _points(high & ~_in_runs(high)))
    return found


def _discards(loose: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return the two best keys of every pattern: change of points, then dearest, then lowest rank."""
    pattern, rank = np.arange(PATTERNS)[:, None], np.arange(13)
    change = loose[pattern & ~(1 << rank)] - loose[:, None] + BIAS
    keys = np.where(pattern >> rank & 1, change << 16 | (10 - _POINTS[:13]) << 8 | rank, NO_CARD)
    return np.sort(keys, axis=1)[:, :2].astype(np.uint32)


_loose_of = [_loose(high) for high in (False, True)]
_discards_of = [_discards(loose) for loose in _loose_of]

LOOSE = np.concatenate(_loose_of).astype(np.uint8)
BEST = np.concatenate([keys[:, 0] for keys in _discards_of])
SECOND = np.concatenate([keys[:, 1] for keys in _discards_of])


# The best discard of a suit in 32 bits, for hands whose sets are settled: points outside runs, then a key packed more
# tightly than above, so that points << 10 can be added: change plus 10, 10 less value (4 bits), card id (6 bits).
POINTS_AT, CHANGE_AT = 16, 10
PACKED_BIAS = 10
_NO_CARD_PACKED = 31  # a change that no card makes


def _packed() -> npt.NDArray[np.uint32]:
    change = (BEST >> 16).astype(np.int64) - BIAS + PACKED_BIAS
    held = BEST < NO_CARD
    if change[held].min() < 0 or change[held].max() >= _NO_CARD_PACKED:
        raise AssertionError("a change of points does not fit its bits")
    keys = np.where(held, change << CHANGE_AT | (BEST >> 8 & 15) << 6 | BEST & 63, _NO_CARD_PACKED << CHANGE_AT)
    packed: npt.NDArray[Any] = LOOSE.astype(np.int64) << POINTS_AT | keys
    return packed.astype(np.uint32)


PACKED = _packed()


def _sets() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return, by the suits held of a rank, the cards that each choice sets aside, and how many choices there are.

    A card of suit s is bit 13 s here, to be shifted by the rank.
    """
    cards = np.zeros((16, 6), np.uint64)
    choices = np.ones(16, np.int64)
    for held in range(16):
        if held.bit_count() >= 3:
            ways = [0, held] + ([held & ~(1 << suit) for suit in range(4)] if held == 15 else [])
            choices[held] = len(ways)
            for place, suits in enumerate(ways):
                cards[held, place] = sum(1 << 13 * suit for suit in range(4) if suits >> suit & 1)
    return cards, choices


SET_CARDS, SET_CHOICES = _sets()
