"""Count a hand's deadwood and show its best melds.

The count is the least that any arrangement of all the cards leaves, whatever the
size of the hand.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cards import parse_cards
from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, read_bytes
from rumsim.errors import RequestError
from rumsim.rules import Rules

EXAMPLES = (
    'rumsim deadwood "4H 5H 6H QC QD QS 8D"',
    'rumsim deadwood --rules ledger:ace-high --json "QS KS AS 7D"',
    "rumsim deadwood --file hands.txt --json",
)
MOST_ERRORS = 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
    from rumsim.melds import arrange, hand_of
    from rumsim.report.hands import hand_line

    problems = Problems()
    hands: list[list[int]] = []
    lines = read_bytes("file", name).removeprefix(BYTE_ORDER_MARK).splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            problems.add(f"file line {number}: got bytes that are not UTF-8; allowed: cards such as 4H 5H 6H")
            continue
        if text.strip():
            hands += filter(None, [problems.attempt(hand_of, text, rules, f"file line {number}")])
    if len(problems.lines) > MOST_ERRORS:
        left = len(problems.lines) - MOST_ERRORS
        problems.lines[MOST_ERRORS:] = [f"file: got {left} more lines like these; allowed: a hand a line"]
    problems.stop()
    if not hands:
        raise RequestError(f"file: got no hand in {name!r}; allowed: a hand a line")
    found = [arrange(hand, rules) for hand in hands]
    if as_json:
        _output.put_json_lines(hand.as_json() for hand in found)
    else:
        show = _output.symbols()
        _output.put("\n".join(f"{hand.deadwood:>4}  {hand_line(hand, show)}" for hand in found))
