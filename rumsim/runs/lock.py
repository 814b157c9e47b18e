"""One run at a time in a folder: a lock from before the work to its end, and folders made for it.

The lock is the system's own, on a file in the folder.  The system lets go of it when a process ends, however that
happens, so a killed run keeps nobody out.  The file is removed while the lock is held; whoever had opened it before
finds that it is gone and tries again.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from filelock import FileLock, Timeout

from rumsim.files import PREFIX

_NAME = f"{PREFIX}.lock"
_TRIES = 100  # someone else may remove the folder, or its lock, just now
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}  # some network disks: better no lock than no result


class Taken(Exception):
    """Another run is writing into the folder."""


class FolderLock:
    """A folder that is there and that no other run writes into, until :meth:`leave`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made: list[Path] = []
        self._lock: FileLock | None = None
        self._file: os.stat_result | None = None

    def enter(self, parents: bool = True) -> None:
        """Make the folder if it is not there, and lock it.

        Parameters
        ----------
        parents : bool
            Whether folders above it may be made too.

        Raises
        ------
        Taken
            If another run holds the lock.
        OSError
            If it cannot be made or written.
        """
        for attempt in range(_TRIES):
            try:
                self._make(parents)
                if self._take():
                    return
            except FileNotFoundError:  # a run that wrote nothing has just removed the folder that it had made
                if attempt == _TRIES - 1 or not parents:
                    raise
        raise Taken

    def holds(self) -> bool:
        """Say whether the folder is still the one that was locked."""
        if self._file is None:  # a disk without locks
            return self._path.is_dir()
        try:
            # The file is open, so that no other can have got its number.
            return os.path.samestat((self._path / _NAME).lstat(), self._file)
        except OSError:
            return False

    def leave(self) -> None:
        """Unlock the folder; remove it, and those above, if they were made for this run and hold nothing."""
        ours = self._file is not None and self.holds()
        if os.name != "posix":  # where open files cannot be removed
            self._release()
        with contextlib.suppress(OSError):
            if ours:
                (self._path / _NAME).unlink()
            for folder in reversed(self._made):
                folder.rmdir()
        self._release()

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            with contextlib.suppress(OSError):
                lock.release()

    def _make(self, parents: bool) -> None:
        missing: list[Path] = []
        at = self._path
        while not at.is_dir() and (parents or not missing):
            missing.append(at)
            at = at.parent
        for folder in reversed(missing):
            try:
                folder.mkdir()
                self._made.append(folder)
            except FileExistsError:
                if not folder.is_dir():
                    raise

    def _take(self) -> bool:
        """Take the lock; return whether its file is still the one in the folder."""
        # Tied to no thread, so that it can be released wherever the run ends.
        lock = FileLock(self._path / _NAME, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise Taken from None
        except NotImplementedError:
            return True
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return True
            raise
        try:
            file = (self._path / _NAME).lstat()
        except FileNotFoundError:
            lock.release()
            return False
        self._release()  # of a folder that has gone
        self._lock, self._file = lock, file
        return True
