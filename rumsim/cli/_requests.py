"""What the user asked for: all problems of a request gathered, words decoded, files read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BufferedReader, BytesIO
from typing import ParamSpec, TypeVar

from rumsim.errors import RequestError, whole_number, wrong
from rumsim.files import open_file, read_file, read_stream, text_of
from rumsim.rules import Rules, parse_rules

P = ParamSpec("P")
T = TypeVar("T")


class Problems:
    """Gathers the errors of a request, so that the user sees all of them at once and before any work."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        """Note errors in words."""
        self.lines += [line for line in lines if line not in self.lines]

    def attempt(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Call a function that may refuse; note its errors and return None then."""
        try:
            return function(*args, **kwargs)
        except RequestError as error:
            self.add(*error.lines)
            return None

    def number(self, argument: str, text: str | None, low: int, high: int | None = None) -> int | None:
        """Read a whole number that need not be there."""
        return None if text is None else self.attempt(whole_number, argument, text, low, high)

    def rules(self, text: str | None) -> Rules | None:
        """Read the rules, ``ledger`` where none are given."""
        return self.attempt(parse_rules, "ledger" if text is None else as_path(text))

    def bots(self, given: list[str] | None, players: int | None) -> list[str]:
        """Check the bots, as far as the number of players is known."""
        from rumsim.bots import parse_bot, table_bots

        texts = [as_path(text) for text in given or []]
        self.needed("bots", texts, "1, 2 or N bots such as knock=10,draw=improve:1")
        if players is not None and texts:
            self.attempt(table_bots, texts, players)
        else:
            for text in texts:
                self.attempt(parse_bot, text)
        return texts

    def needed(self, argument: str, given: object, allowed: str) -> None:
        """Note that an argument is missing."""
        if given is None or given == []:
            self.add(f"{argument}: got nothing; allowed: {allowed}")

    def stop(self) -> None:
        """Refuse the request if anything was wrong with it."""
        if self.lines:
            raise RequestError(*self.lines)


def decoded(word: str) -> str:
    """Read a word of the command line as the UTF-8 that the terminal sent, whatever the locale made of it.

    Examples
    --------
    >>> decoded("4H"), decoded("4♥")
    ('4H', '4♥')
    """
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word


def as_path(name: str) -> str:
    """Undo :func:`decoded` for the name of a file, which the locale must be able to spell."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return os.fsdecode(name.encode("utf-8", "surrogateescape"))
    return name


def read_bytes(argument: str, name: str) -> bytes:
    """Read a file that the user named, or standard input for ``-``; refuse what cannot be read, or has no end."""
    if name != "-":
        return read_file(argument, as_path(name))
    if sys.stdin is None:
        raise wrong(argument, name, "a file name, as there is no standard input")
    buffer = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if buffer is None else read_stream(argument, name, buffer)


def open_stream(argument: str, name: str) -> BufferedReader | BytesIO:
    """Open a file that the user named, or standard input for ``-``, to be read piece by piece with ``read1``."""
    if name != "-":
        return open_file(argument, as_path(name))
    if sys.stdin is None:
        raise wrong(argument, name, "a file name, as there is no standard input")
    buffer: BufferedReader | None = getattr(sys.stdin, "buffer", None)
    return BytesIO(sys.stdin.read().encode()) if buffer is None else buffer


def read_text(argument: str, name: str) -> str:
    """Read a file of UTF-8 text, or standard input for ``-``."""
    return text_of(argument, name, read_bytes(argument, name))
