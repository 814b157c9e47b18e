"""The most that any knock schedule of a seat gets on given decks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rumsim.tasks.decisions import Climbing, SeatTurns
from rumsim.tasks.sums import Integers

_VISITS = 400_000_000  # rows that are looked at: some two seconds


class Most(NamedTuple):
    """What a search for the best schedule of a seat came to.

    Attributes
    ----------
    thresholds : int64[T]
        The schedule that gets most on the decks.
    unsure : int64[T]
        Of the best schedules with each first threshold, the one whose mean plus some standard errors is highest.
    """

    thresholds: Integers
    unsure: Integers


def most(
    turns: SeatTurns, limit: int, known: Sequence[Integers], errors: float, asked: Callable[[], bool] = bool
) -> Most:
    """Find the schedule that gets most on the decks themselves.

    Parameters
    ----------
    turns : SeatTurns
        The own turns of a seat.
    limit : int
        The rules' knock limit.
    known : sequence of int64[T]
        Schedules to begin with.
    errors : float
        How many standard errors are added for ``unsure``.
    asked : callable
        Whether to break off.

    Returns
    -------
    Most
        Never worse than any schedule that is known.

    Raises
    ------
    KeyboardInterrupt
        Once it was asked to break off.

    Notes
    -----
    Every first threshold is tried, with the thresholds of later turns improved one at a time given all others, from two
    sides.  That is the maximum for certain as far as deals come to at most two own turns of the seat; what later ones
    add is as good as the search.  Where the turns are very many, first thresholds are tried at even distances.
    """
    search = Climbing(turns, limit, 0.0)
    length = len(known[0])
    found = [search.improved(one) for one in [*known, search.back(length)]]
    profile = _profile(search, turns, limit, found, asked)
    found += [search.improved(thresholds) for _, thresholds in profile[:1]]
    best = max(found, key=lambda thresholds: int(turns.values(thresholds).sum()))
    many = max(1, len(turns.starts))

    def highest(one: tuple[tuple[int, int], Integers]) -> float:
        (total, squares), _ = one
        spread = max(0.0, squares - total * total / many)
        return float(total + errors * spread**0.5)

    unsure = max(profile, key=highest, default=((0, 0), best))[1]
    return Most(best, unsure)


def _profile(
    search: Climbing, turns: SeatTurns, limit: int, known: Sequence[Integers], asked: Callable[[], bool]
) -> list[tuple[tuple[int, int], Integers]]:
    """Return the best schedule found with each first threshold, with its total and squares, the best one first."""
    sizes = turns.ends - turns.starts
    comes = sizes > 0
    first = np.where(comes, turns.held[turns.starts], 255)  # a count above all thresholds where no turn comes
    now, end = turns.pays[turns.starts].astype(np.int64), turns.pays[turns.ends].astype(np.int64)
    later = search.blocks[sizes[search.blocks] > 1]
    simple = sizes <= 1  # what comes is known, whatever is done later
    tried = np.unique(first[first <= limit]).astype(np.int64)
    most_tried = max(8, int(_VISITS // max(1, 2 * len(known[0]) * len(later))))
    if len(tried) > most_tried:
        tried = tried[np.linspace(0, len(tried) - 1, most_tried).round().astype(np.int64)]
    tried = np.unique(np.concatenate([[-1], tried, *[np.minimum(one[:1], limit) for one in known]]))
    best: dict[int, tuple[tuple[int, int], Integers]] = {}
    for start in known:
        for order in (tried[::-1], tried):
            thresholds = start.copy()
            for threshold in order:
                if asked():
                    raise KeyboardInterrupt
                thresholds[0] = threshold
                play_on = later[first[later] > threshold]
                total, squares = search.climb_on(play_on, thresholds, lowest=1)
                key = int(threshold)
                if key not in best or total > best[key][0][0]:
                    best[key] = (total, squares), thresholds.copy()
    # What blocks get that knock on their first turn, and those that do not and have no other: by first count.
    at_once, without = _summed(first, now), _summed(first[simple], end[simple])
    found = []
    for threshold, (sums, thresholds) in best.items():
        total, squares = (
            np.array(sums) + at_once[:, : threshold + 1].sum(axis=1) + without[:, threshold + 1 :].sum(axis=1)
        )
        found.append(((int(total), int(squares)), thresholds))
    return sorted(found, key=lambda one: -one[0][0])


def _summed(counts: Integers, got: Integers) -> Integers:
    """Return sums and sums of squares by count, int64[2, 256]."""
    sums = np.zeros((2, 256), np.int64)
    np.add.at(sums[0], counts, got)
    np.add.at(sums[1], counts, got**2)
    return sums
