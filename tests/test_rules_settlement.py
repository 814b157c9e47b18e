"""The rulebook as tests, named after its rules: settlement, and the worked example."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rumsim.errors import RequestError
from rumsim.rules import parse_rules
from rumsim.settlement import settle, settlement
from tests import oracle
from tests.rulebook import MIXTURES, PROFILES
from tests.scripts import referee, stack, turn

# ---------------------------------------------------------------- settlement


def settled(counts: list[int], knocker: int | None, rules: str = "ledger") -> tuple[list[str], list[int]]:
    found = settlement(counts, knocker, parse_rules(rules))
    assert list(found.deadwood) == counts
    return [str(amount) for amount in found.transfers], list(found.winners)


@pytest.mark.parametrize("rules", MIXTURES)
def test_rum_each_opponent_pays_the_count_and_the_bonus(rules: str) -> None:
    assert settled([0, 17, 42], 0, rules) == (["109", "-42", "-67"], [0])


@pytest.mark.parametrize("rules", MIXTURES)
def test_rum_wins_also_against_another_zero(rules: str) -> None:
    assert settled([0, 0, 33], 0, rules) == (["83", "-25", "-58"], [0])
    found = settlement([0, 0, 33], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (True, False, False)


@pytest.mark.parametrize("rules", MIXTURES)
def test_a_zero_that_did_not_knock_earns_no_bonus(rules: str) -> None:
    assert settled([8, 0, 21], 0, rules) == (["-18", "39", "-21"], [1])
    assert settled([0, 12], None, rules) == (["12", "-12"], [0])


@pytest.mark.parametrize("rules", MIXTURES)
def test_the_knocker_at_the_lowest_count_alone_wins_the_differences(rules: str) -> None:
    assert settled([20, 4, 9], 1, rules) == (["-16", "21", "-5"], [1])
    found = settlement([20, 4, 9], 1, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, False)


@pytest.mark.parametrize("rules", MIXTURES)
def test_an_undercut_knocker_pays_the_difference_and_the_penalty(rules: str) -> None:
    assert settled([18, 9, 4, 30], 0, rules) == (["-24", "-5", "55", "-26"], [2])
    found = settlement([18, 9, 4, 30], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, True, False)


@pytest.mark.parametrize("stock", ["compare", "reshuffle"])
def test_tie_free_a_tied_knocker_pays_and_receives_nothing(stock: str) -> None:
    rules = f"traditional:stock={stock},tie=free"
    assert settled([12, 25, 40, 12], 0, rules) == (["0", "-13", "-28", "41"], [3])
    assert settled([9, 9], 1, rules) == (["0", "0"], [0])
    found = settlement([9, 9], 1, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, True)
    assert list(found.win_shares) == [1, 0]


@pytest.mark.parametrize("stock", ["compare", "reshuffle"])
def test_tie_penalty_a_tied_knocker_pays_the_undercut_once_in_all(stock: str) -> None:
    rules = f"ledger:stock={stock},tie=penalty"
    assert settled([12, 25, 40, 12], 0, rules) == (["-10", "-13", "-28", "51"], [3])
    assert settled([7, 7, 30, 18, 7], 0, rules) == (["-10", "22", "-23", "-11", "22"], [1, 4])
    found = settlement([7, 7, 30, 18, 7], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, True)


@pytest.mark.parametrize("rules", MIXTURES)
def test_without_a_knocker_everyone_at_the_lowest_count_wins(rules: str) -> None:
    assert settled([10, 10, 13, 26, 44], None, rules) == (["53/2", "53/2", "-3", "-16", "-34"], [0, 1])
    assert settled([8, 8, 8], None, rules) == (["0", "0", "0"], [0, 1, 2])
    found = settlement([10, 10, 13, 26, 44], None, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, False)


def test_the_winners_share_all_payments_equally() -> None:
    assert settled([30, 8, 8, 8], 0) == (["-32", "32/3", "32/3", "32/3"], [1, 2, 3])
    assert settled([9, 8, 8, 8, 8], 0) == (["-11", "11/4", "11/4", "11/4", "11/4"], [1, 2, 3, 4])
    assert settled([30, 8, 8, 8], 0, "traditional:undercut=9") == (["-31", "31/3", "31/3", "31/3"], [1, 2, 3])


def test_every_amount_is_a_multiple_of_a_twelfth_and_every_share_of_a_sixtieth() -> None:
    for rules in MIXTURES:
        for counts in product([0, 3, 4], repeat=5):
            for knocker in (None, 0, 4):
                found = settlement(list(counts), knocker, parse_rules(rules))
                assert all((12 * amount).denominator == 1 for amount in found.transfers)
                assert all((60 * share).denominator == 1 for share in found.win_shares)


def test_win_share_is_one_over_the_number_of_winners() -> None:
    found = settlement([8, 8, 8, 8, 8], None, parse_rules("ledger"))
    assert list(found.win_shares) == [Fraction(1, 5)] * 5
    found = settlement([8, 5, 5, 9], 0, parse_rules("ledger"))
    assert list(found.win_shares) == [0, Fraction(1, 2), Fraction(1, 2), 0]


@pytest.mark.parametrize("amount", [0, 1, 1000])
def test_undercut_and_rum_bonus_are_what_the_rules_say(amount: int) -> None:
    rules = f"traditional:undercut={amount},rum_bonus={amount}"
    assert settled([8, 3], 0, rules) == ([str(-5 - amount), str(5 + amount)], [1])
    assert settled([8, 8], 0, rules) == ([str(-amount), str(amount)], [1])
    assert settled([0, 8], 0, rules) == ([str(8 + amount), str(-8 - amount)], [0])


def test_every_settlement_agrees_with_the_oracle() -> None:
    for tie, undercut, players in product(["free", "penalty"], [0, 10, 17], [2, 3, 4]):
        rules = parse_rules(f"ledger:tie={tie},undercut={undercut},rum_bonus=31")
        for counts in product([0, 1, 7, 12], repeat=players):
            for knocker in (None, *range(players)):
                found = settlement(list(counts), knocker, rules)
                expected = oracle.settle(list(counts), knocker, tie, undercut, 31)
                assert list(found.winners) == expected.winners
                assert list(found.transfers) == expected.transfers
                assert list(found.win_shares) == expected.win_shares
                flags = (found.rum, found.undercut, found.tied)
                assert flags == (expected.rum, expected.undercut, expected.tied)


# ---------------------------------------------------------------- the worked example and the verb settle

KNOCKER = "4♥ 5♥ 6♥ Q♣ Q♦ Q♠ 8♦"
UNDERCUTTER = "A♠ A♥ A♦ 7♣ 8♣ 9♣ 3♥"


@pytest.mark.parametrize("rules", PROFILES)
def test_worked_example(rules: str) -> None:
    found = settle([KNOCKER, UNDERCUTTER], 0, rules)
    assert found.as_json() == {
        "deadwood": [8, 3],
        "winners": [1],
        "transfers": ["-15", "15"],
        "win_shares": ["0", "1"],
        "rum": False,
        "undercut": True,
        "tied": False,
    }
    # Two players hold ten cards: scored, with a warning.
    assert len(found.warnings) == 1
    assert len(found.warnings[0].splitlines()) == 1


def test_worked_example_as_a_deal() -> None:
    deck = stack(2, 1, [KNOCKER_LETTERS, UNDERCUTTER_LETTERS], "KD", "KC")
    deal = referee("ledger:seven", 2, 1, deck, turn("stock", "@drawn", knock=True))
    assert list(deal.settlement.transfers) == [-15, 15]


KNOCKER_LETTERS = "4H 5H 6H QC QD QS 8D"
UNDERCUTTER_LETTERS = "AS AH AD 7C 8C 9C 3H"


@pytest.mark.parametrize(
    ("hands", "knocker", "words"),
    [
        (["4H 5H 6H", "4H 7C 8C"], 0, ["4H", "0", "1"]),
        (["4H 5H 6H", "7C 8C"], 0, ["3", "2"]),
        (["4H 5H 6H"], 0, ["1", "2", "5"]),
        (["AS", "2S", "3S", "4S", "5S", "6S"], 0, ["6", "2", "5"]),
        (["4H 5H 6H", "7C 8C 9C"], 2, ["2", "0", "1"]),
        (["4H 5H 6H", "7C 8C 9C"], -1, ["-1"]),
        (["4H 5H 5H", "7C 8C 9C"], 0, ["5H"]),
        (["4H 5H **", "7C 8C 9C"], 0, ["oker"]),
        (["4H 5H 6X", "7C 8C 9C"], 0, ["6X"]),
    ],
)
def test_hands_that_cannot_be_settled_are_refused(hands: list[str], knocker: int, words: list[str]) -> None:
    with pytest.raises(RequestError) as refused:
        settle(hands, knocker)
    assert len(str(refused.value).splitlines()) == 1
    for word in words:
        assert word in str(refused.value)


def test_a_knock_above_the_limit_is_warned_of_and_scored() -> None:
    found = settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:hand_size=3,knock_limit=22")
    assert list(found.transfers) == [-33, 33]
    assert len(found.warnings) == 1
    assert "23" in found.warnings[0]
    assert "22" in found.warnings[0]
    assert list(settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:hand_size=3,knock_limit=23").warnings) == []
    assert list(settle(["4H 9H KS", "7C 8C 9C"], None, "ledger:hand_size=3,knock_limit=22").warnings) == []


def test_two_warnings_are_two_lines() -> None:
    found = settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:knock_limit=22")
    assert len(found.warnings) == 2
