"""Hands a line by the million: between their bytes and the compiled code that reads and writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from rumsim.cards import card_text, pretty
from rumsim.engine import hand_lines
from rumsim.engine.melding import base_of
from rumsim.lab.evaluator import min_deadwood
from rumsim.rules import NATURALS, Rules

_ROOM = 1 << 20  # bytes to write into
# What stands between cards, in the order of ``rumsim.engine.hand_lines.write_lines``.
_JSON = (
    '{"hand": [',
    ", ",
    '], "deadwood": ',
    ', "melds": [',
    "[",
    ", ",
    "]",
    ", ",
    "",
    '], "unmelded": [',
    ", ",
    "]}\n",
)
_TEXT = ("", "", "", "  ", "", "-", "", "  ", "no melds", "  |  ", " ", "\n")


def read(batch: bytes, read_other: Callable[[bytes, int], int | None]) -> tuple[npt.NDArray[np.uint64], int]:
    """Read whole lines; return the masks of their hands, uint64[n], and how many lines there are.

    Parameters
    ----------
    batch : bytes
        Lines.
    read_other : callable
        Called with a line that is not plain and its number from 1; returns its mask, or None for no hand.
    """
    data = np.frombuffer(batch, np.uint8)
    most = batch.count(b"\n") + batch.count(b"\r") + 1
    hands, kinds, begins = np.empty(most, np.uint64), np.empty(most, np.uint8), np.empty(most + 1, np.int64)
    lines = int(hand_lines.read_lines(data, hands, kinds, begins))
    for place in np.flatnonzero(kinds[:lines] == hand_lines.OTHER):
        found = read_other(batch[begins[place] : begins[place + 1]], int(place) + 1)
        kinds[place] = hand_lines.BLANK if found is None else hand_lines.PLAIN
        hands[place] = found or 0
    return hands[:lines][kinds[:lines] == hand_lines.PLAIN], lines


def written(
    hands: npt.NDArray[np.uint64], rules: Rules, as_json: bool, symbols: bool, alone: Callable[[int], str]
) -> Iterator[str]:
    """Yield the lines of hands; ``alone`` writes those that the compiled code leaves out."""
    texts = [f'"{card_text(card)}"' if as_json else pretty(card, symbols) for card in range(NATURALS)]
    tokens = np.zeros((NATURALS, 8), np.uint8)
    for row, text in zip(tokens, texts, strict=True):
        row[0] = len(text.encode())
        row[1 : 1 + row[0]] = _bytes(text)
    pieces = tuple(map(_bytes, _JSON if as_json else _TEXT))
    counts, base = min_deadwood(hands, rules), base_of(rules)
    out, place = np.empty(_ROOM, np.uint8), np.zeros(2, np.int64)
    parts: list[str] = []
    while place[0] < hands.size:
        place[1] = 0
        hand_lines.write_lines(hands, counts, base, as_json, tokens, pieces, out, place)
        parts.append(out[: place[1]].tobytes().decode())
        if place[0] < hands.size and place[1] + hand_lines.MOST_BYTES <= out.size:
            parts.append(alone(int(hands[place[0]])))
            place[0] += 1
        else:
            yield "".join(parts)
            parts = []
    if parts:
        yield "".join(parts)


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)
