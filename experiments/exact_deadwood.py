"""How much deadwood is a player dealt?

Question   How is the deadwood of a hand distributed before any card is drawn, for 5 to 11 cards?
Design     Every hand of the size is counted (up to suits), none is sampled; for 7 and 10 cards, the sizes that are
           played, also with the ace high or low; for 6 and 7 also with two jokers in the deck.
Seeds      none: the results are exact
Runtime    about a minute
Finding    in results/exact_deadwood/finding.txt; tables, all counts and a chart beside it.
"""

from __future__ import annotations

import os
import textwrap
from fractions import Fraction
from pathlib import Path

import pandas as pd

from rumsim.charts.deadwood import dealt_deadwood
from rumsim.charts.style import save
from rumsim.lab.exact import DealtDeadwood, exact_deadwood
from rumsim.lab.tables import columns

RESULTS = Path(__file__).parent.parent / "results" / "exact_deadwood"
SIZES, PLAYED, WITH_JOKERS, LOW = range(5, 12), (7, 10), (6, 7), 10
QUANTILES = (5, 25, 50, 75, 95)
CAPTION = """\
Rules: ledger, with the ace and the jokers as shown (15 points each as deadwood; one
natural card makes a meld). Deadwood of a dealt hand in points; 5% to 95% are quantiles.
Exact: every hand of the deck is counted, none is sampled."""
CHART_CAPTION = (
    "Rules: ledger (ace low, no jokers). Exact: every hand of 52 cards is counted, none sampled. "
    f"Shaded: at most {LOW} points. Under the bars: the median, the middle half (thick) and the middle nine tenths "
    "(thin) of the hands."
)


def main() -> None:
    """Count, print the tables, write them with the chart."""
    cases = [(size, "ledger") for size in SIZES] + [(size, "ledger:ace-high") for size in PLAYED]
    cases += [(size, "ledger:joker-knock") for size in WITH_JOKERS]
    found = []
    for size, rules in cases:
        print(f"counting all hands of {size} cards, rules {rules} …", flush=True)
        found.append(exact_deadwood(size, rules, jobs=os.cpu_count() or 1))
    table = pd.DataFrame([row(dealt) for dealt in found])
    counts = pd.concat([dealt.frame()[["size", "ace", "jokers", "deadwood", "hands"]] for dealt in found])
    text = "\n\n".join([CAPTION, rounded(table), "Exact:", exact(table)])
    print(f"\n{text}\n\n{finding(table)}\n")

    RESULTS.mkdir(parents=True, exist_ok=True)
    write("table.txt", text)
    write("finding.txt", finding(table))
    write("table.csv", table.to_csv(index=False, lineterminator="\n").rstrip())
    write("counts.csv", counts.to_csv(index=False, lineterminator="\n").rstrip())
    chart = dealt_deadwood(pd.concat([dealt.frame() for dealt in found if str(dealt.rules) == "ledger"]), CHART_CAPTION)
    for suffix in ("svg", "png"):
        save(chart, RESULTS / f"deadwood.{suffix}")
        print(f"wrote results/exact_deadwood/deadwood.{suffix}")


def row(dealt: DealtDeadwood) -> dict[str, object]:
    """What one distribution says, exact and as decimals."""
    zero, low = dealt.chance_at_most(0), dealt.chance_at_most(LOW)
    return {
        "size": dealt.size,
        "ace": dealt.rules.ace,
        "jokers": dealt.rules.jokers,
        "hands": dealt.all_hands,
        "mean": float(dealt.mean),
        "sd": dealt.deviation,
        **{f"q{part:02}": dealt.quantile(Fraction(part, 100)) for part in QUANTILES},
        "p_zero": float(zero),
        f"p_at_most_{LOW}": float(low),
        "mean_exact": str(dealt.mean),
        "p_zero_exact": str(zero),
        f"p_at_most_{LOW}_exact": str(low),
    }


def rounded(table: pd.DataFrame) -> str:
    """The table to read."""
    forms = {"mean": ".3f", "sd": ".3f", "p_zero": ".3e", f"p_at_most_{LOW}": ".5f"}
    quantiles = [f"q{part:02}" for part in QUANTILES]
    names = ["size", "ace", "jokers", "mean", "sd", *quantiles, "p_zero", f"p_at_most_{LOW}"]
    heads = ["cards", "ace", "jokers", "mean", "sd", *(f"{part}%" for part in QUANTILES), "P(0)", f"P(<={LOW})"]
    rows = [[format(case[name], forms.get(name, "")) for name in names] for case in table.to_dict("records")]
    return columns([heads, *rows], left=2)


def exact(table: pd.DataFrame) -> str:
    """The same means and chances as fractions."""
    names = ["size", "ace", "jokers", "mean_exact", "p_zero_exact", f"p_at_most_{LOW}_exact"]
    rows = [[str(case[name]) for name in names] for case in table.to_dict("records")]
    return columns([["cards", "ace", "jokers", "mean", "P(0)", f"P(<={LOW})"], *rows], left=2)


def finding(table: pd.DataFrame) -> str:
    """The answer in words, every number out of the table."""
    low = table[(table["ace"] == "low") & (table["jokers"] == 0)].set_index("size")
    high = table[table["ace"] != "low"].set_index("size")
    jokers = table[table["jokers"] > 0].set_index("size")
    lines = []
    for size in PLAYED:
        case, high_mean = low.loc[size], high.loc[size, "mean"]
        lines.append(
            f"With {size} cards a player is dealt {case['mean']:.2f} points on average (sd {case['sd']:.2f}, median "
            f"{case['q50']}); nine hands in ten lie from {case['q05']} to {case['q95']}. One hand in "
            f"{1 / case[f'p_at_most_{LOW}']:,.0f} counts {LOW} or less as dealt, one in {1 / case['p_zero']:,.0f} "
            f"counts 0. Where the ace may be high, the mean is {case['mean'] - high_mean:.3f} points lower."
        )
    for size in WITH_JOKERS:
        case, without = jokers.loc[size], low.loc[size]
        lines.append(
            f"Two jokers in the deck take {without['mean'] - case['mean']:.2f} points off the mean of {size} cards "
            f"({case['mean']:.2f}) and make a hand of {LOW} or less "
            f"{case[f'p_at_most_{LOW}'] / without[f'p_at_most_{LOW}']:.1f} times as likely: one in "
            f"{1 / case[f'p_at_most_{LOW}']:,.0f}."
        )
    steps = low["mean"].diff().dropna()
    likeliest = low["p_zero"].idxmax()
    lines.append(
        f"From {low.index[0]} to {low.index[-1]} cards the mean rises from {low['mean'].iloc[0]:.2f} to "
        f"{low['mean'].iloc[-1]:.2f}; the first further card adds {steps.iloc[0]:.2f} points, the last "
        f"{steps.iloc[-1]:.2f}. A dealt 0 is likeliest with {likeliest} cards, one hand in "
        f"{1 / low.loc[likeliest, 'p_zero']:,.0f}."
    )
    return "\n".join(textwrap.fill(line, 80) for line in lines)


def write(name: str, text: str) -> None:
    (RESULTS / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    print(f"wrote results/exact_deadwood/{name}")


if __name__ == "__main__":
    main()
