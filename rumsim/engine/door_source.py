"""The source of a bot as it is compiled: every operation is a checked one, and what is none of these is refused.

Plain Python; no number is computed here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from rumsim.engine.door_statements import Statements
from rumsim.engine.door_syntax import PREFIX, Refused

__all__ = ["Refused", "checked"]


def checked(
    entry: FunctionType, operations: Mapping[str, Callable[..., Any]], wrapped: Callable[[Any], Any]
) -> tuple[Any, dict[str, Any]]:
    """Rewrite a function and those that it calls with checked operations.

    Parameters
    ----------
    entry : function
        ``take_upcard`` or ``give_back``; the source of its file is the global ``__source__``.
    operations : mapping
        The checked operations, by name.
    wrapped : callable
        What is done to every function, such as to compile it.

    Returns
    -------
    function, dict
        The function, wrapped, and the globals that all of them have.

    Raises
    ------
    Refused
        If there is something in one of them that is not compiled.
    """
    tree = ast.parse(entry.__globals__["__source__"])
    definitions: dict[int, ast.FunctionDef] = {}
    _collect(tree.body, definitions)
    scope: dict[str, Any] = {"__name__": "bot", "__builtins__": __builtins__}
    scope |= {PREFIX + name: operation for name, operation in operations.items()}
    made: dict[FunctionType, Any] = {}
    open_: list[FunctionType] = []

    def make(function: FunctionType) -> Any:
        if function in made:
            return made[function]
        definition = definitions.get(function.__code__.co_firstlineno)
        if definition is None or function.__closure__ or definition.name != function.__code__.co_name:
            where = ast.Pass(lineno=function.__code__.co_firstlineno, col_offset=0)
            raise Refused(where, f"{function.__name__} is not a function written with def, on its own")
        if function in open_:
            raise Refused(definition, f"{function.__name__} calls itself")
        open_.append(function)
        rewriter = Statements(definition, function.__globals__)
        body = rewriter.rewritten()
        for name, value in rewriter.used.items():
            scope[name] = make(value) if isinstance(value, FunctionType) else value
        open_.pop()
        made[function] = wrapped(_compiled(body, function, scope))
        return made[function]

    return make(entry), scope


def _collect(body: list[ast.stmt], found: dict[int, ast.FunctionDef]) -> None:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found[node.lineno] = node
        elif not isinstance(node, ast.ClassDef | ast.AsyncFunctionDef):
            for name in ("body", "orelse", "finalbody"):
                _collect(getattr(node, name, []), found)


def _compiled(definition: ast.FunctionDef, function: FunctionType, scope: dict[str, Any]) -> FunctionType:
    module = ast.Module([definition], [])
    made: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(module), function.__code__.co_filename, "exec", dont_inherit=True), made)
    return FunctionType(made[definition.name].__code__, scope, function.__name__, function.__defaults__)
