"""What each seat earns, a panel a player count."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rumsim.charts._frames import arms, needed
from rumsim.charts.style import INK, finish, fold, look, panels, style
from rumsim.stats.blocks import SKEW


def points_by_seat(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the points a deal of each seat, with 95 % intervals.

    Parameters
    ----------
    frame : DataFrame
        A row a seat: ``players``, ``seat`` (from 0, the first to move), ``ev`` and ``ev_se`` (points a deal; None
        where they do not exist).  If there, also ``ev_low`` and ``ev_high`` (the 95 % interval), or ``blocks`` (to make
        it), and ``bot`` (a text: who sits at all places; several are drawn side by side).
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a player count, on one scale.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, or a seat twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "seat": [0, 1], "ev": [2, -2], "ev_se": 0.5})
    >>> [axes.get_title("left") for axes in points_by_seat(frame, "Rules: ledger.").axes]
    ['2 players']
    """
    by_bot = "bot" in frame
    known = needed(
        frame, ["players", *(["bot"] if by_bot else []), "seat"], ["ev", "ev_se"], ["blocks", "ev_low", "ev_high"]
    )
    # In the order of the frame, not of the alphabet: knock=5 comes before knock=10.
    bots = list(dict.fromkeys(frame["bot"])) if by_bot else [None]
    counts = sorted(known["players"].unique())
    with style():
        seats = [len(known.loc[known["players"] == players, "seat"].unique()) for players in counts]
        figure, [row] = panels(1, len(counts), height=3.2, sharey=True, width_ratios=[n + 0.6 for n in seats])
        handles = [
            Line2D([], [], markersize=5, label=fold(str(bot).removesuffix(",discard=greedy"), 5.0), **_mark(place))
            for place, bot in enumerate(bots)
            if bot is not None
        ]
        for axes, players in zip(row, counts, strict=True):
            here = known[known["players"] == players]
            for place, bot in enumerate(bots):
                rows = here if bot is None else here[here["bot"] == bot]
                at = rows["seat"].astype(float) + 0.5 * ((place + 0.5) / len(bots) - 0.5)
                shown = _mark(place)
                axes.vlines(at, 0, rows["ev"], color=shown["color"], linewidth=1.2, alpha=0.45)
                axes.errorbar(at, rows["ev"], yerr=arms(rows, "ev", SKEW), markersize=5, capsize=3, **shown)
            axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
            axes.set_title(f"{players} players", fontsize=9)
            axes.set_xticks(sorted(here["seat"].unique()))
            axes.set_xlim(here["seat"].min() - 0.6, here["seat"].max() + 0.6)
            axes.set_xlabel("seat")
            axes.grid(False, axis="x")
        row[0].set_ylabel("points a deal")
        some = bool(arms(known, "ev", SKEW)[0].notna().any())
        bars = "Bars: 95 % intervals." if some else f"No intervals: too few blocks, {SKEW} are needed."
        reading = f"Seat 0 is left of the dealer and moves first, the last seat deals. {bars}"
        return finish(figure, "Points a deal by seat", f"{caption}\n{reading}", handles)


def _mark(place: int) -> dict[str, Any]:
    return look(place) | {"linestyle": "none"}
