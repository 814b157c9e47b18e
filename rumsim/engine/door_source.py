"""The source of a bot as it is compiled: every operation is a checked one, and what is none of these is refused.

Plain Python; no number is computed here.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

PREFIX = "_rumsim_"
_BINARY = {
    **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod"},
    **{ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"},
}
_UNARY = {ast.Invert: "invert", ast.USub: "neg", ast.UAdd: "pos"}
_COMPARED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_BUILT_IN = {"abs": 1, "sum": 1, "any": 1, "all": 1, "sorted": 1, "len": 1, "int": 1, "float": 1, "bool": 1, "round": 1}
_LOOPS = {"range": (1, 3), "enumerate": (1, 1), "zip": (1, 4), "reversed": (1, 1)}
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


class Refused(ValueError):
    """Something that is not compiled; ``line`` says where it stands."""

    def __init__(self, node: ast.AST, why: str) -> None:
        super().__init__(why)
        self.line: int = getattr(node, "lineno", 0)


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
        rewriter = _Rewriter(definition, function.__globals__)
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


class _Rewriter:
    """Rewrites one function."""

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
        self.locals = {*self.given, *_stored(definition.body)}
        self.bound: list[set[str]] = []  # variables of comprehensions
        flow = _Flow(self.locals)
        flow.block(definition.body, set(self.given))
        self.unsure = flow.unsure

    def rewritten(self) -> ast.FunctionDef:
        """Return the function anew."""
        old = self.definition
        flags: list[ast.stmt] = [_assign(old, _flag(name), ast.Constant(False)) for name in sorted(self.unsure)]
        arguments = ast.arguments([], [ast.arg(name) for name in self.given], None, [], [], None, [])
        made = ast.FunctionDef(old.name, arguments, [*flags, *self.block(old.body)], [], None)
        if hasattr(old, "type_params"):
            made.type_params = []  # type: ignore[attr-defined,unused-ignore]
        return ast.copy_location(made, old)

    # ---- statements ----

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made = [one for node in body for one in self.statement(node)]
        return made or [ast.copy_location(ast.Pass(), body[0])] if body else []

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Expr(ast.Constant()):
                return []
            case ast.Expr(ast.Call()):
                return [_at(node, ast.Expr(self.value(node.value)))]
            case ast.Expr():
                return [_assign(node, f"{PREFIX}_", self.value(node.value))]
            case ast.Return():
                if node.value is None:
                    raise Refused(node, "a return without an answer")
                return [_at(node, ast.Return(self.value(node.value)))]
            case ast.Assign():
                made: ast.stmt = _at(node, ast.Assign([self.target(t) for t in node.targets], self.value(node.value)))
                return [made, *self.noted(*node.targets)]
            case ast.AnnAssign():
                if node.value is None:
                    return []
                made = _at(node, ast.Assign([self.target(node.target)], self.value(node.value)))
                return [made, *self.noted(node.target)]
            case ast.AugAssign():
                return [self.augmented(node), *self.noted(node.target)]
            case ast.If():
                return [_at(node, ast.If(self.test(node.test), self.block(node.body), self.block(node.orelse)))]
            case ast.While():
                return [_at(node, ast.While(self.test(node.test), self.block(node.body), self.block(node.orelse)))]
            case ast.For():
                body = [*self.noted(node.target), *self.block(node.body)]
                target, source = self.target(node.target), self.value(node.iter)
                return [_at(node, ast.For(target, source, body, self.block(node.orelse)))]
            case ast.Assert():
                return [_at(node, ast.Assert(self.test(node.test)))]
            case ast.Raise():
                raised = _at(node, ast.Call(ast.Name("ValueError", ast.Load()), [], []))
                return [_at(node, ast.Raise(raised))]
            case ast.Pass() | ast.Break() | ast.Continue():
                return [node]
        raise Refused(node, f"{_words(node)} in a function")

    def noted(self, *targets: ast.expr) -> list[ast.stmt]:
        """Note that variables have values now."""
        names = sorted(_stored(targets) & self.unsure)
        return [_assign(targets[0], _flag(name), ast.Constant(True)) for name in names]

    def target(self, node: ast.expr) -> Any:
        match node:
            case ast.Name():
                return node
            case ast.Tuple():
                return _at(node, ast.Tuple([self.target(one) for one in node.elts], ast.Store()))
            case ast.Subscript() if not isinstance(node.slice, ast.Slice):
                return _at(node, ast.Subscript(self.value(node.value), self.place(node.slice), ast.Store()))
        raise Refused(node, "an assignment to something other than a variable or a place in a list")

    def augmented(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.target, ast.Subscript):
            if any(isinstance(one, ast.Call) for one in ast.walk(node.target)):
                raise Refused(node, "a call in a place that is changed")
            held: ast.expr = ast.Subscript(node.target.value, node.target.slice, ast.Load())
        elif isinstance(node.target, ast.Name):
            held = ast.Name(node.target.id, ast.Load())
        else:
            raise Refused(node, "a change of something other than a variable or a place in a list")
        found = self.value(_at(node, ast.BinOp(_at(node, held), node.op, node.value)))
        if isinstance(node.op, ast.Add | ast.Mult) and isinstance(found, ast.Call):
            found = _call(node, "iadd" if isinstance(node.op, ast.Add) else "imul", *found.args)
        made: ast.stmt = _at(node, ast.Assign([self.target(node.target)], found))
        return made

    # ---- expressions ----

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return self.constant(node)
            case ast.Name():
                return self.name(node)
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(ast.Not()):
                return _at(node, ast.UnaryOp(ast.Not(), self.test(node.operand)))
            case ast.UnaryOp():
                if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
                    held: Any = self.constant(node.operand).value
                    if type(held) in (int, float):
                        return _at(node, ast.Constant(-held))
                return _call(node, _UNARY[type(node.op)], self.value(node.operand))
            case ast.BoolOp():
                return _at(node, ast.BoolOp(node.op, [self.operand(one) for one in node.values]))
            case ast.Compare():
                return self.compared(node)
            case ast.IfExp():
                parts = self.test(node.test), self.value(node.body), self.value(node.orelse)
                return _at(node, ast.IfExp(*parts))
            case ast.Call():
                return self.called(node)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return _at(node, ast.Subscript(self.value(node.value), self.place(node.slice), ast.Load()))
            case ast.Tuple():
                return _at(node, ast.Tuple([self.value(one) for one in node.elts], ast.Load()))
            case ast.List():
                return _at(node, ast.List([self.value(one) for one in node.elts], ast.Load()))
            case ast.ListComp():
                return self.comprehension(node)
        raise Refused(node, _words(node))

    def constant(self, node: ast.Constant) -> ast.Constant:
        kind = type(node.value)
        if node.value is not None and kind not in (bool, int, float):
            raise Refused(node, _words(node))
        if kind is int and node.value >= 1 << 63:  # type: ignore[operator]
            raise Refused(node, "a number of 2^63 or more")
        return node

    def name(self, node: ast.Name) -> Any:
        if any(node.id in names for names in self.bound):
            return node
        if node.id in self.locals:
            return _call(node, "got", ast.Name(_flag(node.id), ast.Load()), node) if node.id in self.unsure else node
        if node.id not in self.scope:
            raise Refused(node, f"the name {node.id}")
        value = self.scope[node.id]
        if not _constant(value):
            raise Refused(node, f"{node.id}, which is neither a number nor a tuple of numbers of the file,")
        self.used[node.id] = value
        return node

    def binary(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if not isinstance(node.op, ast.Pow):
            if type(node.op) not in _BINARY:
                raise Refused(node, _words(node))
            return _call(node, _BINARY[type(node.op)], left, right)
        return self.power(node, left, right)

    def power(self, node: ast.expr, left: Any, right: Any) -> Any:
        """Write a power: where the exponent may well be negative, the answer is a float."""
        minus = any(isinstance(one, ast.Constant) and type(one.value) is int and one.value < 0 for one in [right])
        for one in ast.walk(right):
            minus |= isinstance(one, ast.Name) and one.id in (f"{PREFIX}sub", f"{PREFIX}neg")
        return _call(node, "real_pow" if minus else "pow", left, right)

    def compared(self, node: ast.Compare) -> Any:
        parts: list[Any] = []
        left = node.left
        for number, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            again = number + 1 < len(node.ops)
            if again and any(isinstance(one, ast.Call | ast.ListComp | ast.GeneratorExp) for one in ast.walk(right)):
                raise Refused(right, "a call in the middle of a chain of comparisons")
            if isinstance(op, ast.Is | ast.IsNot):
                if not (isinstance(right, ast.Constant) and right.value is None):
                    raise Refused(node, "is, except for None,")
                parts.append(_at(node, ast.Compare(self.value(left), [op], [right])))
            elif isinstance(op, ast.In | ast.NotIn):
                found = _call(node, "contains", self.value(right), self.value(left))
                parts.append(found if isinstance(op, ast.In) else _at(node, ast.UnaryOp(ast.Not(), found)))
            else:
                parts.append(_call(node, _COMPARED[type(op)], self.value(left), self.value(right)))
            left = right
        return parts[0] if len(parts) == 1 else _at(node, ast.BoolOp(ast.And(), parts))

    def test(self, node: ast.expr) -> Any:
        """Write what is only asked whether it is true."""
        if isinstance(node, ast.BoolOp):
            return _at(node, ast.BoolOp(node.op, [self.test(one) for one in node.values]))
        made = self.value(node)
        return made if _is_truth(node) else _call(node, "truth", made)

    def operand(self, node: ast.expr) -> Any:
        made = self.value(node)
        return made if _is_truth(node) or isinstance(node, ast.BoolOp) else _call(node, "scalar", made)

    def place(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Slice):
            parts = [None if part is None else self.place(part) for part in (node.lower, node.upper, node.step)]
            return _at(node, ast.Slice(*parts))
        made = self.value(node)
        held: Any = made.value if isinstance(made, ast.Constant) else None
        if type(held) in (bool, int):
            return _at(node, ast.Constant(int(held)))
        return _call(node, "index", made)

    def attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id not in self.locals:
            found = self.scope.get(node.value.id)
            if found is math and type(getattr(math, node.attr, None)) is float:
                return (
                    _at(node, ast.Constant(getattr(math, node.attr)))
                    if node.attr in ("pi", "e", "tau")
                    else (_at(node, ast.Attribute(self.module(node.value), node.attr, ast.Load())))
                )
        if node.attr not in _SHOWN:
            raise Refused(node, f"{node.attr!r}, which neither the view nor a turn has,")
        return _at(node, ast.Attribute(self.value(node.value), node.attr, ast.Load()))

    def module(self, node: ast.Name) -> ast.Name:
        self.used[node.id] = math
        return node

    def called(self, node: ast.Call) -> Any:
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
                    return _at(node, ast.Call(callee, [self.value(one) for one in node.args], words))
                return self.built_in(node, found)
            case ast.Attribute() as method if not node.keywords:
                few = _METHODS.get(method.attr)
                if method.attr in _ASKED or (few is not None and len(node.args) == few):
                    owner_ = self.value(method.value)
                    called = _at(method, ast.Attribute(owner_, method.attr, ast.Load()))
                    return _at(node, ast.Call(called, [self.value(one) for one in node.args], []))
                raise Refused(node, f"a call of {method.attr!r}, which the view does not offer,")
        raise Refused(node, "a call of this kind")

    def built_in(self, node: ast.Call, found: Any) -> Any:
        """Write the call of a function of Python's own."""
        name = getattr(found, "__name__", "")
        if node.keywords:
            raise Refused(node, f"a keyword for {name or 'this function'}")
        own = isinstance(found, BuiltinFunctionType | type)
        if own and getattr(math, name, None) is found and _MATH.get(name) == len(node.args):
            return _call(node, f"math_{name}", *[self.value(one) for one in node.args])
        if own and found is math.log and len(node.args) == 2:
            parts = [_call(node, "math_log", self.value(one)) for one in node.args]
            return _call(node, "truediv", *parts)
        if own and _builtins().get(name) is found:
            if name in _LOOPS and _LOOPS[name][0] <= len(node.args) <= _LOOPS[name][1]:
                made = [
                    _call(node, "index", self.value(one)) if name == "range" else self.value(one) for one in node.args
                ]
                return _at(node, ast.Call(ast.Name(name, ast.Load()), made, []))
            if name in ("min", "max") and len(node.args) > 1:
                first, *others = (self.value(one) for one in node.args)
                for other in others:
                    first = _call(node, name, first, other)
                return first
            if name in ("min", "max") and node.args:
                return _call(node, f"{name}_of", self.listed(node.args[0]))
            if _BUILT_IN.get(name) == len(node.args):
                return _call(node, name, self.listed(node.args[0]))
            if name in ("divmod", "pow") and len(node.args) == 2:
                left, right = (self.value(one) for one in node.args)
                return _call(node, name, left, right) if name == "divmod" else self.power(node, left, right)
        words = ast.unparse(node.func)
        raise Refused(node, f"a call of {words if len(words) < 40 else 'this kind'} with {len(node.args)} arguments")

    def listed(self, node: ast.expr) -> Any:
        if isinstance(node, ast.GeneratorExp):
            return self.comprehension(_at(node, ast.ListComp(node.elt, node.generators)))
        return self.value(node)

    def comprehension(self, node: ast.ListComp) -> Any:
        if len(node.generators) > 1 or node.generators[0].is_async:
            raise Refused(node, "a comprehension with several loops")
        loop = node.generators[0]
        source = self.value(loop.iter)
        self.bound.append(_stored([loop.target]))
        made = ast.comprehension(self.target(loop.target), source, [self.test(one) for one in loop.ifs], 0)
        element = self.value(node.elt)
        self.bound.pop()
        return _at(node, ast.ListComp(element, [made]))


class _Flow:
    """Finds the variables that may be used before they have a value."""

    def __init__(self, names: set[str]) -> None:
        self.names, self.unsure = names, set[str]()

    def block(self, body: list[ast.stmt], sure: set[str]) -> set[str]:
        """Follow statements; return what surely has a value after them (all, if nothing comes after them)."""
        for node in body:
            sure = self.statement(node, sure)
        return sure

    def statement(self, node: ast.stmt, sure: set[str]) -> set[str]:
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
                self.block(node.body, sure | _stored([node.target]))
                self.block(node.orelse, sure)
                return sure
        self.used(node, sure)
        if isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return set(self.names)
        if isinstance(node, ast.Assign):
            return sure | _stored(node.targets)
        if isinstance(node, ast.AnnAssign | ast.AugAssign) and getattr(node, "value", None) is not None:
            return sure | _stored([node.target])
        return sure

    def used(self, node: ast.AST, sure: set[str]) -> None:
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        self.unsure |= (names & self.names) - sure


def _stored(nodes: Any) -> set[str]:
    """Return the variables that statements or targets assign; those of comprehensions are no variables."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        found |= _stored(ast.iter_child_nodes(node))
    return found


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


def _flag(name: str) -> str:
    return f"{PREFIX}has_{name}"


def _at(old: ast.AST, made: Any) -> Any:
    return ast.copy_location(made, old)


def _call(old: ast.AST, name: str, *given: Any) -> Any:
    function = _at(old, ast.Name(PREFIX + name, ast.Load()))
    return _at(old, ast.Call(function, list(given), []))


def _assign(old: ast.AST, name: str, value: Any) -> Any:
    return _at(old, ast.Assign([ast.Name(name, ast.Store())], value))


_WORDS = {
    ast.FunctionDef: "a function within a function", ast.AsyncFunctionDef: "async", ast.ClassDef: "a class",
    ast.Lambda: "a lambda", ast.Dict: "a dictionary", ast.Set: "a set", ast.DictComp: "a dictionary",
    ast.SetComp: "a set", ast.GeneratorExp: "a generator", ast.JoinedStr: "a text", ast.NamedExpr: "a :=",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Try: "try", ast.With: "with", ast.Match: "match",
    ast.Import: "an import", ast.ImportFrom: "an import", ast.Delete: "del", ast.Yield: "yield", ast.Starred: "a *",
    ast.YieldFrom: "yield", ast.Await: "await", ast.MatMult: "@",
}  # fmt: skip


def _words(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return {str: "a text", bytes: "bytes", complex: "a complex number"}.get(type(node.value), "this constant")
    return _WORDS.get(type(node), type(node).__name__)
