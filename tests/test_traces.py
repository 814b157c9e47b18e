"""One trace answers every threshold: what is read off a trace is what direct play does, transfer for transfer."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rumsim
from rumsim.bots import ThresholdBot
from rumsim.bots.threshold import NEVER
from rumsim.engine.grid_requests import empty_sheet, ladder_of
from rumsim.engine.requests import game_of
from rumsim.errors import RequestError
from rumsim.tasks.direct_grid import DirectGrid
from rumsim.tasks.trace_grid import TraceGrid, fit_for_traces
from rumsim.tasks.traces import ends_under, trace
from tests.engine_tables import Course, Table, engine_course, random_table

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
DEALS = 1300  # at each number of players


# ---- schedules -----------------------------------------------------------------------------------------------


def schedule(rng: random.Random, shape: str) -> tuple[int, ...]:
    """Thresholds by own turn."""
    if shape == "constant":
        return (rng.choice([0, 200, rng.randint(0, 90)]),)
    found = sorted(rng.randint(0, 60) for _ in range(rng.randint(2, 9)))
    if shape == "falling":
        found.reverse()
    elif shape == "random":
        found = [rng.choice([NEVER, one]) for one in found]
        rng.shuffle(found)
    return tuple(found)


def rescheduled(rng: random.Random, table: Table, seen: Counter[str]) -> Table:
    """The same table, whose players knock by schedules of every shape, some by seat."""
    bots = []
    for bot in table.seated:
        shape = rng.choice(["constant", "rising", "falling", "random"])
        by_seat = rng.random() < 0.4
        knock = tuple(schedule(rng, shape) for _ in range(table.players if by_seat else 1))
        bots.append(replace(bot, knock=knock))
        seen.update([shape, bot.draw, *(["by seat"] if by_seat else [])])
    seen[table.rules.partition(":")[0]] += 1
    return replace(table, bots=tuple(map(str, bots)))


def read_off(table: Table, block: int, rotation: int) -> Course:
    """The end of a deal, from its trace."""
    players, rules = table.players, table.known
    traces = trace(rules, table.seated, table.seed, block, block + 1, rotation=rotation)
    at_seat = [table.seated[(seat - rotation) % players] for seat in range(players)]
    length = max(len(seat) for bot in at_seat for seat in bot.knock)
    knock = [[bot.threshold(seat, turn + 1) for turn in range(length)] for seat, bot in enumerate(at_seat)]
    row = int(ends_under(traces, knock, rules)[0])
    knocked = row < traces.starts[1] - 1
    turns = row + 1 if knocked else row
    return Course(
        moves=[],
        end="knock" if knocked else "",
        knocker=row % players if knocked else None,
        turns=turns,
        hands=[],
        counts=[],
        points=traces.points[row].tolist(),
        wins=traces.wins[row].tolist(),
        rum=False,
        undercut=False,
        tied=False,
    )


@PLAYERS
def test_a_schedule_read_off_a_trace_is_direct_play(players: int) -> None:
    rng = random.Random(f"traces, {players} players")
    seen: Counter[str] = Counter()
    for _ in range(DEALS):
        table = rescheduled(rng, random_table(rng, players), seen)
        block, rotation = rng.randrange(1000), rng.randrange(players)
        found, direct = read_off(table, block, rotation), engine_course(table, block, rotation)
        told = table.command(block, rotation)
        assert (found.knocker, found.turns) == (direct.knocker, direct.turns), told
        assert (found.points, found.wins) == (direct.points, direct.wins), told
        seen[direct.end] += 1
    wanted = ("constant", "rising", "falling", "random", "by seat", "stock", "meld", "improve", "always")
    for name in (*wanted, "ledger", "traditional", "knock", "exhausted", "stalled"):
        assert seen[name] >= 10, (name, seen)


def test_traces_of_many_blocks_are_those_of_each() -> None:
    bots = [ThresholdBot()] * 3
    rules = rumsim.parse_rules("traditional:max_turns=90")
    many = trace(rules, bots, 5, 10, 40)
    assert len(many.starts) == 31
    for place in range(30):
        one = trace(rules, bots, 5, 10 + place, 11 + place)
        rows = slice(many.starts[place], many.starts[place + 1])
        for name in ("counts", "points", "wins"):
            assert np.array_equal(getattr(one, name), getattr(many, name)[rows])
    assert (many.points.sum(axis=1) == 0).all()


# ---- grids ---------------------------------------------------------------------------------------------------


def random_grid(rng: random.Random, players: int) -> tuple[TraceGrid, DirectGrid]:
    """A grid to be traced, and the same to be played."""
    table = random_table(rng, players)
    focal, others = rng.choice(table.seated), rng.choice(table.seated)
    own, opponents = (
        tuple(sorted(rng.sample(range(0, rng.choice([12, 80, 200])), rng.randint(1, 6)))) for _ in range(2)
    )
    batch = rng.choice([1, 4, 50])
    traced = TraceGrid(
        table.known, (players,), focal, others, own, opponents, table.seed, batch, ends=rng.random() < 0.6
    )
    sides = (
        tuple(replace(bot, knock=((one,),)) for one in thresholds)
        for bot, thresholds in ((focal, own), (others, opponents))
    )
    return traced, DirectGrid(table.known, (players,), *sides, table.seed, batch)


@PLAYERS
def test_a_grid_read_off_traces_is_direct_play_to_the_last_unit(players: int) -> None:
    rng = random.Random(f"grids, {players} players")
    kinds: Counter[str] = Counter()
    for _ in range(40):
        traced, played = random_grid(rng, players)
        first = rng.randrange(100)
        one, other = traced.run(first, first + 20), played.run(first, first + 20)
        names = ["points", "points_squares", "wins", "wins_squares", *(["ends", "turns"] if traced.ends else [])]
        for name in names:
            assert np.array_equal(getattr(one, name), getattr(other, name)), (name, traced)
        assert list(one.batches) == list(other.batches)
        for number, batch in one.batches.items():
            assert batch.blocks == other.batches[number].blocks
            assert np.array_equal(batch.points, other.batches[number].points)
            assert np.array_equal(batch.wins, other.batches[number].wins)
        kinds["a trace a seat" if traced.focal != traced.table else "one trace"] += 1
        kinds["ends" if traced.ends else "no ends"] += 1
    assert min(kinds.values()) >= 4, kinds


def test_the_whole_range_of_thresholds_fits() -> None:
    every = tuple(range(201))
    bot = ThresholdBot(draw="always")
    rules = rumsim.parse_rules("ledger:hand_size=25/7/7/7")
    found = TraceGrid(rules, (2,), ThresholdBot(), bot, every, every, 3).run(0, 40)
    few = (0, 1, 63, 64, 127, 128, 199, 200)  # where a word of bits ends
    played = DirectGrid(
        rules,
        (2,),
        tuple(ThresholdBot(knock=((one,),)) for one in few),
        tuple(replace(bot, knock=((one,),)) for one in few),
        3,
    ).run(0, 40)
    assert np.array_equal(found.points[:, few][:, :, few], played.points)
    assert np.array_equal(found.points_squares[:, few][:, :, few], played.points_squares)


def same_grids(traced: TraceGrid, blocks: int) -> None:
    """Compare a grid off traces, whose bots knock as it says, with the same played."""
    sides = (
        tuple(replace(bot, knock=((one,),)) for one in thresholds)
        for bot, thresholds in ((traced.focal, traced.own), (traced.table, traced.others))
    )
    found = traced.run(0, blocks)
    played = DirectGrid(traced.rules, traced.players, *sides, traced.seed, traced.batch).run(0, blocks)
    for name in ["points", "points_squares", "wins", "wins_squares", *(["ends", "turns"] if traced.ends else [])]:
        assert np.array_equal(getattr(found, name), getattr(played, name)), name


@PLAYERS
def test_packed_sums_are_unpacked_in_time(players: int) -> None:
    rules = rumsim.parse_rules("ledger:undercut=1000,rum_bonus=1000,joker-knock,joker_value=40")
    game, ladder = game_of(rules, players), ladder_of((0, 9, 30), (12, 20, 60), 1)
    every = empty_sheet(ladder, game, ends=False).every
    assert every < 300 * 4 ** (5 - players)
    # Even if all of these blocks were as dear as rules allow, jumps of the sums of their squares would fit.
    dearest = 12 * players * (players - 1) * (1000 + 40 * game.size)
    assert 2 * every * dearest**2 < 1 << 42
    bot = ThresholdBot()
    same_grids(TraceGrid(rules, (players,), bot, bot, (0, 9, 30), (12, 20, 60), 3, batch=400), 2 * every + 7)


def test_traces_too_long_to_lie_side_by_side() -> None:
    waits = ThresholdBot(draw="stock")
    rules = rumsim.parse_rules("traditional:max_turns=3000")
    same_grids(TraceGrid(rules, (3,), waits, waits, (0, 1), (0,), 5, batch=40, ends=True), 40)
    same_grids(TraceGrid(rules, (3,), ThresholdBot(), waits, (0, 1), (0,), 5, batch=40, ends=True), 40)


def test_fifty_cells_agree_with_direct_play_on_other_decks() -> None:
    rng = random.Random(50)
    far: list[float] = []
    ratios: list[float] = []
    for profile in ("ledger", "traditional"):
        grid = rumsim.sweep([2, 3, 4, 5], "0:80:4", 4000, profile, seed=11).frame
        # Where both knock at more than that, all deals end on the first turns, whatever the threshold.
        unequal = grid[(grid["focal"] != grid["table"]) & (grid[["focal", "table"]].min(axis=1) <= 44)]
        for row in unequal.sample(25, random_state=rng.randrange(1 << 30)).itertuples():
            bots = [f"knock={row.focal}", f"knock={row.table}"]
            alone = rumsim.simulate(int(row.players), bots, 4000, profile, seed=1000 + len(far))
            for mean, error, found in ((row.ev, row.ev_se, alone.points[0]), (row.win, row.win_se, alone.wins[0])):
                assert found.mean is not None and found.error is not None
                ratios.append(found.error / error)
                far.append((mean - found.mean) / np.hypot(error, found.error))
    assert len(far) == 100
    assert max(map(abs, far)) < 4.2
    assert 0.5 < np.mean(np.square(far)) < 1.7
    # Where nearly all deals end alike, few blocks make the error, which is then known badly itself.
    assert np.abs(np.log(ratios)).max() < 0.5
    assert np.median(np.abs(np.log(ratios))) < 0.04


# ---- who is refused ------------------------------------------------------------------------------------------

LOOKS = "def take_upcard(view):\n    return view.knock_limit < 10\n\n\n"
BLIND = "IGNORES_KNOCKS = True\n\n\ndef take_upcard(view):\n    return False\n\n\n"
GIVES = "def give_back(view):\n    return view.best_discard()[0], False\n"


def test_bots_that_may_look_at_knock_rules_are_refused(tmp_path: Path) -> None:
    rules = rumsim.parse_rules("ledger")
    for source, fits in ((LOOKS, False), (BLIND, True)):
        file = tmp_path / f"{fits}.py"
        file.write_text(source + GIVES, encoding="utf-8")
        bot = rumsim.parse_bot(f"@{file}")
        if fits:
            fit_for_traces(rules, (bot,))
        else:
            with pytest.raises(RequestError, match="IGNORES_KNOCKS") as caught:
                fit_for_traces(rules, (bot,))
            assert len(caught.value.lines) == 1


def test_deals_longer_than_a_trace_is_remembered_are_played() -> None:
    rules = rumsim.parse_rules("traditional:max_turns=1000001")
    with pytest.raises(RequestError, match="max_turns"):
        fit_for_traces(rules, (ThresholdBot(),))
    assert rumsim.sweep(2, [10, 20], 2, rules).direct
    assert not rumsim.sweep(2, [10, 20], 2).direct
