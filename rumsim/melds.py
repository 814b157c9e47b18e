"""The best arrangement of a hand: melds, what is left, and the card to give back.

A hand is read rank by rank, from the ace up.  At each rank every suit's card either goes on with a run, starts
one, joins a set of that rank, or stays loose.  All that matters for what follows is how long the open run of each
suit is (one, two, or three and more), so keeping the cheapest way to each such state finds the minimum over all
arrangements of a hand of any size, without trying them one by one.

Jokers come on top: each is left loose, or put into a meld with natural cards, and the rest is counted again.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from rumsim.cards import JOKERS, SUITS, card_text, cards_of, mask, parse_cards
from rumsim.errors import RequestError
from rumsim.joker_melds import JokerMeld, joker_melds
from rumsim.rules import NATURALS, Rules, parse_rules

_RANKS = 13
_ACE_ABOVE_KING = 13
_LONG = 3  # a run of three is a meld; longer ones need no other state


@dataclass(frozen=True)
class Meld:
    """A set or a run.

    Attributes
    ----------
    cards : tuple of int
        The cards in it, runs ascending, sets in S H D C order.
    stands : tuple of int
        The card that each of them stands for: itself, unless it is a joker.
    """

    cards: tuple[int, ...]
    stands: tuple[int, ...]

    def texts(self) -> list[str]:
        """Return the card texts, a joker as ``**=6C``."""
        return [
            card_text(card) if card == stand else f"{card_text(card)}={card_text(stand)}"
            for card, stand in zip(self.cards, self.stands, strict=True)
        ]


@dataclass(frozen=True)
class Arrangement:
    """A hand in its best order.

    Attributes
    ----------
    hand : tuple of int
        All cards, in the order of their ids.
    deadwood : int
        Points of the unmelded cards, the least that any arrangement leaves.
    melds : tuple of Meld
        Disjoint melds.
    unmelded : tuple of int
        The other cards, in the order of their ids.
    """

    hand: tuple[int, ...]
    deadwood: int
    melds: tuple[Meld, ...]
    unmelded: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim deadwood --json`` prints."""
        return {
            "hand": [card_text(card) for card in self.hand],
            "deadwood": self.deadwood,
            "melds": [meld.texts() for meld in self.melds],
            "unmelded": [card_text(card) for card in self.unmelded],
        }


def deadwood(hand: str | Iterable[object], rules: object = "ledger") -> Arrangement:
    """Count a hand: the minimum deadwood of all its cards, with melds that reach it.

    Parameters
    ----------
    hand : str or iterable
        Card texts or ids, any number of cards.
    rules : str, mapping or Rules
        The rules of the game.

    Returns
    -------
    Arrangement
        One of the best arrangements.

    Raises
    ------
    RequestError
        For an unknown or repeated card, an empty hand, or a joker that the rules do not have.

    Examples
    --------
    >>> count = deadwood("4H 5H 6H QC QD QS 8D")
    >>> count.deadwood, [meld.texts() for meld in count.melds]
    (8, [['4H', '5H', '6H'], ['QS', 'QD', 'QC']])
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    return arrange(hand_of(hand, known), known)


def hand_of(hand: str | Iterable[object], rules: Rules, argument: str = "hand") -> list[int]:
    """Read a hand and refuse cards that the rules do not have.

    Raises
    ------
    RequestError
        For an unknown or repeated card, an empty hand, or too many jokers.
    """
    cards = parse_cards(hand, argument)
    if not cards:
        raise RequestError(f"{argument}: got no cards; allowed: at least one, such as '4H 5H 6H 8D'")
    held = sum(card in JOKERS for card in cards)
    if held > rules.jokers:
        got = "2 jokers (**)" if held > 1 else "a joker (**)"
        allowed = "1 joker" if rules.jokers else "0 jokers"
        unused = "" if rules.jokers else ", not used in this profile"
        raise RequestError(f"{argument}: got {got}{unused}; allowed: {allowed} (rules {rules})")
    return cards


def arrange(cards: Iterable[int], rules: Rules) -> Arrangement:
    """Find one of the best arrangements of known cards.

    Examples
    --------
    >>> arrange([0, 1, 2, 25], parse_rules("ledger")).unmelded
    (25,)
    """
    hand = tuple(sorted(cards))
    naturals, jokers = mask(hand) & _NATURAL_CARDS, [card for card in hand if card in JOKERS]
    points = count(mask(hand), rules)
    with_jokers: list[Meld] = []
    while jokers:
        meld = _with_jokers(naturals, len(jokers), rules)[1]
        if meld is None:
            jokers.pop()
        else:
            naturals &= ~meld.naturals
            with_jokers.append(_shown(meld, jokers))
    melds = (*_melds(_best(naturals, rules)[1]), *with_jokers)
    melded = {card for meld in melds for card in meld.cards}
    return Arrangement(hand, points, melds, tuple(card for card in hand if card not in melded))


@functools.lru_cache(maxsize=1 << 18)
def count(hand: int, rules: Rules) -> int:
    """Return the minimum deadwood, in points, of a mask of cards.

    Examples
    --------
    >>> count(0b1110, parse_rules("ledger"))
    0
    """
    if jokers := hand >> NATURALS:
        return _with_jokers(hand & _NATURAL_CARDS, jokers.bit_count(), rules)[0]
    return _best(hand, rules)[0]


def best_discard(hand: int, rules: Rules, taken: int | None = None) -> tuple[int, int]:
    """Choose the card to give back as ``discard=greedy`` does.

    Parameters
    ----------
    hand : int
        Mask of the cards held, the card just drawn included.
    rules : Rules
        The rules of the game.
    taken : int, optional
        The card taken from the discard pile in this turn, which may not be given back.

    Returns
    -------
    card, deadwood : int
        The card that leaves the least deadwood, and the points left; on ties natural cards before jokers, then the
        dearest card, then the lowest id.

    Examples
    --------
    >>> best_discard(mask(parse_cards("4S 4H 4D 5C 6C 7C 8C KD")), parse_rules("ledger"), taken=38)
    (46, 10)
    """
    allowed = (card for card in cards_of(hand) if card != taken)
    left, _, _, card = min(
        (count(hand & ~(1 << card), rules), card in JOKERS, -rules.points(card), card) for card in allowed
    )
    return card, left


# ---- jokers --------------------------------------------------------------------------------------------------

_NATURAL_CARDS = (1 << NATURALS) - 1


@functools.lru_cache(maxsize=1 << 18)
def _with_jokers(hand: int, jokers: int, rules: Rules) -> tuple[int, JokerMeld | None]:
    """Return the minimum deadwood of natural cards and jokers, and what to do first: a meld, or None for a loose joker.

    One joker costs a few counts of natural cards, two cost a few counts with one.
    """
    best: tuple[int, JokerMeld | None] = (_count(hand, jokers - 1, rules) + rules.joker_value, None)
    for used in range(jokers, 0, -1):
        without = _count(hand, jokers - used, rules)
        for meld in joker_melds(hand, used, rules):
            # The rest and the meld's naturals, loose, are one way to hold them all: the rest counts no less than this.
            if max(without - meld.points, 0) >= best[0]:
                break  # the melds that follow save even less
            left = _count(hand & ~meld.naturals, jokers - used, rules)
            if left < best[0]:
                best = (left, meld)
    return best


def _count(naturals: int, jokers: int, rules: Rules) -> int:
    return _with_jokers(naturals, jokers, rules)[0] if jokers else count(naturals, rules)


def _shown(found: JokerMeld, jokers: list[int]) -> Meld:
    """Put jokers, which are taken from the list, and natural cards in their places."""
    cards = tuple(stand if found.naturals >> stand & 1 else jokers.pop(0) for stand in found.stands)
    return Meld(cards, found.stands)


# ---- the search ----------------------------------------------------------------------------------------------

# A state is, per suit, the length of the run that ends at the rank before: 0 to 3, 3 for three and more.
_State = tuple[int, int, int, int]
_NO_RUNS: _State = (0, 0, 0, 0)


@dataclass(frozen=True)
class _Step:
    """How one rank's cards were used, and the steps before it: a chain that ends in the best arrangement."""

    rank: int
    runs: tuple[int, ...]  # suits whose card went into a run
    joined: tuple[int, ...]  # suits whose card made a set
    before: _Step | None


def _best(hand: int, rules: Rules) -> tuple[int, _Step | None]:
    # With ace=high-or-low each ace may wait for the king: try every way to send aces up there.
    aces = [suit for suit in range(4) if hand >> (13 * suit) & 1]
    ways: Iterable[tuple[int, ...]] = [()]
    if rules.ace == "high-or-low":
        useful = [suit for suit in aces if hand >> (13 * suit + 11) & 3 == 3]  # Q and K of the suit are there
        ways = [high for size in range(len(useful) + 1) for high in combinations(useful, size)]
    return min((_ranks(hand, high) for high in ways), key=lambda found: found[0])


def _ranks(hand: int, high_aces: tuple[int, ...]) -> tuple[int, _Step | None]:
    suits = [(hand >> 13 * suit & 0x1FFF) for suit in range(4)]
    for suit in high_aces:
        suits[suit] += (1 << _ACE_ABOVE_KING) - 1  # from below the two up to above the king
    can_run = [_in_runs(pattern) for pattern in suits]
    best: dict[_State, tuple[int, _Step | None]] = {_NO_RUNS: (0, None)}
    for rank in range(_RANKS + 1):
        held = tuple(suit for suit in range(4) if suits[suit] >> rank & 1)
        if not held and len(best) == 1 and _NO_RUNS in best:
            continue  # nothing to use and nothing to close
        ways = _uses(held, tuple(s for s in held if can_run[s] >> rank & 1), may_join=rank < _ACE_ABOVE_KING)
        points = min(rank + 1, 10) if rank < _ACE_ABOVE_KING else 1
        after: dict[_State, tuple[int, _Step | None]] = {}
        for state, (cost, chain) in best.items():
            for runs, joined in ways:
                new, paid = _advance(state, runs, rank)
                total = cost + paid + points * (len(held) - len(runs) - len(joined))
                if new not in after or total < after[new][0]:
                    after[new] = (total, _Step(rank, runs, joined, chain) if runs or joined else chain)
        best = after
    # A last step of nothing closes the runs that are still open; short ones are paid for.
    return min(
        ((cost + _advance(state, (), _RANKS + 1)[1], chain) for state, (cost, chain) in best.items()),
        key=lambda end: end[0],
    )


def _in_runs(pattern: int) -> int:
    """Return the ranks of a suit that stand in three or more in a row; no other card need ever try a run."""
    middle = pattern & pattern << 1 & pattern >> 1
    return middle | middle << 1 | middle >> 1


@functools.cache
def _uses(
    held: tuple[int, ...], can_run: tuple[int, ...], may_join: bool
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """List every way to use the cards of one rank: which go into runs, and which make a set."""
    sets = [()] + [chosen for size in (3, 4) if may_join for chosen in combinations(held, size)]
    return [
        (runs, joined)
        for joined in sets
        for free in [[suit for suit in can_run if suit not in joined]]
        for size in range(len(free) + 1)
        for runs in combinations(free, size)
    ]


@functools.cache
def _advance(state: _State, runs: tuple[int, ...], rank: int) -> tuple[_State, int]:
    """Carry each suit's open run over one rank; a run that stops short of three cards is paid for as deadwood."""
    paid = 0
    new = []
    for suit, length in enumerate(state):
        if suit in runs:
            new.append(min(length + 1, _LONG))
        else:
            if length < _LONG:
                paid += sum(min(rank - back + 1, 10) for back in range(1, length + 1))
            new.append(0)
    return (new[0], new[1], new[2], new[3]), paid


def _melds(chain: _Step | None) -> Iterator[Meld]:
    """Read the melds off a chain of steps: runs of each suit first, then sets, both by rank."""
    steps: list[_Step] = []
    while chain is not None:
        steps.append(chain)
        chain = chain.before
    steps.reverse()
    for suit in range(len(SUITS)):
        run: list[int] = []
        for rank in [step.rank for step in steps if suit in step.runs] + [_RANKS + 2]:
            if run and rank != run[-1] + 1:
                if len(run) >= _LONG:
                    yield _natural(13 * suit + place % _RANKS for place in run)
                run = []
            run.append(rank)
    for step in steps:
        if step.joined:
            yield _natural(13 * suit + step.rank for suit in step.joined)


def _natural(cards: Iterable[int]) -> Meld:
    known = tuple(cards)
    return Meld(known, known)
