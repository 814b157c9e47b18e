"""Ctrl-C in a process that is the command line: it ends in time, whatever it is doing, and without a traceback.

Python hears signals only between two steps of the main thread and raises KeyboardInterrupt wherever that happens to
be; libraries may swallow it there.  So the signal also reaches a thread that waits for nothing else, and that ends
the process if it has not ended by itself.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
RAISE_AFTER = 1.2  # seconds after Ctrl-C: whoever has only noted it gets KeyboardInterrupt, to clear up
LEAVE_AFTER = 1.6  # and whoever is stuck, or has swallowed that, is left behind
HANGING_AFTER = 10.0  # by then results are written, or whatever they are written to hangs


class _State:
    """What is known of this process."""

    listening = False
    pressed = False  # Ctrl-C
    kept = False  # there are results, which are shown and written to the end
    told = False
    speaker = "rumsim"


def listen() -> None:
    """Listen for Ctrl-C from now to the end of the process."""
    reader, writer = os.pipe()
    if os.name == "posix":  # where it is demanded
        os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    sys.excepthook = _uncaught
    sys.unraisablehook = _unraisable
    threading.Thread(target=_watch, args=(reader,), name="rumsim-listen", daemon=True).start()
    _State.listening = True
    signal.signal(signal.SIGINT, hear)


def hear(number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C outside a run: break off, unless results are there already, which are shown to the end."""
    again, _State.pressed = _State.pressed, True
    if _State.kept:
        return
    if again:
        leave()
    raise KeyboardInterrupt


def pressed() -> bool:
    """Say whether Ctrl-C has been pressed since this process began to listen."""
    return _State.listening and _State.pressed


def note() -> None:
    """Note that Ctrl-C was pressed, during a run."""
    _State.pressed = True


def keep() -> None:
    """Note that there are results: from now on Ctrl-C breaks nothing off."""
    _State.kept = True


def speak_as(speaker: str) -> None:
    """Set the name under which the end of the process is told."""
    _State.speaker = speaker


def told() -> None:
    """Note that the user knows of the end."""
    _State.told = True


def leave() -> NoReturn:
    """End the process at once, from any thread: nothing is cleared up, nobody is waited for."""
    line = b"" if _State.told else f"{_State.speaker}: interrupted\n".encode()
    with contextlib.suppress(OSError):
        if "rich" in sys.modules and os.isatty(2):
            line = b"\x1b[?25h" + line  # a bar hides the cursor
        os.write(2, line)
    os._exit(INTERRUPTED)


def end(code: int) -> int:
    """Return the exit code, or end the process with it where the interpreter would stumble over what still runs.

    Parameters
    ----------
    code : int
        The exit code.
    """
    if not _State.listening:
        return code
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it could only break the end of the interpreter
    if _State.pressed or _at_work():
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or never there
                stream.flush()
        os._exit(code)
    return code


def _at_work() -> bool:
    """Say whether chunks are still played in the background."""
    workers = sys.modules.get("rumsim.runs.workers")  # where nothing was played, it need not be loaded
    return workers is not None and bool(workers.at_work())


def _watch(reader: int) -> None:
    while signal.SIGINT not in os.read(reader, 512):
        pass
    began = time.monotonic()
    time.sleep(RAISE_AFTER)
    if not _State.kept:
        _thread.interrupt_main()
    time.sleep(LEAVE_AFTER - RAISE_AFTER)
    while _State.kept and (signal.SIGINT not in os.read(reader, 512) or time.monotonic() < began + HANGING_AFTER):
        pass
    leave()


def _uncaught(kind: type[BaseException], error: BaseException, at: object) -> None:
    if issubclass(kind, KeyboardInterrupt):
        leave()
    sys.__excepthook__(kind, error, at)  # type: ignore[arg-type]


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """Leave where KeyboardInterrupt would be printed and forgotten, as in finalisers."""
    if issubclass(what.exc_type, KeyboardInterrupt) and not _State.kept:
        leave()
    if not _State.pressed:  # what was broken off half built may well fail when it is taken down
        sys.__unraisablehook__(what)
