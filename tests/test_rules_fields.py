"""The rulebook as tests, named after its rules: every row of the table of fields."""

from __future__ import annotations

from typing import Any

import pytest

from rumsim import play, replay
from rumsim.errors import RequestError
from rumsim.rules import FIELDS, parse_rules
from tests.rulebook import PROFILES, TABLE, single_refusal
from tests.scripts import record, referee, shuffled

# ---------------------------------------------------------------- the fields of the rules


@pytest.mark.parametrize("profile", PROFILES)
def test_the_two_profiles(profile: str) -> None:
    shown = parse_rules(profile).as_json()
    assert shown == TABLE[profile]
    assert list(shown) == list(TABLE[profile])


def test_ledger_is_the_default() -> None:
    assert play(2, ["knock=200"], deck=shuffled(1)).rules == parse_rules("ledger")


def test_fields_table_names_every_field() -> None:
    assert len(FIELDS) == len(TABLE["ledger"])


ALLOWED = [
    ("hand_size", "1", "1/1/1/1"),
    ("hand_size", "7", "7/7/7/7"),
    ("hand_size", "13", "13/13/13/13"),
    ("hand_size", "25/16/12/10", "25/16/12/10"),
    ("hand_size", "10/7/7/6", "10/7/7/6"),
    ("stock", "compare", "compare"),
    ("stock", "reshuffle", "reshuffle"),
    ("tie", "free", "free"),
    ("tie", "penalty", "penalty"),
    ("undercut", "0", 0),
    ("undercut", "1000", 1000),
    ("rum_bonus", "0", 0),
    ("rum_bonus", "1000", 1000),
    ("knock_limit", "none", "none"),
    ("knock_limit", "0", 0),
    ("knock_limit", "200", 200),
    ("ace", "low", "low"),
    ("ace", "high-or-low", "high-or-low"),
    ("jokers", "0", 0),
    ("jokers", "1", 1),
    ("jokers", "2", 2),
    ("joker_value", "0", 0),
    ("joker_value", "40", 40),
    ("min_naturals", "1", 1),
    ("min_naturals", "2", 2),
    ("min_naturals", "3", 3),
    ("max_turns", "1", 1),
    ("max_turns", "1000000", 1000000),
]

REFUSED = [
    *[("hand_size", text) for text in ("0", "-1", "7/7/7", "10/7/7/7/7", "10/7/7/0", "x", "", "7/", "7.0")],
    *[("stock", text) for text in ("Compare!", "recycle", "", "none")],
    *[("tie", text) for text in ("pay", "", "none")],
    *[("undercut", text) for text in ("-1", "1001", "ten", "", "1.5", "none", "1_0")],
    *[("rum_bonus", text) for text in ("-1", "1001", "x", "", "nan")],
    *[("knock_limit", text) for text in ("-1", "201", "never", "", "10.5")],
    *[("ace", text) for text in ("high", "", "both")],
    *[("jokers", text) for text in ("-1", "3", "x", "")],
    *[("joker_value", text) for text in ("-1", "41", "")],
    *[("min_naturals", text) for text in ("0", "4", "")],
    *[("max_turns", text) for text in ("0", "-1", "none", "", "inf")],
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("field", "text", "value"), ALLOWED)
def test_field_takes_its_allowed_values(profile: str, field: str, text: str, value: Any) -> None:
    rules = parse_rules(f"{profile}:{field}={text}")
    assert rules.as_json() == {**TABLE[profile], field: value}
    assert parse_rules(rules.as_json()) == rules


@pytest.mark.parametrize(("field", "text"), REFUSED)
def test_field_refuses_values_outside_the_table(field: str, text: str) -> None:
    line = single_refusal(f"ledger:{field}={text}")
    assert field in line
    assert text in line


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("undercut", 1001),
        ("undercut", "many"),
        ("undercut", 1.5),
        ("undercut", True),
        ("rum_bonus", -1),
        ("rum_bonus", None),
        ("knock_limit", 201),
        ("ace", 1),
        ("max_turns", 0),
        ("hand_size", "10/7/7"),
        ("hand_size", 0),
        ("stock", "x"),
        ("tie", []),
        ("flavour", 1),
    ],
)
def test_field_refuses_the_same_in_a_file_or_mapping(field: str, value: Any) -> None:
    assert field in single_refusal({**TABLE["ledger"], field: value})
    assert field in single_refusal({"profile": "traditional", field: value})


def test_hand_size_must_leave_two_cards() -> None:
    rules = parse_rules("ledger:hand_size=13")
    assert [rules.size_for(players) for players in (2, 3)] == [13, 13]
    with pytest.raises(RequestError) as refused:
        rules.size_for(4)
    assert "13" in str(refused.value)
    with pytest.raises(RequestError):
        play(4, ["knock=10"], rules, seed=1)
    with pytest.raises(RequestError):
        replay(record("ledger:hand_size=13", 4, 0, shuffled(1), []))


@pytest.mark.parametrize(
    ("jokers", "players", "most"),
    [
        *[(0, 2, 25), (0, 3, 16), (0, 4, 12), (0, 5, 10)],
        *[(1, 2, 25), (1, 3, 17), (1, 4, 12), (1, 5, 10)],
        *[(2, 2, 26), (2, 3, 17), (2, 4, 13), (2, 5, 10)],
    ],
)
def test_hand_size_players_times_size_leaves_two_cards(jokers: int, players: int, most: int) -> None:
    assert parse_rules(f"ledger:jokers={jokers},hand_size={most}").size_for(players) == most
    deal = referee(f"ledger:jokers={jokers},hand_size={most}", players, 0, shuffled(1, jokers))
    assert len(deal.as_json()["stock"]) == 51 + jokers - most * players
    with pytest.raises(RequestError):
        parse_rules(f"ledger:jokers={jokers},hand_size={most + 1}").size_for(players)


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 7])
def test_there_are_two_to_five_players(players: int) -> None:
    for call in (
        lambda: parse_rules("ledger").size_for(players),
        lambda: play(players, ["knock=10"], seed=1),
        lambda: replay(record("ledger", players, 0, shuffled(1), [])),
    ):
        with pytest.raises(RequestError) as refused:
            call()
        assert str(players) in str(refused.value)


@pytest.mark.parametrize("dealer", [-1, 3, "0", None, 1.0, True])
def test_the_dealer_is_one_of_the_players(dealer: Any) -> None:
    with pytest.raises(RequestError, match="dealer"):
        replay(record("ledger", 3, dealer, shuffled(1), []))


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("change", ["one less", "twice", "a joker more", "a joker for a card", "no card"])
def test_the_deck_is_the_whole_pack(change: str, jokers: int) -> None:
    deck, rules = shuffled(1, jokers), f"ledger:jokers={jokers}"
    wrong = {
        "one less": deck[:-1],
        "twice": [*deck[:-1], deck[0]],
        "a joker more": [*deck, "**"],
        "a joker for a card": ["**" if word == "AS" else word for word in deck],
        "no card": [*deck[:-1], "1X"],
    }[change]
    with pytest.raises(RequestError):
        replay(record(rules, 3, 0, wrong, []))
    with pytest.raises(RequestError):
        play(3, ["knock=10"], rules, deck=wrong)


@pytest.mark.parametrize("jokers", [1, 2])
def test_a_deck_without_its_jokers_is_refused(jokers: int) -> None:
    with pytest.raises(RequestError, match=r"\*\*"):
        replay(record(f"ledger:jokers={jokers}", 3, 0, shuffled(1, jokers - 1), []))
