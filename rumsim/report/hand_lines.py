"""Hands a line, counted and written as they come: millions of them in little memory.

Plain lines never become Python objects: compiled code reads, counts and writes them.  What it leaves out, cards in
rarer spellings, jokers and hands with several equally good arrangements, takes the way of single hands.  So do all
hands of a short file, which is done before a compiler would be loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rumsim.cards import cards_of, mask
from rumsim.errors import RequestError
from rumsim.melds import arrange, hand_of
from rumsim.report.hands import hand_line
from rumsim.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_LINE = 1 << 16  # bytes of a line: a whole deck takes some 200
MOST_ERRORS = 20
BATCH = 1 << 20  # bytes at a time
SHORT = 1 << 15  # bytes in all: some thousand hands, which take as long as the compiler takes to load
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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

    _bytes: int = 0

    def read(self, batch: bytes) -> Sequence[int] | npt.NDArray[np.uint64]:
        """Read whole lines; note what is wrong with them, and return the masks of the hands."""
        self._bytes += len(batch)
        if self._bytes <= SHORT:
            found = [self._read_other(line, self.lines + n) for n, line in enumerate(batch.splitlines(), start=1)]
            self.lines += len(found)
            held = [hand for hand in found if hand is not None]
            self.hands += len(held)
            return held
        from rumsim.report.many_hands import read

        hands, lines = read(batch, lambda line, place: self._read_other(line, self.lines + place))
        self.lines += lines
        self.hands += hands.size
        return hands

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

    def written(self, hands: Sequence[int] | npt.NDArray[np.uint64]) -> Iterator[str]:
        """Yield the lines of hands that were read, some thousands at a time."""
        if isinstance(hands, Sequence):
            yield "".join(map(self._written_alone, hands))
            return
        from rumsim.report.many_hands import written

        yield from written(hands, self.rules, self.as_json, self.symbols, self._written_alone)

    def _written_alone(self, hand: int) -> str:
        found = arrange(cards_of(hand), self.rules)
        if self.as_json:
            return json.dumps(found.as_json()) + "\n"
        return f"{found.deadwood:>4}  {hand_line(found, self.symbols)}\n"


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
