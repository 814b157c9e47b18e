"""Let players, bots or people, decide a deal to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rumsim import decks
from rumsim.cards import card_text, parse_cards
from rumsim.errors import RequestError
from rumsim.referee.deal import Deal, IllegalTurn, Turn
from rumsim.referee.view import Player
from rumsim.rules import Rules

Watch = Callable[[Deal, Turn], None]


def play_out(
    deal: Deal,
    at_table: Sequence[Player],
    seed: int,
    block: int,
    watch: Watch | None = None,
    reasons: bool = False,
) -> None:
    """Play a deal to its end; renewed stocks are those of the seed and block; reasons in words are slow."""
    while deal.end is None:
        if deal.to_renew:
            deal.renew(decks.reshuffled(seed, block, deal.reshuffles, deal.to_renew))
        play_turn(deal, at_table[deal.mover], reasons)
        if watch is not None:
            watch(deal, deal.turns[-1])


def play_turn(deal: Deal, player: Player, reasons: bool) -> None:
    """Let one player decide and carry it out."""
    view = deal.view()
    before = deal.count(deal.mover)
    takes = player.take_upcard(view)
    why_draw = player.why_draw(view, takes) if reasons and hasattr(player, "why_draw") else ""
    if takes:
        deal.take_upcard()
    elif deal.stock or deal.rules.stock == "reshuffle":
        deal.draw_stock()
    else:
        deal.decline()
        deal.turns[-1] = deal.turns[-1]._replace(why_draw=why_draw)
        return
    view = deal.view()
    card, knock = player.give_back(view)
    try:
        deal.give_back(card, knock, before, why_draw)
    except IllegalTurn as error:
        where = f"table turn {view.table_turn}, player {view.player}"
        raise IllegalTurn(f"bots: got an illegal turn from {player}, {where}: {error}") from None
    if reasons and hasattr(player, "why_knock"):
        turn = deal.turns[-1]
        deal.turns[-1] = turn._replace(why_knock=player.why_knock(view, turn.deadwood, knock))


def whole_deck(deck: str | Iterable[object], rules: Rules) -> list[int]:
    """Read a deck that must hold every card of the rules once.

    Raises
    ------
    RequestError
        For an unknown, repeated or missing card, or a joker that the rules do not have.
    """
    cards = parse_cards(deck, "deck")
    extra = [card for card in cards if card >= rules.deck_size]
    if extra:
        got = "a joker" if len(extra) == 1 else f"{len(extra)} jokers"
        raise RequestError(f"deck: got {got} (**) too many; allowed: {rules.jokers} (rules {rules})")
    missing = sorted(set(range(rules.deck_size)) - set(cards))
    if missing:
        names = " ".join(card_text(card) for card in missing[:5]) + (" …" if len(missing) > 5 else "")
        raise RequestError(
            f"deck: got {len(cards)} cards, without {names}; allowed: all {rules.deck_size} cards, top first"
        )
    return cards
