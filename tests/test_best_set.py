"""Which of several may be the best: the set against known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rumsim.stats.best_set import not_beaten
from rumsim.stats.student import quantile

TIMES, BATCHES = 400, 30


def held(means, root, sizes, random):
    """How often the best is in the set, and how large the set is."""
    best, found = int(np.argmax(means)), []
    for _ in range(TIMES):
        noise = (random.standard_normal((len(sizes), len(means))) @ root.T) * np.sqrt(sizes)[:, None]
        found.append(not_beaten(noise + np.outer(sizes, means), sizes, draws=500))
    members = np.array(found)
    return members[:, best].mean(), members.sum(axis=1).mean()


@pytest.mark.parametrize("shape", ["equal", "flat top", "one ahead"])
def test_the_true_best_is_in_the_set_in_95_of_100(shape):
    random = np.random.default_rng(3)
    candidates = np.arange(10)
    # Neighbours go together, as thresholds do that were played on the same decks.
    root = np.linalg.cholesky(0.9 ** np.abs(np.subtract.outer(candidates, candidates)))
    sizes = random.integers(5, 15, BATCHES).astype(float)
    means = {
        "equal": np.zeros(10),  # the hardest: all are best, the first stands for any
        "flat top": -0.001 * (candidates - 5.0) ** 2,
        "one ahead": np.where(candidates == 4, 0.5, 0.0),
    }[shape]
    share, size = held(means, root, sizes, random)
    error = math.sqrt(0.95 * 0.05 / TIMES)
    assert share >= 0.95 - 3 * error
    if shape == "equal":
        assert share <= 0.95 + 3 * error  # it is not wider than it need be
    if shape == "one ahead":
        assert size < 2


def test_two_candidates_are_told_apart_by_students_one_sided_test():
    random = np.random.default_rng(4)
    played = random.standard_normal((30, 2)) + np.array([0.0, 0.25])
    gap = played[:, 1] - played[:, 0]
    t = gap.mean() / (gap.std(ddof=1) / math.sqrt(30))
    ones = np.ones(30)
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        assert not_beaten(played, ones, level).tolist() == [bool(t <= quantile(29, level)), True]


def test_equal_candidates_are_all_members_and_a_worse_one_is_not():
    random = np.random.default_rng(5)
    one = random.integers(-50, 50, 64)
    played = np.column_stack([one, one, one - 1, one - random.integers(0, 5, 64)])
    assert not_beaten(played, np.full(64, 10)).tolist() == [True, True, False, False]


def test_nothing_is_beaten_on_fewer_than_20_blocks_or_in_one_batch():
    played = np.column_stack([np.zeros(30), np.arange(30) + 100.0])
    assert not_beaten(played[:19], np.ones(19)).all()
    assert not_beaten(played[:1], np.full(1, 1000)).all()
    assert not_beaten(played[:20], np.ones(20)).tolist() == [False, True]


def test_the_set_does_not_depend_on_units_order_or_a_common_shift():
    random = np.random.default_rng(6)
    sizes = random.integers(50, 100, 50).astype(float)
    played = random.standard_normal((50, 9)).cumsum(axis=1) * 20 + np.outer(sizes, -np.abs(np.arange(9) - 4) * 0.05)
    expected = not_beaten(played, sizes)
    assert 1 < expected.sum() < 9
    assert not_beaten(played * 12, sizes).tolist() == expected.tolist()
    assert not_beaten(played + np.outer(sizes, np.full(9, 3.0)), sizes).tolist() == expected.tolist()
    assert not_beaten(played[:, ::-1], sizes)[::-1].tolist() == expected.tolist()
