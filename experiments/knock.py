"""When should one knock, turn by turn? The pages to print.

Question   At how much should one knock on each own turn in each seat, against opponents who knock at 8, 10, 15 and 25,
           and where everybody answers everybody?
Design     ledger, 2 to 5 players; the best knock schedules by seat and own turn from traces, and the equilibrium among
           them; all draw improve:1 and discard greedily. Found on one seed; gains confirmed on another. An equilibrium
           is flat: the search is run several times on other decks, and the thresholds it comes to are given as ranges.
Seeds      1 to search, 2 to confirm; 1, 3, 5, 7, 9 for the searches again, each confirmed on the next
Runtime    about six minutes
Finding    in results/knock/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import Results, span, table
from rumsim.charts.style import save
from rumsim.lab.equilibrium import CALM, equilibrium
from rumsim.lab.knock_chart import EQUILIBRIUM, KnockChart, knock_chart

PLAYERS = (2, 3, 4, 5)
BLOCKS, SEED, CONFIRM = 100_000, 1, 2
AGAIN, AGAIN_BLOCKS = (1, 3, 5, 7, 9), 50_000
JOBS = os.cpu_count() or 1


def main() -> None:
    """Answer, confirm, write."""
    out = Results("knock")
    cells, answers, tables, lines, searches = [], [], [], [], []
    for players in PLAYERS:
        print(f"{players} players …", flush=True)
        page = knock_chart(players, blocks=BLOCKS, seed=SEED, confirm_seed=CONFIRM, jobs=JOBS)
        for suffix in ("png", "pdf"):
            save(page.plot(), out.folder / f"knock-{players}.{suffix}")
            print(f"wrote results/{out.name}/knock-{players}.{suffix}")
        cells.append(page.frame)
        answers.append(page.answers)
        tables.append(page.table())
        again = searched(players)
        searches.append(again)
        lines += sentences(players, page, again)
    runs = pd.concat(searches, ignore_index=True)
    out.frame("searches.csv", runs)
    out.text("searches.txt", f"{SEARCHES_CAPTION}\n\n{table(runs, SEARCHES)}")
    out.frame("cells.csv", pd.concat(cells, ignore_index=True))
    out.frame("answers.csv", pd.concat(answers, ignore_index=True))
    out.text("table.txt", "\n\n".join(tables))
    out.finding(lines)


def searched(players: int) -> pd.DataFrame:
    """Search for the equilibrium on several decks; a row a search."""
    rows = []
    for seed in AGAIN:
        print(f"{players} players, search on seed {seed} …", flush=True)
        found = equilibrium(players, blocks=AGAIN_BLOCKS, seed=seed, confirm_seed=seed + 1, jobs=JOBS)
        rows.append(
            {
                "players": players,
                "seed": seed,
                "first": found.first_threshold(0),
                "knock": found.knock(),
                "gain_upper": max(found.gain_upper, 0.0),
                "is_equilibrium": found.is_equilibrium,
            }
        )
    return pd.DataFrame(rows)


SEARCHES_CAPTION = (
    f"The search for an equilibrium, ledger, run again on {AGAIN_BLOCKS:,} blocks of other seeds, each confirmed on\n"
    f"as many of the next seed. 'first': first turn of seat 0. 'gain <=': what an answer gains at most, with 95 %;\n"
    f"above {CALM} it is no equilibrium."
)
SEARCHES = {
    "players": ("players", ""),
    "seed": ("seed", ""),
    "first": ("first", ""),
    "gain_upper": ("gain <=", ".3f"),
    "knock": ("knock", ""),
}


def sentences(players: int, page: KnockChart, again: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the page and the searches."""
    opening = page.frame[(page.frame["seat"] == 0) & (page.frame["own_turn"] == 1)].set_index("opponents")
    lines = []
    for panel in page.panels:
        first = opening.loc[panel.opponents]
        if panel.opponents != EQUILIBRIUM:
            lines.append(
                f"{players} players: against opponents {panel.opponents.split(',')[0]} the first to move knocks with "
                f"up to {first['threshold']:.0f} on the first turn ({span(first['low'], first['high'])} lose at most "
                f"0.02 points); the schedule gains {panel.points.mean:+.2f} points a deal, the best constant "
                f"{panel.constant_points.mean:+.2f}; that is, with 95 %, "
                f"{span(min(panel.not_beaten), max(panel.not_beaten))}."
            )
            continue
        calm = again[again["is_equilibrium"]]
        text = f"{players} players: where everybody answers everybody, "
        if len(calm):
            text += (
                f"{len(calm)} of {len(again)} searches came to an equilibrium among knock schedules, with bounds of at "
                f"most {calm['gain_upper'].max():.3f} points a deal; the first to move knocks in them with up to "
                f"{span(calm['first'].min(), calm['first'].max())}."
            )
        else:
            text += f"none of {len(again)} searches came to an equilibrium among knock schedules."
        lines.append(text)
    return lines


if __name__ == "__main__":
    main()
