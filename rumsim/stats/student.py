"""Quantiles of Student's t for whole degrees of freedom, from the standard library alone.

``scipy.special`` has them too, but importing it would take a fifth of the time in which a small simulation starts,
plays and prints; a test holds these to mpmath's.
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

_SERIES = 1000  # degrees of freedom up to which the exact finite series is summed


@functools.lru_cache(maxsize=1024)
def quantile(degrees: int, level: float) -> float:
    """Return the value that Student's t stays below with a given chance.

    Parameters
    ----------
    degrees : int
        Degrees of freedom, at least 1.
    level : float
        The chance, between 0 and 1.

    Returns
    -------
    float
        The quantile, to eleven digits at the levels in use.

    Notes
    -----
    The exact series for whole degrees of freedom are Abramowitz and Stegun 26.7.3 and 26.7.4, solved by Newton's
    method; for many degrees the expansion 26.7.5 about the normal quantile.

    Examples
    --------
    >>> round(quantile(2, 0.975), 6), round(quantile(10**6, 0.975), 6)
    (4.302653, 1.959966)
    """
    if level < 0.5:
        return -quantile(degrees, 1 - level)
    start = _expanded(degrees, NormalDist().inv_cdf(level))
    return start if degrees > _SERIES else _solved(degrees, level, start)


def _expanded(n: int, x: float) -> float:
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + math.fsum(term / n**power for power, term in enumerate(terms, 1))


def _solved(n: int, level: float, start: float) -> float:
    # In the angle t = sqrt(n) tan(angle) even the heavy tails of few degrees lie between 0 and a right angle.
    low, high = 0.0, math.pi / 2
    height = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(math.pi)
    angle = math.atan(start / math.sqrt(n))
    for _ in range(200):
        missing = level - 0.5 - _central(n, angle) / 2
        low, high = (angle, high) if missing > 0 else (low, angle)
        # The density in the angle is a power of the cosine.
        slope = height * math.cos(angle) ** (n - 1)
        step = angle + missing / slope if slope else high
        after = step if low < step < high else (low + high) / 2
        if abs(after - angle) <= 1e-16 * angle:
            break
        angle = after
    return math.sqrt(n) * math.tan(angle)


def _central(n: int, angle: float) -> float:
    """Return the chance of a value between plus and minus ``sqrt(n) tan(angle)``."""
    sine, square = math.sin(angle), math.cos(angle) ** 2
    odd = n % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for k in range(odd, n - 1, 2):
        total += term
        term *= square * (k + 1) / (k + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
