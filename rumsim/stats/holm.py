"""Many null hypotheses at once: p-values that hold for the whole family."""

from __future__ import annotations

import math
from collections.abc import Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the chance to reject any true null hypothesis of the family stays below the level.

    Parameters
    ----------
    values : sequence of float
        P-values, 0 to 1.

    Returns
    -------
    list of float
        The smallest level at which Holm's procedure rejects each, in the order given.

    Raises
    ------
    ValueError
        For a value outside 0 to 1.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).

    Examples
    --------
    >>> holm([0.01, 0.25, 0.02])
    [0.03, 0.25, 0.04]
    """
    if wrong := [value for value in values if not 0 <= value <= 1]:
        raise ValueError(f"values: got {wrong[0]}; allowed: 0 to 1")
    adjusted = [0.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda at: values[at])):
        # A hypothesis is only looked at once all before it are rejected, hence never less than they.
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return adjusted


def two_sided(mean: float, error: float, null: float = 0.0) -> float:
    """Return the chance of a mean at least so far from the null value, if that is true and errors are normal.

    Parameters
    ----------
    mean, error, null : float
        The estimate, its standard error (above 0), and the value under the null hypothesis; in one unit.

    Returns
    -------
    float
        0 to 1; so small that it is exactly 0 beyond 38 standard errors.

    Examples
    --------
    >>> round(two_sided(1.96, 1.0), 3), two_sided(5.0, 1.0, null=5.0)
    (0.05, 1.0)
    """
    return math.erfc(abs(mean - null) / error / math.sqrt(2))
