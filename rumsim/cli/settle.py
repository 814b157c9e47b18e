"""Score the hands of a real deal: counts, winners, who pays whom.

Give one quoted hand a player, in the order of the players, and who knocked.
Without --knocker the hands are compared, as when the stock has run out.
What looks odd but can be scored is warned of on standard error.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cards import card_id
from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems
from rumsim.errors import RequestError

EXAMPLES = (
    'rumsim settle --knocker 0 "4H 5H 6H QC QD QS 8D" "AS AH AD 7C 8C 9C 3H"',
    'rumsim settle --rules traditional --json "2S 3S 4S KD" "7H 7C 7D QD" "AS 9H 9D 5C"',
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("hands", "HAND", 'one quoted hand a player, such as "4H 5H 6H 8D"; 2 to 5 hands')
    parser.value("--knocker", "I", "the player who knocked, from 0 (default: nobody)")
    parser.rules_option()
    parser.json_option()


def run(args: Namespace) -> int:
    """Score, warn and print."""
    from rumsim.settlement import settle

    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("hands", args.hands, '2 to 5 hands, each quoted, such as "4H 5H 6H 8D"')
    unquoted = all(_is_card(hand) for hand in args.hands)
    if unquoted and len(args.hands) > 5:
        given, example = len(args.hands), " ".join(args.hands[:4])
        problems.add(f'hands: got {given} single cards; allowed: 2 to 5 hands, each in quotes: "{example}"')
    knocker = problems.number("knocker", args.knocker, 0, max(len(args.hands) - 1, 0))
    problems.stop()
    assert rules is not None
    result = settle(args.hands, knocker, rules)
    if unquoted:
        _output.tell("rumsim settle: warning: every hand is a single card; a longer hand goes in quotes")
    for warning in result.warnings:
        _output.tell(f"rumsim settle: warning: {warning}")
    if args.json:
        _output.put_json(result.as_json())
    else:
        from rumsim.melds import deadwood
        from rumsim.report.settlement import hands_lines, plain_name, settlement_lines

        hands = [deadwood(hand, rules) for hand in args.hands]
        table = hands_lines(hands, knocker, result.winners, plain_name, _output.symbols())
        _output.put("\n".join([*table, "", *settlement_lines(result, knocker, rules)]))
    return 0


def _is_card(text: str) -> bool:
    try:
        card_id(text)
    except RequestError:
        return False
    return True
