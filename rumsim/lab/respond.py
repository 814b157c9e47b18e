"""The best knock against given opponents: as one threshold, and as a schedule by seat and own turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.errors import whole_number
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.phases import run_phase
from rumsim.lab.sweep_frames import FLAT
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard
from rumsim.stats.best_set import not_beaten
from rumsim.stats.blocks import Estimate, estimate
from rumsim.stats.sequential import anytime_margin
from rumsim.tasks.answers import Confirmation, EarnedSums, Search, SearchSums
from rumsim.tasks.decisions import Decisions, SeatTurns
from rumsim.tasks.grid_sums import batch_size
from rumsim.tasks.response import Question

BLOCKS = 40_000
SOON = 50_000  # blocks on which a schedule is found within a second, for those who have pressed Ctrl-C
RARE = 0.01  # of the blocks: a turn that fewer reach has no threshold

Schedule = tuple[int | None, ...]


@dataclass(frozen=True)
class Turn:
    """A turn of the studied player.

    Attributes
    ----------
    seat, own_turn : int
        From 0, and from 1.
    threshold : int or None
        The highest count to knock with, -1 for never; None where under 1 % of blocks reach the turn.
    low, high : int or None
        Thresholds that lose at most 0.02 points a deal, if all others stay.
    reached : float
        The share of blocks that reach it.
    """

    seat: int
    own_turn: int
    threshold: int | None
    low: int | None
    high: int | None
    reached: float


@dataclass(frozen=True)
class Response:
    """The result of ``respond``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    opponents, bot : str
        All others, and how the studied player draws and discards.
    search_seed, confirm_seed, blocks : int
        The decks on which the answers were found, those on which they are confirmed, and how many of the latter.
    searched, search_blocks : int
        On how many blocks the constant was found, and on how many, the first of those, the schedule: as many as have
        room for their own turns.
    constant : int
        The best threshold that is the same on every turn.
    within : tuple of int
        From and to: constants around it that lose at most 0.02 points a deal to it.
    not_beaten : tuple of int
        Constants that the best one does not beat, with 95 % for all together: the true best is one of them.
    constant_points, constant_wins : Estimate
        What it earns and wins a deal, on the decks of ``confirm_seed``.
    turns : tuple of Turn
        The best schedule, by seat and own turn.
    points, wins : Estimate
        What the schedule earns and wins a deal, on the decks of ``confirm_seed``.  As the opponents' own bot would earn
        0 among them, the points are the gain over it.
    interrupted : bool
        Whether Ctrl-C ended it: estimates are those of the blocks finished, or None.
    """

    rules: Rules
    players: int
    opponents: str
    bot: str
    search_seed: int
    confirm_seed: int
    blocks: int
    searched: int
    search_blocks: int
    constant: int
    within: tuple[int, int]
    not_beaten: tuple[int, ...]
    constant_points: Estimate
    constant_wins: Estimate
    turns: tuple[Turn, ...]
    points: Estimate
    wins: Estimate
    interrupted: bool = False

    def of_seat(self, seat: int) -> list[Turn]:
        """Return the turns of one seat."""
        return [turn for turn in self.turns if turn.seat == seat]

    def knock(self) -> str:
        """Return the schedule as a bot's ``knock``: a turn without a threshold takes the one before it."""
        texts = []
        for seat in range(self.players):
            filled = _filled([turn.threshold for turn in self.of_seat(seat)], self.constant)
            texts.append("/".join("never" if one < 0 else str(one) for one in filled))
        return "+".join(texts)

    def finished(self) -> str:
        """Say in words how far it came."""
        confirmed = f"confirmed on {self.blocks:,}" if self.blocks else "not confirmed"
        return f"found on {self.searched:,} blocks, {confirmed}"

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim respond --json`` prints; ``never`` stands for no count at all."""
        return {
            "rules": self.rules.as_json(),
            "players": self.players,
            "opponents": self.opponents,
            "bot": self.bot,
            "constant": {
                "threshold": self.constant,
                "within": list(self.within),
                "set": list(self.not_beaten),
                "ev": self.constant_points.mean,
                "ev_se": self.constant_points.error,
                "win": self.constant_wins.mean,
            },
            "schedule": [[_said(turn.threshold) for turn in self.of_seat(seat)] for seat in range(self.players)],
            "flat": [[[_said(turn.low), _said(turn.high)] for turn in self.of_seat(s)] for s in range(self.players)],
            "reached": [[turn.reached for turn in self.of_seat(seat)] for seat in range(self.players)],
            "ev": self.points.mean,
            "ev_se": self.points.error,
            "ev_ci": [None, None] if self.points.interval is None else list(self.points.interval),
            "win": self.wins.mean,
            "win_se": self.wins.error,
            "knock": self.knock(),
            "blocks": self.blocks,
            "search_blocks": self.search_blocks,
            "search_seed": self.search_seed,
            "confirm_seed": self.confirm_seed,
            **({"interrupted": True} if self.interrupted else {}),
        }

    def table(self) -> str:
        """Return what ``rumsim respond`` prints."""
        from rumsim.lab.tables import columns, folded

        fewer = "" if self.search_blocks == self.searched else f" (the schedule on the first {self.search_blocks:,})"
        many = "as many" if self.blocks == self.searched else f"{self.blocks:,}"
        head = (
            f"{self.players} players, rules {self.rules}",
            f"opponents {self.opponents}",
            f"the studied player: {self.bot}",
            f"found on {self.searched:,} blocks of seed {self.search_seed}{fewer}, "
            + (f"confirmed on {many} of seed {self.confirm_seed}" if self.blocks else "not confirmed: interrupted"),
        )
        low, high = self.within
        said = (
            f"Best constant: knock at {self.constant} ({low} to {high} lose at most {FLAT} points; not beaten, with "
            f"95 %: {ranges_text(self.not_beaten)}). {_earning(self.constant_points, self.constant_wins)}",
            f"Best schedule, below: {_gaining(self.points, self.wins)}",
        )
        rows = [["seat", "own turn", "knock at", f"within {FLAT}", "reached"]]
        for turn in self.turns:
            flat = "-" if turn.threshold is None else f"{_shown(turn.low)} to {_shown(turn.high)}"
            rows.append([str(turn.seat), str(turn.own_turn), _shown(turn.threshold), flat, f"{turn.reached:.1%}"])
        lines = [line for text in head for line in folded(text)]
        answers = [line for text in said for line in folded(text)]
        note = folded("As a bot: knock=" + self.knock())
        return "\n".join([*lines, "", *answers, "", columns(rows, left=0), "", *note])


def respond(
    players: int,
    opponents: str,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
    progress: bool = False,
) -> Response:
    """Find the best knock against given opponents: as a constant, and as a schedule by seat and own turn.

    Parameters
    ----------
    players : int
        2 to 5.
    opponents : str
        The bot of all others, or a mixture ``0.5*BOT+0.5*BOT`` from which each draws its bot anew in every deal.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks to search on, and as many others to confirm on.
    seed, confirm_seed : int
        The decks for the search and, the next seed if not given, for the confirmation.
    bot : str
        The keys with which the studied player draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    Response
        Thresholds with flat ranges, how often turns are reached, and what the answers earn on decks on which they
        were not found.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    From traces: backwards in own turns, then one turn at a time given all others, from several starts, see
    :func:`rumsim.engine.decisions.climb`.  It is the best that was found among knock schedules by seat and own turn,
    with drawing and discarding as given, not the best way to play.

    The own turns of the search are kept, at most :data:`rumsim.tasks.decisions.MOST_ROWS`; all else is added up.

    Ctrl-C ends it early: the result then holds what was found on the blocks finished, and says so; before the first
    block it is passed on.

    Examples
    --------
    >>> found = respond(2, "knock=10", blocks=2000, seed=1)
    >>> found.constant > 20 and found.points.mean > 3
    True
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    others = Mixture.parse(opponents)
    others.check(players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 1, min(LAST_BLOCK, 10_000_000))
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    return answered(Question(known, players, studied, others), blocks, seed, confirm, jobs, progress)[0]


Ranges = tuple[tuple[tuple[int, int], ...], ...]


def answered(
    question: Question,
    blocks: int,
    seed: int,
    confirm: int,
    jobs: int,
    progress: bool,
    around: Sequence[Sequence[int]] = (),
) -> tuple[Response, Ranges]:
    """Find the best answers as :func:`respond` does; and around given thresholds those that lose little.

    Parameters
    ----------
    question : Question
        Who plays.
    blocks, seed, confirm, jobs, progress
        As of :func:`respond`.
    around : sequence of sequence of int
        Thresholds by seat and own turn, -1 for never.

    Returns
    -------
    response, ranges
        The answers; and, seat by seat, the lowest and the highest threshold around each one given that lose at most
        0.02 points a deal to it, if all others stay.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C before the first block is finished.
    """
    players, limit = question.players, question.limit()
    with heard() as ctrl_c:
        sums, interrupted = _searched(question, seed, blocks, jobs, progress)
        constant, within = _best_constant(sums, question)
        kept = min(sums.decisions.blocks, SOON) if interrupted else sums.decisions.blocks
        seats = [sums.decisions.seat(seat).first(kept) for seat in range(players)]
        found, stopped = execute(_Schedules(tuple(seats), limit, lambda: ctrl_c.asked), 1)
        if stopped:  # it was taking long
            interrupted, kept = True, min(kept, SOON)
            seats = [seat.first(kept) for seat in seats]
            found = _Schedules(tuple(seats), limit, lambda: True).run(0, 1)
        turns = found.turns
        schedules = [_filled([turn.threshold for turn in turns if turn.seat == s], constant) for s in range(players)]
        flat = FLAT * TWELFTHS
        ranges = tuple(
            tuple(zip(*seat.ranges(shown, limit, flat)[0].tolist(), strict=True))
            for seat, shown in zip(seats, around, strict=False)
        )
        members = _not_beaten(sums, limit)
        del seats
        earned = Confirmation(question, confirm, ()).empty()
        if not interrupted:
            sums.decisions.clear()
            task = Confirmation(question, confirm, (_frozen(schedules), ((constant,),) * players))
            earned, interrupted = run_phase(
                *("confirming", task, question.rules.jokers > 0, blocks, jobs, progress),
                lambda sums: points_so_far("the schedule", sums, blocks, players),
            )
    points, wins, constant_points, constant_wins = _estimates(earned, players)
    response = Response(
        rules=question.rules,
        players=players,
        opponents=str(question.opponents),
        bot=str(question.bot).partition(",")[2],
        search_seed=seed,
        confirm_seed=confirm,
        blocks=earned.blocks,
        searched=sums.blocks,
        search_blocks=kept,
        constant=constant,
        within=within,
        not_beaten=members,
        constant_points=constant_points,
        constant_wins=constant_wins,
        turns=tuple(turns),
        points=points,
        wins=wins,
        interrupted=interrupted,
    )
    return response, ranges


@dataclass(frozen=True)
class _Turns:
    """Turns of all seats, once they are found, in the form in which the executor takes it."""

    blocks: int
    turns: list[Turn]

    def __add__(self, other: _Turns) -> _Turns:
        return other


@dataclass(frozen=True)
class _Schedules:
    """The search for the best schedule of every seat, as one chunk in the background: it may take long."""

    seats: tuple[SeatTurns, ...]
    limit: int
    asked: Callable[[], bool]

    def empty(self) -> _Turns:
        return _Turns(0, [])

    def run(self, first: int, last: int) -> _Turns:
        return _Turns(1, [turn for seat in self.seats for turn in _turns(seat, self.limit, self.asked)])


def schedules_against(question: Question, seed: int, blocks: int, jobs: int = 1) -> list[list[int]]:
    """Return the best schedule of each seat against opponents, turns that few reach as the one before them.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C before it is done.
    """
    with heard():
        sums, interrupted = _searched(question, seed, blocks, jobs, progress=False)
        if interrupted:
            raise KeyboardInterrupt
        constant, _ = _best_constant(sums, question)
        seats = [sums.decisions.seat(seat) for seat in range(question.players)]
        return [_filled([turn.threshold for turn in _turns(seat, question.limit())], constant) for seat in seats]


def _searched(question: Question, seed: int, blocks: int, jobs: int, progress: bool) -> tuple[SearchSums, bool]:
    """Trace the decks of the search, as far as Ctrl-C lets it."""

    def note(sums: SearchSums) -> str:
        return f"best constant so far {_best_constant(sums, question)[0]}"

    task = Search(question, seed, batch_size(blocks), Decisions(question.players))
    sums, interrupted = run_phase("searching", task, question.rules.jokers > 0, blocks, jobs, progress, note)
    if not sums.blocks:
        raise KeyboardInterrupt
    return sums, interrupted


def _best_constant(sums: SearchSums, question: Question) -> tuple[int, tuple[int, int]]:
    """Return the constant that gets most, of equals the lowest, and the range around it that loses little."""
    totals = sums.constants()[: question.limit() + 1]
    best = int(np.argmax(totals))
    enough = totals >= totals[best] - FLAT * TWELFTHS * question.players * sums.blocks
    low = high = best
    while low > 0 and enough[low - 1]:
        low -= 1
    while high + 1 < len(enough) and enough[high + 1]:
        high += 1
    return best, (low, high)


def _not_beaten(sums: SearchSums, limit: int) -> tuple[int, ...]:
    """Return the constants that may be the best one, with 95 %."""
    batches, sizes = sums.by_batch()
    members = not_beaten(batches[:, : limit + 1], sizes)
    return tuple(int(threshold) for threshold in np.flatnonzero(members))


def _turns(seat: SeatTurns, limit: int, asked: Callable[[], bool] = bool) -> list[Turn]:
    """Return the best schedule of a seat, as far as its turns are reached."""
    thresholds = seat.best(limit, asked)
    (lows, highs), reached = seat.ranges(thresholds, limit, FLAT * TWELFTHS)
    often = reached >= RARE
    upto = int(np.flatnonzero(often).max(initial=0)) + 1
    turns = []
    for place in range(upto):
        best, low, high = ((int(row[place]) if often[place] else None) for row in (thresholds, lows, highs))
        turns.append(Turn(seat.seat, place + 1, best, low, high, float(reached[place])))
    return turns


def _frozen(schedules: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(schedule) for schedule in schedules)


def points_so_far(what: str, sums: EarnedSums, planned: int, players: int) -> str:
    """Say what the first of some schedules earns so far."""
    found = _estimates(sums, players)[0]
    margin = anytime_margin((found.error or 0.0) * sums.blocks**0.5, sums.blocks, planned)
    if found.mean is None or margin is None:
        return ""
    return f"{what} {found.mean + 0.0:+.3f} ± {margin:.3f} points"


def _estimates(earned: EarnedSums, players: int) -> list[Estimate]:
    """Return points and wins a deal of each schedule, one after the other; Nones where nothing was confirmed."""
    if not earned.blocks:
        return [estimate(0, 0, 0, 1)] * 4
    blocks, found = earned.blocks, []
    for place in range(len(earned.points)):
        points, wins = earned.points[place], earned.wins[place]
        found.append(estimate(int(points), int(earned.points_squares[place]), blocks, TWELFTHS * players))
        found.append(estimate(int(wins), int(earned.wins_squares[place]), blocks, SIXTIETHS * players))
    return found


def _filled(schedule: Sequence[int | None], constant: int) -> list[int]:
    """Let a turn without a threshold take the one before it, or the best constant."""
    filled: list[int] = []
    for one in schedule:
        filled.append(one if one is not None else filled[-1] if filled else constant)
    return filled


def ranges_text(members: Sequence[int]) -> str:
    """Write whole numbers in ascending order, neighbours as ranges.

    Examples
    --------
    >>> ranges_text([8, 30, 31, 32, 40])
    '8, 30 to 32, 40'
    """
    parts: list[list[int]] = []
    for one in members:
        if parts and one == parts[-1][-1] + 1:
            parts[-1][1:] = [one]
        else:
            parts.append([one])
    return ", ".join(" to ".join(map(str, part)) for part in parts)


def _earning(points: Estimate, wins: Estimate) -> str:
    if points.mean is None:
        return "What it earns was not confirmed."
    return f"It earns {_written(points)} points a deal and wins {wins.mean:.4f} of the deals."


def _gaining(points: Estimate, wins: Estimate) -> str:
    if points.mean is None:
        return "what it gains was not confirmed."
    return (
        f"{_written(points)} points a deal, wins {wins.mean:.4f}. That is the gain over the opponents' own bot, which "
        "would earn 0. (In brackets: 95 % intervals.)"
    )


def _said(threshold: int | None) -> int | str | None:
    return "never" if threshold is not None and threshold < 0 else threshold


def _shown(threshold: int | None) -> str:
    return "-" if threshold is None else str(_said(threshold))


def _written(found: Estimate) -> str:
    mean = f"{(found.mean or 0.0) + 0.0:+.3f}"
    if found.interval is None:
        return mean
    low, high = found.interval
    return f"{mean} ({low:+.3f} to {high:+.3f})"
