"""Split blocks into chunks, run them, and merge what they return."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol, Self, TypeVar

from rumsim.runs.interrupt import CtrlC, heard

MOST_THREADS = 4 * (os.cpu_count() or 1)  # more would only wait for each other
CHUNK = 65536  # blocks at a time: some tens of milliseconds, so that Ctrl-C is heard and threads share the work


class Sums(Protocol):
    """What a task returns: sums that can be added, of a number of blocks."""

    @property
    def blocks(self) -> int:
        """Blocks played."""

    def __add__(self, other: Self) -> Self:
        """Merge two disjoint ranges of blocks."""


S = TypeVar("S", bound=Sums)
S_co = TypeVar("S_co", bound=Sums, covariant=True)
Range = tuple[int, int]


class Task(Protocol[S_co]):
    """Something that can be played by ranges of blocks."""

    def empty(self) -> S_co:
        """Return the sums of no block."""

    def run(self, first: int, last: int) -> S_co:
        """Play the blocks from ``first`` up to, not including, ``last``."""


def execute(
    task: Task[S],
    blocks: int,
    jobs: int = 1,
    chunk: int | Sequence[int] = CHUNK,
    *,
    progress: Callable[[S, int], None] | None = None,
    order: Sequence[int] | None = None,
) -> tuple[S, bool]:
    """Run a task over the blocks 0 to ``blocks - 1``.

    The result does not depend on jobs, chunks or the order in which they end: sums are whole numbers, and a chunk
    counts only when all blocks before it do.  So an interrupted run is what a shorter run would have been.

    Parameters
    ----------
    task : Task
        What to run.
    blocks, jobs : int
        How many blocks, on how many threads.
    chunk : int or sequence of int
        How many blocks at a time; several numbers are chunks one after another, ``blocks`` in all.
    progress : callable, optional
        Called with the sums so far and the number of blocks asked for, whenever the sums have grown.
    order : sequence of int, optional
        In which order to start the chunks; tests use it.

    Returns
    -------
    sums : Sums
        Of the blocks from 0 on that were finished.
    interrupted : bool
        Whether Ctrl-C stopped it before the end.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> from rumsim.rules import parse_rules
    >>> from rumsim.tasks.direct import Direct
    >>> task = Direct(parse_rules("ledger"), (parse_bot("knock=30"), parse_bot("knock=10")), (0, 1), seed=1)
    >>> whole, interrupted = execute(task, 10)
    >>> parts, _ = execute(task, 10, jobs=2, chunk=(3, 6, 1), order=(2, 0, 1))
    >>> interrupted, whole.blocks, bool((whole.points == parts.points).all())
    (False, 10, True)
    """
    total = task.empty()
    with heard() as ctrl_c:
        try:
            ranges = _until(ctrl_c, _ranges(blocks, chunk, order))
            for part in _in_sequence(_finished(task, ranges, jobs, ctrl_c)):
                total = total + part
                if progress is not None:
                    progress(total, blocks)
        except KeyboardInterrupt:
            ctrl_c.asked = True
        interrupted = total.blocks < blocks
        ctrl_c.answered |= interrupted
    return total, interrupted


def _ranges(blocks: int, chunk: int | Sequence[int], order: Sequence[int] | None) -> Iterable[Range]:
    if isinstance(chunk, int):
        ranges: Iterable[Range] = ((first, min(first + chunk, blocks)) for first in range(0, blocks, chunk))
    else:
        assert sum(chunk) == blocks
        ranges = ((sum(chunk[:place]), sum(chunk[: place + 1])) for place in range(len(chunk)))
    if order is None:
        return ranges
    known = list(ranges)
    assert sorted(order) == list(range(len(known)))
    return [known[place] for place in order]


def _until(ctrl_c: CtrlC, ranges: Iterable[Range]) -> Iterator[Range]:
    """Start no chunk after Ctrl-C; those at work come to their end."""
    for one in ranges:
        if ctrl_c.asked:
            return
        yield one


_WARM: set[type] = set()  # tasks whose kernels are compiled or loaded


def _finished(task: Task[S], ranges: Iterator[Range], jobs: int, ctrl_c: CtrlC) -> Iterator[tuple[Range, S]]:
    """Yield chunks as they end."""
    if type(task) not in _WARM:
        # Compiling takes long, and two threads that compile the same would spoil the cache.
        for one in ranges:
            with ctrl_c.at_once():
                part = task.run(*one)
            _WARM.add(type(task))
            yield one, part
            break
    if jobs == 1:
        for one in ranges:
            yield one, task.run(*one)
        return
    following = next(ranges, None)
    if following is None:
        return
    import joblib

    # Chunks are long enough to be handed over one by one; bundles of them would keep Ctrl-C and progress waiting.
    threads = joblib.Parallel(
        n_jobs=min(jobs, MOST_THREADS), prefer="threads", batch_size=1, return_as="generator_unordered"
    )
    yield from threads(joblib.delayed(_one)(task, *one) for one in chain([following], ranges))


def _one(task: Task[S], first: int, last: int) -> tuple[Range, S]:
    return (first, last), task.run(first, last)


def _in_sequence(finished: Iterable[tuple[Range, S]]) -> Iterator[S]:
    """Yield what the chunks returned in the order of their blocks, each once all before it are there."""
    waiting: dict[int, tuple[int, S]] = {}
    reached = 0
    for (first, last), part in finished:
        waiting[first] = (last, part)
        while reached in waiting:
            reached, part = waiting.pop(reached)
            yield part
