"""Points a deal against one's own knock threshold, a line a player count."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from rumsim.charts.style import COLOURS, DASHES, MARKERS, blank, style


def points_by_threshold(frame: pd.DataFrame, opponents: str, caption: str) -> Figure:
    """Draw what each threshold earns.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``players``, ``focal`` (own threshold), ``ev`` and ``ev_se`` (points a deal).
    opponents : str
        Who sits at the other places, for the title.
    caption : str
        Rules, bots, blocks and seed.

    Returns
    -------
    Figure
        Bars are 95 % intervals.
    """
    with style():
        figure, axes = blank(f"Points a deal by own knock threshold, against {opponents}", caption)
        for place, (players, rows) in enumerate(frame.groupby("players")):
            axes.errorbar(
                rows["focal"],
                rows["ev"],
                yerr=1.96 * rows["ev_se"],
                label=f"{players} players",
                color=COLOURS[place],
                marker=MARKERS[place],
                linestyle=DASHES[place],
                markersize=4.5,
                linewidth=1.4,
                capsize=2,
            )
        axes.axhline(0, color="#666666", linewidth=0.9)
        axes.set_xlabel("own knock threshold (deadwood points): knock with this count or less")
        axes.set_ylabel("points a deal")
        axes.legend()
    return figure
