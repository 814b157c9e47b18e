"""The command ``rumsim``, also as ``python -m rumsim``: it listens for Ctrl-C before anything else is imported."""

from __future__ import annotations

import os
import sys


def start() -> int:
    """Run the command that this process was started for; return its exit code."""
    try:
        from rumsim.runs import listen
    except KeyboardInterrupt:
        os._exit(130)
    listen.listen()
    try:
        from rumsim.cli import main

        return listen.end(main())
    except KeyboardInterrupt:
        listen.leave()


if __name__ == "__main__":
    sys.exit(start())
