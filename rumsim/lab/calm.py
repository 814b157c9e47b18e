"""How an equilibrium among knock schedules is looked for, and what is found out about it on other decks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim.engine.requests import PARTS, TWELFTHS
from rumsim.lab.constants import HIGHEST, Mixed, calm_mixture, totals_against
from rumsim.lab.phases import run_phase
from rumsim.lab.respond import RARE
from rumsim.runs.interrupt import CtrlC
from rumsim.runs.progress import Progress
from rumsim.stats.bands import upper_bound
from rumsim.stats.blocks import estimate
from rumsim.stats.sequential import anytime_margin
from rumsim.stats.student import quantile
from rumsim.tasks.bound import most
from rumsim.tasks.decisions import ERRORS, Climbing, Decisions, SeatTurns
from rumsim.tasks.gains import Gains, GainSums
from rumsim.tasks.grid_sums import batch_size
from rumsim.tasks.kept import APART, Keep, Kept, Knock
from rumsim.tasks.response import Question
from rumsim.tasks.sums import Integers

STARTS: tuple[int | str, ...] = (40, 0, 10, 80, "random")
_ROUNDS = 24
_QUICK = 50_000  # blocks whose bound takes no more than a second or so


class End(NamedTuple):
    """Where the search came to from one start: its thresholds, and what a best answer to it gains on its decks."""

    start: int | str
    knock: Knock
    gain: float


@dataclass(frozen=True)
class Searched:
    """What the search came to.

    Attributes
    ----------
    ends : tuple of End
        For each start, in the order in which they are listed.
    knock : Knock
        The best of them.
    constant : int
        The best answer to it among constants.
    reached : tuple of tuple of float
        By seat, the share of blocks that reach each own turn, as far as 1 % do.
    answer : Knock
        The best answer to the schedule as it is written.
    gain : float
        What that gains on the decks of the search, in points a deal.
    mixed, mixed_answer : Mixed, int
        The equilibrium among constants, and the constant that answers it best; empty if Ctrl-C came before.
    interrupted : bool
        Whether it did.
    """

    ends: tuple[End, ...]
    knock: Knock
    constant: int
    reached: tuple[tuple[float, ...], ...]
    answer: Knock
    gain: float
    mixed: Mixed
    mixed_answer: int
    interrupted: bool


def search_table(question: Question, seed: int, blocks: int, jobs: int, progress: bool, ctrl_c: CtrlC) -> Searched:
    """Look for an equilibrium.

    Parameters
    ----------
    question : Question
        The game, the table, and how everybody draws.
    seed, blocks, jobs : int
        The decks, how many, and on how many threads they are traced.
    progress : bool
        Show how far it is.
    ctrl_c : CtrlC
        Once it is asked, the search comes to an end.

    Returns
    -------
    Searched
        The schedule to which the best answer gains least.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C before the first block is finished.
    """
    jokers = question.rules.jokers > 0
    sums, interrupted = run_phase("tracing", Keep(question, seed), jokers, blocks, jobs, progress, lambda _: "")
    if not sums.blocks:
        raise KeyboardInterrupt
    table = _Table(question, sums.joined(), sums.blocks)
    ends: dict[int | str, End] = {}
    with Progress(len(STARTS) * _ROUNDS, "rounds", quiet=not progress) as bar:
        for place, start in enumerate(STARTS):
            if ends and ctrl_c.asked:
                break

            def show_round(round_: int, gain: float, place: int = place) -> None:
                bar.update(place * _ROUNDS + round_, lambda: f"searching, an answer gains {gain:.3f} points so far")

            ends[start] = _search(table, start, seed, show_round, ctrl_c)
    listed = sorted(ends.values(), key=lambda end: (isinstance(end.start, str), end.start))
    best = min(listed, key=lambda end: end.gain)
    reached = table.reached(best.knock)
    constant = table.best_constant(best.knock)
    thresholds = [
        [int(one) if share >= RARE else None for one, share in zip(seat, shares, strict=False)]
        for seat, shares in zip(best.knock, reached, strict=True)
    ]
    answer, gain = table.answers(as_written(thresholds, constant))
    mixed: Mixed = ()
    mixed_answer = 0
    if not ctrl_c.asked:
        mixed, mixed_answer = calm_mixture(table.kept, question.players, question.limit())
    ctrl_c.answered |= ctrl_c.asked
    return Searched(
        *(tuple(listed), best.knock, constant, reached, answer, gain, mixed, mixed_answer),
        interrupted=interrupted or ctrl_c.asked,
    )


class _Table:
    """Traces at which everybody draws alike, and the answers to schedules in them."""

    def __init__(self, question: Question, kept: Kept, blocks: int) -> None:
        self.question, self.kept, self.blocks = question, kept, blocks

    def seats(self, knock: Knock) -> list[SeatTurns]:
        """Return every seat's own turns, with opponents who have the schedule."""
        return self.kept.seat_turns(np.minimum(knock, self.question.limit()).astype(np.int16))

    def answers(self, knock: Knock) -> tuple[Knock, float]:
        """Return the best answer of each seat, and the points a deal that it gains here, in the mean over seats."""
        answer, total = np.zeros_like(knock), 0
        for turns in self.seats(knock):
            search = Climbing(turns, self.question.limit(), ERRORS)
            best = search.improved(search.back(APART))
            answer[turns.seat] = best
            total += int(turns.values(best).sum())
        return answer, total / (TWELFTHS * self.blocks * len(knock))

    def best_constant(self, knock: Knock) -> int:
        """Return the best answer from 0 to 80 among constants, of equals the lowest."""
        seats = self.seats(knock)
        limit = min(self.question.limit(), HIGHEST)
        totals = [sum(int(turns.values([one]).sum()) for turns in seats) for one in range(limit + 1)]
        return int(np.argmax(totals))

    def reached(self, knock: Knock) -> tuple[tuple[float, ...], ...]:
        """Return the share of blocks in which turns come, as far as 1 % of them do."""
        found = []
        for turns in self.seats(knock):
            _, shares = turns.ranges(knock[turns.seat], self.question.limit(), 0.0)
            upto = int(np.flatnonzero(shares >= RARE).max(initial=0)) + 1
            found.append(tuple(float(share) for share in shares[:upto]))
        return tuple(found)


def _search(table: _Table, start: int | str, seed: int, show: Callable[[int, float], None], ctrl_c: CtrlC) -> End:
    """Move from a start towards best answers, and return the schedule to which the best answer gains least."""
    players = table.question.players
    if start == "random":
        rng = random.Random(seed)
        knock = np.array([[rng.randint(0, HIGHEST) for _ in range(APART)] for _ in range(players)], np.int16)
    else:
        knock = np.full((players, APART), start, np.int16)
    knock = np.minimum(knock, table.question.limit()).astype(np.int16)
    best = End(start, knock, float("inf"))
    place = knock.astype(np.float64)
    for turn in range(_ROUNDS):
        knock = np.rint(place).astype(np.int16)
        answer, gain = table.answers(knock)
        if gain < best.gain:
            best = End(start, knock, gain)
        show(turn + 1, best.gain)
        if ctrl_c.asked and turn:
            break
        # Whole steps at first; then ever smaller ones, since answers of all seats at once overshoot.
        place += (answer - place) * (1.0 if turn < 2 else 0.5 if turn < 12 else 0.25)
    return best


def as_written(thresholds: Sequence[Sequence[int | None]], constant: int) -> Knock:
    """Return the schedule of the bot that has these thresholds, for as many turns as answers to it have.

    Examples
    --------
    >>> as_written([[42, None], [None, 45]], 40)[:, :3].tolist()
    [[42, 42, 42], [40, 45, 45]]
    """
    seats = [without_gaps(seat, constant) for seat in thresholds]
    return np.array([(seat + [seat[-1]] * APART)[:APART] for seat in seats], np.int16)


def without_gaps(seat: Sequence[int | None], constant: int) -> list[int]:
    """Let a turn without a threshold take the one before it, or the constant.

    Examples
    --------
    >>> without_gaps([None, 42, None], 40)
    [40, 42, 42]
    """
    filled: list[int] = []
    for one in seat:
        filled.append(one if one is not None else filled[-1] if filled else constant)
    return filled


# ---- other decks ---------------------------------------------------------------------------------------------


class Confirmed(NamedTuple):
    """What is found out on other decks; the attributes of :class:`rumsim.lab.equilibrium.Equilibrium`."""

    blocks: int
    bound_blocks: int = 0
    gain: float | None = None
    error: float | None = None
    upper: float | None = None
    seats: tuple[tuple[float | None, float | None], ...] = ()
    first_round: float | None = None
    turns: float | None = None
    undercuts: float | None = None
    mixed_gain: float | None = None
    mixed_error: float | None = None
    mixed_upper: float | None = None


def confirm_table(
    question: Question,
    searched: Searched,
    knock: Knock,
    seed: int,
    blocks: int,
    jobs: int,
    progress: bool,
    ctrl_c: CtrlC,
) -> Confirmed:
    """Estimate on other decks what answers and constants gain, what seats earn and how deals end.

    Parameters
    ----------
    question, searched : Question, Searched
        Who plays, and what was found.
    knock : Knock
        The schedule as it is written.
    seed, blocks, jobs : int
        The decks, how many, and on how many threads they are traced.
    progress : bool
        Show how far it is.
    ctrl_c : CtrlC
        If it is asked while the bound is looked for, there is none.

    Returns
    -------
    Confirmed
        Over the blocks that were finished.
    """
    players, limit = question.players, question.limit()
    unit = TWELFTHS * players
    mixed = searched.mixed

    def against(kept: Kept) -> Integers:
        return totals_against(kept, players, mixed, limit)

    def note(sums: GainSums) -> str:
        found = estimate(int(sums.answer[0]), int(sums.answer[1]), sums.blocks, unit)
        margin = anytime_margin((found.error or 0.0) * sums.blocks**0.5, sums.blocks, blocks)
        return (
            "" if found.mean is None or margin is None else f"an answer gains {found.mean:+.4f} ± {margin:.4f} points"
        )

    surely = min(min(threshold for threshold, _ in mixed), limit)
    decisions = Decisions(players)
    task = Gains(question, seed, knock, searched.answer, surely, against, batch_size(blocks), decisions)
    sums, interrupted = run_phase("confirming", task, question.rules.jokers > 0, blocks, jobs, progress, note)
    if sums.blocks < 2:
        return Confirmed(sums.blocks)
    known = [sums.batches[number] for number in sorted(sums.batches)]
    sizes = [many for many, _ in known]
    gains = np.array([totals[: limit + 2] for _, totals in known]) / (PARTS * unit)
    place = searched.mixed_answer + 1
    mixed_gain, mixed_error = _mean(gains[:, place], sizes)
    answer = estimate(int(sums.answer[0]), int(sums.answer[1]), sums.blocks, unit)
    seats = [
        estimate(int(total), int(squares), sums.blocks, TWELFTHS)
        for total, squares in zip(sums.points, sums.squares, strict=True)
    ]
    upper = float(upper_bound(gains, sizes)) if len(sizes) > 1 else None
    # After Ctrl-C few seconds are left: those blocks are bounded whose search is quick.
    asked = (lambda: False) if interrupted and sums.blocks <= _QUICK else lambda: ctrl_c.asked
    try:
        bound: float | None = schedule_bound(decisions, limit, knock, searched.answer, asked=asked)
    except KeyboardInterrupt:
        bound, ctrl_c.answered = None, True
    early, turns, undercuts = (int(many) / sums.blocks for many in sums.counted)
    return Confirmed(
        sums.blocks,
        decisions.blocks,
        *(answer.mean, answer.error, bound),
        tuple((seat.mean, seat.error) for seat in seats),
        *(early, turns, undercuts, mixed_gain, mixed_error, upper),
    )


def schedule_bound(
    decisions: Decisions,
    limit: int,
    knock: Knock,
    answer: Knock,
    level: float = 0.95,
    *,
    asked: Callable[[], bool] = bool,
) -> float:
    """Return a bound on what any knock schedule gains, from decks that chose nothing of the one that all have.

    Parameters
    ----------
    decisions : Decisions
        Own turns on those decks, what the schedule itself gets taken away; of at least 2 blocks.
    limit : int
        The rules' knock limit.
    knock, answer : int16[N, T]
        The schedule of all, and an answer to it that was found on other decks.
    level : float
        The chance that no schedule gains more.
    asked : callable
        Whether Ctrl-C was pressed.

    Returns
    -------
    float
        Points a deal, in the mean over seats.

    Raises
    ------
    KeyboardInterrupt
        Once it was asked: half a search bounds nothing.
    """
    players, blocks = decisions.players, decisions.blocks
    student = quantile(blocks - 1, level)
    totals = np.zeros((3, blocks), np.int64)
    for place in range(players):
        turns = decisions.seat(place)
        known = [np.minimum(one[place].astype(np.int64), limit) for one in (knock, answer)]
        found = most(turns, limit, known, student, asked)
        for total, thresholds in zip(totals, (found.thresholds, found.unsure, known[1]), strict=True):
            turns.add_values(thresholds, total)
    ways = [estimate(int(total.sum()), int((total**2).sum()), blocks, TWELFTHS * players) for total in totals]
    return (ways[0].mean or 0.0) + student * max(way.error or 0.0 for way in ways)


def _mean(sums: npt.NDArray[np.float64], sizes: Sequence[int]) -> tuple[float, float | None]:
    """Return the mean of sums over batches of blocks, and its standard error."""
    many, blocks = len(sums), sum(sizes)
    mean = float(sums.sum()) / blocks
    if many < 2:
        return mean, None
    apart = sums - mean * np.array(sizes)
    return mean, float(np.sqrt((apart**2).sum() * many / (many - 1)) / blocks)
