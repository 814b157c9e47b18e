"""Who wins sessions from which place, and how many deals they last."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import arms, needed
from rumsim.charts.style import COLOURS, INK, finish, fold, look, panels, percent, plain, round_steps, style

_INTERVALS = ["blocks", "win_low", "win_high"]
_BARS = 40  # at most, of a histogram


def wins_by_place(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the chance to win a session by starting place, with 95 % intervals.

    Parameters
    ----------
    frame : DataFrame
        A row a place: ``players``, ``place`` (from 0, the first to move in the first deal), ``win`` and ``win_se``
        (None where they do not exist).  If there, also ``win_low`` and ``win_high`` (the 95 % interval), or ``blocks``
        (to make it), and ``format`` (a text; several are drawn side by side).
    caption : str
        Rules, bots, format, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a player count, on one scale.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, or a place twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "place": [0, 1], "win": [0.52, 0.48], "win_se": 0.005})
    >>> [axes.get_title("left") for axes in wins_by_place(frame, "Rules: ledger.").axes]
    ['2 players']
    """
    by_format = "format" in frame
    known = needed(frame, ["players", *(["format"] if by_format else []), "place"], ["win", "win_se"], _INTERVALS)
    formats = list(dict.fromkeys(frame["format"])) if by_format else [None]
    counts = sorted(known["players"].unique())
    with style():
        figure, [row] = panels(1, len(counts), height=3.2, sharey=True, width_ratios=[n + 0.6 for n in counts])
        handles = [
            Line2D([], [], markersize=5, label=fold(str(form), 5.0), **look(place) | {"linestyle": "none"})
            for place, form in enumerate(formats)
            if len(formats) > 1
        ]
        for axes, players in zip(row, counts, strict=True):
            here = known[known["players"] == players]
            for place, form in enumerate(formats):
                rows = here if form is None else here[here["format"] == form]
                at = rows["place"].astype(float) + 0.5 * ((place + 0.5) / len(formats) - 0.5)
                shown = look(place) | {"linestyle": "none"}
                axes.errorbar(at, rows["win"], yerr=arms(rows, "win"), markersize=5, capsize=3, **shown)
            axes.axhline(1 / players, color=INK, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
            axes.set_title(f"{players} players", fontsize=9)
            axes.set_xticks(range(players))
            axes.set_xlim(-0.6, players - 0.4)
            axes.set_xlabel("place")
            axes.yaxis.set_major_formatter(FuncFormatter(percent))
            axes.grid(False, axis="x")
        row[0].set_ylabel("chance to win the session")
        some = bool(arms(known, "win")[0].notna().any())
        bars = "Bars: 95 % intervals." if some else "No intervals: too few blocks."
        reading = (
            f"Places are those in the first deal: 0 moves first, the last one deals. Dotted: an equal chance. {bars}"
        )
        return finish(figure, "Chance to win a session by starting place", f"{caption}\n{reading}", handles)


def deals_of_sessions(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw how many deals sessions last.

    Parameters
    ----------
    frame : DataFrame
        A row a number of deals: ``players``, ``deals`` and ``sessions`` (how many lasted so long).
    caption : str
        Rules, bots, format, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a player count.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, or a number of deals twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "deals": [3, 4], "sessions": [10, 30]})
    >>> deals_of_sessions(frame, "Rules: ledger.").axes[0].get_xlabel()
    'deals (median 4)'
    """
    known = needed(frame, ["players", "deals"], ["sessions"])
    counts = sorted(known["players"].unique())
    with style():
        figure, [row] = panels(1, len(counts), height=3.0, sharey=True)
        each = [known[known["players"] == players].sort_values("deals") for players in counts]
        # The longest few would leave no room for the rest.
        ends = [int(rows["deals"].to_numpy()[np.searchsorted(_summed(rows), 0.995)]) + 1 for rows in each]
        wide = max(-(-(end - int(rows["deals"].min())) // _BARS) for rows, end in zip(each, ends, strict=True))
        for axes, players, here, end in zip(row, counts, each, ends, strict=True):
            deals = here["deals"].to_numpy()
            share = np.diff(_summed(here), prepend=0)
            edges = np.arange(int(deals.min()), end + wide, wide)
            heights, _ = np.histogram(deals, bins=edges, weights=share)
            axes.bar(edges[:-1] + (wide - 1) / 2, heights, width=0.9 * wide, color=COLOURS[0])
            median = int(deals[np.searchsorted(_summed(here), 0.5)])
            axes.axvline(median, color=COLOURS[1], linewidth=1.2, linestyle=(0, (4, 2)))
            axes.set_title(f"{players} players", fontsize=9)
            axes.set_xlabel(f"deals (median {median:,})")
            axes.xaxis.set_major_locator(round_steps(7, whole=True))
            axes.xaxis.set_major_formatter(FuncFormatter(plain))
            axes.yaxis.set_major_formatter(FuncFormatter(percent))
            axes.set_xlim(edges[0] - wide, edges[-1] + wide - 1)
            axes.grid(False, axis="x")
        row[0].set_ylabel("share of sessions")
        bars = "one number" if wide == 1 else f"{wide} numbers"
        reading = f"A bar holds {bars} of deals. Dashed: the median. Beyond the right edge: at most one session in 200."
        return finish(figure, "How many deals a session lasts", f"{caption}\n{reading}")


def _summed(frame: pd.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the share of sessions that last at most so many deals."""
    sessions = frame["sessions"].to_numpy(float)
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = sessions.cumsum() / sessions.sum()
    return found
