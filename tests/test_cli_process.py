"""The command in a process of its own: encodings, closed pipes, bare environments, imports and time."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

HEAVY = ("numba", "pandas", "matplotlib", "numpy", "scipy", "pydantic", "rich", "joblib")
RUMSIM = (sys.executable, "-m", "rumsim")
HAND = "4H 5H 6H QC QD QS 8D"


def bare(**more: str) -> dict[str, str]:
    """An environment with nothing in it but what the system itself needs."""
    return {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ} | more


def run(*words: str | bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
    options.setdefault("env", bare())
    return subprocess.run([*RUMSIM, *words], capture_output=True, timeout=120, check=False, **options)


ENVIRONMENTS = {
    "nothing at all": bare(),
    "C": bare(LC_ALL="C"),
    "C, ASCII throughout": bare(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
    "POSIX": bare(LC_ALL="POSIX", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
    "cp1252": bare(PYTHONIOENCODING="cp1252", PYTHONUTF8="0"),
    "cp1252 in C": bare(PYTHONIOENCODING="cp1252", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", LC_ALL="C"),
    "latin-1, strict": bare(PYTHONIOENCODING="latin-1:strict", LC_ALL="C"),
    "UTF-8": bare(PYTHONUTF8="1"),
    "unknown locale": bare(LC_ALL="xx_YY.UTF-8", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
}


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_suit_symbols_are_read_and_letters_written_where_symbols_cannot_be(env: dict[str, str]) -> None:
    answer = run("deadwood", "10♥ J♥ Q♥ 2♣ 3♣ 4♣ 9♦".encode(), env=env)
    assert (answer.returncode, answer.stderr) == (0, b"")
    encoding = env.get("PYTHONIOENCODING")
    if encoding or "ASCII" in env or env.get("PYTHONCOERCECLOCALE") == "0":
        assert b"10H-JH-QH" in answer.stdout
        assert answer.stdout.isascii()
    else:
        assert "10♥-J♥-Q♥" in answer.stdout.decode()


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_errors_show_what_was_given_in_any_encoding(env: dict[str, str]) -> None:
    answer = run("deadwood", "4♥ 5♠ é♥".encode(), env=env)
    assert (answer.returncode, answer.stdout) == (2, b"")
    assert answer.stderr.count(b"\n") == 1
    assert b"Traceback" not in answer.stderr
    assert b"S H D C" in answer.stderr
    assert b"\\u26" not in answer.stderr.split(b"allowed:")[1]  # what we say ourselves


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_bytes_that_are_no_text_are_refused(env: dict[str, str]) -> None:
    answer = run("deadwood", b"4H \xff\xfe", env=env)
    assert (answer.returncode, answer.stdout) == (2, b"")
    assert b"Traceback" not in answer.stderr


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_files_with_names_and_texts_beyond_ascii(env: dict[str, str], tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + "/été.txt".encode()
    with open(file, "wb") as out:
        out.write("4♥ 5♥ 6♥ 8♦\n".encode())
    answer = run("deadwood", "--file", file, "--json", env=env)
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert b'"deadwood": 8' in answer.stdout


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_a_person_may_answer_with_suit_symbols(env: dict[str, str]) -> None:
    deal = ("play", "--players", "2", "--bots", "knock=never", "--seed", "4", "--me", "0")
    answers = "".join(f"k {rank}{suit}\n" for suit in "♠♥♦♣" for rank in "A23456789TJQK")
    answer = run(*deal, env=env, input=b"s\n" + answers.encode())
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert b"knocks on table turn 1" in answer.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--players", "3", "--bots", "knock=20", "--seed", "1"),
        ("settle", "--knocker", "0", "4H 5H 6H", "7H 8H 9H"),
        ("simulate", "--players", "2", "--bots", "knock=20", "--blocks", "2"),
        ("--help",),
        ("play", "--help"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
@pytest.mark.parametrize("env", [ENVIRONMENTS["C, ASCII throughout"], ENVIRONMENTS["cp1252"]], ids=["C", "cp1252"])
def test_no_output_stumbles_over_an_encoding(words: tuple[str, ...], env: dict[str, str]) -> None:
    answer = run(*words, env=env)
    assert answer.returncode == 0
    assert b"Error" not in answer.stderr
    assert b"\\u" not in answer.stdout


# ---- pipes -------------------------------------------------------------------------------------------------


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    hands = tmp_path / "hands.txt"
    hands.write_text(f"{HAND}\n" * 5000)
    # Once to its end, so that what it compiles is kept and nothing is said of that.
    subprocess.run([*RUMSIM, "deadwood", "--file", str(hands)], capture_output=True, env=bare(), check=True)
    process = subprocess.Popen(
        [*RUMSIM, "deadwood", "--file", str(hands)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=bare()
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    process.stderr.close()


@pytest.mark.parametrize("words", [("deadwood", HAND), ("--help",), ("deadwood", "--help")], ids=str)
def test_a_pipe_closed_from_the_start_is_no_error(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    answer = subprocess.run([*RUMSIM, *words], stdout=writer, stderr=subprocess.PIPE, env=bare(), check=False)
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_line_and_exit_1() -> None:
    with open("/dev/full", "wb") as full:
        answer = subprocess.run(
            [*RUMSIM, "deadwood", HAND], stdout=full, stderr=subprocess.PIPE, env=bare(), check=False
        )
    assert answer.returncode == 1
    assert answer.stderr.startswith(b"rumsim deadwood: No space left on device")
    assert answer.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="closes file descriptors before the start")
@pytest.mark.parametrize(("closed", "code"), [(1, 0), (2, 0), (0, 0)], ids=["stdout", "stderr", "stdin"])
def test_standard_streams_may_be_missing(closed: int, code: int) -> None:
    line = f'exec {closed}>&-; exec "$@"' if closed else 'exec 0<&-; exec "$@"'
    answer = subprocess.run(
        ["sh", "-c", line, "sh", *RUMSIM, "settle", "2H", "3S"], capture_output=True, env=bare(), check=False
    )
    assert answer.returncode == code
    assert b"Traceback" not in answer.stderr
    assert b"warning" not in answer.stdout


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_while_a_person_thinks_is_130() -> None:
    process = subprocess.Popen(
        [*RUMSIM, "play", "--players", "2", "--me", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bare(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background ignores it
    )
    assert process.stdin and process.stdout and process.stderr
    shown = b""
    while b"Draw (" not in shown:
        shown += process.stdout.read1(4096)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"rumsim play: interrupted\n")


# ---- weight and time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("deadwood", HAND), ("settle", "2H", "3S"), ("--help",)], ids=str)
def test_light_commands_import_nothing_heavy(words: tuple[str, ...]) -> None:
    code = f"import sys; from rumsim.cli import main; main({list(words)!r}); print(*sys.modules, file=sys.stderr)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=bare())
    loaded = {name.split(".")[0] for name in answer.stderr.decode().splitlines()[-1].split()}
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize(
    ("words", "limit"), [(("--help",), 0.3), (("deadwood", "4H 5H 6H"), 0.5)], ids=["help", "deadwood"]
)
def test_light_commands_answer_at_once(words: tuple[str, ...], limit: float) -> None:
    taken = []
    for _ in range(4):  # the first one may have to compile the sources
        start = time.perf_counter()
        assert run(*words).returncode == 0
        taken.append(time.perf_counter() - start)
    slack = 2  # for a busy machine
    assert statistics.median(taken[1:]) < slack * limit


def test_the_script_and_the_module_are_the_same() -> None:
    script = Path(sys.executable).with_name("rumsim")
    if not script.exists():
        pytest.skip("rumsim is not installed beside this interpreter")
    answer = subprocess.run([script, "deadwood", HAND], capture_output=True, env=bare(), check=True)
    assert answer.stdout == run("deadwood", HAND).stdout
