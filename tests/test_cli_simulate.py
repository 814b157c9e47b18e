"""``rumsim simulate``: what the command adds to the library's function."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rumsim
from rumsim.runs import progress
from tests.conftest import Answer

module = import_module("rumsim.lab.simulate")  # the package may show a function under the same name
Command = Callable[..., Answer]
WORDS = ("simulate", "--players", "3", "--bots", "knock=30", "knock=10", "--blocks", "3")


def test_json_has_every_key(command: Command) -> None:
    answer = command(*WORDS, "--seed", "1", "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert {"rules", "players", "seed", "blocks", "deals", "bots", "seats", "ends", "turns"} <= set(found)
    assert found["deals"] == 9
    assert {"bot", "ev", "ev_se", "ev_ci", "win", "win_se"} <= set(found["bots"][0])
    assert {"seat", "ev", "ev_se", "win"} <= set(found["seats"][0])
    assert {"knock", "rum", "undercut", "tied", "exhausted", "stalled"} <= set(found["ends"])


def test_the_seed_is_0_unless_given(command: Command) -> None:
    assert command(*WORDS, "--json").json == command(*WORDS, "--seed", "0", "--json").json
    assert command(*WORDS, "--json").json != command(*WORDS, "--seed", "1", "--json").json


def test_readable_is_the_table(command: Command) -> None:
    answer = command(*WORDS)
    assert answer.code == 0
    assert "knock=30" in answer.out
    assert "9 deals" in answer.out


def test_one_block_has_no_errors(command: Command) -> None:
    found = command(*WORDS[:-1], "1", "--json").json
    assert found["bots"][0]["ev_se"] is found["bots"][0]["win_se"] is None
    assert found["bots"][0]["ev_ci"] is None


def test_with_too_few_blocks_it_says_so_and_prints_no_intervals(command: Command) -> None:
    words = ("simulate", "--players", "2", "--bots", "knock=30", "knock=10", "--blocks")
    few, enough = command(*words, "19"), command(*words, "20")
    assert "too few blocks (19; 20 are needed" in few.out and " to " not in few.out
    assert few.out.count("95 % interval") == enough.out.count("95 % interval") == 4
    assert "No intervals:" not in enough.out and enough.out.count(" to ") == 6  # two bots twice, two seats' wins
    assert "of the seats' points: too few blocks (20; 100 are needed)" in enough.out
    assert "too few" not in command(*words, "100").out
    found = command(*words, "19", "--json").json
    assert found["too_few_blocks"] is True
    assert all(row["win_ci"] is None for row in [*found["bots"], *found["seats"]])
    assert len(found["bots"][0]["ev_ci"]) == 2  # Student's, as ever
    assert "too_few_blocks" not in command(*words, "20", "--json").json


def test_win_shares_have_intervals_within_0_and_1_and_of_some_width(command: Command) -> None:
    table = ("--players", "2", "--bots", "knock=never,draw=stock", "knock=0", "--rules", "traditional")
    hopeless = ("simulate", *table, "--blocks", "20", "--seed", "2")  # where no deal stalls
    found = command(*hopeless, "--json").json
    assert [row["win"] for row in found["bots"]] == [0, 1]  # in every block
    (low, high), other = (row["win_ci"] for row in found["bots"])
    assert (low, high) == pytest.approx((0, 1 - 0.025**0.05))
    assert other == pytest.approx([1 - high, 1 - low])
    assert "0.0000 to 0.1684" in command(*hopeless).out
    for row in found["seats"]:
        assert 0 <= row["win_ci"][0] <= row["win"] <= row["win_ci"][1] <= 1


def test_equal_bots_win_their_part_of_the_deals_that_somebody_wins(command: Command) -> None:
    for bots in (("knock=10",), ("knock=10",) * 3):
        found = command("simulate", "--players", "3", "--bots", *bots, "--blocks", "50", "--json").json
        for row in found["bots"]:
            assert (row["ev"], row["win"]) == (0, pytest.approx(1 / 3))
            # A third, but for the deals that stall; none did in 50 blocks.
            assert row["win_ci"] == pytest.approx([0.025 ** (1 / 50) / 3, 1 / 3])


def test_interrupted_keeps_what_was_finished(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    execute = module.execute
    monkeypatch.setattr(module, "execute", lambda task, blocks, jobs, **_: (execute(task, 2, 1)[0], True))
    answer = command(*WORDS, "--json")
    assert answer.code == 130
    assert answer.json["interrupted"] is True
    assert answer.json["blocks"] == 2
    assert "2 of 3 blocks (6 deals)" in answer.err


# ---- files ---------------------------------------------------------------------------------------------------

FILES = {
    *("bots.csv", "bots.parquet", "seats.parquet", "ends.parquet"),
    *("knock_counts.parquet", "knock_turns.parquet", "result.json", "manifest.json"),
}
CHARTS = {f"{name}.{suffix}" for name in ("seats", "knocks") for suffix in ("svg", "png")}  # of what was played


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "manifest.json"}


def test_out_keeps_what_was_printed(command: Command, tmp_path: Path) -> None:
    answer = command(*WORDS, "--seed", "1", "--json", "--out", tmp_path / "run")
    assert (answer.code, answer.err) == (0, "")
    assert {file.name for file in (tmp_path / "run").iterdir()} == FILES
    assert (tmp_path / "run" / "result.json").read_text("utf-8") == answer.out
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    found = answer.json
    assert manifest["request"] == {
        "command": "simulate",
        "rules": found["rules"],
        "players": 3,
        "bots": [row["bot"] for row in found["bots"]],
        "blocks": 3,
        "seed": 1,
    }
    assert manifest["block_ranges"] == [[0, 3]]
    assert manifest["interrupted"] is manifest["partial"] is False
    bots = pd.read_parquet(tmp_path / "run" / "bots.parquet")
    assert bots["ev"].tolist() == [row["ev"] for row in found["bots"]]
    assert list(zip(bots["ev_low"], bots["ev_high"], strict=True)) == [tuple(row["ev_ci"]) for row in found["bots"]]
    seats = pd.read_parquet(tmp_path / "run" / "seats.parquet")
    assert seats["win"].tolist() == [row["win"] for row in found["seats"]]
    ends = pd.read_parquet(tmp_path / "run" / "ends.parquet")
    assert dict(zip(ends["end"], ends["share"], strict=True)) == found["ends"]
    for name, place in (("knock_counts", "deadwood"), ("knock_turns", "turn")):
        knocks = pd.read_parquet(tmp_path / "run" / f"{name}.parquet")
        assert list(knocks.columns)[:5] == ["players", "entry", "bot", place, "knocks"]
        assert knocks["knocks"].sum() == round(found["ends"]["knock"] * found["deals"])


def test_the_same_request_runs_again_with_the_same_bytes(command: Command, tmp_path: Path) -> None:
    assert command(*WORDS, "--out", tmp_path).code == 0
    before = bytes_of(tmp_path)
    # Another spelling and more workers are the same request.
    again = ("simulate", "--blocks", "3", "--players", "3", "--bots", "draw=improve,knock=30", "knock=10")
    assert command(*again, "--jobs", "2", "--seed", "0", "--rules", "ledger:undercut=10", "--out", tmp_path).code == 0
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [("--seed", "2"), ("--rules", "traditional"), ("--bots", "knock=3", "--blocks", "3")],
    ids=lambda words: words[0],
)
def test_another_request_into_a_used_folder_is_refused(
    command: Command, tmp_path: Path, change: tuple[str, ...]
) -> None:
    assert command(*WORDS, "--out", tmp_path).code == 0
    before = bytes_of(tmp_path)
    words = (*WORDS, *change) if change[0] != "--bots" else ("simulate", "--players", "3", *change)
    line = command(*words, "--out", tmp_path).refused()
    assert line.startswith("rumsim simulate: out: got")
    assert change[0].removeprefix("--") in line
    assert bytes_of(tmp_path) == before


def test_places_that_cannot_be_written_are_refused_before_any_work(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "execute", None)
    (tmp_path / "file").touch()
    assert "out: got" in command(*WORDS, "--out", tmp_path / "file").refused()
    assert "out: got" in command(*WORDS, "--out", tmp_path).refused()
    assert "csv: got" in command(*WORDS, "--csv", tmp_path).refused()
    both = command(*WORDS, "--out", tmp_path / "file" / "below", "--csv", tmp_path / "file" / "below")
    assert both.code == 2
    assert both.out == ""
    assert [line.split(": ")[1] for line in both.err.splitlines()] == ["out", "csv"]


def test_csv_has_a_row_a_bot(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "été.csv"
    file.write_text("old")
    answer = command(*WORDS, "--json", "--csv", file)
    assert (answer.code, answer.err) == (0, "")
    content = file.read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    head, *rows = csv.reader(content.decode("utf-8").splitlines())
    assert (
        " ".join(head)
        == "players entry bot ev ev_se ev_low ev_high win win_se win_low win_high blocks deals seed rules"
    )
    assert all(name in command("simulate", "--help").out for name in head)
    for row, shown in zip(rows, answer.json["bots"], strict=True):
        found = dict(zip(head, row, strict=True))
        assert found["bot"] == shown["bot"]
        assert [float(found[name]) for name in ("ev", "ev_se", "win", "win_se")] == [
            shown[name] for name in ("ev", "ev_se", "win", "win_se")
        ]
        assert found["rules"] == "ledger"
    assert [file.name for file in tmp_path.iterdir()] == ["été.csv"]


def test_what_does_not_exist_is_an_empty_field(command: Command, tmp_path: Path) -> None:
    assert command(*WORDS[:-1], "1", "--csv", tmp_path / "one.csv").code == 0
    text = (tmp_path / "one.csv").read_text("utf-8")
    assert "nan" not in text.lower()
    assert ",,,," in text or ",,," in text


def test_a_seed_of_any_size_can_be_kept(command: Command, tmp_path: Path) -> None:
    assert command(*WORDS, "--seed", str(1 << 70), "--out", tmp_path / "run").code == 0
    assert str(1 << 70) in (tmp_path / "run" / "bots.csv").read_text("utf-8")


def test_the_library_takes_the_same_places(tmp_path: Path) -> None:
    result = rumsim.simulate(3, ["knock=30", "knock=10"], 3, out=tmp_path / "run", csv=tmp_path / "bots.csv")
    assert (tmp_path / "bots.csv").read_text("utf-8") == result.csv()
    assert json.loads((tmp_path / "run" / "result.json").read_bytes()) == result.as_json()
    assert result.frame()["bot"].tolist() == list(result.bots)
    assert [sum(row) for row in result.knock_counts] == [sum(row) for row in result.knock_turns]


# ---- in a process of its own ---------------------------------------------------------------------------------

LONG = (
    *(sys.executable, "-m", "rumsim", "simulate", "--players", "3", "--bots", "knock=25", "knock=10"),
    *("--blocks", "200000000", "--json"),
)


def started(*words: str | Path, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*LONG, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **env},
        # A shell that runs the tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def read_until(process: subprocess.Popen[bytes], words: bytes) -> bytes:
    assert process.stderr is not None
    err = b""
    for line in process.stderr:
        err += line
        if words in err:
            return err
    raise AssertionError(err)


def partial(process: subprocess.Popen[bytes], err: bytes = b"") -> dict[str, Any]:
    out, more = process.communicate(timeout=60)
    assert process.returncode == 130, more
    assert b"Traceback" not in err + more
    found: dict[str, Any] = json.loads(out)
    assert found["interrupted"] is True
    assert f"{found['blocks']:,} of 200,000,000 blocks".encode() in err + more
    return found


def check_partial(process: subprocess.Popen[bytes], folder: Path, err: bytes = b"") -> int:
    found = partial(process, err)
    assert {file.name for file in folder.iterdir()} == FILES
    assert json.loads((folder / "result.json").read_bytes()) == found
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert manifest["interrupted"] is manifest["partial"] is True
    assert manifest["block_ranges"] == [[0, found["blocks"]]]
    for name, content in bytes_of(folder).items():
        assert hashlib.sha256(content).hexdigest() == manifest["files"][name]
    assert pd.read_parquet(folder / "bots.parquet")["blocks"].tolist() == [found["blocks"]] * 2
    return int(found["blocks"])


posix = pytest.mark.skipif(os.name != "posix", reason="sends a signal")


@posix
def test_ctrl_c_twice_keeps_whole_files_of_what_was_finished(tmp_path: Path) -> None:
    process = started("--jobs", "2", "--out", tmp_path / "run")
    err = read_until(process, b"first bot")
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    blocks = check_partial(process, tmp_path / "run", err)
    assert blocks > 0
    assert b"deals/s" in err
    # What is kept is what a run of so many blocks finds.
    shorter = rumsim.simulate(3, ["knock=25", "knock=10"], blocks).as_json()
    kept = json.loads((tmp_path / "run" / "result.json").read_bytes())
    assert {**kept, "interrupted": None} == {**shorter, "interrupted": None}


@posix
def test_ctrl_c_while_compiling_gives_a_document_without_estimates_and_writes_nothing(tmp_path: Path) -> None:
    # Imports compile a little, too, and are broken off without a document if they take too long.
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", "import rumsim.engine.deal"], env=env, check=True, capture_output=True)
    places = ("--out", tmp_path / "new" / "run", "--csv", tmp_path / "bots.csv")
    process = started(*places, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    err = read_until(process, b"compiling")
    process.send_signal(signal.SIGINT)
    found = partial(process, err)
    assert found["blocks"] == 0
    assert all(value is None for row in found["bots"] for key, value in row.items() if key not in ("bot", "ev_ci"))
    assert found["turns"] is None
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_quiet_and_the_library_show_no_progress(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_AFTER", 0)
    assert "deals/s" in command(*WORDS).err
    assert command(*WORDS, "--quiet").err == ""
    assert rumsim.simulate(3, ["knock=30", "knock=10"], 3).blocks == 3


def test_light_runs_import_no_progress_or_tables() -> None:
    code = f"import sys; from rumsim.cli import main; main({list(WORDS)!r}); print(*sys.modules, file=sys.stderr)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = {name.split(".")[0] for name in answer.stderr.decode().splitlines()[-1].split()}
    assert not loaded & {"rich", "pandas", "pyarrow", "matplotlib", "joblib"}


def test_the_manifest_keeps_the_source_of_a_persons_own_bot(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text((Path(__file__).parent / "bots" / "helpers.py").read_text(encoding="utf-8"), encoding="utf-8")
    words = [
        "simulate",
        "--players",
        "2",
        "--bots",
        f"@{file}",
        "knock=10",
        "--blocks",
        "3",
        "--out",
        str(tmp_path / "o"),
    ]
    assert command(*words).code == 0
    source = file.read_text(encoding="utf-8")
    request = json.loads((tmp_path / "o" / "manifest.json").read_bytes())["request"]
    assert request["bot_files"] == {
        str(file): {"sha256": hashlib.sha256(source.encode()).hexdigest(), "source": source}
    }
    assert command(*words).code == 0, "the same request runs again"
    file.write_text(source + "\n# edited\n", encoding="utf-8")
    refused = command(*words)
    assert refused.code == 2
    assert "bot_files" in refused.err


def test_charts_of_a_simulation_are_drawn_if_asked_for(command: Command, tmp_path: Path) -> None:
    assert command(*WORDS, "--charts", "--out", tmp_path / "run").code == 0
    assert {file.name for file in (tmp_path / "run").iterdir()} == FILES | CHARTS
    assert (tmp_path / "run" / "seats.png").read_bytes().startswith(b"\x89PNG")
    assert command(*WORDS, "--charts").refused() == (
        "rumsim simulate: charts: got no folder for them; allowed: with out"
    )


def test_without_a_knock_there_is_no_chart_of_knocks(command: Command, tmp_path: Path) -> None:
    words = (
        "simulate",
        "--players",
        "2",
        "--bots",
        "knock=never",
        "--blocks",
        "5",
        "--charts",
        "--out",
        tmp_path / "run",
    )
    assert command(*words).code == 0
    charts = {file.name for file in (tmp_path / "run").iterdir()} & CHARTS
    assert charts == {"seats.svg", "seats.png"}
