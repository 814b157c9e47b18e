"""An equilibrium among schedules: on decks it has not seen, nothing that was tried does better against it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import rumsim
from rumsim.bots.mixture import Mixture
from rumsim.lab.calm import as_written, schedule_bound
from rumsim.lab.equilibrium import Equilibrium, equilibrium
from rumsim.lab.respond import respond
from rumsim.runs.execute import execute
from rumsim.stats.bands import upper_bound
from rumsim.tasks.answers import CHUNK
from rumsim.tasks.bound import most
from rumsim.tasks.decisions import Climbing, Decisions
from rumsim.tasks.gains import Gains
from rumsim.tasks.kept import Kept, Knock
from rumsim.tasks.response import Question
from tests.conftest import Answer

Command = Callable[..., Answer]
CASES = [
    *((2, "ledger"), (3, "traditional"), (4, "ledger"), (5, "traditional")),
    *((4, "ledger:joker-knock"), (2, "ledger:rum-knock"), (3, "ledger:ace-high"), (2, "traditional:seven")),
    (3, "traditional:no-knock,max_turns=100"),
]


@cache
def found(players: int, rules: str) -> Equilibrium:
    return equilibrium(players, rules, blocks=40_000, seed=5, jobs=2)


@pytest.mark.parametrize(("players", "rules"), CASES)
def test_nothing_gains_more_than_its_bound_on_a_third_seed(players: int, rules: str) -> None:
    calm = found(players, rules)
    assert calm.gain_upper is not None
    assert calm.gain_upper <= 0.15  # for all schedules; by default, on ten times as many blocks, half as much
    assert calm.is_equilibrium is (calm.gain_upper <= 0.05) and calm.bound_blocks == calm.blocks
    bot = f"knock={calm.knock()},{calm.bot}"
    answers = [*(f"knock={threshold}" for threshold in (0, 10, 25, 35, 40, 45, 50, 60, 70, 80))]
    answers.append(f"knock={respond(players, bot, rules, blocks=5000, seed=77).knock()}")
    for answer in answers:
        gain = rumsim.simulate(players, [answer, bot], 20_000, rules, seed=99).points[0]
        assert gain.mean is not None and gain.error is not None
        assert gain.mean <= max(calm.gain_upper, 0) + 3.5 * gain.error, answer


@pytest.mark.parametrize(("players", "rules"), CASES[:2])
def test_seats_earn_what_simulate_finds(players: int, rules: str) -> None:
    calm = found(players, rules)
    alone = rumsim.simulate(players, f"knock={calm.knock()},{calm.bot}", 40_000, rules, seed=6)
    for (ev, error), seat in zip(calm.seats, alone.seat_points, strict=True):
        assert ev == pytest.approx(seat.mean, abs=1e-9)
        assert error == pytest.approx(seat.error, rel=1e-9)
    assert sum(ev for ev, _ in calm.seats) == pytest.approx(0, abs=1e-9)


def test_starts_come_to_the_same_play() -> None:
    calm = found(4, "ledger")
    assert [start for start, _, _ in calm.starts] == [0, 10, 40, 80, "random"]
    assert all(gain < 0.02 for _, _, gain in calm.starts)
    first = [[int(seat.split("/")[0]) for seat in knock.split("+")] for _, knock, _ in calm.starts]
    assert max(one[0] for one in first) - min(one[0] for one in first) <= 2


# ---- the bound -----------------------------------------------------------------------------------------------


def table(
    players: int, rules: str, schedule: list[list[int | None]], seed: int, blocks: int
) -> tuple[Decisions, Knock]:
    """Own turns on some decks when all have a schedule, what that gets taken away."""
    question = Question(rumsim.parse_rules(rules), players, rumsim.parse_bot("knock=10"), Mixture.parse("knock=10"))
    knock = as_written(schedule, 40)
    room = Decisions(players)

    def nothing(_: Kept) -> np.ndarray:
        return np.zeros(202, np.int64)

    execute(Gains(question, seed, knock, knock, 200, nothing, blocks, room), blocks, chunk=CHUNK)
    return room, knock


def gain(room: Decisions, schedules: Sequence[np.ndarray]) -> float:
    """What schedules by seat gain on these decks, in points a deal."""
    total = np.zeros(room.blocks, np.int64)
    for seat, schedule in enumerate(schedules):
        room.seat(seat).add_values(schedule, total)
    return float(total.mean()) / (12 * room.players)


@pytest.mark.parametrize(
    ("players", "rules", "schedule"), [(3, "ledger", [[42], [45], [48]]), (2, "ledger:undercut=20", [[38, 30], [44]])]
)
def test_no_schedule_at_all_gains_more_on_the_decks_of_the_bound(
    players: int, rules: str, schedule: list[list[int | None]]
) -> None:
    """The bound holds for the class: also for schedules that nobody tried."""
    room, knock = table(players, rules, schedule, seed=3, blocks=1500)
    bound = schedule_bound(room, 200, knock, knock)
    assert gain(room, list(knock)) == 0  # among those who have it, it gains nothing
    rng = np.random.default_rng(1)
    seats = [room.seat(seat) for seat in range(players)]
    best = [most(seat, 200, [knock[seat.seat].astype(np.int64)], 1.645).thresholds for seat in seats]
    highest = gain(room, best)
    assert highest < bound
    for _ in range(300):
        tried = []
        for seat, thresholds in zip(seats, best, strict=True):
            near = thresholds + rng.integers(-6, 7, len(thresholds)) * (rng.random(len(thresholds)) < 0.4)
            wild = rng.integers(-1, 90, len(thresholds))
            one = np.clip(near if rng.random() < 0.7 else wild, -1, 200)
            assert seat.values(one).sum() <= seat.values(thresholds).sum()
            tried.append(one)
        assert gain(room, tried) <= highest
    # Every pair of first thresholds, by enumeration: nothing was overlooked.
    for seat, thresholds in zip(seats, best, strict=True):
        for first in range(-1, 90, 3):
            one = thresholds.copy()
            one[0] = first
            assert seat.values(one).sum() <= seat.values(thresholds).sum()


def test_the_bound_covers_the_best_answer_that_other_decks_know() -> None:
    schedule: list[list[int | None]] = [[38], [44]]
    rules = "ledger:undercut=20"
    many, knock = table(2, rules, schedule, seed=1000, blocks=20_000)
    answer = []
    for seat in (many.seat(0), many.seat(1)):
        search = Climbing(seat, 200, 1.0)
        answer.append(search.improved(search.back(12)))
    other, _ = table(2, rules, schedule, seed=1001, blocks=20_000)
    true = gain(other, answer)
    assert true > 0.5  # no equilibrium at all
    bounds = [schedule_bound(table(2, rules, schedule, seed, 300)[0], 200, knock, knock) for seed in range(20)]
    assert sum(bound >= true for bound in bounds) >= 18


def test_its_bot_file_is_a_bot(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "calm.toml"
    answer = command("equilibrium", "--players", "3", "--blocks", "2000", "--out", file)
    assert answer.code == 0 and max(map(len, answer.out.splitlines()[:-1])) <= 80
    document = command("equilibrium", "--players", "3", "--blocks", "2000", "--json").json
    assert str(rumsim.parse_bot(f"@{file}")) == document["bot"]
    assert list(document)[:5] == ["rules", "players", "draw", "bot", "thresholds"]
    assert [row["seat"] for row in document["seats"]] == [0, 1, 2]
    assert command("simulate", "--players", "3", "--bots", f"@{file}", "knock=10", "--blocks", "10").code == 0


def test_a_turn_that_few_reach_has_no_threshold() -> None:
    calm = equilibrium(3, blocks=3000, seed=2)
    for thresholds, shares in zip(calm.thresholds, calm.reached, strict=True):
        assert [one is None for one in thresholds] == [share < 0.01 for share in shares]
    json.dumps(calm.as_json(), allow_nan=False)


def test_answers_do_not_depend_on_jobs() -> None:
    one, three = (equilibrium(2, blocks=700, seed=3, jobs=jobs) for jobs in (1, 3))
    assert one == three


def test_a_bound_is_not_exceeded_95_times_in_100() -> None:
    random = np.random.default_rng(4)
    truth = np.array([-0.3, 0.0, 0.1, 0.1, 0.05])
    sizes = np.full(64, 50)
    below = 0
    for _ in range(400):
        noise = random.standard_normal((64, 5)).cumsum(axis=1)
        below += upper_bound((noise / np.sqrt(50) + truth) * 50, sizes) >= truth.max()
    assert below >= 400 * 0.95 - 3 * (400 * 0.95 * 0.05) ** 0.5


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (("--players", "1"), "players"),
        ((), "players"),
        (("--players", "2", "--blocks", "1"), "blocks"),
        (("--players", "2", "--seed", "3", "--confirm-seed", "3"), "confirm_seed"),
        (("--players", "2", "--bot", "knock=3"), "bot"),
        (("--players", "2", "--out", "calm.txt"), "out"),
    ],
)
def test_wrong_requests_are_refused(command: Command, words: tuple[str, ...], argument: str) -> None:
    assert command("equilibrium", *words).refused().startswith(f"rumsim equilibrium: {argument}: got")
