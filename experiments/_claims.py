"""What the rule pages advise, as claims that can fail.

Measures, null values and smallest interesting effects were written down before anything here was measured.  Known
before from results/thresholds: the best constants against people who knock at 8, 10, 15 and 25.

The verdict of a case follows one rule.  It holds, if the null hypothesis is rejected at 5 % (Holm over all cases of all
claims) and the whole 95 % interval lies on the claim's side of the null value, at least the smallest interesting effect
away from it.  It fails, if the whole interval lies short of that.  Between them it is undecided.  A claim holds or
fails with all its cases, depends if some hold and some fail, and is open otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

PAGE_1 = "page 1 (French, 'Le risque de terminer tôt', ledger)"
PAGE_2 = "page 2 (English, 'The risk of ending early', ledger)"
PAGE_3 = "page 3 (French, 'Comment jouer à Knock Rummy', traditional)"
PAGE_4 = "page 4 (Italian, 'Come si gioca', traditional)"
PAGES = (PAGE_1, PAGE_2, PAGE_3, PAGE_4)

SEED, SEARCH_SEED = 21, 22  # measured on the one; what had to be searched for was searched for on the other

FOLK, EARLY = "knock=10", "knock=25"  # people who follow the pages, and people who knock early


@dataclass(frozen=True)
class Case:
    """One test of a claim.

    Attributes
    ----------
    players : int
        At the table.
    mine : str
        What the studied player does; for some measures what is compared.
    instead : str
        What is compared with it, if anything.
    opponents : str
        All others; what is left out is the default of a bot.
    turn : int
        The own turn on which it is looked at; 0 for all.
    rules : str
        The rules of the game.
    """

    players: int
    mine: str = ""
    instead: str = ""
    opponents: str = FOLK
    turn: int = 0
    rules: str = "traditional"


@dataclass(frozen=True)
class Claim:
    """A piece of advice and how it is tested.

    Attributes
    ----------
    key, says : str
        A name, and what the pages say, in short.
    sources : tuple of str
        The pages that say it.
    measure : str
        What is estimated in each case; ``unit`` says whether in points or as a share.
    kind : str
        Which measurement of ``experiments.advice`` it is.
    null : str
        The null hypothesis; ``reference`` is the value of the measure under it.
    sign : int
        1 if the claim puts the measure above the reference, -1 if below.
    least : float
        The smallest effect on the claim's side that is worth a player's attention; in the unit of the measure.
    cases : tuple of Case
        The tables at which it is tested; none for what needs bots that are not built.
    needs : str
        Those bots.
    """

    key: str
    says: str
    sources: tuple[str, ...]
    measure: str = ""
    kind: str = ""
    unit: str = "points"
    null: str = ""
    reference: float = 0.0
    sign: int = 1
    least: float = 0.25
    cases: tuple[Case, ...] = ()
    needs: str = ""


ALL = (2, 3, 4, 5)
GAIN = "points a deal of a player at the one threshold less those at the other, on the same decks"
EQUAL = "both earn the same"

CLAIMS = (
    # ---- at how much to knock ------------------------------------------------------------------------------------
    Claim(
        "perfect",
        "Knocking with 8 to 10 is better than waiting for a perfect hand.",
        PAGES[2:],
        f"{GAIN}: 10 against waiting for 0, or for 5",
        "gain",
        null=EQUAL,
        cases=(
            *(Case(n, "knock=10", "knock=0") for n in ALL),
            Case(3, "knock=10", "knock=0", EARLY),
            Case(3, "knock=10", "knock=5"),
            Case(5, "knock=10", "knock=5"),
        ),
    ),
    Claim(
        "eight-to-ten",
        "8 to 10 is the count to knock with, rather than a higher one.",
        PAGES[2:],
        f"{GAIN}: 10 against 20",
        "gain",
        null=EQUAL,
        cases=(*(Case(n, "knock=10", "knock=20") for n in ALL), Case(3, "knock=10", "knock=20", EARLY)),
    ),
    Claim(
        "decent",
        "Knock early with a decent hand: a low threshold as in Gin is not needed.",
        PAGES[2:],
        f"{GAIN}: 15 against 8",
        "gain",
        null=EQUAL,
        cases=tuple(Case(n, "knock=15", "knock=8") for n in ALL),
    ),
    Claim(
        "six-to-eight-wins",
        "A hand of 6 to 8 after four turns is often already a winning knock.",
        PAGES[2:],
        "share won by knocks with 6 to 8 on the fourth own turn, where nobody knocked before",
        "knock_wins",
        "share",
        null="half of them win",
        reference=0.5,
        least=0.05,
        cases=tuple(Case(n, "6 to 8", turn=4) for n in ALL),
    ),
    Claim(
        "six-to-eight-now",
        "With 6 to 8 after four turns, knock now.",
        PAGES[2:],
        "points of that knock less those of playing on until 5 or less",
        "now",
        null=EQUAL,
        least=0.5,
        cases=tuple(Case(n, "6 to 8", "knock=5", turn=4) for n in ALL),
    ),
    Claim(
        "above-twenty",
        "One may knock even with more than 20, if the others are thought to have more.",
        PAGES[2:],
        "points of a knock with 21 to 25 on the second own turn less those of playing on until 20 or less",
        "now",
        null=EQUAL,
        least=0.5,
        cases=tuple(Case(n, "21 to 25", "knock=20", turn=2) for n in ALL),
    ),
    Claim(
        "fifteen-to-twenty",
        "When one knocks with 8 to 10, most opponents still hold 15 to 20.",
        PAGES[2:],
        "share of opponents with 15 to 20 at such a knock, all at 10; by own turn of the knock, and over all",
        "between",
        "share",
        null="half of them do",
        reference=0.5,
        least=0.05,
        cases=(*(Case(n, "15 to 20") for n in ALL), *(Case(3, "15 to 20", turn=turn) for turn in (2, 3, 4, 5, 6))),
    ),
    # ---- how many, and how eager, the others are -----------------------------------------------------------------
    Claim(
        "two-others",
        "With two others, knocking at 15 or more is often right.",
        PAGES[2:3],
        f"{GAIN}: 15 against 10",
        "gain",
        null=EQUAL,
        cases=tuple(Case(3, "knock=15", "knock=10", other) for other in (FOLK, "knock=15", EARLY)),
    ),
    Claim(
        "four-others-lose",
        "With four others even 10 can be risky: such knocks are lost.",
        PAGES[2:3],
        "share of knocks with 8 to 10 that do not win, after the first round of turns",
        "risk",
        "share",
        null="none is lost",
        least=0.2,
        cases=tuple(Case(5, "knock=10", opponents=other) for other in (FOLK, "knock=5", "knock=0")),
    ),
    Claim(
        "four-others-lower",
        "With four others it is better to wait for less than 10.",
        PAGES[2:3],
        f"{GAIN}: 5 against 10",
        "gain",
        null=EQUAL,
        cases=tuple(Case(5, "knock=5", "knock=10", other) for other in (FOLK, "knock=5", "knock=0", EARLY)),
    ),
    Claim(
        "numbers",
        "The best threshold depends on how many the others are.",
        PAGES[2:3],
        "points a deal of the best constant for this table less those of the best constant for three players; "
        "both found on other decks",
        "numbers",
        null=EQUAL,
        least=0.1,
        cases=tuple(Case(n, "best", "best for 3") for n in (2, 4, 5)),
    ),
    Claim(
        "appetite",
        "The best players fit their threshold to how eagerly the table takes discards.",
        PAGES[2:3],
        "points a deal of the best constant against such opponents less those of the best against draw=improve:1; "
        "both found on other decks",
        "appetite",
        null=EQUAL,
        least=0.1,
        cases=(
            *(Case(3, "best", "best for improve:1", f"{FOLK},draw={draw}") for draw in ("stock", "meld", "always")),
            *(Case(5, "best", "best for improve:1", f"{FOLK},draw={draw}") for draw in ("stock", "always")),
        ),
    ),
    Claim(
        "estimate",
        "Estimate the others' totals before knocking.",
        PAGES[2:],
        "points a deal of the best schedule by seat and own turn less those of the best constant; both found on "
        "other decks: what turn and seat alone say of the others' totals",
        "schedule",
        null=EQUAL,
        least=0.25,
        cases=tuple(Case(n, "best schedule", "best constant") for n in ALL),
    ),
    # ---- drawing and discarding ----------------------------------------------------------------------------------
    Claim(
        "only-melds",
        "Take the upcard only when it melds.",
        PAGES[2:],
        "points a deal of a player who draws so among players who take it otherwise, all at one threshold",
        "draw",
        null=EQUAL,
        least=0.1,
        cases=(
            *(Case(n, f"{FOLK},draw=meld", opponents=f"{FOLK},draw=improve:1") for n in ALL),
            Case(3, f"{EARLY},draw=meld", opponents=f"{EARLY},draw=improve:1"),
            Case(3, f"{FOLK},draw=meld", opponents=f"{FOLK},draw=improve:5"),
            Case(3, f"{FOLK},draw=meld", opponents=f"{FOLK},draw=always"),
        ),
    ),
    Claim(
        "nine-discarded",
        "Who discards a 9 is not collecting nines.",
        PAGES[2:],
        "chance to hold a 9 of who discarded one in the first four turns, less that of each other opponent then",
        "nine_discarded",
        "share",
        null="the discard says nothing",
        sign=-1,
        least=0.05,
        cases=(
            Case(3, opponents="draw=improve:1"),
            Case(3, opponents="draw=meld"),
            Case(5, opponents="draw=improve:1"),
        ),
    ),
    Claim(
        "nine-taken",
        "Who picks up a 9 probably is.",
        PAGES[2:],
        "chance to hold a further 9 of who took one in the first four turns, less that of each other opponent to "
        "hold one then",
        "nine_taken",
        "share",
        null="the taking says nothing",
        least=0.05,
        cases=(
            Case(3, opponents="draw=improve:1"),
            Case(3, opponents="draw=meld"),
            Case(5, opponents="draw=improve:1"),
        ),
    ),
    # ---- what can go wrong ---------------------------------------------------------------------------------------
    Claim(
        "tie",
        "Do not knock for the tie: be at least a point ahead.",
        PAGES[2:],
        "points of playing on until less, where the knock of a player at 25 would be tied, less those of that knock; "
        "with hindsight, as nobody sees a tie coming",
        "tied",
        null=EQUAL,
        least=1.0,
        cases=(*(Case(n, EARLY) for n in ALL), Case(3, EARLY, rules="ledger")),
    ),
    Claim(
        "can-lose",
        "A legal knock can lose.",
        (PAGE_1, PAGE_2, PAGE_3),
        "share of the studied player's knocks that do not win",
        "risk_all",
        "share",
        null="none is lost",
        least=0.05,
        cases=(
            *(Case(n, EARLY, rules="ledger") for n in ALL),
            Case(3, EARLY, opponents=EARLY, rules="ledger"),
            Case(3, FOLK, opponents=FOLK, rules="ledger"),
            Case(3, "knock=40", opponents="knock=40", rules="ledger"),
        ),
    ),
    Claim(
        "limit",
        "A limit of ten makes knocks safer (Rum Knock).",
        PAGES[2:],
        "share of all knocks that do not win, without the limit less with it",
        "limit",
        "share",
        null="the limit changes nothing",
        least=0.05,
        cases=(
            *(Case(n, "knock=10, 20, 30 …", opponents="by player") for n in ALL),
            Case(3, "knock=40", opponents="knock=40"),
        ),
    ),
    Claim(
        "three-or-four",
        "Three or four players play best.",
        PAGES[2:],
        "mean of 3 and 4 players less this number, oriented so that more is better: 'decided', share of deals ended "
        "by knock; 'seats', minus the first seat's win share above its fair one, in fair shares; 'skill', win share of "
        "25 among tens above the fair one, in fair shares; 'play', share of deals in which somebody has a third turn",
        "numbers_best",
        "share",
        null="as good with this number",
        least=0.05,
        cases=tuple(Case(n, what) for what in ("decided", "seats", "skill", "play") for n in (2, 5)),
    ),
    # ---- what no bot can say yet ---------------------------------------------------------------------------------
    Claim(
        "low-cards",
        "Keep aces and low cards as safe deadwood.",
        PAGES[2:],
        needs="a discard rule that weighs keeping low cards against keeping pairs; greedy looks at the count alone",
    ),
    Claim(
        "seven",
        "Do not throw the 7 to somebody who holds 6 and 8.",
        PAGES[2:],
        needs="a discard rule that looks at what the next player took and threw away",
    ),
    Claim(
        "give-away",
        "Taking a discard gives one's plans away.",
        PAGES[2:],
        needs="opponents who read what is taken",
    ),
)
