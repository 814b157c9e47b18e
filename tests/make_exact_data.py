"""Write tests/data/exact_*.json: how many hands count how much, by tests/oracle.py and nothing of rumsim.

    python -m tests.make_exact_data [SIZE …] [--ace low high-or-low] [--jobs N]

Hands that differ only by a renaming of suits are evaluated once and counted as often as they occur (up to 24
times); that none is missed or doubled shows in the total, which must be the number of all hands.

* Up to 6 cards the oracle's exhaustive recursion judges each of these hands itself.
* From 7 cards on that would take long, so cards that lie in no possible meld, being three of no rank and not in
  three in a row, simply count, and the oracle judges the others, each kind of rest once.  This is checked against
  the oracle on 200,000 random hands before it is used.

One core of 2026 needs about 15 seconds for 5 cards (134,459 hands up to suits), 2 minutes for 6 (962,988) and as much
for 7 (6,009,159), for each way to count the ace.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from pathlib import Path

from tests import oracle

DATA = Path(__file__).parent / "data"
Ranks = tuple[int, ...]
EACH_BY_ORACLE = 6  # cards
CHECKED = 200_000


def file_for(size: int, ace: str) -> Path:
    return DATA / f"exact_{size}_{ace}.json"


def up_to_suits(size: int) -> Iterator[tuple[tuple[Ranks, ...], int]]:
    """One hand of each kind, as the ranks held of four suits, and how many hands are of that kind."""
    for lengths in combinations_with_replacement(range(14), 4):
        if sum(lengths) != size:
            continue
        # Suits of equal length may hold anything, in any order: each unordered choice once.
        choices = [
            combinations_with_replacement(combinations(range(1, 14), length), len(list(same)))
            for length, same in groupby(lengths)
        ]
        for groups in product(*map(list, choices)):
            suits = tuple(ranks for group in groups for ranks in group)
            yield suits, factorial(4) // prod(map(factorial, Counter(suits).values()))


def cards(suits: tuple[Ranks, ...]) -> list[oracle.Card]:
    return [(rank, suit) for suit, ranks in zip(oracle.SUITS, suits, strict=True) for rank in ranks]


@cache
def bits(ranks: Ranks) -> int:
    return sum(1 << rank for rank in ranks)


@cache
def worth(ranks: Ranks) -> int:
    return sum(min(rank, 10) for rank in ranks)


@cache
def in_runs(ranks: Ranks, ace: str) -> int:
    """The ranks, as bits, that lie in three in a row."""
    rows = [(low, low + 1, low + 2) for low in range(1, 12)]
    rows += [(12, 13, 1)] if ace == "high-or-low" else []
    return bits(tuple({rank for row in rows if set(row) <= set(ranks) for rank in row}))


@cache
def judged(suits: tuple[Ranks, ...], ace: str) -> int:
    return oracle.deadwood(cards(suits), ace)


def quick(suits: tuple[Ranks, ...], ace: str) -> int:
    """Count the cards that no meld can hold, and leave the others to the oracle."""
    s, h, d, c = map(bits, suits)
    threes = (s & h & d) | (s & h & c) | (s & d & c) | (h & d & c)
    melds = [threes | in_runs(ranks, ace) for ranks in suits]
    total = sum(map(worth, suits))
    if not any(melds):
        return total
    rest = tuple(tuple([rank for rank in ranks if meld >> rank & 1]) for ranks, meld in zip(suits, melds, strict=True))
    return total - sum(map(worth, rest)) + judged(tuple(sorted(rest)), ace)


def check(size: int, ace: str, hands: int, seed: int) -> None:
    """Hold the quick count against the oracle on random hands."""
    rng = random.Random(seed)
    for _ in range(hands):
        hand = rng.sample(oracle.PACK, size)
        suits = tuple(tuple(sorted(rank for rank, of in hand if of == suit)) for suit in oracle.SUITS)
        assert quick(suits, ace) == oracle.deadwood(hand, ace), hand


def judge(size: int, ace: str, part: int, parts: int) -> tuple[Counter[int], int]:
    """Count every ``parts``-th kind of hand by deadwood; also return how many kinds that were."""
    if size > EACH_BY_ORACLE:
        check(size, ace, CHECKED // parts, seed=part)
    found: Counter[int] = Counter()
    kinds = 0
    for place, (suits, hands) in enumerate(up_to_suits(size)):
        if place % parts == part:
            points = quick(suits, ace) if size > EACH_BY_ORACLE else oracle.deadwood(cards(suits), ace)
            found[points] += hands
            kinds += 1
    return found, kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[5, 6, 7])
    parser.add_argument("--ace", nargs="+", choices=["low", "high-or-low"], default=["low", "high-or-low"])
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for size, ace in product(asked.sizes, asked.ace):
            start, found, kinds, n = time.time(), Counter[int](), 0, asked.jobs
            for counts, number in pool.map(judge, [size] * n, [ace] * n, range(n), [n] * n):
                found += counts
                kinds += number
            assert found.total() == comb(52, size)
            hands = [found[points] for points in range(max(found) + 1)]
            written = {
                "hand_size": size,
                "ace": ace,
                "kinds": kinds,
                "hands": found.total(),
                "hands_by_deadwood": hands,
            }
            text = json.dumps(written, indent=1)
            file_for(size, ace).write_text(text + "\n", encoding="utf-8", newline="\n")
            print(f"{size} cards, ace {ace}: {kinds:,} hands up to suits, {time.time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
