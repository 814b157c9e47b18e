"""Compiled bots compute what plain Python computes, or stop; what is not compiled is refused with its line."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rumsim.engine.door_source import Refused
from tests.bot_expressions import HELPER, REST, TAKES, compare, compiled, deciding, same
from tests.conftest import Answer
from tests.engine_tables import Table, engine_course, referee_course

Command = Callable[..., Answer]
ROOT = Path(__file__).parent.parent
TAKE = "def take_upcard(view):\n    return False\n\n\n"
GIVE = "def give_back(view):\n    card, left = view.best_discard()\n    return card, left < 10\n"
HALF = GIVE.replace("left < 10", "left <= 20 * 2 ** (1 - view.own_turn)")
ROOT_OF = GIVE.replace("left < 10", "left <= 10 * math.sqrt(12 - view.own_turn)")


@pytest.mark.parametrize("kind", ["whole", "real", "body"])
def test_random_arithmetic_is_pythons_or_stops(kind: str) -> None:
    found = compare(kind, seed=31, bodies=3)
    assert found.differences == []
    assert found.values > 30, found


# An expression, and a, b and c, for which Python has an answer that machine arithmetic has not, or none where it has.
DIFFERED: list[tuple[str, tuple[int, int, int]]] = [
    ("2 ** (1 - a)", (3, 0, 0)),
    ("a ** -1", (4, 0, 0)),
    ("10 * math.sqrt(a)", (-1, 0, 0)),
    ("math.log(a)", (-1, 0, 0)),
    ("math.log(a)", (0, 0, 0)),
    ("a ** 0.5", (-4, 0, 0)),
    ("math.exp(a)", (800, 0, 0)),
    ("math.acos(a)", (2, 0, 0)),
    ("~(a > b)", (2, 1, 0)),
    ("-(a > b)", (2, 1, 0)),
    ("a + b", ((1 << 63) - 1, 1, 0)),
    ("a * b", (1 << 40, 1 << 40, 0)),
    ("abs(a)", (-(1 << 63), 0, 0)),
    ("-a", (-(1 << 63), 0, 0)),
    ("a // b", (-(1 << 63), -1, 0)),
    ("a // b", (1, 0, 0)),
    ("a % b", (1, 0, 0)),
    ("1 << a", (64, 0, 0)),
    ("1 << a", (-1, 0, 0)),
    ("a >> b", (-5, 70, 0)),
    ("a >> b", (-5, -1, 0)),
    ("a == float(b)", ((1 << 53) + 1, 1 << 53, 0)),
    ("a / b", ((1 << 60) + 1, 3, 0)),
    ("int(a * 1e10)", (1 << 50, 0, 0)),
    ("int(math.inf * a)", (1, 0, 0)),
    ("math.pow(a, 0.5)", (-1, 0, 0)),
    ("(1, 2, 3)[a > 0]", (1, 0, 0)),
    ("sum([a, b])", ((1 << 63) - 1, 1, 0)),
    ("(a if c else 0.5) * 2", ((1 << 53) + 1, 0, 1)),
    ("int((a if c else 0.5) * b)", (3, 3002399751580331, 1)),  # 2^53 + 1
    ("int((p if c else 0.5) * b)", (0, (1 << 53) + 1, 1)),
]


def test_known_gaps_between_python_and_machine_arithmetic_are_closed() -> None:
    # All in one function: a kind each, selected by k.
    lines = [f"    if k == {number}:\n        return float({one})\n" for number, (one, _) in enumerate(DIFFERED)]
    source = f"{HELPER}{TAKES}{''.join(lines)}    return 0.0\n{REST}"
    plain, fast = compiled(source)
    for number, (one, given) in enumerate(DIFFERED):
        try:
            answer = fast(*given, 0.0, 0.0, True, False, number)
        except Exception:
            continue
        assert same(answer, plain(*given, 0.0, 0.0, True, False, number)), one


# What docs/bots.md says may be written: each must be compiled, and answer.
ALLOWED = [
    *("a + x", "a / x", "a * x", "a // x", "a % x", "-a // b", "-a % b", "a ** b", "2 ** -b", "a << b", "~a"),
    *("p & q", "a < b <= c", "a in (1, b)", "abs(-x)", "min(a, b)", "max(a, x)", "min([a, b])", "max([x, a])"),
    *(
        "max(i * a for i in range(b))",
        "sum([a, b])",
        "any([a, b])",
        "all(i for i in (a, b))",
        "len([a, b])",
        "round(x)",
    ),
    *("divmod(a, b)[1]", "divmod(x, b)[0]", "sum([i * j for i, j in enumerate([a, b])])", "sorted([b, a])[0]"),
    *("sum([i * j for i, j in zip((a, b), (1, 2))])", "[a, b, c][a - 7:][0]", "helped(a, second=b)", "a and b"),
    *("math.sqrt(x)", "math.exp(x)", "math.floor(x)", "math.isnan(x)", "math.fabs(x)", "math.log(a, 2)", "math.pi * a"),
    *("math.fmod(a, x)", "math.pow(a, x)", "math.gcd(a, b)", "min(a, math.inf)"),
]


def test_what_may_be_written_is_compiled_and_answers_as_python() -> None:
    lines = [f"    if k == {number}:\n        return float({one})\n" for number, one in enumerate(ALLOWED)]
    plain, fast = compiled(f"{HELPER}{TAKES}{''.join(lines)}    return 0.0\n{REST}")
    for number, one in enumerate(ALLOWED):
        given = 7, 3, 12, 2.5, 0.5, True, False, number
        assert fast(*given) == plain(*given), one


def test_a_variable_without_a_value_is_not_zero() -> None:
    body = "    for i in range(a):\n        last = i\n    return last\n"
    _, fast = compiled(f"{HELPER}{TAKES}{body}{REST}")
    assert fast(3, 0, 0, 0.0, 0.0, False, False, 0) == 2
    with pytest.raises(NameError):
        fast(0, 0, 0, 0.0, 0.0, False, False, 0)


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("    return {1: 2}[1]\n", 9, "a dictionary"),
        ("    f = lambda: 1\n    return f()\n", 9, "a lambda"),
        ("    global z\n    z = 1\n    return a\n", 9, "global"),
        ("    try:\n        return 1\n    except Exception:\n        return 2\n", 9, "try"),
        ("    return a if p else\\\n        'x'\n", 10, "a text"),
        ("    b = 1\n    return take_upcard(a)\n", 8, "calls itself"),
        ("    return a.real\n", 9, "'real'"),
        ("    return hash(a)\n", 9, "a call of hash"),
        ("    return round(x, 1)\n", 9, "a call of round with 2 arguments"),
        ("    return 1 << 3 + 9223372036854775808\n", 9, "a number of 2^63"),
        ("    return sum(a, start=1)\n", 9, "a keyword for sum"),
        ("    return DEFAULTS[0]\n", 9, "DEFAULTS, which is neither"),
    ],
)
def test_what_is_not_compiled_is_refused_with_its_line(body: str, line: int, words: str) -> None:
    head = HELPER.replace("\n\n\ndef", "\nDEFAULTS = [1]\n\ndef", 1)
    with pytest.raises(Refused, match=re.escape(words)) as refusal:
        compiled(f"{head}{TAKES}{body}{REST}")
    assert refusal.value.line == line


def test_a_negative_power_plays_as_in_python(tmp_path: Path, command: Command) -> None:
    better = "_, left = view.best_discard_with_upcard()\n    return left < view.deadwood(view.hand)"
    take = TAKE.replace("return False", better)
    file = tmp_path / "half.py"
    file.write_text(take + HALF)
    words = ("--players", 2, "--bots", f"@{file}", "knock=10", "--blocks", 1, "--seed", 35, "--json")
    assert command("simulate", *words).json["bots"][0]["ev"] == 0.0
    # An error in some deal only is Python's own, with the deal.
    file.write_text("import math\n\n\n" + take + ROOT_OF)
    words = ("--players", 2, "--bots", f"@{file}", "knock=never,draw=stock", "--blocks", 1, "--seed", 1)
    line = command("simulate", *words).refused()
    assert "ValueError (math domain error) from give_back, line 11 of" in line and "half.py" in line
    assert line.endswith("(seed 1, block 0, rotation 0)")
    # Where Python has an answer, the reason is said too.
    file.write_text(TAKE + GIVE.replace("left < 10", "left <= -(9 ** view.table_turn)"))
    line = command("simulate", *words).refused()
    assert re.search(r"Beyond \(a whole number beyond 64 bits\) from give_back, line 7 of .*block 0", line), line


def test_bots_of_random_decisions_play_the_same_deals_in_both(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(deciding(random.Random(3), 5))
    ends: Counter[str] = Counter()
    for rules, kinds in (
        ("ledger", "01234"),
        ("traditional:ace-high,hand_size=6", "5678"),
        ("ledger:joker-knock", "36"),
    ):
        table = Table(len(kinds), rules, tuple(f"@{file}:kind={kind}" for kind in kinds), seed=len(kinds))
        blocks = 60 // len(kinds)
        courses = [referee_course(table, *divmod(deal, len(kinds))) for deal in range(blocks * len(kinds))]
        for deal, course in enumerate(courses):
            assert engine_course(table, *divmod(deal, len(kinds))) == course, table.command(*divmod(deal, len(kinds)))
        ends.update(course.end for course in courses)
    assert ends.total() > 150, ends


@pytest.mark.parametrize("card", ["True if left > 90 else card", "odd", "max(card, left > 90)"])
def test_a_truth_value_is_no_card_compiled_either(card: str, tmp_path: Path, command: Command) -> None:
    file = tmp_path / "mine.py"
    odd = "    odd = card\n    if left > 90:\n        odd = left > 91\n"
    file.write_text(TAKE + GIVE.replace("    return card", f"{odd}    return {card}"))
    line = command("simulate", "--players", 2, "--bots", f"@{file}", "--blocks", 1).refused()
    assert "line 10, which cannot be compiled (True or False as a card)" in line


# ---- files that are no bots ----------------------------------------------------------------------------------

RUN = {
    "raise KeyboardInterrupt\n": "line 1: KeyboardInterrupt",
    "raise GeneratorExit('out')\n": "line 1: GeneratorExit: out",
    "class Own(BaseException):\n    def __str__(self):\n        raise SystemExit\nraise Own\n": "Own: without words",
    "raise ValueError('\\x1b[2J' + 'x' * 9999)\n": r"ValueError: \\x1b\[2Jxxx.*10,003 characters",
    "async " + TAKE + GIVE: "an async function as take_upcard in .*line 1",
    TAKE + "def give_back(view):\n    yield 1, True\n": "a generator as give_back in .*line 5",
    "take_upcard = lambda view: False\n" + GIVE: "a lambda as take_upcard in .*line 1",
    TAKE + "class give_back:\n    pass\n": "a class as give_back",
    "take_upcard = 1\n" + GIVE: "a int as take_upcard",
    "\0": "null bytes",
    TAKE.replace("return False", "raise SystemExit(0)") + GIVE: "got SystemExit .0. from take_upcard, line 2 of",
    TAKE.replace("return False", "raise KeyboardInterrupt") + GIVE: "got KeyboardInterrupt .* from take_upcard, line 2",
    TAKE.replace("return False", "return take_upcard(view)") + GIVE: "got RecursionError",
    TAKE.replace("return False", "return None") + GIVE: "got None from take_upcard",
    TAKE + GIVE.replace("return card", "return True"): r"got \(True, ",
    TAKE + GIVE.replace("return card", "return card + 0.0"): r"got \([0-9]+\.0, ",
    TAKE + GIVE.replace("return card", "return 10 ** 9000"): "got a tuple from give_back",
}


@pytest.mark.parametrize("source", RUN, ids=[message[:30] for message in RUN.values()])
def test_whatever_a_file_raises_or_defines_is_refused_in_a_line(source: str, tmp_path: Path, command: Command) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source)
    line = command("play", "--players", 2, "--bots", f"@{file}", "knock=10", "--seed", 1).refused()
    assert re.search(RUN[source], line) and "mine.py" in line, line


def test_a_file_of_other_bytes_is_refused(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(b"# \xff\n")
    assert "UTF-8 text (byte 3 is not)" in command("play", "--players", 2, "--bots", f"@{file}", "--seed", 1).refused()


def test_what_a_file_prints_is_not_in_the_document(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "mine.py"
    file.write_text("print('import')\n" + TAKE.replace("return", "print('turn')\n    return") + GIVE)
    answer = command("play", "--players", 2, "--bots", f"@{file}", "--seed", 1, "--json")
    assert answer.json["players"] == 2 and "import\nturn\n" in answer.err


# The kernel is as deep in machine code as can be, once it has its room.
IN_THE_ENGINE = """
import runpy, sys
import rumsim.tasks.direct as direct
room = direct.new_room
direct.new_room = lambda: (print("begins", file=sys.stderr, flush=True), room())[1]
runpy.run_module("rumsim", run_name="__main__", alter_sys=True)
"""
FILE, REHEARSAL, ENGINE = "the file", "the rehearsal", "the engine"
ENDLESS = {
    FILE: "print('begins')\nwhile True:\n    pass\n" + TAKE,
    # One step of Python, which goes on for hours.
    REHEARSAL: TAKE.replace("return False", "print('begins')\n    return view.players ** 10 ** 9 > 0"),
    ENGINE: TAKE.replace("return False", "while view.hand % 211 == 5:\n        pass\n    return False"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("where", ENDLESS)
def test_a_bot_that_never_ends_ends_on_ctrl_c(where: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(ENDLESS[where] + GIVE)
    begin = ["-c", IN_THE_ENGINE] if where == ENGINE else ["-m", "rumsim"]
    words = ["simulate", "--players", "2", "--seed", "5", "--bots", f"@{file}", "knock=20", "--blocks", "100000"]
    with subprocess.Popen(
        [sys.executable, *begin, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a shell may have it ignored
    ) as process:
        try:
            assert process.stderr is not None and any(line == "begins\n" for line in process.stderr)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            pressed = time.monotonic()
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130 and time.monotonic() - pressed < 5 and "Traceback" not in err, err
    assert ("0 deals" in out) == (where == ENGINE)
