"""What a player may do with a hand at one turn, weighed on decks that fit what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import NEVER, ThresholdBot
from rumsim.engine.bounds import most_decks
from rumsim.engine.requests import MOST_PLAYERS, Seating, game_of, new_room, no_log
from rumsim.rules import Rules
from rumsim.tasks.seating import seating_of_tables
from rumsim.tasks.sums import exact_sum, parts

if TYPE_CHECKING:
    from rumsim.engine.advise import Sight

MOST_WAYS = 4096
CHUNK = 1024  # decks: less than a second even if deals end only after 500 turns


@dataclass(frozen=True)
class Spot:
    """A hand at a turn.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    seat, own_turn : int
        From 0, and from 1.
    hand : tuple of int
        The cards held before the draw; on earlier turns a card came from the stock and went back.
    up, drawn : int or None
        The upcard before the draw, or the card that came from the stock; one of them.
    """

    rules: Rules
    players: int
    seat: int
    own_turn: int
    hand: tuple[int, ...]
    up: int | None
    drawn: int | None

    def turns_before(self) -> int:
        """Return how many table turns were before this one."""
        return (self.own_turn - 1) * self.players + self.seat

    def places(self) -> list[int]:
        """Return the places of the deck in which the upcard may have been: it must have come to who gave it back."""
        size, before = len(self.hand), self.turns_before()
        dealt = size * self.players
        if before == 0:
            return [dealt]
        stock = [dealt + 1 + draw for draw in range(before) if dealt + 1 + draw < self.rules.deck_size]
        if before <= self.players:
            # The first turn of who sits before: from the hand dealt, or just drawn.
            givers = [(self.seat - 1) % self.players]
        else:
            givers = [seat for seat in range(self.players) if seat != self.seat]
            stock = [dealt, *stock]
        return [place * self.players + seat for seat in givers for place in range(size)] + stock


class Given(NamedTuple):
    """What is taken into account of how the turn came about.

    Attributes
    ----------
    discarded : bool
        That an opponent gave the upcard back; if not, it lies there as if it had been turned up by itself.
    unknocked : bool
        That no opponent has knocked; if not, they only draw and discard before the turn.
    played : bool
        That turns were played before; if not, the others hold what they were dealt.
    """

    discarded: bool = True
    unknocked: bool = True
    played: bool = True

    @classmethod
    def less_and_less(cls, spot: Spot) -> list[Given]:
        """List what may be taken into account, from everything down to what can always be.

        Examples
        --------
        >>> from rumsim.rules import Rules
        >>> first = Spot(Rules(), 3, 0, 1, (0, 1, 2, 3, 4, 5, 6), 9, None)
        >>> Given.less_and_less(first)
        [Given(discarded=True, unknocked=True, played=True)]
        >>> [tuple(given) for given in Given.less_and_less(replace(first, seat=1))][1:]
        [(False, True, True), (False, False, True), (False, False, False)]
        """
        if spot.turns_before() == 0:
            return [cls()]
        upcard = spot.up is None  # without one there is nothing to explain
        return [cls(), *([] if upcard else [cls(False)]), cls(upcard, False), cls(upcard, False, False)]


EVERYTHING = Given()


@dataclass(frozen=True)
class Action:
    """A thing to do: draw from the stock, or give a card back and knock or not.

    Attributes
    ----------
    give, left : int or None
        The card given back and the count that is left; None for a draw from the stock.
    knocks : bool
        Whether to knock then.
    """

    give: int | None
    left: int | None
    knocks: bool


@dataclass(frozen=True)
class Weighed:
    """Sums over decks.

    Attributes
    ----------
    decks, reached, fit : int
        Decks laid out; those in which the turn came; and of these the ones in which what is seen was so.
    futures : int
        In how many orders of what was left of the stock each of the latter was played on; those share hands.
    sums : int[A, 3]
        For each action points in twelfths, wins in sixtieths, and own knocks that were undercut, over all futures.
    products : int[A, A]
        Points of a deck times points.  Python's numbers, which never wrap; those of one call of the kernel are bounded
        by :func:`rumsim.engine.bounds.most_decks`.
    """

    decks: int
    reached: int
    fit: int
    futures: int
    sums: npt.NDArray[Any]
    products: npt.NDArray[Any]

    @property
    def blocks(self) -> int:
        """Decks, by the name that they have wherever runs are split."""
        return self.decks

    def __add__(self, other: Weighed) -> Weighed:
        """Merge the sums of different decks."""
        return Weighed(
            self.decks + other.decks,
            self.reached + other.reached,
            self.fit + other.fit,
            self.futures,
            exact_sum(self.sums, other.sums),
            exact_sum(self.products, other.products),
        )


class Scales:
    """Weighs the actions of a spot on as many decks as asked for, with what is given."""

    def __init__(
        self,
        spot: Spot,
        own: ThresholdBot,
        opponents: Mixture,
        actions: Sequence[Action],
        seed: int,
        given: Given = EVERYTHING,
    ) -> None:
        self.spot, self.actions = spot, actions
        self._game = game_of(spot.rules, spot.players)
        self._seating, self._chances = _seatings(spot, own, opponents, given)
        self._key = np.uint64(decks.key_of(seed))
        self._sight = _sight(spot, actions, given, len(self._chances))

    def weigh(self, first: int, last: int, futures: int = 1) -> Weighed:
        """Weigh on the decks from ``first`` up to, not including, ``last``."""
        found = [self._weigh(*part, futures) for part in parts(first, last, most_decks(self._game, futures))]
        total = found[0]
        for part in found[1:]:
            total += part
        return total

    def _weigh(self, first: int, last: int, futures: int) -> Weighed:
        from rumsim.engine.advise import Saved, weigh

        assert last - first <= most_decks(self._game, futures), "more decks than the sums of one call hold"
        many = len(self.actions)
        saved = Saved(
            np.zeros(MOST_PLAYERS, np.uint64),
            np.zeros(MOST_PLAYERS, np.int64),
            np.zeros(128, np.uint8),
            np.zeros(many, np.int64),
            np.zeros(64, np.uint8),
        )
        points, wins = np.zeros((2, MOST_PLAYERS), np.int64)
        sums, products = np.zeros((many, 3), np.int64), np.zeros((many, many), np.int64)
        reached, fit = weigh(
            *(self._game, self._seating, self._sight, self._chances, self._key, first, last - first, futures),
            *(new_room(), saved, no_log(), points, wins, sums, products),
        )
        return Weighed(last - first, int(reached), int(fit), futures, sums.astype(object), products.astype(object))


@dataclass(frozen=True)
class Weighing:
    """A stretch of decks to be weighed, for :func:`rumsim.runs.execute.execute`.

    Attributes
    ----------
    scales : Scales
        What is weighed.
    futures : int
        In how many orders of what is left of the stock each deck is played on.
    begin : int
        The first deck.
    """

    scales: Scales
    futures: int
    begin: int = 0

    def empty(self) -> Weighed:
        """Return the sums of no deck."""
        many = len(self.scales.actions)
        return Weighed(0, 0, 0, self.futures, np.zeros((many, 3), object), np.zeros((many, many), object))

    def run(self, first: int, last: int) -> Weighed:
        """Weigh on the decks from ``first`` up to, not including, ``last``, counted from the beginning."""
        return self.scales.weigh(self.begin + first, self.begin + last, self.futures)


def _sight(spot: Spot, actions: Sequence[Action], given: Given, ways: int) -> Sight:
    from rumsim.engine.advise import FROM_STOCK, Sight

    seen = {*spot.hand, spot.up, spot.drawn}
    rest = [card for card in range(spot.rules.deck_size) if card not in seen]
    rows = [
        (FROM_STOCK, 0, 0, 0) if action.give is None else (0, action.give, action.left, int(action.knocks))
        for action in actions
    ]
    return Sight(
        focal=spot.seat,
        own_turn=spot.own_turn - 1,
        hand=np.uint64(sum(1 << card for card in spot.hand)),
        up=-1 if spot.up is None else spot.up,
        drawn=-1 if spot.drawn is None else spot.drawn,
        own=np.array(spot.hand, np.uint8),
        rest=np.array(rest, np.uint8),
        places=np.array(_places(spot, given), np.uint8),
        actions=np.array(rows, np.int64),
        before=0 if given.unknocked else ways,
        gone=-1 if given.played else _gone(spot),
    )


def _places(spot: Spot, given: Given) -> list[int]:
    """Return the places of the deck from which the upcard may have come, if it has one."""
    if spot.up is None or (given.played and not given.discarded):
        return []
    return spot.places() if given.played else [len(spot.hand) * spot.players]


def _gone(spot: Spot) -> int:
    """Return how many cards of the stock are gone if each turn before took one; one is always left."""
    stock = spot.rules.deck_size - len(spot.hand) * spot.players - 1
    before = spot.turns_before()
    # A new stock is as large as the first: everything but the hands and the upcard.
    return min(before, stock - 1) if spot.rules.stock == "compare" else before % stock


def _seatings(
    spot: Spot, own: ThresholdBot, opponents: Mixture, given: Given
) -> tuple[Seating, npt.NDArray[np.float64]]:
    """Return five seats for each way in which the opponents may have drawn their bots, and the chances up to each.

    If it is not given that they have not knocked, then all that again with bots that never do, for the turns before.
    """
    tables, chances = [], []
    for way in product(range(len(opponents.bots)), repeat=spot.players - 1):
        drawn = iter(way)
        tables.append([own if s == spot.seat else opponents.bots[next(drawn)] for s in range(spot.players)])
        chances.append(float(np.prod([float(opponents.weights[which]) for which in way])))
    if not given.unknocked:
        tables += [[replace(bot, knock=((NEVER,),)) for bot in table] for table in tables]
    return seating_of_tables(tables, spot.rules), np.cumsum(chances)
