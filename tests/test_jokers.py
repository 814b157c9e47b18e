"""Hands with jokers: against an oracle that tries every identity, and worked by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rumsim.cards import card_text, mask, parse_cards
from rumsim.errors import RequestError
from rumsim.melds import arrange, best_discard, count, deadwood
from rumsim.rules import Rules, parse_rules
from rumsim.settlement import settle
from tests import oracle
from tests.oracle import Card
from tests.test_melds import KINDS, ids, show

VALUES = (0, 1, 10, 15, 40)


def one_suit_hands(rng: random.Random, number: int) -> Iterator[list[Card]]:
    """Nearly a whole suit: long runs that jokers lengthen, mend or part."""
    for _ in range(number):
        suit = rng.choice(oracle.SUITS)
        own = [one for one in oracle.PACK if one[1] == suit]
        others = [one for one in oracle.PACK if one[1] != suit]
        yield rng.sample(own, rng.randint(7, 10)) + rng.sample(others, rng.randint(0, 1))


MAKERS = {name: make for name, (make, _) in KINDS.items()} | {"one suit": one_suit_hands}
EVERYWHERE = [(kind, naturals) for kind in MAKERS for naturals in (1, 2, 3)]


def joker_hands(rng: random.Random, kind: str, naturals: int, number: int) -> Iterator[tuple[list[Card], Rules]]:
    """Hands of 3 to 11 cards with one joker or two, and rules to count them by."""
    for hand in MAKERS[kind](rng, number):
        jokers = rng.randint(1, 2)
        most = min(len(hand), 11 - jokers)
        size = most if rng.random() < 0.6 else rng.randint(3 - jokers, most)
        way = {"joker_value": rng.choice(VALUES), "min_naturals": naturals, "ace": rng.choice(["low", "high-or-low"])}
        yield rng.sample(hand, size) + oracle.JOKERS[:jokers], parse_rules({"jokers": 2, **way})


def way(rules: Rules) -> dict[str, Any]:
    return oracle.way(rules.as_json())


# ---------------------------------------------------------------- every hand


@pytest.mark.parametrize(("kind", "naturals"), EVERYWHERE)
def test_counts_of_many_hands(kind: str, naturals: int) -> None:
    for hand, rules in joker_hands(random.Random(f"{kind} {naturals}"), kind, naturals, 250):
        assert count(ids(hand), rules) == oracle.deadwood(hand, **way(rules)), (show(hand), str(rules))


@pytest.mark.parametrize(("kind", "naturals"), EVERYWHERE)
def test_discards_of_many_hands(kind: str, naturals: int) -> None:
    rng = random.Random(f"discards {kind} {naturals}")
    for hand, rules in joker_hands(rng, kind, naturals, 50):
        left = oracle.after_giving(hand, None, **way(rules))
        free = oracle.greediest(left)
        assert best_discard(ids(hand), rules) == (oracle.number(free), left[free]), (show(hand), str(rules))
        for taken in {free, oracle.JOKERS[0], rng.choice(hand)}:
            bound = oracle.greediest({one: left[one] for one in left if one != taken})
            found = best_discard(ids(hand), rules, oracle.number(taken))
            assert found == (oracle.number(bound), left[bound]), (show(hand), taken, str(rules))


def test_the_arrangement_shown_is_legal_and_reaches_the_count() -> None:
    seen: Counter[str] = Counter()
    for kind, naturals in EVERYWHERE:
        for hand, rules in joker_hands(random.Random(f"shown {kind} {naturals}"), kind, naturals, 60):
            shown = arrange(map(oracle.number, hand), rules).as_json()
            melded = [word for meld in shown["melds"] for word in meld]
            assert sorted(["**" if "=" in word else word for word in melded] + shown["unmelded"]) == words_of(hand)
            assert all(oracle.well_shown(meld, rules.ace, naturals) for meld in shown["melds"]), shown
            value = sum(oracle.points(one, rules.joker_value) for one in oracle.row(shown["unmelded"]))
            assert shown["deadwood"] == value == oracle.deadwood(hand, **way(rules))
            assert shown["hand"] == [oracle.text(one) for one in sorted(hand, key=oracle.number)]
            assert shown["unmelded"] == sorted(shown["unmelded"], key=shown["hand"].index)
            seen.update(what_jokers_do(shown))
    assert all(
        seen[what] > 20 for what in ("loose", "two in one meld", "one in each of two", "a twin", "in a run", "in a set")
    )


def words_of(hand: list[Card]) -> list[str]:
    return sorted(map(oracle.text, hand))


def what_jokers_do(shown: dict[str, Any]) -> Iterator[str]:
    jokers = [[word.removeprefix("**=") for word in meld if "=" in word] for meld in shown["melds"]]
    numbers = [len(stands) for stands in jokers if stands]
    yield from ["loose"] * ("**" in shown["unmelded"])
    yield from ["two in one meld"] * (2 in numbers)
    yield from ["one in each of two"] * (numbers == [1, 1])
    yield from ["a twin"] * any(stand in shown["hand"] for stands in jokers for stand in stands)
    for meld, stands in zip(shown["melds"], jokers, strict=True):
        if stands:
            yield "in a run" if meld[0][-1] == meld[1][-1] else "in a set"


def test_a_whole_suit_and_two_jokers() -> None:
    """13 cards leave a run no room to grow: two runs with a joker each, which may stand for the same cards."""
    rng = random.Random(13)
    own = [one for one in oracle.PACK if one[1] == "D"]
    for naturals in (1, 2, 3):
        for ace in ("low", "high-or-low"):
            rules = parse_rules(f"ledger:joker-knock,min_naturals={naturals},ace={ace}")
            hand = [*own, *rng.sample([one for one in oracle.PACK if one[1] != "D"], 3), *oracle.JOKERS]
            assert count(ids(hand), rules) == oracle.deadwood(hand, **way(rules))


def test_jokers_alone() -> None:
    for value in VALUES:
        rules = parse_rules(f"ledger:joker-knock,joker_value={value}")
        assert [deadwood(words, rules).deadwood for words in ("**", "** **")] == [value, 2 * value]
        assert best_discard(3 << 52, rules) == (52, value)
        assert best_discard(3 << 52, rules, taken=52) == (53, value)


def test_either_joker_counts_the_same() -> None:
    rules = parse_rules("ledger:joker-knock")
    hand = mask(parse_cards("5H 7H 2S"))
    assert count(hand | 1 << 52, rules) == count(hand | 1 << 53, rules) == 2
    assert arrange([*parse_cards("5H 7H 2S"), 53], rules).melds[0].cards == (17, 53, 19)


@pytest.mark.parametrize("rules", ["ledger:joker-knock", "ledger:joker-knock,ace-high"])
def test_the_whole_pack_is_counted(rules: str) -> None:
    assert deadwood([*range(54)], rules).deadwood == 0


# ---------------------------------------------------------------- hands worked by hand

# The hand, fields beside jokers=2, the count, and melds where only those reach it.
WORKED = [
    # A pair and a joker: 8S 8D and a third eight. Which one is free, H comes first. The king is left.
    ("8S 8D ** KC", "", 10, [["8S", "**=8H", "8D"]]),
    # A joker in the gap of 5H . 7H; the two is left.
    ("5H ** 7H 2S", "", 2, [["5H", "**=6H", "7H"]]),
    # At the end: nothing follows the king, so the joker is the ten. The four is left.
    ("JS QS KS ** 4D", "", 4, [["**=TS", "JS", "QS", "KS"]]),
    # Nothing is below the ace, so the joker is the three.
    ("AS 2S ** 9D", "", 9, [["AS", "2S", "**=3S"]]),
    # One natural card and two jokers are a meld: the king, the dearest; the two is left.
    ("KS ** ** 2H", "", 2, None),
    # With two naturals wanted they are none, and two and king make none either: 10 + 2 + 15 + 15.
    ("KS ** ** 2H", "min_naturals=2", 42, []),
    # Two kings and two jokers: four of a rank.
    ("KS KD ** ** 4D", "min_naturals=2", 4, [["KS", "**=KH", "KD", "**=KC"]]),
    # With three wanted two kings are not enough: 20 + 4 + 30. Three are; the second joker finds no place.
    ("KS KD ** ** 4D", "min_naturals=3", 54, []),
    ("KS KD KC ** 4D", "min_naturals=3", 4, [["KS", "**=KH", "KD", "KC"]]),
    ("KS KD KC ** ** 4D", "min_naturals=3", 19, [["KS", "**=KH", "KD", "KC"]]),
    # 5 . 7 8 hold three naturals around the gap.
    ("5C ** 7C 8C 2H", "min_naturals=3", 2, [["5C", "**=6C", "7C", "8C"]]),
    # There is no fifth nine. Three of them and a joker, which then stands for a nine that is held: the spare nine is
    # left, with the four 13. A loose joker would leave 4 + 15.
    ("9S 9H 9D 9C ** 4H", "", 13, None),
    # The joker as the jack of hearts, which the set of jacks needs: 4 is left. (DW-087; if a joker could not stand for
    # a card that is held, 24.)
    ("JS JC ** KH QH JH KD QD JD 4S", "", 4, None),
    # Q K and a joker: the jack; with the ace high it could be the ace as well. The five is left.
    ("QD KD ** 5S", "", 5, [["**=JD", "QD", "KD"]]),
    ("QD KD ** 5S", "ace=high-or-low", 5, None),
    # K and A: no run with the ace low, 10 + 1 + 15 + 5. With the ace high the joker is the queen.
    ("KD AD ** 5S", "", 31, []),
    ("KD AD ** 5S", "ace=high-or-low", 5, [["**=QD", "KD", "AD"]]),
    # But no wrap: K, joker as the ace, 2.
    ("KD 2D ** 5S", "ace=high-or-low", 32, []),
    # Four of a rank and two jokers: two sets of two naturals, each completed by a joker.
    ("6S 6H 6D 6C ** **", "min_naturals=2", 0, None),
    # With three naturals wanted only one joker has a place, and costs a six its set: 6 + 15.
    ("6S 6H 6D 6C ** **", "min_naturals=3", 21, None),
    # A joker that counts nothing is left rather than a card: 3 4 of clubs take one, the nine stays, the second is 0.
    ("3C 4C ** 9D", "joker_value=0", 9, None),
    ("KS 3C ** 9D", "joker_value=0", 22, []),
    # One that counts 40 is worth more in a meld than all others: it joins the natural run.
    ("4H 5H 6H ** 2S", "joker_value=40", 2, None),
]


@pytest.mark.parametrize(("hand", "fields", "left", "melds"), WORKED)
def test_worked(hand: str, fields: str, left: int, melds: list[list[str]] | None) -> None:
    rules = parse_rules("ledger:joker-knock" + f",{fields}" * bool(fields))
    shown = deadwood(hand, rules).as_json()
    assert shown["deadwood"] == left == oracle.deadwood(oracle.cards(hand), **way(rules))
    if melds is not None:
        assert shown["melds"] == melds


@pytest.mark.parametrize(
    ("hand", "fields", "taken", "given", "left"),
    [
        # The joker that fits nowhere counts most.
        ("2C 9D KS **", "", None, "**", 21),
        # 12 is left either way: natural cards go before jokers, though both count 10.
        ("2C KS **", "joker_value=10", None, "KS", 12),
        # Cheap jokers stay.
        ("2C 9D KS **", "joker_value=0", None, "KS", 11),
        # The joker was taken from the pile: it stays, the king goes.
        ("2C 9D KS **", "", "**", "KS", 26),
        # Two jokers, 3 naturals wanted; the second may go where the first was taken.
        ("2C 9D KS ** **", "min_naturals=3", None, "**", 36),
    ],
)
def test_worked_discard(hand: str, fields: str, taken: str | None, given: str, left: int) -> None:
    rules = parse_rules("ledger:joker-knock" + f",{fields}" * bool(fields))
    card, after = best_discard(mask(parse_cards(hand)), rules, None if taken is None else parse_cards(taken)[0])
    assert (card_text(card), after) == (given, left)


def test_of_two_jokers_the_one_that_was_taken_stays() -> None:
    rules, hand = parse_rules("ledger:joker-knock,min_naturals=3"), mask(parse_cards("2C 9D KS ** **"))
    assert [best_discard(hand, rules, taken)[0] for taken in (None, 52, 53)] == [52, 53, 52]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("hand", "rules", "words"),
    [
        ("4H **", "ledger", "a joker (**), not used in this profile; allowed: 0 jokers"),
        ("4H ** **", "traditional", "2 jokers (**), not used in this profile; allowed: 0 jokers"),
        ("4H ** **", "ledger:jokers=1", "2 jokers (**); allowed: 1 joker"),
        ("** ** **", "ledger:jokers=2", "more than two jokers"),
    ],
)
def test_more_jokers_than_the_rules_have(hand: str, rules: str, words: str) -> None:
    with pytest.raises(RequestError) as refused:
        deadwood(hand, rules)
    assert words in str(refused.value) and len(refused.value.lines) == 1


def test_settle_counts_the_jokers_of_all_hands() -> None:
    # 5S 5H and the joker, 2 left; 8D 9D and the other, 3 left: 1 point.
    settled = settle(["5S 5H ** 2C", "8D ** 9D 3C"], 0, "ledger:joker-knock")
    assert (settled.deadwood, [str(amount) for amount in settled.transfers]) == ((2, 3), ["1", "-1"])
    with pytest.raises(RequestError, match="got 2 jokers; allowed: 1"):
        settle(["5S 5H ** 2C", "8D ** 9D 3C"], 0, "ledger:jokers=1")
    with pytest.raises(RequestError, match="got 3 jokers; allowed: 2"):
        settle(["5S 5H ** 2C", "8D ** 9D 3C", "TD ** 6H AS"], 0, "ledger:joker-knock")
