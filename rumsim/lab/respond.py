"""The best knock against given opponents: as one threshold, and as a schedule by seat and own turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.errors import whole_number
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.sweep_frames import FLAT
from rumsim.rules import Rules, parse_rules
from rumsim.stats.blocks import Estimate, estimate
from rumsim.tasks.response import Question, Seat, seats

BLOCKS = 40_000
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
        The decks on which the answers were found, those on which they are confirmed, and how many of each.
    constant : int
        The best threshold that is the same on every turn.
    within : tuple of int
        From and to: constants around it that lose at most 0.02 points a deal to it.
    constant_points, constant_wins : Estimate
        What it earns and wins a deal, on the decks of ``confirm_seed``.
    turns : tuple of Turn
        The best schedule, by seat and own turn.
    points, wins : Estimate
        What the schedule earns and wins a deal, on the decks of ``confirm_seed``.  As the opponents' own bot would earn
        0 among them, the points are the gain over it.
    """

    rules: Rules
    players: int
    opponents: str
    bot: str
    search_seed: int
    confirm_seed: int
    blocks: int
    constant: int
    within: tuple[int, int]
    constant_points: Estimate
    constant_wins: Estimate
    turns: tuple[Turn, ...]
    points: Estimate
    wins: Estimate

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
            "search_seed": self.search_seed,
            "confirm_seed": self.confirm_seed,
        }

    def table(self) -> str:
        """Return what ``rumsim respond`` prints."""
        from rumsim.lab.tables import columns, folded

        head = (
            f"{self.players} players, rules {self.rules}",
            f"opponents {self.opponents}",
            f"the studied player: {self.bot}",
            f"found on {self.blocks:,} blocks of seed {self.search_seed}, confirmed on as many of seed "
            f"{self.confirm_seed}",
        )
        low, high = self.within
        said = (
            f"Best constant: knock at {self.constant} ({low} to {high} lose at most {FLAT} points). It earns "
            f"{_written(self.constant_points)} points a deal and wins {self.constant_wins.mean:.4f} of the deals.",
            f"Best schedule, below: {_written(self.points)} points a deal, wins {self.wins.mean:.4f}. That is "
            "the gain over the opponents' own bot, which would earn 0. (In brackets: 95 % intervals.)",
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
    From traces, backwards in own turns, see :func:`rumsim.engine.response.best_schedule`.  It is the best among knock
    schedules by seat and own turn, with drawing and discarding as given, not the best way to play.

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
    question = Question(known, players, studied, others)

    found = seats(question, seed, 0, blocks, jobs)
    constant, within = _best_constant(found, question)
    turns = [turn for seat in found for turn in _turns(seat, constant)]
    fresh = seats(question, confirm, 0, blocks, jobs)
    schedules = [
        _filled([turn.threshold for turn in turns if turn.seat == place], constant) for place in range(players)
    ]
    points, wins = _earned(fresh, schedules)
    constant_points, constant_wins = _earned(fresh, [[constant]] * players)
    return Response(
        rules=known,
        players=players,
        opponents=str(others),
        bot=str(studied).partition(",")[2],
        search_seed=seed,
        confirm_seed=confirm,
        blocks=blocks,
        constant=constant,
        within=within,
        constant_points=constant_points,
        constant_wins=constant_wins,
        turns=tuple(turns),
        points=points,
        wins=wins,
    )


def schedules_against(question: Question, seed: int, blocks: int, jobs: int = 1) -> list[list[int]]:
    """Return the best schedule of each seat against opponents, turns that few reach as the one before them."""
    found = seats(question, seed, 0, blocks, jobs)
    constant, _ = _best_constant(found, question)
    return [_filled([turn.threshold for turn in _turns(seat, constant)], constant) for seat in found]


def _best_constant(found: Sequence[Seat], question: Question) -> tuple[int, tuple[int, int]]:
    """Return the constant that gets most, of equals the lowest, and the range around it that loses little."""
    totals = sum(seat.constants() for seat in found)[: question.limit() + 1]  # type: ignore[index]
    best = int(np.argmax(totals))
    enough = totals >= totals[best] - FLAT * TWELFTHS * question.players * found[0].blocks
    low = high = best
    while low > 0 and enough[low - 1]:
        low -= 1
    while high + 1 < len(enough) and enough[high + 1]:
        high += 1
    return best, (low, high)


def _turns(seat: Seat, constant: int) -> list[Turn]:
    """Return the best schedule of a seat, as far as its turns are reached."""
    thresholds, lows, highs = seat.best_schedule(FLAT)
    reached = seat.reached(seat.ends(thresholds), len(thresholds))
    often = reached >= RARE
    upto = int(np.flatnonzero(often).max(initial=0)) + 1
    turns = []
    for place in range(upto):
        best, low, high = ((int(row[place]) if often[place] else None) for row in (thresholds, lows, highs))
        turns.append(Turn(seat.focal, place + 1, best, low, high, float(reached[place])))
    return turns


def _filled(schedule: Sequence[int | None], constant: int) -> list[int]:
    """Let a turn without a threshold take the one before it, or the best constant."""
    filled: list[int] = []
    for one in schedule:
        filled.append(one if one is not None else filled[-1] if filled else constant)
    return filled


def _earned(fresh: Sequence[Seat], schedules: Sequence[Sequence[int]]) -> tuple[Estimate, Estimate]:
    """Estimate points and wins a deal, over blocks with the studied player once in every seat."""
    blocks, players = fresh[0].blocks, len(fresh)
    points, wins = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
    for seat, schedule in zip(fresh, schedules, strict=True):
        rows = seat.ends(schedule)
        points += seat.traces.points[rows, seat.focal]
        wins += seat.traces.wins[rows, seat.focal]
    return (
        estimate(int(points.sum()), int((points**2).sum()), blocks, TWELFTHS * players),
        estimate(int(wins.sum()), int((wins**2).sum()), blocks, SIXTIETHS * players),
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
