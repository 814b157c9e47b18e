"""``rumsim settle``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import Answer

Command = Callable[..., Answer]
A, B = "4H 5H 6H QC QD QS 8D", "AS AH AD 7C 8C 9C 3H"


def test_the_worked_example(command: Command) -> None:
    answer = command("settle", "--knocker", "0", A, B, "--json")
    assert answer.code == 0
    assert answer.json == {
        "deadwood": [8, 3],
        "winners": [1],
        "transfers": ["-15", "15"],
        "win_shares": ["0", "1"],
        "rum": False,
        "undercut": True,
        "tied": False,
    }
    assert answer.err.startswith("rumsim settle: warning: ")  # two players hold ten cards by the rules
    assert len(answer.err.splitlines()) == 1


def test_readable_says_who_pays_whom_and_why(command: Command) -> None:
    answer = command("settle", "--knocker", "0", A, B)
    assert "undercut" in answer.out
    assert "player 0 pays 8 - 3 = 5 and 10 for being undercut: 15" in answer.out
    assert answer.out.splitlines()[-1] == "Ledger: player 0 -15, player 1 +15"
    assert answer.out.splitlines()[0].split() == ["player", "0", "8", "4♥-5♥-6♥", "Q♠-Q♦-Q♣", "|", "8♦", "(knocked)"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--knocker", "1", "KH", "2S", "3S"], ["the least of all", "player 1 collects 9"]),
        (["--knocker", "0", "AH 2H 3H", "KS KD KC"], ["rum, also against the 0 of player 1", "collects 25"]),
        (["--knocker", "0", "AH 2H 3H", "KS 2D 4S"], ["player 1 pays 16 and 25 for the rum: 41"]),
        (["--knocker", "0", "2H", "2S", "9S", "2C"], ["is tied", "player 0 pays nothing", "7/2 each"]),
        (["--knocker", "0", "2H", "2S", "--rules", "traditional"], ["pays 10 as a tied knocker", "collects 10"]),
        (["2H", "3S"], ["Nobody knocked", "player 1 pays 3 - 2 = 1"]),
        (["2H", "2S"], ["player 0 and player 1 share 0", "player 0 0, player 1 0"]),
    ],
)
def test_every_outcome_in_words(command: Command, words: list[str], says: list[str]) -> None:
    answer = command("settle", *words)
    assert answer.code == 0
    for text in says:
        assert text in answer.out


def test_fractions_are_exact(command: Command) -> None:
    answer = command("settle", "--json", "2H", "2S", "2C", "KS", "--knocker", "3")
    assert answer.json["transfers"] == ["6", "6", "6", "-18"]
    answer = command("settle", "--json", "2H", "2S", "2C", "KS", "9D")
    assert answer.json["transfers"] == ["5", "5", "5", "-8", "-7"]
    answer = command("settle", "--json", "2H", "2S", "2C", "KS", "8D")
    assert answer.json["transfers"] == ["14/3", "14/3", "14/3", "-8", "-6"]
    assert answer.json["win_shares"] == ["1/3", "1/3", "1/3", "0", "0"]


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        ([A, "AS AH AD 7C 8C 9C 8D"], ["hands", "8D", "players 0 and 1"]),
        (["4H 5H", "KS"], ["hands", "2, 1", "one size"]),
        (["4H 5H"], ["hands", "got 1", "2 to 5"]),
        ([], ["hands", "got nothing", "2 to 5"]),
        (["AS", "2S", "3S", "4S", "5S", "6S"], ["hands", "6 single cards", "quotes"]),
        (["AS 2D", "2S 3D", "3S 4D", "4S 5D", "5S 6D", "6S 7D"], ["hands", "got 6", "2 to 5"]),
        ([A, B, "--knocker", "2"], ["knocker", "'2'", "0 to 1"]),
        ([A, B, "--knocker", "9"], ["knocker", "'9'", "0 to 1"]),
        ([A, B, "--knocker", "-1"], ["knocker", "'-1'", "0 to 1"]),
        ([A, B, "--knocker", "me"], ["knocker", "'me'", "0 to 1"]),
        (["4H **", "5H 6H"], ["player 0", "joker"]),
        (["4H 5H", "5X 6H"], ["player 1", "5X"]),
        ([A, B, "--rules", "ledger:undercut=-1"], ["undercut", "0 to 1000"]),
    ],
)
def test_refused(command: Command, words: list[str], mentions: list[str]) -> None:
    line = command("settle", *words).refused()
    assert line.startswith("rumsim settle: ")
    for mention in mentions:
        assert mention in line


def test_odd_deals_are_warned_of_and_scored(command: Command) -> None:
    answer = command("settle", "KH 9C", "2S 3S", "--knocker", "0", "--rules", "ledger:rum-knock", "--json")
    assert answer.code == 0
    assert answer.json["transfers"] == ["-24", "24"]
    size, limit = answer.err.splitlines()
    assert size.startswith("rumsim settle: warning: ")
    assert "limit of 10" in limit


def test_single_cards_may_be_forgotten_quotes(command: Command) -> None:
    answer = command("settle", "2S", "3S")
    assert answer.code == 0
    assert "quotes" in answer.err
