"""Advice for a hand: the same as playing every deck that fits in plain Python, and as the best answers say."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations

import numpy as np
import pytest

import rumsim
from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import ThresholdBot
from rumsim.engine.requests import TWELFTHS
from rumsim.lab.advice_words import values_of
from rumsim.lab.advise import _actions, advise, read_spot
from rumsim.lab.respond import respond
from rumsim.referee import Deal
from rumsim.referee.play import play_turn
from rumsim.referee.view import View
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.progress import Progress
from rumsim.tasks.advice import CHUNK, EVERYTHING, Action, Given, Scales, Spot, Weighed, Weighing
from tests.conftest import Answer

Command = Callable[..., Answer]
lab = sys.modules["rumsim.lab.advise"]  # as a module: the package offers the function by that name
OWN = ThresholdBot(knock=((30, 22),))


class Focal:
    """Draws from the stock and gives that card back; does one thing at its turn; then plays as a threshold bot."""

    def __init__(self, spot: Spot, action: Action) -> None:
        self.spot, self.action = spot, action

    def take_upcard(self, view: View) -> bool:
        if view.own_turn < self.spot.own_turn:
            return False
        if view.own_turn == self.spot.own_turn:
            return self.spot.up is not None and self.action.give is not None
        return OWN.take_upcard(view)

    def give_back(self, view: View) -> tuple[int, bool]:
        if view.own_turn < self.spot.own_turn:
            assert view.drawn is not None
            return view.drawn, False
        if view.own_turn == self.spot.own_turn and self.action.give is not None:
            return self.action.give, self.action.knocks
        return OWN.give_back(view)


def played(spot: Spot, action: Action, opponents: ThresholdBot, deck: Sequence[int]) -> tuple[int, int] | None:
    """Play a deck by the referee; twelfths and sixtieths of the player, or None if it does not fit what is seen."""
    deal = Deal(spot.rules, spot.players, spot.players - 1, list(deck))  # so that player and seat are one
    focal = Focal(spot, action)
    while deal.end is None:
        if deal.mover == spot.seat and deal.own_turns[spot.seat] == spot.own_turn - 1:
            if spot.up is not None and deal.upcard != spot.up:
                return None
            if spot.drawn is not None and (not deal.stock or deal.stock[0] != spot.drawn):
                return None
        play_turn(deal, focal if deal.mover == spot.seat else opponents, reasons=False)
    # Ended before the turn, by a knock of an opponent or an empty stock.
    if deal.own_turns[spot.seat] < spot.own_turn - (spot.up is not None and deal.end == "exhausted"):
        return None
    settled = deal.settle()
    return int(settled.transfers[spot.seat] * 12), int(settled.win_shares[spot.seat] * 60)


def decks_with(spot: Spot, orders: Iterable[Sequence[int]]) -> Iterator[list[int]]:
    """Lay the own cards where they are dealt, and all others in these orders."""
    dealt = len(spot.hand) * spot.players
    for order in orders:
        rest, own = iter(order), iter(spot.hand)
        yield [
            next(own) if place < dealt and place % spot.players == spot.seat else next(rest)
            for place in range(spot.rules.deck_size)
        ]


def unseen(spot: Spot) -> list[int]:
    return [card for card in range(spot.rules.deck_size) if card not in spot.hand]


def values(spot: Spot, opponents: ThresholdBot, decks: int, actions: Sequence[Action]) -> list[tuple[float, float]]:
    scales = Scales(spot, OWN, Mixture.parse(str(opponents)), actions, seed=3)
    found = scales.weigh(0, decks)
    assert found.fit > 100
    means = found.sums[:, 0].astype(float) / found.fit
    errors = np.sqrt(np.maximum(np.diagonal(found.products).astype(float) / found.fit - means**2, 0) / found.fit)
    return [(float(mean) / TWELFTHS, float(error) / TWELFTHS) for mean, error in zip(means, errors, strict=True)]


def brute(spot: Spot, opponents: ThresholdBot, action: Action) -> tuple[float, int]:
    """The mean over all decks that fit, where two players hold all cards but two or three."""
    free = unseen(spot)
    open_places = len(free) - len(spot.hand)  # the upcard and the stock; all other cards are the opponent's
    total = many = 0
    for laid in permutations(free, open_places):
        others = [card for card in free if card not in laid]
        (deck,) = decks_with(spot, [[*others, *laid]])
        found = played(spot, action, opponents, deck)
        if found is not None:
            total, many = total + found[0], many + 1
    return total / many / 12, many


@pytest.mark.parametrize(
    ("rules", "seat", "own_turn", "up", "drawn", "knock"),
    [
        ("ledger:hand_size=25", 0, 1, 8, None, 60),
        ("ledger:hand_size=25", 0, 1, None, 51, 60),
        ("ledger:hand_size=25", 1, 1, 36, None, 20),
        ("ledger:hand_size=25", 1, 1, None, 33, 20),
        ("ledger:hand_size=26,joker-knock", 0, 1, 53, None, 5),
        ("ledger:hand_size=26,joker-knock", 1, 1, None, 52, 5),
    ],
)
def test_small_stocks_are_weighed_as_all_their_decks(rules, seat, own_turn, up, drawn, knock) -> None:
    rules = parse_rules(rules)
    rng = random.Random(seat)
    free = [card for card in range(rules.deck_size) if card not in (up, drawn)]
    hand = rng.sample(free, rules.size_for(2))
    spot = read_spot(2, seat, own_turn, hand, rules, up, drawn)
    opponents = parse_bot(f"knock={knock}")
    actions = _actions(spot)[:4]
    assert isinstance(opponents, ThresholdBot)
    for action, (mean, error) in zip(actions, values(spot, opponents, 20_000, actions), strict=True):
        exact, many = brute(spot, opponents, action)
        assert many > 1
        assert mean == pytest.approx(exact, abs=4.5 * error + 1e-9), action


@pytest.mark.parametrize(
    ("players", "seat", "own_turn", "up", "drawn"),
    [(3, 1, 2, 12, None), (3, 0, 2, None, 30), (2, 0, 3, 25, None), (4, 3, 1, 38, None)],
)
def test_later_turns_are_weighed_as_random_decks_that_fit(players, seat, own_turn, up, drawn) -> None:
    rules = parse_rules("ledger:hand_size=3")
    hand = [0, 15, 44]  # an ace, a three, a six
    spot = read_spot(players, seat, own_turn, hand, rules, up, drawn)
    opponents = parse_bot("knock=6")
    assert isinstance(opponents, ThresholdBot)
    actions = _actions(spot)[:3]
    rng = random.Random(players)
    got: list[list[int]] = [[] for _ in actions]
    free = unseen(spot)
    for _ in range(9000):
        rng.shuffle(free)
        (deck,) = decks_with(spot, [free])
        if drawn is not None:
            # Any place from which it may be drawn here is as likely as another: so it comes often enough.
            place = deck.index(drawn)
            there = 3 * players + 1 + rng.randrange(2 * players)
            deck[place], deck[there] = deck[there], deck[place]
        for cell, action in zip(got, actions, strict=True):
            found = played(spot, action, opponents, deck)
            if found is None:
                break
            cell.append(found[0])
    for cell, (mean, error), action in zip(got, values(spot, opponents, 60_000, actions), actions, strict=True):
        assert len(cell) > 60, "too few decks fit for a test"
        plain, spread = float(np.mean(cell)) / 12, float(np.std(cell)) / 12 / len(cell) ** 0.5
        assert abs(mean - plain) < 4.5 * (error**2 + spread**2) ** 0.5, action


def test_futures_and_jobs_change_no_mean() -> None:
    spot = read_spot(3, 1, 2, "AS 2S 5H 6H 9C 9D KS", parse_rules("traditional"), "QH", None)
    scales = Scales(spot, OWN, Mixture.parse("0.5*knock=10+0.5*knock=25"), _actions(spot), seed=1)
    one, (two, _) = scales.weigh(0, 30_000), execute(Weighing(scales, 1), 30_000, 2, CHUNK)
    assert (one.sums == two.sums).all() and (one.products == two.products).all() and one.fit == two.fit
    many = scales.weigh(0, 30_000, futures=8)
    assert (many.fit, many.reached) == (one.fit, one.reached)
    for place in range(len(scales.actions)):
        a, b = one.sums[place, 0] / one.fit / 12, many.sums[place, 0] / many.fit / 96
        spread = (one.products[place, place] / one.fit / 144 - a**2) ** 0.5 / one.fit**0.5
        assert abs(a - b) < 4.5 * spread


def test_around_the_best_threshold_knocking_is_worth_as_much_as_playing_on() -> None:
    """Hands that leave more than respond's threshold should play on, those that leave less should knock."""
    players, seat, opponents = 2, 0, "knock=10"
    answer = respond(players, opponents, blocks=20_000, seed=1)
    threshold = answer.of_seat(seat)[0].threshold
    assert threshold is not None
    rng = random.Random(5)
    gains: dict[int, list[float]] = {}
    while sum(map(len, gains.values())) < 120:
        cards = rng.sample(range(52), 11)
        spot = read_spot(players, seat, 1, cards[:10], parse_rules("ledger"), None, cards[10])
        greedy = next(action for action in _actions(spot) if not action.knocks)
        assert greedy.left is not None and greedy.give is not None
        if abs(greedy.left - threshold) > 14:
            continue
        pair = [Action(greedy.give, greedy.left, True), Action(greedy.give, greedy.left, False)]
        own = ThresholdBot(knock=tuple(tuple(t.threshold or 0 for t in answer.of_seat(s)) for s in range(players)))
        found = Scales(spot, own, Mixture.parse(opponents), pair, seed=2).weigh(0, 1500)
        gains.setdefault(greedy.left - threshold, []).append(
            float(found.sums[0, 0] - found.sums[1, 0]) / found.fit / 12
        )
    low = np.mean([gain for apart, found in gains.items() if apart <= -4 for gain in found])
    near = np.mean([gain for apart, found in gains.items() if abs(apart) <= 3 for gain in found])
    high = np.mean([gain for apart, found in gains.items() if apart >= 4 for gain in found])
    assert low > 1.0 > near > -1.5 and high < -1.0


def test_the_command_says_what_it_assumes_and_is_sure_or_not(command: Command) -> None:
    words = ("advise", "--players", "2", "--seat", "0", "--own-turn", "1", "--opponents", "knock=10")
    hand = "AS 2S 3S 4H 5H 6H 9C 9D KS QD"
    answer = command(*words, "--upcard", "9H", hand, "--blocks", "4000")
    assert answer.code == 0 and max(map(len, answer.out.splitlines())) <= 80
    assert answer.out.splitlines()[4].startswith("Take 9H: ") and "Assumed" in answer.out
    document = command(*words, "--upcard", "9H", hand, "--blocks", "4000", "--json").json
    keys = ["rules", "players", "seat", "own_turn", "opponents", "draws", "discards", "advice"]
    assert list(document)[: len(keys)] == keys
    assert [row["draw"] for row in document["draws"]] == ["upcard", "stock"]
    assert list(document["discards"][0]["knock"]) == ["ev", "ev_se", "win", "undercut"]
    assert list(document["discards"][0]["play_on"]) == ["ev", "ev_se", "win"]
    assert "9H" not in [row["card"] for row in document["discards"]]  # just taken
    best = max(row[how]["ev"] for row in document["discards"] for how in ("knock", "play_on"))
    assert document["draws"][0]["ev"] == best
    after = command(*words, "--drawn", "9H", hand, "--blocks", "4000", "--json").json
    assert after["draws"] is None and after["discards"]


def test_what_the_rules_forbid_is_not_weighed(command: Command) -> None:
    words = ("advise", "--players", "2", "--seat", "0", "--own-turn", "1", "--opponents", "knock=10")
    hand = "AS 3S 5S 7H 9H JH 2C 4D KS QD"
    found = command(*words, "--drawn", "8C", hand, "--blocks", "2000", "--rules", "ledger:no-knock", "--json").json
    assert all(row["knock"] is None for row in found["discards"])
    assert "the rules allow no knock" in found["advice"]


# ---- an answer always comes ------------------------------------------------------------------------------------

EARLIER = (2153, 412, [[23268, 10560, 24], [-80100, 3900, 338], [-912, 9300, 26]])
KNOWN = "AS 2S 3S 4H 5H 6H 9C 9D KS QD"


def plain_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for later knocks takes longer than what is tested."""
    monkeypatch.setattr(lab, "schedules_against", lambda question, seed, blocks, jobs: [[30, 22]] * question.players)


def test_an_upcard_that_nobody_gives_back_has_an_answer(command: Command) -> None:
    words = ("advise", "--players", "2", "--seat", "0", "--own-turn", "2", "--opponents", "knock=10", KNOWN)
    answer = command(*words, "--upcard", "3C", "--blocks", "2000")
    assert answer.code == 0 and max(map(len, answer.out.splitlines())) <= 80
    assert "as if it had been turned up by itself" in " ".join(answer.out.split())
    assert "Not reached" not in answer.out and "with this upcard" not in answer.out
    found = command(*words, "--upcard", "3C", "--blocks", "2000", "--json").json
    assert (found["upcard_conditioned"], found["knocks_conditioned"], found["turns_conditioned"]) == (False, True, True)
    assert found["advice"].startswith("Take 3C: ") and found["fit"] == found["reached"] > 1900
    assert "3C as the upcard in none" in found["note"]
    common = command(*words, "--upcard", "KD", "--blocks", "4000", "--json").json
    assert common["upcard_conditioned"] is True and common["note"] is None
    refused = command(*words, "--upcard", "3C", "--blocks", "999").refused()
    assert refused.endswith("1000 to 100000000")


def test_a_turn_that_never_comes_has_an_answer(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_schedules(monkeypatch)
    words = ("advise", "--players", "2", "--seat", "1", "--own-turn", "4", "--opponents", "knock=200", "--json")
    hand = "AS 3S 5S 7H 9H JH 2C 4D KS QD"
    for card in ("--drawn", "--upcard"):
        found = command(*words, card, "8C", hand, "--blocks", "2000").json
        assert found["discards"] and found["fit"] == 2000
        assert found["upcard_conditioned"] is (None if card == "--drawn" else False)
        assert (found["knocks_conditioned"], found["turns_conditioned"]) == (False, True)
        assert found["note"].startswith("None of 2,000 decks came to this turn with nobody having knocked.")
    words = (*words[:6], "60", *words[7:])  # by then the stock is long gone
    found = command(*words, "--upcard", "8C", hand, "--blocks", "2000").json
    assert found["draws"] and found["turns_conditioned"] is False and "earlier turns are not played" in found["note"]
    late = command(*words, "--upcard", "8C", hand, "--rules", "ledger:max_turns=119").refused()
    assert late == "rumsim advise: own_turn: got 60; allowed: 1 to 59 in seat 1 (max_turns=119)"


def test_whatever_the_cards_and_the_turn_there_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_schedules(monkeypatch)
    rng = random.Random(7)
    upcards = [card for card in range(0, 52, 4) if card not in read_spot(2, 0, 2, KNOWN, Rules(), "3C", None).hand]
    asked = [((2, 0, 2, "knock=10", KNOWN), {"up": card}) for card in upcards]
    for text in ("ledger", "traditional:joker-knock,max_turns=90", "traditional:hand_size=25/16/12/10"):
        rules = parse_rules(text)
        for players in (2, 3, 4, 5):
            seat, own_turn = rng.randrange(players), rng.choice([1, 2, 4, 17])
            *hand, seen = rng.sample(range(rules.deck_size), rules.size_for(players) + 1)
            opponents = rng.choice(["knock=10", "knock=200", "0.5*knock=0,draw=always+0.5*knock=25,draw=stock"])
            kind = rng.choice(["up", "up", "drawn"])
            asked.append(((players, seat, own_turn, opponents, hand, rules), {kind: seen}))
    for words, seen in asked:
        found = advise(*words, **seen, blocks=1000)  # type: ignore[arg-type]
        assert found.discards and bool(found.draws) == ("up" in seen), (words, seen)
        assert found.fit >= 200 and bool(found.note) == (found.given != EVERYTHING)
        for one in found.discards:
            assert 0 <= one.play_on.win <= 1 and one.play_on.error >= 0


class Before:
    """An opponent who does not knock before a turn."""

    def __init__(self, bot: ThresholdBot, deal: Deal, turns: int) -> None:
        self.bot, self.deal, self.turns = bot, deal, turns

    def take_upcard(self, view: View) -> bool:
        return self.bot.take_upcard(view)

    def give_back(self, view: View) -> tuple[int, bool]:
        card, knocks = self.bot.give_back(view)
        return card, knocks and self.deal.table_turns >= self.turns


def supposed(spot: Spot, action: Action, bot: ThresholdBot, given: Given, free: Sequence[int]) -> int | None:
    """Play a deck by the referee with less taken into account; twelfths of the player, or None if the turn fails."""
    seen = spot.up if spot.up is not None else spot.drawn
    rest = [card for card in free if card != seen]
    dealt, turns = len(spot.hand) * spot.players, spot.turns_before()
    if spot.up is not None and not given.played:
        rest.insert(dealt - len(spot.hand), seen)
    else:
        rest.append(seen)  # at the bottom of the stock, from which it is taken away
    (deck,) = decks_with(spot, [rest])
    deal = Deal(spot.rules, spot.players, spot.players - 1, deck)
    if deal.stock[-1:] == [seen]:
        deal.stock.pop()
    if not given.played:
        stock = len(deal.stock) + (spot.drawn is not None)
        gone = min(turns, stock - 1) if spot.rules.stock == "compare" else turns % stock
        deal.pile, deal.stock = [*deal.stock[:gone], *deal.pile], deal.stock[gone:]
        deal.mover, deal.table_turns = spot.seat, turns
        deal.own_turns = [spot.own_turn - 1 + (player < spot.seat) for player in range(spot.players)]
    focal = Focal(spot, action)
    opponents = bot if given.unknocked else Before(bot, deal, turns)
    while deal.end is None:
        if deal.to_renew:
            return None
        if deal.table_turns == turns and deal.mover == spot.seat:
            if spot.up is None:
                deal.stock.insert(0, seen)
            elif deal.pile[-1] != seen:
                deal.pile.append(seen)
        play_turn(deal, focal if deal.mover == spot.seat else opponents, reasons=False)
    if deal.own_turns[spot.seat] < spot.own_turn:
        return None
    return int(deal.settle().transfers[spot.seat] * 12)


@pytest.mark.parametrize(
    ("given", "players", "seat", "own_turn", "up", "drawn", "knock"),
    [
        (Given(False), 3, 1, 2, 1, None, 6),
        (Given(False, False), 3, 2, 2, 1, None, 9),
        (Given(True, False), 2, 0, 3, None, 30, 9),
        (Given(False, False, False), 3, 0, 4, 1, None, 6),
        (Given(True, False, False), 3, 1, 9, None, 30, 9),
    ],
)
def test_what_is_supposed_is_weighed(
    given: Given, players: int, seat: int, own_turn: int, up: int | None, drawn: int | None, knock: int
) -> None:
    spot = read_spot(players, seat, own_turn, [0, 15, 44], parse_rules("ledger:hand_size=3"), up, drawn)
    bot = parse_bot(f"knock={knock}/{knock - 3}")
    assert isinstance(bot, ThresholdBot)
    actions = [action for action in _actions(spot) if action.give is not None][:2]
    actions += [action for action in _actions(spot) if action.give is None]
    weighed = Scales(spot, OWN, Mixture.parse(str(bot)), actions, 3, given).weigh(0, 12_000)
    rng, free = random.Random(1), unseen(spot)
    got: list[list[int]] = [[] for _ in actions]
    for _ in range(700):
        rng.shuffle(free)
        for cell, action in zip(got, actions, strict=True):
            found = supposed(spot, action, bot, given, free)
            if found is not None:
                cell.append(found)
    for cell, value in zip(got, values_of(weighed), strict=True):
        assert len(cell) > 100
        spread = float(np.std(cell)) / 12 / len(cell) ** 0.5
        assert abs(value.ev - float(np.mean(cell)) / 12) < 4.5 * (value.error**2 + spread**2) ** 0.5


def test_what_was_answered_before_has_the_same_answer() -> None:
    """Sums of an earlier version, in which everything was always taken into account."""
    spot = read_spot(3, 1, 2, "AS 2S 5H 6H 9C 9D KS", parse_rules("traditional"), "QH", None)
    found = Scales(spot, OWN, Mixture.parse("0.5*knock=10+0.5*knock=25,draw=meld"), _actions(spot), 1).weigh(0, 3000)
    assert (found.reached, found.fit, found.sums[:3].tolist()) == EARLIER


# ---- runs that are long, or end early --------------------------------------------------------------------------


def test_ctrl_c_keeps_the_estimate_so_far(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_schedules(monkeypatch)
    words = ("advise", "--players", "2", "--seat", "0", "--own-turn", "1", "--opponents", "knock=10", "--upcard", "9H")
    plain = Weighing.run
    whole = command(*words, KNOWN, "--blocks", "6144", "--json").json
    stop = [6 * 1024, 0]  # decks weighed in the second run, at which Ctrl-C comes

    def run(task: Weighing, first: int, last: int) -> Weighed:
        assert last - first <= CHUNK
        if task.begin + first >= stop[0]:
            raise KeyboardInterrupt
        return plain(task, first, last)

    monkeypatch.setattr(Weighing, "run", run)
    answer = command(*words, KNOWN, "--blocks", "50000", "--json")
    assert answer.code == 130 and answer.json == whole | {"interrupted": True}
    assert answer.err == "rumsim advise: interrupted: 6,144 decks were weighed\n"
    stop[0] = 0
    answer = command(*words, KNOWN, "--blocks", "50000", "--json")
    assert answer.code == 130 and answer.json["interrupted"] and answer.json["decks"] == 0
    assert answer.json["draws"] is None and answer.json["discards"] is None

    def pressed(*words: object) -> list[list[int]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "schedules_against", pressed)
    answer = command(*words, KNOWN)
    assert answer.code == 130 and "Interrupted before anything was weighed." in answer.out


def test_sums_over_decks_do_not_wrap() -> None:
    spot = read_spot(2, 0, 1, KNOWN, Rules(), "9H", None)
    one = Scales(spot, OWN, Mixture.parse("knock=10"), _actions(spot)[:2], 1).weigh(0, 1000)
    far = Weighed(one.decks, one.reached, one.fit, 1, one.sums * 10**6, one.products * 10**12)
    # As many decks as are accepted, under dear rules: 64 bits would not hold them.
    many = far
    for _ in range(17):
        many = many + many
    assert max(map(abs, many.products.ravel().tolist())) > 2**63
    for value, other in zip(values_of(one), values_of(many), strict=True):
        assert other.ev == pytest.approx(value.ev * 1e6) and other.error == pytest.approx(
            value.error * 1e6 * (999 / (1000 * 2**17 - 1)) ** 0.5, rel=1e-6
        )


def test_the_estimate_so_far_is_shown() -> None:
    spot = read_spot(2, 0, 1, KNOWN, Rules(), "9H", None)
    weighed = Scales(spot, OWN, Mixture.parse("knock=10"), _actions(spot), 1).weigh(0, 2000)
    seconds, stream = iter((0.0, 4.0)), io.StringIO()
    with Progress(8000, "decks", stream=stream, clock=lambda: next(seconds)) as bar:
        lab._shown(bar)(Weighing(Scales(spot, OWN, Mixture.parse("knock=10"), _actions(spot), 1), 1).empty(), 8000)
        lab._shown(bar)(weighed, 8000)
    best = max(value.ev for value in values_of(weighed))
    assert stream.getvalue().startswith("rumsim: 25 %") and f"best action {best:+.2f} ± " in stream.getvalue()


def test_it_knows_well_enough_in_time() -> None:
    found = advise(3, 1, 2, "knock=15", "AS 2S 5H 6H 9C 9D KS", up="QH", seed=1)
    assert found.draws is not None and found.discards is not None
    errors = [value.error for _, value in found.draws] + [one.play_on.error for one in found.discards]
    assert max(errors) * 1.96 <= 0.35  # 0.2 on a machine that is not busy with other tests


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"--seat": "2"}, "seat"),
        ({"--own-turn": "0"}, "own_turn"),
        ({"--upcard": "AS"}, "upcard"),
        ({"--upcard": "9H 8H"}, "upcard"),
        ({"--upcard": "**"}, "upcard"),
        ({"--upcard": None}, "upcard or drawn"),
        ({"--drawn": "8H"}, "upcard or drawn"),
        ({"--opponents": "0.5*knock=10"}, "opponents"),
        ({"--opponents": None}, "opponents"),
        ({"--confirm-seed": "0"}, "confirm_seed"),
        ({"--blocks": "0"}, "blocks"),
        ({"hand": "AS 2S"}, "hand"),
        ({"hand": None}, "hand"),
    ],
)
def test_wrong_requests_are_refused(command: Command, change: dict[str, str | None], argument: str) -> None:
    words: dict[str, str | None] = {
        "--players": "2",
        "--seat": "0",
        "--own-turn": "1",
        "--opponents": "knock=10",
        "--upcard": "9H",
        "hand": "AS 2S 3S 4H 5H 6H 9C 9D KS QD",
    } | change
    hand = words.pop("hand")
    line = [word for option, value in words.items() if value is not None for word in (option, value)]
    answer = command("advise", *line, *([hand] if hand else []))
    assert answer.refused().startswith(f"rumsim advise: {argument}: got")


def test_a_person_may_use_it_from_python() -> None:
    found = rumsim.advise(2, 0, 1, "knock=10", ["AS", "2S", "3S", "4H", "5H", "6H", "9C", "9D", "KS", "QD"], drawn="8H")
    assert found.draws is None and found.discards is not None and found.discards[0].knock is not None
