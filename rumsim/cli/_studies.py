"""What commands have in common that search on the decks of one seed and confirm on those of another."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any, NamedTuple

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.rules import Rules

MOST_BLOCKS = 10_000_000
INTERRUPTED = 130
PICTURES = (".pdf", ".png", ".svg")
PICTURE = "a name that ends in .pdf, .png or .svg"


class Study(NamedTuple):
    """What was asked for; None where it was not, or was wrong."""

    rules: Rules | None
    players: int | None
    blocks: int | None
    seed: int
    confirm_seed: int | None
    bot: str
    jobs: int
    progress: bool

    def options(self, blocks: int) -> dict[str, Any]:
        """Return what the verbs take by name; ``blocks`` where none were asked for."""
        return {
            "blocks": self.blocks or blocks,
            "seed": self.seed,
            "confirm_seed": self.confirm_seed,
            "bot": self.bot,
            "jobs": self.jobs,
            "progress": self.progress,
        }


def study_options(parser: Parser, bot: str) -> None:
    """Declare the options; ``bot`` says whose keys ``--bot`` has."""
    parser.value("--seed", "S", "decks for the search (default: 0)")
    parser.value("--confirm-seed", "S", "decks for the confirmation (default: seed + 1)")
    parser.value("--bot", "KEYS", f"how {bot} draws, such as draw=meld; any keys but knock")
    parser.value("--jobs", "J", "how many workers share the decks, at least 1 (default: 1)")
    parser.rules_option()
    parser.flag("--quiet", "show no progress")


def read_study(problems: Problems, args: Namespace, least_blocks: int) -> Study:
    """Read the options, ``--players`` and ``--blocks``, and note what is wrong with them."""
    from rumsim.lab.grid_request import read_confirm_seed, read_keys

    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    if players is not None and rules is not None:
        problems.attempt(rules.size_for, players)
    blocks = problems.number("blocks", args.blocks, least_blocks, MOST_BLOCKS)
    seed = problems.number("seed", args.seed, 0) or 0
    confirm = problems.number("confirm_seed", args.confirm_seed, 0)
    if confirm is not None:
        problems.attempt(read_confirm_seed, confirm, seed)
    jobs = problems.number("jobs", args.jobs, 1) or 1
    bot = as_path(args.bot or "")
    problems.attempt(read_keys, bot)
    return Study(rules, players, blocks, seed, confirm, bot, jobs, not args.quiet)


def read_opponents(problems: Problems, given: str | None, players: int | None) -> str | None:
    """Check a bot, or a mixture, that all others play."""
    from rumsim.bots.mixture import Mixture

    problems.needed("opponents", given, "a bot such as knock=10, or a mixture 0.5*BOT+0.5*BOT")
    if given is None:
        return None
    opponents = as_path(given)
    mixture = problems.attempt(Mixture.parse, opponents)
    if mixture is not None and players is not None:
        problems.attempt(mixture.check, players)
    return opponents


def vary_options(parser: Parser) -> None:
    """Declare the dial."""
    parser.value("--vary", "FIELD=LO:HI:STEP", "ask for each value of undercut, rum_bonus, knock_limit or hand_size")
    parser.value("--chart", "FILE", "with --vary: draw the curves, .pdf, .png or .svg; an old file is replaced")


def read_vary(problems: Problems, args: Namespace, asked: Study) -> Path | None:
    """Check the dial, and return the file of its chart."""
    from rumsim.lab import vary

    if args.vary is not None and asked.rules is not None and asked.players is not None:
        problems.attempt(vary.read_vary, args.vary, asked.rules, asked.players)
    if args.chart is None:
        return None
    if args.vary is None:
        problems.add(f"chart: got {args.chart!r} without vary; allowed: a chart of --vary FIELD=LO:HI:STEP")
    return read_picture(problems, args.chart, "chart")


def read_picture(problems: Problems, given: str, argument: str) -> Path | None:
    """Check, before any work, that a picture can be written."""
    from rumsim.runs.store import check_file

    path = problems.attempt(check_file, as_path(given), argument) if given.endswith(PICTURES) else None
    if not given.endswith(PICTURES) or (path is not None and path.suffix not in PICTURES):  # or what a link points to
        problems.add(f"{argument}: got {given!r}; allowed: {PICTURE}")
        return None
    return path


def stopped(name: str, interrupted: bool, what: str) -> int:
    """Say on standard error that a study was interrupted, and return the exit code."""
    if not interrupted:
        return 0
    _output.flush()
    _output.tell(f"rumsim {name}: interrupted: {what}")
    return INTERRUPTED
