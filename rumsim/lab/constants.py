"""Among constant thresholds: a mixture that no constant answers better when everybody draws from it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, TWELFTHS, Traces

HIGHEST = 80  # of the constants that are tried
_ROUNDS, _LOOK = 600, 50  # at most, and after how many it looks whether they were enough
_ENOUGH = 0.002  # points a deal
_SEARCHED = 20_000  # blocks
_PARTS = 100  # weights are multiples of one in so many
_COUNTS = 514  # counts that a hand may have, and one that none has

Weights = npt.NDArray[np.float64]
Mixed = tuple[tuple[int, Fraction], ...]  # thresholds and their weights


class Mixtures(NamedTuple):
    """Equilibrium among constants.

    Attributes
    ----------
    weights : tuple of (int, Fraction)
        Thresholds in ascending order, and the chance that a player has each in a deal; often one alone.
    gain, gain_error, gain_upper : float
        What the best answer among constants, found on the search's decks, gains on others, its standard error, and a
        bound with 95 % on what any constant gains there; points a deal.
    """

    weights: Mixed
    gain: float
    gain_error: float
    gain_upper: float

    def mean(self) -> float:
        """Return the mean threshold."""
        return float(sum(threshold * weight for threshold, weight in self.weights))

    def bot(self, keys: str) -> str:
        """Return it as ``--opponents`` takes it."""
        if len(self.weights) == 1:
            return f"knock={self.weights[0][0]},{keys}"
        return "+".join(f"{float(weight):g}*knock={threshold},{keys}" for threshold, weight in self.weights)


def totals_against(traces: Traces, players: int, mixed: Mixed, limit: int) -> Weights:
    """Return what each constant from 0 to 80 gets over all blocks and seats when all others draw from a mixture.

    Parameters
    ----------
    traces : Traces
        At which everybody draws alike.
    players, limit : int
        At the table; and the rules' knock limit.
    mixed : tuple of (int, Fraction)
        Of all others.

    Returns
    -------
    float64[81]
        In twelfths.
    """
    weights = np.zeros(HIGHEST + 1)
    for threshold, weight in mixed:
        weights[min(threshold, limit)] += float(weight)
    return _totals(traces, players, weights, limit)


def _totals(traces: Traces, players: int, weights: Weights, limit: int) -> Weights:
    from rumsim.engine.response import mixed_totals

    knocks = np.zeros(_COUNTS)
    knocks[: HIGHEST + 1] = weights[::-1].cumsum()[::-1]
    knocks[limit + 1 :] = 0.0
    jumps = np.zeros(MOST_THRESHOLD + 2)
    for focal in range(players):
        work = np.zeros(MOST_PLAYERS, np.int64)
        mixed_totals(players, focal, knocks, traces.starts, traces.counts, traces.points, work, jumps)
    totals = jumps.cumsum()[: HIGHEST + 1]
    totals[limit + 1 :] = totals[min(limit, HIGHEST)]  # as much as with the limit itself
    return totals


def calm_mixture(traces: Traces, players: int, limit: int) -> tuple[Mixed, int]:
    """Find a mixture to which no constant is a much better answer, and the constant that answers it best.

    Parameters
    ----------
    traces : Traces
        At which everybody draws alike.
    players, limit : int
        At the table; and the rules' knock limit.

    Returns
    -------
    weights : tuple of (int, Fraction)
        The mixture.
    answer : int
        The best constant against it, on these traces.

    Notes
    -----
    Regret matching plus with linear averaging: O. Tammelin, "Solving large imperfect information games using CFR+"
    (2014).  Beside the average, rounded to hundredths, constants near its mean are tried, and mixtures of the calmest
    of them with a neighbour: in a game as flat as this one simple answers are often as calm.  The calmest of all is
    returned, of equals the simplest.
    """
    blocks = min(len(traces.starts) - 1, _SEARCHED)
    traces = traces._replace(starts=traces.starts[: blocks + 1])
    unit = TWELFTHS * players * blocks
    regrets, average = np.zeros(HIGHEST + 1), np.zeros(HIGHEST + 1)
    highest = min(limit, HIGHEST)  # what is above the limit is the limit
    weights = np.where(np.arange(HIGHEST + 1) <= highest, 1.0 / (highest + 1), 0.0)
    for turn in range(1, _ROUNDS + 1):
        totals = _totals(traces, players, weights, limit)
        regrets[: highest + 1] = np.maximum(regrets + totals - weights @ totals, 0.0)[: highest + 1]
        weights = regrets / regrets.sum() if regrets.sum() > 0 else weights
        average += turn * weights
        if turn % _LOOK == 0 and _totals(traces, players, average / average.sum(), limit).max() < _ENOUGH * unit:
            break
    average /= average.sum()
    middle = round(float(average @ np.arange(HIGHEST + 1)))
    near = range(max(0, middle - 6), min(highest, middle + 6) + 1)

    def tried(mixed: Mixed) -> tuple[float, int, Mixed, int]:
        totals = totals_against(traces, players, mixed, limit)
        gain = round(float(totals.max()) / unit, 4)  # less is no difference
        return gain, len(mixed), mixed, int(totals.argmax())

    pure = min(tried(((threshold, Fraction(1)),)) for threshold in near)
    found = [pure, tried(_rounded(average))]
    if pure[0] > 0:
        calm = pure[2][0][0]
        pairs = [(low, low + 1) for low in (calm - 1, calm) if 0 <= low < highest]
        found += [
            tried(((low, Fraction(part, _PARTS)), (high, Fraction(_PARTS - part, _PARTS))))
            for low, high in pairs
            for part in range(5, _PARTS, 5)
        ]
    _, _, mixed, answer = min(found)
    return mixed, answer


def _rounded(weights: Weights) -> Mixed:
    """Round weights to multiples of a hundredth that sum to 1, the largest remainders first."""
    parts = weights * _PARTS
    whole = np.floor(parts).astype(int)
    for place in np.argsort(whole - parts, kind="stable")[: _PARTS - int(whole.sum())]:
        whole[place] += 1
    return tuple((int(threshold), Fraction(int(whole[threshold]), _PARTS)) for threshold in np.flatnonzero(whole))
