"""How much skill shows in an evening?

Question   How many sessions tell a bot that is better by one point a deal, in a rotation, in ten deals, in a match and
           in a pool? And how often does the equilibrium bot win each of them against careful and eager opponents?
Design     `ledger`, 2 to 5 players. One player knocks with thresholds, by seat, a little above the others' 10, so that
           it earns as close to one point a deal as can be; then one plays the equilibrium among schedules against
           opponents at 5 and at 50. All draw improve:1 and discard greedily. A match is played to 200, a pool without
           re-entries, in which bots keep their thresholds when players go out, though hands may grow then.
Seeds      0 to search for thresholds and equilibria, 1 to confirm; 5 for the sessions
Runtime    about two minutes
Finding    in results/skill/finding.txt
"""

from __future__ import annotations

import os
from math import inf, sqrt
from statistics import NormalDist

import pandas as pd

from experiments._results import Results, named, table
from rumsim.charts.skill import deals_needed
from rumsim.engine.requests import TWELFTHS
from rumsim.lab.equilibrium import equilibrium
from rumsim.lab.session import SessionStudy, session
from rumsim.lab.simulate import simulate

PLAYERS = (2, 3, 4, 5)
FORMATS = {"rotation": "a rotation", "cumulative": "ten deals", "match": "a match to 200", "pool": "a pool"}
WORTH, TABLE, CAREFUL, EAGER = 1.0, 10, 5, 50
SEARCHED, BLOCKS, SEED = 100_000, 20_000, 5
LEVEL, POWER = 0.05, 0.8
JOBS = os.cpu_count() or 1


def main() -> None:
    """Play, print, write."""
    out = Results("skill")
    skill = pd.DataFrame([row for players in PLAYERS for row in better_by_a_point(players)])
    chances = pd.DataFrame([row for players in PLAYERS for row in at_equilibrium(players)])
    out.text("sessions.txt", f"{SKILL_CAPTION}\n\n{table(skill, SKILL, left=2)}")
    out.text("equilibrium.txt", f"{CHANCES_CAPTION}\n\n{table(chances, CHANCES, left=2)}")
    out.frame("sessions.csv", skill)
    out.frame("equilibrium.csv", chances)
    out.chart("deals", deals_needed(skill, CHART_CAPTION))
    out.finding(sentences(skill, chances))


def better_by_a_point(players: int) -> list[dict[str, object]]:
    """Return, for each format, how well a bot does that is better by a point, and how many sessions show it."""
    knock, worth = worth_a_point(players)
    bots = [f"knock={knock}", f"knock={TABLE}"]
    rows = []
    for name, shown in FORMATS.items():
        print(f"playing {shown} with {players} …", flush=True)
        study = session(players, bots, name, BLOCKS, seed=SEED, jobs=JOBS)
        first = study.by_bot[0]
        deals = study.deals.mean
        assert first.wins.mean is not None and first.points.mean is not None and deals is not None
        by_wins = sessions_by_wins(1 / players, first.wins.mean)
        # The chance to win is estimated: the ends of its interval need more sessions, and fewer.
        assert first.wins.interval is not None
        most, least = (sessions_by_wins(1 / players, chance) for chance in first.wins.interval)
        rows.append(
            {
                "players": players,
                "format": shown,
                "knock": knock,
                "ev": worth,
                "deals": deals,
                "win": first.wins.mean,
                "win_se": first.wins.error,
                "points": first.points.mean,
                "points_se": first.points.error,
                "sessions_by_wins": by_wins,
                "sessions_low": least,
                "sessions_high": most,
                "deals_by_wins": by_wins * deals,
                "deals_low": least * deals,
                "deals_high": most * deals,
                "sessions_by_points": sessions_by_points(study),
            }
        )
    return rows


def worth_a_point(players: int) -> tuple[str, float]:
    """Return the knock that earns closest to a point from the table, and what it earns: a little above theirs.

    It is raised seat by seat, as a whole point of the threshold is too coarse a step.  Far above the best threshold a
    bot is better by a point once more, but then it plays another game, of quick knocks.
    """
    found = []
    for low in range(TABLE, TABLE + 3):
        for raised in range(1, players + 1):
            knock = "+".join([str(low + 1)] * raised + [str(low)] * (players - raised))
            bots = [f"knock={knock}", f"knock={TABLE}"]
            worth = simulate(players, bots, SEARCHED, seed=0, jobs=JOBS).points[0].mean
            assert worth is not None
            found.append((abs(worth - WORTH), knock, worth))
    _, knock, worth = min(found)
    return knock, worth


def sessions_by_wins(fair: float, chance: float) -> float:
    """Return after how many sessions a test of wins against a fair share finds this chance, four times in five."""
    if chance <= fair:
        return inf
    normal = NormalDist()
    reach = normal.inv_cdf(1 - LEVEL / 2) * sqrt(fair * (1 - fair)) + normal.inv_cdf(POWER) * sqrt(
        chance * (1 - chance)
    )
    return (reach / (chance - fair)) ** 2


def sessions_by_points(study: SessionStudy) -> float | None:
    """Return the same for a test of the first bot's net points against 0; None for pools, where all stakes are won."""
    tally = study.by_bot[0].ledger
    if study.format.name == "pool" or tally is None or not tally.mean:
        return None
    square = sum(int(value) ** 2 * int(many) for value, many in zip(tally.values, tally.counts, strict=True))
    deviation = sqrt(square / tally.total - tally.mean**2) / TWELFTHS
    normal = NormalDist()
    return ((normal.inv_cdf(1 - LEVEL / 2) + normal.inv_cdf(POWER)) * deviation * TWELFTHS / tally.mean) ** 2


def at_equilibrium(players: int) -> list[dict[str, object]]:
    """Return how often the equilibrium bot wins each format against careful and eager opponents."""
    found = equilibrium(players, blocks=SEARCHED, jobs=JOBS)
    if not found.is_equilibrium:
        raise RuntimeError(f"{players} players: no equilibrium was found, so there is no such bot")
    knock = found.knock()
    rows = []
    for name, shown in FORMATS.items():
        row: dict[str, object] = {"players": players, "format": shown, "fair": 1 / players}
        for kind, threshold in (("careful", CAREFUL), ("eager", EAGER)):
            study = session(players, [f"knock={knock}", f"knock={threshold}"], name, BLOCKS, seed=SEED, jobs=JOBS)
            wins = study.by_bot[0].wins
            row |= {kind: wins.mean, f"{kind}_se": wins.error, f"{kind}_deals": study.deals.mean}
        rows.append(row)
    return rows


SKILL_CAPTION = (
    f"Rules: ledger. One player knocks by seat as shown, which earns its points a deal ({SEARCHED:,} blocks\n"
    f"of seed 0) from opponents who all knock at {TABLE}. {BLOCKS:,} blocks of N sessions, seed {SEED}: its\n"
    f"chance to win a session, and its points from one. Needed: sessions after which a test at {LEVEL:.0%} sees it in\n"
    f"{POWER:.0%} of cases, by wins against a fair share (from, to: where the chance to win lies with 95 %) and by\n"
    "net points against 0; deals, by wins. Bots keep their thresholds when players go out of a pool; with two left,\n"
    "hands have ten cards."
)
SKILL = {
    "players": ("players", ""),
    "format": ("format", ""),
    "knock": ("knocks at", ""),
    "ev": ("a deal", "+.2f"),
    "deals": ("deals", ".1f"),
    "win": ("wins", ".1%"),
    "win_se": ("s.e.", ".2%"),
    "points": ("points", "+.1f"),
    "sessions_by_wins": ("needed by wins", ",.0f"),
    "sessions_low": ("from", ",.0f"),
    "sessions_high": ("to", ",.0f"),
    "sessions_by_points": ("by points", ",.0f"),
    "deals_by_wins": ("deals needed", ",.0f"),
}
CHANCES_CAPTION = (
    "Rules: ledger. One player knocks as the equilibrium among schedules says, all others at\n"
    f"{CAREFUL} (careful) or {EAGER} (eager). {BLOCKS:,} blocks of N sessions, seed {SEED}: its chance to win one,\n"
    "beside a fair share, and the mean number of deals. In a pool it keeps the thresholds of the full table when\n"
    "players go out; with two left, hands have ten cards and these thresholds are too low."
)
CHANCES = {
    "players": ("players", ""),
    "format": ("format", ""),
    "fair": ("fair", ".1%"),
    "careful": ("careful", ".1%"),
    "careful_se": ("s.e.", ".2%"),
    "careful_deals": ("deals", ".1f"),
    "eager": ("eager", ".1%"),
    "eager_se": ("s.e.", ".2%"),
    "eager_deals": ("deals", ".1f"),
}
CHART_CAPTION = (
    f"Rules: ledger. A bot that is better by about one point a deal than opponents who knock at {TABLE}, "
    f"{BLOCKS:,} blocks of N sessions a mark, seed {SEED}. Deals after which a test of the sessions won, at "
    f"{LEVEL:.0%}, finds it in {POWER:.0%} of cases; farther left a format shows skill sooner."
)


def sentences(skill: pd.DataFrame, chances: pd.DataFrame) -> list[str]:
    """The answer in words, every number out of the frames."""
    lines = []
    for name, rows in skill.groupby("format", sort=False):
        by = rows.set_index("players")
        wins = ", ".join(f"{by.loc[n, 'win']:.1%}" for n in PLAYERS)
        needed = "; ".join(f"{by.loc[n, 'sessions_low']:,.0f} to {by.loc[n, 'sessions_high']:,.0f}" for n in PLAYERS)
        lines.append(
            f"A player who is better by about a point a deal wins {name} with a chance of {wins} "
            f"with {named(PLAYERS)} players; to tell by who won takes, with 95 % each, {needed} of them."
        )
    parts = []
    for players, rows in skill.groupby("players"):
        # Those whose interval meets that of the format with the fewest deals may be the soonest, too.
        soonest = rows[rows["deals_low"] <= rows.loc[rows["deals_by_wins"].idxmin(), "deals_high"]]
        low, high = soonest["deals_low"].min(), soonest["deals_high"].max()
        parts.append(f"{' or '.join(soonest['format'])} ({low:,.0f} to {high:,.0f} deals) with {players}")
    lines.append(f"Deal for deal, skill shows soonest in {', '.join(parts)} players.")
    for kind in ("careful", "eager"):
        parts = [
            f"{rows[kind].min():.0%} to {rows[kind].max():.0%} with {players} (fair: {rows['fair'].iloc[0]:.0%})"
            for players, rows in chances.groupby("players")
        ]
        lines.append(
            f"Against {kind} opponents the equilibrium bot wins, over the formats, {', '.join(parts)} players."
        )
    return lines


if __name__ == "__main__":
    main()
