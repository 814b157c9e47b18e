"""Jokers in the engine: the oracle's counts, a loop over all discards, and every hand of three cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

import rumsim
from rumsim import best_discard, melds, min_deadwood
from rumsim.cards import cards_of, mask
from rumsim.engine.joker_tables import IMPOSSIBLE, ONE_LOOSE, PLACES, TWO_LOOSE, joker_table
from rumsim.engine.tables import PATTERNS
from rumsim.errors import RequestError
from rumsim.lab.exact import exact_deadwood
from rumsim.rules import Rules
from tests import oracle

Masks = npt.NDArray[np.uint64]
RULES = [
    Rules(jokers=2),
    Rules(jokers=2, ace="high-or-low", joker_value=0),
    Rules(jokers=2, min_naturals=2, joker_value=40),
    Rules(jokers=2, min_naturals=3, ace="high-or-low", joker_value=5),
]
some_rules = pytest.mark.parametrize("rules", RULES, ids=str)


def hand_with_jokers(rng: random.Random, size: int, jokers: int) -> int:
    """Some hands of few ranks or few suits, so that there is something to meld."""
    pool = rng.choice(
        [
            list(range(52)),
            [13 * suit + rank for suit in range(4) for rank in rng.sample(range(13), 5)],
            [13 * suit + rank for suit in rng.sample(range(4), 2) for rank in range(13)],
        ]
    )
    return mask([*rng.sample(pool, min(size - jokers, len(pool))), *rng.sample([52, 53], jokers)])


def hands_with_jokers(rng: random.Random, many: int) -> Masks:
    return np.array([hand_with_jokers(rng, rng.randint(3, 11), rng.choice([0, 1, 1, 2])) for _ in range(many)], "u8")


@some_rules
def test_counts_and_discards_are_the_oracles(rules: Rules) -> None:
    rng = random.Random(str(rules))
    hands = hands_with_jokers(rng, 150)
    words = rules.ace, rules.joker_value, rules.min_naturals
    expected = [oracle.deadwood(map(oracle.from_number, cards_of(int(hand))), *words) for hand in hands]
    assert min_deadwood(hands, rules).tolist() == expected
    taken = [rng.choice([-1, *cards_of(int(hand))]) for hand in hands]
    cards, counts = best_discard(hands, rules, taken)
    for hand, forbidden, card, left in zip(hands.tolist(), taken, cards.tolist(), counts.tolist(), strict=True):
        assert (card, left) == melds.best_discard(hand, rules, forbidden), (hand, forbidden)


@some_rules
def test_discards_are_the_best_of_a_loop_over_all(rules: Rules) -> None:
    rng = np.random.default_rng(5)
    hands = np.zeros(20_000, np.uint64)
    for _ in range(8):  # cards dealt to all hands at once; a card that is held already changes nothing
        hands |= np.uint64(1) << rng.integers(0, 54, hands.size).astype(np.uint64)
    hands |= np.uint64(1) << rng.integers(50, 54, hands.size).astype(np.uint64)
    best = np.full(hands.size, 1 << 30)
    for card in range(54):
        held = hands >> np.uint64(card) & np.uint64(1) == 1
        left = min_deadwood(hands[held] & ~np.uint64(1 << card), rules).astype(np.int64)
        dear = 0 if card >= 52 else rules.points(card)
        best[held] = np.minimum(best[held], left << 16 | (card >= 52) << 15 | (20 - dear) << 8 | card)
    cards, counts = best_discard(hands, rules)
    assert (counts == best >> 16).all() and (cards == best & 255).all()


def test_every_hand_of_three_cards() -> None:
    rules = Rules(jokers=2, ace="high-or-low")
    hands = [mask(hand) for hand in combinations(range(54), 3)]
    counts = min_deadwood(np.array(hands, np.uint64), rules)
    assert counts.tolist() == [melds.count(hand, rules) for hand in hands]
    assert dict(enumerate(exact_deadwood(3, rules).hands)) == {
        points: Counter(counts.tolist())[points] for points in range(int(counts.max()) + 1)
    }


def test_exact_distributions_count_every_deck() -> None:
    one, two = (exact_deadwood(1, f"ledger:jokers={jokers},joker_value=40") for jokers in (1, 2))
    assert (one.hands[40], two.hands[40], two.all_hands) == (1, 2, 54)
    # 22,100 hands without; with a joker C(52, 2) of which 78 pairs and 4 · (11 + 12) near ones meld; with two, 52.
    found = exact_deadwood(3, "ledger:joker-knock")
    assert found.all_hands == 24_804
    assert found.hands[0] == 44 + 52 + 2 * (78 + 4 * (12 + 11)) + 52


def test_a_suit_with_jokers_by_hand() -> None:
    table = joker_table("low", 1, 15)
    assert table.shape == (PLACES,)
    five_seven, ace = 1 << 4 | 1 << 6, 1
    assert table[ONE_LOOSE + five_seven] == 0 and table[ONE_LOOSE + ace] == IMPOSSIBLE
    assert table[TWO_LOOSE + ace] == 0  # A-2-3, two of them jokers
    # Five cards of a suit with a gap of two: one joker cannot bridge it, and takes a pair.
    assert table[ONE_LOOSE + (0b11 | 0b11 << 5)] == 1 + 2
    strict = joker_table("low", 3, 15)
    assert strict[ONE_LOOSE + five_seven] == IMPOSSIBLE and strict[ONE_LOOSE + 0b1011] == 0
    assert (strict[TWO_LOOSE : TWO_LOOSE + PATTERNS] >= table[TWO_LOOSE : TWO_LOOSE + PATTERNS]).all()


def test_hands_that_the_rules_do_not_have_are_refused() -> None:
    second = np.array([1 << 53], np.uint64)
    with pytest.raises(RequestError, match="bit 53 at index 0; allowed: bits 0 to 52"):
        min_deadwood(second, "ledger:jokers=1")
    with pytest.raises(RequestError, match="taken: got 53 at index 0"):
        best_discard(np.array([3], np.uint64), "ledger:jokers=2", [53])
    with pytest.raises(RequestError, match="the only card"):
        best_discard(second, "ledger:jokers=2", [53])
    assert best_discard(np.array([3 << 52], np.uint64), "ledger:jokers=2", [52])[0].tolist() == [53]


def test_a_hand_of_more_than_26_cards_is_counted_too() -> None:
    rules = Rules(jokers=2)
    rng = random.Random(4)
    hand = mask([*rng.sample(range(52), 27), 52])
    hands = np.array([hand], np.uint64)
    assert min_deadwood(hands, rules).tolist() == [melds.count(hand, rules)]
    assert [int(column[0]) for column in best_discard(hands, rules)] == list(melds.best_discard(hand, rules))


def test_a_joker_may_lie_on_the_pile_when_advice_is_asked() -> None:
    rules = "ledger:joker-knock"
    found = rumsim.advise(3, 0, 1, "knock=10", "** 5S 5H 9D KC KD 2C", rules, up="**", blocks=2000)
    assert found.spot.up == 53 and found.draws is not None and found.discards is not None
    assert found.draws[0][0] == "upcard" and found.discards[0].left == 2
    with pytest.raises(RequestError, match=r"hand: got a joker \(\*\*\); allowed: 0"):
        rumsim.advise(3, 0, 1, "knock=10", "** 5S 5H 9D KC KD 2C", up="4C")
