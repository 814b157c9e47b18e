"""What the advice experiment measures is what the referee sees, deal by deal in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from statistics import stdev

import numpy as np
import pytest

import rumsim
from experiments import _claims, _measures, advice
from experiments._claims import EARLY, FOLK, Case
from rumsim import decks
from rumsim.bots import parse_bot
from rumsim.cards import rank_of
from rumsim.referee.deal import Deal, Turn
from rumsim.referee.play import play_out
from rumsim.rules import parse_rules

BLOCKS = 40


@pytest.fixture(autouse=True)
def few_blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = (
        _measures.totals,
        _measures.traced,
        _measures.best,
        _measures.qualities,
        _measures.nines,
        _measures.likeliest_tie,
    )
    for name in ("PLAYED", "TRACED", "LOGGED", "TIES"):
        monkeypatch.setattr(_measures, name, BLOCKS)
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def refereed(case: Case, bots: list[str], block: int, rotation: int, seed: int = _claims.SEED) -> Deal:
    """Play one deal: player i sits in seat (i + rotation) mod N, so that player 0 has seat ``rotation``."""
    deal = Deal(parse_rules(case.rules), case.players, case.players - 1 - rotation, decks.deck(seed, block, 52))
    play_out(deal, [parse_bot(bot) for bot in bots], seed, block)
    return deal


def deals(case: Case, mine: str) -> Iterator[tuple[int, Deal]]:
    for block in range(BLOCKS):
        for rotation in range(case.players):
            yield block, refereed(case, [mine, *[case.opponents] * (case.players - 1)], block, rotation)


def share_lost(found: list[tuple[int, bool]]) -> float:
    assert found, "nothing to compare"
    return sum(lost for _, lost in found) / len(found)


@pytest.mark.parametrize("opponents", ["knock=0", "knock=5"])
def test_risk_looks_at_knocks_as_advised_after_the_first_round(opponents: str) -> None:
    case = Case(5, FOLK, opponents=opponents)
    found = [
        (b, 0 not in deal.settle().winners)
        for b, deal in deals(case, case.mine)
        if deal.knocker == 0 and 8 <= deal.turns[-1].deadwood <= 10 and deal.table_turns > case.players
    ]
    assert _measures.risk(case)[0].mean == pytest.approx(share_lost(found))
    assert 0 < share_lost(found) < 1


@pytest.mark.parametrize(
    "case", [Case(3, "21 to 25", "knock=20", turn=2), Case(4, "6 to 8", "knock=5", "knock=0", turn=4)]
)
def test_now_or_later_is_the_difference_of_two_deals_that_are_alike_until_then(case: Case) -> None:
    low, high = _measures.COUNTS[case.mine]
    never = "/".join(["never"] * (case.turn - 1))
    at_once = deals(case, f"knock={never}/200")  # with any count, on this turn
    on = deals(case, f"knock={never}/never/{_measures.threshold(case.instead)}")
    gaps: list[Fraction] = []
    wins: list[bool] = []
    for (_, here), (_, there) in zip(at_once, on, strict=True):
        if here.knocker == 0 and here.own_turns[0] == case.turn and low <= here.turns[-1].deadwood <= high:
            gaps.append(here.settle().transfers[0] - there.settle().transfers[0])
            wins.append(0 in here.settle().winners)
    assert len(gaps) > 3
    assert _measures.now(case)[0].mean == pytest.approx(float(sum(gaps) / len(gaps)))
    assert _measures.knock_wins(case)[0].mean == pytest.approx(sum(wins) / len(wins))


@pytest.mark.parametrize("turn", [0, 4])
def test_opponents_hold_what_the_referee_counts_in_their_hands(turn: int) -> None:
    case = Case(3, "15 to 20", turn=turn)
    held: list[bool] = []
    for block in range(BLOCKS):
        deal = refereed(case, [FOLK] * 3, block, 0)
        last = deal.turns[-1]
        so = last.knock and 8 <= last.deadwood <= 10 and deal.table_turns >= case.players
        if so and turn in (0, deal.own_turns[last.player]):
            held += [15 <= deal.count(other) <= 20 for other in range(3) if other != last.player]
    assert len(held) > 5
    assert _measures.between(case)[0].mean == pytest.approx(sum(held) / len(held))


@pytest.mark.parametrize("rules", ["ledger", "traditional"])
def test_where_a_tie_is_likeliest_a_knock_is_compared_with_playing_on_until_less(rules: str) -> None:
    case = Case(3, "until less", "now", opponents="knock=25", rules=rules)
    turn, count, share = _measures.likeliest_tie(rules, 3, case.opponents)
    ties: list[bool] = []
    never = "/".join(["never"] * (turn - 1))
    for block in range(BLOCKS):
        for rotation in range(3):
            knock = [f"knock={never}/200" if turn > 1 else "knock=200", case.opponents, case.opponents]
            deal = refereed(case, knock, block, rotation, _claims.SEARCH_SEED)
            if deal.knocker == 0 and deal.own_turns[0] == turn and deal.turns[-1].deadwood == count:
                ties.append(deal.settle().tied)
    assert share == pytest.approx(sum(ties) / len(ties)) and share > 0
    at_once = deals(case, knock[0])
    on = deals(case, f"knock={'/'.join(['never'] * turn)}/{count - 1}")
    gaps = [
        there.settle().transfers[0] - here.settle().transfers[0]
        for (_, here), (_, there) in zip(at_once, on, strict=True)
        if here.knocker == 0 and here.own_turns[0] == turn and here.turns[-1].deadwood == count
    ]
    assert gaps, "nobody had this count on this turn"
    assert _measures.tied(case)[0].mean == pytest.approx(float(sum(gaps) / len(gaps)))


@pytest.mark.parametrize("given", [(10, 20, 30), (5, 20, 35)])
def test_a_limit_changes_who_may_knock_and_nothing_else(given: tuple[int, ...]) -> None:
    shares = []
    for rules in ("traditional", "traditional:rum-knock"):
        case = Case(3, rules=rules)
        ends = [
            refereed(case, [f"knock={knock}" for knock in given], block, rotation)
            for block in range(BLOCKS)
            for rotation in range(3)
        ]
        knocks = [deal for deal in ends if deal.knocker is not None]
        shares.append(sum(deal.knocker not in deal.settle().winners for deal in knocks) / len(knocks))
    mine = f"knock={', '.join(map(str, given))} …"
    measured, _ = _measures.limit(Case(3, mine, opponents="by player"))
    assert measured.mean == pytest.approx(shares[0] - shares[1]) and shares[0] > shares[1]


def test_qualities_of_a_number_of_players_are_those_of_the_refereed_deals() -> None:
    case = Case(3, opponents=FOLK)
    found = _measures.qualities("traditional", 3)
    alike = [refereed(case, [FOLK] * 3, block, 0) for block in range(BLOCKS)]
    assert (found["decided"] == [60 * (deal.end == "knock") for deal in alike]).all()
    assert (found["play"] == [60 * (max(deal.own_turns) >= 3) for deal in alike]).all()
    # Dealt by player 2, player 0 has the first seat.
    assert (found["seats"] == [60 - 3 * 60 * deal.settle().win_shares[0] for deal in alike]).all()
    skill = Counter({block: Fraction(-60) for block in range(BLOCKS)})
    for block, deal in deals(case, EARLY):
        skill[block] += 60 * deal.settle().win_shares[0]
    assert (found["skill"] == [skill[block] for block in range(BLOCKS)]).all()


@pytest.mark.parametrize(("players", "draw"), [(3, "draw=improve:1"), (4, "draw=meld")])
def test_nines_are_those_in_the_hands_right_after_the_turn(players: int, draw: str) -> None:
    rules = parse_rules(f"traditional:max_turns={4 * players}")
    seen: dict[str, list[float]] = {"discarded": [], "taken": []}

    def watch(deal: Deal, turn: Turn) -> None:
        have = [sum(rank_of(card) == 8 for card in deal.hand(player)) for player in range(players)]
        others = np.mean([have[other] > 0 for other in range(players) if other != turn.player])
        assert turn.card is not None and turn.discard is not None
        if rank_of(turn.discard) == 8:
            seen["discarded"].append((have[turn.player] > 0) - others)
        if turn.draw == "upcard" and rank_of(turn.card) == 8:
            seen["taken"].append((have[turn.player] > 1) - others)

    for block in range(BLOCKS):
        deal = Deal(rules, players, players - 1, decks.deck(_measures.SEED, block, 52))
        play_out(deal, [parse_bot(f"knock=never,{draw}")] * players, _measures.SEED, block, watch)
    case = Case(players, opponents=draw)
    assert min(map(len, seen.values())) > 0
    assert _measures.nine_discarded(case)[0].mean == pytest.approx(np.mean(seen["discarded"]))
    assert _measures.nine_taken(case)[0].mean == pytest.approx(np.mean(seen["taken"]))


def test_gains_are_differences_of_what_simulate_finds_with_the_error_of_the_pair() -> None:
    case = Case(3, "knock=15", "knock=8")
    one, other = (
        [
            sum(refereed(case, [bot, FOLK, FOLK], block, rotation).settle().transfers[0] for rotation in range(3))
            for block in range(BLOCKS)
        ]
        for bot in (case.mine, case.instead)
    )
    gaps = [float(a - b) / 3 for a, b in zip(one, other, strict=True)]
    measured, blocks = _measures.gain(case)
    assert measured.mean == pytest.approx(sum(gaps) / BLOCKS) and blocks == BLOCKS
    assert measured.error == pytest.approx(stdev(gaps) / sqrt(BLOCKS))
    alone = Case(4, f"{FOLK},draw=meld", opponents=f"{FOLK},draw=improve:1")
    said = rumsim.simulate(4, [alone.mine, alone.opponents], BLOCKS, alone.rules, seed=_measures.SEED)
    assert _measures.draw(alone)[0] == said.points[0]


def test_the_difference_of_two_ratios_has_the_error_of_the_paired_blocks() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    knocks = rng.integers(1, 4, 500)
    lost, fewer = rng.binomial(knocks, 0.4), rng.binomial(knocks, 0.1)
    same, _ = _measures.less_often((lost, knocks), (lost, knocks))
    assert (same.mean, same.error) == (0.0, 0.0)
    found, _ = _measures.less_often((lost, knocks), (fewer, knocks))
    means = []
    for _ in range(2000):  # blocks drawn anew
        drawn = rng.integers(0, 500, 500)
        means.append((lost[drawn].sum() - fewer[drawn].sum()) / knocks[drawn].sum())
    assert found.error == pytest.approx(stdev(means), rel=0.08)


def test_a_chance_of_which_all_knocks_say_the_same_has_no_error() -> None:
    nothing, knocks = np.zeros(100, np.int64), np.array([1, 2] * 50, np.int64)
    found, blocks = _measures.a_knock(nothing, knocks, 1, chance=True)
    assert (found.mean, found.error) == (0.0, None) and blocks == 75  # of two knocks each
    assert _measures.a_knock(knocks, knocks, 1, chance=True)[0].mean == 1.0
    row = {"kind": "risk", "estimate": 0.0, "se": None, "blocks": blocks, "reference": 0.0, "sign": 1, "least": 0.2}
    assert advice.interval(row, 1) == pytest.approx((0.0, 1 - 0.025 ** (1 / 75)))
    assert advice.p_values(row) == pytest.approx((1.0, 0.8**75))
