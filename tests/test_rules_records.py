"""The rulebook as tests, named after its rules: files that are recorded deals, and files that are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rumsim import replay
from rumsim.errors import RequestError
from tests.scripts import DRAW_AND_RETURN, record, shuffled, turn

# ---------------------------------------------------------------- a file that is no recorded deal


@pytest.mark.parametrize("key", ["rules", "players", "dealer", "deck", "turns"])
def test_replay_needs_its_keys(key: str) -> None:
    deal = record("ledger", 2, 0, shuffled(1), [])
    del deal[key]
    with pytest.raises(RequestError, match=key):
        replay(deal)


def test_replay_ignores_keys_that_it_computes_itself() -> None:
    deal = record("ledger", 2, 0, shuffled(1), [turn("stock", "@drawn", knock=True)])
    good = replay(deal).as_json()
    lies = {
        **{"hands": [["AS"]], "deadwood": [0, 0], "winners": [0, 1], "transfers": ["9"], "end": "open"},
        **{"knocker": 1, "comment": "a key of one's own"},
    }
    wrong_turn = {**deal["turns"][0], "card": "AS", "deadwood": 3, "player": 0}
    assert replay({**deal, **lies, "turns": [wrong_turn]}).as_json() == good
    assert good["bots"] is None


@pytest.mark.parametrize("text", ["", "[]", "{", "3", '{"rules": "ledger"}', "\x00"])
def test_replay_refuses_a_file_that_is_no_deal(text: str, tmp_path: Path, command: Callable[..., Any]) -> None:
    file = tmp_path / "deal.json"
    file.write_text(text, "utf-8")
    with pytest.raises(RequestError):
        replay(str(file))
    answer = command("replay", file)
    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err


def test_replay_reads_a_path(tmp_path: Path) -> None:
    deal = record("ledger", 2, 0, shuffled(1), [DRAW_AND_RETURN])
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(deal), "utf-8")
    assert replay(str(file)).as_json() == replay(file).as_json() == replay(deal).as_json()


@pytest.mark.parametrize(
    "bad",
    [
        {"draw": "stock", "knock": False},
        {"discard": "@drawn", "knock": False},
        {"draw": "stock", "discard": None, "knock": False},
        {"draw": "stock", "discard": "@drawn", "knock": "yes"},
        {"draw": "decline", "discard": "KS", "knock": True},
        "stock",
        None,
    ],
)
def test_replay_names_the_turn_that_is_no_turn(bad: Any) -> None:
    # Counted from 1 as always, and in words that a user knows.
    with pytest.raises(RequestError, match="turn 2") as refused:
        replay(record("ledger", 2, 1, shuffled(1), [DRAW_AND_RETURN, bad]))
    assert "_TurnFile" not in str(refused.value)
