"""Play one deal, every decision readable; with --me, play yourself.

Either a deck from a file (--deck), or exactly one deal of 'rumsim simulate'
(--seed, --block, --rotation).  With --seed the dealer follows from the rotation.
With --me you sit at that place; without a deck or seed you get a new one.
"""

from __future__ import annotations

import secrets
from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, read_text
from rumsim.decks import LAST_BLOCK

EXAMPLES = (
    'rumsim play --players 2 --bots "knock=10" "knock=25,draw=meld" --seed 1',
    'rumsim play --players 3 --bots "knock=20" --seed 7 --block 41 --rotation 2 --json',
    'rumsim play --players 2 --bots "knock=10" --deck deck.txt --dealer 0',
    "rumsim play --players 3 --me 0",
)
NEW_SEEDS = 1_000_000_000


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5")
    parser.values(
        "--bots",
        "BOT",
        "1, 2 or N bots such as knock=10,draw=improve:1: one for all, one for player 0 "
        "against a table of the other, or one each (needed, but with --me knock=10)",
    )
    parser.value("--deck", "FILE", "a file with all cards, top first; - is standard input")
    parser.value("--dealer", "I", "who deals, from 0, with --deck (default: N-1)")
    parser.value("--seed", "S", "a whole number from 0: play a deal of this simulation")
    parser.value("--block", "B", "which block of it, from 0 (default: 0)")
    parser.value("--rotation", "R", "which rotation of the block, 0 to N-1 (default: 0)")
    parser.value("--me", "I", "the place, from 0, at which you play yourself")
    parser.rules_option()
    parser.json_option("print the recorded deal as JSON; with --me prompts go to standard error")


def run(args: Namespace) -> int:
    """Check the request, play, print."""
    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    last = (players or 5) - 1
    me = problems.number("me", args.me, 0, last)
    source = _source(args, problems, last)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    bots = problems.bots(args.bots or (["knock=10"] if args.me is not None else None), players)
    if isinstance(deck := source.get("deck"), str) and rules is not None:
        from rumsim.referee.play import whole_deck

        problems.attempt(whole_deck, deck, rules)
    problems.stop()
    assert players is not None and rules is not None

    from rumsim.lab.play import play

    if me is not None:
        from rumsim.cli._person import play_with_person

        return play_with_person(me, players, bots, rules, source, args.json)
    deal = play(players, bots, rules, **source)  # type: ignore[arg-type]
    if args.json:
        _output.put_json(deal.as_json())
    else:
        from rumsim.report.deal import deal_text

        _output.put(deal_text(deal, _output.symbols()))
    return 0


def _source(args: Namespace, problems: Problems, last: int) -> dict[str, int | str | None]:
    """Read where the cards come from: a deck, a seed, or for a person a new seed."""
    dealer = problems.number("dealer", args.dealer, 0, last)
    seed = problems.number("seed", args.seed, 0)
    block = problems.number("block", args.block, 0, LAST_BLOCK)
    rotation = problems.number("rotation", args.rotation, 0, last)
    if args.deck is not None:
        for name in ("seed", "block", "rotation"):
            if (given := getattr(args, name)) is not None:
                problems.add(f"{name}: got {given!r} with --deck; allowed: a deck or a seed, not both")
        if args.deck == "-" and args.me is not None:
            problems.add("deck: got '-' with --me; allowed: a file, as standard input is for your answers")
            return {}
        return {"deck": problems.attempt(read_text, "deck", args.deck), "dealer": dealer}
    if args.seed is not None and args.dealer is not None:
        problems.add(f"dealer: got {args.dealer!r} with --seed; allowed: only with --deck (see --rotation)")
    if args.seed is None:
        if args.me is None:
            problems.add("seed: got nothing; allowed: --seed with a whole number from 0, or --deck FILE")
        elif args.block is not None:
            problems.add(f"block: got {args.block!r} without --seed; allowed: only with --seed")
        else:
            seed = secrets.randbelow(NEW_SEEDS)
            if dealer is not None:
                rotation = last - dealer
    return {"seed": seed, "block": block, "rotation": rotation}
