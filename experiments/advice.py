"""Is the rule pages' advice any good?

Question   Which of the tips in the four rule pages hold, which fail, and on what do they depend?
Design     The claims, with measures, null values, smallest interesting effects and the rule of the verdicts, stand in
           experiments/_claims.py and were written down before they were measured; how, stands in
           experiments/_measures.py.  Bots are compared on the same decks; errors are over blocks; intervals hold
           together over all cases.  What is searched for is searched for on other decks.
Seeds      41 to measure, 42 to search
Runtime    two minutes
Finding    in results/advice/finding.txt
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pandas as pd

from experiments._claims import CLAIMS, FOLK, SEARCH_SEED, SEED, Claim
from experiments._measures import CHANCES, FROM_TRACES, KINDS, example, found
from experiments._results import Results, named, table
from rumsim.charts.claims import claims_forest
from rumsim.lab.tables import folded
from rumsim.stats.families import all_alike, judge, one_sided, together
from rumsim.stats.holm import holm

VERDICTS = ("holds", "fails", "depends", "open")
SHORT = {  # of the verdicts of a case, in a sentence
    "holds": "it holds",
    "fails: no difference": "there is no difference worth attention",
    "fails: opposite": "the opposite holds",
    "fails": "there is less than would be worth attention",
    "undecided": "it is undecided",
}


def main() -> None:
    """Measure, judge, write."""
    out = Results("advice")
    frame = judged(measured(CLAIMS))
    tested = frame[frame["estimate"].notna()]
    rule = (
        f"Intervals hold together over all {len(tested)} cases with 95 % (Bonferroni). A case holds if its whole "
        "interval lies at least the smallest interesting effect beyond the null value on the claim's side; it fails if "
        "all of it lies short of that: with no difference, if within less than that effect to either side, with the "
        "opposite, if at least that far on the other side; else it is undecided. A claim about all tables depends if "
        "some cases hold and some fail; a claim that something happens holds if one case does. "
    )
    bots = (
        f"Bots draw improve:1 and discard greedily where not said. Measured on seed {SEED}, searched on seed "
        f"{SEARCH_SEED}."
    )
    said = (
        "Holm p: of the null hypothesis that the effect lies on the other side of the smallest interesting one than "
        "the estimate does, adjusted over both one-sided tests of all cases. The claims are judged a second time, on "
        "new decks: what was wrong the first time, and what was known when these tests were chosen, stands in "
        "experiments/_claims.py. "
    )
    out.text("table.txt", "\n\n".join(["\n".join(folded(rule + said + bots)), *written(frame)]))
    out.frame("advice.csv", frame)
    blocks = f"{tested['blocks'].min():,.0f} to {tested['blocks'].max():,.0f} blocks a case."
    out.chart("claims", claims_forest(tested, f"{rule}{bots} {blocks}"))
    out.finding(sentences(frame))


def measured(claims: tuple[Claim, ...]) -> pd.DataFrame:
    """A row a case, with its estimate; a row for a claim without cases."""
    cases = [(place, claim, case) for place, claim in enumerate(claims) for case in claim.cases]
    # Those that read the same traces one after the other: only the last are kept.
    cases.sort(key=lambda one: (one[1].kind not in FROM_TRACES, one[2].rules, one[2].players))
    rows: list[dict[str, Any]] = []
    for place, claim, case in cases:
        estimate, blocks = KINDS[claim.kind](case)
        if estimate.mean is None or blocks < 2:
            raise RuntimeError(f"{claim.key}, {case}: nothing was measured")
        numbers = {"estimate": estimate.mean, "se": estimate.error, "blocks": blocks}
        rows.append({"place": place, **about(claim), **asdict(case), "found": found(claim.kind, case), **numbers})
    for place, claim in enumerate(claims):
        if not claim.cases:
            shown = {"found": example()} if claim.kind == "example" else {}
            rows.append({"place": place, **about(claim), **shown})
    frame = pd.DataFrame(rows).sort_values("place", kind="stable", ignore_index=True).drop(columns="place")
    return frame.assign(seed=SEED, search_seed=SEARCH_SEED)


def about(claim: Claim) -> dict[str, Any]:
    """What a row says of its claim."""
    return {
        "claim": claim.key,
        "says": claim.says,
        "source": "; ".join(claim.sources),
        "measure": claim.measure,
        "kind": claim.kind,
        "unit": claim.unit,
        "null": claim.null,
        "reference": claim.reference,
        "sign": claim.sign,
        "least": claim.least,
        "some": claim.some,
        "needs": claim.needs,
        "note": claim.note,
    }


# ---- verdicts ------------------------------------------------------------------------------------------------------


def judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add intervals that hold together, Holm's p-values, the verdict of each case, and that of each claim."""
    tested = frame["estimate"].notna()
    rows = frame[tested].to_dict("records")
    intervals = [interval(row, len(rows)) for row in rows]
    frame.loc[tested, "low"], frame.loc[tested, "high"] = zip(*intervals, strict=True)
    sides = [p_values(row) for row in rows]
    adjusted = holm([p for pair in sides for p in pair])
    frame.loc[tested, "p_holds"], frame.loc[tested, "p_fails"] = zip(*sides, strict=True)
    frame.loc[tested, "p_holm"] = [min(adjusted[2 * row : 2 * row + 2]) for row in range(len(rows))]
    frame["case"] = [verdict(row) if there else "" for row, there in zip(frame.to_dict("records"), tested, strict=True)]
    whole = {
        claim: "holds" if (rows["kind"] == "example").any() else of_cases(set(rows["case"]), bool(rows["some"].iloc[0]))
        for claim, rows in frame.groupby("claim")
    }
    return frame.assign(verdict=frame["claim"].map(whole))


def interval(row: dict[Any, Any], many: int) -> tuple[float, float]:
    """The interval of a case out of so many."""
    if pd.isna(row["se"]):
        return all_alike(row["estimate"], int(row["blocks"]), many)
    low, high = together(row["estimate"], row["se"], int(row["blocks"]) - 1, many)
    return (max(low, 0.0), min(high, 1.0)) if row["kind"] in CHANCES else (low, high)


def p_values(row: dict[Any, Any]) -> tuple[float, float]:
    """Of the null hypotheses that the effect is at most the smallest interesting one, and at least that."""
    edge, blocks = row["reference"] + row["sign"] * row["least"], int(row["blocks"])
    if pd.isna(row["se"]):  # the chance that all say the same, were it the edge
        at_most, at_least = (1.0, (1 - edge) ** blocks) if row["estimate"] == 0 else (edge**blocks, 1.0)
    elif row["se"]:
        at_most, at_least = one_sided(row["estimate"], row["se"], edge)
    else:  # alike in every block: the same play
        at_most, at_least = float(row["estimate"] <= edge), float(row["estimate"] >= edge)
    return (at_most, at_least) if row["sign"] > 0 else (at_least, at_most)


def verdict(row: dict[Any, Any]) -> str:
    """The verdict of a case, by the rule of experiments/_claims.py."""
    low, high = sorted(row["sign"] * (row[end] - row["reference"]) for end in ("low", "high"))
    return judge(low, high, row["least"])


def of_cases(cases: set[str], some: bool = False) -> str:
    """The verdict of a claim with such cases, about all tables or about some."""
    kinds = {case.partition(":")[0] for case in cases}
    if kinds == {"fails"} or kinds == {"holds"}:
        return kinds.pop()
    if some:
        return "holds" if "holds" in kinds else "open"
    return "depends" if {"holds", "fails"} <= kinds else "open"


# ---- what is written -----------------------------------------------------------------------------------------------


def conditions(row: dict[Any, Any]) -> str:
    """The table at which a case was tested, in a few words."""
    parts = [row["mine"] if not row["instead"] else f"{row['mine']} or {row['instead']}", row["opponents"]]
    if row["turn"]:
        parts.append(f"own turn {row['turn']:.0f}")
    return " | ".join(part.removeprefix(f"{FOLK},") if f"{FOLK},draw" in part else part for part in parts if part)


def written(frame: pd.DataFrame) -> list[str]:
    """A text for each claim: what it says and who says it, how it is tested, the cases."""
    forms = {
        "players": ("players", ".0f"),
        "rules": ("rules", ""),
        "what": ("studied | opponents", ""),
        "found": ("found", ""),
        "estimate": ("estimate", "+.3f"),
        "low": ("from", "+.3f"),
        "high": ("to", "+.3f"),
        "p_holm": ("Holm p", ".2g"),
        "case": ("verdict", ""),
    }
    texts = []
    for _, rows in frame.groupby("claim", sort=False):
        claim = rows.iloc[0]
        lines = [f"{claim['says']}  --  {claim['verdict'].upper()}", f"Said by: {claim['source']}"]
        if pd.isna(claim["estimate"]):
            lines.append(f"Needs {claim['needs']}." if claim["needs"] else f"Shown: {claim['found']}.")
            texts.append("\n".join(line for one in lines for line in folded(one)))
            continue
        side = "more" if claim["sign"] > 0 else "less"
        lines.append(
            f"Measured: {claim['measure']}. Null hypothesis: {claim['null']} ({claim['reference']:g}); worth attention "
            f"from {claim['least']:g} {side} on."
        )
        lines += [claim["note"]] if claim["note"] else []
        shown = rows.assign(what=[conditions(row) for row in rows.to_dict("records")])
        said = {name: form for name, form in forms.items() if name != "found" or rows["found"].any()}
        lines = [line for one in lines for line in folded(one)]
        texts.append("\n".join([*lines, table(shown, said, left=4 if "found" in said else 3)]))
    return texts


def sentences(frame: pd.DataFrame) -> list[str]:
    """What was learned, then a sentence a claim; every number out of the frame."""
    lines = []
    for word in VERDICTS:
        claims = frame[frame["verdict"] == word].drop_duplicates("claim")
        if len(claims):
            head = {"holds": "What holds", "fails": "What fails", "depends": "What depends on the table"}
            lines.append(f"{head.get(word, 'What is open')}: {' '.join(claims['says'])}")
    for _, rows in frame.groupby("claim", sort=False):
        claim = rows.iloc[0]
        if pd.isna(claim["estimate"]):
            told = f"Open: it needs {claim['needs']}." if claim["needs"] else f"Holds: {claim['found']}."
            lines.append(f"{claim['says']} {told}")
            continue
        parts = []
        for case, alike in rows.groupby("case", sort=False):
            tables = [
                f"with {named(sorted({int(n) for n in group['players']}))} players ({what}) {spread(group)}"
                for what, group in alike.assign(what=[conditions(row) for row in alike.to_dict("records")]).groupby(
                    "what", sort=False
                )
            ]
            parts.append(f"{SHORT[case]} {', '.join(tables)}")
        where = " at some tables" if claim["some"] and claim["verdict"] == "holds" and len(parts) > 1 else ""
        note = f" {claim['note']}" if claim["note"] else ""
        lines.append(f"{claim['says']} {claim['verdict'].capitalize()}{where}: {'; '.join(parts)}.{note}")
    return lines


def spread(rows: pd.DataFrame) -> str:
    """The estimates of some cases: one with its interval, or from the lowest to the highest."""
    one = rows.iloc[0]
    unit = "points" if one["unit"] == "points" else "in shares"
    if len(rows) == 1:
        return f"{one['estimate']:+.3f} ({one['low']:+.3f} to {one['high']:+.3f}) {unit}"
    return f"{rows['estimate'].min():+.3f} to {rows['estimate'].max():+.3f} {unit}"


if __name__ == "__main__":
    main()
