"""How long do deals last, and how do they end?

Question   How do the length of deals and their ends depend on the threshold at which all players knock?
Design     Tables of equal bots at 0, 5, 8, 10, 15, 25 and 40 and bots that never knock, 2 to 5 players, both profiles.
Seeds      1
Runtime    under a minute
Finding    in results/length/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, table
from rumsim.charts.knocks import knock_distribution
from rumsim.lab.simulate import Simulation, simulate

PLAYERS, KNOCKS = (2, 3, 4, 5), ("0", "5", "8", "10", "15", "25", "40", "never")
BLOCKS, SEED = 10_000, 1
SHOWN = ("10", "25")


def main() -> None:
    """Play, print, write."""
    out = Results("length")
    rows: list[dict[str, object]] = []
    knocks = []
    for profile in ("ledger", "traditional"):
        for players in PLAYERS:
            print(f"playing {profile}, {players} players …", flush=True)
            for knock in KNOCKS:
                blocks = BLOCKS // 10 if knock == "never" else BLOCKS
                result = simulate(players, f"knock={knock}", blocks, profile, seed=SEED, jobs=os.cpu_count() or 1)
                rows.append(
                    {"rules": profile, "players": players, "all_at": knock, "turns": result.turns, **result.ends}
                )
                if profile == "ledger" and knock in SHOWN:
                    knocks.append(histograms(result, players, knock))
    frame = pd.DataFrame(rows)
    caption = (
        f"Equal bots at all places, draw improve:1, discard greedy. {BLOCKS:,} blocks a table ({BLOCKS // 10:,} where\n"
        f"nobody knocks), each in all rotations, seed {SEED}. Shares of all deals; rum, undercut\n"
        "and tied are parts of knock; turns: mean table turns."
    )
    forms = {
        "rules": ("rules", ""),
        "players": ("players", ""),
        "all_at": ("all at", ""),
        "turns": ("turns", ".1f"),
        **{end: (end, ".2%") for end in ("knock", "rum", "undercut", "tied", "exhausted", "stalled")},
    }
    out.text("table.txt", f"{caption}\n\n{table(frame, forms)}")
    out.frame("ends.csv", frame)
    chart = knock_distribution(
        pd.concat(knocks, ignore_index=True),
        f"Rules: ledger. Equal bots at all places, draw improve:1, discard greedy. {BLOCKS:,} blocks a table, each in "
        f"all rotations, seed {SEED}.",
    )
    out.chart("knocks", chart)
    out.finding(sentences(frame))


def histograms(result: Simulation, players: int, knock: str) -> pd.DataFrame:
    """The own turn and the count at the knock."""
    found = [
        pd.DataFrame({"what": what, "value": range(len(numbers[0])), "knocks": numbers[0]})
        for what, numbers in (("turn", result.knock_turns), ("deadwood", result.knock_counts))
    ]
    frame = pd.concat(found, ignore_index=True).assign(players=players, bot=f"knock={knock}")
    return frame[frame["knocks"] > 0]


def sentences(frame: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for profile, rows in frame.groupby("rules", sort=False):
        at = {knock: part.sort_values("players") for knock, part in rows.groupby("all_at")}
        turns = {knock: at[knock]["turns"] / at[knock]["players"] for knock in ("10", "25")}
        ends = {name: ", ".join(f"{share:.1%}" for share in at["10"][name]) for name in ("exhausted", "stalled")}
        undercut = {knock: ", ".join(f"{share:.1%}" for share in at[knock]["undercut"]) for knock in ("10", "25")}
        lines.append(
            f"{profile}: where all knock at 10, a deal lasts {turns['10'].min():.1f} to {turns['10'].max():.1f} rounds "
            f"of turns, at 25 {turns['25'].min():.1f} to {turns['25'].max():.1f}. With 2, 3, 4 and 5 players who knock "
            f"at 10, {ends['exhausted']} of deals run out of stock and {ends['stalled']} stall; the knocker is "
            f"undercut in {undercut['10']} of deals at 10, and in {undercut['25']} at 25."
        )
    return lines


if __name__ == "__main__":
    main()
