"""What all tests share: the command line called in this process."""

from __future__ import annotations

import json
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
