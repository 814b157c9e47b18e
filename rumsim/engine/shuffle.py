"""Random decks: the compiled twin of :mod:`rumsim.decks`, to the last bit."""

from __future__ import annotations

import numpy as np

from rumsim.engine.jit import inlined

_WORD = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@inlined
def _philox(a, b, c, d, k, m):
    for _ in range(10):
        left, right = a * _M0, c * _M1
        a, b, c, d = (right >> _32) ^ b ^ k, right & _WORD, (left >> _32) ^ d ^ m, left & _WORD
        k, m = (k + _W0) & _WORD, (m + _W1) & _WORD
    return a | b << _32, c | d << _32


@inlined
def start(state, key, block, stream, index):
    """Fill the four words of a generator's state for a block, a stream and an index in it."""
    low, high = block & _WORD, block >> _32
    half = index + index
    state[0], state[1] = _philox(low, high, stream, half, key & _WORD, key >> _32)
    state[2], state[3] = _philox(low, high, stream, half + np.uint64(1), key & _WORD, key >> _32)


@inlined
def _rotated(word, by):
    return word << np.uint64(by) | word >> np.uint64(64 - by)


@inlined
def first_word(state):
    """Return the first word that a generator gives, without moving it on."""
    return _rotated(state[0] + state[3], 23) + state[0]


@inlined
def _drawn(limit, a, b, c, d):
    """Return the upper half of the next word times a limit, and the state after it."""
    word = _rotated(a + d, 23) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return (word >> _32) * limit, a, b, c, _rotated(d, 45)


@inlined
def shuffle(cards, state, top, upto, size):
    """Put the right cards at the places ``top`` to ``upto - 1`` of ``size``: a stretch of Fisher and Yates."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    while top < upto:
        limit = size - top
        product, a, b, c, d = _drawn(limit, a, b, c, d)
        if product & _WORD < limit:  # once in a hundred million: only then is the division worth its time
            threshold = (np.uint64(1) << _32) % limit
            while product & _WORD < threshold:
                product, a, b, c, d = _drawn(limit, a, b, c, d)
        other = top + (product >> _32)
        card = cards[other]
        cards[other] = cards[top]
        cards[top] = card
        top += np.uint64(1)
    state[0], state[1], state[2], state[3] = a, b, c, d
