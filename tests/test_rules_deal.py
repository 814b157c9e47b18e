"""The rulebook as tests, named after its rules: one deal, rules 1 to 6."""

from __future__ import annotations

from typing import Any

import pytest

from rumsim import play
from rumsim.cards import card_text
from rumsim.errors import RequestError
from rumsim.referee import IllegalTurn
from tests.rulebook import MIXTURES, PROFILES, SIZES, SMALL, forbidden, small, texts
from tests.scripts import DRAW_AND_RETURN, referee, shuffled, stack, turn

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
    """A bot's view has only what the rules say a player may know."""
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
    # And nothing else; count and index are what every tuple has, and where a session stands is nothing in one deal.
    assert seen[0][0].standing is None
    names = {name for name in dir(seen[0][0]) if not name.startswith("_")} - {"count", "index", "standing"}
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
