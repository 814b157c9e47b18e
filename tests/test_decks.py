"""Randomness: known answers, uniform shuffles, and decks that depend on seed and block alone."""

from collections import Counter
from itertools import product

import pytest

from rumsim import decks
from rumsim.errors import RequestError


def test_philox_known_answers():
    # From the test vectors that come with Random123: zero, all ones, and digits of pi.
    ones = 0xFFFFFFFF
    assert decks.philox4x32((0, 0, 0, 0), (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert decks.philox4x32((ones,) * 4, (ones,) * 2) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)
    assert decks.philox4x32(*pi) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def test_xoshiro_known_answers():
    # The reference implementation's first outputs from the state 1, 2, 3, 4.
    stream = decks.Stream(0, 0, 0)
    stream._state = [1, 2, 3, 4]
    assert [stream.next() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 52, 3_000_000_000])
def test_bounded_numbers_stay_in_bounds_and_reject_what_would_favour_some(limit):
    stream = decks.Stream(decks.key_of(3), 0, decks.DECK)
    assert all(0 <= stream.below(limit) < limit for _ in range(300))


def test_a_bounded_number_is_drawn_anew_where_the_low_part_is_below_the_threshold():
    # 2^32 mod 3 = 1: the one product with low part 0 would make 0 more frequent than 1 and 2.
    stream = decks.Stream(0, 0, 0)
    words = iter([0, 5 << 61])
    stream.next = lambda: next(words)  # type: ignore[method-assign]
    assert stream.below(3) == (5 << 61 >> 32) * 3 >> 32


class Scripted(decks.Stream):
    """Gives the bounded numbers that it is told, and remembers the limits asked for."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def below(self, limit):
        number = self.numbers.pop(0)
        assert number < limit
        return number


def test_every_order_of_three_cards_comes_from_exactly_one_choice_of_numbers():
    # DK-034: swapping with any of the three places would give 4/27 and 5/27 instead of 1/6 each.
    orders = Counter(tuple(Scripted(numbers).shuffled([0, 1, 2])) for numbers in product(range(3), range(2)))
    assert len(orders) == 6
    assert set(orders.values()) == {1}


def test_first_cards_are_uniform():
    seen = Counter(decks.deck(seed=11, block=block)[0] for block in range(5200))
    chi_square = sum((seen[card] - 100) ** 2 / 100 for card in range(52))
    assert chi_square < 99.6  # 51 degrees of freedom, one in 20,000


def test_decks_do_not_depend_on_order_and_differ_by_seed_and_block():
    forward = [decks.deck(5, block) for block in range(50)]
    assert forward == [decks.deck(5, block) for block in reversed(range(50))][::-1]
    assert len({tuple(deck) for seed in range(20) for deck in [decks.deck(seed, 0)]}) == 20
    assert len({tuple(deck) for deck in forward}) == 50


def test_blocks_beyond_32_bits_are_other_blocks():
    assert decks.deck(1, 0) != decks.deck(1, 1 << 32)


def test_a_renewed_stock_depends_on_its_number_and_its_cards_alone():
    cards = [3, 40, 17, 8, 25]
    assert decks.reshuffled(1, 2, 0, cards) == decks.reshuffled(1, 2, 0, cards[::-1])
    assert sorted(decks.reshuffled(1, 2, 0, cards)) == sorted(cards)
    assert len({tuple(decks.reshuffled(1, 2, number, range(30))) for number in range(20)}) == 20


@pytest.mark.parametrize("seed", [-1, 1.5, "x", None, True])
def test_a_seed_is_a_whole_number_from_zero(seed):
    with pytest.raises(RequestError, match="seed"):
        decks.key_of(seed)


def test_streams_have_numbers_of_their_own():
    numbers = [decks.DECK, decks.RESHUFFLE, decks.DRAWS, decks.PRIVATE, decks.DEALER, decks.OPPONENTS]
    assert numbers == [0, 1, 2, 3, 4, 5], "fixed for ever: old results depend on them"
