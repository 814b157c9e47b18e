"""The stupid and obvious version of the rules, to compare rumsim with.

Nothing here is imported from rumsim and nothing here is clever. A card is a pair (rank, suit), rank 1 to 13
(ace to king), suit one of "SHDC". The two jokers are (14, "*") and (15, "*").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "SHDC"
Card = tuple[int, str]
JOKERS: list[Card] = [(14, "*"), (15, "*")]


# ---------------------------------------------------------------- cards


def card(text: str) -> Card:
    return RANKS.index(text[0]) + 1, text[1]


def row(text: str | Iterable[str]) -> list[Card]:
    """Cards in the order written; the first ** is one joker, the second the other."""
    words = text.split() if isinstance(text, str) else list(text)
    jokers = iter(JOKERS)
    return [next(jokers) if word == "**" else card(word) for word in words]


def cards(text: str | Iterable[str]) -> frozenset[Card]:
    hand = row(text)
    assert len(set(hand)) == len(hand), f"a card twice in {text}"
    return frozenset(hand)


def text(one: Card) -> str:
    return "**" if one in JOKERS else RANKS[one[0] - 1] + one[1]


def number(one: Card) -> int:
    """The card id by the rules."""
    return 52 + JOKERS.index(one) if one in JOKERS else 13 * SUITS.index(one[1]) + one[0] - 1


def from_number(identity: int) -> Card:
    return JOKERS[identity - 52] if identity >= 52 else (identity % 13 + 1, SUITS[identity // 13])


PACK = [from_number(identity) for identity in range(52)]


def points(one: Card, joker_value: int = 15) -> int:
    return joker_value if one in JOKERS else min(one[0], 10)


# ---------------------------------------------------------------- melds and deadwood


def possible_melds(hand: frozenset[Card], ace: str = "low") -> list[frozenset[Card]]:
    """Every set and every run that lies in the hand."""
    found = []
    for rank in range(1, 14):
        same = [(rank, suit) for suit in SUITS if (rank, suit) in hand]
        for size in (3, 4):
            found += [frozenset(group) for group in combinations(same, size)]
    ladder = [*range(1, 14), 1] if ace == "high-or-low" else [*range(1, 14)]
    for suit in SUITS:
        for start in range(len(ladder)):
            run: list[Card] = []
            for rank in ladder[start:]:
                if (rank, suit) not in hand or (rank, suit) in run:  # there is one ace of a suit
                    break
                run.append((rank, suit))
                if len(run) >= 3:
                    found.append(frozenset(run))
    return found


def is_meld(group: Iterable[Card], ace: str = "low") -> bool:
    whole = frozenset(group)
    return whole in possible_melds(whole, ace)


def counter(
    hand: Iterable[Card], ace: str = "low", joker_value: int = 15, min_naturals: int = 1
) -> Callable[[frozenset[Card]], int]:
    """What any part of the hand counts at least, by trying everything.

    The first joker is loose, or stands for one of the 52 cards, whoever holds that one, in any meld. The meld's other
    cards are held, but for one that a second joker may stand for. Without jokers the first card is loose, or in any
    one of the melds that hold it.
    """
    naturals = frozenset(hand) - set(JOKERS)
    melds = possible_melds(naturals, ace)
    completed = [rest for stands_for in PACK for rest in completed_by(stands_for, ace) if len(rest - naturals) <= 1]

    @cache
    def least(left: frozenset[Card], jokers: int) -> int:
        if jokers:
            choices = [joker_value + least(left, jokers - 1)]
            for others in completed:
                if others <= left and len(others) >= min_naturals:
                    choices.append(least(left - others, jokers - 1))
                for second in others if jokers == 2 else ():
                    held = others - {second}
                    if held <= left and len(held) >= min_naturals:
                        choices.append(least(left - held, 0))
            return min(choices)
        if not left:
            return 0
        first = min(left)
        choices = [points(first) + least(left - {first}, 0)]
        choices += [least(left - meld, 0) for meld in melds if first in meld and meld <= left]
        return min(choices)

    def count(part: frozenset[Card]) -> int:
        return least(part - set(JOKERS), len(part & set(JOKERS)))

    return count


@cache
def completed_by(one: Card, ace: str) -> list[frozenset[Card]]:
    """The other cards of every set and every run in a whole pack that holds the card."""
    return [meld - {one} for meld in possible_melds(frozenset(PACK), ace) if one in meld]


def well_shown(meld: list[str], ace: str = "low", min_naturals: int = 1) -> bool:
    """Whether card texts, a joker as **=6C, are a meld in the order in which one is shown."""
    stands = [card(word.removeprefix("**=")) for word in meld]
    enough = sum("**" not in word for word in meld) >= min_naturals
    ranks = [rank for rank, _ in stands]
    if len(set(ranks)) == 1:
        ordered = stands == sorted(stands, key=number)
    else:
        ordered = ranks == sorted(ranks) or (ranks[-1] == 1 and ranks[:-1] == sorted(ranks[:-1]))
    return enough and ordered and len(set(stands)) == len(stands) and is_meld(stands, ace)


def way(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules of a record that say how a hand is counted, as all functions here take them."""
    return {key: rules[key] for key in ("ace", "joker_value", "min_naturals")}


def deadwood(hand: Iterable[Card], ace: str = "low", joker_value: int = 15, min_naturals: int = 1) -> int:
    whole = frozenset(hand)
    return counter(whole, ace, joker_value, min_naturals)(whole)


def after_giving(
    hand: Iterable[Card], taken: Card | None = None, ace: str = "low", joker_value: int = 15, min_naturals: int = 1
) -> dict[Card, int]:
    """Deadwood left after giving back each card that may be given back."""
    whole = frozenset(hand)
    count = counter(whole, ace, joker_value, min_naturals)
    return {one: count(whole - {one}) for one in whole if one != taken}


def greedy_discard(
    hand: Iterable[Card], taken: Card | None = None, ace: str = "low", joker_value: int = 15, min_naturals: int = 1
) -> tuple[Card, int]:
    """The tie rule: least deadwood, natural cards before jokers, most points, lowest card id."""
    left = after_giving(hand, taken, ace, joker_value, min_naturals)
    best = greediest(left)
    return best, left[best]


def greediest(left: dict[Card, int]) -> Card:
    return min(left, key=lambda one: (left[one], one in JOKERS, -points(one), number(one)))


# ---------------------------------------------------------------- settlement


@dataclass
class Settled:
    winners: list[int]
    transfers: list[Fraction]
    win_shares: list[Fraction]
    rum: bool
    undercut: bool
    tied: bool


def settle(counts: list[int], knocker: int | None, tie: str, undercut: int = 10, rum_bonus: int = 25) -> Settled:
    """Who pays whom, one payment at a time, told as the rule pages tell it."""
    players = range(len(counts))
    ranking = sorted(players, key=lambda player: counts[player])
    lowest = counts[ranking[0]]
    at_lowest = [player for player in players if counts[player] == lowest]
    rum = knocker is not None and counts[knocker] == 0
    tied = knocker is not None and not rum and knocker in at_lowest and len(at_lowest) > 1
    beaten = knocker is not None and knocker not in at_lowest

    winners = [knocker] if rum else [p for p in at_lowest if not (tied and p == knocker)]
    payments = []  # (who, how much), the winners share each
    for player in players:
        if player in winners:
            continue
        if rum:
            payments.append((player, counts[player] + rum_bonus))
        elif player == knocker and tied:
            payments.append((player, undercut if tie == "penalty" else 0))
        elif player == knocker and beaten:
            payments.append((player, counts[player] - lowest + undercut))
        else:
            payments.append((player, counts[player] - lowest))

    purse = [Fraction(0)] * len(counts)
    for payer, amount in payments:
        for winner in winners:
            purse[winner] += Fraction(amount, len(winners))
            purse[payer] -= Fraction(amount, len(winners))
    shares = [Fraction(1, len(winners)) if p in winners else Fraction(0) for p in players]
    return Settled(sorted(winners), purse, shares, rum, beaten, tied)


# ---------------------------------------------------------------- following a recorded deal


@dataclass
class Moment:
    """A deal before one turn: everything that lies on the table or in hands."""

    player: int
    seat: int
    hands: list[frozenset[Card]]
    stock: list[Card]
    pile: list[Card]
    turns: list[int]  # completed turns of each player


def follow(deal: dict[str, Any]) -> Iterator[tuple[Moment, dict[str, Any] | None]]:
    """Walk through a recorded deal by the rules alone, objecting to any step that they forbid.

    Yields the moment before each entry of `turns` with that entry, and the last moment with None.
    """
    rules, count, dealer = deal["rules"], deal["players"], deal["dealer"]
    size = int(rules["hand_size"].split("/")[count - 2])
    deck = row(deal["deck"])
    assert sorted(deck) == sorted(PACK + JOKERS[: rules["jokers"]])
    hands: list[set[Card]] = [set() for _ in range(count)]
    for place in range(count * size):
        hands[(dealer + 1 + place) % count].add(deck[place])
    pile, stock = [deck[count * size]], deck[count * size + 1 :]
    player, turns, over = (dealer + 1) % count, [0] * count, False

    def moment() -> Moment:
        seat = (player - dealer - 1) % count
        return Moment(player, seat, [frozenset(hand) for hand in hands], stock[:], pile[:], turns[:])

    for turn in deal["turns"]:
        assert not over, "nobody gets another turn"
        assert sum(turns) < rules["max_turns"], "the deal was stalled by now"
        if not stock and rules["stock"] == "reshuffle":
            lying, pile = sorted(pile[:-1]), pile[-1:]
            jokers = iter([one for one in lying if one in JOKERS])
            stock = [next(jokers) if word == "**" else card(word) for word in turn["reshuffle"]]
            assert sorted(stock) == lying, "the new stock is the pile but its upcard"
        else:
            assert not turn.get("reshuffle")
        yield moment(), turn
        assert turn["player"] == player
        if turn["draw"] == "decline":
            assert not stock and rules["stock"] == "compare"
            assert turn["card"] is None and turn["discard"] is None and turn["knock"] is False
            assert turn["deadwood"] == deadwood(hands[player], **way(rules))
            over = True
            continue
        drawn = stock.pop(0) if turn["draw"] == "stock" else pile.pop()
        assert turn["card"] == text(drawn)
        hands[player].add(drawn)
        fixed = drawn if turn["draw"] == "upcard" else None
        free = [one for one in sorted(hands[player]) if text(one) == turn["discard"] and one != fixed]
        assert free, "not held, or given back in the same turn"
        given = free[0]  # of two jokers the lowest
        hands[player].remove(given)
        pile.append(given)
        turns[player] += 1
        assert turn["deadwood"] == deadwood(hands[player], **way(rules))
        if turn["knock"]:
            assert rules["knock_limit"] == "none" or turn["deadwood"] <= rules["knock_limit"]
            over = True
        else:
            player = (player + 1) % count
    yield moment(), None
