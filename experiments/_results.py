"""What the experiments share: where results go, and how they are written."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from rumsim.charts.style import save
from rumsim.lab.tables import columns

ROOT = Path(__file__).parent.parent / "results"


class Results:
    """The folder of one experiment: texts, tables and charts, the same bytes for the same numbers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = ROOT / name
        self.folder.mkdir(parents=True, exist_ok=True)

    def text(self, name: str, text: str) -> None:
        """Print a text and write it."""
        print(f"\n{text}\n")
        self._write(name, text)

    def finding(self, sentences: Sequence[str]) -> None:
        """Print the answer in words and write it; its numbers come out of the frames."""
        self.text("finding.txt", "\n".join(textwrap.fill(sentence, 80) for sentence in sentences))

    def frame(self, name: str, frame: pd.DataFrame) -> None:
        """Write a frame as CSV, with numbers that say no more than the errors allow."""
        self._write(name, frame.to_csv(index=False, lineterminator="\n", float_format="%.6g").rstrip())

    def chart(self, name: str, figure: Figure) -> None:
        """Write a chart as SVG and PNG."""
        for suffix in ("svg", "png"):
            save(figure, self.folder / f"{name}.{suffix}")
            print(f"wrote results/{self.name}/{name}.{suffix}")

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
        print(f"wrote results/{self.name}/{name}")


def table(frame: pd.DataFrame, forms: dict[str, tuple[str, str]], left: int = 1) -> str:
    """Write the columns that ``forms`` names, each with its head and its format; a dash for what does not exist."""
    rows = [
        ["-" if pd.isna(case[name]) else format(case[name], form) for name, (_, form) in forms.items()]
        for case in frame.to_dict("records")
    ]
    return columns([[head for head, _ in forms.values()], *rows], left=left)


def named(numbers: Sequence[object]) -> str:
    """Write numbers as a list in words: 2, 3 and 5."""
    texts = [str(number) for number in numbers]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def span(low: float, high: float) -> str:
    """Write a range of thresholds: 32 to 34, or one alone; -1 is never.

    >>> span(32, 34), span(10, 10), span(-1, -1)
    ('32 to 34', '10', 'never')
    """
    ends = ["never" if one < 0 else f"{one:.0f}" for one in (low, high)]
    return ends[0] if low == high else " to ".join(ends)
