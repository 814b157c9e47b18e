"""What opponents hold on one's own turn: counted as the plain rules count it, and exact where nobody has moved."""

from __future__ import annotations

import io
import json
import math
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rumsim
from rumsim import decks
from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import ThresholdBot
from rumsim.charts.odds import MOST_TURNS, chance_lowest
from rumsim.errors import RequestError
from rumsim.lab import odds as lab
from rumsim.lab.odds import odds
from rumsim.lab.odds_turns import MOST_COUNT, QUANTILES, Turn, turns_of_seat, turns_together
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.rules import parse_rules
from rumsim.runs.progress import Progress
from rumsim.stats.blocks import Estimate
from rumsim.tasks.odds import CountOdds, OddsSums
from rumsim.tasks.response import Question
from tests.conftest import Answer
from tests.test_charts import has_room, shown_texts

Command = Callable[..., Answer]
DATA = Path(__file__).parent / "data"
MIXED = ((0.25, "knock=8/14+40+9+9+12"), (0.75, "knock=20"))
# Players, opponents, rules, the studied player's keys, blocks: every kind of payment from which counts are read.
TABLES = [
    (2, ((1.0, "knock=10"),), "ledger", "", 25),
    (2, MIXED, "ledger:undercut=0,rum_bonus=0", "draw=always", 20),
    (3, ((1.0, "knock=30/20/9+25+12,draw=meld"),), "traditional:max_turns=60", "draw=stock", 25),
    (4, ((1.0, "knock=60"),), "traditional:knock_limit=15,max_turns=40", "", 12),
    (5, MIXED, "ledger:ace-high", "draw=meld", 15),
    (3, ((1.0, "knock=12"),), "traditional:joker-knock,max_turns=40", "", 15),
]


# ---- the slow count --------------------------------------------------------------------------------------------


def drawn(mixture: tuple[tuple[float, str], ...], seed: int, block: int, focal: int, player: int) -> str:
    """The bot of an opponent in one deal."""
    chance = (decks.Stream(decks.key_of(seed), block, decks.OPPONENTS, 5 * focal + player).next() >> 11) * 2.0**-53
    upto = 0.0
    for weight, bot in mixture:
        upto += weight
        if chance < upto:
            return bot
    return mixture[-1][1]


def watched(
    players: int, mixture: tuple[tuple[float, str], ...], rules: str, bot: str, seed: int, block: int, seat: int
) -> list[list[int]]:
    """Play a deal by the plain rules; return what opponents hold on each own turn of the studied player, player 0."""
    known = parse_rules(rules)
    others = [drawn(mixture, seed, block, seat, player) for player in range(1, players)]
    table = [parse_bot(f"knock=never,{bot}" if bot else "knock=never"), *map(parse_bot, others)]
    held = []

    def watch(deal: Deal, turn: object) -> None:
        if turn.player == 0 and turn.draw != "decline":  # type: ignore[attr-defined]
            held.append([deal.count(player) for player in range(1, players)])

    deal = Deal(known, players, players - 1 - seat, decks.deck(seed, block, known.deck_size))
    play_out(deal, table, seed, block, watch)  # type: ignore[arg-type]
    return held


def assert_ratio(found: Estimate, tops: list[int], bottoms: list[int]) -> None:
    """One number of each list a block."""
    blocks = len(bottoms)
    share = Fraction(sum(tops), sum(bottoms))
    spread = sum((top - share * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    assert found.mean == float(share)
    assert found.error == pytest.approx(math.sqrt(spread * blocks / (blocks - 1)) / sum(bottoms), abs=1e-12)


def assert_turn(found: Turn, held: list[list[list[int]]], seats: int) -> None:
    """``held`` are the opponents' counts in all deals that reached the turn, block by block."""
    deals = [len(block) for block in held]
    assert_ratio(found.reached, deals, [seats] * len(held))
    opponent = [[count for deal in block for count in deal] for block in held]
    lowest = [[min(deal) for deal in block] for block in held]
    for spread, counts in ((found.opponent, opponent), (found.lowest, lowest)):
        assert_ratio(spread.mean, [sum(block) for block in counts], [len(block) for block in counts])
        ranked = sorted(count for block in counts for count in block)
        assert spread.quantiles == tuple(ranked[-(-len(ranked) * percent // 100) - 1] for percent in QUANTILES)
    assert [chance.count for chance in found.chances] == list(range(MOST_COUNT + 1))
    for chance in found.chances:
        assert_ratio(chance.below, [sum(chance.count < low for low in block) for block in lowest], deals)
        assert_ratio(chance.tied, [sum(chance.count == low for low in block) for block in lowest], deals)


@pytest.mark.parametrize(("players", "mixture", "rules", "bot", "blocks"), TABLES)
def test_the_table_is_what_the_plain_rules_count(
    players: int, mixture: tuple[tuple[float, str], ...], rules: str, bot: str, blocks: int
) -> None:
    opponents = "+".join(f"{weight}*{one}" for weight, one in mixture)
    found = odds(players, opponents, rules, blocks=blocks, seed=3, bot=bot)
    deals = [
        [watched(players, mixture, rules, bot, 3, block, seat) for seat in range(players)] for block in range(blocks)
    ]

    def reaching(turn: int, seats: range) -> list[list[list[int]]]:
        return [[block[seat][turn] for seat in seats if len(block[seat]) > turn] for block in deals]

    for turns, seats in ((found.turns, range(players)), *((found.by_seat[s], range(s, s + 1)) for s in range(players))):
        assert turns
        for place, turn in enumerate(turns):
            assert turn.own_turn == place + 1
            assert_turn(turn, reaching(place, seats), len(seats))
        after = sum(map(len, reaching(len(turns), seats)))  # of the first turn that is left out
        assert after < 0.01 * blocks * len(seats)


# ---- what must be so -------------------------------------------------------------------------------------------


def test_on_the_first_turn_of_all_the_opponent_holds_what_was_dealt() -> None:
    """The exact distribution of all 7-card hands, with two players, where the other has not moved."""
    exact = json.loads((DATA / "exact_7_low.json").read_text())
    hands, every = exact["hands_by_deadwood"], exact["hands"]
    blocks = 20_000
    (first,) = odds(2, "knock=200", "ledger:hand_size=7", blocks=blocks, seed=5).by_seat[0]
    assert first.reached.mean == 1
    for chance in first.chances:
        more, same = sum(hands[chance.count + 1 :]) / every, sum(hands[chance.count : chance.count + 1]) / every
        for found, truth in ((chance.below, more), (chance.tied, same)):
            assert found.mean == pytest.approx(truth, abs=4.5 * math.sqrt(truth * (1 - truth) / blocks) + 1e-3)
    mean = sum(count * number for count, number in enumerate(hands)) / every
    assert first.opponent.mean.mean == pytest.approx(mean, abs=4.5 * (first.opponent.mean.error or 0))


def test_whoever_holds_more_is_the_lowest_more_seldom() -> None:
    found = odds(3, "knock=20/15/10", blocks=1500, seed=2)
    for turns in (found.turns, *found.by_seat):
        shares = [turn.reached.mean for turn in turns]
        assert len(shares) > 3 and all(one >= other for one, other in pairwise(shares))  # type: ignore[operator]
        for turn in turns:
            chances = [(chance.below.mean or 0.0, chance.tied.mean or 0.0) for chance in turn.chances]
            assert all(one >= other for (one, _), (other, _) in pairwise(chances))
            # Who is not above 4 is not below 5, or tied with it.
            assert all(one == pytest.approx(sum(other)) for (one, _), other in pairwise(chances))
            assert (turn.lowest.mean.mean or 0) < (turn.opponent.mean.mean or 0)
            assert turn.opponent.quantiles == tuple(sorted(turn.opponent.quantiles))
    # On the third turn of seat 0 opponents have not knocked twice, the second time with more than 15.
    third = found.by_seat[0][2].chances
    assert third[15].below.mean == 1 > third[16].below.mean  # type: ignore[operator]


def test_blocks_are_added_up_alike_however_they_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    one, three = (odds(3, "knock=10", blocks=500, seed=2, bot="draw=meld", jobs=jobs) for jobs in (1, 3))
    assert one == three
    monkeypatch.setattr(lab, "CHUNK", 77)
    assert odds(3, "knock=10", blocks=500, seed=2, bot="draw=meld") == one


def test_other_decks_tell_how_far_apart_two_tables_are() -> None:
    here, there = (odds(3, "knock=25", blocks=800, seed=seed) for seed in (6, 9))
    check = odds(3, "knock=25", blocks=800, seed=6, confirm_seed=9).check
    assert check is not None and here.check is None and check.confirm_seed == 9
    one, other = (
        found.frame.pivot(index="own_turn", columns="count", values="below").to_numpy() for found in (here, there)
    )
    both = min(len(one), len(other))
    apart = np.abs(one[:both] - other[:both])
    assert check.chances == apart.max() > 0
    assert check.own_turn == apart.max(axis=1).argmax() + 1
    quantiles = [
        np.array([[*t.opponent.quantiles, *t.lowest.quantiles] for t in f.turns[:both]]) for f in (here, there)
    ]
    assert check.quantiles == np.abs(quantiles[0] - quantiles[1]).max()


# ---- runs that are long, or end early --------------------------------------------------------------------------


def question(players: int, opponents: str, rules: str, draw: str = "stock") -> Question:
    return Question(parse_rules(rules), players, ThresholdBot(draw=draw), Mixture.parse(opponents))


def stopped_at(monkeypatch: pytest.MonkeyPatch, seed: int, block: int) -> None:
    """Let Ctrl-C come in chunks of 50 blocks, in the one with a block of a seed."""
    monkeypatch.setattr(lab, "CHUNK", 50)
    plain = CountOdds.run

    def run(task: CountOdds, first: int, last: int) -> OddsSums:
        if task.seed == seed and last > block:
            raise KeyboardInterrupt
        return plain(task, first, last)

    monkeypatch.setattr(CountOdds, "run", run)


def test_ctrl_c_keeps_the_blocks_that_are_finished(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("odds", "--players", "3", "--opponents", "knock=10", "--blocks", "400", "--seed", "4", "--json")
    whole = odds(3, "knock=10", blocks=150, seed=4).as_json()
    stopped_at(monkeypatch, seed=4, block=150)
    answer = command(*words)
    assert answer.code == 130
    assert answer.json == json.loads(json.dumps(whole)) | {"interrupted": True}
    assert answer.err == "rumsim odds: interrupted: 150 of 400 blocks were finished\n"
    assert "150 blocks of seed 4" in command(*words[:-1]).out


def test_ctrl_c_before_the_first_block_shows_no_number(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stopped_at(monkeypatch, seed=0, block=0)
    words = ("odds", "--players", "2", "--opponents", "knock=10", "--chart", tmp_path / "odds.svg")
    answer = command(*words, "--json")
    assert answer.code == 130 and answer.json["interrupted"] is True
    assert (answer.json["blocks"], answer.json["turns"], answer.json["seats"]) == (0, [], [[], []])
    answer = command(*words)
    assert answer.code == 130 and "Interrupted before anything was counted" in answer.out
    assert not list(tmp_path.iterdir())


def test_ctrl_c_while_other_decks_are_counted_leaves_out_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = odds(2, "knock=20", blocks=120, seed=1)
    stopped_at(monkeypatch, seed=2, block=70)
    found = odds(2, "knock=20", blocks=120, seed=1, confirm_seed=2)
    assert found.interrupted and found.check is None and found.turns == whole.turns


def test_memory_does_not_grow_with_blocks() -> None:
    """Deals that nobody ends: 500 turns, and every seat draws otherwise."""
    peaks = []
    for blocks in (1, 4, 100):
        task = CountOdds(question(5, "knock=never,draw=meld", "traditional"), seed=1)
        task.run(0, 1)
        tracemalloc.start()
        sums = task.empty() + task.run(0, blocks)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert sums.tallies.deals.max() == blocks
    assert max(peaks) < 20e6 and peaks[-1] - peaks[1] < 1e5


def test_turns_that_are_not_counted_are_not_played(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """These deals would not end before their max_turns."""
    for module in ("rumsim.tasks.odds", "rumsim.lab.odds"):
        monkeypatch.setattr(f"{module}.MOST_OWN_TURNS", 20)
    words = ("odds", "--players", "2", "--opponents", "knock=never", "--blocks", "2", "--bot", "draw=stock", "--rules")
    answer = command(*words, "traditional:max_turns=1000000000")
    assert answer.code == 0 and "Later own turns than 20 are not counted." in answer.out
    assert "are not counted" not in command(*words, "traditional:max_turns=38").out


def test_sums_of_as_many_blocks_as_are_accepted_do_not_wrap() -> None:
    """Ten million blocks: as if the same 250 came again and again."""
    few = CountOdds(question(4, "knock=20", "ledger", "improve"), seed=1).run(0, 250)
    times = 40_000
    many = OddsSums(250 * times, type(few.tallies)(*(times * tally for tally in few.tallies)))
    pairs = [(turns_together(few, 4), turns_together(many, 4))]
    pairs += [(turns_of_seat(few, seat, 4), turns_of_seat(many, seat, 4)) for seat in range(4)]
    for turns, others in pairs:
        assert len(turns) == len(others) > 3
        for one, other in zip(turns, others, strict=True):
            assert one.opponent.quantiles == other.opponent.quantiles
            estimates = [(one.reached, other.reached), (one.opponent.mean, other.opponent.mean)]
            estimates += [(a.below, b.below) for a, b in zip(one.chances, other.chances, strict=True)]
            for a, b in estimates:
                assert a.mean == b.mean
                assert b.error == pytest.approx((a.error or 0) * math.sqrt(249 / 250 / times), rel=1e-6, abs=1e-15)
    # The largest sum: squares of what four opponents hold, each at most 320, in all of five seats.
    assert (5 * 4 * 320) ** 2 * 10_000_000 < 2**63


def test_the_estimate_so_far_is_shown() -> None:
    sums = CountOdds(question(3, "knock=10", "ledger", "improve"), seed=1).run(0, 300)
    seconds = iter((0.0, 4.0))
    stream = io.StringIO()
    with Progress(2 * 3 * 1000, stream=stream, clock=lambda: next(seconds)) as bar:
        show = lab._shown(bar, 3, 1000)
        show(CountOdds(question(3, "knock=10", "ledger", "improve"), seed=1).run(0, 5), 1000)
        show(sums, 1000)
    mean = turns_together(sums, 3)[0].lowest.mean.mean
    assert f"lowest opponent on turn 1 {mean:.2f} ± " in stream.getvalue()
    assert stream.getvalue().startswith("rumsim: 65 %")


# ---- the command -----------------------------------------------------------------------------------------------


def test_the_command(command: Command) -> None:
    words = ("odds", "--players", "3", "--opponents", "knock=10", "--blocks", "400", "--seed", "6")
    answer = command(*words)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    found = odds(3, "knock=10", blocks=400, seed=6)
    document = command(*words, "--json").json
    assert document == json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert list(document) == ["rules", "players", "opponents", "bot", "blocks", "seed", "turns", "seats"]
    keys = ["own_turn", "reached", "reached_se", "opponent", "lowest", "lowest_chance"]
    assert [list(turn) for turn in document["turns"]] == [keys] * len(found.turns)
    assert list(document["turns"][0]["lowest"]) == ["mean", "mean_se", "q10", "q25", "q50", "q75", "q90"]
    chances = document["turns"][2]["lowest_chance"]
    assert list(chances[18]) == ["count", "below", "below_se", "tied", "tied_se"]
    assert [chance["count"] for chance in chances] == list(range(81))
    # A line of the second table: what stands under the third turn, beside 15.
    (line,) = [line.split() for line in answer.out.splitlines() if line.split()[:1] == ["15"]]
    assert line[3] == f"{100 * chances[15]['below']:.1f}"


def test_one_seat_is_shown_and_another_seed_compared(command: Command) -> None:
    words = ("odds", "--players", "3", "--opponents", "knock=10", "--blocks", "400")
    every = command(*words, "--json").json
    assert every["seats"][0][0]["reached"] == 1
    shown = command(*words, "--seat", "2").out
    assert "in seat 2" in shown and f"{every['seats'][2][0]['reached']:.1%}" in shown
    compared = command(*words, "--confirm-seed", "8")
    assert "On as many blocks of seed 8, over all seats: quantiles differ by at most" in compared.out.replace("\n", " ")
    document = command(*words, "--confirm-seed", "8", "--json").json
    assert document["confirm_seed"] == 8 and list(document["confirmed"]) == ["quantiles", "chances", "own_turn"]
    assert document["turns"] == every["turns"]


def test_few_blocks_and_turns_that_never_come(command: Command, tmp_path: Path) -> None:
    words = ("odds", "--players", "2", "--opponents", "knock=200", "--blocks", "1")
    turns = command(*words, "--json").json["turns"]
    assert turns[0]["reached"] == 0.5 and turns[0]["lowest_chance"][20]["below_se"] is None
    assert "no standard errors of one block" in command(*words).out.replace("\n", " ")
    assert "No own turn is reached" in command(*words, "--seat", "1").out
    refused = command(*words, "--seat", "1", "--chart", tmp_path / "odds.png").refused()
    assert refused.startswith("rumsim odds: seat: got 1; allowed: ") and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (("--players", "6", "--opponents", "knock=1"), "players"),
        (("--opponents", "knock=1"), "players"),
        (("--players", "2"), "opponents"),
        (("--players", "3", "--opponents", "knock=1+2"), "opponents"),
        (("--players", "2", "--opponents", "0.5*knock=1"), "opponents"),
        (("--players", "2", "--opponents", "knock=1", "--blocks", "0"), "blocks"),
        (("--players", "2", "--opponents", "knock=1", "--confirm-seed", "0"), "confirm_seed"),
        (("--players", "2", "--opponents", "knock=1", "--bot", "knock=3"), "bot"),
        (("--players", "2", "--opponents", "knock=1", "--seat", "2"), "seat"),
        (("--players", "2", "--opponents", "knock=1", "--chart", "odds.gif"), "chart"),
        (("--players", "2", "--opponents", "knock=1", "--chart", "no/such/folder/odds.png"), "chart"),
    ],
)
def test_wrong_requests_are_refused(command: Command, words: tuple[str, ...], argument: str) -> None:
    assert command("odds", *words).refused().startswith(f"rumsim odds: {argument}: got")


def test_a_seat_that_is_not_there_is_refused_in_python_too() -> None:
    found = rumsim.odds(2, "knock=10", blocks=20)
    for show in (found.of, found.table, found.frame_of, found.plot):
        with pytest.raises(RequestError, match="^seat: got 2; allowed: 0 to 1 with 2 players"):
            show(2)


# ---- the chart -------------------------------------------------------------------------------------------------


def test_the_command_draws(command: Command, tmp_path: Path) -> None:
    words = ("odds", "--players", "3", "--opponents", "knock=10", "--blocks", "200", "--seat", "0")
    for name, start in (("odds.png", b"\x89PNG"), ("odds.svg", b"<?xml")):
        assert command(*words, "--chart", tmp_path / name).code == 0
        assert (tmp_path / name).read_bytes().startswith(start)


def test_the_chart_shows_the_first_turns_with_their_intervals() -> None:
    found = odds(3, "0.5*knock=10/12/14+20/18/16+9/9/9+0.5*knock=8", blocks=300, seed=1)
    figure = found.plot()
    (axes,) = figure.axes
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == [f"own turn {turn}" for turn in range(1, MOST_TURNS + 1)]
    for line, turn in zip(lines, found.turns, strict=False):
        assert line.get_ydata().tolist() == [chance.below.mean for chance in turn.chances]  # type: ignore[union-attr]
    low, high = (found.turns[3].chances[20].below.interval or (0, 0))[:2]
    edges = axes.collections[3].get_paths()[0].vertices
    assert sorted({round(float(y), 9) for x, y in edges if x == 20}) == [round(low, 9), round(high, 9)]  # type: ignore[union-attr]
    said = " ".join(figure.texts[-1].get_text().split())
    assert "300 blocks of seed 1" in said and "Bands: 95 % intervals" in said and "rules ledger" in said
    assert f"left out ({len(found.turns) - MOST_TURNS})" in said
    figure.draw_without_rendering()
    boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
    for text, box in boxes.items():
        page = figure.bbox
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        assert not [other for other, at in boxes.items() if other is not text and box.overlaps(at)]
    has_room(figure, 1.2)


def test_a_frame_that_cannot_be_drawn_is_refused() -> None:
    frame = pd.DataFrame({"own_turn": 1, "count": [1, 2], "below": [0.5, 0.4], "below_se": 0.1})
    for wrong, said in (
        (frame.drop(columns="below_se"), "got no column below_se"),
        (frame.head(0), "got no rows"),
        (pd.concat([frame, frame]), "own_turn 1, count 1 twice"),
    ):
        with pytest.raises(RequestError, match=said):
            chance_lowest(wrong, "Rules: ledger.")
    said = chance_lowest(frame.assign(below_se=None), "Rules: ledger.").texts[-1].get_text()
    assert "No intervals: one block has none." in said
