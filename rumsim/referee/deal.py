"""One deal, event by event: the specification that the engine is proved against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rumsim.cards import card_text, cards_of, mask
from rumsim.errors import RequestError
from rumsim.melds import count
from rumsim.referee.view import PublicTurn, Standing, View
from rumsim.rules import Rules
from rumsim.settlement import Settlement, settlement, stalled


class IllegalTurn(RequestError):
    """A move that the rules forbid; the message names the rule."""


class Turn(NamedTuple):
    """One turn as it is recorded: cards are ids, ``deadwood`` and ``before`` the mover's counts after and before it."""

    player: int
    draw: str
    card: int | None
    discard: int | None
    knock: bool
    deadwood: int
    reshuffle: tuple[int, ...] | None
    before: int
    why_draw: str = ""
    why_knock: str = ""

    @property
    def why(self) -> str:
        """The bot's reasons for the whole turn, in words; empty for people and recorded turns."""
        return "; ".join(reason for reason in (self.why_draw, self.why_knock) if reason)


class Deal:
    """The state of a deal, and the moves that the rules allow in it.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    players : int
        2 to 5.
    dealer : int
        The player who deals; the next one moves first.
    deck : sequence of int
        All cards, top first.
    standing : Standing, optional
        How the session stands of which the deal is part.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> deal = Deal(parse_rules("ledger"), players=2, dealer=1, deck=range(52))
    >>> deal.mover, card_text(deal.upcard), deal.stock_count
    (0, '8H', 31)
    """

    def __init__(
        self, rules: Rules, players: int, dealer: int, deck: Sequence[int], standing: Standing | None = None
    ) -> None:
        size = rules.size_for(players)
        self.rules = rules
        self.players = players
        self.dealer = dealer
        self.deck = tuple(deck)
        self.standing = standing
        # Rule 1: one card at a time, seat 0 first; the next card is the upcard; the rest is the stock.
        by_seat = [self.deck[seat : players * size : players] for seat in range(players)]
        self.dealt = tuple(tuple(sorted(by_seat[self.seat_of(player)])) for player in range(players))
        self.hands = [mask(hand) for hand in self.dealt]
        self.pile = [self.deck[players * size]]
        self.stock = list(self.deck[players * size + 1 :])
        # Rule 2: seat 0 is left of the dealer and moves first.
        self.mover = (dealer + 1) % players
        self.own_turns = [0] * players
        self.turns: list[Turn] = []
        self.table_turns = 0
        self.reshuffles = 0
        self.drawn: int | None = None
        self.taken: int | None = None
        self.end: str | None = None
        self.knocker: int | None = None
        self._renewed: tuple[int, ...] | None = None
        self._seen: list[PublicTurn] = []

    def seat_of(self, player: int) -> int:
        """Return the order in which a player moves, 0 for the one at the dealer's left."""
        return (player - self.dealer - 1) % self.players

    @property
    def upcard(self) -> int:
        """The top of the discard pile."""
        return self.pile[-1]

    @property
    def stock_count(self) -> int:
        """Cards left in the stock."""
        return len(self.stock)

    def hand(self, player: int) -> tuple[int, ...]:
        """Return a player's cards in the order of their ids."""
        return tuple(cards_of(self.hands[player]))

    def count(self, player: int) -> int:
        """Return a player's minimum deadwood, in points."""
        return count(self.hands[player], self.rules)

    def view(self) -> View:
        """Return what the mover may know now."""
        return View(
            rules=self.rules,
            players=self.players,
            player=self.mover,
            seat=self.seat_of(self.mover),
            hand=self.hand(self.mover),
            upcard=self.pile[-1] if self.taken is None else None,
            stock_count=len(self.stock),
            drawn=self.drawn,
            taken=self.taken,
            own_turn=self.own_turns[self.mover] + 1,
            table_turn=self.table_turns + 1,
            turns=tuple(self.own_turns),
            seen=tuple(self._seen),
            pile=tuple(self.pile),
            standing=self.standing,
        )

    # ---- a turn: renew the stock if it must be, draw, give back ------------------------------------------------

    @property
    def to_renew(self) -> list[int]:
        """The cards to shuffle into a new stock before the mover chooses, in the order of ids; mostly none."""
        if self.stock or self.rules.stock == "compare" or self.drawn is not None or self.end is not None:
            return []
        return sorted(self.pile[:-1])

    def renew(self, order: Sequence[int]) -> None:
        """Make the discard pile, but for the upcard, the new stock, in a given order, top first."""
        self._must_be_open()
        if not self.to_renew:
            why = "a reshuffle while the stock has cards" if self.stock else "the stock is empty and is not recycled"
            raise IllegalTurn(f"{why} (rules stock={self.rules.stock})")
        if sorted(order) != self.to_renew:
            raise IllegalTurn("the new stock must hold the discard pile but for the upcard, each card once")
        self._renewed = tuple(order)
        self.stock = list(order)
        self.pile = self.pile[-1:]
        self.reshuffles += 1

    def draw_stock(self) -> None:
        """Take the top of the stock (rule 3)."""
        self._must_be_open()
        if not self.stock:
            if self.rules.stock == "compare":
                raise IllegalTurn("the stock is empty and is not recycled: take the upcard, or decline")
            raise IllegalTurn("the stock is empty and must be renewed first")
        self._hold(self.stock.pop(0))

    def take_upcard(self) -> None:
        """Take the top of the discard pile (rules 3 and 4)."""
        self._must_be_open()
        self._hold(self.pile.pop())
        self.taken = self.drawn

    def decline(self) -> None:
        """Leave the upcard on an empty stock, which ends the deal without a knocker; no turn is counted."""
        self._must_be_open()
        if self.rules.stock != "compare":
            raise IllegalTurn("an empty stock is renewed; nobody may decline (rules stock=reshuffle)")
        if self.stock:
            raise IllegalTurn("the stock has cards: take one, or the upcard")
        held = self.count(self.mover)
        self.turns.append(Turn(self.mover, "decline", None, None, False, held, self._renewed, held))
        self.end = "exhausted"
        self._pass_on()

    def give_back(self, card: int, knock: bool, before: int, why_draw: str = "", why_knock: str = "") -> None:
        """Give a card back: face up to play on, face down to knock (rules 3 to 5).

        Parameters
        ----------
        card : int
            The card to give back.
        knock : bool
            Whether it ends the deal.
        before : int
            The mover's count before the draw, for the record.
        why_draw, why_knock : str
            Reasons in words, for the record.
        """
        self._must_be_open(drawn=True)
        player = self.mover
        if not self.hands[player] >> card & 1:
            raise IllegalTurn(f"{card_text(card)} cannot be given back: discard not in hand")
        if card == self.taken:
            raise IllegalTurn(
                f"{card_text(card)} was just taken from the discard pile and may not be given back in the same turn"
            )
        after = self.hands[player] & ~(1 << card)
        left = count(after, self.rules)
        limit = self.rules.knock_limit
        if knock and limit is not None and left > limit:
            only = " (only a hand with no deadwood may end play)" if limit == 0 else ""
            raise IllegalTurn(f"a knock with deadwood {left} is above the knocking limit of {limit}{only}")
        draw = "stock" if self.taken is None else "upcard"
        self.hands[player] = after
        self.pile.append(card)
        self.turns.append(Turn(player, draw, self.drawn, card, knock, left, self._renewed, before, why_draw, why_knock))
        self._seen.append(PublicTurn(player, draw, self.taken, card))
        self.own_turns[player] += 1
        self.table_turns += 1
        self.drawn = self.taken = self._renewed = None
        if knock:
            self.end, self.knocker = "knock", player
        elif self.table_turns >= self.rules.max_turns:
            self.end = "stalled"
        self._pass_on()

    def _pass_on(self) -> None:
        self.mover = (self.mover + 1) % self.players

    def _hold(self, card: int) -> None:
        self.drawn = card
        self.hands[self.mover] |= 1 << card

    def _must_be_open(self, drawn: bool = False) -> None:
        if self.end is not None:
            raise IllegalTurn("the deal is over")
        if drawn and self.drawn is None:
            raise IllegalTurn("a card must be drawn before one is given back")
        if not drawn and self.drawn is not None:
            raise IllegalTurn("a card was already drawn in this turn")

    # ---- the end (rule 6) --------------------------------------------------------------------------------------

    def settle(self) -> Settlement:
        """Count every hand and settle; the deal must be over."""
        assert self.end is not None
        counts = [self.count(player) for player in range(self.players)]
        return stalled(counts) if self.end == "stalled" else settlement(counts, self.knocker, self.rules)
