"""The exact distribution of the deadwood that a player is dealt."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, sqrt

import numpy as np
import numpy.typing as npt
import pandas as pd

from rumsim.engine.enumerate import MOST_CARDS, MOST_POINTS, tally
from rumsim.engine.melding import base_of, jokers_of
from rumsim.errors import RequestError, whole_number
from rumsim.rules import Rules, parse_rules


@dataclass(frozen=True)
class DealtDeadwood:
    """How many of all hands of a size count how much.

    Attributes
    ----------
    rules : Rules
        The rules of the game; only the ace and jokers matter.
    size : int
        Cards in a hand.
    hands : tuple of int
        The number of hands with deadwood 0, 1, 2, … points, up to the highest that occurs.
    """

    rules: Rules
    size: int
    hands: tuple[int, ...]

    @cached_property
    def all_hands(self) -> int:
        """The number of all hands: the cards in the deck choose ``size``."""
        return sum(self.hands)

    @cached_property
    def mean(self) -> Fraction:
        """Mean deadwood, in points."""
        return Fraction(sum(points * hands for points, hands in enumerate(self.hands)), self.all_hands)

    @cached_property
    def variance(self) -> Fraction:
        """Variance of deadwood, in points squared."""
        squares = sum(points**2 * hands for points, hands in enumerate(self.hands))
        return Fraction(squares, self.all_hands) - self.mean**2

    @property
    def deviation(self) -> float:
        """Standard deviation of deadwood, in points."""
        return sqrt(self.variance)

    def chance_at_most(self, points: int) -> Fraction:
        """Return the chance to be dealt ``points`` or less.

        Examples
        --------
        >>> exact_deadwood(3).chance_at_most(0) * 22100  # 44 runs of three, 52 sets of three
        Fraction(96, 1)
        """
        return Fraction(sum(self.hands[: max(points + 1, 0)]), self.all_hands)

    def quantile(self, share: Fraction | float) -> int:
        """Return the lowest deadwood that at least ``share`` of the hands do not exceed.

        Raises
        ------
        RequestError
            If ``share`` is not above 0 and at most 1.

        Examples
        --------
        >>> exact_deadwood(5).quantile(0.5)
        32
        """
        if not 0 < share <= 1:
            raise RequestError(f"share: got {share}; allowed: above 0, at most 1")
        wanted = share * self.all_hands
        return next(points for points, seen in enumerate(accumulate(self.hands)) if seen >= wanted)

    def frame(self) -> pd.DataFrame:
        """Return a row a deadwood: ``size``, ``ace``, ``jokers``, ``deadwood``, ``hands``, and shares: ``share`` of the
        hands with that count, ``at_most`` with that or less.
        """  # noqa: D205
        hands = np.array(self.hands, np.int64)
        return pd.DataFrame(
            {
                "size": self.size,
                "ace": self.rules.ace,
                "jokers": self.rules.jokers,
                "deadwood": np.arange(len(hands)),
                "hands": hands,
                "share": hands / self.all_hands,
                "at_most": hands.cumsum() / self.all_hands,
            }
        )


def exact_deadwood(size: int, rules: object = "ledger", *, jobs: int = 1) -> DealtDeadwood:
    """Count every hand of a size: how often a player is dealt which deadwood.

    Parameters
    ----------
    size : int
        Cards in a hand, 1 to 13.  One core takes about 5 seconds for 10 cards, 20 for 11, minutes for more; with
        jokers some ten times as long.
    rules : str, mapping or Rules
        The rules of the game.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    DealtDeadwood
        Exact: all hands, each once.

    Raises
    ------
    RequestError
        For an argument outside what is allowed.

    Examples
    --------
    >>> five = exact_deadwood(5)
    >>> five.all_hands, five.mean, five.chance_at_most(0)
    (2598960, Fraction(6899441, 216580), Fraction(3, 216580))
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    size = whole_number("size", size, 1, MOST_CARDS)
    jobs = whole_number("jobs", jobs, 1)
    hands = np.zeros(MOST_POINTS + 1, np.int64)
    for held in range(min(known.jokers, size) + 1):
        # Jokers are like each other, so one choice of them stands for all.
        hands += comb(known.jokers, held) * _with_jokers(size - held, held, known, jobs)
    return DealtDeadwood(known, size, tuple(hands[: hands.nonzero()[0][-1] + 1].tolist()))


def _with_jokers(naturals: int, held: int, rules: Rules, jobs: int) -> npt.NDArray[np.int64]:
    """Return how many hands of so many natural cards, and these jokers beside them, have which deadwood."""
    found = np.zeros((jobs, MOST_POINTS + 1), np.int64)
    if naturals == 0:
        found[0, held * rules.joker_value] = 1
    else:
        words = naturals, base_of(rules), jokers_of(rules), np.uint64(((1 << held) - 1) << 52)
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda stripe: tally(*words, stripe, jobs, found[stripe]), range(jobs)))
    total: npt.NDArray[np.int64] = found.sum(axis=0)
    return total
