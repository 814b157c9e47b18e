"""Intervals of shares: where they lie, what they become, and how often they hold the truth."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import rumsim
from experiments import coverage
from rumsim.stats.blocks import estimate
from rumsim.stats.shares import LEAST, limits, share, shares, steadied

TIMES = 4000


def of(values, unit=1, **more):
    return share(sum(values), sum(value**2 for value in values), len(values), unit, **more)


@pytest.mark.parametrize("blocks", [20, 50, 200])
@pytest.mark.parametrize("deals", [1, 4])
@pytest.mark.parametrize("truth", [0.001, 0.01, 0.05, 0.3, 0.5, 0.98, 0.999])
def test_intervals_of_independent_deals_hold_the_truth(blocks, deals, truth):
    random = np.random.default_rng([blocks, deals, int(1000 * truth)])
    won = random.binomial(deals, truth, (TIMES, blocks)) / deals
    low, high = limits(won.mean(axis=1), won.std(axis=1, ddof=1) / math.sqrt(blocks), blocks)
    covered = np.mean((low <= truth) & (truth <= high))
    assert 0.93 - 2 * math.sqrt(0.93 * 0.07 / TIMES) <= covered
    if blocks * deals * min(truth, 1 - truth) >= 10:  # of fewer successes each one makes a step of some per cent
        assert covered <= 0.97 + 2 * math.sqrt(0.93 * 0.07 / TIMES)
    assert low.min() >= 0 and high.max() <= 1
    assert (high - low).min() > 0


@cache
def skew(blocks):
    """Block shares that go together within a block and have few values: a random chance for each block."""
    random = np.random.default_rng(blocks)
    return random.binomial(5, random.beta(0.05, 0.45, (TIMES, blocks))) / 5


@pytest.mark.parametrize("blocks", [20, 50, 200])
def test_intervals_hold_where_the_deals_of_a_block_go_together_and_students_do_not(blocks):
    won, truth = skew(blocks), 0.1
    mean, error = won.mean(axis=1), won.std(axis=1, ddof=1) / math.sqrt(blocks)
    low, high = limits(mean, error, blocks)
    assert np.mean((low <= truth) & (truth <= high)) >= 0.93 - 2 * math.sqrt(0.93 * 0.07 / TIMES)
    if blocks == 20:
        ends = np.array([estimate(int(v.sum()), int((v**2).sum()), 20, 5).interval for v in (5 * won).round()])
        assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) < 0.9


def test_where_all_blocks_agree_the_interval_still_has_a_width():
    none, every, half = of([0] * 20), of([1] * 20), of([1] * 20, unit=2)
    assert none.error == every.error == half.error == 0
    # 0.025 ** (1 / 20) of blocks at least have none.
    assert none.interval == pytest.approx((0, 1 - 0.025**0.05), abs=1e-9)
    assert every.interval == pytest.approx((0.025**0.05, 1), abs=1e-9)
    assert half.interval[0] < 0.35 and half.interval[1] > 0.65


def test_fewer_than_20_blocks_have_no_interval():
    assert LEAST == 20
    for blocks in range(20):
        found = of([0, 1] * (blocks // 2) + [1] * (blocks % 2))
        assert found.interval is None
        assert (found.mean is None) == (blocks == 0) and (found.error is None) == (blocks < 2)
    assert of([0, 1] * 10).interval is not None


def test_mean_and_error_are_those_over_blocks():
    values = [3, 0, 7, 1, 2, 2, 9, 4] * 5
    assert of(values, unit=11)[:2] == estimate(sum(values), sum(value**2 for value in values), 40, 11)[:2]


def test_an_interval_of_a_share_is_that_of_the_rest_turned_round():
    random = np.random.default_rng(1)
    for blocks in (20, 33, 100):
        for size in (0, 1, 2, 12):
            values = random.binomial(size, 0.1, blocks).tolist()
            one, rest = of(values, unit=12), of([12 - value for value in values], unit=12)
            assert rest.interval == pytest.approx((1 - one.interval[1], 1 - one.interval[0]), abs=1e-9)


def test_players_who_share_a_bot_cannot_win_more_than_all_deals_together():
    # Three players won all but a few deals together: each of them a third, and never more.
    values = [12] * 30 + [11, 12] * 5
    one = of(values, unit=12)
    three = of(values, unit=36, places=3)
    assert three.interval == pytest.approx([end / 3 for end in one.interval], abs=1e-12)
    alone = of([12] * 20, unit=36, places=3)
    assert alone.interval == pytest.approx((0.025**0.05 / 3, 1 / 3), abs=1e-9)


def test_many_blocks_in_the_middle_have_students_interval():
    random = np.random.default_rng(2)
    values = random.integers(0, 13, 20_000).tolist()
    usual = estimate(sum(values), sum(value**2 for value in values), len(values), 12).interval
    assert of(values, unit=12).interval == pytest.approx(usual, abs=1e-5)


def test_bands_are_wider_and_stay_within_0_and_1():
    mean, error = np.array([0.0, 0.01, 0.5, 0.99, 1.0, np.nan]), np.array([0.0, 0.01, 0.02, 0.01, 0.0, np.nan])
    low, high = limits(mean, error, 100)
    far = limits(mean, error, 100, factor=3.0)
    assert np.isnan(low[-1]) and np.isnan(far[1][-1])
    assert (far[0][:-1] <= low[:-1]).all() and (far[1][:-1] >= high[:-1]).all()
    assert far[0][:-1].min() >= 0 and far[1][:-1].max() <= 1
    assert far[1][2] - far[0][2] == pytest.approx(2 * 3 * 0.02, rel=0.02)
    assert far[1][0] > high[0] and far[0][4] < low[4]


def test_seats_that_win_seldom_lean_on_the_error_of_all_seats():
    random = np.random.default_rng(3)
    truth = np.array([0.5, 0.25, 0.15, 0.07, 0.03])
    # Some decks give the seat all five deals of a block, on others each deal goes its own way.
    winner = random.choice(5, (TIMES, 20, 5), p=truth)
    same = random.random((TIMES, 20, 1)) < 0.4
    winner = np.where(same, winner[:, :, :1], winner)
    won = np.array([(winner == seat).mean(axis=2) for seat in range(5)])
    mean, error = won.mean(axis=2), won.std(axis=2, ddof=1) / math.sqrt(20)
    low, high = limits(mean, steadied(mean, error), 20)
    covered = np.mean((low <= truth[:, None]) & (truth[:, None] <= high), axis=1)
    assert covered.min() >= 0.93 - 2 * math.sqrt(0.93 * 0.07 / TIMES)
    low, high = limits(mean, error, 20)
    assert np.mean((low[3] <= truth[3]) & (truth[3] <= high[3])) < covered[3]


def test_shares_of_seats_are_shares_with_steadied_errors():
    random = np.random.default_rng(4)
    winner = random.integers(0, 3, 30)
    won = [(12 * (winner == seat)).tolist() for seat in range(3)]
    found = shares([sum(seat) for seat in won], [sum(n * n for n in seat) for seat in won], 30, 12)
    alone = [of(seat, unit=12) for seat in won]
    assert [each[:2] for each in found] == [each[:2] for each in alone]
    for each, by_itself in zip(found, alone, strict=True):
        assert each.interval[1] - each.interval[0] >= by_itself.interval[1] - by_itself.interval[0] - 1e-12
    assert all(each.interval is None for each in shares([1, 0], [1, 0], 19, 1))


def test_the_experiment_finds_the_coverage_of_a_table():
    found = list(coverage.of_table("ledger", 3, ("knock=30", "knock=10"), 8000, 20_000))
    names = [each.what for each in found]
    assert names[:5] == ["points, bot 0", "points, bot 1", "points, bot 0 - bot 1", "wins, bot 0", "wins, bot 1"]
    for each in found:
        (row,) = coverage.coverage(each, (20,))
        assert row["runs"] == 400 and row["printed"] == (not each.what.startswith("points, seat"))
        assert row["covered"] == pytest.approx(0.95, abs=0.04)
    # Its intervals are those that simulate prints over the same blocks.
    printed = rumsim.simulate(3, ["knock=30", "knock=10"], 20, seed=coverage.SEED)
    for place, each in (
        (0, printed.points[0]),
        (4, printed.wins[1]),
        (names.index("wins, seat 1"), printed.seat_wins[1]),
    ):
        low, high = coverage.intervals(found[place], 20)
        assert (low[0], high[0]) == pytest.approx(each.interval, abs=1e-9)
