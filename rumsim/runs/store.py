"""The files of a run: tables, documents and charts in one folder, with a manifest that says where they come from.

``manifest.json`` is written last and names every other file with its sha256.  Files are written to the folder
``.partial`` beside and then renamed, so that at any moment each is whole or not there.  The same request gives the
same bytes in every file but the manifest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rumsim.errors import RequestError, wrong
from rumsim.runs import provenance
from rumsim.runs.interrupt import heard, unless_interrupted
from rumsim.tasks import RESULTS_VERSION

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MANIFEST, PARTIAL = "manifest.json", ".partial"
Request = Mapping[str, object]
Content = str | bytes | Callable[[Path], object]


def check_folder(folder: str | Path, request: Request, argument: str = "out") -> Path:
    """Make sure, before any work, that a run can be written to a folder; make the folder if it is not there.

    Parameters
    ----------
    folder : str or Path
        New, empty, or holding a run of the same request, whose files will be replaced.
    request : mapping
        All that decides the result, as JSON.
    argument : str
        The name that the user knows the folder by.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    RequestError
        If it holds another run or other files, or cannot be written.

    Examples
    --------
    >>> check_folder("", {})
    Traceback (most recent call last):
        ...
    rumsim.errors.RequestError: out: got ''; allowed: the name of a folder
    """
    path = Path(folder)
    if not str(folder):
        raise wrong(argument, str(folder), "the name of a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
        _refuse_other_runs(path, _plain(request), argument)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte in it
        if isinstance(error, RequestError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        what = "a folder that can be written" if not isinstance(error, FileExistsError) else "a folder"
        raise wrong(argument, str(folder), f"{what} ({reason})") from None
    return path


def _refuse_other_runs(path: Path, request: object, argument: str) -> None:
    allowed = "a new or empty folder, or that of the same request"
    found = {entry.name for entry in path.iterdir()}
    if MANIFEST in found:
        before = _read(path / MANIFEST)
        if before.get("request") != request:
            raise RequestError(
                f"{argument}: got {str(path)!r}, which holds {_other(before, request)}; allowed: {allowed}"
            )
        return
    # A run that was killed while it renamed its files has left its manifest in the folder beside.
    begun = _read(path / PARTIAL / MANIFEST) if PARTIAL in found else {}
    ours = {PARTIAL, *_names(begun)} if begun.get("request") == request else set()
    if found - ours:
        raise RequestError(f"{argument}: got {str(path)!r}, which holds other files; allowed: {allowed}")


def _other(before: Mapping[str, Any], request: Any) -> str:
    theirs = before.get("request")
    if not isinstance(theirs, dict):
        return "a manifest that is not rumsim's"
    keys = sorted(key for key in {*theirs, *request} if theirs.get(key) != request.get(key))
    return f"another run (it differs in {', '.join(keys)})"


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _names(manifest: Mapping[str, Any]) -> set[str]:
    """Return the files that a manifest names, if they are files of its own folder."""
    files = manifest.get("files")
    return {name for name in files if Path(name).name == name} if isinstance(files, dict) else set()


def write_run(
    folder: str | Path,
    request: Request,
    tables: Mapping[str, pd.DataFrame],
    files: Mapping[str, Content] | None = None,
    *,
    seed: int,
    blocks: int,
    interrupted: bool,
    cpu_seconds: float,
    started: str | None = None,
) -> dict[str, object]:
    """Write the files of a run, each whole, the manifest last.

    Parameters
    ----------
    folder : str or Path
        As :func:`check_folder` allows it; it is checked again.
    request : mapping
        All that decides the result, as JSON.
    tables : mapping of name to DataFrame
        Each becomes ``NAME.parquet``.
    files : mapping of file name to content, optional
        Text, bytes, or a function that writes the file to the path that it is given, such as a chart.
    seed : int
        The seed of the decks.
    blocks : int
        How many were played: the blocks from 0 on.
    interrupted : bool
        Whether it stopped before all blocks were played; the manifest says ``"partial": true`` then.
    cpu_seconds : float
        Processor time, all threads together.
    started : str, optional
        When the run began, from :func:`rumsim.runs.provenance.now`.

    Returns
    -------
    dict
        The manifest.

    Raises
    ------
    RequestError
        As :func:`check_folder`.
    """
    path = check_folder(folder, request)
    beside = path / PARTIAL
    with heard():
        try:
            shutil.rmtree(beside, ignore_errors=True)
            beside.mkdir()
            # Whose the folder is, should the process be killed before the rest of the manifest is known.
            (beside / MANIFEST).write_text(json.dumps({"request": _plain(request)}), encoding="utf-8")
            for name, table in tables.items():
                _write_parquet(beside / f"{name}.parquet", table)
            for name, content in (files or {}).items():
                _write(beside / name, content)
            names = sorted(file.name for file in beside.iterdir() if file.name != MANIFEST)
            manifest: dict[str, object] = {
                "request": _plain(request),
                "results_version": RESULTS_VERSION,
                "seed": seed,
                "block_ranges": [[0, blocks]] if blocks else [],  # the second number is not played any more
                "partial": interrupted,
                "interrupted": interrupted,
                "files": {name: hashlib.sha256((beside / name).read_bytes()).hexdigest() for name in names},
                "versions": provenance.versions(),
                **provenance.sources(),
                "machine": provenance.machine(),
                "started": started,
                "ended": provenance.now(),
                "cpu_seconds": cpu_seconds,
            }
            (beside / MANIFEST).write_bytes((json.dumps(manifest, indent=2, allow_nan=False) + "\n").encode())
            stale = _names(_read(path / MANIFEST)) - {*names, MANIFEST}
            for name in [*names, MANIFEST]:
                os.replace(beside / name, path / name)
            for name in stale:
                (path / name).unlink(missing_ok=True)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return manifest


def _plain(request: Request) -> Any:
    """Return a request as it is read back from a manifest: lists for tuples, texts for keys."""
    return json.loads(json.dumps(request, allow_nan=False))


def _write(path: Path, content: Content) -> None:
    if callable(content):
        unless_interrupted(content, path)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def _write_parquet(path: Path, frame: pd.DataFrame) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(_arrow(frame), path, compression="zstd")


def _arrow(frame: pd.DataFrame) -> pa.Table:
    """Turn a frame into one of four column types, without the notes that pandas leaves, which change by version."""
    import pandas as pd
    import pyarrow as pa

    columns = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_bool_dtype(column.dtype):
            kind = pa.bool_()
        elif pd.api.types.is_integer_dtype(column.dtype):
            kind = pa.int64()
        elif pd.api.types.is_float_dtype(column.dtype):
            kind = pa.float64()
        else:
            kind = pa.string()
        columns[str(name)] = pa.array(column, type=kind, from_pandas=True)  # NaN becomes null
    return pa.table(columns).replace_schema_metadata(None)


# ---- single files --------------------------------------------------------------------------------------------


def check_file(file: str | Path, argument: str) -> Path:
    """Make sure, before any work, that a file can be written; an old one will be replaced.

    Returns
    -------
    Path
        The file, behind links.

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
        path = Path(file).resolve()
        if not str(file) or str(file) == "-" or (path.exists() and not path.is_file()):
            raise wrong(argument, str(file), "the name of a file")
        with _beside(path).open("wb"):
            pass
        _beside(path).unlink()
    except (OSError, ValueError) as error:
        if isinstance(error, RequestError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong(argument, str(file), f"a file that can be written ({reason})") from None
    return path


def write_file(path: Path, content: str) -> None:
    """Write UTF-8 text to a file, beside it first, then renamed."""
    with heard():
        try:
            _beside(path).write_bytes(content.encode())
            os.replace(_beside(path), path)
        finally:
            with contextlib.suppress(OSError):
                _beside(path).unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}{PARTIAL}")
