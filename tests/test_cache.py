"""Compiled code is kept between processes, and an edit in any file that it is made from makes it void."""

from __future__ import annotations

import ast
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import pytest
from filelock import FileLock

import rumsim
from rumsim.engine import cache, jit

PACKAGE = Path(rumsim.__file__).parent

# Kernels that compile in a moment and live in a file that no test edits; all they call lies in files that are.
PROBES = """
import json, sys
import numpy as np
import rumsim
from rumsim import decks
from rumsim.engine.hands import loose, suits_held
from rumsim.engine.jit import CACHE, kernel
from rumsim.engine.requests import TWELFTHS
from rumsim.engine.settle import settle
from rumsim.engine.shuffle import _rotated

STREAM = decks.RESHUFFLE

@kernel
def king():
    return loose(np.uint64(1 << 12), np.uint64(0))

@kernel
def bits():
    return suits_held(np.uint64(1 | 1 << 13), np.uint64(0))

@kernel
def rotated():
    return _rotated(np.uint64(1), 3)

@kernel
def amounts():
    return 2 * TWELFTHS

@kernel
def stream():
    return STREAM

probe = globals()[sys.argv[1]]
value = int(probe())
print(json.dumps({
    "value": value,
    "hits": sum(probe.stats.cache_hits.values()),
    "misses": sum(probe.stats.cache_misses.values()),
    "cache": CACHE and str(CACHE),
    "package": rumsim.__file__,
}))
"""


class Edit(NamedTuple):
    probe: str
    file: str
    before: str
    after: str
    values: tuple[int, int]


EDITS = [
    Edit("king", "engine/tables.py", "(np.arange(14) + 1, 10)", "(np.arange(14) + 1, 11)", (10, 11)),
    Edit("bits", "engine/hands.py", ") & np.uint64(15)", ") & np.uint64(14)", (3, 2)),
    Edit("rotated", "engine/shuffle.py", "word << np.uint64(by) |", "word << np.uint64(by + 1) |", (8, 16)),
    Edit("amounts", "engine/requests.py", "TWELFTHS = 12", "TWELFTHS = 24", (24, 48)),
    Edit("stream", "decks.py", "RESHUFFLE = 1 ", "RESHUFFLE = 9 ", (1, 9)),
]


class Finding(NamedTuple):
    value: int
    hits: int
    misses: int
    cache: str | None
    said: list[str]


class Workshop:
    """A copy of the package that may be edited, with a cache of its own."""

    def __init__(self, folder: Path, probes: str = PROBES) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        shutil.copytree(PACKAGE, folder / "rumsim", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "probes.py").write_text(probes)

    def edit(self, file: str, before: str, after: str) -> None:
        path = self.folder / "rumsim" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{file} has changed: mend this test"
        path.write_text(text.replace(before, after), encoding="utf-8")

    def run(self, probe: str, cache: Path | None = None, before: Callable[[], object] | None = None) -> Finding:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "COV_"))}
        environment |= {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": str(cache or self.cache)}
        # Python's own cache looks at seconds and sizes: two edits in one second could hide from it.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        done = subprocess.run(
            [sys.executable, "probes.py", probe],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            preexec_fn=before,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        assert Path(found.pop("package")).is_relative_to(self.folder), "the copy was not the one that ran"
        return Finding(**found, said=done.stderr.splitlines())


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def compiling(finding: Finding) -> int:
    return sum("compiling" in line for line in finding.said)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.file)
def test_the_next_process_sees_an_edit(workshop, edit):
    before = workshop.run(edit.probe)
    assert before.value == edit.values[0]
    workshop.edit(edit.file, edit.before, edit.after)
    after = workshop.run(edit.probe)
    assert after.value == edit.values[1], "the machine code of the old source was run"
    assert after.hits == 0 and after.cache != before.cache


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workshop, Finding]:
    """A workshop with a cache, and how the first process went."""
    made = Workshop(tmp_path_factory.mktemp("warm"))
    return made, made.run("king")


def test_the_second_process_compiles_nothing_and_says_nothing(warm):
    workshop, first = warm
    assert (first.hits, first.misses) == (0, 1)
    assert compiling(first) == 1, f"one line says that compiling takes a while; got {first.said}"
    assert "kept for the next time" in first.said[0]
    second = workshop.run("king")
    assert (second.hits, second.misses) == (1, 0)
    assert second.said == []
    assert (second.value, second.cache) == (first.value, first.cache)
    assert [str(path) for path in workshop.cache.iterdir()] == [first.cache]
    # Kernels lie there and nowhere else.
    files = list(workshop.folder.rglob("*.nb[ic]"))
    assert files and all(path.is_relative_to(str(first.cache)) for path in files)


def test_without_a_folder_that_can_be_written_it_works_and_says_so(workshop):
    # Under a regular file nothing can be made, not even by root.
    (workshop.folder / "file").write_text("")
    finding = workshop.run("king", cache=workshop.folder / "file" / "below")
    assert (finding.value, finding.hits, finding.cache) == (10, 0, None)
    assert sum("cannot be written" in line for line in finding.said) == 1
    assert compiling(finding) == 1
    assert all(line.startswith("rumsim: ") for line in finding.said), finding.said


def imported(path: Path) -> set[str]:
    """The modules of rumsim that a file imports from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "rumsim":
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            files = [name for name in inside if source(name).exists()]
            found |= set(files or [node.module])
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "rumsim"}
    return found


def source(module: str) -> Path:
    return PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")


def test_all_that_kernels_are_made_from_is_hashed():
    hashed = {path.resolve() for path in jit._SOURCES}
    kernels = [
        path
        for path in PACKAGE.rglob("*.py")
        if path.parent == PACKAGE / "engine" or "rumsim.engine.jit" in imported(path)
    ]
    assert len(kernels) > 5
    for path in kernels:
        assert path.resolve() in hashed, f"{path} makes machine code, but edits in it would not void the cache"
        foreign = {module for module in imported(path) if source(module).resolve() not in hashed}
        # Rules come as an argument of Python functions, never as a constant of a kernel; and kernels refuse nothing.
        assert foreign <= {"rumsim.rules", "rumsim.errors"}, f"{path} takes {foreign} from files that are not hashed"


# ---- what is kept may be damaged, another's, or find no room --------------------------------------------------


def plus_one(number):
    return number + 1


def started(folder: Path) -> Any:
    """The function as a new process has it: nothing compiled."""
    made: Any = numba.njit(plus_one)
    made._cache = cache.KeptCode(plus_one, folder)
    return made


def hits(folder: Path) -> int:
    """Start, ask, and say whether the code was kept; what comes of it is right in any case."""
    made = started(folder)
    assert made(41) == 42
    return sum(made.stats.cache_hits.values())


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the code of one function in it."""
    monkeypatch.setattr(cache, "_said", set())
    folder = cache.own_folder(tmp_path / "new" / "base", "engine-1")
    assert folder is not None
    assert [hits(folder), hits(folder)] == [0, 1]
    return folder


def files(folder: Path, kind: str) -> list[Path]:
    found = sorted(folder.rglob(f"*.{kind}"))
    assert found
    return found


def emptied(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        path.write_bytes(b"")


def cut(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        path.write_bytes(path.read_bytes()[:500])


def flipped(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        held = bytearray(path.read_bytes())
        held[len(held) // 2] ^= 1
        path.write_bytes(held)


def pickled(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        path.write_bytes(pickle.dumps(("some", "thing", {"else": 1})))


def of_numba(folder: Path, kind: str) -> None:
    """Files as numba itself writes them."""
    for path in files(folder, kind):
        path.write_bytes(path.read_bytes()[32:])


def of_another_version(folder: Path, kind: str) -> None:
    """Whole, but from another folder."""
    other = cache.own_folder(folder.parent, "engine-2")
    assert other is not None and hits(other) == 0
    for path, foreign in zip(files(folder, kind), files(other, kind), strict=True):
        path.write_bytes(foreign.read_bytes())


def a_folder(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [emptied, cut, flipped, pickled, of_numba, of_another_version])
def test_a_damaged_or_foreign_file_is_dropped_and_written_anew(kept, capsys, damage, kind):
    damage(kept, kind)
    assert [hits(kept), hits(kept)] == [0, 1]
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and str(kept) in said[0] and "is damaged" in said[0], said


def test_what_cannot_be_opened_keeps_nobody_from_starting(kept, capsys):
    a_folder(kept, "nbi")
    assert [hits(kept), hits(kept)] == [0, 0]
    assert {line.partition(" kept in ")[0] for line in capsys.readouterr().err.splitlines()} == {
        "rumsim: compiled code",
        "rumsim: compiled code cannot be",
    }


def test_a_lost_file_is_written_anew_without_a_word(kept, capsys):
    for kind in ("nbc", "nbi"):
        for path in files(kept, kind):
            path.unlink()
        assert [hits(kept), hits(kept)] == [0, 1]
    shutil.rmtree(kept)  # while the program runs
    assert [hits(kept), hits(kept)] == [0, 1]
    assert mode(kept) == 0o700
    assert capsys.readouterr().err == ""


def test_a_place_that_takes_no_file_is_named_once(kept, capsys):
    folder = next(path for path in kept.iterdir() if path.is_dir())
    shutil.rmtree(folder)
    folder.write_text("not a folder")
    assert [hits(kept), hits(kept)] == [0, 0]
    said = [line for line in capsys.readouterr().err.splitlines() if "cannot be kept" in line]
    assert len(said) == 1 and str(kept) in said[0]


def test_who_waits_in_vain_for_the_lock_goes_on_without(kept, capsys, monkeypatch):
    monkeypatch.setattr(cache, "_PATIENCE", 0.05)
    shutil.rmtree(next(path for path in kept.iterdir() if path.is_dir()))
    with FileLock(kept / ".lock"):
        assert [hits(kept), hits(kept)] == [0, 0]
    assert "cannot be kept" in capsys.readouterr().err


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def given_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Give a file to another user; who is not root becomes another user instead."""

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, 65534, -1)
        else:
            another = os.geteuid() + 1
            monkeypatch.setattr(os, "geteuid", lambda: another)

    return give


@needs_owners
def test_what_is_made_is_the_owners_alone(kept):
    for path in [kept.parent.parent, kept.parent, kept, *(path for path in kept.rglob("*") if path.is_dir())]:
        assert mode(path) == 0o700
    for path in [*files(kept, "nbi"), *files(kept, "nbc")]:
        assert mode(path) == 0o600


@needs_owners
@pytest.mark.parametrize("place", ["folder", "base"])
def test_a_folder_that_others_own_or_may_write_is_not_used(kept, capsys, given_away, place):
    path = {"folder": kept, "base": kept.parent}[place]
    for bits in (0o770, 0o707):
        path.chmod(bits)
        assert cache.own_folder(kept.parent, kept.name) is None
        said = capsys.readouterr().err
        assert str(path) in said and "can be written by other users" in said and said.count("\n") == 1
    path.chmod(0o755)
    assert cache.own_folder(kept.parent, kept.name) == kept
    given_away(path)
    assert cache.own_folder(kept.parent, kept.name) is None
    assert "belongs to another user" in capsys.readouterr().err


@needs_owners
def test_a_folder_of_ones_own_may_lie_where_everybody_has_theirs(kept):
    kept.parent.chmod(0o1777)  # as /tmp
    assert cache.own_folder(kept.parent, kept.name) == kept


@needs_owners
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_nothing_is_unpickled_that_others_can_have_written(kept, capsys, given_away, kind, tmp_path):
    class Stranger:
        def __reduce__(self):
            return Path.touch, (tmp_path / "was here",)

    (path,) = files(kept, kind)
    content = pickle.dumps(Stranger())
    path.write_bytes(cache._checksum(str(path), content) + content)
    path.chmod(0o666)
    assert hits(kept) == 0
    assert "can be written by other users" in capsys.readouterr().err
    assert hits(kept) == 1
    (path,) = files(kept, kind)
    path.write_bytes(cache._checksum(str(path), content) + content)
    given_away(path)
    assert hits(kept) == 0
    assert not (tmp_path / "was here").exists()


def test_damage_on_a_small_disk_changes_no_result(warm):
    workshop, first = warm
    for path in workshop.cache.rglob("*.nbc"):  # of functions that are called by name, too
        path.write_bytes(path.read_bytes()[:500])
    resource = pytest.importorskip("resource")
    small = workshop.run("king", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)))
    assert (small.value, small.hits) == (first.value, 0)
    assert [sum(word in line for line in small.said) for word in ("is damaged", "cannot be kept")] == [1, 1]
    assert all(first.cache in line for line in small.said if "compiling" not in line)
    again, quiet = workshop.run("king"), workshop.run("king")
    assert (again.value, compiling(again), len(again.said)) == (first.value, 1, 1)
    assert (quiet.value, quiet.hits, quiet.said) == (first.value, 1, [])


@pytest.mark.parametrize(
    ("name", "given", "line"),
    [
        ("NUMBA_DISABLE_JIT", "1", "NUMBA_DISABLE_JIT: got '1'; allowed: 0, or not set: the engine runs only compiled"),
        ("NUMBA_OPT", "x", "environment: got 'NUMBA_OPT=x'; allowed: what numba takes, or not set"),
    ],
)
def test_settings_of_numba_that_allow_no_engine_are_refused_by_name(name, given, line):
    words = ["simulate", "--players", "2", "--bots", "knock=10", "--blocks", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "rumsim", *words], env={**os.environ, name: given}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"rumsim simulate: {line}\n")
