"""The command ``rumsim``, also as ``python -m rumsim``: it listens for Ctrl-C before anything else is imported."""

from __future__ import annotations

import os
import sys


def start() -> int:
    """Run the command that this process was started for; return its exit code."""
    import _signal  # type: ignore[import-not-found]  # what signal is made of, and loaded already

    ours = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler  # not ignored, as in a shell's background
    if ours:
        _signal.signal(_signal.SIGINT, _leave)
    from rumsim.runs import listen

    if ours:
        listen.listen()
    try:
        from rumsim.cli import main

        return listen.end(main())
    except KeyboardInterrupt:
        listen.leave()


def _leave(number: int, frame: object) -> None:
    try:
        os.write(2, b"rumsim: interrupted\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    sys.exit(start())
