"""``sweep``: every cell is what ``simulate`` finds, on the same decks; files, charts and refusals."""

from __future__ import annotations

import functools
import itertools
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rumsim
from rumsim.bots import ThresholdBot
from rumsim.charts.grid import grid
from rumsim.errors import NotWritten
from rumsim.lab.grid_request import read_thresholds
from rumsim.runs.execute import execute
from rumsim.tasks.direct_grid import DirectGrid
from rumsim.tasks.trace_grid import TraceGrid
from tests.conftest import Answer

module = import_module("rumsim.lab.sweep")  # the package shows the function under the same name
Command = Callable[..., Answer]
FIRST = ["players", "focal", "table", "ev", "ev_se", "win", "win_se", "blocks"]
WORDS = ("sweep", "--players", "2", "3", "--thresholds", "10:30:10", "--blocks", "12", "--seed", "4")


def draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the seconds that charts take where they are not the matter."""
    monkeypatch.setattr(module.Sweep, "plot", lambda *asked: None)
    monkeypatch.setattr("rumsim.charts.style.save", lambda figure, path: path.write_text("drawn", encoding="utf-8"))


def small_grid(seed: int = 4) -> DirectGrid:
    bots = tuple(rumsim.parse_bot(f"knock={threshold}") for threshold in (0, 15, 40))
    return DirectGrid(rumsim.parse_rules("ledger"), (2, 4), bots, bots, seed)


# ---- what the cells are --------------------------------------------------------------------------------------


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "traces"])
@pytest.mark.parametrize("rules", ["ledger", "traditional", "ledger:knock_limit=20", "ledger:joker-knock"])
def test_every_cell_is_what_simulate_finds(rules: str, direct: bool) -> None:
    frame = rumsim.sweep([4, 2], "10:30:10", 40, rules, seed=7, bot="draw=meld", direct=direct).frame
    assert list(frame) == [*FIRST, "win_low", "win_high"]
    keys = list(frame[["players", "focal", "table"]].itertuples(index=False, name=None))
    assert keys == [(p, f, t) for p in (2, 4) for f in (10, 20, 30) for t in (10, 20, 30)]
    for row in frame.itertuples():
        bots = [f"knock={row.focal},draw=meld", f"knock={row.table},draw=meld"]
        alone = rumsim.simulate(int(row.players), bots, 40, rules, seed=7)
        points, wins = alone.points[0], alone.wins[0]
        found = (row.ev, row.ev_se, row.win, row.win_se)
        assert found == pytest.approx((points.mean, points.error, wins.mean, wins.error), rel=1e-13)
        assert row.blocks == 40


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "traces"])
def test_curves_tell_how_deals_end_as_simulate_does(direct: bool) -> None:
    frame = rumsim.sweep([3, 5], "0:40:20", 40, "traditional:max_turns=30", seed=7, table=15, direct=direct).frame
    for row in frame.itertuples():
        alone = rumsim.simulate(
            int(row.players), [f"knock={row.focal}", "knock=15"], 40, "traditional:max_turns=30", seed=7
        )
        assert {end: getattr(row, end) for end in alone.ends} == alone.ends
        assert row.turns == alone.turns


def test_bots_that_draw_otherwise_than_their_opponents_have_a_trace_a_seat() -> None:
    words = dict(seed=3, bot="draw=meld", table_bot="draw=always")
    frames = [rumsim.sweep([2, 5], "0:60:15", 30, direct=direct, **words).frame for direct in (True, False)]  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(*frames, check_exact=True)
    alone = rumsim.simulate(5, ["knock=15,draw=meld", "knock=30,draw=always"], 30, seed=3)
    row = frames[0].query("players == 5 and focal == 15 and table == 30").iloc[0]
    assert row["ev"] == pytest.approx(alone.points[0].mean)
    assert "opponents draw=always" in rumsim.sweep(2, [10], 3, **words).table()  # type: ignore[arg-type]


def test_types_of_columns_are_those_promised() -> None:
    frame = rumsim.sweep(2, [10, 30], 3).frame
    for name in frame:
        assert frame[name].dtype == (np.int64 if name in ("players", "focal", "table", "blocks") else np.float64)


def test_equal_thresholds_gain_exactly_nothing() -> None:
    frame = rumsim.sweep([2, 3, 4, 5], "0:60:20", 25, seed=3).frame
    equal = frame[frame["focal"] == frame["table"]]
    assert len(equal) == 16
    assert (equal["ev"] == 0).all() and (equal["ev_se"] == 0).all()
    assert equal["win"].to_numpy() == pytest.approx(1 / equal["players"].to_numpy())
    assert not (frame[frame["focal"] != frame["table"]]["ev"] == 0).all()


def test_two_players_win_what_the_other_loses_on_the_same_decks() -> None:
    found = rumsim.sweep(2, "0:60:15", 30, seed=9).frame.pivot(index="focal", columns="table", values="ev").to_numpy()
    assert (found == -found.T).all()


@pytest.mark.parametrize("traces", [True, False], ids=["traces", "direct"])
def test_results_do_not_depend_on_jobs_chunks_or_order(traces: bool) -> None:
    task: DirectGrid | TraceGrid = small_grid()
    if traces:
        bot = ThresholdBot()
        task = TraceGrid(rumsim.parse_rules("ledger"), (2, 4), bot, bot, (0, 15, 40), (0, 15, 40), 4, 6, ends=True)
    whole, _ = execute(task, 40)  # type: ignore[type-var]
    for jobs, chunk, order in ((1, 7, None), (2, (1, 9, 3, 11, 5, 4, 7), (6, 2, 0, 5, 1, 4, 3)), (3, 1, None)):
        parts, interrupted = execute(task, 40, jobs, chunk, order=order)  # type: ignore[type-var]
        assert not interrupted
        assert list(parts.batches) == list(whole.batches)
        for one, other in ((parts, whole), *zip(parts.batches.values(), whole.batches.values(), strict=True)):
            for name in vars(other).keys() - {"batches"}:
                assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_a_sweep_of_fewer_cells_or_more_blocks_plays_the_same_deals() -> None:
    many, few = rumsim.sweep([2, 3], "0:40:20", 20, seed=5).frame, rumsim.sweep(3, [40], 20, seed=5, table=20).frame
    rows = many[(many["players"] == 3) & (many["focal"] == 40) & (many["table"] == 20)]
    assert rows[FIRST].to_numpy().tolist() == few[FIRST].to_numpy().tolist()


# ---- curves --------------------------------------------------------------------------------------------------


def test_a_table_of_its_own_makes_curves_with_bands() -> None:
    found = rumsim.sweep([2, 4], "0:60:20", 50, seed=2, table=[25, 10])
    assert found.curves and found.opponents == (10, 25)
    frame = found.frame
    assert len(frame) == 2 * 4 * 2
    half = (frame["ev_band_high"] - frame["ev_band_low"]) / 2
    ratio = (half / frame["ev_se"]).groupby([frame["players"], frame["table"]])
    assert (ratio.max() - ratio.min()).max() < 1e-9  # one factor a curve
    assert (ratio.min() > 2.01).all()  # wider than Student's interval of a single point
    ends = frame[["win_band_low", "win_low", "win", "win_high", "win_band_high"]].to_numpy()
    assert (np.diff(ends) >= 0).all() and ends.min() >= 0 and ends.max() <= 1
    assert (ends[:, 0] < ends[:, 1]).all() and (ends[:, 3] < ends[:, 4]).all()
    shown = found.table()
    assert "95 % band" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_one_block_has_no_errors() -> None:
    found = rumsim.sweep(2, [10, 30], 1, table=10)
    assert found.frame[["ev_se", "win_se", "ev_band_low", "win_band_high"]].isna().all(axis=None)
    assert found.frame["ev"].notna().all()
    cell = found.as_json()["cells"][1]  # type: ignore[index]
    assert cell["ev_se"] is cell["ev_band_low"] is None
    json.dumps(found.as_json(), allow_nan=False)
    found.table()
    found.plot()


def test_win_shares_of_cells_have_intervals_as_simulate_gives_them() -> None:
    frame = rumsim.sweep([2, 4], "10:30:10", 40, seed=7).frame
    for row in frame.itertuples():
        alone = rumsim.simulate(int(row.players), [f"knock={row.focal}", f"knock={row.table}"], 40, seed=7).wins[0]
        assert (row.win_low, row.win_high) == pytest.approx(alone.interval, rel=1e-9)
    equal = frame[frame["focal"] == frame["table"]]
    assert (equal["win_high"] == 1 / equal["players"]).all()  # a part of all deals, but for those that stall
    # Equal thresholds with other keys are other bots.
    other = rumsim.sweep(2, [20], 40, seed=7, bot="draw=meld", table_bot="draw=stock").frame
    assert other["win_high"].iloc[0] > 0.5


def test_the_best_has_a_set_of_those_that_no_other_beats() -> None:
    found = rumsim.sweep(3, "0:80:4", 400, table=[10, 60], seed=1)
    for row in found.best.itertuples():
        assert row.set_low <= row.best <= row.set_high
        parts = [part.split("-") for part in row.members.split(", ")]
        assert (int(parts[0][0]), int(parts[-1][-1])) == (row.set_low, row.set_high)
    sharp = found.best.iloc[0]
    assert sharp["set_low"] > 0 and sharp["set_high"] < 80
    # Most seeds' best, here of far more blocks, lie in it: the first seat of a flat top is a matter of chance.
    best = rumsim.sweep(3, "0:80:4", 20_000, table=10, seed=9).best.iloc[0]
    assert sharp["set_low"] <= best["best"] <= sharp["set_high"]
    assert best["set_high"] - best["set_low"] < sharp["set_high"] - sharp["set_low"]
    shown = found.table()
    assert "95 % set" in shown and f"{sharp['set_low']} to {sharp['set_high']}" in shown
    assert found.as_json()["best"][0]["members"] == sharp["members"]  # type: ignore[index]


def test_with_too_few_blocks_nothing_has_an_interval_and_the_table_says_so() -> None:
    few = rumsim.sweep(2, "0:40:10", 19, table=10)
    assert few.frame[["win_low", "win_high", "win_band_low", "win_band_high"]].isna().all(axis=None)
    assert few.best["members"].tolist() == ["0-40"]
    assert few.as_json()["too_few_blocks"] is True
    shown = few.table()
    assert "too few blocks (19; 20 are needed)" in shown and "95 %" not in shown
    enough = rumsim.sweep(2, "0:40:10", 20, table=10)
    assert "too_few_blocks" not in enough.as_json() and "95 % band" in enough.table()


def test_the_result_is_frozen_and_shows_the_best() -> None:
    found = rumsim.sweep(2, [0, 30], 200, seed=1)
    with pytest.raises(FrozenInstanceError):
        found.seed = 2  # type: ignore[misc]
    lines = found.table().splitlines()
    assert lines[-2].split()[:3] == ["2", "0", "30"]  # against 0 it is better to knock at 30


# ---- charts --------------------------------------------------------------------------------------------------


def test_plots() -> None:
    curves = rumsim.sweep([2, 3], [10, 30], 10, table=[10, 20])
    for value, label in (("ev", "points a deal"), ("win", "win share (mean a deal)"), ("ends", "share of all deals")):
        assert curves.plot(value, 20).axes[0].get_ylabel() == label
    assert len(rumsim.sweep([2, 3], [10, 30], 10).plot("win").axes) == 3  # two panels and the scale
    for asked, name in ((("ends",), "value"), (("turns", 10), "value"), (("ev", 30), "table")):
        with pytest.raises(rumsim.RequestError, match=name):
            curves.plot(*asked)


def test_a_grid_chart_cuts_no_text_off() -> None:
    frame = rumsim.sweep([2, 3, 5], range(0, 200, 7), 2).frame
    figure = grid(frame, "ev", "Rules: ledger. 200 blocks, seed 1. " * 6)
    figure.draw_without_rendering()
    page = figure.bbox
    for panel in figure.axes:
        if panel.get_visible():
            box = panel.get_tightbbox()
            assert box is not None
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        for axis in (panel.xaxis, panel.yaxis):
            texts = [label for label in axis.get_ticklabels() if label.get_text() and panel.get_visible()]
            boxes = [label.get_window_extent() for label in texts]
            assert not any(one.overlaps(two) for one, two in itertools.pairwise(boxes))


# ---- the command line and its files --------------------------------------------------------------------------


def test_files(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = command(*WORDS, "--out", tmp_path / "one")
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines()[:-1])) <= 80
    names = {file.name for file in (tmp_path / "one").iterdir()}
    charts = {f"{name}.{suffix}" for name in ("points", "wins", "best", "slices") for suffix in ("svg", "png")}
    assert names == {"grid.parquet", "best.parquet", "table.txt", "manifest.json", *charts}
    frame = pd.read_parquet(tmp_path / "one" / "grid.parquet")
    assert list(frame)[:8] == FIRST
    assert frame[FIRST].equals(rumsim.sweep([2, 3], "10:30:10", 12, seed=4).frame[FIRST])
    for name in charts:
        written = (tmp_path / "one" / name).read_bytes()
        if name.endswith("svg"):
            ET.fromstring(written)
        else:
            assert written.startswith(b"\x89PNG")
    # The same request again, on two workers: the same bytes but for the manifest.
    draw_nothing(monkeypatch)
    assert command(*WORDS, "--jobs", 2, "--out", tmp_path / "two").code == 0
    for name in names - {"manifest.json"} - charts:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    assert command(*WORDS, "--out", tmp_path / "one").code == 0  # replaced
    line = command(*WORDS[:-1], "5", "--out", tmp_path / "one").refused()
    assert "out" in line and "seed" in line


def test_curves_have_a_chart_a_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    draw_nothing(monkeypatch)
    rumsim.sweep(2, "10:30:10", 4, table=[10, 25], out=tmp_path / "curves")
    charts = {file.name for file in (tmp_path / "curves").glob("*.svg")}
    assert charts == {f"{name}-against-{table}.svg" for name in ("points", "wins", "ends") for table in (10, 25)}
    assert len(list((tmp_path / "curves").glob("*.png"))) == 6


def test_json(command: Command) -> None:
    answer = command(*WORDS, "--bot", "draw=meld", "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert found["players"] == [2, 3]
    assert found["thresholds"] == found["table"] == [10, 20, 30]
    assert found["bot"] == "draw=meld,discard=greedy"
    assert found["deals"] == 5 * 9 * 12
    assert len(found["cells"]) == 18
    assert list(found["cells"][0])[:8] == FIRST
    assert found == rumsim.sweep([2, 3], "10:30:10", 12, seed=4, bot="draw=meld").as_json()


def test_a_bot_file_gives_the_keys(command: Command, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('draw = "meld"\n', encoding="utf-8")
    by_file = command(*WORDS, "--bot", f"@{tmp_path / 'bot.toml'}", "--json")
    assert by_file.json == command(*WORDS, "--bot", "draw=meld", "--json").json
    (tmp_path / "bot.toml").write_text("knock = 10\n", encoding="utf-8")
    assert "knock" in command(*WORDS, "--bot", f"@{tmp_path / 'bot.toml'}", "--json").refused()


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--thresholds", ["0:60"], "thresholds: got '0:60'; allowed: LO:HI:STEP"),
        ("--thresholds", ["60:0:5"], "thresholds: got '60:0:5'"),
        ("--thresholds", ["0:60:0"], "thresholds: got '0:60:0'"),
        ("--thresholds", ["0:201:1"], "thresholds: got '0:201:1'"),
        ("--thresholds", ["0:10:3"], "STEP from 1 that reaches HI"),
        ("--thresholds", ["0:10:2:1"], "thresholds: got '0:10:2:1'"),
        ("--thresholds", ["low:high:1"], "thresholds: got 'low:high:1'"),
        ("--thresholds", [""], "thresholds: got ''"),
        ("--players", ["2", "6"], "players: got '6'; allowed: 2 to 5"),
        ("--players", ["2", "2"], "players: got 2 twice"),
        ("--blocks", ["0"], "blocks: got '0'"),
        ("--seed", ["-1"], "seed"),
        ("--jobs", ["0"], "jobs: got '0'"),
        ("--table", ["201"], "table: got '201'; allowed: 0 to 200"),
        ("--table", ["never"], "table: got 'never'"),
        ("--bot", ["knock=10"], "bot: got 'knock=10'; allowed: keys other than knock"),
        ("--bot", ["draw=meld, knock = 3"], "other than knock"),
        ("--bot", ["draw=much"], "draw: got 'much'"),
        ("--bot", ["meld"], "bot: got 'meld'"),
        ("--bot", ["@absent.toml"], "bot: got 'absent.toml'"),
        ("--rules", ["seed03"], "seed03"),
    ],
)
def test_refusals(command: Command, option: str, given: list[str], said: str) -> None:
    asked = {"--players": ["2"], "--thresholds": ["0:20:10"], "--blocks": ["3"], option: given}
    words = [word for name, values in asked.items() for word in (name, *values)]
    assert said in command("sweep", *words, "--json").refused()


def test_all_that_is_wrong_is_said_at_once(command: Command, tmp_path: Path) -> None:
    answer = command("sweep", "--players", 7, "--thresholds", "9:1:1", "--bot", "knock=1")
    assert answer.code == 2 and answer.out == ""
    names = [line.split(": ")[1] for line in answer.err.splitlines()]
    assert names == ["players", "thresholds", "blocks", "bot", "out"]


def test_where_to_is_needed_unless_json_is_asked_for(command: Command) -> None:
    assert "out: got nothing" in command(*WORDS).refused()


def test_a_folder_with_other_files_is_refused_before_any_work(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(module, "execute", None)
    assert "out" in command(*WORDS, "--out", tmp_path).refused()
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_interrupted_keeps_what_was_finished(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = module.execute
    monkeypatch.setattr(module, "execute", lambda task, blocks, jobs, chunk, progress: (real(task, 5)[0], True))
    draw_nothing(monkeypatch)
    answer = command(*WORDS, "--out", tmp_path / "part")
    assert answer.code == 130
    assert "INTERRUPTED" in answer.out and "5 of 12 blocks" in answer.err
    frame = pd.read_parquet(tmp_path / "part" / "grid.parquet")
    assert (frame["blocks"] == 5).all()
    assert frame[FIRST].equals(rumsim.sweep([2, 3], "10:30:10", 5, seed=4).frame[FIRST])
    assert json.loads((tmp_path / "part" / "manifest.json").read_bytes())["partial"] is True
    assert command(*WORDS, "--json").json["interrupted"] is True


@pytest.mark.parametrize("more", [(), ("--table", "10")])
def test_interrupted_before_the_first_block(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.setattr(module, "execute", lambda task, blocks, jobs, chunk, progress: (task.empty(), True))
    answer = command(*WORDS, *more, "--out", tmp_path / "none")
    assert answer.code == 130
    assert "0 of 12 blocks" in answer.err and "kept" not in answer.err and "wrote" not in answer.out
    assert not (tmp_path / "none").exists()
    cells = command(*WORDS, *more, "--json").json["cells"]
    assert all(cell["ev"] is cell["win"] is cell.get("turns") is None for cell in cells)


def test_progress_is_shown_unless_quiet(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = functools.partial(module.Progress, clock=itertools.count(step=10).__next__)
    monkeypatch.setattr(module, "Progress", ticks)
    monkeypatch.setattr(module, "_CHUNK_DEALS", 1)
    monkeypatch.setattr(module, "_LEAST_CHUNK", 4)
    answer = command(*WORDS, "--json")
    assert answer.code == 0
    assert "18 cells, s.e. up to" in answer.err
    assert command(*WORDS, "--json", "--quiet").err == ""


# ---- the library ---------------------------------------------------------------------------------------------


def test_thresholds_one_by_one_or_as_a_range() -> None:
    assert read_thresholds("10:10:1") == (10,)
    assert read_thresholds(range(0, 9, 4)) == (0, 4, 8)
    assert read_thresholds(np.array([5, 3])) == (3, 5)
    for wrong in ([], [10, 10], [201], [2.5], [True]):
        with pytest.raises(rumsim.RequestError, match="thresholds"):
            rumsim.sweep(2, wrong, 5)


@pytest.mark.parametrize(
    ("argument", "given"), [("players", []), ("players", 1), ("table", []), ("blocks", 2.5), ("bot", None), ("jobs", 0)]
)
def test_the_library_refuses_in_the_same_words(argument: str, given: object) -> None:
    asked: dict[str, object] = {"players": 2, "thresholds": [10], "blocks": 3, argument: given}
    with pytest.raises(rumsim.RequestError, match=argument):
        rumsim.sweep(**asked)  # type: ignore[arg-type]


def test_captions_claim_no_equal_bots_where_opponents_draw_otherwise() -> None:
    def captions(**words: object) -> str:
        grid = rumsim.sweep(2, [10, 20, 30], 20, **words)  # type: ignore[arg-type]
        curves = rumsim.sweep(2, [10, 20, 30], 20, table=20, **words)  # type: ignore[arg-type]
        figures = [grid.plot(value) for value in ("ev", "win", "best", "slices")]
        figures += [curves.plot(value) for value in ("ev", "win")]
        return " ".join(text.get_text() for figure in figures for text in figure.findobj(match=type(figure.texts[0])))

    assert "exactly" in captions() and "fixed point" in captions().replace("\n", " ")
    other = captions(table_bot="draw=always").replace("\n", " ")
    assert "exactly" not in other and "same" not in other.replace("the same in every cell", "") and "fixed" not in other


def test_a_chart_that_cannot_be_drawn_does_not_cost_the_result(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(figure: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("no room")

    monkeypatch.setattr("rumsim.charts.style.save", die)
    with pytest.raises(NotWritten, match="^out: '.*run' could not be written: no room$") as error:
        rumsim.sweep(2, [10, 20], 3, out=tmp_path / "run")
    assert error.value.result == rumsim.sweep(2, [10, 20], 3)
    answer = command("sweep", "--players", "2", "--thresholds", "10:20:10", "--blocks", "3", "--out", tmp_path / "run")
    assert answer.code == 1
    assert "Best own threshold" in answer.out and "wrote" not in answer.out
    assert "run' could not be written: no room" in answer.err
    assert not (tmp_path / "run").exists()


def test_a_confirmation_that_came_further_stays(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module.execute
    draw_nothing(monkeypatch)
    for confirmed, rows in ((7, 7), (3, 7), (12, 12), (5, 12)):
        steps = iter((12, confirmed))

        def stopped(task: Any, blocks: int, *_: object, steps: Any = steps, **__: object) -> Any:
            played = next(steps)
            return real(task, played)[0], played < blocks

        monkeypatch.setattr(module, "execute", stopped)
        answer = command(*WORDS, "--out", tmp_path / "run")
        assert answer.code == (0 if confirmed == 12 else 130)
        assert ("keeps the 12 blocks that it held" in answer.err) == (confirmed < rows)
        manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
        assert manifest.get("confirm_blocks", 12) == rows
