"""``rumsim play`` and ``rumsim replay``."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from rumsim.cards import card_text
from rumsim.decks import deck
from tests.conftest import Answer

Command = Callable[..., Answer]
KEYS = [
    *("rules", "players", "dealer", "bots", "deck", "turns", "end", "knocker", "hands", "deadwood"),
    *("winners", "transfers", "win_shares", "rum", "undercut", "tied"),
]
TWO = ("play", "--players", "2", "--bots", "knock=10", "knock=25,draw=meld")


@pytest.fixture
def deck_file(tmp_path: Path) -> Path:
    file = tmp_path / "deck.txt"
    file.write_text("\n".join(card_text(card) for card in deck(seed=3, block=0)))
    return file


def test_a_recorded_deal_has_every_key(command: Command) -> None:
    answer = command(*TWO, "--seed", "1", "--json")
    assert (answer.code, answer.err) == (0, "")
    deal = answer.json
    assert list(deal) == KEYS
    assert deal["bots"] == ["knock=10,draw=improve:1,discard=greedy", "knock=25,draw=meld,discard=greedy"]
    assert set(deal["turns"][0]) == {"player", "draw", "card", "discard", "knock", "deadwood"}
    assert sum(map(Fraction, deal["transfers"])) == 0


def test_the_dealer_follows_from_the_rotation(command: Command) -> None:
    for rotation in range(3):
        words = ("play", "--players", "3", "--bots", "knock=10", "--seed", "1", "--rotation", rotation, "--json")
        assert command(*words).json["dealer"] == 2 - rotation
    assert command(*TWO, "--seed", "1", "--json").out == command(*TWO, "--seed=1", "--block=0", "--json").out
    assert command(*TWO, "--seed", "1", "--json").out != command(*TWO, "--seed=1", "--block=1", "--json").out


def test_a_deck_from_a_file(command: Command, deck_file: Path) -> None:
    from_file = command(*TWO, "--deck", deck_file, "--json").json
    assert from_file == command(*TWO, "--seed", "3", "--json").json
    assert command(*TWO, "--deck", deck_file, "--dealer", "0", "--json").json["dealer"] == 0


def test_readable_tells_every_turn(command: Command) -> None:
    deal = command(*TWO, "--seed", "1", "--json").json
    lines = command(*TWO, "--seed", "1").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Knock Rummy, ledger: 2 players, 10 cards each."
    assert lines[-1].startswith("Ledger: player 0 ")
    turns = [line for line in lines if re.match(r" *\d+  player", line)]
    assert len(turns) == len(deal["turns"])
    for line, turn in zip(turns, deal["turns"], strict=True):
        assert f"player {turn['player']} " in line
        assert ("takes the upcard" in line) == (turn["draw"] == "upcard")
        assert ("KNOCKS" in line) == turn["knock"]
        assert line.endswith(f"-> {turn['deadwood']}")


@pytest.mark.parametrize("rules", ["ledger", "traditional"])
def test_readable_shows_declines_and_reshuffles(command: Command, rules: str) -> None:
    words = ("play", "--players", "5", "--bots", "knock=never", "--seed", "2", "--rules", f"{rules}:max_turns=80")
    deal, shown = command(*words, "--json").json, command(*words).out
    if rules == "ledger":
        assert deal["end"] == "exhausted"
        assert "declines the upcard on an empty stock" in shown
        assert "Nobody knocked, hands are compared" in shown
    else:
        assert any("reshuffle" in turn for turn in deal["turns"])
        assert "the stock is renewed" in shown
        assert deal["end"] == "stalled"
        assert "nobody wins, nothing is paid" in shown


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (["--players", "2", "--bots", "knock=10"], ["seed", "got nothing", "--deck"]),
        (["--players", "2", "--seed", "1"], ["bots", "got nothing"]),
        (["--bots", "knock=10", "--seed", "1"], ["players", "got nothing", "2 to 5"]),
        (["--players", "abc", "--bots", "knock=10", "--seed", "1"], ["players", "'abc'", "2 to 5"]),
        (["--players", "2", "--bots", "knock=10", "--seed", "-1"], ["seed", "'-1'", "at least 0"]),
        (["--players", "2", "--bots", "knock=10", "--seed", "1", "--dealer", "0"], ["dealer", "'0'", "--seed"]),
        (["--players", "2", "--bots", "knock=10", "--seed", "1", "--rotation", "2"], ["rotation", "'2'", "0 to 1"]),
        (["--players", "2", "--bots", "knock=10", "--seed", "1", "--block", "-1"], ["block", "'-1'"]),
        (["--players", "4", "--bots", "knock=1", "knock=2", "knock=3", "--seed", "1"], ["bots", "got 3", "1, 2 or 4"]),
        (["--players", "3", "--bots", "knock=1+2", "--seed", "1"], ["bots", "2 seat schedules", "3"]),
        (["--players", "2", "--bots", "fold=1", "--seed", "1"], ["bots", "'fold'", "knock, draw, discard"]),
        (["--players", "4", "--bots", "knock=1", "--seed", "1", "--rules", "ledger:hand_size=13"], ["hand_size", "13"]),
        (["--players", "2", "--bots", "knock=1", "--deck", "no-such-deck"], ["deck", "no-such-deck", "No such file"]),
        (["--players", "2", "--bots", "knock=1", "--deck", "DECK", "--seed", "1"], ["seed", "'1'", "not both"]),
        (["--players", "2", "--bots", "knock=1", "--deck", "DECK", "--dealer", "2"], ["dealer", "'2'", "0 to 1"]),
        (["--players", "2", "--bots", "knock=1", "--seed", "1", "--me", "2"], ["me", "'2'", "0 to 1"]),
        (["--players", "2", "--me", "0", "--deck", "-"], ["deck", "'-'", "your answers"]),
        (["surplus", "--players", "2", "--bots", "knock=1", "--seed", "1"], ["'surplus' too many"]),
    ],
)
def test_refused(command: Command, deck_file: Path, words: list[str], mentions: list[str]) -> None:
    line = command("play", *(str(deck_file) if word == "DECK" else word for word in words)).refused()
    assert line.startswith("rumsim play: ")
    for mention in mentions:
        assert mention in line


@pytest.mark.parametrize(
    ("change", "mentions"),
    [
        (lambda words: words[:-1], ["deck", "51 cards", "all 52"]),
        (lambda words: [*words, words[0]], ["deck", "twice"]),
        (lambda words: [*words[:-1], "XX"], ["deck", "XX"]),
        (lambda words: [*words, "**"], ["deck", "**"]),
    ],
)
def test_a_deck_must_be_whole(
    command: Command, deck_file: Path, change: Callable[[list[str]], list[str]], mentions: list[str]
) -> None:
    deck_file.write_text(" ".join(change(deck_file.read_text().split())))
    line = command(*TWO, "--deck", deck_file).refused()
    assert all(mention in line for mention in mentions)


# ---- replay ------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded(command: Command, tmp_path: Path) -> Path:
    file = tmp_path / "deal.json"
    file.write_text(command(*TWO, "--seed", "1", "--json").out)
    return file


def test_a_replay_agrees_with_the_play(command: Command, recorded: Path) -> None:
    assert command("replay", recorded, "--json").json == json.loads(recorded.read_text())
    played, replayed = command(*TWO, "--seed", "1").out, command("replay", recorded).out
    assert replayed.splitlines()[0] == played.splitlines()[0]
    assert replayed.splitlines()[-1] == played.splitlines()[-1]


def test_standard_input_is_a_recorded_deal_too(
    command: Command, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(recorded.read_bytes())))
    assert command("replay", "-", "--json").json == json.loads(recorded.read_text())


def test_an_open_deal_says_who_moves_next(command: Command, recorded: Path) -> None:
    deal = json.loads(recorded.read_text())
    recorded.write_text(json.dumps(deal | {"turns": deal["turns"][:1]}))
    answer = command("replay", recorded)
    assert answer.code == 0
    assert "The deal is not over: player 1 moves next." in answer.out
    assert "Upcard: " in answer.out
    document = command("replay", recorded, "--json").json
    assert (document["end"], document["next"], document["winners"]) == ("open", 1, None)


def test_a_deal_that_waits_for_a_reshuffle_names_the_cards(command: Command, tmp_path: Path) -> None:
    words = ("play", "--players", "5", "--bots", "knock=never", "--seed", "2", "--rules", "traditional")
    deal = command(*words, "--json").json
    first = next(place for place, turn in enumerate(deal["turns"]) if "reshuffle" in turn)
    (tmp_path / "deal.json").write_text(json.dumps(deal | {"turns": deal["turns"][:first]}))
    answer = command("replay", tmp_path / "deal.json")
    cards = len(deal["turns"][first]["reshuffle"])
    assert f"the stock must be renewed; shuffle these {cards} cards" in answer.out


def test_the_first_illegal_turn_is_refused_in_one_line(command: Command, recorded: Path) -> None:
    deal = json.loads(recorded.read_text())
    deal["turns"][1]["discard"] = deal["turns"][0]["discard"]
    recorded.write_text(json.dumps(deal))
    line = command("replay", recorded).refused()
    assert line.startswith("rumsim replay: turn 2, player 1: ")


def test_files_that_are_no_recorded_deals(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    assert "No such file" in command("replay", file).refused()
    assert "file: got nothing" in command("replay").refused()
    assert "2 files" in command("replay", file, file).refused()
    for text in ("", "[1]", "{", "\xff"):
        file.write_bytes(text.encode("latin-1"))
        assert "file: got" in command("replay", file).refused()
    file.write_text('{"players": 2}')
    answer = command("replay", file)
    assert (answer.code, answer.out) == (2, "")
    assert all(line.startswith("rumsim replay: ") for line in answer.err.splitlines())
    assert "Traceback" not in answer.err
