"""What to do with this hand, now: draw or take, which card to give back, knock or play on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import ThresholdBot
from rumsim.cards import JOKERS, card_text, cards_of, mask, parse_cards, pretty
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.grid_request import read_confirm_seed
from rumsim.lab.respond import schedules_against
from rumsim.melds import count
from rumsim.rules import Rules, parse_rules
from rumsim.tasks.advice import MOST_WAYS, Action, Scales, Spot, Weighed
from rumsim.tasks.response import Question

LEAST_BLOCKS = 1000  # with fewer an interval of normal numbers says too much
SECONDS = 3.0  # of weighing, where no number of decks is asked for
EXACT = 0.2  # points: half of an interval that is narrow enough
_SEARCHED = 10_000  # blocks on which one's own later knocks are found
_ROUND = 4096  # decks between looks at the clock
_MOST_FUTURES = 32
_MOST_DISCARDS, _WORSE = 5, 10  # cards that are tried, and by how many points they may leave more than the best
_FEWEST = 200  # decks that fit, for a word of advice
_Z = 1.959964


@dataclass(frozen=True)
class Value:
    """What an action is worth.

    Attributes
    ----------
    ev, error : float
        Points a deal, and their standard error.
    win, undercut : float
        The share of the deals won, and of those in which one's own knock is undercut.
    """

    ev: float
    error: float
    win: float
    undercut: float


@dataclass(frozen=True)
class Discard:
    """A card that may be given back.

    Attributes
    ----------
    card, left : int
        The card, and the count without it.
    knock : Value or None
        Knocking then; None where the rules do not allow it.
    play_on : Value
        Playing on.
    """

    card: int
    left: int
    knock: Value | None
    play_on: Value


@dataclass(frozen=True)
class Advice:
    """The result of ``advise``.

    Attributes
    ----------
    spot : Spot
        The hand and the turn.
    opponents : str
        How the others play.
    schedule : tuple of int
        At how much the player knocks on later own turns when playing on.
    draws : tuple of (str, Value) or None
        What taking the upcard, with the best that follows, and drawing from the stock are worth; None after the draw.
    discards : tuple of Discard or None
        The cards worth a thought, best first; None where the turn is not reached.
    decks, reached, fit : int
        Decks laid out; those in which the turn came with nobody having knocked; those of them with this upcard.
    advice : str
        One sentence.
    seed, confirm_seed : int
        Of the decks for later knocks, and of those on which the actions were weighed.
    """

    spot: Spot
    opponents: str
    schedule: tuple[int, ...]
    draws: tuple[tuple[str, Value], ...] | None
    discards: tuple[Discard, ...] | None
    decks: int
    reached: int
    fit: int
    advice: str
    seed: int
    confirm_seed: int

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim advise --json`` prints."""
        return {
            "rules": self.spot.rules.as_json(),
            "players": self.spot.players,
            "seat": self.spot.seat,
            "own_turn": self.spot.own_turn,
            "opponents": self.opponents,
            "draws": None
            if self.draws is None
            else [{"draw": name, "ev": value.ev, "ev_se": value.error} for name, value in self.draws],
            "discards": None
            if self.discards is None
            else [
                {
                    "card": card_text(one.card),
                    "deadwood": one.left,
                    "knock": None if one.knock is None else _json(one.knock, undercut=True),
                    "play_on": _json(one.play_on, undercut=False),
                }
                for one in self.discards
            ],
            "advice": self.advice,
            "decks": self.decks,
            "reached": self.reached,
            "fit": self.fit,
            "schedule": ["never" if one < 0 else one for one in self.schedule],
            "search_seed": self.seed,
            "confirm_seed": self.confirm_seed,
        }

    def table(self, symbols: bool = True) -> str:
        """Return what ``rumsim advise`` prints."""
        from rumsim.lab.tables import columns, folded

        spot = self.spot
        seen = spot.up if spot.up is not None else spot.drawn
        assert seen is not None
        what = "the upcard is" if spot.up is not None else "drawn from the stock:"
        head = (
            f"{spot.players} players, rules {spot.rules}; seat {spot.seat}, own turn {spot.own_turn}",
            "hand " + " ".join(pretty(card, symbols) for card in sorted(spot.hand)) + f"; {what} "
            f"{pretty(seen, symbols)}",
            f"opponents {self.opponents}",
        )
        lines = [line for text in head for line in folded(text)]
        lines += ["", *folded(self.advice)]
        if self.draws is not None:
            rows = [["draw", "points", "+/-"]]
            rows += [[name, f"{one.ev:+.2f}", f"{_Z * one.error:.2f}"] for name, one in self.draws]
            lines += ["", columns(rows)]
        if self.discards is not None:
            rows = [["give back", "left", "knock", "+/-", "wins", "undercut", "play on", "+/-", "wins"]]
            rows += [_row(one, symbols) for one in self.discards]
            lines += ["", columns(rows)]
        return "\n".join([*lines, "", *(line for text in self._assumed() for line in folded(text))])

    def _assumed(self) -> list[str]:
        spot = self.spot
        later = "/".join(
            "never" if one < 0 else str(one) for one in self.schedule[min(spot.own_turn, len(self.schedule) - 1) :][:6]
        )
        said = (
            "Assumed: the opponents play this bot and nobody has knocked; on earlier turns you drew from the stock and "
            "gave that card back. Playing on: you draw improve:1, discard greedily, and knock at "
            f"{later} from your next turn on, the best knock against these opponents."
        )
        if spot.up is not None:
            said += " Drawing from the stock: the usual discard, and a knock by the same schedule."
        seen = f"; {self.fit:,} of them with this upcard" if spot.up is not None else ""
        return [
            said,
            f"{self.decks:,} decks of seed {self.confirm_seed} with your cards; the turn came in "
            f"{self.reached:,}{seen}. +/-: half of a 95 % interval.",
        ]


def advise(
    players: int,
    seat: int,
    own_turn: int,
    opponents: str,
    hand: str | Iterable[object],
    rules: object = "ledger",
    *,
    up: object = None,
    drawn: object = None,
    seed: int = 0,
    confirm_seed: int | None = None,
    blocks: int | None = None,
    jobs: int = 1,
) -> Advice:
    """Say what to do with a hand at one turn.

    Parameters
    ----------
    players : int
        2 to 5.
    seat, own_turn : int
        Which seat, from 0, and which of its turns, from 1.
    opponents : str
        The bot of all others, or a mixture ``0.5*BOT+0.5*BOT``.
    hand : str or iterable
        The cards before the draw.
    rules : str, mapping or Rules
        The rules of the game.
    up, drawn : str or int, optional
        Before the draw the upcard, after it the card that came from the stock: exactly one of them.
    seed, confirm_seed : int
        Of the decks on which later knocks are found and, the next seed if not given, of those for the weighing.
    blocks : int, optional
        Decks to weigh on; if not given as many as it takes to know all points to 0.2, up to three seconds.
    jobs : int
        Threads.

    Returns
    -------
    Advice
        The actions with what they are worth, and one sentence.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    The own cards are known, so decks are drawn that contain them; so is the upcard, which can only have been at certain
    places of the deck: it is put there, and decks in which it does not come to lie are dropped.

    Examples
    --------
    >>> found = advise(2, 0, 1, "knock=10", "AS 2S 3S 4H 5H 6H 9C 9D KS QD", up="9H", blocks=2000)
    >>> found.draws[0][0], found.discards[0].left
    ('upcard', 10)
    """
    spot = read_spot(players, seat, own_turn, hand, parse_rules(rules), up, drawn)  # type: ignore[arg-type]
    others = Mixture.parse(opponents)
    others.check(spot.players)
    if len(others.bots) ** (spot.players - 1) > MOST_WAYS:
        raise wrong("opponents", opponents, f"at most {MOST_WAYS} ways to draw bots for all opponents")
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    if blocks is not None:
        blocks = whole_number("blocks", blocks, LEAST_BLOCKS, min(LAST_BLOCK, 100_000_000))
    schedules = schedules_against(Question(spot.rules, spot.players, ThresholdBot(), others), seed, _SEARCHED, jobs)
    own = ThresholdBot(knock=tuple(tuple(schedule) for schedule in schedules))
    actions = _actions(spot)
    weighed = _weigh(Scales(spot, own, others, actions, confirm), blocks, jobs)
    draws, discards, said = _answer(spot, actions, weighed)
    return Advice(
        spot=spot,
        opponents=str(others),
        schedule=tuple(schedules[spot.seat]),
        draws=draws,
        discards=discards,
        decks=weighed.decks,
        reached=weighed.reached,
        fit=weighed.fit,
        advice=said,
        seed=seed,
        confirm_seed=confirm,
    )


def read_spot(
    players: int, seat: int, own_turn: int, hand: str | Iterable[object], rules: Rules, up: object, drawn: object
) -> Spot:
    """Check a hand at a turn.

    Raises
    ------
    RequestError
        For what is no such thing; all errors at once.

    Examples
    --------
    >>> read_spot(3, 1, 1, "AS 2S 3S 4H 5H 6H 9C", Rules(), None, "KD").drawn
    38
    """
    players = whole_number("players", players, 2, 5)
    problems: list[str] = []

    def attempt(function: Any, *words: Any) -> Any:
        try:
            return function(*words)
        except RequestError as error:
            problems.extend(error.lines)
            return None

    size = attempt(rules.size_for, players)
    seat = attempt(whole_number, "seat", seat, 0, players - 1)
    own_turn = attempt(whole_number, "own_turn", own_turn, 1, 1000)
    cards = attempt(parse_cards, hand)
    held_jokers = sum(card in JOKERS for card in cards or ())
    if held_jokers > rules.jokers:
        got = "a joker" if held_jokers == 1 else f"{held_jokers} jokers"
        problems.append(f"hand: got {got} (**); allowed: {rules.jokers} (rules {rules})")
    if cards is not None and size is not None and len(cards) != size:
        problems.append(f"hand: got {len(cards)} cards; allowed: {size}, the hand before the draw (rules {rules})")
    if (up is None) == (drawn is None):
        got = "nothing" if up is None else "both"
        problems.append(f"upcard or drawn: got {got}; allowed: one, the upcard before the draw or the card drawn")
    found: dict[str, int | None] = {"upcard": None, "drawn": None}
    for name, given in (("upcard", up), ("drawn", drawn)):
        if given is not None:
            card = attempt(_card, name, given, rules)
            if card == JOKERS[0] and cards is not None and card in cards and rules.jokers > held_jokers:
                card = JOKERS[1]  # the other one
            if card is not None and cards is not None and card in cards:
                allowed = "a card that the hand does not hold"
                if card in JOKERS:
                    allowed += f"; all jokers of these rules ({rules.jokers}) are there"
                problems.append(f"{name}: got {card_text(card)}; allowed: {allowed}")
            found[name] = card
    if problems:
        raise RequestError(*problems)
    return Spot(rules, players, seat, own_turn, tuple(cards), found["upcard"], found["drawn"])


def _card(name: str, given: object, rules: Rules) -> int:
    cards = parse_cards([given] if not isinstance(given, str) else given, name)
    if len(cards) != 1:
        raise wrong(name, given, "one card, such as 4H")
    if cards[0] >= rules.deck_size:
        raise wrong(name, given, f"a card of the deck (rules {rules})")
    return cards[0]


def _actions(spot: Spot) -> list[Action]:
    """List what may be done: a draw from the stock first, before the draw; then cards to give back, best first."""
    new = spot.up if spot.up is not None else spot.drawn
    assert new is not None
    held = mask([*spot.hand, new])
    given = []
    for card in cards_of(held):
        if card != spot.up and not (card == JOKERS[1] and held >> JOKERS[0] & 1 and spot.up != JOKERS[0]):
            given.append((count(held & ~(1 << card), spot.rules), card in JOKERS, -spot.rules.points(card), card))
    given.sort()
    sensible = [(card, left) for left, _, _, card in given if left <= given[0][0] + _WORSE][:_MOST_DISCARDS]
    limit = 200 if spot.rules.knock_limit is None else spot.rules.knock_limit
    actions = [Action(None, None, False)] if spot.up is not None else []
    for card, left in sensible:
        actions += [Action(card, left, True)] if left <= limit else []
        actions.append(Action(card, left, False))
    return actions


def _weigh(scales: Scales, blocks: int | None, jobs: int) -> Weighed:
    """Weigh on so many decks, or until all is known well enough, or time is over."""
    trial = scales.weigh(0, min(_ROUND, blocks or _ROUND))  # by itself, in case it compiles
    # Where few decks fit, each of these is worth more than one look at what may come.
    futures = int(min(_MOST_FUTURES, max(1, trial.decks / max(trial.fit, 1) / (8 * len(scales.actions)))))
    if blocks is not None:
        return scales.weigh(0, blocks, futures, jobs)
    end = time.monotonic() + SECONDS
    step = _ROUND * jobs
    total = scales.weigh(0, step, futures, jobs)
    while time.monotonic() < end:
        if total.fit > _FEWEST and max(_errors(total)) * _Z <= EXACT:
            break
        total += scales.weigh(total.decks, total.decks + step, futures, jobs)
    return total


def _errors(weighed: Weighed) -> list[float]:
    """Return standard errors in points; decks are the sample, as the futures of one share its hands."""
    # Sums may be Python's whole numbers.
    means = weighed.sums[:, 0].astype(np.float64) / weighed.fit
    squares = np.diagonal(weighed.products).astype(np.float64) / weighed.fit
    spread = np.sqrt(np.maximum(squares - means**2, 0) / max(weighed.fit - 1, 1))
    return [float(error) for error in spread / (TWELFTHS * weighed.futures)]


def _values(weighed: Weighed) -> list[Value]:
    deals = weighed.fit * weighed.futures
    return [
        Value(points / (TWELFTHS * deals), error, wins / (SIXTIETHS * deals), undercuts / deals)
        for (points, wins, undercuts), error in zip(weighed.sums.tolist(), _errors(weighed), strict=True)
    ]


def _difference(weighed: Weighed, one: int, other: int) -> tuple[float, float]:
    """Return by how much an action is worth more than another on the same decks, and half of a 95 % interval."""
    many = weighed.fit
    mean = float(int(weighed.sums[one, 0]) - int(weighed.sums[other, 0])) / many
    own, theirs, both = (int(weighed.products[place]) for place in ((one, one), (other, other), (one, other)))
    square = float(own + theirs - 2 * both) / many
    unit = TWELFTHS * weighed.futures
    return mean / unit, _Z * (max(square - mean**2, 0.0) / (many - 1)) ** 0.5 / unit


def _answer(
    spot: Spot, actions: Sequence[Action], weighed: Weighed
) -> tuple[tuple[tuple[str, Value], ...] | None, tuple[Discard, ...] | None, str]:
    """Say what everything is worth, and what to do."""
    if weighed.fit < _FEWEST:
        came = weighed.reached / weighed.decks
        if spot.up is not None and weighed.reached >= _FEWEST:
            said = (
                f"Not reached with this upcard: the turn came in {came:.0%} of {weighed.decks:,} decks, but with "
                f"{card_text(spot.up)} as the upcard in only {weighed.fit:,} of them, as these opponents seldom give "
                "such a card back."
            )
        else:
            said = f"Not reached: only {came:.2%} of the decks came to this turn with nobody having knocked."
        return None, None, said
    values = _values(weighed)
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


def _json(value: Value, *, undercut: bool) -> dict[str, float]:
    found = {"ev": value.ev, "ev_se": value.error, "win": value.win}
    return found | ({"undercut": value.undercut} if undercut else {})


def _row(one: Discard, symbols: bool) -> list[str]:
    knock = one.knock
    cells = (
        ["-"] * 4
        if knock is None
        else [f"{knock.ev:+.2f}", f"{_Z * knock.error:.2f}", f"{knock.win:.1%}", f"{knock.undercut:.1%}"]
    )
    on = one.play_on
    return [
        *(pretty(one.card, symbols), str(one.left), *cells),
        *(f"{on.ev:+.2f}", f"{_Z * on.error:.2f}", f"{on.win:.1%}"),
    ]
