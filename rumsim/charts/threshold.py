"""What one's own knock threshold earns and wins, a line a player count."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from rumsim.charts._curves import curves_frame, draw_curves, one_table
from rumsim.charts.style import INK, finish, look, style


def points_by_threshold(frame: pd.DataFrame, opponents: str, caption: str, *, alike: bool = True) -> Figure:
    """Draw the points a deal that each threshold earns.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``players``, ``focal`` (own threshold), ``ev`` and ``ev_se`` (points a deal; None where they
        do not exist).  If there, also ``blocks`` (for Student's t), ``table`` (the opponents' threshold, one),
        ``ev_band_low`` and ``ev_band_high`` (simultaneous 95 % band of the curve).
    opponents : str
        Who sits at the other places, for the title.
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.
    alike : bool
        Whether focal bot and opponents draw alike, so that equal thresholds make equal bots.

    Returns
    -------
    Figure
        Bars, or bands where there are many points, are 95 % intervals.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, a row twice or several ``table``.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 30], "ev": [0, 3.5], "ev_se": [0, 0.2], "table": 10})
    >>> chart = points_by_threshold(frame, "opponents who knock at 10", "Rules: ledger. 200 blocks, seed 1.")
    >>> chart.axes[0].get_ylabel()
    'points a deal'
    """
    known = curves_frame(frame, "ev")
    with style():
        figure, axes, handles, reading = draw_curves(known, "ev")
        axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
        axes.set_ylabel("points a deal")
        equal = _equal_bots(known, "each earns exactly 0", alike)
        return finish(
            figure,
            f"Points a deal by own knock threshold, against {opponents}",
            "\n".join([caption, f"{reading} {equal}"]),
            handles,
        )


def win_by_threshold(frame: pd.DataFrame, opponents: str, caption: str, *, alike: bool = True) -> Figure:
    """Draw the share of deals that each threshold wins, beside the fair share of each player count.

    Parameters
    ----------
    frame : DataFrame
        A row a point: ``players``, ``focal`` (own threshold), ``win`` and ``win_se`` (mean win share, 0 to 1).  If
        there, also ``blocks``, ``table``, ``win_band_low`` and ``win_band_high``, as for ``points_by_threshold``.
    opponents : str
        Who sits at the other places, for the title.
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.
    alike : bool
        Whether focal bot and opponents draw alike, so that equal thresholds make equal bots.

    Returns
    -------
    Figure
        Level lines, named on the right, are the fair shares.

    Raises
    ------
    RequestError
        As ``points_by_threshold``.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 30], "win": [0.5, 0.6], "win_se": [0, 0.02]})
    >>> chart = win_by_threshold(frame, "opponents who knock at 10", "Rules: ledger. 200 blocks, seed 1.")
    >>> [label.get_text() for label in chart.axes[0].child_axes[0].get_yticklabels()]
    ['1/2']
    """
    known = curves_frame(frame, "win")
    with style():
        figure, axes, handles, reading = draw_curves(known, "win")
        counts = [int(players) for players in known["players"].unique()]
        low, high = axes.get_ylim()
        axes.set_ylim(max(min(low, 1 / max(counts) - 0.02), -0.02), min(max(high, 1 / min(counts) + 0.02), 1.02))
        for players in counts:
            shown = look(players - 2)
            axes.axhline(
                1 / players, color=shown["color"], linestyle=shown["linestyle"], linewidth=0.9, alpha=0.7, zorder=1
            )
        fair = axes.secondary_yaxis("right")
        fair.set_yticks([1 / players for players in counts], [f"1/{players}" for players in counts])
        fair.tick_params(length=0)
        fair.spines["right"].set_visible(False)
        fair.set_ylabel("fair share")
        axes.set_ylabel("win share (mean a deal)")
        equal = _equal_bots(known, "each wins exactly 1/N of the deals that do not stall", alike)
        return finish(
            figure,
            f"Win share by own knock threshold, against {opponents}",
            "\n".join([caption, f"{reading} Level lines: the fair share 1/N of each player count. {equal}"]),
            handles,
        )


def _equal_bots(frame: pd.DataFrame, then: str, alike: bool) -> str:
    """Explain the point where all bots are the same."""
    table = one_table(frame)
    if table is None:
        return ""
    if not alike or table not in frame["focal"].to_numpy():
        return f"Dotted line: the opponents' own threshold, {table:g}."
    return f"Dotted line: the opponents' own threshold, {table:g}; there all bots are the same and {then}."
