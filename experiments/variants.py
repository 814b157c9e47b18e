"""What does each variant change?

Question   What do the variants of the rule pages do to the best threshold, to the equilibrium, to the seats, to
           undercuts and to the length of a deal?
Design     For `ledger`, each of its variants and `traditional`, with 2 to 5 players: the best constant threshold
           against opponents at 10 and at 25; the equilibrium among schedules, with its bound from other decks; and
           a table of equal players at 10, as people play. All draw improve:1 and discard greedily.
Seeds      0 to search, 1 to confirm; 2 for the equal players
Runtime    about ten minutes
Finding    in results/variants/finding.txt
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pandas as pd

from experiments._results import Results, named, span, table
from rumsim.charts.variants import threshold_by_variant
from rumsim.lab.equilibrium import CALM, equilibrium
from rumsim.lab.respond import respond
from rumsim.lab.simulate import simulate

PLAYERS, OPPONENTS, EQUAL = (2, 3, 4, 5), (10, 25), 10
CASES = {
    "ledger": "ledger",
    "rum-knock": "ledger:rum-knock",
    "no-knock": "ledger:no-knock",
    "joker-knock": "ledger:joker-knock",
    "ace-high": "ledger:ace-high",
    "seven": "ledger:seven",
    "traditional": "traditional",
}
RESPOND_BLOCKS, BLOCKS, EQUAL_BLOCKS = 40_000, 200_000, 40_000
JOBS = os.cpu_count() or 1


def main() -> None:
    """Play, print, write."""
    out = Results("variants")
    frame = pd.DataFrame([row for name in CASES for row in measured(name)])
    out.text("answers.txt", f"{CAPTION}\n\n{table(frame, ANSWERS)}")
    out.text("equilibria.txt", f"{EQUILIBRIA_CAPTION}\n\n{table(frame, EQUILIBRIA)}")
    out.frame("variants.csv", frame)
    shown = frame.assign(equilibrium=frame["equilibrium"].where(frame["is_equilibrium"]))
    out.chart("thresholds", threshold_by_variant(shown, CHART_CAPTION))
    out.finding(sentences(frame))


def measured(name: str) -> Iterator[dict[str, object]]:
    """Return a row for each number of players."""
    rules = CASES[name]
    for players in PLAYERS:
        print(f"playing {rules} with {players} …", flush=True)
        row: dict[str, object] = {"variant": name, "rules": rules, "players": players}
        for opponents in OPPONENTS:
            answer = respond(players, f"knock={opponents}", rules, blocks=RESPOND_BLOCKS, jobs=JOBS)
            points = answer.constant_points
            row |= {
                f"best_{opponents}": answer.constant,
                f"set_low_{opponents}": min(answer.not_beaten),
                f"set_high_{opponents}": max(answer.not_beaten),
                f"low_{opponents}": answer.within[0],
                f"high_{opponents}": answer.within[1],
                f"ev_{opponents}": points.mean,
                f"ev_se_{opponents}": points.error,
            }
        found = equilibrium(players, rules, blocks=BLOCKS, jobs=JOBS)
        row |= {
            "equilibrium": found.constant,
            "first": "/".join(str(max(found.first_threshold(seat), 0)) for seat in range(players)),
            "knock": found.knock(),
            "bound": max(found.gain_upper, 0.0),
            "is_equilibrium": found.is_equilibrium,
            "first_seat": found.seats[0][0],
            "first_seat_se": found.seats[0][1],
            "turns": found.turns,
            "undercut": found.undercuts,
        }
        equal = simulate(players, f"knock={EQUAL}", EQUAL_BLOCKS, rules, seed=2, jobs=JOBS)
        seat = equal.seat_points[0]
        row |= {
            "equal_turns": equal.turns,
            "equal_undercut": equal.ends["undercut"],
            "equal_rum": equal.ends["rum"],
            "equal_first_seat": seat.mean,
            "equal_first_seat_se": seat.error,
        }
        yield row


CAPTION = (
    f"Best own constant threshold against opponents who all knock at {OPPONENTS[0]}, and at {OPPONENTS[1]}, with the\n"
    "thresholds that it does not beat with 95 % each (the true best is one of them), those within 0.02 points of\n"
    f"it, and its points a deal: found on {RESPOND_BLOCKS:,} blocks of seed 0, points from as many of seed 1. At the\n"
    f"right a table at which all knock at {EQUAL}, {EQUAL_BLOCKS:,} blocks of seed 2: table turns, shares of deals\n"
    "with an undercut and with rum, points of the first seat. All draw improve:1 and discard greedily."
)
ANSWERS = {
    "variant": ("variant", ""),
    "players": ("players", ""),
    **{
        f"{what}_{opponents}": (head, form)
        for opponents in OPPONENTS
        for what, head, form in (
            *(("best", f"at {opponents}: best", ""), ("set_low", "not beaten", ""), ("set_high", "to", "")),
            *(("low", "within", ""), ("high", "to", "")),
            *(("ev", "points", "+.2f"), ("ev_se", "s.e.", ".2f")),
        )
    },
    "equal_turns": ("turns", ".1f"),
    "equal_undercut": ("undercut", ".2%"),
    "equal_rum": ("rum", ".1%"),
    "equal_first_seat": ("first seat", "+.2f"),
    "equal_first_seat_se": ("s.e.", ".2f"),
}
EQUILIBRIA_CAPTION = (
    "Equilibria among knock schedules by seat and own turn, found on 50,000 blocks of seed 0. Bound: with 95 %\n"
    f"no such schedule gains more points a deal, from {BLOCKS:,} blocks of seed 1; above {CALM} it is none. First\n"
    "turns: the threshold of each seat's first turn. Constant: the best constant against it. Points of the first\n"
    "seat, table turns, and the share of deals with an undercut, when all play it."
)
EQUILIBRIA = {
    "variant": ("variant", ""),
    "players": ("players", ""),
    "first": ("first turns", ""),
    "equilibrium": ("constant", ""),
    "bound": ("bound", ".3f"),
    "first_seat": ("first seat", "+.2f"),
    "first_seat_se": ("s.e.", ".2f"),
    "turns": ("turns", ".2f"),
    "undercut": ("undercut", ".1%"),
}
CHART_CAPTION = (
    f"Variants of ledger, and traditional; 2 to 5 players. Found on seed 0: best constants on {RESPOND_BLOCKS:,} "
    "blocks, each in all rotations, equilibria among schedules on 50,000. Thin bars: thresholds within 0.02 points a "
    "deal of the best. No triangle: no equilibrium was found. All draw improve:1 and discard greedily."
)


def best(row: pd.Series, opponents: int) -> str:
    """The thresholds that may be the best against such opponents."""
    return span(row[f"set_low_{opponents}"], row[f"set_high_{opponents}"])


def sentences(frame: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    by = {name: rows.set_index("players") for name, rows in frame.groupby("variant")}
    plain = by["ledger"]
    lines = []
    for opponents in OPPONENTS:
        parts = [
            f"{name} {', '.join(best(by[name].loc[n], opponents) for n in PLAYERS)}"
            for name in CASES
            if name != "no-knock"
        ]
        lines.append(
            f"Best threshold against opponents at {opponents}, with 95 % each, with 2, 3, 4 and 5 players: "
            f"{'; '.join(parts)}. Under no-knock there is nothing to choose: a deal ends only with 0."
        )
    for name, rows in by.items():
        if name in ("ledger", "no-knock"):
            continue
        found = [n for n in PLAYERS if rows.loc[n, "is_equilibrium"] and plain.loc[n, "is_equilibrium"]]
        apart = [n for n in found if rows.loc[n, "first"] != plain.loc[n, "first"]]
        parts = [f"{rows.loc[n, 'first']} (under ledger {plain.loc[n, 'first']}) with {n}" for n in apart]
        text = (
            f"At the equilibrium found, first turns under {name} knock at {'; '.join(parts)} players." if parts else ""
        )
        if same := [n for n in found if n not in apart]:
            text += f" With {named(same)} players the same was found under {name} as under ledger."
        if none := [n for n in PLAYERS if not rows.loc[n, "is_equilibrium"]]:
            text += f" With {named(none)} players no equilibrium was found under {name}."
        lines.append(text.strip())
    lines.append(
        "First turns differ between searches, and others are as good: results/knock has such ranges for ledger. So a "
        "few points more or less than under ledger are not shown to be a difference."
    )
    jokers, rum = by["joker-knock"], by["no-knock"]
    lines.append(
        "Where all knock at 10, two jokers shorten a deal from "
        + ", ".join(
            f"{plain.loc[n, 'equal_turns']:.1f} to {jokers.loc[n, 'equal_turns']:.1f} turns with {n}" for n in PLAYERS
        )
        + " players, and no-knock stretches it to "
        + ", ".join(f"{rum.loc[n, 'equal_turns']:.1f}" for n in PLAYERS)
        + "."
    )
    calm = frame[frame["is_equilibrium"]]
    lines.append(
        f"Of {len(frame)} searches {len(calm)} came to an equilibrium, with bounds of at most "
        f"{calm['bound'].max():.3f} points a deal."
    )
    return lines


if __name__ == "__main__":
    main()
