"""How much deadwood players are dealt: a histogram a hand size, one above the other."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, PercentFormatter

from rumsim.charts.style import COLOURS, style, write_caption

_ROW = 1.0  # inches
_HANDS, _FEW, _INK = COLOURS[0], COLOURS[1], COLOURS[-1]
_PAGE = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}


def dealt_deadwood(frame: pd.DataFrame, caption: str, low: int = 10) -> Figure:
    """Draw how often each deadwood is dealt, with the middle half and the middle nine tenths of the hands.

    Parameters
    ----------
    frame : DataFrame
        A row a deadwood: ``size`` (cards), ``deadwood`` (points), ``share`` of the hands and ``at_most`` (running
        sum of the shares).
    caption : str
        Rules, and whether the shares are exact.
    low : int
        Hands with at most so many points are told apart.

    Returns
    -------
    Figure
        A row a hand size, all on the same scales.
    """
    sizes = sorted(frame["size"].unique())
    highest = float(frame["share"].max())
    with style():
        figure = Figure(figsize=(7.2, 1.3 + _ROW * len(sizes)), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle("Deadwood of a dealt hand, by hand size", x=0.01, ha="left", fontsize=11, fontweight="bold")
        rows = figure.subplots(len(sizes), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, size in zip(rows, sizes, strict=True):
            _draw(axes, frame[frame["size"] == size], -0.09 * highest, low)
        last = rows[-1]
        last.set_ylim(-0.16 * highest, 1.08 * highest)
        last.set_xlim(-1, frame.loc[frame["at_most"] < 0.9999, "deadwood"].max() + 4)  # higher ones cannot be seen
        last.yaxis.set_major_locator(MultipleLocator(0.02))
        last.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
        last.xaxis.set_major_locator(MultipleLocator(10))
        last.tick_params(bottom=True)
        last.set_xlabel("deadwood (points)")
        figure.supylabel("share of all hands", fontsize=9)
        write_caption(figure, caption)
    return figure


def _draw(axes: Axes, hands: pd.DataFrame, strip: float, low: int) -> None:
    """Draw one hand size; the quantiles lie in a strip at this height."""
    points, share, at_most = hands["deadwood"], hands["share"], hands["at_most"]
    axes.axvspan(-1, low + 0.5, color=_FEW, alpha=0.12, linewidth=0)
    axes.bar(points, share, width=0.8, color=[_FEW if at <= low else _HANDS for at in points])
    axes.axhline(0, color=_INK, linewidth=0.7)

    least, first, median, third, most = (int(points[at_most >= part].iloc[0]) for part in (0.05, 0.25, 0.5, 0.75, 0.95))
    axes.plot([least, most], [strip, strip], color=_INK, linewidth=0.9)
    axes.plot([first, third], [strip, strip], color=_INK, linewidth=3.2, solid_capstyle="butt")
    axes.plot(median, strip, "o", color="white", markeredgecolor=_INK, markersize=4.5)

    few = float(at_most[points <= low].iloc[-1])
    said = f"median {median}\nat most {low}: {few:.3%}\n0: {float(share.iloc[0]):.4%}".replace("%", " %")
    for height, text, weight in ((0.99, f"{hands['size'].iloc[0]} cards", "bold"), (0.79, said, "normal")):
        axes.text(
            1.0,
            height,
            text,
            transform=axes.transAxes,
            ha="right",
            va="top",
            fontsize=7.5,
            fontweight=weight,
            linespacing=1.3,
            bbox=_PAGE,
        )
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(bottom=False)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
