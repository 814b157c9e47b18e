"""What is it worth to move first?

Question   How do points and win shares depend on the seat, when all players are alike?
Design     Tables of equal bots that knock at 10, 25 and 40, 2 to 5 players, ledger. Equal bots earn exactly 0 over a
           block, so what is left is the seat.
Seeds      1
Runtime    under a minute
Finding    in results/seats/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, table
from rumsim.charts.seats import points_by_seat
from rumsim.lab.simulate import simulate
from rumsim.lab.simulation_frames import seats_frame

PLAYERS, THRESHOLDS = (2, 3, 4, 5), (10, 25, 40)
BLOCKS, SEED = 60_000, 1


def main() -> None:
    """Play, print, write."""
    out = Results("seats")
    frames = []
    for players in PLAYERS:
        print(f"playing {players} players …", flush=True)
        for threshold in THRESHOLDS:
            result = simulate(players, f"knock={threshold}", BLOCKS, seed=SEED, jobs=os.cpu_count() or 1)
            frames.append(seats_frame(result).assign(bot=f"all knock at {threshold}", threshold=threshold))
    frame = pd.concat(frames, ignore_index=True)
    caption = (
        f"Rules: ledger. Equal bots at all places, draw improve:1, discard greedy. {BLOCKS:,} blocks a table, "
        f"each in all rotations, seed {SEED}."
    )
    forms = {
        "players": ("players", ""),
        "threshold": ("all knock at", ""),
        "seat": ("seat", ""),
        "ev": ("points a deal", "+.3f"),
        "ev_se": ("s.e.", ".3f"),
        "win": ("win share", ".4f"),
        "win_se": ("s.e.", ".4f"),
    }
    out.text("table.txt", f"{caption.replace('. ', '.' + chr(10))}\n\n{table(frame, forms)}")
    out.frame("seats.csv", frame[list(forms)])
    out.chart("seats", points_by_seat(frame, caption))
    out.finding(sentences(frame))


def sentences(frame: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for threshold, rows in frame.groupby("threshold"):
        first = rows[rows["seat"] == 0].sort_values("players")
        last = rows[rows["seat"] == rows["players"] - 1].sort_values("players")
        parts = [
            f"{a.ev:+.2f} ± {a.ev_se:.2f} against {b.ev:+.2f} ± {b.ev_se:.2f} with {a.players} players"
            for a, b in zip(first.itertuples(), last.itertuples(), strict=True)
        ]
        lines.append(
            f"Where all knock at {threshold}, the first seat earns, points a deal with standard errors, "
            f"against the last: {'; '.join(parts)}."
        )
    return lines


if __name__ == "__main__":
    main()
