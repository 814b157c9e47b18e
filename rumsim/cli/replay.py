"""Referee a recorded deal turn by turn, and settle it.

The file is JSON as 'rumsim play --json' writes it; it needs rules, players,
dealer, deck and turns, each turn with draw, discard and knock.  The first illegal
turn stops it.  Turns that stop before the deal does leave the deal open.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, read_text

EXAMPLES = (
    "rumsim replay evening.json",
    'rumsim play --players 2 --bots "knock=10" --seed 1 --json | rumsim replay -',
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("file", "FILE", "a recorded deal in JSON; - is standard input")
    parser.json_option()


def run(args: Namespace) -> int:
    """Referee, and print the deal."""
    problems = Problems()
    problems.needed("file", args.file, "a recorded deal in JSON, or -")
    if len(args.file) > 1:
        problems.add(f"file: got {len(args.file)} files; allowed: one recorded deal in JSON, or -")
    problems.stop()

    from rumsim.lab.replay import parse_json, replay

    name = args.file[0]
    deal = replay(parse_json(read_text("file", name), name))
    if args.json:
        _output.put_json(deal.as_json())
    else:
        from rumsim.report.deal import deal_text

        _output.put(deal_text(deal, _output.symbols()))
    return 0
