"""One hand at one turn: decks that fit what a player sees, played on after each thing that the player may do."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.engine.deal import Stage, play_on_apart
from rumsim.engine.hands import card_of, left_of
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.melding import count, discard
from rumsim.engine.requests import COMPARED, EXHAUSTED, KNOCK, MOST_PLAYERS, STALLED, VOID
from rumsim.engine.settle import settle
from rumsim.engine.shuffle import first_word, shuffle, start

_ADVICE, _OPPONENTS = np.uint64(decks.ADVICE), np.uint64(decks.OPPONENTS)
_0, _1 = np.uint64(0), np.uint64(1)
_AHEAD = np.uint64(8)

# What may be done: places in a row of ``Sight.actions``.
DRAW, GIVE, LEFT, KNOCKS = range(4)
FROM_STOCK = 1  # in DRAW: the next card of the stock, then the usual discard; else the card is in the hand already

# Sums of an action: points, wins, undercuts.
SUM_POINTS, SUM_WINS, SUM_UNDERCUT = range(3)


class Sight(NamedTuple):
    """What is known, and what may be done.

    ``focal`` is the seat, ``own_turn`` the turn from 0, ``hand`` its cards before the draw; ``up`` the upcard, or -1
    where none is named; ``drawn`` the card that came from the stock, or -1.  ``own`` uint8[n] are the hand's cards,
    ``rest`` uint8[m] all that are not seen, ``places`` uint8[r] where in the deck the upcard may have been; with none
    of these it takes the place of whatever is the upcard at the turn.  ``actions`` int64[A, 4] are rows of DRAW, GIVE,
    LEFT and KNOCKS.  ``before`` is added to the number of the table that plays up to the turn; ``gone`` is how many
    cards of the stock are gone at the turn if earlier turns are not played, or -1.
    """

    focal: int
    own_turn: int
    hand: Any  # uint64
    up: int
    drawn: int
    own: npt.NDArray[np.uint8]
    rest: npt.NDArray[np.uint8]
    places: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int64]
    before: int
    gone: int


class Saved(NamedTuple):
    """Room to remember in.

    ``hands`` uint64[5], ``counts`` int64[5] and ``cards`` uint8[128] as they are at the turn, ``values`` int64[A], and
    ``rest`` uint8[64], cards to be shuffled.
    """

    hands: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    cards: npt.NDArray[np.uint8]
    values: npt.NDArray[np.int64]
    rest: npt.NDArray[np.uint8]


@outlined
def _deal_out(game, sight, room, rest, key, block):
    """Lay out a whole deck that fits the hand; the hands dealt and their counts lie in the room."""
    players, focal, cards, state = game.players, sight.focal, room.cards, room.state
    start(state, key, block, _ADVICE, _0)
    pinned = -1
    if sight.places.size > 0:
        # Any place from which the upcard can have come is as likely as another.
        for i in range(sight.places.size):
            rest[i] = sight.places[i]
        shuffle(rest, state, _0, _1, np.uint64(sight.places.size))
        pinned = np.int64(rest[0])
    for i in range(sight.rest.size):
        rest[i] = sight.rest[i]
    many = np.uint64(sight.rest.size)
    shuffle(rest, state, _0, many, many)
    dealt = players * game.size
    next_rest = next_own = 0
    for place in range(sight.rest.size + sight.own.size + (1 if pinned >= 0 else 0)):
        if place < dealt and place % players == focal:
            cards[place] = sight.own[next_own]
            next_own += 1
        elif place == pinned:
            cards[place] = sight.up
        else:
            cards[place] = rest[next_rest]
            next_rest += 1
    for seat in range(players):
        hand = _0
        for place in range(game.size):
            hand |= _1 << np.uint64(cards[place * players + seat])
        room.hands[seat] = hand
        room.counts[seat] = count(hand, game.base, game.jokers)


@inlined
def _settled(end, knocker, game, focal, room, points, wins):
    """Settle a deal; return whether the seat is undercut."""
    settles = COMPARED if end == EXHAUSTED else VOID if end == STALLED else np.int64(knocker)
    _, undercut, _ = settle(room.counts, settles, game, points, wins)
    return 1 if undercut and settles == focal else 0


@kernel
def weigh(game, seating, sight, chances, key, first, samples, futures, room, saved, log, points, wins, sums, products):
    """Play decks that fit what is seen up to the turn, and after each action to the end.

    Parameters
    ----------
    game, seating : Game, Seating
        The rules; and a row of five seats for each way in which opponents may have drawn their bots, then such rows for
        the turns before, if others play there.
    sight : Sight
        What is known.
    chances : float64[W]
        Of these ways, each with those before it; the last is 1.
    key : uint64
        Of the decks.
    first, samples : int64
        The first deck and how many.
    futures : int64
        In how many orders of what is left of the stock each deck is played on.
    room, saved, log, points, wins
        To work in.
    sums : int64[A, 3]
        Added to: for each action points in twelfths, wins in sixtieths, deals in which the seat is undercut.
    products : int64[A, A]
        Added to: points of a deck, over all its futures, times points.

    Returns
    -------
    reached, fit : int64
        In how many decks the turn came, and in how many of these what is seen was so.
    """
    focal, players = sight.focal, game.players
    reached = fit = 0
    hands, counts, cards, values = room.hands, room.counts, room.cards, saved.values
    many = sight.actions.shape[0]
    for sample in range(samples):
        block = np.uint64(first + sample)
        way = 0
        if chances.shape[0] > 1:
            start(room.state, key, block, _OPPONENTS, np.uint64(2 * MOST_PLAYERS * MOST_PLAYERS))
            chance = np.float64(first_word(room.state) >> np.uint64(11)) * 2.0**-53
            while chance >= chances[way] and way < chances.shape[0] - 1:
                way += 1
        _deal_out(game, sight, room, saved.rest, key, block)
        # A card without a place before the turn is missing until then: the deck is one card shorter.
        limit = np.uint64(sight.rest.size + sight.own.size + (1 if sight.places.size > 0 else 0))
        up = np.uint64(cards[players * game.size])
        place = np.uint64(players * game.size + 1)
        stage = Stage(_0, _0, np.int64(0), up, place, limit, limit, limit, np.int64(0))
        came = True
        if sight.gone >= 0:
            turns = np.int64(sight.own_turn * players + focal)
            place += np.uint64(sight.gone)
            own_turn = np.uint64(sight.own_turn)
            stage = Stage(np.uint64(focal), own_turn, turns, up, place, limit, limit, limit, np.int64(0))
        for own in range(sight.own_turn + 1 if sight.gone < 0 else 0):
            upto = np.int64(own * players + focal)
            if stage.turns < upto:
                end, _, stage = play_on_apart(
                    game, seating, way + sight.before, key, block, stage, upto, room, hands, counts, log
                )
                came = end == STALLED and stage.reshuffles == 0
            if came and own < sight.own_turn:
                # An earlier own turn: a card from the stock, and back it goes.
                came = stage.place < stage.limit
                stage = _after(stage, players, np.uint64(cards[min(stage.place, stage.limit - _1)]), stage.place + _1)
            if not came:
                break
        # What comes of an empty stock that is renewed is not followed.
        if not came or (sight.drawn < 0 and stage.place >= stage.limit and not game.compare):
            continue
        reached += 1
        if sight.up >= 0 and np.int64(stage.up) != sight.up:
            if sight.places.size > 0:
                continue
            stage = _with_up(stage, np.uint64(sight.up))
        fit += 1
        for seat in range(players):
            saved.hands[seat], saved.counts[seat] = hands[seat], counts[seat]
        for place in range(cards.size):
            saved.cards[place] = cards[place]
        for action in range(many):
            values[action] = 0
        for future in range(futures):
            if future > 0:
                shuffle(saved.cards, room.state, stage.place, stage.limit, stage.limit)
            for action in range(many):
                for seat in range(players):
                    hands[seat], counts[seat] = saved.hands[seat], saved.counts[seat]
                for place in range(cards.size):
                    cards[place] = saved.cards[place]
                # (A renewed stock starts the generator anew, after which other orders would follow: all are random.)
                undercut = _act(game, seating, sight, action, way, key, block, stage, room, log, points, wins)
                values[action] += points[focal]
                sums[action, SUM_POINTS] += points[focal]
                sums[action, SUM_WINS] += wins[focal]
                sums[action, SUM_UNDERCUT] += undercut
        for one in range(many):
            for other in range(many):
                products[one, other] += values[one] * values[other]
    return reached, fit


@inlined
def _with_up(stage, up):
    """Return the stage with another upcard."""
    seat, own_turn, turns, _, place, limit, known, ready, reshuffles = stage
    return Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles)


@inlined
def _after(stage, players, given, place):
    """Return the stage after a turn."""
    seat = stage.seat + _1
    own_turn = stage.own_turn
    if seat == np.uint64(players):
        seat = _0
        own_turn += _1
    return Stage(seat, own_turn, stage.turns + 1, given, place, stage.limit, stage.known, stage.ready, stage.reshuffles)


@outlined
def _act(game, seating, sight, action, way, key, block, stage, room, log, points, wins):
    """Do one thing, play to the end and settle; return whether the seat is undercut, by a knock of its own."""
    focal, players = sight.focal, game.players
    hands, counts = room.hands, room.counts
    at = np.uint64(way * MOST_PLAYERS + focal)
    place = stage.place
    if sight.actions[action, DRAW] == FROM_STOCK:
        if place >= stage.limit:
            # Who declines the upcard of an empty stock ends the deal.
            return _settled(EXHAUSTED, np.int64(COMPARED), game, focal, room, points, wins)
        hand = hands[focal] | _1 << np.uint64(room.cards[place])
        place += _1
        best = discard(hand, game.base, game.jokers)
        given, left = card_of(best), np.int64(left_of(best))
        own_turn = min(np.uint64(sight.own_turn), np.uint64(seating.knock.shape[1] - 1))
        knocks = left <= np.int64(seating.knock[at, own_turn])
    else:
        hand = np.uint64(sight.hand)
        hand |= _1 << np.uint64(sight.up if sight.up >= 0 else sight.drawn)
        given, left = np.uint64(sight.actions[action, GIVE]), sight.actions[action, LEFT]
        knocks = sight.actions[action, KNOCKS] != 0
    hands[focal] = hand & ~(_1 << given)
    counts[focal] = left
    if knocks:
        return _settled(KNOCK, np.int64(focal), game, focal, room, points, wins)
    stage = _after(stage, players, given, place)
    if stage.turns >= game.max_turns:
        return _settled(STALLED, np.int64(VOID), game, focal, room, points, wins)
    upto = np.int64(game.max_turns)
    end, knocker, _ = play_on_apart(game, seating, way, key, block, stage, upto, room, hands, counts, log)
    return _settled(end, knocker, game, focal, room, points, wins)
