"""Doors to compiled functions that only kernels call: without a kernel in between, Python would crash."""

from __future__ import annotations

from rumsim.engine import deal
from rumsim.engine import settle as settlement
from rumsim.engine import shuffle as shuffling
from rumsim.engine.jit import kernel


@kernel
def settle(counts, knocker, game, points, wins):
    return settlement.settle(counts, knocker, game, points, wins)


@kernel
def deal_out(game, key, block, room, hands, counts):
    return deal.deal_out_apart(game, key, block, room, hands, counts)


@kernel
def renew(size, hands, upcard, key, block, number, state, cards):
    return deal.renew(size, hands, upcard, key, block, number, state, cards)


@kernel
def start(state, key, block, stream, index):
    shuffling.start(state, key, block, stream, index)


@kernel
def shuffle(cards, state, top, upto, size):
    shuffling.shuffle(cards, state, top, upto, size)
