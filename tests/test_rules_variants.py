"""The rulebook as tests, named after its rules: variants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rumsim.cards import mask, parse_cards
from rumsim.melds import count, deadwood
from rumsim.rules import Rules, parse_rules
from tests import oracle
from tests.rulebook import PROFILES, SMALL, TABLE, forbidden, single_refusal, small
from tests.scripts import referee, shuffled, stack, turn

# ---------------------------------------------------------------- variants


def changed(rules: Rules, profile: str) -> dict[str, Any]:
    """The fields in which these rules differ from their profile."""
    return {key: value for key, value in rules.as_json().items() if value != TABLE[profile][key]}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("variant", "fields"),
    [
        ("rum-knock", {"knock_limit": 10}),
        ("no-knock", {"knock_limit": 0}),
        ("joker-knock", {"jokers": 2}),
        ("ace-high", {"ace": "high-or-low"}),
        ("seven", {"hand_size": "7/7/7/7"}),
        ("poker-rum", {}),
        ("poker-gin", {}),
    ],
)
def test_variant(profile: str, variant: str, fields: dict[str, Any]) -> None:
    assert changed(parse_rules(f"{profile}:{variant}"), profile) == fields
    assert changed(parse_rules({"profile": profile, "variants": [variant]}), profile) == fields


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("knock", ["rum-knock", "no-knock"])
def test_variants_combine_freely(profile: str, knock: str) -> None:
    limit = 10 if knock == "rum-knock" else 0
    for text in (f"{knock},ace-high,seven,poker-gin,joker-knock", f"joker-knock,seven,poker-rum,ace-high,{knock}"):
        assert changed(parse_rules(f"{profile}:{text}"), profile) == {
            "hand_size": "7/7/7/7",
            "knock_limit": limit,
            "ace": "high-or-low",
            "jokers": 2,
        }


def test_variants_rum_knock_and_no_knock_contradict_each_other() -> None:
    for value in (
        "ledger:rum-knock,no-knock",
        "traditional:no-knock,seven,rum-knock",
        {"profile": "ledger", "variants": ["rum-knock", "no-knock"]},
    ):
        line = single_refusal(value)
        assert "rum-knock" in line
        assert "no-knock" in line


def test_variant_field_given_explicitly_overrides_it() -> None:
    assert parse_rules("ledger:rum-knock,knock_limit=12").knock_limit == 12
    assert parse_rules("ledger:knock_limit=12,rum-knock").knock_limit == 12
    assert parse_rules("ledger:no-knock,knock_limit=none").knock_limit is None
    assert parse_rules("traditional:seven,hand_size=5").as_json()["hand_size"] == "5/5/5/5"
    mapping = {"profile": "ledger", "variants": ["rum-knock"], "knock_limit": 12}
    assert parse_rules(mapping).knock_limit == 12


def test_the_same_field_twice_is_refused() -> None:
    assert "undercut" in single_refusal("ledger:undercut=10,undercut=20")
    assert "undercut" in single_refusal("ledger:undercut=10,seven,undercut=10")


@pytest.mark.parametrize(
    "text", ["tunk", "ledger:tunk", "ledger:colour=red", "Ledger;seven", "ledger:seven:ace-high", ":"]
)
def test_unknown_profiles_variants_and_fields_are_refused(text: str) -> None:
    single_refusal(text)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    line = single_refusal("seed03")
    assert "seed03" in line
    assert "ledger" in line
    assert "traditional" in line
    assert "rum-knock" in single_refusal("ledger:rumknock")


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_rum_knock_allows_ten_and_refuses_eleven(profile: str) -> None:
    rules = f"{profile}:rum-knock,{SMALL}"
    deck = stack(2, 1, ["4S 5S AH", "2C 3C 4C"], "9D", "KC")
    assert small(turn("stock", "@drawn", knock=True), rules=rules, deck=deck).end == "knock"
    deck = stack(2, 1, ["4S 5S 2H", "2C 3C 4C"], "9D", "KC")
    line = forbidden(turn("stock", "@drawn", knock=True), turn=1, player=0, rules=rules, deck=deck)
    assert "11" in line


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_no_knock_ends_only_with_zero_and_is_settled_as_rum(profile: str) -> None:
    rules = f"{profile}:no-knock,{SMALL}"
    deck = stack(2, 1, ["4S 5S KH", "2C 3C 9C"], "6S", "AC")
    deal = small(turn("upcard", "KH", knock=True), rules=rules, deck=deck)
    assert deal.settlement.rum
    assert list(deal.settlement.transfers) == [14 + 25, -14 - 25]
    forbidden(turn("stock", "KH", knock=True), turn=1, player=0, rules=rules, deck=deck)  # 4 + 5 + 1


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("QS KS AS", 0),
        ("AS 2S 3S", 0),
        ("KS AS 2S", 13),
        ("QS KS AS 2S", 2),
        ("QS KS AS 2S 3S", 5),
        ("QS KS AS 2S 3S AH", 6),
        ("KS AS 2S 3S", 10),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", 0),
        ("AS 9H KC", 20),
    ],
)
def test_variant_ace_high_allows_q_k_a_without_a_wrap(profile: str, hand: str, left: int) -> None:
    rules = f"{profile}:ace-high"
    found = deadwood(hand, rules)
    assert found.deadwood == left
    assert oracle.deadwood(oracle.cards(hand), "high-or-low") == left
    assert count(mask(parse_cards(hand)), parse_rules(rules)) == left


def test_variant_ace_high_the_ace_still_counts_one() -> None:
    rules = parse_rules("ledger:ace-high")
    assert [rules.points(13 * suit) for suit in range(4)] == [1, 1, 1, 1]


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_ace_high_in_a_deal(profile: str) -> None:
    deck = stack(2, 1, ["QS KS 4D", "2C 3C 9C"], "AS", "AC")
    knock = turn("upcard", "4D", knock=True)
    assert small(knock, rules=f"{profile}:{SMALL},ace-high", deck=deck).settlement.rum
    assert list(small(knock, rules=f"{profile}:{SMALL}", deck=deck).deadwood) == [21, 14]


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_joker_knock_in_a_deal(profile: str) -> None:
    # 9H 9D and the joker are a set, player 0 is left with 4. Player 1's joker finds no pair and no neighbours:
    # 15 + 3 + 10 + 6 = 34, so 34 - 4 = 30 are paid.
    deck = stack(2, 1, ["9H 9D ** 4C", "** 3C TH 6S"], "KS", "KC", jokers=2)
    deal = referee(f"{profile}:joker-knock,hand_size=4", 2, 1, deck, turn("stock", "KC", knock=True))
    assert list(deal.deadwood) == [4, 15 + 3 + 10 + 6]
    assert list(deal.settlement.transfers) == [30, -30]
    assert len(deal.deck) == 54


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_variant_seven_deals_seven_cards_to_all(profile: str, players: int) -> None:
    deal = referee(f"{profile}:seven", players, 0, shuffled(6))
    assert [len(hand) for hand in deal.dealt] == [7] * players


def test_rules_from_a_toml_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('profile = "traditional"\nvariants = ["rum-knock", "seven"]\nundercut = 20\n', "utf-8")
    rules = parse_rules(str(file))
    assert rules == parse_rules("traditional:rum-knock,seven,undercut=20")
    for broken in ("undercut = 5000\n", 'profile = "x"\n', "undercut =\n", 'variants = ["tunk"]\n'):
        file.write_text(broken, "utf-8")
        single_refusal(str(file))
    single_refusal(str(tmp_path / "missing.toml"))
