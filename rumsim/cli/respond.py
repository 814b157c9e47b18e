"""Find the best knock against given opponents, by own turn and seat.

Says the best constant threshold, and the best schedule: at how much to knock on
each own turn in each seat, how often that turn is reached, and which thresholds
are as good. Both are found on the decks of one seed and confirmed on another.

--opponents is a bot that all others play, or a mixture 0.5*BOT+0.5*BOT from
which each draws its bot anew in every deal. It is the best among schedules by
seat and own turn, drawing and discarding as --bot says.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path

EXAMPLES = (
    "rumsim respond --players 3 --opponents knock=10",
    "rumsim respond --players 2 --opponents 0.5*knock=8+0.5*knock=25 --blocks 100000 --json",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--opponents", "BOT", "how all others play, or a mixture of such bots (needed)")
    parser.value("--blocks", "K", "decks to search on, and as many to confirm on (default: 40000)")
    parser.value("--seed", "S", "decks for the search (default: 0)")
    parser.value("--confirm-seed", "S", "decks for the confirmation (default: seed + 1)")
    parser.value("--bot", "KEYS", "how the studied player draws, such as draw=meld; any keys but knock")
    parser.value("--jobs", "J", "how many workers share the decks, at least 1 (default: 1)")
    parser.rules_option()
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, search, confirm, print."""
    from rumsim.bots.mixture import Mixture
    from rumsim.lab.grid_request import read_confirm_seed, read_keys

    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    problems.needed("opponents", args.opponents, "a bot such as knock=10, or a mixture 0.5*BOT+0.5*BOT")
    opponents = None if args.opponents is None else as_path(args.opponents)
    if opponents is not None:
        mixture = problems.attempt(Mixture.parse, opponents)
        if mixture is not None and players is not None:
            problems.attempt(mixture.check, players)
    blocks = problems.number("blocks", args.blocks, 1, 10_000_000)
    seed = problems.number("seed", args.seed, 0)
    confirm = problems.number("confirm_seed", args.confirm_seed, 0)
    if confirm is not None:
        problems.attempt(read_confirm_seed, confirm, seed or 0)
    jobs = problems.number("jobs", args.jobs, 1)
    keys = as_path(args.bot or "")
    problems.attempt(read_keys, keys)
    problems.stop()
    assert players is not None and opponents is not None

    from rumsim.lab.respond import BLOCKS, respond

    found = respond(
        players,
        opponents,
        rules,
        blocks=blocks or BLOCKS,
        seed=seed or 0,
        confirm_seed=confirm,
        bot=keys,
        jobs=jobs or 1,
    )
    if args.json:
        _output.put_json(found.as_json())
    else:
        _output.put(found.table())
    return 0
