"""Let bots play whole sessions, and say who wins them.

A rotation: every player deals once. Cumulative: --deals deals. A match: to the
first above --target. A pool: stakes of 100, --rebuys re-entries, the last one in
wins. A block is a session played once for each rotation of the first dealer, on
the same decks; standard errors are over blocks. The same seed gives the same
table, whatever the number of jobs. Ctrl-C shows and keeps what is finished.

Deal j of block k is played on block 1048576 k + j of the seed, which play shows:
in rotation r its --rotation is (r - j) mod N, as long as nobody has gone out.

--out DIR keeps the result: result.json (as --json prints it), bots.csv, and as
parquet bots, places, deals, ledgers, margins and, of pools, ranks.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.cli._saving import result_of, told, whereabouts
from rumsim.decks import LAST_SESSION_BLOCK
from rumsim.runs.interrupt import heard
from rumsim.session_rules import FORMATS, Format

INTERRUPTED = 130
EXAMPLES = (
    "rumsim session --format rotation --players 4 --bots knock=25 knock=10 --sessions 1000",
    "rumsim session --format match --target 100 --players 3 --bots closer:knock=30 knock=30 --sessions 1000",
    "rumsim session --format pool --rebuys 1 --players 4 --bots knock=40 --sessions 500 --seed 3 --json",
)
_OPTIONS = {"deals": 1, "target": 0, "rebuys": 0, "max_deals": 1}  # each with the least allowed
_ONLY_OF = {"deals": "cumulative", "target": "match", "rebuys": "pool"}


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.value("--format", "F", f"{', '.join(FORMATS)} (needed)")
    parser.value("--players", "N", "2 to 5 (needed)")
    parser.values(
        "--bots",
        "BOT",
        "1, 2 or N bots such as knock=10 or closer:knock=10, which looks at the ledger: one for all, one focal bot "
        "against a table of the other, or one each; none from a .py file (needed)",
    )
    parser.value("--sessions", "K", "how many blocks of N sessions, at least 1, at most 2^43 - 1 (needed)")
    parser.value("--deals", "D", "deals of a cumulative session, 1 to 10^6 (default: 10)")
    parser.value("--target", "P", "points that a match is played to, 0 to 10^6 (default: 200)")
    parser.value("--rebuys", "R", "re-entries that each player of a pool may use, 0 to 10^6 (default: 0)")
    parser.value("--max-deals", "D", "after so many deals a session stays unfinished, 1 to 10^6 (default: 1000)")
    parser.value("--seed", "S", "a whole number from 0 (default: 0)")
    parser.value("--jobs", "J", "how many workers share the blocks, at least 1; of many, four a core work (default: 1)")
    parser.rules_option()
    parser.value("--out", "DIR", "a folder for the result: new, empty, or of the same request")
    parser.flag("--charts", "draw places and numbers of deals into that folder too, as SVG and PNG")
    parser.flag("--quiet", "show no progress")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, play, print."""
    with heard(last=True):  # from here on, also while libraries are imported: there is always a result
        return _run(args)


def _run(args: Namespace) -> int:
    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("format", args.format, ", ".join(FORMATS))
    form = None if args.format is None else problems.attempt(Format, args.format)
    problems.needed("players", args.players, "2 to 5")
    players = problems.number("players", args.players, 2, 5)
    problems.needed("sessions", args.sessions, "a whole number, at least 1")
    sessions = problems.number("sessions", args.sessions, 1, LAST_SESSION_BLOCK)
    given = {name: problems.number(name, getattr(args, name), low, 1_000_000) for name, low in _OPTIONS.items()}
    seed = problems.number("seed", args.seed, 0)
    jobs = problems.number("jobs", args.jobs, 1)
    bots = problems.bots(args.bots, players)
    if players is not None and bots and not problems.lines:
        from rumsim.lab.session import session_bots

        problems.attempt(session_bots, bots, players)
    if players is not None and rules is not None and form is not None:
        from rumsim.lab.session import check_sizes

        problems.attempt(check_sizes, rules, players, form)
    problems.stop()
    assert players is not None and sessions is not None and rules is not None and form is not None

    for name, of in _ONLY_OF.items():
        if given[name] is not None and form.name != of:
            _output.tell(f"rumsim session: {name}: {given[name]} changes nothing, it is an option of {of} alone")

    from rumsim.lab.session import session

    result, unwritten = result_of(
        partial(
            session,
            players,
            bots,
            form.name,
            sessions,
            rules,
            **{name: value for name, value in given.items() if value is not None},
            seed=seed or 0,
            jobs=jobs or 1,
            out=None if args.out is None else as_path(args.out),
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
            f"rumsim session: interrupted: {result.blocks:,} of {sessions:,} blocks "
            f"({result.sessions:,} sessions) were finished{whereabouts(result.kept, args.out)}"
        )
    return told("session", unwritten, INTERRUPTED if result.interrupted else 0)
