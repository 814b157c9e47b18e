"""The rulebook as tests, named after its rules: cards, points and melds."""

from __future__ import annotations

import pytest

from rumsim.cards import card_id, card_text, parse_cards
from rumsim.errors import RequestError
from rumsim.melds import deadwood
from rumsim.rules import parse_rules
from tests import oracle
from tests.rulebook import PROFILES

# ---------------------------------------------------------------- cards, points, melds


def test_cards_are_numbered_by_suit_then_rank() -> None:
    words = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    assert [card_id(word) for word in words] == list(range(52))
    assert [card_text(card) for card in range(52)] == words
    assert (card_id("AS"), card_id("KC")) == (0, 51)


def test_jokers_are_cards_52_and_53() -> None:
    assert card_text(52) == card_text(53) == "**"
    assert parse_cards("** AS **") == parse_cards("JK AS jk") == [52, 0, 53]


@pytest.mark.parametrize(
    ("text", "card"),
    [("10D", "TD"), ("10d", "TD"), ("td", "TD"), ("4♥", "4H"), ("k♠", "KS"), ("10♦", "TD"), ("a♣", "AC")],
)
def test_other_spellings_of_a_card(text: str, card: str) -> None:
    assert card_id(text) == card_id(card)


def test_cards_are_separated_by_blanks_or_commas() -> None:
    assert parse_cards("4H, 5H,6H  QC") == parse_cards(["4H", "5H", "6H", "QC"])


@pytest.mark.parametrize("text", ["1H", "11H", "4", "H", "4HH", "0D", "XS", "4 H"])
def test_other_words_are_no_cards(text: str) -> None:
    with pytest.raises(RequestError):
        parse_cards(text)


@pytest.mark.parametrize("profile", PROFILES)
def test_points_ace_one_faces_ten_others_face_value(profile: str) -> None:
    rules = parse_rules(profile)
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [rules.points(card) for card in range(52)] == values * 4


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("AS 2S 3S", 0),
        ("QS KS AS", 21),
        ("KS AS 2S", 13),
        ("JS QS KS", 0),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", 0),
    ],
)
def test_the_ace_is_low(profile: str, hand: str, left: int) -> None:
    assert deadwood(hand, profile).deadwood == left


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("7S 7H 7D", 0),
        ("7S 7H 7D 7C", 0),
        ("7S 7H", 14),
        ("4S 5S", 9),
        ("4S 5S 6S", 0),
        ("4S 5H 6S", 15),
        ("4S 5S 7S", 16),
        ("4S 6S 8S", 18),
        ("9D TD JD QD KD", 0),
    ],
)
def test_a_meld_is_a_set_of_three_or_four_or_a_run_of_three_or_more(hand: str, left: int) -> None:
    assert deadwood(hand).deadwood == left


def test_a_card_belongs_to_at_most_one_meld() -> None:
    # The seven of spades would serve the set and the run: one of them must go without.
    assert deadwood("7S 7H 7D 8S 9S").deadwood == 14
    assert deadwood("7S 7H 7D 7C 8S 9S").deadwood == 0


@pytest.mark.parametrize(
    ("hand", "least", "careless"),
    [
        ("6H 5H 4H 8H 4C 4S 7H", 0, "longest run first leaves 8"),
        ("5D 4D 3D 5H 5C 5S 6D", 0, "sets first leaves 13"),
        ("7H 8H 9D 9S 9H 6H 8S", 8, "runs first leaves 26"),
    ],
)
def test_deadwood_is_the_minimum_over_all_disjoint_melds(hand: str, least: int, careless: str) -> None:
    assert deadwood(hand).deadwood == least == oracle.deadwood(oracle.cards(hand)), careless
