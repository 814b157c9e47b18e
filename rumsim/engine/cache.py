"""Where compiled code is kept between processes: numba's files, in a folder of the owner's, and read with care.

What is kept is pickled, and to unpickle is to run what the file says.  So a file is read only if nobody but its reader
(or root) can have written it, and only if its checksum is right: a damaged object file could bring down the process.
Kept code is never needed.  What cannot be read is dropped and compiled anew, what cannot be written is not kept; either
is said once.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import stat
import sys
import uuid
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

_CHECKSUM = hashlib.sha256().digest_size
_PATIENCE = 10.0  # seconds to wait for another process that writes: longer than any takes
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_DROPPED, _NOT_KEPT = "dropped", "not kept"  # what is said once


def own_folder(base: Path, name: str) -> Path | None:
    """Return the folder of that name, which only its owner can write; or None, saying why, where there is none.

    Parameters
    ----------
    base : Path
        Where it lies; made if it is not there, for its owner only.
    name : str
        Of the folder.
    """
    folder = base.absolute() / name
    try:
        _make(folder)
        # Who can write above it could put another in its place; not so under /tmp, where nobody moves what is others'.
        for place, sticky in ((folder.parent, True), (folder, False)):
            if whose := _open_to_others(place.stat(), sticky):
                say(f"{place} {whose}, so it is not used: the engine is compiled anew in every process")
                return None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = getattr(error, "strerror", None) or error
        say(f"{base} cannot be written ({reason}), so the engine is compiled anew in every process")
        return None
    return folder


def _make(folder: Path) -> None:
    """Make a folder and those above it, for its owner only."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _open_to_others(status: os.stat_result, sticky: bool = False) -> str:
    """Say how others could have put something there; nothing if they could not, or where the sticky bit will do."""
    if not hasattr(os, "geteuid"):  # Windows: what lies in a user's folder is the user's own
        return ""
    if status.st_uid not in (0, os.geteuid()):  # who is root can change anything anyway
        return f"belongs to another user (number {status.st_uid})"
    if status.st_mode & _OTHERS_WRITE and not (sticky and status.st_mode & stat.S_ISVTX):
        return "can be written by other users"
    return ""


_said: set[str] = set()


def say(line: str, kind: str = "") -> None:
    """Say something on standard error, in one line; of a kind that has a name only once."""
    if kind in _said or sys.stderr is None:
        return
    _said.update([kind] if kind else [])
    with contextlib.suppress(OSError, ValueError):  # nobody listens
        print("rumsim:", " ".join(line.split("\n")), file=sys.stderr, flush=True)


class Untrusted(Exception):
    """A file that is damaged, or another's."""


class _Files(IndexDataCacheFile):
    """Numba's files of one function, an index and a file for each set of types, each behind a checksum."""

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = pickle.loads(_read(self._index_path))
        except FileNotFoundError:
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_read(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, data: Any) -> None:
        """Write a file whole, or not at all."""
        content = self._dump(data)
        beside = f"{path}.tmp.{uuid.uuid4().hex[:16]}"
        try:
            with open(beside, "wb", opener=_for_owner) as file:
                file.write(_checksum(path, content) + content)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise

    def drop(self) -> None:
        """Remove all that is kept of the function."""
        stem = self._index_name.removesuffix("nbi")
        with contextlib.suppress(OSError):
            for path in [path for path in os.scandir(self._cache_path) if path.name.startswith(stem)]:
                os.unlink(path)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _checksum(path: str, content: bytes) -> bytes:
    """Return the checksum of what a file holds; names are part of it, so that no file passes for another."""
    names = "/".join(Path(path).parts[-3:])
    return hashlib.sha256(os.fsencode(names) + b"\0" + content).digest()


def _read(path: str) -> bytes:
    """Return what a file holds; raise Untrusted if that need not be what was written there."""
    with open(path, "rb") as file:
        if whose := _open_to_others(os.fstat(file.fileno())):
            raise Untrusted(whose)
        held = file.read()
    content = held[_CHECKSUM:]
    if _checksum(path, content) != held[:_CHECKSUM]:
        raise Untrusted("is damaged")
    return content


@lru_cache
def _hash_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class _Place:
    """Where a function's files lie, as numba asks for it."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_file = inspect.getfile(function)
        self._line = function.__code__.co_firstlineno
        self._stamp = _hash_of(self._py_file)
        above = os.path.dirname(os.path.abspath(self._py_file))
        self._folder = folder / f"{os.path.basename(above)}_{hashlib.sha1(os.fsencode(above)).hexdigest()}"

    def ensure_cache_path(self) -> None:
        """Make the folder, should it be gone."""
        _make(self._folder)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what changes with the function's own file; all others name the folder above."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name in one file apart."""
        return str(self._line)


class KeptCode(FunctionCache):
    """What is kept of one function.

    Parameters
    ----------
    function : callable
        Not compiled yet.
    folder : Path
        From :func:`own_folder`.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        class Implementation(CompileResultCacheImpl):
            def __init__(self, function: Any) -> None:
                # Not numba's own, which looks for a place in many and asks the environment too.
                self._lineno = function.__code__.co_firstlineno
                self._locator = _Place(function, folder)
                stem = Path(self._locator._py_file).stem
                full = f"{stem}.{function.__qualname__}"
                self._filename_base = self.get_filename_base(full, getattr(sys, "abiflags", ""))

            def check_cachable(self, code: Any) -> bool:
                with warnings.catch_warnings():  # what cannot be kept, as without optimisation, is no fault
                    warnings.simplefilter("ignore")
                    return bool(super().check_cachable(code))

        self._impl_class = Implementation
        self._folder = folder
        super().__init__(function)
        place = self._impl.locator
        self._cache_file: _Files = _Files(place.get_cache_path(), self._impl.filename_base, place.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for some types; None if it is not there, or not as it was written."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            self._cache_file.drop()
            what = str(error) if isinstance(error, Untrusted) else f"cannot be read ({type(error).__name__}: {error})"
            say(f"compiled code kept in {self._folder} {what}: it is dropped and compiled anew", _DROPPED)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep code, if it can be kept; processes that compile at the same time must not mix up their indexes."""
        if _NOT_KEPT in _said:  # once is enough to wait for a lock, or to fill a disk
            return
        try:
            self._impl.locator.ensure_cache_path()
            with FileLock(self._folder / ".lock", timeout=_PATIENCE):
                super().save_overload(sig, data)
        except Exception as error:
            reason = getattr(error, "strerror", None) or error
            say(f"compiled code cannot be kept in {self._folder} ({reason}): next time it is compiled anew", _NOT_KEPT)
