"""The tables that results print: frames as text of at most 80 columns, as markdown and as CSV.

A frame is a pandas frame, or any mapping from the names of columns to their values.  Columns are shown in the order
of the frame; those that results have in common (see ``HEADS``) under a name that a player would use.
"""

from __future__ import annotations

import csv as csv_files
import io
import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rumsim.stats.blocks import SKEW, Estimate
from rumsim.stats.shares import LEAST

if TYPE_CHECKING:  # commands that only print need not wait for pandas
    import pandas as pd

    from rumsim.lab.simulate import Simulation

Frame: TypeAlias = "pd.DataFrame | Mapping[str, Sequence[object]]"

WIDTH = 80
_GAP = "  "
_MISSING = "-"
_WHOLE = ("", ",d")  # how whole numbers are written

# What a column is called in a table, and how its numbers are written.  ``x_low`` and ``x_high`` make one column.
HEADS: dict[str, tuple[str, str]] = {
    "players": ("players", ""),
    "bot": ("bot", ""),
    "entry": ("entry", ""),
    "seat": ("seat", ""),
    "focal": ("knock at", ""),
    "table": ("others at", ""),
    "ev": ("points a deal", "+.3f"),
    "ev_se": ("s.e.", ".3f"),
    "win": ("win share", ".4f"),
    "win_se": ("s.e.", ".4f"),
    "place": ("place", ""),
    "taken": ("points a session", "+.2f"),
    "taken_se": ("s.e.", ".2f"),
    "wins": ("wins", ".4f"),
    "wins_se": ("s.e.", ".4f"),
    "blocks": ("blocks", ",d"),
    "deals": ("deals", ",d"),
    **{end: (end, ".2%") for end in ("knock", "exhausted", "stalled", "rum", "undercut", "tied")},
    "turns": ("table turns", ".2f"),
    "set": ("", ""),  # of thresholds
    "knocks": ("knocks", ",d"),
    "share": ("share", ".2%"),
    "knocks_share": ("of all deals", ".2%"),
    "turn_median": ("own turn", ""),
    "deadwood_median": ("deadwood", ""),
}
_PAIRS = {"set": "95 % set"}  # pairs that are neither an interval nor a band
_KEYS = {
    "players",
    "entry",
    "bot",
    "seat",
    "place",
    "focal",
    "table",
    "rules",
    "end",
    "what",
    "value",
}  # what a row is about


class _Column(NamedTuple):
    """A column as it is printed."""

    name: str
    head: str
    cells: list[str]
    is_text: bool

    @property
    def heads(self) -> list[str]:
        return self.head.split("\n")

    @property
    def width(self) -> int:
        return max(map(len, [*self.heads, *self.cells]))


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Align rows of text; the first ``left`` columns to the left, numbers to the right.

    Examples
    --------
    >>> print(columns([["bot", "points"], ["a", "1.5"]]))
    bot  points
    a       1.5
    """
    return _aligned(rows, [place < left for place in range(len(rows[0]))])


def number(value: float | None, form: str = "+.3f") -> str:
    """Write a number, or a dash for one that does not exist.

    Examples
    --------
    >>> number(1.5), number(-0.0), number(None), number(float("nan"))
    ('+1.500', '+0.000', '-', '-')
    """
    if value is None or math.isnan(value):
        return _MISSING
    written = format(value + 0.0, form)
    if not written.strip("-0.%"):  # rounded to zero from below
        written = written.removeprefix("-")
    return written if len(written) <= 16 else format(value, ".4g")


# ---- from a frame to text ------------------------------------------------------------------------------------


def text(frame: Frame, width: int = WIDTH) -> str:
    """Write a frame as plain text, rounded, for a terminal.

    Parameters
    ----------
    frame : DataFrame or mapping of str to sequence
        A row a line; what does not exist (None, NaN) is shown as a dash.
    width : int
        Columns of a line.  Where the table would be wider, heads are folded, then texts are numbered and listed
        beneath it; what still finds no room goes into a second table, beside the same keys (players, bot, seat, …).

    Returns
    -------
    str
        Lines without a line end after the last.

    Examples
    --------
    >>> print(text({"players": [2, 2], "focal": [10, 30], "ev": [0.0, 3.5], "ev_se": [0.0, 0.25]}))
    players  knock at  points a deal   s.e.
    2              10         +0.000  0.000
    2              30         +3.500  0.250
    >>> print(text({"bot": ["knock=40/35/30", "knock=10"], "win": [0.6, 0.4]}, width=20))
            win
    bot   share
    0    0.6000
    1    0.4000
    <BLANKLINE>
    bot 0: knock=40/35/
           30
    bot 1: knock=10
    """
    shown = list(_columns(frame))
    notes: list[str] = []
    if _width(shown) > width:
        shown = [_with_folded_head(column) for column in shown]
    if _width(shown) > width:
        shown, notes = _numbered(shown, width)
    parts = [_page(page) for page in _pages(shown, width)]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])])


def markdown(frame: Frame) -> str:
    """Write a frame as a markdown table, rounded as ``text`` does.

    Parameters
    ----------
    frame : DataFrame or mapping of str to sequence
        A row a line.

    Returns
    -------
    str
        Lines without a line end after the last.

    Examples
    --------
    >>> print(markdown({"seat": [0, 1], "ev": [1.25, -1.25], "ev_se": [None, None]}))
    | seat | points a deal | s.e. |
    |---:|---:|---:|
    | 0 | +1.250 | - |
    | 1 | -1.250 | - |
    """
    shown = list(_columns(frame))
    rows = [[column.head for column in shown], *zip(*(column.cells for column in shown), strict=True)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    rule = "|" + "|".join("---" if column.is_text else "---:" for column in shown) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def csv(frame: Frame) -> str:
    """Write a frame as CSV: every column under its own name, every digit, nothing where nothing exists.

    Parameters
    ----------
    frame : DataFrame or mapping of str to sequence
        A row a line.

    Returns
    -------
    str
        Lines that end with a line feed, so that files are the same on every system.

    Examples
    --------
    >>> print(csv({"bot": ["knock=10,draw=meld"], "ev": [0.1], "ev_se": [None]}), end="")
    bot,ev,ev_se
    "knock=10,draw=meld",0.1,
    """
    held = _values(frame)
    written = io.StringIO()
    writer = csv_files.writer(written, lineterminator="\n")
    writer.writerow(held)
    writer.writerows(zip(*(map(_exact, values) for values in held.values()), strict=True))
    return written.getvalue()


def _values(frame: Frame) -> dict[str, list[object]]:
    return {str(name): list(frame[name]) for name in frame}  # type: ignore[index]  # a pandas frame's names are texts


def _columns(frame: Frame) -> Iterator[_Column]:
    """Name and round what a frame holds."""
    held = _values(frame)
    for name, values in held.items():
        stem = name.removesuffix("_low").removesuffix("_high")
        paired = stem != name and {f"{stem}_low", f"{stem}_high"} <= set(held)
        if paired and name.endswith("_low"):
            kind = stem.removesuffix("_band")
            form = HEADS.get(kind, ("", ".4f"))[1]
            ends = zip(values, held[f"{stem}_high"], strict=True)
            cells = [_interval(low, high, form) for low, high in ends]
            yield _Column(name, _PAIRS.get(stem, "95 % interval" if kind == stem else "95 % band"), cells, False)
        elif not paired:
            head, form = HEADS.get(name, (name.replace("_", " "), ""))
            known = [value for value in values if not _lacks(value)]
            is_text = any(not isinstance(value, Real) or isinstance(value, bool) for value in known)
            if name == "bot":  # there is no other discard yet; CSV keeps it
                values = [str(value).removesuffix(",discard=greedy") for value in values]
            yield _Column(name, head, [_cell(value, form) for value in values], is_text)


def _lacks(value: object) -> bool:
    return value is None or bool(value != value)  # NaN and pandas' own missing times differ from themselves


def _cell(value: object, form: str) -> str:
    if _lacks(value):
        return _MISSING
    if not isinstance(value, Real) or isinstance(value, bool):
        return " ".join(str(value).split())
    if isinstance(value, Integral) and form in _WHOLE:
        return format(int(value), form)
    exact = float(value)
    if form in _WHOLE:  # whole numbers beside missing ones arrive as floats
        return format(int(exact), form) if exact.is_integer() and abs(exact) < 1e15 else number(exact, ".4f")
    return number(exact, form)


def _interval(low: object, high: object, form: str) -> str:
    return _MISSING if _lacks(low) or _lacks(high) else f"{_cell(low, form)} to {_cell(high, form)}"


def _exact(value: object) -> object:
    if _lacks(value):
        return ""
    if isinstance(value, Real) and not isinstance(value, bool | Integral):
        return repr(float(value))
    return value


# ---- layout --------------------------------------------------------------------------------------------------


def _aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        _GAP.join(
            cell.ljust(size) if to_left else cell.rjust(size)
            for cell, size, to_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    )


def _page(page: Sequence[_Column]) -> str:
    most = max(len(column.heads) for column in page)
    heads = zip(*([""] * (most - len(column.heads)) + column.heads for column in page), strict=True)
    cells = zip(*(column.cells for column in page), strict=True)
    return _aligned([*heads, *cells], [place == 0 or column.is_text for place, column in enumerate(page)])


def _with_folded_head(column: _Column) -> _Column:
    least = max(map(len, [*column.head.split(), *column.cells]))
    return column._replace(head="\n".join(textwrap.wrap(column.head, least)) if column.head else "")


def _width(shown: Iterable[_Column]) -> int:
    widths = [column.width for column in shown]
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _numbered(shown: Sequence[_Column], width: int) -> tuple[list[_Column], list[str]]:
    """Put numbers in place of the texts of wide columns, and list the texts."""
    found, notes = [], []
    for column in shown:
        texts = list(dict.fromkeys(column.cells))
        short = len(str(len(texts)))
        if not column.is_text or column.width <= max(len(column.head), short) + len(_GAP):
            found.append(column)
            continue
        found.append(column._replace(cells=[str(texts.index(cell)) for cell in column.cells]))
        for place, said in enumerate(texts):
            notes += folded(said, f"{' '.join(column.heads)} {place}: ", width)
    return found, notes


def folded(said: str, start: str = "", width: int = WIDTH) -> list[str]:
    """Fold a long text at blanks, and behind the signs that join the parts of a bot or of rules, never in a number.

    Parameters
    ----------
    said, start : str
        The text, and what stands before it on the first line; further lines are indented as far.
    width : int
        Columns of a line.

    Returns
    -------
    list of str
        Lines.

    Examples
    --------
    >>> folded("knock=40/35/30,draw=meld", "bot 0: ", 22)
    ['bot 0: knock=40/35/30,', '       draw=meld']
    >>> folded("confirmed on 40,000 blocks: +5.2 points, 95 %", width=17)
    ['confirmed on', '40,000 blocks:', '+5.2 points, 95 %']
    """
    room = max(width - len(start), 8)
    lines = [""]
    for part in _parts(said, room):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > room:
            lines.append("")
        lines[-1] += part
        while len(lines[-1].rstrip()) > room:
            lines[-1:] = [lines[-1][:room], lines[-1][room:]]
    return [(start if place == 0 else " " * len(start)) + line.rstrip() for place, line in enumerate(lines)]


def _parts(said: str, room: int) -> Iterator[str]:
    """Yield what a line may end behind."""
    for word in re.findall(r" *[^ ]+(?: %)? *", said):
        if "=" in word or len(word.rstrip()) > room:  # a bot or rules, which hold no thousands
            yield from re.findall(r"[^,/+]*[,/+]+ *|[^,/+]+", word)
        else:
            yield word


def _pages(shown: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    """Part columns into tables that fit, each with the keys in front."""
    keys = [column for column in shown if column.name in _KEYS or column.is_text]
    page = [column for column in shown if column in keys]
    if _width(shown) <= width:
        yield list(shown)
        return
    for column in shown:
        if column in keys:
            continue
        if len(page) > len(keys) and _width([*page, column]) > width:
            yield page
            page = list(keys)
        page.append(column)
    yield page


# ---- what simulate found -------------------------------------------------------------------------------------


def who_ends(
    bots: Sequence[str], counts: Iterable[Iterable[int]], turns: Iterable[Iterable[int]], deals: int
) -> dict[str, list[object]]:
    """Say which bot ends how many deals by a knock, when and with how much.

    Parameters
    ----------
    bots : sequence of str
        The bots asked about.
    counts, turns : sequence of sequence of int
        For each bot, its knocks with 0, 1, 2, … points, and on its own turn 0 (never), 1, 2, …; the last place also
        holds all beyond.
    deals : int
        All deals, also those that no knock ended.

    Returns
    -------
    dict
        A frame with a row a bot: ``bot``, ``knocks``, ``knocks_share`` (of all deals), ``turn_median`` and
        ``deadwood_median`` (at the knock; None without knocks).

    Examples
    --------
    >>> print(text(who_ends(["a", "b"], [[0, 3, 1], [0, 0, 0]], [[0, 1, 3], [0, 0, 0]], deals=8)))
    bot  knocks  of all deals  own turn  deadwood
    a         4        50.00%         2         1
    b         0         0.00%         -         -
    """
    by_count, by_turn = ([[int(n) for n in row] for row in rows] for rows in (counts, turns))
    return {
        "bot": list(bots),
        "knocks": [sum(row) for row in by_count],
        "knocks_share": [sum(row) / deals if deals else None for row in by_count],
        "turn_median": [_median(row) for row in by_turn],
        "deadwood_median": [_median(row) for row in by_count],
    }


def _median(knocks: Sequence[int]) -> int | None:
    """Return the lowest place that half of the knocks do not exceed."""
    seen, half = 0, sum(knocks) / 2
    for place, here in enumerate(knocks):
        seen += here
        if here and seen >= half:
            return place
    return None


def simulation_table(result: Simulation) -> str:
    """Write what ``simulate`` found: by bot, by seat, and how deals end."""
    few = result.blocks < LEAST
    bots = text({"bot": result.bots} | _estimates("ev", result.points, few))
    numbered = "bot 0: " in bots
    by_seat = {"seat": range(result.players)} | _estimates("ev", result.seat_points, few)
    lines = [
        *folded(f"{result.players} players, rules {result.rules}, seed {result.seed}"),
        *folded(
            f"{result.blocks:,} blocks x {result.players} rotations = {result.deals:,} deals"
            + (", INTERRUPTED: only what was finished is counted" if result.interrupted else "")
        ),
        "",
        bots,
        "",
        text({"bot": _names(result.bots, numbered)} | _estimates("win", result.wins, few)),
        "",
        text(by_seat | _estimates("win", result.seat_wins, few)),
        "",
        *_how_deals_end(result, numbered),
    ]
    if notes := _notes(result):
        lines += ["", *notes]
    return "\n".join(lines)


def _estimates(name: str, found: Sequence[Estimate], few: bool) -> dict[str, Sequence[object]]:
    """Return the columns of means, errors and intervals; no interval where there are too few blocks."""
    ends = [(None, None) if few or each.interval is None else each.interval for each in found]
    return {
        name: [each.mean for each in found],
        f"{name}_se": [each.error for each in found],
        f"{name}_low": [low for low, _ in ends],
        f"{name}_high": [high for _, high in ends],
    }


def _names(bots: Sequence[str], numbered: bool) -> Sequence[str]:
    """Return what a row calls its bot: its number, where a table above lists numbers and bots."""
    different = list(dict.fromkeys(bots))
    return [str(different.index(bot)) for bot in bots] if numbered else bots


def _notes(result: Simulation) -> list[str]:
    lines = []
    if result.blocks == 1:
        lines.append("One block has no standard error and no interval: the block is the unit, play more.")
    if 0 < result.blocks < LEAST:
        lines.append(
            f"No intervals: too few blocks ({result.blocks}; {LEAST} are needed, {SKEW} for the points of seats)."
        )
    elif 0 < result.blocks < SKEW:
        lines.append(f"No intervals of the seats' points: too few blocks ({result.blocks}; {SKEW} are needed).")
    if len(set(result.bots)) == 1 and result.blocks:
        lines.append("All players have the same bot: their points are exactly 0; only seats inform.")
    return lines


def _how_deals_end(result: Simulation, numbered: bool) -> list[str]:
    """Write how deals end; where the result knows the knocks, also whose (by the numbers of bots above)."""

    def listed(*ends: str) -> str:
        return ", ".join(f"{end} {number(result.ends[end], '.2%')}" for end in ends)

    lines = [
        f"Deals ended by {listed('knock', 'exhausted', 'stalled')}",
        f"  (of all deals: {listed('rum', 'undercut', 'tied')}); mean table turns {number(result.turns, '.2f')}",
    ]
    lines = [
        part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]
    counts, turns = getattr(result, "knock_counts", None), getattr(result, "knock_turns", None)
    if counts is not None and turns is not None:
        lines += ["", "Knocks that ended a deal; own turn and deadwood at the knock are medians:"]
        lines += [text(who_ends(_names(result.bots, numbered), counts, turns, result.deals))]
    return lines
