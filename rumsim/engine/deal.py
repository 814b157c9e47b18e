"""The deal loop: plays deals to their end, fills sums, and keeps no Python object per deal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rumsim import decks
from rumsim.engine.chunk import add_up, put_down
from rumsim.engine.door import ASK_GIVE_BACK, ASK_UPCARD, NOTE, SIT_DOWN, through
from rumsim.engine.door import KNOCK as KNOCKS
from rumsim.engine.hands import card_of, left_of
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.melding import count, discard
from rumsim.engine.requests import (
    CHUNK,
    COMPARED,
    COUNT_PLACES,
    EXHAUSTED,
    FAILED,
    KNOCK,
    LOG_CARD,
    LOG_COUNT,
    LOG_DISCARD,
    LOG_RENEWED,
    LOG_SEAT,
    LOG_TAKEN,
    MOST_PLAYERS,
    OWN,
    RENEWED,
    STALLED,
    TURN_PLACES,
    VOID,
)
from rumsim.engine.settle import settle
from rumsim.engine.shuffle import shuffle, start
from rumsim.engine.turn import take_upcard

_0, _1 = np.uint64(0), np.uint64(1)
_DECK, _RESHUFFLE = np.uint64(decks.DECK), np.uint64(decks.RESHUFFLE)
_RENEWED = np.uint64(RENEWED)
_AHEAD = np.uint64(8)  # cards shuffled at a time, so that the generator's state rests in registers


@outlined
def renew(deck_size, hands, up, key, block, number, state, cards):
    """Fill the second half of ``cards`` with all but the hands and the upcard, in the order of the reshuffle.

    Returns
    -------
    uint64
        The place after the last.
    """
    stock = cards[RENEWED:]
    held = _1 << up
    for seat in range(MOST_PLAYERS):
        held |= hands[seat]
    size = 0
    for card in range(deck_size):
        if not held >> np.uint64(card) & _1:
            stock[size] = card
            size += 1
    start(state, key, block, _RESHUFFLE, np.uint64(number))
    shuffle(stock, state, _0, np.uint64(size), np.uint64(size))
    return _RENEWED + np.uint64(size)


@inlined
def deal_out(game, key, block, room, hands, counts):
    """Shuffle as far as the upcard and deal by seat; return how many cards are in their final place."""
    state, deck = room.state, room.cards
    start(state, key, block, _DECK, _0)
    size = np.uint64(game.deck)
    for card in range(54):  # a fixed length: two stores
        deck[card] = card
    used = game.players * game.size + 1
    ready = min(np.uint64(used) + _AHEAD, size)
    shuffle(deck, state, _0, ready, size)
    for seat in range(game.players):
        hand = _0
        for place in range(game.size):
            hand |= _1 << np.uint64(deck[place * game.players + seat])
        hands[seat] = hand
        counts[seat] = count(hand, game.base, game.jokers)
    return ready


@inlined
def player_in(seat, rotation, players):
    """Return who sits in a seat."""
    return (np.int64(seat) - rotation) % players


class Stage(NamedTuple):
    """Where a deal stands before a turn, apart from the hands.

    ``seat`` and ``own_turn``, from 0, are whose turn comes; ``turns`` how many were; ``up`` is the upcard; the stock's
    next card is at ``place``, its end at ``limit``, and its order is known up to ``known``; ``ready`` is how much of
    the deck's own order is known, ``reshuffles`` how often the stock was renewed.
    """

    seat: Any
    own_turn: Any
    turns: Any
    up: Any
    place: Any
    limit: Any
    known: Any
    ready: Any
    reshuffles: Any


@inlined
def opening(game, ready, cards):
    """Return where a deal stands when its hands are dealt."""
    place = np.uint64(game.players * game.size)
    up, limit = np.uint64(cards[place]), np.uint64(game.deck)
    # Not plain numbers: numba would make versions of renew for each.
    return Stage(_0, _0, np.int64(0), up, place + _1, limit, ready, ready, np.int64(0))


@inlined
def play_on(game, seating, rotation, key, block, stage, upto, room, hands, counts, log):
    """Play a deal from where it stands, at most until table turn ``upto``; return how it ended, who knocked, the stage.

    ``hands`` and ``counts``, by seat, become those at the end.  ``log`` gets a row a turn, unless it has none.  The
    end is STALLED where ``upto`` was reached, and the stage then that of the turn to come.
    """
    players, cards = game.players, room.cards
    deck_size = np.uint64(game.deck)
    seat, own_turn, turns, up, place, limit, known, ready, reshuffles = stage
    # Unsigned, so that no index is tested for being negative.
    bench = np.uint64(rotation * MOST_PLAYERS)
    last_seat = np.uint64(players - 1)
    last_knock = np.uint64(seating.knock.shape[1] - 1)
    door = seating.door
    watched = log.shape[0] > 0 or door.shape[0] > 0  # one question a turn for what is rare
    while True:
        at = bench + seat
        renewed = False
        if place >= limit and not game.compare:
            limit = renew(game.deck, hands, up, key, block, reshuffles, room.state, cards)
            place, known, ready = _RENEWED, limit, deck_size
            reshuffles += 1
            renewed = True
        hand = hands[seat]
        draw = seating.draw[at]
        if draw == OWN:
            player = player_in(seat, rotation, players)
            answer = through(ASK_UPCARD, door, player, seat, hand, up, limit - place, renewed)
            if answer < 0:
                return FAILED, np.int64(seat), Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles)
            takes, best = answer != 0, _0
        else:
            takes, best = take_upcard(hand, counts[seat], up, draw, seating.margin[at], game.base, game.jokers)
        if takes:
            card = up
            hand |= _1 << up
        else:
            if place >= known:
                if place >= limit:
                    return EXHAUSTED, COMPARED, Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles)
                ready = min(known + _AHEAD, limit)
                shuffle(cards, room.state, known, ready, limit)
                known = ready
            card = np.uint64(cards[place])
            place += _1
            hand |= _1 << card
            best = discard(hand, game.base, game.jokers)
        given = card_of(best)
        left = np.int64(left_of(best))
        threshold = np.int64(seating.knock[at, min(own_turn, last_knock)])
        if watched:
            if draw == OWN:
                player = player_in(seat, rotation, players)
                answer = through(ASK_GIVE_BACK, door, player, hand, card, takes, 0, 0)
                if answer < 0:
                    return (
                        FAILED,
                        np.int64(seat),
                        Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles),
                    )
                given = np.uint64(answer & (KNOCKS - 1))
                left = answer >> 8
                threshold = left if answer & KNOCKS != 0 else -1
            if door.shape[0] > 0:
                through(NOTE, door, player_in(seat, rotation, players), card, takes, given, renewed, up)
            if log.shape[0] > 0:
                log[turns, LOG_COUNT] = left
                if log.shape[1] > 1:
                    log[turns, LOG_SEAT] = seat
                    log[turns, LOG_TAKEN] = takes
                    log[turns, LOG_CARD] = card
                    log[turns, LOG_DISCARD] = given
                    log[turns, LOG_RENEWED] = renewed
        hands[seat] = hand & ~(_1 << given)
        counts[seat] = left
        turns += 1
        if left <= threshold:
            return KNOCK, np.int64(seat), Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles)
        up = given
        seat += _1
        if seat > last_seat:
            seat = _0
            own_turn += _1
        if turns >= upto:
            return STALLED, VOID, Stage(seat, own_turn, turns, up, place, limit, known, ready, reshuffles)


@inlined
def play_deal(game, seating, rotation, key, block, ready, room, hands, counts, log):
    """Play one deal from the hands dealt; return how it ended, who knocked on which own turn, turns, and cards ready.

    ``hands`` and ``counts``, by seat, are those dealt and become those at the end.  ``log`` gets a row a turn, unless
    it has none.
    """
    stage = opening(game, ready, room.cards)
    if seating.door.shape[0] > 0:
        through(SIT_DOWN, seating.door, stage.up, 0, 0, 0, 0, 0)
    end, knocker, stage = play_on(game, seating, rotation, key, block, stage, game.max_turns, room, hands, counts, log)
    return end, knocker, np.int64(stage.own_turn), stage.turns, stage.ready


# By themselves, compiled once for all kernels to which a call more or less is nothing.
deal_out_apart = outlined(deal_out.py_func)  # type: ignore[attr-defined]
play_deal_apart = outlined(play_deal.py_func)  # type: ignore[attr-defined]
play_on_apart = outlined(play_on.py_func)  # type: ignore[attr-defined]


@inlined
def count_knock(totals, entry, count, own_turn):
    """Count a knock in the histograms of its bot."""
    totals.knock_counts[entry, min(count, COUNT_PLACES - 1)] += 1
    totals.knock_turns[entry, min(own_turn + 1, TURN_PLACES - 1)] += 1


@kernel
def play_blocks(game, seating, key, first, blocks, room, log, by_block, totals):
    """Play blocks with all rotations.

    Parameters
    ----------
    game, seating : Game, Seating
        The rules and the bots.
    key : uint64
        Of the decks.
    first, blocks : int64
        The first block, and how many.
    room : Room
        To work in.
    log : int64[0, 6]
        A log without rows.
    by_block : Rows
        Filled: a row a block; or no rows, if they are not wanted.
    totals : Totals
        Added to.

    Returns
    -------
    row, rotation, turns : int64
        -1, 0, 0; or the deal in which a bot of people's own failed, and the turns before it did.
    """
    players, hands, counts = game.players, room.hands, room.counts
    for start_row in range(0, blocks, CHUNK):
        rows = min(blocks - start_row, CHUNK)
        for row in range(rows):
            block = np.uint64(first + start_row + row)
            ready = deal_out(game, key, block, room, room.dealt, room.dealt_counts)
            for rotation in range(players):
                for seat in range(MOST_PLAYERS):
                    hands[seat] = room.dealt[seat]
                    counts[seat] = room.dealt_counts[seat]
                end, knocker, own_turn, turns, ready = play_deal(
                    game, seating, rotation, key, block, ready, room, hands, counts, log
                )
                if end == FAILED:
                    return start_row + row, rotation, turns
                totals.ends[end] += 1
                totals.turns[0] += turns
                put_down(room.ended, rotation, row, players, counts, knocker)
                if knocker >= 0:
                    entry = seating.entry[rotation * MOST_PLAYERS + knocker]
                    count_knock(totals, entry, counts[knocker], own_turn)
        add_up(room, rows, game, seating.entry, start_row, by_block, totals)
    return -1, 0, 0


@kernel
def play_one(game, seating, rotation, key, block, room, hands, counts, points, wins, log):
    """Play one deal and fill what became of it: hands, counts, points and wins by seat, and a row of log a turn.

    Returns
    -------
    end, knocker, turns : int64
        How it ended, the seat that knocked or -1, and table turns; FAILED, the seat and the turns before for a bot of
        people's own that gave no legal answer.
    """
    ready = deal_out_apart(game, key, block, room, hands, counts)
    end, knocker, _, turns, _ = play_deal_apart(game, seating, rotation, key, block, ready, room, hands, counts, log)
    if end != FAILED:
        settle(counts, knocker, game, points, wins)
    return end, max(knocker, COMPARED), turns
