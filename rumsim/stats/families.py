"""Many estimates judged at once: intervals that hold together, and what they say of an effect worth attention.

An effect that was not shown is not shown to be absent.  So every judgement rests on an interval that lies wholly on
one side of a margin: above the smallest effect worth attention, between that and its opposite (an equivalence test),
or beyond the opposite.
"""

from __future__ import annotations

import math

from rumsim.stats.student import quantile

JUDGEMENTS = ("holds", "fails: no difference", "fails: opposite", "fails", "undecided")


def together(mean: float, error: float, degrees: int, many: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of one estimate out of a family, all of which hold together.

    Parameters
    ----------
    mean, error : float
        The estimate and its standard error.
    degrees : int
        Degrees of freedom of the error, at least 1: blocks less one.
    many : int
        Intervals in the family, at least 1.
    level : float
        The chance that all of them hold the true values.

    Returns
    -------
    (float, float)
        Bonferroni's interval by Student's t: each misses with at most ``(1 - level) / many``, however they go together.

    Examples
    --------
    >>> low, high = together(0.0, 1.0, degrees=10**6, many=100)
    >>> round(high, 2), low == -high
    (3.48, True)
    """
    margin = quantile(degrees, 1 - (1 - level) / (2 * many)) * error
    return mean - margin, mean + margin


def all_alike(seen: float, trials: int, many: int = 1, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of a chance of which every trial said the same, out of a family.

    Parameters
    ----------
    seen : float
        0 if it never happened, 1 if it always did.
    trials : int
        Independent trials, at least 1.
    many : int
        Intervals in the family, at least 1.
    level : float
        The chance that all of them hold the true values.

    Returns
    -------
    (float, float)
        The exact interval of Clopper and Pearson; never of width 0.

    Raises
    ------
    ValueError
        For another value of ``seen``.

    Examples
    --------
    >>> low, high = all_alike(0.0, trials=100)
    >>> low, round(high, 3)
    (0.0, 0.036)
    """
    if seen not in (0.0, 1.0):
        raise ValueError(f"seen: got {seen}; allowed: 0 or 1")
    reach = 1 - ((1 - level) / (2 * many)) ** (1 / trials)
    return (0.0, reach) if seen == 0 else (1 - reach, 1.0)


def one_sided(mean: float, error: float, edge: float) -> tuple[float, float]:
    """Return p-values of the two null hypotheses that a true value lies at most, and at least, at an edge.

    Parameters
    ----------
    mean, error, edge : float
        The estimate, its standard error (above 0; errors are normal), and the edge; in one unit.

    Returns
    -------
    (float, float)
        Of "at most the edge", which a mean far above it rejects, and of "at least the edge".

    Examples
    --------
    >>> at_most, at_least = one_sided(1.645, 1.0, 0.0)
    >>> round(at_most, 3), round(at_least, 3)
    (0.05, 0.95)
    """
    above = math.erfc((mean - edge) / error / math.sqrt(2)) / 2
    below = math.erfc((edge - mean) / error / math.sqrt(2)) / 2
    return above, below


def judge(low: float, high: float, least: float) -> str:
    """Say what an interval of an effect tells of a claim that there is one.

    Parameters
    ----------
    low, high : float
        The interval of the effect, above 0 on the claim's side; out of a family, one that holds together with the rest.
    least : float
        The smallest effect worth attention, above 0.

    Returns
    -------
    str
        ``holds``: the effect is at least so large.  ``fails: no difference``: it is smaller than that on either side.
        ``fails: opposite``: it is at least so large on the other side.  ``fails``: smaller on the claim's side, but
        which of the two is open.  ``undecided``: the interval reaches over ``least``.

    References
    ----------
    D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", Journal of
    Pharmacokinetics and Biopharmaceutics 15 (1987).

    Examples
    --------
    >>> [judge(low, high, 0.25) for low, high in ((0.3, 0.5), (-0.1, 0.2), (-0.5, -0.3), (-0.3, 0.1), (-0.1, 0.3))]
    ['holds', 'fails: no difference', 'fails: opposite', 'fails', 'undecided']
    """
    if low >= least:
        return "holds"
    if high >= least:
        return "undecided"
    if high <= -least:
        return "fails: opposite"
    return "fails: no difference" if low > -least else "fails"
