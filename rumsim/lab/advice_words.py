"""From sums over decks to what actions are worth, and one sentence of advice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rumsim.cards import card_text
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.lab.advice import Discard, Value, Z
from rumsim.tasks.advice import EVERYTHING, Action, Given, Spot, Weighed

FEWEST = 200  # decks that fit, for a word of advice


def errors(weighed: Weighed) -> list[float]:
    """Return standard errors in points; decks are the sample, as the futures of one share its hands."""
    means = weighed.sums[:, 0].astype(float) / weighed.fit
    squares = np.diagonal(weighed.products).astype(float) / weighed.fit
    spread = np.sqrt(np.maximum(squares - means**2, 0) / max(weighed.fit - 1, 1))
    return [float(error) for error in spread / (TWELFTHS * weighed.futures)]


def values_of(weighed: Weighed) -> list[Value]:
    """Return what each action is worth."""
    deals = weighed.fit * weighed.futures
    return [
        Value(points / (TWELFTHS * deals), error, wins / (SIXTIETHS * deals), undercuts / deals)
        for (points, wins, undercuts), error in zip(weighed.sums.tolist(), errors(weighed), strict=True)
    ]


def _difference(weighed: Weighed, one: int, other: int) -> tuple[float, float]:
    """Return by how much an action is worth more than another on the same decks, and half of a 95 % interval."""
    many = weighed.fit
    mean = float(weighed.sums[one, 0] - weighed.sums[other, 0]) / many
    square = (
        float(weighed.products[one, one] + weighed.products[other, other] - 2 * weighed.products[one, other]) / many
    )
    unit = TWELFTHS * weighed.futures
    return mean / unit, Z * (max(square - mean**2, 0.0) / (many - 1)) ** 0.5 / unit


def answer(
    spot: Spot, actions: Sequence[Action], weighed: Weighed
) -> tuple[tuple[tuple[str, Value], ...] | None, tuple[Discard, ...] | None, str]:
    """Say what draws and discards are worth, and what to do.

    Returns
    -------
    draws, discards, advice
        As of :class:`rumsim.lab.advice.Advice`.
    """
    if weighed.fit < FEWEST:
        return None, None, "Interrupted before enough decks were weighed for an answer."
    values = values_of(weighed)
    cards = list(dict.fromkeys(action.give for action in actions if action.give is not None))
    at = {(action.give, action.knocks): place for place, action in enumerate(actions)}
    discards = tuple(
        Discard(
            card,
            next(action.left for action in actions if action.give == card and action.left is not None),
            values[at[card, True]] if (card, True) in at else None,
            values[at[card, False]],
        )
        for card in cards
    )
    after = [place for place, action in enumerate(actions) if action.give is not None]
    best = max(after, key=lambda place: values[place].ev)
    then = _after_draw(actions, weighed, values, after, best)
    if spot.up is None:
        return None, discards, f"{then[0].upper()}{then[1:]}"
    stock = at[None, False]
    draws = (("upcard", values[best]), ("stock", values[stock]))
    more, half = _difference(weighed, stock, best)
    if abs(more) <= half:
        said = (
            f"Too close to call: drawing from the stock ({values[stock].ev:+.2f}) and taking {card_text(spot.up)} "
            f"({values[best].ev:+.2f}) differ by {more:+.2f} +/- {half:.2f} points. If you take it, {then}"
        )
    elif more > 0:
        said = (
            f"Draw from the stock: {values[stock].ev:+.2f} points, {more:.2f} +/- {half:.2f} more than taking "
            f"{card_text(spot.up)}."
        )
    else:
        said = (
            f"Take {card_text(spot.up)}: {values[best].ev:+.2f} points, {-more:.2f} +/- {half:.2f} more than a draw "
            f"from the stock. Then {then}"
        )
    return draws, discards, said


def _after_draw(
    actions: Sequence[Action], weighed: Weighed, values: Sequence[Value], after: Sequence[int], best: int
) -> str:
    """Say which card to give back and whether to knock, and by how much that is better than the contrary."""
    knocks = actions[best].knocks
    contrary = [place for place in after if actions[place].knocks != knocks]
    give = card_text(actions[best].give or 0)
    do = f"give back {give} and " + ("knock" if knocks else "play on")
    if not contrary:
        return f"{do}: {values[best].ev:+.2f} points; the rules allow no knock."
    other = max(contrary, key=lambda place: values[place].ev)
    more, half = _difference(weighed, best, other)
    if more <= half:
        names = ("knocking", "playing on") if knocks else ("playing on", "knocking")
        return (
            f"it is too close to call whether to knock: {names[0]} ({values[best].ev:+.2f}, giving back {give}) and "
            f"{names[1]} ({values[other].ev:+.2f}) differ by {more:.2f} +/- {half:.2f} points."
        )
    contrast = "playing on" if knocks else "knocking"
    return f"{do}: {values[best].ev:+.2f} points, {more:.2f} +/- {half:.2f} more than {contrast}."


def why_less(spot: Spot, given: Given, before: Sequence[Weighed]) -> str:
    """Say why not everything is taken into account of how the turn came about, and what is supposed instead.

    Parameters
    ----------
    spot : Spot
        The hand and the turn.
    given : Given
        What is taken into account.
    before : sequence of Weighed
        What was weighed with more than that, the first with everything.

    Returns
    -------
    str
        Nothing, if everything is.
    """
    if given == EVERYTHING:
        return ""
    first = before[0]
    all_decks = f"{first.decks:,} decks"
    up = None if spot.up is None else card_text(spot.up)
    alone = f"{up} lies there as if it had been turned up by itself, and tells nothing of the others' cards"
    if given.unknocked:
        few = f"only {first.fit:,}" if first.fit else "none"
        return (
            f"The turn came in {first.reached:,} of {all_decks}, but with {up} as the upcard in {few}: these opponents "
            f"seldom give such a card back. So it is supposed that {alone}."
        )
    few = f"Only {first.reached:,}" if first.reached else "None"
    rare = f"{few} of {all_decks} came to this turn with nobody having knocked."
    if given.played:
        also = "" if up is None else f", and that {alone}"
        return (
            f"{rare} So it is supposed that the opponents draw and discard as they do, but did not knock before{also}."
        )
    also = "" if up is None else f" {alone[0].upper()}{alone[1:]}."
    return (
        f"{rare} So earlier turns are not played: it is supposed that each took a card from the stock, and that the "
        f"others hold cards as they were dealt.{also}"
    )
