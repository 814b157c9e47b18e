"""Among constant thresholds: a mixture that no constant answers better when everybody draws from it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import MOST_PLAYERS, MOST_THRESHOLD, PARTS, TWELFTHS
from rumsim.tasks.kept import Kept
from rumsim.tasks.sums import Integers

HIGHEST = 80  # of the constants that are mixed
_ROUNDS, _LOOK = 600, 50  # at most, and after how many it looks whether they were enough
_ENOUGH = 0.002  # points a deal
_SEARCHED = 20_000  # blocks
_PARTS = 100  # weights are multiples of one in so many
_COUNTS = 256  # counts that are kept, and one that no turn has

Weights = npt.NDArray[np.float64]
Mixed = tuple[tuple[int, Fraction], ...]  # thresholds and their weights


class Mixtures(NamedTuple):
    """Equilibrium among constants.

    Attributes
    ----------
    weights : tuple of (int, Fraction)
        Thresholds in ascending order, and the chance that a player has each in a deal; often one alone.  Empty if
        Ctrl-C came before it was looked for.
    gain, gain_error, gain_upper : float or None
        What the best answer among constants, found on the search's decks, gains on others, its standard error, and a
        bound with 95 % on what any constant gains there, whichever the rules allow, and never knocking; points a deal.
    """

    weights: Mixed
    gain: float | None
    gain_error: float | None
    gain_upper: float | None

    def pure(self) -> int | None:
        """Return the threshold if it is one alone; a mixture of several has none."""
        return self.weights[0][0] if len(self.weights) == 1 else None

    def ranges(self) -> list[tuple[int, int, float]]:
        """Return from and to of neighbouring thresholds, and the chance of these together.

        Examples
        --------
        >>> Mixtures(((0, Fraction(2, 5)), (27, Fraction(1, 2)), (28, Fraction(1, 10))), 0.0, 0.0, 0.0).ranges()
        [(0, 0, 0.4), (27, 28, 0.6)]
        """
        found: list[tuple[int, int, Fraction]] = []
        for threshold, weight in self.weights:
            if found and found[-1][1] == threshold - 1:
                low, _, before = found.pop()
                found.append((low, threshold, before + weight))
            else:
                found.append((threshold, threshold, weight))
        return [(low, high, float(weight)) for low, high, weight in found]

    def text(self) -> str:
        """Return it in short, thresholds that are neighbours together.

        Examples
        --------
        >>> Mixtures(((0, Fraction(2, 5)), (27, Fraction(1, 2)), (28, Fraction(1, 10))), 0.0, 0.0, 0.0).text()
        '0 (40%), 27-28 (60%)'
        """
        if (one := self.pure()) is not None:
            return str(one)
        spans = [(str(low) if low == high else f"{low}-{high}", weight) for low, high, weight in self.ranges()]
        return ", ".join(f"{span} ({weight:.0%})" for span, weight in spans) or "-"

    def bot(self, keys: str) -> str | None:
        """Return it as ``--opponents`` takes it."""
        if not self.weights:
            return None
        if len(self.weights) == 1:
            return f"knock={self.weights[0][0]},{keys}"
        return "+".join(f"{float(weight):g}*knock={threshold},{keys}" for threshold, weight in self.weights)


def totals_against(kept: Kept, players: int, mixed: Mixed, limit: int) -> Integers:
    """Return what each constant gets over all blocks and seats when all others draw from a mixture.

    Parameters
    ----------
    kept : Kept
        At which everybody draws alike.
    players, limit : int
        At the table; and the rules' knock limit.
    mixed : tuple of (int, Fraction)
        Of all others.

    Returns
    -------
    int64[202]
        For never, and then for thresholds 0 to 200, those above the limit as the limit itself: in parts of a twelfth,
        ``PARTS`` of which are one.
    """
    weights = np.zeros(HIGHEST + 1)
    for threshold, weight in mixed:
        weights[min(threshold, limit)] += float(weight)
    return _totals(kept, players, weights, limit)


def _totals(kept: Kept, players: int, weights: Weights, limit: int) -> Integers:
    from rumsim.engine.kept import mixed_totals

    knocks = np.zeros(_COUNTS)
    knocks[: HIGHEST + 1] = weights[::-1].cumsum()[::-1]
    knocks[limit + 1 :] = 0.0
    jumps = np.zeros(MOST_THRESHOLD + 3, np.int64)
    for focal in range(players):
        mixed_totals(players, focal, knocks, kept, np.zeros(MOST_PLAYERS, np.int64), jumps)
    totals: Integers = jumps.cumsum()[:-1]
    totals[limit + 2 :] = totals[limit + 1]
    return totals


def calm_mixture(kept: Kept, players: int, limit: int) -> tuple[Mixed, int]:
    """Find a mixture to which no constant is a much better answer, and the constant that answers it best.

    Parameters
    ----------
    kept : Kept
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
    blocks = min(len(kept.starts) - 1, _SEARCHED)
    kept = kept.first(blocks).lows()
    unit = TWELFTHS * players * blocks

    def gains_against(weights: Weights) -> Weights:
        """Return what constants from 0 to 80 gain, in twelfths."""
        found: Weights = _totals(kept, players, weights, limit)[1 : HIGHEST + 2] / PARTS
        return found

    regrets, average = np.zeros(HIGHEST + 1), np.zeros(HIGHEST + 1)
    highest = min(limit, HIGHEST)  # what is above the limit is the limit
    weights = np.where(np.arange(HIGHEST + 1) <= highest, 1.0 / (highest + 1), 0.0)
    for turn in range(1, _ROUNDS + 1):
        totals = gains_against(weights)
        regrets[: highest + 1] = np.maximum(regrets + totals - weights @ totals, 0.0)[: highest + 1]
        weights = regrets / regrets.sum() if regrets.sum() > 0 else weights
        average += turn * weights
        if turn % _LOOK == 0 and gains_against(average / average.sum()).max() < _ENOUGH * unit:
            break
    average /= average.sum()
    middle = round(float(average @ np.arange(HIGHEST + 1)))
    near = range(max(0, middle - 6), min(highest, middle + 6) + 1)

    def tried(mixed: Mixed) -> tuple[float, int, Mixed, int]:
        totals = totals_against(kept, players, mixed, limit)[1 : HIGHEST + 2] / PARTS
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
