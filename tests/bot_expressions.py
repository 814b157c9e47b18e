"""Random arithmetic as a bot may have it, compiled the way bots are, against plain Python."""

# ruff: noqa: E501  (lines of templates)
from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numba

from rumsim.bots.custom import run_afresh
from rumsim.engine.door_numbers import OPERATIONS
from rumsim.engine.door_pointer import Compiler
from rumsim.engine.door_source import Refused, checked

WHOLE, REAL, TRUTH = "abc", "xy", "pq"
BIG = (1 << 62, (1 << 63) - 1, -(1 << 63), (1 << 53) + 1, 1 << 53, -(1 << 53) - 1, 3037000500, (1 << 54) - 1)
REALS = (0.0, -0.0, 0.5, 1.5, -2.5, 1e300, -1e300, 9.3e18, 1e-320, math.inf, -math.inf, math.nan, 710.0, 0.1, 2.0**53)


class Maker:
    """Writes expressions of whole numbers, floats and truth values."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def expression(self, depth: int) -> str:
        """Any expression."""
        return self.rng.choice((self.whole, self.real, self.truth))(depth)

    def number(self, depth: int) -> str:
        return self.rng.choice((self.whole, self.whole, self.real, self.truth))(depth)

    def whole(self, depth: int) -> str:
        rng, n = self.rng, lambda: self.number(depth - 1)
        w = lambda: self.rng.choice((self.whole, self.whole, self.truth))(depth - 1)  # noqa: E731
        if depth <= 0:
            return rng.choice((*WHOLE, *WHOLE, str(rng.randint(-3, 70)), str(rng.choice(BIG[:2])), "True"))
        return rng.choice(
            (
                lambda: f"({w()} {rng.choice(('+', '-', '*', '//', '%', '<<', '>>', '&', '|', '^', '**'))} {w()})",
                lambda: f"({w()} {rng.choice(('+', '-', '*', '//', '%'))} {w()})",
                lambda: f"({rng.choice(('-', '~', '+'))}{w()})",
                lambda: f"{rng.choice(('abs', 'int', 'round', 'math.floor', 'math.ceil', 'math.trunc'))}({n()})",
                lambda: f"{rng.choice(('min', 'max'))}({w()}, {w()}, {w()})",
                lambda: f"divmod({w()}, {w()})[{rng.randint(0, 1)}]",
                lambda: f"({w()} if {self.truth(depth - 1)} else {w()})",
                lambda: f"({w()} {rng.choice(('and', 'or'))} {w()})",
                lambda: f"math.gcd({w()}, {w()})",
                lambda: f"{rng.choice(('sum', 'min', 'max', 'len'))}([{w()}, {w()}])",
                lambda: f"sum(i * {rng.choice(WHOLE)} for i in range({rng.choice(('3', 'a & 7'))}) if i != 1)",
                lambda: f"pow({w()}, {w()})",
                lambda: f"sorted([{w()}, {w()}])[{rng.choice(('0', '-1', 'b & 1', 'c'))}]",
                lambda: f"(1, a, {w()})[{rng.choice(('0', '-1', 'b & 1', 'p'))}]",
                lambda: f"helped({w()}, {rng.choice(('1', 'second=2', self.whole(0)))})",
            )
        )()

    def real(self, depth: int) -> str:
        rng, n = self.rng, lambda: self.number(depth - 1)
        if depth <= 0:
            return rng.choice((*REAL, *REAL, "0.5", "-1.5", "1e10", "math.pi", "0.0", "math.inf", "3.0", "1e17"))
        one = rng.choice(
            (
                *("sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan"),
                *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "fabs", "sqrt", "log"),
            )
        )
        return rng.choice(
            (
                lambda: f"({n()} {rng.choice(('+', '-', '*', '/', '//', '%', '**', '/'))} {self.real(depth - 1)})",
                lambda: f"({n()} / {n()})",
                lambda: f"({n()} ** {rng.choice(('-1', '-a', '(1 - a)', '0.5', '2', '-0.5', '(b - 3)'))})",
                lambda: f"math.{one}({n()})",
                lambda: f"{rng.choice(('min', 'max'))}({n()}, {n()})",
                lambda: f"({self.whole(depth - 1)} if {self.truth(depth - 1)} else {self.real(depth - 1)})",
                lambda: f"(-{self.real(depth - 1)})",
                lambda: f"math.{rng.choice(('fmod', 'pow'))}({n()}, {n()})",
                lambda: f"float({n()})",
                lambda: f"math.log({n()}, {n()})",
                lambda: f"{rng.choice(('min', 'max'))}([{self.real(0)}, {n()}])",
            )
        )()

    def truth(self, depth: int) -> str:
        rng, n = self.rng, lambda: self.number(depth - 1)
        if depth <= 0:
            return rng.choice((*TRUTH, *TRUTH, "True", "False"))
        compare = lambda: rng.choice(("<", "<=", "==", "!=", ">", ">="))  # noqa: E731
        return rng.choice(
            (
                lambda: f"({n()} {compare()} {n()})",
                lambda: f"({n()} {compare()} {rng.choice(WHOLE + REAL)} {compare()} {n()})",
                lambda: f"(not {n()})",
                lambda: f"({self.truth(depth - 1)} {rng.choice('&|^')} {self.truth(depth - 1)})",
                lambda: f"bool({n()})",
                lambda: f"({self.truth(depth - 1)} {rng.choice(('and', 'or'))} {self.truth(depth - 1)})",
                lambda: f"({self.whole(0)} {rng.choice(('in', 'not in'))} (1, 2, {self.whole(0)}))",
                lambda: f"math.{rng.choice(('isnan', 'isinf', 'isfinite'))}({n()})",
                lambda: f"{rng.choice(('any', 'all'))}([{n()}, {self.whole(0)}])",
                lambda: f"(({self.whole(0)}, {self.whole(0)}) {compare()} ({self.whole(0)}, {self.whole(0)}))",
            )
        )()

    def body(self) -> str:
        """The body of a function: an expression, or variables that change their kind on the way."""
        rng = self.rng
        if rng.random() < 0.6:
            return f"    return {self.expression(rng.randint(1, 3))}\n"
        v = rng.choice("vabx")
        return rng.choice(
            (
                f"    if {self.truth(1)}:\n        v = {self.number(2)}\n    return v {rng.choice('+-*')} 1\n",
                f"    v = {self.number(1)}\n    if {self.truth(1)}:\n        v = {self.number(1)}\n    return {self.whole(0)} * v - v\n",
                f"    {v} = {self.number(1)}\n    for i in range(b & 15):\n        {v} {rng.choice('+-*')}= {self.number(1)}\n"
                f"        if {self.truth(1)}:\n            break\n    return {v}\n",
                f"    v = [{self.number(1)} for i in range(a & 3)]\n    v.append({self.number(0)})\n    v[{self.whole(0)}] = {self.number(1)}\n"
                f"    return v[{self.whole(0)}]\n",
                f"    for i in range(a & 3):\n        last = {self.number(1)}\n    return last\n",
                f"    best = math.inf\n    for i in (a, b, c):\n        if i < best:\n            best = i\n    return best {rng.choice('+*-%')} {self.number(1)}\n",
                f"    {self.real(2)}\n    return a\n",
                f"    v = None\n    for i in (a, b, c):\n        if v is None or i {rng.choice('<>')} v:\n            v = i\n    return v\n",
                f"    v = [a, b]\n    w = v\n    w {rng.choice('+*')}= {self.whole(1)}\n    return v[-1]\n",
                f"    v = 1\n    while v {rng.choice(('<', '!='))} {self.whole(0)} and v < 5:\n        v += {rng.choice(('1', '0.5', 'True', '2'))}\n    return v\n",
            )
        )


HELPER = "import math\n\n\ndef helped(first, second):\n    return first - second\n\n\n"
REST = "\n\ndef give_back(view):\n    return 0, False\n"


@dataclass
class Found:
    """What comparing came to."""

    bodies: int = 0
    refused: int = 0
    values: int = 0
    raised: int = 0  # in both
    stopped: int = 0  # compiled, where Python has an answer
    differences: list[str] = field(default_factory=list)


def inputs(rng: random.Random) -> tuple[Any, ...]:
    def whole() -> int:
        kind = rng.random()
        return rng.randint(-4, 15) if kind < 0.6 else rng.choice(BIG) if kind < 0.75 else rng.getrandbits(52)

    def real() -> float:
        return rng.choice(REALS) if rng.random() < 0.5 else rng.uniform(-10, 10)

    return whole(), whole(), whole(), real(), real(), rng.random() < 0.5, rng.random() < 0.5


def compiled(source: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return a function as it stands and compiled; raises what refuses it."""
    plain: Any = run_afresh("made.py", source)["take_upcard"]
    fast, _ = checked(plain, OPERATIONS, numba.njit(boundscheck=True, pipeline_class=Compiler))
    kinds = (numba.int64,) * 3 + (numba.float64,) * 2 + (numba.boolean,) * 2 + (numba.int64,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fast.compile(kinds)
    return plain, fast


def same(one: Any, other: Any) -> bool:
    return bool(one == other or (one != one and other != other))


ANSWERS = {"whole": "int", "real": "float", "truth": "bool", "body": "float"}
TAKES = "def take_upcard(a, b=1, c=1, x=1.0, y=1.0, p=True, q=True, k=0):\n"


def joined(kind: str, bodies: list[str]) -> tuple[str, list[int]]:
    """Write many bodies as one function, which k selects from; compiling is slow.  Return the line of each, too."""
    text, lines = f"{HELPER}{TAKES}", []
    for number, body in enumerate(bodies):
        lines.append(text.count("\n") + 1)
        body = re.sub(r"return (.*)", rf"return {ANSWERS[kind]}(\1)", body)
        body = re.sub(r"\b([vwi]|last|best)\b", rf"\g<1>{number}", body)
        text += f"    if k == {number}:\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return f"{text}    return {ANSWERS[kind]}(0)\n{REST}", lines


def compiled_bodies(kind: str, bodies: list[str]) -> tuple[list[str], Any, Any]:
    """Compile those that are not refused; return them, and the function as it stands and compiled."""
    while True:
        source, lines = joined(kind, bodies)
        try:
            return bodies, *compiled(source)
        except (Refused, numba.core.errors.NumbaError) as error:
            named = re.search(r'made\.py(?:", line |\s*\()(\d+)', str(error))
            line = error.line if isinstance(error, Refused) else int(named[1]) if named else 0
            at = max((number for number, first in enumerate(lines) if first <= line), default=len(bodies) - 1)
            bodies = bodies[:at] + bodies[at + 1 :]


def compare(kind: str, seed: int, bodies: int, tries: int = 40) -> Found:
    """Compare so many random functions of a kind, on so many inputs each."""
    rng, found = random.Random(seed), Found(bodies=bodies)
    wanted: list[str] = []
    while len(wanted) < bodies:
        body = Maker(rng).body() if kind == "body" else getattr(Maker(rng), kind)(rng.randint(1, 2))
        wanted.append(body if kind == "body" else f"    return {body}\n")
    left, plain, fast = compiled_bodies(kind, wanted)
    found.refused = bodies - len(left)
    for number, body in enumerate(left):
        for _ in range(tries):
            given = *inputs(rng), number
            try:
                answer = fast(*given)
            except Exception:
                answer = Exception
                if re.search(r"\*\*|<<|pow", body):
                    continue  # in Python a number of any length
            try:
                expected = plain(*given)
            except Exception as error:
                expected, words = Exception, repr(error)
            else:
                words = repr(expected) if not isinstance(expected, int) or abs(expected) < 1 << 99 else "huge"
            if answer is Exception:
                found.raised += expected is Exception
                found.stopped += expected is not Exception
            elif expected is Exception or not same(answer, expected):
                found.differences.append(f"{body}{given}: {answer!r} compiled, {words} in Python")
                break
            else:
                found.values += 1
    return found


SEEN = """    {card}, left = {asked}
    a, b, c = view.own_turn, left, view.deadwood(view.hand)
    x, y = view.stock / 7, left / 3 - 1.5
    p, q = view.upcard % 2 == 0, len(view.seen) > 4
"""


def deciding(rng: random.Random, kinds: int) -> str:
    """Write a bot that decides by random expressions, which its parameter selects from."""
    answers: list[str] = []
    while len(answers) < 2 * kinds:
        answer = Maker(rng).truth(2)
        if _answers(answer, rng):
            answers.append(answer)
    takes, knocks = (
        "".join(f"    if kind == {number}:\n        return {form.format(one)}\n" for number, one in enumerate(some))
        for some, form in ((answers[:kinds], "{}"), (answers[kinds:], "card, {} or a > 8"))
    )
    take = SEEN.format(card="_", asked="view.best_discard_with_upcard()")
    give = SEEN.format(card="card", asked="view.best_discard()")
    return (
        f"{HELPER}def take_upcard(view, kind=0):\n{take}{takes}    return False\n\n\n"
        f"def give_back(view, kind=0):\n{give}{knocks}    return card, True\n"
    )


def _answers(answer: str, rng: random.Random) -> bool:
    """Whether an expression has different answers, and always one, where numbers are those of a deal."""
    known: dict[str, Any] = {}
    exec(HELPER, known)
    found = set()
    for _ in range(60):
        known |= {"a": rng.randint(1, 30), "b": rng.randint(0, 90), "c": rng.randint(0, 95)}
        known |= {
            "x": rng.randint(0, 40) / 7,
            "y": known["b"] / 3 - 1.5,
            "p": rng.random() < 0.5,
            "q": rng.random() < 0.5,
        }
        try:
            found.add(bool(eval(answer, known)))
        except Exception:
            return False
    return len(found) == 2
