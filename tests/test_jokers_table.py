"""Jokers at the table: drawn, taken, given back, shuffled in again, shown."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rumsim import play, replay
from rumsim.bots import parse_bot
from rumsim.cards import card_text, parse_cards
from rumsim.decks import deck
from rumsim.referee import Deal, IllegalTurn
from rumsim.referee.seat import seat_view
from rumsim.rules import parse_rules
from tests import oracle
from tests.scripts import referee, stack, turn

SMALL = "ledger:joker-knock,hand_size=3"


def small(*turns: dict[str, Any], hands: list[str], upcard: str, stock: str = "", rules: str = SMALL) -> Any:
    """Two players, three cards each, dealer 1: player 0 moves first."""
    return referee(rules, 2, 1, stack(2, 1, hands, upcard, stock, jokers=parse_rules(rules).jokers), *turns)


def test_a_joker_taken_may_not_be_given_back_in_the_same_turn() -> None:
    for given in ("**", "@drawn"):
        with pytest.raises(IllegalTurn, match=r"turn 1, player 0.*\*\*.*taken"):
            small(turn("upcard", given), hands=["2S 9H KD", "3S 8H QD"], upcard="**")


def test_only_that_joker_may_not_be_given_back() -> None:
    found = small(turn("upcard", "**"), hands=["2S 9H **", "3S 8H QD"], upcard="**")
    # Player 0 held 52 (dealt before the upcard), took 53 and gave back 52.
    assert found.hands[0] == (*parse_cards("2S 9H"), 53)
    assert (found.turns[0].card, found.turns[0].discard, found.upcard) == (53, 52, 52)
    # The other way round: player 0 gives back 52, which player 1 takes, and gives back 53.
    found = small(turn("stock", "**"), turn("upcard", "**"), hands=["2S 9H **", "3S 8H **"], upcard="4C", stock="5C")
    assert (found.turns[1].card, found.turns[1].discard, found.upcard) == (52, 53, 53)


def test_a_joker_drawn_from_the_stock_may_go_at_once_and_in_the_next_turn_a_taken_one_may() -> None:
    found = small(turn("stock", "@drawn"), hands=["2S 9H KD", "3S 8H QD"], upcard="4C", stock="**")
    assert card_text(found.upcard) == "**"
    turns = [turn("upcard", "2S"), turn("stock", "@drawn"), turn("stock", "**")]
    found = small(*turns, hands=["2S 9H KD", "3S 8H QD"], upcard="**", stock="4C 5C")
    assert card_text(found.upcard) == "**"


def test_a_joker_that_is_not_held_may_not_be_given_back() -> None:
    with pytest.raises(IllegalTurn, match=r"turn 1, player 0: \*\* cannot be given back: discard not in hand"):
        small(turn("stock", "**"), hands=["2S 9H KD", "3S 8H **"], upcard="4C", stock="5C")


def test_of_two_jokers_held_the_lowest_is_given_back() -> None:
    found = small(turn("stock", "**"), hands=["** 9H **", "3S 8H QD"], upcard="4C", stock="5C")
    assert (found.turns[0].discard, found.hands[0][-1]) == (52, 53)
    shown = found.as_json()
    assert shown["hands"][0] == ["9H", "5C", "**"]
    assert [shown["turns"][0][key] for key in ("card", "discard", "deadwood")] == ["5C", "**", 29]


def test_a_joker_is_a_knocking_discard_like_any_card() -> None:
    found = small(turn("stock", "**", knock=True), hands=["4H 5H **", "3S 8H QD"], upcard="4C", stock="6H")
    assert (found.end, found.deadwood) == ("knock", (0, 21))


def test_melds_with_jokers_are_counted_at_the_end() -> None:
    # Player 0 knocks with 7S 7D and a joker: rum. Player 1 has K + 15 + 2, a pair would have been better.
    found = small(turn("stock", "9C", knock=True), hands=["7S 7D **", "2S ** KD"], upcard="4C", stock="9C")
    assert (found.deadwood, found.settlement.rum) == ((0, 27), True)
    assert [str(amount) for amount in found.settlement.transfers] == ["52", "-52"]


def test_a_renewed_stock_that_holds_the_second_joker_alone() -> None:
    """Written **, it is the one that lies in the pile, whatever its number."""
    rules = "traditional:joker-knock,hand_size=25"
    hands = [" ".join(card_text(card) for card in range(first, first + 25)) for first in (0, 25)]
    hands[0] = hands[0].replace("AS", "**", 1)  # card 52, kept for good
    # The first upcard is AS, the stock QC KC and the second joker.
    turns = [turn("stock", "@drawn") for _ in range(3)]
    deal = referee(rules, 2, 1, stack(2, 1, hands, "AS", "QC ** KC", jokers=2), *turns)
    assert (deal.end, [card_text(card) for card in deal.new_stock]) == ("open", ["AS", "QC", "**"])
    assert deal.new_stock[-1] == 53
    again = turn("stock", "@drawn", reshuffle=["QC", "**", "AS"])
    deal = referee(rules, 2, 1, stack(2, 1, hands, "AS", "QC ** KC", jokers=2), *turns, again)
    assert deal.turns[-1].reshuffle == (50, 53, 0)
    assert deal.as_json()["turns"][-1]["reshuffle"] == ["QC", "**", "AS"]


def test_a_renewed_stock_must_hold_its_jokers() -> None:
    rules = "traditional:joker-knock,hand_size=25"
    hands = [" ".join(card_text(card) for card in range(first, first + 25)) for first in (0, 25)]
    turns = [turn("stock", "@drawn") for _ in range(3)]
    deck_of = stack(2, 1, hands, "QC", "** ** KC", jokers=2)
    for order in (["QC", "**"], ["QC", "**", "**", "**"], ["QC", "KC", "**"]):
        with pytest.raises(IllegalTurn, match="turn 4"):
            referee(rules, 2, 1, deck_of, *turns, turn("stock", "@drawn", reshuffle=order))
    assert referee(rules, 2, 1, deck_of, *turns, turn("stock", "@drawn", reshuffle="** QC **")).end == "open"


@pytest.mark.parametrize(
    ("draw", "value", "takes"),
    [
        # 2S 9H KD and a joker as upcard: no two of the cards meld with it, so the count is higher by its value.
        ("meld", 15, False),
        # improve: the king goes, the joker stays, 10 - value points better.
        ("improve:1", 15, False),
        ("improve:1", 9, True),
        ("improve:2", 9, False),
        ("improve:10", 0, True),
        ("improve:11", 0, False),
    ],
)
def test_draw_rules_know_what_a_joker_counts(draw: str, value: int, takes: bool) -> None:
    rules = parse_rules(f"{SMALL},joker_value={value},min_naturals=2")
    deal = Deal(rules, 2, 1, parse_cards(stack(2, 1, ["2S 9H KD", "3S 8H QD"], "**", jokers=2)))
    assert parse_bot(f"draw={draw}").take_upcard(deal.view()) is takes


def test_meld_takes_a_joker_that_melds() -> None:
    deal = Deal(parse_rules(SMALL), 2, 1, parse_cards(stack(2, 1, ["9S 9H KD", "3S 8H QD"], "**", jokers=2)))
    # 28 before; with the joker the nines meld and 10 is left, less than 28 + 15.
    assert parse_bot("draw=meld").take_upcard(deal.view()) is True


@pytest.mark.parametrize("jokers", [1, 2])
def test_random_decks_hold_the_jokers(jokers: int) -> None:
    rules = parse_rules(f"ledger:jokers={jokers}")
    for block in range(20):
        dealt = play(4, "knock=30", rules, seed=5, block=block)
        assert dealt.deck == tuple(deck(5, block, rules.deck_size))
        assert sorted(dealt.deck) == list(range(52 + jokers))
        assert dealt.as_json()["deck"].count("**") == jokers


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_played_deals_come_back_and_break_no_rule(players: int) -> None:
    seen: Counter[str] = Counter()
    for block in range(15):
        rules = f"{['ledger', 'traditional'][block % 2]}:joker-knock,min_naturals={block % 3 + 1},max_turns=60"
        deal = play(players, ["knock=3,draw=meld", "knock=2"], rules, seed=players, block=block)
        shown = json.loads(json.dumps(deal.as_json()))
        assert json.dumps(replay(shown).as_json()) == json.dumps(shown)
        for _ in oracle.follow(shown):
            pass
        seen["drawn"] += sum(one["card"] == "**" for one in shown["turns"])
        seen["given"] += sum(one["discard"] == "**" for one in shown["turns"])
        seen["held"] += sum(hand.count("**") for hand in shown["hands"])
    assert all(seen[what] for what in ("drawn", "given", "held")), seen


def test_bots_of_ones_own_see_jokers() -> None:
    rules = parse_rules(f"{SMALL},joker_value=9")
    deal = Deal(rules, 2, 1, parse_cards(stack(2, 1, ["2S 9H **", "3S 8H QD"], "**", jokers=2)))
    seen = seat_view(deal.view())
    assert (seen.hand >> 52, seen.upcard, seen.points(53)) == (1, 53, 9)
    # 2 + 9 + 9 as it is. With the other joker either card makes a meld of both; the nine goes.
    assert (seen.deadwood(seen.hand), seen.best_discard_with_upcard()) == (20, (parse_cards("9H")[0], 0))
    assert list(seen.cards(seen.hand)) == [*parse_cards("2S 9H"), 52]
    for ask in (lambda: seen.points(54), lambda: seen.deadwood(1 << 54), lambda: list(seen.cards(1 << 54))):
        with pytest.raises(ValueError):
            ask()
    without = seat_view(Deal(parse_rules("ledger"), 2, 1, range(52)).view())
    for ask in (lambda: without.points(52), lambda: without.deadwood(1 << 52), lambda: list(without.cards(1 << 52))):
        with pytest.raises(ValueError):
            ask()


def test_a_bot_of_ones_own_may_give_a_joker_back(tmp_path: Path) -> None:
    file = tmp_path / "thrower.py"
    file.write_text(
        "def take_upcard(view):\n    return False\n\n\n"
        "def give_back(view):\n    for card in view.cards(view.hand):\n        last = card\n    return last, False\n"
    )
    hands = ["2S 9H **", "3S 8H QD"]
    words = stack(2, 1, hands, "4C", "5C 6C", jokers=2)
    deal = play(2, f"@{file}", f"{SMALL},max_turns=2", deck=words)
    assert [card_text(one.discard) for one in deal.turns if one.discard is not None] == ["**", "6C"]


# ---------------------------------------------------------------- a person, and a reader


def test_a_person_gives_a_joker_back(
    command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(" ".join(stack(2, 1, ["2S 9H 4D", "3S ** QD"], "**", "5C 6C", jokers=2)))
    monkeypatch.setattr("sys.stdin", io.StringIO("u\n**\n4D\ns\nk **\n"))
    words = ("--players", 2, "--me", 0, "--bots", "knock=never,draw=stock", "--deck", file, "--rules", SMALL)
    answer = command("play", *words)
    assert answer.code == 0
    assert "You just took ** from the discard pile" in answer.out
    assert "Player 0 (you) knocks on table turn 3" in answer.out


def test_a_deal_with_jokers_reads_well(command: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(" ".join(stack(2, 1, ["7S 7D **", "2S ** KD"], "4C", "9C", jokers=2)))
    answer = command("play", "--players", 2, "--bots", "knock=0", "--deck", file, "--rules", SMALL)
    assert answer.code == 0
    plain = answer.out.replace("♠", "S").replace("♥", "H").replace("♦", "D").replace("♣", "C")
    assert "Jokers: 2, 15 points each as deadwood, at least 1 other card in a meld." in " ".join(plain.split())
    assert "7S-**=7H-7D" in plain
