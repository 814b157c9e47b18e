"""``rumsim deadwood``."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Answer

Command = Callable[..., Answer]


def test_readable_shows_melds_then_what_is_left_and_the_count(command: Command) -> None:
    answer = command("deadwood", "4H 5H 6H QC QD QS 8D")
    assert (answer.code, answer.err) == (0, "")
    assert [line.split() for line in answer.out.splitlines()] == [
        ["melds", "4♥-5♥-6♥"],
        ["Q♠-Q♦-Q♣"],
        ["unmelded", "8♦"],
        ["deadwood", "8"],
    ]


def test_json_is_one_document(command: Command) -> None:
    answer = command("deadwood", "--json", "8d,6h,5h,4♥")
    assert answer.json == {
        "hand": ["4H", "5H", "6H", "8D"],
        "deadwood": 8,
        "melds": [["4H", "5H", "6H"]],
        "unmelded": ["8D"],
    }
    assert answer.out.isascii()
    assert len(answer.out.splitlines()) == 1


def test_a_hand_without_melds(command: Command) -> None:
    assert command("deadwood", "KH").out.split() == ["melds", "none", "unmelded", "K♥", "deadwood", "10"]


def test_rules_matter(command: Command) -> None:
    assert command("deadwood", "QS KS AS", "--json").json["deadwood"] == 21
    assert command("deadwood", "QS KS AS", "--rules", "ledger:ace-high", "--json").json["deadwood"] == 0


@pytest.mark.parametrize(
    ("hand", "mentions"),
    [
        ("4H 5X", ["hand", "5X", "S H D C"]),
        ("4H 4H", ["hand", "4H twice"]),
        ("4H **", ["hand", "joker", "not used in this profile"]),
        ("", ["hand", "no cards"]),
        (" , ", ["hand", "no cards"]),
        ("4H\n5X", ["hand", "5X"]),
    ],
)
def test_wrong_hands_are_refused(command: Command, hand: str, mentions: list[str]) -> None:
    line = command("deadwood", hand).refused()
    assert all(mention in line for mention in mentions)


def test_forgotten_quotes_are_recognised(command: Command) -> None:
    line = command("deadwood", "4H", "5H", "6H").refused()
    assert 'in quotes: "4H 5H 6H"' in line
    assert "in quotes" not in command("deadwood", "4H", "fold").refused()


def test_a_hand_or_a_file_but_one_of_them(command: Command, tmp_path: Path) -> None:
    assert "hand: got nothing" in command("deadwood").refused()
    assert "together with --file" in command("deadwood", "4H", "--file", tmp_path / "x").refused()


# ---- --file ------------------------------------------------------------------------------------------------


def test_a_file_gives_a_document_a_line_and_skips_blank_ones(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes("\ufeff4♥ 5♥ 6♥\r\n\r\n   \nKH,QD".encode())
    answer = command("deadwood", "--file", file, "--json")
    assert answer.code == 0
    assert [json.loads(line)["deadwood"] for line in answer.out.splitlines()] == [0, 20]
    readable = command("deadwood", "--file", file)
    assert [line.split()[0] for line in readable.out.splitlines()] == ["0", "20"]


def test_standard_input_is_a_file_too(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"4H 5H\n"), encoding="ascii"))
    assert json.loads(command("deadwood", "--file", "-", "--json").out)["deadwood"] == 9


def test_errors_name_the_line_and_nothing_is_shown_before_all_are_checked(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(b"4H 5H\n\n4H 4H\n\xff\xfe\nXX\n")
    answer = command("deadwood", "--file", file, "--json")
    assert (answer.code, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert [line.split(":")[1] for line in lines] == [" file line 3", " file line 4", " file line 5"]


def test_a_file_full_of_errors_is_cut_short(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text("fold\n" * 500)
    answer = command("deadwood", "--file", file)
    assert (answer.code, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 21
    assert "480 more lines" in answer.err


def test_files_that_cannot_be_read(command: Command, tmp_path: Path) -> None:
    assert "No such file" in command("deadwood", "--file", tmp_path / "none").refused()
    assert "directory" in command("deadwood", "--file", tmp_path).refused()
    assert "file" in command("deadwood", "--file", "a\0b").refused()
    (tmp_path / "empty").touch()
    assert "no hand" in command("deadwood", "--file", tmp_path / "empty").refused()
