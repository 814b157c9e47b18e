"""``rumsim deadwood``."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from rumsim.cards import card_text, mask
from rumsim.errors import RequestError
from rumsim.melds import hand_of
from rumsim.report import hand_lines
from rumsim.report.hand_lines import MOST_ERRORS, HandLines, whole_lines
from rumsim.rules import parse_rules
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


# ---- streaming -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["ledger", "ledger:ace-high", "ledger:joker-knock"])
@pytest.mark.parametrize("as_json", [True, False])
def test_many_hands_are_written_as_single_ones_are(rules: str, as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_lines, "SHORT", 0)
    random = Random(8)
    known = parse_rules(rules)
    pools = (
        list(range(known.deck_size)),
        [13 * suit + rank for suit in range(4) for rank in range(5)],  # many sets that compete with runs
        [13 * suit + rank for suit in range(4) for rank in (0, 1, 2, 10, 11, 12)],
    )
    hands = [random.sample(pool, size) for pool in pools for size in (1, 3, 7, 10, 13) for _ in range(60)]
    hands += [list(range(52)), list(range(0, 52, 2)), *[random.sample(range(52), 26) for _ in range(3)]]
    texts = [" ".join(map(card_text, hand)) for hand in hands]
    masks = [mask(hand_of(text, known)) for text in texts]
    lines = HandLines(known, as_json, symbols=True)
    read = lines.read("\n".join(texts).encode())
    assert read.tolist() == masks and not lines.problems
    single = [lines._written_alone(hand) for hand in masks]
    assert "".join(lines.written(read)).splitlines(keepends=True) == single


def test_lines_are_read_as_single_hands_are(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    parts = [
        "4H",
        "10d",
        "tC",
        "k♠",
        "♠k",
        "JK",
        "**",
        "4H",
        "",
        "x",
        "1S",
        "10",
        "4",
        "♥",
        "2♥️",
        "9S4D",
        "\x0b",
        "\t",
        ",",
    ]
    known = parse_rules("ledger:joker-knock")
    texts = [random.choice((" ", ",", ", ")).join(random.choices(parts, k=random.randint(0, 4))) for _ in range(1500)]
    ends = random.choices(("\n", "\r\n", "\r"), k=len(texts))
    data = "".join(text + end for text, end in zip(texts, ends, strict=True)).encode()
    known_hands, wrong = [], 0
    for text in texts:
        try:
            known_hands += [mask(hand_of(text, known))] if text.strip() else []
        except RequestError:
            wrong += 1
    assert wrong > 500 and len(known_hands) > 100
    for size, short in ((1, 2000), (7, 0), (100, 0), (len(data), 1 << 20), (len(data), 0)):
        monkeypatch.setattr(hand_lines, "SHORT", short)
        lines = HandLines(known, True, symbols=False)
        read = [lines.read(batch) for batch in whole_lines(data[at : at + size] for at in range(0, len(data), size))]
        assert [hand for hands in read for hand in list(map(int, hands))] == known_hands
        assert lines.lines == len(data.splitlines()) and len(lines.problems) == MOST_ERRORS


def test_a_short_file_waits_for_no_compiler(tmp_path: Path) -> None:
    (tmp_path / "hands.txt").write_text("4H 5H 6H\n")
    said = "import sys; from rumsim.cli import main; main(['deadwood', '--file', 'hands.txt'])"
    said += "; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", said], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_a_line_without_an_end_is_refused() -> None:
    endless = (b"4" * 10_000 for _ in range(10**9))
    with pytest.raises(RequestError, match="a line of more than"):
        list(whole_lines(endless))


def test_a_pipe_is_counted_as_it_comes() -> None:
    words = [sys.executable, "-m", "rumsim", "deadwood", "--file", "-", "--json"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"4H 5H 6H\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["deadwood"] == 0  # before the pipe is closed
        process.stdin.write(b"KD\nfold\n")
        process.stdin.close()
        process.wait(60)
        assert process.returncode == 2 and b"file line 3: got 'fold'" in process.stderr.read()


def test_the_memory_does_not_grow_with_the_file() -> None:
    block = b"4H 5H 6H QC QD QS 8D\nAS 2S 3S 4D 9C\n" * 10_000
    lines = HandLines(parse_rules("ledger"), True, symbols=False)
    tracemalloc.start()
    try:
        held = []
        for batch in whole_lines(block for _ in range(8)):
            for _ in lines.written(lines.read(batch)):
                pass
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert lines.hands == 160_000 and held[-1] < held[1] + 1_000_000
