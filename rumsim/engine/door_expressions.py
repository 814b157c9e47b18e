"""Expressions of a bot, with a checked operation in the place of each of Python's."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from rumsim.engine.door_flow import Flow
from rumsim.engine.door_syntax import PREFIX, Refused, at, call, flag, in_words, stored

_BINARY = {
    **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod"},
    **{ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"},
}
_UNARY = {ast.Invert: "invert", ast.USub: "neg", ast.UAdd: "pos"}
_COMPARED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_BUILT_IN = {"abs": 1, "sum": 1, "any": 1, "all": 1, "sorted": 1, "len": 1, "int": 1, "float": 1, "bool": 1, "round": 1}
_LOOPS = {"range": (1, 3), "enumerate": (1, 1), "zip": (1, 4)}
_METHODS = {"append": 1, "pop": 0, "clear": 0, "reverse": 0}  # of lists
_MATH = {
    **dict.fromkeys(("sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos"), 1),
    **dict.fromkeys(("atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "fabs", "floor", "ceil", "trunc"), 1),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), 1),
    **dict.fromkeys(("pow", "fmod", "gcd"), 2),
}
_ASKED = ("deadwood", "points", "best_discard", "best_discard_with_upcard", "best_discard_of", "cards")
_SHOWN = (
    *("players", "player", "seat", "hand", "upcard", "drawn", "taken", "stock", "pile", "own_turn", "table_turn"),
    *("knock_limit", "turns", "seen", "card", "discard"),
)


class Expressions:
    """Rewrites the expressions of one function."""

    def __init__(self, definition: ast.FunctionDef, scope: Mapping[str, Any]) -> None:
        self.definition, self.scope = definition, scope
        self.used: dict[str, Any] = {}  # globals, by name
        arguments = definition.args
        if definition.decorator_list:
            raise Refused(definition, "a decorator")
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise Refused(definition, "arguments with * or **")
        self.given = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        for node in ast.walk(definition):
            if isinstance(node, ast.Name | ast.arg):
                name = node.id if isinstance(node, ast.Name) else node.arg
                if name.startswith(PREFIX):
                    raise Refused(node, f"the name {name}")
        self.locals = {*self.given, *stored(definition.body)}
        self.bound: list[set[str]] = []  # variables of comprehensions
        flow = Flow(self.locals)
        flow.block(definition.body, set(self.given))
        self.unsure = flow.unsure

    def value(self, node: ast.expr) -> Any:
        """Write an expression."""
        match node:
            case ast.Constant():
                return self.constant(node)
            case ast.Name():
                return self.name(node)
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(ast.Not()):
                return at(node, ast.UnaryOp(ast.Not(), self.test(node.operand)))
            case ast.UnaryOp():
                if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
                    held: Any = self.constant(node.operand).value
                    if type(held) in (int, float):
                        return at(node, ast.Constant(-held))
                return call(node, _UNARY[type(node.op)], self.value(node.operand))
            case ast.BoolOp():
                return at(node, ast.BoolOp(node.op, [self.operand(one) for one in node.values]))
            case ast.Compare():
                return self.compared(node)
            case ast.IfExp():
                parts = self.test(node.test), self.value(node.body), self.value(node.orelse)
                return at(node, ast.IfExp(*parts))
            case ast.Call():
                return self.called(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return at(node, ast.Subscript(self.value(node.value), self.place(node.slice), ast.Load()))
            case ast.Tuple():
                return at(node, ast.Tuple([self.value(one) for one in node.elts], ast.Load()))
            case ast.List():
                return at(node, ast.List([self.value(one) for one in node.elts], ast.Load()))
            case ast.ListComp():
                return self.comprehension(node)
        raise Refused(node, in_words(node))

    def constant(self, node: ast.Constant) -> ast.Constant:
        """Let numbers and None pass that compiled numbers can hold."""
        kind = type(node.value)
        if node.value is not None and kind not in (bool, int, float):
            raise Refused(node, in_words(node))
        if kind is int and node.value >= 1 << 63:  # type: ignore[operator]
            raise Refused(node, "a number of 2^63 or more")
        return node

    def name(self, node: ast.Name) -> Any:
        """Write a variable, or a constant of the file."""
        if any(node.id in names for names in self.bound):
            return node
        if node.id in self.locals:
            return call(node, "got", ast.Name(flag(node.id), ast.Load()), node) if node.id in self.unsure else node
        if node.id not in self.scope:
            raise Refused(node, f"the name {node.id}")
        value = self.scope[node.id]
        if not _constant(value):
            raise Refused(node, f"{node.id}, which is neither a number nor a tuple of numbers of the file,")
        self.used[node.id] = value
        return node

    def binary(self, node: ast.BinOp) -> Any:
        """Write an operation on two numbers."""
        left, right = self.value(node.left), self.value(node.right)
        if not isinstance(node.op, ast.Pow):
            if type(node.op) not in _BINARY:
                raise Refused(node, in_words(node))
            return call(node, _BINARY[type(node.op)], left, right)
        return self.power(node, left, right)

    def power(self, node: ast.expr, left: Any, right: Any) -> Any:
        """Write a power: where the exponent may well be negative, the answer is a float."""
        minus = any(isinstance(one, ast.Constant) and type(one.value) is int and one.value < 0 for one in [right])
        for one in ast.walk(right):
            minus |= isinstance(one, ast.Name) and one.id in (f"{PREFIX}sub", f"{PREFIX}neg")
        return call(node, "real_pow" if minus else "pow", left, right)

    def compared(self, node: ast.Compare) -> Any:
        """Write comparisons, each followed by the next only if it holds."""
        parts: list[Any] = []
        left = node.left
        for number, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            again = number + 1 < len(node.ops)
            if again and any(isinstance(one, ast.Call | ast.ListComp | ast.GeneratorExp) for one in ast.walk(right)):
                raise Refused(right, "a call in the middle of a chain of comparisons")
            if isinstance(op, ast.Is | ast.IsNot):
                if not (isinstance(right, ast.Constant) and right.value is None):
                    raise Refused(node, "is, except for None,")
                parts.append(at(node, ast.Compare(self.value(left), [op], [right])))
            elif isinstance(op, ast.In | ast.NotIn):
                found = call(node, "contains", self.value(right), self.value(left))
                parts.append(found if isinstance(op, ast.In) else at(node, ast.UnaryOp(ast.Not(), found)))
            else:
                parts.append(call(node, _COMPARED[type(op)], self.value(left), self.value(right)))
            left = right
        return parts[0] if len(parts) == 1 else at(node, ast.BoolOp(ast.And(), parts))

    def test(self, node: ast.expr) -> Any:
        """Write what is only asked whether it is true."""
        if isinstance(node, ast.BoolOp):
            return at(node, ast.BoolOp(node.op, [self.test(one) for one in node.values]))
        made = self.value(node)
        return made if _is_truth(node) else call(node, "truth", made)

    def operand(self, node: ast.expr) -> Any:
        """Write a part of an expression with and, or: a number."""
        made = self.value(node)
        return made if _is_truth(node) or isinstance(node, ast.BoolOp) else call(node, "scalar", made)

    def place(self, node: ast.expr) -> Any:
        """Write what stands in brackets."""
        if isinstance(node, ast.Slice):
            parts = [None if part is None else self.place(part) for part in (node.lower, node.upper, node.step)]
            return at(node, ast.Slice(*parts))
        made = self.value(node)
        held: Any = made.value if isinstance(made, ast.Constant) else None
        if type(held) in (bool, int):
            return at(node, ast.Constant(int(held)))
        return call(node, "index", made)

    def attribute(self, node: ast.Attribute) -> Any:
        """Write what the view or a turn shows, or a constant of math."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.locals:
            found = self.scope.get(node.value.id)
            if found is math and type(getattr(math, node.attr, None)) is float:
                return (
                    at(node, ast.Constant(getattr(math, node.attr)))
                    if node.attr in ("pi", "e", "tau")
                    else (at(node, ast.Attribute(self.module(node.value), node.attr, ast.Load())))
                )
        if node.attr not in _SHOWN:
            raise Refused(node, f"{node.attr!r}, which neither the view nor a turn has,")
        return at(node, ast.Attribute(self.value(node.value), node.attr, ast.Load()))

    def module(self, node: ast.Name) -> ast.Name:
        """Write math, and note that it is used."""
        self.used[node.id] = math
        return node

    def called(self, node: ast.Call) -> Any:
        """Write a call."""
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            raise Refused(node, "a call with * or **")
        match node.func:
            case ast.Attribute(ast.Name() as owner) if owner.id not in self.locals:
                if isinstance(self.scope.get(owner.id), ModuleType):
                    return self.built_in(node, getattr(self.scope[owner.id], node.func.attr, None))
            case ast.Name() as callee if callee.id not in self.locals and not any(callee.id in b for b in self.bound):
                found = self.scope.get(callee.id, _builtins().get(callee.id))
                if isinstance(found, FunctionType) and found.__globals__ is self.scope:
                    self.used[callee.id] = found
                    words = [ast.keyword(one.arg, self.value(one.value)) for one in node.keywords]
                    return at(node, ast.Call(callee, [self.value(one) for one in node.args], words))
                return self.built_in(node, found)
            case ast.Attribute() as method if not node.keywords:
                few = _METHODS.get(method.attr)
                if method.attr in _ASKED or (few is not None and len(node.args) == few):
                    owner_ = self.value(method.value)
                    called = at(method, ast.Attribute(owner_, method.attr, ast.Load()))
                    made = [self.value(one) for one in node.args]
                    if method.attr in _ASKED:  # with whole numbers
                        made = [call(node, "index", one) for one in made]
                    return at(node, ast.Call(called, made, []))
                raise Refused(node, f"a call of {method.attr!r}, which the view does not offer,")
        raise Refused(node, "a call of this kind")

    def built_in(self, node: ast.Call, found: Any) -> Any:
        """Write the call of a function of Python's own."""
        name = getattr(found, "__name__", "")
        if node.keywords:
            raise Refused(node, f"a keyword for {name or 'this function'}")
        own = isinstance(found, BuiltinFunctionType | type)
        if own and getattr(math, name, None) is found and _MATH.get(name) == len(node.args):
            return call(node, f"math_{name}", *[self.value(one) for one in node.args])
        if own and found is math.log and len(node.args) == 2:
            parts = [call(node, "math_log", self.value(one)) for one in node.args]
            return call(node, "truediv", *parts)
        if own and _builtins().get(name) is found:
            if name in _LOOPS and _LOOPS[name][0] <= len(node.args) <= _LOOPS[name][1]:
                made = [
                    call(node, "bound", self.value(one)) if name == "range" else self.value(one) for one in node.args
                ]
                return at(node, ast.Call(ast.Name(name, ast.Load()), made, []))
            if name in ("min", "max") and len(node.args) > 1:
                first, *others = (self.value(one) for one in node.args)
                for other in others:
                    first = call(node, name, first, other)
                return first
            if name in ("min", "max") and node.args:
                return call(node, f"{name}_of", self.listed(node.args[0]))
            if _BUILT_IN.get(name) == len(node.args):
                return call(node, name, self.listed(node.args[0]))
            if name in ("divmod", "pow") and len(node.args) == 2:
                left, right = (self.value(one) for one in node.args)
                return call(node, name, left, right) if name == "divmod" else self.power(node, left, right)
        words = ast.unparse(node.func)
        raise Refused(node, f"a call of {words if len(words) < 40 else 'this kind'} with {len(node.args)} arguments")

    def listed(self, node: ast.expr) -> Any:
        """Write what a function goes through; a generator becomes a list."""
        if isinstance(node, ast.GeneratorExp):
            return self.comprehension(at(node, ast.ListComp(node.elt, node.generators)))
        return self.value(node)

    def target(self, node: ast.expr) -> Any:
        """Write what is assigned to."""
        match node:
            case ast.Name():
                return node
            case ast.Tuple():
                return at(node, ast.Tuple([self.target(one) for one in node.elts], ast.Store()))
            case ast.Subscript() if not isinstance(node.slice, ast.Slice):
                return at(node, ast.Subscript(self.value(node.value), self.place(node.slice), ast.Store()))
        raise Refused(node, "an assignment to something other than a variable or a place in a list")

    def comprehension(self, node: ast.ListComp) -> Any:
        """Write a list made in a loop."""
        if len(node.generators) > 1 or node.generators[0].is_async:
            raise Refused(node, "a comprehension with several loops")
        loop = node.generators[0]
        source = self.value(loop.iter)
        self.bound.append(stored([loop.target]))
        made = ast.comprehension(self.target(loop.target), source, [self.test(one) for one in loop.ifs], 0)
        element = self.value(node.elt)
        self.bound.pop()
        return at(node, ast.ListComp(element, [made]))


def _constant(value: Any) -> bool:
    if type(value) is tuple:
        return all(_constant(one) for one in value)
    return type(value) in (bool, float) or (type(value) is int and -(1 << 63) <= value < 1 << 63)


def _is_truth(node: ast.expr) -> bool:
    not_ = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return not_ or isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and type(node.value) is bool)


def _builtins() -> dict[str, Any]:
    import builtins

    return vars(builtins)
