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
from experiments import advice
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
    kept = (advice.totals, advice.traced, advice.best, advice.qualities, advice.nines)
    for name in ("PLAYED", "TRACED", "LOGGED"):
        monkeypatch.setattr(advice, name, BLOCKS)
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def refereed(case: Case, bots: list[str], block: int, rotation: int) -> Deal:
    """Play one deal: player i sits in seat (i + rotation) mod N, so that player 0 has seat ``rotation``."""
    deck = decks.deck(advice.SEED, block, 52)
    deal = Deal(parse_rules(case.rules), case.players, case.players - 1 - rotation, deck)
    play_out(deal, [parse_bot(bot) for bot in bots], advice.SEED, block)
    return deal


def deals(case: Case, mine: str) -> Iterator[tuple[int, Deal]]:
    for block in range(BLOCKS):
        for rotation in range(case.players):
            yield block, refereed(case, [mine, *[case.opponents] * (case.players - 1)], block, rotation)


def share_lost(found: list[tuple[int, bool]]) -> float:
    assert found, "nothing to compare"
    return sum(lost for _, lost in found) / len(found)


@pytest.mark.parametrize("case", [Case(3, EARLY, rules="ledger"), Case(3, "knock=40", opponents="knock=40")])
def test_lost_knocks_are_those_of_which_the_referee_names_another_winner(case: Case) -> None:
    found = [(b, 0 not in deal.settle().winners) for b, deal in deals(case, case.mine) if deal.knocker == 0]
    measured, blocks = advice.risk_all(case)
    assert measured.mean == pytest.approx(share_lost(found))
    assert 0 < share_lost(found) < 1 and blocks == len({block for block, _ in found})


def test_risk_looks_at_knocks_as_advised_after_the_first_round() -> None:
    case = Case(5, FOLK, opponents="knock=0")
    found = [
        (b, 0 not in deal.settle().winners)
        for b, deal in deals(case, case.mine)
        if deal.knocker == 0 and 8 <= deal.turns[-1].deadwood <= 10 and deal.table_turns > case.players
    ]
    assert advice.risk(case)[0].mean == pytest.approx(share_lost(found))
    assert 0 < share_lost(found) < 1


@pytest.mark.parametrize("case", [Case(3, "21 to 25", "knock=20", turn=2), Case(2, "6 to 8", "knock=5", turn=4)])
def test_now_or_later_is_the_difference_of_two_deals_that_are_alike_until_then(case: Case) -> None:
    low, high = advice.COUNTS[case.mine]
    never = "/".join(["never"] * (case.turn - 1))
    at_once = deals(case, f"knock={never}/200")  # with any count, on this turn
    on = deals(case, f"knock={never}/never/{advice.threshold(case.instead)}")
    gaps: list[Fraction] = []
    wins: list[bool] = []
    for (_, here), (_, there) in zip(at_once, on, strict=True):
        if here.knocker == 0 and here.own_turns[0] == case.turn and low <= here.turns[-1].deadwood <= high:
            gaps.append(here.settle().transfers[0] - there.settle().transfers[0])
            wins.append(0 in here.settle().winners)
    assert len(gaps) > 3
    assert advice.now(case)[0].mean == pytest.approx(float(sum(gaps) / len(gaps)))
    assert advice.knock_wins(case)[0].mean == pytest.approx(sum(wins) / len(wins))


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
    assert advice.between(case)[0].mean == pytest.approx(sum(held) / len(held))


@pytest.mark.parametrize("rules", ["ledger", "traditional"])
def test_a_tied_knock_is_compared_with_playing_on_until_less(rules: str) -> None:
    case = Case(3, "knock=25", rules=rules, opponents="knock=10")
    gaps: list[Fraction] = []
    for block in range(BLOCKS):
        for rotation in range(3):
            deal = refereed(case, [EARLY, FOLK, FOLK], block, rotation)
            if deal.knocker == 0 and deal.settle().tied:
                held, turns = deal.turns[-1].deadwood, deal.own_turns[0]
                later = f"knock={'/'.join(['never'] * turns)}/{held - 1}"
                gaps.append(
                    refereed(case, [later, FOLK, FOLK], block, rotation).settle().transfers[0]
                    - deal.settle().transfers[0]
                )
    assert gaps, "no tie in these deals"
    assert advice.tied(case)[0].mean == pytest.approx(float(sum(gaps) / len(gaps)))


def test_a_limit_changes_who_may_knock_and_nothing_else() -> None:
    shares = []
    for rules in ("traditional", "traditional:rum-knock"):
        case = Case(3, rules=rules)
        ends = [
            refereed(case, ["knock=10", "knock=20", "knock=30"], block, rotation)
            for block in range(BLOCKS)
            for rotation in range(3)
        ]
        knocks = [deal for deal in ends if deal.knocker is not None]
        shares.append(sum(deal.knocker not in deal.settle().winners for deal in knocks) / len(knocks))
    measured, _ = advice.limit(Case(3, "knock=10, 20, 30 …", opponents="by player"))
    assert measured.mean == pytest.approx(shares[0] - shares[1]) and shares[0] > shares[1]


def test_qualities_of_a_number_of_players_are_those_of_the_refereed_deals() -> None:
    case = Case(3, opponents=FOLK)
    found = advice.qualities("traditional", 3)
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
        deal = Deal(rules, players, players - 1, decks.deck(advice.SEED, block, 52))
        play_out(deal, [parse_bot(f"knock=never,{draw}")] * players, advice.SEED, block, watch)
    case = Case(players, opponents=draw)
    assert min(map(len, seen.values())) > 0
    assert advice.nine_discarded(case)[0].mean == pytest.approx(np.mean(seen["discarded"]))
    assert advice.nine_taken(case)[0].mean == pytest.approx(np.mean(seen["taken"]))


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
    measured, blocks = advice.gain(case)
    assert measured.mean == pytest.approx(sum(gaps) / BLOCKS) and blocks == BLOCKS
    assert measured.error == pytest.approx(stdev(gaps) / sqrt(BLOCKS))
    alone = Case(4, f"{FOLK},draw=meld", opponents=f"{FOLK},draw=improve:1")
    said = rumsim.simulate(4, [alone.mine, alone.opponents], BLOCKS, alone.rules, seed=advice.SEED)
    assert advice.draw(alone)[0] == said.points[0]


def test_the_difference_of_two_ratios_has_the_error_of_the_paired_blocks() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    knocks = rng.integers(1, 4, 500)
    lost, fewer = rng.binomial(knocks, 0.4), rng.binomial(knocks, 0.1)
    same, _ = advice.less_often((lost, knocks), (lost, knocks))
    assert (same.mean, same.error) == (0.0, 0.0)
    found, _ = advice.less_often((lost, knocks), (fewer, knocks))
    means = []
    for _ in range(2000):  # blocks drawn anew
        drawn = rng.integers(0, 500, 500)
        means.append((lost[drawn].sum() - fewer[drawn].sum()) / knocks[drawn].sum())
    assert found.error == pytest.approx(stdev(means), rel=0.08)


def test_a_chance_of_which_nothing_was_seen_is_not_called_zero() -> None:
    nothing, knocks = np.zeros(100, np.int64), np.array([1, 2] * 50, np.int64)
    found, blocks = advice.a_knock(nothing, knocks, 1, chance=True)
    assert found.interval == (0.0, 0.03) and blocks == 100 and found.error is None
