"""The checked operations that take the place of Python's in a compiled bot, by name."""

from __future__ import annotations

from rumsim.engine import door_arithmetic, door_builtins, door_compare, door_math
from rumsim.engine.door_checks import OPERATIONS

__all__ = ["OPERATIONS", "PARTS"]
PARTS = (door_arithmetic, door_compare, door_builtins, door_math)  # each adds its own
