"""When bots knock, and with how much deadwood: two histograms a bot."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from rumsim.charts._frames import needed
from rumsim.charts.style import COLOURS, finish, fold, panels, percent, round_steps, style
from rumsim.errors import RequestError

_NAME = FontProperties(family="DejaVu Sans", size=8)
_ROW = 1.45  # inches
_INK = "#000000"
_RARE = 0.001  # so few knocks lie right of the edge
_WHAT = {"turn": ("own turn of the knock", COLOURS[0]), "deadwood": ("deadwood at the knock (points)", COLOURS[5])}


def knock_distribution(frame: pd.DataFrame, caption: str) -> Figure:
    """Draw how the knocks of each bot are spread over its own turns and over its deadwood.

    Parameters
    ----------
    frame : DataFrame
        A row a bar: ``bot`` (text), ``what`` (``turn`` or ``deadwood``), ``value`` (own turn from 1, or points) and
        ``knocks`` (how many deals the bot ended so).  If there, also ``players`` and ``entry`` (a number), which part
        the bots further.
    caption : str
        Rules, opponents, blocks and seed; how to read the chart is added.

    Returns
    -------
    Figure
        A row a bot, own turns on the left, deadwood on the right; bars are shares of the bot's knocks.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row, a value twice, or another ``what``.

    Examples
    --------
    >>> frame = pd.DataFrame({"bot": "knock=10", "what": ["turn", "turn", "deadwood"], "value": [2, 3, 8],
    ...                       "knocks": [30, 10, 40]})
    >>> chart = knock_distribution(frame, "Rules: ledger. 200 blocks, seed 1.")
    >>> [axes.get_xlabel() for axes in chart.axes]
    ['own turn of the knock', 'deadwood at the knock (points)']
    """
    by = [name for name in ("players", "entry") if name in frame] + ["bot"]
    known = needed(frame, [*by, "what", "value"], ["knocks"])
    if unknown := sorted(set(known["what"]) - set(_WHAT)):
        raise RequestError(f"frame: got what {unknown[0]!r}; allowed: {', '.join(_WHAT)}")
    whats = [what for what in _WHAT if what in set(known["what"])]
    rows = list(dict.fromkeys(zip(*(frame[name] for name in by), strict=True)))
    if "players" in by:
        rows.sort(key=lambda row: row[0])
    with style():
        width = 7.2
        figure, grid = panels(
            len(rows), len(whats), width=width, height=_ROW * len(rows) + 0.5, sharex="col", sharey="col"
        )
        for row, line in zip(rows, grid, strict=True):
            here = known[(known[by] == list(row)).all(axis=1)]
            for axes, what in zip(line, whats, strict=True):
                _draw(axes, here[here["what"] == what], _WHAT[what][1])
            said = _row_title(row, here, width - 1.1)
            line[0].set_title(said, fontproperties=_NAME, linespacing=1.3, pad=8)
        for place, what in enumerate(whats):
            edge = _edge(known[known["what"] == what], by)
            first = 1 if what == "turn" else 0
            last = grid[-1][place]
            last.set_xlim(first - 0.6, max(edge, first) + 0.6)
            last.set_xlabel(_WHAT[what][0])
            last.xaxis.set_major_locator(round_steps(12, whole=True))
            last.set_ylim(0, 1.05 * _highest(known[known["what"] == what], by))
            last.yaxis.set_major_locator(round_steps(5))
            last.yaxis.set_major_formatter(FuncFormatter(percent))
        for line in grid:
            line[0].set_ylabel("share of\nthe knocks")
        median = Line2D([], [], color=_INK, linewidth=1.1, linestyle=(0, (3, 1.5)), label="median")
        reading = f"Each panel: all knocks of the bot are 100 %; right of the edge lie at most {_RARE:.1%} of them."
        return finish(
            figure, "When bots knock, and with what", f"{caption}\n{reading.replace('.1%', '.1 %')}", [median]
        )


def _draw(axes: Axes, bars: pd.DataFrame, colour: str) -> None:
    total = bars["knocks"].sum()
    if total > 0:
        axes.bar(bars["value"], bars["knocks"] / total, width=0.85, color=colour)
        axes.axvline(_median(bars), color=_INK, linewidth=1.1, linestyle=(0, (3, 1.5)))


def _median(bars: pd.DataFrame) -> float:
    """Return the lowest value that half of the knocks do not exceed."""
    running = bars["knocks"].fillna(0).cumsum()
    return float(bars["value"][running >= running.iloc[-1] / 2].iloc[0])


def _edge(bars: pd.DataFrame, by: list[str]) -> float:
    """Return the value that all but very few knocks of every bot do not exceed."""
    edges = [0.0]
    for _, own in bars.groupby(by):
        running = own["knocks"].fillna(0).cumsum()
        if running.iloc[-1] > 0:
            edges.append(float(own["value"][running >= (1 - _RARE) * running.iloc[-1]].iloc[0]))
    return max(edges)


def _highest(bars: pd.DataFrame, by: list[str]) -> float:
    """Return the largest share that one value has of the knocks of a bot."""
    found = bars.groupby(by)["knocks"]
    shares = (found.max() / found.sum()).dropna()
    return float(shares.max()) if len(shares) else 1.0


def _row_title(row: tuple[Any, ...], here: pd.DataFrame, inches: float) -> str:
    bot = row[-1]
    name = str(bot).removesuffix(",discard=greedy")
    knocks = int(here.groupby("what")["knocks"].sum().max())
    medians = [
        f"median {'own turn' if what == 'turn' else 'deadwood'} {_median(own):g}"
        for what in _WHAT
        if (own := here[here["what"] == what])["knocks"].sum() > 0
    ]
    first = f"{here['players'].iloc[0]} players, {name}" if "players" in here else name
    return f"{fold(first, inches, _NAME)}\n{'; '.join([f'{knocks:,} knocks', *medians])}"
