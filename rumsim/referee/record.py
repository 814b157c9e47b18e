"""A recorded deal: what ``play`` writes and ``replay`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rumsim.cards import card_text
from rumsim.referee.deal import Deal, Turn
from rumsim.rules import Rules
from rumsim.settlement import Settlement


@dataclass(frozen=True)
class RecordedDeal:
    """A deal with every decision, and how it was settled.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, dealer : int
        How many players, and who dealt.
    bots : tuple of str, or None
        Each player's bot in canonical form, None for a person; None altogether if nobody said.
    deck : tuple of int
        All cards, top first.
    dealt : tuple of tuple of int
        The hands dealt, by player.
    turns : tuple of Turn
        Every turn; a decline is the last.
    end : str
        ``knock``, ``exhausted``, ``stalled``, or ``open`` for turns that stop before the deal does.
    knocker : int or None
        Who knocked.
    hands : tuple of tuple of int
        The hands at the end, by player.
    deadwood : tuple of int
        Their counts, in points.
    settlement : Settlement or None
        None while the deal is open.
    stock : tuple of int
        What is left of it, top first.
    upcard : int
        The top of the discard pile.
    next : int
        The player to move, if the deal is open.
    new_stock : tuple of int
        Cards to be shuffled before play goes on, if the deal is open and waits for that.
    """

    rules: Rules
    players: int
    dealer: int
    bots: tuple[str | None, ...] | None
    deck: tuple[int, ...]
    dealt: tuple[tuple[int, ...], ...]
    turns: tuple[Turn, ...]
    end: str
    knocker: int | None
    hands: tuple[tuple[int, ...], ...]
    deadwood: tuple[int, ...]
    settlement: Settlement | None
    stock: tuple[int, ...]
    upcard: int
    next: int
    new_stock: tuple[int, ...]

    @property
    def first_upcard(self) -> int:
        """The card turned up after dealing."""
        return self.deck[sum(map(len, self.dealt))]

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim play --json`` and ``rumsim replay --json`` print."""
        settled = self.settlement.as_json() if self.settlement else {}
        record: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": self.players,
            "dealer": self.dealer,
            "bots": None if self.bots is None else list(self.bots),
            "deck": _texts(self.deck),
            "turns": [_turn_json(turn) for turn in self.turns],
            "end": self.end,
            "knocker": self.knocker,
            "hands": [_texts(hand) for hand in self.hands],
            "deadwood": list(self.deadwood),
        }
        for key in ("winners", "transfers", "win_shares", "rum", "undercut", "tied"):
            record[key] = settled.get(key)
        if self.end == "open":
            record |= {"stock": _texts(self.stock), "upcard": card_text(self.upcard), "next": self.next}
            record["new_stock"] = _texts(self.new_stock) or None
        return record


def record_of(deal: Deal, bots: Sequence[str | None] | None) -> RecordedDeal:
    """Write down a deal as it stands."""
    counts = tuple(deal.count(player) for player in range(deal.players))
    return RecordedDeal(
        rules=deal.rules,
        players=deal.players,
        dealer=deal.dealer,
        bots=None if bots is None else tuple(bots),
        deck=deal.deck,
        dealt=deal.dealt,
        turns=tuple(deal.turns),
        end=deal.end or "open",
        knocker=deal.knocker,
        hands=tuple(deal.hand(player) for player in range(deal.players)),
        deadwood=counts,
        settlement=deal.settle() if deal.end else None,
        stock=tuple(deal.stock),
        upcard=deal.upcard,
        next=deal.mover,
        new_stock=tuple(deal.to_renew),
    )


def _texts(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]


def _turn_json(turn: Turn) -> dict[str, object]:
    written: dict[str, object] = {
        "player": turn.player,
        "draw": turn.draw,
        "card": None if turn.card is None else card_text(turn.card),
        "discard": None if turn.discard is None else card_text(turn.discard),
        "knock": turn.knock,
        "deadwood": turn.deadwood,
    }
    if turn.reshuffle is not None:
        written["reshuffle"] = _texts(turn.reshuffle)
    return written
