"""Files that are whole or not there, and names of files as a terminal can show them."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

PREFIX = ".rumsim"  # of everything that is there only while something is written
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO}  # what a disk may say only now


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
