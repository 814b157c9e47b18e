"""How many deals it takes to see who is better, by the format of the session."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import needed
from rumsim.charts.style import finish, look, panels, plain, style

_ROW, _APART = 0.62, 0.15  # inches a format; rows from mark to mark


def deals_needed(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw how many deals tell a better player, a row a format.

    Parameters
    ----------
    frame : DataFrame
        A row for each ``format`` and ``players``: ``deals_by_wins``, how many deals are needed.
    caption : str
        Rules, bots, blocks, seed, and which test.

    Returns
    -------
    Figure
        On a logarithmic axis.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row or a row twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"format": ["pool", "match"], "players": 2, "deals_by_wins": [900.0, 700.0]})
    >>> [label.get_text() for label in deals_needed(frame, "Rules: ledger.").axes[0].get_yticklabels()]
    ['pool', 'match']
    """
    known = needed(frame, ["format", "players"], ["deals_by_wins"])
    names = list(dict.fromkeys(frame["format"]))
    counts = [int(players) for players in sorted(known["players"].unique())]
    with style():
        figure, [[axes]] = panels(height=0.8 + _ROW * len(names))
        handles: list[Line2D] = []
        for at, players in enumerate(counts):
            part = known[known["players"] == players].set_index("format").reindex(names)
            shown = look(players - 2)
            y = [row + (at - (len(counts) - 1) / 2) * _APART for row in range(len(names))]
            handles += axes.plot(
                part["deals_by_wins"],
                y,
                label=f"{players} players",
                color=shown["color"],
                marker=shown["marker"],
                linestyle="none",
                markersize=6,
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(plain))
        axes.xaxis.set_minor_formatter(
            FuncFormatter(lambda value, _: plain(value) if f"{value:.0e}"[0] in "25" else "")
        )
        axes.tick_params(axis="x", which="minor", labelsize=7)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel("deals until the better player shows (logarithmic)")
        return finish(figure, "How many deals tell a player who is better by a point a deal", caption, handles)
