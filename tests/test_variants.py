"""Every variant, with both profiles and 2 to 5 players: the engine plays it as the referee does."""

from __future__ import annotations

from itertools import product

import pytest

from rumsim.rules import PROFILES, VARIANTS
from tests.engine_tables import Table, course_of, engine_course, refereed

COMBINED = ("joker-knock,ace-high,seven,rum-knock", "joker-knock,no-knock,min_naturals=2")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("profile", "variant"), list(product(PROFILES, [*VARIANTS, *COMBINED])))
def test_deals_of_a_variant_go_as_the_referee_has_them(profile: str, variant: str, players: int) -> None:
    rules = f"{profile}:{variant},max_turns=60"
    ends, knocked_with = set(), set()
    for block in range(10):
        bots = ("knock=30/20/10", "knock=9,draw=meld", "knock=45,draw=improve:2")[: 2 if players == 2 else 3]
        table = Table(players, rules, (bots * 2)[:players], seed=block % 3)
        deal = refereed(table, block, block % players)
        assert engine_course(table, block, block % players) == course_of(deal), table.command(block, block % players)
        settled = deal.settle()
        assert sum(settled.transfers) == 0
        ends.add(deal.end)
        if deal.knocker is not None:
            knocked_with.add(settled.deadwood[deal.knocker])
    limit = table.known.knock_limit
    assert limit is None or max(knocked_with, default=0) <= limit
    assert "knock" in ends or limit == 0
