"""What a look at the ledger is worth, a panel a format."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import margins, needed
from rumsim.charts.style import INK, finish, fold, look, panels, percent, style


def gains_by_format(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw by how much a bot wins more often, by format and number of players, with 95 % intervals.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``format``, ``bot`` (texts, drawn in the order of the frame), ``players``, ``gain`` and
        ``gain_se`` (chances, 0 to 1).  If there, also ``blocks`` (for Student's t).
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a format, on one scale.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, or a row twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"format": "match", "bot": "a", "players": [2, 3], "gain": [0.01, 0], "gain_se": 0.001})
    >>> [axes.get_title("left") for axes in gains_by_format(frame, "Rules: ledger.").axes]
    ['match']
    """
    known = needed(frame, ["format", "bot", "players"], ["gain", "gain_se"], ["blocks"])
    formats, bots = list(dict.fromkeys(frame["format"])), list(dict.fromkeys(frame["bot"]))
    with style():
        figure, [row] = panels(1, len(formats), height=3.2, sharey=True)
        handles = []
        for place, bot in enumerate(bots):
            shown = look(place) | {"linestyle": "none"}
            handles.append(Line2D([], [], markersize=5, label=fold(str(bot), 5.0), **shown))
            for axes, form in zip(row, formats, strict=True):
                rows = known[(known["format"] == form) & (known["bot"] == bot)]
                at = rows["players"].astype(float) + 0.5 * ((place + 0.5) / len(bots) - 0.5)
                axes.errorbar(at, rows["gain"], yerr=margins(rows, "gain"), markersize=5, capsize=2, **shown)
        for axes, form in zip(row, formats, strict=True):
            axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
            axes.set_title(str(form), fontsize=9)
            axes.set_xticks(sorted(known["players"].unique()))
            axes.set_xlim(known["players"].min() - 0.6, known["players"].max() + 0.6)
            axes.set_xlabel("players")
            axes.yaxis.set_major_formatter(FuncFormatter(percent))
            axes.grid(False, axis="x")
        row[0].set_ylabel("more sessions won")
        reading = "Above zero: wins more often with a look at the ledger than without. Bars: 95 % intervals."
        return finish(figure, "What a look at the ledger is worth", f"{caption}\n{reading}", handles)
