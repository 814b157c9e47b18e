"""Results whose files could not all be written: they are shown all the same, then it is said why, exit code 1."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from rumsim.cli import _output
from rumsim.errors import NotWritten
from rumsim.files import spelled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rumsim.runs.saving import Saving
    from rumsim.runs.store import Kept

FAILED = 1
T = TypeVar("T")


def result_of(function: Callable[[], T]) -> tuple[T, Sequence[str]]:
    """Return the result of a function of the library, and a line for each folder or file that was not written."""
    try:
        return function(), ()
    except NotWritten as error:
        if os.environ.get("RUMSIM_DEBUG"):
            import traceback

            _output.tell(traceback.format_exc().rstrip())
        return cast(T, error.result), error.lines


def told(command: str, lines: Sequence[str], code: int = 0) -> int:
    """Say on standard error what was not written; return the exit code, ``code`` if nothing failed."""
    _output.flush()
    _output.tell(*(f"rumsim {command}: {' '.join(line.split())}" for line in lines))
    return FAILED if lines else code


def whereabouts(kept: Kept | None, name: str) -> str:
    """Say, after a run was interrupted, what its folder holds; nothing if it holds nothing of the run."""
    if kept is None or not kept.blocks:
        return ""
    if kept.earlier:
        return f"; {spelled(name)} keeps the {kept.blocks:,} blocks that it held"
    return f"; kept in {spelled(name)}"


def draw(saving: Saving, argument: str, file: Path | None, plot: Callable[[], Figure]) -> None:
    """Draw a picture, if a file was asked for."""

    def write(file: Path) -> None:
        from rumsim.charts.style import save

        save(plot(), file)

    if file is not None:
        saving.attempt(argument, file, write, file)
