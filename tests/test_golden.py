"""The same request gives the same numbers, to the last unit, within one results version."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from rumsim.runs.execute import execute
from rumsim.tasks import RESULTS_VERSION
from tests import golden

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"
SMALL = replace(golden.REQUESTS[0], last=40)


@pytest.mark.parametrize("request_", [*golden.REQUESTS, *golden.SESSIONS], ids=str)
def test_numbers_have_not_moved(request_):
    _, digests = golden.recorded()
    assert str(request_) in digests, "A new request: run python -m tests.golden"
    assert request_.digest() == digests[str(request_)], golden.WHAT_TO_DO


def test_the_file_belongs_to_this_results_version_and_to_these_requests():
    version, digests = golden.recorded()
    assert version == RESULTS_VERSION, "The results version was raised: run python -m tests.golden"
    requests = [*golden.REQUESTS, *golden.SESSIONS]
    assert list(digests) == [str(request) for request in requests], "Run python -m tests.golden"


def test_the_changelog_names_the_results_version():
    text = CHANGELOG.read_text(encoding="utf-8")
    assert f"Current: results version {RESULTS_VERSION}." in " ".join(text.split())
    entries = [int(found) for found in re.findall(r"^- Results version (\d+)\b", text, re.MULTILINE)]
    assert entries == list(range(RESULTS_VERSION, 0, -1)), "each version has its entry under Results, newest first"


def test_requests_reach_every_way_to_end_and_every_draw_rule():
    sums = [request.task.run(request.first, request.first + 300) for request in golden.REQUESTS]
    assert (sum(each.ends for each in sums) > 0).all()
    assert {bot.draw for request in golden.REQUESTS for bot in request.task.bots} == {
        "stock",
        "meld",
        "improve",
        "always",
    }
    assert {request.players for request in golden.REQUESTS} == {2, 3, 4, 5}


def test_a_digest_sees_every_sum():
    sums = SMALL.task.run(SMALL.first, SMALL.last)
    seen = {golden.digest(sums)}
    for field in fields(sums):
        numbers = np.array(getattr(sums, field.name))
        numbers.flat[-1] += 1
        seen.add(golden.digest(replace(sums, **{field.name: numbers})))
    assert len(seen) == 1 + len(fields(sums))


def test_chunks_and_jobs_leave_the_digest_alone():
    whole = golden.digest(SMALL.task.run(0, 40))
    assert whole == golden.digest(execute(SMALL.task, 40, jobs=2, chunk=7)[0])


def test_moved_numbers_are_not_written_under_the_old_version(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(golden, "FILE", tmp_path / "golden.json")
    monkeypatch.setattr(golden, "REQUESTS", [SMALL])
    monkeypatch.setattr(golden, "SESSIONS", [])
    assert golden.main() == 0
    before = golden.FILE.read_text()
    assert golden.main() == 0 and golden.FILE.read_text() == before
    golden.FILE.write_text(json.dumps({"results_version": RESULTS_VERSION, "digests": {str(SMALL): "other"}}))
    assert golden.main() == 1
    assert "raise RESULTS_VERSION" in capsys.readouterr().err
    monkeypatch.setattr(golden, "RESULTS_VERSION", RESULTS_VERSION + 1)
    assert golden.main() == 0
    assert golden.recorded() == (RESULTS_VERSION + 1, {str(SMALL): golden.computed()[str(SMALL)]})
