"""Studies in chunks: Ctrl-C keeps what is finished and says so; progress names the phase and an estimate so far."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rumsim.lab.respond import respond
from rumsim.tasks.answers import CHUNK, Confirmation, Search
from rumsim.tasks.decisions import SeatTurns
from rumsim.tasks.gains import Gains
from rumsim.tasks.kept import Keep
from tests.conftest import Answer

Command = Callable[..., Answer]
Press = Callable[[type, int], None]
BLOCKS = 2 * CHUNK + 100
RESPOND = ("respond", "--players", "2", "--opponents", "knock=25", "--blocks", BLOCKS)
EQUILIBRIUM = ("equilibrium", "--players", "2", "--blocks", BLOCKS)


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Iterator[Press]:
    """Press Ctrl-C while a task is at its n-th chunk, from 1; the chunk comes to its end."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def at(task: Any, chunk: int) -> None:
        calls, run = [], task.run

        def pressed(self: Any, first: int, last: int) -> Any:
            calls.append(first)
            if len(calls) == chunk:
                os.kill(os.getpid(), signal.SIGINT)
            return run(self, first, last)

        monkeypatch.setattr(task, "run", pressed)

    yield at
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Kernels loaded: while they are, Ctrl-C keeps nothing of a chunk."""
    from rumsim.lab.equilibrium import equilibrium

    respond(2, "knock=10", blocks=10)
    equilibrium(2, blocks=10)


def test_respond_interrupted_in_the_search_answers_from_the_blocks_done(command: Command, press: Press) -> None:
    press(Search, 2)
    answer = command(*RESPOND, "--json")
    found = answer.json
    assert (answer.code, found["interrupted"], found["blocks"], found["search_blocks"]) == (130, True, 0, 2 * CHUNK)
    assert found["ev"] is found["ev_se"] is found["win"] is found["constant"]["ev"] is None
    alone = respond(2, "knock=25", blocks=2 * CHUNK)
    assert (found["knock"], found["constant"]["threshold"]) == (alone.knock(), alone.constant)
    assert answer.err.endswith("interrupted: found on 4,096 blocks, not confirmed\n")


def test_respond_interrupted_in_the_confirmation_estimates_from_the_blocks_done(command: Command, press: Press) -> None:
    press(Confirmation, 1)
    answer = command(*RESPOND)
    assert answer.code == 130
    said = " ".join(answer.out.split())
    assert f"found on {BLOCKS:,} blocks of seed 0, confirmed on {CHUNK:,} of seed 1" in said
    assert "It earns +" in said


def test_before_the_first_block_there_is_nothing_to_show(command: Command, press: Press) -> None:
    press(Search, 1)
    Search.run, run = _failing, Search.run  # type: ignore[method-assign, assignment]
    try:
        answer = command(*RESPOND)
    finally:
        Search.run = run  # type: ignore[method-assign]
    assert (answer.code, answer.out) == (130, "")


def _failing(self: Search, first: int, last: int) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize("phase", [Keep, Gains])
def test_equilibrium_interrupted_claims_only_what_it_knows(command: Command, press: Press, phase: type) -> None:
    press(phase, 1)
    answer = command(*EQUILIBRIUM, "--json")
    found = answer.json
    assert (answer.code, found["interrupted"]) == (130, True)
    assert found["thresholds"][0][0] > 20
    if phase is Keep:
        assert found["blocks"] == 0 and found["seats"] == []
        assert found["gain_upper"] is found["is_equilibrium"] is found["gain"] is found["turns"] is None
    else:
        assert found["blocks"] == found["bound_blocks"] == CHUNK
        assert found["gain_upper"] > 0 and len(found["seats"]) == 2


def test_an_interrupted_table_is_no_equilibrium(command: Command, press: Press) -> None:
    press(Keep, 1)
    answer = command(*EQUILIBRIUM)
    assert answer.code == 130 and "not confirmed" in answer.out and "no other knock schedule" not in answer.out


def test_vary_shows_the_values_finished(command: Command, press: Press) -> None:
    press(Search, 2)  # of the second value
    words = ("respond", "--players", "2", "--opponents", "knock=10", "--blocks", 300, "--vary", "undercut=0:40:20")
    answer = command(*words, "--json")
    assert answer.code == 130
    assert answer.json["interrupted"] is True and [row["value"] for row in answer.json["values"]] == [0]
    assert answer.err.endswith("interrupted: 1 of 3 values were finished\n")


def test_a_page_has_the_panels_finished_and_says_so(command: Command, press: Press, tmp_path: Path) -> None:
    press(Confirmation, 2)  # of the second panel
    page = tmp_path / "knock.svg"
    words = ("chart", "knock", "--players", "2", "--blocks", 200, "--opponents", "knock=10", "knock=20")
    answer = command(*words, "--out", page)
    # The chunk of the second panel was its last: that panel is finished, too.
    assert answer.code == 130 and "Interrupted: 2 of 3 panels were finished" in " ".join(answer.out.split())
    assert "Interrupted: 2 of 3 panels" in page.read_text(encoding="utf-8")


def test_without_a_panel_there_is_no_page(command: Command, press: Press, tmp_path: Path) -> None:
    press(Search, 1)
    answer = command(
        *(
            "chart",
            "knock",
            "--players",
            "2",
            "--blocks",
            BLOCKS,
            "--opponents",
            "knock=10",
            "--out",
            tmp_path / "k.svg",
        )
    )
    assert (answer.code, answer.out) == (130, "") and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (RESPOND, ("searching, best constant so far ", "confirming, the schedule +")),
        (EQUILIBRIUM, ("tracing", "searching, an answer gains ", "confirming, an answer gains ")),
    ],
)
def test_progress_names_phase_and_estimate(
    command: Command, words: tuple[object, ...], said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rumsim.runs.progress.LINE_AFTER", 0.0)
    monkeypatch.setattr("rumsim.runs.progress.LINE_EVERY", 0.0)
    answer = command(*words)
    assert answer.code == 0
    for part in said:
        assert part in answer.err
    assert command(*words, "--quiet").err == ""


def test_ctrl_c_during_a_long_search_shows_a_schedule_from_fewer_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from rumsim.lab import respond as module

    whole, begun = module._turns, []

    def slow(seat: SeatTurns, limit: int, asked: Callable[[], bool] = bool) -> list[module.Turn]:
        if len(seat.starts) > 300:
            if not begun:
                os.kill(os.getpid(), signal.SIGINT)
            begun.append(seat)
            time.sleep(5)
        return whole(seat, limit, asked)

    monkeypatch.setattr(module, "_turns", slow)
    monkeypatch.setattr(module, "SOON", 300)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        start = time.monotonic()
        found = module.respond(2, "knock=10", blocks=2000, seed=1)
        assert time.monotonic() - start < 4
    finally:
        signal.signal(signal.SIGINT, before)
    assert begun and found.interrupted and found.search_blocks == 300 and found.points.mean is None and found.turns
