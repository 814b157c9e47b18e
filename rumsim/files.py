"""Files that people name: read whole, but never without end; written whole or not at all; shown safely."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from rumsim.errors import RequestError, wrong

MOST_BYTES = 16 << 20  # no deck, record, bot or book is longer; a device such as /dev/zero has no end
PREFIX = ".rumsim"  # of everything that is there only while something is written
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO}  # what a disk may say only now


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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file: beside it first, under a name of this process alone, then renamed.

    Whatever happens in between, a power cut included, the old file or the new one is there, whole.

    Parameters
    ----------
    path : Path
        The file; an old one is replaced, a link too.
    content : bytes
        All of it.

    Raises
    ------
    OSError
        If it cannot be written; the old file is as it was then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "a.txt"), b"one")
    ...     [(file.name, file.read_bytes()) for file in Path(folder).iterdir()]
    [('a.txt', b'one')]
    """
    beside = path.with_name(f"{PREFIX}-{secrets.token_hex(6)}")  # short: a name may be as long as names can be
    try:
        with beside.open("xb") as file:
            file.write(content)
            sync(file.fileno())
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync(descriptor: int) -> None:
    """Have a file on the disk before anything that follows; systems that cannot are left alone."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno in _FULL:
            raise


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def spelled(text: object, most: int = 200) -> str:
    r"""Return a text of others, such as the name of a file, as it can be shown in a line.

    Parameters
    ----------
    text : object
        Shown in quotes and escaped where a terminal would not print it as it is.
    most : int
        Letters; of longer ones the beginning is shown.

    Examples
    --------
    >>> print(spelled("out/grid"), spelled("two\nlines"), spelled("x" * 30, most=10))
    out/grid 'two\nlines' xxxxxxxxx…
    """
    word = str(text)
    if len(word) > most:
        word = word[: most - 1] + "…"
    return word if word.isprintable() and word.strip() == word != "" else repr(word)
