"""One's own bot: a Python file with two functions (docs/bots.md).

The same source plays in the referee, as it stands, and in the engine, compiled.  Arguments after the view are the
bot's parameters.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import hashlib
import inspect
import math
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rumsim.errors import RequestError, shortened, whole_number, wrong
from rumsim.files import read_file, text_of
from rumsim.referee.seat import SeatView, seat_view
from rumsim.referee.view import View

QUESTIONS = ("take_upcard", "give_back")
MOST_PARAMETERS = 16
_LARGEST = 1 << 53  # parameters reach the engine as floats
_MODULES = ("math", "typing", "__future__")
_FORM = "@file.py, or @file.py:key=value,…"

Number = bool | int | float
Function = Callable[..., Any]


@dataclass(frozen=True)
class CustomBot:
    """A bot from a user's file.

    Attributes
    ----------
    path : str
        The file, as the user named it.
    source : str
        What is in it.
    given : tuple of (str, number)
        The value of every parameter, in the order of the file.
    """

    path: str
    source: str
    given: tuple[tuple[str, Number], ...]

    @classmethod
    def parse(cls, text: str) -> CustomBot:
        """Read ``@file.py`` or ``@file.py:key=value,…``.

        Raises
        ------
        RequestError
            If the file cannot be read or run, lacks a function, or has no such parameter; all wrong values at once.
        """
        found = re.fullmatch(r"@(.+?\.py)(?::(.*))?", text.strip(), re.DOTALL)
        if found is None:
            raise wrong("bots", text, _FORM)
        path = found[1]
        source = text_of("bots", path, read_file("bots", path))
        values = _parameters(path, functions(path, source))
        problems: list[str] = []
        named: set[str] = set()
        for word in (found[2] or "").split(",") if found[2] else ():
            name, equals, value = (part.strip() for part in word.partition("="))
            try:
                if not equals:
                    raise wrong("bots", text, _FORM)
                if name in named:
                    raise RequestError(f"bots: got {name} twice in {text!r}; allowed: each key once")
                if name not in values:
                    raise RequestError(f"bots: unknown key {name!r} of {path}; allowed: {', '.join(values) or 'none'}")
                named.add(name)
                values[name] = _read(f"bots: {name} of {path}", value, type(values[name]))
            except RequestError as error:
                problems += error.lines
        if problems:
            raise RequestError(*problems)
        return cls(path, source, tuple(values.items()))

    def __str__(self) -> str:
        """Return the canonical form, with every key."""
        given = ",".join(f"{name}={_written(value)}" for name, value in self.given)
        return f"@{self.path}" + (f":{given}" if given else "")

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return Path(self.path).name

    @property
    def ignores_knocks(self) -> bool:
        """Whether the file declares ``IGNORES_KNOCKS = True``: it draws and discards alike whoever may knock when."""
        return any(function.__globals__.get("IGNORES_KNOCKS") is True for function in self.functions.values())

    @property
    def sha256(self) -> str:
        """The hash of the source, for provenance."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def functions(self) -> Mapping[str, Function]:
        """The two functions as they stand in the file."""
        return functions(self.path, self.source)

    def replaced(self, others: Mapping[str, Function]) -> CustomBot:
        """Return a bot of the same name and parameters that asks other functions."""
        return _Replaced(self.path, self.source, self.given, dict(others))

    def check(self, players: int) -> None:
        """Accept any table."""

    def take_upcard(self, view: View) -> bool:
        """Decide whether to take the upcard."""
        seen = seat_view(view)
        answer = self._ask("take_upcard", seen)
        if not isinstance(answer, bool):
            raise self._refused("take_upcard", answer, "True or False", seen)
        return answer

    def give_back(self, view: View) -> tuple[int, bool]:
        """Choose the card to give back, and whether to knock with it."""
        seen = seat_view(view)
        answer = self._ask("give_back", seen)
        match answer:
            case (int(card), bool(knock)) if type(answer) is tuple and type(card) is int:
                if 0 <= card < view.rules.deck_size:
                    return card, knock
        allowed = f"card, knock (a card's number from 0 to {view.rules.deck_size - 1}, and True or False)"
        raise self._refused("give_back", answer, allowed, seen)

    def _ask(self, question: str, seen: SeatView) -> object:
        function = self.functions[question]
        values = dict(self.given)
        wanted = list(inspect.signature(function).parameters)[1:]
        try:
            with contextlib.redirect_stdout(sys.stderr):  # what it prints is no part of an answer
                return function(seen, *(values[name] for name in wanted))
        except BaseException as error:  # SystemExit from a bot would end the program without a word
            if _is_signal(error, self.path):
                raise
            line = _line(error, self.path)
            where = f"line {line} of {self.path}" if line else self.path
            raise RequestError(
                f"bots: got {type(error).__name__} ({_message(error)}) from {question}, {where}, {_when(seen)}; "
                "allowed: an answer to every question"
            ) from None

    def _refused(self, question: str, answer: object, allowed: str, seen: SeatView) -> RequestError:
        try:
            shown = repr(answer)
        except BaseException as error:
            if _is_signal(error, self.path):
                raise
            shown = f"a {type(answer).__name__}"
        shown = shown if len(shown) < 60 else f"{shown[:57]}..."
        return RequestError(f"bots: got {shown} from {question} in {self.path}, {_when(seen)}; allowed: {allowed}")


@dataclass(frozen=True)
class _Replaced(CustomBot):
    others: dict[str, Function]

    @property
    def functions(self) -> Mapping[str, Function]:
        return self.others


def _when(seen: SeatView) -> str:
    return f"table turn {seen.table_turn}, player {seen.player}"


_RUN: dict[tuple[str, str], dict[str, Function]] = {}


def functions(path: str, source: str) -> dict[str, Function]:
    """Run a bot's file, once in a process, and return its functions.

    Raises
    ------
    RequestError
        If it fails, imports more than ``math``, or lacks a function.
    """
    if (path, source) not in _RUN:
        _RUN[path, source] = run_afresh(path, source)
    return _RUN[path, source]


def run_afresh(path: str, source: str) -> dict[str, Function]:
    """Run a bot's file and return its functions, as :func:`functions` does."""
    scope: dict[str, Any] = {"__name__": "bot", "__file__": path, "__source__": source}
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
            warnings.simplefilter("ignore")  # advice about somebody's code is not for the player
            tree = ast.parse(source, path)
            _refuse_imports(tree, path)
            exec(compile(tree, path, "exec", dont_inherit=True), scope)
    except RequestError:
        raise
    except BaseException as error:  # a file may raise SystemExit, and anything else
        if _is_signal(error, path):
            raise
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, path)
        message = error.msg if isinstance(error, SyntaxError) else _message(error)
        where = f"{path}, line {line}" if line else path
        raise RequestError(f"bots: got {where}: {type(error).__name__}: {message}; allowed: a file that runs") from None
    _refuse_kinds(scope, path)
    missing = [name for name in QUESTIONS if not inspect.isfunction(scope.get(name))]
    if missing:
        raise RequestError(
            f"bots: got {path} without {' and '.join(missing)}; allowed: a file with the functions "
            "take_upcard(view) and give_back(view)"
        )
    return {name: scope[name] for name in QUESTIONS}


def _refuse_kinds(scope: Mapping[str, Any], path: str) -> None:
    """Refuse what stands in the place of a function, but gives no answer as one does."""
    for name in QUESTIONS:
        found = scope.get(name)
        kinds: tuple[tuple[Callable[[Any], bool], str], ...] = (
            (inspect.iscoroutinefunction, "an async function"),
            (inspect.isasyncgenfunction, "an async function"),
            (inspect.isgeneratorfunction, "a generator"),
            (lambda one: inspect.isfunction(one) and one.__code__.co_name == "<lambda>", "a lambda"),
            (inspect.isclass, "a class"),
            (lambda one: not inspect.isfunction(one), f"a {type(found).__name__}"),
        )
        what = next((words for test, words in kinds if test(found)), "") if name in scope else ""
        if what:
            line = found.__code__.co_firstlineno if inspect.isfunction(found) else 0
            where = f"{path}, line {line}" if line else path
            raise RequestError(f"bots: got {what} as {name} in {where}; allowed: def {name}(view): …")


def _is_signal(error: BaseException, path: str) -> bool:
    """Whether this is Ctrl-C, rather than an error that the file raised by itself."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    # Python raises that of a signal between two instructions; the file's own has a raise in the line it comes from.
    step, last = error.__traceback__, None
    while step:
        last, step = step, step.tb_next
    if last is None or last.tb_frame.f_code.co_filename != path:
        return True
    return not any(
        instruction.opname == "RAISE_VARARGS"
        for instruction in dis.get_instructions(last.tb_frame.f_code)
        if instruction.offset == last.tb_lasti
    )


def _message(error: BaseException) -> str:
    """Return what an error says; even that may fail."""
    try:
        return shortened(str(error), 200, 40)
    except BaseException as failure:
        if isinstance(failure, KeyboardInterrupt):
            raise
        return "without words"


def _refuse_imports(tree: ast.AST, path: str) -> None:
    """Keep clocks, files and random numbers out: a bot that answers differently each time cannot be refereed."""
    for node in ast.walk(tree):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if name not in _MODULES:
                where = f"{path}, line {getattr(node, 'lineno', 0)}"
                raise RequestError(
                    f"bots: got import of {name} in {where}; allowed: math, as a bot must always answer alike"
                )


def _parameters(path: str, found: Mapping[str, Function]) -> dict[str, Number]:
    """Return the parameters of both functions and their defaults."""
    values: dict[str, Number] = {}
    for question, function in found.items():
        wanted = list(inspect.signature(function).parameters.values())
        plain = all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in wanted)
        if not wanted or not plain or wanted[0].default is not inspect.Parameter.empty:
            raise RequestError(
                f"bots: got {question}{inspect.signature(function)} in {path}; "
                f"allowed: {question}(view), and parameters such as margin=1 behind the view"
            )
        for parameter in wanted[1:]:
            name, value = parameter.name, parameter.default
            if type(value) not in (bool, int, float):
                raise RequestError(
                    f"bots: got {name} of {question} in {path} without a number; "
                    f"allowed: {name}=1, {name}=1.5 or {name}=True"
                )
            _read(f"bots: {name} of {path}", _written(value), type(value))
            if values.setdefault(name, value) != value or type(values[name]) is not type(value):
                raise RequestError(
                    f"bots: got {name}={_written(values[name])} and {name}={_written(value)} in {path}; "
                    "allowed: the same in both functions"
                )
    if len(values) > MOST_PARAMETERS:
        raise RequestError(f"bots: got {len(values)} parameters in {path}; allowed: at most {MOST_PARAMETERS}")
    return values


def _read(argument: str, value: str, kind: type) -> Number:
    if kind is int:
        return whole_number(argument, value, -_LARGEST, _LARGEST)
    if kind is bool:
        if value.lower() not in ("true", "false"):
            raise wrong(argument, value, "true or false")
        return value.lower() == "true"
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise wrong(argument, value, "a number")
    return number


def _written(value: Number) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line(error: BaseException, path: str) -> int:
    """Return the last line of the file that an error passed through; 0 for none."""
    line, step = 0, error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    return line
