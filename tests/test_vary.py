"""The authors' dial, and the equilibrium among constants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rumsim
from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
from rumsim.engine.requests import PARTS
from rumsim.lab.constants import calm_mixture, totals_against
from rumsim.lab.equilibrium import equilibrium
from rumsim.lab.vary import read_vary, vary_equilibrium, vary_respond
from rumsim.rules import parse_rules
from rumsim.tasks.kept import Keep, kept_of
from rumsim.tasks.response import Question
from rumsim.tasks.traces import ends_under, trace
from tests.conftest import Answer

Command = Callable[..., Answer]


def test_a_mixture_is_the_mean_over_all_ways_to_draw_it() -> None:
    """Three players: what a constant gets against a mixture, against all pairs of opponents cut trace by trace."""
    rules = parse_rules("ledger:undercut=20,knock_limit=30")
    traces = trace(rules, [parse_bot("knock=10")] * 3, 4, 0, 200)
    mixed = ((5, Fraction(1, 4)), (12, Fraction(1, 2)), (40, Fraction(1, 4)))
    totals = totals_against(kept_of(traces), 3, mixed, 30) / PARTS
    for own in (-1, 0, 5, 11, 30, 80, 200):
        slow = 0.0
        for focal in range(3):
            for one, first in mixed:
                for other, second in mixed:
                    knock = [[one], [other]]
                    knock.insert(focal, [own])
                    rows = ends_under(traces, knock, rules)
                    slow += float(first * second) * float(traces.points[rows, focal].sum())
        assert totals[own + 1] == pytest.approx(slow, abs=0.1)  # twelfths over 600 deals, rounded deal by deal


@pytest.mark.parametrize(("players", "rules"), [(2, "ledger:undercut=40"), (5, "traditional")])
def test_no_constant_gains_much_against_the_mixture_on_a_third_seed(players: int, rules: str) -> None:
    calm = equilibrium(players, rules, blocks=8_000, seed=8, jobs=2)
    found = calm.constants
    assert sum(weight for _, weight in found.weights) == 1
    known = parse_rules(rules)
    fresh = Keep(Question(known, players, parse_bot("knock=10"), Mixture.parse("knock=10")), 77)
    kept = fresh.run(0, 20_000).joined()
    gains = totals_against(kept, players, found.weights, 200) / (PARTS * 12 * players * 20_000)
    assert found.gain_upper is not None
    assert gains.max() <= max(found.gain_upper, 0.02) + 0.15
    # A pure one is worse by itself where the equilibrium is mixed.
    if len(found.weights) > 2:
        middle = round(sum(float(weight) * threshold for threshold, weight in found.weights))
        pure = totals_against(kept, players, ((middle, Fraction(1)),), 200)
        assert pure.max() > totals_against(kept, players, found.weights, 200).max()


def test_a_mixture_is_calm_on_its_own_decks() -> None:
    rules = parse_rules("ledger:undercut=60")
    kept = kept_of(trace(rules, [parse_bot("knock=10")] * 2, 0, 0, 3000))
    mixed, answer = calm_mixture(kept, 2, 200)
    gains = totals_against(kept, 2, mixed, 200)[1:82] / (PARTS * 12 * 2 * 3000)
    assert gains.max() < 0.1 and int(gains.argmax()) == answer


def test_how_an_equilibrium_ends_is_what_simulate_finds() -> None:
    for rules in ("ledger", "traditional:undercut=3"):
        calm = equilibrium(3, rules, blocks=3000, seed=2)
        played = rumsim.simulate(3, f"knock={calm.knock()},{calm.bot}", 3000, rules, seed=3).as_json()
        ends = played["ends"]
        assert isinstance(ends, dict)
        assert calm.undercuts == pytest.approx(ends["undercut"])
        assert calm.turns == pytest.approx(played["turns"])


@pytest.mark.parametrize("limit", [0, 30])
def test_what_the_rules_forbid_gains_nothing(limit: int) -> None:
    calm = equilibrium(3, f"ledger:knock_limit={limit}", blocks=3000, seed=2)
    assert max(threshold for threshold, _ in calm.constants.weights) <= limit and calm.constant <= limit
    assert all(one is None or one <= limit for seat in calm.thresholds for one in seat)
    assert calm.gain_upper is not None and calm.gain_upper < 1.0  # a knock with 80 would gain ten


def test_a_field_is_turned() -> None:
    dial = read_vary("hand_size=5:7:1", parse_rules("ledger"), 3)
    assert [rules.size_for(3) for rules in dial.rules] == [5, 6, 7]
    varied = vary_respond("undercut=0:40:40", 2, "knock=10", blocks=4000, seed=1)
    assert varied.results[1] == rumsim.respond(2, "knock=10", "ledger:undercut=40", blocks=4000, seed=1)
    assert varied.results[0].constant >= varied.results[1].constant  # it costs less to be undercut
    assert varied.frame["value"].tolist() == [0, 40]
    limits = vary_equilibrium("knock_limit=0:20:20", 3, blocks=1000)
    assert all(one.first_threshold(0) <= limit for limit, one in zip(limits.values, limits.results, strict=True))


def test_the_commands_print_tables_json_and_charts(command: Command, tmp_path: Path) -> None:
    chart = tmp_path / "dial.png"
    words = ("--players", "3", "--vary", "undercut=0:30:30", "--blocks", "600")
    answer = command("equilibrium", *words, "--chart", chart)
    assert answer.code == 0 and chart.read_bytes().startswith(b"\x89PNG")
    assert max(map(len, answer.out.splitlines())) <= 80
    document = command("equilibrium", *words, "--json").json
    assert document["vary"] == "undercut" and [row["value"] for row in document["values"]] == [0, 30]
    assert document["values"][1]["rules"]["undercut"] == 30 and "thresholds" in document["values"][0]
    chart = tmp_path / "answers.svg"
    answer = command("respond", *words, "--opponents", "knock=20", "--chart", chart)
    assert answer.code == 0 and chart.read_text().startswith("<?xml")
    assert max(map(len, answer.out.splitlines())) <= 80
    document = command("respond", *words, "--opponents", "knock=20", "--json").json
    assert [row["constant"]["threshold"] for row in document["values"]]


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (("--vary", "undercut"), "vary"),
        (("--vary", "ace=0:1:1"), "vary"),
        (("--vary", "undercut=0:10:3"), "vary"),
        (("--vary", "undercut=0:1000:1"), "vary"),
        (("--vary", "hand_size=5:30:5"), "vary"),
        (("--chart", "dial.png"), "chart"),
        (("--vary", "undercut=0:10:5", "--chart", "dial.gif"), "chart"),
        (("--vary", "undercut=0:10:5", "--chart", "no/such/folder/dial.png"), "chart"),
        (("--vary", "undercut=0:10:5", "--out", "bot.toml"), "out"),
    ],
)
def test_wrong_dials_are_refused(command: Command, words: tuple[str, ...], argument: str) -> None:
    assert command("equilibrium", "--players", "3", *words).refused().startswith(f"rumsim equilibrium: {argument}: ")


def test_weights_stand_in_the_json() -> None:
    found = equilibrium(5, blocks=2000, seed=1).as_json()["constants"]
    assert isinstance(found, dict)
    assert np.isclose(sum(one["weight"] for one in found["mixture"]), 1)
    assert found["bot"].count("knock=") == len(found["mixture"])
