"""The parts of a study one after another, each shown while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rumsim.runs.execute import Sums, Task, execute
from rumsim.runs.progress import Progress
from rumsim.tasks.answers import CHUNK

S = TypeVar("S", bound=Sums)
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


_KNOWN: set[tuple[type, bool]] = set()  # tasks that have run, without and with jokers


def run_phase(
    name: str, task: Task[S], jokers: bool, blocks: int, jobs: int, progress: bool, note: Callable[[S], str]
) -> tuple[S, bool]:
    """Run a task over its blocks, and show how far it is.

    Parameters
    ----------
    name : str
        What is being done.
    task : Task
        What to run.
    jokers : bool
        Whether the rules have jokers: kernels are compiled for decks without and with them.
    blocks, jobs : int
        How many blocks, on how many threads.
    progress : bool
        Whether anything is shown.
    note : callable
        Tells the estimate from the sums so far.

    Returns
    -------
    sums, interrupted
        As :func:`rumsim.runs.execute.execute`.
    """
    if any(kind is type(task) for kind, _ in _KNOWN) and (type(task), jokers) not in _KNOWN:
        task.run(0, 1)  # compiled by itself: threads that compile the same are in each other's way
    _KNOWN.add((type(task), jokers))
    with phase(name, blocks, progress) as show:
        return execute(task, blocks, jobs, CHUNK, progress=lambda sums, _: show(sums.blocks, lambda: note(sums)))
