"""What commands write: never at the cost of the result, never less than was there, one process at a time."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import rumsim
from tests.conftest import Answer

Command = Callable[..., Answer]
SIMULATE = ("simulate", "--players", "2", "--bots", "knock=30", "knock=10", "--blocks", "5")
SWEEP = ("sweep", "--players", "2", "--thresholds", "10:20:10", "--blocks", "5")
SESSION = ("session", "--format", "match", "--players", "2", "--bots", "knock=30", "--sessions", "5")
FOLDERS = [SIMULATE, SWEEP, SESSION]
STUDY = ("--players", "2", "--blocks", "50")
FILES = [
    (*SIMULATE, "--csv", "a.csv"),
    ("equilibrium", *STUDY, "--out", "a.toml"),
    ("equilibrium", *STUDY, "--vary", "undercut=0:10:10", "--chart", "a.svg"),
    ("respond", *STUDY, "--opponents", "knock=10", "--vary", "undercut=0:10:10", "--chart", "a.png"),
    ("odds", *STUDY, "--opponents", "knock=10", "--chart", "a.pdf"),
    ("chart", "knock", *STUDY, "--opponents", "knock=10", "--out", "a.svg"),
]
PLOTTED = [("vary", "VariedResponse"), ("vary", "VariedEquilibrium"), ("odds", "Odds"), ("knock_chart", "KnockChart")]


def named(words: tuple[str, ...]) -> str:
    return f"{words[0]} {words[-2]}"


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def assert_whole(folder: Path) -> dict[str, Any]:
    files = bytes_of(folder)
    manifest: dict[str, Any] = json.loads(files.pop("manifest.json"))
    assert {name: hashlib.sha256(content).hexdigest() for name, content in files.items()} == manifest["files"]
    return manifest


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # Charts are drawn in other tests.
    monkeypatch.setattr("rumsim.lab.sweep._charts", lambda result: [])
    for module, name in (*PLOTTED, ("simulate", "Simulation"), ("session", "SessionStudy")):
        monkeypatch.setattr(getattr(import_module(f"rumsim.lab.{module}"), name), "plot", lambda *_: Figure((1, 1)))
    return tmp_path


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)


def meanwhile(monkeypatch: pytest.MonkeyPatch, verb: str, then: Callable[[], object]) -> None:
    """Have something happen once a run has played."""
    module = import_module(f"rumsim.lab.{verb}")
    real = module.execute

    def execute(*args: Any, **kwargs: Any) -> Any:
        sums = real(*args, **kwargs)
        then()
        return sums

    monkeypatch.setattr(module, "execute", execute)


def stopped_after(monkeypatch: pytest.MonkeyPatch, verb: str, blocks: int) -> None:
    module = import_module(f"rumsim.lab.{verb}")
    real = module.execute
    monkeypatch.setattr(module, "execute", lambda task, *_, **__: (real(task, blocks)[0], True))


# ---- a result that cannot be written is shown ----------------------------------------------------------------


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("words", FILES, ids=named)
def test_a_file_that_cannot_be_written_does_not_cost_the_table(
    command: Command, here: Path, words: tuple[str, ...]
) -> None:
    file = here / words[-1]
    file.write_text("old")
    answer = command(*words)
    assert answer.code == 1
    assert len(answer.out) > 200
    assert "wrote" not in answer.out
    option = words[-2].removeprefix("--")
    assert answer.err.splitlines()[-1] == (
        f"rumsim {words[0]}: {option}: {str(file)!r} could not be written: No space left on device"
    )
    assert bytes_of(here) == {file.name: b"old"}
    if words[0] == "odds":
        assert command(*words, "--json").json  # the document, too


def replaced_by_a_link() -> None:
    Path("run").rename("elsewhere")
    Path("run").symlink_to("elsewhere")


def replaced_by_a_file() -> None:
    shutil.rmtree("run")
    Path("run").write_text("mine")


def emptied_with_the_current_folder() -> None:
    shutil.rmtree(Path.cwd())


def used_by_someone_else() -> None:
    Path("run/letter.txt").touch()


def written_by_another_run() -> None:
    shutil.rmtree("run")
    rumsim.session(2, "knock=3", "rotation", 1, out="run")


FAULTS = {
    "a link": (replaced_by_a_link, "a link has taken its place"),
    "a file": (replaced_by_a_file, "File exists"),
    "gone": (emptied_with_the_current_folder, "No such file or directory"),
    "other files": (used_by_someone_else, "other files"),
    "another run": (written_by_another_run, "another run"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("words", FOLDERS, ids=lambda words: words[0])
def test_a_folder_that_became_unusable_does_not_cost_the_table(
    command: Command, here: Path, words: tuple[str, ...], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    happens, reason = FAULTS[fault]
    here = here / "below"
    here.mkdir()
    monkeypatch.chdir(here)
    plain = command(*words, "--json", "--quiet")
    with monkeypatch.context() as patch:
        times = iter((True, False))  # a sweep plays twice
        meanwhile(patch, words[0], lambda: next(times) and happens())
        answer = command(*words, "--json", "--quiet", "--out", "run")
    assert answer.code == 1
    assert answer.out == plain.out
    [line] = answer.err.splitlines()
    assert line.startswith(f"rumsim {words[0]}: out: ")
    assert "run'" in line and reason in line
    left = {str(path.relative_to(here)) for path in here.rglob("*")} if here.exists() else set()
    allowed = {"run", "elsewhere", "run/letter.txt"} if fault != "another run" else left
    assert left <= allowed


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("words", FOLDERS, ids=lambda words: words[0])
def test_a_full_disk_does_not_cost_the_table(command: Command, here: Path, words: tuple[str, ...]) -> None:
    answer = command(*words, "--json", "--out", "new")
    assert (answer.code, bool(answer.json)) == (1, True)
    assert f"{str(here / 'new')!r} could not be written: No space left on device" in answer.err
    assert not list(here.iterdir())


@pytest.mark.usefixtures("full_disk")
def test_the_library_hands_over_what_it_could_not_write(here: Path) -> None:
    with pytest.raises(rumsim.NotWritten) as error:
        rumsim.simulate(2, "knock=10", 5, out="run", csv="a.csv")
    assert error.value.result == rumsim.simulate(2, "knock=10", 5)
    assert [line.split(":")[0] for line in error.value.lines] == ["out", "csv"]
    assert not list(here.iterdir())


def test_a_folder_that_was_removed_is_made_again(command: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile(monkeypatch, "simulate", lambda: shutil.rmtree("run"))
    assert command(*SIMULATE, "--out", "run").code == 0
    assert_whole(here / "run")


def test_a_csv_inside_the_folder_is_refused(command: Command, here: Path) -> None:
    line = command(*SIMULATE, "--out", "run", "--csv", "run/manifest.json").refused()
    assert line.startswith("rumsim simulate: csv: got 'run/manifest.json'; allowed: ")
    assert not list(here.iterdir())


# ---- a folder never loses blocks -----------------------------------------------------------------------------


@pytest.mark.parametrize("words", FOLDERS, ids=lambda words: words[0])
def test_a_run_that_is_stopped_earlier_leaves_the_folder_alone(
    command: Command, here: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command(*words, "--out", "run").code == 0
    before = {name: (here / "run" / name).stat().st_mtime_ns for name in bytes_of(here / "run")}
    for blocks in (0, 3):
        with monkeypatch.context() as patch:
            stopped_after(patch, words[0], blocks)
            answer = command(*words, "--out", "run")
            assert answer.code == 130
            assert f"{blocks} of 5 blocks" in answer.err
            assert answer.err.strip().endswith("; run keeps the 5 blocks that it held")
            assert "wrote" not in answer.out
            assert command(*words, "--out", "new", "--json").json["interrupted"] is True
        assert (here / "new").exists() == (blocks > 0)
    assert {name: (here / "run" / name).stat().st_mtime_ns for name in bytes_of(here / "run")} == before
    assert assert_whole(here / "new")["block_ranges"] == [[0, 3]]
    assert command(*words, "--out", "new").code == 0
    # What a whole run would have written, but for the manifest.
    new, run = bytes_of(here / "new"), bytes_of(here / "run")
    del new["manifest.json"], run["manifest.json"]
    assert new == run


@pytest.mark.parametrize("words", [SIMULATE, SESSION], ids=lambda words: words[0])
def test_charts_may_be_asked_for_later(command: Command, here: Path, words: tuple[str, ...]) -> None:
    assert command(*words, "--out", "run").code == 0
    assert command(*words, "--out", "run", "--charts").code == 0
    assert len(list((here / "run").glob("*.png"))) == 2
    assert "charts" not in assert_whole(here / "run")["request"]
    before = bytes_of(here / "run")
    assert command(*words, "--out", "run").code == 0
    assert bytes_of(here / "run") == before  # right as they are, the manifest too
    # Manifests used to have them in the request.
    manifest = json.loads(before["manifest.json"])
    manifest["request"]["charts"] = True
    (here / "run" / "manifest.json").write_text(json.dumps(manifest))
    assert command(*words, "--out", "run").code == 0


# ---- names are names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["~", "~root", "file:x", "s3:b", " a  b", "line\nbreak", "100%s", "a\udcff"])
def test_names_are_taken_as_they_are(command: Command, here: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here / "home"))
    (here / "home").mkdir()
    out, csv = command(*SWEEP, "--out", name), command(*SIMULATE, "--csv", f"{name}.csv")
    assert (out.code, csv.code) == (0, 0)
    shown = name if name.isprintable() and name.strip() == name else repr(name)
    assert out.out.endswith(f"to {shown}\n")
    assert set(os.listdir()) == {"home", name, f"{name}.csv"}
    assert not os.listdir("home")
    assert set(os.listdir(name)) == {"manifest.json", "grid.parquet", "best.parquet", "table.txt"}
    assert command(*SIMULATE, "--out", name).refused().isprintable()


# ---- real processes ------------------------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")
LONG = (*SIMULATE[:-1], "2000000000", "--quiet", "--out", "run")
ROOT = str(Path(rumsim.__file__).parent.parent)


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "rumsim", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": ROOT},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell may have it ignored
    )


@posix
def test_of_two_processes_that_start_together_one_gets_the_folder(command: Command, here: Path) -> None:
    two = [started(*LONG), started(*LONG)]
    until = time.monotonic() + 60
    while all(process.poll() is None for process in two) and time.monotonic() < until:
        time.sleep(0.02)
    [loser] = [process for process in two if process.poll() is not None]
    [winner] = [process for process in two if process is not loser]
    out, err = loser.communicate()
    assert (loser.returncode, out) == (2, b"")
    assert err.startswith(b"rumsim simulate: out: got 'run', another run is writing here; allowed: ")
    assert "another run is writing here" in command(*SIMULATE, "--out", "run").refused()
    winner.kill()
    winner.communicate()
    assert command(*SIMULATE, "--out", "run").code == 0  # of a killed run nothing is left
    assert_whole(here / "run")


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
def test_a_process_that_is_killed_leaves_a_folder_that_is_whole(
    command: Command, here: Path, number: signal.Signals
) -> None:
    """At random moments of writing; test_store.py has every step."""
    code = (
        "import sys\nfrom rumsim.runs.store import run_folder\n"
        "for n in range(1, 10 ** 9):\n"
        "    with run_folder('run', {}) as place:\n"
        "        files = {name: str(n) * 2 ** 16 for name in 'abcd'}\n"
        "        place.write({}, files, seed=0, blocks=n, interrupted=True, cpu_seconds=0)\n"
        "    print(n, flush=True)\n"
    )
    rng = random.Random(int(number))
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": ROOT}
    )
    assert process.stdout is not None
    written = int(process.stdout.readline())
    time.sleep(rng.random() * 0.2)
    process.send_signal(number)
    written = int((process.communicate()[0].split() or [written])[-1])
    if (here / "run" / "manifest.json").exists():
        manifest = json.loads((here / "run" / "manifest.json").read_bytes())
        for name, digest in manifest["files"].items():
            assert hashlib.sha256((here / "run" / name).read_bytes()).hexdigest() == digest
    with rumsim.runs.store.run_folder("run", {}):
        pass
    assert assert_whole(here / "run")["block_ranges"][0][1] in (written, written + 1)
