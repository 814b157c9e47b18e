"""What do the rules' amounts do to the game: which undercut penalty, which knock limit makes waiting worthwhile?

Question   How do the equilibrium threshold, the length of deals, undercuts and the first seat's advantage depend on
           what an undercut knocker pays, and on the highest count that may knock?
Design     ledger but for one field: undercut 0, 10, … 60; knock_limit 0, 10, … 60. The equilibrium among knock
           schedules by seat and own turn and the one among constants, for 2 to 5 players; all draw improve:1 and
           discard greedily.
Seeds      1 to search, 2 to confirm
Runtime    about four minutes
Finding    in results/dial/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, named, table
from rumsim.charts.dial import equilibrium_dial
from rumsim.lab.equilibrium import CALM
from rumsim.lab.vary import VariedEquilibrium, vary_equilibrium

PLAYERS = (2, 3, 4, 5)
DIALS = {"undercut": "0:60:10", "knock_limit": "0:60:10"}
BLOCKS, SEED, CONFIRM = 20_000, 1, 2
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
            frames.append(described(found))
        frame = pd.concat(frames, ignore_index=True)
        out.frame(f"{field}.csv", frame)
        lines += written(out, field, frame)
    out.finding(lines)


def written(out: Results, field: str, frame: pd.DataFrame) -> list[str]:
    """Write table and chart of a field; return the answer in words."""
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
        "is_equilibrium": ("equilibrium", ""),
        "constants_gain_upper": ("gain <=", ".3f"),
        "constants": ("constants, with their weights", ""),
    }
    note = (
        "'knock at': first turn of seat 0. 'gain <=': what a knock schedule gains at most\n"
        f"against that, with 95 %; above {CALM} it is no equilibrium, and none was found.\n"
        "'constants': where all draw one threshold a deal from a mixture; beside it what\n"
        "a constant gains at most, above the same no equilibrium among constants either."
    )
    first = frame[frame["seat"] == 0]
    said = first.assign(is_equilibrium=first["is_equilibrium"].map({True: "yes", False: "not found"}))
    out.text(f"{field}.txt", f"{caption}\n{note}\n\n{table(said, forms)}")
    conditions = " ".join(caption.split())
    conditions += " All draw improve:1 and discard greedily. No cross: none was found among constants."
    # A mixture that constants answer too well is no equilibrium among them.
    shown = frame.assign(mixture=frame["mixture"].where(frame["constants_gain_upper"] <= CALM, ""))
    out.chart(field, equilibrium_dial(shown, conditions))
    return sentences(field, first)


def described(found: VariedEquilibrium) -> pd.DataFrame:
    """Add the equilibria among constants in words, and what a constant gains against them at most."""
    weights = {value: one.constants for value, one in zip(found.values, found.results, strict=True)}
    return found.frame.assign(
        constants=found.frame["value"].map({value: one.text() for value, one in weights.items()}),
        constants_gain_upper=found.frame["value"].map({value: one.gain_upper for value, one in weights.items()}),
    )


def sentences(field: str, first: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for players, rows in first.sort_values("value").groupby("players"):
        calm, rest = rows[rows["is_equilibrium"]], rows[~rows["is_equilibrium"]]
        text = f"{players} players, {field}: "
        if len(calm):
            knocks = ["never" if one < 0 else f"{one:.0f}" for one in calm["threshold"]]
            text += (
                f"an equilibrium among knock schedules was found at {named(list(calm['value']))}, the first to move "
                f"knocking with up to {named(knocks)}; deals last {named([f'{one:.1f}' for one in calm['turns']])} "
                "table turns."
            )
        else:
            text += "no equilibrium among knock schedules was found."
        if len(rest):
            gains = rest["gain_upper"]
            text += (
                f" At {named(list(rest['value']))} none was found: the bound on what answers gain to the schedules "
                f"that the search came to is {gains.min():.2f} to {gains.max():.2f} points a deal, so they do not tell "
                "what people come to there."
            )
        lines.append(text)
        mixed = rows[rows["constants_gain_upper"] <= CALM]
        if len(rest) and len(mixed):
            parts = [f"at {row.value} {row.constants}" for row in mixed.itertuples()]
            lines.append(
                f"{players} players, {field}, one threshold for all turns of a deal, drawn from a mixture that no "
                f"constant answers better by more than {CALM} points: {'; '.join(parts)}."
            )
    return lines


if __name__ == "__main__":
    main()
