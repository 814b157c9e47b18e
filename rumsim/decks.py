"""Randomness as an argument: which deck, from a seed and the number of a block.

Every random thing has its own generator, a xoshiro256++ whose state is Philox4x32-10 of a key and a counter:

* key: ``SeedSequence(seed).generate_state(1, uint64)``;
* counter, four 32-bit words: block (low, high), stream, and ``2 * index + half``, where the halves 0 and 1 give
  the four 64-bit words of the state.

A block of sessions is a stretch of such blocks, one for each deal: deal j of block k of sessions, both from 0, uses the
deck and the reshuffles of block ``2**20 * k + j`` (:func:`session_block`).

So any deck can be made alone, and no result depends on order, chunks, threads, processes or machines.  This is
the plain version; the engine has its compiled twin, and a test holds them together.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from rumsim.errors import whole_number

# Stream numbers.  They are fixed for ever: a new use takes a new number, so that no old result changes.
DECK = 0  # the shuffled deck of a block
RESHUFFLE = 1  # a renewed stock; the index is the number of the reshuffle in its deal, from 0
DRAWS = 2  # a seat's private order of draws; the index is the seat
PRIVATE = 3  # a bot's private randomness; the index is the player
DEALER = 4  # who deals first in a session
OPPONENTS = 5  # which bot of a mixture plays; the index is five times the rotation plus the player
ADVICE = 6  # a deck that fits what a player sees; the block is the number of the deck

LAST_BLOCK = (1 << 63) - 1  # block numbers fit a signed 64-bit integer
MOST_BLOCKS = 10**15  # of one request: years of play; sums of so many are exact, and counts of them fit a table
SESSION_DEALS = 1 << 20  # deal j of block k of sessions is played on block SESSION_DEALS * k + j
LAST_SESSION_BLOCK = LAST_BLOCK // SESSION_DEALS

_WORD, _LONG = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def philox4x32(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return Philox4x32-10 of a counter and a key, all 32-bit words (Salmon et al., SC 2011).

    Examples
    --------
    >>> [f"{word:08x}" for word in philox4x32((0, 0, 0, 0), (0, 0))]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        left, right = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (right >> 32) ^ b ^ k, right & _WORD, (left >> 32) ^ d ^ m, left & _WORD
        k, m = (k + 0x9E3779B9) & _WORD, (m + 0xBB67AE85) & _WORD
    return a, b, c, d


@functools.lru_cache(maxsize=64)
def key_of(seed: int) -> int:
    """Return the 64-bit key of a seed: any whole number from 0, 0 being as good as any other.

    Raises
    ------
    RequestError
        For a negative seed, or one that is no whole number.

    Examples
    --------
    >>> key_of(0) != key_of(1)
    True
    """
    import numpy as np  # here, because reading cards and rules must start without it

    return int(np.random.SeedSequence(whole_number("seed", seed, 0)).generate_state(1, np.uint64)[0])


class Stream:
    """The random numbers of one block and one stream.

    Parameters
    ----------
    key : int
        A 64-bit key, see :func:`key_of`.
    block : int
        The number of the block, from 0.
    stream : int
        One of the stream numbers of this module.
    index : int
        Which of several in that stream.

    Examples
    --------
    >>> Stream(key_of(1), block=0, stream=DECK).below(1)
    0
    """

    def __init__(self, key: int, block: int, stream: int, index: int = 0) -> None:
        state = []
        for half in (0, 1):
            counter = (block & _WORD, block >> 32 & _WORD, stream, 2 * index + half)
            a, b, c, d = philox4x32(counter, (key & _WORD, key >> 32))
            state += [a | b << 32, c | d << 32]
        self._state = state

    def next(self) -> int:
        """Return 64 random bits: xoshiro256++ (Blackman and Vigna, 2021)."""
        s = self._state
        result = (_rotated((s[0] + s[3]) & _LONG, 23) + s[0]) & _LONG
        shifted = s[1] << 17 & _LONG
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = _rotated(s[3], 45)
        return result

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``, each equally likely.

        Lemire's method on the upper 32 bits, with rejection (ACM TOMACS 29, 2019).
        """
        product = (self.next() >> 32) * limit
        if product & _WORD < limit:
            threshold = (1 << 32) % limit
            while product & _WORD < threshold:
                product = (self.next() >> 32) * limit
        return product >> 32

    def shuffled(self, cards: Iterable[int]) -> list[int]:
        """Return the cards in random order: Fisher and Yates, from the top, so that an engine may stop early."""
        order = list(cards)
        for top in range(len(order) - 1):
            other = top + self.below(len(order) - top)
            order[top], order[other] = order[other], order[top]
        return order


def deck(seed: int, block: int, cards: int = 52) -> list[int]:
    """Return the deck of a block, top first; all rotations of the block share it.

    Examples
    --------
    >>> sorted(deck(seed=1, block=0)) == list(range(52))
    True
    """
    return Stream(key_of(seed), block, DECK).shuffled(range(cards))


def reshuffled(seed: int, block: int, number: int, cards: Iterable[int]) -> list[int]:
    """Return a renewed stock, top first.

    It depends on seed, block, the number of the reshuffle in that deal (from 0) and the set of cards alone.

    Examples
    --------
    >>> reshuffled(1, 0, 0, [5, 3]) == reshuffled(1, 0, 0, [3, 5])
    True
    """
    return Stream(key_of(seed), block, RESHUFFLE, number).shuffled(sorted(cards))


def session_block(block: int, deal: int) -> int:
    """Return the block whose deck and reshuffles a deal of a session uses; all rotations share it.

    Parameters
    ----------
    block : int
        Of sessions, from 0.
    deal : int
        In its session, from 0; a session has fewer than 2**20.

    Examples
    --------
    >>> session_block(3, 2)
    3145730
    """
    return block * SESSION_DEALS + deal


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & _LONG
