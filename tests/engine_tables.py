"""Random tables, and one deal at them as the engine plays it and as the referee does, in the same words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from rumsim import decks
from rumsim.bots import ThresholdBot, table_bots
from rumsim.cards import JOKERS
from rumsim.engine import deal as engine
from rumsim.engine.requests import (
    COUNT_PLACES,
    ENDS,
    EXHAUSTED,
    KNOCK,
    LOG_CARD,
    LOG_COUNT,
    LOG_DISCARD,
    LOG_RENEWED,
    LOG_SEAT,
    LOG_TAKEN,
    LOG_WIDTH,
    MOST_PLAYERS,
    SIXTIETHS,
    STALLED,
    TURN_PLACES,
    TWELFTHS,
    Rows,
    empty_rows,
    empty_totals,
    game_of,
    new_room,
)
from rumsim.referee import Deal
from rumsim.referee.play import play_out
from rumsim.rules import Rules, parse_rules
from rumsim.tasks.direct import Direct
from rumsim.tasks.seating import seating_of
from rumsim.tasks.sums import DealSums
from tests.compiled import settle


@dataclass(frozen=True)
class Table:
    """Rules and bots as a user writes them."""

    players: int
    rules: str
    bots: tuple[str, ...]
    seed: int

    @property
    def known(self) -> Rules:
        return parse_rules(self.rules)

    @property
    def seated(self) -> list[ThresholdBot]:
        return table_bots(self.bots, self.players)

    @property
    def entry_of(self) -> tuple[int, ...]:
        return tuple(min(player, len(self.bots) - 1) for player in range(self.players))

    @property
    def task(self) -> Direct:
        return Direct(self.known, tuple(self.seated), self.entry_of, self.seed)

    def command(self, block: int, rotation: int) -> str:
        """What to type to see a deal at this table, for messages."""
        bots = " ".join(f"'{bot}'" for bot in self.bots)
        return (
            f"rumsim play --players {self.players} --rules '{self.rules}' --bots {bots} "
            f"--seed {self.seed} --block {block} --rotation {rotation}"
        )


class Move(NamedTuple):
    seat: int
    draw: str
    card: int
    discard: int
    count: int
    renewed: bool


class Course(NamedTuple):
    """A whole deal, by seat: amounts in twelfths of a point, win shares in sixtieths."""

    moves: list[Move]
    end: str
    knocker: int | None
    turns: int
    hands: list[int]
    counts: list[int]
    points: list[int]
    wins: list[int]
    rum: bool
    undercut: bool
    tied: bool


# ---- as the engine plays it ----------------------------------------------------------------------------------


def engine_course(table: Table, block: int, rotation: int) -> Course:
    rules, players = table.known, table.players
    game = game_of(rules, players)
    hands = np.zeros(MOST_PLAYERS, np.uint64)
    counts, points, wins = np.zeros((3, MOST_PLAYERS), np.int64)
    log = np.full((rules.max_turns + 1, LOG_WIDTH), -9, np.int64)  # a row to spare: a turn too many must show
    end, knocker, turns = engine.play_one(
        game,
        seating_of(table.seated, table.entry_of, rules),
        rotation,
        np.uint64(decks.key_of(table.seed)),
        np.uint64(block),
        *(new_room(), hands, counts, points, wins, log),
    )
    assert (log[turns:] == -9).all(), "the log goes on after the deal"
    flags = (False, False, False) if end == STALLED else settle(counts, knocker, game, *np.zeros((2, 5), np.int64))
    assert not (hands[players:].any() or counts[players:].any() or points[players:].any() or wins[players:].any())
    return Course(
        moves=[_logged(row) for row in log[:turns].tolist()],
        end={KNOCK: "knock", EXHAUSTED: "exhausted", STALLED: "stalled"}[end],
        knocker=knocker if knocker >= 0 else None,
        turns=turns,
        hands=hands[:players].tolist(),
        counts=counts[:players].tolist(),
        points=points[:players].tolist(),
        wins=wins[:players].tolist(),
        rum=flags[0],
        undercut=flags[1],
        tied=flags[2],
    )


def _logged(row: list[int]) -> Move:
    return Move(
        seat=row[LOG_SEAT],
        draw="upcard" if row[LOG_TAKEN] else "stock",
        card=row[LOG_CARD],
        discard=row[LOG_DISCARD],
        count=row[LOG_COUNT],
        renewed=bool(row[LOG_RENEWED]),
    )


# ---- as the referee does -------------------------------------------------------------------------------------


def refereed(table: Table, block: int, rotation: int) -> Deal:
    rules = table.known
    deck = decks.deck(table.seed, block, rules.deck_size)
    deal = Deal(rules, table.players, table.players - 1 - rotation, deck)
    play_out(deal, table.seated, table.seed, block)
    return deal


def course_of(deal: Deal) -> Course:
    order = [(deal.dealer + 1 + seat) % deal.players for seat in range(deal.players)]
    settled = deal.settle()
    return Course(
        moves=[
            Move(deal.seat_of(t.player), t.draw, t.card, t.discard, t.deadwood, t.reshuffle is not None)
            for t in deal.turns
            if t.draw != "decline"  # no turn
        ],
        end=str(deal.end),
        knocker=None if deal.knocker is None else deal.seat_of(deal.knocker),
        turns=deal.table_turns,
        hands=[deal.hands[player] for player in order],
        counts=[deal.count(player) for player in order],
        # Fractions, so that a part of a twelfth would be seen.
        points=[settled.transfers[player] * TWELFTHS for player in order],
        wins=[settled.win_shares[player] * SIXTIETHS for player in order],
        rum=settled.rum,
        undercut=settled.undercut,
        tied=settled.tied,
    )


def referee_course(table: Table, block: int, rotation: int) -> Course:
    return course_of(refereed(table, block, rotation))


# ---- sums over blocks, from whole deals ----------------------------------------------------------------------


def summed(table: Table, first: int, last: int, course: Callable[[Table, int, int], Course]) -> tuple[DealSums, Rows]:
    """What a task must find for the blocks from ``first`` up to ``last``, added up deal by deal."""
    players = table.players
    rows, totals = empty_rows(last - first, len(table.bots), players), empty_totals(len(table.bots), players)
    for row in range(last - first):
        for rotation in range(players):
            deal = course(table, first + row, rotation)
            for player, entry in enumerate(table.entry_of):
                seat = (player + rotation) % players
                rows.points[row, entry] += int(deal.points[seat])
                rows.wins[row, entry] += int(deal.wins[seat])
                rows.seat_points[row, seat] += int(deal.points[seat])
                rows.seat_wins[row, seat] += int(deal.wins[seat])
            happened = {deal.end} | {name for name in ("rum", "undercut", "tied") if getattr(deal, name)}
            totals.ends[:] += [name in happened for name in ENDS]
            totals.turns[0] += deal.turns
            if deal.knocker is not None:
                knocker = table.entry_of[(deal.knocker - rotation) % players]
                own_turn = sum(move.seat == deal.knocker for move in deal.moves)
                totals.knock_counts[knocker, min(deal.counts[deal.knocker], COUNT_PLACES - 1)] += 1
                totals.knock_turns[knocker, min(own_turn, TURN_PLACES - 1)] += 1
    for block in range(last - first):
        points = rows.points[block].tolist()
        totals.points_products[:] += [[one * other for other in points] for one in points]
        for column, sums, squares in _COLUMNS:
            numbers = getattr(rows, column)[block].tolist()
            getattr(totals, sums)[:] += numbers
            if squares:
                getattr(totals, squares)[:] += [number**2 for number in numbers]
    return DealSums(last - first, *totals), rows


_COLUMNS = (
    *(("points", "points", None), ("wins", "wins", "wins_squares")),
    *(("seat_points", "seat_points", "seat_squares"), ("seat_wins", "seat_wins", "seat_wins_squares")),
)


def assert_alike(found: tuple[DealSums, Rows], expected: tuple[DealSums, Rows]) -> None:
    """What a task found is, number for number and shape for shape, what was expected."""
    assert found[0].blocks == expected[0].blocks
    names = [field.name for field in fields(DealSums) if field.name != "blocks"]
    for one, other, of in ((found[0], expected[0], names), (found[1], expected[1], Rows._fields)):
        for name in of:
            left, right = getattr(one, name), getattr(other, name)
            assert left.shape == right.shape and left.dtype == right.dtype == np.int64, name
            assert (left == right).all(), name


# ---- what happened -------------------------------------------------------------------------------------------

WANTED = (
    *("knock", "rum", "undercut", "tied", "tied knocker fined", "several winners", "exhausted", "stalled"),
    *("upcard taken", "upcard taken on an empty stock", "reshuffle", "second reshuffle", "knock on the first turn"),
    *("joker from the stock", "joker taken from the pile", "joker given back"),
)


def happened(deal: Deal) -> Counter[str]:
    """Count which of the rarer things a deal shows; each at most once."""
    settled, rules = deal.settle(), deal.rules
    seen = {str(deal.end)} | {name for name in ("rum", "undercut", "tied") if getattr(settled, name)}
    if len(settled.winners) > 1:
        seen.add("several winners")
    if settled.tied and rules.tie == "penalty" and rules.undercut:
        seen.add("tied knocker fined")
    if deal.end == "exhausted" and len(settled.winners) == deal.players:
        seen.add("all compared hands equal")
    if deal.reshuffles:
        seen.add("reshuffle")
    if deal.reshuffles > 1:
        seen.add("second reshuffle")
    if deal.end == "knock" and deal.table_turns == 1:
        seen.add("knock on the first turn")
    if deal.end == "knock" and deal.table_turns == rules.max_turns:
        seen.add("knock on the last turn allowed")
    left = rules.deck_size - deal.players * rules.size_for(deal.players) - 1
    for turn in deal.turns:
        if turn.draw == "upcard":
            seen.add("upcard taken")
            if left == 0 and rules.stock == "compare":
                seen.add("upcard taken on an empty stock")
        left -= turn.draw == "stock"
        if turn.card in JOKERS:
            seen.add("joker taken from the pile" if turn.draw == "upcard" else "joker from the stock")
        if turn.discard in JOKERS:
            seen.add("joker given back")
    return Counter(seen)


# ---- random tables -------------------------------------------------------------------------------------------


def random_table(rng: random.Random, players: int) -> Table:
    if rng.random() < 0.08:
        return rare_table(rng, players)
    patient = rng.random() < 0.35
    rules = random_rules(rng, players, patient)
    bots = [random_bot(rng, players, patient) for _ in range(rng.choice([1, 2, players, players]))]
    return Table(players, rules, tuple(bots), seed=rng.choice([0, 1, rng.randrange(1 << 20), rng.randrange(1 << 100)]))


def rare_table(rng: random.Random, players: int) -> Table:
    """A table made for what is rare at others: a stock soon empty with takers for the upcard, or tied knockers."""
    if rng.random() < 0.5:
        rules = f"ledger:hand_size={50 // players},max_turns={rng.randint(6, 9)}"
        bots = [f"knock={rng.choice(['never', 0, 20])},draw={rng.choice(['improve:0', 'improve', 'meld'])}"]
    else:
        rules = f"traditional:hand_size={rng.randint(1, 2)},undercut={rng.randint(1, 20)},max_turns={rng.randint(1, 9)}"
        bots = [f"knock={rng.randint(1, 20)}", f"knock={rng.randint(1, 20)},draw=always"]
    return Table(players, rules, tuple(bots), rng.randrange(1 << 20))


def random_rules(rng: random.Random, players: int, patient: bool) -> str:
    """Any rules that a table of that many players can use; hopeless deals are kept short."""
    most = 50 // players
    words = [name for name in ("ace-high", "poker-rum") if rng.random() < 0.2]
    words += rng.choice([[], [], [], ["joker-knock"], ["jokers=1"]])
    size = {2: 10}.get(players, 7)
    chosen = rng.random()
    if chosen < 0.15:
        words.append("seven")
        size = 7
    elif chosen < 0.65:
        low, high = rng.choice([(1, 3)] * 4 + [(4, 9)] * 2 + [(1, most)] + [(most - 2, most)] * (4 if patient else 1))
        size = rng.randint(min(low, most), min(high, most))
        sizes = [rng.randint(1, 26) for _ in range(4)]  # those of other tables, which are not asked for
        sizes[players - 2] = size
        words.append(f"hand_size={size}" if rng.random() < 0.5 else "hand_size=" + "/".join(map(str, sizes)))
    limit = rng.random()
    if limit < 0.2:
        words.append(rng.choice(["rum-knock", "no-knock"]))
    elif limit < 0.5:
        words.append(f"knock_limit={rng.choice(['none', 0, 200, rng.randint(1, 40), rng.randint(1, 200)])}")
    for field, values in {
        "stock": ["compare", "reshuffle"],
        "tie": ["free", "penalty"],
        "undercut": [0, 1, 1000, rng.randint(0, 1000)],
        "rum_bonus": [0, 1, 1000, rng.randint(0, 1000)],
        "ace": ["low", "high-or-low"],
        "joker_value": [0, 15, 40],
        "min_naturals": [1, 2, 3],
    }.items():
        if rng.random() < 0.35:
            words.append(f"{field}={rng.choice(values)}")
    if size > 8 or rng.random() < 0.98:
        # The referee takes a millisecond a turn, far more with large hands; patient players need the whole stock.
        stock = 51 - players * size
        bottom = stock + rng.randint(-3, 12) if size < 12 else min(stock + 5, 10 if size < 20 else 6)
        words.append(f"max_turns={max(bottom, 1) if patient else rng.randint(1, 20 if size < 12 else 5)}")
    return rng.choice(["ledger", "traditional"]) + (":" if words else "") + ",".join(words)


def random_bot(rng: random.Random, players: int, patient: bool) -> str:
    """Patient bots hardly knock: they empty stocks, stall, and go out with rum."""
    words = []
    if rng.random() < 0.95 or patient:
        seats = rng.randint(players, 5) if rng.random() < 0.2 else 1
        words.append("knock=" + "+".join(_random_schedule(rng, patient) for _ in range(seats)))
    if rng.random() < 0.9:
        margin = rng.choice([0, 0, 1, 2, rng.randint(3, 12), rng.randint(10, 99), 1 << rng.randint(15, 80)])
        words.append(
            "draw=" + rng.choice(["stock"] * (1 + patient) + ["meld", "improve", "always", f"improve:{margin}"])
        )
    if rng.random() < 0.2:
        words.append("discard=greedy")
    rng.shuffle(words)
    return ",".join(words) or "knock=10"


def _random_schedule(rng: random.Random, patient: bool) -> str:
    length = rng.randint(2, 6) if rng.random() < 0.3 else 1
    if patient:
        return "/".join(str(rng.choice(["never", 0, 0, rng.randint(0, 3)])) for _ in range(length))
    return "/".join(
        str(rng.choice(["never", 0, 200, rng.randint(0, 15), rng.randint(0, 45), rng.randint(20, 80)]))
        for _ in range(length)
    )
