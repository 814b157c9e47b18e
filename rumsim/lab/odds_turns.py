"""Estimates of what opponents hold on an own turn, made from what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rumsim.lab.respond import RARE
from rumsim.stats.blocks import Estimate
from rumsim.stats.ratios import ratio
from rumsim.tasks.odds import PLACES, OddsSums
from rumsim.tasks.sums import Integers

MOST_COUNT = 80  # of the own counts in the table
QUANTILES = (10, 25, 50, 75, 90)


class Spread(NamedTuple):
    """A count as it is spread over deals: its mean, and for each of ``QUANTILES`` the count that so many % stay at."""

    mean: Estimate
    quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely a count is below those of all opponents, and how likely it is tied with the lowest of them."""

    count: int
    below: Estimate
    tied: Estimate


@dataclass(frozen=True)
class Turn:
    """An own turn of the studied player, when nobody has knocked.

    Attributes
    ----------
    own_turn : int
        From 1.
    reached : Estimate
        The share of deals in which it comes.
    opponent, lowest : Spread
        The count of an opponent, any of them, and the lowest count among them, in points.
    chances : tuple of Chance
        For the own counts 0 to 80.
    """

    own_turn: int
    reached: Estimate
    opponent: Spread
    lowest: Spread
    chances: tuple[Chance, ...]

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` has it."""
        return {
            "own_turn": self.own_turn,
            "reached": self.reached.mean,
            "reached_se": self.reached.error,
            "opponent": spread_json(self.opponent),
            "lowest": spread_json(self.lowest),
            "lowest_chance": [
                {
                    "count": chance.count,
                    "below": chance.below.mean,
                    "below_se": chance.below.error,
                    "tied": chance.tied.mean,
                    "tied_se": chance.tied.error,
                }
                for chance in self.chances
            ],
        }


class Check(NamedTuple):
    """How far the same table on other decks is from this one, at most: quantiles in points, chances as shares.

    ``own_turn`` is where chances differ most; mostly a late one, which few deals reach.
    """

    confirm_seed: int
    quantiles: int
    chances: float
    own_turn: int

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` has it, beside ``confirm_seed``."""
        return {"quantiles": self.quantiles, "chances": self.chances, "own_turn": self.own_turn}


class _Sums(NamedTuple):
    """What was counted on one own turn in some seats; see :class:`rumsim.engine.odds.Tallies`."""

    deals: int
    deals_squares: int
    opponent: Integers
    lowest: Integers
    lowest_by_deals: Integers
    lower_of_pairs: Integers
    equal_pairs: Integers
    sums_squares: tuple[int, int]
    sums_by_deals: tuple[int, int]


def turns_together(sums: OddsSums, players: int) -> tuple[Turn, ...]:
    """Return the own turns over all seats, as far as 1 % of the deals reach them."""

    def at(place: int) -> _Sums:
        t = sums.tallies
        by_count = t.lowest_by_deals[place], t.lower_of_pairs[place], t.equal_pairs[place]
        (all_squares, low_squares), (all_by_deals, low_by_deals) = (
            of[place].tolist() for of in (t.sums_squares, t.sums_by_deals)
        )
        return _Sums(
            *(int(t.deals[place].sum()), int(t.deals_squares[place])),
            *(t.opponent[place].sum(axis=0), t.lowest[place].sum(axis=0), *by_count),
            *((all_squares, low_squares), (all_by_deals, low_by_deals)),
        )

    often = _often(sums.tallies.deals.sum(axis=1), sums.blocks * players)
    return tuple(_turn(at(place), place + 1, sums.blocks, players, players - 1) for place in range(often))


def turns_of_seat(sums: OddsSums, seat: int, players: int) -> tuple[Turn, ...]:
    """Return the own turns of one seat, as far as 1 % of the deals reach them."""

    def at(place: int) -> _Sums:
        # A block has one deal or none, so it is its own square.
        t = sums.tallies
        deals, opponent, lowest = int(t.deals[place, seat]), t.opponent[place, seat], t.lowest[place, seat]
        squares = int(t.opponent_squares[place, seat]), int(lowest @ _COUNTS**2)
        by_deals = int(opponent @ _COUNTS), int(lowest @ _COUNTS)
        return _Sums(deals, deals, opponent, lowest, lowest, lowest, lowest, squares, by_deals)

    often = _often(sums.tallies.deals[:, seat], sums.blocks)
    return tuple(_turn(at(place), place + 1, sums.blocks, 1, players - 1) for place in range(often))


def mean_lowest(sums: OddsSums) -> Estimate:
    """Estimate the lowest count of the opponents on a first own turn, over all seats, in points."""
    t = sums.tallies
    lowest, deals = t.lowest[0].sum(axis=0), int(t.deals[0].sum())
    squares, by_deals = int(t.sums_squares[0, 1]), int(t.sums_by_deals[0, 1])
    return ratio(int(lowest @ _COUNTS), deals, squares, by_deals, int(t.deals_squares[0]), sums.blocks)


_COUNTS = np.arange(PLACES)


def _often(deals: Integers, among: int) -> int:
    """Return how many own turns enough deals reach; none comes more often than the one before it."""
    return int(np.count_nonzero(deals >= max(1, RARE * among)))


def _turn(sums: _Sums, own_turn: int, blocks: int, seats: int, opponents: int) -> Turn:
    """Return the estimates; at least one deal reached the turn."""
    above, above_squares, above_by_deals = (
        (histogram.sum() - histogram.cumsum()).tolist()
        for histogram in (sums.lowest, sums.lower_of_pairs, sums.lowest_by_deals)
    )
    tied, tied_squares, tied_by_deals = (
        histogram.tolist() for histogram in (sums.lowest, sums.equal_pairs, sums.lowest_by_deals)
    )

    def estimated(wins: int, squares: int, by_deals: int, each: int = 1) -> Estimate:
        return ratio(wins, sums.deals * each, squares, by_deals * each, sums.deals_squares * each**2, blocks)

    def spread(histogram: Integers, place: int, each: int) -> Spread:
        mean = estimated(int(histogram @ _COUNTS), sums.sums_squares[place], sums.sums_by_deals[place], each)
        return Spread(mean, _quantiles(histogram))

    return Turn(
        own_turn=own_turn,
        reached=ratio(*(sums.deals, blocks * seats, sums.deals_squares, sums.deals * seats, blocks * seats**2, blocks)),
        opponent=spread(sums.opponent, 0, opponents),
        lowest=spread(sums.lowest, 1, 1),
        chances=tuple(
            Chance(
                count,
                estimated(above[count], above_squares[count], above_by_deals[count]),
                estimated(tied[count], tied_squares[count], tied_by_deals[count]),
            )
            for count in range(MOST_COUNT + 1)
        ),
    )


def compared(confirm_seed: int, turns: Sequence[Turn], others: Sequence[Turn]) -> Check:
    """Return how far two tables are from each other, on the turns that both have."""
    quantiles = 0
    chances, own_turn = 0.0, 1
    for one, other in zip(turns, others, strict=False):
        for ours, theirs in ((one.opponent, other.opponent), (one.lowest, other.lowest)):
            differ = (abs(a - b) for a, b in zip(ours.quantiles, theirs.quantiles, strict=True))
            quantiles = max(quantiles, *differ)
        differs = max(
            abs(number(here.below) - number(there.below))
            for here, there in zip(one.chances, other.chances, strict=True)
        )
        if differs > chances:
            chances, own_turn = differs, one.own_turn
    return Check(confirm_seed, quantiles, chances, own_turn)


def _quantiles(histogram: Integers) -> tuple[int, ...]:
    """Return the least counts that at least so many % of all do not exceed."""
    upto = histogram.cumsum()
    return tuple(int(np.searchsorted(100 * upto, percent * upto[-1])) for percent in QUANTILES)


def number(found: Estimate) -> float:
    """Return a mean that exists."""
    assert found.mean is not None
    return found.mean


def spread_json(spread: Spread) -> dict[str, object]:
    """Return a spread as ``--json`` has it."""
    named = {f"q{percent}": count for percent, count in zip(QUANTILES, spread.quantiles, strict=True)}
    return {"mean": spread.mean.mean, "mean_se": spread.mean.error, **named}
