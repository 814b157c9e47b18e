"""Statistics against known truth: synthetic numbers whose law is given, and deals of the engine."""

from __future__ import annotations

import ast
import math
import statistics
from fractions import Fraction
from functools import cache
from pathlib import Path

import mpmath
import numpy as np
import pytest

import rumsim
from rumsim import decks
from rumsim.engine.deal import play_one
from rumsim.engine.requests import MOST_PLAYERS, STALLED, game_of, new_room, no_log
from rumsim.stats.bands import band_factor, bands, batch_factor
from rumsim.stats.blocks import estimate
from rumsim.stats.paired import paired_difference, paired_totals
from rumsim.stats.ratios import ratio
from rumsim.stats.student import quantile
from rumsim.stats.variance import variance_reduction
from rumsim.stats.wins import win_shares
from rumsim.tasks.direct import Direct
from rumsim.tasks.seating import seating_of

LEDGER = rumsim.parse_rules("ledger")
REPETITIONS, BLOCKS = 2000, 60


def table(players, *texts, seed=77):
    entries = tuple(min(player, len(texts) - 1) for player in range(players))
    return Direct(LEDGER, tuple(rumsim.parse_bot(texts[entry]) for entry in entries), entries, seed)


def share_within(low, high, truth):
    return np.mean((low <= truth) & (truth <= high))


def binomial_error(share, times):
    return math.sqrt(share * (1 - share) / times)


# ---- intervals over blocks -----------------------------------------------------------------------------------


@cache
def focal(players):
    """Block totals of a focal bot's points and wins: for the repetitions, and a truth from a million other blocks."""
    task = table(players, "knock=30", "knock=10")
    played = task.blocks(0, REPETITIONS * BLOCKS)
    others = table(players, "knock=30", "knock=10", seed=78).run(0, 500_000)
    return {
        "points": (played.points[:, 0], int(others.points[0]) / others.blocks),
        "wins": (played.wins[:, 0], int(others.wins[0]) / others.blocks),
    }


@pytest.mark.parametrize("what", ["points", "wins"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_95_percent_intervals_hold_the_truth_95_times_in_100(players, what):
    totals, truth = focal(players)[what]
    intervals = np.array(
        [
            estimate(int(some.sum()), int((some**2).sum()), BLOCKS, 1).interval
            for some in totals.reshape(REPETITIONS, BLOCKS)
        ]
    )
    # The truth is 1/90 of an error away at most times, which costs nothing; 2,000 repetitions know 95 % to 0.49 %.
    # Points of a block are skew, for which Student's interval over 60 of them pays a few tenths of a per cent.
    assert share_within(*intervals.T, truth) == pytest.approx(0.95, abs=3 * binomial_error(0.95, REPETITIONS))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bot", ["knock=30", "knock=40/20,draw=meld", "knock=0+5+10+15+20"])
def test_identical_bots_earn_exactly_nothing_in_every_block(players, bot):
    played = table(players, bot).blocks(0, 2000)
    assert not played.points.any()
    assert played.seat_points.any(axis=0).all()  # though seats do
    # So too where each of them is asked about apart.
    entries = tuple(range(players))
    parted = Direct(LEDGER, (rumsim.parse_bot(bot),) * players, entries, 77).blocks(0, 2000)
    assert not parted.points.any()


# ---- a deal is not the sample --------------------------------------------------------------------------------


@cache
def deal_points(players, bots, blocks, first=0):
    """Points of player 0 in twelfths, by block and rotation."""
    task = table(players, *bots)
    game, key = game_of(LEDGER, players), np.uint64(decks.key_of(task.seed))
    seating = seating_of(task.bots, task.entry_of, LEDGER)
    hands, counts = np.zeros(MOST_PLAYERS, np.uint64), np.zeros(MOST_PLAYERS, np.int64)
    points, wins = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    room, log = new_room(), no_log()
    found = np.zeros((blocks, players), np.int64)
    for row in range(blocks):
        for rotation in range(players):
            words = (game, seating, rotation, key, np.uint64(first + row), room, hands, counts, points, wins, log)
            end, _, _ = play_one(*words)
            found[row, rotation] = 0 if end == STALLED else points[rotation]  # player 0 sits in seat r
    return found


def test_deals_one_by_one_are_those_of_the_blocks():
    one_by_one = deal_points(3, ("knock=30", "knock=10"), 300)
    assert (one_by_one.sum(axis=1) == table(3, "knock=30", "knock=10").blocks(0, 300).points[:, 0]).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_taken_as_independent_make_a_focal_bot_look_worse_known_than_it_is(players):
    deals = deal_points(players, ("knock=30", "knock=10"), 4000)
    taken_as_independent = deals.std(ddof=1) / math.sqrt(deals.size)
    error = estimate(int(deals.sum()), int((deals.sum(axis=1) ** 2).sum()), len(deals), players).error
    # 1.9 to 2.2 times too large: all seats have the same hands in turn, so a block's deals make up for each other.
    assert 1.8 < taken_as_independent / error < 2.4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_deals_taken_as_independent_make_a_seat_look_better_known_than_it_is(players):
    # With equal bots all rotations of a block are the same deal: N deals that say as much as one.
    by_seat = table(players, "knock=20").blocks(0, REPETITIONS * BLOCKS).seat_points[:, 0]
    deals = by_seat // players
    assert (deals * players == by_seat).all()
    some = deals.reshape(REPETITIONS, BLOCKS)
    naive = np.repeat(some, players, axis=1).std(axis=1, ddof=1) / math.sqrt(players * BLOCKS)
    error = some.std(axis=1, ddof=1) / math.sqrt(BLOCKS)
    assert naive / error == pytest.approx(players**-0.5, rel=0.01)
    # What is called 95 % then holds the truth only 83, 74, 67 and 62 times in 100.
    truth = table(players, "knock=20", seed=78).run(0, 500_000)
    held = np.abs(some.mean(axis=1) - int(truth.seat_points[0]) / truth.blocks / players) <= 1.96 * naive
    expected = 2 * float(students_t_below(1.96 * players**-0.5, BLOCKS - 1)) - 1
    assert held.mean() == pytest.approx(expected, abs=3.5 * binomial_error(expected, REPETITIONS))
    assert held.mean() < 0.86


# ---- variance reduction --------------------------------------------------------------------------------------


def reduction(deals):
    squares = int((deals**2).sum()), int((deals.sum(axis=1) ** 2).sum())
    return variance_reduction(int(deals.sum()), *squares, *deals.shape)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("own", "others"), [(30, 10), (30, 25), (15, 10)])
def test_blocks_are_worth_several_independent_deals_a_deal(players, own, others):
    deals = deal_points(players, (f"knock={own}", f"knock={others}"), 4000)
    found = reduction(deals)
    assert 3.5 < found < 30
    # By its definition, from other decks: one deal each, in a random seat.
    random = np.random.default_rng(1)
    fresh = deal_points(players, (f"knock={own}", f"knock={others}"), 4000, first=10_000)
    one = fresh[np.arange(4000), random.integers(players, size=4000)]
    plain = statistics.variance(one.tolist()) / (players * statistics.variance(deals.mean(axis=1).tolist()))
    assert found == pytest.approx(plain, rel=0.15)


def test_variance_reduction_of_deals_that_have_nothing_in_common_is_one():
    random = np.random.default_rng(3)
    assert reduction(random.integers(-500, 500, (100_000, 4))) == pytest.approx(1, rel=0.02)


def test_variance_reduction_of_deals_that_are_the_same_is_one_over_their_number():
    # A deal played four times over says what one says: each is worth a quarter.
    random = np.random.default_rng(3)
    assert reduction(np.repeat(random.integers(-500, 500, (1000, 1)), 4, axis=1)) == pytest.approx(1 / 4, rel=1e-3)


def test_variance_reduction_does_not_exist_where_nothing_varies():
    assert reduction(np.array([[3, -3], [1, -1]])) is None
    assert reduction(np.array([[3, -1]])) is None


# ---- pairs, wins, ratios -------------------------------------------------------------------------------------


def test_a_pair_is_the_sample():
    found = paired_difference([1, Fraction(1, 2), -2], [0, Fraction(1, 3), 1])
    gaps = [1, 1 / 6, -3]
    assert found.mean == pytest.approx(statistics.mean(gaps))
    assert found.error == pytest.approx(statistics.stdev(gaps) / 3**0.5)
    assert paired_difference([], []) == (None, None, None)
    assert paired_difference([2], [1]) == (1, None, None)
    with pytest.raises(ValueError):
        paired_difference([1, 2], [1])


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_pair_from_sums_is_a_pair_from_blocks(players):
    task = table(players, "knock=30", "knock=10")
    played, sums = task.blocks(0, 500), task.run(0, 500)
    # One focal player against the mean of the others.
    focal, others = played.points.T.tolist()
    whole = paired_difference(
        [Fraction(total, 12 * players) for total in focal],
        [Fraction(total, 12 * players * (players - 1)) for total in others],
    )
    crossed = sums.points_products.tolist()
    found = paired_totals(
        (int(sums.points[0]), int(sums.points[1])),
        (crossed[0][0], crossed[1][1]),
        crossed[0][1],
        500,
        (12 * players, 12 * players * (players - 1)),
    )
    assert found.mean == pytest.approx(whole.mean)
    assert found.error == pytest.approx(whole.error)
    # Points sum to zero: it is the focal bot's points times N/(N - 1), with nothing between the two to add up.
    alone = estimate(int(sums.points[0]), crossed[0][0], 500, 12 * players)
    assert found.error == pytest.approx(alone.error * players / (players - 1))


def test_win_shares_add_up_to_the_deals_that_were_won():
    shares = win_shares([{0, 2}, [1], [0, 1, 2, 3], []], players=4)
    assert shares == (Fraction(3, 4), Fraction(5, 4), Fraction(3, 4), Fraction(1, 4))
    assert sum(shares) == 3
    assert win_shares([], players=2) == (0, 0)


def ratio_of(w, k):
    return ratio(int(w.sum()), int(k.sum()), int((w * w).sum()), int((w * k).sum()), int((k * k).sum()), len(w))


def test_intervals_of_a_ratio_hold_the_truth():
    # Clusters of 1 to 6 deals; within one, all are won with a chance that belongs to the cluster.
    random = np.random.default_rng(11)
    k = random.integers(1, 7, (REPETITIONS, 200))
    w = random.binomial(k, random.beta(2, 4, k.shape))
    intervals = np.array([ratio_of(*pair).interval for pair in zip(w, k, strict=True)])
    assert share_within(*intervals.T, 1 / 3) == pytest.approx(0.95, abs=3 * binomial_error(0.95, REPETITIONS))
    # Deals taken as independent: too narrow.
    p, deals = w.sum(axis=1) / k.sum(axis=1), k.sum(axis=1)
    naive = 1.96 * np.sqrt(p * (1 - p) / deals)
    assert share_within(p - naive, p + naive, 1 / 3) < 0.9


def test_a_ratio_with_equal_clusters_is_the_plain_estimate():
    w = np.array([3, 0, 2, 2, 4])
    plain = estimate(int(w.sum()), int((w * w).sum()), 5, 4)
    found = ratio_of(w, np.full(5, 4))
    assert (found.mean, found.error, *found.interval) == pytest.approx((plain.mean, plain.error, *plain.interval))
    assert ratio_of(w[:1], np.array([4])) == (0.75, None, None)
    assert ratio_of(w[:0], np.array([], np.int64)) == (None, None, None)


# ---- bands ---------------------------------------------------------------------------------------------------


def curves(repetitions, blocks, points, seed):
    """Whole-number block totals around a known curve whose neighbours go together, with heavy tails."""
    random = np.random.default_rng(seed)
    steps = random.standard_normal((repetitions, blocks, points)) * 0.5
    steps[..., 0] = random.standard_normal((repetitions, blocks))
    walks = steps.cumsum(axis=2) / np.sqrt(random.chisquare(8, (repetitions, blocks, 1)) / 8)
    truth = np.linspace(-2, 3, points).round(2)
    return np.rint(walks * 100).astype(np.int64) + (truth * 100).astype(np.int64), truth * 100


def test_bands_hold_a_whole_curve_95_times_in_100():
    repetitions, blocks = 1000, 100
    played, truth = curves(repetitions, blocks, points=13, seed=5)
    whole = single = 0
    for some in played:
        found = bands(some.sum(axis=0), some.T @ some, blocks, 1, draws=2000)
        off = np.abs(found.mean - truth)
        whole += bool((off <= found.margin).all())
        single += bool((off <= 1.984 * found.error).all())
    # 0.69 % for 1,000 repetitions; the bootstrap's 2,000 draws shift each repetition's level by 0.5 % at random.
    assert whole / repetitions == pytest.approx(0.95, abs=3 * binomial_error(0.95, repetitions))
    assert single / repetitions < 0.9  # intervals of single points don't


def test_the_factor_of_independent_points_is_known():
    # P(all of C independent |t| stay below x) with many blocks: (2Φ(x) - 1)^C = 0.95.
    for points, exact in ((1, 1.95996), (5, 2.56872), (20, 3.01579)):
        assert band_factor(np.eye(points), 10**9, draws=100_000) == pytest.approx(exact, abs=0.015)


def test_bands_are_estimates_with_one_factor():
    played = np.array([[1, 5, 2], [3, 5, 2], [2, 5, 7], [6, 5, 1]]) * 7
    found = bands(played.sum(axis=0), played.T @ played, 4, 3)
    for place, column in enumerate(played.T.tolist()):
        alone = estimate(sum(column), sum(value**2 for value in column), 4, 3)
        assert found.mean[place] == pytest.approx(alone.mean)
        assert found.error[place] == pytest.approx(alone.error)
    assert found.error[1] == found.margin[1] == 0  # equal in every block: known exactly
    assert found.margin == pytest.approx(found.factor * found.error)


def test_bands_of_one_point_are_student_intervals():
    values = [3, 1, 4, 1, 5]
    found = bands([sum(values)], [[sum(value**2 for value in values)]], 5, 2)
    mean, _, interval = estimate(sum(values), sum(value**2 for value in values), 5, 2)
    assert interval is not None
    assert found.margin[0] == pytest.approx(interval[1] - mean)


def test_bands_depend_on_their_seed_alone():
    played = curves(1, 50, 8, seed=2)[0][0]
    asked = played.sum(axis=0), played.T @ played, 50, 1
    assert bands(*asked).factor == bands(*asked).factor
    assert bands(*asked, seed=1).factor != bands(*asked).factor
    assert bands(*asked, seed=1).factor == pytest.approx(bands(*asked).factor, rel=0.02)
    # The order of the points changes nothing but the random numbers.
    turned = played[:, ::-1]
    assert bands(turned.sum(axis=0), turned.T @ turned, 50, 1).factor == pytest.approx(bands(*asked).factor, rel=0.02)


def test_bands_that_do_not_exist():
    none = bands([0, 0], np.zeros((2, 2), int), 0, 1)
    assert np.isnan(none.mean).all() and np.isnan(none.margin).all()
    one = bands([4, 6], [[16, 24], [24, 36]], 1, 2)
    assert one.mean.tolist() == [2, 3]
    assert np.isnan(one.error).all() and np.isnan(one.margin).all()


def test_sums_beyond_floating_point_lose_nothing():
    # Means of 10^12 with deviations of 1: squares need 80 bits.
    values = [10**12 + shift for shift in (-1, 0, 1, 0)]
    squares = sum(value**2 for value in values)
    assert bands([sum(values)], [[squares]], 4, 1).error[0] == pytest.approx(math.sqrt(2 / 3 / 4))
    assert estimate(sum(values), squares, 4, 1).error == pytest.approx(math.sqrt(2 / 3 / 4))


# ---- a leaf --------------------------------------------------------------------------------------------------


def test_statistics_import_nothing_of_rumsim_and_nothing_slow():
    for file in Path(rumsim.__file__).parent.joinpath("stats").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("rumsim") or name.startswith("rumsim.stats"), (file.name, name)
                assert not name.startswith("scipy.stats"), file.name


def students_t_below(x, degrees):
    """The chance that Student's t stays below x, by mpmath's incomplete beta function."""
    x, degrees = mpmath.mpf(x), mpmath.mpf(degrees)
    tail = mpmath.betainc(degrees / 2, 0.5, 0, degrees / (degrees + x**2), regularized=True) / 2
    return 1 - tail if x > 0 else tail


@pytest.mark.parametrize("level", [0.9, 0.95, 0.975, 0.995, 0.9995, 0.025])
def test_students_quantiles_are_mpmaths(level):
    with mpmath.workdps(30):
        for degrees in [*range(1, 40), *range(41, 320, 7), 999, 1000, 1001, 10**4, 10**6, 10**9]:
            found = quantile(degrees, level)
            below, above = sorted([found * (1 - 1e-11), found * (1 + 1e-11)])
            assert students_t_below(below, degrees) < level < students_t_below(above, degrees)


def test_a_bands_factor_from_batches_is_that_of_the_correlation():
    random = np.random.default_rng(8)
    correlation = 0.8 ** np.abs(np.subtract.outer(np.arange(20), np.arange(20)))
    root = np.linalg.cholesky(correlation)
    sizes = random.integers(50, 200, 128)  # the last batch of a chunk is often shorter
    exact = band_factor(correlation, 127)
    found = []
    for _ in range(20):
        batches = (random.standard_normal((128, 20)) @ root.T) * np.sqrt(sizes)[:, None] + 3.0 * sizes[:, None]
        found.append(batch_factor(batches, sizes, draws=2000))
    assert np.mean(found) == pytest.approx(exact, rel=0.02)
    assert np.std(found) < 0.06
    scaled = np.column_stack([batches, 5 * batches[:, 0], np.full(128, 7.0) * sizes])  # the same again, and a constant
    assert batch_factor(scaled, sizes, draws=2000) == pytest.approx(found[-1], rel=1e-9)
