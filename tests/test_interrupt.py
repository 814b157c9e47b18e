"""Ctrl-C at any moment: heard in time, no traceback, exit code 130, and whatever was finished is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from rumsim.runs import execute as execution
from rumsim.runs import listen
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import CtrlC, heard, unless_interrupted

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")

PATIENCE = 30  # seconds until a hanging process fails a test; none is meant to take long
IN_TIME = 5  # seconds, on a machine that is busy with other tests


def default_signal() -> None:
    """A shell that runs the tests in the background has them ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(*words: str | Path, options: tuple[str, ...] = (), **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *options, *(("-m", "rumsim") if "-c" not in options else ()), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
        preexec_fn=default_signal,
    )


def interrupted(process: subprocess.Popen[bytes], code: int = 130) -> tuple[bytes, bytes]:
    """Press Ctrl-C, and see that the process ends as it should."""
    process.send_signal(signal.SIGINT)
    pressed = time.monotonic()
    assert process.stdin is not None
    try:  # standard input stays open: nobody may wait for its end
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
    taken = time.monotonic() - pressed
    out, err = process.communicate()
    assert process.returncode == code, err
    assert b"Traceback" not in err and b"ignored" not in err, err
    assert taken < IN_TIME
    return out, err


def wait_for(there: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def ctrl_c_works() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_after(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


# ---- in this process -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """Sums that are only counted."""

    blocks: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(self.blocks + other.blocks)


@dataclass(frozen=True)
class Stuck:
    """A task whose chunks do not end from a certain block on, as with a bot that never ends."""

    end: int
    go: threading.Event = field(default_factory=threading.Event)

    def empty(self) -> Count:
        return Count()

    def run(self, first: int, last: int) -> Count:
        if first >= self.end:
            self.go.wait(PATIENCE)
        return Count(last - first)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("end", [0, 20])
def test_a_chunk_that_never_ends_is_left_behind(jobs: int, end: int) -> None:
    task = Stuck(end)
    press_after(0.2)
    began = time.monotonic()
    sums, stopped = execute(task, 100, jobs, 10)
    assert time.monotonic() - began < IN_TIME
    assert (sums.blocks, stopped) == (end, True)
    task.go.set()
    assert execute(Stuck(100), 100, jobs, 10) == (Count(100), False)  # nothing stays behind


def test_signals_that_come_as_a_wait_ends_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "_POLL", 0.001)
    task = Stuck(0)
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        press_after(0.2)
        began = time.monotonic()
        assert execute(task, 10) == (Count(0), True)
        assert time.monotonic() - began < IN_TIME
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        task.go.set()


def test_a_second_ctrl_c_breaks_off_what_has_no_results_yet() -> None:
    with pytest.raises(KeyboardInterrupt), heard() as ctrl_c:
        os.kill(os.getpid(), signal.SIGINT)
        assert ctrl_c.asked  # the first is only noted
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("still here")


def test_a_second_ctrl_c_leaves_results_alone() -> None:
    ctrl_c = CtrlC()
    ctrl_c.keep()
    for _ in range(3):
        ctrl_c.note(signal.SIGINT, None)
    assert ctrl_c.asked


def test_what_can_be_left_out_is_broken_off_and_then_left_out() -> None:
    done: list[str] = []

    def draw(name: str, press: bool) -> str:
        if press:
            os.kill(os.getpid(), signal.SIGINT)
        done.append(name)
        return name

    with pytest.raises(KeyboardInterrupt), heard():
        assert unless_interrupted(draw, "first", press=False) == "first"
        assert unless_interrupted(draw, "second", press=True) is None
        assert unless_interrupted(draw, "third", press=False) is None
        done.append("end")
    assert done == ["first", "end"]


def test_where_someone_else_handles_ctrl_c_their_error_comes_through() -> None:
    def handle(number: int, frame: object) -> None:
        raise LookupError

    signal.signal(signal.SIGINT, handle)
    task = Stuck(0)
    press_after(0.1)
    with pytest.raises(LookupError):
        execute(task, 10)
    task.go.set()


# ---- in a process of its own ---------------------------------------------------------------------------------

ENDLESS = """
def take_upcard(view):
    {where}
    while True:
        pass


def give_back(view):
    return view.card(0), False
"""


def test_a_bot_that_never_ends_in_rehearsal_ends_with_ctrl_c(tmp_path: Path) -> None:
    file, there = tmp_path / "endless.py", tmp_path / "there"
    file.write_text(ENDLESS.format(where=f"open({str(there)!r}, 'w').close()"))
    process = started("simulate", "--players", "2", "--bots", f"@{file}", "--blocks", "9", "--out", tmp_path / "out")
    wait_for(there.exists)
    _, err = interrupted(process)
    assert err == b"rumsim simulate: interrupted\n"


def test_a_kernel_that_takes_hours_ends_with_ctrl_c() -> None:
    """In whatever phase it is after a second: the command's end does not depend on it."""
    rules = "traditional:max_turns=1000000000"
    words = ("simulate", "--players", "2", "--bots", "knock=never", "--blocks", "9", "--rules", rules, "--json")
    process = started(*words)
    time.sleep(1)
    out, _ = interrupted(process)
    assert not out or (json.loads(out)["interrupted"], json.loads(out)["blocks"]) == (True, 0)


# Tells when a part of a library is looked for, then runs the command.
TELLING = """
import sys
class Telling:
    told = False
    def find_spec(self, name, path=None, target=None):
        if name.startswith("MODULE") and not Telling.told:
            Telling.told = True
            print("now", flush=True)
sys.meta_path.insert(0, Telling())
from rumsim.__main__ import start
sys.exit(start())
"""
SPOT = ("--players", "4", "--upcard", "8C", "--seat", "0", "--own-turn", "2", "--opponents", "knock=10")
GRID = ("sweep", "--players", "2", "--thresholds", "10:20:10", "--blocks", "10000000")  # what it shows fits a pipe


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("rumsim.cli", ("deadwood", "4H 5H 6H 8D")),
        ("numpy", ("advise", "4H 5H 6H 8D 9D 2C 3S", *SPOT)),
        ("llvmlite", ("respond", "--players", "2", "--opponents", "knock=10")),
        ("numba", (*GRID, "--json")),
        ("pandas", (*GRID, "--out", "OUT")),
    ],
)
def test_ctrl_c_while_libraries_are_imported(module: str, words: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    given = [str(folder) if word == "OUT" else word for word in words]
    process = started(*given, options=("-c", TELLING.replace("MODULE", module)))
    assert process.stdout is not None and process.stdout.readline() == b"now\n"
    interrupted(process)
    assert not folder.exists() or not list(folder.glob("*.parquet"))


LISTENING = """
import os, signal, sys, time
from rumsim.runs import interrupt, listen
listen.listen()
"""
SWALLOWED = """
print("now", flush=True)
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""
NOTED = """
with interrupt.heard():
    print("now", flush=True)
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""
FINALISED = """
class Late:
    def __del__(self):
        time.sleep(60)

print("now", flush=True)
Late()
"""
KEPT = """
with interrupt.heard(last=True) as ctrl_c:
    ctrl_c.keep()
    print("now", flush=True)
    while not ctrl_c.asked:
        time.sleep(0.01)
    time.sleep(2)
    print("kept", flush=True)
sys.exit(listen.end(130))
"""


@pytest.mark.parametrize(
    ("code", "shown"),
    [(SWALLOWED, b""), (NOTED, b""), (FINALISED, b""), (KEPT, b"kept\n")],
    ids=["swallowed", "noted", "in a finaliser", "results"],
)
def test_whoever_swallows_ctrl_c_ends_in_time_unless_there_are_results(code: str, shown: bytes) -> None:
    process = started(options=("-c", LISTENING + code))
    assert process.stdout is not None
    assert process.stdout.readline() == b"now\n"
    out, err = interrupted(process)
    assert (out, err) == (shown, b"" if shown else b"rumsim: interrupted\n")


LEFT = """
import os, signal, threading, time
from rumsim.runs.execute import execute
from tests.test_interrupt import Stuck
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
print(execute(Stuck(20), 100, 2, 10))
"""


def test_what_was_left_behind_does_not_keep_the_interpreter() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEFT],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
        preexec_fn=default_signal,
    )
    assert (done.stdout, done.stderr) == (b"(Count(blocks=20), True)\n", b"")


def test_ctrl_c_while_charts_are_drawn_leaves_the_rest_out(
    command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rumsim.charts import style  # not above: one of the processes here imports this file

    saved = style.save

    def save(figure: Any, path: Path) -> Path:
        if path.suffix == ".png":
            os.kill(os.getpid(), signal.SIGINT)
        return saved(figure, path)

    monkeypatch.setattr(style, "save", save)
    monkeypatch.setattr(listen._State, "listening", True)
    monkeypatch.setattr(listen._State, "pressed", False)
    monkeypatch.setattr(listen._State, "kept", False)
    monkeypatch.setattr(listen._State, "told", False)
    words = ("simulate", "--players", "2", "--bots", "knock=20", "--blocks", "5", "--json", "--charts")
    answer = command(*words, "--out", tmp_path)
    assert answer.code == 130
    assert answer.err == "rumsim simulate: interrupted: what is shown is complete, charts may be missing\n"
    assert answer.json["blocks"] == 5
    names = {file.name for file in tmp_path.iterdir()} - {"manifest.json"}
    assert names == set(json.loads((tmp_path / "manifest.json").read_bytes())["files"])
    assert "seats.svg" in names and "seats.png" not in names
