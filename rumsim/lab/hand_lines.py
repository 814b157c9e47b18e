"""Hands a line, counted and written as they come: millions of them in little memory.

Plain lines never become Python objects: compiled code reads, counts and writes them.  What it leaves out, cards in
rarer spellings, jokers and hands with several best arrangements, takes the way of single hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rumsim.cards import card_text, cards_of, mask, pretty
from rumsim.engine import hand_lines
from rumsim.engine.melding import base_of
from rumsim.errors import RequestError
from rumsim.lab.evaluator import min_deadwood
from rumsim.melds import arrange, hand_of
from rumsim.report.hands import hand_line
from rumsim.rules import NATURALS, Rules

MOST_LINE = 1 << 16  # bytes of a line: a whole deck takes some 200
MOST_ERRORS = 20
BATCH = 1 << 20  # bytes at a time
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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


@dataclass
class HandLines:
    """Reads batches of lines and writes what the hands in them count.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    as_json : bool
        A JSON document a line, or text.
    symbols : bool
        Whether text shows suits as symbols.
    lines, hands : int
        Read so far.
    problems : list of str
        What was wrong with the first lines that were.
    more_problems : int
        How many more errors there were.
    """

    rules: Rules
    as_json: bool
    symbols: bool
    lines: int = 0
    hands: int = 0
    problems: list[str] = field(default_factory=list)
    more_problems: int = 0

    def __post_init__(self) -> None:
        """Prepare the texts of cards and what stands between them."""
        texts = [f'"{card_text(card)}"' if self.as_json else pretty(card, self.symbols) for card in range(NATURALS)]
        self._tokens = np.zeros((NATURALS, 8), np.uint8)
        for row, text in zip(self._tokens, texts, strict=True):
            row[0] = len(text.encode())
            row[1 : 1 + row[0]] = _bytes(text)
        self._pieces = tuple(map(_bytes, _JSON if self.as_json else _TEXT))
        self._out = np.empty(BATCH, np.uint8)

    def read(self, batch: bytes) -> npt.NDArray[np.uint64]:
        """Read whole lines; note what is wrong with them, and return the hands, uint64[n]."""
        data = np.frombuffer(batch, np.uint8)
        most = batch.count(b"\n") + batch.count(b"\r") + 1
        hands, kinds, begins = np.empty(most, np.uint64), np.empty(most, np.uint8), np.empty(most + 1, np.int64)
        lines = hand_lines.read_lines(data, hands, kinds, begins)
        for place in np.flatnonzero(kinds[:lines] == hand_lines.OTHER):
            line = batch[begins[place] : begins[place + 1]]
            found = self._read_other(line, self.lines + int(place) + 1)
            kinds[place] = hand_lines.BLANK if found is None else hand_lines.PLAIN
            hands[place] = found or 0
        self.lines += int(lines)
        kept: npt.NDArray[np.uint64] = hands[:lines][kinds[:lines] == hand_lines.PLAIN]
        self.hands += kept.size
        return kept

    def _read_other(self, line: bytes, number: int) -> int | None:
        """Read a line that is not plain; None for a blank or a wrong one."""
        where = f"file line {number}"
        try:
            text = line.decode("utf-8")
            return mask(hand_of(text, self.rules, where)) if text.strip() else None
        except UnicodeDecodeError:
            self._note([f"{where}: got bytes that are not UTF-8; allowed: cards such as 4H 5H 6H"])
        except RequestError as error:
            self._note(error.lines)
        return None

    def _note(self, lines: Iterable[str]) -> None:
        for line in dict.fromkeys(lines):
            if len(self.problems) < MOST_ERRORS:
                self.problems.append(line)
            else:
                self.more_problems += 1

    def refuse_problems(self) -> None:
        """Raise what was wrong so far.

        Raises
        ------
        RequestError
            With the first lines that were wrong, and how many more there are.
        """
        if self.problems:
            more = [f"file: got {self.more_problems} more lines like these; allowed: a hand a line"]
            raise RequestError(*self.problems, *(more if self.more_problems else ()))

    def written(self, hands: npt.NDArray[np.uint64]) -> Iterator[str]:
        """Yield the lines of hands, some thousands at a time."""
        counts = min_deadwood(hands, self.rules)
        base, place = base_of(self.rules), np.zeros(2, np.int64)
        parts: list[str] = []
        while place[0] < hands.size:
            place[1] = 0
            hand_lines.write_lines(hands, counts, base, self.as_json, self._tokens, self._pieces, self._out, place)
            parts.append(self._out[: place[1]].tobytes().decode())
            if place[0] < hands.size and place[1] + hand_lines.MOST_BYTES <= self._out.size:
                parts.append(self._written_alone(int(hands[place[0]])))
                place[0] += 1
            else:
                yield "".join(parts)
                parts = []
        if parts:
            yield "".join(parts)

    def _written_alone(self, hand: int) -> str:
        found = arrange(cards_of(hand), self.rules)
        if self.as_json:
            return json.dumps(found.as_json()) + "\n"
        return f"{found.deadwood:>4}  {hand_line(found, self.symbols)}\n"


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    r"""Cut blocks of bytes anew, so that each holds whole lines.

    Parameters
    ----------
    blocks : iterable of bytes
        A file from its start, cut anywhere.

    Yields
    ------
    bytes
        Whole lines, the last one as it ends; without a byte order mark.

    Raises
    ------
    RequestError
        For a line without an end.

    Examples
    --------
    >>> list(whole_lines([b"4H 5H", b" 6H\nKD\n8", b"C"]))
    [b'4H 5H 6H\nKD\n', b'8C']
    """
    rest, first = b"", True
    for block in blocks:
        rest += block
        if first and len(rest) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(rest):
            continue
        if first:
            rest, first = rest.removeprefix(_BYTE_ORDER_MARK), False
        # A return at the very end may be the first half of a line's end.
        cut = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, -1)) + 1
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
        if len(rest) > MOST_LINE:
            raise RequestError(f"file: got a line of more than {MOST_LINE:,} bytes; allowed: a hand a line")
    if rest:
        yield rest.removeprefix(_BYTE_ORDER_MARK) if first else rest
