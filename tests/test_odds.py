"""What opponents hold: the same counts as a table of the plain referee shows, turn by turn."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import rumsim
from rumsim import decks
from rumsim.bots import parse_bot
from rumsim.lab.odds import counts_told, odds
from rumsim.referee import Deal
from rumsim.referee.play import play_turn
from rumsim.rules import parse_rules
from rumsim.settlement import settlement
from tests.conftest import Answer

Command = Callable[..., Answer]
Held = dict[int, list[tuple[int, list[int]]]]  # by own turn: block, and what the opponents hold


def refereed(players: int, rules: str, opponents: str, blocks: int, seed: int) -> Held:
    known, other, never = parse_rules(rules), parse_bot(opponents), parse_bot("knock=never")
    held: Held = defaultdict(list)
    for block in range(blocks):
        deck = decks.deck(seed, block, known.deck_size)
        for focal in range(players):
            deal = Deal(known, players, players - 1, deck)  # so that player and seat are one
            while deal.end is None and deal.table_turns < 40:
                if deal.to_renew:
                    deal.renew(decks.reshuffled(seed, block, deal.reshuffles, deal.to_renew))
                turn, mover = deal.own_turns[focal], deal.mover
                counts = [deal.count(player) for player in range(players) if player != focal]
                play_turn(deal, never if mover == focal else other, reasons=False)
                if mover == focal and deal.own_turns[focal] > turn:  # no turn is to decline and end the deal
                    held[turn + 1].append((block, counts))
    return held


@pytest.mark.parametrize(
    ("players", "rules", "opponents"),
    [(2, "traditional", "knock=12"), (4, "ledger:undercut=0,rum_bonus=7", "knock=25")],
)
def test_it_counts_what_the_referee_sees(players: int, rules: str, opponents: str) -> None:
    blocks = 40
    found, held = odds(players, opponents, rules, blocks=blocks, seed=5), refereed(players, rules, opponents, blocks, 5)
    assert len(found.turns) > 4
    for turn in found.turns[:8]:
        seen = held[turn.own_turn]
        lowest = np.array([min(counts) for _, counts in seen])
        every = np.array([count for _, counts in seen for count in counts])
        assert turn.reached.mean == pytest.approx(len(seen) / (players * blocks))
        assert turn.opponent.mean.mean == pytest.approx(every.mean())
        assert turn.lowest.mean.mean == pytest.approx(lowest.mean())
        assert turn.lowest.quantiles[2] == np.sort(lowest)[(len(lowest) - 1) // 2]
        for chance in turn.chances[::7]:
            assert chance.below.mean == pytest.approx((lowest > chance.count).mean())
            assert chance.tied.mean == pytest.approx((lowest == chance.count).mean())
            # The error of a ratio over blocks, written out.
            wins, deals = np.zeros(blocks), np.zeros(blocks)
            for (block, _), low in zip(seen, lowest, strict=True):
                deals[block] += 1
                wins[block] += low > chance.count
            apart = wins - wins.sum() / deals.sum() * deals
            error = (blocks / (blocks - 1) * (apart**2).sum()) ** 0.5 / deals.sum()
            assert chance.below.error == pytest.approx(error, abs=1e-12)


def test_a_settlement_read_backwards_tells_the_counts() -> None:
    rng = np.random.default_rng(3)
    for text in ("ledger", "traditional", "ledger:undercut=0,rum_bonus=0", "traditional:undercut=3"):
        rules = parse_rules(text)
        for players in (2, 3, 5):
            counts = rng.integers(0, 6, (200, players)) * rng.integers(1, 9)
            knocker = int(rng.integers(players))
            points = [[12 * t for t in settlement(row.tolist(), knocker, rules).transfers] for row in counts]
            told = counts_told(rules, knocker, counts[:, knocker], np.array(points, np.int64))
            assert np.array_equal(told, counts)


def test_chances_fall_with_the_count_and_errors_cover() -> None:
    found = odds(3, "knock=15", blocks=3000, seed=1)
    again = odds(3, "knock=15", blocks=3000, seed=2)
    far = 0
    for one, other in zip(found.turns[:6], again.turns[:6], strict=True):
        below = [chance.below.mean for chance in one.chances]
        assert below == sorted(below, reverse=True)
        for a, b in zip(one.chances[5::10], other.chances[5::10], strict=True):
            assert None not in (a.below.mean, a.below.error, b.below.mean, b.below.error)
            spread = (a.below.error**2 + b.below.error**2) ** 0.5  # type: ignore[operator]
            far += abs(a.below.mean - b.below.mean) > 3.5 * spread + 2e-3  # type: ignore[operator]
    assert far == 0


def test_jobs_change_nothing_and_other_decks_little() -> None:
    one, two = (odds(3, "0.5*knock=8+0.5*knock=30,draw=meld", blocks=500, seed=3, jobs=jobs) for jobs in (1, 2))
    assert one == two
    checked = odds(3, "knock=20", blocks=2000, seed=3, confirm_seed=4).check
    assert checked is not None and checked.confirm_seed == 4 and 0 < checked.chances < 0.2


def test_the_command(command: Command, tmp_path: Path) -> None:
    words = ("odds", "--players", "3", "--opponents", "knock=20", "--blocks", "600")
    chart = tmp_path / "odds.png"
    answer = command(*words, "--chart", chart)
    assert answer.code == 0 and chart.read_bytes().startswith(b"\x89PNG")
    assert max(map(len, answer.out.splitlines())) <= 80
    document = command(*words, "--json").json
    assert list(document)[:6] == ["rules", "players", "opponents", "bot", "blocks", "seed"]
    turn = document["turns"][0]
    assert list(turn["opponent"])[-5:] == ["q10", "q25", "q50", "q75", "q90"]
    assert [row["count"] for row in turn["lowest_chance"]] == list(range(81))
    assert len(document["seats"]) == 3
    json.dumps(document, allow_nan=False)
    assert command(*words, "--seat", "1").out != answer.out


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (("--opponents", "knock=x"), "opponents"),
        ((), "opponents"),
        (("--opponents", "knock=5", "--seat", "3"), "seat"),
        (("--opponents", "knock=5", "--chart", "odds.txt"), "chart"),
        (("--opponents", "knock=5", "--confirm-seed", "0"), "confirm_seed"),
        (("--opponents", "knock=5", "--bot", "knock=5"), "bot"),
        (("--opponents", "knock=5", "--blocks", "0"), "blocks"),
    ],
)
def test_wrong_requests_are_refused(command: Command, words: tuple[str, ...], argument: str) -> None:
    assert command("odds", "--players", "3", *words).refused().startswith(f"rumsim odds: {argument}: ")


def test_nothing_is_drawn_of_a_seat_that_never_moves() -> None:
    found = odds(2, "knock=200", blocks=50, seed=1)
    assert found.by_seat[1] == ()
    with pytest.raises(rumsim.RequestError, match="^seat: got 1"):
        found.plot(1)
    assert "No own turn is reached" in found.table(1)
