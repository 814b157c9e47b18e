"""Who pays whom, in twelfths of a point and sixtieths of a win: the compiled twin of :mod:`rumsim.settlement`.

There is no branch in it: a chunk of deals is settled several at a time by the processor's vector instructions, and
one deal without a wrong guess.
"""

from __future__ import annotations

from rumsim.engine.jit import inlined
from rumsim.engine.requests import MOST_PLAYERS, SIXTIETHS, TWELFTHS, VACANT, VOID


@inlined
def _shares(count, lowest, knocks, rum):
    """Return whether a seat takes a part of what the others pay, as the lowest that did not knock."""
    return (count == lowest) & (not knocks) & (not rum)


@inlined
def _pays(sits, count, lowest, knocks, fine, bonus):
    """Return the points that a seat pays."""
    return (count - lowest + (fine if knocks else bonus)) if sits else 0


@inlined
def _part(once, twice, thrice, four_times, sharers):
    """Return what each of one to four gets, of a whole given in parts; of nothing that nobody shares, all."""
    return once if sharers <= 1 else twice if sharers == 2 else thrice if sharers == 3 else four_times


@inlined
def settled(counts, knocker, game):
    """Settle a deal.

    Parameters
    ----------
    counts : tuple of int64[5]
        The counts by seat, ``VACANT`` where nobody sits.
    knocker : int64
        The seat that knocked; ``COMPARED`` or ``VOID`` if nobody did.
    game : Game
        Players at the table, and the amounts.

    Returns
    -------
    points, wins, flags : tuples of int64[5], int64[5] and int64[3]
        Twelfths received and sixtieths won by seat; 1 or 0 for rum, undercut and tied.
    """
    c0, c1, c2, c3, c4 = counts
    k0, k1, k2, k3, k4 = knocker == 0, knocker == 1, knocker == 2, knocker == 3, knocker == 4
    lowest = min(min(min(c0, c1), min(c2, c3)), c4)
    held = c0 * k0 + c1 * k1 + c2 * k2 + c3 * k3 + c4 * k4
    knocked = knocker >= 0
    rum = knocked & (held == 0)
    undercut = knocked & (held > lowest)
    s0, s1 = _shares(c0, lowest, k0, rum), _shares(c1, lowest, k1, rum)
    s2, s3, s4 = _shares(c2, lowest, k2, rum), _shares(c3, lowest, k3, rum), _shares(c4, lowest, k4, rum)
    sharers = 1 * s0 + s1 + s2 + s3 + s4
    tied = knocked & (held == lowest) & (sharers > 0)
    fine = game.undercut if undercut else game.tie_pays if tied else 0
    bonus = game.rum_bonus if rum else 0
    valid = knocker != VOID
    p0, p1 = _pays(valid, c0, lowest, k0, fine, bonus), _pays(valid, c1, lowest, k1, fine, bonus)
    p2 = _pays(valid & (game.players > 2), c2, lowest, k2, fine, bonus)
    p3 = _pays(valid & (game.players > 3), c3, lowest, k3, fine, bonus)
    p4 = _pays(valid & (game.players > 4), c4, lowest, k4, fine, bonus)
    paid = p0 + p1 + p2 + p3 + p4
    # Five share only a comparison in which all are equal: nobody pays.
    part = _part(TWELFTHS * paid, TWELFTHS // 2 * paid, TWELFTHS // 3 * paid, TWELFTHS // 4 * paid, sharers)
    win = _part(SIXTIETHS, SIXTIETHS // 2, SIXTIETHS // 3, SIXTIETHS // 4 if sharers == 4 else SIXTIETHS // 5, sharers)
    win = win if valid else 0
    alone = sharers == 0
    t0, t1, t2, t3, t4 = s0 | k0 & alone, s1 | k1 & alone, s2 | k2 & alone, s3 | k3 & alone, s4 | k4 & alone
    return (
        (
            (part if t0 else 0) - TWELFTHS * p0,
            (part if t1 else 0) - TWELFTHS * p1,
            (part if t2 else 0) - TWELFTHS * p2,
            (part if t3 else 0) - TWELFTHS * p3,
            (part if t4 else 0) - TWELFTHS * p4,
        ),
        (win if t0 else 0, win if t1 else 0, win if t2 else 0, win if t3 else 0, win if t4 else 0),
        (1 * rum, 1 * undercut, 1 * tied),
    )


@inlined
def seated_counts(counts, players):
    """Return the counts of an array as :func:`settled` takes them."""
    return (
        counts[0],
        counts[1],
        counts[2] if players > 2 else VACANT,
        counts[3] if players > 3 else VACANT,
        counts[4] if players > 4 else VACANT,
    )


@inlined
def settle(counts, knocker, game, points, wins):
    """Settle one deal: fill what each seat receives and wins; return rum, undercut and tied.

    Parameters
    ----------
    counts : int64[5]
        The counts by seat.
    knocker : int64
        The seat that knocked; ``COMPARED`` or ``VOID`` if nobody did.
    game : Game
        Players at the table, and the amounts.
    points, wins : int64[5]
        Filled: twelfths received and sixtieths won, by seat.

    Returns
    -------
    rum, undercut, tied : bool
        What became of the knocker.
    """
    received, won, (rum, undercut, tied) = settled(seated_counts(counts, game.players), knocker, game)
    for seat in range(MOST_PLAYERS):
        points[seat] = received[seat]
        wins[seat] = won[seat]
    return rum != 0, undercut != 0, tied != 0
