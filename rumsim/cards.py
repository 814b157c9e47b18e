"""Cards: their ids, texts and masks.

A card is its id, ``13 * suit + rank``: suits in the order S H D C, ranks A 2 … 9 T J Q K, so the ace of
spades is 0 and the king of clubs 51.  Jokers are 52 and 53.  A set of cards is a mask with bit ``id`` set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from rumsim.errors import RequestError

SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
RANKS = "A23456789TJQK"
JOKER = "**"
_JOKER_TEXTS = (JOKER, "JK", "jk", "Jk", "jK")  # a shell would make the names of its files of unquoted stars
JOKERS = (52, 53)

_SUIT_OF = {text: suit for texts in (SUITS, SUITS.lower(), SYMBOLS) for suit, text in enumerate(texts)}
_RANK_OF = {text: rank for texts in (RANKS, RANKS.lower()) for rank, text in enumerate(texts)} | {"10": 9}
_EMOJI_STYLE = "\ufe0f"  # phones and web pages put it behind a suit symbol


def rank_of(card: int) -> int:
    """Return the rank of a natural card: 0 for an ace up to 12 for a king."""
    return card % 13


def card_id(text: str) -> int:
    """Read one card.

    Parameters
    ----------
    text : str
        ``4H``, ``TD``, ``10D``, lower case, or with ♠♥♦♣; ``**`` or ``JK`` is a joker.

    Returns
    -------
    int
        The card id, 52 for a joker.

    Raises
    ------
    RequestError
        If it is no card.

    Examples
    --------
    >>> card_id("AS"), card_id("10♦"), card_id("kc"), card_id("JK")
    (0, 35, 51, 52)
    """
    plain = text.replace(_EMOJI_STYLE, "")
    if plain in _JOKER_TEXTS:
        return JOKERS[0]
    rank, suit = _RANK_OF.get(plain[:-1]), _SUIT_OF.get(plain[-1:])
    if rank is None or suit is None:
        raise RequestError(
            f"card: got {text!r}; allowed: a rank A 2-9 T (or 10) J Q K, then a suit S H D C or ♠♥♦♣; "
            "** or JK is a joker"
        )
    return 13 * suit + rank


def card_text(card: int) -> str:
    """Write one card as everything that is read by programs shows it: ``4H``, ``TD``, ``**``.

    Examples
    --------
    >>> card_text(35), card_text(53)
    ('TD', '**')
    """
    return JOKER if card >= JOKERS[0] else RANKS[card % 13] + SUITS[card // 13]


def pretty(card: int, symbols: bool = True) -> str:
    """Write one card for people, with a suit symbol where the output can show one.

    Examples
    --------
    >>> pretty(35), pretty(35, symbols=False)
    ('10♦', '10D')
    """
    if card >= JOKERS[0]:
        return JOKER
    rank = RANKS[card % 13]
    return ("10" if rank == "T" else rank) + (SYMBOLS if symbols else SUITS)[card // 13]


def parse_cards(cards: str | Iterable[object], argument: str = "hand") -> list[int]:
    """Read several cards, in the order given.

    Parameters
    ----------
    cards : str or iterable of str or int
        A text with blanks or commas between the cards, or card texts, or card ids.
    argument : str
        What to call them in an error.

    Returns
    -------
    list of int
        Card ids; the first joker is 52, the second 53.

    Raises
    ------
    RequestError
        For an unknown card, a card given twice, or a third joker.

    Examples
    --------
    >>> parse_cards("4H,5H 6h")
    [16, 17, 18]
    """
    if not isinstance(cards, Iterable):
        raise RequestError(f"{argument}: got {cards!r}; allowed: cards, such as '4H 5H 6H'")
    words = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards)
    found: list[int] = []
    problems: list[str] = []
    for word in words:
        try:
            card = _read(word, argument)
        except RequestError as error:
            problems += error.lines
            continue
        if card == JOKERS[0] and card in found:
            card = JOKERS[1]
        if card in found:
            joker = card in JOKERS
            what = "more than two jokers (**)" if joker else f"{card_text(card)} twice"
            problems.append(f"{argument}: got {what}; allowed: {'0 to 2' if joker else 'each card once'}")
        found.append(card)
    if problems:
        raise RequestError(*dict.fromkeys(problems))
    return found


def _read(word: object, argument: str) -> int:
    if isinstance(word, str):
        try:
            return card_id(word)
        except RequestError as error:
            raise RequestError(f"{argument}: {str(error).removeprefix('card: ')}") from None
    if not isinstance(word, bool) and isinstance(word, SupportsIndex) and 0 <= (card := word.__index__()) <= JOKERS[1]:
        return card
    raise RequestError(f"{argument}: got {word!r}; allowed: a card text such as 4H, or a card id from 0 to 53")


def mask(cards: Iterable[int]) -> int:
    """Gather cards in a mask with one bit a card.

    Examples
    --------
    >>> bin(mask([0, 2]))
    '0b101'
    """
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_of(bits: int) -> list[int]:
    """List the cards of a mask in the order of their ids, jokers last.

    Examples
    --------
    >>> cards_of(0b101)
    [0, 2]
    """
    return [card for card in range(bits.bit_length()) if bits >> card & 1]
