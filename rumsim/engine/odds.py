"""What opponents hold on each own turn of a player who never knocks, added up over blocks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.engine.deal import deal_out_apart, play_deal_apart
from rumsim.engine.jit import kernel, outlined
from rumsim.engine.requests import LOG_COUNT, MOST_PLAYERS
from rumsim.engine.shuffle import first_word, start

_OPPONENTS = np.uint64(decks.OPPONENTS)


class Tallies(NamedTuple):
    """What is added up over blocks, for T own turns, N seats of the studied player and P places for counts.

    A deal is there on an own turn that it reaches.  A block's number of deals in which a count is below the lowest is
    a sum over seats, and the square of such a sum is a sum over pairs of seats: so histograms of pairs tell the squares
    for all own counts at once.

    Attributes
    ----------
    deals : int64[T, N]
        Deals that are there.
    opponent, lowest : int64[T, N, P]
        Histograms of the counts of all opponents, and of the lowest among them.
    opponent_squares : int64[T, N]
        Squares of a deal's sum of opponents' counts.
    deals_squares : int64[T]
        Squares of a block's deals; from here on all seats are taken together.
    lowest_by_deals : int64[T, P]
        The lowest counts, each as often as its block has deals.
    lower_of_pairs, equal_pairs : int64[T, P]
        Of all pairs of seats, each with itself too, the lower count of both, and the count of both where it is equal.
    sums_squares, sums_by_deals : int64[T, 2]
        Squares of a block's sum of opponents' counts, and of the lowest ones; and the sums times the block's deals.
    """

    deals: npt.NDArray[np.int64]
    opponent: npt.NDArray[np.int64]
    lowest: npt.NDArray[np.int64]
    opponent_squares: npt.NDArray[np.int64]
    deals_squares: npt.NDArray[np.int64]
    lowest_by_deals: npt.NDArray[np.int64]
    lower_of_pairs: npt.NDArray[np.int64]
    equal_pairs: npt.NDArray[np.int64]
    sums_squares: npt.NDArray[np.int64]
    sums_by_deals: npt.NDArray[np.int64]


class Watched(NamedTuple):
    """Room for the deals of one block.

    ``log`` int64[turns, 1] is a deal's; ``last`` int64[5] are the counts after each seat's last turn; ``lowest`` and
    ``total`` int64[T, 5] are what opponents hold on own turns by seat of the studied player, ``depth`` int64[5] is how
    many own turns it has there.
    """

    log: Any  # int64[turns, 1]
    last: npt.NDArray[np.int64]
    lowest: npt.NDArray[np.int64]
    total: npt.NDArray[np.int64]
    depth: npt.NDArray[np.int64]


@outlined
def _seat_bots(seating, chances, key, block, focal, players, state):
    """Put the studied player and the opponents' bots, drawn anew, into the table of that seat."""
    many = chances.shape[0]  # tables of which each holds one bot in all seats; then the studied player's
    for seat in range(players):
        one = many
        if seat != focal:
            one = 0
            if many > 1:
                player = (seat - focal) % players
                start(state, key, block, _OPPONENTS, np.uint64(MOST_PLAYERS * focal + player))
                chance = np.float64(first_word(state) >> np.uint64(11)) * 2.0**-53
                while chance >= chances[one] and one < many - 1:
                    one += 1
        source, place = one * MOST_PLAYERS + seat, (many + 1 + focal) * MOST_PLAYERS + seat
        seating.draw[place] = seating.draw[source]
        seating.margin[place] = seating.margin[source]
        for turn in range(seating.knock.shape[1]):
            seating.knock[place, turn] = seating.knock[source, turn]


@outlined
def _watch(players, focal, turns, dealt, room, tallies):
    """Note what opponents hold on each own turn of a deal that had so many turns."""
    last = room.last
    for seat in range(players):
        last[seat] = dealt[seat]
    seat = own = 0
    for turn in range(turns):
        if seat == focal:
            lowest, total = np.int64(1 << 30), np.int64(0)
            for other in range(players):
                if other != focal:
                    lowest = min(lowest, last[other])
                    total += last[other]
                    tallies.opponent[own, focal, last[other]] += 1
            room.lowest[own, focal], room.total[own, focal] = lowest, total
            own += 1
        last[seat] = room.log[turn, LOG_COUNT]
        seat = seat + 1 if seat + 1 < players else 0
    room.depth[focal] = own


@outlined
def _add_up(players, room, tallies):
    """Add what the deals of a block had."""
    depth = 0
    for seat in range(players):
        depth = max(depth, room.depth[seat])
    for own in range(depth):
        deals = totals = lows = 0
        for one in range(players):
            if own < room.depth[one]:
                deals += 1
                totals += room.total[own, one]
                lows += room.lowest[own, one]
        tallies.deals_squares[own] += deals * deals
        tallies.sums_squares[own, 0] += totals * totals
        tallies.sums_squares[own, 1] += lows * lows
        tallies.sums_by_deals[own, 0] += totals * deals
        tallies.sums_by_deals[own, 1] += lows * deals
        for one in range(players):
            if own >= room.depth[one]:
                continue
            here = room.lowest[own, one]
            tallies.deals[own, one] += 1
            tallies.lowest[own, one, here] += 1
            tallies.opponent_squares[own, one] += room.total[own, one] * room.total[own, one]
            tallies.lowest_by_deals[own, here] += deals
            for other in range(players):
                if own < room.depth[other]:
                    there = room.lowest[own, other]
                    tallies.lower_of_pairs[own, min(here, there)] += 1
                    if here == there:
                        tallies.equal_pairs[own, here] += 1


@kernel
def count_opponents(game, seating, chances, key, first, blocks, room, watched, tallies):
    """Play blocks with the studied player once in every seat, and count what opponents hold on each own turn.

    Parameters
    ----------
    game, seating : Game, Seating
        The rules; and a table for each bot of the opponents, with this bot in every seat, one with the studied player
        in every seat, and one for each seat of that player to work in.
    chances : float64[V]
        Of the V bots of the opponents, each with those before it; the last is 1.
    key : uint64
        Of the decks.
    first, blocks : int64
        The first block, and how many.
    room, watched : Room, Watched
        To work in.
    tallies : Tallies
        Added to.
    """
    players, hands, counts = game.players, room.hands, room.counts
    for number in range(blocks):
        block = np.uint64(first + number)
        for focal in range(players):
            _seat_bots(seating, chances, key, block, focal, players, room.state)
        ready = deal_out_apart(game, key, block, room, room.dealt, room.dealt_counts)
        for focal in range(players):
            for seat in range(MOST_PLAYERS):
                hands[seat] = room.dealt[seat]
                counts[seat] = room.dealt_counts[seat]
            _, _, _, turns, ready = play_deal_apart(
                game, seating, chances.shape[0] + 1 + focal, key, block, ready, room, hands, counts, watched.log
            )
            _watch(players, focal, turns, room.dealt_counts, watched, tallies)
        _add_up(players, watched, tallies)
