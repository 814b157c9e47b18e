"""Find knock schedules that no other answers better when everybody has them.

A symmetric equilibrium among knock schedules by seat and own turn, drawing and
discarding fixed. Found on the decks of one seed from five starts; on those of
another it is bounded what a best answer, or any constant from 0 to 80, gains.

--out FILE.toml writes the schedule as a bot that every command takes as @FILE.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path

EXAMPLES = (
    "rumsim equilibrium --players 3",
    "rumsim equilibrium --players 2 --rules traditional --jobs 2 --out calm.toml",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--blocks", "K", "decks to confirm on, at least 2; up to 50000 more for the search (default: 400000)")
    parser.value("--seed", "S", "decks for the search (default: 0)")
    parser.value("--confirm-seed", "S", "decks for the confirmation (default: seed + 1)")
    parser.value("--bot", "KEYS", "how everybody draws, such as draw=meld; any keys but knock")
    parser.value("--jobs", "J", "how many workers share the decks, at least 1 (default: 1)")
    parser.value("--out", "FILE", "a file for the bot, .toml; an old one is replaced")
    parser.rules_option()
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, search, confirm, write, print."""
    from rumsim.lab.grid_request import read_confirm_seed, read_keys
    from rumsim.runs.store import check_file, write_file

    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    blocks = problems.number("blocks", args.blocks, 2, 10_000_000)
    seed = problems.number("seed", args.seed, 0)
    confirm = problems.number("confirm_seed", args.confirm_seed, 0)
    if confirm is not None:
        problems.attempt(read_confirm_seed, confirm, seed or 0)
    jobs = problems.number("jobs", args.jobs, 1)
    keys = as_path(args.bot or "")
    problems.attempt(read_keys, keys)
    file = None if args.out is None else problems.attempt(check_file, as_path(args.out), "out")
    if args.out is not None and not args.out.endswith(".toml"):
        problems.add(f"out: got {args.out!r}; allowed: a name that ends in .toml")
    problems.stop()
    assert players is not None

    from rumsim.lab.equilibrium import BLOCKS, equilibrium

    found = equilibrium(
        players, rules, blocks=blocks or BLOCKS, seed=seed or 0, confirm_seed=confirm, bot=keys, jobs=jobs or 1
    )
    if file is not None:
        write_file(file, found.toml())
    if args.json:
        _output.put_json(found.as_json())
    else:
        _output.put(found.table() + (f"\n\nwrote the bot to {args.out}" if args.out else ""))
    return 0
