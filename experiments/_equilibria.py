"""What the experiments say of equilibria: which schedule may be called one, and how a mixture is written."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rumsim.lab.vary import CALM

_NEAR = 3  # thresholds so close are one part of a mixture


def is_equilibrium(gain_upper: float) -> bool:
    """Whether a schedule may be called one: what an answer gains at most, with 95 %, is little enough."""
    return bool(gain_upper <= CALM)


def mixture(weights: Sequence[tuple[int, Fraction]]) -> str:
    """Write a mixture of thresholds as ranges with their weights; one that is alone as it is.

    Its mean is no threshold: nobody knocks at it.

    >>> mixture(((0, Fraction(44, 100)), (27, Fraction(20, 100)), (29, Fraction(36, 100))))
    '0 (44 %), 27 to 29 (56 %)'
    """
    if len(weights) == 1:
        return str(weights[0][0])
    parts: list[list[tuple[int, Fraction]]] = []
    for one in sorted(weights):
        if parts and one[0] - parts[-1][-1][0] <= _NEAR:
            parts[-1].append(one)
        else:
            parts.append([one])
    return ", ".join(
        f"{span(part[0][0], part[-1][0])} ({float(sum(weight for _, weight in part)):.0%})".replace("%", " %")
        for part in parts
    )


def span(low: float, high: float) -> str:
    """Write a range of thresholds: 32 to 34, or one alone; -1 is never.

    >>> span(32, 34), span(10, 10), span(-1, -1)
    ('32 to 34', '10', 'never')
    """
    ends = ["never" if one < 0 else f"{one:.0f}" for one in (low, high)]
    return ends[0] if low == high else " to ".join(ends)
