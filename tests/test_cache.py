"""Compiled code is kept between processes, and an edit in any file that it is made from makes it void."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import rumsim
from rumsim.engine import jit

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

    def run(self, probe: str, cache: Path | None = None) -> Finding:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "COV_"))}
        environment |= {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": str(cache or self.cache)}
        # Python's own cache looks at seconds and sizes: two edits in one second could hide from it.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        done = subprocess.run(
            [sys.executable, "probes.py", probe], cwd=self.folder, env=environment, capture_output=True, text=True
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


def test_the_second_process_compiles_nothing_and_says_nothing(workshop):
    first = workshop.run("king")
    assert (first.hits, first.misses) == (0, 1)
    assert compiling(first) == 1, f"one line says that compiling takes a while; got {first.said}"
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
    for _ in range(2):
        finding = workshop.run("king", cache=workshop.folder / "file" / "below")
        assert (finding.value, finding.hits, finding.cache) == (10, 0, None)
        assert sum("cannot be written" in line for line in finding.said) == 1
        assert compiling(finding) >= 1
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
        # Rules come as an argument of Python functions, never as a constant of a kernel.
        assert foreign <= {"rumsim.rules"}, f"{path} takes {foreign} from files that are not hashed"
