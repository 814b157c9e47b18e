"""Which variables of a function may be used before they have a value."""

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
