"""What a number in the rules does to the game: curves against the dial, a line a player count."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import margins, needed
from rumsim.charts.style import INK, finish, look, panels, percent, round_steps, style
from rumsim.errors import RequestError

AXES = {
    "undercut": "undercut penalty (points)",
    "rum_bonus": "rum bonus (points)",
    "knock_limit": "highest count that may knock (points)",
    "hand_size": "cards a player holds",
}


class _Panel(NamedTuple):
    column: str
    label: str
    share: bool = False
    error: bool = False
    zero: bool = False


_EQUILIBRIUM = (
    _Panel("threshold", "knock at, first turn of seat 0 (points)"),
    _Panel("turns", "table turns a deal"),
    _Panel("undercuts", "deals in which the knocker is undercut", share=True),
    _Panel("ev", "points a deal of seat 0", error=True, zero=True),
)
_RESPONSE = (
    _Panel("threshold", "best constant threshold (points)"),
    _Panel("ev", "gain over the opponents' bot (points a deal)", error=True, zero=True),
)


def equilibrium_dial(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the equilibrium's threshold, length of deals, undercuts and the first seat's points against a field.

    Parameters
    ----------
    frame : DataFrame
        A row a value and seat: ``players``, ``field`` (one for all), ``value``, ``seat``, ``threshold`` (points, on the
        first own turn), ``mixture`` (text: the equilibrium among constants as ``LOW-HIGH:WEIGHT``, blanks between),
        ``is_equilibrium`` (whether the schedule may be called one), ``turns`` (table turns a deal), ``undercuts``
        (share of deals), ``ev`` and ``ev_se`` (points a deal of the seat); if there, ``blocks``.
    caption : str
        Rules, bots, blocks and seeds; how to read the chart is added.

    Returns
    -------
    Figure
        Four panels, a line a player count.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, several fields, or a seat twice.

    Examples
    --------
    >>> rows = {"players": 2, "field": "undercut", "value": [0, 10], "seat": 0, "threshold": [80, 72],
    ...         "mixture": ["80-80:1", "0-0:0.4 71-73:0.6"], "is_equilibrium": True, "turns": [1.0, 1.1],
    ...         "undercuts": [0.4, 0.3], "ev": [1.0, 2.0], "ev_se": 0.1}
    >>> [axes.get_ylabel() for axes in equilibrium_dial(pd.DataFrame(rows), "Rules: ledger.").axes][1]
    'table turns a deal'
    """
    known = needed(
        frame,
        ["players", "field", "value", "seat"],
        ["threshold", "is_equilibrium", "turns", "undercuts", "ev", "ev_se"],
        ["blocks"],
    )
    if "mixture" not in frame:
        raise RequestError("frame: got no column mixture; allowed: text such as 0-0:0.4 27-33:0.6")
    known = known.merge(frame[["players", "field", "value", "seat", "mixture"]])
    first = known[known["seat"] == 0]
    reading = (
        "Equilibrium among knock schedules by seat and own turn, drawing and discarding fixed. Seat 0 moves first. "
        "Lines join equilibria. Hollow: none was found, only the calmest schedule. Crosses: equilibrium among "
        "constants; where it is a mixture, a cross with a bar for each range of thresholds, as large as its chance."
    )
    return _dial(first, _EQUILIBRIUM, 2, "What the rule does to knocking", f"{caption}\n{reading}")


def response_dial(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the best constant threshold and its gain against a field.

    Parameters
    ----------
    frame : DataFrame
        A row a value: ``players``, ``field`` (one for all), ``value``, ``threshold``, ``low`` and ``high`` (the range
        within 0.02 points of the best), ``ev`` and ``ev_se`` (points a deal); if there, ``blocks``.
    caption : str
        Rules, opponents, blocks and seeds; how to read the chart is added.

    Returns
    -------
    Figure
        Two panels, a line a player count.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, several fields, or a value twice.

    Examples
    --------
    >>> rows = {"players": 2, "field": "undercut", "value": [0, 10], "threshold": [40, 33], "low": [38, 32],
    ...         "high": [44, 35], "ev": [5.0, 4.0], "ev_se": 0.1}
    >>> response_dial(pd.DataFrame(rows), "Rules: ledger.").axes[0].get_xlabel()
    'undercut penalty (points)'
    """
    known = needed(frame, ["players", "field", "value"], ["threshold", "low", "high", "ev", "ev_se"], ["blocks"])
    reading = "Bands around thresholds: within 0.02 points of the best."
    return _dial(known, _RESPONSE, 2, "Best constant knock threshold by rule", f"{caption}\n{reading}")


def _dial(known: pd.DataFrame, shown: tuple[_Panel, ...], across: int, title: str, caption: str) -> Figure:
    fields = known["field"].unique()
    if len(fields) > 1:
        raise RequestError(f"frame: got {len(fields)} fields; allowed: one")
    field = str(fields[0])
    counts = [int(players) for players in sorted(known["players"].unique())]
    with style():
        figure, rows = panels(len(shown) // across, across, height=2.75 * (len(shown) // across))
        grid = [axes for row in rows for axes in row]
        for axes, panel in zip(grid, shown, strict=True):
            for players in counts:
                _line(axes, known[known["players"] == players].sort_values("value"), panel, look(players - 2))
            axes.set_xlabel(AXES.get(field, field))
            axes.set_ylabel(panel.label, fontsize=8)
            axes.xaxis.set_major_locator(round_steps(8, whole=True))
            if panel.zero:
                axes.axhline(0, color=INK, linewidth=0.9, zorder=1)
            if panel.share:
                axes.yaxis.set_major_formatter(FuncFormatter(percent))
        handles = [Line2D([], [], label=f"{n} players", markersize=4.5, **look(n - 2)) for n in counts]
        bars = " Bars: 95 % intervals." if known["ev_se"].notna().any() else ""
        return finish(figure, f"{title}: {AXES.get(field, field)}", caption + bars, handles)


def _line(axes: Axes, rows: pd.DataFrame, panel: _Panel, shown: dict[str, Any]) -> None:
    calm = rows["is_equilibrium"] == 1 if "is_equilibrium" in rows else pd.Series(True, rows.index)
    joined = rows[panel.column].where(calm)  # a gap where none was found
    if panel.error:
        axes.errorbar(
            rows["value"],
            joined,
            yerr=margins(rows, panel.column).where(calm),
            markersize=4.5,
            capsize=2.5,
            **shown,
        )
    else:
        axes.plot(rows["value"], joined, markersize=4.5, linewidth=1.5, **shown)
    if "low" in rows and panel.column == "threshold":
        axes.fill_between(rows["value"], rows["low"], rows["high"], color=shown["color"], alpha=0.16, linewidth=0)
    if "is_equilibrium" in rows:
        alone = rows[~calm]
        hollow = {**shown, "linestyle": "none", "markerfacecolor": "white", "markersize": 4.5, "zorder": 4}
        if panel.error:
            axes.errorbar(alone["value"], alone[panel.column], yerr=margins(alone, panel.column), capsize=2.5, **hollow)
        else:
            axes.plot(alone["value"], alone[panel.column], **hollow)
        if panel.column == "threshold":
            _mixtures(axes, rows, str(shown["color"]))


def _mixtures(axes: Axes, rows: pd.DataFrame, color: str) -> None:
    """Draw equilibria among constants: a cross and a bar for each range of thresholds, by size as likely."""
    for value, text in zip(rows["value"], rows["mixture"], strict=True):
        for low, high, weight in mixture_ranges(str(text)):
            axes.plot(
                [value], [(low + high) / 2], color=color, marker="x", markersize=2 + 5 * weight**0.5, linestyle="none"
            )
            if high > low:
                axes.plot([value, value], [low, high], color=color, linewidth=0.5 + 1.5 * weight)


def mixture_ranges(text: str) -> list[tuple[int, int, float]]:
    """Read a mixture as frames have it: from, to and the chance of each range.

    Raises
    ------
    RequestError
        For other text.

    Examples
    --------
    >>> mixture_ranges("0-0:0.4 27-33:0.6")
    [(0, 0, 0.4), (27, 33, 0.6)]
    """
    found = []
    for part in text.split():
        try:
            span, weight = part.split(":")
            low, high = span.split("-")
            found.append((int(low), int(high), float(weight)))
        except ValueError:
            raise RequestError(f"frame: got a mixture {text!r}; allowed: such as 0-0:0.4 27-33:0.6") from None
    return found
