"""What to do with this hand, now: draw or take, which card to give back, knock or play on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import ThresholdBot
from rumsim.cards import JOKERS, card_text, cards_of, mask, parse_cards
from rumsim.decks import LAST_BLOCK
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.advice import Advice, Z
from rumsim.lab.advice_words import FEWEST, answer, errors, values_of, why_less
from rumsim.lab.grid_request import read_confirm_seed
from rumsim.lab.respond import schedules_against
from rumsim.melds import count
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard
from rumsim.runs.progress import Progress
from rumsim.stats.sequential import anytime_margin
from rumsim.tasks.advice import CHUNK, MOST_WAYS, Action, Given, Scales, Spot, Weighed, Weighing
from rumsim.tasks.response import Question

LEAST_BLOCKS = 1000  # with fewer an interval of normal numbers says too much
SECONDS = 3.0  # of weighing, where no number of decks is asked for
EXACT = 0.2  # points: half of an interval that is narrow enough
_HOPEFUL_SECONDS = 0.5  # after that it is seen whether enough decks will fit
_LATER_SECONDS = 1.0  # at least, where less is taken into account
_SEARCHED = 10_000  # blocks on which one's own later knocks are found
_ROUND = 4096  # decks between looks at the clock
_MOST_FUTURES = 32
_MOST_DISCARDS, _WORSE = 5, 10  # cards that are tried, and by how many points they may leave more than the best


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
    progress: bool = False,
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
    progress : bool
        Show on standard error how far it is, where so many blocks take more than a moment.

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

    Where fewer than 200 decks are left, less is taken into account of how the turn came about, step by step: first not
    that an opponent gave the upcard back, then not that nobody has knocked, then none of the turns before.  The result
    says what was, and what is supposed instead.

    Ctrl-C ends it early; the result then stands on the decks weighed so far, and says so.

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
    actions = _actions(spot)
    with heard() as ctrl_c:
        schedules = None
        try:
            with ctrl_c.at_once():
                question = Question(spot.rules, spot.players, ThresholdBot(), others)
                schedules = schedules_against(question, seed, _SEARCHED, jobs)
        except KeyboardInterrupt:
            ctrl_c.asked = ctrl_c.answered = True
        if schedules is None:
            return _interrupted(spot, others, seed, confirm)
        own = ThresholdBot(knock=tuple(tuple(schedule) for schedule in schedules))
        tried: list[Weighed] = []
        end = None
        for given in Given.less_and_less(spot):
            if not given.discarded and given.unknocked and tried[-1].reached < FEWEST:
                continue  # whatever the upcard, the turn does not come
            scales = Scales(spot, own, others, actions, confirm, given)
            if blocks is None:
                weighed, interrupted, end = _weigh_in_time(scales, jobs, end, given == Given.less_and_less(spot)[-1])
            else:
                weighed, interrupted = _weigh(scales, blocks, jobs, progress)
            if interrupted or weighed.fit >= FEWEST:
                break
            tried.append(weighed)
    draws, discards, said = answer(spot, actions, weighed)
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
        given=given,
        note=why_less(spot, given, tried),
        interrupted=interrupted,
    )


def _interrupted(spot: Spot, opponents: Mixture, seed: int, confirm: int) -> Advice:
    """Return the result of a run that ended before anything was weighed."""
    said = "Interrupted before anything was weighed."
    return Advice(spot, str(opponents), (), None, None, 0, 0, 0, said, seed, confirm, interrupted=True)


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
    spot = Spot(rules, players, seat, own_turn, tuple(cards), found["upcard"], found["drawn"])
    if spot.turns_before() >= rules.max_turns:
        most = (rules.max_turns - 1 - seat) // players + 1
        allowed = f"1 to {most} in seat {seat} (max_turns={rules.max_turns})" if most else f"none in seat {seat}"
        raise wrong("own_turn", own_turn, allowed)
    return spot


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


def _trial(scales: Scales, decks: int, jobs: int) -> tuple[Weighed, bool, int]:
    """Weigh on a few decks; return also whether that was interrupted, and the futures that are best for more."""
    trial, interrupted = execute(Weighing(scales, 1), decks, jobs, CHUNK)
    # Where few decks fit, each of these is worth more than one look at what may come.
    futures = int(min(_MOST_FUTURES, max(1, trial.decks / max(trial.fit, 1) / (8 * len(scales.actions)))))
    return trial, interrupted, futures


def _weigh(scales: Scales, blocks: int, jobs: int, progress: bool) -> tuple[Weighed, bool]:
    """Weigh on so many decks."""
    trial, interrupted, futures = _trial(scales, min(_ROUND, blocks), jobs)
    if interrupted:
        return trial, interrupted
    with Progress(blocks, "decks", quiet=not progress) as bar:
        return execute(Weighing(scales, futures), blocks, jobs, CHUNK, progress=_shown(bar))


def _shown(bar: Progress) -> Callable[[Weighed, int], None]:
    """Return what shows the sums so far: the points of the best action, with an interval to look at any time."""

    def show(weighed: Weighed, planned: int) -> None:
        def note() -> str:
            if weighed.fit < FEWEST:
                return ""
            best = max(values_of(weighed), key=lambda value: value.ev)
            fit = weighed.fit
            margin = anytime_margin(best.error * fit**0.5, fit, max(fit, planned * fit // weighed.decks))
            return "" if margin is None else f"best action {best.ev:+.2f} ± {margin:.2f} points"

        bar.update(weighed.decks, note)

    return show


def _weigh_in_time(scales: Scales, jobs: int, end: float | None, last: bool) -> tuple[Weighed, bool, float]:
    """Weigh until all is known well enough, or time is over, or too few decks would fit; return also when that is."""
    trial, interrupted, futures = _trial(scales, _ROUND, jobs)
    begin = time.monotonic()
    end = begin + SECONDS if end is None else max(end, begin + _LATER_SECONDS)
    if interrupted:
        return trial, interrupted, end
    step = _ROUND * jobs
    total = Weighing(scales, futures).empty()
    while not total.decks or time.monotonic() < end:
        part, interrupted = execute(Weighing(scales, futures, total.decks), step, jobs, CHUNK)
        total += part
        if interrupted or (total.fit > FEWEST and max(errors(total)) * Z <= EXACT):
            break
        gone = time.monotonic() - begin
        if not last and gone > _HOPEFUL_SECONDS and total.fit * (end - begin) / gone < FEWEST / 2:
            break
    return total, interrupted, end
