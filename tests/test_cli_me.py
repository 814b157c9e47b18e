"""``rumsim play --me``: a person against the bots."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rumsim import play
from rumsim.cards import card_text, pretty
from tests.conftest import Answer

Sit = Callable[..., Answer]
WORDS = ("play", "--players", "2", "--bots", "knock=never", "--seed", "4", "--me", "0")


@pytest.fixture
def sit(command: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> Sit:
    def call(answers: str, *words: object) -> Answer:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(answers.encode())))
        return command(*words)

    return call


def dealt(player: int = 0) -> list[int]:
    return list(play(2, "knock=never", seed=4).dealt[player])


def test_a_whole_deal(sit: Sit) -> None:
    card = card_text(dealt()[0])
    answer = sit(f"s\nk {card}\n", *WORDS)
    assert (answer.code, answer.err) == (0, "")
    assert "This deal is --seed 4." in answer.out
    assert "Player 0 (you) knocks on table turn 1." in answer.out
    assert answer.out.splitlines()[-1].startswith("Ledger: player 0 (you) ")
    assert max(map(len, answer.out.splitlines())) <= 100  # prompts and answers share a line here


def test_other_hands_stay_hidden_until_the_end(sit: Sit) -> None:
    mine, theirs = dealt(0), dealt(1)
    answer = sit(f"s\n{card_text(mine[0])}\ns\nk {card_text(mine[1])}\n", *WORDS)
    assert answer.code == 0
    before, after = answer.out.split("Player 0 (you) knocks")
    turn = re.search(r"Player 1 (draws from the stock|takes the upcard \S+), gives back (\S+)\.", before)
    assert turn is not None
    shown = {pretty(card) for card in theirs} - {turn[2]}
    assert not shown & set(re.findall(r"[\w]+[♠♥♦♣]", before))
    assert any(text in after for text in shown)


def test_what_is_not_allowed_is_explained_and_asked_again(sit: Sit) -> None:
    mine, theirs = dealt(0), dealt(1)
    upcard = card_text(play(2, "knock=never", seed=4).first_upcard)
    answers = ["x", "d", "u", "fold", "k", card_text(theirs[0]), upcard, f"knock {card_text(mine[0])}"]
    answer = sit("\n".join(answers) + "\n", *WORDS)
    assert answer.code == 0
    for text in (
        "That is no draw.",
        "You may decline only when the stock is empty",
        "That is no card.",
        f"You do not hold {pretty(theirs[0])}.",
        "from the discard pile; it may not be given back in the same turn.",
    ):
        assert text in answer.out


def test_a_knock_above_the_limit_is_asked_again(sit: Sit) -> None:
    card = card_text(dealt()[0])
    answer = sit(f"s\nk {card}\nq\n", *WORDS, "--rules", "ledger:no-knock")
    assert "these rules allow it with 0 or less" in answer.out


def test_an_empty_stock_may_be_declined_but_not_drawn_from(sit: Sit, tmp_path: Path) -> None:
    # 25 cards each leave one in the stock, so the second table turn finds it empty.
    rules = "ledger:hand_size=25/7/7/7"
    deal = play(2, "knock=never,draw=stock", rules, seed=4)
    words = ("play", "--players", "2", "--bots", "knock=never,draw=stock", "--seed", "4", "--me", "1")
    answer = sit("s\nd\n", *words, "--rules", rules, "--json")
    assert answer.code == 0
    assert "The stock is empty: take the upcard (u) or decline it (d)." in answer.err
    assert answer.json["end"] == deal.end == "exhausted"


@pytest.mark.parametrize("answers", ["q\n", "q\ny\n", "s\nquit\n", "", "s\n"])
def test_leaving_ends_with_130_and_a_line(sit: Sit, answers: str) -> None:
    answer = sit(answers, *WORDS)
    assert answer.code == 130
    assert re.fullmatch(r"rumsim play: (you left the table|the answers ended); .*\n", answer.err)


def test_a_bare_queen_does_not_leave_the_table(sit: Sit) -> None:
    answer = sit(f"Q\nn\ns\nQ\nno\nk {card_text(dealt()[0])}\n", *WORDS)
    assert answer.code == 0
    assert answer.out.count("a queen is written with its suit, such as QH") == 2


def test_help_and_pile(sit: Sit) -> None:
    answer = sit("h\np\nq\n", *WORDS)
    assert "leave the table" in answer.out
    assert "Discard pile, oldest first: " in answer.out


def test_json_leaves_standard_output_to_the_recorded_deal(sit: Sit) -> None:
    answer = sit(f"s\nk {card_text(dealt()[0])}\n", *WORDS, "--json")
    assert answer.json["knocker"] == 0
    assert answer.json["bots"] == [None, "knock=never,draw=improve:1,discard=greedy"]
    assert "is yours" in answer.err
    assert json.loads(sit("q\n", *WORDS, "--json").out or "null") is None


def test_without_a_seed_there_is_a_new_deal_that_can_be_repeated(sit: Sit) -> None:
    words = ("play", "--players", "3", "--me", "1")
    first, second = sit("q\n", *words), sit("q\n", *words)
    seed = re.search(r"This deal is --seed (\d+)\.", first.out)
    assert seed is not None
    assert first.out != second.out
    assert sit("q\n", *words, "--seed", seed[1]).out == first.out
    assert "--rotation 1." in sit("q\n", *words, "--dealer", "1").out


def test_suit_symbols_and_words_are_understood(sit: Sit) -> None:
    card = pretty(dealt()[0])
    assert sit(f"stock\nknock {card}\n", *WORDS).code == 0
