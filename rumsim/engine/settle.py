"""Who pays whom, in twelfths of a point and sixtieths of a win: the compiled twin of :mod:`rumsim.settlement`."""

from __future__ import annotations

from rumsim.engine.jit import inlined
from rumsim.engine.requests import SIXTIETHS, TWELFTHS


@inlined
def settle(counts, knocker, game, points, wins):
    """Settle a deal that was not stalled.

    Parameters
    ----------
    counts : int64[5]
        The counts by seat.
    knocker : int64
        The seat that knocked, -1 if hands are compared.
    game : Game
        The amounts.
    points, wins : int64[5]
        Filled: twelfths received and sixtieths won, by seat.

    Returns
    -------
    rum, undercut, tied : bool
        What became of the knocker.
    """
    players = game.players
    pot = 0
    if knocker >= 0 and counts[knocker] == 0:
        for seat in range(players):
            paid = counts[seat] + game.rum_bonus
            points[seat] = -TWELFTHS * paid
            wins[seat] = 0
            pot += paid
        points[knocker] = TWELFTHS * (pot - game.rum_bonus)  # the knocker's own line is not paid
        wins[knocker] = SIXTIETHS
        return True, False, False
    lowest = counts[0]
    for seat in range(1, players):
        lowest = min(lowest, counts[seat])
    sharers = 0
    for seat in range(players):
        paid = counts[seat] - lowest
        points[seat] = -TWELFTHS * paid
        pot += paid
        if paid == 0 and seat != knocker:
            sharers += 1
    undercut = tied = False
    if knocker >= 0:
        undercut = counts[knocker] > lowest
        tied = not undercut and sharers > 0
        fine = game.undercut if undercut else game.tie_pays if tied else 0
        points[knocker] -= TWELFTHS * fine
        pot += fine
    if sharers == 0:
        for seat in range(players):
            wins[seat] = 0
        points[knocker] += TWELFTHS * pot
        wins[knocker] = SIXTIETHS
        return False, undercut, tied
    points_each, wins_each = TWELFTHS * pot, SIXTIETHS
    if sharers > 1:  # a division takes longer than all the rest
        points_each //= sharers
        wins_each //= sharers
    for seat in range(players):
        wins[seat] = 0
        if counts[seat] == lowest and seat != knocker:
            points[seat] += points_each
            wins[seat] = wins_each
    return False, undercut, tied
