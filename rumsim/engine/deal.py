"""The deal loop: plays deals to their end, fills sums, and keeps no Python object per deal."""

from __future__ import annotations

import numpy as np

from rumsim import decks
from rumsim.engine.door import ASK_GIVE_BACK, ASK_UPCARD, NOTE, SIT_DOWN, private, through
from rumsim.engine.door import KNOCK as KNOCKS
from rumsim.engine.hands import card_of, count, discard, left_of
from rumsim.engine.jit import inlined, kernel, outlined
from rumsim.engine.requests import (
    COUNT_PLACES,
    EXHAUSTED,
    FAILED,
    KNOCK,
    MOST_PLAYERS,
    OWN,
    RUM,
    STALLED,
    TIED,
    TURN_PLACES,
    UNDERCUT,
)
from rumsim.engine.settle import settle
from rumsim.engine.shuffle import shuffle, start
from rumsim.engine.turn import take_upcard

_0, _1 = np.uint64(0), np.uint64(1)
_DECK, _RESHUFFLE = np.uint64(decks.DECK), np.uint64(decks.RESHUFFLE)
_AHEAD = np.uint64(8)  # cards shuffled at a time, so that the generator's state rests in registers

# What the log of a deal holds for each turn: places in a row.
LOG_SEAT, LOG_TAKEN, LOG_CARD, LOG_DISCARD, LOG_COUNT, LOG_RENEWED, LOG_WIDTH = range(7)


@outlined
def renew(deck_size, hands, up, key, block, number, stock):
    """Fill ``stock`` with all cards but the hands and the upcard, in the order of the reshuffle; return how many."""
    held = _1 << up
    for seat in range(MOST_PLAYERS):
        held |= hands[seat]
    size = 0
    for card in range(deck_size):
        if not held >> np.uint64(card) & _1:
            stock[size] = card
            size += 1
    state = np.empty(4, np.uint64)
    start(state, key, block, _RESHUFFLE, np.uint64(number))
    shuffle(stock, state, _0, np.uint64(size), np.uint64(size))
    return size


@inlined
def deal_out(game, key, block, state, deck, hands, counts):
    """Shuffle as far as the upcard and deal by seat; return how many cards are in their final place."""
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
        counts[seat] = count(hand, game.base)
    return ready


@inlined
def play_deal(game, seating, rotation, key, block, ready, state, deck, stock, hands, counts, log):
    """Play one deal from the hands dealt; return how it ended, who knocked on which own turn, turns, and cards ready.

    ``hands`` and ``counts``, by seat, are those dealt and become those at the end.  ``log`` gets a row a turn, unless
    it has none.
    """
    players = game.players
    deck_size = np.uint64(game.deck)
    place = np.uint64(players * game.size)
    up = np.uint64(deck[place])
    place += _1
    reshuffles = np.int64(0)  # a literal would be a second version of renew
    renewed_size = 0  # above 0 once the stock is not the deck any more
    turns = 0
    seat = 0
    own_turn = 0
    last_knock = seating.knock.shape[2] - 1
    door = seating.door
    watched = log.shape[0] > 0 or door.shape[0] > 0  # one question a turn for what is rare
    if door.shape[0] > 0:
        through(SIT_DOWN, door, up, 0, 0, 0, 0, 0)
    while True:
        player = seat - rotation
        if player < 0:
            player += players
        empty = place >= (deck_size if renewed_size == 0 else np.uint64(renewed_size))
        renewed = False
        if empty and not game.compare:
            renewed_size = renew(game.deck, hands, up, key, block, reshuffles, stock)
            reshuffles += 1
            place = _0
            empty = False
            renewed = True
        hand = hands[seat]
        draw = seating.draw[player]
        if draw == OWN:
            left_in_stock = np.int64((deck_size if renewed_size == 0 else np.uint64(renewed_size)) - place)
            answer = through(ASK_UPCARD, door, player, seat, hand, up, left_in_stock, renewed)
            if answer < 0:
                return FAILED, seat, own_turn, turns, ready
            takes, best = answer != 0, _0
        else:
            takes, best = take_upcard(hand, counts[seat], up, draw, seating.margin[player], game.base)
        if takes:
            card = up
            hand |= _1 << up
        else:
            if empty:
                return EXHAUSTED, -1, own_turn, turns, ready
            if renewed_size == 0:
                if place >= ready:
                    wanted = min(ready + _AHEAD, deck_size)
                    shuffle(deck, state, ready, wanted, deck_size)
                    ready = wanted
                card = np.uint64(deck[place])
            else:
                card = np.uint64(stock[place])
            place += _1
            hand |= _1 << card
            best = discard(hand, game.base)
        given = card_of(best)
        left = np.int64(left_of(best))
        threshold = np.int64(seating.knock[player, seat, min(own_turn, last_knock)])
        if watched:
            if draw == OWN:
                answer = through(ASK_GIVE_BACK, door, player, hand, card, takes, 0, 0)
                if answer < 0:
                    return FAILED, seat, own_turn, turns, ready
                given = np.uint64(answer & (KNOCKS - 1))
                left = answer >> 8
                threshold = left if answer & KNOCKS != 0 else -1
            if door.shape[0] > 0:
                through(NOTE, door, player, card, takes, given, renewed, up)
            if log.shape[0] > 0:
                row = log[turns]
                row[LOG_SEAT] = seat
                row[LOG_TAKEN] = takes
                row[LOG_CARD] = card
                row[LOG_DISCARD] = given
                row[LOG_COUNT] = left
                row[LOG_RENEWED] = renewed
        hands[seat] = hand & ~(_1 << given)
        counts[seat] = left
        turns += 1
        if left <= threshold:
            return KNOCK, seat, own_turn, turns, ready
        if turns >= game.max_turns:
            return STALLED, -1, own_turn, turns, ready
        up = given
        seat += 1
        if seat == players:
            seat = 0
            own_turn += 1


@inlined
def count_knock(out, entry, count, own_turn):
    """Count a knock in the histograms of its bot."""
    out.knock_counts[entry, min(count, COUNT_PLACES - 1)] += 1
    out.knock_turns[entry, min(own_turn + 1, TURN_PLACES - 1)] += 1


@kernel
def play_blocks(game, seating, key, first, out):
    """Play the blocks from ``first`` on, as many as ``out`` has rows, with all rotations, and fill it.

    Returns
    -------
    row, rotation, turns : int64
        -1, 0, 0; or the deal in which a bot of people's own failed, and the turns before it did.
    """
    players = game.players
    state = np.empty(4, np.uint64)
    deck = np.empty(54, np.uint8)
    stock = np.empty(54, np.uint8)
    dealt = np.zeros(MOST_PLAYERS, np.uint64)
    hands = np.zeros(MOST_PLAYERS, np.uint64)
    dealt_counts = np.zeros(MOST_PLAYERS, np.int64)
    counts = np.zeros(MOST_PLAYERS, np.int64)
    points = np.zeros(MOST_PLAYERS, np.int64)
    wins = np.zeros(MOST_PLAYERS, np.int64)
    no_log = np.zeros((0, LOG_WIDTH), np.int64)
    seating = private(seating)
    for row in range(out.points.shape[0]):
        block = np.uint64(first + row)
        ready = deal_out(game, key, block, state, deck, dealt, dealt_counts)
        for rotation in range(players):
            for seat in range(MOST_PLAYERS):
                hands[seat] = dealt[seat]
                counts[seat] = dealt_counts[seat]
            end, knocker, own_turn, turns, ready = play_deal(
                game, seating, rotation, key, block, ready, state, deck, stock, hands, counts, no_log
            )
            if end == FAILED:
                return row, rotation, turns
            out.ends[end] += 1
            out.turns[0] += turns
            if end == STALLED:
                continue
            rum, undercut, tied = settle(counts, knocker, game, points, wins)
            out.ends[RUM] += rum
            out.ends[UNDERCUT] += undercut
            out.ends[TIED] += tied
            for seat in range(players):
                player = seat - rotation
                entry = seating.entry[player if player >= 0 else player + players]
                out.points[row, entry] += points[seat]
                out.wins[row, entry] += wins[seat]
                out.seat_points[row, seat] += points[seat]
                out.seat_wins[row, seat] += wins[seat]
                if seat == knocker:
                    count_knock(out, entry, counts[seat], own_turn)
    return -1, 0, 0


@kernel
def play_one(game, seating, rotation, key, block, hands, counts, points, wins, log):
    """Play one deal and fill what became of it: hands, counts, points and wins by seat, and a row of log a turn.

    Returns
    -------
    end, knocker, turns : int64
        How it ended, the seat that knocked or -1, and table turns; FAILED, the seat and the turns before for a bot of
        people's own that gave no legal answer.
    """
    state = np.empty(4, np.uint64)
    deck = np.empty(54, np.uint8)
    stock = np.empty(54, np.uint8)
    seating = private(seating)
    ready = deal_out(game, key, block, state, deck, hands, counts)
    end, knocker, _, turns, _ = play_deal(
        game, seating, rotation, key, block, ready, state, deck, stock, hands, counts, log
    )
    if end != STALLED and end != FAILED:
        settle(counts, knocker, game, points, wins)
    return end, knocker, turns
