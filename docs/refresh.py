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
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
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
    shown = [part for part in printed.rstrip().splitlines() if not part.startswith("rumsim: compiling")]
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


_TABLES = {"rules": _rules}


def main() -> None:
    """Rewrite every page."""
    for page in PAGES:
        old = page.read_text(encoding="utf-8")
        if (new := refreshed(old)) != old:
            page.write_text(new, encoding="utf-8", newline="\n")
            print("refreshed", page.relative_to(ROOT))


if __name__ == "__main__":
    main()
