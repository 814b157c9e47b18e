"""Statements of a bot, with checked operations."""

from __future__ import annotations

import ast

from rumsim.engine.door_expressions import Expressions
from rumsim.engine.door_flow import maybe_truth, truths
from rumsim.engine.door_syntax import PREFIX, Refused, assign, at, call, flag, in_words, stored


class Statements(Expressions):
    """Rewrites one function."""

    def rewritten(self) -> ast.FunctionDef:
        """Return the function anew."""
        old = self.definition
        flags: list[ast.stmt] = [assign(old, flag(name), ast.Constant(False)) for name in sorted(self.unsure)]
        arguments = ast.arguments([], [ast.arg(name) for name in self.given], None, [], [], None, [])
        made = ast.FunctionDef(old.name, arguments, [*flags, *self.block(old.body)], [], None)
        if hasattr(old, "type_params"):
            made.type_params = []  # type: ignore[attr-defined,unused-ignore]
        return ast.copy_location(made, old)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Write statements; at least one, where there was one."""
        made = [one for node in body for one in self.statement(node)]
        return made or [ast.copy_location(ast.Pass(), body[0])] if body else []

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Write one statement."""
        match node:
            case ast.Expr(ast.Constant()):
                return []
            case ast.Expr(ast.Call()):
                return [at(node, ast.Expr(self.value(node.value)))]
            case ast.Expr():
                return [assign(node, f"{PREFIX}_", self.value(node.value))]
            case ast.Return():
                if node.value is None:
                    raise Refused(node, "a return without an answer")
                self.checked_card(node.value)
                return [at(node, ast.Return(self.value(node.value)))]
            case ast.Assign():
                made: ast.stmt = at(node, ast.Assign([self.target(t) for t in node.targets], self.value(node.value)))
                return [made, *self.noted(*node.targets)]
            case ast.AnnAssign():
                if node.value is None:
                    return []
                made = at(node, ast.Assign([self.target(node.target)], self.value(node.value)))
                return [made, *self.noted(node.target)]
            case ast.AugAssign():
                return [self.augmented(node), *self.noted(node.target)]
            case ast.If():
                return [at(node, ast.If(self.test(node.test), self.block(node.body), self.block(node.orelse)))]
            case ast.While():
                return [at(node, ast.While(self.test(node.test), self.block(node.body), self.block(node.orelse)))]
            case ast.For():
                body = [*self.noted(node.target), *self.block(node.body)]
                target, source = self.target(node.target), self.value(node.iter)
                return [at(node, ast.For(target, source, body, self.block(node.orelse)))]
            case ast.Assert():
                return [at(node, ast.Assert(self.test(node.test)))]
            case ast.Raise():
                raised = at(node, ast.Call(ast.Name("ValueError", ast.Load()), [], []))
                return [at(node, ast.Raise(raised))]
            case ast.Pass() | ast.Break() | ast.Continue():
                return [node]
        raise Refused(node, f"{in_words(node)} in a function")

    def checked_card(self, answer: ast.expr) -> None:
        """Refuse a truth value as the card that is given back, as the referee does."""
        pair = isinstance(answer, ast.Tuple) and self.definition.name == "give_back" and answer.elts
        if pair and maybe_truth(pair[0], truths(self.definition)):
            raise Refused(answer, "True or False as a card")

    def noted(self, *targets: ast.expr) -> list[ast.stmt]:
        """Note that variables have values now."""
        names = sorted(stored(targets) & self.unsure)
        return [assign(targets[0], flag(name), ast.Constant(True)) for name in names]

    def augmented(self, node: ast.AugAssign) -> ast.stmt:
        """Write a change in place."""
        if isinstance(node.target, ast.Subscript):
            if any(isinstance(one, ast.Call) for one in ast.walk(node.target)):
                raise Refused(node, "a call in a place that is changed")
            held: ast.expr = ast.Subscript(node.target.value, node.target.slice, ast.Load())
        elif isinstance(node.target, ast.Name):
            held = ast.Name(node.target.id, ast.Load())
        else:
            raise Refused(node, "a change of something other than a variable or a place in a list")
        found = self.value(at(node, ast.BinOp(at(node, held), node.op, node.value)))
        if isinstance(node.op, ast.Add | ast.Mult) and isinstance(found, ast.Call):
            found = call(node, "iadd" if isinstance(node.op, ast.Add) else "imul", *found.args)
        made: ast.stmt = at(node, ast.Assign([self.target(node.target)], found))
        return made
