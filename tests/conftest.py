"""What all tests share: the command line called in this process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from rumsim.cli import main


@dataclass
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output; NaN and Infinity are not JSON."""

        def refuse(word: str) -> None:
            raise AssertionError(f"{word} on standard output")

        return json.loads(self.out, parse_constant=refuse)

    def refused(self) -> str:
        """A wrong request: exit code 2, nothing on standard output, one line, no traceback."""
        assert self.code == 2, self.err
        assert self.out == ""
        assert "Traceback" not in self.err
        assert len(self.err.strip().splitlines()) == 1, self.err
        return self.err.strip()


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def call(*argv: object) -> Answer:
        capsys.readouterr()
        code = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


# What the engine is made of, in two halves that compile side by side.
_HALVES = (
    "import numpy as np, rumsim\n"
    "hands = np.array([127], np.uint64)\n"
    "for rules in ('ledger', 'ledger:ace-high'):\n"
    "    rumsim.min_deadwood(hands, rules), rumsim.best_discard(hands, rules)\n"
    "rumsim.sweep(2, [15], 1)",
    "import rumsim; rumsim.simulate(2, ['knock=15', 'knock=12'], 1)",
)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the engine once before several workers each would."""
    if not hasattr(config, "workerinput") and config.getoption("numprocesses", None):
        halves = [subprocess.Popen([sys.executable, "-c", half], stderr=subprocess.DEVNULL) for half in _HALVES]
        for half in halves:
            half.wait()
