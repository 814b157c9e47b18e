"""What is it worth to look at the ledger when a session is nearly over?

Question   How much more often does a bot win sessions that plays for the win at their end, in each format?
Design     The bot "closer" against tables of the same threshold bot without it, 2 to 5 players, ledger: at 10 and 25,
           as people knock, and at the equilibrium among constants (results/dial). Equal bots win one session in N
           each; what is above that is the gain. Where people knock too late, knocking with more is worthwhile
           anyway, so the ledger's own worth is what is left at the equilibrium; and as a control, in a match and a
           pool, a bot that knocks with 3 more in every deal. The rule was found on seed 1, in steps: which threshold
           wins most in a last deal, by the lead; then how many points more in a match and a pool. It is measured on
           seed 2.
Seeds      2
Runtime    two minutes
Finding    in results/endgame/finding.txt
"""

from __future__ import annotations

import os

import pandas as pd

from experiments._results import ROOT, Results, named, table
from rumsim.bots.closer import CloserBot
from rumsim.charts.endgame import gains_by_format
from rumsim.lab.session import session
from rumsim.session_rules import FORMATS
from rumsim.stats.families import together

PLAYERS, PEOPLE = (2, 3, 4, 5), (10, 25)
BLOCKS = {"rotation": 100_000, "cumulative": 60_000, "match": 40_000, "pool": 8_000}
SEED, UNDERCUT = 2, 10  # the rules' undercut, at which the dial stands


def main() -> None:
    """Play, print, write."""
    out = Results("endgame")
    rows = []
    for form in FORMATS:
        print(f"playing {form} …", flush=True)
        for players in PLAYERS:
            for knock in (*PEOPLE, equilibrium(players)):
                usual = play(form, players, knock, f"closer:knock={knock}")
                control = {}
                if form in ("match", "pool"):
                    control = play(form, players, knock, f"knock={knock + CloserBot().more}")
                all_at = f"equilibrium ({knock})" if knock not in PEOPLE else str(knock)
                bot = "at the equilibrium" if knock not in PEOPLE else f"all knock at {knock}"
                head = {"format": form, "players": players, "knock": knock, "all_at": all_at, "bot": bot}
                rows.append(head | usual | {f"always_{name}": control.get(name) for name in ("gain", "gain_se")})
    frame = pd.DataFrame(rows)
    ends = [together(row["gain"], row["gain_se"], row["blocks"] - 1, len(rows)) for row in rows]
    frame["gain_low"], frame["gain_high"] = zip(*ends, strict=True)
    blocks = ", ".join(f"{form} {many:,}" for form, many in BLOCKS.items())
    caption = (
        "Rules: ledger. One closer against the same threshold bot at all other places, draw improve:1, discard greedy. "
        f"Blocks: {blocks}, each in all rotations, seed {SEED}."
    )
    forms = {
        "format": ("format", ""),
        "players": ("players", ""),
        "all_at": ("all knock at", ""),
        "without": ("without", ".2%"),
        "win": ("wins", ".2%"),
        "gain": ("gain", "+.2%"),
        "gain_se": ("s.e.", ".2%"),
        "gain_low": ("from", "+.2%"),
        "gain_high": ("to", "+.2%"),
        "always_gain": ("always 3 more", "+.2%"),
        "always_gain_se": ("s.e.", ".2%"),
    }
    lines = caption.replace(". ", ".\n")
    lines += (
        "\nwithout: the chance to win if all are equal. from, to: of the gain; these intervals\n"
        "hold together with 95 %."
    )
    out.text("table.txt", f"{lines}\n\n{table(frame, forms)}")
    out.frame("endgame.csv", frame.drop(columns=["bot"]))
    out.chart("gain", gains_by_format(frame, caption))
    out.finding(sentences(frame))


def equilibrium(players: int) -> int:
    """The threshold at which all knock where no other constant is better, as the dial found it."""
    dial = pd.read_csv(ROOT / "dial/undercut.csv")
    found = dial.loc[(dial["value"] == UNDERCUT) & (dial["players"] == players), "constant"].iloc[0]
    if pd.isna(found):
        raise RuntimeError(f"{players} players: the dial found a mixture, which is not one threshold")
    return round(found)


def play(form: str, players: int, knock: int, bot: str) -> dict[str, float]:
    """One bot against all others who knock at a threshold."""
    found = session(players, [bot, f"knock={knock}"], form, BLOCKS[form], seed=SEED, jobs=os.cpu_count() or 1)
    without, wins = (1 - found.unfinished) / players, found.by_bot[0].wins
    return {
        "deals": found.deals.mean,
        "without": without,
        "win": wins.mean,
        "gain": wins.mean - without,
        "gain_se": wins.error,
        "blocks": found.blocks,
    }


def sentences(frame: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frame."""
    lines = []
    for form, rows in frame.groupby("format", sort=False):
        parts = []
        for bot, here in rows.groupby("bot", sort=False):
            here = here.sort_values("players")
            parts.append(f"{bot}, {shown(here, 'gain')}{verdict(here)}")
        lines.append(
            f"{str(form).capitalize()}: what closer wins above an equal chance with {named(PLAYERS)} players, in "
            f"percentage points with standard errors: {'; '.join(parts)}."
        )
        always = rows[rows["always_gain"].notna() & (rows["bot"] == "all knock at 25")].sort_values("players")
        if len(always):
            lines.append(
                f"But where all knock at 25, a bot that knocks with {CloserBot().more} more in every deal of a {form} "
                f"wins more often by {shown(always, 'always_gain')}, without a look at the ledger."
            )
    level = frame[frame["bot"] == "at the equilibrium"]
    parts = [
        f"{form} {100 * rows['gain'].min():+.2f} to {100 * rows['gain'].max():+.2f}"
        for form, rows in level.groupby("format", sort=False)
    ]
    lines.append(
        "People who knock at 10 and 25 knock too late in any deal, so part of each gain there is that closer knocks "
        f"with more. At the equilibrium it is not; over the player counts it gains {', '.join(parts)} there. (In a "
        "pool that is the full table's equilibrium: it knocks too late for the few who are left, as the control "
        "shows.) A gain is called clear where its interval, one of all that hold together with 95 %, leaves out 0."
    )
    return lines


def shown(rows: pd.DataFrame, value: str) -> str:
    """Gains in percentage points."""
    pairs = zip(rows[value], rows[f"{value}_se"], strict=True)
    return ", ".join(f"{100 * gain:+.2f} ± {100 * error:.2f}" for gain, error in pairs)


def verdict(rows: pd.DataFrame) -> str:
    """Say where it loses, and where nothing is clear."""
    losing = rows.loc[rows["gain_high"] < 0, "players"].tolist()
    unclear = rows.loc[(rows["gain_low"] <= 0) & (rows["gain_high"] >= 0), "players"].tolist()
    said = [f"loses with {named(losing)}"] if losing else []
    said += [f"not clear with {named(unclear)}"] if unclear else []
    return f" ({', '.join(said)})" if said else ""


if __name__ == "__main__":
    main()
