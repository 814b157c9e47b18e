"""How deals end by the own threshold, a panel a player count."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._curves import one_table
from rumsim.charts._frames import needed
from rumsim.charts.style import INK, finish, look, panels, percent, round_steps, style

_MARKS = 9  # marks a line, at most
_ENDS = ("undercut", "tied", "rum", "exhausted", "stalled")


def ends_by_threshold(frame: pd.DataFrame, opponents: str, caption: str) -> Figure:
    """Draw the share of deals that end with an undercut, a tie, rum, no stock, or not at all.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``players``, ``focal`` (own threshold), ``undercut``, ``tied``, ``exhausted`` and ``stalled``
        (shares of all deals, 0 to 1, whoever knocked).  If there, also ``rum`` and ``table`` (the opponents'
        threshold, one).
    opponents : str
        Who sits at the other places, for the title.
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a player count, on one scale.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, a row twice or several ``table``.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 30], "undercut": [0.1, 0.2], "tied": [0.01, 0.02],
    ...                       "exhausted": [0.2, 0], "stalled": 0})
    >>> chart = ends_by_threshold(frame, "opponents who knock at 10", "Rules: ledger. 200 blocks, seed 1.")
    >>> [text.get_text() for text in chart.legends[0].get_texts()]
    ['undercut', 'tied', 'exhausted', 'stalled (never)']
    """
    known = needed(frame, ["players", "focal"], ["undercut", "tied", "exhausted", "stalled"], ["rum", "table"])
    table = one_table(known)
    counts = sorted(known["players"].unique())
    rows, columns = (1, len(counts)) if len(counts) < 3 else (-(-len(counts) // 2), 2)
    with style():
        figure, grid = panels(rows, columns, height=2.1 * rows + 1.0, sharex=True, sharey=True)
        every_axes = [axes for line in grid for axes in line]
        handles = []
        for place, end in enumerate(_ENDS):
            if end not in known:
                continue
            never = not (known[end] > 0).any()
            handles.append(Line2D([], [], markersize=4, label=f"{end} (never)" if never else end, **look(place)))
            for axes, players in zip(every_axes, [] if never else counts, strict=False):
                own = known[known["players"] == players]
                every = max(1, -(-len(own) // _MARKS))
                axes.plot(
                    own["focal"],
                    own[end],
                    linewidth=1.3,
                    markersize=4,
                    markevery=(place * every // len(_ENDS), every) if every > 1 else None,
                    **look(place),
                )
        for axes, players in zip(every_axes, counts, strict=False):
            axes.set_title(f"{players} players", fontsize=9)
            if table is not None:
                axes.axvline(table, color=INK, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
        for axes in every_axes[len(counts) :]:
            axes.set_visible(False)
        for axes in every_axes[len(counts) - columns : len(counts)]:  # those with none below
            axes.tick_params(labelbottom=True)
            axes.set_xlabel("own knock threshold (deadwood points)")
        low, high = every_axes[0].dataLim.intervaly
        top = max(every_axes[0].get_ylim()[1], high + 0.05 * (high - min(low, 0.0)))
        every_axes[0].set_ylim(-0.02 * top, top)
        every_axes[0].xaxis.set_major_locator(round_steps(8, whole=True))
        every_axes[0].yaxis.set_major_locator(round_steps(6))
        every_axes[0].yaxis.set_major_formatter(FuncFormatter(percent))
        for line in grid:
            line[0].set_ylabel("share of all deals")
        reading = (
            "Of all deals, whoever knocked: the knocker is undercut, tied, or goes rum; nobody knocks and the stock is "
            "exhausted, or the deal stalls. All others end with a plain knock that wins."
        )
        if table is not None:
            reading += f" Dotted line: the opponents' own threshold, {table:g}."
        return finish(
            figure, f"How deals end by own knock threshold, against {opponents}", f"{caption}\n{reading}", handles
        )
