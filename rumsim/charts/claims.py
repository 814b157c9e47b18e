"""What a family of claims comes to: every test with its interval, beside the smallest effect that would matter."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rumsim.charts._frames import needed
from rumsim.charts.style import INK, finish, fold, look, panels, round_steps, style

_NAME = FontProperties(family="DejaVu Sans", size=8)
_WIDTH, _NAMES = 7.2, 2.9  # inches: of the page, and of the claims at the left
_STEP, _APART = 0.115, 0.12  # inches: from case to case, and between claims
_SHADE = "#e8eef4"
_AXES = {"points": "points a deal, or a knock", "share": "share"}
_FILLS: dict[str, Any] = {"holds": "full", "undecided": "left", "fails": "none"}


def claims_forest(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw the estimates of claims with their intervals, one under the other.

    Parameters
    ----------
    frame : DataFrame
        A row a test, in the order in which they are drawn: ``says`` (the claim, whose rows stand together),
        ``verdict`` (of the whole claim), ``case`` (of the test: holds, undecided, or fails, with how after a colon),
        ``unit`` (points or share), ``players``, ``estimate``, ``low`` and ``high`` (its interval; the intervals of all
        rows hold together with 95 %), ``reference`` (the value of the null hypothesis), ``sign`` (1 or -1: the claim's
        side) and ``least`` (the smallest interesting effect).
    caption : str
        Rules, bots, blocks, seed, and the rule of the verdicts; how to read the chart is added.

    Returns
    -------
    Figure
        A panel a unit, a row a test.

    Raises
    ------
    RequestError
        If the frame has not these columns or no row.

    Examples
    --------
    >>> rows = {"says": "Knock early.", "verdict": "holds", "case": "holds", "unit": "points", "players": [2, 3],
    ...         "estimate": [2.0, 3.0], "low": [1.5, 2.5], "high": [2.5, 3.5], "reference": 0.0, "sign": 1,
    ...         "least": 0.25}
    >>> [axes.get_xlabel() for axes in claims_forest(pd.DataFrame(rows), "Rules: ledger.").axes]
    ['points a deal, or a knock']
    """
    texts = ["says", "verdict", "case", "unit"]
    numbers = ["players", "estimate", "low", "high", "reference", "sign", "least"]
    placed = frame.assign(row=range(len(frame)))
    known = needed(placed, ["row", *texts], numbers)
    units = list(dict.fromkeys(known["unit"]))
    with style():
        parts = [_rows(known[known["unit"] == unit]) for unit in units]
        heights = [sum(high for *_, high in part) for part in parts]
        figure, grid = panels(len(units), height=sum(heights) + 0.45 * len(units), width=_WIDTH, height_ratios=heights)
        for (axes,), unit, part in zip(grid, units, parts, strict=True):
            _draw(axes, part)
            axes.set_xlabel(_AXES.get(unit, unit))
        counts = sorted({int(players) for players in known["players"]})
        handles = [Line2D([], [], label=f"{n} players", markersize=4.5, **_mark(n)) for n in counts]
        for case, fill in _FILLS.items():
            if case in set(known["case"].map(_kind)):
                ring: dict[str, Any] = {"color": INK, "marker": "o", "markerfacecoloralt": "white", "linestyle": "none"}
                handles.append(Line2D([], [], label=case, markersize=4.5, fillstyle=fill, **ring))
        shade = Patch(facecolor=_SHADE, edgecolor=INK, linewidth=0.4, label="where the claim holds")
        reading = "Lines: intervals that hold together with 95 %. Upright lines: the null values."
        return finish(figure, "The rule pages' advice, tested", f"{caption}\n{reading}", [*handles, shade])


def _rows(known: pd.DataFrame) -> list[tuple[str, pd.DataFrame, float]]:
    """Return each claim's name with its verdict, its tests, and how high it stands, in inches."""
    found = []
    for says, tests in known.groupby("says", sort=False):
        name = fold(f"{says} {str(tests['verdict'].iloc[0]).upper()}", _NAMES, _NAME)
        lines = name.count("\n") + 1
        found.append((name, tests, _APART + max(len(tests) * _STEP, 0.155 * lines)))
    return found


def _kind(case: str) -> str:
    """Return a verdict without how it came to it."""
    return case.partition(":")[0]


def _mark(players: int) -> dict[str, Any]:
    """Return colour and marker of a player count, as in every chart, without its line."""
    return {**look(players - 2), "linestyle": "none"}


def _draw(axes: Axes, rows: list[tuple[str, pd.DataFrame, float]]) -> None:
    """Draw the claims of one unit from the top down; a unit of the axis is an inch."""
    lowest = min(float(tests["low"].min()) for _, tests, _ in rows)
    highest = max(float(tests["high"].max()) for _, tests, _ in rows)
    edge = 0.04 * (highest - lowest or 1.0)
    left, right = min(lowest, 0.0) - edge, max(highest, 0.0) + edge
    down = 0.0
    middles = []
    for _, tests, high in rows:
        first = tests.iloc[0]
        reaches = first["reference"] + first["sign"] * first["least"]
        far = right if first["sign"] > 0 else left
        axes.fill_betweenx([down, down + high], reaches, far, color=_SHADE, linewidth=0)
        axes.plot([first["reference"]] * 2, [down, down + high], color=INK, linewidth=0.9, zorder=2)
        axes.axhline(down + high, color="white", linewidth=2, zorder=1.5)
        middles.append(down + high / 2)
        top = down + high / 2 - (len(tests) - 1) * _STEP / 2
        for place, test in enumerate(tests.to_dict("records")):
            shown = _mark(int(test["players"]))
            at = top + place * _STEP
            axes.plot([test["low"], test["high"]], [at, at], color=shown["color"], linewidth=1.1, zorder=3)
            fill: dict[str, Any] = {"fillstyle": _FILLS.get(_kind(test["case"]), "none"), "markerfacecoloralt": "white"}
            ground = {"markerfacecolor": "white"} if fill["fillstyle"] == "none" else {}
            axes.plot([test["estimate"]], [at], markersize=4.2, zorder=4, **shown, **(ground or fill))
        down += high
    axes.set_xlim(left, right)
    axes.set_ylim(down, 0)
    axes.set_yticks(middles, [name for name, *_ in rows], fontproperties=_NAME)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.xaxis.set_major_locator(round_steps(7))
