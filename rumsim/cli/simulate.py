"""Play many deals and estimate each bot's points a deal and win share.

A block is one shuffled deck, played once for each rotation of the bots over the
seats; standard errors are over blocks.  The same seed gives the same table,
whatever the number of jobs.  Ctrl-C shows and keeps the blocks that are finished.

--out DIR keeps the result: result.json (as --json prints it), bots.csv, and as
parquet bots, seats, ends, knock_counts and knock_turns; manifest.json says where
they come from and, with "partial": true, that the run was interrupted.  The same
request may go there again; a run that is stopped earlier leaves the folder alone.
--csv writes a row a bot: players, entry (its place in --bots, from 0), bot, ev
(points a deal of one player with that bot), ev_se, ev_low, ev_high (95 %), win
(mean win share), win_se, win_low, win_high (95 %, from 20 blocks on), blocks,
deals, seed, rules.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.cli._saving import result_of, told, whereabouts
from rumsim.decks import MOST_BLOCKS
from rumsim.runs.interrupt import heard

INTERRUPTED = 130
EXAMPLES = (
    'rumsim simulate --players 2 --bots "knock=10" "knock=25" --blocks 2000',
    'rumsim simulate --players 4 --bots "knock=20" "draw=meld" --blocks 500 --seed 3 --json',
    'rumsim simulate --players 3 --bots "knock=30" --blocks 1000000 --jobs 2 --out run1',
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.values(
        "--bots",
        "BOT",
        "1, 2 or N bots such as knock=10,draw=improve:1: one for all, one focal bot against a table of the "
        "other, or one each (needed)",
    )
    parser.value("--blocks", "K", "how many blocks of N deals, at least 1, at most 10^15 (needed)")
    parser.value("--seed", "S", "a whole number from 0 (default: 0)")
    parser.value("--jobs", "J", "how many workers share the blocks, at least 1; of many, four a core work (default: 1)")
    parser.rules_option()
    parser.value("--out", "DIR", "a folder for the result: new, empty, or of the same request")
    parser.flag("--charts", "draw seats and knocks into that folder too, as SVG and PNG")
    parser.value("--csv", "PATH", "a file for a row a bot; an old one is replaced")
    parser.flag("--quiet", "show no progress")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, simulate, print."""
    with heard(last=True):  # from here on, also while libraries are imported: there is always a result
        return _run(args)


def _run(args: Namespace) -> int:
    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    problems.needed("blocks", args.blocks, "a whole number, at least 1")
    blocks = problems.number("blocks", args.blocks, 1, MOST_BLOCKS)
    seed = problems.number("seed", args.seed, 0)
    jobs = problems.number("jobs", args.jobs, 1)
    bots = problems.bots(args.bots, players)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    problems.stop()
    assert players is not None and blocks is not None and rules is not None

    from rumsim.lab.simulate import simulate

    result, unwritten = result_of(
        partial(
            simulate,
            players,
            bots,
            blocks,
            rules,
            seed=seed or 0,
            jobs=jobs or 1,
            out=None if args.out is None else as_path(args.out),
            csv=None if args.csv is None else as_path(args.csv),
            charts=args.charts,
            progress=not args.quiet,
        )
    )
    if args.json:
        _output.put_json(result.as_json())
    else:
        _output.put(result.table())
    _output.flush()
    if result.interrupted:
        _output.tell(
            f"rumsim simulate: interrupted: {result.blocks:,} of {blocks:,} blocks "
            f"({result.deals:,} deals) were finished{whereabouts(result.kept, args.out)}"
        )
    return told("simulate", unwritten, INTERRUPTED if result.interrupted else 0)
