"""Speed on this machine, beside the same work in plain C where the yardstick and a C compiler are there.

Rates are medians of five runs on one core, rumsim and C in turn, per second of processor time; a deal counts only
if it was played.  The table goes to standard output and, with ``--write``, into the README.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import rumsim
from rumsim.bots import ThresholdBot
from rumsim.lab.tables import columns
from rumsim.rules import parse_rules
from rumsim.session_rules import FORMATS, Format
from rumsim.tasks.direct import Direct
from rumsim.tasks.sessions import Sessions
from rumsim.tasks.trace_grid import TraceGrid

ROOT = Path(__file__).parent.parent
YARDSTICK = ROOT.parent / "shared" / "limit" / "limit.c"
RUNS = 5
HANDS = 1 << 20
SIZES = (7, 8, 10, 11)
PLAYERS = (2, 3, 4, 5)
GRID = tuple(range(81))
TRACES = 30_000  # a run
SESSION_DEALS = 200_000
STUDY = 400_000  # blocks
LABELS = {
    "deadwood": "deadwood, {} cards",
    "discard": "best discard, {} cards",
    "direct": "deals, {} players",
    "trace": "cell-deals of a grid, {} players",
}

Rates = dict[str, float]


class Yardstick:
    """The plain C program, one task at a time, so that each is measured right beside ours."""

    _DRIVER = """
        #define main whole
        #include "{source}"
        #undef main
        int main(void) {{
          char kind; int size;
          build_tables(); seed();
          while (scanf(" %c %d", &kind, &size) == 2) {{
            if (kind == 'e') evaluator(size);
            else if (kind == 'd') direct(size, 15);
            else trace_grid(size, 1, 80);
            puts("."); fflush(stdout);
          }}
          return 0;
        }}
    """

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("gcc") or shutil.which("cc")
        self.there = bool(compiler) and YARDSTICK.exists()
        if self.there:
            source, program = folder / "driver.c", folder / "driver"
            source.write_text(self._DRIVER.format(source=YARDSTICK.resolve()), encoding="utf-8")
            subprocess.run([str(compiler), "-O3", "-march=native", str(source), "-o", str(program)], check=True)
            self._running = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rates(self, kind: str, size: int) -> Rates:
        """Run one task: ``e`` evaluates hands of that size, ``d`` plays deals of so many players, ``g`` their grid."""
        if not self.there:
            return {}
        assert self._running.stdin and self._running.stdout
        self._running.stdin.write(f"{kind} {size}\n")
        self._running.stdin.flush()
        lines = iter(self._running.stdout.readline, ".\n")
        ends = ("_players_knock_15", f"_players_{len(GRID)}x{len(GRID)}_cell_deals")
        found = (line.split() for line in lines)
        return {name.removesuffix(ends[0]).removesuffix(ends[1]): float(rate) for name, rate in found}

    def close(self) -> None:
        """End the program."""
        if self.there:
            self._running.communicate()


def random_hands(cards: int) -> np.ndarray:
    """Deal many hands of one size."""
    order = np.random.default_rng(cards).random((HANDS, 52)).argpartition(cards, axis=1)[:, :cards].astype(np.uint64)
    return (np.uint64(1) << order).sum(axis=1, dtype=np.uint64)


def direct(players: int) -> Direct:
    """A table at which no deal of a block repeats another: the first player knocks at 15, the others at 12."""
    bots = [rumsim.parse_bot("knock=15"), *[rumsim.parse_bot("knock=12")] * (players - 1)]
    return Direct(rumsim.parse_rules("ledger"), tuple(bots), (0, *[1] * (players - 1)), seed=1)


def grid(players: int) -> TraceGrid:
    """Every threshold from 0 to 80 against every other: points, wins and the squares of both in each cell."""
    bot = ThresholdBot()
    return TraceGrid(rumsim.parse_rules("ledger"), (players,), bot, bot, GRID, GRID, seed=1, batch=TRACES)


def study() -> str:
    """Say how long the whole study takes on all cores, and how well it knows the worst cell."""
    start = time.perf_counter()
    found = rumsim.sweep(PLAYERS, "0:80:1", STUDY, seed=1, jobs=os.cpu_count() or 1)
    took = time.perf_counter() - start
    worst = found.frame["ev_se"].max()
    return (
        f"The whole study, every threshold from 0 to 80 against every other with 2 to 5 players, {STUDY:,} blocks on "
        f"each of two seeds, takes {took:.1f} s by the clock; standard errors are at most {worst:.3f} points."
    )


def rate(work: int, call) -> float:
    """Measure units of work a second of processor time."""
    start = time.process_time()
    call()
    return work / (time.process_time() - start)


def tasks(hands: dict[int, np.ndarray]) -> Iterator[tuple[str, int, dict[str, Callable[[], float]]]]:
    """List what is measured: the yardstick's task, and ours by the yardstick's names."""
    for cards, many in hands.items():
        yield (
            "e",
            cards,
            {
                f"deadwood_{cards}": partial(
                    rate, 8 * HANDS, lambda m=many: [rumsim.min_deadwood(m) for _ in range(8)]
                ),
                f"discard_{cards}": partial(rate, 8 * HANDS, lambda m=many: [rumsim.best_discard(m) for _ in range(8)]),
            },
        )
    for players in PLAYERS:
        blocks = 600_000 // players
        task = direct(players)
        yield (
            "d",
            players,
            {f"direct_{players}": partial(rate, blocks * players, partial(task.run, 0, blocks))},
        )
    for players in PLAYERS:
        cells = TRACES * players * len(GRID) ** 2
        yield ("g", players, {f"trace_{players}": partial(rate, cells, partial(grid(players).run, 0, TRACES))})


def sessions() -> list[str]:
    """Say how fast sessions are: their rate as a part of direct deals a second divided by the deals of a session."""
    parts = []
    for name in FORMATS:
        found = []
        for players in PLAYERS:
            table = direct(players)
            task = Sessions(table.rules, Format(name), table.bots, table.entry_of, table.seed)
            mean = task.run(0, 200).deals.mean
            assert mean is not None
            chunks = max(round(SESSION_DEALS / (mean * players * task.chunk)), 1)

            def evenings(task: Sessions = task, chunks: int = chunks) -> int:
                """Play them, and count the deals really played."""
                totals = (task.run(at * task.chunk, (at + 1) * task.chunk).deals for at in range(chunks))
                return sum(int(tally.values @ tally.counts) for tally in totals)

            deals, blocks = evenings(), SESSION_DEALS // players
            ratios = [
                rate(deals, evenings) / rate(blocks * players, partial(table.run, 0, blocks)) for _ in range(RUNS)
            ]
            found.append(statistics.median(ratios))
        parts.append(f"{name} {', '.join(f'{ratio:.2f}' for ratio in found)}")
        print(parts[-1], file=sys.stderr, flush=True)
    return [
        "Sessions a second, as a part of direct deals a second divided by the mean number of deals, with 2 to 5 "
        f"players: {'; '.join(parts)}."
    ]


def jokers() -> str:
    """Say how many deals a second a deck with two jokers plays, as a part of those of a deck without."""
    found = []
    for players in PLAYERS:
        plain = direct(players)
        with_jokers, blocks = replace(plain, rules=parse_rules("ledger:joker-knock")), SESSION_DEALS // players
        with_jokers.run(0, 10)  # compiled by now
        ratios = [
            rate(blocks * players, partial(with_jokers.run, 0, blocks))
            / rate(blocks * players, partial(plain.run, 0, blocks))
            for _ in range(RUNS)
        ]
        found.append(f"{statistics.median(ratios):.2f}")
    return f"With two jokers in the deck, deals a second are {', '.join(found)} times those without, 2 to 5 players."


def threads_gain() -> float:
    """Return how many times the deals a second of one thread two threads play, by the clock."""
    gains = []
    for _ in range(RUNS):
        clocks = []
        for jobs in (1, 2):
            start = time.perf_counter()
            rumsim.simulate(3, ["knock=15", "knock=12"], 600_000, jobs=jobs)
            clocks.append(time.perf_counter() - start)
        gains.append(clocks[0] / clocks[1])
    return statistics.median(gains)


def process(blocks: int) -> tuple[float, float]:
    """Return the seconds and the peak memory, in MB, of a simulating command as a whole process."""
    words = ["simulate", "--players", "3", "--bots", "knock=15", "knock=12", "--blocks", str(blocks), "--quiet"]
    # The process reads its own peak: what the kernel tells its parent would begin with the parent's.
    code = (
        f"import sys; from rumsim.cli import main; main({words!r})\n"
        "lines = open('/proc/self/status').read().splitlines() if sys.platform == 'linux' else ['VmHWM: 0 kB']\n"
        "print(next(line for line in lines if line.startswith('VmHWM')), file=sys.stderr)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return time.perf_counter() - start, int(done.stderr.split()[-2]) / 1024


def first_compilation(folder: Path) -> float:
    """Return the seconds that compiling everything takes, in an empty cache."""
    code = (
        "import numpy as np, rumsim; h = np.array([127], np.uint64)\n"
        "rumsim.min_deadwood(h); rumsim.best_discard(h); rumsim.simulate(2, ['knock=15', 'knock=12'], 1); "
        "rumsim.sweep(2, [15], 1)"
    )
    start = time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def machine() -> str:
    """Name processor and versions."""
    import numba

    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    python = platform.python_version()
    return f"{name}, {os.cpu_count()} cores; Python {python}, numba {numba.__version__}, numpy {np.__version__}"


def compared(folder: Path) -> list[list[str]]:
    """Measure each task five times, ours and the yardstick's in turn, and return the rows of the table."""
    hands = {cards: random_hands(cards) for cards in SIZES}
    program = Yardstick(folder)
    rows = [["task", "rumsim, million a second", "C", "ratio"]]
    for kind, size, ours in tasks(hands):
        for call in ours.values():
            call()  # warm
        mine: dict[str, list[float]] = {name: [] for name in ours}
        theirs: dict[str, list[float]] = {name: [] for name in ours}
        for _ in range(RUNS):
            for name, beside in program.rates(kind, size).items():
                theirs[name].append(beside)
            for name, call in ours.items():
                mine[name].append(call())
        for name in ours:
            label = LABELS[name.partition("_")[0]].format(size)
            row = [label, shown(statistics.median(mine[name])), "-", "-"]
            if theirs[name]:
                ratios = [a / b for a, b in zip(mine[name], theirs[name], strict=True)]
                row[2] = shown(statistics.median(theirs[name]))
                row[3] = f"{statistics.median(ratios):.2f}"
            rows.append(row)
            print(*row, file=sys.stderr, flush=True)
    program.close()
    return rows


def shown(each: float) -> str:
    """Write a rate in millions a second."""
    return f"{each / 1e6:.1f}" if each < 1e9 else f"{each / 1e6:,.0f}"


def traces_a_second(rows: list[list[str]]) -> str:
    """Say how many decks were traced a second, which the rates of grids tell."""
    rates = [float(row[1].replace(",", "")) for row in rows if row[0].startswith("cell-deals")]
    each = [f"{rate / (players * len(GRID) ** 2):.2f}" for rate, players in zip(rates, PLAYERS, strict=True)]
    return f"A grid has {len(GRID)} × {len(GRID)} cells; that is {', '.join(each)} million traces a second."


def measured() -> tuple[list[list[str]], list[str]]:
    """Measure everything; return the rows of the table and the lines beneath it."""
    with tempfile.TemporaryDirectory() as folder:
        compiling = first_compilation(Path(folder) / "cache")
        all_cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        if all_cores:
            os.sched_setaffinity(0, {max(all_cores)})  # the yardstick inherits it
        rows = compared(Path(folder))
        evenings = [*sessions(), jokers()]
        if all_cores:
            os.sched_setaffinity(0, all_cores)
    starts = [process(1)[0] for _ in range(RUNS)]
    memory = [process(10**exponent // 3)[1] for exponent in (5, 7)]
    lines = [
        traces_a_second(rows),
        *evenings,
        study(),
        f"Two threads play {threads_gain():.2f} times the deals of one by the clock.",
        f"First compilation {compiling:.1f} s (of the evaluator, `simulate` and `sweep`); "
        f"a later `simulate` of one block {statistics.median(starts):.2f} s as a "
        f"whole process; peak memory {memory[0]:.0f} MB for 10⁵ deals, {memory[1]:.0f} MB for 10⁷.",
        f"Measured on {machine()}.",
    ]
    return rows, lines


def markdown(rows: list[list[str]], lines: list[str]) -> str:
    """Write the table as the README shows it."""
    table = ["| " + " | ".join(row) + " |" for row in rows]
    table.insert(1, "|---|--:|--:|--:|")
    return "\n".join([*table, "", *lines])


def write(text: str) -> None:
    """Put the table into the README."""
    page = ROOT / "README.md"
    old = page.read_text(encoding="utf-8")
    begin, end = "<!-- measured by make bench -->\n", "<!-- end of bench -->"
    before, _, rest = old.partition(begin)
    page.write_text(before + begin + text + "\n" + end + rest.partition(end)[2], encoding="utf-8", newline="\n")


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    wanted = parser.parse_args()
    rows, lines = measured()
    print(columns(rows))
    print("\n".join(lines))
    if wanted.write:
        write(markdown(rows, lines))


if __name__ == "__main__":
    main()
