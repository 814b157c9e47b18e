"""Say what to do with a hand, now.

Before the draw (--upcard): what taking the upcard and drawing from the stock
are worth. After a draw from the stock (--drawn): for each card worth giving
back, what knocking and playing on are worth. HAND is the hand before the draw.

The opponents play --opponents, a bot or a mixture 0.5*BOT+0.5*BOT, and nobody
has knocked yet. Seats count from 0, the first to move; own turns from 1.

Where such opponents seldom give that upcard back, or the turn hardly ever comes,
less is supposed of how it came about, and the answer says so. Ctrl-C shows the
answer so far.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems
from rumsim.cli._studies import MOST_BLOCKS, read_opponents
from rumsim.runs.interrupt import heard

INTERRUPTED = 130

EXAMPLES = (
    'rumsim advise --players 2 --seat 0 --own-turn 1 --opponents knock=10 --upcard 9H "AS 2S 3S 4H 5H 6H 9C 9D KS QD"',
    'rumsim advise --players 3 --seat 1 --own-turn 2 --opponents knock=20 --drawn KD "AS 2S 3S 4H 5H 9C 9D"',
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("hand", "HAND", 'the hand before the draw, in quotes: "AS 2S 3S 4H 5H 6H 9C"')
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--seat", "S", "your seat, from 0, the first to move (needed)")
    parser.value("--own-turn", "K", "which of your turns it is, from 1 (needed)")
    parser.value("--opponents", "BOT", "how all others play, or a mixture of such bots (needed)")
    parser.value("--upcard", "U", "the upcard, before the draw")
    parser.value("--drawn", "C", "the card that came from the stock, after the draw")
    parser.value("--blocks", "K", "decks to weigh on, at least 1000 (default: until +/-0.2 points, at most 3 seconds)")
    parser.value("--seed", "S", "decks on which later knocks are found (default: 0)")
    parser.value("--confirm-seed", "S", "decks on which all is weighed (default: seed + 1)")
    parser.value("--jobs", "J", "how many workers share the decks, at least 1 (default: 1)")
    parser.rules_option()
    parser.flag("--quiet", "show no progress")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, weigh, print."""
    with heard(last=True):  # from here on, also while libraries are imported: there is always a result
        return _run(args)


def _run(args: Namespace) -> int:
    from rumsim.lab.grid_request import read_confirm_seed

    problems = Problems()
    rules = problems.rules(args.rules)
    for name, given, allowed in (
        ("players", args.players, "2 to 5"),
        ("seat", args.seat, "your seat, from 0"),
        ("own_turn", args.own_turn, "which of your turns it is, from 1"),
        ("hand", args.hand, 'the cards before the draw, in quotes, such as "AS 2S 3S 4H 5H 6H 9C"'),
    ):
        problems.needed(name, given, allowed)
    players = problems.number("players", args.players, 2, 5)
    seed = problems.number("seed", args.seed, 0) or 0
    confirm = problems.number("confirm_seed", args.confirm_seed, 0)
    if confirm is not None:
        problems.attempt(read_confirm_seed, confirm, seed)
    blocks = problems.number("blocks", args.blocks, 1000, 10 * MOST_BLOCKS)
    jobs = problems.number("jobs", args.jobs, 1) or 1
    opponents = read_opponents(problems, args.opponents, players)
    problems.stop()
    assert rules is not None and players is not None and opponents is not None

    from rumsim.lab.advise import advise, read_spot

    hand = " ".join(args.hand)
    problems.attempt(read_spot, players, args.seat, args.own_turn, hand, rules, args.upcard, args.drawn)
    problems.stop()
    found = advise(
        *(players, args.seat, args.own_turn, opponents, hand, rules),
        up=args.upcard,
        drawn=args.drawn,
        seed=seed,
        confirm_seed=confirm,
        blocks=blocks,
        jobs=jobs,
        progress=not args.quiet,
    )
    if args.json:
        _output.put_json(found.as_json())
    else:
        _output.put(found.table(_output.symbols()))
    if not found.interrupted:
        return 0
    _output.flush()
    _output.tell(f"rumsim advise: interrupted: {found.decks:,} decks were weighed")
    return INTERRUPTED
