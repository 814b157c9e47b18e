"""The table as a bot from a user's file sees it: whole numbers only, the same in the referee and in the engine.

Cards are ids and sets of cards are masks (bit = card id); -1 stands for no card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rumsim import melds
from rumsim.cards import cards_of
from rumsim.referee.view import View
from rumsim.rules import Rules

NO_CARD = -1
NO_LIMIT = 999  # more than any hand counts
MOST_CARDS = 27  # nobody holds more; counting a whole pack could take for ever

BAD_HAND = "a hand is a mask of at most 27 cards"
BAD_CARD = "a card is a number from 0 to 51; 52 and 53 are jokers, where the rules have them"
NO_UPCARD = "there is no upcard"
NO_DISCARD = "there is no card to give back"


class SeatTurn(NamedTuple):
    """What everybody saw of a turn; ``card`` is the upcard taken, -1 when the card came from the stock."""

    player: int
    card: int
    discard: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """What the player who decides may know.

    Attributes
    ----------
    players, player, seat : int
        How many there are, and which of them decides, from 0; seat 0 moves first.
    hand : int
        Mask of the own cards; with the card drawn, once one is.
    upcard : int
        Top of the discard pile; -1 once it was taken in this turn.
    drawn : int
        The card drawn in this turn, -1 before.
    taken : int
        The same if it is the upcard, which may not be given back in this turn; else -1.
    stock : int
        Cards left in the stock.
    pile : int
        Mask of the discard pile.
    own_turn, table_turn : int
        Numbers of this turn, from 1: among one's own, and among all.
    knock_limit : int
        The highest count with which one may knock; 999 where the rules have no limit.
    turns : tuple of int
        Turns completed by each player.
    seen : tuple of SeatTurn
        All turns so far, the first one first.
    """

    players: int
    player: int
    seat: int
    hand: int
    upcard: int
    drawn: int
    taken: int
    stock: int
    pile: int
    own_turn: int
    table_turn: int
    knock_limit: int
    turns: tuple[int, ...]
    seen: tuple[SeatTurn, ...]
    _rules: Rules = field(repr=False)

    def deadwood(self, hand: int) -> int:
        """Return the minimum deadwood of a hand, in points."""
        return melds.count(self._checked(hand), self._rules)

    def points(self, card: int) -> int:
        """Return the points of a card as deadwood."""
        if not 0 <= card < self._rules.deck_size:
            raise ValueError(BAD_CARD)
        return self._rules.points(card)

    def best_discard(self) -> tuple[int, int]:
        """Return the card of the own hand that leaves the least deadwood, and the points left."""
        return self.best_discard_of(self.hand, self.taken)

    def best_discard_with_upcard(self) -> tuple[int, int]:
        """Return the same as it would be with the upcard taken."""
        if self.upcard == NO_CARD:
            raise ValueError(NO_UPCARD)
        return self.best_discard_of(self.hand | 1 << self.upcard, self.upcard)

    def best_discard_of(self, hand: int, taken: int) -> tuple[int, int]:
        """Return the same for any hand; the card ``taken`` may not go, -1 for none."""
        if not [card for card in cards_of(self._checked(hand)) if card != taken]:
            raise ValueError(NO_DISCARD)
        return melds.best_discard(hand, self._rules, taken)

    def cards(self, hand: int) -> Iterator[int]:
        """Go through the cards of a mask, the lowest id first."""
        if hand >> self._rules.deck_size:
            raise ValueError(BAD_HAND)
        yield from cards_of(hand)

    def _checked(self, hand: int) -> int:
        if hand >> self._rules.deck_size or hand.bit_count() > MOST_CARDS:
            raise ValueError(BAD_HAND)
        return hand


def seat_view(view: View) -> SeatView:
    """Translate what the referee shows."""
    limit = view.rules.knock_limit
    return SeatView(
        players=view.players,
        player=view.player,
        seat=view.seat,
        hand=sum(1 << card for card in view.hand),
        upcard=NO_CARD if view.upcard is None or view.taken is not None else view.upcard,
        drawn=NO_CARD if view.drawn is None else view.drawn,
        taken=NO_CARD if view.taken is None else view.taken,
        stock=view.stock_count,
        pile=sum(1 << card for card in view.pile),
        own_turn=view.own_turn,
        table_turn=view.table_turn,
        knock_limit=NO_LIMIT if limit is None else limit,
        turns=view.turns,
        seen=tuple(SeatTurn(t.player, NO_CARD if t.card is None else t.card, t.discard) for t in view.seen),
        _rules=view.rules,
    )
