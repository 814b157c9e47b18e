"""Minimum deadwood and the card to give back for many hands at once."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rumsim import melds
from rumsim.cards import card_text
from rumsim.engine import batch, joker_batch
from rumsim.engine.melding import Jokers, base_of, jokers_of
from rumsim.errors import RequestError
from rumsim.rules import Rules, parse_rules

Hands = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

_NONE_TAKEN = np.empty(0, np.int8)


def min_deadwood(hands: npt.ArrayLike, rules: object = "ledger") -> Bytes:
    """Count the minimum deadwood of many hands.

    Parameters
    ----------
    hands : array_like of uint64, shape (n,)
        One mask a hand: bit ``card id`` is set for each card held.  Hands of any size, also of different sizes.
    rules : str, mapping or Rules
        The rules of the game.

    Returns
    -------
    ndarray of uint8, shape (n,)
        Points outside melds in each hand's best arrangement, 0 to 170, with two jokers at most 80 more.

    Raises
    ------
    RequestError
        If ``hands`` are no masks, or hold cards that the rules do not have.

    See Also
    --------
    rumsim.deadwood : one hand, with its melds.

    Notes
    -----
    Exact, and made for hands as they are dealt.  A hand of more than 26 cards may take seconds.

    Examples
    --------
    >>> import numpy as np
    >>> hands = np.array([0b111, 0b1011], np.uint64)  # AS 2S 3S; AS 2S 4S
    >>> min_deadwood(hands)
    array([0, 7], dtype=uint8)
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    held = _masks(hands)
    counts = np.empty(held.size, np.uint8)
    if known.jokers:
        left = joker_batch.deadwoods(held, *_tables(known), counts)
    else:
        left = batch.DEADWOODS[known.ace](held, counts)
    if left == batch.REFUSED:
        _refuse(held, None, known)
    if left:
        for place in np.flatnonzero(counts == batch.LEFT):
            counts[place] = melds.count(int(held[place]), known)
    return counts


def best_discard(
    hands: npt.ArrayLike, rules: object = "ledger", taken: npt.ArrayLike | None = None
) -> tuple[Bytes, Bytes]:
    """Choose the card to give back from many hands, as ``discard=greedy`` does.

    Parameters
    ----------
    hands : array_like of uint64, shape (n,)
        One mask a hand, the card just drawn included: bit ``card id`` is set for each card held.
    rules : str, mapping or Rules
        The rules of the game.
    taken : array_like of int8, shape (n,), optional
        The card of each hand that was taken from the discard pile in this turn and may not be given back, -1 for none.

    Returns
    -------
    cards : ndarray of uint8, shape (n,)
        Card ids.  Of the cards that may be given back, the one that leaves the least deadwood; on ties natural cards
        before jokers, then the dearest card, then the lowest id.
    deadwood : ndarray of uint8, shape (n,)
        Minimum deadwood of what is left, in points.

    Raises
    ------
    RequestError
        If ``hands`` are no masks or hold cards that the rules do not have; if a card taken is not held; if a hand has
        no card that may be given back.

    Examples
    --------
    >>> import numpy as np
    >>> hands = np.array([0b1111, 0b1011], np.uint64)  # AS 2S 3S 4S; AS 2S 4S
    >>> best_discard(hands, taken=[3, -1])
    (array([0, 3], dtype=uint8), array([0, 3], dtype=uint8))
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    held = _masks(hands)
    kept = _NONE_TAKEN if taken is None else _taken(taken, held.size)
    cards, counts = np.empty(held.size, np.uint8), np.empty(held.size, np.uint8)
    if known.jokers:
        left = joker_batch.discards(held, kept, *_tables(known), cards, counts)
    else:
        left = batch.DISCARDS[known.ace](held, kept, cards, counts)
    if left == batch.REFUSED:
        _refuse(held, kept, known)
    if left:
        places = np.flatnonzero(counts == batch.LEFT).tolist()
        allowed = [_allowed(int(held[place]), kept, place) for place in places]  # all of them before any is worked on
        for place, forbidden in zip(places, allowed, strict=True):
            cards[place], counts[place] = melds.best_discard(int(held[place]), known, forbidden)
    return cards, counts


def _tables(rules: Rules) -> tuple[np.uint64, Jokers | None, np.uint64]:
    return base_of(rules), jokers_of(rules), np.uint64(rules.deck_size)


# ---- what is given -------------------------------------------------------------------------------------------


def _integers(argument: str, given: npt.ArrayLike, allowed: str) -> npt.NDArray[Any]:
    try:
        found = np.asarray(given)
    except ValueError:  # lists of unequal lengths
        raise RequestError(f"{argument}: got no array of numbers; allowed: {allowed}") from None
    if found.ndim != 1:
        raise RequestError(f"{argument}: got {found.ndim} dimensions; allowed: {allowed}")
    if found.size and found.dtype.kind not in "iu":
        raise RequestError(f"{argument}: got an array of {found.dtype}; allowed: {allowed}")
    return found


def _masks(given: npt.ArrayLike) -> Hands:
    found = _integers("hands", given, "one dimension of uint64 masks, bit = card id")
    if found.dtype.kind == "i" and found.size and found.min() < 0:
        place = int(np.argmax(found < 0))
        raise RequestError(f"hands: got {found[place]} at index {place}; allowed: masks of at least 0, bit = card id")
    # Kernels are compiled for one type of array.
    return np.require(found, np.uint64, ["C", "A", "W"])


def _taken(given: npt.ArrayLike, size: int) -> npt.NDArray[np.int8]:
    found = _integers("taken", given, "one card id a hand, -1 for none")
    if found.size != size:
        raise RequestError(f"taken: got {found.size} cards for {size} hands; allowed: one a hand, -1 for none")
    if found.dtype != np.int8:
        beyond = (found < -1) | (found > np.iinfo(np.int8).max)  # whether such a card exists is seen later
        if beyond.any():
            _refuse_taken(found, int(np.argmax(beyond)))
    return np.require(found, np.int8, ["C", "A", "W"])


# ---- what is wrong with it -----------------------------------------------------------------------------------


def _refuse(hands: Hands, taken: npt.NDArray[np.int8] | None, rules: Rules) -> NoReturn:
    """Name the first hand that a kernel refused."""
    beyond = hands >> np.uint64(rules.deck_size) != 0
    if beyond.any():
        place = int(np.argmax(beyond))
        bit = int(hands[place]).bit_length() - 1
        raise RequestError(
            f"hands: got bit {bit} at index {place}; allowed: bits 0 to {rules.deck_size - 1} (rules {rules})"
        )
    assert taken is not None
    for place, card in enumerate(taken.tolist()):
        if card != -1 and not (card >= 0 and int(hands[place]) >> card & 1):
            _refuse_taken(taken, place)
    raise AssertionError("a kernel refused what is right")


def _refuse_taken(taken: npt.NDArray[Any], place: int) -> NoReturn:
    raise RequestError(f"taken: got {taken[place]} at index {place}; allowed: a card of hands[{place}], -1 for none")


def _allowed(hand: int, taken: npt.NDArray[np.int8], place: int) -> int | None:
    """Return the card that may not be given back, after making sure that another one may."""
    forbidden = int(taken[place]) if taken.size and taken[place] >= 0 else None
    if hand == 0:
        raise RequestError(f"hands: got no cards at index {place}; allowed: at least one to give back")
    if forbidden is not None and hand == 1 << forbidden:
        raise RequestError(
            f"taken: got {card_text(forbidden)}, the only card of hands[{place}]; allowed: another one to give back"
        )
    return forbidden
