"""What own thresholds earn against tables of other thresholds: a square a pair, a panel a player count."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from rumsim.charts._frames import needed
from rumsim.charts.best import DOTS, FLAT, best_frame
from rumsim.charts.style import finish, panels, plain, round_steps, style
from rumsim.errors import wrong

_MOST_LABELS = 9  # an axis
_KEPT = 0.95  # of the squares, by size, keep their own colours
_FAR = 1.25  # times larger losses than the colours reach may share the last one


class _Shown(NamedTuple):
    """How a column is shown: a title, a unit, colours that colour-blind readers can tell apart."""

    title: str
    unit: str
    colours: str


_SHOWN = {
    "ev": _Shown("Points a deal by own and others' knock threshold", "points a deal", "PuOr"),
    "win": _Shown("Win share by own and others' knock threshold", "win share", "cividis"),
}


class _Scale(NamedTuple):
    """Which values the colours span, whether others lie below, and a sentence on these."""

    low: float
    high: float
    beyond: Literal["neither", "min"]
    reading: str


def grid(
    frame: pd.DataFrame, value: str, caption: str, best: pd.DataFrame | None = None, *, alike: bool = True
) -> Figure:
    """Draw what every threshold earns against every other, and the ridge of the best answers.

    Parameters
    ----------
    frame : DataFrame
        A row a square: ``players``, ``focal`` (own threshold), ``table`` (that of all others), and ``value``.
    value : str
        ``ev`` (points a deal; white is 0) or ``win`` (win share).
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.
    best : DataFrame, optional
        A row for each ``players`` and ``table``: ``best`` (the own threshold that earns the most points a deal),
        ``low`` and ``high`` (the lowest and the highest threshold within 0.02 points of it), in deadwood points, NaN
        where there is no best.
    alike : bool
        Whether focal bot and opponents draw alike, so that equal thresholds make equal bots.

    Returns
    -------
    Figure
        A panel for each player count, all in one scale; what does not exist is grey.  If some losses are far larger
        than all gains, and than 95 % of the squares, these share the last colour and the bar ends in a point.

    Raises
    ------
    RequestError
        If the frames have not these columns, no row or a row twice, or for another ``value``.

    Examples
    --------
    >>> frame = pd.DataFrame({"players": 2, "focal": [10, 10, 30, 30], "table": [10, 30] * 2, "ev": [0, -1, 1, 0]})
    >>> best = pd.DataFrame({"players": 2, "table": [10, 30], "best": 30, "low": 30, "high": 30})
    >>> chart = grid(frame, "ev", "Rules: ledger.", best)
    >>> [panel.get_title(loc="left") for panel in chart.axes][:1]
    ['2 players']
    >>> [text.get_text() for text in chart.legends[0].get_texts()]
    ['best own threshold', 'within 0.02 points of it', "own = others'"]
    """
    if value not in _SHOWN:
        raise wrong("value", value, " or ".join(_SHOWN))
    shown = _SHOWN[value]
    known = needed(frame, ["players", "focal", "table"], [value])
    ridge = None if best is None else best_frame(best)
    counts = [int(players) for players in known["players"].unique()]
    across = min(len(counts), 2)
    down = -(-len(counts) // across)
    scale = _scale(known[value].dropna(), value)
    with style():
        figure, rows = panels(down, across, width=3.6 * across + 1.2, height=3.2 * down)
        every_panel = [panel for row in rows for panel in row]
        for panel, players in zip(every_panel, counts, strict=False):
            squares = known[known["players"] == players].pivot(index="focal", columns="table", values=value)
            drawn = panel.imshow(
                squares.to_numpy(np.float64),
                origin="lower",
                aspect="auto",
                cmap=shown.colours,
                vmin=scale.low,
                vmax=scale.high,
                interpolation="nearest",
            )
            panel.grid(False)
            panel.set_facecolor("#999999")
            panel.set_title(f"{players} players", fontsize=9)
            _label(panel, squares)
            if ridge is not None:
                _draw_ridge(panel, squares, ridge[ridge["players"] == players])
        for panel in every_panel[len(counts) :]:
            panel.set_visible(False)
        figure.colorbar(drawn, ax=every_panel, label=shown.unit, shrink=0.9, extend=scale.beyond)
        reading = [scale.reading] if scale.reading else []
        if ridge is not None:
            reading.append(
                "Thick line: the own threshold that earns the most points a deal against each threshold of the others; "
                f"between the thin lines: {FLAT}. Dotted: own = others'"
                + ("; there all bots are the same" if alike else "")
                + (" and each earns exactly 0." if alike and value == "ev" else ".")
            )
        return finish(
            figure,
            shown.title,
            "\n".join([caption, " ".join(reading)]),
            [Line2D([], [], label=label, **_LINES[label]) for label in _LINES] if ridge is not None else (),
        )


def _scale(known: pd.Series[float], value: str) -> _Scale:
    if known.empty:
        return _Scale(0.0, 1.0, "neither", "")
    low, high = float(known.min()), float(known.max())
    if value != "ev":
        return _Scale(low, high, "neither", "")
    # The largest gains lie on the ridge of the best answers: only losses may go beyond the colours.
    most = max(high, float(known.abs().quantile(_KEPT)))
    if not 0 < _FAR * most < -low:
        most = max(-low, high) or 1.0
        return _Scale(-most, most, "neither", "")
    kept, worst = (plain(float(f"{number:.3g}")) for number in (most, -low))
    return _Scale(-most, most, "min", f"Losses of more than {kept} points, up to {worst}, share the last colour.")


# Black on white can be seen on every colour.
_LINES: dict[str, dict[str, Any]] = {
    "best own threshold": {
        "color": "black",
        "linewidth": 1.8,
        "path_effects": [withStroke(linewidth=3.6, foreground="white")],
    },
    "within 0.02 points of it": {
        "color": "black",
        "linewidth": 0.7,
        "path_effects": [withStroke(linewidth=1.9, foreground="white")],
    },
    "own = others'": {
        "color": "black",
        "linewidth": 0.9,
        "linestyle": DOTS,
        "path_effects": [withStroke(linewidth=1.9, foreground="white")],
    },
}


def _draw_ridge(panel: Axes, squares: pd.DataFrame, ridge: pd.DataFrame) -> None:
    best, flat, diagonal = _LINES.values()

    def across(values: Any) -> Any:
        return _place(values, squares.columns)

    def up(values: Any) -> Any:
        return _place(values, squares.index)

    limits = panel.axis()
    both = np.union1d(squares.columns, squares.index)
    panel.plot(across(both), up(both), **diagonal)
    for side in ("low", "high"):
        panel.plot(across(ridge["table"]), up(ridge[side]), **flat)
    panel.plot(across(ridge["table"]), up(ridge["best"]), **best)
    panel.axis(limits)


def _place(values: Any, thresholds: pd.Index[Any]) -> Any:
    """Return where thresholds lie among the squares, NaN beyond them."""
    known = thresholds.to_numpy(np.float64)
    return np.interp(np.asarray(values, np.float64), known, np.arange(len(known)), left=np.nan, right=np.nan)


def _label(panel: Axes, squares: pd.DataFrame) -> None:
    for axis, values in ((panel.xaxis, squares.columns), (panel.yaxis, squares.index)):
        every = -(-len(values) // _MOST_LABELS)
        named = values[::every]
        if every > 1 and len(set(np.diff(values))) == 1:  # evenly spaced: round numbers if there are some
            ticks = round_steps(_MOST_LABELS - 1).tick_values(float(values.min()), float(values.max()))
            round_ones = values[np.isin(values, ticks)]
            named = round_ones if len(round_ones) > 2 else named
        axis.set_ticks(_place(named, values), [f"{one:g}" for one in named])
    panel.set_xlabel("others' knock threshold (points)")
    panel.set_ylabel("own knock threshold (points)")
