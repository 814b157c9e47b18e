"""Runs: the same result however they are cut up, whole files whatever happens, progress that cannot mislead."""

from __future__ import annotations

import hashlib
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rumsim
from rumsim.runs import execute as execution
from rumsim.runs import interrupt, provenance
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard
from rumsim.runs.progress import Progress
from rumsim.stats.sequential import FIRST_LOOK, anytime_margin
from rumsim.tasks.direct import Direct
from rumsim.tasks.sums import DealSums

CHUNKS = (1, 13, 5, 2, 40, 8, 21, 30, 3, 17, 9, 4, 26, 11)  # unequal
BLOCKS = sum(CHUNKS)
STARTS = [sum(CHUNKS[:place]) for place in range(len(CHUNKS))]
ALL = range(len(CHUNKS))


def direct(players: int = 3, seed: int = 6) -> Direct:
    bots = [rumsim.parse_bot(text) for text in ("knock=30", "knock=10", "knock=18,draw=meld")][:players]
    return Direct(rumsim.parse_rules("traditional"), tuple(bots), tuple(range(players)), seed)


def digest(sums: DealSums) -> str:
    parts = [np.asarray(getattr(sums, each.name)) for each in fields(sums)]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


# ---- chunks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_unequal_chunks_in_any_order_give_the_same_sums(jobs: int) -> None:
    task = direct()
    whole = digest(execute(task, BLOCKS, chunk=BLOCKS)[0])
    orders = [ALL, ALL[::-1], *(random.Random(s).sample(ALL, len(ALL)) for s in range(3))]
    for order in orders:
        sums, interrupted = execute(task, BLOCKS, jobs, CHUNKS, order=order)
        assert (digest(sums), interrupted) == (whole, False)


@dataclass(frozen=True)
class Slow(Direct):
    """Ends certain chunks only after others."""

    waits_for: dict[int, int] = field(default_factory=dict)
    ended: dict[int, threading.Event] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def run(self, first: int, last: int) -> DealSums:
        part = super().run(first, last)
        if first in self.waits_for:
            assert self.ended[self.waits_for[first]].wait(30)
        self.order.append(first)
        self.ended[first].set()
        return part


def test_threads_that_finish_out_of_order_give_the_same_sums() -> None:
    plain = direct()
    waits = {STARTS[place]: STARTS[place + 1] for place in ALL[::2]}  # of two neighbours the second ends first
    events = {start: threading.Event() for start in STARTS}
    task = Slow(plain.rules, plain.bots, plain.entry_of, plain.seed, waits, events)
    execution._WARM.add(Slow)  # all chunks go to the threads
    reached: list[int] = []
    sums, _ = execute(task, BLOCKS, 4, CHUNKS, progress=lambda so_far, blocks: reached.append(so_far.blocks))
    assert task.order != sorted(task.order)
    assert digest(sums) == digest(execute(plain, BLOCKS)[0])
    assert reached == [*STARTS[1:], BLOCKS]  # counted in order all the same


@dataclass(frozen=True)
class Stopping(Direct):
    """Someone presses Ctrl-C while it plays a certain chunk; those that start later wait for that."""

    before: tuple[int, ...] = ()  # chunks that start earlier, by their first block
    at: int = 0
    raises: bool = False
    pressed: threading.Event = field(default_factory=threading.Event)

    def run(self, first: int, last: int) -> DealSums:
        if first == self.at:
            self.pressed.set()
            if self.raises:
                raise KeyboardInterrupt
            os.kill(os.getpid(), signal.SIGINT)
        if first not in self.before:
            assert self.pressed.wait(30)
            until = time.monotonic() + 30
            while not (interrupt._current and interrupt._current.asked) and time.monotonic() < until:
                time.sleep(0.001)  # the main thread has to hear it
        return super().run(first, last)


@pytest.fixture(autouse=True)
def ctrl_c_works() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("raises", [False, True], ids=["signal", "exception"])
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("order", [tuple(ALL), (0, 4, 1, 7, 5, 2, *ALL[:7:-1], 6, 3)], ids=["in order", "mixed"])
def test_ctrl_c_keeps_the_first_blocks_of_the_seed(raises: bool, jobs: int, order: tuple[int, ...]) -> None:
    plain = direct()
    at = 4 if jobs == 1 else 1  # threads get ahead of what has been merged
    before = tuple(STARTS[place] for place in order[:at])
    task = Stopping(plain.rules, plain.bots, plain.entry_of, plain.seed, before, STARTS[order[at]], raises)
    execution._WARM.add(Stopping)
    sums, interrupted = execute(task, BLOCKS, jobs, CHUNKS, order=order)
    assert interrupted
    assert sums.blocks in STARTS  # whole chunks, joined to the beginning
    if jobs == 1:
        finished = set(order[: at if raises else at + 1])
        assert sums.blocks == STARTS[min(set(ALL) - finished)]
    assert digest(sums) == digest(execute(direct(), sums.blocks)[0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_before_the_first_block_leaves_no_estimate() -> None:
    plain = direct()
    task = Stopping(plain.rules, plain.bots, plain.entry_of, plain.seed, at=0, raises=True)
    sums, interrupted = execute(task, BLOCKS, 1, CHUNKS)
    assert (sums.blocks, interrupted) == (0, True)
    with heard() as ctrl_c:  # pressed while libraries were imported
        ctrl_c.asked = True
        sums, interrupted = execute(direct(), BLOCKS)
    assert (sums.blocks, interrupted) == (0, True)


def test_ctrl_c_that_stopped_no_run_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt), heard():
        os.kill(os.getpid(), signal.SIGINT)
        assert execute(direct(), 0)[0].blocks == 0  # nothing to stop: it is complete
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_runs_in_other_threads_leave_signals_alone() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(digest(execute(direct(), 20, jobs=2, chunk=3)[0])))
    thread.start()
    thread.join()
    assert found == [digest(execute(direct(), 20)[0])]


def test_a_failing_task_fails_the_run() -> None:
    class Failing(Direct):
        def run(self, first: int, last: int) -> DealSums:
            raise ZeroDivisionError

    plain = direct()
    task = Failing(plain.rules, plain.bots, plain.entry_of, plain.seed)
    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            execute(task, 20, jobs, 3)


# ---- provenance ----------------------------------------------------------------------------------------------


def git(folder: Path, *words: str) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, env=plain, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_of_the_sources_and_whether_they_were_changed(tmp_path: Path) -> None:
    assert provenance.sources(tmp_path) == {"commit": None, "dirty": None}
    git(tmp_path, "init", "--quiet")
    assert provenance.sources(tmp_path)["commit"] is None
    (tmp_path / "bot.py").write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "one")
    clean = provenance.sources(tmp_path)
    assert len(str(clean["commit"])) == 40
    assert clean["dirty"] is False
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "table.csv").touch()
    assert provenance.sources(tmp_path)["dirty"] is False
    (tmp_path / "other.py").touch()
    assert provenance.sources(tmp_path)["dirty"] is True
    # A package installed somewhere inside a checkout is not that checkout.
    (tmp_path / "site").mkdir()
    assert provenance.sources(tmp_path / "site")["commit"] is None


def test_without_git_there_is_no_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance.sources() == {"commit": None, "dirty": None}


# ---- progress ------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def played(stream: io.StringIO, seconds: float, step: float = 0.1, **options: Any) -> str:
    clock = Clock()
    with Progress(1_000_000, stream=stream, clock=clock, **options) as progress:
        for place in range(round(seconds / step)):
            progress.update(1000 * (place + 1), lambda: "first bot +1.250 ± 0.031 points")
            clock.now += step
    return stream.getvalue()


def test_short_runs_show_nothing() -> None:
    assert played(io.StringIO(), 2) == ""
    assert played(Terminal(), 1) == ""


def test_plain_lines_are_few() -> None:
    lines = played(io.StringIO(), 30).splitlines()
    assert len(lines) == 6
    assert lines[0] == "rumsim: 2 %, 10.0 k deals/s, 1 min 38 s left, first bot +1.250 ± 0.031 points"
    assert all(len(line) <= 80 for line in lines)


def test_a_terminal_gets_one_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    drawn = played(Terminal(), 10)
    assert "10.0 k deals/s" in drawn
    assert "first bot +1.250 ± 0.031 points" in drawn
    assert "…" not in drawn
    assert drawn.endswith("\x1b[2K")  # the line is cleared
    assert "first bot" not in played(Terminal(), 10, quiet=True)
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in played(Terminal(), 10)


def test_quiet_and_lost_streams_stay_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(io.StringIO(), 30, quiet=True) == ""
    monkeypatch.setattr(sys, "stderr", None)
    with Progress(10) as progress:
        progress.update(1)

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    assert played(Broken(), 30) == ""


def test_terminals_that_know_only_letters() -> None:
    raw = io.BytesIO()
    stream: Any = io.TextIOWrapper(raw, encoding="ascii")
    clock = Clock()
    with Progress(1000, stream=stream, clock=clock) as progress:
        progress.update(1)
        clock.now += 9
        progress.update(500, lambda: "1 ± 2")
    assert b"1 +/- 2" in raw.getvalue()


# ---- looking while it runs -----------------------------------------------------------------------------------


def test_an_interval_looked_at_all_the_time_misses_in_at_most_5_of_100_runs() -> None:
    rng, runs, blocks = np.random.default_rng(3), 2000, 6000
    looks = np.arange(FIRST_LOOK, blocks + 1)
    margins = np.array([anytime_margin(1.0, int(t), planned=blocks) for t in looks])
    missed = fixed = 0
    for _ in range(runs):
        values = rng.normal(0, 7, blocks)  # the truth is 0
        sums, squares = values.cumsum()[FIRST_LOOK - 1 :], (values**2).cumsum()[FIRST_LOOK - 1 :]
        deviation = np.sqrt((squares - sums**2 / looks) / (looks - 1))
        missed += bool((abs(sums / looks) > deviation * margins).any())
        fixed += bool((abs(sums / looks) > 1.96 * deviation / np.sqrt(looks)).any())
    assert 0.01 < missed / runs <= 0.05
    assert fixed / runs > 0.3  # what one would have without


def test_the_interval_is_narrowest_for_the_planned_number_of_blocks() -> None:
    assert anytime_margin(1.0, FIRST_LOOK - 1, 1000) is None
    here = anytime_margin(1.0, 1000, 1000)
    assert here is not None
    for other in (100, 300, 3000, 10_000):
        elsewhere = anytime_margin(1.0, 1000, other)
        assert elsewhere is not None
        assert here < elsewhere
    assert anytime_margin(0.0, 1000, 1000) == 0
    # By hand, with rho^2 = (5.9915 + ln 6.9915) / 1000 and t rho^2 + 1 = 8.9362.
    assert here == pytest.approx((2 * 8.9362 / (1000 * 7.9362) * np.log(8.9362**0.5 / 0.05)) ** 0.5, rel=1e-4)
