"""What all charts share: colours, captions, and files that are the same bytes for the same data."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import Bbox

from rumsim.files import write_whole

# Okabe and Ito's colours, told apart by colour-blind readers; markers and dashes repeat the message in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), "-", "-")

DPI = 150  # of files
GRID, INK = "#dddddd", "#444444"
_PAD = 0.08  # inches around the page, and between its parts
_TITLE = FontProperties(family="DejaVu Sans", size=11, weight="bold")
_CAPTION = FontProperties(family="DejaVu Sans", size=7.5)

# A salt makes the ids in an SVG depend on the drawing alone; text as paths needs no font on the reader's machine.
_SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "rumsim",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.parse_math": False,  # a $ in the name of a bot is a $
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


def look(place: int) -> dict[str, Any]:
    """Return the colour, marker and dash of a line, the same wherever the same thing is drawn.

    Examples
    --------
    >>> look(0)
    {'color': '#0072B2', 'marker': 'o', 'linestyle': '-'}
    """
    at = place % len(COLOURS)
    return {"color": COLOURS[at], "marker": MARKERS[at], "linestyle": DASHES[at]}


def plain(value: float, _place: object = None) -> str:
    """Write a number on an axis, without an exponent set apart.

    Examples
    --------
    >>> plain(-1500.0), plain(0.1 + 0.2), plain(1e15)
    ('−1,500', '0.3', '1e+15')
    """
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def percent(value: float, _place: object = None) -> str:
    """Write a share on an axis.

    Examples
    --------
    >>> percent(0.2), percent(0.005)
    ('20 %', '0.5 %')
    """
    return f"{plain(100 * value)} %"


def round_steps(most: int, *, whole: bool = False) -> MaxNLocator:
    """Return a locator of at most so many ticks at round numbers, or at round whole numbers."""
    return MaxNLocator(nbins=most, steps=[1, 2, 5, 10], integer=whole, min_n_ticks=1 if whole else 2)


def panels(
    rows: int = 1, columns: int = 1, *, width: float = 7.2, height: float = 3.6, **shared: Any
) -> tuple[Figure, list[list[Axes]]]:
    """Return a page with axes in rows and columns.

    Parameters
    ----------
    rows, columns : int
        How many.
    width, height : float
        Inches, without title, legend and caption, which ``finish`` adds.
    **shared
        ``sharex``, ``sharey``, ``width_ratios``, as ``Figure.subplots`` takes them.

    Returns
    -------
    figure : Figure
        The page; drawing it needs no display.
    axes : list of list of Axes
        By row and column.
    """
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=_PAD, h_pad=_PAD / 2))
    FigureCanvasAgg(figure)
    found = figure.subplots(rows, columns, squeeze=False, **shared).tolist()
    for axes in (axes for row in found for axes in row):
        axes.grid(True, color=GRID, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.yaxis.set_major_locator(round_steps(9))
        axes.yaxis.set_major_formatter(FuncFormatter(plain))
    return figure, found


def finish(figure: Figure, title: str, caption: str, handles: Sequence[Artist] = ()) -> Figure:
    """Write title and legend above the axes and the conditions below, and make the page as much higher.

    Parameters
    ----------
    figure : Figure
        The page, with all that is drawn.
    title, caption : str
        What the chart shows; under which rules, bots, blocks and seed, and how to read it.  Folded to the page.
    handles : sequence of Artist
        What the legend explains, by its labels.

    Returns
    -------
    Figure
        The same.
    """
    width, height = figure.get_size_inches()
    inside = width - 2 * _PAD
    heading = fold(title, inside, _TITLE)
    above = _PAD + _lines_high(heading, _TITLE) + _PAD
    legend = _legend(figure, handles, inside) if handles else None
    legend_high = legend.get_window_extent().height / figure.dpi + _PAD if legend else 0.0
    conditions = "\n".join(_even(part, inside) for part in caption.split("\n"))
    below = _PAD + (_lines_high(conditions, _CAPTION) + _PAD if conditions else 0)

    total = above + legend_high + height + below
    figure.set_size_inches(width, total)
    left = _PAD / width
    figure.text(left, 1 - _PAD / total, heading, fontproperties=_TITLE, va="top").set_in_layout(False)
    if legend:
        legend.set_bbox_to_anchor((left, 1 - above / total), transform=figure.transFigure)
    if conditions:
        said = figure.text(left, _PAD / total, conditions, fontproperties=_CAPTION, va="bottom", color=INK)
        said.set_in_layout(False)
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(rect=(0, below / total, 1, height / total))
    return figure


def _legend(figure: Figure, handles: Sequence[Artist], inside: float) -> Legend:
    """Set a legend in as many columns as find room."""
    lines = any(isinstance(handle, Line2D) and handle.get_linestyle() != "None" for handle in handles)
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(
            handles=list(handles),
            loc="upper left",
            ncols=columns,
            borderpad=0,
            borderaxespad=0,
            handlelength=3.4 if lines else 1.2,
            columnspacing=1.6,
        )
        legend.set_in_layout(False)
        if columns == 1 or legend.get_window_extent().width <= 0.96 * inside * figure.dpi:  # see _RULERS
            return legend
        legend.remove()
    raise AssertionError("a legend of no columns")


def fold(text: str, inches: float, font: FontProperties = _CAPTION) -> str:
    r"""Break lines so that a text is at most so wide; words that are wider are broken too.

    Examples
    --------
    >>> fold("Rules: ledger. 200 blocks, seed 1.", 1.2)
    'Rules: ledger. 200\nblocks, seed 1.'
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            if line and _wide(f"{line} {word}", font) > inches:
                lines.append(line)
                line = ""
            line = f"{line} {word}" if line else word
            while _wide(line, font) > inches and len(line) > 1:
                fits = next(n for n in range(len(line) - 1, 0, -1) if n == 1 or _wide(line[:n], font) <= inches)
                fits = max([at + 1 for at in range(fits // 2, fits) if line[at] in ",/+"], default=fits)
                lines.append(line[:fits])
                line = line[fits:]
        if line:
            lines.append(line)
    return "\n".join(lines)


def _even(paragraph: str, inches: float) -> str:
    """Fold a paragraph into as few lines as it needs, no line much shorter than the others: no word stands alone."""
    folded = fold(paragraph, inches)
    for part in (0.6, 0.7, 0.8, 0.9):
        narrower = fold(paragraph, inches * part)
        if narrower.count("\n") == folded.count("\n"):
            return narrower
    return folded


# Letters are fitted to pixels, so a text is not equally wide at every resolution: on a screen, in a file, as paths.
_RULERS = {dpi: FigureCanvasAgg(Figure(dpi=dpi)) for dpi in (100, DPI, 600)}
_REPEATED = 10


def _wide(text: str, font: FontProperties) -> float:
    """Return the width in inches at the least favourable resolution; kerning, which narrows, is left out."""
    size, weight = font.get_size_in_points(), str(font.get_weight())
    return sum(_letter_wide(letter, size, weight) for letter in text)


@cache
def _letter_wide(letter: str, size: float, weight: str) -> float:
    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    widths = []
    for dpi, ruler in _RULERS.items():
        renderer: Any = ruler.get_renderer()  # type: ignore[no-untyped-call]
        long, short = (
            renderer.get_text_width_height_descent(f"|{letter * times}|", font, ismath=False)[0]
            for times in (_REPEATED, 0)
        )
        widths.append((long - short) / _REPEATED / dpi)
    return float(max(widths))


def _lines_high(text: str, font: FontProperties) -> float:
    return (text.count("\n") + 1) * 1.28 * font.get_size_in_points() / 72


def write_caption(figure: Figure, caption: str) -> None:
    """Write the conditions under the axes, wrapped to the figure's width."""
    letters = int(figure.get_figwidth() * 15.5)
    lines = [line for part in caption.split("\n") for line in textwrap.wrap(part, letters, break_on_hyphens=False)]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7.5, color=INK)


def settle(figure: Figure) -> None:
    """Lay the page out once and for all, to a tenth of a pixel.

    The solver's last digits hang on where in memory its variables lie; left in, they would change the bytes of a file
    from run to run.
    """
    if figure.get_layout_engine() is None:
        return
    figure.set_dpi(DPI)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position(Bbox.from_bounds(*(round(place, 4) for place in axes.get_position().bounds)))
    for text in figure.texts:
        across, up = text.get_position()
        text.set_position((round(across, 4), round(up, 4)))


# No date, nor which version of which program made it: the same drawing is the same bytes.
_METADATA: dict[str, dict[str, None]] = {
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}


def save(figure: Figure, path: Path) -> Path:
    """Write a figure to a ``.pdf``, ``.png`` or ``.svg`` file, whole or not at all.

    Returns
    -------
    Path
        The file written.
    """
    drawn = io.BytesIO()  # libraries that draw are not given names, which some would interpret
    with style():
        settle(figure)
        figure.savefig(drawn, format=path.suffix[1:], dpi=DPI, metadata=_METADATA[path.suffix])
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, drawn.getvalue())
    return path
