"""What do the rules' amounts do to the game: which undercut penalty, which knock limit makes waiting worthwhile?

Question   How do the equilibrium threshold, the length of deals, undercuts and the first seat's advantage depend on
           what an undercut knocker pays, and on the highest count that may knock?
Design     ledger but for one field: undercut 0, 10, … 60; knock_limit 0, 10, … 60. The equilibrium among knock
           schedules by seat and own turn and the one among constants, for 2 to 5 players; all draw improve:1 and
           discard greedily.
Seeds      1 to search, 2 to confirm
Runtime    about six minutes
Finding    in results/dial/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, named, table
from rumsim.charts.dial import equilibrium_dial
from rumsim.lab.vary import CALM, vary_equilibrium

PLAYERS = (2, 3, 4, 5)
DIALS = {"undercut": "0:60:10", "knock_limit": "0:60:10"}
BLOCKS, SEED, CONFIRM = 40_000, 1, 2
JOBS = os.cpu_count() or 1


def main() -> None:
    """Search, confirm, write."""
    out = Results("dial")
    lines = []
    for field, reach in DIALS.items():
        frames = []
        for players in PLAYERS:
            print(f"{field} {reach}, {players} players …", flush=True)
            found = vary_equilibrium(
                f"{field}={reach}", players, blocks=BLOCKS, seed=SEED, confirm_seed=CONFIRM, jobs=JOBS
            )
            frames.append(found.frame)
        frame = pd.concat(frames, ignore_index=True)
        caption = (
            f"Rules: ledger but for {field}. Equilibrium found on seed {SEED}, up to {BLOCKS:,}\n"
            f"blocks; points of seat 0, lengths and undercuts on seed {CONFIRM}, {BLOCKS:,} blocks."
        )
        forms = {
            "players": ("players", ""),
            "value": (field, ""),
            "threshold": ("knock at", ""),
            "turns": ("turns", ".2f"),
            "undercuts": ("undercut", ".1%"),
            "ev": ("seat 0", "+.2f"),
            "ev_se": ("s.e.", ".2f"),
            "gain_upper": ("gain <=", ".3f"),
            "constant": ("constant", ".0f"),
        }
        note = (
            "'knock at': first turn of seat 0. 'gain <=': what any answer gains at most, with\n"
            f"95 %; above {CALM} no schedule was found that is an equilibrium. 'constant': the\n"
            "equilibrium among constants, the mean of its mixture."
        )
        first = frame[frame["seat"] == 0]
        out.text(f"{field}.txt", f"{caption}\n{note}\n\n{table(first, forms)}")
        out.frame(f"{field}.csv", frame)
        conditions = " ".join(caption.split())
        out.chart(field, equilibrium_dial(frame, f"{conditions} All draw improve:1 and discard greedily."))
        lines += sentences(field, first)
    out.finding(lines)


def sentences(field: str, first: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    low, high = int(first["value"].min()), int(first["value"].max())
    for players, rows in first.groupby("players"):
        by_value = rows.set_index("value")
        calm = [int(value) for value in by_value.index[by_value["gain_upper"] <= CALM]]
        where = f"with {field} at {named(calm)}" if calm else "nowhere"
        lines.append(
            f"{players} players: among constants the equilibrium is to knock at {by_value.at[low, 'constant']:.0f} at "
            f"{field}={low} and at {by_value.at[high, 'constant']:.0f} at {high}. Among schedules one was found "
            f"{where}; deals last {by_value.at[low, 'turns']:.1f} table turns at {low} and "
            f"{by_value.at[high, 'turns']:.1f} at {high}."
        )
    return lines


if __name__ == "__main__":
    main()
