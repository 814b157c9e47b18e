"""What every knock threshold earns against tables of every other, on the same decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rumsim.bots import ThresholdBot
from rumsim.decks import MOST_BLOCKS
from rumsim.engine.requests import TWELFTHS
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.grid_request import Whole, read_confirm_seed, read_keys, read_players, read_table, read_thresholds
from rumsim.lab.sweep_frames import BANDS, FLAT, best_frame, cells_frame, estimates
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import CHUNK, execute
from rumsim.runs.interrupt import heard, unless_interrupted
from rumsim.runs.progress import Progress
from rumsim.runs.provenance import Stopwatch
from rumsim.runs.saving import Saving
from rumsim.runs.store import Content, Kept, RunFolder, run_folder
from rumsim.stats.shares import LEAST
from rumsim.tasks.direct_grid import DirectGrid
from rumsim.tasks.grid_sums import GridSums, batch_size
from rumsim.tasks.trace_grid import TraceGrid, fit_for_traces

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THRESHOLDS = "0:80:1"
SLICES = (8, 10, 15, 25)  # opponents' thresholds that get a chart of their own

_MOST_SHOWN = 12  # opponents' thresholds in a table on the terminal; of more those that people use
_CHUNK_DEALS = 400_000  # a tenth of a second or a few: so long may Ctrl-C and progress wait
_DEALS_A_TRACE = 8  # a trace takes as long as playing a few deals
_LEAST_CHUNK = 256  # blocks: below, starting a kernel costs more than a few per cent


@dataclass(frozen=True)
class Sweep:
    """The result of ``sweep``.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, thresholds, opponents : tuple of int
        Player counts, focal thresholds, and those of the opponents.
    bot : str
        The keys that all bots share.
    seed, blocks : int
        The seed, and the blocks that were played in every cell.
    curves : bool
        Whether the opponents' thresholds were chosen, rather than all of the grid.
    frame : DataFrame
        A row a cell, sorted by ``players``, ``focal`` (own threshold) and ``table`` (that of all opponents):
        ``ev`` and ``ev_se``, points a deal of the focal bot and their standard error; ``win`` and ``win_se``, its win
        share; ``blocks``; ``win_low`` and ``win_high``, the 95 % interval of the win share (NaN with fewer than 20
        blocks).  For curves also the ends ``…_band_low`` and ``…_band_high`` of bands that hold all points
        of a line together with 95 %; ``knock``, ``rum``, ``undercut``, ``tied``, ``exhausted``, ``stalled``,
        fractions of deals; ``turns``, mean table turns.
    best : DataFrame
        A row for each of ``players`` and ``table``: the ``best`` own threshold; from ``low`` to ``high`` those around
        it that lose at most 0.02 points to it; on the decks of ``confirm_seed``, where it was not picked, its ``ev``
        and ``ev_se``, and from ``ev_band_low`` to ``ev_band_high`` the band there (NaN without confirmation);
        ``set_low`` and ``set_high``, the lowest and the highest of the thresholds not beaten by another at 95 %, and
        all of them as text in ``members``.
    table_bot : str
        The keys of the opponents, where they are others than the focal bot's; else empty.
    direct : bool
        Whether every deal was played; else cells were read off traces.
    confirm_seed : int or None
        The seed of the decks on which the best are confirmed; None if they are not.
    interrupted : bool
        Whether it stopped before all blocks were played.
    kept : Kept or None
        What the folder holds now, if there is one.
    """

    rules: Rules
    players: tuple[int, ...]
    thresholds: tuple[int, ...]
    opponents: tuple[int, ...]
    bot: str
    seed: int
    blocks: int
    curves: bool
    frame: pd.DataFrame = field(repr=False, compare=False)
    best: pd.DataFrame = field(repr=False, compare=False)
    table_bot: str = ""
    direct: bool = False
    confirm_seed: int | None = None
    interrupted: bool = False
    kept: Kept | None = field(default=None, repr=False, compare=False)

    @property
    def deals(self) -> int:
        """Deals that the estimates count."""
        return self.blocks * sum(self.players) * len(self.thresholds) * len(self.opponents)

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim sweep --json`` prints; a cell for each row of the frame."""
        written: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": list(self.players),
            "thresholds": list(self.thresholds),
            "table": list(self.opponents),
            "bot": self.bot,
            **({"table_bot": self.table_bot} if self.table_bot else {}),
            "direct": self.direct,
            "seed": self.seed,
            "confirm_seed": self.confirm_seed,
            "blocks": self.blocks,
            "deals": self.deals,
            "cells": _records(self.frame),
            "best": _records(self.best),
        }
        too_few = {"too_few_blocks": True} if self.blocks < LEAST else {}
        return written | too_few | ({"interrupted": True} if self.interrupted else {})

    def table(self) -> str:
        """Return the tables that ``rumsim sweep`` prints: the curves, if asked for, and the best thresholds."""
        from rumsim.lab.tables import text

        if not self.curves:
            return self.summary()
        bands = list(BANDS[:2]) if self.blocks >= LEAST else []
        shown = ["players", "table", "focal", "ev", "ev_se", *bands, "win", "win_se"]
        heading, *best = self.summary().split("\n\n", 1)
        return "\n\n".join([heading, text(self.frame[shown].sort_values(shown[:3])), *best])

    def summary(self) -> str:
        """Return what was played, and the best own threshold against each table."""
        from rumsim.lab.tables import folded, text

        parts = [self._heading()]
        if len(self.best):
            confirmed = self.confirm_seed is not None
            heading = f"Best own threshold against each table, low to high: those within {FLAT} points of it"
            where = f"on other decks, of seed {self.confirm_seed}" if confirmed else "not confirmed on other decks"
            sets = "95 % set: from the lowest to the highest that no other beats" if self.blocks >= LEAST else ""
            said = filter(None, (heading, sets, f"{'points ' if confirmed else ''}{where}"))
            parts.append("\n".join(folded(f"{'; '.join(said)}:")))
            columns = ["players", "table", "best", "low", "high"]
            columns += ["set_low", "set_high"] if sets else []
            columns += ["ev", "ev_se"] if confirmed else []
            columns += ["ev_band_low", "ev_band_high"] if confirmed and sets else []
            shown = self.best[columns]
            if len(self.opponents) > _MOST_SHOWN:
                few = [table for table in self.opponents if table % 10 == 0 or table in SLICES]
                shown = shown[shown["table"].isin(few or self.opponents[:_MOST_SHOWN])]
            parts.append(text(shown.reset_index(drop=True)))
        if 0 < self.blocks < LEAST:
            parts.append(f"No intervals: too few blocks ({self.blocks}; {LEAST} are needed).")
        return "\n\n".join(parts)

    def plot(self, value: str = "ev", table: int | None = None) -> Figure:
        """Draw what thresholds earn, win, or how deals then end: curves against one table, or the whole grid.

        Parameters
        ----------
        value : str
            ``ev`` (points a deal), ``win`` (win share), ``best`` (the best own threshold against each of the
            opponents'), ``slices`` (points against opponents at 8, 10, 15 and 25) or, for curves, ``ends``.
        table : int, optional
            The opponents' threshold of the curves; not needed where there is one.

        Returns
        -------
        Figure
            Curves have a line a player count and simultaneous bands; a grid has a panel a player count.

        Raises
        ------
        RequestError
            For another value, or a table that was not played.
        """
        values = ("ev", "win", "ends")
        if value == "best" and table is None:
            from rumsim.charts.best import best_thresholds

            return best_thresholds(self.best, self._caption(), alike=not self.table_bot)
        if value == "slices" and table is None:
            from rumsim.charts.slices import slices

            return slices(self.frame, "ev", self._slices(), self._caption(), self.best, alike=not self.table_bot)
        if table is None and (not self.curves or len(self.opponents) > 1):
            from rumsim.charts.grid import grid

            if value not in values[:2]:
                raise wrong("value", value, "ev, win, best or slices; ends too with one table")
            return grid(self.frame, value, self._caption(), self.best, alike=not self.table_bot)
        from rumsim.charts.ends import ends_by_threshold
        from rumsim.charts.threshold import points_by_threshold, win_by_threshold

        if value not in values:
            raise wrong("value", value, "ev, win, best, slices or ends")
        chosen = self.opponents[0] if table is None else table
        if chosen not in self.opponents:
            raise wrong("table", table, ", ".join(map(str, self.opponents)))
        rows, opponents = self.frame[self.frame["table"] == chosen], f"opponents who knock at {chosen}"
        if value == "ends":
            if not self.curves:
                raise wrong("value", value, "ev or win, as how deals end is known of curves only")
            return ends_by_threshold(rows, opponents, self._caption())
        draw = points_by_threshold if value == "ev" else win_by_threshold
        return draw(rows, opponents, self._caption(), alike=not self.table_bot)

    def _slices(self) -> tuple[int, ...]:
        """Return the opponents' thresholds with a panel: the usual ones, or the first few that there are."""
        usual = tuple(table for table in SLICES if table in self.opponents)
        return usual or self.opponents[: len(SLICES)]

    def _heading(self) -> str:
        from rumsim.lab.tables import folded

        stopped = ", INTERRUPTED: only what was finished is counted" if self.interrupted else ""
        said = (
            f"{' '.join(map(str, self.players))} players, rules {self.rules}, seed {self.seed}",
            f"all bots {self.bot}" if not self.table_bot else f"focal bot {self.bot}, opponents {self.table_bot}",
            f"{len(self.frame):,} cells, {self.blocks:,} blocks in each = {self.deals:,} deals"
            f"{' played' if self.direct else ' read off traces'}{stopped}",
        )
        return "\n".join(line for text in said for line in folded(text))

    def _caption(self) -> str:
        stopped = ", interrupted" if self.interrupted else ""
        bots = f"All bots {self.bot}" if not self.table_bot else f"Focal bot {self.bot}, opponents {self.table_bot}"
        return (
            f"Rules: {self.rules}. {bots}. "
            f"{self.blocks:,} blocks (decks, each in all rotations; the same in every cell{stopped}), "
            f"seed {self.seed}."
        )


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Return a row a dict, None for what does not exist."""
    names = [str(name) for name in frame]
    rows = zip(*(frame[name].tolist() for name in names), strict=True)
    return [{name: None if value != value else value for name, value in zip(names, row, strict=True)} for row in rows]


def sweep(
    players: Whole | Iterable[Whole],
    thresholds: str | Iterable[Whole] = THRESHOLDS,
    blocks: int = 10_000,
    rules: object = "ledger",
    *,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    table_bot: str = "",
    table: Whole | Iterable[Whole] | None = None,
    direct: bool = False,
    jobs: int = 1,
    out: str | Path | None = None,
    progress: bool = False,
) -> Sweep:
    """Play every focal threshold against opponents who all use another, on the same decks.

    Parameters
    ----------
    players : int or iterable of int
        2 to 5; several are played one beside the other.
    thresholds : str or iterable of int
        ``LO:HI:STEP`` with HI included, or the thresholds one by one; 0 to 200.
    blocks : int
        Decks to play in every cell, each once for every rotation of the bots through the seats; 1 to 10^15.
    rules : str, mapping or Rules
        The rules of the game.
    seed : int
        Which decks; from 0.
    confirm_seed : int, optional
        On which decks the best are confirmed, as many again; another than ``seed``, the next if not given.  Direct
        play confirms only if it is given.
    bot : str
        The keys that all bots share, such as ``draw=meld``; all but ``knock``.
    table_bot : str
        The keys of the opponents, if they are to draw otherwise than the focal bot.
    table : int or iterable of int, optional
        The opponents' thresholds, for curves; without it all of ``thresholds``, for a grid.
    direct : bool
        Play every deal of every cell, rather than read them off traces: one deck played without knocks tells what all
        thresholds get, which is thousands of times as fast and gives the same numbers.
    jobs : int
        Threads, at least 1; they change nothing but the time, and no more than four a core are started.
    out : str or Path, optional
        A folder for the result: ``grid.parquet`` (the frame), ``best.parquet``, ``table.txt``, charts as SVG and PNG,
        and ``manifest.json``.  It must be new, empty, or hold a run of the same request.  That is replaced, unless it
        holds more blocks than this run has played to the end.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    Sweep
        A frame with a row a cell, tables and charts.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.
    NotWritten
        If files could not be written after the work; the error has the ``result``.

    Notes
    -----
    Ctrl-C ends the run early; the result then holds the blocks finished in every cell, and says so.  Without any,
    nothing is written.

    Examples
    --------
    >>> found = sweep([2, 3], "10:30:10", blocks=20, seed=1)
    >>> found.frame[["players", "focal", "table"]].head(4).to_numpy().tolist()
    [[2, 10, 10], [2, 10, 20], [2, 10, 30], [2, 20, 10]]
    >>> float(found.frame.loc[found.frame["focal"] == found.frame["table"], "ev"].abs().max())  # equals gain nothing
    0.0
    """
    watch = Stopwatch()
    known = parse_rules(rules)  # type: ignore[arg-type]
    counts, focal, shared = read_players(players, known), read_thresholds(thresholds), read_keys(bot)
    others = read_keys(table_bot, "table_bot") if table_bot else shared
    opponents = focal if table is None else read_table(table)
    blocks = whole_number("blocks", blocks, 1, MOST_BLOCKS)
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    direct = direct or not _traceable(known, shared, others)
    confirms = confirm_seed is not None or not direct
    keys, other_keys = (str(one).partition(",")[2] for one in (shared, others))
    request: dict[str, object] = {
        "command": "sweep",
        "rules": known.as_json(),
        "players": counts,
        "thresholds": focal,
        "table": None if table is None else opponents,
        "bot": keys,
        "table_bot": other_keys,
        "direct": direct,
        "blocks": blocks,
        "seed": seed,
        "confirm_seed": confirm if confirms else None,
    }
    curves = table is not None
    make = partial(_task, known, counts, (shared, focal), (others, opponents), batch_size(blocks), curves, direct)
    task = make(seed)
    a_block = task.deals_a_block if direct else _DEALS_A_TRACE * len(counts)
    chunk = min(CHUNK, max(_LEAST_CHUNK, _CHUNK_DEALS // a_block))
    with ExitStack() as around:
        folder = None if out is None else around.enter_context(run_folder(out, request))
        around.enter_context(heard())  # once there are numbers, files are written to their end
        bar = around.enter_context(Progress(blocks * task.deals_a_block * (1 + confirms), quiet=not progress))
        show = partial(_shown, task, bar) if progress else lambda _: None
        sums, interrupted = execute(task, blocks, jobs, chunk, progress=show(0))
        again = None
        if confirms and not interrupted:
            again, interrupted = execute(make(confirm), blocks, jobs, chunk, progress=show(blocks))
        result = Sweep(
            rules=known,
            players=counts,
            thresholds=focal,
            opponents=opponents,
            bot=keys,
            seed=seed,
            blocks=sums.blocks,
            curves=curves,
            frame=cells_frame(sums, counts, focal, opponents, curves, alike=other_keys == keys),
            best=best_frame(sums, again, counts, focal, opponents),
            table_bot=other_keys if other_keys != keys else "",
            direct=direct,
            confirm_seed=confirm if again is not None and again.blocks else None,
            interrupted=interrupted,
        )
        if folder is not None:
            saving = Saving()
            confirmed = again.blocks if again is not None and interrupted else 0
            result = replace(result, kept=saving.attempt("out", folder.path, _write, folder, result, watch, confirmed))
            saving.stop(result)
    return result


def _traceable(rules: Rules, *bots: ThresholdBot) -> bool:
    try:
        fit_for_traces(rules, bots)
    except RequestError:
        return False
    return True


Side = tuple[ThresholdBot, tuple[int, ...]]


def _task(
    rules: Rules, players: tuple[int, ...], own: Side, others: Side, batch: int, ends: bool, direct: bool, seed: int
) -> DirectGrid | TraceGrid:
    """Return what plays the grid on the decks of a seed."""
    if direct:
        return DirectGrid(rules, players, _bots(*own), _bots(*others), seed, batch)
    return TraceGrid(rules, players, own[0], others[0], own[1], others[1], seed, batch, ends)


def _shown(task: DirectGrid | TraceGrid, bar: Progress, before: int) -> Callable[[GridSums, int], None]:
    """Return what shows the sums so far: how well the cell that is known worst is known."""
    units = TWELFTHS * np.array(task.players, np.float64)[:, None, None]

    def show(sums: GridSums, planned: int) -> None:
        def note() -> str:
            if sums.blocks < 2:
                return ""
            _, error = estimates(sums.points, sums.points_squares, sums.blocks, units)
            return f"{error.size:,} cells, s.e. up to {error.max():.3f} points"

        bar.update((before + sums.blocks) * task.deals_a_block, note)

    return show


def _write(folder: RunFolder, result: Sweep, watch: Stopwatch, confirmed: int) -> Kept:
    if (kept := folder.further(result.blocks, result.interrupted, confirmed)) is not None:
        return kept
    files: dict[str, Content] = {"table.txt": result.table() + "\n"}
    for stem, value, table in _charts(result):
        if (figure := unless_interrupted(result.plot, value, table)) is None:
            break
        from rumsim.charts.style import save  # only now: loading it can be broken off, too

        files |= {f"{stem}{suffix}": partial(save, figure) for suffix in (".svg", ".png")}
    return folder.write(
        {"grid": result.frame, "best": result.best},
        files,
        seed=result.seed,
        blocks=result.blocks,
        interrupted=result.interrupted,
        cpu_seconds=watch.cpu_seconds(),
        started=watch.started,
        confirm_blocks=confirmed,
    )


def _charts(result: Sweep) -> list[tuple[str, str, int | None]]:
    """List the charts of a result: the file's name, and what is drawn."""
    kinds = (("points", "ev"), ("wins", "win"))
    if not result.curves:
        more = [(name, name, None) for name in ("best", "slices") if len(result.thresholds) > 1]
        return [*((name, value, None) for name, value in kinds), *more]
    return [
        (f"{name}-against-{table}", value, table)
        for name, value in (*kinds, ("ends", "ends"))
        for table in result.opponents
    ]


def _bots(shared: ThresholdBot, thresholds: Iterable[int]) -> tuple[ThresholdBot, ...]:
    return tuple(replace(shared, knock=((threshold,),)) for threshold in thresholds)
