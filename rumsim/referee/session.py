"""A whole session in plain Python: the specification that sessions in the engine are proved against."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rumsim import decks
from rumsim.referee.deal import Deal
from rumsim.referee.play import play_out
from rumsim.referee.view import Player, Standing
from rumsim.rules import Rules
from rumsim.session_rules import Format, Session


def play_session(
    rules: Rules,
    format: Format,
    bots: Sequence[Player],
    seed: int,
    block: int = 0,
    rotation: int = 0,
    watch: Callable[[Session, Deal], None] | None = None,
) -> Session:
    """Play a session to its end, exactly that one of ``rumsim session``.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    format : Format
        How the session ends.
    bots : sequence of Player
        The bot of each player.
    seed, block, rotation : int
        Deal j uses the deck and the reshuffles of block ``2**20 * block + j`` of the seed; the first dealer is player
        ``N - 1 - rotation``.
    watch : callable, optional
        Called with the session, before the deal is recorded, and the finished deal.

    Returns
    -------
    Session
        Finished or unfinished.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> from rumsim.rules import parse_rules
    >>> bots = [parse_bot("knock=30"), parse_bot("knock=10")]
    >>> session = play_session(parse_rules("ledger"), Format("rotation"), bots, seed=1)
    >>> session.dealers, len(session.winners)
    ([1, 0], 1)
    """
    players = len(bots)
    session = Session(format, players, players - 1 - rotation)
    while not session.finished and not session.unfinished:
        here = session.still_in
        number = decks.session_block(block, session.deals)
        deal = Deal(
            rules,
            len(here),
            here.index(session.dealer),
            decks.deck(seed, number, rules.deck_size),
            Standing(format, players, session.deals, tuple(session.ledger[player] for player in here)),
        )
        play_out(deal, [bots[player] for player in here], seed, number)
        if watch is not None:
            watch(session, deal)
        received = dict(zip(here, deal.settle().transfers, strict=True))
        session.record([received.get(player, 0) for player in range(players)])
    return session
