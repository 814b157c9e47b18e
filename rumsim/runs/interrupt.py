"""Ctrl-C during a run: it is heard between chunks, so that what was finished stays whole and is shown."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CtrlC:
    """Whether someone has pressed Ctrl-C since the run began."""

    def __init__(self) -> None:
        self.asked = False
        self.answered = False  # a run has stopped for it and says so in its result
        self._prompt = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal: the first one may stop slow work at once, further ones change nothing."""
        first, self.asked = not self.asked, True
        if first and self._prompt:
            raise KeyboardInterrupt

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let Ctrl-C raise KeyboardInterrupt here: for work of which nothing is kept, such as compiling."""
        self._prompt = True
        try:
            yield
        finally:
            self._prompt = False


_current: CtrlC | None = None


@contextmanager
def heard(last: bool = False) -> Iterator[CtrlC]:
    """Note Ctrl-C instead of breaking off wherever the program is; runs inside share the note.

    Parameters
    ----------
    last : bool
        The process ends with this work: after Ctrl-C any further one stays ignored, for it could only break the
        end of the interpreter.  Otherwise Ctrl-C works again as before, and one that no run has answered is
        passed on as KeyboardInterrupt.

    Yields
    ------
    CtrlC
        The note.  Outside the main thread, and where another program part handles the signal, it stays empty.
    """
    global _current
    if threading.current_thread() is not threading.main_thread():
        yield CtrlC()
        return
    if _current is not None:
        yield _current
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield CtrlC()
        return
    ctrl_c = _current = CtrlC()
    signal.signal(signal.SIGINT, ctrl_c.note)
    try:
        yield ctrl_c
    finally:
        _current = None
        signal.signal(signal.SIGINT, signal.SIG_IGN if last and ctrl_c.asked else before)
    if ctrl_c.asked and not ctrl_c.answered and not last:
        raise KeyboardInterrupt
