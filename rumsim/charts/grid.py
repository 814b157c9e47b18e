"""What own thresholds earn against tables of other thresholds: a square a pair, a panel a player count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rumsim.charts.style import finish, panels, style

_MOST_LABELS = 9  # an axis


class _Shown(NamedTuple):
    """How a column is shown: a title, a unit, colours that colour-blind readers can tell apart."""

    title: str
    unit: str
    colours: str


_SHOWN = {
    "ev": _Shown("Points a deal by own and others' knock threshold", "points a deal", "PuOr"),
    "win": _Shown("Win share by own and others' knock threshold", "win share", "cividis"),
}


def grid(frame: pd.DataFrame, value: str, caption: str) -> Figure:
    """Draw what every threshold earns against every other.

    Parameters
    ----------
    frame : DataFrame
        A row a square: ``players``, ``focal`` (own threshold), ``table`` (that of all others), and ``value``.
    value : str
        ``ev`` (points a deal; white is 0) or ``win`` (win share).
    caption : str
        Rules, bots, blocks and seed.

    Returns
    -------
    Figure
        A panel for each player count, all in one scale; what does not exist is grey.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 10, 30, 30], "table": [10, 30] * 2, "ev": [0, -1, 1, 0]})
    >>> [panel.get_title(loc="left") for panel in grid(frame, "ev", "Rules: ledger.").axes][:1]
    ['2 players']
    """
    shown = _SHOWN[value]
    counts = sorted(frame["players"].unique().tolist())
    across = min(len(counts), 2)
    down = -(-len(counts) // across)
    known = frame[value].dropna()
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if value == "ev":
        high = max(-low, high) or 1.0
        low = -high
    with style():
        figure, rows = panels(down, across, width=3.6 * across + 1.2, height=3.2 * down)
        every_panel = [panel for row in rows for panel in row]
        for panel, players in zip(every_panel, counts, strict=False):
            squares = frame[frame["players"] == players].pivot(index="focal", columns="table", values=value)
            drawn = panel.imshow(
                squares.to_numpy(np.float64),
                origin="lower",
                aspect="auto",
                cmap=shown.colours,
                vmin=low,
                vmax=high,
                interpolation="nearest",
            )
            panel.grid(False)
            panel.set_facecolor("#999999")
            panel.set_title(f"{players} players", fontsize=9)
            _label(panel, squares)
        for panel in every_panel[len(counts) :]:
            panel.set_visible(False)
        figure.colorbar(drawn, ax=every_panel, label=shown.unit, shrink=0.9)
        return finish(figure, shown.title, caption)


def _label(panel: Axes, squares: pd.DataFrame) -> None:
    for axis, values in ((panel.xaxis, squares.columns), (panel.yaxis, squares.index)):
        every = -(-len(values) // _MOST_LABELS)
        axis.set_ticks(np.arange(0, len(values), every), [str(one) for one in values[::every]])
    panel.set_xlabel("others' knock threshold (points)")
    panel.set_ylabel("own knock threshold (points)")
