"""What ``session`` found, as frames: by bot, by place, how many deals, how ledgers end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rumsim.engine.requests import TWELFTHS
from rumsim.stats.tally import Tally

if TYPE_CHECKING:
    from rumsim.lab.session import Fortune, SessionStudy

Row = dict[str, object]
_COUNTS = ("players", "entry", "place", "deals", "rank", "sessions", "blocks", "all_sessions", "seed")
_NUMBERS = ("ev", "ev_se", "ev_low", "ev_high", "win", "win_se", "win_low", "win_high", "points", "chance")
_KINDS = {
    **dict.fromkeys(_COUNTS, "int64"),
    **dict.fromkeys((*_NUMBERS, "re_entries", "prize", "prize_share"), "float64"),
    **dict.fromkeys(("bot", "rules", "format"), "str"),
}
_LARGEST = 1 << 63  # a seed from here on does not fit a column of whole numbers
_FORTUNE = [*_NUMBERS[:8], "re_entries", "prize", "prize_share"]


def bots_frame(result: SessionStudy) -> pd.DataFrame:
    """Return a row a bot asked about.

    Returns
    -------
    DataFrame
        ``players``, ``entry`` (its place among the bots asked about), ``bot``; ``ev``, ``ev_se``, ``ev_low``,
        ``ev_high``, points a session of one player with that bot, standard error and 95 % interval; ``win`` and so on,
        the chance to win a session; ``re_entries``, ``prize``, ``prize_share`` of pools; ``blocks``, ``all_sessions``,
        ``seed``, ``rules``, ``format``.  NaN where something does not exist.
    """
    rows = [
        {"entry": entry, "bot": bot} | _fortune(found)
        for entry, (bot, found) in enumerate(zip(result.bots, result.by_bot, strict=True))
    ]
    return _framed(result, rows, ["entry", "bot", *_FORTUNE])


def places_frame(result: SessionStudy) -> pd.DataFrame:
    """Return a row a starting place: columns as :func:`bots_frame`, ``place`` in place of ``entry`` and ``bot``."""
    rows = [{"place": place} | _fortune(found) for place, found in enumerate(result.by_place)]
    return _framed(result, rows, ["place", *_FORTUNE])


def deals_frame(result: SessionStudy) -> pd.DataFrame:
    """Return how many ``sessions`` lasted how many ``deals``, where there were any."""
    rows: list[Row] = [{"deals": deals, "sessions": many} for deals, many in _seen(result.deals)]
    return _framed(result, rows, ["deals", "sessions"])


def ledgers_frame(result: SessionStudy) -> pd.DataFrame:
    """Return, for each bot, in how many ``sessions`` (times players with it) it ended with how many net ``points``."""
    rows: list[Row] = [
        {"entry": entry, "bot": bot, "points": twelfths / TWELFTHS, "sessions": many}
        for entry, (bot, found) in enumerate(zip(result.bots, result.by_bot, strict=True))
        for twelfths, many in _seen(found.ledger)
    ]
    return _framed(result, rows, ["entry", "bot", "points", "sessions"])


def margins_frame(result: SessionStudy) -> pd.DataFrame:
    """Return in how many ``sessions`` the winner was ahead of the next by how many ``points``; no rows for pools."""
    rows: list[Row] = [{"points": twelfths / TWELFTHS, "sessions": many} for twelfths, many in _seen(result.margins)]
    return _framed(result, rows, ["points", "sessions"])


def ranks_frame(result: SessionStudy) -> pd.DataFrame:
    """Return, for each bot, the ``chance`` of each ``rank`` in a pool: 1 for the winner, N for the first to go out."""
    rows: list[Row] = [
        {"entry": entry, "bot": bot, "rank": rank, "chance": chance}
        for entry, (bot, found) in enumerate(zip(result.bots, result.by_bot, strict=True))
        for rank, chance in enumerate(found.ranks, 1)
    ]
    return _framed(result, rows, ["entry", "bot", "rank", "chance"])


def _seen(tally: Tally | None) -> list[tuple[int, int]]:
    return [] if tally is None else list(zip(tally.values.tolist(), tally.counts.tolist(), strict=True))


def _fortune(found: Fortune) -> Row:
    row: Row = {}
    for name, each in (("ev", found.points), ("win", found.wins)):
        low, high = each.interval or (None, None)
        row |= {name: each.mean, f"{name}_se": each.error, f"{name}_low": low, f"{name}_high": high}
    return row | {"re_entries": found.re_entries, "prize": found.prize, "prize_share": found.prize_share}


def _framed(result: SessionStudy, rows: list[Row], names: list[str]) -> pd.DataFrame:
    """Give rows their columns and types, also where there is no row, and the conditions beside them."""
    frame = pd.DataFrame(rows, columns=names)
    frame.insert(0, "players", result.players)
    form = ",".join([result.format.name, *(f"{name}={value}" for name, value in result.options.items())])
    frame = frame.assign(
        blocks=result.blocks, all_sessions=result.sessions, seed=result.seed, rules=str(result.rules), format=form
    )
    kinds = _KINDS | ({"seed": "str"} if result.seed >= _LARGEST else {})
    return frame.astype({name: kinds[name] for name in frame.columns})
