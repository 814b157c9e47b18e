"""What a table of bots earns: points a deal and win shares, by bot and by seat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rumsim.bots import Bot, ThresholdBot, bot_files, parse_bot, table_bots
from rumsim.decks import MOST_BLOCKS
from rumsim.engine.requests import ENDS, SIXTIETHS, TWELFTHS
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard, unless_interrupted
from rumsim.runs.progress import Progress
from rumsim.runs.provenance import Stopwatch
from rumsim.runs.saving import Saving
from rumsim.runs.store import Content, Kept, RunFolder, check_file, run_folder, write_file
from rumsim.stats.blocks import Estimate, cautious, estimate
from rumsim.stats.sequential import anytime_margin
from rumsim.stats.shares import LEAST, share, shares
from rumsim.tasks.direct import Direct
from rumsim.tasks.sums import DealSums

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Simulation:
    """The result of ``simulate``.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, seed, blocks : int
        The request; ``blocks`` are those that were played.
    bots : tuple of str
        The bots asked about, in canonical form.
    points, wins : tuple of Estimate
        For each of these: points a deal and mean win share of one player with that bot.  Win shares have intervals
        from 20 blocks on.
    seat_points, seat_wins : tuple of Estimate
        The same by seat; points have intervals from 100 blocks on.
    ends : dict
        Fractions of deals that ended so; None without blocks.
    turns : float or None
        Mean table turns.
    knock_counts, knock_turns : tuple of tuple of int
        For each of the bots, its knocks with 0, 1, 2, … points of deadwood, and on its own turn 0 (never), 1, 2, …;
        the last place also holds all beyond.
    interrupted : bool
        Whether it stopped before all blocks were played.
    kept : Kept or None
        What the folder holds now, if there is one.
    """

    rules: Rules
    players: int
    seed: int
    blocks: int
    bots: tuple[str, ...]
    points: tuple[Estimate, ...]
    wins: tuple[Estimate, ...]
    seat_points: tuple[Estimate, ...]
    seat_wins: tuple[Estimate, ...]
    ends: dict[str, float | None]
    turns: float | None
    knock_counts: tuple[tuple[int, ...], ...]
    knock_turns: tuple[tuple[int, ...], ...]
    interrupted: bool = False
    kept: Kept | None = field(default=None, repr=False, compare=False)

    @property
    def deals(self) -> int:
        """Deals that the estimates count."""
        return self.blocks * self.players

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim simulate --json`` prints."""
        written: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": self.players,
            "seed": self.seed,
            "blocks": self.blocks,
            "deals": self.deals,
            "bots": [
                {
                    "bot": bot,
                    "ev": points.mean,
                    "ev_se": points.error,
                    "ev_ci": _listed(points.interval),
                    "win": wins.mean,
                    "win_se": wins.error,
                    "win_ci": _listed(wins.interval),
                }
                for bot, points, wins in zip(self.bots, self.points, self.wins, strict=True)
            ],
            "seats": [
                {
                    "seat": seat,
                    "ev": points.mean,
                    "ev_se": points.error,
                    "ev_ci": _listed(points.interval),
                    "win": wins.mean,
                    "win_se": wins.error,
                    "win_ci": _listed(wins.interval),
                }
                for seat, (points, wins) in enumerate(zip(self.seat_points, self.seat_wins, strict=True))
            ],
            "ends": self.ends,
            "turns": self.turns,
        }
        too_few = {"too_few_blocks": True} if self.blocks < LEAST else {}
        return written | too_few | ({"interrupted": True} if self.interrupted else {})

    def table(self) -> str:
        """Return the tables that ``rumsim simulate`` prints."""
        from rumsim.lab.tables import simulation_table

        return simulation_table(self)

    def frame(self) -> pd.DataFrame:
        """Return a row a bot; see :func:`rumsim.lab.simulation_frames.bots_frame` for the columns."""
        from rumsim.lab.simulation_frames import bots_frame

        return bots_frame(self)

    def plot(self, value: str = "seats") -> Figure:
        """Draw what the seats earn, or when each bot knocks and with what.

        Parameters
        ----------
        value : str
            ``seats`` or ``knocks``.

        Returns
        -------
        Figure
            To be saved by :func:`rumsim.charts.style.save`.

        Raises
        ------
        RequestError
            For another value, or where nothing was played.
        """
        from rumsim.lab.simulation_frames import knocks_frame, seats_frame

        if value not in ("seats", "knocks"):
            raise wrong("value", value, "seats or knocks")
        bots = "; ".join(bot.removesuffix(",discard=greedy") for bot in self.bots)
        caption = (
            f"Rules: {self.rules}. {self.players} players. Bots: {bots}. "
            f"{self.blocks:,} blocks, each in all rotations, seed {self.seed}."
        )
        if value == "seats":
            from rumsim.charts.seats import points_by_seat

            return points_by_seat(seats_frame(self), caption)
        from rumsim.charts.knocks import knock_distribution

        return knock_distribution(knocks_frame(self), caption)

    def csv(self) -> str:
        """Return :meth:`frame` as CSV: commas between fields, points in numbers, line feeds after lines."""
        return self.frame().to_csv(index=False, lineterminator="\n")


def simulate(
    players: int,
    bots: str | Bot | Iterable[str | Bot],
    blocks: int,
    rules: object = "ledger",
    *,
    seed: int = 0,
    jobs: int = 1,
    out: str | Path | None = None,
    csv: str | Path | None = None,
    charts: bool = False,
    progress: bool = False,
) -> Simulation:
    """Play bots against each other and estimate what each earns.

    Parameters
    ----------
    players : int
        2 to 5.
    bots : str or iterable of str
        1, 2 or ``players`` bots; with 2 and more players the first is the focal one, the second plays all others.
    blocks : int
        Decks to play, each once for every rotation of the bots through the seats; 1 to 10^15.
    rules : str, mapping or Rules
        The rules of the game.
    seed : int
        Which decks; from 0.
    jobs : int
        Threads, at least 1; they change nothing but the time, and no more than four a core are started.
    out : str or Path, optional
        A folder for the result: ``result.json``, the tables ``bots``, ``seats``, ``ends``, ``knock_counts`` and
        ``knock_turns`` as parquet (columns in :mod:`rumsim.lab.simulation_frames`), ``bots.csv`` and
        ``manifest.json``.  It must be new, empty, or hold a run of the same request.  That is replaced, unless it
        holds more blocks than this run has played to the end.
    csv : str or Path, optional
        A file for a row a bot, with the columns of :meth:`Simulation.frame`; it is replaced.
    charts : bool
        Draw what the seats earn and the knocks of each bot into that folder, as SVG and PNG.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    Simulation
        Estimates with standard errors over blocks.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.
    NotWritten
        If files could not be written after the work; the error has the ``result``.

    Notes
    -----
    Ctrl-C ends the run early; the result then holds the blocks finished, and says so.  Without any, nothing is written.

    Examples
    --------
    >>> result = simulate(3, ["knock=30", "knock=10"], blocks=20, seed=1)
    >>> result.deals, round(sum(share.mean for share in result.seat_wins), 12)
    (60, 1.0)
    """
    watch = Stopwatch()
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    given = [bots] if isinstance(bots, str) or not isinstance(bots, Iterable) else list(bots)
    named = [parse_bot(bot) for bot in given]
    seated = table_bots(named, players)
    blocks = whole_number("blocks", blocks, 1, MOST_BLOCKS)
    seed = whole_number("seed", seed, 0)
    jobs = whole_number("jobs", jobs, 1)
    texts = tuple(map(str, named))
    request: dict[str, object] = {
        "command": "simulate",
        "rules": known.as_json(),
        "players": players,
        "bots": list(texts),
        "blocks": blocks,
        "seed": seed,
    }
    if files := bot_files(named):
        request["bot_files"] = files  # what a path holds may change
    task = Direct(known, tuple(seated), tuple(min(player, len(given) - 1) for player in range(players)), seed)
    with ExitStack() as around:
        folder, file = _places(around, out, csv, charts, request)
        around.enter_context(heard())  # once there are numbers, files are written to their end
        bar = around.enter_context(Progress(blocks * players, quiet=not progress))
        sums, interrupted = execute(task, blocks, jobs, progress=_shown(task, bar) if progress else None)
        result = _result(task, texts, sums, interrupted)
        saving = Saving()
        if folder is not None:
            result = replace(result, kept=saving.attempt("out", folder.path, _write, folder, result, watch, charts))
        if file is not None and result.blocks:
            saving.attempt("csv", file, lambda: write_file(file, result.csv()))
        saving.stop(result)
    return result


def _places(
    around: ExitStack, out: str | Path | None, csv: str | Path | None, charts: bool, request: dict[str, object]
) -> tuple[RunFolder | None, Path | None]:
    """Check where the result will be written; refuse both places at once."""
    problems: list[str] = []
    folder = file = None
    if charts and out is None:
        problems.append("charts: got no folder for them; allowed: with out")
    try:
        folder = None if out is None else around.enter_context(run_folder(out, request))
    except RequestError as error:
        problems += error.lines
    try:
        file = None if csv is None else check_file(csv, "csv")
        if file is not None and folder is not None and file.parent == folder.path:
            raise wrong("csv", str(csv), "a file outside the folder of out, which holds bots.csv")
    except RequestError as error:
        problems += error.lines
    if problems:
        raise RequestError(*problems)
    return folder, file


def _shown(task: Direct, bar: Progress) -> Callable[[DealSums, int], None]:
    """Return what shows the sums so far: the focal bot's points with an interval that may be looked at any time."""
    players = len(task.bots)
    unit = TWELFTHS * players * task.entry_of.count(0)

    def show(sums: DealSums, planned: int) -> None:
        def note() -> str:
            found = estimate(int(sums.points[0]), int(sums.points_products[0, 0]), sums.blocks, unit)
            deviation = (found.error or 0.0) * sums.blocks**0.5
            margin = anytime_margin(deviation, sums.blocks, planned)
            if found.mean is None or margin is None:
                return ""
            return f"first bot {found.mean + 0.0:+.3f} ± {margin:.3f} points"

        bar.update(sums.blocks * players, note)

    return show


def _write(folder: RunFolder, result: Simulation, watch: Stopwatch, charts: bool) -> Kept:
    if (kept := folder.further(result.blocks, result.interrupted)) is not None:
        return kept
    from rumsim.lab import simulation_frames as frames

    files: dict[str, Content] = {
        "result.json": json.dumps(result.as_json(), allow_nan=False) + "\n",
        "bots.csv": result.csv(),
    }
    if charts:
        for value in (
            ("seats", "knocks") if result.ends["knock"] else ("seats",)
        ):  # without knocks there are none to draw
            if (figure := unless_interrupted(result.plot, value)) is None:
                break
            from rumsim.charts.style import save  # only now: loading it can be broken off, too

            files |= {f"{value}{suffix}": partial(save, figure) for suffix in (".svg", ".png")}
    return folder.write(
        {
            "bots": frames.bots_frame(result),
            "seats": frames.seats_frame(result),
            "ends": frames.ends_frame(result),
            "knock_counts": frames.knock_counts_frame(result),
            "knock_turns": frames.knock_turns_frame(result),
        },
        files,
        seed=result.seed,
        blocks=result.blocks,
        interrupted=result.interrupted,
        cpu_seconds=watch.cpu_seconds(),
        started=watch.started,
    )


def _result(task: Direct, bots: tuple[str, ...], sums: DealSums, interrupted: bool) -> Simulation:
    players, blocks = len(task.bots), sums.blocks
    deals = blocks * players
    # A block total of a bot covers all its players in all rotations.
    parts = [players * task.entry_of.count(entry) for entry in range(len(bots))]
    # Equal bots at all places have equal parts of what is won in every block, since they take each seat once.
    alike = all(isinstance(bot, ThresholdBot) for bot in task.bots) and len(set(map(str, task.bots))) == 1
    return Simulation(
        rules=task.rules,
        players=players,
        seed=task.seed,
        blocks=blocks,
        bots=bots,
        points=tuple(
            estimate(int(sums.points[e]), int(sums.points_products[e, e]), blocks, TWELFTHS * parts[e])
            for e in range(len(bots))
        ),
        wins=tuple(
            share(
                int(sums.wins[e]),
                int(sums.wins_squares[e]),
                blocks,
                SIXTIETHS * parts[e],
                places=players if alike else parts[e] // players,
            )
            for e in range(len(bots))
        ),
        seat_points=tuple(
            cautious(estimate(int(sums.seat_points[s]), int(sums.seat_squares[s]), blocks, TWELFTHS * players), blocks)
            for s in range(players)
        ),
        seat_wins=shares(sums.seat_wins.tolist(), sums.seat_wins_squares.tolist(), blocks, SIXTIETHS * players),
        ends={name: int(n) / deals if deals else None for name, n in zip(ENDS, sums.ends, strict=True)},
        turns=int(sums.turns[0]) / deals if deals else None,
        knock_counts=tuple(tuple(row) for row in sums.knock_counts.tolist()),
        knock_turns=tuple(tuple(row) for row in sums.knock_turns.tolist()),
        interrupted=interrupted,
    )


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)
