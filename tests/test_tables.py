"""Tables: 80 columns whatever the bots are called, and the same numbers as CSV and markdown."""

import csv as csv_files
import io
import re

import numpy as np
import pandas as pd
import pytest

import rumsim
from rumsim.lab.tables import WIDTH, csv, folded, markdown, number, text, who_ends

SCHEDULES = (
    "knock=40/35/30/28/26+38/33/30+41/20/never+10/11/12/13/14+9/8/7/6",
    "knock=10",
    "knock=12/11/10/9/8/7/6,draw=meld",
    "knock=never,draw=stock",
    "knock=" + "/".join(str(t) for t in range(60, 0, -1)),
)
SWEEP = pd.DataFrame(
    {
        "players": [2, 5],
        "focal": [0, 60],
        "table": [10, 10],
        "ev": [-3.25, 1 / 3],
        "ev_se": [0.5, np.nan],
        "ev_band_low": [-4.0, np.nan],
        "ev_band_high": [-2.5, np.nan],
        "win": [0.25, 0.5],
        "win_se": [0.01, None],
        "blocks": [12345, 1],
        "knock": [0.9, 1.0],
        "rum": [0.0, 0.0],
        "undercut": [0.1, 0.2],
        "tied": [0.01, 0.02],
        "exhausted": [0.1, 0.0],
        "stalled": [0.0, 0.0],
        "turns": [8.5, 1.25],
    }
)


def widest(written):
    return max(map(len, written.splitlines()))


@pytest.mark.parametrize(
    ("players", "bots"), [(5, SCHEDULES), (5, SCHEDULES[:1]), (2, SCHEDULES[3:]), (3, ["knock=25"])]
)
@pytest.mark.parametrize("rules", ["ledger", "traditional:ace-high,undercut=999,rum_bonus=998,knock_limit=199"])
def test_what_simulate_prints_fits_80_columns(players, bots, rules):
    result = rumsim.simulate(players, bots, 2, rules, seed=10**15)
    written = result.table()
    assert widest(written) <= WIDTH
    joined = re.sub(r"\s+", "", written)
    for bot in bots:  # nothing is lost, only folded
        assert bot in joined


def test_usual_bots_stand_in_their_rows():
    written = rumsim.simulate(2, ["knock=25", "knock=10"], 200, seed=1).table()
    assert widest(written) <= WIDTH
    assert re.search(r"^knock=25,draw=improve:1 +\+\d+\.\d{3} ", written, re.MULTILINE)


def test_bots_by_number_are_listed_below():
    written = text({"bot": ["a" * 70, "knock=10", "a" * 70], "ev": [1.0, 2.0, 3.0], "ev_se": [0.1, 0.1, 0.1]})
    assert [line.split()[0] for line in written.splitlines()[2:5]] == ["0", "1", "0"]
    assert f"bot 0: {'a' * 70}" in written.splitlines()
    assert "bot 1: knock=10" in written.splitlines()


def test_a_wide_frame_becomes_several_tables_with_the_same_keys():
    written = text(SWEEP)
    assert widest(written) <= WIDTH
    parts = written.split("\n\n")
    assert len(parts) > 1
    for part in parts:
        rows = [line.split() for line in part.splitlines()[-2:]]
        assert [row[:3] for row in rows] == [["2", "0", "10"], ["5", "60", "10"]]
    for said in ("-3.250", "-4.000 to -2.500", "12,345", "20.00%", "1.25"):
        assert said in written


def test_what_does_not_exist_is_a_dash():
    lines = text(SWEEP[["players", "ev_se", "ev_band_low", "ev_band_high"]]).splitlines()
    assert lines[2].split() == ["5", "-", "-"]
    assert text({"seat": [0], "ev": [None]}).splitlines()[1].split() == ["0", "-"]
    assert text({"focal": [10.0, None]}).splitlines() == ["knock at", "10", "-"]  # pandas makes floats of such


def test_huge_numbers_keep_the_width():
    assert widest(text({"seat": [0], "ev": [1e300], "ev_se": [-1e300], "ev_low": [1e300], "ev_high": [1e300]})) <= WIDTH


def test_a_frame_without_rows_has_its_heads():
    assert text(SWEEP.head(0)[["players", "ev"]]) == "players  points a deal"
    assert markdown(SWEEP.head(0)[["players"]]).splitlines() == ["| players |", "|---:|"]
    assert csv(SWEEP.head(0)[["players"]]) == "players\n"


def test_csv_keeps_every_digit_and_name():
    found = list(csv_files.DictReader(io.StringIO(csv(SWEEP))))
    assert list(found[0]) == list(SWEEP)
    assert float(found[1]["ev"]) == 1 / 3
    assert found[1]["ev_se"] == found[1]["win_se"] == ""
    assert found[0]["blocks"] == "12345"
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(csv(SWEEP))), SWEEP)


def test_csv_quotes_bots():
    rows = list(csv_files.reader(io.StringIO(csv({"bot": ["knock=10,draw=meld", 'a "b"\nc']}))))
    assert rows == [["bot"], ["knock=10,draw=meld"], ['a "b"\nc']]


def test_markdown_says_what_the_text_says():
    columns = ["players", "focal", "ev", "win"]
    rows = [line.strip("| ").split(" | ") for line in markdown(SWEEP[columns]).splitlines()]
    assert rows[0] == ["players", "knock at", "points a deal", "win share"]
    assert [row for row in rows[2:]] == [line.split() for line in text(SWEEP[columns]).splitlines()[1:]]


def test_markdown_keeps_its_columns():
    assert markdown({"bot": ["a|b"]}).splitlines()[-1] == "| a\\|b |"


def test_who_ends_deals_how():
    found = who_ends(["a", "b"], [[1, 0, 3], [0, 0, 0]], [[0, 2, 2], [0, 0, 0]], 8)
    assert found == {
        "bot": ["a", "b"],
        "knocks": [4, 0],
        "knocks_share": [0.5, 0.0],
        "turn_median": [1, None],
        "deadwood_median": [2, None],
    }
    assert who_ends(["a"], [[0]], [[0]], 0)["knocks_share"] == [None]


def test_knocks_of_all_bots_are_the_knocks_of_all_deals():
    result = rumsim.simulate(3, ["knock=40", "knock=12"], 40, seed=3)
    found = who_ends(result.bots, result.knock_counts, result.knock_turns, result.deals)
    assert sum(found["knocks_share"]) == pytest.approx(result.ends["knock"])
    assert "Knocks that ended a deal" in result.table()


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (None, "+.3f", "-"),
        (float("nan"), ".2%", "-"),
        (-0.0, "+.3f", "+0.000"),
        (-0.0001, ".3f", "0.000"),
        (1.0, ".2%", "100.00%"),
        (1e20, "+.3f", "1e+20"),
    ],
)
def test_numbers(value, form, said):
    assert number(value, form) == said


def test_folding_loses_nothing():
    for width in (12, 20, 41, 80):
        lines = folded(SCHEDULES[0], "bot 0: ", width)
        assert max(map(len, lines)) <= max(width, 15)
        assert "".join(line[7:] for line in lines) == SCHEDULES[0]


def test_no_number_is_cut_in_two_by_a_line_end() -> None:
    said = (
        "on 40,000 blocks of 1,234,567 it earns +5.2 points (+4.9 to -5.5), 95 % of 3-4 deals, knock=40/35+38,draw=meld"
    )
    numbers = re.findall(r"\d+(?:,\d{3})+|[+-]\d\.\d|95 %|3-4", said)
    for width in range(20, 80):
        whole = "\n".join(folded(said, width=width))
        assert [number for number in numbers if number not in whole] == []
