"""Hands in words and columns: melds first, then what is left."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rumsim.cards import JOKERS, pretty
from rumsim.melds import Arrangement, Meld

WIDTH = 80


def cards_text(cards: Iterable[int], symbols: bool) -> str:
    """Write cards in a row.

    Examples
    --------
    >>> cards_text([16, 35], symbols=False)
    '4H 10D'
    """
    return " ".join(pretty(card, symbols) for card in cards)


def meld_text(meld: Meld, symbols: bool) -> str:
    """Write a meld as one word, a joker with the card that it stands for.

    Examples
    --------
    >>> meld_text(Meld((16, 52, 18), (16, 17, 18)), symbols=False)
    '4H-**=5H-6H'
    """
    return "-".join(
        f"{pretty(card, symbols)}={pretty(stand, symbols)}" if card in JOKERS else pretty(card, symbols)
        for card, stand in zip(meld.cards, meld.stands, strict=True)
    )


def hand_line(hand: Arrangement, symbols: bool) -> str:
    """Write a hand in one line: melds, a bar, the other cards.

    Examples
    --------
    >>> from rumsim.melds import deadwood
    >>> hand_line(deadwood("4H 5H 6H 8D KS"), symbols=False)
    '4H-5H-6H  |  KS 8D'
    """
    melds = "  ".join(meld_text(meld, symbols) for meld in hand.melds)
    loose = cards_text(by_rank(hand.unmelded), symbols)
    return "  |  ".join(part for part in (melds or "no melds", loose) if part)


def by_rank(cards: Iterable[int]) -> list[int]:
    """Order loose cards as people hold them: dear ones first, then by suit.

    Examples
    --------
    >>> by_rank([0, 12, 13])
    [12, 0, 13]
    """
    return sorted(cards, key=lambda card: (card in JOKERS, -(card % 13), card))


def arrangement_text(hand: Arrangement, symbols: bool) -> str:
    """Write a hand over several lines: a meld a line, the unmelded cards, the count.

    Examples
    --------
    >>> from rumsim.melds import deadwood
    >>> print(arrangement_text(deadwood("4H 5H 6H 8D"), symbols=False))
    melds     4H-5H-6H
    unmelded  8D
    deadwood  8
    """
    melds = [meld_text(meld, symbols) for meld in hand.melds] or ["none"]
    lines = [f"{'melds' if place == 0 else '':<10}{meld}" for place, meld in enumerate(melds)]
    lines += wrapped(f"{'unmelded':<10}{cards_text(by_rank(hand.unmelded), symbols) or 'none'}", indent=10)
    return "\n".join([*lines, f"{'deadwood':<10}{hand.deadwood}"])


def wrapped(text: str, indent: int) -> list[str]:
    """Break a long line at blanks, its further lines indented; never inside a word.

    Examples
    --------
    >>> wrapped("one two", indent=2)
    ['one two']
    """
    return textwrap.wrap(
        text,
        WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
