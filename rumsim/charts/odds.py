"""The chance that a count is the lowest, a line an own turn."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import margins, needed
from rumsim.charts.style import finish, look, panels, percent, round_steps, style

MOST_TURNS = 6  # lines that the eye keeps apart
_MARKS = 9  # marks a line, at most


def chance_lowest(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the chance that a count is below those of all opponents, for the first six own turns.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``own_turn`` (from 1), ``count`` (the own deadwood, in points), ``below`` (the chance, 0 to 1)
        and ``below_se``, its standard error.  If there, also ``blocks`` (for Student's t).
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        Bands are 95 % intervals.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row or a row twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"own_turn": 1, "count": [0, 40], "below": [1.0, 0.3], "below_se": [0.0, 0.01]})
    >>> chance_lowest(frame, "Rules: ledger. 200 blocks, seed 1.").axes[0].get_xlabel()
    'own count (deadwood points)'
    """
    known = needed(frame, ["own_turn", "count"], ["below", "below_se"], ["blocks"])
    turns = list(known["own_turn"].unique())
    shown = turns[:MOST_TURNS]
    with style():
        figure, [[axes]] = panels(height=4.2)
        handles = []
        for place, turn in enumerate(shown):
            rows = known[known["own_turn"] == turn]
            drawn = look(place)
            every = max(1, -(-len(rows) // _MARKS))
            handles += axes.plot(
                rows["count"],
                rows["below"],
                label=f"own turn {turn}",
                linewidth=1.4,
                markersize=4.5,
                markevery=(place * every // len(shown), every),
                zorder=3,
                **drawn,
            )
            half = margins(rows, "below")
            band = (rows["below"] - half).clip(0, 1), (rows["below"] + half).clip(0, 1)
            axes.fill_between(rows["count"], *band, color=drawn["color"], alpha=0.2, linewidth=0)
        axes.set_xlabel("own count (deadwood points)")
        axes.set_ylabel("chance to be the lowest")
        axes.set_ylim(-0.02, 1.02)
        axes.xaxis.set_major_locator(round_steps(9, whole=True))
        axes.yaxis.set_major_formatter(FuncFormatter(percent))
        return finish(
            figure,
            "Chance that a count is below those of all opponents, by own turn",
            "\n".join([caption, _reading(known, len(turns) - len(shown))]),
            handles,
        )


def _reading(known: pd.DataFrame, left: int) -> str:
    said = ["Of the deals that come to the own turn before anybody knocks; ties are not below."]
    some = known["below_se"].notna().any()
    said.append("Bands: 95 % intervals of each point by itself." if some else "No intervals: one block has none.")
    if left:
        said.append(f"Later own turns are left out ({left}).")
    return " ".join(said)
