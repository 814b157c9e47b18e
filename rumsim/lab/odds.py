"""What the opponents hold on one's own turn, and with which count one is the lowest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import TWELFTHS
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.respond import BLOCKS as BLOCKS
from rumsim.lab.respond import RARE
from rumsim.rules import Rules, parse_rules
from rumsim.stats.blocks import Estimate
from rumsim.stats.ratios import ratio
from rumsim.tasks.response import Question, Seat, seats
from rumsim.tasks.sums import Integers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MOST_COUNT = 80  # of the own counts in the table
QUANTILES = (10, 25, 50, 75, 90)
_PLACES = 261  # counts 0 to 260: 26 cards, all of them tens
_AT_ONCE = 4_000  # blocks: their whole traces are kept
_TURNS_SHOWN, _ROWS_SHOWN = 10, 20  # own turns beside each other in 80 columns, and below each other
_COUNTS_SHOWN = range(0, 51, 5)


class Spread(NamedTuple):
    """A count as it is spread over deals: its mean, and for each of ``QUANTILES`` the count that so many % stay at."""

    mean: Estimate
    quantiles: tuple[int, ...]


@dataclass(frozen=True)
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
            "opponent": _spread_json(self.opponent),
            "lowest": _spread_json(self.lowest),
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


@dataclass(frozen=True)
class Odds:
    """The result of ``odds``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    opponents, bot : str
        All others, and how the studied player draws and discards.
    blocks, seed : int
        The decks; on each the studied player sits once in every seat.
    turns : tuple of Turn
        Over all seats, as far as 1 % of deals reach them.
    by_seat : tuple of tuple of Turn
        The same for each seat.
    check : Check or None
        The comparison with other decks, if one was asked for.
    """

    rules: Rules
    players: int
    opponents: str
    bot: str
    blocks: int
    seed: int
    turns: tuple[Turn, ...]
    by_seat: tuple[tuple[Turn, ...], ...]
    check: Check | None = None

    def of(self, seat: int | None = None) -> tuple[Turn, ...]:
        """Return the own turns of a seat, or over all seats.

        Raises
        ------
        RequestError
            For a seat that is not at the table.
        """
        return self.turns if seat is None else self.by_seat[read_seat(seat, self.players)]

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim odds --json`` prints."""
        check = self.check
        other = {"confirm_seed": check.confirm_seed} if check else {}
        differs = {"confirmed": check.as_json()} if check else {}
        return {
            "rules": self.rules.as_json(),
            "players": self.players,
            "opponents": self.opponents,
            "bot": self.bot,
            "blocks": self.blocks,
            "seed": self.seed,
            **other,
            "turns": [turn.as_json() for turn in self.turns],
            "seats": [[turn.as_json() for turn in turns] for turns in self.by_seat],
            **differs,
        }

    def table(self, seat: int | None = None) -> str:
        """Return what ``rumsim odds`` prints."""
        from rumsim.lab.tables import columns, folded

        turns = self.of(seat)
        lines = [line for text in self._head(seat) for line in folded(text)]
        if not turns:
            return "\n".join([*lines, "", f"No own turn is reached in {RARE:.0%} of the deals."])
        listed, shown = turns[:_ROWS_SHOWN], turns[:_TURNS_SHOWN]
        several = self.players > 2  # else the only opponent is the lowest
        spread = ("median", "middle half")
        spreads = [["own turn", "reached", "opponent", *spread, *(("lowest", *spread) if several else ())]]
        for turn in listed:
            lowest = _row(turn.lowest) if several else []
            spreads.append([str(turn.own_turn), f"{_number(turn.reached):.1%}", *_row(turn.opponent), *lowest])
        chances = [["count", *(str(turn.own_turn) for turn in shown)]]
        for count in _COUNTS_SHOWN:
            chances.append([str(count), *(f"{100 * _number(turn.chances[count].below):.1f}" for turn in shown)])
        whose = "one of them and of the lowest" if several else "the other"
        reading = (
            f"What opponents hold on an own turn, when nobody has knocked: the mean count of {whose}, in points; "
            "before a first turn, as dealt. Half of the counts are in the middle half."
        )
        said = "Chance in % that a count is below those of all opponents, by own turn" + self._errors(shown)
        text = [*lines, "", *folded(reading), "", columns(spreads, left=0), "", *folded(said), columns(chances, left=0)]
        if len(turns) > len(shown):
            text += ["", f"Own turns up to {turns[-1].own_turn}, and the chances of ties: with --json."]
        if self.check:
            text += ["", *folded(self._confirmed(self.check))]
        return "\n".join(text)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each own turn and count, over all seats: see :meth:`frame_of`."""
        return self.frame_of()

    def frame_of(self, seat: int | None = None) -> pd.DataFrame:
        """Return a row for each ``own_turn`` and ``count``: the chances ``below`` and ``tied``, with ``below_se`` and
        ``tied_se``, and ``blocks``.
        """  # noqa: D205
        import pandas as pd

        rows = [
            {
                "own_turn": turn.own_turn,
                "count": chance.count,
                "below": chance.below.mean,
                "below_se": chance.below.error,
                "tied": chance.tied.mean,
                "tied_se": chance.tied.error,
                "blocks": self.blocks,
            }
            for turn in self.of(seat)
            for chance in turn.chances
        ]
        names = ("own_turn", "count", "below", "below_se", "tied", "tied_se", "blocks")
        return pd.DataFrame(rows, columns=list(names))

    def plot(self, seat: int | None = None) -> Figure:
        """Draw the chance that a count is the lowest, a line an own turn.

        Raises
        ------
        RequestError
            For a seat of which no own turn is reached in 1 % of the deals.
        """
        from rumsim.charts.odds import chance_lowest

        if not self.of(seat):
            raise wrong("seat", seat, f"for a chart, one of which {RARE:.0%} of the deals reach an own turn")
        said = " ".join(f"{line[0].upper()}{line[1:]}." for line in self._head(seat))
        return chance_lowest(self.frame_of(seat), said)

    def _head(self, seat: int | None) -> tuple[str, ...]:
        """Return the conditions, a sentence each."""
        where = "in every seat once" if seat is None else f"in seat {seat}"
        return (
            f"{self.players} players, rules {self.rules}",
            f"opponents {self.opponents}",
            f"the studied player: {self.bot}; never knocks before",
            f"{self.blocks:,} blocks of seed {self.seed}, the studied player {where}",
        )

    def _errors(self, shown: Sequence[Turn]) -> str:
        """Say how sure the chances are that the table shows."""
        errors = [turn.chances[count].below.error for turn in shown for count in _COUNTS_SHOWN]
        known = [error for error in errors if error is not None]
        return f" (standard errors at most {100 * max(known):.1f}):" if known else " (no standard errors of one block):"

    def _confirmed(self, check: Check) -> str:
        points = "1 point" if check.quantiles == 1 else f"{check.quantiles} points"
        return (
            f"On as many blocks of seed {check.confirm_seed}, over all seats: quantiles differ by at most {points}, "
            f"chances by at most {100 * check.chances:.1f} percentage points (most on own turn {check.own_turn})."
        )


def odds(
    players: int,
    opponents: str,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
) -> Odds:
    """Count what the opponents hold on each own turn, and how likely each own count is the lowest then.

    Parameters
    ----------
    players : int
        2 to 5.
    opponents : str
        The bot of all others, or a mixture ``0.5*BOT+0.5*BOT`` from which each draws its bot anew in every deal.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks; on each the studied player sits once in every seat.
    seed, confirm_seed : int
        The decks, and, if given, others on which all is counted again: nothing is selected here, so that only says how
        far two such tables are from each other.
    bot : str
        The keys with which the studied player draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    Odds
        By own turn, over all seats and for each.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    The own turn of a deal counts if no opponent has knocked before it; the studied player has not.  Counts of
    opponents are those with which a knock on that turn would be compared: after their last turn, or as dealt.

    The chances are those over all own hands: what one's own cards and the discards tell about the others is left out,
    for that see :func:`rumsim.advise`.  A knock with 0 is rum, and wins also where it is tied.

    Errors are those of ratios over blocks, as blocks differ in how many of their deals reach a turn.

    Examples
    --------
    >>> found = odds(3, "knock=10", blocks=2000, seed=1)
    >>> third = found.turns[2]
    >>> third.own_turn, third.chances[10].below.mean > third.chances[30].below.mean
    (3, True)
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    others = Mixture.parse(opponents)
    others.check(players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 1, min(LAST_BLOCK, 10_000_000))
    seed = whole_number("seed", seed, 0)
    confirm = None if confirm_seed is None else read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    question = Question(known, players, studied, others)

    turns, by_seat = _counted(question, seed, blocks, jobs)
    found = Odds(
        rules=known,
        players=players,
        opponents=str(others),
        bot=str(studied).partition(",")[2],
        blocks=blocks,
        seed=seed,
        turns=turns,
        by_seat=by_seat,
    )
    if confirm is None:
        return found
    return replace(found, check=_compared(confirm, turns, _counted(question, confirm, blocks, jobs)[0]))


def read_seat(given: int | str, players: int) -> int:
    """Return the seat of the studied player.

    Raises
    ------
    RequestError
        For one that is not at the table.

    Examples
    --------
    >>> read_seat("2", 3)
    2
    """
    try:
        return whole_number("seat", given, 0, players - 1)
    except RequestError:
        raise wrong("seat", given, f"0 to {players - 1} with {players} players") from None


# ---- counting ------------------------------------------------------------------------------------------------


class _Tally:
    """What is added up over blocks at one own turn, in some seats: whole numbers, so that order does not matter.

    A block's number of deals in which a count is below the lowest is a sum over seats, and the square of such a sum is
    a sum over pairs of seats: so histograms of pairs tell the squares for all own counts at once.
    """

    def __init__(self) -> None:
        self.deals, self.deals_squares = 0, 0
        self.opponent, self.lowest = np.zeros((2, _PLACES), np.int64)
        self.lowest_by_deals = np.zeros(_PLACES, np.int64)  # each lowest count as often as its block has deals
        self.lower_of_pairs, self.equal_pairs = np.zeros((2, _PLACES), np.int64)
        self.sums_squares = [0, 0]  # of the block's sum of opponents' counts, and of lowest counts,
        self.sums_by_deals = [0, 0]  # and of those sums times the block's deals

    def add(self, held: Integers) -> None:
        """Add blocks: opponents' counts by seat of the studied player, int64[B, S, N-1], -1 where it is not reached."""
        lowest = held.min(axis=2)
        there = lowest >= 0
        deals = there.sum(axis=1)
        self.deals += int(deals.sum())
        self.deals_squares += int((deals**2).sum())
        self.opponent += _histogram(held[there].ravel())
        self.lowest += _histogram(lowest[there])
        for one in range(held.shape[1]):
            block = np.flatnonzero(there[:, one])
            self.lowest_by_deals += np.bincount(lowest[block, one], deals[block], _PLACES).astype(np.int64)
            for other in range(held.shape[1]):
                lower = np.minimum(lowest[:, one], lowest[:, other])
                self.lower_of_pairs += _histogram(lower[lower >= 0])
                equal = there[:, one] & (lowest[:, one] == lowest[:, other])
                self.equal_pairs += _histogram(lowest[equal, one])
        for place, counts in enumerate((held.sum(axis=2), lowest)):
            sums = np.where(there, counts, 0).sum(axis=1)
            self.sums_squares[place] += int((sums**2).sum())
            self.sums_by_deals[place] += int((sums * deals).sum())

    def turn(self, own_turn: int, blocks: int, seats: int, opponents: int) -> Turn:
        """Return the estimates; at least one deal reached the turn."""
        size = self.deals, self.deals_squares
        above, above_squares, above_by_deals = (
            histogram.sum() - histogram.cumsum()
            for histogram in (self.lowest, self.lower_of_pairs, self.lowest_by_deals)
        )

        def estimated(wins: int, squares: int, by_deals: int, each: int = 1) -> Estimate:
            deals, deals_squares = size
            return ratio(int(wins), deals * each, int(squares), int(by_deals) * each, deals_squares * each**2, blocks)

        def spread(histogram: Integers, place: int, each: int) -> Spread:
            total = int(histogram @ np.arange(_PLACES))
            mean = estimated(total, self.sums_squares[place], self.sums_by_deals[place], each)
            return Spread(mean, _quantiles(histogram))

        return Turn(
            own_turn=own_turn,
            reached=ratio(
                *(self.deals, blocks * seats, self.deals_squares, self.deals * seats, blocks * seats**2, blocks)
            ),
            opponent=spread(self.opponent, 0, opponents),
            lowest=spread(self.lowest, 1, 1),
            chances=tuple(
                Chance(
                    count,
                    estimated(above[count], above_squares[count], above_by_deals[count]),
                    estimated(self.lowest[count], self.equal_pairs[count], self.lowest_by_deals[count]),
                )
                for count in range(MOST_COUNT + 1)
            ),
        )


def _counted(
    question: Question, seed: int, blocks: int, jobs: int
) -> tuple[tuple[Turn, ...], tuple[tuple[Turn, ...], ...]]:
    """Return the own turns over all seats, and for each seat."""
    players = question.players
    together: list[_Tally] = []
    apart: list[list[_Tally]] = [[] for _ in range(players)]
    for first in range(0, blocks, _AT_ONCE):
        found = seats(question, seed, first, min(first + _AT_ONCE, blocks), jobs)
        for own_turn, held in enumerate(_held(question.rules, found)):
            if own_turn == len(together):
                for tallies in (together, *apart):
                    tallies.append(_Tally())
            together[own_turn].add(held)
            for seat in range(players):
                apart[seat][own_turn].add(held[:, seat : seat + 1])

    def turns(tallies: Sequence[_Tally], among: int) -> tuple[Turn, ...]:
        # No turn is reached more often than the one before it: those that are kept are the first.
        often = [tally for tally in tallies if tally.deals >= max(1, RARE * blocks * among)]
        return tuple(tally.turn(place, blocks, among, players - 1) for place, tally in enumerate(often, 1))

    return turns(together, players), tuple(turns(tallies, 1) for tallies in apart)


def _held(rules: Rules, found: Sequence[Seat]) -> Iterator[Integers]:
    """Yield, own turn by own turn, opponents' counts as :meth:`_Tally.add` takes them, for all seats."""
    players = len(found)
    for own_turn in range(max(seat.own_turns() for seat in found)):
        held = np.full((found[0].blocks, players, players - 1), -1, np.int64)
        for place, seat in enumerate(found):
            rows = seat.traces.starts[:-1] + own_turn * players + place
            there = rows < seat.until
            counts = counts_told(rules, place, seat.traces.counts[rows[there]], seat.traces.points[rows[there]])
            held[there, place] = np.delete(counts, place, axis=1)
        yield held


def counts_told(rules: Rules, knocker: int, count: npt.ArrayLike, points: npt.ArrayLike) -> Integers:
    """Return what everybody holds, from what a knock brings: the settlement read backwards.

    Traces have the mover's count alone, but what each seat would pay if the mover knocked, and that tells the others'.

    Parameters
    ----------
    rules : Rules
        By which the knock was settled.
    knocker : int
        The seat that knocked.
    count : array_like of int, shape (n,)
        Its count, in points.
    points : array_like of int, shape (n, N)
        What each seat received, in twelfths of a point.

    Returns
    -------
    int64[n, N]
        Counts by seat, in points.

    Examples
    --------
    A knock with 8 that is undercut by 3, a third player has 20; and a rum against 17 and 30.

    >>> counts_told(Rules(), 0, [8, 0], [[-180, 384, -204], [1164, -504, -660]])
    array([[ 8,  3, 20],
           [ 0, 17, 30]])
    """
    own = np.asarray(count, np.int64)
    paid = np.maximum(-np.asarray(points, np.int64), 0) // TWELFTHS
    # Who is undercut pays the penalty and at least a point; who is tied pays the penalty at most.
    above = np.maximum(paid[:, knocker] - rules.undercut, 0)
    counts: Integers = (own - above)[:, None] + paid - np.where(own == 0, rules.rum_bonus, 0)[:, None]
    counts[:, knocker] = own
    return counts


def _compared(confirm_seed: int, turns: Sequence[Turn], others: Sequence[Turn]) -> Check:
    """Return how far two tables are from each other, on the turns that both have."""
    quantiles = 0
    chances, own_turn = 0.0, 1
    for one, other in zip(turns, others, strict=False):
        for ours, theirs in ((one.opponent, other.opponent), (one.lowest, other.lowest)):
            differ = (abs(a - b) for a, b in zip(ours.quantiles, theirs.quantiles, strict=True))
            quantiles = max(quantiles, *differ)
        differs = max(
            abs(_number(here.below) - _number(there.below))
            for here, there in zip(one.chances, other.chances, strict=True)
        )
        if differs > chances:
            chances, own_turn = differs, one.own_turn
    return Check(confirm_seed, quantiles, chances, own_turn)


def _histogram(counts: Integers) -> Integers:
    found: Integers = np.bincount(counts, minlength=_PLACES)
    return found


def _quantiles(histogram: Integers) -> tuple[int, ...]:
    """Return the least counts that at least so many % of all do not exceed."""
    upto = histogram.cumsum()
    return tuple(int(np.searchsorted(100 * upto, percent * upto[-1])) for percent in QUANTILES)


def _number(found: Estimate) -> float:
    assert found.mean is not None
    return found.mean


def _row(spread: Spread) -> list[str]:
    _, low, median, high, _ = spread.quantiles
    return [f"{_number(spread.mean):.1f}", str(median), f"{low} to {high}"]


def _spread_json(spread: Spread) -> dict[str, object]:
    named = {f"q{percent}": count for percent, count in zip(QUANTILES, spread.quantiles, strict=True)}
    return {"mean": spread.mean.mean, "mean_se": spread.mean.error, **named}
