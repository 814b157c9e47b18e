"""Estimates over blocks: the right numbers, by definitions worked out beside them."""

import statistics
from fractions import Fraction

import pytest

import rumsim
from rumsim.cards import card_text
from rumsim.runs.execute import CHUNK, execute
from rumsim.stats.blocks import estimate
from rumsim.tasks.direct import Direct


def played(players, bots, blocks, seed, rules="ledger"):
    """Each block's deals, by rotation, through ``play``."""
    return [
        [rumsim.play(players, bots, rules, seed=seed, block=block, rotation=r) for r in range(players)]
        for block in range(blocks)
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", ["ledger", "traditional"])
def test_estimates_are_those_of_the_deals_that_play_shows(players, rules):
    bots = ["knock=35,draw=meld", "knock=12"]
    blocks = 12
    result = rumsim.simulate(players, bots, blocks, rules, seed=4)
    deals = played(players, bots, blocks, 4, rules)
    focal = [Fraction(sum(deal.settlement.transfers[0] for deal in block), players) for block in deals]
    assert result.points[0].mean == pytest.approx(float(statistics.mean(focal)), abs=1e-12)
    assert result.points[0].error == pytest.approx(statistics.stdev(map(float, focal)) / blocks**0.5)
    shares = [float(sum(deal.settlement.win_shares[0] for deal in block)) / players for block in deals]
    assert result.wins[0].mean == pytest.approx(statistics.mean(shares))
    assert result.wins[0].error == pytest.approx(statistics.stdev(shares) / blocks**0.5)
    for seat in range(players):
        # In rotation r, player i sits in seat (i + r) mod N.
        at_seat = [
            float(sum(deal.settlement.transfers[(seat - r) % players] for r, deal in enumerate(block))) / players
            for block in deals
        ]
        assert result.seat_points[seat].mean == pytest.approx(statistics.mean(at_seat), abs=1e-9)
    flat = [deal for block in deals for deal in block]
    assert result.ends["knock"] == sum(deal.end == "knock" for deal in flat) / len(flat)
    assert result.ends["undercut"] == sum(deal.settlement.undercut for deal in flat) / len(flat)
    assert result.turns == sum(sum(turn.draw != "decline" for turn in deal.turns) for deal in flat) / len(flat)


def test_the_block_is_the_unit():
    # A bot against itself earns 0 in every block, not only on average.
    result = rumsim.simulate(4, ["knock=20"], 30, seed=2)
    assert result.points[0].mean == 0
    assert result.points[0].error == 0
    assert result.points[0].interval == (0, 0)
    assert any(seat.mean for seat in result.seat_points)


def test_points_and_shares_add_up():
    result = rumsim.simulate(3, ["knock=40", "knock=12", "never".join(["knock=", ""])], 25, seed=3)
    assert sum(points.mean for points in result.points) == pytest.approx(0, abs=1e-12)
    done = 1 - result.ends["stalled"]
    assert sum(wins.mean for wins in result.wins) == pytest.approx(done)
    assert sum(result.ends[end] for end in ("knock", "exhausted", "stalled")) == pytest.approx(1)


def test_stalled_deals_stay_in_every_denominator():
    result = rumsim.simulate(2, "knock=never", 10, "ledger:max_turns=4", seed=1)
    assert result.ends["stalled"] == 1
    assert [wins.mean for wins in result.wins] == [0]
    assert result.turns == 4


def test_results_do_not_depend_on_jobs_or_chunks():
    bots = tuple(rumsim.parse_bot(text) for text in ("knock=30", "knock=10", "knock=10"))
    task = Direct(rumsim.parse_rules("ledger"), bots, (0, 1, 1), seed=6)
    whole, _ = execute(task, 30, jobs=1, chunk=30)
    for jobs, chunk in ((1, 7), (2, 4), (3, 1)):
        parts, _ = execute(task, 30, jobs, chunk)
        assert all((getattr(parts, name) == getattr(whole, name)).all() for name in vars(whole) if name != "blocks")


def test_seed_zero_is_a_seed():
    some = {rumsim.simulate(2, ["knock=30", "knock=10"], 10, seed=seed).points[0].mean for seed in (0, 1, 2)}
    assert len(some) == 3


def test_simulated_deals_differ_by_block():
    first = {" ".join(map(card_text, rumsim.play(2, "knock=50", seed=9, block=block).deck)) for block in range(200)}
    assert len(first) == 200


def test_an_interrupt_keeps_what_was_finished(monkeypatch):
    real = Direct.run

    def stop_at_third(self, first, last):
        if first >= 2 * CHUNK:
            raise KeyboardInterrupt
        return real(self, first, last)

    monkeypatch.setattr(Direct, "run", stop_at_third)
    result = rumsim.simulate(2, ["knock=30", "knock=10"], 3 * CHUNK, seed=1)
    assert result.interrupted
    assert result.blocks == 2 * CHUNK
    assert result.as_json()["interrupted"] is True


def test_estimates_without_blocks_or_with_one():
    assert estimate(0, 0, 0, 12) == (None, None, None)
    assert estimate(24, 576, 1, 12) == (2, None, None)


def test_a_known_interval():
    # Block means 1, 2, 3: mean 2, sd 1, t(2; 0.975) = 4.302652729911275.
    mean, error, interval = estimate(6, 14, 3, 1)
    assert (mean, error) == (2, pytest.approx(3**-0.5))
    assert interval == pytest.approx((2 - 4.302652729911275 * 3**-0.5, 2 + 4.302652729911275 * 3**-0.5))


@pytest.mark.parametrize(
    ("argument", "given"),
    [("players", 6), ("players", 1), ("blocks", 0), ("blocks", -1), ("seed", -1), ("jobs", 0), ("blocks", 2.5)],
)
def test_refusals_name_the_argument(argument, given):
    request = {"players": 3, "bots": "knock=10", "blocks": 5, "seed": 1, "jobs": 1, argument: given}
    with pytest.raises(rumsim.RequestError, match=argument):
        rumsim.simulate(**request)


@pytest.mark.parametrize("value", ["seats", "knocks"])
def test_a_result_plots_itself(value):
    result = rumsim.simulate(3, ["knock=30", "knock=10"], 50, seed=1)
    texts = [text.get_text() for text in result.plot(value).texts]
    assert any("50 blocks" in text and "seed 1" in text for text in texts)


def test_a_result_plots_nothing_else():
    with pytest.raises(rumsim.RequestError, match="seats or knocks"):
        rumsim.simulate(2, "knock=30", 5, seed=1).plot("points")
