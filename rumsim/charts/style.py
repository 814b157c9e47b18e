"""What all charts share: colours, captions, and files that are the same bytes for the same data."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by colour-blind readers; markers and dashes repeat the message in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), "-", "-")

# A salt makes the ids in an SVG depend on the drawing alone; text as paths needs no font on the reader's machine.
_SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "rumsim",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
}


def style() -> Any:
    """Return the context in which every chart is drawn and saved."""
    settings: dict[Any, Any] = {**mpl.rcParamsDefault, **_SETTINGS}
    return mpl.rc_context(settings)  # not the user's own settings


def blank(title: str, caption: str, width: float = 7.2, height: float = 4.6) -> tuple[Figure, Axes]:
    """Return a figure with one pair of axes, a title above and the conditions below.

    Parameters
    ----------
    title, caption : str
        What the chart shows; under which rules, bots, blocks and seed.
    width, height : float
        Inches.
    """
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # drawing needs no display
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    write_caption(figure, caption)
    return figure, axes


def write_caption(figure: Figure, caption: str) -> None:
    """Write the conditions under the axes, wrapped to the figure's width."""
    letters = int(figure.get_figwidth() * 15.5)
    lines = [line for part in caption.split("\n") for line in textwrap.wrap(part, letters)]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7.5, color="#444444")


def save(figure: Figure, path: Path) -> Path:
    """Write a figure to a ``.png`` or ``.svg`` file, beside it first, then renamed.

    Returns
    -------
    Path
        The file written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None}
    with style():
        figure.savefig(partial, format=path.suffix[1:], dpi=150, metadata=metadata)
    os.replace(partial, path)
    return path
