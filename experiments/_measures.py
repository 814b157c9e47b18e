"""What the claims about advice are measured with: a function a kind of claim, a case in, an estimate out.

An estimate without an error is a chance of which every knock said the same; what comes with each is how many blocks
tell of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments._claims import FOLK, SEARCH_SEED, SEED, Case
from rumsim import decks
from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
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
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.rules import Rules, parse_rules
from rumsim.stats.blocks import Estimate, estimate
from rumsim.stats.ratios import ratio
from rumsim.stats.student import quantile
from rumsim.tasks.direct import Direct
from rumsim.tasks.response import Question
from rumsim.tasks.seating import seating_of
from rumsim.tasks.traces import ends_under, trace

PLAYED, TRACED, LOGGED, SEARCHED = 200_000, 16_000, 20_000, 40_000  # blocks
TIES = 8_000  # blocks on which the likeliest tie is searched for
OFTEN = 200  # knocks there that a count must have to be looked at
JOBS = os.cpu_count() or 1
NEVER, NINE = -1, 8  # a threshold, and a rank
NINES = sum(1 << (13 * suit + NINE) for suit in range(4))
LOOKED_AT = 4  # own turns in which nines are watched
TIED_TURNS, TIED_COUNTS = 8, 41  # own turns, and counts below, at which ties are looked for
COUNTS = {"6 to 8": (6, 8), "21 to 25": (21, 25), "15 to 20": (15, 20)}
ADVISED = (8, 10)

Integers = npt.NDArray[np.int64]


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


def rows_under(case: Case, knock: list[list[int]], traces: Traces | None = None) -> Integers:
    """The rows in which traces end, for the thresholds of each seat by own turn; the last value repeats."""
    longest = max(map(len, knock))
    filled = [seat + seat[-1:] * (longest - len(seat)) for seat in knock]
    known = traced(case.rules, case.players) if traces is None else traces
    return ends_under(known, filled, parse_rules(case.rules))


def seated(case: Case, focal: int, mine: list[int]) -> list[list[int]]:
    """Thresholds by seat: those of the studied player in its seat, those of the opponents in all others."""
    others = [threshold(case.opponents)]
    return [mine if seat == focal else others for seat in range(case.players)]


def threshold(bot: str) -> int:
    return parse_bot(bot).knock[0][0]  # type: ignore[union-attr]


# ---- estimates -----------------------------------------------------------------------------------------------------


def over_blocks(values: Integers, unit: int) -> Estimate:
    """The mean over blocks of whole numbers, in units."""
    return estimate(int(values.sum()), sum(value * value for value in values.tolist()), len(values), unit)


def a_knock(values: Integers, knocks: Integers, unit: int, *, chance: bool = False) -> tuple[Estimate, int]:
    """The mean of something that happens more than once or not at all in a block, and in how many blocks it does.

    A chance of which all knocks say the same has no error.  It counts for as many blocks as the knocks would fill: were
    its mean m, a block would show it with a chance of at least m times the mean over the most knocks of a block.
    """
    sums = (values.sum(), knocks.sum(), (values**2).sum(), (values * knocks).sum(), (knocks**2).sum())
    with_some = int((knocks > 0).sum())
    found = ratio(*map(int, sums), len(values))
    if found.mean is None or found.error is None or found.interval is None:
        return found, with_some
    if chance and not found.error:
        return Estimate(found.mean / unit, None, None), max(1, int(knocks.sum() // knocks.max()))
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


def decisions(
    case: Case, low: int, high: int, traces: Traces | None = None, turn: int = 0
) -> Iterator[tuple[int, Integers, npt.NDArray[np.bool_]]]:
    """For each seat of the studied player, who has not knocked yet: its own turn's row, and where the count is so."""
    known = traced(case.rules, case.players) if traces is None else traces
    for focal in range(case.players):
        until = rows_under(case, seated(case, focal, [NEVER]), known)
        rows = known.starts[:-1] + ((turn or case.turn) - 1) * case.players + focal
        # A deal that nobody ends has its end in its last row, which is no turn.
        there = rows < np.minimum(until, known.starts[1:] - 1)
        counts = known.counts[np.where(there, rows, 0)]
        yield focal, rows, there & (low <= counts) & (counts <= high)


def knock_wins(case: Case) -> tuple[Estimate, int]:
    won, knocks = np.zeros((2, TRACED), np.int64)
    for focal, rows, so in decisions(case, *COUNTS[case.mine]):
        won[so] += traced(case.rules, case.players).wins[rows[so], focal]
        knocks += so
    return a_knock(won, knocks, SIXTIETHS, chance=True)


def now(case: Case) -> tuple[Estimate, int]:
    """What a knock brings, less what comes if one plays on until the count of the bot named instead."""
    low, high = COUNTS[case.mine]
    return now_or_later(case, case.turn, low, high, threshold(case.instead))


def now_or_later(case: Case, turn: int, low: int, high: int, until: int, sign: int = 1) -> tuple[Estimate, int]:
    """What a knock with such a count on an own turn brings, less what comes if one plays on until less."""
    gaps, knocks = np.zeros((2, TRACED), np.int64)
    points = traced(case.rules, case.players).points
    for focal, rows, so in decisions(case, low, high, turn=turn):
        later = rows_under(case, seated(case, focal, [NEVER] * turn + [until]))
        gaps[so] += sign * (points[rows[so], focal].astype(np.int64) - points[later[so], focal])
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


def risk(case: Case) -> tuple[Estimate, int]:
    """How many knocks as advised are lost, after the first round."""
    traces = traced(case.rules, case.players)
    lost, knocks = np.zeros((2, TRACED), np.int64)
    for focal in range(case.players):
        rows = rows_under(case, seated(case, focal, [threshold(case.mine)]))
        counts, turns = traces.counts[rows], rows - traces.starts[:-1]
        # A deal that nobody ends has no count in its last row.
        advised = (ADVISED[0] <= counts) & (counts <= ADVISED[1])
        so = advised & (turns % case.players == focal) & (turns >= case.players)
        lost += so & (traces.wins[rows, focal] == 0)
        knocks += so
    return a_knock(lost, knocks, 1, chance=True)


class LikeliestTie(NamedTuple):
    """The own turn and count at which a knock is most often tied, and how often, on the decks of the search."""

    turn: int
    count: int
    share: float


@cache
def likeliest_tie(rules: str, players: int, opponents: str) -> LikeliestTie:
    """Search for it among the counts with which a player meets a turn often enough."""
    known, case = parse_rules(rules), Case(players, opponents=opponents, rules=rules)
    traces = trace(known, [parse_bot(FOLK)] * players, SEARCH_SEED, 0, TIES, jobs=JOBS)
    ties, knocks = np.zeros((2, TIED_TURNS + 1, TIED_COUNTS), np.int64)
    for turn in range(1, TIED_TURNS + 1):
        for focal, rows, so in decisions(case, 1, TIED_COUNTS - 1, traces, turn):
            counts, so_tied = traces.counts[rows[so]], tied_at(known, traces, rows[so], focal)
            ties[turn] += np.bincount(counts[so_tied], minlength=TIED_COUNTS)
            knocks[turn] += np.bincount(counts, minlength=TIED_COUNTS)
    shares = np.where(knocks >= min(OFTEN, knocks.max()), ties / np.maximum(knocks, 1), -1)
    turn, count = np.unravel_index(int(shares.argmax()), shares.shape)
    return LikeliestTie(int(turn), int(count), float(shares[turn, count]))


def tied_at(rules: Rules, traces: Traces, rows: Integers, focal: int) -> npt.NDArray[np.bool_]:
    """Where a knock in these rows would be tied.

    Only a tied knocker who wins nothing gets exactly this: one who is undercut pays the difference too.
    """
    pays = -TWELFTHS * rules.undercut if rules.tie == "penalty" else 0
    found: npt.NDArray[np.bool_] = (traces.points[rows, focal] == pays) & (traces.wins[rows, focal] == 0)
    return found


def tied(case: Case) -> tuple[Estimate, int]:
    """What playing on until less brings where a tie is likeliest, less what the knock brings."""
    found = likeliest_tie(case.rules, case.players, case.opponents)
    return now_or_later(case, found.turn, found.count, found.count, found.count - 1, sign=-1)


def limit(case: Case) -> tuple[Estimate, int]:
    """How many of all knocks are lost without a knock limit of ten, less how many with it."""
    traces, players = traced(case.rules, case.players), case.players
    if case.opponents == "by player":  # "knock=10, 20, 30 …"
        first, second = (int(word) for word in case.mine.removeprefix("knock=").split(", ")[:2])
        given = [first + (second - first) * player for player in range(players)]
    else:
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


FROM_TRACES = {kind.__name__: kind for kind in (knock_wins, now, between, risk, tied, limit, numbers_best)}
CHANCES = ("knock_wins", "between", "risk")  # shares of knocks or opponents, 0 to 1
KINDS: dict[str, Callable[[Case], tuple[Estimate, int]]] = {
    **FROM_TRACES,
    **{kind.__name__: kind for kind in (gain, draw, numbers, appetite, schedule, nine_discarded, nine_taken)},
}


def found(kind: str, case: Case) -> str:
    """What was searched for, on other decks: the constants that are compared, or the likeliest tie."""
    if kind in ("numbers", "appetite"):
        own = best(case.rules, case.players, case.opponents)
        usual = best(case.rules, *((3, case.opponents) if kind == "numbers" else (case.players, FOLK)))
        return f"{own} or {usual}"
    if kind == "schedule":
        return f"constant {best(case.rules, case.players, case.opponents)}"
    if kind == "tied":
        turn, count, share = likeliest_tie(case.rules, case.players, case.opponents)
        return f"{count} on own turn {turn}, tied in {share:.0%}"
    return ""


def example() -> str:
    """The first deal in which a legal knock loses, refereed: how to see it, and what happens in it."""
    mine, players, block = "knock=25", 3, 0
    while True:
        for rotation in range(players):
            deal = Deal(parse_rules("ledger"), players, players - 1 - rotation, decks.deck(SEED, block, 52))
            play_out(deal, [parse_bot(mine), *[parse_bot(FOLK)] * (players - 1)], SEED, block)
            if deal.knocker == 0 and (settled := deal.settle()).undercut:
                winner = settled.winners[0]
                return (
                    f"rumsim play --players {players} --bots {mine} {FOLK} --seed {SEED} --block {block} --rotation "
                    f"{rotation}: player 0 knocks with {deal.count(0)}, player {winner} holds {deal.count(winner)} and "
                    f"wins; player 0 pays {-settled.transfers[0]} points"
                )
        block += 1
