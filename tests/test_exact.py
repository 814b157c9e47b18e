"""Dealt deadwood, exactly: against all hands judged by the oracle, against plain enumeration, against dealt cards."""

import functools
import json
from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pandas as pd
import pytest

from rumsim import min_deadwood
from rumsim.charts.deadwood import dealt_deadwood
from rumsim.charts.style import save
from rumsim.decks import deck
from rumsim.engine.jit import kernel
from rumsim.errors import RequestError
from rumsim.lab.exact import exact_deadwood
from tests.make_exact_data import file_for
from tests.test_charts import shown_texts

RULES = {"low": "ledger", "high-or-low": "ledger:ace-high"}


@pytest.mark.parametrize("ace", RULES)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_oracle_counts_every_hand_the_same(size, ace):
    data = json.loads(file_for(size, ace).read_text(encoding="utf-8"))
    dealt = exact_deadwood(size, RULES[ace])
    assert list(dealt.hands) == data["hands_by_deadwood"]
    assert dealt.all_hands == data["hands"] == comb(52, size)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
def test_no_hand_is_missed_or_doubled(size):
    assert exact_deadwood(size).all_hands == comb(52, size)


@kernel
def fill_with_hands_of_five(hands):
    place, one = 0, np.uint64(1)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = one << np.uint64(a) | one << np.uint64(b) | one << np.uint64(c) | one << np.uint64(d)
                    for e in range(d):
                        hands[place] = four | one << np.uint64(e)
                        place += 1


@pytest.mark.parametrize("ace", RULES)
def test_suits_may_be_renamed(ace):
    """Every one of the 2,598,960 hands of five cards, without any symmetry."""
    hands = np.zeros(comb(52, 5), np.uint64)
    fill_with_hands_of_five(hands)
    assert tuple(np.bincount(min_deadwood(hands, RULES[ace]))) == exact_deadwood(5, RULES[ace]).hands


def test_threads_change_nothing():
    assert exact_deadwood(6, jobs=3) == exact_deadwood(6)


def test_known_figures_of_seven_cards():
    """Test case DK-028."""
    dealt = exact_deadwood(7)
    assert dealt.mean == Fraction(1437136677, 33446140)
    assert dealt.deviation == pytest.approx(10.083933247804858, rel=1e-14)
    assert dealt.chance_at_most(0) == Fraction(205, 6689228)
    assert dealt.chance_at_most(10) == Fraction(16281, 6689228)
    assert dealt.quantile(0.5) == 44


def test_known_figures_of_five_cards():
    """Test case DK-030; 0 only as a run of five."""
    dealt = exact_deadwood(5)
    assert dealt.mean == Fraction(6899441, 216580)
    assert dealt.deviation == pytest.approx(7.649874255115106, rel=1e-14)
    assert dealt.chance_at_most(0) == Fraction(3, 216580)
    assert dealt.hands[0] == 36
    assert dealt.chance_at_most(10) == Fraction(457, 38220)
    assert dealt.quantile(0.5) == 32


@pytest.mark.parametrize("ace, melds", [("low", 11 * 4 + 13 * 4), ("high-or-low", 12 * 4 + 13 * 4)])
def test_three_cards_count_nothing_only_as_a_meld(ace, melds):
    assert exact_deadwood(3, RULES[ace]).hands[0] == melds


def test_one_card():
    dealt = exact_deadwood(1)
    assert dealt.hands == (0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    assert dealt.mean == Fraction(85, 13)


def test_chances_and_quantiles_at_the_ends():
    dealt = exact_deadwood(1)
    assert dealt.chance_at_most(-1) == dealt.chance_at_most(0) == 0
    assert dealt.chance_at_most(1) == Fraction(1, 13)
    assert dealt.chance_at_most(10) == dealt.chance_at_most(999) == 1
    assert dealt.quantile(Fraction(1, 13)) == 1
    assert dealt.quantile(Fraction(1, 13) + Fraction(1, 1000)) == 2
    assert dealt.quantile(1) == 10
    for share in (0, -0.1, 1.1):
        with pytest.raises(RequestError, match="share: got .*; allowed: above 0, at most 1"):
            dealt.quantile(share)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"size": 0}, "size: got 0; allowed: 1 to 13"),
        ({"size": 14}, "size: got 14; allowed: 1 to 13"),
        ({"size": 5, "jobs": 0}, "jobs: got 0; allowed: a whole number, at least 1"),
        ({"size": 5, "rules": "bridge"}, "rules: unknown profile 'bridge'"),
    ],
)
def test_refusals(arguments, words):
    with pytest.raises(RequestError) as refusal:
        exact_deadwood(**arguments)
    assert str(refusal.value).startswith(words)


def test_the_frame_says_the_same():
    dealt = exact_deadwood(5, "ledger:ace-high")
    frame = dealt.frame()
    assert list(frame) == ["size", "ace", "jokers", "deadwood", "hands", "share", "at_most"]
    assert set(frame["size"]) == {5} and set(frame["ace"]) == {"high-or-low"}
    assert frame["deadwood"].tolist() == list(range(51))
    assert tuple(frame["hands"]) == dealt.hands
    assert frame["share"].sum() == pytest.approx(1)
    assert frame.loc[10, "at_most"] == pytest.approx(float(dealt.chance_at_most(10)))
    assert frame["at_most"].iloc[-1] == 1


# ---- dealt cards ---------------------------------------------------------------------------------------------

DECKS, SEED = 8_000, 28
expected_of = functools.cache(exact_deadwood)


@pytest.fixture(scope="module")
def decks():
    return np.array([deck(SEED, block) for block in range(DECKS)], np.uint64)


@pytest.mark.parametrize("players, size, seat", [(2, 10, 1), (4, 7, 0), (4, 7, 3), (5, 7, 4), (5, 6, 2)])
def test_dealt_hands_follow_the_exact_distribution(decks, players, size, seat):
    """One hand a deck, since the hands of one deck depend on each other."""
    exact = expected_of(size)
    assert exact.all_hands == comb(52, size)
    hands = np.bitwise_or.reduce(np.uint64(1) << decks[:, seat : players * size : players], axis=1)
    found = np.bincount(min_deadwood(hands), minlength=len(exact.hands))

    mean = found @ np.arange(len(found)) / DECKS
    assert abs(mean - float(exact.mean)) < 5 * exact.deviation / DECKS**0.5

    expected = np.array(exact.hands) / exact.all_hands * DECKS
    classes = expected.cumsum().astype(int) // 25  # rare counts together with their neighbours
    classes = np.minimum(classes, classes[-1] - 1)
    seen, due = (np.bincount(classes, hands)[np.unique(classes)] for hands in (found, expected))
    assert len(due) > 30 and due.min() > 5
    chi_squared = ((seen - due) ** 2 / due).sum()
    chance = mpmath.gammainc((len(due) - 1) / 2, chi_squared / 2, regularized=True)
    assert 0.001 < chance < 0.9999


# ---- the chart -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chart_frame():
    return pd.concat([exact_deadwood(size).frame() for size in (5, 6, 7)])


def test_no_text_of_the_chart_is_cut_off_or_covered(chart_frame):
    figure = dealt_deadwood(chart_frame, "Rules: ledger. Exact: every hand is counted, none sampled. " * 3)
    figure.draw_without_rendering()
    page = figure.bbox
    boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
    assert len(boxes) > 20
    for text, box in boxes.items():
        assert page.x0 <= box.x0 and box.x1 <= page.x1, text.get_text()
        assert page.y0 <= box.y0 and box.y1 <= page.y1, text.get_text()
        covered = [other.get_text() for other, at in boxes.items() if other is not text and box.overlaps(at)]
        assert not covered, (text.get_text(), covered)


def test_the_chart_tells_the_exact_figures(chart_frame):
    texts = [text.get_text() for text in shown_texts(dealt_deadwood(chart_frame, "Exact."))]
    assert "7 cards" in texts
    assert "median 44\nat most 10: 0.243 %\n0: 0.0031 %" in texts


def test_the_same_counts_draw_the_same_bytes(chart_frame, tmp_path):
    one, two = (save(dealt_deadwood(chart_frame, "Exact."), tmp_path / f"{name}.svg").read_bytes() for name in "ab")
    assert one == two
