"""Where numbers come from: versions, the state of the sources, the machine, the time."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import rumsim

LIBRARIES = ("numpy", "numba", "pandas", "pyarrow")
ROOT = Path(rumsim.__file__).resolve().parent.parent


def versions() -> dict[str, str | None]:
    """Return the versions of everything that makes the numbers and the files; None for what is not there.

    Examples
    --------
    >>> list(versions())
    ['rumsim', 'python', 'numpy', 'numba', 'pandas', 'pyarrow']
    """
    found: dict[str, str | None] = {"rumsim": rumsim.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def sources(root: Path = ROOT) -> dict[str, str | bool | None]:
    """Return the commit of the sources and whether they differ from it; None where they are no git checkout.

    What runs themselves write, ``results/``, does not make sources dirty.

    Examples
    --------
    >>> list(sources())
    ['commit', 'dirty']
    """
    commit, dirty = None, None
    # A package installed inside someone else's checkout does not belong to that checkout.
    if (top := _git(root, "rev-parse", "--show-toplevel")) is not None and Path(top).resolve() == root.resolve():
        commit = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if commit is not None:
        changes = _git(root, "--no-optional-locks", "status", "--porcelain", "--", ".", ":(exclude)results")
        dirty = None if changes is None else bool(changes)
    return {"commit": commit, "dirty": dirty}


def _git(root: Path, *words: str) -> str | None:
    # Inside a hook, variables of git point to another repository.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *words], cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def machine() -> dict[str, str | int | None]:
    """Describe the machine.

    Examples
    --------
    >>> list(machine())
    ['system', 'machine', 'processor', 'cpus']
    """
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
    }


def _processor() -> str | None:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or None


class Stopwatch:
    """The start, the end and the processor time of a run, all threads together."""

    def __init__(self) -> None:
        self.started = now()
        self._cpu = time.process_time()

    def cpu_seconds(self) -> float:
        """Return the processor time since the start, in seconds."""
        return round(time.process_time() - self._cpu, 3)


def now() -> str:
    """Return the time in UTC, to the second.

    Examples
    --------
    >>> len(now()), now()[-1]
    (20, 'Z')
    """
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
