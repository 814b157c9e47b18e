"""The engine: compiled twins of melds, decks, referee and settlement, proved equal to them by tests.

Nothing here knows frames, charts or workers.  Python allocates arrays, kernels fill them.
"""

import os

from rumsim.errors import RequestError, wrong


def _check_settings() -> None:
    """Refuse settings of numba with which nothing can be compiled, before anything is."""
    try:
        from numba.core import config
    except ImportError:
        raise
    except Exception as error:
        # Numba reads its variables when it is imported, and some it refuses there.
        if named := sorted(name for name in os.environ if name.startswith("NUMBA_")):
            raise RequestError(f"{', '.join(named)}: got what numba refuses ({error}); allowed: not set") from None
        raise
    if config.DISABLE_JIT:  # type: ignore[attr-defined,unused-ignore]
        given = os.environ.get("NUMBA_DISABLE_JIT", str(config.DISABLE_JIT))  # type: ignore[attr-defined,unused-ignore]
        raise wrong("NUMBA_DISABLE_JIT", given, "0, or not set: the engine runs only compiled")


_check_settings()
