"""Write what a finished run found; what cannot be written is told once the result is shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from rumsim.errors import NotWritten, RequestError

P = ParamSpec("P")
T = TypeVar("T")


class Saving:
    """Writes folders and files one after the other, and gathers what went wrong.

    Examples
    --------
    >>> saving = Saving()
    >>> saving.attempt("csv", Path("/nowhere/a.csv"), Path("/nowhere/a.csv").write_text, "1")
    >>> saving.lines
    ["csv: '/nowhere/a.csv' could not be written: No such file or directory"]
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._cause: Exception | None = None

    def attempt(
        self, argument: str, path: Path, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """Write to a place that was checked before the work; note why it fails, and return None then.

        Parameters
        ----------
        argument : str
            The name that the user knows the place by.
        path : Path
            The place, absolute and without links.
        function : callable
            What writes there.
        *args, **kwargs
            What it takes.
        """
        try:
            if os.path.realpath(path) != str(path):
                raise OSError("a link has taken its place")
            return function(*args, **kwargs)
        except RequestError as error:
            self.lines += error.lines
            self._cause = error
        except Exception as error:  # whatever it is, the result is worth more
            self.lines.append(f"{argument}: {str(path)!r} could not be written: {_reason(error)}")
            self._cause = error
        return None

    def stop(self, result: object) -> None:
        """Raise an error that carries the result, if something could not be written.

        Raises
        ------
        NotWritten
            With a line a place.
        """
        if self.lines:
            raise NotWritten(*self.lines, result=result) from self._cause


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, MemoryError):
        return "not enough memory"
    return f"internal error: {type(error).__name__}: {error}"
