"""One decorator for every kernel, with a cache that an edit in any engine file makes void.

Numba's own cache looks only at the file of the function that is called: after an edit to a callee or a constant
in another file it would go on running the old code.  Here the folder of the cache is named by a hash of all the
sources that end up in machine code, so edited code finds an empty folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import config as _numba_config
from numba.core import event, sigutils, types
from numba.core.ccallback import CFunc
from platformdirs import user_cache_path

from rumsim.engine.cache import KeptCode, own_folder, say

config: Any = _numba_config  # its options are not in its type
F = TypeVar("F", bound=Callable[..., Any])

_HERE = Path(__file__).parent
_SOURCES = [
    *sorted(_HERE.glob("*.py")),
    *(_HERE.parent / name for name in ("decks.py", "session_rules.py")),
    _HERE.parent / "referee" / "seat.py",
]


# Numba's options that change machine code; for what processor it is, numba's own keys say.
_OPTIONS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "LOOP_VECTORIZE", "SLP_VECTORIZE")


def sources_hash() -> str:
    """Return a hash of everything that machine code is made from: sources, compilers and their options."""
    options = [getattr(config, name, None) for name in _OPTIONS]
    versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__} {sys.version} {options}"
    digest = hashlib.sha256(versions.encode())
    for path in _SOURCES:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """Return a folder for this version of the engine, or None, saying why."""
    # NUMBA_CACHE_DIR goes first, as in any numba program.
    base = Path(config.CACHE_DIR) if config.CACHE_DIR else user_cache_path("rumsim", appauthor=False)
    return own_folder(base, f"engine-{sources_hash()}")


CACHE = _cache_folder()


# From a kernel whose parts others had left, to advice or a user's bot with nothing kept; on a cloud machine's core.
# Each command has a kernel of its own, of which jokers make another version: so this is said more than once.
_SECONDS = "2 to 20 seconds"


class _Announcement(event.Listener):
    """Says once in a process that compiling takes a while: loading from the cache is no such event."""

    said = False

    def on_start(self, event: event.Event) -> None:
        """Speak when the first of the engine's functions is compiled."""
        function = event.data["dispatcher"].py_func
        # Functions within functions are the view's, compiled with each bot of a user's; theirs have any module or none.
        ours = (function.__module__ or "").startswith("rumsim.") and "<locals>" not in function.__qualname__
        if ours and not self.said:
            _Announcement.said = True
            kept = "kept for the next time" if CACHE and os.access(CACHE, os.W_OK) else "kept nowhere"
            say(f"compiling what this needs of the engine ({_SECONDS}, {kept}) ...")

    def on_end(self, event: event.Event) -> None:
        """Say nothing."""


event.register("numba:compile", _Announcement())


# A sixth of the time that compiling takes went into doors for callers that these functions never have.
_FROM_KERNELS_ONLY = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile a function that Python calls: no interpreter lock held, machine code kept between processes."""
    return _compiled(function, nogil=True, no_cfunc_wrapper=True)


def inlined(function: F) -> F:
    """Compile a small function that kernels call; it becomes part of each of them."""
    return _compiled(function, forceinline=True, **_FROM_KERNELS_ONLY)


def outlined(function: F) -> F:
    """Compile a function that kernels call on rare ways."""
    return _compiled(function, **_FROM_KERNELS_ONLY)


def entrance(signature: Any) -> Callable[[Any], Any]:
    """Return a decorator for a function of that signature, called by its address from code compiled elsewhere."""

    def compiled(function: Any) -> Any:
        made: Any = CFunc(function, sigutils.normalize_signature(signature), locals={}, options={})
        if CACHE is not None:
            made._cache = KeptCode(function, CACHE)
        made.compile()
        return made

    return compiled


def by_name(signature: Any) -> Callable[[Any], Any]:
    """Return a decorator for a function that kernels call on rare ways, but do not link in.

    What is linked is optimised anew in every function on the way to the kernel; a name is only looked up.
    """

    def compiled(function: Any) -> Any:
        name = f"{function.__module__}.{function.__qualname__}".replace(".", "_")
        made = entrance(signature)(function)
        _kept.append(made)
        llvmlite.binding.add_symbol(name, made.address)
        return types.ExternalFunction(name, signature)

    return compiled


_kept: list[Any] = []  # machine code lives as long as its function


def _compiled(function: F, **options: Any) -> F:
    made: Any = numba.njit(function, error_model="numpy", **options)
    if CACHE is not None:
        made._cache = KeptCode(function, CACHE)
    compiled: F = made
    return compiled
