"""The best knock against given opponents: exactly what direct play earns, and no schedule nearby does better."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rumsim
from rumsim import decks
from rumsim.bots import ThresholdBot
from rumsim.bots.mixture import Mixture
from rumsim.errors import RequestError
from rumsim.lab.respond import FLAT, respond
from rumsim.runs.execute import execute
from rumsim.tasks.answers import Search
from rumsim.tasks.decisions import Climbing, Decisions
from rumsim.tasks.response import Question, _choice, seats
from rumsim.tasks.traces import trace
from tests.conftest import Answer

Command = Callable[..., Answer]
TABLES = [
    (2, "knock=10", "ledger", ""),
    (3, "knock=40/20,draw=meld", "traditional", "draw=always"),
    (4, "knock=25+20+15+10", "ledger:knock_limit=30", ""),
    (3, "knock=15,draw=meld", "ledger:joker-knock", ""),
    (5, "knock=never", "traditional:max_turns=60", "draw=meld"),
]


@pytest.mark.parametrize(("players", "opponents", "rules", "bot"), TABLES)
def test_what_an_answer_earns_is_what_simulate_finds(players: int, opponents: str, rules: str, bot: str) -> None:
    found = respond(players, opponents, rules, blocks=600, seed=4, confirm_seed=9, bot=bot)
    keys = f",{bot}" if bot else ""
    for knock, points, wins in (
        (found.knock(), found.points, found.wins),
        (str(found.constant), found.constant_points, found.constant_wins),
    ):
        alone = rumsim.simulate(players, [f"knock={knock}{keys}", opponents], 600, rules, seed=9)
        assert (points.mean, points.error) == (alone.points[0].mean, alone.points[0].error)
        assert (wins.mean, wins.error) == (alone.wins[0].mean, alone.wins[0].error)


@pytest.mark.parametrize(("players", "opponents", "rules", "bot"), TABLES)
def test_no_other_constant_earns_more_on_the_decks_of_the_search(
    players: int, opponents: str, rules: str, bot: str
) -> None:
    found = respond(players, opponents, rules, blocks=300, seed=4, bot=bot)
    keys = f",{bot}" if bot else ""
    limit = found.rules.knock_limit if found.rules.knock_limit is not None else 200

    def earns(threshold: int) -> float:
        mean = rumsim.simulate(players, [f"knock={threshold}{keys}", opponents], 300, rules, seed=4).points[0].mean
        assert mean is not None
        return mean

    best = earns(found.constant)
    low, high = found.within
    for threshold in {0, 5, 15, 25, 40, 60, found.constant - 1, found.constant + 1, low - 1, high + 1}:
        if 0 <= threshold <= limit:
            assert earns(threshold) <= best
            assert (earns(threshold) >= best - FLAT - 1e-9) == (low <= threshold <= high) or not (
                low - 1 <= threshold <= high + 1
            )


def decisions(players: int, opponents: str, rules: str = "ledger", blocks: int = 400, chunk: int = 150) -> Decisions:
    """The own turns of all seats on some decks of seed 7."""
    question = Question(rumsim.parse_rules(rules), players, ThresholdBot(), Mixture.parse(opponents))
    sums, _ = execute(Search(question, 7, 10, Decisions(players)), blocks, chunk=chunk)
    return sums.decisions


@pytest.mark.parametrize(("players", "opponents", "rules"), [(3, "knock=12", "ledger"), (2, "knock=0", "traditional")])
def test_no_change_of_one_threshold_does_better_on_the_decks_of_the_search(
    players: int, opponents: str, rules: str
) -> None:
    """A schedule is a best answer only if it is best on each turn given its other turns, earlier ones included."""
    rng = random.Random(3)
    for seat in (decisions(players, opponents, rules).seat(place) for place in range(players)):
        search = Climbing(seat, 200, 0.0)
        thresholds = search.improved(search.back(seat.own_turns()))
        best = int(seat.values(thresholds).sum())
        ranges, reached = seat.ranges(thresholds, 200, 24.0)
        for turn in range(min(7, len(thresholds))):
            for threshold in {
                -1,
                0,
                200,
                *rng.sample(range(90), 25),
                *range(thresholds[turn] - 3, thresholds[turn] + 4),
            }:
                other = thresholds.copy()
                other[turn] = max(-1, threshold)
                gets = int(seat.values(other).sum())
                assert gets <= best, (seat.seat, turn, threshold)
                if ranges[0, turn] <= other[turn] <= ranges[1, turn]:
                    assert gets >= best - 24 * 400
        assert (ranges[0] <= thresholds).all() and (thresholds <= ranges[1]).all()
        assert reached[0] == (seat.ends > seat.starts).mean()
        assert best >= max(int(seat.values([constant]).sum()) for constant in range(0, 90, 3))


def test_own_turns_are_those_of_direct_play() -> None:
    """What a threshold gets in the rows kept is what a bot with it gets at the table."""
    kept = decisions(3, "knock=30/20/10")
    for knock in ("25", "never", "40/12/30/never/9"):
        bot = ThresholdBot(knock=(tuple(-1 if one == "never" else int(one) for one in knock.split("/")),))
        total = np.zeros(400, np.int64)
        for seat in range(3):
            kept.seat(seat).add_values(bot.knock[0], total)
        alone = rumsim.simulate(3, [f"knock={knock}", "knock=30/20/10"], 400, seed=7).points[0]
        assert total.sum() / (12 * 3 * 400) == pytest.approx(alone.mean, abs=1e-12)


@pytest.mark.parametrize("chunk", [1, 37, 400])
def test_which_blocks_have_room_does_not_depend_on_chunks(chunk: int) -> None:
    whole = decisions(3, "knock=12")
    sizes = sum(whole.seat(seat).ends - whole.seat(seat).starts + 1 for seat in range(3))
    room = int(sizes[:123].sum())  # type: ignore[index]
    for most_rows, most_traces, blocks in ((room, 10**6, 123), (room - 1, 10**6, 122), (10**6, 3 * 77 + 2, 77)):
        question = Question(rumsim.parse_rules("ledger"), 3, ThresholdBot(), Mixture.parse("knock=12"))
        few = Decisions(3, most_rows, most_traces)
        sums, _ = execute(Search(question, 7, 10, few), 400, chunk=chunk)
        assert (sums.blocks, few.blocks, few.full) == (400, blocks, True)
        for seat in range(3):
            for threshold in (10, 33):
                some = whole.seat(seat).values([threshold])[:blocks]
                assert np.array_equal(few.seat(seat).values([threshold]), some)


def test_a_search_without_room_for_all_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rumsim.lab.respond.Decisions", lambda players: Decisions(players, 5000, 10**6))
    found = respond(2, "knock=10", blocks=1000, seed=1)
    assert 100 < found.search_blocks < found.searched == found.blocks == 1000
    assert found.as_json()["search_blocks"] == found.search_blocks
    assert f"(the schedule on the first {found.search_blocks})" in " ".join(found.table().split())
    alone = respond(2, "knock=10", blocks=found.search_blocks, seed=1)
    assert found.knock() == alone.knock()  # the first blocks, no others


def test_the_best_constant_carries_those_that_may_be_as_good() -> None:
    found = respond(2, "knock=10", blocks=2000, seed=1)
    assert found.constant in found.not_beaten and 3 < len(found.not_beaten) < 20
    assert found.as_json()["constant"]["set"] == list(found.not_beaten)  # type: ignore[index]
    assert "not beaten" in found.table()
    assert set(respond(2, "knock=10", blocks=20_000, seed=1).not_beaten) < set(found.not_beaten)


def test_traces_stop_where_the_deal_is_over_whoever_is_studied() -> None:
    """A deal of a million turns is not played on when two have knocked; nor is room for it asked for each block."""
    rules = "traditional:max_turns=1000000"
    one = respond(3, "knock=60,draw=meld", rules, blocks=300, seed=3, bot="draw=meld")
    other = respond(3, "knock=60,draw=meld", "traditional:max_turns=5000", blocks=300, seed=3, bot="draw=meld")
    assert (one.turns, one.points) == (other.turns, other.points)


def test_turns_that_few_blocks_reach_have_no_threshold() -> None:
    found = respond(2, "knock=10", blocks=500, seed=1)
    document = found.as_json()
    json.dumps(document, allow_nan=False)
    assert list(document)[:6] == ["rules", "players", "opponents", "bot", "constant", "schedule"]
    schedule, reached = document["schedule"], document["reached"]
    for thresholds, shares in zip(schedule, reached, strict=True):  # type: ignore[call-overload]
        assert shares[0] > 0.5
        assert all(one >= other for one, other in pairwise(shares))
        assert [threshold is None for threshold in thresholds] == [share < 0.01 for share in shares]


def test_answers_do_not_depend_on_jobs() -> None:
    one, three = (respond(3, "knock=10", blocks=500, seed=2, bot="draw=meld", jobs=jobs) for jobs in (1, 3))
    assert one == three


# ---- mixtures ------------------------------------------------------------------------------------------------


def test_a_mixture_is_drawn_anew_in_every_deal_from_its_own_stream() -> None:
    mixture = Mixture.parse("0.3*knock=0+0.7*knock=200")
    assert mixture.weights == (Fraction(3, 10), Fraction(7, 10))
    question = Question(rumsim.parse_rules("ledger"), 3, ThresholdBot(), mixture)
    drawn = np.stack([_choice(question, 5, 100, 3100, focal) for focal in range(3)])
    for focal in range(3):
        others = np.delete(drawn[focal], focal, axis=1)
        assert others.mean() == pytest.approx(0.7, abs=0.02)
        assert np.corrcoef(others.T)[0, 1] == pytest.approx(0, abs=0.06)
    assert np.corrcoef(drawn[0, :, 1], drawn[2, :, 1])[0, 1] == pytest.approx(0, abs=0.06)
    # The same word as the plain generator's, whatever the range of blocks.
    stream = decks.Stream(decks.key_of(5), 103, decks.OPPONENTS, 5 * 0 + 1)
    assert drawn[0, 3, 1] == ((stream.next() >> 11) * 2.0**-53 >= 0.3)
    assert np.array_equal(_choice(question, 5, 103, 110, 1), drawn[1, 3:10])


def test_an_answer_to_a_mixture_lies_between_those_to_its_parts() -> None:
    eager, patient = (respond(2, f"knock={knock}", blocks=3000, seed=1).constant for knock in (8, 40))
    mixed = respond(2, "0.5*knock=8+0.5*knock=40", blocks=3000, seed=1)
    assert min(eager, patient) <= mixed.constant <= max(eager, patient)
    assert mixed.opponents.startswith("0.5*knock=8,draw=improve:1,discard=greedy+0.5*knock=40")
    sure = respond(2, "1*knock=8", blocks=3000, seed=1)
    assert replace(sure, opponents="") == replace(respond(2, "knock=8", blocks=3000, seed=1), opponents="")


def test_bots_of_a_mixture_may_draw_differently() -> None:
    """Each block's trace is that of the bots drawn for it, in every seat."""
    rules = rumsim.parse_rules("traditional")
    question = Question(rules, 3, ThresholdBot(), Mixture.parse("0.4*knock=9,draw=always+0.6*knock=20,draw=stock"))
    for focal, seat in enumerate(seats(question, 8, 10, 40, jobs=2)):
        chosen = _choice(question, 8, 10, 40, focal)
        assert len(np.unique(chosen, axis=0)) > 2
        for block in range(30):
            table = [question.bot if s == focal else question.opponents.bots[chosen[block, s]] for s in range(3)]
            alone = trace(rules, table, 8, 10 + block, 11 + block)
            rows = slice(*seat.traces.starts[block : block + 2])
            assert np.array_equal(seat.traces.counts[rows], alone.counts)
            assert np.array_equal(seat.traces.points[rows], alone.points)


@pytest.mark.parametrize(
    "text",
    [
        *("", "0.5*knock=8", "0.5*knock=8+0.6*knock=9", "1.5*knock=8+-0.5*knock=9", "0*knock=8+0*knock=9"),
        *("knock=8+0.5*knock=9", "0.5*knock=8,draw=no+0.5*knock=9", "1.2.3*knock=8", "knock=x", "@mine.py"),
    ],
)
def test_what_is_no_mixture_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as caught:
        Mixture.parse(text)
    assert len(caught.value.lines) == 1
    assert caught.value.lines[0].startswith("opponents: ")


# ---- the command ---------------------------------------------------------------------------------------------


def test_the_command(command: Command) -> None:
    words = ("respond", "--players", "3", "--opponents", "knock=10", "--blocks", "400", "--seed", "6")
    answer = command(*words)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "Best constant: knock at" in answer.out and "seat  own turn  knock at" in answer.out
    found = command(*words, "--json").json
    assert found == json.loads(json.dumps(respond(3, "knock=10", blocks=400, seed=6).as_json()))
    assert (found["search_seed"], found["confirm_seed"]) == (6, 7)


def test_one_block_has_no_errors(command: Command) -> None:
    words = ("respond", "--players", "2", "--opponents", "knock=10", "--blocks", "1")
    found = command(*words, "--json").json
    assert found["ev_se"] is found["constant"]["ev_se"] is None
    assert command(*words).code == 0


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (("--players", "6", "--opponents", "knock=1"), "players"),
        (("--players", "2"), "opponents"),
        (("--players", "3", "--opponents", "knock=1+2"), "opponents"),
        (("--players", "2", "--opponents", "knock=1", "--blocks", "0"), "blocks"),
        (("--players", "2", "--opponents", "knock=1", "--confirm-seed", "0"), "confirm_seed"),
        (("--players", "2", "--opponents", "knock=1", "--bot", "knock=3"), "bot"),
    ],
)
def test_wrong_requests_are_refused(command: Command, words: tuple[str, ...], argument: str) -> None:
    assert command("respond", *words).refused().startswith(f"rumsim respond: {argument}: got")
