"""Count a hand's deadwood and show its best melds.

The count is the least that any arrangement of all the cards leaves, whatever the
size of the hand.

With --file a wrong line is refused before anything is printed. Standard input and
pipes are counted as they come, and stop at the first lines that are wrong.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

from rumsim.cards import parse_cards
from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path, open_stream
from rumsim.errors import RequestError
from rumsim.rules import Rules
from rumsim.runs.interrupt import heard

EXAMPLES = (
    'rumsim deadwood "4H 5H 6H QC QD QS 8D"',
    'rumsim deadwood --rules ledger:ace-high --json "QS KS AS 7D"',
    "rumsim deadwood --file hands.txt --json",
)
BATCH = 1 << 20  # bytes at a time


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("hand", "HAND", 'one quoted hand, such as "4H 5H 6H 8D" or 4H,5H,6H,8D')
    parser.value("--file", "FILE", "a file with a hand a line instead of HAND; - is standard input")
    parser.rules_option()
    parser.json_option("print JSON instead of text; with --file one document a line")


def run(args: Namespace) -> int:
    """Count, and print what was found."""
    problems = Problems()
    rules = problems.rules(args.rules)
    problems.add(*_misplaced(args.hand, args.file))
    problems.stop()
    assert rules is not None
    if args.file is not None:
        _count_file(args.file, rules, args.json)
    else:
        _count_hand(args.hand[0], rules, args.json)
    return 0


def _misplaced(hands: list[str], file: str | None) -> list[str]:
    allowed = 'one quoted hand, such as "4H 5H 6H 8D", or --file FILE'
    if file is not None and hands:
        return [f"hand: got {hands[0]!r} together with --file; allowed: one of them"]
    if file is None and not hands:
        return [f"hand: got nothing; allowed: {allowed}"]
    if len(hands) > 1:
        quoted = " ".join(hands)
        try:
            parse_cards(quoted)
        except RequestError:
            return [f"hand: got {len(hands)} arguments; allowed: {allowed}"]
        return [f'hand: got {len(hands)} arguments; allowed: one, in quotes: "{quoted}"']
    return []


def _count_hand(hand: str, rules: Rules, as_json: bool) -> None:
    from rumsim.melds import deadwood
    from rumsim.report.hands import arrangement_text

    found = deadwood(hand, rules)
    if as_json:
        _output.put_json(found.as_json())
    else:
        _output.put(arrangement_text(found, _output.symbols()))


def _count_file(name: str, rules: Rules, as_json: bool) -> None:
    """Count the hands of a file, after all are checked; those of a pipe as they come."""
    from rumsim.lab.hand_lines import HandLines, whole_lines

    with open_stream("file", name) as file, heard() as ctrl_c:

        def blocks() -> Iterator[bytes]:
            while not ctrl_c.asked:
                with ctrl_c.at_once():  # a pipe may keep us waiting
                    block = file.read1(BATCH)
                if not block:
                    return
                yield block

        if file.seekable() and os.path.isfile(as_path(name)):
            checked = HandLines(rules, as_json, _output.symbols())
            for batch in whole_lines(blocks()):
                checked.read(batch)
            checked.refuse_problems()
            file.seek(0)
        found = HandLines(rules, as_json, _output.symbols())
        for batch in whole_lines(blocks()):
            hands = found.read(batch)
            found.refuse_problems()
            for text in found.written(hands):
                _output.put(text)
                if ctrl_c.asked:
                    return
            _output.flush()
        if not found.hands and not ctrl_c.asked:
            raise RequestError(f"file: got no hand in {name!r}; allowed: a hand a line")
