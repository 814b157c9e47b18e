"""What the tests of the rulebook share: profiles, a small stacked deal, refusals."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from rumsim.cards import card_text
from rumsim.errors import RequestError
from rumsim.referee import IllegalTurn
from rumsim.rules import parse_rules
from tests.scripts import referee, stack

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


TABLE: dict[str, dict[str, Any]] = {
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


def single_refusal(value: Any) -> str:
    with pytest.raises(RequestError) as refused:
        parse_rules(value)
    line = str(refused.value)
    assert len(line.splitlines()) == 1
    return line
