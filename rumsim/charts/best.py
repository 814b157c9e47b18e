"""Best own knock thresholds against the opponents' thresholds, a line a player count."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from rumsim.charts._frames import needed
from rumsim.charts.style import INK, finish, look, panels, round_steps, style
from rumsim.errors import RequestError

DOTS = (0, (1, 2))  # the dash of the diagonal, in every chart that has it
FLAT = "thresholds within 0.02 points a deal of the best"
_MARKS = 13  # marks a line, at most


def best_frame(best: pd.DataFrame) -> pd.DataFrame:
    """Check what charts draw of best answers: a row for each players and table, NaN where there is no best."""
    try:
        return needed(best, ["players", "table"], ["best", "low", "high"])
    except RequestError as error:
        raise RequestError(*(f"best{line.removeprefix('frame')}" for line in error.lines)) from None


def best_thresholds(best: pd.DataFrame, caption: str, *, alike: bool = True) -> Figure:
    """Draw the best own threshold against each threshold of the opponents.

    Parameters
    ----------
    best : DataFrame
        A row a point: ``players``, ``table`` (the threshold of all opponents), ``best`` (the own threshold that earns
        the most points a deal), ``low`` and ``high`` (the lowest and the highest threshold within 0.02 points of it);
        all thresholds in deadwood points, NaN where there is no best.
    caption : str
        Rules, bots, blocks and seed; how to read the chart is added.
    alike : bool
        Whether focal bot and opponents draw alike, so that equal thresholds make equal bots.

    Returns
    -------
    Figure
        Bands are ``low`` to ``high``; where a line meets the diagonal, the best answer to a threshold is itself.

    Raises
    ------
    RequestError
        If the frame has not these columns, no row or a row twice.

    Examples
    --------
    >>> best = pd.DataFrame({"players": 2, "table": [10, 40], "best": [30, 50], "low": [28, 46], "high": [33, 55]})
    >>> chart = best_thresholds(best, "Rules: ledger. 200 blocks, seed 1.")
    >>> chart.axes[0].get_ylabel()
    'best own knock threshold (points)'
    """
    known = best_frame(best)
    counts = [int(players) for players in known["players"].unique()]
    with style():
        figure, [[axes]] = panels(height=4.6)
        handles: list[Line2D | Patch] = []
        for place, players in enumerate(counts):
            rows = known[known["players"] == players]
            shown = look(players - 2)
            every = max(1, -(-len(rows) // _MARKS))
            handles += axes.plot(
                rows["table"],
                rows["best"],
                label=f"{players} players",
                linewidth=1.6,
                markersize=4.5,
                markevery=(place * every // len(counts), every) if every > 1 else None,
                zorder=3,
                **shown,
            )
            axes.fill_between(rows["table"], rows["low"], rows["high"], color=shown["color"], alpha=0.16, linewidth=0)
            for side in ("low", "high"):
                axes.plot(rows["table"], rows[side], color=shown["color"], linewidth=0.5, alpha=0.7)
        ends = [known["table"].min(), known["table"].max()]
        handles += axes.plot(ends, ends, color=INK, linewidth=1.0, linestyle=DOTS, label="own = others'")
        axes.set_xlabel("others' knock threshold (points)")
        axes.set_ylabel("best own knock threshold (points)")
        axes.xaxis.set_major_locator(round_steps(13, whole=True))
        axes.yaxis.set_major_locator(round_steps(9, whole=True))
        fixed = "; where a line meets it, the best answer to a threshold is itself (a fixed point)" if alike else ""
        return finish(
            figure,
            "Best own knock threshold by the opponents' threshold",
            f"{caption}\nBands between thin lines: {FLAT}. Dotted: own = others'{fixed}. Above it, it pays to knock "
            "with more deadwood than the others do; below, with less.",
            handles,
        )
