"""When should one knock, turn by turn? The pages to print.

Question   At how much should one knock on each own turn in each seat, against opponents who knock at 8, 10, 15 and 25,
           and where everybody answers everybody?
Design     ledger, 2 to 5 players; the best knock schedules by seat and own turn from traces, and the equilibrium among
           them; all draw improve:1 and discard greedily. Found on one seed; gains confirmed on another.
Seeds      1 to search, 2 to confirm
Runtime    about two minutes
Finding    in results/knock/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results
from rumsim.charts.style import save
from rumsim.lab.knock_chart import EQUILIBRIUM, KnockChart, knock_chart

PLAYERS = (2, 3, 4, 5)
BLOCKS, SEED, CONFIRM = 100_000, 1, 2
JOBS = os.cpu_count() or 1


def main() -> None:
    """Answer, confirm, write."""
    out = Results("knock")
    cells, answers, tables, lines = [], [], [], []
    for players in PLAYERS:
        print(f"{players} players …", flush=True)
        page = knock_chart(players, blocks=BLOCKS, seed=SEED, confirm_seed=CONFIRM, jobs=JOBS)
        for suffix in ("png", "pdf"):
            save(page.plot(), out.folder / f"knock-{players}.{suffix}")
            print(f"wrote results/{out.name}/knock-{players}.{suffix}")
        cells.append(page.frame)
        answers.append(page.answers)
        tables.append(page.table())
        lines += sentences(players, page)
    out.frame("cells.csv", pd.concat(cells, ignore_index=True))
    out.frame("answers.csv", pd.concat(answers, ignore_index=True))
    out.text("table.txt", "\n\n".join(tables))
    out.finding(lines)


def sentences(players: int, page: KnockChart) -> list[str]:
    """The answer in words, every number out of the page."""
    first = page.frame[(page.frame["seat"] == 0) & (page.frame["own_turn"] == 1)].set_index("opponents")["threshold"]
    lines = []
    for panel in page.panels:
        begin = f"the first to move knocks with up to {first[panel.opponents]:.0f}"
        if panel.opponents == EQUILIBRIUM:
            lines.append(
                f"{players} players: where everybody answers everybody, {begin}; nothing tried gains more than "
                f"{panel.gain_upper:.3f} points a deal."
            )
        else:
            lines.append(
                f"{players} players: against opponents {panel.opponents.split(',')[0]} {begin} on the first turn; the "
                f"schedule gains {panel.points.mean:+.2f} points a deal, the best constant, {panel.constant}, "
                f"{panel.constant_points.mean:+.2f}."
            )
    return lines


if __name__ == "__main__":
    main()
