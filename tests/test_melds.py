"""The minimum deadwood and the best discard, against the exhaustive search of the oracle."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from rumsim.cards import cards_of, mask, parse_cards
from rumsim.errors import RequestError
from rumsim.melds import arrange, best_discard, count, deadwood
from rumsim.rules import parse_rules
from tests import oracle
from tests.oracle import Card

RULES = {"low": parse_rules("ledger"), "high-or-low": parse_rules("traditional:ace-high")}
ACES = ["low", "high-or-low"]


def plain_hands(rng: random.Random, number: int) -> Iterator[list[Card]]:
    for _ in range(number):
        yield rng.sample(oracle.PACK, rng.randint(5, 11))


def narrow_hands(rng: random.Random, number: int) -> Iterator[list[Card]]:
    """From few ranks side by side, ace and king counted as neighbours: melds compete everywhere."""
    for _ in range(number):
        first, width = rng.randint(1, 13), rng.randint(3, 5)
        ranks = {(first + step - 1) % 13 + 1 for step in range(width)}
        pool = [one for one in oracle.PACK if one[0] in ranks]
        yield rng.sample(pool, min(rng.randint(5, 11), len(pool)))


def long_run_hands(rng: random.Random, number: int) -> Iterator[list[Card]]:
    """One long run and the other cards of its ranks: which of its cards to lend to a set."""
    for _ in range(number):
        suit, length = rng.choice(oracle.SUITS), rng.randint(4, 8)
        first = rng.randint(1, 15 - length)
        ranks = [(first + step - 1) % 13 + 1 for step in range(length)]
        hand = {(rank, suit) for rank in ranks}
        others = [one for one in oracle.PACK if one[0] in ranks and one not in hand]
        yield [*hand, *rng.sample(others, rng.randint(1, 11 - length))]


def melded_hands(rng: random.Random, number: int) -> Iterator[list[Card]]:
    """Built of whole melds, so that often every card is melded and a discard must still be found."""
    for _ in range(number):
        hand: set[Card] = set()
        for _ in range(3):
            if rng.random() < 0.5:
                rank = rng.randint(1, 13)
                hand |= {(rank, suit) for suit in rng.sample(oracle.SUITS, rng.choice([3, 4]))}
            else:
                suit, first = rng.choice(oracle.SUITS), rng.randint(1, 11)
                hand |= {(rank, suit) for rank in range(first, first + 3)}
        yield rng.sample(sorted(hand), min(len(hand), 11))


KINDS = {
    "plain": (plain_hands, 500),
    "narrow": (narrow_hands, 350),
    "long run": (long_run_hands, 350),
    "melded": (melded_hands, 350),
}


def ids(hand: list[Card]) -> int:
    return mask([oracle.number(one) for one in hand])


def show(hand: list[Card]) -> str:
    return " ".join(map(oracle.text, sorted(hand)))


@pytest.mark.parametrize("ace", ACES)
@pytest.mark.parametrize("kind", KINDS)
def test_counts_and_discards_of_many_hands(kind: str, ace: str) -> None:
    make, number = KINDS[kind]
    rng, rules = random.Random(f"{kind} {ace}"), RULES[ace]
    for hand in make(rng, number):
        assert count(ids(hand), rules) == oracle.deadwood(hand, ace), show(hand)
        left = oracle.after_giving(hand, None, ace)
        free = oracle.greediest(left)
        # What may not be given back matters most where it is what one would give back.
        taken = rng.choice([free, rng.choice(hand)])
        bound = oracle.greediest({one: left[one] for one in left if one != taken})
        assert best_discard(ids(hand), rules) == (oracle.number(free), left[free]), show(hand)
        found = best_discard(ids(hand), rules, oracle.number(taken))
        assert found == (oracle.number(bound), left[bound]), (show(hand), taken)


@pytest.mark.parametrize("ace", ACES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_arrangement_shown_reaches_the_count(kind: str, ace: str) -> None:
    make, number = KINDS[kind]
    rng, rules = random.Random(f"shown {kind} {ace}"), RULES[ace]
    for hand in make(rng, number // 2):
        shown = arrange([oracle.number(one) for one in hand], rules).as_json()
        melds, loose = [oracle.cards(meld) for meld in shown["melds"]], oracle.cards(shown["unmelded"])
        assert sorted(one for group in (*melds, loose) for one in group) == sorted(hand)
        assert all(oracle.is_meld(meld, ace) for meld in melds)
        assert shown["deadwood"] == oracle.deadwood(hand, ace) == sum(map(oracle.points, loose))
        assert shown["hand"] == [oracle.text(one) for one in sorted(hand, key=oracle.number)]
        assert shown["unmelded"] == [oracle.text(one) for one in sorted(loose, key=oracle.number)]


def test_order_of_the_cards_of_a_meld() -> None:
    # Runs ascend, an ace above the king comes last; sets stand in the order S H D C.
    shown = deadwood("QH KH AH", "ledger:ace-high").as_json()
    assert shown["melds"] == [["QH", "KH", "AH"]]
    assert deadwood("3C 2C AC 4C").as_json()["melds"] == [["AC", "2C", "3C", "4C"]]
    assert deadwood("9C 9D 9H 9S").as_json()["melds"] == [["9S", "9H", "9D", "9C"]]


@pytest.mark.parametrize("words", ["", "AS", "AS KS", "2H 3H"])
def test_hands_too_short_for_a_meld(words: str) -> None:
    hand = oracle.cards(words)
    assert count(mask(parse_cards(words.split())), RULES["low"]) == sum(map(oracle.points, hand))


def test_a_tie_goes_to_the_higher_card_then_to_the_lower_id() -> None:
    rules = RULES["low"]
    # KC and KS leave the same: spades come first in the order of ids.
    assert best_discard(mask(parse_cards("KC KS 2H")), rules) == (parse_cards("KS")[0], 12)
    assert best_discard(mask(parse_cards("KC KS 2H")), rules, 12) == (parse_cards("KC")[0], 12)
    # All melded: either end of the run leaves nothing, the nine has more points.
    assert best_discard(mask(parse_cards("6D 7D 8D 9D")), rules) == (parse_cards("9D")[0], 0)
    # A ten and a king have the same points; the ten's id is lower.
    assert best_discard(mask(parse_cards("KD TD 2H")), rules) == (parse_cards("TD")[0], 12)
    # Points come before ids only among ties of deadwood.
    assert best_discard(mask(parse_cards("KS KH KD 9C")), rules) == (parse_cards("9C")[0], 0)


def test_many_cards_answer_quickly() -> None:
    started = time.perf_counter()
    everything = (1 << 52) - 1
    for rules in RULES.values():
        assert count(everything, rules) == 0
        assert count((1 << 26) - 1, rules) == 0
        # All spades: any ten-point card may go, two runs remain; of these the ten has the lowest id.
        assert best_discard((1 << 13) - 1, rules) == (9, 0)
        # Aces to sixes in all suits and two kings.
        low = [13 * suit + rank for suit in range(4) for rank in range(6)]
        assert count(mask([*low, 12, 25]), rules) == 20
    assert deadwood(" ".join(map(oracle.text, oracle.PACK))).deadwood == 0
    assert time.perf_counter() - started < 5


def test_half_a_pack_at_random_agrees_with_the_oracle() -> None:
    rng = random.Random(26)
    for ace, rules in RULES.items():
        hand = rng.sample(oracle.PACK, 26)
        assert count(ids(hand), rules) == oracle.deadwood(hand, ace)


def test_masks_hold_cards_in_id_order() -> None:
    assert cards_of(mask([51, 0, 17])) == [0, 17, 51]


@pytest.mark.parametrize("hand", ["4H 4H 5H", "1H", "4X", "4H 5H, 6H 14S", "HH", "10", "4H5H"])
def test_a_hand_that_is_no_hand_is_refused(hand: str) -> None:
    with pytest.raises(RequestError) as refused:
        deadwood(hand)
    assert len(str(refused.value).splitlines()) == 1
