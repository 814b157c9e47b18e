"""What holds for every hand and every deal, searched for exceptions by hypothesis."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, find, given, settings
from hypothesis import strategies as st

from rumsim import play, replay
from rumsim.bots import parse_bot
from rumsim.cards import JOKERS, card_id, card_text, cards_of, mask, parse_cards, pretty
from rumsim.melds import best_discard, count
from rumsim.referee import RecordedDeal
from rumsim.rules import parse_rules
from rumsim.settlement import settlement
from tests import oracle
from tests.scripts import shuffled

settings.register_profile("rumsim", deadline=None, derandomize=True, max_examples=150)
settings.load_profile("rumsim")

ACES = {"low": parse_rules("ledger"), "high-or-low": parse_rules("ledger:ace-high")}
aces = st.sampled_from(sorted(ACES))


@st.composite
def hands(draw: st.DrawFn, least: int = 0, most: int = 12) -> frozenset[int]:
    """Cards out of few ranks or few suits as often as out of the whole pack: melds are not rare."""
    ranks = draw(st.sampled_from([range(13), range(5), range(8, 13), [0, 1, 11, 12], range(3, 8)]))
    suits = draw(st.sampled_from([range(4), range(4), range(2), [0]]))
    pool = [13 * suit + rank for suit in suits for rank in ranks]
    return draw(st.frozensets(st.sampled_from(pool), min_size=min(least, len(pool)), max_size=most))


# ---------------------------------------------------------------- hands


@given(hands(), aces)
def test_the_count_is_the_oracles(hand: frozenset[int], ace: str) -> None:
    assert count(mask(hand), ACES[ace]) == oracle.deadwood(map(oracle.from_number, hand), ace)


@given(hands(), aces, st.permutations(range(4)))
def test_suits_are_alike(hand: frozenset[int], ace: str, suits: list[int]) -> None:
    renamed = [13 * suits[card // 13] + card % 13 for card in hand]
    assert count(mask(renamed), ACES[ace]) == count(mask(hand), ACES[ace])


def most_freed(card: int, ace: str) -> int:
    """How far one more card can lower the count.

    Take the best arrangement with the card and take the card away. If it was loose, nothing but its own
    points went. If it was in a set, at worst a set of three breaks: two cards of its own points come loose.
    If it was in a run, the run falls into a lower and an upper part, and a part of three or more cards is
    still a run: at most two cards on each side come loose, those next to the card in rank. All other melds
    stand. So without the card the count is higher by no more than the greater of the two.
    """
    value = oracle.points(oracle.from_number(card))
    ladder = [*range(1, 14), 1] if ace == "high-or-low" else [*range(1, 14)]
    beside = [0]
    for place in [place for place, rank in enumerate(ladder) if rank == card % 13 + 1]:
        near = ladder[max(0, place - 2) : place] + ladder[place + 1 : place + 3]
        beside.append(sum(min(rank, 10) for rank in near))
    return max(2 * value, *beside)


@given(hands(least=1, most=13), aces, st.randoms(use_true_random=False))
def test_one_more_card_changes_the_count_within_bounds(hand: frozenset[int], ace: str, rng: random.Random) -> None:
    card = rng.choice(sorted(hand))
    with_it = count(mask(hand), ACES[ace])
    without = count(mask(hand - {card}), ACES[ace])
    assert with_it <= without + oracle.points(oracle.from_number(card))
    assert with_it >= without - most_freed(card, ace)


@pytest.mark.parametrize("ace", sorted(ACES))
def test_the_bounds_are_reached(ace: str) -> None:
    """For every card some hand is lowered by exactly the bound: it is the true one."""
    for card in range(52):
        suit, rank = divmod(card, 13)
        others = [{13 * other + rank for other in range(4) if other != suit and other != (suit + 1) % 4}]
        if ace == "high-or-low":
            ladder = [13 * suit + one for one in (*range(13), 0)]
        else:
            ladder = [13 * suit + one for one in range(13)]
        for place in [place for place, one in enumerate(ladder) if one == card]:
            others.append({*ladder[max(0, place - 2) : place], *ladder[place + 1 : place + 3]})
        lowered = [count(mask(hand), ACES[ace]) - count(mask(hand | {card}), ACES[ace]) for hand in others]
        assert max(lowered) == most_freed(card, ace)


@given(hands(least=2), aces, st.randoms(use_true_random=False))
def test_the_best_discard_beats_every_other(hand: frozenset[int], ace: str, rng: random.Random) -> None:
    rules = ACES[ace]
    taken = rng.choice([None, *sorted(hand)])
    card, left = best_discard(mask(hand), rules, taken)
    assert card in hand
    assert card != taken
    assert left == count(mask(hand - {card}), rules)
    assert all(left <= count(mask(hand - {one}), rules) for one in hand if one != taken)


# ---------------------------------------------------------------- settlement


@st.composite
def ended_deals(draw: st.DrawFn) -> tuple[list[int], int | None, str, int, int]:
    players = draw(st.integers(2, 5))
    counts = draw(st.lists(st.one_of(st.integers(0, 3), st.integers(0, 130)), min_size=players, max_size=players))
    knocker = draw(st.one_of(st.none(), st.integers(0, players - 1)))
    amounts = st.one_of(st.just(10), st.integers(0, 1000))
    return counts, knocker, draw(st.sampled_from(["free", "penalty"])), draw(amounts), draw(amounts)


@given(ended_deals())
@example(([0, 0, 0, 0, 0], 2, "penalty", 10, 25))
@example(([7, 7, 7, 7, 7], 2, "penalty", 10, 25))
@settings(max_examples=500)
def test_settlement_is_the_oracles(deal: tuple[list[int], int | None, str, int, int]) -> None:
    counts, knocker, tie, undercut, bonus = deal
    rules = parse_rules(f"ledger:tie={tie},undercut={undercut},rum_bonus={bonus}")
    found = settlement(counts, knocker, rules)
    expected = oracle.settle(counts, knocker, tie, undercut, bonus)
    assert list(found.winners) == expected.winners
    assert list(found.transfers) == expected.transfers
    assert list(found.win_shares) == expected.win_shares
    assert (found.rum, found.undercut, found.tied) == (expected.rum, expected.undercut, expected.tied)
    assert sum(found.transfers) == 0
    assert sum(found.win_shares) == 1


# ---------------------------------------------------------------- whole deals, played by dice


class Dice:
    """Plays any legal turn; knocks seldom, so that deals also end in every other way."""

    def __init__(self, seed: int, take: float, knock: float) -> None:
        self.rng, self.take, self.knock = random.Random(seed), take, knock

    def take_upcard(self, view: Any) -> bool:
        return self.rng.random() < self.take

    def give_back(self, view: Any) -> tuple[int, bool]:
        card = self.rng.choice([one for one in view.hand if one != view.taken])
        left = count(mask(one for one in view.hand if one != card), view.rules)
        limit = view.rules.knock_limit
        return card, self.rng.random() < self.knock and (limit is None or left <= limit)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    players = draw(st.integers(2, 5))
    jokers = draw(st.sampled_from([0, 0, 1, 2]))
    most = min((50 + jokers) // players, 12 if jokers else 25)  # the oracle takes its time with jokers
    size = draw(st.one_of(st.just(most), st.integers(1, most)))
    fields = {
        "jokers": jokers,
        "joker_value": draw(st.sampled_from([0, 15, 40])),
        "min_naturals": draw(st.sampled_from([1, 2, 3])),
        "hand_size": size,
        "stock": draw(st.sampled_from(["compare", "reshuffle"])),
        "tie": draw(st.sampled_from(["free", "penalty"])),
        "ace": draw(st.sampled_from(["low", "high-or-low"])),
        "knock_limit": draw(st.sampled_from(["none", "none", 10, 60])),
        "max_turns": draw(st.sampled_from([1, 7, 40, 70])),
    }
    return {
        "players": players,
        "dealer": draw(st.integers(0, players - 1)),
        "rules": "ledger:" + ",".join(f"{key}={value}" for key, value in fields.items()),
        "deck": shuffled(draw(st.integers(0, 10**6)), jokers),
        "take": draw(st.sampled_from([0.0, 0.2, 0.5, 0.9])),
        "knock": draw(st.sampled_from([0.0, 0.02, 0.2])),
    }


def played(table: dict[str, Any], watch: Any = None) -> RecordedDeal:
    people = {player: Dice(player, table["take"], table["knock"]) for player in range(table["players"])}
    options = {"dealer": table["dealer"], "deck": table["deck"], "people": people, "watch": watch}
    return play(table["players"], ["knock=10"], table["rules"], **options)


@given(tables())
def test_no_card_is_lost_or_doubled(table: dict[str, Any]) -> None:
    watched: list[tuple[list[tuple[int, ...]], int, int]] = []

    def watch(deal: Any, turn: Any) -> None:
        held = [deal.hand(player) for player in range(table["players"])]
        watched.append((held, deal.upcard, deal.stock_count))

    deal = played(table, watch)
    shown = deal.as_json()
    # The oracle walks the record by the rules alone and objects to whatever they forbid ...
    moments = [moment for moment, _ in oracle.follow(shown)]
    for moment in moments:
        everywhere = [*moment.stock, *moment.pile, *(one for hand in moment.hands for one in hand)]
        assert sorted(everywhere) == sorted(oracle.PACK + oracle.JOKERS[: shown["rules"]["jokers"]])
        assert len({len(hand) for hand in moment.hands}) == 1
    # ... and the table looked, after every turn, as the oracle says. (A new stock is made before the next
    # turn: then the moment before that turn has one more stock and a shorter pile.) Which of two jokers the
    # dice gave back does not show.
    assert len(watched) == len(shown["turns"])
    renewed = ["reshuffle" in turn for turn in shown["turns"][1:]] + [False]
    for (held, upcard, stock_count), moment, fresh in zip(watched, moments[1:], renewed, strict=True):
        for hand, expected in zip(held, moment.hands, strict=True):
            assert sorted(map(card_text, hand)) == sorted(map(oracle.text, expected))
        assert card_text(upcard) == oracle.text(moment.pile[-1])
        assert stock_count == (0 if fresh else len(moment.stock))


@given(tables())
def test_the_end_of_a_deal_is_settled_as_the_oracle_settles_it(table: dict[str, Any]) -> None:
    shown = played(table).as_json()
    rules = shown["rules"]
    hands = [oracle.cards(hand) for hand in shown["hands"]]
    assert shown["deadwood"] == [oracle.deadwood(hand, **oracle.way(rules)) for hand in hands]
    transfers, shares = ([Fraction(text) for text in shown[key]] for key in ("transfers", "win_shares"))
    assert sum(transfers) == 0
    if shown["end"] == "stalled":
        assert (shown["winners"], set(transfers), set(shares)) == ([], {0}, {0})
        assert sum(turn["draw"] != "decline" for turn in shown["turns"]) == rules["max_turns"]
        return
    assert sum(shares) == 1
    expected = oracle.settle(shown["deadwood"], shown["knocker"], rules["tie"])
    assert (shown["winners"], transfers, shares) == (expected.winners, expected.transfers, expected.win_shares)
    assert (shown["rum"], shown["undercut"], shown["tied"]) == (expected.rum, expected.undercut, expected.tied)
    assert (shown["end"] == "knock") is (shown["knocker"] is not None) is shown["turns"][-1]["knock"]


@given(tables())
def test_replaying_a_played_deal_changes_nothing(table: dict[str, Any]) -> None:
    shown = played(table).as_json()
    again = replay(json.loads(json.dumps(shown))).as_json()
    assert json.dumps(again) == json.dumps(shown)


@given(tables(), st.integers(0, 60))
def test_a_deal_cut_short_is_open_and_its_record_too_comes_back(table: dict[str, Any], cut: int) -> None:
    whole = played(table).as_json()
    turns = whole["turns"][: min(cut, len(whole["turns"]) - 1)]
    shown = replay({**whole, "turns": turns}).as_json()
    assert shown["end"] == "open"
    assert shown["turns"] == turns
    assert shown["next"] == whole["turns"][len(turns)]["player"]
    for key in ("knocker", "winners", "transfers", "win_shares", "rum", "undercut", "tied"):
        assert shown[key] is None
    # A new stock is asked for exactly where the whole deal then made one.
    renewed = whole["turns"][len(turns)].get("reshuffle")
    assert set(shown.get("new_stock") or []) == set(renewed or [])
    assert json.dumps(replay(json.loads(json.dumps(shown))).as_json()) == json.dumps(shown)


@pytest.mark.parametrize("end", ["knock", "exhausted", "stalled", "reshuffled", "joker taken"])
def test_the_dice_meet_every_end(end: str) -> None:
    """Otherwise the properties above would hold for want of exceptions."""

    def ends_so(table: dict[str, Any]) -> bool:
        deal = played(table)
        if end == "joker taken":
            return any(turn.draw == "upcard" and turn.card in JOKERS for turn in deal.turns)
        return any(turn.reshuffle for turn in deal.turns) if end == "reshuffled" else deal.end == end

    find(tables(), ends_so)


RULES = ["ledger", "traditional", "traditional:ace-high,seven,tie=free", "ledger:joker-knock"]


@given(st.integers(0, 2**40), st.integers(0, 1000), st.integers(2, 5), st.data())
@settings(max_examples=40)
def test_a_deal_by_seed_is_its_own_record(seed: int, block: int, players: int, data: st.DataObject) -> None:
    rotation = data.draw(st.integers(0, players - 1))
    rules = data.draw(st.sampled_from(RULES))
    bots = ["knock=30/12", "knock=5,draw=meld"]
    deal = play(players, bots, rules, seed=seed, block=block, rotation=rotation)
    shown = deal.as_json()
    assert play(players, bots, rules, seed=seed, block=block, rotation=rotation).as_json() == shown
    assert replay(shown).as_json() == shown
    assert shown["dealer"] == players - 1 - rotation
    # The deck is the block's: the same in every rotation.
    assert play(players, bots, rules, seed=seed, block=block, rotation=0).as_json()["deck"] == shown["deck"]


# ---------------------------------------------------------------- texts


@given(st.permutations(range(54)), st.integers(0, 54), st.sampled_from([" ", ",", ", ", "\t", " \n "]))
def test_card_texts_come_back(order: list[int], size: int, separator: str) -> None:
    cards = order[:size]
    words = [card_text(card) for card in cards]
    jokers = iter((52, 53))  # the first ** is 52, whichever it was
    expected = [next(jokers) if card >= 52 else card for card in cards]
    if cards:
        assert parse_cards(separator.join(words)) == expected
        assert parse_cards(separator.join(words).lower().replace("t", "10")) == expected
    assert parse_cards(words) == expected
    assert cards_of(mask(cards)) == sorted(cards)


@given(st.integers(0, 51))
def test_suit_symbols_come_back(card: int) -> None:
    assert card_id(pretty(card, True)) == card_id(pretty(card, False)) == card_id(card_text(card)) == card


thresholds = st.one_of(st.just("never"), st.integers(0, 200).map(str))
schedules = st.lists(thresholds, min_size=1, max_size=4).map("/".join)
knocks = st.lists(schedules, min_size=1, max_size=5).map("+".join)
draws = st.one_of(
    st.sampled_from(["stock", "meld", "improve", "always"]), st.integers(0, 500).map(lambda m: f"improve:{m}")
)


@given(
    st.dictionaries(st.sampled_from(["knock", "draw", "discard"]), st.none(), min_size=1),
    knocks,
    draws,
    st.randoms(use_true_random=False),
)
def test_bot_texts_come_back(chosen: dict[str, None], knock: str, draw: str, rng: random.Random) -> None:
    pairs = {"knock": knock, "draw": draw, "discard": "greedy"}
    keys = list(chosen)
    rng.shuffle(keys)
    bot = parse_bot(",".join(f"{key}={pairs[key]}" for key in keys))
    canonical = str(bot)
    assert parse_bot(canonical) == bot
    assert str(parse_bot(canonical)) == canonical
    assert [pair.split("=")[0] for pair in canonical.split(",")] == ["knock", "draw", "discard"]
    defaults = {"knock": "10", "draw": "improve:1", "discard": "greedy"}
    expected = {key: pairs[key] if key in chosen else defaults[key] for key in pairs}
    expected["draw"] = "improve:1" if expected["draw"] == "improve" else expected["draw"]
    assert canonical == ",".join(f"{key}={value}" for key, value in expected.items())
