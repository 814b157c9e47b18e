"""What experiments say of their results: sets, ranges over searches, and no more equilibria than were found."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from experiments import dial, endgame, knock, skill, thresholds, variants
from experiments._results import ROOT, named, span


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(ROOT / name)


def test_ranges_and_lists_are_written_in_words() -> None:
    assert [span(32, 34), span(10.0, 10.0), span(-1, 80)] == ["32 to 34", "10", "never to 80"]
    assert [named([2]), named([2, 3]), named(["a", "b", "c"]), named([])] == ["2", "2 and 3", "a, b and c", ""]


def test_the_dial_calls_nothing_an_equilibrium_that_is_none() -> None:
    rows = {
        "players": 2,
        "value": [0, 10, 30],
        "threshold": [80, 72, 40],
        "turns": [1.0, 1.03, 3.2],
        "gain_upper": [0.0, 0.02, 1.3],
        "is_equilibrium": [True, True, False],
        "constant": [80.0, 72.0, np.nan],
        "constants": ["80", "72", "0 (44%), 27-33 (56%)"],
        "constants_gain_upper": [0.0, 0.01, 0.03],
    }
    found, mixed = dial.sentences("undercut", pd.DataFrame(rows))
    assert "was found at 0 and 10" in found and "up to 80 and 72" in found and "At 30 none was found" in found
    assert "40" not in found and "3.2" not in found  # of the schedule that is no equilibrium nothing is told
    assert "at 30 0 (44%), 27-33 (56%)" in mixed
    nowhere = dial.sentences("undercut", pd.DataFrame(rows).assign(is_equilibrium=False))
    assert "no equilibrium among knock schedules was found" in nowhere[0]


def test_the_committed_dials_have_one_judgement() -> None:
    for field in dial.DIALS:
        frame = read(f"dial/{field}.csv")
        assert (frame["is_equilibrium"] == (frame["gain_upper"] <= dial.CALM)).all()
        # A mixture's mean is no threshold.
        assert (frame["constant"].isna() == frame["constants"].astype(str).str.contains("%", regex=False)).all()
        told = " ".join(sentence for sentence in dial.sentences(field, frame[frame["seat"] == 0]))
        assert " ".join((ROOT / "dial/finding.txt").read_text(encoding="utf-8").split()).find(told.split(". ")[0]) >= 0


def test_a_best_threshold_lies_in_its_set_and_is_told_as_one() -> None:
    best = read("thresholds/best.csv")
    assert ((best["set_low"] <= best["best"]) & (best["best"] <= best["set_high"])).all()
    usual = best[best["table"].isin([8, 10, 15, 25])]
    assert usual["set_high"].gt(usual["set_low"]).any()
    told = thresholds.sentences(usual, thresholds.fixed_points(best))
    for row in usual.itertuples():
        assert span(row.set_low, row.set_high) in next(line for line in told if f"knock at {row.table} the" in line)
    frame = read("variants/variants.csv")
    for opponents in variants.OPPONENTS:
        low, high = frame[f"set_low_{opponents}"], frame[f"set_high_{opponents}"]
        assert ((low <= frame[f"best_{opponents}"]) & (frame[f"best_{opponents}"] <= high)).all()


def test_first_turns_of_equilibria_are_ranges_over_searches() -> None:
    searches = read("knock/searches.csv")
    assert searches.groupby("players")["seed"].nunique().eq(len(knock.AGAIN)).all()
    finding = " ".join((ROOT / "knock/finding.txt").read_text(encoding="utf-8").split())
    for players, rows in searches[searches["is_equilibrium"]].groupby("players"):
        text = finding.partition(f"{players} players: where everybody answers everybody")[2].partition("players:")[0]
        assert f"with up to {span(rows['first'].min(), rows['first'].max())}." in text


def test_sessions_needed_are_an_interval() -> None:
    assert math.isinf(skill.sessions_by_wins(0.5, 0.49))  # never, where the chance may be below a fair share
    frame = read("skill/sessions.csv")
    assert (
        (frame["sessions_low"] < frame["sessions_by_wins"]) & (frame["sessions_by_wins"] < frame["sessions_high"])
    ).all()
    rows = frame[frame["players"] == 2].assign(
        deals_low=[1, 2, 3, 9], deals_by_wins=[2, 3, 4, 10], deals_high=[3, 4, 5, 11]
    )
    told = skill.sentences(pd.concat([rows, frame[frame["players"] > 2]]), read("skill/equilibrium.csv"))
    assert any("soonest in a rotation or ten deals or a match to 200 (1 to 5 deals) with 2" in line for line in told)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.1, 0.2, ""), (-0.1, 0.2, " (not clear with 3)"), (-0.2, -0.1, " (loses with 3)")],
)
def test_a_gain_is_clear_by_an_interval_that_holds_with_all_others(low: float, high: float, said: str) -> None:
    assert endgame.verdict(pd.DataFrame({"players": [3], "gain_low": [low], "gain_high": [high]})) == said
    frame = read("endgame/endgame.csv")
    narrow = frame["gain_high"] - frame["gain"] > 3 * frame["gain_se"]  # 48 at once, not 1.96
    assert narrow[frame["gain_se"] > 0].all()
