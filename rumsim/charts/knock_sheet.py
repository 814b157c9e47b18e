"""A page for the card table: at how much to knock, by own turn and seat, a panel for each sort of opponents."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle

from rumsim.charts._frames import needed
from rumsim.charts.style import INK, fold, style
from rumsim.errors import RequestError

EQUILIBRIUM = "equilibrium"  # as opponents: everybody plays the panel itself
MOST_TURNS = 8  # columns that can be read at arm's length
MOST_PANELS = 5  # the sixth place is the key's

_WIDTH, _HEIGHT = 11.69, 8.27  # inches: A4, landscape
_MARGIN, _GAP = 0.42, 0.3  # what printers leave white, and between panels
_LINE = 1.28 / 72  # inches a line of text is high, a point of its size
_SEATS, _TURNS = 0.62, 0.2  # inches for the names of rows, and of columns
_DIGIT = 0.7 / 72  # inches a bold digit is wide, a point of its size
_HIGHEST = 200  # a range that ends here has no end
_HOW = (
    "How to read: find the panel of your opponents, the row of your seat, the column of your own turn. "
    "Knock if your deadwood is at most the number."
)
_READING = (
    "Deadwood counts after a card is given back. Gains: over playing like the opponents, who would earn 0 among "
    "themselves; in brackets 95 % intervals of gains, and numbers within 0.02 points of the one for all turns."
)
_NAMES = ("moves first", "second", "third", "fourth")


class _Cell(NamedTuple):
    """A turn: the number, its range and how often it is reached; NaN for what does not exist."""

    threshold: float
    low: float
    high: float
    reached: float


_RARE = _Cell(float("nan"), float("nan"), float("nan"), 0.0)  # a turn that is hardly reached


class _Place(NamedTuple):
    """Where a panel lies on the page, in inches from the top left."""

    left: float
    top: float
    width: float
    height: float


def knock_sheet(cells: pd.DataFrame, answers: pd.DataFrame, caption: str) -> Figure:
    """Draw one page of A4 that tells a player when to knock.

    Parameters
    ----------
    cells : DataFrame
        A row a turn: ``players`` (one for all), ``opponents`` (a bot, a mixture, or ``equilibrium``), ``seat`` (from
        0), ``own_turn`` (from 1), ``threshold`` (the highest count to knock with; -1 for never, NaN where the turn is
        hardly reached), ``low`` and ``high`` (the range within 0.02 points a deal of it; NaN where not known) and
        ``reached`` (the share of blocks that reach the turn).
    answers : DataFrame
        A row for each of the opponents, in the order of the panels, 1 to 5: ``opponents``, ``constant`` (the best
        threshold that is the same on every turn), ``low`` and ``high`` (its range), ``constant_ev`` (points a deal that
        it gains), ``ev``, ``ev_low`` and ``ev_high`` (points a deal that the panel gains over the opponents' own bot,
        and the ends of the 95 % interval).  If there, for the equilibrium, NaN elsewhere: ``gain_upper``, points a deal
        that no knock schedule gains more than, and ``is_equilibrium``, 1 if it may be called one, else 0.
    caption : str
        Rules, bots, blocks and seeds; how to read the page is added.

    Returns
    -------
    Figure
        A4, landscape, for print in grey.  Shades say how often a turn is reached; turns after the eighth are left out.

    Raises
    ------
    RequestError
        If the frames have not these columns, no row or a row twice, several player counts, or not the same opponents.

    Examples
    --------
    >>> cells = pd.DataFrame({"players": 2, "opponents": "knock=10", "seat": [0, 1], "own_turn": 1,
    ...                       "threshold": [50, 38], "low": [50, 37], "high": [50, 40], "reached": [1.0, 0.995]})
    >>> answers = pd.DataFrame({"opponents": ["knock=10"], "constant": 33, "low": 32, "high": 35,
    ...                         "constant_ev": 5.2, "ev": 7.0, "ev_low": 6.9, "ev_high": 7.1})
    >>> page = knock_sheet(cells, answers, "Rules: ledger. 40,000 blocks, seeds 1 and 2.")
    >>> [axes.get_label() for axes in page.axes]
    ['knock=10', 'key']
    """
    known, panels = _checked(cells, answers)
    players = int(known["players"].iloc[0])
    turns = int(min(MOST_TURNS, known["own_turn"].max()))
    with style():
        figure = Figure(figsize=(_WIDTH, _HEIGHT))
        FigureCanvasAgg(figure)
        top = _head(figure, players)
        bottom = _foot(figure, "\n".join(filter(None, [caption, _in_full(panels), f"{_READING} {_later(known)}"])))
        places = _places(len(panels) + 1, top, bottom)
        drawn = [
            (place, _axes(figure, place, str(answer["opponents"])), answer)
            for place, (_, answer) in zip(places, panels.iterrows(), strict=False)
        ]
        below = max(_heading(axes, place, answer) for place, axes, answer in drawn)  # all cells are of one size
        for place, axes, answer in drawn:
            here = known[known["opponents"] == answer["opponents"]]
            _cells(axes, place._replace(top=below), here, players, turns)
        _key(_axes(figure, places[len(panels)], "key"), places[len(panels)])
    return figure


def _checked(cells: pd.DataFrame, answers: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    known = needed(cells, ["players", "opponents", "seat", "own_turn"], ["threshold", "low", "high", "reached"])
    numbers = ["constant", "low", "high", "constant_ev", "ev", "ev_low", "ev_high"]
    panels = needed(answers, ["opponents"], numbers, ["gain_upper", "is_equilibrium"])
    counts = known["players"].unique()
    if len(counts) > 1:
        raise RequestError(f"frame: got players {', '.join(map(str, counts))}; allowed: one player count a page")
    if set(known["opponents"]) != set(panels["opponents"]):
        raise RequestError("frame: got other opponents than answers; allowed: the same in both")
    if len(panels) > MOST_PANELS:
        raise RequestError(f"frame: got {len(panels)} opponents; allowed: 1 to {MOST_PANELS}")
    in_order = panels.set_index("opponents").loc[list(answers["opponents"])].reset_index()
    unknown = {name: float("nan") for name in ("gain_upper", "is_equilibrium") if name not in in_order}
    return known, in_order.assign(**unknown)


# ---- the page ------------------------------------------------------------------------------------------------


def _head(figure: Figure, players: int) -> float:
    """Write title and how to read, and return where the room beneath begins, in inches from the top."""
    size = 17.0
    _write(figure, _MARGIN, _MARGIN, f"When to knock: {players} players", size, weight="bold")
    top = _MARGIN + size * _LINE + 0.06
    how = fold(_HOW, _WIDTH - 2 * _MARGIN, _font(10))
    _write(figure, _MARGIN, top, how, 10)
    return top + _lines(how) * 10 * _LINE + 0.14


def _foot(figure: Figure, caption: str) -> float:
    """Write the conditions, and return where the room above ends, in inches from the top."""
    size = 7.0
    conditions = fold(caption, _WIDTH - 2 * _MARGIN, _font(size))
    top = _HEIGHT - _MARGIN - _lines(conditions) * size * _LINE
    _write(figure, _MARGIN, top, conditions, size, color=INK)
    return top - 0.12


def _write(figure: Figure, left: float, top: float, text: str, size: float, **more: str) -> None:
    figure.text(left / _WIDTH, 1 - top / _HEIGHT, text, fontsize=size, va="top", **more)  # type: ignore[arg-type]


def _places(many: int, top: float, bottom: float) -> list[_Place]:
    """Return the places of panels, by rows."""
    across, down = (many, 1) if many <= 3 else (2, 2) if many == 4 else (3, 2)
    width = (_WIDTH - 2 * _MARGIN - (across - 1) * _GAP) / across
    height = (bottom - top - (down - 1) * _GAP * 0.6) / down
    return [
        _Place(_MARGIN + column * (width + _GAP), top + row * (height + _GAP * 0.6), width, height)
        for row in range(down)
        for column in range(across)
    ]


def _axes(figure: Figure, place: _Place, label: str) -> Axes:
    """Return axes that count inches from their top left."""
    rect = (
        place.left / _WIDTH,
        1 - (place.top + place.height) / _HEIGHT,
        place.width / _WIDTH,
        place.height / _HEIGHT,
    )
    axes = figure.add_axes(rect, label=label)
    axes.set_axis_off()
    axes.set_xlim(0, place.width)
    axes.set_ylim(place.height, 0)
    return axes


# ---- a panel -------------------------------------------------------------------------------------------------


def _cells(axes: Axes, place: _Place, here: pd.DataFrame, players: int, turns: int) -> None:
    """Draw the cells of a panel with the names of its rows and columns, below its heading."""
    top = place.top
    across = min((place.width - _SEATS) / turns, 0.85)
    up = min((place.height - top - _TURNS) / players, 0.85)
    axes.text(0, top + _TURNS / 2, "own turn", fontsize=7, va="center", color=INK)
    for turn in range(turns):
        at = _SEATS + (turn + 0.5) * across
        axes.text(at, top + _TURNS / 2, str(turn + 1), fontsize=8.5, ha="center", va="center", color=INK)
    top += _TURNS
    turn_of = zip(here["seat"], here["own_turn"], strict=True)
    numbers = here[list(_Cell._fields)].itertuples(index=False, name=None)
    cells = dict(zip(turn_of, map(_Cell._make, numbers), strict=True))
    for seat in range(players):
        _seat(axes, seat, players, top + (seat + 0.5) * up, up)
        for turn in range(turns):
            left, corner = _SEATS + turn * across, top + seat * up
            _cell(axes, _Place(left, corner, across, up), cells.get((seat, turn + 1), _RARE))


def _heading(axes: Axes, place: _Place, answer: pd.Series) -> float:
    """Write whom a panel is against, what it gains, and the best constant; return how high that is."""
    said = _title(answer)
    size = 10.5 if len(said) < 40 else 8.5
    title = fold(said, place.width, _font(size, "bold"))
    axes.text(0, 0, title, fontsize=size, weight="bold", va="top")
    top = _lines(title) * size * _LINE + 0.03
    said = fold(_gain(answer), place.width, _font(7.5))
    axes.text(0, top, said, fontsize=7.5, va="top")
    return top + _lines(said) * 7.5 * _LINE + 0.05


def _title(answer: pd.Series) -> str:
    opponents = str(answer["opponents"])
    if opponents != EQUILIBRIUM:
        short = _short(opponents)
        return f"Opponents knock at {short}" if short.isdigit() else f"Opponents: {short}"
    judged = answer["is_equilibrium"]
    if pd.isna(judged):
        return "All play this panel"
    return "Equilibrium: all play this panel" if judged else "No equilibrium found: all play this"


_LONG = 60  # letters of opponents that have room above a panel


def _short(opponents: str) -> str:
    """Return opponents as short as they can be said, without what every bot has by default."""
    said = opponents.replace(",discard=greedy", "").replace(",draw=improve:1", "")
    if said.removeprefix("knock=").isdigit():
        return said.removeprefix("knock=")
    return said if len(said) <= _LONG else f"{said[: _LONG - 2]} …"


def _in_full(panels: pd.DataFrame) -> str:
    """Return the opponents that have no room above their panel."""
    cut = [(str(one), _short(str(one))) for one in panels["opponents"] if _short(str(one)).endswith("…")]
    return " ".join(f"{short} is {opponents}." for opponents, short in cut)


def _gain(answer: pd.Series) -> str:
    """Say in two lines what the panel gains, and what the best constant does."""
    constant = f"{_count(answer['constant'])}{_bracketed(answer)}"
    if answer["opponents"] == EQUILIBRIUM:
        upper = "unknown" if pd.isna(answer["gain_upper"]) else f"{max(answer['gain_upper'], 0.0):.3f}"
        return f"No knock schedule gains more than {upper} points (95 %)\nBest answer with one number: {constant}"
    low, high = _signed(answer["ev_low"]), _signed(answer["ev_high"])
    return (
        f"Gains {_signed(answer['ev'])} ({low} to {high}) points a deal\n"
        f"One number for all turns: {constant} gains {_signed(answer['constant_ev'])}"
    )


def _bracketed(answer: pd.Series) -> str:
    said = _range(answer["constant"], answer["low"], answer["high"])
    return f" ({said})" if said else ""


def _seat(axes: Axes, seat: int, players: int, middle: float, up: float) -> None:
    name = "dealer" if seat == players - 1 else _NAMES[seat]
    size = min(8.5, up * 72 / 2.9)
    axes.text(0, middle - 0.02, f"seat {seat}", fontsize=size, va="bottom", weight="bold")
    axes.text(0, middle + 0.01, name, fontsize=size * 0.76, va="top", color=INK)


def _cell(axes: Axes, place: _Place, cell: _Cell) -> None:
    """Draw the number of a turn, beneath it the range as good; shaded by how often the turn is reached."""
    box, tint = (place.left, place.top), shade(0.0 if pd.isna(cell.reached) else cell.reached)
    axes.add_patch(Rectangle(box, place.width, place.height, facecolor=tint, edgecolor="white", linewidth=1.5))
    across, down = place.left + place.width / 2, place.top + place.height / 2
    if pd.isna(cell.threshold):
        axes.text(across, down, "\N{EN DASH}", fontsize=10, ha="center", va="center", color=INK)
        return
    number = _count(cell.threshold)
    size = min(20.0, place.height * 72 * 0.42, (place.width - 0.1) / (max(len(number), 2) * _DIGIT))
    flat = _range(cell.threshold, cell.low, cell.high)
    axes.text(across, down - place.height * 0.12, number, fontsize=size, weight="bold", ha="center", va="center")
    if flat:
        small = min(8.0, place.height * 72 * 0.2, (place.width - 0.05) / (len(flat) * _DIGIT * 0.92))
        at = place.top + place.height * 0.8
        axes.text(across, at, flat, fontsize=small, ha="center", va="center", color="black")


def shade(reached: float) -> str:
    """Return the grey of a turn that so many blocks reach: light enough for black letters, on any printer.

    Examples
    --------
    >>> shade(0.0), shade(1.0)
    ('0.97', '0.76')
    """
    return f"{0.97 - 0.21 * reached:.2f}"


def _key(axes: Axes, place: _Place) -> None:
    """Explain a panel's cells with one that is enlarged."""
    title = "What the cells say"
    axes.text(0, 0, title, fontsize=10.5, weight="bold", va="top")
    top, below = 10.5 * _LINE + 0.12, 0.78
    side = min(0.62, (place.height - top - below) / 2)
    said = (
        (
            _Cell(33, 32, 35, 0.5),
            "knock with 33 or less, else play on\n"
            "32 to 35: as good, within 0.02 points a deal\n"
            "(no range: no other number is as good)",
        ),
        (_RARE, "hardly ever comes: in under 1 % of the deals"),
    )
    for cell, text in said:
        _cell(axes, _Place(0, top, side, side), cell)
        axes.text(side + 0.12, top + side / 2, text, fontsize=7.5, va="center", linespacing=1.5)
        top += side + 0.1
    axes.text(0, top + 0.12, "How often you get this far:", fontsize=7.5, va="center")
    top += 0.28
    for at, share in enumerate((0.01, 0.25, 0.5, 0.75, 1.0)):
        box = (at * side, top)
        axes.add_patch(Rectangle(box, side, 0.3, facecolor=shade(share), edgecolor="white", linewidth=1.5))
        axes.text(
            box[0] + side / 2, top + 0.15, f"{share:.0%}".replace("%", " %"), fontsize=7.5, ha="center", va="center"
        )


# ---- words ---------------------------------------------------------------------------------------------------


def _count(threshold: float) -> str:
    return "\N{EN DASH}" if pd.isna(threshold) else "never" if threshold < 0 else f"{threshold:.0f}"


def _range(best: float, low: float, high: float) -> str:
    """Write the range that is as good; nothing where there is none but the best."""
    if pd.isna(low) or pd.isna(high) or low == high == best:
        return ""
    return f"{_count(low)}+" if high >= _HIGHEST else f"{_count(low)}\N{EN DASH}{_count(high)}"


def _later(known: pd.DataFrame) -> str:
    later = known[known["own_turn"] == MOST_TURNS + 1]
    if later.empty:
        return ""
    most = float(later["reached"].max())
    return (
        f"Not shown: own turns from the {MOST_TURNS + 1}th on, which come in at most {most:.0%} of the blocks.".replace(
            "%", " %"
        )
    )


def _signed(value: float) -> str:
    return "\N{EN DASH}" if pd.isna(value) else f"{round(value, 2) + 0.0:+.2f}".replace("-", "\N{MINUS SIGN}")


def _font(size: float, weight: str = "normal") -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=size, weight=weight)


def _lines(text: str) -> int:
    return text.count("\n") + 1
