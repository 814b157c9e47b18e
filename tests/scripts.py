"""Scripted deals: a deck stacked by hand, and turns written one by one."""

from __future__ import annotations

import random
from typing import Any

from rumsim import replay
from rumsim.referee import RecordedDeal
from tests import oracle


def stack(players: int, dealer: int, hands: list[str], upcard: str, stock: str = "", *, jokers: int = 0) -> list[str]:
    """A deck, top first, that deals these hands (player by player), this upcard and this stock.

    Cards not mentioned follow below the stock, in card-id order, jokers last.
    """
    dealt = [hand.split() for hand in hands]
    assert len(dealt) == players and len({len(hand) for hand in dealt}) == 1
    deck = []
    for place in range(len(dealt[0])):
        deck += [dealt[(dealer + 1 + seat) % players][place] for seat in range(players)]
    deck += [upcard, *stock.split()]
    deck += [word for word in map(oracle.text, oracle.PACK) if word not in deck]
    deck += ["**"] * (jokers - deck.count("**"))
    assert len(deck) == 52 + jokers and len(set(deck)) == 52 + min(jokers, 1)
    return deck


def shuffled(seed: int, jokers: int = 0) -> list[str]:
    """A whole deck in an order of the test's own choosing."""
    deck = [oracle.text(one) for one in oracle.PACK] + ["**"] * jokers
    random.Random(seed).shuffle(deck)
    return deck


def turn(draw: str, discard: str | None, knock: bool = False, **more: Any) -> dict[str, Any]:
    return {"draw": draw, "discard": discard, "knock": knock, **more}


DRAW_AND_RETURN = turn("stock", "@drawn")
DECLINE = turn("decline", None)


def record(rules: Any, players: int, dealer: int, deck: list[str], turns: list[dict[str, Any]]) -> dict[str, Any]:
    return {"rules": rules, "players": players, "dealer": dealer, "deck": deck, "turns": turns}


def referee(rules: Any, players: int, dealer: int, deck: list[str], *turns: dict[str, Any]) -> RecordedDeal:
    return replay(record(rules, players, dealer, deck, list(turns)))
