"""The tables that results print: 80 columns, plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rumsim.lab.simulate import Simulation


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Align rows of text; the first ``left`` columns to the left, numbers to the right.

    Examples
    --------
    >>> print(columns([["bot", "points"], ["a", "1.5"]]))
    bot  points
    a       1.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def number(value: float | None, form: str = "+.3f") -> str:
    """Write a number, or a dash for one that does not exist."""
    if value is None:
        return "-"
    return format(value + 0.0, form)


def simulation_table(result: Simulation) -> str:
    """Write what ``simulate`` found: by bot, by seat, and how deals end."""
    lines = [
        f"{result.players} players, rules {result.rules}, seed {result.seed}",
        f"{result.blocks:,} blocks x {result.players} rotations = {result.deals:,} deals"
        + (", INTERRUPTED: only what was finished is counted" if result.interrupted else ""),
        "",
        columns(
            [["bot", "points a deal", "s.e.", "95 % interval", "win share", "s.e."]]
            + [
                [
                    bot.removesuffix(",discard=greedy"),
                    number(points.mean),
                    number(points.error, ".3f"),
                    "-" if points.interval is None else "{:+.3f} to {:+.3f}".format(*points.interval),
                    number(wins.mean, ".4f"),
                    number(wins.error, ".4f"),
                ]
                for bot, points, wins in zip(result.bots, result.points, result.wins, strict=True)
            ]
        ),
        "",
        columns(
            [["seat", "points a deal", "s.e.", "win share", "s.e."]]
            + [
                [str(s), number(p.mean), number(p.error, ".3f"), number(w.mean, ".4f"), number(w.error, ".4f")]
                for s, (p, w) in enumerate(zip(result.seat_points, result.seat_wins, strict=True))
            ]
        ),
        "",
        "Deals ended by "
        + ", ".join(f"{k} {number(result.ends[k], '.2%')}" for k in ("knock", "exhausted", "stalled")),
        "  (of all deals: "
        + ", ".join(f"{k} {number(result.ends[k], '.2%')}" for k in ("rum", "undercut", "tied"))
        + f"); mean table turns {number(result.turns, '.2f')}",
    ]
    if result.blocks == 1:
        lines.append("One block has no standard error and no interval: the block is the unit, play more.")
    if len(set(result.bots)) == 1 and result.blocks:
        lines.append("All players have the same bot: their points are exactly 0; only the seats inform.")
    return "\n".join(lines)
