"""Compare every knock threshold against opponents who all use another.

The same decks serve every cell; where all have the same threshold everyone earns
exactly 0.  Cells are read off traces: one deck played without knocks tells what
all thresholds get.  --direct plays every deal instead; the numbers are the same.
The same seed gives the same files, whatever the number of jobs.  Ctrl-C shows
and keeps the blocks that are finished.

--table T takes these opponents only: curves, with bands that hold a whole line.
The best own threshold against each table is confirmed on other decks.
--out DIR gets grid.parquet, a row a cell: players, focal (own threshold), table
(that of all opponents), ev (points a deal), ev_se, win (win share), win_se,
blocks, for curves bands and how deals end; best.parquet; table.txt; charts as
SVG and PNG; manifest.json.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import Problems, as_path
from rumsim.cli._saving import result_of, told, whereabouts
from rumsim.decks import MOST_BLOCKS
from rumsim.files import spelled

INTERRUPTED = 130
EXAMPLES = (
    "rumsim sweep --players 2 3 4 5 --blocks 100000 --out out/grid",
    "rumsim sweep --players 4 --thresholds 0:60:2 --table 10 --blocks 20000 --out out/curves",
    "rumsim sweep --players 2 --thresholds 10:30:10 --bot draw=meld --blocks 500 --json",
)


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.values("--players", "N", "2 to 5, one or more (needed)")
    parser.value("--thresholds", "LO:HI:STEP", "own thresholds from LO to HI (included), 0 to 200 (default: 0:80:1)")
    parser.values("--table", "T", "opponents' thresholds, 0 to 200 (default: all of --thresholds)")
    parser.value("--blocks", "K", "how many decks in every cell, at least 1, at most 10^15 (needed)")
    parser.value("--seed", "S", "a whole number from 0 (default: 0)")
    parser.value("--confirm-seed", "S", "decks on which the best are confirmed (default: seed + 1)")
    parser.value("--bot", "KEYS", "what all bots share, such as draw=meld; any keys but knock")
    parser.value("--table-bot", "KEYS", "the same for the opponents, where they draw otherwise")
    parser.flag("--direct", "play every deal of every cell: slow, to check the traces")
    parser.value("--jobs", "J", "how many workers share the blocks, at least 1; of many, four a core work (default: 1)")
    parser.rules_option()
    parser.value("--out", "DIR", "a folder for the result: new, empty, or of the same request (needed but with --json)")
    parser.flag("--quiet", "show no progress")
    parser.json_option()


def run(args: Namespace) -> int:
    """Check the request, play, write, print."""
    from rumsim.lab.grid_request import (
        read_confirm_seed,
        read_keys,
        read_players,
        read_table,
        read_thresholds,
    )

    problems = Problems()
    rules = problems.rules(args.rules)
    problems.needed("players", args.players, "2 to 5, one or more")
    if args.players and rules is not None:
        problems.attempt(read_players, args.players, rules)
    if args.thresholds is not None:
        problems.attempt(read_thresholds, args.thresholds)
    if args.table is not None:
        problems.attempt(read_table, args.table)
    problems.needed("blocks", args.blocks, "a whole number, at least 1")
    blocks = problems.number("blocks", args.blocks, 1, MOST_BLOCKS)
    seed = problems.number("seed", args.seed, 0)
    jobs = problems.number("jobs", args.jobs, 1)
    confirm = None
    if args.confirm_seed is not None:
        confirm = problems.number("confirm_seed", args.confirm_seed, 0)
        if confirm is not None and seed is not None:
            problems.attempt(read_confirm_seed, confirm, seed)
    keys, table_keys = as_path(args.bot or ""), as_path(args.table_bot or "")
    problems.attempt(read_keys, keys)
    if args.table_bot is not None:
        problems.attempt(read_keys, table_keys, "table_bot")
    if not args.json:
        problems.needed("out", args.out, "a folder for grid.parquet and the charts, or --json")
    problems.stop()
    assert blocks is not None and rules is not None

    from rumsim.runs.interrupt import heard

    with heard(last=True):  # also while libraries are imported: there is always a result
        from rumsim.lab.sweep import THRESHOLDS, sweep

        result, unwritten = result_of(
            partial(
                sweep,
                args.players,
                THRESHOLDS if args.thresholds is None else args.thresholds,
                blocks,
                rules,
                seed=seed or 0,
                confirm_seed=confirm,
                bot=keys,
                table_bot=table_keys,
                table=args.table,
                direct=args.direct,
                jobs=jobs or 1,
                out=None if args.out is None else as_path(args.out),
                progress=not args.quiet,
            )
        )
        if args.json:
            _output.put_json(result.as_json())
        else:
            wrote = result.kept is not None and result.kept.blocks and not result.kept.earlier
            place = f"\n\nwrote grid.parquet, best.parquet, table.txt and charts to {spelled(args.out)}"
            _output.put(result.table() + (place if wrote else ""))
        _output.flush()
        if result.interrupted:
            done = f"{result.blocks:,} of {blocks:,} blocks ({result.deals:,} deals) were finished in every cell"
            done += ", but the best were not confirmed" if result.blocks == blocks else ""
            _output.tell(f"rumsim sweep: interrupted: {done}{whereabouts(result.kept, args.out)}")
    return told("sweep", unwritten, INTERRUPTED if result.interrupted else 0)
