"""A bot's two functions, compiled, with addresses that a kernel can ask at."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MethodType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder

from rumsim.engine.door import KNOCK, NO_ANSWER
from rumsim.engine.door_checks import REFUSED, checked_cast
from rumsim.engine.door_numbers import OPERATIONS
from rumsim.engine.door_source import Refused, checked
from rumsim.engine.door_table import BOT
from rumsim.engine.door_view import SEAT, seated

Function = Callable[..., Any]

_ASKED = {
    "take_upcard": "return 1 if decide({0}) else 0",
    "give_back": "card, knock = decide({0}); return card + (KNOCK if knock else 0) if 0 <= card < KNOCK else NO_ANSWER",
}
_READ = {bool: "numbers[{}] != 0", int: "np.int64(numbers[{}])", float: "numbers[{}]"}
_KINDS = {bool: types.boolean, int: types.int64, float: types.float64}
_ALLOWED = {"take_upcard": "True or False", "give_back": "card, knock (a card's number, and True or False)"}
_BARE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class Pointer:
    """A bot's function, compiled; its address is good while this object lives.

    Parameters
    ----------
    function : callable
        ``take_upcard`` or ``give_back`` of a bot's file.
    question : str
        Which of them.
    parameters : mapping
        All parameters of the bot, in the order of the numbers that a kernel passes.

    Raises
    ------
    ValueError
        If it cannot be compiled; in one line, for the user.
    """

    def __init__(self, function: Function, question: str, parameters: Mapping[str, bool | int | float]) -> None:
        wanted = list(inspect.signature(function).parameters)[1:]
        places = {name: place for place, name in enumerate(parameters)}
        given = ["seated(row)"] + [_READ[type(parameters[name])].format(places[name]) for name in wanted]
        kinds = (SEAT, *(_KINDS[type(parameters[name])] for name in wanted))
        try:
            decide = _compilable(function)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # numba's advice to people who write kernels
                decide.compile(kinds)
        except Exception as error:  # numba's own mistakes included
            raise ValueError(_in_words(error, function, question)) from None
        returned = decide.overloads[kinds].signature.return_type
        if not _fits(question, returned):
            raise ValueError(
                f"bots: got {_named(returned)} from {question} in {function.__code__.co_filename}; "
                f"allowed: {_ALLOWED[question]}, on every way through the function"
            )
        scope = {"__name__": "bot", "decide": decide, "np": np, "seated": seated}
        scope |= {"KNOCK": KNOCK, "NO_ANSWER": NO_ANSWER}
        exec(f"def answer(row, numbers): {_ASKED[question].format(', '.join(given))}", scope)
        self._kept = numba.njit(BOT, **_BARE)(scope["answer"])
        found = self._kept.overloads[BOT.args]
        self.address: int = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)


def _fits(question: str, kind: Any) -> bool:
    if question == "take_upcard":
        return isinstance(kind, types.Boolean)
    if not isinstance(kind, types.BaseTuple) or len(_parts(kind)) != 2:
        return False
    card, knock = _parts(kind)
    return isinstance(card, types.Integer) and isinstance(knock, types.Boolean)


def _parts(kind: Any) -> list[Any]:
    return list(kind)


def _named(kind: Any) -> str:
    """Name a type as a Python programmer knows it."""
    if isinstance(kind, types.BaseTuple):
        return f"({', '.join(map(_named, _parts(kind)))})"
    if isinstance(kind, types.Optional):
        return f"{_named(kind.type)} or None"
    names = {types.Integer: "a whole number", types.Float: "a float", types.Boolean: "True or False"}
    names |= {types.NoneType: "None"}
    return next((name for base, name in names.items() if isinstance(kind, base)), str(kind))


class Compiler(CompilerBase):  # type: ignore[misc,name-defined,unused-ignore]
    """Numba's, with conversions that lose nothing."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        context = self.state.targetctx  # a copy, of this compilation alone
        context.cast = MethodType(checked_cast, context)

    def define_pipelines(self) -> list[Any]:
        """Return the stages of compiling."""
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


def _compilable(function: Any) -> Any:
    """Return a function for numba, and with it the other functions of its file, which it may call."""
    return checked(function, OPERATIONS, numba.njit(boundscheck=True, pipeline_class=Compiler, **_BARE))[0]


def bounded(function: Any) -> Any:
    """Return a function in plain Python that keeps to the bounds of compiled numbers, and says what goes beyond.

    Raises
    ------
    Refused
        If there is something in it that is not compiled.
    """
    return checked(function, OPERATIONS, lambda one: one)[0]


def _in_words(error: Exception, function: Any, question: str) -> str:
    """Say in one line why numba refused a function, and where."""
    path, text = function.__code__.co_filename, str(error)
    if isinstance(error, Refused):
        return _not_compiled(question, path, error.line, str(error))
    lines = [line.strip("- ") for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("Failed in nopython", "Resolution failure"))]
    where = re.search(rf'{re.escape(Path(path).name)}(?:", line |\s*\()(\d+)', text)
    ours = re.search(rf"{REFUSED}(.*?);", text)
    why = ours[1] if ours else lines[0] if lines else type(error).__name__
    return _not_compiled(question, path, int(where[1]) if where else 0, why)


def _not_compiled(question: str, path: str, number: int, why: str) -> str:
    line = f", line {number}" if number else ""
    return (
        f"bots: got {question} in {path}{line}, which cannot be compiled ({why}); "
        "allowed: numbers, and what the view offers"
    )
