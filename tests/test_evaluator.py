"""Many hands at once: against the oracle one by one, then against each other by the million."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import rumsim
from rumsim import RequestError, best_discard, melds, min_deadwood
from rumsim.engine import batch
from rumsim.engine.batch import PASS
from tests import oracle

Array = np.ndarray[Any, Any]

RULES = {"low": "ledger", "high-or-low": "traditional:ace-high"}
aces = pytest.mark.parametrize("ace", sorted(RULES))
POINTS = np.minimum(np.arange(52) % 13 + 1, 10)


def mask(hand: Any) -> int:
    return sum(1 << card for card in hand)


def cards_of(bits: int) -> list[int]:
    return [card for card in range(52) if bits >> card & 1]


def rich(rng: random.Random, size: int) -> int:
    """A hand of sets and runs that compete for cards."""
    hand: set[int] = set()
    ranks = rng.choice([range(13), range(3, 8), [0, 1, 2, 10, 11, 12]])
    while len(hand) < size:
        rank, suit = rng.choice(ranks), rng.randrange(4)
        kind = rng.random()
        if kind < 0.4:
            new = [13 * other + rank for other in rng.sample(range(4), 4)]
        elif kind < 0.8:
            new = [13 * suit + (rank + step) % 13 for step in range(rng.randint(3, 4))]
        else:
            new = [13 * suit + rank]
        hand.update(new[: size - len(hand)])
    return mask(hand)


def several(rng: random.Random, many: int, sizes: list[int]) -> list[int]:
    chosen = [rng.choice(sizes) for _ in range(many)]
    return [rich(rng, size) if k % 2 else mask(rng.sample(range(52), size)) for k, size in enumerate(chosen)]


def million(seed: int, size: int, many: int = 1_000_000) -> Array:
    """Random hands of one size, every other one out of few ranks, so that sets and runs compete."""
    rng = np.random.default_rng(seed)
    hands = np.zeros(many, np.uint64)
    held = np.zeros(many, np.int64)
    while (short := np.flatnonzero(held < size)).size:
        ranks = np.where(short % 2, rng.integers(0, 13, short.size), rng.choice([0, 1, 2, 11, 12], short.size))
        new = np.uint64(1) << (13 * rng.integers(0, 4, short.size) + ranks).astype(np.uint64)
        held[short] += (hands[short] & new) == 0
        hands[short] |= new
    return hands


def random_taken(hands: Array, seed: int) -> Array:
    """For three of four hands one of their cards; often the one that greedy would give back."""
    rng = np.random.default_rng(seed)
    taken = best_discard(hands)[0].astype(np.int8)
    for _ in range(4):
        other = rng.integers(0, 52, hands.size)
        held = (hands >> other.astype(np.uint64) & np.uint64(1) == 1) & (rng.random(hands.size) < 0.5)
        taken[held] = other[held]
    taken[::4] = -1
    return taken


def pairs(found: tuple[Array, Array]) -> list[tuple[int, int]]:
    return list(zip(*(column.tolist() for column in found), strict=True))


# ---------------------------------------------------------------- the same answers as the oracle


@aces
def test_counts_are_the_oracles(ace: str) -> None:
    hands = several(random.Random(1), 1000, [1, 2, *range(5, 12)])
    expected = [oracle.deadwood(map(oracle.from_number, cards_of(hand)), ace) for hand in hands]
    assert min_deadwood(hands, RULES[ace]).tolist() == expected


@aces
def test_discards_are_the_oracles(ace: str) -> None:
    rng = random.Random(2)
    hands = several(rng, 300, [2, *range(5, 12)])
    taken = [rng.choice([-1, *cards_of(hand)]) for hand in hands]
    for forbidden in (None, taken):
        cards, counts = best_discard(hands, RULES[ace], forbidden)
        for k, hand in enumerate(hands):
            kept = oracle.from_number(taken[k]) if forbidden is not None and taken[k] >= 0 else None
            card, left = oracle.greedy_discard(map(oracle.from_number, cards_of(hand)), kept, ace)
            assert (cards[k], counts[k]) == (oracle.number(card), left), (hand, kept)


@aces
def test_dry_hands_break_the_right_meld(ace: str) -> None:
    """Everything is melded, so a card must leave a meld, perhaps a set that nothing competes with."""
    rng, rules = random.Random(3), rumsim.parse_rules(RULES[ace])
    hands = [hand for hand in several(rng, 4_000, [3, 4, 6, 7, 8]) if melds.count(hand, rules) == 0]
    assert len(hands) > 100
    cards, counts = best_discard(hands, rules)
    assert list(zip(cards.tolist(), counts.tolist(), strict=True)) == [
        melds.best_discard(hand, rules) for hand in hands
    ]
    cards, counts = best_discard(hands, rules, cards.astype(np.int8))
    assert list(zip(cards.tolist(), counts.tolist(), strict=True)) == [
        melds.best_discard(hand, rules, melds.best_discard(hand, rules)[0]) for hand in hands
    ]


# ---------------------------------------------------------------- by the million


@aces
@pytest.mark.parametrize("size", [7, 11])
def test_a_million_discards_are_the_best_of_all(size: int, ace: str) -> None:
    """Try every card of every hand; keep the better by count, then points, then id: the rule as it is written."""
    hands = million(size, size, 250_000)
    taken = random_taken(hands, 1)
    free = np.full((2, hands.size), 1 << 30)
    for card in range(52):
        bit = np.uint64(1 << card)
        holders = np.flatnonzero(hands & bit)
        left = min_deadwood(hands[holders] & ~bit, RULES[ace]).astype(np.int64)
        rank = (left << 16) + ((10 - POINTS[card]) << 8) + card
        free[0, holders] = np.minimum(free[0, holders], rank)
        rank[taken[holders] == card] = 1 << 30
        free[1, holders] = np.minimum(free[1, holders], rank)
    for forbidden, expected in ((None, free[0]), (taken, free[1])):
        cards, counts = best_discard(hands, RULES[ace], forbidden)
        np.testing.assert_array_equal(cards, expected & 255)
        np.testing.assert_array_equal(counts, expected >> 16)


@aces
def test_suits_are_alike(ace: str) -> None:
    hands = million(5, 10, 100_000)
    suits = [hands >> np.uint64(13 * suit) & np.uint64(0x1FFF) for suit in range(4)]
    turned = sum(suits[suit] << np.uint64(13 * ((suit + 1) % 4)) for suit in range(4))
    np.testing.assert_array_equal(min_deadwood(turned, RULES[ace]), min_deadwood(hands, RULES[ace]))


# ---------------------------------------------------------------- the shape of the batch


@pytest.mark.parametrize("many", [0, 1, 2, 3, 4, 5, PASS - 1, PASS, PASS + 1, 2 * PASS - 3, 2 * PASS, 3 * PASS + 2])
def test_a_hand_counts_the_same_in_any_batch(many: int) -> None:
    hands = million(6, 9, 4 * PASS)
    taken = random_taken(hands, 2)
    counts, (cards, left) = min_deadwood(hands), best_discard(hands, taken=taken)
    np.testing.assert_array_equal(min_deadwood(hands[:many]), counts[:many])
    found = best_discard(hands[:many], taken=taken[:many])
    np.testing.assert_array_equal(found, [cards[:many], left[:many]])
    assert min_deadwood(hands[:many]).dtype == found[0].dtype == found[1].dtype == np.uint8


@pytest.mark.parametrize("many", range(PASS - 1, PASS + 8))
def test_kernels_stay_within_their_arrays(many: int) -> None:
    """Sets that compete with runs everywhere, before and behind the end of the batch."""
    four_queens, ladder = mask(range(11, 52, 13)), mask([9, 10, 12, 0])
    hands = np.full(2 * PASS, four_queens | ladder, np.uint64)
    taken = best_discard(hands)[0].astype(np.int8)
    out = np.full((3, 2 * PASS), 77, np.uint8)
    assert batch.DEADWOODS["low"](hands[:many], out[0, :many]) == 0
    assert batch.DISCARDS["low"](hands[:many], taken[:many], out[1, :many], out[2, :many]) == 0
    assert (out[:, many:] == 77).all()
    assert (out[:, :many] != 77).all()


def test_a_hand_counts_the_same_in_any_order() -> None:
    hands = million(7, 8, 5000)
    order = np.random.default_rng(8).permutation(hands.size)
    np.testing.assert_array_equal(min_deadwood(hands[order]), min_deadwood(hands)[order])
    np.testing.assert_array_equal(best_discard(hands[order]), np.array(best_discard(hands))[:, order])


def test_any_array_of_whole_numbers_will_do() -> None:
    hands = million(9, 7, 2000)
    counts = min_deadwood(hands)
    still = hands.copy()
    still.flags.writeable = False
    table = np.zeros((2000, 3), np.uint64)
    table[:, 1] = hands
    for same in (hands.tolist(), hands.astype(np.int64), still, table[:, 1], hands.astype(">u8"), hands[::-1][::-1]):
        np.testing.assert_array_equal(min_deadwood(same), counts)
    np.testing.assert_array_equal(min_deadwood(hands[::-2]), counts[::-2])
    for taken in ([-1] * 2000, np.full(2000, -1, np.int64), best_discard(hands)[0], np.full(4000, -1, np.int8)[::2]):
        assert best_discard(hands, taken=taken)[0].shape == (2000,)
    assert min_deadwood([]).shape == best_discard([], taken=[])[0].shape == (0,)
    assert still.tolist() == hands.tolist()


# ---------------------------------------------------------------- hands of any size


def test_few_cards() -> None:
    assert min_deadwood([0, 1, 1 << 51, 1 << 51 | 1 << 50]).tolist() == [0, 1, 10, 20]
    cards, left = best_discard([1, 1 << 51, 1 << 51 | 1])
    assert (cards.tolist(), left.tolist()) == ([0, 51, 51], [0, 0, 1])
    cards, left = best_discard([1 << 51 | 1, 1 << 51 | 1], taken=[51, -1])
    assert (cards.tolist(), left.tolist()) == ([0, 51], [10, 1])


@aces
def test_many_cards(ace: str) -> None:
    rng, rules = random.Random(4), rumsim.parse_rules(RULES[ace])
    hands = several(rng, 60, [12, 16, 20, 26]) + [mask(rng.sample(range(52), size)) for size in (27, 33, 40)]
    assert min_deadwood(hands, rules).tolist() == [melds.count(hand, rules) for hand in hands]
    hands = several(rng, 20, [12, 16, 20])
    assert pairs(best_discard(hands, rules)) == [melds.best_discard(hand, rules) for hand in hands]


def test_more_choices_than_the_kernel_walks() -> None:
    """Whole ranks without a run, and the whole pack: plain Python answers."""
    rules = rumsim.parse_rules("ledger")
    ranks = [0, 1, 3, 4, 6, 7, 9, 10, 12]
    whole = mask(13 * suit + rank for suit in range(4) for rank in ranks)
    assert min_deadwood([whole, (1 << 52) - 1, 7]).tolist() == [0, 0, 0]
    cards, left = best_discard([whole, 15])
    assert (cards.tolist(), left.tolist()) == ([melds.best_discard(whole, rules)[0], 3], [0, 0])


def test_no_hand_counts_more_than_fits() -> None:
    """Two cards of every rank and no run: 170, the most there is."""
    worst = mask(13 * suit + rank for rank in range(13) for suit in ((0, 1) if rank % 2 else (2, 3)))
    assert min_deadwood([worst]).tolist() == [170]
    assert best_discard([worst])[1].tolist() == [160]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ([7, 7, 1 << 52], "hands: got bit 52 at index 2; allowed: bits 0 to 51 (rules ledger)"),
        (np.array([7] * 1000 + [1 << 63], np.uint64), "hands: got bit 63 at index 1000"),
        ([3, -1], "hands: got -1 at index 1"),
        ([1.0, 2.0], "hands: got an array of float64"),
        ([True], "hands: got an array of bool"),
        (["4H"], "hands: got an array of <U2"),
        ([1 << 70], "hands: got an array of object"),
        (7, "hands: got 0 dimensions"),
        ([[7, 7]], "hands: got 2 dimensions"),
        ([[7, 7], [7]], "hands: got no array of numbers"),
    ],
)
def test_what_is_no_hand_is_refused(hands: Any, words: str) -> None:
    for verb in (min_deadwood, best_discard):
        with pytest.raises(RequestError) as refusal:
            verb(hands)
        assert words in str(refusal.value)
        assert len(refusal.value.lines) == 1


@pytest.mark.parametrize(
    ("hands", "taken", "words"),
    [
        ([7, 0, 7], None, "hands: got no cards at index 1; allowed: at least one to give back"),
        ([7, 0], [-1, -1], "hands: got no cards at index 1"),
        ([7, 1 << 51], [-1, 51], "taken: got KC, the only card of hands[1]; allowed: another one to give back"),
        ([7, 7], [-1, 3], "taken: got 3 at index 1; allowed: a card of hands[1], -1 for none"),
        ([7, 7], [-2, 0], "taken: got -2 at index 0"),
        ([7, 7], np.array([0, -2], np.int8), "taken: got -2 at index 1"),
        ([7, 7], np.array([0, 64], np.int8), "taken: got 64 at index 1"),
        ([7, 7], [-300, 0], "taken: got -300 at index 0"),
        ([7, 7], np.array([0, 1 << 63], np.uint64), f"taken: got {1 << 63} at index 1"),
        ([7, 7], [0], "taken: got 1 cards for 2 hands"),
        ([7, 7], 0, "taken: got 0 dimensions"),
        ([7, 7], [0.0, 1.0], "taken: got an array of float64"),
    ],
)
def test_what_cannot_be_given_back_is_refused(hands: Any, taken: Any, words: str) -> None:
    with pytest.raises(RequestError) as refusal:
        best_discard(hands, taken=taken)
    assert words in str(refusal.value)
    assert len(refusal.value.lines) == 1


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown profile"):
        min_deadwood([7], "bridge")
