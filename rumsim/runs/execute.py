"""Split blocks into chunks, run them, and merge what they return."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Protocol, Self, TypeVar

import joblib

MOST_THREADS = 4 * (os.cpu_count() or 1)  # more would only wait for each other
CHUNK = 4096  # blocks at a time: a few milliseconds, so that Ctrl-C is heard


class Sums(Protocol):
    """What a task returns: sums that can be added, of a number of blocks."""

    @property
    def blocks(self) -> int:
        """Blocks played."""

    def __add__(self, other: Self) -> Self:
        """Merge two disjoint ranges of blocks."""


S = TypeVar("S", bound=Sums)
S_co = TypeVar("S_co", bound=Sums, covariant=True)


class Task(Protocol[S_co]):
    """Something that can be played by ranges of blocks."""

    def empty(self) -> S_co:
        """Return the sums of no block."""

    def run(self, first: int, last: int) -> S_co:
        """Play the blocks from ``first`` up to, not including, ``last``."""


def execute(task: Task[S], blocks: int, jobs: int = 1, chunk: int = CHUNK) -> tuple[S, bool]:
    """Run a task over the blocks 0 to ``blocks - 1``.

    Parameters
    ----------
    task : Task
        What to run.
    blocks, jobs, chunk : int
        How many blocks, on how many threads, how many blocks at a time; only the first changes the result.

    Returns
    -------
    sums : Sums
        Of all chunks that were finished.
    interrupted : bool
        Whether Ctrl-C stopped it before the end.
    """
    total = task.empty()
    try:
        for part in _parts(task, blocks, jobs, chunk):
            total = total + part
    except KeyboardInterrupt:
        return total, True
    return total, False


def _parts(task: Task[S], blocks: int, jobs: int, chunk: int) -> Iterator[S]:
    ranges = ((first, min(first + chunk, blocks)) for first in range(0, blocks, chunk))
    if jobs == 1:
        return (task.run(first, last) for first, last in ranges)
    # In order, so that an interrupted run holds the first blocks of its seed, as any shorter run would.
    workers = joblib.Parallel(n_jobs=min(jobs, MOST_THREADS), prefer="threads", return_as="generator")
    found: Iterator[S] = workers(joblib.delayed(task.run)(first, last) for first, last in ranges)
    return found
