"""Play many deals and estimate each bot's points a deal and win share.

A block is one shuffled deck, played once for each rotation of the bots over the
seats; standard errors are over blocks.  The same seed gives the same table,
whatever the number of jobs.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems

EXAMPLES = (
    'rumsim simulate --players 2 --bots "knock=10" "knock=25" --blocks 2000',
    'rumsim simulate --players 4 --bots "knock=20" "draw=meld" --blocks 500 --seed 3 --json',
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5")
    parser.values(
        "--bots",
        "BOT",
        "1, 2 or N bots such as knock=10,draw=improve:1: one for all, one focal bot against a table of the "
        "other, or one each",
    )
    parser.value("--blocks", "K", "how many blocks of N deals, at least 1")
    parser.value("--seed", "S", "a whole number from 0 (default: 0)")
    parser.value("--jobs", "J", "how many workers share the blocks, at least 1 (default: 1)")
    parser.rules_option()
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, simulate, print."""
    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    problems.needed("blocks", args.blocks, "a whole number, at least 1")
    blocks = problems.number("blocks", args.blocks, 1)
    seed = problems.number("seed", args.seed, 0)
    jobs = problems.number("jobs", args.jobs, 1)
    bots = problems.bots(args.bots, players)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    problems.stop()
    assert players is not None and blocks is not None and rules is not None

    from rumsim.lab.simulate import simulate

    result = simulate(players, bots, blocks, rules, seed=seed or 0, jobs=jobs or 1)
    if args.json:
        _output.put_json(result.as_json())
    else:
        _output.put(result.table())
    return 130 if result.interrupted else 0
