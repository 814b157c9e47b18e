"""Rules in words."""

from __future__ import annotations

from rumsim.report.hands import wrapped
from rumsim.rules import Rules


def rules_lines(rules: Rules, players: int) -> list[str]:
    r"""Say in a few lines what a game is played by.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> print("\n".join(rules_lines(parse_rules("ledger"), 2)))
    Knock Rummy, ledger: 2 players, 10 cards each.
      Knocking: with any count.  Undercut: 10 points more.  Tied knocker: pays
      nothing.  Rum: 25 points more from each.  Empty stock: who declines the upcard
      ends the deal, hands are compared.
    """
    size = rules.size_for(players)
    title = f"Knock Rummy, {rules}: {players} players, {size} card{'s' * (size > 1)} each."
    return [*wrapped(title, indent=2), *wrapped("  " + "  ".join(_sentences(rules)), indent=2)]


def _sentences(rules: Rules) -> list[str]:
    if rules.knock_limit is None:
        knocking = "with any count"
    elif rules.knock_limit == 0:
        knocking = "only with 0"
    else:
        knocking = f"with {rules.knock_limit} or less"
    tied = f"pays {_points(rules.undercut)}" if rules.tie == "penalty" else "pays nothing"
    found = [
        f"Knocking: {knocking}.",
        f"Undercut: {_points(rules.undercut)} more.",
        f"Tied knocker: {tied}.",
        f"Rum: {_points(rules.rum_bonus)} more from each.",
        "Empty stock: the discard pile is shuffled into a new one."
        if rules.stock == "reshuffle"
        else "Empty stock: who declines the upcard ends the deal, hands are compared.",
    ]
    if rules.ace != "low":
        found.append("Q-K-A is a run too.")
    if rules.jokers:
        natural = f"at least {rules.min_naturals} other card{'s' * (rules.min_naturals > 1)} in a meld"
        found.append(f"Jokers: {rules.jokers}, {_points(rules.joker_value)} each as deadwood, {natural}.")
    return found


def _points(number: int) -> str:
    return f"{number} point{'s' * (number != 1)}"
