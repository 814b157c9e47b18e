"""Split blocks into chunks, run them, and merge what they return."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from queue import Empty, Queue
from typing import Generic, Protocol, Self, TypeVar

from rumsim.runs import workers
from rumsim.runs.interrupt import CtrlC, heard

MOST_THREADS = 4 * (os.cpu_count() or 1)  # more would only wait for each other
CHUNK = 65536  # blocks at a time: some tens of milliseconds, so that threads share the work and little of it is lost
GRACE = 0.5  # seconds that chunks at work are given to come to their end after Ctrl-C
_POLL = 0.1  # seconds; not every system wakes up who waits when a signal comes


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

    Notes
    -----
    Chunks are played, and kernels compiled, by threads in the background, so that the calling thread hears Ctrl-C at
    once.  No chunk is started then; those at work have half a second to come to their end.  What has not ended by
    then, such as a bot that never ends, is no longer waited for: it goes on in the background until its chunk is
    played or the process ends, and its result is dropped.  Where Ctrl-C is not Python's own, whatever its handler
    raises comes through as soon as it is raised.

    Errors that a chunk raises are raised here.

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
        chunks = -(-blocks // chunk) if isinstance(chunk, int) else len(chunk)
        run = _Run(task, iter(_ranges(blocks, chunk, order)), min(jobs, MOST_THREADS, chunks), ctrl_c)
        try:
            for part in _in_sequence(run.finished()):
                total = total + part
                ctrl_c.keep()
                if progress is not None:
                    progress(total, blocks)
        except KeyboardInterrupt:
            ctrl_c.asked = True
        finally:
            run.stop()
        if interrupted := total.blocks < blocks:
            ctrl_c.answered = True
            ctrl_c.keep()
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


_WARM: set[type] = set()  # tasks whose kernels are compiled or loaded


class _Run(Generic[S]):
    """Chunks that workers take one by one, and what has become of them."""

    def __init__(self, task: Task[S], ranges: Iterator[Range], jobs: int, ctrl_c: CtrlC) -> None:
        self._task, self._ranges, self._jobs, self._ctrl_c = task, ranges, jobs, ctrl_c
        # Not a SimpleQueue: when a signal comes just as its time is up, CPython's waits for ever.
        self._results: Queue[tuple[Range, S] | BaseException | None] = Queue()
        # How far workers get ahead of who merges, so that nothing piles up; alone, one learns of Ctrl-C in between.
        self._ahead = threading.Semaphore(jobs + 1 if jobs > 1 else 1)
        self._lock = threading.Lock()
        self._stopped = False

    def finished(self) -> Iterator[tuple[Range, S]]:
        """Yield chunks as they end; after Ctrl-C only those that end soon."""
        # Compiling takes long, and two threads that compile the same would spoil the cache: the first goes ahead.
        started = self._jobs if type(self._task) in _WARM else min(self._jobs, 1)
        at_work, until = self._start(started), None
        while at_work:
            if self._ctrl_c.asked:
                self._ctrl_c.keep()  # be it that nothing was played: that is shown, too
                until = until or time.monotonic() + GRACE
                if time.monotonic() > until:
                    return
            try:
                found = self._results.get(timeout=_POLL)
            except Empty:
                continue
            if found is None:
                at_work -= 1
            elif isinstance(found, BaseException):
                raise found
            else:
                _WARM.add(type(self._task))
                yield found
                self._ahead.release()
                at_work += self._start(self._jobs - started)
                started = self._jobs

    def stop(self) -> None:
        """Let workers end; nobody waits for them any more."""
        self._stopped = True
        self._ahead.release(self._jobs + 1)

    def _start(self, threads: int) -> int:
        """Start so many threads; return how often ``None`` will say that they have ended."""
        if threads:
            workers.start(partial(_side_by_side, self._work, threads), self._ended)
        return min(threads, 1)

    def _ended(self) -> None:
        self._results.put(None)

    def _work(self) -> None:
        try:
            while one := self._next():
                self._ahead.acquire()
                if self._stopped or self._ctrl_c.asked:
                    break
                self._results.put((one, self._task.run(*one)))
        except BaseException as error:
            self._results.put(error)
        self._ahead.release()  # whoever else waits finds that there is nothing left to do

    def _next(self) -> Range | None:
        with self._lock:
            return next(self._ranges, None)


def _side_by_side(work: Callable[[], None], threads: int) -> None:
    if threads == 1:
        work()
        return
    import joblib

    joblib.Parallel(n_jobs=threads, prefer="threads", batch_size=1, pre_dispatch="all")(
        joblib.delayed(work)() for _ in range(threads)
    )


def _in_sequence(finished: Iterable[tuple[Range, S]]) -> Iterator[S]:
    """Yield what the chunks returned in the order of their blocks, each once all before it are there."""
    waiting: dict[int, tuple[int, S]] = {}
    reached = 0
    for (first, last), part in finished:
        waiting[first] = (last, part)
        while reached in waiting:
            reached, part = waiting.pop(reached)
            yield part
