"""The rulebook as tests, named after its rules: the empty stock, and stalls."""

from __future__ import annotations

from typing import Any

import pytest

from rumsim.cards import card_id
from rumsim.errors import RequestError
from rumsim.referee import IllegalTurn
from tests import oracle
from tests.rulebook import MIXTURES, PROFILES
from tests.scripts import DECLINE, DRAW_AND_RETURN, referee, shuffled, turn

# ---------------------------------------------------------------- the stock is empty

# Five players of ten cards leave one upcard and one card in the stock: it is empty after one draw.
TIGHT = "hand_size=10"


def tight(rules: str, *turns: dict[str, Any], seed: int = 2) -> Any:
    return referee(f"{rules},{TIGHT}" if ":" in rules else f"{rules}:{TIGHT}", 5, 4, shuffled(seed), *turns)


def tight_error(rules: str, *turns: dict[str, Any], turn: int, player: int) -> str:
    with pytest.raises(IllegalTurn) as stopped:
        tight(rules, *turns)
    assert f"turn {turn}" in str(stopped.value)
    assert f"player {player}" in str(stopped.value)
    return str(stopped.value)


@pytest.mark.parametrize("tie", ["free", "penalty"])
def test_stock_compare_whoever_declines_the_upcard_ends_the_deal(tie: str) -> None:
    deal = tight(f"ledger:tie={tie}", DRAW_AND_RETURN, DECLINE)
    assert deal.end == "exhausted"
    assert deal.knocker is None
    last = deal.as_json()["turns"][-1]
    assert (last["player"], last["draw"]) == (1, "decline")
    assert last["card"] is last["discard"] is None
    assert last["knock"] is False
    assert last["deadwood"] == deal.deadwood[1]
    expected = oracle.settle(list(deal.deadwood), None, tie)
    assert list(deal.settlement.transfers) == expected.transfers
    assert not deal.settlement.rum
    assert not deal.settlement.undercut


def test_stock_compare_the_upcard_may_be_taken_and_play_goes_on() -> None:
    deck = shuffled(2)
    second, third = deck[1:50:5], deck[2:50:5]
    deal = tight("ledger", DRAW_AND_RETURN, turn("upcard", second[0]), turn("upcard", third[0]), DECLINE)
    assert deal.end == "exhausted"
    assert [one.player for one in deal.turns] == [0, 1, 2, 3]
    assert deal.as_json()["turns"][2]["card"] == second[0]


def test_stock_compare_the_upcard_may_be_taken_to_knock() -> None:
    second = shuffled(2)[1:50:5]
    deal = tight("ledger", DRAW_AND_RETURN, turn("upcard", second[0], knock=True))
    assert (deal.end, deal.knocker) == ("knock", 1)


def test_stock_compare_an_empty_stock_gives_no_card() -> None:
    line = tight_error("ledger", DRAW_AND_RETURN, turn("stock", "@drawn"), turn=2, player=1)
    assert "stock" in line
    assert not tight("ledger", DRAW_AND_RETURN).new_stock


def test_stock_compare_nobody_plays_after_a_decline() -> None:
    with pytest.raises(IllegalTurn, match="turn 3.*over"):
        tight("ledger", DRAW_AND_RETURN, DECLINE, DECLINE)


@pytest.mark.parametrize("rules", PROFILES)
def test_declining_is_illegal_while_the_stock_has_cards(rules: str) -> None:
    tight_error(rules, DECLINE, turn=1, player=0)


def test_declining_is_illegal_under_reshuffle() -> None:
    pile = [shuffled(2)[50]]
    tight_error("traditional", DRAW_AND_RETURN, {**DECLINE, "reshuffle": pile}, turn=2, player=1)


@pytest.mark.parametrize("tie", ["free", "penalty"])
def test_stock_reshuffle_renews_the_stock_before_the_choice(tie: str) -> None:
    deck = shuffled(2)
    rules = f"ledger:stock=reshuffle,tie={tie}"
    first, last = deck[50], deck[51]
    waiting = tight(rules, DRAW_AND_RETURN).as_json()
    assert waiting["end"] == "open"
    assert (waiting["new_stock"], waiting["upcard"], waiting["next"]) == ([first], last, 1)
    again = tight(rules, DRAW_AND_RETURN, {**DRAW_AND_RETURN, "reshuffle": [first]}).as_json()
    assert again["turns"][1]["card"] == first
    assert again["turns"][1]["reshuffle"] == [first]
    assert "reshuffle" not in again["turns"][0]
    # The upcard may still be taken, and the new stock stays.
    mine = deck[1:50:5][0]
    taken = tight(rules, DRAW_AND_RETURN, turn("upcard", mine, reshuffle=[first])).as_json()
    assert taken["turns"][1]["card"] == last
    assert taken["stock"] == [first]
    assert taken["upcard"] == mine


def test_stock_reshuffle_takes_the_order_given() -> None:
    deck = shuffled(4)
    turns = [DRAW_AND_RETURN] * 21  # five players, six cards: 21 in the stock
    waiting = referee("traditional", 5, 0, deck, *turns).as_json()
    pile = waiting["new_stock"]
    assert pile == sorted(deck[30:51], key=card_id)
    assert waiting["upcard"] == deck[51]
    order = list(reversed(pile))
    shown = referee("traditional", 5, 0, deck, *turns, {**DRAW_AND_RETURN, "reshuffle": order}).as_json()
    assert shown["turns"][21]["card"] == order[0]
    assert shown["stock"] == order[1:]


@pytest.mark.parametrize("change", ["too few", "the upcard too", "twice", "from a hand"])
def test_stock_reshuffle_is_the_pile_but_the_upcard(change: str) -> None:
    deck = shuffled(4)
    pile = {
        "too few": deck[30:50],
        "the upcard too": deck[30:52],
        "twice": [*deck[30:50], deck[30]],
        "from a hand": [*deck[30:50], deck[0]],
    }[change]
    with pytest.raises(RequestError, match="turn 22"):
        referee("traditional", 5, 0, deck, *[DRAW_AND_RETURN] * 21, {**DRAW_AND_RETURN, "reshuffle": pile})


def test_stock_reshuffle_waits_until_the_stock_is_empty() -> None:
    deck = shuffled(4)
    with pytest.raises(RequestError, match="turn 3"):
        early = {**DRAW_AND_RETURN, "reshuffle": deck[30:32]}
        referee("traditional", 5, 0, deck, DRAW_AND_RETURN, DRAW_AND_RETURN, early)


def test_stock_reshuffle_again_and_again() -> None:
    deck = shuffled(2)
    turns = [DRAW_AND_RETURN]
    below, top = deck[50], deck[51]
    for _ in range(6):  # one card in the stock each time
        turns.append({**DRAW_AND_RETURN, "reshuffle": [below]})
        below, top = top, below
    shown = tight("traditional", *turns).as_json()
    assert len(shown["turns"]) == 7
    assert shown["end"] == "open"
    assert shown["upcard"] == top


# ---------------------------------------------------------------- stalls


@pytest.mark.parametrize("rules", MIXTURES)
def test_a_deal_stalls_after_max_turns_table_turns(rules: str) -> None:
    one_less = referee(f"{rules},max_turns=4", 3, 0, shuffled(8), *[DRAW_AND_RETURN] * 3)
    assert one_less.end == "open"
    deal = referee(f"{rules},max_turns=4", 3, 0, shuffled(8), *[DRAW_AND_RETURN] * 4)
    shown = deal.as_json()
    assert shown["end"] == "stalled"
    assert shown["knocker"] is None
    assert shown["winners"] == []
    assert shown["transfers"] == shown["win_shares"] == ["0", "0", "0"]
    assert shown["rum"] is shown["undercut"] is shown["tied"] is False
    hands = [oracle.cards(hand) for hand in shown["hands"]]
    assert shown["deadwood"] == [oracle.deadwood(hand) for hand in hands]


def test_a_knock_on_table_turn_max_turns_still_counts() -> None:
    knock = turn("stock", "@drawn", knock=True)
    deal = referee("ledger:max_turns=4", 3, 0, shuffled(8), *[DRAW_AND_RETURN] * 3, knock)
    assert deal.end == "knock"
    assert deal.knocker == 1
    assert referee("ledger:max_turns=1", 3, 0, shuffled(8), knock).end == "knock"
    assert referee("ledger:max_turns=1", 3, 0, shuffled(8), DRAW_AND_RETURN).end == "stalled"


def test_nobody_plays_after_a_stall() -> None:
    with pytest.raises(IllegalTurn, match="turn 3"):
        referee("ledger:max_turns=2", 3, 0, shuffled(8), *[DRAW_AND_RETURN] * 3)


def test_a_deal_that_stalls_with_an_empty_stock_is_stalled() -> None:
    assert tight("ledger:max_turns=1", DRAW_AND_RETURN).end == "stalled"
    assert tight("traditional:max_turns=1", DRAW_AND_RETURN).end == "stalled"
    # Declining is not a turn: after one of two turns the deal can still be exhausted.
    assert tight("ledger:max_turns=2", DRAW_AND_RETURN, DECLINE).end == "exhausted"
