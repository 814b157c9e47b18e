"""What holds for every command: help, wrong words, unexpected failures, interruption."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rumsim
from rumsim import cli
from rumsim.cli import _output, commands, main
from rumsim.errors import RequestError
from tests.conftest import Answer

Command = Callable[..., Answer]


def test_the_overview_names_every_command_with_one_line(command: Command) -> None:
    answer = command("--help")
    assert answer.code == 0
    assert answer.err == ""
    for name in ("deadwood", "play", "replay", "settle", "simulate"):
        assert re.search(rf"^  {name} +[A-Z].*[.:]", answer.out, re.MULTILINE)
    assert command("-h").out == command("help").out == answer.out


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_with_examples_in_80_columns(command: Command, name: str) -> None:
    answer = command(name, "--help")
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.startswith(f"usage: rumsim {name}")
    assert f"examples:\n  rumsim {name} " in answer.out
    described = answer.out.split("examples:")[0]
    assert max(map(len, described.splitlines())) <= 82


def test_the_command_alone_shows_the_help(command: Command) -> None:
    assert command() == command("--help")
    assert command().code == 0


def test_version(command: Command) -> None:
    assert command("--version").out == f"rumsim {rumsim.__version__}\n"


def test_words_come_from_the_process_unless_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["rumsim", "deadwood", "4H 5H 6H", "--json"])
    assert main() == 0
    assert '"deadwood": 0' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (["fold"], ["command", "'fold'", "deadwood, equilibrium, odds, play, replay"]),
        (["--seed", "1"], ["command", "'--seed'"]),
        (["deadwood", "4H", "--frobnicate"], ["option", "'--frobnicate'", "--rules"]),
        (["deadwood", "4H", "--js"], ["option", "'--js'", "--json"]),
        (["deadwood", "--frobnicate=3", "4H"], ["option", "'--frobnicate'"]),
        (["deadwood", "--file"], ["file", "got no value"]),
        (["deadwood", "4H", "--rules"], ["rules", "got no value", "ledger"]),
        (["deadwood", "4H", "--json=yes"], ["json", "'yes'", "without a value"]),
        (["deadwood", "4H", "--rules", "ledger", "--rules", "ledger"], ["rules", "one value"]),
        (["deadwood", "4H", "--rules", ""], ["rules", "unknown profile"]),
        (["deadwood", "4H", "--rules", "seed03"], ["rules", "seed03", "ledger, traditional"]),
        (["deadwood", "4H", "--rules", "none.toml"], ["rules", "none.toml", "No such file"]),
        (["simulate", "--players", "2", "--blocks", "1", "--bots"], ["bots", "got no value"]),
        (["simulate", "--players", "2", "--blocks", "1"], ["bots", "got nothing", "1, 2 or N"]),
        (["simulate", "--players", "2", "--blocks", "1", "--bots", "knock=x"], ["knock", "'x'"]),
        (["simulate", "--bots", "knock=1", "--blocks", "1"], ["players", "got nothing", "2 to 5"]),
        (["simulate", "--players", "2", "--bots", "knock=1"], ["blocks", "got nothing", "at least 1"]),
    ],
)
def test_wrong_words_are_refused_in_one_line(command: Command, words: list[str], mentions: list[str]) -> None:
    line = command(*words).refused()
    for mention in mentions:
        assert mention in line
    assert "; allowed: " in line
    assert line.startswith(f"rumsim {words[0]}: " if words and words[0] in commands() else "rumsim: ")


@pytest.mark.parametrize(
    ("option", "given", "allowed"),
    [
        ("players", "abc", "2 to 5"),
        ("players", "-1", "2 to 5"),
        ("players", "6", "2 to 5"),
        ("players", "2.0", "2 to 5"),
        ("players", "", "2 to 5"),
        ("blocks", "1e3", "at least 1"),
        ("blocks", "0", "at least 1"),
        ("blocks", "0x10", "at least 1"),
        ("blocks", "1_000", "at least 1"),
        ("seed", "-1", "at least 0"),
        ("seed", "1" * 5000, "at least 0"),
        ("jobs", "0", "at least 1"),
    ],
)
def test_numbers_are_whole_and_within_bounds(command: Command, option: str, given: str, allowed: str) -> None:
    options = {"players": "2", "blocks": "1", "seed": "1", "jobs": "1", option: given}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    line = command("simulate", "--bots", "knock=10", *words).refused()
    assert f"{option}: got '{given[:100]}" in line and len(line) < 600
    assert allowed in line


def test_all_errors_of_a_request_come_at_once(command: Command) -> None:
    answer = command("simulate", "--players", "9", "--blocks", "x", "--bots", "knock=-4", "--rules", "nobody")
    assert (answer.code, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["rules", "players", "blocks", "knock"]


def test_several_bots_after_one_option_or_by_repeating_it(command: Command) -> None:
    words = ["simulate", "--players", "3", "--blocks", "1", "--json"]
    together = command(*words, "--bots", "knock=1", "knock=2")
    repeated = command(*words, "--bots", "knock=1", "--bots", "knock=2")
    assert together.code == repeated.code == 0
    assert together.json == repeated.json
    assert [entry["bot"][:7] for entry in together.json["bots"]] == ["knock=1", "knock=2"]


def test_positional_words_may_stand_around_options(command: Command) -> None:
    a, b = "4H 5H 6H QC QD QS 8D", "AS AH AD 7C 8C 9C 3H"
    first = command("settle", a, "--knocker", "0", b, "--json")
    assert first.json == command("settle", "--json", "--knocker=0", a, b).json


def raising(error: BaseException) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


def test_an_unexpected_failure_is_one_line_and_exit_1(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUMSIM_DEBUG", raising=False)
    monkeypatch.setattr("rumsim.melds.deadwood", raising(ZeroDivisionError("first\nsecond")))
    answer = command("deadwood", "4H")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == (
        "rumsim deadwood: internal error: ZeroDivisionError: first second (RUMSIM_DEBUG=1 shows where)\n"
    )


def test_debugging_shows_the_traceback(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMSIM_DEBUG", "1")
    monkeypatch.setattr("rumsim.melds.deadwood", raising(ZeroDivisionError("oh")))
    answer = command("deadwood", "4H")
    assert answer.code == 1
    assert "Traceback" in answer.err


def test_interruption_is_one_line_and_exit_130(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rumsim.melds.deadwood", raising(KeyboardInterrupt()))
    answer = command("deadwood", "4H")
    assert (answer.code, answer.out, answer.err) == (130, "", "rumsim deadwood: interrupted\n")


def test_a_failing_disk_is_no_internal_error(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli._output, "abandon", lambda: None)
    monkeypatch.setattr("rumsim.melds.deadwood", raising(OSError(28, "No space left on device")))
    answer = command("deadwood", "4H")
    assert answer.code == 1
    assert answer.err.startswith("rumsim deadwood: No space left on device")


def test_a_new_command_is_one_new_file(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "fold.py").write_text(
        '"""Leave the table."""\nEXAMPLES = ("rumsim fold",)\ndef arguments(parser): ...\ndef run(args): return 7\n'
    )
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    try:
        assert command("fold").code == 7
        assert re.search(r"fold +Leave the table\.", command("--help").out)
    finally:
        sys.modules.pop("rumsim.cli.fold", None)


ESCAPE = "\x1b[2J\x9b\u202e"


def test_escapes_from_files_do_not_reach_the_terminal(command: Command, tmp_path: Path) -> None:
    record = command("play", "--players", "2", "--bots", "knock=40", "--seed", "1", "--json").json
    record["bots"] = [f"{ESCAPE}x\nplayer 1  wins", "y" * 100_000]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    told = command("replay", file)
    assert told.code == 0 and "\\x1b[2J\\x9b\\u202ex" in told.out and len(told.out) < 10_000
    assert "\nplayer 1  wins" not in told.out
    again = command("replay", file, "--json")
    assert again.json["bots"] == record["bots"] and "\x1b" not in again.out
    file.write_text(json.dumps(record | {"rules": f"ledger:{ESCAPE}"}))
    refusals = [command("replay", file).refused(), command("deadwood", f"4H {ESCAPE}").refused()]
    file.write_text(f"{ESCAPE}\n", encoding="utf-8")
    refusals += [command("book", file).err, command("deadwood", "--file", file).refused()]
    assert not any(letter in line for line in refusals for letter in ESCAPE if letter not in "[2J")


def test_the_letter_behind_delete_in_json_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    _output.put_json({"name": "a\x7fb"})
    assert capsys.readouterr().out == '{"name": "a\\u007fb"}\n'


@pytest.mark.parametrize("words", [("deadwood",), ("simulate", "--players", "2", "--blocks", "1", "--bots")])
def test_a_value_of_a_megabyte_is_shortened_and_what_is_allowed_stays(command: Command, words: tuple[str, ...]) -> None:
    line = command(*words, "x" * 1_000_000).refused()
    assert len(line) < 1200 and "characters)" in line and "allowed: " in line
    with pytest.raises(RequestError) as caught:
        rumsim.deadwood("x" * 1_000_000)
    assert len(str(caught.value)) < 1200


def test_a_file_without_an_end_is_refused(command: Command) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no such device here")
    for words in (
        ("play", "--players", "2", "--bots", "knock=10", "--deck", "/dev/zero"),
        ("replay", "/dev/zero"),
        ("book", "/dev/zero"),
    ):
        assert "at most 16 MiB" in command(*words).refused()


def test_no_document_is_named_that_users_do_not_have() -> None:
    sources = Path(rumsim.__file__).parent.rglob("*.py")
    named = [str(path) for path in sources if re.search(r"\b[A-Z]{4,}\.md\b", path.read_text(encoding="utf-8"))]
    assert named == []
