"""Pieces of syntax of which the source of compiled bots is made anew, and what it is refused for."""

from __future__ import annotations

import ast
from typing import Any

PREFIX = "_rumsim_"


class Refused(ValueError):
    """Something that is not compiled; ``line`` says where it stands."""

    def __init__(self, node: ast.AST, why: str) -> None:
        super().__init__(why)
        self.line: int = getattr(node, "lineno", 0)


def stored(nodes: Any) -> set[str]:
    """Return the variables that statements or targets assign; those of comprehensions are no variables."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        found |= stored(ast.iter_child_nodes(node))
    return found


def flag(name: str) -> str:
    """Return the variable that says whether another has a value."""
    return f"{PREFIX}has_{name}"


def at(old: ast.AST, made: Any) -> Any:
    """Put what was made at the place of what it stands for."""
    return ast.copy_location(made, old)


def call(old: ast.AST, name: str, *given: Any) -> Any:
    """Call a checked operation."""
    function = at(old, ast.Name(PREFIX + name, ast.Load()))
    return at(old, ast.Call(function, list(given), []))


def assign(old: ast.AST, name: str, value: Any) -> Any:
    """Assign to a variable."""
    return at(old, ast.Assign([ast.Name(name, ast.Store())], value))


_WORDS = {
    ast.FunctionDef: "a function within a function", ast.AsyncFunctionDef: "async", ast.ClassDef: "a class",
    ast.Lambda: "a lambda", ast.Dict: "a dictionary", ast.Set: "a set", ast.DictComp: "a dictionary",
    ast.SetComp: "a set", ast.GeneratorExp: "a generator", ast.JoinedStr: "a text", ast.NamedExpr: "a :=",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Try: "try", ast.With: "with", ast.Match: "match",
    ast.Import: "an import", ast.ImportFrom: "an import", ast.Delete: "del", ast.Yield: "yield", ast.Starred: "a *",
    ast.YieldFrom: "yield", ast.Await: "await", ast.MatMult: "@",
}  # fmt: skip


def in_words(node: ast.AST) -> str:
    """Name a piece of syntax as a Python programmer knows it."""
    if isinstance(node, ast.Constant):
        return {str: "a text", bytes: "bytes", complex: "a complex number"}.get(type(node.value), "this constant")
    return _WORDS.get(type(node), type(node).__name__)
