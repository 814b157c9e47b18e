"""Best thresholds under several rules, a panel a number of players."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rumsim.charts._frames import needed
from rumsim.charts.style import finish, look, panels, round_steps, style

_SHOWN = {
    "best_10": ("best constant against opponents at 10", "low_10", "high_10"),
    "best_25": ("best constant against opponents at 25", "low_25", "high_25"),
    "equilibrium": ("best constant when all play the equilibrium", None, None),
}
_ROW, _APART = 0.3, 0.24  # inches a variant; rows from mark to mark


def threshold_by_variant(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the best thresholds, a row a variant.

    Parameters
    ----------
    frame : DataFrame
        A row for each ``variant`` and ``players``: ``best_10`` and ``best_25`` (the best constant threshold against
        opponents at 10 and 25), ``low_10`` … ``high_25`` (the thresholds that lose at most 0.02 points to it), and
        ``equilibrium`` (the best constant when all play the equilibrium); all in deadwood points.
    caption : str
        Rules, bots, blocks and seed.

    Returns
    -------
    Figure
        A panel a number of players.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row or a row twice.

    Examples
    --------
    >>> row = {"variant": "seven", "players": 2, "best_10": 15, "low_10": 14, "high_10": 17, "best_25": 25,
    ...        "low_25": 24, "high_25": 26, "equilibrium": 30}
    >>> [axes.get_title(loc="left") for axes in threshold_by_variant(pd.DataFrame([row]), "Rules: ledger.").axes]
    ['2 players']
    """
    numbers = [name for shown, (_, *ends) in _SHOWN.items() for name in (shown, *filter(None, ends))]
    known = needed(frame, ["variant", "players"], numbers)
    names = list(dict.fromkeys(frame["variant"]))
    counts = [int(players) for players in sorted(known["players"].unique())]
    columns = min(2, len(counts))
    rows = -(-len(counts) // columns)
    with style():
        height = rows * (0.6 + _ROW * len(names))
        figure, found = panels(rows, columns, height=height, sharex=True, sharey=True)
        handles: list[Line2D] = []
        for place, axes in enumerate(axes for row in found for axes in row):
            if place >= len(counts):
                axes.set_visible(False)
                continue
            part = known[known["players"] == counts[place]].set_index("variant").reindex(names)
            axes.set_title(f"{counts[place]} players")
            for at, (value, (label, low, high)) in enumerate(_SHOWN.items()):
                y = [row + (at - 1) * _APART for row in range(len(names))]
                shown = look(at)
                if low is not None:
                    axes.hlines(y, part[low], part[high], color=shown["color"], linewidth=1.2)
                marks = axes.plot(
                    part[value], y, color=shown["color"], marker=shown["marker"], linestyle="none", markersize=5
                )
                if place == 0:
                    marks[0].set_label(label)
                    handles += marks
            axes.set_yticks(range(len(names)), names)
            axes.set_ylim(len(names) - 0.5, -0.5)
            axes.xaxis.set_major_locator(round_steps(9, whole=True))
            if place // columns == rows - 1:
                axes.set_xlabel("knock threshold (points)")
        return finish(figure, "Best knock thresholds by variant", caption, handles)
