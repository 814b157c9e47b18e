"""Is the rule pages' advice any good?

Question   Which of the tips in the four rule pages hold, which fail, and on what do they depend?
Design     The claims, with measures, null values, smallest interesting effects and the rule of the verdict, stand in
           experiments/_claims.py and were fixed before the first run.  Bots are compared on the same decks; errors are
           over blocks; p-values are Holm's over all cases.  What is searched for is searched for on other decks.
Seeds      21 to measure, 22 to search
Runtime    about two minutes
Finding    in results/advice/finding.txt
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from experiments._claims import CLAIMS, FOLK, SEARCH_SEED, SEED, Case, Claim
from experiments._results import Results, named, table
from rumsim import decks
from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
from rumsim.charts.claims import claims_forest
from rumsim.engine.deal import play_one
from rumsim.engine.requests import (
    LOG_CARD,
    LOG_DISCARD,
    LOG_TAKEN,
    LOG_WIDTH,
    MOST_PLAYERS,
    SIXTIETHS,
    TWELFTHS,
    Traces,
    game_of,
    new_room,
)
from rumsim.lab.respond import schedules_against
from rumsim.lab.sweep import sweep
from rumsim.lab.tables import folded
from rumsim.rules import parse_rules
from rumsim.stats.blocks import Estimate, estimate
from rumsim.stats.holm import holm, two_sided
from rumsim.stats.ratios import ratio
from rumsim.stats.student import quantile
from rumsim.tasks.direct import Direct
from rumsim.tasks.response import Question
from rumsim.tasks.seating import seating_of
from rumsim.tasks.traces import ends_under, trace

PLAYED, TRACED, LOGGED, SEARCHED = 60_000, 16_000, 20_000, 40_000  # blocks
JOBS = os.cpu_count() or 1
LEVEL = 0.05
NEVER, NINE = -1, 8  # a threshold, and a rank
NINES = sum(1 << (13 * suit + NINE) for suit in range(4))
LOOKED_AT = 4  # own turns in which nines are watched
COUNTS = {"6 to 8": (6, 8), "21 to 25": (21, 25), "15 to 20": (15, 20)}
ADVISED = (8, 10)

Integers = npt.NDArray[np.int64]


def main() -> None:
    """Measure, judge, write."""
    out = Results("advice")
    frame = judged(measured(CLAIMS))
    tested = frame[frame["estimate"].notna()]
    caption = (
        f"Verdict of a case: it holds if p, Holm's over {len(tested)} cases, is below {LEVEL} and the whole 95 % "
        "interval lies at least the smallest interesting effect beyond the null value on the claim's side; it fails if "
        "the whole interval lies short of that; else it is undecided. A claim depends if some of its cases hold and "
        "some fail. Bots draw improve:1 and discard greedily where not said. Measured on seed "
        f"{SEED}, searched on seed {SEARCH_SEED}."
    )
    out.text("table.txt", "\n\n".join(["\n".join(folded(caption)), *written(frame)]))
    out.frame("advice.csv", frame)
    blocks = f"{tested['blocks'].min():,.0f} to {tested['blocks'].max():,.0f} blocks a case."
    out.chart("claims", claims_forest(tested, f"{caption} {blocks}"))
    out.finding(sentences(frame))


def measured(claims: tuple[Claim, ...]) -> pd.DataFrame:
    """A row a case, with its estimate; a row for a claim without cases."""
    cases = [(place, claim, case) for place, claim in enumerate(claims) for case in claim.cases]
    # Those that read the same traces one after the other: only the last are kept.
    cases.sort(key=lambda one: (one[1].kind not in FROM_TRACES, one[2].rules, one[2].players))
    rows: list[dict[str, Any]] = []
    for place, claim, case in cases:
        found, blocks = KINDS[claim.kind](case)
        if found.mean is None or found.interval is None or blocks < 2:
            raise RuntimeError(f"{claim.key}, {case}: nothing was measured")
        low, high = found.interval
        # Without an error nothing of the kind happened at all; the interval is then that of chances so small.
        p = two_sided(found.mean, found.error, claim.reference) if found.error else float(found.mean == claim.reference)
        numbers = {"estimate": found.mean, "se": found.error, "low": low, "high": high, "p": p, "blocks": blocks}
        rows.append({"place": place, **about(claim), **asdict(case), **numbers})
    for place, claim in enumerate(claims):
        if not claim.cases:
            rows.append({"place": place, **about(claim), "needs": claim.needs})
    frame = pd.DataFrame(rows).sort_values("place", kind="stable", ignore_index=True).drop(columns="place")
    return frame.assign(seed=SEED, search_seed=SEARCH_SEED)


def about(claim: Claim) -> dict[str, Any]:
    """What a row says of its claim."""
    return {
        "claim": claim.key,
        "says": claim.says,
        "source": "; ".join(claim.sources),
        "measure": claim.measure,
        "unit": claim.unit,
        "null": claim.null,
        "reference": claim.reference,
        "sign": claim.sign,
        "least": claim.least,
        "needs": claim.needs,
    }


# ---- what is played ------------------------------------------------------------------------------------------------


def shared(blocks: int, play: Callable[[int, int], Any]) -> list[Any]:
    """Give each thread its part of the blocks; results come in their order."""
    edges = [round(blocks * part / JOBS) for part in range(JOBS + 1)]
    play(0, 1)  # two threads that compile the same would be in each other's way
    with ThreadPoolExecutor(JOBS) as threads:
        return list(threads.map(play, edges[:-1], edges[1:]))


@lru_cache(maxsize=32)
def totals(rules: str, players: int, mine: str, opponents: str) -> Integers:
    """Play deals; return what the first bot gets in each block, in twelfths of a point over all its deals."""
    bots = (parse_bot(mine), *[parse_bot(opponents)] * (players - 1))
    task = Direct(parse_rules(rules), bots, (0, *[1] * (players - 1)), SEED)
    return np.concatenate([rows.points[:, 0] for rows in shared(PLAYED, task.blocks)])


def less(case: Case, mine: str, instead: str, opponents: str) -> tuple[Estimate, int]:
    """By how many points a deal the one bot does better than the other, on the same decks."""
    gaps = totals(case.rules, case.players, mine, opponents) - totals(case.rules, case.players, instead, opponents)
    return over_blocks(gaps, TWELFTHS * case.players), PLAYED


@lru_cache(maxsize=1)
def traced(rules: str, players: int) -> Traces:
    """Play decks as if nobody knocked; all draw the default way, so that rotations are alike."""
    return trace(parse_rules(rules), [parse_bot(FOLK)] * players, SEED, 0, TRACED, jobs=JOBS)


def rows_under(case: Case, knock: list[list[int]]) -> Integers:
    """The rows in which traces end, for the thresholds of each seat by own turn; the last value repeats."""
    longest = max(map(len, knock))
    filled = [seat + seat[-1:] * (longest - len(seat)) for seat in knock]
    return ends_under(traced(case.rules, case.players), filled, parse_rules(case.rules))


def seated(case: Case, focal: int, mine: list[int]) -> list[list[int]]:
    """Thresholds by seat: those of the studied player in its seat, those of the opponents in all others."""
    others = [threshold(case.opponents)]
    return [mine if seat == focal else others for seat in range(case.players)]


def threshold(bot: str) -> int:
    return parse_bot(bot).knock[0][0]  # type: ignore[union-attr]


# ---- estimates -----------------------------------------------------------------------------------------------------


def over_blocks(values: Integers, unit: int) -> Estimate:
    """The mean over blocks of whole numbers, in units."""
    return estimate(int(values.sum()), sum(int(value) ** 2 for value in values), len(values), unit)


def a_knock(values: Integers, knocks: Integers, unit: int, *, chance: bool = False) -> tuple[Estimate, int]:
    """The mean of something that happens more than once or not at all in a block, and in how many blocks it does.

    A chance of which nothing was seen is not known to be 0: its interval reaches to three over the blocks.
    """
    sums = (values.sum(), knocks.sum(), (values**2).sum(), (values * knocks).sum(), (knocks**2).sum())
    with_some = int((knocks > 0).sum())
    found = ratio(*map(int, sums), len(values))
    if found.mean is None or found.error is None or found.interval is None:
        return found, with_some
    if chance and not found.error and not found.mean:
        return Estimate(0.0, None, (0.0, 3 / with_some)), with_some
    low, high = found.interval
    return Estimate(found.mean / unit, found.error / unit, (low / unit, high / unit)), with_some


def less_often(one: tuple[Integers, Integers], other: tuple[Integers, Integers]) -> tuple[Estimate, int]:
    """The difference of two ratios of totals over the same blocks."""
    parts = [(values, knocks, values.sum() / knocks.sum()) for values, knocks in (one, other)]
    apart = [(values - mean * knocks) / knocks.sum() for values, knocks, mean in parts]
    blocks = len(one[0])
    error = float(np.sqrt(((apart[0] - apart[1]) ** 2).sum() * blocks / (blocks - 1)))
    mean = float(parts[0][2] - parts[1][2])
    margin = quantile(blocks - 1, 0.975) * error
    return Estimate(mean, error, (mean - margin, mean + margin)), blocks


# ---- what is measured: a function a kind ---------------------------------------------------------------------------


def gain(case: Case) -> tuple[Estimate, int]:
    return less(case, case.mine, case.instead, case.opponents)


def draw(case: Case) -> tuple[Estimate, int]:
    # A player alike among the others would earn exactly 0.
    return over_blocks(totals(case.rules, case.players, case.mine, case.opponents), TWELFTHS * case.players), PLAYED


@cache
def best(rules: str, players: int, opponents: str) -> str:
    """The best constant against opponents, on the decks of the search."""
    keys = str(parse_bot(opponents)).partition(",")[2]
    found = sweep(
        players,
        "10:60:1",
        SEARCHED,
        rules,
        seed=SEARCH_SEED,
        confirm_seed=SEARCH_SEED + 1,
        bot="draw=improve:1",
        table_bot=keys,
        table=threshold(opponents),
        jobs=JOBS,
    )
    return f"knock={found.best['best'].iloc[0]}"


def numbers(case: Case) -> tuple[Estimate, int]:
    own, usual = (best(case.rules, players, case.opponents) for players in (case.players, 3))
    return less(case, own, usual, case.opponents)


def appetite(case: Case) -> tuple[Estimate, int]:
    own, usual = (best(case.rules, case.players, other) for other in (case.opponents, FOLK))
    return less(case, own, usual, case.opponents)


def schedule(case: Case) -> tuple[Estimate, int]:
    question = Question(parse_rules(case.rules), case.players, parse_bot(FOLK), Mixture.parse(case.opponents))
    schedules = schedules_against(question, SEARCH_SEED, SEARCHED // 4, JOBS)
    said = "+".join("/".join("never" if one == NEVER else str(one) for one in seat) for seat in schedules)
    return less(case, f"knock={said}", best(case.rules, case.players, case.opponents), case.opponents)


def decisions(case: Case) -> Iterator[tuple[int, Integers, npt.NDArray[np.bool_]]]:
    """For each seat of the studied player, who has not knocked yet: its own turn's row, and where the count is so."""
    traces = traced(case.rules, case.players)
    low, high = COUNTS[case.mine]
    for focal in range(case.players):
        until = rows_under(case, seated(case, focal, [NEVER]))
        rows = traces.starts[:-1] + (case.turn - 1) * case.players + focal
        # A deal that nobody ends has its end in its last row, which is no turn.
        there = rows < np.minimum(until, traces.starts[1:] - 1)
        counts = traces.counts[np.where(there, rows, 0)]
        yield focal, rows, there & (low <= counts) & (counts <= high)


def knock_wins(case: Case) -> tuple[Estimate, int]:
    won, knocks = np.zeros((2, TRACED), np.int64)
    for focal, rows, so in decisions(case):
        won[so] += traced(case.rules, case.players).wins[rows[so], focal]
        knocks += so
    return a_knock(won, knocks, SIXTIETHS, chance=True)


def now(case: Case) -> tuple[Estimate, int]:
    """What a knock brings, less what comes if one plays on until the count of the bot named instead."""
    gaps, knocks = np.zeros((2, TRACED), np.int64)
    points = traced(case.rules, case.players).points
    for focal, rows, so in decisions(case):
        later = rows_under(case, seated(case, focal, [NEVER] * case.turn + [threshold(case.instead)]))
        gaps[so] += points[rows[so], focal].astype(np.int64) - points[later[so], focal]
        knocks += so
    return a_knock(gaps, knocks, TWELFTHS)


def between(case: Case) -> tuple[Estimate, int]:
    """How many opponents hold so much where one knocks as advised; after the first round, when all have had a turn."""
    traces, players = traced(case.rules, case.players), case.players
    rows = rows_under(case, [[threshold(case.opponents)]] * players)
    turns = rows - traces.starts[:-1]
    so = (traces.counts[rows] >= ADVISED[0]) & (traces.counts[rows] <= ADVISED[1]) & (turns >= players - 1)
    if case.turn:
        so &= turns // players == case.turn - 1
    low, high = COUNTS[case.mine]
    held = np.zeros(TRACED, np.int64)
    for back in range(1, players):
        counts = traces.counts[rows[so] - back]
        held[so] += (low <= counts) & (counts <= high)
    return a_knock(held, (players - 1) * so.astype(np.int64), 1, chance=True)


def own_knocks(case: Case) -> Iterator[tuple[int, Integers, npt.NDArray[np.bool_]]]:
    """For each seat of the studied player, the rows in which deals end, and whether they end by its knock."""
    traces = traced(case.rules, case.players)
    for focal in range(case.players):
        rows = rows_under(case, seated(case, focal, [threshold(case.mine)]))
        knocked = (traces.counts[rows] >= 0) & ((rows - traces.starts[:-1]) % case.players == focal)
        yield focal, rows, knocked


def risk(case: Case, low: int = ADVISED[0], high: int = ADVISED[1]) -> tuple[Estimate, int]:
    """How many knocks as advised are lost, after the first round."""
    traces = traced(case.rules, case.players)
    lost, knocks = np.zeros((2, TRACED), np.int64)
    for focal, rows, knocked in own_knocks(case):
        counts = traces.counts[rows]
        so = knocked & (low <= counts) & (counts <= high) & (rows - traces.starts[:-1] >= case.players)
        lost += so & (traces.wins[rows, focal] == 0)
        knocks += so
    return a_knock(lost, knocks, 1, chance=True)


def risk_all(case: Case) -> tuple[Estimate, int]:
    lost, knocks = np.zeros((2, TRACED), np.int64)
    for focal, rows, knocked in own_knocks(case):
        lost += knocked & (traced(case.rules, case.players).wins[rows, focal] == 0)
        knocks += knocked
    return a_knock(lost, knocks, 1, chance=True)


def tied(case: Case) -> tuple[Estimate, int]:
    """What playing on until less would have brought where a knock is tied, less what the knock brings."""
    rules, traces = parse_rules(case.rules), traced(case.rules, case.players)
    # Only a tied knocker who wins nothing gets exactly this: one who is undercut pays the difference too.
    pays = -TWELFTHS * rules.undercut if rules.tie == "penalty" else 0
    gaps, knocks = np.zeros((2, TRACED), np.int64)
    for focal, rows, knocked in own_knocks(case):
        until = rows_under(case, seated(case, focal, [NEVER]))
        points = traces.points[:, focal]
        for block in np.flatnonzero(knocked & (points[rows] == pays) & (traces.wins[rows, focal] == 0)):
            row, end = rows[block], until[block]
            turns = np.arange(row + case.players, end, case.players)
            less_so = turns[traces.counts[turns] < traces.counts[row]]
            gaps[block] += int(points[less_so[0] if len(less_so) else end]) - int(points[row])
            knocks[block] += 1
    return a_knock(gaps, knocks, TWELFTHS)


def limit(case: Case) -> tuple[Estimate, int]:
    """How many of all knocks are lost without a knock limit of ten, less how many with it."""
    traces, players = traced(case.rules, case.players), case.players
    given = [10 * (player + 1) for player in range(players)]
    if case.opponents != "by player":
        given = [threshold(case.mine)] * players
    found = []
    for most in (200, 10):
        lost, knocks = np.zeros((2, TRACED), np.int64)
        for rotation in range(players):
            by_seat = [[min(most, given[(seat - rotation) % players])] for seat in range(players)]
            rows = rows_under(case, by_seat)
            knocker = (rows - traces.starts[:-1]) % players
            knocked = traces.counts[rows] >= 0
            lost += knocked & (traces.wins[rows, knocker] == 0)
            knocks += knocked
        found.append((lost, knocks))
    return less_often(found[0], found[1])


@cache
def qualities(rules: str, players: int) -> dict[str, Integers]:
    """What a number of players may be good at, by block, in sixtieths; more is better."""
    case = Case(players, rules=rules)
    traces, ten = traced(rules, players), [10]
    rows = rows_under(case, [ten] * players)
    skilled = np.zeros(TRACED, np.int64)
    for focal in range(players):
        skilled += traces.wins[rows_under(case, seated(case, focal, [25])), focal]
    return {
        "decided": SIXTIETHS * (traces.counts[rows] >= 0).astype(np.int64),
        "seats": SIXTIETHS - players * traces.wins[rows, 0].astype(np.int64),
        "skill": skilled - SIXTIETHS,
        "play": SIXTIETHS * (rows - traces.starts[:-1] >= 2 * players).astype(np.int64),
    }


def numbers_best(case: Case) -> tuple[Estimate, int]:
    three, four, other = (qualities(case.rules, players)[case.mine] for players in (3, 4, case.players))
    return over_blocks(three + four - 2 * other, 2 * SIXTIETHS), TRACED


@cache
def nines(rules: str, players: int, bot: str) -> dict[str, tuple[Integers, Integers]]:
    """For discarding and taking nines in the first turns: by block, how often who did so holds more than others.

    The difference is that of the one player and the mean of the others, in parts of an opponent; a deal a block, as
    all rotations of equal bots are alike.
    """
    known = parse_rules(f"{rules}:max_turns={LOOKED_AT * players}")
    seating = seating_of([parse_bot(f"knock=never,{bot}")] * players, [0] * players, known)
    game, key, room = game_of(known, players), np.uint64(decks.key_of(SEED)), new_room()
    hands, log = np.zeros(MOST_PLAYERS, np.uint64), np.zeros((known.max_turns, LOG_WIDTH), np.int64)
    counts, points, wins = np.zeros((3, MOST_PLAYERS), np.int64)
    found = {what: np.zeros((2, LOGGED), np.int64) for what in ("discarded", "taken")}
    for block in range(LOGGED):
        _, _, turns = play_one(game, seating, 0, key, np.uint64(block), room, hands, counts, points, wins, log)
        held = [int(hand) for hand in hands[:players]]
        for turn in range(turns - 1, -1, -1):  # from the end back, undoing turns
            seat, card, given = turn % players, int(log[turn, LOG_CARD]), int(log[turn, LOG_DISCARD])
            have = [(hand & NINES).bit_count() for hand in held]
            others = sum(have[other] > 0 for other in range(players) if other != seat)
            happened = []
            if given % 13 == NINE:
                happened.append(("discarded", have[seat] > 0))
            if log[turn, LOG_TAKEN] and card % 13 == NINE:
                happened.append(("taken", have[seat] > 1))
            for what, holds in happened:
                found[what][:, block] += (players - 1) * holds - others, players - 1
            held[seat] = (held[seat] | 1 << given) & ~(1 << card)
    return {what: (values, events) for what, (values, events) in found.items()}


def nine_discarded(case: Case) -> tuple[Estimate, int]:
    return a_knock(*nines(case.rules, case.players, case.opponents)["discarded"], 1)


def nine_taken(case: Case) -> tuple[Estimate, int]:
    return a_knock(*nines(case.rules, case.players, case.opponents)["taken"], 1)


FROM_TRACES = {kind.__name__: kind for kind in (knock_wins, now, between, risk, risk_all, tied, limit, numbers_best)}
KINDS: dict[str, Callable[[Case], tuple[Estimate, int]]] = {
    **FROM_TRACES,
    **{kind.__name__: kind for kind in (gain, draw, numbers, appetite, schedule, nine_discarded, nine_taken)},
}


# ---- verdicts ------------------------------------------------------------------------------------------------------


def judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add Holm's p-values over the family, the verdict of each case, and that of each claim."""
    tested = frame["estimate"].notna()
    frame.loc[tested, "p_holm"] = holm(frame.loc[tested, "p"].tolist())
    frame["case"] = [verdict(row) if there else "" for row, there in zip(frame.to_dict("records"), tested, strict=True)]
    whole = frame.groupby("claim")["case"].agg(lambda cases: together(set(cases)))
    return frame.assign(verdict=frame["claim"].map(whole))


def verdict(row: dict[Any, Any]) -> str:
    """The verdict of a case, by the rule of experiments/_claims.py."""
    low, high = sorted(row["sign"] * (row[end] - row["reference"]) for end in ("low", "high"))
    if high < row["least"]:
        return "fails"
    return "holds" if low >= row["least"] and row["p_holm"] < LEVEL else "undecided"


def together(cases: set[str]) -> str:
    """The verdict of a claim with such cases."""
    if cases in ({"holds"}, {"fails"}):
        return cases.pop()
    return "depends" if {"holds", "fails"} <= cases else "open"


# ---- what is written -----------------------------------------------------------------------------------------------


def conditions(row: dict[Any, Any]) -> str:
    """The table at which a case was tested, in a few words."""
    parts = [row["mine"] if not row["instead"] else f"{row['mine']} or {row['instead']}", row["opponents"]]
    if row["turn"]:
        parts.append(f"own turn {row['turn']:.0f}")
    return " | ".join(part.removeprefix(f"{FOLK},") if f"{FOLK},draw" in part else part for part in parts if part)


def written(frame: pd.DataFrame) -> list[str]:
    """A text for each claim: what it says and who says it, how it is tested, the cases."""
    forms = {
        "players": ("players", ".0f"),
        "rules": ("rules", ""),
        "what": ("studied | opponents", ""),
        "estimate": ("estimate", "+.3f"),
        "low": ("from", "+.3f"),
        "high": ("to", "+.3f"),
        "p_holm": ("Holm p", ".2g"),
        "case": ("verdict", ""),
    }
    texts = []
    for _, rows in frame.groupby("claim", sort=False):
        claim = rows.iloc[0]
        lines = [f"{claim['says']}  --  {claim['verdict'].upper()}", f"Said by: {claim['source']}"]
        if pd.isna(claim["estimate"]):
            texts.append("\n".join(line for one in [*lines, f"Needs {claim['needs']}."] for line in folded(one)))
            continue
        side = "more" if claim["sign"] > 0 else "less"
        tests = (
            f"Measured: {claim['measure']}. Null hypothesis: {claim['null']} ({claim['reference']:g}); worth attention "
            f"from {claim['least']:g} {side} on."
        )
        shown = rows.assign(what=[conditions(row) for row in rows.to_dict("records")])
        lines = [line for one in [*lines, tests] for line in folded(one)]
        texts.append("\n".join([*lines, table(shown, forms, left=3)]))
    return texts


def sentences(frame: pd.DataFrame) -> list[str]:
    """A sentence a claim, every number out of the frame."""
    lines = []
    for _, rows in frame.groupby("claim", sort=False):
        claim = rows.iloc[0]
        if pd.isna(claim["estimate"]):
            lines.append(f"{claim['says']} Open: it needs {claim['needs']}.")
            continue
        parts = []
        for case, alike in rows.groupby("case", sort=False):
            tables = [
                f"with {named(sorted({int(n) for n in group['players']}))} players ({what}) {spread(group)}"
                for what, group in alike.assign(what=[conditions(row) for row in alike.to_dict("records")]).groupby(
                    "what", sort=False
                )
            ]
            parts.append(f"{case} {', '.join(tables)}")
        lines.append(f"{claim['says']} {claim['verdict'].capitalize()}: {'; '.join(parts)}.")
    counted = frame.drop_duplicates("claim")["verdict"].value_counts()
    lines.append(
        "Two of these are arithmetic rather than measured. Among people who knock at 10 nobody who has moved and not "
        "knocked holds 10 or less, so a hand of 6 to 8 wins there and a knock with 10 is not undercut; it is where the "
        "others wait for less that such knocks lose."
    )
    words = {"holds": "hold", "fails": "fail", "depends": "depend", "open": "are open"}
    lines.append(
        "Of the claims "
        + ", ".join(f"{counted[verdict]} {words[verdict]}" for verdict in words if verdict in counted)
        + "."
    )
    return lines


def spread(rows: pd.DataFrame) -> str:
    """The estimates of some cases: one with its interval, or from the lowest to the highest."""
    one = rows.iloc[0]
    unit = "points" if one["unit"] == "points" else "in shares"
    if len(rows) == 1:
        return f"{one['estimate']:+.3f} ({one['low']:+.3f} to {one['high']:+.3f}) {unit}"
    return f"{rows['estimate'].min():+.3f} to {rows['estimate'].max():+.3f} {unit}"


if __name__ == "__main__":
    main()
