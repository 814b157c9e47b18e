"""Put the files of a new result in the place of the old ones: all of them or none, whenever a process dies."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from rumsim.files import PREFIX, sync, sync_folder

MANIFEST = "manifest.json"
STAGING, READY, REPLACED = f"{PREFIX}-staging-", f"{PREFIX}-ready", f"{PREFIX}-replaced"


def place(staging: Path, folder: Path, old: Iterable[str]) -> None:
    """Move files to their places; :mod:`rumsim.runs.store` says in which steps.

    Parameters
    ----------
    staging : Path
        A folder inside, with the new files and their manifest; it is gone afterwards.
    folder : Path
        Where they belong.
    old : iterable of str
        Names of the files that go away, or are replaced; the old manifest is, in any case.

    Raises
    ------
    OSError
        If one cannot be moved; the old files are in their places then.
    """
    new = sorted(file.name for file in staging.iterdir() if file.name != MANIFEST)
    for name in (*new, MANIFEST):
        with (staging / name).open("rb") as file:
            sync(file.fileno())
        if _is_folder(folder / name):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder / name))
    sync_folder(staging)
    ready, replaced = folder / READY, folder / REPLACED
    os.rename(staging, ready)
    sync_folder(folder)
    moved: list[tuple[Path, Path]] = []

    def move(name: str, here: Path, there: Path) -> None:
        os.rename(here / name, there / name)
        moved.append((here / name, there / name))

    try:
        replaced.mkdir()
        for name in dict.fromkeys((MANIFEST, *sorted(old), *new)):
            if os.path.lexists(folder / name) and not _is_folder(folder / name):
                move(name, folder, replaced)
        sync_folder(folder)
        for name in new:
            move(name, ready, folder)
        sync_folder(folder)
        move(MANIFEST, ready, folder)
    except OSError:
        for source, target in reversed(moved):
            os.rename(target, source)
        os.rename(ready, staging)
        shutil.rmtree(replaced, ignore_errors=True)
        raise
    sync_folder(folder)
    shutil.rmtree(ready, ignore_errors=True)
    shutil.rmtree(replaced, ignore_errors=True)


def recover(folder: Path) -> None:
    """End what a process that died had decided, and sweep away what it had only begun.

    Raises
    ------
    Damaged
        If the manifest of the files that are ready cannot be believed.
    OSError
        If a file cannot be moved.
    """
    found = [name for name in os.listdir(folder) if name.startswith(PREFIX)]
    if READY in found and (folder / READY / MANIFEST).exists():
        _go_on(folder, folder / READY)
    for name in found:
        if name in (READY, REPLACED) or name.startswith(STAGING):
            shutil.rmtree(folder / name, ignore_errors=True)


def _go_on(folder: Path, ready: Path) -> None:
    from rumsim.runs.manifest import Damaged, read

    new = read(ready)
    assert new is not None
    old = None
    for place_of_old in (folder, folder / REPLACED):
        try:
            old = old or read(place_of_old)
        except Damaged:
            continue
    (folder / MANIFEST).unlink(missing_ok=True)
    for name in (old.files if old else {}).keys() - new.files.keys():
        if not _is_folder(folder / name):
            (folder / name).unlink(missing_ok=True)
    sync_folder(folder)
    for name in os.listdir(ready):
        if name != MANIFEST:
            os.replace(ready / name, folder / name)
    sync_folder(folder)
    os.replace(ready / MANIFEST, folder / MANIFEST)
    sync_folder(folder)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
