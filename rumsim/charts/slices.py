"""What own thresholds earn against some thresholds of the opponents, a panel each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rumsim.charts._curves import MOST_BARS
from rumsim.charts._frames import arms, needed
from rumsim.charts.best import best_frame
from rumsim.charts.style import INK, finish, look, panels, round_steps, style
from rumsim.errors import RequestError, wrong

_MOST_PANELS = 4
_MARKS = 9  # marks a line, at most


class _Shown(NamedTuple):
    """How a column is shown: a title, a unit, and how to read it."""

    title: str
    unit: str
    reading: str


_DOTTED = "Dotted line: the opponents' own threshold; there all bots are the same and"
_SHOWN = {
    "ev": _Shown("Points a deal", "points a deal", f"{_DOTTED} each earns exactly 0."),
    "win": _Shown(
        "Win share",
        "win share (mean a deal)",
        "Level lines: the fair share 1/N of each player count. "
        f"{_DOTTED} each wins exactly 1/N of the deals that do not stall.",
    ),
}
_RING: dict[str, Any] = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.4}


def slices(
    frame: pd.DataFrame,
    value: str,
    tables: Sequence[int],
    caption: str,
    best: pd.DataFrame | None = None,
    *,
    alike: bool = True,
) -> Figure:
    """Draw what each threshold earns against some thresholds of the opponents, such as 8, 10, 15 and 25.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``players``, ``focal`` (own threshold), ``table`` (that of all opponents), ``value`` and its
        standard error, ``ev_se`` or ``win_se``.  If there, also ``blocks`` (for Student's t).
    value : str
        ``ev`` (points a deal) or ``win`` (mean win share, 0 to 1).
    tables : sequence of int
        One to four of the opponents' thresholds, a panel each.
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.
    best : DataFrame, optional
        A row for each ``players`` and ``table``: ``best`` (the own threshold that earns the most points a deal),
        ``low`` and ``high`` (the lowest and the highest threshold within 0.02 points of it), in deadwood points, NaN
        where there is no best.
    alike : bool
        Whether focal bot and opponents draw alike, so that equal thresholds make equal bots.

    Returns
    -------
    Figure
        Panels on one scale; bars, or bands where there are many points, are 95 % intervals, and a ring is the best.

    Raises
    ------
    RequestError
        If the frames have not these columns, no row or a row twice, for another ``value``, or for ``tables`` that are
        not in the frame.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 10, 30, 30], "table": [10, 30] * 2, "ev": [0, -1, 1, 0],
    ...                       "ev_se": [0, 0.1, 0.1, 0]})
    >>> chart = slices(frame, "ev", [10, 30], "Rules: ledger. 200 blocks, seed 1.")
    >>> [panel.get_title(loc="left") for panel in chart.axes]
    ['opponents knock at 10', 'opponents knock at 30']
    """
    if value not in _SHOWN:
        raise wrong("value", value, " or ".join(_SHOWN))
    known = needed(
        frame, ["players", "focal", "table"], [value, f"{value}_se"], ["blocks", f"{value}_low", f"{value}_high"]
    )
    rings = None if best is None else best_frame(best)
    _check(tables, known)
    known = known[known["table"].isin(list(tables))]
    shown = _SHOWN[value]
    counts = [int(players) for players in known["players"].unique()]
    columns = min(len(tables), 2)
    rows = -(-len(tables) // columns)
    as_bars = int(known.groupby(["players", "table"]).size().max()) <= MOST_BARS
    with style():
        figure, found = panels(rows, columns, height=2.6 * rows + 0.6, sharex=True, sharey=True)
        every_axes = [axes for line in found for axes in line]
        for axes, table in zip(every_axes, tables, strict=False):
            axes.set_title(f"opponents knock at {table}", fontsize=9)
            axes.axvline(table, color=INK, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
            if value == "ev":
                axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
            for place, players in enumerate(counts):
                line = known[(known["table"] == table) & (known["players"] == players)]
                _draw(axes, line, value, players, place / len(counts), as_bars)
                if rings is not None:
                    ring = rings[(rings["table"] == table) & (rings["players"] == players)]
                    _ring(axes, line, value, look(players - 2)["color"], ring)
        for axes in every_axes[len(tables) :]:
            axes.set_visible(False)
        for axes in every_axes[len(tables) - columns : len(tables)]:  # those with none below
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("own knock threshold (points)")
        for line_of_axes in found:
            line_of_axes[0].set_ylabel(shown.unit)
        every_axes[0].xaxis.set_major_locator(round_steps(9, whole=True))
        every_axes[0].yaxis.set_major_locator(round_steps(9))
        handles = [Line2D([], [], markersize=4, label=f"{players} players", **look(players - 2)) for players in counts]
        reading = [
            _intervals(known, value, as_bars),
            shown.reading if alike else "Dotted line: the opponents' own threshold.",
        ]
        if rings is not None:
            reading.append("Rings: the threshold that earns the most points a deal.")
            handles.append(Line2D([], [], color=INK, linestyle="none", label="best", **_RING))
        return finish(
            figure,
            f"{shown.title} against opponents who all knock at another threshold",
            "\n".join([caption, " ".join(reading)]),
            handles,
        )


def _check(tables: Sequence[int], known: pd.DataFrame) -> None:
    if not 1 <= len(tables) <= _MOST_PANELS or len(set(tables)) < len(tables):
        raise wrong("tables", list(tables), f"1 to {_MOST_PANELS} of the opponents' thresholds, each once")
    there = sorted(known["table"].unique())
    if missing := [table for table in tables if table not in there]:
        raise RequestError(
            f"tables: got {', '.join(map(str, missing))}; allowed: {', '.join(f'{table:g}' for table in there)}"
        )


def _draw(axes: Axes, line: pd.DataFrame, value: str, players: int, shift: float, as_bars: bool) -> None:
    shown = look(players - 2)
    every = max(1, -(-len(line) // _MARKS))
    at, middle, (below, above) = line["focal"], line[value], arms(line, value)
    axes.plot(at, middle, linewidth=1.3, markersize=3.5, markevery=(int(shift * every), every), zorder=3, **shown)
    if as_bars:
        axes.errorbar(at, middle, yerr=(below, above), fmt="none", ecolor=shown["color"], capsize=2, elinewidth=1.0)
    else:
        axes.fill_between(at, middle - below, middle + above, color=shown["color"], alpha=0.28, linewidth=0)
    if value == "win":
        axes.axhline(
            1 / players, color=shown["color"], linestyle=shown["linestyle"], linewidth=0.9, alpha=0.7, zorder=1
        )


def _ring(axes: Axes, line: pd.DataFrame, value: str, colour: str, ring: pd.DataFrame) -> None:
    """Mark the best threshold on its line, if the line reaches it."""
    at = ring["best"].to_numpy(np.float64)
    up = np.interp(at, line["focal"].astype(float), line[value], left=np.nan, right=np.nan)
    axes.plot(at, up, color=colour, linestyle="none", zorder=4, **_RING)


def _intervals(known: pd.DataFrame, value: str, as_bars: bool) -> str:
    errors = arms(known, value)[0].notna()
    if not errors.any():
        return "No intervals: too few blocks."
    said = f"{'Bars' if as_bars else 'Bands'}: 95 % intervals of each point by itself."
    return said if errors.all() else f"{said} Points without an interval are of too few blocks."
