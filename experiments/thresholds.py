"""Which constant knock threshold earns most against people who knock at 8, 10, 15 or 25?

Question   What is the best constant threshold for 2 to 5 players, how much does it earn, and how flat is the top?
Design     A focal bot with thresholds 0, 2, … 80 against opponents who all use 8, 10, 15 or 25; ledger; all draw
           improve:1 and discard greedily; the same decks in every cell. The best is chosen on one seed and what it
           earns is estimated on another, because the best of many looks better than it is.
Seeds      1 to choose, 2 to confirm
Runtime    about a minute
Finding    in results/thresholds/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, named, table
from rumsim.lab.simulate import simulate
from rumsim.lab.sweep import sweep

PLAYERS, OPPONENTS, THRESHOLDS = (2, 3, 4, 5), (8, 10, 15, 25), "0:80:2"
BLOCKS, SEED, CONFIRM = 15_000, 1, 2
FLAT = 0.1  # points a deal
JOBS = os.cpu_count() or 1


def main() -> None:
    """Choose, confirm, write."""
    out = Results("thresholds")
    print("playing the curves …", flush=True)
    found = sweep(PLAYERS, THRESHOLDS, BLOCKS, seed=SEED, table=OPPONENTS, jobs=JOBS, progress=True)
    curves = found.frame
    rows = []
    for (players, opponents), curve in curves.groupby(["players", "table"]):
        best = curve.loc[curve["ev"].idxmax()]
        flat = curve.loc[curve["ev"] >= best["ev"] - FLAT, "focal"]
        fresh = simulate(
            players, [f"knock={best['focal']:.0f}", f"knock={opponents}"], BLOCKS * 4, seed=CONFIRM, jobs=JOBS
        )
        points, wins = fresh.points[0], fresh.wins[0]
        rows.append(
            {
                "players": players,
                "opponents": opponents,
                "best": int(best["focal"]),
                "flat_low": int(flat.min()),
                "flat_high": int(flat.max()),
                "ev": points.mean,
                "ev_se": points.error,
                "win": wins.mean,
                "win_se": wins.error,
            }
        )
    answers = pd.DataFrame(rows)
    caption = (
        f"Rules: ledger. Best of thresholds {THRESHOLDS} on seed {SEED} ({BLOCKS:,} blocks);\n"
        f"points a deal and win share of that threshold on seed {CONFIRM} ({4 * BLOCKS:,} blocks).\n"
        f"'within {FLAT}': thresholds whose points on seed {SEED} are within {FLAT} of the best."
    )
    forms = {
        "players": ("players", ""),
        "opponents": ("opponents at", ""),
        "best": ("best", ""),
        "flat_low": (f"within {FLAT}: from", ""),
        "flat_high": ("to", ""),
        "ev": ("points a deal", "+.3f"),
        "ev_se": ("s.e.", ".3f"),
        "win": ("win share", ".4f"),
    }
    out.text("table.txt", f"{caption}\n\n{table(answers, forms)}")
    out.frame("best.csv", answers)
    out.frame("curves.csv", curves[["players", "focal", "table", "ev", "ev_se", "win", "win_se", "blocks"]])
    for opponents in OPPONENTS:
        out.chart(f"against-{opponents}", found.plot("ev", opponents))
    out.finding(sentences(answers))


def sentences(answers: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for opponents, rows in answers.groupby("opponents"):
        best = [int(value) for value in rows.sort_values("players")["best"]]
        gains = rows.sort_values("players")["ev"]
        lines.append(
            f"Against opponents who knock at {opponents} the best threshold is {named(best)} with "
            f"{named(PLAYERS)} players; it earns {gains.min():+.2f} to {gains.max():+.2f} points a deal."
        )
    folklore = answers[answers["opponents"] == 10]
    lines.append(
        "The rule pages advise to knock at 8 to 10. Against a table that does so at 10, no player count has its best "
        f"threshold below {folklore['best'].min()}."
    )
    return lines


if __name__ == "__main__":
    main()
