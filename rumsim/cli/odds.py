"""Say what opponents hold on your turn, and if you are the lowest.

By own turn, when nobody has knocked: how often it comes, how the counts of an
opponent and of the lowest opponent are spread, and for each count of your own
the chance that it is below all others. That is what a knock is compared with.

--opponents is a bot that all others play, or a mixture 0.5*BOT+0.5*BOT from
which each draws its bot anew in every deal. You draw and discard as --bot says.

The table is over all seats, --seat shows one; --json has all of them.
Ctrl-C shows what was counted on the blocks that are finished.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems
from rumsim.cli._saving import draw, told
from rumsim.cli._studies import read_opponents, read_picture, read_study
from rumsim.runs.interrupt import heard

INTERRUPTED = 130

EXAMPLES = (
    "rumsim odds --players 3 --opponents knock=10",
    "rumsim odds --players 4 --opponents knock=25 --seat 0 --chart odds.png",
    "rumsim odds --players 2 --opponents 0.5*knock=8+0.5*knock=25 --blocks 100000 --json",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--opponents", "BOT", "how all others play, or a mixture of such bots (needed)")
    parser.value("--blocks", "K", "decks to count on (default: 40000)")
    parser.value("--seed", "S", "which decks (default: 0)")
    parser.value("--confirm-seed", "S", "count on other decks too, and say how far apart the two are")
    parser.value("--bot", "KEYS", "how you draw, such as draw=meld; any keys but knock")
    parser.value("--seat", "I", "show one seat, from 0, the first to move (default: all together)")
    parser.value("--chart", "FILE", "draw the chances, .pdf, .png or .svg; an old file is replaced")
    parser.value("--jobs", "J", "how many workers share the decks, at least 1 (default: 1)")
    parser.rules_option()
    parser.flag("--quiet", "show no progress")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, count, print."""
    with heard(last=True):  # from here on, also while libraries are imported: there is always a result
        return _run(args)


def _run(args: Namespace) -> int:
    problems = Problems()
    asked = read_study(problems, args, least_blocks=1)
    opponents = read_opponents(problems, args.opponents, asked.players)
    chart = None if args.chart is None else read_picture(problems, args.chart, "chart")
    seat = problems.number("seat", args.seat, 0, 4)
    if seat is not None and asked.players is not None:
        from rumsim.lab.odds import read_seat

        problems.attempt(read_seat, seat, asked.players)
    problems.stop()
    assert asked.players is not None and opponents is not None

    from rumsim.lab.odds import BLOCKS, odds
    from rumsim.runs.saving import Saving

    found = odds(asked.players, opponents, asked.rules, **asked.options(BLOCKS), progress=not args.quiet)
    saving = Saving()
    if found.of(seat):
        draw(saving, "chart", chart, lambda: found.plot(seat))
    elif chart is not None and not found.interrupted:
        found.plot(seat)  # refuses what cannot be drawn
    _output.put_json(found.as_json()) if args.json else _output.put(found.table(seat))
    if found.interrupted:
        _output.flush()
        _output.tell(f"rumsim odds: interrupted: {found.blocks:,} of {asked.blocks or BLOCKS:,} blocks were finished")
    return told("odds", saving.lines, INTERRUPTED if found.interrupted else 0)
