"""Play one deal with bots, or people, at the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rumsim import decks
from rumsim.bots import Bot, table_bots
from rumsim.errors import RequestError, whole_number
from rumsim.referee.deal import Deal
from rumsim.referee.play import Watch, play_out, whole_deck
from rumsim.referee.record import RecordedDeal, record_of
from rumsim.referee.view import Player
from rumsim.rules import parse_rules


def play(
    players: int,
    bots: str | Bot | Iterable[str | Bot],
    rules: object = "ledger",
    *,
    dealer: int | None = None,
    deck: str | Iterable[object] | None = None,
    seed: int | None = None,
    block: int | None = None,
    rotation: int | None = None,
    people: Mapping[int, Player] | None = None,
    watch: Watch | None = None,
) -> RecordedDeal:
    """Play one deal and write down every decision.

    Parameters
    ----------
    players : int
        2 to 5.
    bots : str or iterable of str
        1, 2 or ``players`` bots.
    rules : str, mapping or Rules
        The rules of the game.
    dealer : int, optional
        The player who deals, ``players - 1`` unless given; only with a deck.
    deck : str or iterable, optional
        All cards, top first; else the deck of a seed and block.  A stock that must be renewed is then shuffled as
        for seed 0 and block 0.
    seed, block, rotation : int, optional
        Play exactly that deal of ``simulate``; block and rotation count from 0.
    people : mapping, optional
        Who plays in place of a bot, by player.
    watch : callable, optional
        Called with the deal and the turn after every turn.

    Returns
    -------
    RecordedDeal
        The finished deal.

    Raises
    ------
    RequestError
        If the arguments contradict each other or are outside what is allowed.

    Examples
    --------
    >>> deal = play(2, ["knock=15", "knock=10"], seed=1)
    >>> deal.end, sum(deal.settlement.transfers)
    ('knock', Fraction(0, 1))
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    seated = table_bots(bots, players)
    if deck is None:
        if seed is None:
            raise RequestError("seed: got none; allowed: a whole number from 0, or a deck")
        if dealer is not None:
            raise RequestError(f"dealer: got {dealer} with a seed; allowed: only with a deck (use rotation)")
        seed = whole_number("seed", seed, 0)
        block = whole_number("block", 0 if block is None else block, 0, decks.LAST_BLOCK)
        rotation = whole_number("rotation", 0 if rotation is None else rotation, 0, players - 1)
        dealer = players - 1 - rotation
        cards = decks.deck(seed, block, known.deck_size)
    else:
        for name, given in (("seed", seed), ("block", block), ("rotation", rotation)):
            if given is not None:
                raise RequestError(f"{name}: got {given} with a deck; allowed: a deck or a seed, not both")
        seed = block = 0
        dealer = whole_number("dealer", players - 1 if dealer is None else dealer, 0, players - 1)
        cards = whole_deck(deck, known)
    at_table: list[Player] = [(people or {}).get(player, bot) for player, bot in enumerate(seated)]
    deal = Deal(known, players, dealer, cards)
    play_out(deal, at_table, seed, block, watch, reasons=True)
    return record_of(deal, [str(bot) if player is bot else None for player, bot in zip(at_table, seated, strict=True)])
