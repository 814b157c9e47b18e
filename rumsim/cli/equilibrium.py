"""Find knock schedules that no other answers better when everybody has them.

A symmetric equilibrium among knock schedules by seat and own turn, drawing and
discarding fixed. Found on the decks of one seed from five starts; on those of
another it is bounded what any such schedule gains. Ctrl-C shows what is finished.

--out FILE.toml writes the schedule as a bot that every command takes as @FILE.
--vary FIELD=LO:HI:STEP asks for each value of a number in the rules.
"""

from __future__ import annotations

from argparse import Namespace

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.cli._saving import draw, told
from rumsim.cli._studies import read_study, read_vary, stopped, study_options, vary_options
from rumsim.runs.interrupt import heard

EXAMPLES = (
    "rumsim equilibrium --players 3",
    "rumsim equilibrium --players 3 --vary undercut=0:60:10 --blocks 100000 --chart dial.png",
    "rumsim equilibrium --players 2 --rules traditional --jobs 2 --out calm.toml",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.value("--blocks", "K", "decks to confirm on, at least 2; up to 50000 more for the search (default: 400000)")
    study_options(parser, "everybody")
    parser.value("--out", "FILE", "a file for the bot, .toml; an old one is replaced")
    vary_options(parser)
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, search, confirm, write, print."""
    with heard(last=True):
        return _run(args)


def _run(args: Namespace) -> int:
    from rumsim.files import spelled
    from rumsim.runs.saving import Saving
    from rumsim.runs.store import check_file, write_file

    problems = Problems()
    asked = read_study(problems, args, least_blocks=2)
    file = None if args.out is None else problems.attempt(check_file, as_path(args.out), "out")
    if args.out is not None and not args.out.endswith(".toml"):
        problems.add(f"out: got {args.out!r}; allowed: a name that ends in .toml")
    if args.out is not None and args.vary is not None:
        problems.add(f"out: got {args.out!r} with vary; allowed: a bot of one equilibrium (--chart draws the dial)")
    chart = read_vary(problems, args, asked)
    problems.stop()
    assert asked.players is not None

    from rumsim.lab.equilibrium import BLOCKS, equilibrium
    from rumsim.lab.vary import vary_equilibrium

    options, saving = asked.options(BLOCKS), Saving()
    if args.vary is not None:
        varied = vary_equilibrium(args.vary, asked.players, asked.rules, **options)
        draw(saving, "chart", chart, varied.plot)
        _output.put_json(varied.as_json()) if args.json else _output.put(varied.table())
        return told("equilibrium", saving.lines, stopped("equilibrium", varied.interrupted, varied.finished()))
    found = equilibrium(asked.players, asked.rules, **options)
    if file is not None:
        saving.attempt("out", file, lambda: write_file(file, found.toml()))
    wrote = file is not None and not saving.lines
    if args.json:
        _output.put_json(found.as_json())
    else:
        _output.put(found.table() + (f"\n\nwrote the bot to {spelled(args.out)}" if wrote else ""))
    return told("equilibrium", saving.lines, stopped("equilibrium", found.interrupted, found.finished()))
