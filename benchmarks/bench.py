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
from pathlib import Path

import numpy as np

import rumsim
from rumsim.lab.tables import columns
from rumsim.tasks.direct import Direct

ROOT = Path(__file__).parent.parent
YARDSTICK = ROOT.parent / "shared" / "limit" / "limit.c"
RUNS = 5
HANDS = 1 << 20
SIZES = (7, 8, 10, 11)
PLAYERS = (2, 3, 4, 5)

Rates = dict[str, float]


def compiled_yardstick(folder: Path) -> Path | None:
    """Compile the yardstick, if it is there."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler or not YARDSTICK.exists():
        return None
    program = folder / "limit"
    subprocess.run([compiler, "-O3", "-march=native", str(YARDSTICK), "-o", str(program)], check=True)
    return program


def yardstick_rates(program: Path) -> Rates:
    """Run the yardstick once."""
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(rate) for name, rate in (line.split() for line in lines)}


def random_hands(cards: int) -> np.ndarray:
    """Deal many hands of one size."""
    order = np.random.default_rng(cards).random((HANDS, 52)).argpartition(cards, axis=1)[:, :cards].astype(np.uint64)
    return (np.uint64(1) << order).sum(axis=1, dtype=np.uint64)


def direct(players: int) -> Direct:
    """A table at which no deal of a block repeats another: the first player knocks at 15, the others at 12."""
    bots = [rumsim.parse_bot("knock=15"), *[rumsim.parse_bot("knock=12")] * (players - 1)]
    return Direct(rumsim.parse_rules("ledger"), tuple(bots), (0, *[1] * (players - 1)), seed=1)


def rate(work: int, call) -> float:
    """Measure units of work a second of processor time."""
    start = time.process_time()
    call()
    return work / (time.process_time() - start)


def our_rates(hands: dict[int, np.ndarray]) -> Rates:
    """Measure rumsim once, on one thread."""
    found: Rates = {}
    for cards, many in hands.items():
        found[f"deadwood_{cards}"] = rate(4 * HANDS, lambda many=many: [rumsim.min_deadwood(many) for _ in range(4)])
        found[f"discard_{cards}"] = rate(4 * HANDS, lambda many=many: [rumsim.best_discard(many) for _ in range(4)])
    for players in PLAYERS:
        blocks = 500_000 // players
        task = direct(players)
        found[f"direct_{players}"] = rate(blocks * players, lambda task=task, blocks=blocks: task.run(0, blocks))
    return found


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


def process(blocks: int, cache: Path | None = None) -> tuple[float, float]:
    """Return the seconds and the peak memory, in MB, of a simulating command as a whole process."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": str(cache)} if cache else {})}
    command = [sys.executable, "-m", "rumsim", "simulate", "--players", "3", "--bots", "knock=15", "knock=12"]
    start = time.perf_counter()
    child = subprocess.Popen(
        [*command, "--blocks", str(blocks)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def first_compilation(folder: Path) -> float:
    """Return the seconds that compiling everything takes, in an empty cache."""
    code = (
        "import numpy as np, rumsim; h = np.array([127], np.uint64)\n"
        "rumsim.min_deadwood(h); rumsim.best_discard(h); rumsim.simulate(2, ['knock=15', 'knock=12'], 1)"
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


def measured() -> tuple[list[list[str]], list[str]]:
    """Measure everything; return the rows of the table and the lines beneath it."""
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_yardstick(Path(folder))
        compiling = first_compilation(Path(folder) / "cache")
        all_cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        hands = {cards: random_hands(cards) for cards in SIZES}
        our_rates({cards: many[:1000] for cards, many in hands.items()})  # compiled, and warm
        ours, theirs = [], []
        if all_cores:
            os.sched_setaffinity(0, {max(all_cores)})  # the yardstick inherits it
        for number in range(RUNS):
            print(f"run {number + 1} of {RUNS} ...", file=sys.stderr, flush=True)
            ours.append(our_rates(hands))
            if program:
                theirs.append(yardstick_rates(program))
        if all_cores:
            os.sched_setaffinity(0, all_cores)
        starts = [process(1)[0] for _ in range(RUNS)]
        memory = [process(10**exponent // 3)[1] for exponent in (5, 7)]
    rows = [["task", "rumsim, million a second", "C", "ratio"]]
    for name in ours[0]:
        kind, _, size = name.partition("_")
        label = {"deadwood": "deadwood, {} cards", "discard": "best discard, {} cards", "direct": "deals, {} players"}
        other = f"direct_{size}_players_knock_15" if kind == "direct" else name
        mine = statistics.median(run[name] for run in ours)
        row = [label[kind].format(size), f"{mine / 1e6:.1f}", "-", "-"]
        if theirs:
            ratios = [run[name] / beside[other] for run, beside in zip(ours, theirs, strict=True)]
            row[2] = f"{statistics.median(run[other] for run in theirs) / 1e6:.1f}"
            row[3] = f"{statistics.median(ratios):.2f}"
        rows.append(row)
    lines = [
        f"Two threads play {threads_gain():.2f} times the deals of one by the clock.",
        f"First compilation {compiling:.0f} s; a later `simulate` of one block {statistics.median(starts):.2f} s as a "
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
