"""Ctrl-C during a run: it is only noted, so that what was finished stays whole and is shown."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import ParamSpec, TypeVar

from rumsim.runs import listen

P = ParamSpec("P")
T = TypeVar("T")


class CtrlC:
    """Whether someone has pressed Ctrl-C since the run began.

    Attributes
    ----------
    asked : bool
        Whether they have: what is not begun need not be.
    answered : bool
        Whether a run has stopped for it and says so in its result.
    """

    def __init__(self) -> None:
        self.asked = listen.pressed()
        self.answered = False
        self._prompt = self._kept = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal: note it; break off slow work, or what does not end, unless there are results."""
        again, self.asked = self.asked, True
        listen.note()
        if self._prompt or ((again or _in_a_bots_file(frame)) and not self._kept):
            raise KeyboardInterrupt

    def keep(self) -> None:
        """Say that there is something worth keeping: from now on a further Ctrl-C changes nothing."""
        if not self._kept:
            self._kept = True
            listen.keep()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let Ctrl-C raise KeyboardInterrupt here: for work of which nothing is kept, such as waiting for input."""
        self._prompt = True
        try:
            yield
        finally:
            self._prompt = False


def _in_a_bots_file(frame: FrameType | None) -> bool:
    """Whether a user's file runs: it may never end, nor come to let another thread tell this one so."""
    while frame is not None:
        if "__source__" in frame.f_globals:
            return True
        frame = frame.f_back
    return False


_current: CtrlC | None = None


@contextmanager
def heard(last: bool = False) -> Iterator[CtrlC]:
    """Note Ctrl-C instead of breaking off wherever the program is; runs inside share the note.

    Parameters
    ----------
    last : bool
        The process ends with this work: after Ctrl-C any further one stays ignored, for it could only break the
        end of the interpreter.  Otherwise Ctrl-C works again as before, and one that no run has answered is
        passed on as KeyboardInterrupt.  A second Ctrl-C raises KeyboardInterrupt within, as long as there is
        nothing to keep.

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
    if before not in (signal.default_int_handler, listen.hear):
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


def unless_interrupted(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """Do what can be left out after Ctrl-C, such as drawing; return None if it was left out or broken off.

    Parameters
    ----------
    work : callable
        What to do; it clears up by itself where KeyboardInterrupt breaks it off.
    *args, **kwargs
        What it takes.

    Examples
    --------
    >>> unless_interrupted(max, 3, 4)
    4
    """
    with heard() as ctrl_c:
        if not ctrl_c.asked:
            try:
                with ctrl_c.at_once():
                    return work(*args, **kwargs)
            except KeyboardInterrupt:
                ctrl_c.asked = True
    return None
