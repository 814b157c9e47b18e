"""How far a run is: a bar on a terminal, plain lines elsewhere, all on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

BAR_AFTER, BAR_EVERY = 1.0, 0.5  # seconds; drawing a bar takes some milliseconds
LINE_AFTER, LINE_EVERY = 2.0, 5.0


class Progress:
    """Shows how many deals or sessions are played, how many a second, the time left and a note, such as the estimate.

    Nothing is shown of runs that end within :data:`BAR_AFTER` or :data:`LINE_AFTER` seconds.  The clock starts at
    the first update, so that compiling before it does not count.

    Parameters
    ----------
    planned : int
        How many will be played.
    unit : str
        What they are called.
    quiet : bool
        Show nothing.
    stream : text stream, optional
        Where; standard error if not given.
    clock : callable
        Seconds from some start.

    Examples
    --------
    >>> seconds = iter((0, 4))
    >>> with Progress(1000, stream=sys.stdout, clock=lambda: next(seconds)) as progress:
    ...     progress.update(100)
    ...     progress.update(500, lambda: "first bot +1.2 ± 0.3 points")
    rumsim: 50 %, 100 deals/s, 5 s left, first bot +1.2 ± 0.3 points
    """

    def __init__(
        self,
        planned: int,
        unit: str = "deals",
        *,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._planned, self._unit, self._clock = planned, unit, clock
        self._stream = stream if stream is not None else sys.stderr
        self._silent = quiet or self._stream is None
        self._terminal = not self._silent and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._start: tuple[float, int] | None = None
        self._next = 0.0
        self._bar: Bar | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, note: Callable[[], str] | None = None) -> None:
        """Say how many are played; the note is asked for only when something is shown."""
        if self._silent:
            return
        now = self._clock()
        if self._start is None:
            self._start = now, done
            self._next = now + (BAR_AFTER if self._terminal else LINE_AFTER)
        if now < self._next:
            return
        self._next = now + (BAR_EVERY if self._terminal else LINE_EVERY)
        since, before = self._start
        rate = (done - before) / (now - since) if now > since else 0.0
        words = [f"{count_text(rate)} {self._unit}/s", *([time_left((self._planned - done) / rate)] if rate else [])]
        words += [text] if (text := note() if note else "") else []
        try:
            if self._terminal:
                self._draw(done, ", ".join(words))
            else:
                self._write(f"rumsim: {done / self._planned:.0%}".replace("%", " %") + ", " + ", ".join(words))
        except OSError:  # whoever watched is gone; the run goes on
            self._silent = True

    def _write(self, line: str) -> None:
        try:
            line.encode(self._stream.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            line = line.replace("±", "+/-")
        self._stream.write(line + "\n")
        self._stream.flush()

    def _draw(self, done: int, words: str) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                BarColumn(bar_width=12),
                TaskProgressColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(file=self._stream, highlight=False),
                auto_refresh=False,  # a thread that redraws ten times a second costs more than a chunk
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._bar.add_task("", total=self._planned)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, description=self._spelt(words), refresh=True)

    def _spelt(self, words: str) -> str:
        encoding = (self._stream.encoding or "utf-8").lower().replace("_", "-")
        return words if encoding.startswith("utf") else words.replace("±", "+/-")


def count_text(count: float) -> str:
    """Write a large number short.

    Examples
    --------
    >>> count_text(999.6), count_text(45_210), count_text(1_234_567)
    ('1,000', '45.2 k', '1.23 M')
    """
    if count < 1e4:
        return f"{count:,.0f}"
    return f"{count / 1e3:.1f} k" if count < 1e6 else f"{count / 1e6:.2f} M"


def time_left(seconds: float) -> str:
    """Write how long it still takes.

    Examples
    --------
    >>> time_left(4.6), time_left(75), time_left(7300)
    ('5 s left', '1 min 15 s left', '2 h 1 min left')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s left"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s left"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min left"
