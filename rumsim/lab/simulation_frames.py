"""What ``simulate`` found, as frames: by bot, by seat, how deals end, with what one knocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from rumsim.stats.blocks import Estimate

if TYPE_CHECKING:
    from rumsim.lab.simulate import Simulation

Row = dict[str, object]
_KINDS = {
    **dict.fromkeys(("players", "entry", "seat", "blocks", "deals", "knocks", "deadwood", "turn", "seed"), "int64"),
    **dict.fromkeys(("ev", "ev_se", "ev_low", "ev_high", "win", "win_se", "win_low", "win_high", "share"), "float64"),
    **dict.fromkeys(("bot", "rules", "end"), "str"),
}
_LARGEST = 1 << 63  # a seed from here on does not fit a column of whole numbers


def bots_frame(result: Simulation) -> pd.DataFrame:
    """Return a row a bot asked about.

    Returns
    -------
    DataFrame
        ``players``, ``entry`` (its place among the bots asked about), ``bot``; ``ev``, ``ev_se``, ``ev_low``,
        ``ev_high``, points a deal of one player with that bot, standard error and 95 % interval; ``win``, ``win_se``,
        ``win_low``, ``win_high``, the same of its mean win share; ``blocks``, ``deals``, ``seed``, ``rules``.  NaN
        where there are too few blocks: 2 for errors and intervals of points, 20 for those of shares.
    """
    rows: list[Row] = [
        {"entry": entry, "bot": bot} | _points(points) | _wins(wins)
        for entry, (bot, points, wins) in enumerate(zip(result.bots, result.points, result.wins, strict=True))
    ]
    return _framed(
        result, rows, ["entry", "bot", "ev", "ev_se", "ev_low", "ev_high", "win", "win_se", "win_low", "win_high"]
    )


def seats_frame(result: Simulation) -> pd.DataFrame:
    """Return a row a seat: columns as :func:`bots_frame`, ``seat`` in place of ``entry`` and ``bot``.

    Intervals of points need 100 blocks.
    """
    rows: list[Row] = [
        {"seat": seat} | _points(points) | _wins(wins)
        for seat, (points, wins) in enumerate(zip(result.seat_points, result.seat_wins, strict=True))
    ]
    return _framed(result, rows, ["seat", "ev", "ev_se", "ev_low", "ev_high", "win", "win_se", "win_low", "win_high"])


def ends_frame(result: Simulation) -> pd.DataFrame:
    """Return a row an ``end`` with its ``share`` of all deals; rum, undercut and tied are parts of knock."""
    rows: list[Row] = [{"end": end, "share": share} for end, share in result.ends.items()]
    return _framed(result, rows, ["end", "share"])


def knock_counts_frame(result: Simulation) -> pd.DataFrame:
    """Return, for each bot, the ``knocks`` it made with each ``deadwood``, where there were any."""
    return _histogram(result, "deadwood", result.knock_counts)


def knock_turns_frame(result: Simulation) -> pd.DataFrame:
    """Return, for each bot, the ``knocks`` it made on each own ``turn``, where there were any; 63 is 63 or later."""
    return _histogram(result, "turn", result.knock_turns)


def knocks_frame(result: Simulation) -> pd.DataFrame:
    """Return both histograms in one: ``what`` (turn or deadwood), its ``value``, and the ``knocks``."""
    parts = (("turn", knock_turns_frame(result)), ("deadwood", knock_counts_frame(result)))
    return pd.concat([part.rename(columns={what: "value"}).assign(what=what) for what, part in parts])


def _histogram(result: Simulation, axis: str, knocks: Sequence[Sequence[int]]) -> pd.DataFrame:
    rows: list[Row] = [
        {"entry": entry, "bot": bot, axis: place, "knocks": number}
        for entry, (bot, numbers) in enumerate(zip(result.bots, knocks, strict=True))
        for place, number in enumerate(numbers)
        if number
    ]
    return _framed(result, rows, ["entry", "bot", axis, "knocks"])


def _points(found: Estimate) -> Row:
    low, high = found.interval or (None, None)
    return {"ev": found.mean, "ev_se": found.error, "ev_low": low, "ev_high": high}


def _wins(found: Estimate) -> Row:
    low, high = found.interval or (None, None)
    return {"win": found.mean, "win_se": found.error, "win_low": low, "win_high": high}


def _framed(result: Simulation, rows: list[Row], names: list[str]) -> pd.DataFrame:
    """Give rows their columns and types, also where there is no row, and the conditions beside them."""
    frame = pd.DataFrame(rows, columns=names)
    frame.insert(0, "players", result.players)
    frame = frame.assign(blocks=result.blocks, deals=result.deals, seed=result.seed, rules=str(result.rules))
    kinds = _KINDS | ({"seed": "str"} if result.seed >= _LARGEST else {})
    return frame.astype({name: kinds[name] for name in frame.columns})
