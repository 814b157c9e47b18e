"""People's own bots: one file, the same in the referee and in the engine, and refused in words when it is wrong."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import rumsim
from rumsim.bots import parse_bot
from rumsim.engine.door import HIDDEN, SLOTS
from rumsim.engine.requests import Rows
from rumsim.errors import RequestError
from rumsim.referee.seat import BAD_CARD, SeatView
from rumsim.referee.view import View
from rumsim.rules import parse_rules
from rumsim.tasks.direct import Direct
from rumsim.tasks.sums import DealSums
from rumsim.testing import Misplay, check_bot
from tests.conftest import Answer
from tests.engine_tables import Table, assert_alike, engine_course, referee_course, summed

Command = Callable[..., Answer]
ROOT = Path(__file__).parent.parent
BOTS = Path(__file__).parent / "bots"
GUIDE = ROOT / "docs" / "bots.md"
TAKE = "def take_upcard(view):\n    return False\n\n\n"
GIVE = "def give_back(view):\n    card, left = view.best_discard()\n    return card, left < 10\n"


def written(folder: Path, source: str, name: str = "mine.py") -> Path:
    file = folder / name
    file.write_text(source, encoding="utf-8")
    return file


# ---- the same in both ----------------------------------------------------------------------------------------


def test_a_bot_that_looks_at_everything_decides_alike_in_the_referee_and_in_the_engine() -> None:
    rules = (
        "ledger",
        "ledger:hand_size=2,ace-high",
        "traditional",
        "traditional:rum-knock,hand_size=9",
        "ledger:joker-knock",
    )
    assert check_bot(BOTS / "everything.py", rules, blocks=2).questions > 1500
    # Two cards each and few knocks: the stock runs out.
    assert check_bot(f"@{BOTS}/everything.py:rarely=100000,often=50", "traditional:hand_size=8", 5).questions > 300


def test_a_bot_with_helpers_constants_and_math_decides_alike() -> None:
    assert check_bot(BOTS / "helpers.py", ("traditional", "ledger:no-knock,hand_size=3"), blocks=1).questions > 200


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", ["ledger", "traditional:ace-high,rum-knock"])
def test_a_threshold_bot_through_the_door_earns_what_the_built_in_one_does(players: int, rules: str) -> None:
    pairs = (
        ("knock=25,draw=improve:2", f"@{BOTS}/threshold.py:knock=25,margin=2"),
        ("knock=5/40,draw=always", f"@{BOTS}/threshold.py:early=5,knock=40,always=true"),
        ("knock=30,draw=stock", f"@{BOTS}/threshold.py:knock=30,never=true"),
    )
    rng = random.Random(players)
    for _ in range(4):
        chosen = [rng.choice(pairs) for _ in range(players)]
        built_in = Table(players, rules, tuple(one for one, _ in chosen), 5).task.run(0, 300)
        for other in (1, 2):  # all, or only some of them through the door
            bots = tuple(pair[player % other == 0] for player, pair in enumerate(chosen))
            mine = Table(players, rules, bots, 5).task.run(0, 300)
            for name, expected in vars(built_in).items():
                assert np.array_equal(getattr(mine, name), expected), (name, bots)


@pytest.mark.parametrize("players", [2, 5])
def test_sums_and_histograms_are_those_of_the_referees_deals(players: int) -> None:
    table = Table(players, "traditional:hand_size=4,joker-knock", (f"@{BOTS}/everything.py", "knock=12,draw=meld"), 3)
    found = table.task.run_and_rows(0, 4)
    for course in (engine_course, referee_course):
        assert_alike(found, summed(table, 0, 4, course))


def test_threads_share_neither_bots_nor_tables() -> None:
    bots = [f"@{BOTS}/everything.py:often=2", f"@{BOTS}/everything.py", f"@{BOTS}/helpers.py"]
    alone = rumsim.simulate(3, bots, 6000, seed=4)
    assert rumsim.simulate(3, bots, 6000, seed=4, jobs=2) == alone
    # Not even if they run the very same task.
    task = Direct(parse_rules("ledger"), tuple(parse_bot(bot) for bot in bots), (0, 1, 2), seed=4)
    expected = task.run_and_rows(0, 1500)
    found: list[tuple[DealSums, Rows]] = []
    threads = [threading.Thread(target=lambda: found.append(task.run_and_rows(0, 1500))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    for one in found:
        assert_alike(one, expected)


def test_a_view_shows_what_a_player_may_know() -> None:
    shown = {field.name for field in fields(SeatView) if not field.name.startswith("_")}
    assert shown == set(SLOTS) - set(HIDDEN) | {"seen"}
    assert shown - {"stock", "knock_limit"} <= set(View._fields)


def test_nothing_of_the_door_is_loaded_for_built_in_bots() -> None:
    program = (
        "import sys, rumsim; rumsim.simulate(2, 'knock=10', 2); "
        "print([name for name in sys.modules if 'door_' in name or name.endswith('custom')])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# ---- from the guide alone ------------------------------------------------------------------------------------


def test_a_bot_written_from_the_guide_alone_plays_everywhere(tmp_path: Path, command: Command) -> None:
    blocks = re.findall(r"^```py\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks == [(ROOT / "docs" / "my_bot.py").read_text(encoding="utf-8")]
    file = written(tmp_path, blocks[0], "my_bot.py")
    text = f"@{file}:margin=1,knock=20,caution=1.5"
    assert str(parse_bot(f"@{file}:knock=20")) == text == str(parse_bot(text))
    played = command("play", "--players", 3, "--bots", f"@{file}:knock=20", "--seed", 4, "--json").json
    assert played["bots"] == [text] * 3
    found = command("simulate", "--players", 2, "--bots", text, "knock=20", "--blocks", 40, "--json").json
    assert [entry["bot"] for entry in found["bots"]] == [text, "knock=20,draw=improve:1,discard=greedy"]
    assert found["ends"]["knock"] > 0.9
    assert check_bot(file, "ledger", 3, blocks=1).bot == f"@{file}:margin=1,knock=10,caution=1.5"


def test_people_sit_down_with_bots_of_their_own(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    answer = command("play", "--players", 2, "--me", 1, "--bots", f"@{BOTS}/helpers.py", "--seed", 1)
    assert answer.code == 130 and "left the table" in answer.err


def test_an_edited_file_is_another_bot(tmp_path: Path) -> None:
    file = written(tmp_path, TAKE + GIVE)
    before = rumsim.simulate(2, [f"@{file}", "knock=10"], 200)
    assert rumsim.simulate(2, [f"@{file}", "knock=10"], 200) == before
    written(tmp_path, TAKE + GIVE.replace("< 10", "< 30"))
    assert rumsim.simulate(2, [f"@{file}", "knock=10"], 200) != before


def test_parameters_are_whole_numbers_numbers_or_truths(tmp_path: Path) -> None:
    file = written(
        tmp_path, TAKE.replace("view", "view, one=1, half=0.5, yes=True") + GIVE.replace("(view)", "(view, one=1)")
    )
    assert str(parse_bot(f"@{file}")) == f"@{file}:one=1,half=0.5,yes=true"
    given = parse_bot(f"@{file}: yes = False, one=-3 ,half=2")
    assert str(given) == f"@{file}:one=-3,half=2.0,yes=false"
    assert parse_bot(str(given)) == given and hash(given)
    assert len({parse_bot(f"@{file}"), parse_bot(f"@{file}:one=1"), given}) == 2


# ---- refused in words ----------------------------------------------------------------------------------------

WRONG = {
    "def take_upcard(view:\n": r"mine\.py, line 1: SyntaxError",
    TAKE: "without give_back; allowed: a file with the functions take_upcard",
    "x = 1 / 0\n" + TAKE + GIVE: r"line 1: ZeroDivisionError: division by zero; allowed: a file that runs",
    "raise SystemExit\n" + TAKE + GIVE: "line 1: SystemExit",
    "import random\n" + TAKE + GIVE: "import of random in .*line 1; allowed: math",
    TAKE.replace("view", "") + GIVE: r"take_upcard\(\)",
    TAKE.replace("view", "*views") + GIVE: r"take_upcard\(\*views\)",
    TAKE.replace("view", "view, margin") + GIVE: "got margin of take_upcard in .* without a number; allowed: margin=1",
    TAKE.replace("view", "view, m='a'") + GIVE: "without a number",
    TAKE.replace("view", "view, m=1") + GIVE.replace("(view)", "(view, m=1.0)"): "m=1 and m=1.0 in .*the same in both",
    TAKE.replace("view", "view, " + ", ".join(f"p{n}=1" for n in range(17))) + GIVE: "17 parameters .* at most 16",
    # Found in rehearsal, in Python's words.
    TAKE.replace("False", "1") + GIVE: "got 1 from take_upcard in .*, table turn 1, player 0; allowed: True or False",
    TAKE + GIVE.replace("best_discard", "best"): r"AttributeError .*'best'.* from give_back, line 6 of .*mine\.py",
    TAKE + GIVE.replace("card, left <", "'5H', left <"): r"got \('5H', .* from give_back .*allowed: card, knock",
    TAKE + GIVE.replace("return card", "return -1"): r"got \(-1, .* from give_back .*allowed: card, knock",
    TAKE + GIVE.replace("return card", "return view.upcard"): "got an illegal turn from @.* not in hand",
    TAKE.replace("False", "True")
    + GIVE.replace("return card", "return view.taken"): "illegal turn from @.* just taken",
    # Found by the compiler.
    TAKE + GIVE.replace("return", "if left < -9:\n        card = view.crad\n    return"): r"line 8, .*'crad'",
    TAKE + GIVE.replace("return", "if left > -9:\n        return card, False\n    return 5.5,"): "allowed|compiled",
    TAKE
    + GIVE.replace("return card,", "given = {card: left}\n    return max(given, key=lambda c: given[c]),"): "compiled",
}


@pytest.mark.parametrize("source", WRONG, ids=[message[:30] for message in WRONG.values()])
def test_a_wrong_file_is_refused_before_any_work(source: str, tmp_path: Path, command: Command) -> None:
    file = written(tmp_path, source)
    line = command("simulate", "--players", 3, "--bots", f"@{file}", "knock=10", "--blocks", 5).refused()
    assert re.search(WRONG[source], line), line
    assert "mine.py" in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@none.py", "a file that can be read (No such file"),
        ("@{}:x=1", "unknown key 'x' of {}; allowed: margin, knock, caution"),
        ("@{}:margin=1.5", "margin of {}: got '1.5'; allowed: "),
        ("@{}:caution=inf", "caution of {}: got 'inf'; allowed: a number"),
        ("@{}:margin=1,margin=1", "got margin twice"),
        ("@{}:margin", "allowed: @file.py, or @file.py:key=value"),
        ("@{}c", "allowed: @file.toml, @file.py, or key=value pairs"),
    ],
)
def test_wrong_parameters_are_refused(text: str, message: str) -> None:
    file = ROOT / "docs" / "my_bot.py"
    with pytest.raises(RequestError) as refusal:
        parse_bot(text.format(file))
    assert message.format(file) in str(refusal.value)


def test_all_wrong_parameters_are_named_at_once() -> None:
    with pytest.raises(RequestError) as refusal:
        parse_bot(f"@{BOTS}/helpers.py:margin=x,eager=2,caution=,foo=1")
    assert len(refusal.value.lines) == 4


def test_rules_too_long_to_be_remembered_are_refused() -> None:
    with pytest.raises(RequestError, match="max_turns=1000001; allowed: up to 1000000"):
        rumsim.simulate(2, f"@{BOTS}/helpers.py", 1, "ledger:max_turns=1000001")


# ---- wrong only in some deals --------------------------------------------------------------------------------

LATE = "    if view.own_turn == 2 and left % 5 == 3:\n        {}\n    return"
FAILURES = {
    "return card, 1 / (left % 5 - 3) > 1": "ZeroDivisionError (division by zero) from give_back, line 8 of",
    "return view.seen[900].discard, True": "IndexError",
    "return 63 if left else card, False": "got (63, False) from give_back",
    "return (view.upcard if view.upcard >= 0 else view.taken), False": "got an illegal turn from",
    "return card, view.deadwood(-1) > 0": "ValueError (a hand is a mask of at most 27 cards)",
    "return card, view.deadwood((1 << 52) - 1) > 0": "ValueError (a hand is a mask of at most 27 cards)",
    "return view.best_discard_of(view.hand | 1 << 60, -1)[0], False": "ValueError (a hand is a mask",
    "return view.best_discard_of(1, 0)[0], False": "ValueError (there is no card to give back)",
    "return card, view.points(52) > 0": f"ValueError ({BAD_CARD})",
}


@pytest.mark.parametrize("wrong", FAILURES)
def test_a_failure_in_some_deal_names_it(wrong: str, tmp_path: Path, command: Command) -> None:
    source = TAKE + GIVE.replace("    return", LATE.format(wrong)).replace("left < 10", "left < 2")
    file = written(tmp_path, source)
    words = ("--players", 3, "--bots", f"@{file}", "knock=0", "--seed", 40)
    line = command("simulate", *words, "--blocks", 400).refused()
    if "seed 40" not in line:
        return  # it was so common that the rehearsal found it
    assert FAILURES[wrong] in line and "mine.py" in line and "player 0" in line
    found = re.search(r" \(seed 40, block (\d+), rotation (\d)\)$", line)
    assert found, line
    again = command("play", *words, "--block", found[1], "--rotation", found[2]).refused()
    assert again.split(": ", 1)[1] + found[0] == line.split(": ", 1)[1]


def test_a_knock_above_the_limit_is_illegal(tmp_path: Path, command: Command) -> None:
    late = GIVE.replace("left < 10", "left < view.knock_limit + 1 or view.table_turn == 7 and left == 12")
    file = written(tmp_path, TAKE + late)
    words = ("--players", 2, "--bots", f"@{file}", "--blocks", 3000)
    line = command("simulate", *words, "--rules", "ledger:rum-knock").refused()
    assert "a knock with deadwood 12 is above the knocking limit of 10" in line
    assert command("simulate", *words, "--rules", "ledger").code == 0


# ---- the check for authors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (  # keeps something between turns
            "asked = [0]\n\n\n" + TAKE.replace("return", "asked[0] += 1\n    return asked[0] % 2 == 1 or"),
            "when asked again",
        ),
        (  # compiled, a constant; in Python, not
            "asked = 0\n\n\n" + TAKE.replace("return", "global asked\n    asked += 1\n    return asked % 2 == 1 or"),
            "when asked again",
        ),
        (  # would wrap around
            TAKE.replace(
                "return", "big = 1\n    for _ in range(43):\n        big *= 3\n    return big // 8 % 3 == 0 or"
            ),
            "Beyond (a whole number beyond 64 bits) from take_upcard, line 4 of",
        ),
        (TAKE.replace("return", "view.best_discard_of(0, -1)\n    return"), "there is no card to give back"),
    ],
)
def test_check_bot_finds(source: str, message: str, tmp_path: Path) -> None:
    file = written(tmp_path, source + GIVE)
    with pytest.raises(Misplay) as fault:
        check_bot(file, ("ledger", "traditional"), (2, 3))
    assert message in str(fault.value) and "2 players, rules ledger" in str(fault.value)


def test_check_bot_finds_what_is_kept_from_question_to_question(tmp_path: Path) -> None:
    kept = "last = [0, 0]\n\n\n" + TAKE.replace(
        "return False",
        "if view.table_turn != last[0]:\n        last[1] += 1\n"
        "    last[0] = view.table_turn\n    return last[1] % 3 == 1",
    )
    with pytest.raises(Misplay, match="it keeps something between turns .table turn"):
        check_bot(written(tmp_path, kept + GIVE), "ledger", 2)


def test_check_bot_takes_built_in_bots_too() -> None:
    assert check_bot(parse_bot("knock=12,draw=meld"), "traditional", 4, blocks=1).deals == 2
