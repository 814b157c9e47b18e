"""The parts of a study one after another, each shown while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rumsim.runs.progress import Progress

Show = Callable[[int, Callable[[], str]], None]


@contextmanager
def phase(name: str, blocks: int, progress: bool) -> Iterator[Show]:
    """Show on standard error how far a part of a study is.

    Parameters
    ----------
    name : str
        What is being done.
    blocks : int
        How many blocks it takes.
    progress : bool
        Whether anything is shown.

    Yields
    ------
    callable
        Takes the blocks done, and what tells the estimate so far; that is asked only when something is shown.

    Examples
    --------
    >>> with phase("searching", 100, progress=False) as show:
    ...     show(50, lambda: "best constant so far 33")
    """
    with Progress(blocks, "blocks", quiet=not progress) as bar:

        def show(done: int, note: Callable[[], str]) -> None:
            bar.update(done, lambda: ", ".join(filter(None, (name, note()))))

        yield show
