"""Files that people name: read whole, but never without end."""

from __future__ import annotations

from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from rumsim.errors import RequestError, wrong

MOST_BYTES = 16 << 20  # no deck, record, bot or book is longer; a device such as /dev/zero has no end


def read_file(argument: str, path: str | Path) -> bytes:
    """Read a file of at most 16 MiB.

    Parameters
    ----------
    argument : str
        The name that the user knows it by.
    path : str or Path
        The file.

    Returns
    -------
    bytes
        All of it.

    Raises
    ------
    RequestError
        If it cannot be read, or is longer.

    Examples
    --------
    >>> read_file("deck", "/nowhere")
    Traceback (most recent call last):
        ...
    rumsim.errors.RequestError: deck: got '/nowhere'; allowed: a file that can be read (No such file or directory)
    """
    with open_file(argument, path) as file:
        return read_stream(argument, str(path), file)


def open_file(argument: str, path: str | Path) -> BufferedReader:
    """Open a file to be read.

    Raises
    ------
    RequestError
        If it cannot be opened.
    """
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte in it
        raise _unreadable(argument, path, error) from None


def _unreadable(argument: str, path: str | Path, error: Exception) -> RequestError:
    reason = getattr(error, "strerror", None) or str(error)
    return wrong(argument, str(path), f"a file that can be read ({reason})")


def read_stream(argument: str, name: str, file: BinaryIO) -> bytes:
    """Read an open file to its end, as :func:`read_file` does.

    Raises
    ------
    RequestError
        If it is longer than 16 MiB, or cannot be read.
    """
    try:
        found = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _unreadable(argument, name, error) from None
    if len(found) > MOST_BYTES:
        raise wrong(argument, name, f"a file of at most {MOST_BYTES >> 20} MiB")
    return found


def text_of(argument: str, name: str, found: bytes) -> str:
    """Decode the contents of a text file, with or without a byte order mark.

    Raises
    ------
    RequestError
        If it is no UTF-8.

    Examples
    --------
    >>> text_of("deck", "deck.txt", b"4H 5H")
    '4H 5H'
    """
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(argument, name, f"UTF-8 text (byte {error.start + 1} is not)") from None
