"""Run every example of the README and the docs, and write what it prints beneath it.

``python docs/refresh.py`` rewrites the files; the tests do the same and fail where something would change.

* A block of ``console`` holds commands after ``$``, each followed by its output.
* ``<!-- generated: NAME -->`` to ``<!-- end -->`` holds a table made here.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PROGRESS = re.compile(r"rumsim: (compiling|\d+ %)")  # of slow machines
_GENERATED = re.compile(r"(?<=^<!-- generated: )(\w+)( -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)


def refreshed(text: str) -> str:
    """Return a page with all examples run and all tables made anew."""
    text = _CONSOLE.sub(lambda block: "".join(_run(line) for line in block[0].splitlines() if line[:2] == "$ "), text)
    return _GENERATED.sub(lambda found: f"{found[1]}{found[2]}{_TABLES[found[1]]()}\n", text)


def _run(line: str) -> str:
    words = shlex.split(line[2:])
    if words[0] != "rumsim":
        raise ValueError(f"an example must start with rumsim: {line}")
    with tempfile.TemporaryDirectory() as scratch:
        # What an example writes goes elsewhere; what it prints stays.
        words = [str(Path(scratch) / word) if before == "--out" else word for before, word in pairwise(words)]
        done = _ran(words)
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{line} ended with {done.returncode}:\n{done.stdout}")
    printed = done.stdout.replace(f"{scratch}{os.sep}", "")
    shown = [part for part in printed.rstrip().splitlines() if not _PROGRESS.match(part)]
    output = "".join(part.rstrip() + "\n" for part in shown)
    return f"{line}\n{output}"


def _ran(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rumsim", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT), "COLUMNS": "80", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def _rules() -> str:
    from rumsim.rules import FIELDS, PROFILES

    rows = ["| field | allowed | ledger | traditional | meaning |", "|---|---|---|---|---|"]
    values = {name: rules.as_json() for name, rules in PROFILES.items()}
    for name, field in FIELDS.items():
        shown = [str(values[profile][name]) for profile in ("ledger", "traditional")]
        rows.append(f"| `{name}` | {field.allowed} | {shown[0]} | {shown[1]} | {field.meaning} |")
    return "\n".join(rows)


def _findings() -> str:
    """A line each, every number out of results/."""
    import pandas as pd

    best = pd.read_csv(ROOT / "results/thresholds/best.csv")
    folk = best[best["table"] == 10].sort_values("players")
    pages = pd.read_csv(ROOT / "results/knock/cells.csv")
    low, high = pages[(pages["own_turn"] == 1) & pages["opponents"].str.startswith("knock=10")].pipe(
        lambda rows: (rows["threshold"].min(), rows["threshold"].max())
    )
    searches = pd.read_csv(ROOT / "results/knock/searches.csv")
    calm = searches[searches["is_equilibrium"]].groupby("players")["first"].agg(["min", "max"])
    dial = pd.read_csv(ROOT / "results/dial/undercut.csv")
    first = dial[dial["seat"] == 0]
    usual = first[(first["value"] == 10) & first["is_equilibrium"]]
    found = first[first["is_equilibrium"]].groupby("players")["value"].max()
    beyond = first[first["value"] > first["players"].map(found)]
    limits = (f"{value:.0f} points with {_listed(rows.index)} players" for value, rows in found.groupby(found))
    variants = pd.read_csv(ROOT / "results/variants/variants.csv").set_index(["variant", "players"])
    plain, jokers = (variants.loc[name] for name in ("ledger", "joker-knock"))
    skill = pd.read_csv(ROOT / "results/skill/sessions.csv")
    matches = skill[skill["format"].str.contains("match")].sort_values("players")
    advice = pd.read_csv(ROOT / "results/advice/advice.csv")
    higher = advice[advice["claim"] == "eight-to-ten"]
    lower, more = higher[higher["case"] == "fails: opposite"]["estimate"], higher[higher["case"] == "holds"]
    perfect = advice[advice["claim"] == "perfect"]["estimate"]
    melds = advice[(advice["claim"] == "only-melds") & advice["opponents"].str.contains("improve")]
    pays, costs = (melds[melds["case"] == case]["estimate"] for case in ("holds", "fails: opposite"))
    return "\n".join(
        (
            f"- Against people who knock at 10, as rule books advise, the best threshold is "
            f"{_ranges(folk['set_low'], folk['set_high'])} with 2, 3, 4 and 5 players (with 95 % each); the best found "
            f"earns {folk['ev'].min():+.1f} to {folk['ev'].max():+.1f} points a deal. `rumsim sweep --players 2 3 4 5`",
            f"- Turn by turn it is more at first and less later: {low:.0f} to {high:.0f} on the first turn, by seat "
            "and player count. `rumsim chart knock --players 3 --out knock.pdf`",
            "- Where everybody answers everybody, among knock schedules with drawing and discarding fixed, the first "
            f"to move knocks with up to {_ranges(calm['min'], calm['max'])} with {_listed(calm.index)} players, over "
            f"{searches['seed'].nunique()} searches; a deal lasts {usual['turns'].min():.1f} to "
            f"{usual['turns'].max():.1f} table turns, and moving first is worth {usual['ev'].min():+.1f} to "
            f"{usual['ev'].max():+.1f} points. `rumsim equilibrium --players 3`",
            f"- Where being undercut costs more than {_joined(limits)}, no such equilibrium was found (the "
            f"bounds on what answers gain are {beyond['gain_upper'].min():.1f} to {beyond['gain_upper'].max():.1f} "
            "points): whether waiting is worthwhile there is open. "
            "`rumsim equilibrium --players 2 --vary undercut=0:60:10`",
            "- With two jokers in the deck the best threshold against people at 10 is "
            f"{_ranges(jokers['set_low_10'], jokers['set_high_10'])} instead of "
            f"{_ranges(plain['set_low_10'], plain['set_high_10'])} with 2, 3, 4 and 5 players. "
            "`python -m experiments variants`",
            f"- Who is better by about a point a deal wins {matches['win'].iloc[0]:.0%} of the matches to 200 with two "
            f"players and {matches['win'].iloc[-1]:.0%} with five. `python -m experiments skill`",
            "- The rule pages' advice, tested (rules *traditional*): to knock at 10 earns "
            f"{perfect.min():.1f} to {perfect.max():.1f} points a deal more than to wait for 5 or 0, but "
            f"{-lower.max():.1f} to {-lower.min():.1f} less than to knock at 20 (more only where "
            f"{_listed(more['players'] - 1)} others wait for a perfect hand); to take the upcard only when it melds "
            f"earns up to {pays.max():.1f} more among people who take it for little, and up to {-costs.min():.1f} less "
            "among some who ask for more. `python -m experiments advice`",
        )
    )


def _ranges(low: Iterable[float], high: Iterable[float]) -> str:
    return _joined(f"{a:.0f}" if a == b else f"{a:.0f}–{b:.0f}" for a, b in zip(low, high, strict=True))


def _listed(numbers: Iterable[float]) -> str:
    return _joined(f"{number:.0f}" for number in numbers)


def _joined(given: Iterable[str]) -> str:
    texts = list(given)
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


_TABLES = {"rules": _rules, "findings": _findings}


def main() -> None:
    """Rewrite every page."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        if (new := refreshed(old)) != old:
            page.write_text(new, encoding="utf-8", newline="\n")
            print("refreshed", page.relative_to(ROOT))


if __name__ == "__main__":
    main()
