"""Curves against the own threshold, a line a player count, with what is known of their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rumsim.charts._frames import arms, needed
from rumsim.charts.style import INK, look, panels, round_steps
from rumsim.errors import RequestError

MOST_BARS = 16  # points a line; more are drawn as a band
_MARKS = 13  # marks a line, at most
OWN_THRESHOLD = "own knock threshold: knocks with so many deadwood points or fewer"


def curves_frame(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Check what a chart of curves draws: one opponents' threshold, a row for each players and focal."""
    bands = [f"{value}_band_low", f"{value}_band_high"]
    kept = needed(
        frame,
        ["players", "focal"],
        [value, f"{value}_se"],
        ["blocks", "table", f"{value}_low", f"{value}_high", *bands],
    )
    one_table(kept)
    return kept


def one_table(frame: pd.DataFrame) -> float | None:
    """Return the opponents' threshold, None where the frame does not tell, and refuse several."""
    if "table" not in frame:
        return None
    found = sorted(frame["table"].dropna().unique())
    if len(found) > 1:
        raise RequestError(f"frame: got table {', '.join(f'{each:g}' for each in found)}; allowed: one in a chart")
    return float(found[0]) if found else None


def draw_curves(frame: pd.DataFrame, value: str) -> tuple[Figure, Axes, list[Line2D], str]:
    """Draw the curves.

    Returns
    -------
    figure, axes
        Not finished.
    handles : list of Line2D
        For the legend.
    reading : str
        What the marks mean, for the caption.
    """
    figure, [[axes]] = panels()
    counts = [int(players) for players in frame["players"].unique()]
    most = int(frame.groupby("players").size().max())
    as_bars = most <= MOST_BARS
    steps = np.diff(np.sort(frame["focal"].unique().astype(float)))
    step = float(steps.min()) if len(steps) else 1.0
    bands = [f"{value}_band_low", f"{value}_band_high"]
    banded = set(bands) <= set(frame) and bool(frame[bands].notna().to_numpy().any())
    handles = []
    for place, (players, rows) in enumerate(frame.groupby("players")):
        shown = look(int(str(players)) - 2)
        beside = 0.07 * step * (place - (len(counts) - 1) / 2) if as_bars else 0.0
        at = rows["focal"].astype(float) + beside
        every = max(1, -(-len(rows) // _MARKS))
        (line,) = axes.plot(
            at,
            rows[value],
            label=f"{players} players",
            linewidth=1.4,
            markersize=4.5,
            markevery=(place * every // len(counts), every) if every > 1 else None,
            zorder=3,
            **shown,
        )
        handles.append(line)
        below, above = arms(rows, value)
        if banded:
            _shade(axes, at, rows[f"{value}_band_low"], rows[f"{value}_band_high"], shown["color"], 0.14, edge=True)
        if as_bars:
            axes.errorbar(
                at, rows[value], yerr=(below, above), fmt="none", ecolor=shown["color"], capsize=2, elinewidth=1.0
            )
        else:
            _shade(axes, at, rows[value] - below, rows[value] + above, shown["color"], 0.28, edge=False)
    axes.set_xlabel(OWN_THRESHOLD)
    axes.xaxis.set_major_locator(round_steps(13, whole=True))
    if (table := one_table(frame)) is not None:
        axes.axvline(table, color=INK, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
    return figure, axes, handles, _reading(frame, value, as_bars, banded, len(counts))


def _shade(axes: Axes, at: Any, low: Any, high: Any, colour: str, alpha: float, *, edge: bool) -> None:
    axes.fill_between(at, low, high, color=colour, alpha=alpha, linewidth=0)
    if edge:
        for side in (low, high):
            axes.plot(at, side, color=colour, linewidth=0.5, alpha=0.7)


def _reading(frame: pd.DataFrame, value: str, as_bars: bool, banded: bool, lines: int) -> str:
    known = arms(frame, value)[0].notna()
    if not known.any():
        return "No intervals: too few blocks."
    said = [f"{'Bars' if as_bars else 'Darker bands' if banded else 'Bands'}: 95 % intervals of each point by itself."]
    if banded:
        said.append("Light bands between thin lines: 95 % for all thresholds of a curve together.")
    if as_bars and lines > 1:
        said.append("Lines are set a little side by side.")
    if not known.all():
        said.append("Points without an interval are of too few blocks.")
    return " ".join(said)
