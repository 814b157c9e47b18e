"""The manifest of a run's folder: what it says, whether it can be believed, and whose it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt

from rumsim.files import spelled

NAME = "manifest.json"
VIEWS = ("charts",)  # asked for with a run, but no part of what was played; manifests have had them in the request
_MOST_BYTES = 1 << 26
_MOST_SHOWN = 6


class Damaged(Exception):
    """There is a manifest that cannot have been written by a run."""


def _in_order(ends: list[int]) -> list[int]:
    if not 0 <= ends[0] < ends[1]:
        raise ValueError("a range of blocks that ends before it begins")
    return ends


def _of_the_folder(name: str) -> str:
    if name.startswith(".") or name == NAME or {"/", "\\", "\0"} & set(name):
        raise ValueError("not a file of the folder itself")
    return name


_Range = Annotated[list[StrictInt], Field(min_length=2, max_length=2), AfterValidator(_in_order)]
_FileName = Annotated[str, Field(min_length=1), AfterValidator(_of_the_folder)]
_Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """What the store needs of a manifest; it may say more.

    Attributes
    ----------
    request : dict
        All that decides the result.
    results_version : int
        Of the numbers.
    block_ranges : list of list of int
        First block, and the first that is not played any more.
    confirm_blocks : int
        Blocks of the other decks on which a sweep's best were confirmed, if it stopped meanwhile.
    partial : bool
        Whether it stopped before all blocks were played.
    files : dict of str to str
        File names and sha256.
    """

    model_config = ConfigDict(extra="ignore", strict=True)

    request: dict[str, Any]
    results_version: StrictInt
    block_ranges: list[_Range]
    confirm_blocks: StrictInt = 0
    partial: StrictBool
    files: dict[_FileName, _Sha256]

    @property
    def blocks(self) -> int:
        """Blocks played."""
        return sum(last - first for first, last in self.block_ranges)

    @property
    def holds(self) -> tuple[bool, int, int]:
        """How far the run came; of two, the greater one holds more."""
        return not self.partial, self.blocks, self.confirm_blocks

    def is_of(self, request: Any) -> bool:
        """Say whether the run answers a request, whatever views were asked for with it."""
        return _core(self.request) == _core(request)

    def differing(self, request: Mapping[str, Any]) -> str:
        """Name the parts in which the request is another, so that a line can show them."""
        ours, theirs = _core(request), _core(self.request)
        keys = sorted(
            key for key in {*ours, *theirs} if not (key in ours and key in theirs and ours[key] == theirs[key])
        )
        more = ["…"] if len(keys) > _MOST_SHOWN else []
        return ", ".join([*(spelled(key, 40) for key in keys[:_MOST_SHOWN]), *more])


def _core(request: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key not in VIEWS}


def read(folder: Path) -> Manifest | None:
    """Read the manifest of a folder; None if there is none.

    Raises
    ------
    Damaged
        If it is cut off, no JSON, larger or deeper than a manifest can be, or says what no run writes.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> read(Path("/nowhere")) is None
    True
    """
    path = folder / NAME
    if not path.is_symlink() and not path.exists():
        return None
    if not path.is_file():  # reading a pipe would wait for ever
        raise Damaged
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise Damaged
    try:
        return Manifest.model_validate(json.loads(content))
    except (ValueError, RecursionError):  # pydantic's error is a ValueError
        raise Damaged from None
