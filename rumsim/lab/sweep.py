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
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import ENDS, SIXTIETHS, TWELFTHS
from rumsim.errors import whole_number, wrong
from rumsim.lab.grid_request import Whole, read_keys, read_players, read_table, read_thresholds
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import CHUNK, execute
from rumsim.runs.interrupt import heard
from rumsim.runs.progress import Progress
from rumsim.runs.provenance import Stopwatch
from rumsim.runs.store import Content, check_folder, write_run
from rumsim.stats.bands import bands
from rumsim.stats.blocks import estimate
from rumsim.tasks.sums import Integers
from rumsim.tasks.sweep import DirectGrid, GridSums

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST = ("players", "focal", "table", "ev", "ev_se", "win", "win_se", "blocks")
BANDS = ("ev_band_low", "ev_band_high", "win_band_low", "win_band_high")
COLUMNS = (*FIRST, *BANDS, *ENDS, "turns")

_CHUNK_DEALS = 400_000  # a tenth of a second or a few: so long may Ctrl-C and progress wait
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
        share; ``blocks``; for curves the ends ``…_band_low`` and ``…_band_high`` of bands that hold all points of a
        line together with 95 %, else NaN; ``knock``, ``rum``, ``undercut``, ``tied``, ``exhausted``, ``stalled``,
        fractions of deals; ``turns``, mean table turns.
    interrupted : bool
        Whether it stopped before all blocks were played.
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
    interrupted: bool = False

    @property
    def deals(self) -> int:
        """Deals that the estimates count."""
        return self.blocks * sum(self.players) * len(self.thresholds) * len(self.opponents)

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim sweep --json`` prints; a cell for each row of the frame."""
        columns = [name for name in self.frame if self.curves or name not in BANDS]
        cells = [
            {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
            for row in zip(*(self.frame[name].tolist() for name in columns), strict=True)
        ]
        written: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": list(self.players),
            "thresholds": list(self.thresholds),
            "table": list(self.opponents),
            "bot": self.bot,
            "seed": self.seed,
            "blocks": self.blocks,
            "deals": self.deals,
            "cells": cells,
        }
        return written | ({"interrupted": True} if self.interrupted else {})

    def table(self) -> str:
        """Return the tables that ``rumsim sweep`` prints: the curves, if asked for, and the best thresholds."""
        from rumsim.lab.tables import text

        if not self.curves:
            return self.summary()
        shown = ["players", "table", "focal", "ev", "ev_se", *BANDS[:2], "win", "win_se"]
        heading, *best = self.summary().split("\n\n", 1)
        return "\n\n".join([heading, text(self.frame[shown].sort_values(shown[:3])), *best])

    def summary(self) -> str:
        """Return what was played, and the best own threshold against each table."""
        from rumsim.lab.tables import text

        parts = [self._heading()]
        if best := self._best():
            parts.append("Best own threshold against each table (picked on these decks, so flattered):")
            parts.append(text(best))
        return "\n\n".join(parts)

    def plot(self, value: str = "ev", table: int | None = None) -> Figure:
        """Draw what thresholds earn, win, or how deals then end: curves against one table, or the whole grid.

        Parameters
        ----------
        value : str
            ``ev`` (points a deal), ``win`` (win share) or, for curves, ``ends``.
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
        if table is None and (not self.curves or len(self.opponents) > 1):
            from rumsim.charts.grid import grid

            if value not in values[:2]:
                raise wrong("value", value, "ev or win; ends too with one table")
            return grid(self.frame, value, self._caption())
        from rumsim.charts.ends import ends_by_threshold
        from rumsim.charts.threshold import points_by_threshold, win_by_threshold

        if value not in values:
            raise wrong("value", value, "ev, win or ends")
        chosen = self.opponents[0] if table is None else table
        if chosen not in self.opponents:
            raise wrong("table", table, ", ".join(map(str, self.opponents)))
        draw = dict(zip(values, (points_by_threshold, win_by_threshold, ends_by_threshold), strict=True))[value]
        rows = self.frame[self.frame["table"] == chosen]
        return draw(rows, f"opponents who knock at {chosen}", self._caption())

    def _heading(self) -> str:
        from rumsim.lab.tables import folded

        stopped = ", INTERRUPTED: only what was finished is counted" if self.interrupted else ""
        said = (
            f"{' '.join(map(str, self.players))} players, rules {self.rules}, seed {self.seed}",
            f"all bots {self.bot}",
            f"{len(self.frame):,} cells, {self.blocks:,} blocks in each = {self.deals:,} deals{stopped}",
        )
        return "\n".join(line for text in said for line in folded(text))

    def _caption(self) -> str:
        stopped = ", interrupted" if self.interrupted else ""
        return (
            f"Rules: {self.rules}. All bots {self.bot}. "
            f"{self.blocks:,} blocks (decks, each in all rotations; the same in every cell{stopped}), seed {self.seed}."
        )

    def _best(self) -> dict[str, list[object]]:
        """Return the row with the most points for each player count and table; of equals the lowest threshold."""
        if not self.blocks:
            return {}
        rows = self.frame.loc[self.frame.groupby(["players", "table"])["ev"].idxmax()]
        names = ["players", "table", "focal", "ev", "ev_se", "win", "win_se"]
        return {name: rows[name].tolist() for name in names}


def sweep(
    players: Whole | Iterable[Whole],
    thresholds: str | Iterable[Whole],
    blocks: int,
    rules: object = "ledger",
    *,
    seed: int = 0,
    bot: str = "",
    table: Whole | Iterable[Whole] | None = None,
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
        Decks to play in every cell, each once for every rotation of the bots through the seats; at least 1.
    rules : str, mapping or Rules
        The rules of the game.
    seed : int
        Which decks; from 0.
    bot : str
        The keys that all bots share, such as ``draw=meld``; all but ``knock``.
    table : int or iterable of int, optional
        The opponents' thresholds, for curves; without it all of ``thresholds``, for a grid.
    jobs : int
        Threads; they change nothing but the time.
    out : str or Path, optional
        A folder for the result: ``grid.parquet`` (the frame), ``table.txt``, charts as SVG and PNG, and
        ``manifest.json``.  It must be new, empty, or hold a run of the same request, which is replaced.
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

    Notes
    -----
    Ctrl-C ends the run early; the result then holds the blocks finished in every cell, and says so.

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
    opponents = focal if table is None else read_table(table)
    blocks = whole_number("blocks", blocks, 1, LAST_BLOCK)
    seed = whole_number("seed", seed, 0)
    jobs = whole_number("jobs", jobs, 1)
    keys = str(shared).partition(",")[2]
    request: dict[str, object] = {
        "command": "sweep",
        "rules": known.as_json(),
        "players": counts,
        "thresholds": focal,
        "table": None if table is None else opponents,
        "bot": keys,
        "blocks": blocks,
        "seed": seed,
    }
    folder = None if out is None else check_folder(out, request)
    task = DirectGrid(known, counts, _bots(shared, focal), _bots(shared, opponents), seed)
    chunk = min(CHUNK, max(_LEAST_CHUNK, _CHUNK_DEALS // task.deals_a_block))
    with ExitStack() as around:
        around.enter_context(heard())  # once there are numbers, files are written to their end
        bar = around.enter_context(Progress(blocks * task.deals_a_block, quiet=not progress))
        sums, interrupted = execute(task, blocks, jobs, chunk, progress=_shown(task, bar) if progress else None)
        result = Sweep(
            rules=known,
            players=counts,
            thresholds=focal,
            opponents=opponents,
            bot=keys,
            seed=seed,
            blocks=sums.blocks,
            curves=table is not None,
            frame=_frame(sums, counts, focal, opponents, table is not None),
            interrupted=interrupted,
        )
        if folder is not None:
            _write(folder, request, result, watch)
    return result


def _shown(task: DirectGrid, bar: Progress) -> Callable[[GridSums, int], None]:
    """Return what shows the sums so far: how well the cell that is known worst is known."""
    units = TWELFTHS * np.array(task.players)[:, None, None]

    def show(sums: GridSums, planned: int) -> None:
        def note() -> str:
            if sums.blocks < 2:
                return ""
            mean = sums.points / sums.blocks
            squares = np.diagonal(sums.points_products, axis1=2, axis2=3) / sums.blocks
            error = np.sqrt(np.maximum(squares - mean**2, 0) / (sums.blocks - 1)) / units
            return f"{error.size:,} cells, s.e. up to {error.max():.3f} points"

        bar.update(sums.blocks * task.deals_a_block, note)

    return show


def _write(folder: Path, request: dict[str, object], result: Sweep, watch: Stopwatch) -> None:
    files: dict[str, Content] = {"table.txt": result.table() + "\n"}
    if result.blocks:
        from rumsim.charts.style import save

        for name, value in (("points", "ev"), ("wins", "win"), *([("ends", "ends")] if result.curves else [])):
            for table in result.opponents if result.curves else (None,):
                figure = result.plot(value, table)
                stem = name if table is None else f"{name}-against-{table}"
                files |= {f"{stem}{suffix}": partial(save, figure) for suffix in (".svg", ".png")}
    write_run(
        folder,
        request,
        {"grid": result.frame},
        files,
        seed=result.seed,
        blocks=result.blocks,
        interrupted=result.interrupted,
        cpu_seconds=watch.cpu_seconds(),
        started=watch.started,
    )


def _bots(shared: ThresholdBot, thresholds: Iterable[int]) -> tuple[ThresholdBot, ...]:
    return tuple(replace(shared, knock=((threshold,),)) for threshold in thresholds)


def _frame(
    sums: GridSums, players: tuple[int, ...], focal: tuple[int, ...], opponents: tuple[int, ...], curves: bool
) -> pd.DataFrame:
    """Turn sums into a row a cell."""
    rows = []
    for p, number in enumerate(players):
        deals = sums.blocks * number
        for t, table in enumerate(opponents):
            quantities = _quantities(sums, p, t, number)
            margins = {
                name: bands(totals, products, sums.blocks, unit).margin
                for name, (totals, products, unit) in quantities.items()
                if curves
            }
            for f, own in enumerate(focal):
                row: dict[str, float | None] = {"players": number, "focal": own, "table": table}
                for name, (totals, products, unit) in quantities.items():
                    found = estimate(int(totals[f]), int(products[f, f]), sums.blocks, unit)
                    row |= {name: found.mean, f"{name}_se": found.error}
                    if curves and found.mean is not None:
                        margin = float(margins[name][f])
                        row |= {f"{name}_band_low": found.mean - margin, f"{name}_band_high": found.mean + margin}
                row |= {end: int(n) / deals if deals else None for end, n in zip(ENDS, sums.ends[p, t, f], strict=True)}
                rows.append(row | {"turns": int(sums.turns[p, t, f]) / deals if deals else None})
    frame = pd.DataFrame(rows).assign(blocks=sums.blocks).reindex(columns=list(COLUMNS))
    whole = ["players", "focal", "table", "blocks"]
    frame = frame.astype({name: "int64" if name in whole else "float64" for name in COLUMNS})
    return frame.sort_values(["players", "focal", "table"], ignore_index=True)


def _quantities(sums: GridSums, p: int, t: int, players: int) -> dict[str, tuple[Integers, Integers, int]]:
    """Return totals, products and unit of a column of cells for both things estimated."""
    return {
        "ev": (sums.points[p, t], sums.points_products[p, t], TWELFTHS * players),
        "win": (sums.wins[p, t], sums.wins_products[p, t], SIXTIETHS * players),
    }
