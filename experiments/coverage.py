"""How often do the intervals that are printed hold the truth?

Question   Do 95 % intervals of points, win shares, differences and session chances hold it in 93 to 97 of 100 runs?
Design     Tables of 2 to 5 players, both profiles, with shares near 0 and 1, and a match. Runs of 20, 50 and 200
           blocks, at least 1,000 of each, against a truth from many other blocks.
Seeds      1 for the runs, 2 for the truth
Runtime    some minutes on one core
Finding    in results/coverage/finding.txt

A run of m blocks is m consecutive blocks of one seed: the deck of a block depends on the seed and on the block's number
alone, through a keyed generator, so that stretches of blocks are as independent as runs with seeds of their own.
(``simulate`` with another seed draws other decks by the same law, and nothing else changes.)  So one pass plays all.
A cell of ``sweep`` has the numbers of ``simulate`` with a focal bot, as its tests hold, and is covered by these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments._results import Results, table
from rumsim.bots import parse_bot
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.lab.session import session_bots
from rumsim.rules import parse_rules
from rumsim.session_rules import Format
from rumsim.stats.blocks import SKEW
from rumsim.stats.shares import LEAST, limits, steadied
from rumsim.stats.student import quantile
from rumsim.tasks.direct import Direct
from rumsim.tasks.sessions import Sessions

SIZES = (20, 50, 200)  # blocks of a run
PLAYED, TRUTH = 200_000, 1_000_000  # blocks of all runs together, and those that the truth is from
MATCHES, MATCH_TRUTH = 50_000, 100_000
CHUNK = 10_000
SEED, OTHER = 1, 2
TABLES = (
    ("ledger", 2, ("knock=30", "knock=10")),
    ("ledger", 3, ("knock=0,draw=stock", "knock=25")),
    ("ledger", 4, ("knock=40/30,draw=meld", "knock=0,draw=stock")),
    ("ledger", 5, ("knock=10",)),
    ("ledger", 5, ("knock=30", "knock=10")),
    ("traditional", 2, ("knock=never,draw=stock", "knock=0")),
    ("traditional", 3, ("knock=30", "knock=10")),
    ("traditional", 4, ("knock=5",)),
    ("traditional", 5, ("knock=5,draw=stock", "knock=30")),
)
MATCH = ("ledger", 2, ("knock=15", "knock=10"))

Floats = npt.NDArray[np.float64]


class Quantity(NamedTuple):
    """Something with an interval: its means by block, its truth, and how the interval is made."""

    what: str
    by_block: Floats
    truth: float
    share: bool = False
    most: float = 1.0
    least: int = LEAST
    seats: Floats | None = None  # the same of all seats of the table, float64[blocks, seats]


def main() -> None:
    """Play, print, write."""
    out = Results("coverage")
    rows: list[dict[str, object]] = []
    for rules, players, bots in TABLES:
        print(f"playing {rules}, {players} players: {', '.join(bots)} …", flush=True)
        named = {"rules": rules, "players": players, "bots": " / ".join(bots)}
        for found in of_table(rules, players, bots, PLAYED, TRUTH):
            rows += [named | row for row in coverage(found, SIZES)]
    print("playing matches …", flush=True)
    named = {"rules": MATCH[0], "players": MATCH[1], "bots": " / ".join(MATCH[2])}
    for found in of_matches(*MATCH, MATCHES, MATCH_TRUTH):
        rows += [named | row for row in coverage(found, SIZES[:2])]
    frame = pd.DataFrame(rows)
    out.frame("coverage.csv", frame)
    caption = (
        f"How often 95 % intervals over 20, 50 and 200 blocks hold the truth, in per cent of {PLAYED // SIZES[0]:,}, "
        f"{PLAYED // SIZES[1]:,} and {PLAYED // SIZES[2]:,} runs\n"
        f"(of matches {MATCHES // SIZES[0]:,} and {MATCHES // SIZES[1]:,}); truth from {TRUTH:,} other blocks. "
        f"In brackets: not printed, as of points of seats below {SKEW} blocks.\n"
        "Rotations of a block share a deck. Seeds 1 and 2."
    )
    out.text("table.txt", f"{caption}\n\n{table(wide(frame), FORMS, left=4)}")
    out.finding(sentences(frame))


def of_table(rules: str, players: int, bots: tuple[str, ...], played: int, truth: int) -> Iterator[Quantity]:
    """Play a table, and list what ``simulate`` prints with an interval, and the difference of the two bots."""
    entry_of = tuple(min(player, len(bots) - 1) for player in range(players))
    seated = tuple(parse_bot(bots[entry]) for entry in entry_of)
    task, other = (Direct(parse_rules(rules), seated, entry_of, seed) for seed in (SEED, OTHER))
    parts = [task.blocks(first, min(first + CHUNK, played)) for first in range(0, played, CHUNK)]
    points, wins, seat_points, seat_wins = (
        np.concatenate([part[place] for part in parts]).astype(np.float64) for place in range(4)
    )
    sums = other.run(0, truth)
    many = [entry_of.count(entry) for entry in range(len(bots))]
    units = [TWELFTHS * players * each for each in many]
    if len(bots) > 1:  # else exactly 0, and a part of all deals
        means = [points[:, entry] / unit for entry, unit in enumerate(units)]
        true = [int(sums.points[entry]) / (truth * unit) for entry, unit in enumerate(units)]
        for entry, each in enumerate(means):
            yield Quantity(f"points, bot {entry}", each, true[entry])
        yield Quantity("points, bot 0 - bot 1", means[0] - means[1], true[0] - true[1])
    for entry, each in enumerate(many):
        unit = SIXTIETHS * players * each
        yield Quantity(
            f"wins, bot {entry}", wins[:, entry] / unit, int(sums.wins[entry]) / (truth * unit), True, 1 / each
        )
    for seat in range(players):
        unit = TWELFTHS * players
        means_of = seat_points[:, seat] / unit
        yield Quantity(f"points, seat {seat}", means_of, int(sums.seat_points[seat]) / (truth * unit), least=SKEW)
    unit = SIXTIETHS * players
    for seat in range(players):
        true_share = int(sums.seat_wins[seat]) / (truth * unit)
        yield Quantity(f"wins, seat {seat}", seat_wins[:, seat] / unit, true_share, True, seats=seat_wins / unit)


def of_matches(rules: str, players: int, bots: tuple[str, ...], played: int, truth: int) -> Iterator[Quantity]:
    """Play matches to 50, and list the first bot's points and chance, and those of the first place."""
    seated = session_bots(bots, players)
    entry_of = tuple(min(player, len(bots) - 1) for player in range(players))
    task, other = (Sessions(parse_rules(rules), Format("match", target=50), seated, entry_of, s) for s in (SEED, OTHER))
    sums = other.run(0, truth)
    parts = [task.rows(first, min(first + CHUNK, played)) for first in range(0, played, CHUNK)]
    ledger, wins = (np.concatenate([getattr(part, name) for part in parts]) for name in ("ledger", "wins"))
    mine = slice(None), slice(None), 0  # block, rotation, player: the focal bot's
    first = slice(None), range(players), [-rotation % players for rotation in range(players)]  # who begins
    for who, at, true in (("bot 0", mine, sums.bots), ("place 0", first, sums.places)):
        unit = TWELFTHS * players
        yield Quantity(f"match points, {who}", ledger[at].sum(axis=1) / unit, true.points[0].total / (truth * unit))
        unit = SIXTIETHS * players
        yield Quantity(f"match wins, {who}", wins[at].sum(axis=1) / unit, true.wins[0].total / (truth * unit), True)


def coverage(found: Quantity, sizes: tuple[int, ...]) -> list[dict[str, object]]:
    """Count how often intervals over so many blocks hold the truth, and where they miss it."""
    rows: list[dict[str, object]] = []
    for size in sizes:
        low, high = intervals(found, size)
        rows.append(
            {
                "what": found.what,
                "truth": found.truth,
                "blocks": size,
                "runs": len(low),
                "printed": size >= found.least,
                "covered": float(np.mean((low <= found.truth) & (found.truth <= high))),
                "too_low": float(np.mean(high < found.truth)),
                "too_high": float(np.mean(low > found.truth)),
                "width": float(np.mean(high - low)),
            }
        )
    return rows


def intervals(found: Quantity, size: int) -> tuple[Floats, Floats]:
    """Return the interval of each run of ``size`` consecutive blocks."""
    runs = len(found.by_block) // size
    values = found.by_block[: runs * size].reshape(runs, size)
    mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(size)
    if found.seats is not None:
        every = found.seats[: runs * size].reshape(runs, size, -1)
        means, errors = every.mean(axis=1).T, every.std(axis=1, ddof=1).T / np.sqrt(size)
        errors[errors < 1e-12] = 0.0  # the rest of a subtraction
        own = np.flatnonzero((found.seats == found.by_block[:, None]).all(axis=0))[0]
        error = steadied(means, errors)[own]
    if found.share:
        error[error < 1e-12] = 0.0  # the rest of a subtraction
        return limits(mean, error, size, most=found.most)
    margin = quantile(size - 1, 0.975) * error
    return mean - margin, mean + margin


FORMS = {
    "rules": ("rules", ""),
    "players": ("players", ""),
    "bots": ("bots", ""),
    "what": ("what", ""),
    "truth": ("truth", ".4f"),
    **{str(size): (str(size), "") for size in SIZES},
}


def wide(frame: pd.DataFrame) -> pd.DataFrame:
    """A row a quantity, a column a number of blocks."""
    shown = [f"{100 * row.covered:.1f}" if row.printed else f"({100 * row.covered:.1f})" for row in frame.itertuples()]
    keys = ["rules", "players", "bots", "what", "truth"]
    table_of = frame.assign(blocks=frame["blocks"].astype(str), shown=shown)
    return table_of.pivot_table(index=keys, columns="blocks", values="shown", aggfunc="first", sort=False).reset_index()


def sentences(frame: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    shown = frame[frame["printed"]]
    lines = []
    for size, rows in shown.groupby("blocks"):
        shares = rows["what"].str.contains("wins")
        for name, part in (("points", rows[~shares]), ("shares", rows[shares])):
            lines.append(
                f"Intervals of {name} over {size} blocks hold the truth in {part['covered'].min():.1%} to "
                f"{part['covered'].max():.1%} of runs, {part['covered'].mean():.1%} on average."
            )
    low, high = shown[shown["covered"] < 0.93], shown[shown["covered"] > 0.97]
    held = len(shown) - len(low) - len(high)
    lines.append(
        f"Of {len(shown)} kinds of printed intervals {held} hold it in 93 to 97 % of runs, {len(low)} in fewer and "
        f"{len(high)} in more. More are those of shares that take few values: near 0 and 1, or where equal bots make a "
        "block one deal; there each success is a step of some per cent, and the interval errs on the safe side."
    )
    skew = frame[~frame["printed"]]
    if len(skew):
        lines.append(
            f"Student's intervals of the points of seats hold it in only {skew['covered'].min():.1%} to "
            f"{skew['covered'].max():.1%} of runs of 20 and 50 blocks, since a few rums make up most of their "
            f"variance: they are printed from {SKEW} blocks on."
        )
    return lines


if __name__ == "__main__":
    main()
