"""A knock schedule that no other answers better when everybody has it: a symmetric equilibrium among schedules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import MOST_PLAYERS, TWELFTHS
from rumsim.errors import whole_number
from rumsim.lab.constants import HIGHEST, Mixed, Mixtures, calm_mixture, totals_against
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.respond import RARE
from rumsim.rules import Rules, parse_rules
from rumsim.stats.bands import upper_bound
from rumsim.tasks.grid_sums import batch_ranges, batch_size
from rumsim.tasks.response import Question, Seat
from rumsim.tasks.sums import Integers
from rumsim.tasks.traces import trace

BLOCKS = 400_000
SEARCHED = 50_000  # blocks of the search: what it finds is flat, what it claims is confirmed on all
STARTS: tuple[int | str, ...] = (0, 10, 40, 80, "random")
_TURNS = 12  # own turns with a threshold of their own; at equilibrium few deals last for three
_ROUNDS = 24

Knock = npt.NDArray[np.int16]  # by seat and own turn


class End(NamedTuple):
    """Where the search came to from one start: its thresholds, and what a best answer to it gains on its decks."""

    start: int | str
    knock: Knock
    gain: float


@dataclass(frozen=True)
class Equilibrium:
    """The result of ``equilibrium``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    bot : str
        How everybody draws and discards.
    search_seed, confirm_seed, blocks : int
        The decks it was found on, those it was confirmed on, and how many of the latter.
    thresholds : tuple of tuple of int or None
        By seat and own turn; -1 for never, None where under 1 % of blocks reach the turn.
    constant : int
        The best answer among constants, which a seat without any threshold takes.
    reached : tuple of tuple of float
        The share of blocks that reach each turn.
    searched_gain : float
        Points a deal that a best answer to it gains on the decks of the search: too high, as it was fitted to them.
    gain, gain_error : float
        What that answer gains on other decks, and its standard error.
    gain_upper : float
        A bound, with 95 %, on what that answer or any constant from 0 to 80 gains, from other decks.
    seats : tuple of (float, float)
        Points a deal by seat, and their standard errors.
    first_round, turns, undercuts : float
        The share of deals that end before anyone has a second turn; table turns a deal, in the mean; and the share of
        deals in which the knocker is undercut.
    constants : Mixtures
        The equilibrium among constant thresholds.
    starts : tuple of (int or str, str, float)
        For each start of the search, the first three thresholds of each seat that it came to, and what a best answer
        to them gains on its decks.
    """

    rules: Rules
    players: int
    bot: str
    search_seed: int
    confirm_seed: int
    blocks: int
    thresholds: tuple[tuple[int | None, ...], ...]
    constant: int
    reached: tuple[tuple[float, ...], ...]
    searched_gain: float
    gain: float
    gain_error: float
    gain_upper: float
    seats: tuple[tuple[float, float], ...]
    first_round: float
    turns: float
    undercuts: float
    constants: Mixtures
    starts: tuple[tuple[int | str, str, float], ...]

    def first_threshold(self, seat: int) -> int:
        """Return the threshold of a seat's first turn, as its bot has it; -1 for never."""
        return _without_gaps(self.thresholds[seat], self.constant)[0]

    def knock(self) -> str:
        """Return the schedule as a bot's ``knock``: a turn without a threshold takes the one before it."""
        return "+".join(_text(_without_gaps(seat, self.constant)) for seat in self.thresholds)

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim equilibrium --json`` prints."""
        return {
            "rules": self.rules.as_json(),
            "players": self.players,
            "draw": self.bot.partition(",")[0].removeprefix("draw="),
            "bot": f"knock={self.knock()},{self.bot}",
            "thresholds": [["never" if one == -1 else one for one in seat] for seat in self.thresholds],
            "reached": [list(seat) for seat in self.reached],
            "searched_gain": self.searched_gain,
            "gain": self.gain,
            "gain_se": self.gain_error,
            "gain_upper": self.gain_upper,
            "seats": [{"seat": seat, "ev": ev, "ev_se": error} for seat, (ev, error) in enumerate(self.seats)],
            "constant": self.constant,
            "first_round": self.first_round,
            "turns": self.turns,
            "undercuts": self.undercuts,
            "constants": {
                "mixture": [{"threshold": one, "weight": float(weight)} for one, weight in self.constants.weights],
                "bot": self.constants.bot(self.bot),
                "gain": self.constants.gain,
                "gain_se": self.constants.gain_error,
                "gain_upper": self.constants.gain_upper,
            },
            "starts": [{"start": start, "knock": knock, "gain": gain} for start, knock, gain in self.starts],
            "blocks": self.blocks,
            "search_seed": self.search_seed,
            "confirm_seed": self.confirm_seed,
        }

    def toml(self) -> str:
        """Return a bot file that every command accepts as ``@FILE``."""
        keys = dict(word.split("=", 1) for word in self.bot.split(","))
        lines = [f'knock = "{self.knock()}"', *(f'{name} = "{value}"' for name, value in keys.items())]
        head = (
            f"# Symmetric equilibrium among knock schedules, {self.players} players, rules {self.rules}.",
            f"# Found on seed {self.search_seed}; on seed {self.confirm_seed} nothing tried gains more than "
            f"{self.gain_upper:.3f} points a deal (95 %).",
        )
        return "\n".join([*head, *lines]) + "\n"

    def table(self) -> str:
        """Return what ``rumsim equilibrium`` prints."""
        from rumsim.lab.tables import columns, folded

        head = (
            f"{self.players} players, rules {self.rules}; everybody {self.bot}",
            f"found on seed {self.search_seed}, confirmed on {self.blocks:,} blocks of seed {self.confirm_seed}",
            "",
            "A schedule to which, when all have it, no other knock schedule by seat and own turn is a better answer, "
            "drawing and discarding fixed. It is not the equilibrium of Knock Rummy.",
        )
        rows = [["seat", "points a deal", "s.e.", *(f"turn {turn + 1}" for turn in range(self._turns()))]]
        for seat, (ev, error) in enumerate(self.seats):
            cells = [_cell(one, share) for one, share in zip(self.thresholds[seat], self.reached[seat], strict=True)]
            rows.append([str(seat), f"{ev:+.3f}", f"{error:.3f}", *(cells + ["-"] * self._turns())[: self._turns()]])
        gains = (
            f"A best answer gains {self.searched_gain:.3f} points a deal on the decks it was fitted to and "
            f"{round(self.gain, 3) + 0.0:.3f} (s.e. {self.gain_error:.3f}) on others. With 95 % neither it nor any "
            f"constant from 0 to {HIGHEST} gains more than {max(self.gain_upper, 0.0):.3f}.",
            f"A deal lasts {self.turns:.2f} table turns; {self.first_round:.1%} end before anyone has a second turn, "
            f"and in {self.undercuts:.1%} the knocker is undercut.",
            f"Among constants alone: all knock at {_mixed(self.constants.weights)}. With 95 % no constant gains more "
            f"than {max(self.constants.gain_upper, 0.0):.3f} against that.",
        )
        ends = [["start", "gain on its decks", "knock"]]
        ends += [
            [str(start), f"{round(gain, 3) + 0.0:.3f}", knock if len(knock) < 50 else knock[:47] + "..."]
            for start, knock, gain in self.starts
        ]
        return "\n".join(
            [
                *(line for text in head for line in (folded(text) or [""])),
                "",
                columns(rows, left=0),
                "(threshold, and the share of blocks that reach the turn)",
                "",
                *(line for text in gains for line in folded(text)),
                "",
                columns(ends, left=0),
                "",
                *folded(f"As a bot: knock={self.knock()}"),
            ]
        )

    def _turns(self) -> int:
        return min(4, max(map(len, self.thresholds)))


def equilibrium(
    players: int,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
) -> Equilibrium:
    """Find a symmetric equilibrium among knock schedules by seat and own turn, with a bound on what others gain.

    Parameters
    ----------
    players : int
        2 to 5.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks to confirm on; the search uses as many of its own, up to 50,000.
    seed, confirm_seed : int
        The decks for the search and, the next seed if not given, for the confirmation.
    bot : str
        The keys with which everybody draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    Equilibrium
        Thresholds, what answers to them gain, and what each seat earns.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    Best answers from traces, seat by seat, each seat moving part of the way to its own, from several starts.  Equal
    bots earn exactly 0 in a block, so what an answer earns is its gain.

    Examples
    --------
    >>> found = equilibrium(3, blocks=3000, seed=1)
    >>> 35 < found.thresholds[0][0] < 55
    True
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 2, min(LAST_BLOCK, 10_000_000))
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    question = Question(known, players, studied, Mixture((Fraction(1),), (studied,)))

    table = _Table(question, seed, min(blocks, SEARCHED), jobs)
    ends = [_search(table, start, seed) for start in STARTS]
    best = min(ends, key=lambda end: end.gain)
    reached = table.reached(best.knock)
    thresholds = tuple(
        tuple(int(one) if share >= RARE else None for one, share in zip(seat, shares, strict=False))
        for seat, shares in zip(best.knock, reached, strict=True)
    )
    constant = int(sum(_constants(seat) for seat in table.seats(best.knock)).argmax())  # type: ignore[union-attr]
    knock = _as_written(thresholds, constant)  # what is confirmed is what is printed
    answer, searched = table.answers(knock)
    mixed, mixed_answer = calm_mixture(table.traces, players, question.limit())
    found = _confirm(question, knock, answer, mixed, mixed_answer, confirm, blocks, jobs)
    return Equilibrium(
        rules=known,
        players=players,
        bot=str(studied).partition(",")[2],
        search_seed=seed,
        confirm_seed=confirm,
        blocks=blocks,
        thresholds=thresholds,
        constant=constant,
        reached=reached,
        searched_gain=searched,
        gain=found.gain,
        gain_error=found.error,
        gain_upper=found.upper,
        seats=found.seats,
        first_round=found.first_round,
        turns=found.turns,
        undercuts=found.undercuts,
        constants=found.constants,
        starts=tuple((end.start, "+".join(_text(list(seat[:3])) for seat in end.knock), end.gain) for end in ends),
    )


class _Table:
    """Traces at which everybody draws alike, and the answers to schedules in them."""

    def __init__(self, question: Question, seed: int, blocks: int, jobs: int, first: int = 0) -> None:
        self.question = question
        bots = [question.bot] * question.players
        self.traces = trace(question.rules, bots, seed, first, first + blocks, jobs=jobs)
        self.blocks = blocks
        self._one_bot = np.zeros((blocks, question.players), np.uint8)

    def seats(self, knock: Knock) -> list[Seat]:
        """Return every seat, with opponents who have the schedule."""
        limited = np.minimum(knock, self.question.limit()).astype(np.int16)
        padded = np.full((1, MOST_PLAYERS, knock.shape[1]), -1, np.int16)
        padded[0, : len(knock)] = limited
        return [Seat(self.question, seat, self.traces, self._one_bot, padded) for seat in range(len(knock))]

    def answers(self, knock: Knock) -> tuple[Knock, float]:
        """Return the best answer of each seat, and the points a deal that it gains here, in the mean over seats."""
        answer, total = np.zeros_like(knock), 0
        for place, seat in enumerate(self.seats(knock)):
            best = seat.best_schedule(0.0)[0][: knock.shape[1]]
            answer[place, : len(best)] = best
            answer[place, len(best) :] = best[-1]
            total += self._points(seat, answer[place])
        return answer, total / (TWELFTHS * self.blocks * len(knock))

    def _points(self, seat: Seat, schedule: npt.ArrayLike) -> int:
        return int(seat.traces.points[seat.ends(schedule), seat.focal].sum())

    def undercuts(self, ends: Integers, turns: Integers) -> int:
        """Return in how many blocks, that end in these rows after so many turns, the knocker is undercut."""
        knocked = ends < self.traces.starts[1:] - 1
        knocker = (turns - 1) % self.question.players
        rules = self.question.rules
        # Only who is tied pays no more than this; who is undercut pays a point for the difference, too.
        tie_pays = rules.undercut if rules.tie == "penalty" else 0
        got = self.traces.points[ends, knocker]
        return int((knocked & (got < -TWELFTHS * tie_pays)).sum())

    def reached(self, knock: Knock) -> tuple[tuple[float, ...], ...]:
        """Return the share of blocks in which turns come, as far as 1 % of them do."""
        found = []
        for place, seat in enumerate(self.seats(knock)):
            shares = seat.reached(seat.ends(knock[place]), knock.shape[1])
            upto = int(np.flatnonzero(shares >= RARE).max(initial=0)) + 1
            found.append(tuple(float(share) for share in shares[:upto]))
        return tuple(found)


def _search(table: _Table, start: int | str, seed: int) -> End:
    """Move from a start towards best answers, and return the schedule to which the best answer gains least."""
    players = table.question.players
    if start == "random":
        rng = random.Random(seed)
        knock = np.array([[rng.randint(0, HIGHEST) for _ in range(_TURNS)] for _ in range(players)], np.int16)
    else:
        knock = np.full((players, _TURNS), start, np.int16)
    knock = np.minimum(knock, table.question.limit()).astype(np.int16)
    best = End(start, knock, float("inf"))
    place = knock.astype(np.float64)
    for turn in range(_ROUNDS):
        knock = np.rint(place).astype(np.int16)
        answer, gain = table.answers(knock)
        if gain < best.gain:
            best = End(start, knock, gain)
        # Whole steps at first; then ever smaller ones, since answers of all seats at once overshoot.
        place += (answer - place) * (1.0 if turn < 2 else 0.5 if turn < 12 else 0.25)
    return best


class _Found(NamedTuple):
    gain: float
    error: float
    upper: float
    seats: tuple[tuple[float, float], ...]
    first_round: float
    turns: float
    undercuts: float
    constants: Mixtures


class _Batch(NamedTuple):
    """Sums over a batch of blocks."""

    gains: Integers  # of all constants and the answer, against the schedule
    mixed_gains: npt.NDArray[np.float64]  # of all constants, against the mixture of constants
    points: Integers  # by seat
    early: int
    turns: int
    undercuts: int


def _confirm(
    question: Question,
    knock: Knock,
    answer: Knock,
    mixed: Mixed,
    mixed_answer: int,
    seed: int,
    blocks: int,
    jobs: int,
) -> _Found:
    """Estimate on other decks what the answers and all constants gain, what seats earn and how deals end."""
    size = batch_size(blocks)
    ranges = batch_ranges(0, blocks, size, size)

    def batch(one: tuple[int, int]) -> _Batch:
        table = _Table(question, seed, one[1] - one[0], 1, first=one[0])
        gains, points = np.zeros(HIGHEST + 2, np.int64), np.zeros(question.players, np.int64)
        seats = table.seats(knock)
        for place, seat in enumerate(seats):
            gains[:-1] += _constants(seat)
            gains[-1] += table._points(seat, answer[place])
        ends = seats[0].ends(np.minimum(knock[0], question.limit()))  # the same for all seats
        points[:] = table.traces.points[ends].sum(axis=0)
        turns = np.minimum(ends + 1, table.traces.starts[1:] - 1) - table.traces.starts[:-1]
        return _Batch(
            gains,
            totals_against(table.traces, question.players, mixed, question.limit()),
            points,
            early=int((ends - table.traces.starts[:-1] < question.players).sum()),
            turns=int(turns.sum()),
            undercuts=table.undercuts(ends, turns),
        )

    parts = [batch(ranges[0])]  # by itself, in case it compiles
    with ThreadPoolExecutor(jobs) as threads:
        parts += threads.map(batch, ranges[1:])
    sizes = [last - first for first, last in ranges]
    unit = TWELFTHS * question.players
    gains, mixed_gains = (np.array([part[which] for part in parts]) / unit for which in (0, 1))
    points = np.array([part.points for part in parts]) / TWELFTHS
    gain, error = _mean(gains[:, -1], sizes)
    mixed_gain, mixed_error = _mean(mixed_gains[:, mixed_answer], sizes)
    return _Found(
        gain,
        error,
        upper_bound(gains, sizes),
        tuple(_mean(points[:, seat], sizes) for seat in range(question.players)),
        first_round=sum(part.early for part in parts) / blocks,
        turns=sum(part.turns for part in parts) / blocks,
        undercuts=sum(part.undercuts for part in parts) / blocks,
        constants=Mixtures(mixed, mixed_gain, mixed_error, upper_bound(mixed_gains, sizes)),
    )


def _constants(seat: Seat) -> Integers:
    """Return what the constants from 0 to 80 get; those above the rules' limit are as good as the limit itself."""
    return seat.constants()[np.minimum(np.arange(HIGHEST + 1), seat.question.limit())]


def _mean(sums: npt.NDArray[np.float64], sizes: Sequence[int]) -> tuple[float, float]:
    """Return the mean of sums over batches of blocks, and its standard error."""
    many, blocks = len(sums), sum(sizes)
    mean = float(sums.sum()) / blocks
    apart = sums - mean * np.array(sizes)
    return mean, float(np.sqrt((apart**2).sum() * many / (many - 1)) / blocks)


def _as_written(thresholds: Sequence[Sequence[int | None]], constant: int) -> Knock:
    """Return the schedule of the bot that has these thresholds, for as many turns as answers to it have."""
    seats = [_without_gaps(seat, constant) for seat in thresholds]
    return np.array([(seat + [seat[-1]] * _TURNS)[:_TURNS] for seat in seats], np.int16)


def _without_gaps(seat: Sequence[int | None], constant: int) -> list[int]:
    """Let a turn without a threshold take the one before it, or the constant."""
    filled: list[int] = []
    for one in seat:
        filled.append(one if one is not None else filled[-1] if filled else constant)
    return filled


def _text(seat: Sequence[int]) -> str:
    return "/".join("never" if one < 0 else str(one) for one in seat)


def _mixed(weights: Mixed) -> str:
    if len(weights) == 1:
        return str(weights[0][0])
    return ", ".join(f"{threshold} with {float(weight):.0%}" for threshold, weight in weights)


def _cell(threshold: int | None, share: float) -> str:
    shown = "-" if threshold is None else "never" if threshold < 0 else str(threshold)
    return f"{shown} ({share:.0%})"
