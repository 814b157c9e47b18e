"""Which constant knock threshold earns most against people who all knock at another?

Question   What is the best constant threshold for 2 to 5 players against every other, how sure is that, how much does
           it earn, and how flat is the top?
Design     Every threshold 0, 1, … 80 against every other, read off traces; ledger; all draw improve:1 and discard
           greedily; the same decks in every cell. The best is found on one seed and what it earns is estimated on
           another, because the best of many looks better than it is. Beside it stand the thresholds that it does not
           beat with 95 %, on the decks of the search: the true best is one of them.
Seeds      1 to search, 2 to confirm
Runtime    under a minute
Finding    in results/thresholds/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, named, span, table
from rumsim.lab.sweep import SLICES, sweep
from rumsim.lab.sweep_frames import FLAT

PLAYERS, THRESHOLDS = (2, 3, 4, 5), "0:80:1"
BLOCKS, SEED, CONFIRM = 400_000, 1, 2
JOBS = os.cpu_count() or 1


def main() -> None:
    """Trace, confirm, write."""
    out = Results("thresholds")
    print("tracing the grid …", flush=True)
    found = sweep(PLAYERS, THRESHOLDS, BLOCKS, seed=SEED, confirm_seed=CONFIRM, jobs=JOBS, progress=True)
    answers = found.best[found.best["table"].isin(SLICES)].reset_index(drop=True)
    fixed = fixed_points(found.best)
    caption = (
        f"Rules: ledger. Best of thresholds {THRESHOLDS} on seed {SEED}, {BLOCKS:,} blocks;\n"
        f"points a deal of that threshold, with a band that holds the whole curve with\n"
        f"95 %, on seed {CONFIRM}, as many blocks. 'not beaten': thresholds that the best does not\n"
        f"beat on seed {SEED}, with 95 % for each row: the true best is one of them. 'within\n"
        f"{FLAT}': thresholds around the best that lose no more points to it on seed {SEED}."
    )
    forms = {
        "players": ("players", ""),
        "table": ("opponents at", ""),
        "best": ("best", ""),
        "set_low": ("not beaten: from", ""),
        "set_high": ("to", ""),
        "low": (f"within {FLAT}: from", ""),
        "high": ("to", ""),
        "ev": ("points a deal", "+.3f"),
        "ev_se": ("s.e.", ".3f"),
        "ev_band_low": ("band from", "+.3f"),
        "ev_band_high": ("to", "+.3f"),
    }
    out.text("table.txt", f"{caption}\n\n{table(answers, forms)}")
    out.frame("best.csv", found.best)
    usual = found.frame["table"].isin(SLICES)
    out.frame("curves.csv", found.frame[usual])
    for name, value in (("points", "ev"), ("wins", "win"), ("best", "best"), ("slices", "slices")):
        out.chart(name, found.plot(value))
    worst = float(found.frame["ev_se"].max())
    out.finding(
        [*sentences(answers, fixed), f"Standard errors over blocks are at most {worst:.3f} points in any cell."]
    )


def fixed_points(best: pd.DataFrame) -> pd.DataFrame:
    """The opponents' thresholds that lie in the flat range of the best answers to them, by player count."""
    answered = best[(best["low"] <= best["table"]) & (best["table"] <= best["high"])]
    return answered.groupby("players")["table"].agg(["min", "max"])


def sentences(answers: pd.DataFrame, fixed: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for opponents, rows in answers.sort_values("players").groupby("table"):
        sets = [span(low, high) for low, high in zip(rows["set_low"], rows["set_high"], strict=True)]
        lines.append(
            f"Against opponents who knock at {opponents} the best threshold is, with 95 % each, {named(sets)} with "
            f"{named(PLAYERS)} players; the best found earns {rows['ev'].min():+.2f} to {rows['ev'].max():+.2f} points "
            "a deal."
        )
    folklore = answers[answers["table"] == 10]
    lines.append(
        "The rule pages advise to knock at 8 to 10. Against a table that does so at 10, a threshold below "
        f"{folklore['set_low'].min()} is the best for no player count (with 95 % each)."
    )
    ranges = [f"{low} to {high} with {players}" for players, low, high in fixed.itertuples()]
    lines.append(
        f"Constants to which no other constant was found to be better by more than {FLAT} points, on the decks of the "
        f"search: {'; '.join(ranges)} players."
    )
    return lines


if __name__ == "__main__":
    main()
