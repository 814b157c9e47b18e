"""Draw a page to print for the card table.

knock: the best threshold by own turn and seat, a panel for each sort of
opponents and one for the equilibrium, with ranges, gains and how often turns
are reached. Found on the decks of one seed, gains confirmed on another.

--opponents takes 1 to 4 bots that all others play, or mixtures of such. The
numbers are the best among schedules by seat and own turn, drawing and
discarding as --bot says. With --json and without --out no file is written.
Ctrl-C draws the panels that are finished.
"""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module
from pathlib import Path

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.cli._saving import draw, told
from rumsim.cli._studies import PICTURE, read_picture, read_study, stopped, study_options
from rumsim.files import spelled
from rumsim.runs.interrupt import heard

EXAMPLES = (
    "rumsim chart knock --players 3 --out knock.pdf",
    "rumsim chart knock --players 4 --opponents knock=12 0.5*knock=8+0.5*knock=25 --out knock.svg",
)
# What draws each page: a function that takes players, opponents, rules and the options of a study by name, and whose
# result has plot(), table() and as_json().
CHARTS = {"knock": ("rumsim.lab.knock_chart", "knock_chart")}


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("chart", "CHART", f"which: {', '.join(CHARTS)}")
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.values(
        "--opponents", "BOT", "how all others play, a panel each (default: knock=8 knock=10 knock=15 knock=25)"
    )
    parser.value("--blocks", "K", "decks to search on, and as many to confirm on; at least 2 (default: 40000)")
    study_options(parser, "the studied player")
    parser.value("--out", "FILE", "the page, .pdf, .png or .svg; an old one is replaced (needed, but with --json)")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, search, confirm, draw, print."""
    with heard(last=True):
        return _run(args)


def _run(args: Namespace) -> int:
    from rumsim.lab.knock_chart import BLOCKS, read_opponents

    problems = Problems()
    name = _which(problems, args.chart)
    asked = read_study(problems, args, least_blocks=2)
    opponents = None if args.opponents is None else [as_path(text) for text in args.opponents]
    problems.attempt(read_opponents, opponents, asked.players)
    file = _read_page(problems, args.out, needed=not args.json)
    problems.stop()

    module, function = CHARTS[name]
    page = getattr(import_module(module), function)(asked.players, opponents, asked.rules, **asked.options(BLOCKS))
    from rumsim.runs.saving import Saving

    saving = Saving()
    draw(saving, "out", file, page.plot)
    if args.json:
        _output.put_json(page.as_json())
    else:
        _output.put(page.table() + ("" if saving.lines else f"\n\nwrote {spelled(args.out)}"))
    return told("chart", saving.lines, stopped("chart", page.interrupted, page.finished()))


def _which(problems: Problems, words: list[str]) -> str:
    allowed = ", ".join(CHARTS)
    if len(words) != 1:
        problems.add(f"chart: got {' '.join(words) or 'nothing'}; allowed: one of {allowed}")
    elif words[0] not in CHARTS:
        problems.add(f"chart: got {words[0]!r}; allowed: {allowed}")
    return words[0] if words else ""


def _read_page(problems: Problems, given: str | None, needed: bool) -> Path | None:
    """Check, before any work, that a page can be written."""
    if given is not None:
        return read_picture(problems, given, "out")
    if needed:
        problems.needed("out", given, f"{PICTURE} (or --json without a file)")
    return None
