"""The melds that jokers can make with the natural cards of a hand.

A joker takes the place of one missing card.  It may stand for a card that is held: the hand then uses that card
elsewhere, or leaves it loose.
"""

from __future__ import annotations

import functools
from itertools import combinations
from typing import NamedTuple

from rumsim.rules import Rules

_RANKS = 13
_SUITS = range(4)
# With six natural cards or more, a run with one or two jokers parts into two shorter melds that hold three each: two
# runs with a joker each, or one with all jokers and one with none.  So longer runs need not be looked at.
_MOST_NATURALS = 5


class JokerMeld(NamedTuple):
    """A meld with jokers: what it stands for, and the natural cards in it.

    ``points`` are those of its natural cards, ``naturals`` their mask, ``stands`` all cards that it stands for, in the
    order in which it is shown; those that are not among the naturals are jokers.
    """

    points: int
    naturals: int
    stands: tuple[int, ...]


def joker_melds(hand: int, jokers: int, rules: Rules) -> list[JokerMeld]:
    """List melds of exactly so many jokers and natural cards of a hand, as many as a best arrangement may need.

    Parameters
    ----------
    hand : int
        Mask of natural cards.
    jokers : int
        How many jokers are in the meld, 1 or 2.
    rules : Rules
        The rules of the game.

    Returns
    -------
    list of JokerMeld
        The ones with the dearest natural cards first; one for each choice of natural cards.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> joker_melds(1 << 4 | 1 << 6, 1, parse_rules("ledger:jokers=1"))  # 5S and 7S
    [JokerMeld(points=12, naturals=80, stands=(4, 5, 6))]
    """
    found: list[JokerMeld] = []
    ladder = _RANKS + (rules.ace == "high-or-low")
    ranks = [0] * _RANKS
    for suit in _SUITS:
        pattern = hand >> _RANKS * suit & 0x1FFF
        found += _runs(pattern, suit, ladder, jokers, rules.min_naturals)
        for rank in range(_RANKS):
            ranks[rank] |= (pattern >> rank & 1) << suit
    for rank, suits in enumerate(ranks):
        found += _sets(rank, suits, jokers, rules.min_naturals)
    return sorted(found, key=lambda meld: -meld.points)


@functools.lru_cache(maxsize=1 << 16)
def _runs(pattern: int, suit: int, ladder: int, jokers: int, least: int) -> tuple[JokerMeld, ...]:
    """List the runs of a suit of which these ranks are held; with a ladder of 14 the ace also follows the king."""
    held = pattern | (pattern & 1) << _RANKS
    found: dict[int, JokerMeld] = {}
    for naturals in range(max(3 - jokers, least), _MOST_NATURALS + 1):
        for start in range(ladder - naturals - jokers + 1):
            places = range(start, start + naturals + jokers)
            for chosen in combinations([place for place in places if held >> place & 1], naturals):
                stands = tuple(_RANKS * suit + place % _RANKS for place in places)
                meld = _meld([_RANKS * suit + place % _RANKS for place in chosen], stands)
                found.setdefault(meld.naturals, meld)
    return tuple(found.values())


@functools.lru_cache(maxsize=1 << 10)
def _sets(rank: int, suits: int, jokers: int, least: int) -> tuple[JokerMeld, ...]:
    """List the sets of a rank of which these suits are held."""
    held = [suit for suit in _SUITS if suits >> suit & 1]
    found = []
    for naturals in range(max(3 - jokers, least), 4 - jokers + 1):
        for chosen in combinations(held, naturals):
            others = [suit for suit in _SUITS if suit not in chosen][:jokers]
            stands = tuple(_RANKS * suit + rank for suit in sorted([*chosen, *others]))
            found.append(_meld([_RANKS * suit + rank for suit in chosen], stands))
    return tuple(found)


def _meld(naturals: list[int], stands: tuple[int, ...]) -> JokerMeld:
    points = sum(min(card % _RANKS + 1, 10) for card in naturals)
    return JokerMeld(points, sum(1 << card for card in naturals), stands)
