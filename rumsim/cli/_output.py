"""What reaches the terminal: encodings that know only letters, closed pipes, exactly one JSON document."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from rumsim.cards import SUITS, SYMBOLS
from rumsim.errors import printable

# What else our texts hold beyond ASCII, for terminals that cannot show it.
_PLAIN = str.maketrans(dict(zip(SYMBOLS, SUITS, strict=True)) | {"…": "...", "–": "-", "—": "-", "×": "x", "±": "+/-"})


def prepare() -> None:
    """Make sure that no character can stop a command, whatever the encodings of the standard streams."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def symbols(to_stderr: bool = False) -> bool:
    """Say whether the output can show suit symbols."""
    return _can_show(SYMBOLS, sys.stderr if to_stderr else sys.stdout)


def _can_show(text: str, stream: TextIO | None) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _shown(text: str, stream: TextIO) -> str:
    text = printable(text)  # files that people pass on may hold anything
    return text if _can_show(text, stream) else text.translate(_PLAIN)


def put(text: str) -> None:
    """Write a result on standard output, ending the last line."""
    if sys.stdout is not None:
        sys.stdout.write(_shown(text if text.endswith("\n") else text + "\n", sys.stdout))


def tell(*lines: str) -> None:
    """Write lines on standard error, if there is one."""
    if sys.stderr is None:  # print() would take standard output instead
        return
    try:
        sys.stderr.write(_shown("".join(line + "\n" for line in lines), sys.stderr))
        sys.stderr.flush()
    except OSError:
        pass


def put_json(document: object) -> None:
    """Write one JSON document; refuses NaN rather than write what no other program reads."""
    put(_json(document))


def put_json_lines(documents: Iterable[object]) -> None:
    """Write one JSON document a line."""
    put("".join(_json(document) + "\n" for document in documents))


def _json(document: object) -> str:
    return json.dumps(document, allow_nan=False).replace("\x7f", "\\u007f")  # the one that JSON would leave


def flush() -> None:
    """Push out what is written, so that a full disk or a closed pipe shows now and not at exit."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon() -> None:
    """Point standard output at nothing, after which Python has nothing to complain of at exit."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
    except (OSError, ValueError, AttributeError):  # no such stream, or one without a file behind it
        pass
