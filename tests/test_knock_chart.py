"""The page for the card table: the numbers of respond and equilibrium, all of them readable, whole files or none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from rumsim.charts.knock_sheet import MOST_TURNS, knock_sheet
from rumsim.charts.style import save
from rumsim.errors import RequestError
from rumsim.lab.equilibrium import equilibrium
from rumsim.lab.knock_chart import EQUILIBRIUM, KnockChart, knock_chart, read_opponents
from rumsim.lab.respond import respond
from tests.conftest import Answer
from tests.test_charts import has_room, shown_texts

Command = Callable[..., Answer]
BLOCKS = 300
MIXTURE = "0.5*knock=8/7/6+0.5*knock=25/24/23/22/21/20/19/18/17/16/15"
SHORT = ("chart", "knock", "--players", "2", "--opponents", "knock=10", "--blocks", "100")


@cache
def found(players: int = 3) -> KnockChart:
    return knock_chart(players, ["knock=10", "knock=25"], blocks=BLOCKS, seed=4, confirm_seed=9)


def texts(figure: Figure, label: str) -> list[str]:
    """What a panel says, without its heading's lines."""
    (axes,) = (axes for axes in figure.axes if axes.get_label() == label)
    return [text.get_text() for text in axes.texts]


# ---- the numbers ---------------------------------------------------------------------------------------------


def test_panels_are_what_respond_and_equilibrium_find() -> None:
    chart = found()
    for panel, opponents in zip(chart.panels, ("knock=10", "knock=25"), strict=False):
        alone = respond(3, opponents, blocks=BLOCKS, seed=4, confirm_seed=9)
        assert panel.turns == alone.turns
        assert (panel.points, panel.constant, panel.within) == (alone.points, alone.constant, alone.within)
        assert (panel.opponents, panel.knock) == (alone.opponents, alone.knock())
    calm = equilibrium(3, blocks=BLOCKS, seed=4, confirm_seed=9)
    last = chart.panels[-1]
    assert last.opponents == EQUILIBRIUM
    for seat in range(3):
        assert tuple(turn.threshold for turn in last.of_seat(seat)) == calm.thresholds[seat]
        assert tuple(turn.reached for turn in last.of_seat(seat)) == calm.reached[seat]
    assert (last.knock, last.gain_upper) == (calm.knock(), calm.gain_upper)
    answer = respond(3, f"knock={calm.knock()}", blocks=BLOCKS, seed=4, confirm_seed=9)
    assert (last.constant, last.within, last.points) == (answer.constant, answer.within, answer.points)


def test_the_page_shows_every_number_of_the_frame() -> None:
    chart = found()
    figure = chart.plot()
    for panel in chart.panels:
        said = texts(figure, panel.opponents)
        at = said.index("seat 0")
        for seat in range(3):
            until = said.index(f"seat {seat + 1}") if seat < 2 else len(said)
            numbers = [text for text in said[at + 2 : until] if re.fullmatch(r"\d+|never", text)]
            shown = [turn.threshold for turn in panel.of_seat(seat)[:MOST_TURNS] if turn.threshold is not None]
            assert numbers == ["never" if one < 0 else str(one) for one in shown]
            at = until
        heading = said[1]
        low, high = panel.within
        assert f": {panel.constant}" in heading
        assert (f"({low}\N{EN DASH}{high})" in heading) == (low < high)
        if panel.gain_upper is None:
            assert panel.points.interval is not None and panel.points.mean is not None
            ends = " to ".join(f"{end:+.2f}" for end in panel.points.interval).replace("-", "\N{MINUS SIGN}")
            assert f"{panel.points.mean:+.2f} ({ends})" in heading
        else:
            assert f"{max(panel.gain_upper, 0.0):.3f}" in heading


def test_the_frame_has_a_row_a_turn() -> None:
    frame = found().frame
    assert list(frame) == ["players", "opponents", "seat", "own_turn", "threshold", "low", "high", "reached"]
    assert not frame.duplicated(["opponents", "seat", "own_turn"]).any()
    assert (frame["threshold"].isna() == (frame["reached"] < 0.01)).all()
    known = frame.dropna()
    assert len(known) > 6
    assert ((known["low"] <= known["threshold"]) & (known["threshold"] <= known["high"])).all()


def test_turns_that_hardly_come_are_dashes_and_never_is_a_word() -> None:
    cells = pd.DataFrame(
        {
            "players": 2,
            "opponents": "knock=10",
            "seat": [0, 0, 0, 1],
            "own_turn": [1, 2, 3, 1],
            "threshold": [50, -1, None, 38],
            "low": [50, -1, None, 30],
            "high": [50, 3, None, 200],
            "reached": [1.0, 0.4, 0.005, 0.9],
        }
    )
    answers = pd.DataFrame(
        {
            "opponents": ["knock=10"],
            "constant": 33,
            "low": 32,
            "high": 35,
            "constant_ev": 5.2,
            "ev": 7.0,
            "ev_low": 6.9,
            "ev_high": 7.1,
        }
    )
    figure = knock_sheet(cells, answers, "Rules: ledger.")
    dash = "\N{EN DASH}"
    said = texts(figure, "knock=10")
    assert said[said.index("seat 0") + 2 : said.index("seat 1")] == ["50", "never", f"never{dash}3", dash]
    assert said[said.index("seat 1") + 2 :] == ["38", "30+", dash, dash]
    (axes,) = (axes for axes in figure.axes if axes.get_label() == "knock=10")
    greys = [patch.get_facecolor()[0] for patch in axes.patches]  # type: ignore[index]
    assert greys[0] < greys[3] < greys[1] < greys[2] < 1
    assert min(greys) > 0.7  # black letters stay readable


# ---- the page ------------------------------------------------------------------------------------------------


def awkward(name: str) -> Figure:
    if name == "usual":
        return knock_chart(5, blocks=BLOCKS, seed=1).plot()
    if name == "long":
        return knock_chart(2, ["knock=8", MIXTURE], "traditional", blocks=BLOCKS, bot="draw=always").plot()
    if name == "one opponent":
        return knock_chart(4, "knock=10", blocks=BLOCKS).plot()
    return knock_chart(2, "knock=never", "ledger:max_turns=60", blocks=2).plot()  # huge intervals, thresholds never


@pytest.mark.parametrize("name", ["usual", "long", "one opponent", "two blocks"])
def test_no_text_is_cut_off_or_covered(name: str) -> None:
    figure = awkward(name)
    assert figure.get_size_inches() == pytest.approx((11.69, 8.27))
    for dpi in (150, 600):
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
        page = figure.bbox
        boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
        margin = 0.25 * dpi  # what printers leave white
        for text, box in boxes.items():
            assert page.x0 + margin <= box.x0 and box.x1 <= page.x1 - margin, text.get_text()
            assert page.y0 + margin <= box.y0 and box.y1 <= page.y1 - margin, text.get_text()
            covered = [other.get_text() for other, at in boxes.items() if other is not text and box.overlaps(at)]
            assert not covered, (text.get_text(), covered)
    has_room(figure, 1.2)


def test_the_page_says_what_it_rests_on() -> None:
    said = " ".join(" ".join(text.get_text() for text in found().plot().texts).split())
    for part in (
        *("When to knock: 3 players", "Knock if your deadwood is at most the number", "Rules: ledger", "300 blocks"),
        *("seed 4", "seed 9", "Drawing and discarding are fixed: all draw=improve:1,discard=greedy"),
    ):
        assert part in said
    assert "50,000" in replace(found(), blocks=60_000).caption()
    other = replace(found(), bot="draw=meld,discard=greedy").caption()
    assert "you, and all at the equilibrium, draw=meld,discard=greedy" in other


def test_what_is_no_equilibrium_is_not_called_one() -> None:
    chart = found()
    for upper, title in ((0.04, "Equilibrium: all play this panel"), (0.06, "No equilibrium found: all play this")):
        calm = replace(equilibrium(3, blocks=BLOCKS, seed=4, confirm_seed=9), gain_upper=upper)
        judged = calm.is_equilibrium
        panels = (*chart.panels[:-1], chart.panels[-1]._replace(gain_upper=upper, is_equilibrium=judged))
        shown = replace(chart, panels=panels)
        assert texts(shown.plot(), EQUILIBRIUM)[0] == title
        # The same judgement wherever it is told: on the page, in its text and JSON, and by the command alone.
        assert f"{title.partition(':')[0]}: all play this" in shown.table()
        assert shown.as_json()["panels"][-1]["is_equilibrium"] is judged is calm.as_json()["is_equilibrium"]  # type: ignore[index]
        assert ("No equilibrium was found" in calm.table()) is not judged
        assert ("no equilibrium" in calm.toml()) is not judged


def test_ranges_hold_the_threshold_shown() -> None:
    """Against the table of the panel itself, not around what answers it best."""
    frame = found().frame.dropna()
    assert set(frame["opponents"]) == {panel.opponents for panel in found().panels}
    assert ((frame["low"] <= frame["threshold"]) & (frame["threshold"] <= frame["high"])).all()


def test_frames_that_cannot_be_drawn_are_refused() -> None:
    chart = found()
    with pytest.raises(RequestError, match="no column reached"):
        knock_sheet(chart.frame.drop(columns="reached"), chart.answers, "")
    with pytest.raises(RequestError, match="one player count a page"):
        knock_sheet(pd.concat([chart.frame, chart.frame.assign(players=2)]), chart.answers, "")
    with pytest.raises(RequestError, match="got other opponents than answers"):
        knock_sheet(chart.frame, chart.answers.head(1), "")


# ---- files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("suffix", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_the_same_page_is_the_same_bytes(tmp_path: Path, suffix: str, start: bytes) -> None:
    one, two = (save(found().plot(), tmp_path / place / f"page.{suffix}").read_bytes() for place in "ab")
    assert one == two
    assert one.startswith(start)
    assert [file.name for file in (tmp_path / "a").iterdir()] == [f"page.{suffix}"]


@pytest.mark.parametrize("suffix", ["pdf", "png"])
def test_a_page_that_fails_leaves_the_old_file(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / f"page.{suffix}"
    file.write_text("old")

    def full(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(found().plot(), file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


# ---- the command ---------------------------------------------------------------------------------------------


def test_the_command_writes_the_page_and_says_what_is_on_it(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "knock.pdf"
    answer = command(*SHORT, "--out", file)
    assert (answer.code, answer.err) == (0, "")
    assert max(len(line) for line in answer.out.splitlines() if str(file) not in line) <= 80
    assert answer.out.endswith(f"wrote {file}\n")
    assert file.read_bytes().startswith(b"%PDF")


def test_json_needs_no_file(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = command(*SHORT, "--json").json
    assert not list(tmp_path.iterdir())
    assert document == json.loads(json.dumps(knock_chart(2, "knock=10", blocks=100).as_json()))
    assert list(document) == [
        *("chart", "rules", "players", "bot", "panels", "blocks", "search_seed", "confirm_seed")
    ]  # fmt: skip
    assert command(*SHORT, "--json", "--out", "page.svg").json == document
    assert [file.name for file in tmp_path.iterdir()] == ["page.svg"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("discard", "--players", "2", "--json"), "chart: got 'discard'; allowed: knock"),
        (("--players", "2", "--json"), "chart: got nothing; allowed: one of knock"),
        (("knock", "--json"), "players: got nothing; allowed: 2 to 5"),
        (("knock", "--players", "6", "--json"), "players: got '6'; allowed: 2 to 5"),
        (("knock", "--players", "2"), "out: got nothing; allowed: a name that ends in .pdf, .png or .svg"),
        (("knock", "--players", "2", "--out", "page.jpg"), "out: got 'page.jpg'; allowed: a name that ends in .pdf"),
        (("knock", "--players", "2", "--out", "no/page.pdf"), "out: got "),
        (("knock", "--players", "2", "--json", "--blocks", "1"), "blocks: got '1'; allowed: 2 to"),
        (("knock", "--players", "2", "--json", "--opponents", "knock=x"), "opponents: knock: got 'x'"),
        (("knock", "--players", "2", "--json", "--opponents", *"12345"), "opponents: got "),
        (("knock", "--players", "2", "--json", "--opponents", "knock=8", "knock=8"), "opponents: got 'knock=8' twice"),
        (("knock", "--players", "2", "--json", "--bot", "knock=3"), "bot: got "),
        (("knock", "--players", "2", "--json", "--confirm-seed", "0"), "confirm_seed: got "),
    ],
)
def test_wrong_requests_are_refused_before_any_work(
    command: Command, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rumsim.lab.knock_chart.answered", lambda *_, **__: pytest.fail("work was done"))
    answer = command("chart", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.splitlines()[0].startswith(f"rumsim chart: {said}")
    assert not list(tmp_path.iterdir())


def test_a_link_to_another_sort_of_file_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "page.pdf").symlink_to(tmp_path / "page.txt")
    assert "allowed: a name that ends in .pdf" in command(*SHORT, "--out", tmp_path / "page.pdf").refused()


def test_all_opponents_that_are_wrong_are_named() -> None:
    with pytest.raises(RequestError) as caught:
        read_opponents(["knock=x", "knock=8", "knock=1+2"], 3)
    assert len(caught.value.lines) == 2
    with pytest.raises(RequestError, match="^opponents: got 0; allowed: 1 to 4 bots or mixtures"):
        read_opponents([], 3)
