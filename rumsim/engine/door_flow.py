"""Which variables of a function may be used before they have a value, and which may hold a truth value."""

from __future__ import annotations

import ast

from rumsim.engine.door_syntax import stored


class Flow:
    """Finds the variables that may be used before they have a value."""

    def __init__(self, names: set[str]) -> None:
        self.names, self.unsure = names, set[str]()

    def block(self, body: list[ast.stmt], sure: set[str]) -> set[str]:
        """Follow statements; return what surely has a value after them (all, if nothing comes after them)."""
        for node in body:
            sure = self.statement(node, sure)
        return sure

    def statement(self, node: ast.stmt, sure: set[str]) -> set[str]:
        """Follow one statement."""
        match node:
            case ast.If():
                self.used(node.test, sure)
                return self.block(node.body, sure) & self.block(node.orelse, sure)
            case ast.While():
                self.used(node.test, sure)
                self.block(node.body, sure)
                self.block(node.orelse, sure)
                return sure
            case ast.For():
                self.used(node.iter, sure)
                self.block(node.body, sure | stored([node.target]))
                self.block(node.orelse, sure)
                return sure
        self.used(node, sure)
        if isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return set(self.names)
        if isinstance(node, ast.Assign):
            return sure | stored(node.targets)
        if isinstance(node, ast.AnnAssign | ast.AugAssign) and getattr(node, "value", None) is not None:
            return sure | stored([node.target])
        return sure

    def used(self, node: ast.AST, sure: set[str]) -> None:
        """Note the variables that an expression uses before they surely have a value."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        self.unsure |= (names & self.names) - sure


_TRUTHS = ("bool", "any", "all", "isnan", "isinf", "isfinite")


def maybe_truth(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression may be True or False, which compiled become 1 and 0 beside whole numbers."""
    match node:
        case ast.Constant():
            return type(node.value) is bool
        case ast.Name():
            return node.id in names
        case ast.Compare() | ast.UnaryOp(ast.Not()):
            return True
        case ast.BoolOp():
            return any(maybe_truth(one, names) for one in node.values)
        case ast.IfExp():
            return maybe_truth(node.body, names) or maybe_truth(node.orelse, names)
        case ast.BinOp(left, ast.BitAnd() | ast.BitOr() | ast.BitXor(), right):
            return maybe_truth(left, names) and maybe_truth(right, names)
        case ast.Call(ast.Name("min" | "max")):
            return any(maybe_truth(one, names) for one in node.args)
        case ast.Call(ast.Name(called) | ast.Attribute(_, called)):
            return called in _TRUTHS
    return False


def truths(definition: ast.FunctionDef) -> set[str]:
    """Return the variables of a function that may be True or False somewhere."""
    given = [*definition.args.posonlyargs, *definition.args.args]
    names = {
        one.arg
        for one, default in zip(reversed(given), reversed(definition.args.defaults), strict=False)
        if maybe_truth(default, set())
    }
    assigned = [
        (target, node.value) for node in ast.walk(definition) if isinstance(node, ast.Assign) for target in node.targets
    ]
    while True:
        more = {
            one.id
            for target, value in assigned
            for one, held in _paired(target, value)
            if isinstance(one, ast.Name) and maybe_truth(held, names)
        }
        if more <= names:
            return names
        names |= more


def _paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]
