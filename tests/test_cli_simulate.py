"""``rumsim simulate``: what the command adds to the library's function."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest

from tests.conftest import Answer

module = import_module("rumsim.lab.simulate")  # the package may show a function under the same name
Command = Callable[..., Answer]
WORDS = ("simulate", "--players", "3", "--bots", "knock=30", "knock=10", "--blocks", "3")


def test_json_has_every_key(command: Command) -> None:
    answer = command(*WORDS, "--seed", "1", "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert {"rules", "players", "seed", "blocks", "deals", "bots", "seats", "ends", "turns"} <= set(found)
    assert found["deals"] == 9
    assert {"bot", "ev", "ev_se", "ev_ci", "win", "win_se"} <= set(found["bots"][0])
    assert {"seat", "ev", "ev_se", "win"} <= set(found["seats"][0])
    assert {"knock", "rum", "undercut", "tied", "exhausted", "stalled"} <= set(found["ends"])


def test_the_seed_is_0_unless_given(command: Command) -> None:
    assert command(*WORDS, "--json").json == command(*WORDS, "--seed", "0", "--json").json
    assert command(*WORDS, "--json").json != command(*WORDS, "--seed", "1", "--json").json


def test_readable_is_the_table(command: Command) -> None:
    answer = command(*WORDS)
    assert answer.code == 0
    assert "knock=30" in answer.out
    assert "9 deals" in answer.out


def test_one_block_has_no_errors(command: Command) -> None:
    found = command(*WORDS[:-1], "1", "--json").json
    assert found["bots"][0]["ev_se"] is found["bots"][0]["win_se"] is None
    assert found["bots"][0]["ev_ci"] is None


def test_interrupted_keeps_what_was_finished(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    execute = module.execute
    monkeypatch.setattr(module, "execute", lambda task, blocks, jobs: (execute(task, 2, 1)[0], True))
    answer = command(*WORDS, "--json")
    assert answer.code == 130
    assert answer.json["interrupted"] is True
    assert answer.json["blocks"] == 2
