"""Find the best knock against given opponents, by own turn and seat.

Says the best constant threshold with those that may be as good, and the best
schedule: at how much to knock on each own turn in each seat, how often that turn
is reached, and which thresholds lose little. Both are found on the decks of one
seed and confirmed on another. Ctrl-C shows what is finished.

--opponents is a bot that all others play, or a mixture 0.5*BOT+0.5*BOT from
which each draws its bot anew in every deal. It is the best among schedules by
seat and own turn, drawing and discarding as --bot says.

--vary FIELD=LO:HI:STEP asks for each value of a number in the rules.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems
from rumsim.cli._saving import draw, told
from rumsim.cli._studies import read_opponents, read_study, read_vary, stopped, study_options, vary_options
from rumsim.runs.interrupt import heard

EXAMPLES = (
    "rumsim respond --players 3 --opponents knock=10",
    "rumsim respond --players 2 --opponents knock=10 --vary undercut=0:60:10 --chart dial.png",
    "rumsim respond --players 2 --opponents 0.5*knock=8+0.5*knock=25 --blocks 100000 --json",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--opponents", "BOT", "how all others play, or a mixture of such bots (needed)")
    parser.value("--blocks", "K", "decks to search on, and as many to confirm on (default: 40000)")
    study_options(parser, "the studied player")
    vary_options(parser)
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, search, confirm, print."""
    with heard(last=True):
        return _run(args)


def _run(args: Namespace) -> int:
    problems = Problems()
    asked = read_study(problems, args, least_blocks=1)
    opponents = read_opponents(problems, args.opponents, asked.players)
    chart = read_vary(problems, args, asked)
    problems.stop()
    assert asked.players is not None and opponents is not None

    from rumsim.lab.respond import BLOCKS, respond
    from rumsim.lab.vary import vary_respond
    from rumsim.runs.saving import Saving

    options, saving = asked.options(BLOCKS), Saving()
    if args.vary is None:
        found = respond(asked.players, opponents, asked.rules, **options)
        _output.put_json(found.as_json()) if args.json else _output.put(found.table())
        return told("respond", saving.lines, stopped("respond", found.interrupted, found.finished()))
    else:
        varied = vary_respond(args.vary, asked.players, opponents, asked.rules, **options)
        draw(saving, "chart", chart, varied.plot)
        _output.put_json(varied.as_json()) if args.json else _output.put(varied.table())
        return told("respond", saving.lines, stopped("respond", varied.interrupted, varied.finished()))
