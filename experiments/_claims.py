"""What the rule pages advise, as hypotheses: written down, with null and smallest interesting effect, before any run.

Pages 1 (French) and 2 (English) are called "The risk of ending early" and describe the ledger rules; page 3 (French,
"How to play Knock Rummy") and page 4 (Italian, "How to play") describe the traditional rules and share their tips.
"""

from __future__ import annotations

from dataclasses import dataclass, field

POINTS, CHANCE = "points a deal", "share"
BOTH, ALL = ("traditional", "ledger"), (2, 3, 4, 5)


@dataclass(frozen=True)
class Measure:
    """One way to test a claim, at each of several tables.

    Attributes
    ----------
    kind : str
        Which function of :mod:`experiments.advice` measures it.
    says : str
        What is measured, in words; a larger value speaks for the claim.
    unit : str
        ``POINTS`` or ``CHANCE``.
    null, least : float
        The value of no effect, and by how much it must be exceeded to be of interest at a table.
    setting : dict
        What the function needs beside rules and players.
    rules, players : tuple
        The tables: every pair of them; the numbers of players are joined where the measure compares them.
    """

    kind: str
    says: str
    unit: str
    null: float
    least: float
    setting: dict[str, object] = field(default_factory=dict)
    rules: tuple[str, ...] = BOTH
    players: tuple[int, ...] = ALL


@dataclass(frozen=True)
class Claim:
    """A piece of advice: a short name, what it says, the page, its measures; without these, what it would need."""

    name: str
    says: str
    source: str
    measures: tuple[Measure, ...] = ()
    needs: str = ""


def rather(own: int, other: int, table: int, least: float = 0.25, players: tuple[int, ...] = ALL) -> Measure:
    """What knocking at one count earns more than knocking at another."""
    says = f"points of knocking at {own} less those of knocking at {other}, others knock at {table}"
    return Measure("rather", says, POINTS, 0, least, {"own": own, "other": other, "table": table}, players=players)


def drawing(own: str, others: str, knock: int) -> Measure:
    """What a draw rule earns among players of another, all with one threshold."""
    says = f"points of draw={own} among others with draw={others}, all knock at {knock}"
    return Measure("drawing", says, POINTS, 0, 0.1, {"own": own, "others": others, "knock": knock})


def adapted(draw: str) -> Measure:
    """What the best threshold against players with a draw rule earns more than the best against improve:1."""
    says = f"points of the threshold that is best against draw={draw} less those of the one best against improve:1"
    return Measure("adapted", says, POINTS, 0, 0.1, {"draw": draw, "table": 10}, ("ledger",), (2, 3, 4))


def winning(table: int) -> Measure:
    """How often a knock with 6 to 8 on the fourth own turn wins."""
    says = f"win share of a knock with 6 to 8 on one's fourth turn, others knock at {table}"
    return Measure("winning", says, CHANCE, 0.5, 0.05, {"low": 6, "high": 8, "turn": 4, "table": table})


def holding(turn: int) -> Measure:
    """How many opponents hold 15 to 20."""
    says = f"share of opponents with 15 to 20 after {turn} own turn{'s' if turn > 1 else ''}, all knock at 10"
    return Measure("holding", says, CHANCE, 0.5, 0.05, {"low": 15, "high": 20, "turn": turn, "table": 10})


def lost(table: int, low: int, high: int, null: float, players: tuple[int, ...] = ALL, *, tied: bool) -> Measure:
    """How often knocks do not win."""
    how = "undercut or tied" if tied else "undercut"
    counts = f"knocks with {low} to {high}" if low else "knocks"
    says = f"share of {counts} that are {how}, all knock at {table}"
    setting: dict[str, object] = {"table": table, "low": low, "high": high, "tied": tied}
    return Measure("lost", says, CHANCE, null, 0, setting, players=players)


def company(kind: str, says: str, unit: str, least: float, table: int) -> Measure:
    """A quality of the game with 3 and 4 players less the same with 2 and 5."""
    return Measure(kind, f"{says}: 3 and 4 players less 2 and 5", unit, 0, least, {"table": table})


def nines(event: str, draw: str) -> Measure:
    """What a nine taken or discarded tells of the nines in the hand."""
    if event == "taken":
        null, least = 0.5, 0.05
        says = f"chance of a pair of 9s in the hand of who has taken a 9 in three turns, all draw={draw}, knock=10"
    else:
        null, least = 0, 0.02
        says = (
            f"chance of a pair of 9s without a 9 given back or taken in three turns less that of who has given one "
            f"back, all draw={draw}, knock=10"
        )
    return Measure("nines", says, CHANCE, null, least, {"event": event, "draw": draw}, ("traditional",), (3,))


CLAIMS = (
    Claim(
        "not perfect",
        "What matters is not a perfect hand but whether the others hold more.",
        "pages 1 and 2",
        (rather(10, 0, 10), rather(10, 0, 25)),
    ),
    Claim(
        "8-10, no later",
        "Knock with 8 to 10: who waits for better is caught up.",
        "page 3",
        (rather(10, 5, 10), rather(10, 5, 25)),
    ),
    Claim(
        "8-10, no earlier",
        "8 to 10 is the count to knock with (and so not a higher one).",
        "page 3",
        (rather(10, 25, 10), rather(10, 25, 25)),
    ),
    Claim(
        "6-8 wins",
        "6 to 8 after four turns is often a winning knock already.",
        "pages 3 and 4",
        (winning(10), winning(25)),
    ),
    Claim(
        "others 15-20",
        "Early on most opponents still hold 15 to 20.",
        "page 3",
        tuple(holding(turn) for turn in (1, 2, 3, 4, 5)),
    ),
    Claim(
        "two opponents: 15",
        "With two opponents, knocking at 15 or more is often right.",
        "page 3",
        (rather(15, 10, 10, players=(3,)), rather(15, 10, 25, players=(3,)), rather(25, 10, 10, players=(3,))),
    ),
    Claim(
        "four opponents: 10",
        "With four opponents even 10 can be risky.",
        "page 3",
        (
            rather(5, 10, 10, players=(5,)),
            rather(5, 10, 25, players=(5,)),
            lost(10, 8, 10, 0.25, (5,), tied=True),
        ),
    ),
    Claim(
        "appetite",
        "The best players fit their threshold to how eagerly the table takes discards.",
        "page 3",
        tuple(adapted(draw) for draw in ("stock", "meld", "always")),
    ),
    Claim(
        "only melds",
        "Take the discard only when it completes a meld.",
        "pages 3 and 4",
        (
            drawing("meld", "improve:1", 10),
            drawing("meld", "improve:1", 25),
            drawing("meld", "always", 10),
        ),
    ),
    Claim(
        "no ties",
        "Never knock for the tie; be a point ahead.",
        "pages 3 and 4",
        (rather(9, 10, 10, 0.05), rather(24, 25, 25, 0.05)),
    ),
    Claim(
        "can lose",
        "A legal knock can lose: more than one in twenty is beaten.",
        "pages 1 and 2",
        (lost(10, 0, 200, 0.05, tied=False), lost(25, 0, 200, 0.05, tied=False)),
    ),
    Claim(
        "limit of ten",
        "A knock limit of ten makes knocks safer.",
        "pages 3 and 4",
        (
            Measure(
                "limited",
                "share of knocks undercut without the limit less that with it, all knock at 25",
                CHANCE,
                0,
                0.02,
                {"table": 25, "limit": 10},
            ),
        ),
    ),
    Claim(
        "three or four",
        "Three or four players play best.",
        "pages 3 and 4",
        (
            company("decided", "share of deals that a knock wins outright, all knock at 10", CHANCE, 0.02, 10),
            company("fair", "minus the first seat's win share over 1/N, as a part of it, all at 10", CHANCE, 0.02, 10),
            company("skill", "points of 25 among 10 over their deviation in a deal", CHANCE, 0.02, 10),
        ),
    ),
    Claim(
        "a 9 tells",
        "Who gives back a 9 probably builds no pair of 9s; who takes one probably does.",
        "pages 3 and 4",
        tuple(nines(event, draw) for event in ("taken", "given") for draw in ("improve:1", "meld")),
    ),
    Claim(
        "low cards",
        "Keep aces, twos and threes as safe deadwood, but do not hoard them.",
        "pages 3 and 4",
        needs="bots whose discards weigh low cards otherwise than greedy does",
    ),
    Claim(
        "no gifts",
        "Give back nothing that completes an obvious run for an opponent.",
        "pages 3 and 4",
        needs="bots whose discards look at what the next player can use",
    ),
    Claim(
        "watch discards",
        "Follow every discard, and estimate the others' totals before a knock.",
        "pages 3 and 4",
        needs="bots whose knocks look at the cards seen",
    ),
    Claim(
        "beginners",
        "Beginners should play with the limit of ten.",
        "page 3",
        needs="bots that play as beginners do",
    ),
)
