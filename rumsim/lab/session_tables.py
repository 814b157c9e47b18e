"""What ``session`` found, as the tables that it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rumsim.engine.requests import TWELFTHS
from rumsim.lab.tables import columns, folded, number, text
from rumsim.stats.shares import LEAST

if TYPE_CHECKING:
    from rumsim.lab.session import Fortune, SessionStudy
    from rumsim.stats.tally import Tally

_SHOWN = (5, 25, 50, 75, 95)


def format_words(result: SessionStudy) -> str:
    """Write how a session ends, in a few words."""
    form = result.format
    how = {
        "rotation": "every player deals once",
        "cumulative": f"{form.deals} deals, ties broken",
        "match": f"the first above {form.target}",
        "pool": f"stakes of 100, {_re_entries(form.rebuys)}",
    }
    return f"{form.name}, {how[form.name]}, at most {form.max_deals:,} deals"


def _re_entries(rebuys: int) -> str:
    return {0: "no re-entry", 1: "1 re-entry each"}.get(rebuys, f"{rebuys:,} re-entries each")


def session_table(result: SessionStudy) -> str:
    """Write what ``session`` found: by bot, by starting place, how long sessions last, how ledgers end."""
    bots = text({"bot": result.bots} | _fortunes(result.by_bot))
    numbered = "bot 0: " in bots
    names = [str(list(dict.fromkeys(result.bots)).index(bot)) if numbered else _short(bot) for bot in result.bots]
    lines = [
        *folded(f"{result.players} players, rules {result.rules}, seed {result.seed}"),
        *folded(format_words(result)),
        *folded(
            f"{result.blocks:,} blocks x {result.players} rotations = {result.sessions:,} sessions"
            + (", INTERRUPTED: only what was finished is counted" if result.interrupted else "")
        ),
        "",
        bots,
        "",
        "By place in the first deal; place 0 moves first in it:",
        text({"place": range(result.players)} | _fortunes(result.by_place)),
        "",
        *_lengths(result),
        "",
        "Where the ledger ends, quantiles of net points:",
        _quantiles("bot", names, [found.ledger for found in result.by_bot]),
    ]
    if result.format.name == "pool":
        lines += ["", *_pool(result, names)]
    elif result.margins.total:
        lines += ["", "By how much the winner is ahead of the next:", _quantiles("", ["points"], [result.margins])]
    if result.blocks == 1:
        lines += ["", "One block has no standard error and no interval: the block is the unit, play more."]
    if 0 < result.blocks < LEAST:
        lines += ["", f"No intervals: too few blocks ({result.blocks}; {LEAST} are needed)."]
    if len(set(result.bots)) == 1 and result.blocks:
        lines += ["", "All players have the same bot: their points are exactly 0; only places inform."]
    return "\n".join(lines)


def _short(bot: str) -> str:
    return bot.replace(",discard=greedy", "")


def _fortunes(found: Sequence[Fortune]) -> dict[str, Sequence[object]]:
    intervals = [each.wins.interval or (None, None) for each in found]
    return {
        "taken": [each.points.mean for each in found],
        "taken_se": [each.points.error for each in found],
        "wins": [each.wins.mean for each in found],
        "wins_se": [each.wins.error for each in found],
        "wins_low": [low for low, _ in intervals],
        "wins_high": [high for _, high in intervals],
    }


def _lengths(result: SessionStudy) -> list[str]:
    deals = [result.deals.quantile(percent) for percent in (5, 50, 95)]
    shown = ", ".join("-" if each is None else f"{each:,}" for each in deals)
    lines = folded(f"Deals of a session: mean {number(result.deals.mean, ',.2f')}; 5 %, 50 % and 95 %: {shown}")
    rest = f"Unfinished: {number(result.unfinished, '.2%')}"
    if result.format.name == "rotation":
        rest += f"; won by several: {number(result.shared, '.2%')}"
    return [*lines, rest]


def _quantiles(head: str, names: Sequence[str], tallies: Sequence[Tally | None]) -> str:
    rows = [[head, *(f"{percent} %" for percent in _SHOWN)]]
    for name, tally in zip(names, tallies, strict=True):
        values = [None if tally is None else tally.quantile(percent) for percent in _SHOWN]
        shown = [number(None if value is None else value / TWELFTHS, "+,.1f") for value in values]
        rows.append([name, *shown])
    return columns(rows)


def _pool(result: SessionStudy, names: Sequence[str]) -> list[str]:
    """Write who goes out when, and what the stakes come to."""
    ranks = [["bot", "wins", *(f"out {_ordinal(n)}" for n in range(result.players - 1, 0, -1))]]
    ranks += [
        [name, *(number(chance, ".2%") for chance in found.ranks)]
        for name, found in zip(names, result.by_bot, strict=True)
    ]
    prizes = [["bot", "re-entries", "prize a session", "share of prizes"]]
    prizes += [
        [name, number(found.re_entries, ".3f"), number(found.prize, ".2f"), number(found.prize_share, ".2%")]
        for name, found in zip(names, result.by_bot, strict=True)
    ]
    return ["Order of elimination, one player; who goes out in one deal shares:", columns(ranks), "", columns(prizes)]


def _ordinal(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
