"""The files of a run: tables, documents and charts in one folder, with a manifest that says where they come from.

``manifest.json`` names every other file with its sha256.  The same request gives the same bytes in every file but the
manifest; a result that is there already is left as it is, its manifest too.

A run has its folder to itself from before the work to the end (:mod:`rumsim.runs.lock`).  Nothing in the folder
changes before all that belongs there is whole on the disk:

1. The files are written into a folder ``.rumsim-staging-…`` of this process inside, the manifest last.
2. That folder is renamed to ``.rumsim-ready``.  This one step decides: before it the old result stands, after it the
   new one does.
3. The old files move to ``.rumsim-replaced``, the manifest first; then the new ones take their places, the manifest
   last.

A process that dies before the second step leaves the old result, and something to sweep away.  One that dies later
leaves a folder without a manifest, which nothing takes for a result, or one with everything in its place.  The next
run to enter the folder sweeps, or ends the third step, before it looks at anything else.  Where a move of the third
step fails, those before it are undone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rumsim.errors import RequestError, wrong
from rumsim.files import PREFIX, write_whole
from rumsim.runs import provenance
from rumsim.runs.interrupt import heard, unless_interrupted
from rumsim.runs.lock import FolderLock, Taken
from rumsim.runs.placing import MANIFEST, STAGING, place, recover
from rumsim.tasks import RESULTS_VERSION

if TYPE_CHECKING:
    import pandas as pd

    from rumsim.runs.manifest import Manifest

Request = Mapping[str, object]
Content = str | bytes | Callable[[Path], object]


@dataclass(frozen=True)
class Kept:
    """What a folder holds after a run.

    Attributes
    ----------
    blocks : int
        Blocks of the result in the folder.
    earlier : bool
        Whether it is the result of an earlier run, which came further.
    """

    blocks: int
    earlier: bool


class RunFolder:
    """A folder for the files of one run; :func:`run_folder` makes it.

    Attributes
    ----------
    path : Path
        Absolute and without links, so that no library takes a name for an address, and the current folder may change.
    """

    def __init__(self, folder: str | Path, request: Request, argument: str) -> None:
        self.path = Path(os.path.realpath(folder))
        self._name, self._argument = str(folder), argument
        self._request: dict[str, Any] = json.loads(json.dumps(request, allow_nan=False))  # as it is read back
        self._lock = FolderLock(self.path)

    def enter(self) -> None:
        """Make the folder, keep other runs out of it, and check what it holds."""
        self._locked()
        self._before()

    def leave(self) -> None:
        """Let other runs in; remove the folder if it was made for this run, which wrote nothing."""
        self._lock.leave()

    def further(self, blocks: int, interrupted: bool, confirm_blocks: int = 0) -> Kept | None:
        """Return what the folder keeps, if a run of so many blocks is not to be written; None if it is.

        Parameters
        ----------
        blocks, interrupted, confirm_blocks
            As for :meth:`write`.

        Raises
        ------
        OSError, RequestError
            As for :meth:`write`.
        """
        if not self._lock.holds():  # the folder was removed, or renamed
            self._locked(parents=False)
        before = self._before()
        if before is not None and before.holds > (not interrupted, blocks, confirm_blocks):
            return Kept(before.blocks, earlier=True)
        return None if blocks else Kept(0, earlier=False)

    def write(
        self,
        tables: Mapping[str, pd.DataFrame],
        files: Mapping[str, Content] | None = None,
        *,
        seed: int,
        blocks: int,
        interrupted: bool,
        cpu_seconds: float,
        started: str | None = None,
        confirm_blocks: int = 0,
    ) -> Kept:
        """Write the files of a run, all of them or none; none, too, where the folder holds more than was found.

        Parameters
        ----------
        tables : mapping of name to DataFrame
            Each becomes ``NAME.parquet``.
        files : mapping of file name to content, optional
            Text, bytes, or a function that writes the file to the path that it is given, such as a chart.
        seed : int
            The seed of the decks.
        blocks : int
            How many were played: the blocks from 0 on.  Without any, nothing is written.
        interrupted : bool
            Whether it stopped before all blocks were played; the manifest says ``"partial": true`` then.
        cpu_seconds : float
            Processor time, all threads together.
        started : str, optional
            When the run began, from :func:`rumsim.runs.provenance.now`.
        confirm_blocks : int
            Blocks of the decks for a confirmation, if the run was interrupted there.

        Returns
        -------
        Kept
            What the folder holds now.

        Raises
        ------
        OSError
            If the files cannot be written; those that were there are as they were.
        RequestError
            If the folder holds other files now, or another run is writing there.
        """
        with heard():
            if (kept := self.further(blocks, interrupted, confirm_blocks)) is not None:
                return kept
            before = self._before()
            staging = Path(tempfile.mkdtemp(prefix=STAGING, dir=self.path))
            try:
                _fill(staging, tables, files or {})
                new = _digests(staging)
                found = (not interrupted, blocks, confirm_blocks)
                same = before is not None and (before.holds, before.results_version) == (found, RESULTS_VERSION)
                views = self._still_valid(before, new) if before is not None and same else {}
                whole = dict(sorted({**new, **views}.items()))
                if before is not None and same and self._is_there(before, whole):
                    for name in new:
                        os.utime(self.path / name)  # as if written now, for whoever goes by that
                    return Kept(blocks, earlier=False)
                manifest = {
                    "request": self._request,
                    "results_version": RESULTS_VERSION,
                    "seed": seed,
                    "block_ranges": [[0, blocks]],  # the second number is not played any more
                    **({"confirm_blocks": confirm_blocks} if confirm_blocks else {}),
                    "partial": interrupted,
                    "interrupted": interrupted,
                    "files": whole,
                    "versions": provenance.versions(),
                    **provenance.sources(),
                    "machine": provenance.machine(),
                    "started": started,
                    "ended": provenance.now(),
                    "cpu_seconds": cpu_seconds,
                }
                text = json.dumps(manifest, indent=2, allow_nan=False) + "\n"
                (staging / MANIFEST).write_bytes(text.encode())
                place(staging, self.path, (before.files if before else {}).keys() - views.keys())
            finally:
                shutil.rmtree(staging, ignore_errors=True)
        return Kept(blocks, earlier=False)

    def _locked(self, parents: bool = True) -> None:
        try:
            self._lock.enter(parents)
        except Taken:
            allowed = "another folder, or this one when that run has ended"
            raise RequestError(
                f"{self._argument}: got {self._name!r}, another run is writing here; allowed: {allowed}"
            ) from None

    def _before(self) -> Manifest | None:
        """Return what the folder says of an earlier run of the same request; refuse whatever else it holds."""
        from rumsim.runs.manifest import Damaged, read  # takes pydantic's time, which most folders don't need

        try:
            recover(self.path)
            before = read(self.path)
        except Damaged:
            raise self._refused(f"a damaged {MANIFEST}, or another program's") from None
        if before is None:
            if any(not name.startswith(PREFIX) for name in os.listdir(self.path)):
                raise self._refused("other files")
        elif not before.is_of(self._request):
            raise self._refused(f"another run (it differs in {before.differing(self._request)})")
        return before

    def _refused(self, found: str) -> RequestError:
        allowed = "a new or empty folder, or that of the same request"
        return RequestError(f"{self._argument}: got {self._name!r}, which holds {found}; allowed: {allowed}")

    def _still_valid(self, before: Manifest, new: Mapping[str, str]) -> dict[str, str]:
        """Return the files that the same result left earlier and that were not asked for again, such as charts."""
        if any(new[name] != before.files[name] for name in new.keys() & before.files.keys()):
            return {}
        left = {name: digest for name, digest in before.files.items() if name not in new}
        return {name: digest for name, digest in left.items() if _sha256(self.path / name) == digest}

    def _is_there(self, before: Manifest, files: Mapping[str, str]) -> bool:
        """Say whether the folder holds just these files, whole, so that nothing need be written."""
        return before.files == files and all(_sha256(self.path / name) == digest for name, digest in files.items())


@contextmanager
def run_folder(folder: str | Path, request: Request, argument: str = "out") -> Iterator[RunFolder]:
    """Make sure, before any work, that a run can be written to a folder, and keep other runs out until the end.

    Parameters
    ----------
    folder : str or Path
        New, empty, or holding a run of the same request.  It is made if it is not there, and goes away again if
        nothing was written.
    request : mapping
        All that decides the result, as JSON.
    argument : str
        The name that the user knows the folder by.

    Yields
    ------
    RunFolder
        Takes the files.

    Raises
    ------
    RequestError
        If it holds another run or other files, cannot be written, or another run is writing there.

    Examples
    --------
    >>> with run_folder("", {}):
    ...     pass
    Traceback (most recent call last):
        ...
    rumsim.errors.RequestError: out: got ''; allowed: the name of a folder
    """
    if not str(folder):
        raise wrong(argument, str(folder), "the name of a folder")
    entered = None
    try:
        try:
            entered = RunFolder(folder, request, argument)
            entered.enter()
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte in it
            if isinstance(error, RequestError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            what = "a folder that can be written" if not isinstance(error, FileExistsError) else "a folder"
            raise wrong(argument, str(folder), f"{what} ({reason})") from None
        yield entered
    finally:
        if entered is not None:
            entered.leave()


def _fill(staging: Path, tables: Mapping[str, pd.DataFrame], files: Mapping[str, Content]) -> None:
    from rumsim.runs.parquet import write_parquet

    for name, table in tables.items():
        write_parquet(staging / f"{name}.parquet", table)
    for name, content in files.items():
        if callable(content):
            unless_interrupted(_whole, content, staging / name)
        else:
            (staging / name).write_bytes(content.encode() if isinstance(content, str) else content)


def _whole(write: Callable[[Path], object], path: Path) -> None:
    """Let a function write a file, and leave nothing of it if that is broken off."""
    try:
        write(path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def _sha256(path: Path) -> str | None:
    """Return the sha256 of a file; None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


# ---- single files --------------------------------------------------------------------------------------------


def check_file(file: str | Path, argument: str) -> Path:
    """Make sure, before any work, that a file can be written; an old one will be replaced.

    Returns
    -------
    Path
        The file: absolute, and what links point to.

    Raises
    ------
    RequestError
        If it is a folder, a device, or cannot be written.

    Examples
    --------
    >>> check_file("/", "csv")
    Traceback (most recent call last):
        ...
    rumsim.errors.RequestError: csv: got '/'; allowed: the name of a file
    """
    try:
        path = Path(os.path.realpath(file))
        if not str(file) or str(file) == "-" or (path.exists() and not path.is_file()):
            raise wrong(argument, str(file), "the name of a file")
        with tempfile.NamedTemporaryFile(prefix=f"{PREFIX}-", dir=path.parent):
            pass
    except (OSError, ValueError) as error:
        if isinstance(error, RequestError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong(argument, str(file), f"a file that can be written ({reason})") from None
    return path


def write_file(path: Path, content: str) -> None:
    """Write UTF-8 text to a file, beside it first, then renamed."""
    with heard():
        write_whole(path, content.encode())
