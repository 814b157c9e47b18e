"""The hard cases of cases/cases.json, every one answered here or named in LATER with its reason."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rumsim
from rumsim import replay
from rumsim.cards import card_text, mask, parse_cards
from rumsim.decks import Stream, deck
from rumsim.errors import RequestError
from rumsim.melds import best_discard, count, deadwood
from rumsim.referee import IllegalTurn
from rumsim.rules import parse_rules
from rumsim.runs.execute import execute
from rumsim.session_rules import Format, Session
from rumsim.settlement import settle, settlement
from rumsim.stats.paired import paired_difference
from rumsim.stats.wins import win_shares
from tests import oracle
from tests.scripts import DRAW_AND_RETURN, record, referee, shuffled, turn
from tests.test_cache import Workshop

Case = dict[str, Any]
CASES: list[Case] = json.loads((Path(__file__).parent / "cases" / "cases.json").read_text("utf-8"))
ANSWERED: set[str] = set()

LATER: dict[str, str] = {}


def cases(choose: Callable[[Case], bool]) -> pytest.MarkDecorator:
    """Parametrise over the cases chosen, and note that they are answered."""
    chosen = [case for case in CASES if choose(case)]
    assert chosen
    ANSWERED.update(case["id"] for case in chosen)
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["id"])


def only(*ids: str) -> pytest.MarkDecorator:
    assert set(ids) <= {case["id"] for case in CASES}
    return cases(lambda case: case["id"] in ids)


def has_jokers(case: Case) -> bool:
    return "jokers" in case["rules"]


def profiles(case: Case) -> list[str]:
    return ["ledger", "traditional"] if case["rules"] == "any" else [case["rules"]]


def test_every_case_is_answered_or_has_a_reason_to_wait() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids)) == 118
    assert ANSWERED | set(LATER) == set(ids)
    assert not ANSWERED & set(LATER)


# ---------------------------------------------------------------- sessions


@only("ST-056", "ST-058", "ST-060", "ST-062")
def test_session(case: Case) -> None:
    given, expected = case["input"]["session"], case["expected"]
    form = Format(given.get("format", "rotation"), **({"target": given["target"]} if "target" in given else {}))
    session = Session(form, given["players"], given.get("first_dealer", 0))
    first_to_move = []
    for transfers in given.get("transfers") or given["transfers_so_far"]:
        first_to_move.append(session.first_to_move)
        session.record([Fraction(amount) for amount in transfers])
    found = {
        "dealers": session.dealers,
        "first_to_act": first_to_move,
        "ledger": [str(amount) for amount in session.ledger],
        "hands_played": session.deals,
        "winners": list(session.winners),
        "eliminated": [player for players in session.out for player in players],
        "decided": session.finished,
        "sum": str(sum(session.ledger)),
    }
    assert {key: found[key] for key in expected} == expected


# ---------------------------------------------------------------- deadwood


@cases(lambda case: case["kind"] == "deadwood")
def test_deadwood(case: Case) -> None:
    words, expected = case["input"]["cards"], case["expected"]
    for rules in profiles(case):
        found = deadwood(words, rules)
        assert found.deadwood == expected["deadwood"]
        assert count(mask(parse_cards(words)), parse_rules(rules)) == expected["deadwood"]
        check_arrangement(found.as_json(), words)


@cases(lambda case: case["kind"] == "deadwood")
def test_deadwood_on_the_command_line(case: Case, command: Callable[..., Any]) -> None:
    for rules in profiles(case):
        answer = command("deadwood", "--json", "--rules", rules, case["input"]["cards"])
        assert (answer.code, answer.err) == (0, "")
        assert answer.json["deadwood"] == case["expected"]["deadwood"]
        check_arrangement(answer.json, case["input"]["cards"])
        assert command("deadwood", "--rules", rules, case["input"]["cards"]).code == 0


def check_arrangement(shown: dict[str, Any], words: str) -> None:
    """Disjoint legal melds, the rest unmelded, and the points of the rest are the deadwood."""
    melded = ["**" if "=" in word else word for meld in shown["melds"] for word in meld]
    assert sorted(melded + shown["unmelded"]) == sorted(map(oracle.text, oracle.row(words)))
    assert all(oracle.well_shown(meld) for meld in shown["melds"])
    assert sum(map(oracle.points, oracle.row(shown["unmelded"]))) == shown["deadwood"]
    assert shown["hand"] == [oracle.text(one) for one in sorted(oracle.cards(words), key=oracle.number)]


@cases(lambda case: "best_discards" in case["expected"])
def test_best_discard(case: Case) -> None:
    hand, expected = mask(parse_cards(case["input"]["cards"])), case["expected"]
    taken = case["input"].get("taken_from_discard")
    for rules in map(parse_rules, profiles(case)):
        card, left = best_discard(hand, rules, None if taken is None else parse_cards(taken)[0])
        assert card_text(card) in expected["best_discards"]
        assert left == expected["after_best_discard"]
        if taken is not None:
            free, left = best_discard(hand, rules)
            assert card_text(free) in expected["without_the_restriction"]["discards"]
            assert left == expected["without_the_restriction"]["deadwood"]


# ---------------------------------------------------------------- settlement


SINGLE_DEALS = cases(lambda case: "hands" in case["input"] and case["kind"] == "settlement")


def check_settlement(shown: dict[str, Any], case: Case) -> None:
    expected, knocker = case["expected"], case["input"]["knocker"]
    counts = expected["deadwood"]
    for key in ("deadwood", "winners", "transfers"):
        assert shown[key] == expected[key]
    won = Fraction(1, len(expected["winners"]))
    shares = [won if player in expected["winners"] else 0 for player in range(len(counts))]
    assert shown["win_shares"] == [str(share) for share in shares]
    assert shown["rum"] is (knocker is not None and counts[knocker] == 0)
    assert shown["undercut"] is (knocker is not None and counts[knocker] > min(counts))


@SINGLE_DEALS
def test_settlement_by_the_library(case: Case) -> None:
    settled = settle(case["input"]["hands"], case["input"]["knocker"], case["rules"])
    check_settlement(settled.as_json(), case)
    assert list(settled.transfers) == [Fraction(amount) for amount in case["expected"]["transfers"]]
    assert list(settled.warnings) == []


@SINGLE_DEALS
def test_settlement_on_the_command_line(case: Case, command: Callable[..., Any]) -> None:
    knocker = case["input"]["knocker"]
    options = [] if knocker is None else ["--knocker", knocker]
    answer = command("settle", "--json", "--rules", case["rules"], *options, *case["input"]["hands"])
    assert answer.code == 0
    assert answer.err == ""
    check_settlement(answer.json, case)


# ---------------------------------------------------------------- decks and scripted turns


def recorded(case: Case) -> dict[str, Any]:
    given = case["input"]
    deck = given["deck_top_first"].split()
    return record(case["rules"], given["players"], given["dealer"], deck, given["turns"])


def deck_case(*ends: str) -> Callable[[Case], bool]:
    return lambda case: "deck_top_first" in case["input"] and case["expected"].get("stopped", "not started") in ends


@cases(deck_case("not started"))
def test_dealt_cards(case: Case) -> None:
    deal, expected = replay(recorded(case)), case["expected"]
    assert deal.end == "open"
    for dealt, words in zip(deal.dealt, expected["dealt"], strict=True):
        assert {card_text(card) for card in dealt} == set(words.split())
    shown = deal.as_json()
    assert shown["end"] == "open"
    assert shown["upcard"] == expected["upcard"]
    assert len(shown["stock"]) == expected["stock"]
    assert shown["stock"] == case["input"]["deck_top_first"].split()[-expected["stock"] :]
    assert shown["next"] == expected["first"]


@cases(deck_case("knock", "stock-exhausted"))
def test_finished_deal(case: Case) -> None:
    shown, expected = replay(recorded(case)).as_json(), case["expected"]
    knocked = expected["stopped"] == "knock"
    assert shown["end"] == ("knock" if knocked else "exhausted")
    assert shown["knocker"] == (expected["seat"] if knocked else None)
    assert len(shown["turns"]) - 1 == expected["turn"]
    assert shown["turns"][-1]["player"] == expected["seat"]
    assert [set(hand) for hand in shown["hands"]] == [set(h.split()) for h in expected["hands"]]
    for key in ("deadwood", "transfers", "winners"):
        assert shown[key] == expected[key]


@cases(deck_case("reshuffle"))
def test_stock_that_must_be_renewed(case: Case) -> None:
    expected = case["expected"]
    # The case's last turn is the draw that needs the new stock. Without its order the deal stays open,
    # with that turn in the file and also without it.
    for turns in (case["input"]["turns"], case["input"]["turns"][: expected["turn"]]):
        shown = replay({**recorded(case), "turns": turns}).as_json()
        assert shown["end"] == "open"
        assert len(shown["turns"]) == expected["turn"]
        assert shown["next"] == expected["seat"]
        assert shown["upcard"] == expected["top"]
        assert shown["stock"] == []
        assert set(shown["new_stock"]) == set(expected["new_stock"])
        assert len(shown["new_stock"]) == len(expected["new_stock"])
        assert [set(hand) for hand in shown["hands"]] == [set(h.split()) for h in expected["hands"]]
        for key in ("knocker", "winners", "transfers", "win_shares", "rum", "undercut", "tied"):
            assert shown[key] is None


# What the line must convey, whatever its wording.
REASONS = {
    "DK-008": "JD|taken|took",
    "DK-012": "(?=.*23)(?=.*10)",
    "DK-014": "10",
    "DK-022": "stock",
    "DK-026": "hand|card",
}


def check_illegal(line: str, case: Case) -> None:
    expected = case["expected"]
    assert f"turn {expected['turn'] + 1}" in line
    assert f"player {expected['seat']}" in line
    assert re.search(REASONS[case["id"]], line)


@cases(deck_case("illegal"))
def test_illegal_turn_by_the_library(case: Case) -> None:
    with pytest.raises(IllegalTurn) as stopped:
        replay(recorded(case))
    check_illegal(str(stopped.value), case)


@cases(deck_case("illegal"))
def test_illegal_turn_on_the_command_line(case: Case, command: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(recorded(case)), "utf-8")
    check_illegal(command("replay", "--json", file).refused(), case)
    check_illegal(command("replay", file).refused(), case)


# ---------------------------------------------------------------- experiments with exact answers


def random_counts(size: int, hands: int) -> list[int]:
    rules, rng = parse_rules("ledger"), random.Random(size)
    return [count(mask(rng.sample(range(52), size)), rules) for _ in range(hands)]


@only("DK-028", "DK-030")
def test_mean_deadwood_of_a_random_hand(case: Case) -> None:
    expected, hands = case["expected"], 10_000
    found = random_counts(case["input"]["hand_size"], hands)
    five = 5 / hands**0.5
    assert abs(sum(found) / hands - float(Fraction(expected["mean"]))) < five * expected["sd_float"]
    share = expected["p_at_most_10_float"]
    within = sum(one <= 10 for one in found) / hands
    assert abs(within - share) < five * (share * (1 - share)) ** 0.5
    assert abs(sorted(found)[hands // 2] - expected["median"]) <= 1


@only("DK-030")
def test_five_cards_are_complete_only_as_a_run_of_five(case: Case) -> None:
    rules = parse_rules("ledger")
    runs = [range(13 * suit + first, 13 * suit + first + 5) for suit in range(4) for first in range(9)]
    assert all(count(mask(run), rules) == 0 for run in runs)
    assert Fraction(len(runs), case["expected"]["hands"]) == Fraction(case["expected"]["p_zero"])


@only("DK-032")
def test_mean_value_of_a_hand_before_melding(case: Case) -> None:
    rules = parse_rules("ledger")
    pack = sum(rules.points(card) for card in range(52))
    with_jokers = pack + 2 * rules.joker_value
    for size in case["input"]["hand_sizes"]:
        assert Fraction(size * pack, 52) == Fraction(case["expected"]["mean_52"][str(size)])
        assert Fraction(size * with_jokers, 54) == Fraction(case["expected"]["mean_54"][str(size)])


class Scripted(Stream):
    """Random numbers that are said beforehand."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = iter(numbers)

    def below(self, limit: int) -> int:
        number = next(self._numbers)
        assert 0 <= number < limit
        return number


@only("DK-034")
def test_every_order_is_equally_likely(case: Case) -> None:
    # What can be drawn, each equally likely: one of three, then one of two. Each order comes once.
    orders = Counter("".join(map(str, Scripted(*drawn).shuffled(range(3)))) for drawn in product(range(3), range(2)))
    assert orders == dict.fromkeys(map("".join, permutations("012")), 1)

    def wrongly(places: tuple[int, ...]) -> str:
        cards = list("012")
        for place, other in enumerate(places):
            cards[place], cards[other] = cards[other], cards[place]
        return "".join(cards)

    wrong = Counter(map(wrongly, product(range(3), repeat=3)))
    assert {order: str(Fraction(times, 27)) for order, times in wrong.items()} == case["expected"]["wrong_gives"]


@only("DK-036")
def test_player_left_of_the_dealer_acts_first(case: Case) -> None:
    # The dealers' order itself is a session's matter; each of these dealers is tried here.
    players, first = case["input"]["players"], case["input"]["first_dealer"]
    assert case["expected"]["dealers"] == [(first + k) % players for k in range(case["input"]["hands"])]
    acts = [referee(case["rules"], players, dealer, shuffled(dealer)).next for dealer in case["expected"]["dealers"]]
    assert acts == case["expected"]["first_to_act"]


# ---------------------------------------------------------------- the command line


# What `message_mentions` asks in words, as what must be found in the line.
CONVEYED = {
    "which two players": ["0", "1"],
    "not used in this profile": ["ledger"],
    "at least 1": ["1"],
    "list of known profiles": ["ledger", "traditional"],
}


@only("CL-002", "CL-008", "CL-010", "CL-012", "CL-034")
def test_wrong_requests(case: Case, command: Callable[..., Any]) -> None:
    for extra in ([], ["--json"]):
        line = command(*case["input"]["argv"], *extra).refused()
        for mention in case["expected"]["message_mentions"]:
            for words in CONVEYED.get(mention, [mention]):
                assert words in line


@only("CL-004", "CL-006")
def test_spellings_of_cards(case: Case, command: Callable[..., Any]) -> None:
    answer = command(*case["input"]["argv"], "--json")
    assert answer.code == 0
    assert answer.json["deadwood"] == case["expected"]["deadwood"]
    assert command(*case["input"]["argv"]).code == 0


@only("CL-014")
def test_one_block_has_no_standard_error(case: Case, command: Callable[..., Any]) -> None:
    answer = command(*case["input"]["argv"], "--json")
    assert answer.code == 0
    assert answer.json["blocks"] == 1
    assert answer.json["deals"] == 2
    for row in answer.json["bots"]:
        assert isinstance(row["ev"], float)
        assert row["ev_se"] is row["win_se"] is row["ev_ci"] is None
    readable = command(*case["input"]["argv"])
    assert re.search("(one|1|single) block", readable.out + readable.err, re.IGNORECASE)
    assert "nan" not in readable.out.lower()


@only("CL-016")
def test_the_seed_decides(case: Case, command: Callable[..., Any]) -> None:
    argv = case["input"]["argv"]
    first, again = command(*argv, "--json"), command(*argv, "--json")
    other = command(*argv[:-1], "2", "--json")
    assert first.code == again.code == other.code == 0
    assert first.out == again.out
    assert first.json["bots"] != other.json["bots"]


@only("CL-042")
def test_equal_bots_gain_nothing_but_seats_do(case: Case, command: Callable[..., Any]) -> None:
    shown = command(*case["input"]["argv"], "--json").json
    assert shown["blocks"] == 20000
    [row] = shown["bots"]
    assert row["ev"] == row["ev_se"] == 0
    assert row["win"] == pytest.approx(0.5, abs=0.01)
    assert [seat["seat"] for seat in shown["seats"]] == [0, 1]
    assert all(seat["ev"] != 0 for seat in shown["seats"])
    assert shown["seats"][0]["ev"] == pytest.approx(-shown["seats"][1]["ev"])


@only("CL-030")
def test_a_terminal_without_suit_symbols(case: Case) -> None:
    for encoding in (case["input"]["env"]["PYTHONIOENCODING"], "ascii"):
        done = subprocess.run(
            [sys.executable, "-m", "rumsim", *case["input"]["argv"]],
            env={**os.environ, **case["input"]["env"], "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert b"UnicodeEncodeError" not in done.stderr
        assert b"TH" in done.stdout.decode(encoding).replace("10H", "TH").encode("ascii", "replace")


@only("CL-036")
def test_a_wrong_hand_size_is_warned_of_and_scored(case: Case, command: Callable[..., Any]) -> None:
    answer = command(*case["input"]["argv"], "--json")
    assert answer.code == 0
    assert answer.json["transfers"] == case["expected"]["transfers"]
    assert len(answer.err.strip().splitlines()) == 1
    assert "7" in answer.err
    assert "10" in answer.err
    assert command(*case["input"]["argv"]).code == 0


@only("CL-040")
def test_win_shares_add_up_to_the_number_of_deals(case: Case) -> None:
    expected, rules = case["expected"], parse_rules("ledger")
    total = [Fraction(0)] * 3
    for winners in case["input"]["rows"]:
        counts = [5 if str(player) in winners else 6 for player in range(3)]
        shares = settlement(counts, None, rules).win_shares
        total = [sum(pair, Fraction(0)) for pair in zip(total, shares, strict=True)]
    assert {str(player): str(share) for player, share in enumerate(total)} == expected["win_share"]
    assert str(sum(total)) == expected["total"]


@only("CL-040")
def test_win_shares_from_winners_by_deal(case: Case) -> None:
    rows = [[int(player) for player in winners] for winners in case["input"]["rows"]]
    shares = win_shares(rows, players=3)
    assert {str(player): str(share) for player, share in enumerate(shares)} == case["expected"]["win_share"]
    assert str(sum(shares)) == case["expected"]["total"]


@only("CL-038")
def test_the_difference_of_two_bots_over_recorded_deals(case: Case) -> None:
    rows, expected = case["input"]["rows"], case["expected"]
    found = paired_difference([row["A"] for row in rows], [row["B"] for row in rows])
    assert found.mean == Fraction(expected["mean_difference"])
    assert found.error == pytest.approx(expected["standard_error"], abs=expected["tolerance"])
    apart = [paired_difference([row[bot] for row in rows], [0] * len(rows)).error for bot in "AB"]
    wrong = sum(error**2 for error in apart if error is not None) ** 0.5
    assert wrong == pytest.approx(expected["wrong_standard_error"], abs=expected["tolerance"])


@only("CL-026")
def test_charts_without_a_display(case: Case, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in case["input"]["env"]}
    asked = ("--players", "2", "--thresholds", "10:30:10", "--blocks", "5", "--out", str(tmp_path))
    done = subprocess.run([sys.executable, "-m", "rumsim", "sweep", *asked], env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    charts = sorted(tmp_path.glob("*.svg")) + sorted(tmp_path.glob("*.png"))
    names = ("best", "points", "slices", "wins")
    assert [chart.name for chart in charts] == [f"{name}.{suffix}" for suffix in ("svg", "png") for name in names]
    for chart in charts:
        written = chart.read_bytes()
        if chart.suffix == ".svg":
            assert ET.fromstring(written).tag.endswith("svg")
        else:
            assert written.startswith(b"\x89PNG") and written.endswith(b"IEND\xaeB`\x82")


# ---------------------------------------------------------------- runs


RUM = """
import json
import numpy as np
import rumsim
from rumsim.engine.jit import CACHE, kernel
from rumsim.engine.requests import game_of
from rumsim.engine.settle import settle
from rumsim.rules import parse_rules

@kernel
def rum(counts, game, points, wins):
    settle(counts, 0, game, points, wins)

points, wins = np.zeros((2, 5), np.int64)
rum(np.array([0, 7, 0, 0, 0]), game_of(parse_rules("ledger"), 2), points, wins)
print(json.dumps({
    "value": int(points[0]),
    "hits": sum(rum.stats.cache_hits.values()),
    "misses": sum(rum.stats.cache_misses.values()),
    "cache": str(CACHE),
    "package": rumsim.__file__,
}))
"""


@only("CL-022")
def test_an_edit_reaches_the_compiled_settlement(case: Case, tmp_path: Path) -> None:
    """Constants of kernels, file by file: test_cache."""
    workshop = Workshop(tmp_path, RUM)
    assert (workshop.run("rum").value, workshop.run("rum").hits) == (12 * (7 + 25), 1)
    workshop.edit("rules.py", "rum_bonus: int = 25", "rum_bonus: int = 30")
    assert workshop.run("rum").value == 12 * (7 + 30)
    workshop.edit("engine/requests.py", "TWELFTHS = 12", "TWELFTHS = 24")
    assert workshop.run("rum").value == 24 * (7 + 30)


@dataclass(frozen=True)
class Decks:
    """A task that notes the decks of its blocks."""

    seed: int
    seen: tuple[tuple[int, ...], ...] = ()

    @property
    def blocks(self) -> int:
        return len(self.seen)

    def __add__(self, other: Decks) -> Decks:
        return Decks(self.seed, self.seen + other.seen)

    def empty(self) -> Decks:
        return Decks(self.seed)

    def run(self, first: int, last: int) -> Decks:
        return Decks(self.seed, tuple(tuple(deck(self.seed, block)) for block in range(first, last)))


@only("CL-018")
def test_workers_do_not_replay_one_anothers_deals(case: Case) -> None:
    argv, expected = case["input"]["argv"], case["expected"]["distinct_deals"]
    blocks, seed = (int(argv[argv.index(option) + 1]) for option in ("--blocks", "--seed"))
    found, _ = execute(Decks(seed), blocks, jobs=4, chunk=150)
    hands = [(frozenset(cards[0:20:2]), frozenset(cards[1:20:2])) for cards in found.seen]
    assert len(hands) == len(set(hands)) == expected
    # The library plays exactly these, and estimates the same from them on one worker and on four.
    for block in range(0, blocks, 500):
        assert rumsim.play(2, "knock=10", seed=seed, block=block).deck == found.seen[block]
    assert rumsim.simulate(2, "knock=10", blocks, seed=seed, jobs=4) == rumsim.simulate(
        2, "knock=10", blocks, seed=seed
    )


@only("CL-020")
def test_workers_at_the_top_level_of_a_script(case: Case, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import multiprocessing\n"
        'multiprocessing.set_start_method("spawn")\n'
        "import rumsim\n"
        'print(rumsim.simulate(2, ["knock=30", "knock=10"], 20000, jobs=2).deals)\n'
    )
    done = subprocess.run([sys.executable, script], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, b"40000\n")
    assert b"Traceback" not in done.stderr


@only("CL-024")
def test_ctrl_c_half_way(
    case: Case, command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same in a process of its own, with a second Ctrl-C: test_cli_simulate."""
    module, pressed = import_module("rumsim.lab.simulate"), []

    def interrupted(task: Any, blocks: int, jobs: int, **_: Any) -> Any:
        def press(sums: Any, planned: int) -> None:
            if 2 * sums.blocks >= planned and not pressed:
                pressed.append(sums.blocks)
                os.kill(os.getpid(), signal.SIGINT)

        return execute(task, blocks, jobs, progress=press)

    monkeypatch.setattr(module, "execute", interrupted)
    argv = [str(tmp_path) if word.startswith("DIR") else word for word in case["input"]["argv"]]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer = command(*argv)
    finally:
        signal.signal(signal.SIGINT, before)
    assert answer.code == 130
    [blocks] = pressed
    assert f"{3 * blocks:,} deals" in answer.out
    assert f"{blocks:,} of 1,000,000 blocks" in answer.err
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    assert manifest["partial"] is True
    assert manifest["block_ranges"] == [[0, blocks]]
    assert {file.name for file in tmp_path.iterdir()} == {"manifest.json", *manifest["files"]}
    assert json.loads((tmp_path / "result.json").read_bytes())["interrupted"] is True
    for file in tmp_path.glob("*.parquet"):
        assert set(pd.read_parquet(file)["blocks"]) == {blocks}


@only("CL-028")
def test_the_locale_does_not_leak_into_files(case: Case, tmp_path: Path) -> None:
    written = {}
    for name, env in (("french", case["input"]["env"]), ("plain", {"LC_ALL": "C"})):
        argv = [str(tmp_path / name) if word == "DIR" else word for word in case["input"]["argv"]]
        argv += ["--csv", str(tmp_path / f"{name}.csv")]
        subprocess.run(
            [sys.executable, "-m", "rumsim", *argv], env={**os.environ, **env}, capture_output=True, check=True
        )
        files = [*(tmp_path / name).iterdir(), tmp_path / f"{name}.csv"]
        written[name] = {file.name.replace(name, ""): file.read_bytes() for file in files}
        del written[name]["manifest.json"]  # has times
    assert written["french"] == written["plain"]
    assert len(written["plain"]) == 8
    [head, row] = written["plain"][".csv"].decode("utf-8").splitlines()
    assert head.startswith("players,entry,bot,ev,")
    assert re.match(r'3,0,"knock=10,draw=improve:1,discard=greedy",0\.0,0\.0,', row)


# ---------------------------------------------------------------- what the cases do not say


@cases(lambda case: case["kind"] == "deadwood" and has_jokers(case))
def test_a_joker_in_a_pack_without_jokers_is_refused(case: Case) -> None:
    """Never honoured, never dropped."""
    with pytest.raises(RequestError, match="(?i)joker"):
        deadwood(case["input"]["cards"], "traditional")


def test_a_card_that_exists_but_is_not_held_may_not_be_given_back() -> None:
    # DK-026 gives back "??", which is no card at all.
    deck = shuffled(26)
    with pytest.raises(IllegalTurn, match=r"turn 2.*player 0|player 0.*turn 2"):
        referee("ledger", 2, 0, deck, DRAW_AND_RETURN, turn("upcard", deck[-1]))
