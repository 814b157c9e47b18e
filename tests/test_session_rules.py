"""Formats of an evening, by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rumsim.errors import RequestError
from rumsim.session_rules import FORMATS, Format, Session


def played(name: str, results: list[list[int]], dealer: int = 0, **options: int) -> Session:
    session = Session(Format(name, **options), len(results[0]), dealer)
    for transfers in results:
        assert not session.finished
        session.record(transfers)
    return session


def test_in_a_rotation_everybody_deals_once_and_ties_share() -> None:
    session = played("rotation", [[5, -5, 0], [-5, 5, 0], [3, 3, -6]], dealer=2)
    assert (session.dealers, session.finished, session.winners) == ([2, 0, 1], True, (0, 1))


def test_a_cumulative_tie_is_broken_by_one_more_deal_while_it_lasts() -> None:
    session = played("cumulative", [[5, -5], [-5, 5]], deals=2)
    assert not session.finished and session.winners == ()
    session.record([0, 0])
    assert not session.finished
    session.record([-1, 1])
    assert session.winners == (1,) and session.deals == 4


def test_a_third_player_may_win_the_deal_that_breaks_a_tie() -> None:
    session = played("cumulative", [[5, 5, -10], [-20, 0, 20]], deals=1)
    assert session.winners == (2,)


def test_exactly_the_target_does_not_win_a_match() -> None:
    session = played("match", [[120, -70, -50], [80, -50, -30]])
    assert session.ledger == [200, -120, -80] and not session.finished
    session.record([Fraction(1, 12), 0, Fraction(-1, 12)])
    assert session.winners == (0,)


def test_the_higher_of_two_above_the_target_wins_and_equals_play_on() -> None:
    assert played("match", [[30, 31, -61]], target=20).winners == (1,)
    session = played("match", [[30, 30, -60]], target=20)
    assert not session.finished
    session.record([0, 0, 0])
    assert not session.finished
    session.record([-1, 0, 1])
    assert session.winners == (1,)


def test_99_lost_of_100_is_still_in() -> None:
    session = played("pool", [[-60, 80, -20], [-39, 30, 9]])
    assert session.ledger == [-99, 110, -11] and session.out == [] and session.still_in == (0, 1, 2)


def test_who_has_nothing_left_is_out_and_the_deal_passes_over_them() -> None:
    session = played("pool", [[-100, 50, 50]])
    assert session.out == [(0,)] and session.still_in == (1, 2)
    assert (session.dealer, session.first_to_move) == (1, 2)
    session.record([0, 149, -149])
    session.record([0, 1, -1])
    assert session.out == [(0,), (2,)] and session.winners == (1,) and session.dealers == [0, 1, 2]
    assert session.prizes() == (-100, 200, -100)


def test_two_may_go_out_at_once_in_the_order_of_play() -> None:
    session = played("pool", [[-130, 250, -120]], dealer=1)
    assert session.out == [(2, 0)] and session.winners == (1,)


def test_re_entries_are_used_while_any_remain() -> None:
    session = played("pool", [[-250, 250]], rebuys=2)
    assert session.entries == [2, 0] and session.stake(0) == 50 and not session.finished
    session.record([-50, 50])
    assert session.winners == (1,) and session.prizes() == (-300, 300)
    assert played("pool", [[-250, 250]], rebuys=1).finished


def test_a_session_that_reaches_its_most_deals_is_unfinished() -> None:
    session = played("match", [[1, -1], [1, -1]], max_deals=2)
    assert session.unfinished and not session.finished and session.winners == ()
    with pytest.raises(RequestError, match="it is over"):
        session.record([1, -1])
    assert not played("match", [[1, -1], [250, -250]], max_deals=2).unfinished


def test_wrong_transfers_are_refused_and_change_nothing() -> None:
    session = played("pool", [[-100, 50, 50]])
    for wrong in ([1, 2], [1, 1, 1], [5, -5, 0]):
        with pytest.raises(RequestError, match="^transfers: got"):
            session.record(wrong)
    assert session.ledger == [-100, 50, 50] and session.deals == 1


@pytest.mark.parametrize("options", [{"deals": 0}, {"target": -1}, {"rebuys": -1}, {"max_deals": 0}])
def test_wrong_formats_are_refused(options: dict[str, int]) -> None:
    (name,) = options
    with pytest.raises(RequestError, match=f"^{name}: got"):
        Format("match", **options)
    with pytest.raises(RequestError, match="^format: got 'set'; allowed: rotation"):
        Format("set")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_sessions_end_settle_to_zero_and_pass_the_deal(name: str, players: int) -> None:
    rng = random.Random(players)
    for _ in range(50):
        session = Session(Format(name, rebuys=rng.randrange(3), max_deals=300), players, rng.randrange(players))
        while not session.finished and not session.unfinished:
            dealer, still = session.dealer, session.still_in
            assert dealer in still and session.first_to_move in still
            winner = rng.choice(still)
            amounts = [0 if p == winner or p not in still else -rng.randrange(60) for p in range(players)]
            amounts[winner] = -sum(amounts)
            session.record(amounts)
            assert session.dealers[-1] == dealer and sum(session.ledger) == 0
        assert session.finished != session.unfinished
        assert sum(session.prizes()) == 0
        if session.finished:
            assert session.winners and (name == "rotation" or len(session.winners) == 1)
