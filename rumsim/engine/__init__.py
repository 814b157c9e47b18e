"""The engine: compiled twins of melds, decks, referee and settlement, proved equal to them by tests.

Nothing here knows frames, charts or workers.  Python allocates arrays, kernels fill them.
"""

import os
import re
import warnings

from rumsim.errors import RequestError, wrong


def _check_settings() -> None:
    """Refuse settings of numba with which nothing can be compiled, before anything is."""
    try:
        with warnings.catch_warnings():
            # It reads its variables when it is imported: what it does not understand it says with a traceback.
            warnings.filterwarnings("error", "Environment variable 'NUMBA_", RuntimeWarning)
            from numba.core import config
    except ImportError:
        raise
    except Exception as error:
        told, known = str(error), [name for name in os.environ if name.startswith("NUMBA_")]
        if not known:
            raise
        named = sorted({name for name in known if re.search(rf"\b{name}\b", told)} or known)
        given = ", ".join(f"{name}={os.environ[name]}" for name in named)
        raise RequestError(f"environment: got {given!r}; allowed: what numba takes, or not set") from None
    if config.DISABLE_JIT:  # type: ignore[attr-defined,unused-ignore]
        given = os.environ.get("NUMBA_DISABLE_JIT", str(config.DISABLE_JIT))  # type: ignore[attr-defined,unused-ignore]
        raise wrong("NUMBA_DISABLE_JIT", given, "0, or not set: the engine runs only compiled")


_check_settings()
