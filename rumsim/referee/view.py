"""What a player may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, Protocol

from rumsim.cards import JOKERS
from rumsim.rules import Rules
from rumsim.session_rules import Format


class PublicTurn(NamedTuple):
    """What everybody saw of a turn; ``card`` is None when it came from the stock."""

    player: int
    draw: str
    card: int | None
    discard: int


class Standing(NamedTuple):
    """How a session stands before a deal, which everybody knows.

    Attributes
    ----------
    format : Format
        How the session ends.
    players : int
        How many began.
    played : int
        Deals before this one.
    ledger : tuple of Fraction
        Net points of each player of this deal, re-entries not counted.
    """

    format: Format
    players: int
    played: int
    ledger: tuple[Fraction, ...]


class View(NamedTuple):
    """The table as the player who decides sees it.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, player, seat : int
        How many there are, and which of them decides, from 0; seat 0 moves first.
    hand : tuple of int
        Own cards, in the order of their ids; with the card drawn, once one is.
    upcard : int or None
        Top of the discard pile; None after it was taken, until a card is given back.
    stock_count : int
        Cards left in the stock.
    drawn : int or None
        The card drawn in this turn, from wherever.
    taken : int or None
        The same if it is the upcard: it may not be given back in this turn.
    own_turn, table_turn : int
        Numbers of this turn, from 1: among one's own, and among all.
    turns : tuple of int
        Turns completed by each player.
    seen : tuple of PublicTurn
        All turns so far.
    pile : tuple of int
        The discard pile, bottom first; shorter after a reshuffle.
    standing : Standing or None
        How the session stands, if the deal is part of one.
    """

    rules: Rules
    players: int
    player: int
    seat: int
    hand: tuple[int, ...]
    upcard: int | None
    stock_count: int
    drawn: int | None
    taken: int | None
    own_turn: int
    table_turn: int
    turns: tuple[int, ...]
    seen: tuple[PublicTurn, ...]
    pile: tuple[int, ...]
    standing: Standing | None = None


def card_meant(card: int, hand: Iterable[int], taken: int | None) -> int:
    """Return the card that a player means who gives one back: of jokers the lowest held that may be given back.

    Examples
    --------
    >>> card_meant(52, hand=[7, 52, 53], taken=52), card_meant(7, hand=[7, 52, 53], taken=None)
    (53, 7)
    """
    held = [joker for joker in hand if joker in JOKERS]
    if card not in JOKERS or not held:
        return card
    return min(held, key=lambda joker: (joker == taken, joker))


class Player(Protocol):
    """Whoever decides at the table: a bot, or a person at the keyboard."""

    def take_upcard(self, view: View) -> bool:
        """Decide whether to take the upcard; otherwise the stock, or a decline when it is empty."""

    def give_back(self, view: View) -> tuple[int, bool]:
        """Choose the card to give back, and whether to knock with it."""
