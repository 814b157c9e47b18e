"""``rumsim session``: what the command adds to the library's function."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

import rumsim
from rumsim.runs import progress
from rumsim.session_rules import FORMATS
from rumsim.tasks.sessions import Sessions
from tests.conftest import Answer

module = import_module("rumsim.lab.session")  # the package shows a function under the same name
Command = Callable[..., Answer]
WORDS = ("session", "--format", "match", "--players", "3", "--bots", "closer:knock=30", "knock=10", "--sessions", "3")
FILES = {
    *("bots.csv", "bots.parquet", "places.parquet", "deals.parquet", "ledgers.parquet", "margins.parquet"),
    *("result.json", "manifest.json"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_json_has_every_key(command: Command, name: str) -> None:
    words = ("--players", "3", "--bots", "knock=30", "knock=10", "--sessions", "4", "--seed", "1", "--json")
    answer = command("session", "--format", name, *words)
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    keys = {"rules", "players", "seed", "blocks", "bots", "format", "sessions", "places", "session_deals", "unfinished"}
    assert keys <= set(found)
    assert (found["format"], found["blocks"], found["sessions"]) == (name, 4, 12)
    assert {"bot", "ev", "ev_se", "ev_ci", "win", "win_se", "win_ci", "ledger"} <= set(found["bots"][0])
    assert [place["place"] for place in found["places"]] == [0, 1, 2]
    assert {"win", "win_se"} <= set(found["places"][0])
    assert {"mean", "q05", "q50", "q95"} <= set(found["session_deals"])
    assert sum(place["win"] for place in found["places"]) == pytest.approx(1 - found["unfinished"])
    assert found["bots"][0]["ev"] + 2 * found["bots"][1]["ev"] == pytest.approx(0, abs=1e-12)
    assert ("ranks" in found["bots"][0]) is (name == "pool")
    assert (found["margin"] is None) is (name == "pool")


def test_the_library_has_the_same(command: Command) -> None:
    printed = command(*WORDS, "--target", "50", "--max-deals", "30", "--json").json
    bots = ["closer:knock=30", "knock=10"]
    assert printed == rumsim.session(3, bots, "match", 3, target=50, max_deals=30).as_json()
    assert printed["options"] == {"target": 50, "max_deals": 30}


def test_options_reach_their_formats(command: Command) -> None:
    table = ("--players", "2", "--bots", "knock=10", "--sessions", "2", "--json")
    deals = command("session", "--format", "cumulative", "--deals", "3", *table).json["session_deals"]
    assert 3 <= deals["q05"] < 5
    pool = command("session", "--format", "pool", "--rebuys", "2", *table).json
    assert pool["bots"][0]["ledger"]["q05"] <= -300
    few = command("session", "--format", "pool", "--max-deals", "2", *table).json
    assert few["unfinished"] == 1 and few["bots"][0]["win"] == 0 and few["session_deals"]["q95"] == 2
    assert few["bots"][0]["ledger"]["q95"] > 0, "the ledger of an unfinished session is shown"
    assert few["bots"][0]["prize_share"] is None


def test_the_seed_is_0_unless_given_and_jobs_change_nothing(command: Command) -> None:
    assert command(*WORDS, "--json").out == command(*WORDS, "--seed", "0", "--jobs", "2", "--json").out
    assert command(*WORDS, "--json").json != command(*WORDS, "--seed", "1", "--json").json


@pytest.mark.parametrize("name", FORMATS)
def test_readable_fits_the_screen_and_says_what_it_is(command: Command, name: str) -> None:
    long = "closer:knock=40/35/30/25+38/33/28+37/32/27+36/31/26+35/30/25"
    words = ("--players", "5", "--bots", long, "knock=10", "--sessions", "3", "--rules", "traditional:ace-high")
    answer = command("session", "--format", name, *words)
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80
    assert name in answer.out and "15 sessions" in answer.out
    assert ("Order of elimination" in answer.out) is (name == "pool")


def test_one_block_has_no_errors_and_says_so(command: Command) -> None:
    found = command(*WORDS[:-1], "1", "--json").json
    assert found["bots"][0]["ev_se"] is found["bots"][0]["win_se"] is found["places"][0]["win_se"] is None
    assert "One block has no standard error" in command(*WORDS[:-1], "1").out


def test_three_sessions_that_one_bot_won_say_little(command: Command) -> None:
    bots = ("--players", "2", "--bots", "knock=0,draw=stock", "knock=25", "--target", "50")
    words = ("session", "--format", "match", *bots)
    few = command(*words, "--sessions", "3", "--seed", "2")
    assert few.code == 0 and "too few blocks (3; 20 are needed)" in few.out
    assert " to " not in few.out
    found = command(*words, "--sessions", "3", "--seed", "2", "--json").json
    assert found["too_few_blocks"] is True and found["bots"][0]["win_ci"] is None
    enough = command(*words, "--sessions", "20", "--seed", "1", "--json").json
    assert "too_few_blocks" not in enough
    for row in [*enough["bots"], *enough["places"]]:
        assert 0 <= row["win_ci"][0] < row["win"] < row["win_ci"][1] <= 1
    # Where all sessions have the same winner, the interval has a width.
    words = ("session", "--format", "match", "--players", "2", "--bots", "knock=never,draw=stock", "knock=40")
    one = command(*words, "--sessions", "20", "--json").json
    for row in one["bots"]:
        assert row["win"] in (0, 1) and row["win_ci"][1] - row["win_ci"][0] > 0.1


def test_equal_bots_are_told_apart_by_places_only(command: Command) -> None:
    answer = command("session", "--format", "rotation", "--players", "2", "--bots", "knock=20", "--sessions", "4")
    assert "only places inform" in answer.out and "won by several" in answer.out


def test_an_interrupt_keeps_what_was_finished(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Sessions.run

    def stop_at_third(self: Sessions, first: int, last: int) -> object:
        if first >= 2:
            raise KeyboardInterrupt
        return real(self, first, last)

    monkeypatch.setattr(Sessions, "run", stop_at_third)
    monkeypatch.setattr(Sessions, "chunk", 1)
    answer = command(*WORDS, "--json")
    assert answer.code == 130
    assert answer.json["interrupted"] is True and answer.json["blocks"] == 2
    assert "2 of 3 blocks (6 sessions)" in answer.err
    monkeypatch.setattr(Sessions, "run", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    found = command(*WORDS, "--json").json
    assert found["blocks"] == 0 and found["unfinished"] is None and found["session_deals"]["mean"] is None
    assert all(found["bots"][0][key] is None for key in ("ev", "ev_se", "ev_ci", "win", "win_se", "win_ci"))
    assert "INTERRUPTED" in command(*WORDS).out


def test_the_shorter_run_is_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rumsim.session(3, ["knock=30", "knock=10"], "pool", 5)
    execute = module.execute
    monkeypatch.setattr(module, "execute", lambda task, blocks, *_, **__: (execute(task, 5)[0], True))
    kept = rumsim.session(3, ["knock=30", "knock=10"], "pool", 9)
    assert {**kept.as_json(), "interrupted": None} == {**whole.as_json(), "interrupted": None}


def test_progress_counts_sessions(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_AFTER", 0)
    assert "sessions/s" in command(*WORDS).err
    assert command(*WORDS, "--quiet").err == ""


# ---- files ---------------------------------------------------------------------------------------------------


def test_out_keeps_what_was_printed(command: Command, tmp_path: Path) -> None:
    answer = command(*WORDS, "--seed", "1", "--json", "--out", tmp_path / "run")
    assert (answer.code, answer.err) == (0, "")
    assert {file.name for file in (tmp_path / "run").iterdir()} == FILES
    assert (tmp_path / "run" / "result.json").read_text("utf-8") == answer.out
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    found = answer.json
    assert manifest["request"] == {
        "command": "session",
        "rules": found["rules"],
        "players": 3,
        "bots": [row["bot"] for row in found["bots"]],
        "format": "match",
        "target": 200,
        "max_deals": 1000,
        "blocks": 3,
        "seed": 1,
    }
    bots = pd.read_parquet(tmp_path / "run" / "bots.parquet")
    assert bots["win"].tolist() == [row["win"] for row in found["bots"]]
    assert bots.to_csv(index=False, lineterminator="\n") == (tmp_path / "run" / "bots.csv").read_text("utf-8")
    places = pd.read_parquet(tmp_path / "run" / "places.parquet")
    assert places["ev"].tolist() == [row["ev"] for row in found["places"]]
    deals = pd.read_parquet(tmp_path / "run" / "deals.parquet")
    assert (deals["deals"] * deals["sessions"]).sum() / 9 == pytest.approx(found["session_deals"]["mean"])
    ledgers = pd.read_parquet(tmp_path / "run" / "ledgers.parquet")
    assert ledgers.groupby("entry")["sessions"].sum().tolist() == [9, 18]
    assert (ledgers["points"] * ledgers["sessions"]).sum() == pytest.approx(0)


def test_a_pool_keeps_its_ranks_and_charts_are_drawn_if_asked_for(command: Command, tmp_path: Path) -> None:
    words = ("session", "--format", "pool", "--players", "3", "--bots", "knock=30", "knock=10", "--sessions", "3")
    assert command(*words, "--out", tmp_path, "--charts").code == 0
    charts = {f"{name}.{suffix}" for name in ("places", "deals") for suffix in ("svg", "png")}
    assert {file.name for file in tmp_path.iterdir()} == FILES | charts | {"ranks.parquet"}
    ranks = pd.read_parquet(tmp_path / "ranks.parquet")
    assert ranks.groupby("entry")["chance"].sum().tolist() == pytest.approx([1, 1])
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    for file in tmp_path.iterdir():
        if file.name != "manifest.json":
            assert hashlib.sha256(file.read_bytes()).hexdigest() == manifest["files"][file.name]
    assert command(*words, "--charts").refused() == (
        "rumsim session: charts: got no folder for them; allowed: with out"
    )
    assert "differs in blocks" in command(*words[:-1], "4", "--out", tmp_path, "--charts").refused()


def test_a_result_plots_itself() -> None:
    result = rumsim.session(3, ["knock=30", "knock=10"], "match", 5)
    for value in ("places", "deals"):
        texts = [text.get_text() for text in result.plot(value).texts]
        assert any("match, the first above 200" in " ".join(text.split()) for text in texts)
    with pytest.raises(rumsim.RequestError, match="value: got 'seats'; allowed: places or deals"):
        result.plot("seats")


# ---- refusals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--format", "set"), "format: got 'set'; allowed: rotation, cumulative, match, pool"),
        (("--max-deals", "1000001"), "max_deals: got '1000001'; allowed: 1 to 1000000"),
        (("--target", "-1"), "target: got '-1'; allowed: 0 to 1000000"),
        (("--deals", "many"), "deals: got 'many'; allowed: 1 to 1000000"),
        (("--rebuys", "1.5"), "rebuys: got '1.5'; allowed: 0 to 1000000"),
        (("--sessions", "0"), "sessions: got '0'; allowed: a whole number, at least 1 and at most 8,796,093,022,207"),
        (
            ("--sessions", str(1 << 44)),
            f"sessions: got '{1 << 44}'; allowed: a whole number, at least 1 and at most 8,796,093,022,207",
        ),
    ],
)
def test_a_wrong_option_is_refused(command: Command, words: tuple[str, str], line: str) -> None:
    given = dict(zip(WORDS[1::2], WORDS[2::2], strict=False))
    given = {"--format": "match", "--players": "3", "--bots": "knock=10", "--sessions": "3"} | dict([words])
    found = command("session", *(word for pair in given.items() for word in pair)).refused()
    assert found.startswith(f"rumsim session: {line}")


def test_what_is_missing_is_named_at_once(command: Command) -> None:
    answer = command("session")
    assert answer.code == 2 and answer.out == ""
    named = [line.split(": ")[1] for line in answer.err.splitlines()]
    assert named == ["format", "players", "sessions", "bots"]


def test_bots_from_files_and_hands_too_large_for_who_is_left_are_refused(command: Command) -> None:
    words = ("session", "--format", "pool", "--players", "3", "--sessions", "3")
    line = command(*words, "--bots", "@docs/my_bot.py").refused()
    assert line.startswith("rumsim session: bots: got '@docs/my_bot.py:") and "closer" in line
    line = command(*words, "--bots", "knock=10", "--rules", "ledger:hand_size=26/10/10/10").refused()
    assert line == "rumsim session: hand_size: got 26 cards for 2 players; allowed: 1 to 25"


def test_an_option_of_another_format_is_named_and_changes_nothing(command: Command) -> None:
    words = ("session", "--format", "rotation", "--players", 3, "--bots", "knock=20", "--sessions", 5, "--quiet")
    plain, told = command(*words), command(*words, "--target", 50, "--rebuys", 2, "--deals", 3)
    assert told.out == plain.out and told.code == 0
    lines = [line for line in told.err.splitlines() if line.startswith("rumsim session")]
    assert [line.split(":")[1].strip() for line in lines] == ["deals", "target", "rebuys"]
    assert "50 changes nothing, it is an option of match alone" in told.err
