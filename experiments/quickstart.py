"""A first look: which knock threshold earns most against a table that knocks at 10?

Question   How does the threshold change what a player earns and how often it wins, with 2 to 5 players?
Design     A focal bot with threshold 0, 10, … 60 against opponents with 10, 200 blocks, all rotations, same decks.
Seeds      1
Runtime    about a minute
Finding    in results/quickstart/: a table and a chart.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from rumsim.charts.style import save
from rumsim.charts.threshold import points_by_threshold
from rumsim.lab.simulate import simulate
from rumsim.lab.tables import columns, number

RESULTS = Path(__file__).parent.parent / "results" / "quickstart"
BLOCKS, SEED, TABLE = 200, 1, 10
THRESHOLDS = range(0, 61, 10)


def main() -> None:
    """Play, print the table, write it with the chart."""
    rows = []
    for players in (2, 3, 4, 5):
        print(f"playing {BLOCKS} blocks with {players} players …", flush=True)
        for focal in THRESHOLDS:
            result = simulate(players, [f"knock={focal}", f"knock={TABLE}"], BLOCKS, seed=SEED)
            points, wins = result.points[0], result.wins[0]
            rows.append((players, focal, points.mean, points.error, wins.mean, wins.error))
    frame = pd.DataFrame(rows, columns=["players", "focal", "ev", "ev_se", "win", "win_se"])
    table = columns(
        [["players", "knock at", "points a deal", "s.e.", "win share", "s.e."]]
        + [
            [
                f"{r.players}",
                f"{r.focal}",
                number(r.ev),
                number(r.ev_se, ".3f"),
                number(r.win, ".4f"),
                number(r.win_se, ".4f"),
            ]
            for r in frame.itertuples()
        ]
    )
    caption = (
        f"Rules: ledger. Opponents knock at {TABLE}; all draw improve:1, discard greedy. "
        f"{BLOCKS} blocks (decks, each in all rotations), seed {SEED}. Bars: 95 % intervals over blocks."
    )
    print(f"\n{table}\n")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "thresholds.txt").write_text(f"{caption}\n\n{table}\n", encoding="utf-8", newline="\n")
    chart = points_by_threshold(frame, f"opponents who knock at {TABLE}", caption)
    for suffix in ("svg", "png"):
        save(chart, RESULTS / f"thresholds.{suffix}")
        print(f"wrote results/quickstart/thresholds.{suffix}")


if __name__ == "__main__":
    main()
