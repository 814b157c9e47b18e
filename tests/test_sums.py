"""No sum wraps: bounds of the kernels, chunks that keep to them, and merging of any number of any size."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rumsim
from rumsim.engine import bounds
from rumsim.engine.requests import game_of
from rumsim.lab import advice_words
from rumsim.rules import MOST_TURNS, parse_rules
from rumsim.session_rules import Format
from rumsim.tasks import advice, direct, direct_grid, sessions, trace_grid
from rumsim.tasks.advice import Weighed
from rumsim.tasks.direct import Direct
from rumsim.tasks.direct_grid import DirectGrid
from rumsim.tasks.grid_sums import Batch, GridSums
from rumsim.tasks.session_sums import SessionSums, Total
from rumsim.tasks.sessions import Sessions
from rumsim.tasks.sums import DealSums, exact_sum
from rumsim.tasks.trace_grid import TraceGrid
from tests import golden

LARGEST, LEAST = (1 << 63) - 1, -(1 << 63)
DEAR = "traditional:undercut=1000,rum_bonus=1000,jokers=2,joker_value=40,hand_size=26/17/13/10"
DEALS = "ledger:undercut=1000,rum_bonus=1000"


# ---- merging -------------------------------------------------------------------------------------------------


def test_sums_of_any_size_are_exact():
    random_ = random.Random(1)
    for _ in range(300):
        one, other = (
            [random_.choice([0, LEAST, LARGEST, random_.randint(LEAST, LARGEST)]) for _ in "ab"] for _ in "ab"
        )
        found = exact_sum(np.array(one), np.array(other))
        assert found.tolist() == [a + b for a, b in zip(one, other, strict=True)]
        again = exact_sum(found, np.array(other))
        assert again.tolist() == [a + 2 * b for a, b in zip(one, other, strict=True)]
    assert exact_sum(np.zeros((0, 3), np.int64), np.zeros((0, 3), np.int64)).shape == (0, 3)


def seen(random_: random.Random, blocks: int) -> tuple[int, int]:
    """A sum over blocks, and one of squares near 2^62, such as numbers can have."""
    squares = (1 << 62) - random_.randrange(1 << 40)
    most = int(Fraction(squares * blocks) ** 0.5 * 0.9)
    return random_.randint(-most, most), squares


def right(total: int, squares: int, blocks: int, unit: int) -> tuple[float, float]:
    """Mean and standard error from fractions."""
    variance = Fraction(blocks * squares - total * total, blocks * (blocks - 1))
    return float(Fraction(total, blocks * unit)), float(variance / blocks) ** 0.5 / unit


class Injected:
    """Stands in for a task's ``run``: huge sums for each chunk, added up in Python's whole numbers too."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.sums: dict[Any, list[int]] = {}

    def pair(self, name: object, blocks: int) -> tuple[int, int]:
        pair = seen(self.random, blocks)
        before = self.sums.setdefault(name, [0, 0])
        self.sums[name] = [a + b for a, b in zip(before, pair, strict=True)]
        return pair

    def one(self, name: object) -> int:
        number = self.random.randrange(1 << 61, 1 << 62)
        self.sums[name] = [self.sums.get(name, [0])[0] + number]
        return number


CHUNK, CHUNKS = 65536, 40


@pytest.mark.parametrize("seed", range(6))
def test_huge_sums_of_deals_give_the_right_errors(monkeypatch, seed):
    injected, players = Injected(seed), 3

    def run(self: Direct, first: int, last: int) -> DealSums:
        sums = self.empty()
        for entry in range(2):
            sums.points[entry], sums.points_products[entry, entry] = injected.pair(("points", entry), last - first)
            sums.wins[entry], sums.wins_squares[entry] = injected.pair(("wins", entry), last - first)
        for seat in range(players):
            sums.seat_points[seat], sums.seat_squares[seat] = injected.pair(("seat", seat), last - first)
            sums.seat_wins[seat], sums.seat_wins_squares[seat] = injected.pair(("seat wins", seat), last - first)
        sums.turns[0] = injected.one("turns")
        return replace(sums, blocks=last - first)

    monkeypatch.setattr(Direct, "run", run)
    blocks = CHUNK * CHUNKS
    found = rumsim.simulate(players, ["knock=30", "knock=10"], blocks, DEALS)
    unit = {0: players, 1: players * (players - 1)}
    for estimates, name, parts in ((found.points, "points", 12), (found.wins, "wins", 60)):
        for entry, estimate in enumerate(estimates):
            wanted = right(*injected.sums[name, entry], blocks, parts * unit[entry])
            assert (estimate.mean, estimate.error) == pytest.approx(wanted, rel=1e-12)
    for seats, name, parts in ((found.seat_points, "seat", 12), (found.seat_wins, "seat wins", 60)):
        for seat, estimate in enumerate(seats):
            wanted = right(*injected.sums[name, seat], blocks, parts * players)
            assert (estimate.mean, estimate.error) == pytest.approx(wanted, rel=1e-12)
    assert found.turns == float(Fraction(injected.sums["turns"][0], blocks * players))
    assert found.table() and found.csv()


@pytest.mark.parametrize(("seed", "curves"), [(1, False), (2, True), (3, False), (4, True)])
def test_huge_sums_of_grids_give_the_right_errors(monkeypatch, seed, curves):
    shape, by_seed = (1, 1 if curves else 3, 3), {0: Injected(seed), 1: Injected(seed + 100)}

    def run(self: DirectGrid | TraceGrid, first: int, last: int) -> GridSums:
        sums, injected = self.empty(), by_seed[self.seed]
        for cell in np.ndindex(shape):
            sums.points[cell], sums.points_squares[cell] = injected.pair(("ev", cell), last - first)
            sums.wins[cell], sums.wins_squares[cell] = injected.pair(("win", cell), last - first)
            if curves:
                sums.turns[cell] = injected.one(("turns", cell))
        batch = Batch(last - first, sums.points.copy(), sums.wins.copy())
        return replace(sums, blocks=last - first, batches={first // self.batch: batch})

    monkeypatch.setattr(TraceGrid, "run", run)
    blocks = CHUNK * CHUNKS
    found = rumsim.sweep(3, "10:30:10", blocks, DEALS, table=20 if curves else None)
    searched, confirmed = by_seed[0].sums, by_seed[1].sums
    opponents = (20,) if curves else (10, 20, 30)
    for row in found.best.itertuples():
        cell = 0, opponents.index(row.table), (10, 20, 30).index(row.best)
        assert (row.ev, row.ev_se) == pytest.approx(right(*confirmed["ev", cell], blocks, 12 * 3), rel=1e-9)
    for cell in np.ndindex(shape):
        row = found.frame.query(f"focal == {(10, 20, 30)[cell[2]]} and table == {opponents[cell[1]]}").iloc[0]
        for name, parts in (("ev", 12), ("win", 60)):
            wanted = right(*searched[name, cell], blocks, parts * 3)
            assert (row[name], row[f"{name}_se"]) == pytest.approx(wanted, rel=1e-9)
        if curves:
            assert row["turns"] == pytest.approx(float(Fraction(searched["turns", cell][0], blocks * 3)), rel=1e-12)
    assert found.table()


@pytest.mark.parametrize("seed", range(4))
def test_huge_sums_of_sessions_give_the_right_errors(monkeypatch, seed):
    injected, players = Injected(seed), 3

    def run(self: Sessions, first: int, last: int) -> SessionSums:
        sums = self.empty()
        for part in (sums.bots, sums.places):
            for each in (part.ranks, part.entries, part.prizes):
                assert each.dtype == np.int64
        blocks = last - first
        bots = replace(
            sums.bots,
            points=tuple(Total(*injected.pair(("points", bot), blocks)) for bot in range(2)),
            wins=tuple(Total(*injected.pair(("wins", bot), blocks)) for bot in range(2)),
            ranks=np.array([[injected.one(("ranks", bot, rank)) for rank in range(players)] for bot in range(2)]),
            entries=np.array([injected.one(("entries", bot)) for bot in range(2)]),
            prizes=np.array([injected.one(("prizes", bot)) for bot in range(2)]),
        )
        return replace(sums, blocks=blocks, bots=bots)

    monkeypatch.setattr(Sessions, "run", run)
    monkeypatch.setattr(Sessions, "chunk", CHUNK)
    blocks = CHUNK * CHUNKS
    found = rumsim.session(players, ["knock=30", "knock=10"], "pool", blocks, DEALS, rebuys=1_000_000)
    prizes = sum(injected.sums["prizes", bot][0] for bot in range(2))
    for bot, (fortune, many) in enumerate(zip(found.by_bot, (1, 2), strict=True)):
        for estimate, name, parts in ((fortune.points, "points", 12), (fortune.wins, "wins", 60)):
            wanted = right(*injected.sums[name, bot], blocks, parts * players * many)
            assert (estimate.mean, estimate.error) == pytest.approx(wanted, rel=1e-12)
        sums = {name: injected.sums[name, bot][0] for name in ("entries", "prizes")}
        assert fortune.re_entries == float(Fraction(sums["entries"], players * many * blocks))
        assert fortune.prize == float(Fraction(sums["prizes"], 12 * players * many * blocks))
        assert fortune.prize_share == float(Fraction(sums["prizes"], many * prizes))
        ranks = [injected.sums["ranks", bot, rank][0] for rank in range(players)]
        assert fortune.ranks == tuple(float(Fraction(rank, 60 * players * many * blocks)) for rank in ranks)


@pytest.mark.parametrize("seed", range(3))
def test_huge_sums_of_advice_give_the_right_errors(seed):
    random_, fit, times = random.Random(seed), 1 << 20, 64
    total, exact = None, np.zeros((2, 2), object)
    mean = np.zeros(2, object)
    for _ in range(times):
        products = np.array([[0, random_.randrange(-(1 << 62), 1 << 62)], [0, 0]], np.int64)
        products[1, 0] = products[0, 1]
        products[0, 0], products[1, 1] = LARGEST, LARGEST - 1
        sums = np.array([[random_.randrange(-(1 << 40), 1 << 40), 1 << 62, 0] for _ in range(2)], np.int64)
        part = Weighed(fit, fit, fit, 1, sums, products)
        total = part if total is None else total + part
        exact, mean = exact + products.astype(object), mean + sums[:, 0].astype(object)
    many = fit * times
    for place in range(2):
        variance = Fraction(int(exact[place, place]), many) - Fraction(int(mean[place]), many) ** 2
        wanted = float(variance / (many - 1)) ** 0.5 / 12
        assert advice_words.errors(total)[place] == pytest.approx(wanted, rel=1e-9)
    assert advice_words.values_of(total)[0].win == float(Fraction(times << 62, 60 * many))
    square = Fraction(int(exact[0, 0] + exact[1, 1] - 2 * exact[0, 1]), many)
    apart = Fraction(int(mean[0] - mean[1]), many)
    found = advice_words._difference(total, 0, 1)
    assert found[0] == pytest.approx(float(apart / 12))
    assert found[1] == pytest.approx(advice_words.Z * float((square - apart**2) / (many - 1)) ** 0.5 / 12, rel=1e-9)


def test_advice_is_weighed_in_parts(monkeypatch):
    def asked() -> dict[str, Any]:
        hand = "AS 2S 5H 6H 9C 9D KS"
        found = rumsim.advise(3, 1, 2, "knock=20", hand, drawn="4C", blocks=2000, jobs=2)
        return found.as_json()

    whole = asked()
    monkeypatch.setattr(advice, "most_decks", lambda game, futures: 300)
    assert asked() == whole


# ---- bounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_block_adds_more_than_its_bound(players):
    bots = (rumsim.parse_bot("knock=0"), *[rumsim.parse_bot("knock=200")] * (players - 1))
    for rules in (DEAR, DEALS, "ledger"):
        known = parse_rules(rules)
        game = game_of(known, players)
        rows = Direct(known, bots, (0, *[1] * (players - 1)), 1).blocks(0, 300)
        most = bounds.most_points(game) * players
        largest = max(int(np.abs(each).max()) for each in (rows.points, rows.seat_points))
        assert most / 100 < largest <= most
        assert max(int(each.max()) for each in (rows.wins, rows.seat_wins)) <= 60 * players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [DEAR, DEALS, "ledger", f"{DEAR},max_turns={MOST_TURNS}"])
def test_so_many_blocks_fit_one_call(players, rules):
    game = game_of(parse_rules(rules), players)
    points, wins = bounds.most_points(game) * players, 60 * players
    blocks = bounds.most_blocks(game)
    for a_block in (points, points**2, wins, wins**2, players, players * game.max_turns, 2 * points):
        assert a_block * blocks < 1 << 63
    assert blocks >= direct_grid._MOST, "as many as the usual chunk"
    assert players * bounds.GRID_BLOCKS < 1 << 20
    for futures in (1, 32):
        assert bounds.most_decks(game, futures) * (futures * bounds.most_points(game)) ** 2 < 1 << 63
    # What traces keep: points in 32 bits, beside ten bits of wins of up to five seats where a grid packs them.
    assert points << 10 < 1 << 31 and 300 < 1 << 10
    assert game.size * max(10, game.jokers.value if game.jokers else 0) < 1 << 15


def test_one_call_never_gets_more_blocks_than_its_sums_hold(monkeypatch):
    given: list[int] = []
    request = replace(golden.REQUESTS[2], last=40)
    whole = request.task.run(0, 40)
    plain = Direct._play

    def noted(self: Direct, first: int, last: int, wanted: int) -> Any:
        given.append(last - first)
        return plain(self, first, last, wanted)

    monkeypatch.setattr(Direct, "_play", noted)
    monkeypatch.setattr(direct, "most_blocks", lambda game: 7)
    parted = request.task.run(0, 40)
    assert given == [7] * 5 + [5]
    for field in fields(whole):
        assert np.array_equal(getattr(whole, field.name), getattr(parted, field.name))
    with pytest.raises(AssertionError, match="more blocks than the sums of one call hold"):
        request.task.blocks(0, 8)


def test_grids_and_sessions_are_parted_too(monkeypatch):
    rules, bots = parse_rules("ledger"), [rumsim.parse_bot(f"knock={threshold}") for threshold in (10, 20)]
    grids = [
        TraceGrid(rules, (3,), bots[0], bots[0], (10, 20), (10, 20), 1, 9, True),
        DirectGrid(rules, (3,), tuple(bots), tuple(bots), 1, 9),
    ]
    sittings = Sessions(rules, Format("rotation"), (bots[0], bots[1], bots[1]), (0, 1, 1), 1)
    whole = [*(grid.run(0, 40) for grid in grids), sittings.run(0, 40)]
    monkeypatch.setattr(trace_grid, "GRID_BLOCKS", 7)
    monkeypatch.setattr(direct_grid, "_MOST", 7)
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 7)
    parted = [*(grid.run(0, 40) for grid in grids), sittings.run(0, 40)]
    for one, other in zip(whole[:2], parted[:2], strict=True):
        for field in fields(one)[:-1]:
            assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name
        assert {n: (b.blocks, b.points.tolist()) for n, b in one.batches.items()} == {
            n: (b.blocks, b.points.tolist()) for n, b in other.batches.items()
        }
    assert str(whole[2]) == str(parted[2])
    with pytest.raises(AssertionError, match="more blocks than the sums of one call hold"):
        grids[0]._at(0, 0, 8)


# ---- what a request may ask for ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: rumsim.simulate(2, "knock=9", 10**15 + 1), "blocks: got 1000000000000001; allowed: a whole"),
        (lambda: rumsim.sweep(2, [9], 10**15 + 1), "blocks: got 1000000000000001; allowed: a whole"),
        (lambda: rumsim.session(2, "knock=9", "match", 1 << 43), "at least 1 and at most 8,796,093,022,207"),
        (lambda: parse_rules(f"ledger:max_turns={10**12 + 1}"), "at least 1 and at most 1,000,000,000,000"),
        (lambda: rumsim.simulate(2, "knock=9", 1, seed=10**5000), "seed: got a number of more than 1000 digits"),
        (lambda: rumsim.simulate(2, "knock=9", 10**5000), "blocks: got a number of more than 1000 digits"),
    ],
)  # fmt: skip
def test_whole_numbers_have_upper_bounds(call, line):
    with pytest.raises(rumsim.RequestError, match=line):
        call()


def test_the_largest_numbers_that_are_allowed_play():
    found = rumsim.simulate(2, "knock=60", 3, f"ledger:max_turns={10**12}", seed=10**999 + 1)
    assert found.blocks == 3 and found.ends["knock"] == 1
