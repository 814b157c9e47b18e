"""The rulebook, rule by rule: one deal, the fields of the rules, settlement, variants, the worked example."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rumsim import play, replay
from rumsim.cards import card_id, card_text, mask, parse_cards
from rumsim.errors import RequestError
from rumsim.melds import count, deadwood
from rumsim.referee import IllegalTurn
from rumsim.rules import FIELDS, Rules, parse_rules
from rumsim.settlement import settle, settlement
from tests import oracle
from tests.scripts import DECLINE, DRAW_AND_RETURN, record, referee, shuffled, stack, turn

PROFILES = ["ledger", "traditional"]
MIXTURES = [f"ledger:stock={stock},tie={tie}" for stock, tie in product(["compare", "reshuffle"], ["free", "penalty"])]
SIZES = {"ledger": [10, 7, 7, 7], "traditional": [10, 7, 7, 6]}

# Two players, three cards each: player 0 has nothing, player 1 a run. With dealer 1 player 0 moves first.
SMALL = "hand_size=3"
SMALL_DECK = stack(2, 1, ["KS 9H 4D", "2C 3C 4C"], "7D", "QH 8S AC JD")


def small(*turns: dict[str, Any], rules: str = f"ledger:{SMALL}", deck: list[str] = SMALL_DECK) -> Any:
    return referee(rules, 2, 1, deck, *turns)


def forbidden(*turns: dict[str, Any], turn: int, player: int, **more: Any) -> str:
    with pytest.raises(IllegalTurn) as stopped:
        small(*turns, **more)
    line = str(stopped.value)
    assert len(line.splitlines()) == 1
    assert f"turn {turn}" in line
    assert f"player {player}" in line
    return line


def texts(hand: Any) -> set[str]:
    return {card_text(card) for card in hand}


# ---------------------------------------------------------------- cards, points, melds


def test_cards_are_numbered_by_suit_then_rank() -> None:
    words = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    assert [card_id(word) for word in words] == list(range(52))
    assert [card_text(card) for card in range(52)] == words
    assert (card_id("AS"), card_id("KC")) == (0, 51)


def test_jokers_are_cards_52_and_53() -> None:
    assert card_text(52) == card_text(53) == "**"
    assert parse_cards("** AS **") == [52, 0, 53]


@pytest.mark.parametrize(
    ("text", "card"),
    [("10D", "TD"), ("10d", "TD"), ("td", "TD"), ("4♥", "4H"), ("k♠", "KS"), ("10♦", "TD"), ("a♣", "AC")],
)
def test_other_spellings_of_a_card(text: str, card: str) -> None:
    assert card_id(text) == card_id(card)


def test_cards_are_separated_by_blanks_or_commas() -> None:
    assert parse_cards("4H, 5H,6H  QC") == parse_cards(["4H", "5H", "6H", "QC"])


@pytest.mark.parametrize("text", ["1H", "11H", "4", "H", "4HH", "0D", "XS", "4 H"])
def test_other_words_are_no_cards(text: str) -> None:
    with pytest.raises(RequestError):
        parse_cards(text)


@pytest.mark.parametrize("profile", PROFILES)
def test_points_ace_one_faces_ten_others_face_value(profile: str) -> None:
    rules = parse_rules(profile)
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [rules.points(card) for card in range(52)] == values * 4


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("AS 2S 3S", 0),
        ("QS KS AS", 21),
        ("KS AS 2S", 13),
        ("JS QS KS", 0),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", 0),
    ],
)
def test_the_ace_is_low(profile: str, hand: str, left: int) -> None:
    assert deadwood(hand, profile).deadwood == left


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("7S 7H 7D", 0),
        ("7S 7H 7D 7C", 0),
        ("7S 7H", 14),
        ("4S 5S", 9),
        ("4S 5S 6S", 0),
        ("4S 5H 6S", 15),
        ("4S 5S 7S", 16),
        ("4S 6S 8S", 18),
        ("9D TD JD QD KD", 0),
    ],
)
def test_a_meld_is_a_set_of_three_or_four_or_a_run_of_three_or_more(hand: str, left: int) -> None:
    assert deadwood(hand).deadwood == left


def test_a_card_belongs_to_at_most_one_meld() -> None:
    # The seven of spades would serve the set and the run: one of them must go without.
    assert deadwood("7S 7H 7D 8S 9S").deadwood == 14
    assert deadwood("7S 7H 7D 7C 8S 9S").deadwood == 0


@pytest.mark.parametrize(
    ("hand", "least", "careless"),
    [
        ("6H 5H 4H 8H 4C 4S 7H", 0, "longest run first leaves 8"),
        ("5D 4D 3D 5H 5C 5S 6D", 0, "sets first leaves 13"),
        ("7H 8H 9D 9S 9H 6H 8S", 8, "runs first leaves 26"),
    ],
)
def test_deadwood_is_the_minimum_over_all_disjoint_melds(hand: str, least: int, careless: str) -> None:
    assert deadwood(hand).deadwood == least == oracle.deadwood(oracle.cards(hand)), careless


# ---------------------------------------------------------------- rule 1


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rule_1_cards_are_dealt_one_at_a_time_from_seat_0(profile: str, players: int) -> None:
    size = SIZES[profile][players - 2]
    for dealer in range(players):
        deck = shuffled(dealer)
        deal = referee(profile, players, dealer, deck)
        for seat in range(players):
            player = (dealer + 1 + seat) % players
            assert texts(deal.dealt[player]) == set(deck[seat : size * players : players])
        shown = deal.as_json()
        assert shown["upcard"] == deck[size * players]
        assert shown["stock"] == deck[size * players + 1 :]
        assert shown["deck"] == deck


def test_rule_1_four_players_hold_28_cards_and_leave_23_in_the_stock() -> None:
    shown = referee("ledger", 4, 0, shuffled(1)).as_json()
    assert sum(len(hand) for hand in shown["hands"]) == 28
    assert len(shown["stock"]) == 23


def test_rule_1_the_deal_of_rotation_r_has_dealer_n_minus_1_minus_r() -> None:
    for players in (2, 3, 4, 5):
        for rotation in range(players):
            deal = play(players, ["knock=200"], seed=1, rotation=rotation)
            assert deal.dealer == players - 1 - rotation
            # player i sits in seat (i + r) mod N
            assert (deal.dealer + 1 + rotation) % players == 0


def test_rule_1_with_dealer_n_minus_1_player_i_sits_in_seat_i() -> None:
    deal = play(4, ["knock=200"], deck=shuffled(5))
    assert deal.dealer == 3
    assert deal.turns[0].player == 0


# ---------------------------------------------------------------- rule 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rule_2_seat_0_moves_first_and_play_goes_clockwise(players: int) -> None:
    for dealer in range(players):
        deal = referee("traditional", players, dealer, shuffled(7), *[DRAW_AND_RETURN] * 7)
        order = [(dealer + 1 + k) % players for k in range(8)]
        assert [turn.player for turn in deal.turns] == order[:7]
        assert deal.next == order[7]


# ---------------------------------------------------------------- rule 3


def test_rule_3_a_turn_takes_the_top_of_the_stock_and_gives_one_card_back() -> None:
    shown = small(turn("stock", "KS")).as_json()
    assert shown["turns"][0]["card"] == "QH"
    assert set(shown["hands"][0]) == {"QH", "9H", "4D"}
    assert shown["upcard"] == "KS"
    assert shown["stock"][:3] == ["8S", "AC", "JD"]
    assert shown["next"] == 1


def test_rule_3_or_takes_the_upcard() -> None:
    shown = small(turn("upcard", "KS")).as_json()
    assert shown["turns"][0]["card"] == "7D"
    assert set(shown["hands"][0]) == {"7D", "9H", "4D"}
    assert shown["upcard"] == "KS"
    assert shown["stock"][0] == "QH"


def test_rule_3_the_card_given_back_is_the_next_players_upcard() -> None:
    shown = small(turn("stock", "9H"), turn("upcard", "2C")).as_json()
    assert shown["turns"][1]["card"] == "9H"
    # Below it lies the first upcard again once the nine is gone, now under the two.
    assert shown["upcard"] == "2C"


def test_rule_3_a_card_taken_uncovers_the_one_below() -> None:
    deal = small(turn("stock", "9H"), turn("upcard", "2C"), turn("upcard", "KS"), turn("upcard", "3C"))
    assert [card_text(one.card) for one in deal.turns] == ["QH", "9H", "2C", "KS"]


def test_rule_3_a_knock_ends_the_deal_at_once() -> None:
    deal = small(turn("stock", "KS", knock=True))
    assert deal.end == "knock"
    assert deal.knocker == 0
    assert len(deal.turns) == 1


def test_rule_3_nobody_gets_another_turn_after_a_knock() -> None:
    with pytest.raises(IllegalTurn, match="turn 2.*over"):
        small(turn("stock", "KS", knock=True), turn("stock", "2C"))


@pytest.mark.parametrize("draw", ["stock", "upcard"])
def test_rule_3_only_a_card_in_hand_can_be_given_back(draw: str) -> None:
    line = forbidden(turn(draw, "2C"), turn=1, player=0)
    assert "2C" in line
    forbidden(turn("stock", "KS"), turn(draw, "KC"), turn=2, player=1)


def test_rule_3_a_turn_takes_a_card_from_stock_or_pile_and_from_nowhere_else() -> None:
    with pytest.raises(RequestError, match="turn 1"):
        small(turn("pile", "KS"))


def test_rule_3_melds_stay_hidden_until_the_end() -> None:
    """A bot's view has only what RULES.md says a player may know."""
    seen = []

    class Spy:
        def take_upcard(self, view: Any) -> bool:
            seen.append((view, view.hand, view.seen, view.upcard, view.stock_count))
            return False

        def give_back(self, view: Any) -> tuple[int, bool]:
            return view.drawn, view.own_turn == 3

    deck = shuffled(3)
    deal = play(3, ["knock=10"], "ledger", deck=deck, people={player: Spy() for player in range(3)})
    assert len(deal.turns) == len(seen) == 7
    for number, (view, hand, public, upcard, stock_count) in enumerate(seen):
        player = number % 3
        assert (view.player, view.seat, view.players) == (player, player, 3)
        assert texts(hand) == set(deck[player:21:3])
        assert card_text(upcard) == deck[21 + number]
        assert stock_count == 30 - number
        assert [turn.card for turn in public] == [None] * number
        assert [card_text(turn.discard) for turn in public] == deck[22 : 22 + number]
    # And nothing else; count and index are what every tuple has, a session adds its ledger.
    names = {name for name in dir(seen[0][0]) if not name.startswith("_")} - {"count", "index", "ledger"}
    assert names == {
        *("rules", "players", "player", "seat", "hand", "upcard", "stock_count", "taken", "drawn"),
        *("own_turn", "table_turn", "turns", "seen", "pile"),
    }


# ---------------------------------------------------------------- rule 4


def test_rule_4_a_card_taken_from_the_pile_may_not_be_given_back() -> None:
    line = forbidden(turn("upcard", "7D"), turn=1, player=0)
    assert "7D" in line
    forbidden(turn("upcard", "@drawn"), turn=1, player=0)


def test_rule_4_not_even_as_the_knocking_discard() -> None:
    forbidden(turn("upcard", "7D", knock=True), turn=1, player=0)
    forbidden(turn("upcard", "@drawn", knock=True), turn=1, player=0)


def test_rule_4_a_card_drawn_from_the_stock_may_be_given_back() -> None:
    assert small(turn("stock", "QH")).as_json()["upcard"] == "QH"
    assert small(turn("stock", "@drawn", knock=True)).end == "knock"


def test_rule_4_holds_for_the_same_turn_only() -> None:
    # Taken in turn 1, the seven may go in turn 3.
    shown = small(turn("upcard", "KS"), DRAW_AND_RETURN, turn("stock", "7D")).as_json()
    assert shown["upcard"] == "7D"


# ---------------------------------------------------------------- rule 5


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [*PROFILES, *MIXTURES])
def test_rule_5_knocking_is_allowed_on_the_first_turn_with_any_deadwood(rules: str, players: int) -> None:
    deal = referee(rules, players, players - 1, shuffled(11), turn("stock", "@drawn", knock=True))
    assert deal.end == "knock"
    assert deal.knocker == 0
    assert deal.deadwood[0] > 20


def test_rule_5_the_limit_is_tested_on_the_hand_after_the_discard() -> None:
    # Before giving back the hand counts 3 + 6 + 10: far too much. After it, 9: enough at 9, not at 8.
    deck = stack(2, 1, ["3S 6H KD", "2C 3C 4C"], "7D", "AC")
    after = turn("upcard", "KD", knock=True)  # 3 + 6 + 7 = 16
    assert small(after, rules=f"ledger:{SMALL},knock_limit=16", deck=deck).end == "knock"
    line = forbidden(after, turn=1, player=0, rules=f"ledger:{SMALL},knock_limit=15", deck=deck)
    assert "16" in line
    assert "15" in line


def test_rule_5_a_discard_out_of_a_meld_can_break_the_limit() -> None:
    # All melded before the discard (0), but one of three kings goes: 20.
    deck = stack(2, 1, ["KS KH 9C", "2C 3C 4C"], "KD", "AC")
    rules = f"ledger:{SMALL},knock_limit=10"
    assert small(turn("upcard", "9C", knock=True), rules=rules, deck=deck).settlement.rum
    forbidden(turn("upcard", "KS", knock=True), turn=1, player=0, rules=rules, deck=deck)


def test_rule_5_the_limit_does_not_hold_for_going_on() -> None:
    assert small(turn("stock", "QH"), rules=f"ledger:{SMALL},knock_limit=0").end == "open"


# ---------------------------------------------------------------- rule 6


def test_rule_6_every_player_counts_the_minimum_of_their_own_cards() -> None:
    hands = ["6H 5H 4H 8H 4C 4S 7H", "5D 4D 3D 5C 5S 6D KC", "9D 9S 9H 2H 3H AD JC"]
    deck = stack(3, 2, hands, "QC", "KD")
    deal = referee("ledger", 3, 2, deck, turn("stock", "KD", knock=True))
    assert list(deal.deadwood) == [0, 28 - 18 + 10, 2 + 3 + 1 + 10]


def test_rule_6_nobody_lays_off_cards_on_anothers_melds() -> None:
    # Player 1's nine would prolong player 0's run.
    deck = stack(2, 1, ["6H 7H 8H", "9H KC KD"], "QC", "2S")
    deal = small(turn("stock", "2S", knock=True), deck=deck)
    assert list(deal.deadwood) == [0, 29]


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


# ---------------------------------------------------------------- settlement


def settled(counts: list[int], knocker: int | None, rules: str = "ledger") -> tuple[list[str], list[int]]:
    found = settlement(counts, knocker, parse_rules(rules))
    assert list(found.deadwood) == counts
    return [str(amount) for amount in found.transfers], list(found.winners)


@pytest.mark.parametrize("rules", MIXTURES)
def test_rum_each_opponent_pays_the_count_and_the_bonus(rules: str) -> None:
    assert settled([0, 17, 42], 0, rules) == (["109", "-42", "-67"], [0])


@pytest.mark.parametrize("rules", MIXTURES)
def test_rum_wins_also_against_another_zero(rules: str) -> None:
    assert settled([0, 0, 33], 0, rules) == (["83", "-25", "-58"], [0])
    found = settlement([0, 0, 33], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (True, False, False)


@pytest.mark.parametrize("rules", MIXTURES)
def test_a_zero_that_did_not_knock_earns_no_bonus(rules: str) -> None:
    assert settled([8, 0, 21], 0, rules) == (["-18", "39", "-21"], [1])
    assert settled([0, 12], None, rules) == (["12", "-12"], [0])


@pytest.mark.parametrize("rules", MIXTURES)
def test_the_knocker_at_the_lowest_count_alone_wins_the_differences(rules: str) -> None:
    assert settled([20, 4, 9], 1, rules) == (["-16", "21", "-5"], [1])
    found = settlement([20, 4, 9], 1, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, False)


@pytest.mark.parametrize("rules", MIXTURES)
def test_an_undercut_knocker_pays_the_difference_and_the_penalty(rules: str) -> None:
    assert settled([18, 9, 4, 30], 0, rules) == (["-24", "-5", "55", "-26"], [2])
    found = settlement([18, 9, 4, 30], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, True, False)


@pytest.mark.parametrize("stock", ["compare", "reshuffle"])
def test_tie_free_a_tied_knocker_pays_and_receives_nothing(stock: str) -> None:
    rules = f"traditional:stock={stock},tie=free"
    assert settled([12, 25, 40, 12], 0, rules) == (["0", "-13", "-28", "41"], [3])
    assert settled([9, 9], 1, rules) == (["0", "0"], [0])
    found = settlement([9, 9], 1, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, True)
    assert list(found.win_shares) == [1, 0]


@pytest.mark.parametrize("stock", ["compare", "reshuffle"])
def test_tie_penalty_a_tied_knocker_pays_the_undercut_once_in_all(stock: str) -> None:
    rules = f"ledger:stock={stock},tie=penalty"
    assert settled([12, 25, 40, 12], 0, rules) == (["-10", "-13", "-28", "51"], [3])
    assert settled([7, 7, 30, 18, 7], 0, rules) == (["-10", "22", "-23", "-11", "22"], [1, 4])
    found = settlement([7, 7, 30, 18, 7], 0, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, True)


@pytest.mark.parametrize("rules", MIXTURES)
def test_without_a_knocker_everyone_at_the_lowest_count_wins(rules: str) -> None:
    assert settled([10, 10, 13, 26, 44], None, rules) == (["53/2", "53/2", "-3", "-16", "-34"], [0, 1])
    assert settled([8, 8, 8], None, rules) == (["0", "0", "0"], [0, 1, 2])
    found = settlement([10, 10, 13, 26, 44], None, parse_rules(rules))
    assert (found.rum, found.undercut, found.tied) == (False, False, False)


def test_the_winners_share_all_payments_equally() -> None:
    assert settled([30, 8, 8, 8], 0) == (["-32", "32/3", "32/3", "32/3"], [1, 2, 3])
    assert settled([9, 8, 8, 8, 8], 0) == (["-11", "11/4", "11/4", "11/4", "11/4"], [1, 2, 3, 4])
    assert settled([30, 8, 8, 8], 0, "traditional:undercut=9") == (["-31", "31/3", "31/3", "31/3"], [1, 2, 3])


def test_every_amount_is_a_multiple_of_a_twelfth_and_every_share_of_a_sixtieth() -> None:
    for rules in MIXTURES:
        for counts in product([0, 3, 4], repeat=5):
            for knocker in (None, 0, 4):
                found = settlement(list(counts), knocker, parse_rules(rules))
                assert all((12 * amount).denominator == 1 for amount in found.transfers)
                assert all((60 * share).denominator == 1 for share in found.win_shares)


def test_win_share_is_one_over_the_number_of_winners() -> None:
    found = settlement([8, 8, 8, 8, 8], None, parse_rules("ledger"))
    assert list(found.win_shares) == [Fraction(1, 5)] * 5
    found = settlement([8, 5, 5, 9], 0, parse_rules("ledger"))
    assert list(found.win_shares) == [0, Fraction(1, 2), Fraction(1, 2), 0]


@pytest.mark.parametrize("amount", [0, 1, 1000])
def test_undercut_and_rum_bonus_are_what_the_rules_say(amount: int) -> None:
    rules = f"traditional:undercut={amount},rum_bonus={amount}"
    assert settled([8, 3], 0, rules) == ([str(-5 - amount), str(5 + amount)], [1])
    assert settled([8, 8], 0, rules) == ([str(-amount), str(amount)], [1])
    assert settled([0, 8], 0, rules) == ([str(8 + amount), str(-8 - amount)], [0])


def test_every_settlement_agrees_with_the_oracle() -> None:
    for tie, undercut, players in product(["free", "penalty"], [0, 10, 17], [2, 3, 4]):
        rules = parse_rules(f"ledger:tie={tie},undercut={undercut},rum_bonus=31")
        for counts in product([0, 1, 7, 12], repeat=players):
            for knocker in (None, *range(players)):
                found = settlement(list(counts), knocker, rules)
                expected = oracle.settle(list(counts), knocker, tie, undercut, 31)
                assert list(found.winners) == expected.winners
                assert list(found.transfers) == expected.transfers
                assert list(found.win_shares) == expected.win_shares
                flags = (found.rum, found.undercut, found.tied)
                assert flags == (expected.rum, expected.undercut, expected.tied)


# ---------------------------------------------------------------- the worked example and the verb settle

KNOCKER = "4♥ 5♥ 6♥ Q♣ Q♦ Q♠ 8♦"
UNDERCUTTER = "A♠ A♥ A♦ 7♣ 8♣ 9♣ 3♥"


@pytest.mark.parametrize("rules", PROFILES)
def test_worked_example(rules: str) -> None:
    found = settle([KNOCKER, UNDERCUTTER], 0, rules)
    assert found.as_json() == {
        "deadwood": [8, 3],
        "winners": [1],
        "transfers": ["-15", "15"],
        "win_shares": ["0", "1"],
        "rum": False,
        "undercut": True,
        "tied": False,
    }
    # Two players hold ten cards: scored, with a warning.
    assert len(found.warnings) == 1
    assert len(found.warnings[0].splitlines()) == 1


def test_worked_example_as_a_deal() -> None:
    deck = stack(2, 1, [KNOCKER_LETTERS, UNDERCUTTER_LETTERS], "KD", "KC")
    deal = referee("ledger:seven", 2, 1, deck, turn("stock", "@drawn", knock=True))
    assert list(deal.settlement.transfers) == [-15, 15]


KNOCKER_LETTERS = "4H 5H 6H QC QD QS 8D"
UNDERCUTTER_LETTERS = "AS AH AD 7C 8C 9C 3H"


@pytest.mark.parametrize(
    ("hands", "knocker", "words"),
    [
        (["4H 5H 6H", "4H 7C 8C"], 0, ["4H", "0", "1"]),
        (["4H 5H 6H", "7C 8C"], 0, ["3", "2"]),
        (["4H 5H 6H"], 0, ["1", "2", "5"]),
        (["AS", "2S", "3S", "4S", "5S", "6S"], 0, ["6", "2", "5"]),
        (["4H 5H 6H", "7C 8C 9C"], 2, ["2", "0", "1"]),
        (["4H 5H 6H", "7C 8C 9C"], -1, ["-1"]),
        (["4H 5H 5H", "7C 8C 9C"], 0, ["5H"]),
        (["4H 5H **", "7C 8C 9C"], 0, ["oker"]),
        (["4H 5H 6X", "7C 8C 9C"], 0, ["6X"]),
    ],
)
def test_hands_that_cannot_be_settled_are_refused(hands: list[str], knocker: int, words: list[str]) -> None:
    with pytest.raises(RequestError) as refused:
        settle(hands, knocker)
    assert len(str(refused.value).splitlines()) == 1
    for word in words:
        assert word in str(refused.value)


def test_a_knock_above_the_limit_is_warned_of_and_scored() -> None:
    found = settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:hand_size=3,knock_limit=22")
    assert list(found.transfers) == [-33, 33]
    assert len(found.warnings) == 1
    assert "23" in found.warnings[0]
    assert "22" in found.warnings[0]
    assert list(settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:hand_size=3,knock_limit=23").warnings) == []
    assert list(settle(["4H 9H KS", "7C 8C 9C"], None, "ledger:hand_size=3,knock_limit=22").warnings) == []


def test_two_warnings_are_two_lines() -> None:
    found = settle(["4H 9H KS", "7C 8C 9C"], 0, "ledger:knock_limit=22")
    assert len(found.warnings) == 2


# ---------------------------------------------------------------- the fields of the rules

TABLE = {
    "ledger": {
        "hand_size": "10/7/7/7",
        "stock": "compare",
        "tie": "free",
        "undercut": 10,
        "rum_bonus": 25,
        "knock_limit": "none",
        "ace": "low",
        "jokers": 0,
        "joker_value": 15,
        "min_naturals": 1,
        "max_turns": 500,
    },
}
TABLE["traditional"] = {**TABLE["ledger"], "hand_size": "10/7/7/6", "stock": "reshuffle", "tie": "penalty"}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_two_profiles(profile: str) -> None:
    shown = parse_rules(profile).as_json()
    assert shown == TABLE[profile]
    assert list(shown) == list(TABLE[profile])


def test_ledger_is_the_default() -> None:
    assert play(2, ["knock=200"], deck=shuffled(1)).rules == parse_rules("ledger")


def test_fields_table_names_every_field() -> None:
    assert len(FIELDS) == len(TABLE["ledger"])


ALLOWED = [
    ("hand_size", "1", "1/1/1/1"),
    ("hand_size", "7", "7/7/7/7"),
    ("hand_size", "13", "13/13/13/13"),
    ("hand_size", "25/16/12/10", "25/16/12/10"),
    ("hand_size", "10/7/7/6", "10/7/7/6"),
    ("stock", "compare", "compare"),
    ("stock", "reshuffle", "reshuffle"),
    ("tie", "free", "free"),
    ("tie", "penalty", "penalty"),
    ("undercut", "0", 0),
    ("undercut", "1000", 1000),
    ("rum_bonus", "0", 0),
    ("rum_bonus", "1000", 1000),
    ("knock_limit", "none", "none"),
    ("knock_limit", "0", 0),
    ("knock_limit", "200", 200),
    ("ace", "low", "low"),
    ("ace", "high-or-low", "high-or-low"),
    ("jokers", "0", 0),
    ("joker_value", "0", 0),
    ("joker_value", "40", 40),
    ("min_naturals", "1", 1),
    ("min_naturals", "2", 2),
    ("min_naturals", "3", 3),
    ("max_turns", "1", 1),
    ("max_turns", "1000000", 1000000),
]

REFUSED = [
    *[("hand_size", text) for text in ("0", "-1", "7/7/7", "10/7/7/7/7", "10/7/7/0", "x", "", "7/", "7.0")],
    *[("stock", text) for text in ("Compare!", "recycle", "", "none")],
    *[("tie", text) for text in ("pay", "", "none")],
    *[("undercut", text) for text in ("-1", "1001", "ten", "", "1.5", "none", "1_0")],
    *[("rum_bonus", text) for text in ("-1", "1001", "x", "", "nan")],
    *[("knock_limit", text) for text in ("-1", "201", "never", "", "10.5")],
    *[("ace", text) for text in ("high", "", "both")],
    *[("jokers", text) for text in ("-1", "3", "x", "")],
    *[("joker_value", text) for text in ("-1", "41", "")],
    *[("min_naturals", text) for text in ("0", "4", "")],
    *[("max_turns", text) for text in ("0", "-1", "none", "", "inf")],
]


def single_refusal(value: Any) -> str:
    with pytest.raises(RequestError) as refused:
        parse_rules(value)
    line = str(refused.value)
    assert len(line.splitlines()) == 1
    return line


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("field", "text", "value"), ALLOWED)
def test_field_takes_its_allowed_values(profile: str, field: str, text: str, value: Any) -> None:
    rules = parse_rules(f"{profile}:{field}={text}")
    assert rules.as_json() == {**TABLE[profile], field: value}
    assert parse_rules(rules.as_json()) == rules


@pytest.mark.parametrize(("field", "text"), REFUSED)
def test_field_refuses_values_outside_the_table(field: str, text: str) -> None:
    line = single_refusal(f"ledger:{field}={text}")
    assert field in line
    assert text in line


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("undercut", 1001),
        ("undercut", "many"),
        ("undercut", 1.5),
        ("undercut", True),
        ("rum_bonus", -1),
        ("rum_bonus", None),
        ("knock_limit", 201),
        ("ace", 1),
        ("max_turns", 0),
        ("hand_size", "10/7/7"),
        ("hand_size", 0),
        ("stock", "x"),
        ("tie", []),
        ("flavour", 1),
    ],
)
def test_field_refuses_the_same_in_a_file_or_mapping(field: str, value: Any) -> None:
    assert field in single_refusal({**TABLE["ledger"], field: value})
    assert field in single_refusal({"profile": "traditional", field: value})


@pytest.mark.parametrize("jokers", [1, 2])
def test_field_jokers_is_refused_for_now(jokers: int) -> None:
    assert "oker" in single_refusal(f"ledger:jokers={jokers}")
    assert "oker" in single_refusal({**TABLE["ledger"], "jokers": jokers})
    assert "oker" in single_refusal("traditional:joker-knock")


def test_hand_size_must_leave_two_cards() -> None:
    rules = parse_rules("ledger:hand_size=13")
    assert [rules.size_for(players) for players in (2, 3)] == [13, 13]
    with pytest.raises(RequestError) as refused:
        rules.size_for(4)
    assert "13" in str(refused.value)
    with pytest.raises(RequestError):
        play(4, ["knock=10"], rules, seed=1)
    with pytest.raises(RequestError):
        replay(record("ledger:hand_size=13", 4, 0, shuffled(1), []))


@pytest.mark.parametrize(("players", "most"), [(2, 25), (3, 16), (4, 12), (5, 10)])
def test_hand_size_players_times_size_is_at_most_50(players: int, most: int) -> None:
    assert parse_rules(f"ledger:hand_size={most}").size_for(players) == most
    deal = referee(f"ledger:hand_size={most}", players, 0, shuffled(1))
    assert len(deal.as_json()["stock"]) == 51 - most * players
    with pytest.raises(RequestError):
        parse_rules(f"ledger:hand_size={most + 1}").size_for(players)


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 7])
def test_there_are_two_to_five_players(players: int) -> None:
    for call in (
        lambda: parse_rules("ledger").size_for(players),
        lambda: play(players, ["knock=10"], seed=1),
        lambda: replay(record("ledger", players, 0, shuffled(1), [])),
    ):
        with pytest.raises(RequestError) as refused:
            call()
        assert str(players) in str(refused.value)


@pytest.mark.parametrize("dealer", [-1, 3, "0", None, 1.0, True])
def test_the_dealer_is_one_of_the_players(dealer: Any) -> None:
    with pytest.raises(RequestError, match="dealer"):
        replay(record("ledger", 3, dealer, shuffled(1), []))


@pytest.mark.parametrize("change", ["one less", "twice", "joker", "no card"])
def test_the_deck_is_the_whole_pack(change: str) -> None:
    deck = shuffled(1)
    wrong = {
        "one less": deck[:-1],
        "twice": [*deck[:-1], deck[0]],
        "joker": [*deck, "**"],
        "no card": [*deck[:-1], "1X"],
    }[change]
    with pytest.raises(RequestError):
        replay(record("ledger", 3, 0, wrong, []))
    with pytest.raises(RequestError):
        play(3, ["knock=10"], deck=wrong)


# ---------------------------------------------------------------- variants


def changed(rules: Rules, profile: str) -> dict[str, Any]:
    """The fields in which these rules differ from their profile."""
    return {key: value for key, value in rules.as_json().items() if value != TABLE[profile][key]}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("variant", "fields"),
    [
        ("rum-knock", {"knock_limit": 10}),
        ("no-knock", {"knock_limit": 0}),
        ("ace-high", {"ace": "high-or-low"}),
        ("seven", {"hand_size": "7/7/7/7"}),
        ("poker-rum", {}),
        ("poker-gin", {}),
    ],
)
def test_variant(profile: str, variant: str, fields: dict[str, Any]) -> None:
    assert changed(parse_rules(f"{profile}:{variant}"), profile) == fields
    assert changed(parse_rules({"profile": profile, "variants": [variant]}), profile) == fields


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("knock", ["rum-knock", "no-knock"])
def test_variants_combine_freely(profile: str, knock: str) -> None:
    limit = 10 if knock == "rum-knock" else 0
    for text in (f"{knock},ace-high,seven,poker-gin", f"seven,poker-rum,ace-high,{knock}"):
        assert changed(parse_rules(f"{profile}:{text}"), profile) == {
            "hand_size": "7/7/7/7",
            "knock_limit": limit,
            "ace": "high-or-low",
        }


def test_variants_rum_knock_and_no_knock_contradict_each_other() -> None:
    for value in (
        "ledger:rum-knock,no-knock",
        "traditional:no-knock,seven,rum-knock",
        {"profile": "ledger", "variants": ["rum-knock", "no-knock"]},
    ):
        line = single_refusal(value)
        assert "rum-knock" in line
        assert "no-knock" in line


def test_variant_field_given_explicitly_overrides_it() -> None:
    assert parse_rules("ledger:rum-knock,knock_limit=12").knock_limit == 12
    assert parse_rules("ledger:knock_limit=12,rum-knock").knock_limit == 12
    assert parse_rules("ledger:no-knock,knock_limit=none").knock_limit is None
    assert parse_rules("traditional:seven,hand_size=5").as_json()["hand_size"] == "5/5/5/5"
    mapping = {"profile": "ledger", "variants": ["rum-knock"], "knock_limit": 12}
    assert parse_rules(mapping).knock_limit == 12


def test_the_same_field_twice_is_refused() -> None:
    assert "undercut" in single_refusal("ledger:undercut=10,undercut=20")
    assert "undercut" in single_refusal("ledger:undercut=10,seven,undercut=10")


@pytest.mark.parametrize(
    "text", ["tunk", "ledger:tunk", "ledger:colour=red", "Ledger;seven", "ledger:seven:ace-high", ":"]
)
def test_unknown_profiles_variants_and_fields_are_refused(text: str) -> None:
    single_refusal(text)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    line = single_refusal("seed03")
    assert "seed03" in line
    assert "ledger" in line
    assert "traditional" in line
    assert "rum-knock" in single_refusal("ledger:rumknock")


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_rum_knock_allows_ten_and_refuses_eleven(profile: str) -> None:
    rules = f"{profile}:rum-knock,{SMALL}"
    deck = stack(2, 1, ["4S 5S AH", "2C 3C 4C"], "9D", "KC")
    assert small(turn("stock", "@drawn", knock=True), rules=rules, deck=deck).end == "knock"
    deck = stack(2, 1, ["4S 5S 2H", "2C 3C 4C"], "9D", "KC")
    line = forbidden(turn("stock", "@drawn", knock=True), turn=1, player=0, rules=rules, deck=deck)
    assert "11" in line


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_no_knock_ends_only_with_zero_and_is_settled_as_rum(profile: str) -> None:
    rules = f"{profile}:no-knock,{SMALL}"
    deck = stack(2, 1, ["4S 5S KH", "2C 3C 9C"], "6S", "AC")
    deal = small(turn("upcard", "KH", knock=True), rules=rules, deck=deck)
    assert deal.settlement.rum
    assert list(deal.settlement.transfers) == [14 + 25, -14 - 25]
    forbidden(turn("stock", "KH", knock=True), turn=1, player=0, rules=rules, deck=deck)  # 4 + 5 + 1


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("QS KS AS", 0),
        ("AS 2S 3S", 0),
        ("KS AS 2S", 13),
        ("QS KS AS 2S", 2),
        ("QS KS AS 2S 3S", 5),
        ("QS KS AS 2S 3S AH", 6),
        ("KS AS 2S 3S", 10),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", 0),
        ("AS 9H KC", 20),
    ],
)
def test_variant_ace_high_allows_q_k_a_without_a_wrap(profile: str, hand: str, left: int) -> None:
    rules = f"{profile}:ace-high"
    found = deadwood(hand, rules)
    assert found.deadwood == left
    assert oracle.deadwood(oracle.cards(hand), "high-or-low") == left
    assert count(mask(parse_cards(hand)), parse_rules(rules)) == left


def test_variant_ace_high_the_ace_still_counts_one() -> None:
    rules = parse_rules("ledger:ace-high")
    assert [rules.points(13 * suit) for suit in range(4)] == [1, 1, 1, 1]


@pytest.mark.parametrize("profile", PROFILES)
def test_variant_ace_high_in_a_deal(profile: str) -> None:
    deck = stack(2, 1, ["QS KS 4D", "2C 3C 9C"], "AS", "AC")
    knock = turn("upcard", "4D", knock=True)
    assert small(knock, rules=f"{profile}:{SMALL},ace-high", deck=deck).settlement.rum
    assert list(small(knock, rules=f"{profile}:{SMALL}", deck=deck).deadwood) == [21, 14]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_variant_seven_deals_seven_cards_to_all(profile: str, players: int) -> None:
    deal = referee(f"{profile}:seven", players, 0, shuffled(6))
    assert [len(hand) for hand in deal.dealt] == [7] * players


def test_rules_from_a_toml_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('profile = "traditional"\nvariants = ["rum-knock", "seven"]\nundercut = 20\n', "utf-8")
    rules = parse_rules(str(file))
    assert rules == parse_rules("traditional:rum-knock,seven,undercut=20")
    for broken in ("undercut = 5000\n", 'profile = "x"\n', "undercut =\n", 'variants = ["tunk"]\n'):
        file.write_text(broken, "utf-8")
        single_refusal(str(file))
    single_refusal(str(tmp_path / "missing.toml"))


# ---------------------------------------------------------------- a file that is no recorded deal


@pytest.mark.parametrize("key", ["rules", "players", "dealer", "deck", "turns"])
def test_replay_needs_its_keys(key: str) -> None:
    deal = record("ledger", 2, 0, shuffled(1), [])
    del deal[key]
    with pytest.raises(RequestError, match=key):
        replay(deal)


def test_replay_ignores_keys_that_it_computes_itself() -> None:
    deal = record("ledger", 2, 0, shuffled(1), [turn("stock", "@drawn", knock=True)])
    good = replay(deal).as_json()
    lies = {
        **{"hands": [["AS"]], "deadwood": [0, 0], "winners": [0, 1], "transfers": ["9"], "end": "open"},
        **{"knocker": 1, "comment": "a key of one's own"},
    }
    wrong_turn = {**deal["turns"][0], "card": "AS", "deadwood": 3, "player": 0}
    assert replay({**deal, **lies, "turns": [wrong_turn]}).as_json() == good
    assert good["bots"] is None


@pytest.mark.parametrize("text", ["", "[]", "{", "3", '{"rules": "ledger"}', "\x00"])
def test_replay_refuses_a_file_that_is_no_deal(text: str, tmp_path: Path, command: Callable[..., Any]) -> None:
    file = tmp_path / "deal.json"
    file.write_text(text, "utf-8")
    with pytest.raises(RequestError):
        replay(str(file))
    answer = command("replay", file)
    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err


def test_replay_reads_a_path(tmp_path: Path) -> None:
    deal = record("ledger", 2, 0, shuffled(1), [DRAW_AND_RETURN])
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(deal), "utf-8")
    assert replay(str(file)).as_json() == replay(file).as_json() == replay(deal).as_json()


@pytest.mark.parametrize(
    "bad",
    [
        {"draw": "stock", "knock": False},
        {"discard": "@drawn", "knock": False},
        {"draw": "stock", "discard": None, "knock": False},
        {"draw": "stock", "discard": "@drawn", "knock": "yes"},
        {"draw": "decline", "discard": "KS", "knock": True},
        "stock",
        None,
    ],
)
def test_replay_names_the_turn_that_is_no_turn(bad: Any) -> None:
    # Counted from 1 as always, and in words that a user knows.
    with pytest.raises(RequestError, match="turn 2") as refused:
        replay(record("ledger", 2, 1, shuffled(1), [DRAW_AND_RETURN, bad]))
    assert "_TurnFile" not in str(refused.value)
