"""Sessions in the engine are those of the plain rules and the referee, and their sums are those of the sessions."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from statistics import fmean, stdev

import numpy as np
import pytest

import rumsim
from rumsim import decks
from rumsim.bots import table_bots
from rumsim.bots.closer import CloserBot
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.engine.session_requests import empty_sessions
from rumsim.referee import Deal, play_session
from rumsim.rules import parse_rules
from rumsim.runs.execute import execute
from rumsim.session_rules import FORMATS, Format, Session
from rumsim.tasks.session_sums import Total, summed
from rumsim.tasks.sessions import Sessions

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
# What must have happened, or nothing is proved of it.
WANTED = (
    "rotation shared",
    "tie-break",
    "two above the target",
    "equal above the target",
    "several out in one deal",
    "re-entry",
    "hand size changes",
    "closer knocks with more",
    "closer waits",
    *(f"{name} {end}" for name in FORMATS for end in ("finished", "unfinished")),
)
NEEDS_THREE = ("two above the target", "equal above the target", "several out in one deal", "hand size changes")


@dataclass(frozen=True)
class Evening:
    players: int
    rules: str
    bots: tuple[str, ...]
    format: Format
    seed: int

    @property
    def task(self) -> Sessions:
        entry_of = tuple(min(player, len(self.bots) - 1) for player in range(self.players))
        bots = tuple(table_bots(list(self.bots), self.players))
        return Sessions(parse_rules(self.rules), self.format, bots, entry_of, self.seed)

    def refereed(self, block: int, rotation: int, watch=None) -> Session:
        task = self.task
        return play_session(task.rules, self.format, task.bots, self.seed, block, rotation, watch)


def random_evening(rng: random.Random, name: str, players: int) -> Evening:
    """Hands are small, since the referee takes its time, and since ties are then frequent."""
    profile = rng.choice(["ledger", "traditional"])
    sizes, turns, undercut, bonus = [1, 2, 3, 4], [2, 9, 20, 40], [0, 5, 10, 80], [0, 25]
    bots = [random_bot(rng) for _ in range(rng.choice([1, 2, players]))]
    target, most = rng.choice([0, 0, 1, 10, 30]), rng.choice([1, players, 6, 30, 30])
    if name == "match" and rng.random() < 0.4:
        # Nobody knocks, and all gather low cards until hands are compared: several share a deal.
        profile, sizes, turns, bots = "ledger", [1], [60], ["knock=never", "closer:knock=never,draw=meld"]
        target, most = 0, 20
    if name == "pool":
        sizes, undercut, bonus, most = [2, 3, 4], [10, 80, 300], [90, 200], rng.choice([3, 30, 80])
    words = [
        "hand_size=" + "/".join(str(rng.choice(sizes)) for _ in range(4)),
        f"max_turns={rng.choice(turns)}",
        f"undercut={rng.choice(undercut)}",
        f"rum_bonus={rng.choice(bonus)}",
    ]
    if rng.random() < 0.3:
        words.append(rng.choice(["rum-knock", "knock_limit=5", "ace-high", "tie=penalty", "joker-knock", "jokers=1"]))
    format = Format(name, rng.choice([1, 2, 5]), target, rng.choice([0, 0, 1, 3]), most)
    return Evening(players, f"{profile}:{','.join(words)}", tuple(bots), format, rng.randrange(1 << 40))


def random_bot(rng: random.Random) -> str:
    knock = rng.choice(["0", "3", "8", "15", "never", "never/4", "12/9/6", "20+9/2+15+0+7", "40"])
    draw = rng.choice(["stock", "meld", "improve:0", "improve:1", "always"])
    if rng.random() < 0.4:
        return f"knock={knock},draw={draw}"
    points = f"near={rng.choice([0, 20, 60])},more={rng.choice([0, 5, 30])},hope={rng.choice([0, 2, 7])}"
    return f"closer:knock={knock},draw={draw},{points}"


class Watch:
    """Counts what happens in a session, deal by deal, as people at the table would see it."""

    def __init__(self, evening: Evening) -> None:
        self.seen: Counter[str] = Counter()
        self.out = [0] * evening.players
        self._bots = evening.task.bots
        self._sizes: set[int] = set()

    def __call__(self, session: Session, deal: Deal) -> None:
        name = session.format.name
        self._note_who_is_out(session)
        best = max(session.ledger)
        self.seen["tie-break"] += name == "cumulative" and session.deals >= session.format.deals
        level = name == "match" and best > session.format.target and session.ledger.count(best) > 1
        self.seen["equal above the target"] += level
        cards = len(deal.dealt[0])
        self._sizes.add(cards)
        for player, bot in enumerate(self._bots[player] for player in session.still_in):
            if isinstance(bot, CloserBot):
                assert deal.standing is not None
                added, most = bot.aim(deal.standing, player, cards)
                self.seen["closer knocks with more"] += added > 0
                self.seen["closer waits"] += most is not None

    def ended(self, session: Session) -> None:
        name = session.format.name
        self._note_who_is_out(session)
        self.seen[f"{name} {'finished' if session.finished else 'unfinished'}"] += 1
        self.seen["rotation shared"] += name == "rotation" and len(session.winners) > 1
        above = sum(points > session.format.target for points in session.ledger)
        self.seen["two above the target"] += name == "match" and session.finished and above > 1
        self.seen["several out in one deal"] += any(len(gone) > 1 for gone in session.out)
        self.seen["re-entry"] += sum(session.entries)
        self.seen["hand size changes"] += len(self._sizes) > 1

    def _note_who_is_out(self, session: Session) -> None:
        for player in range(session.players):
            if player not in session.still_in and not self.out[player]:
                self.out[player] = session.deals


@PLAYERS
def test_random_sessions_go_as_the_plain_rules_have_them(players: int) -> None:
    rng = random.Random(f"{players} players")
    seen: Counter[str] = Counter()
    for name in FORMATS:
        for _ in range(60):
            evening = random_evening(rng, name, players)
            block = rng.choice([rng.randrange(100), rng.randrange(1 << 33), rng.randrange(decks.LAST_SESSION_BLOCK)])
            rotation = rng.randrange(players)
            watch = Watch(evening)
            session = evening.refereed(block, rotation, watch)
            watch.ended(session)
            found = evening.task.rows(block, block + 1)
            words = f"{evening}, block {block}, rotation {rotation}"
            assert [Fraction(int(net), TWELFTHS) for net in found.ledger[0, rotation]] == session.ledger, words
            assert found.deals[0, rotation] == session.deals, words
            assert found.wins[0, rotation].tolist() == shares(session), words
            assert found.entries[0, rotation].tolist() == session.entries, words
            assert found.out[0, rotation].tolist() == watch.out, words
            seen += watch.seen
    missing = [name for name in WANTED if not seen[name] and (players > 2 or name not in NEEDS_THREE)]
    assert not missing, f"never happened, so nothing was proved of it: {missing}; seen: {dict(seen)}"


def shares(session: Session) -> list[int]:
    """Each player's sixtieths of the session."""
    part = SIXTIETHS // len(session.winners) if session.winners else 0
    return [part if player in session.winners else 0 for player in range(session.players)]


PRESETS = [
    profile + variant
    for profile in ("ledger", "traditional")
    for variant in ("", ":rum-knock", ":no-knock", ":joker-knock", ":ace-high", ":seven", ":joker-knock,no-knock")
]


@pytest.mark.parametrize("rules", PRESETS)
@PLAYERS
def test_every_preset_plays_every_format_and_settles_to_zero(rules: str, players: int) -> None:
    for name in FORMATS:
        found = Evening(players, rules, ("knock=20", "closer:knock=10"), Format(name, max_deals=60), 3).task.rows(0, 1)
        assert not found.ledger.sum(axis=2).any()
        assert found.ledger.any() and (found.deals > 0).all()
        assert set(found.wins.sum(axis=2).ravel().tolist()) <= {0, SIXTIETHS}


def test_a_deal_of_a_session_is_one_that_play_shows() -> None:
    evening = Evening(3, "ledger", ("knock=30", "knock=10"), Format("cumulative", deals=4), seed=6)
    for rotation in range(3):
        ledger = [Fraction(0)] * 3
        for number in range(int(evening.task.rows(2, 3).deals[0, rotation])):
            block = decks.session_block(2, number)
            deal = rumsim.play(3, evening.bots, seed=6, block=block, rotation=(rotation - number) % 3)
            ledger = [net + got for net, got in zip(ledger, deal.settlement.transfers, strict=True)]
        assert [TWELFTHS * net for net in ledger] == evening.task.rows(2, 3).ledger[0, rotation].tolist()


# ---- sums ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "format"),
    [
        (3, Format("rotation")),
        (2, Format("match", target=30)),
        (4, Format("cumulative", deals=2)),
        (3, Format("pool", rebuys=1, max_deals=12)),
        (4, Format("pool", max_deals=30)),
    ],
    ids=lambda value: value.name if isinstance(value, Format) else str(value),
)
def test_estimates_are_those_of_the_sessions_of_the_referee(players: int, format: Format) -> None:
    rules = "ledger:hand_size=4,undercut=40,rum_bonus=60"
    evening = Evening(players, rules, ("knock=9", "closer:knock=4"), format, seed=5)
    blocks = 6
    result = rumsim.session(players, evening.bots, format.name, blocks, rules, seed=5, **options(format))
    played = [[evening.refereed(block, rotation) for rotation in range(players)] for block in range(blocks)]
    flat = [session for block in played for session in block]

    def by_block(value, who) -> list[float]:
        """The mean over the sessions of a block and over the players that ``who`` names in a rotation."""
        return [
            float(fmean(value(session)[player] for r, session in enumerate(block) for player in who(r)))
            for block in played
        ]

    groups = [(result.by_bot[0], lambda r: [0]), (result.by_bot[1], lambda r: range(1, players))]
    groups += [(result.by_place[place], lambda r, place=place: [(place - r) % players]) for place in range(players)]
    for found, who in groups:
        for estimate, value in ((found.points, lambda session: session.ledger), (found.wins, shares)):
            unit = SIXTIETHS if value is shares else 1
            means = [mean / unit for mean in by_block(value, who)]
            assert estimate.mean == pytest.approx(fmean(means), abs=1e-12)
            assert estimate.error == pytest.approx(stdev(means) / blocks**0.5)
    assert result.sessions == len(flat)
    assert result.unfinished == sum(session.unfinished for session in flat) / len(flat)
    assert result.deals.mean == fmean(session.deals for session in flat)
    focal = sorted(session.ledger[0] for session in flat)
    assert result.by_bot[0].ledger.quantile(50) == TWELFTHS * focal[-(-len(focal) // 2) - 1]
    nets = [sorted(session.ledger) for session in flat if session.finished]
    if format.name == "pool":
        staked = sum(sum(map(session.stake_paid, range(players))) for session in flat if session.finished)
        assert sum(result.by_bot[e].prize * (1, players - 1)[e] for e in range(2)) * len(flat) == pytest.approx(
            float(staked)
        )
        assert result.by_bot[0].re_entries == fmean(session.entries[0] for session in flat)
        assert result.by_bot[0].ranks[0] == result.by_bot[0].wins.mean
        places = [sum(result.by_place[place].ranks[rank] for place in range(players)) for rank in range(players)]
        known = 1 - result.unfinished
        assert places[0] == pytest.approx(known) and all(known - 1e-9 <= each <= 1 + 1e-9 for each in places[1:])
    else:
        assert result.margins.mean == pytest.approx(fmean(float(TWELFTHS * (net[-1] - net[-2])) for net in nets))
        assert result.shared == sum(len(session.winners) > 1 for session in flat) / len(flat)


def options(format: Format) -> dict[str, int]:
    return {name: getattr(format, name) for name in ("deals", "target", "rebuys", "max_deals")}


def test_who_goes_out_in_one_deal_shares_the_ranks() -> None:
    rows = empty_sessions(1, 4)
    rows.wins[:, :, 2] = SIXTIETHS
    rows.out[:] = [5, 9, 0, 5]
    ranks = summed(rows, (0, 1, 2, 3), pool=True).bots.ranks // 4  # four rotations
    assert ranks.tolist() == [[0, 0, 30, 30], [0, 60, 0, 0], [60, 0, 0, 0], [0, 0, 30, 30]]
    rows.wins[:] = 0
    rows.out[:] = [5, 0, 0, 3]
    ranks = summed(rows, (0, 1, 2, 3), pool=True).bots.ranks // 4
    assert ranks.tolist() == [[0, 0, 60, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 60]], "two are still in"


def test_results_do_not_depend_on_jobs_chunks_or_order() -> None:
    for format in (Format("rotation"), Format("pool", rebuys=1, max_deals=60)):
        task = Evening(3, "ledger", ("closer:knock=30", "knock=10"), format, seed=2).task
        whole, _ = execute(task, 30, chunk=30)
        for jobs, chunk, order in ((1, 7, None), (2, 4, None), (2, (10, 5, 15), (2, 0, 1))):
            parts, _ = execute(task, 30, jobs, chunk, order=order)
            assert flattened(parts) == flattened(whole)


def flattened(sums: object) -> object:
    """Nested sums as plain numbers, to compare."""
    if isinstance(sums, np.ndarray):
        return sums.tolist()
    if is_dataclass(sums):
        return [flattened(getattr(sums, field.name)) for field in fields(sums)]
    return [flattened(each) for each in sums] if isinstance(sums, tuple) else sums


@pytest.mark.parametrize("name", FORMATS)
def test_equal_bots_have_points_of_exactly_zero_and_equal_chances(name: str) -> None:
    result = rumsim.session(3, "knock=25", name, 20, seed=1, max_deals=60)
    assert result.by_bot[0].points == (0, 0, (0, 0))
    assert result.by_bot[0].wins.mean == pytest.approx((1 - result.unfinished) / 3)
    assert sum(place.wins.mean for place in result.by_place) == pytest.approx(1 - result.unfinished)


def test_squares_of_any_size_are_exact() -> None:
    large = np.array([3 << 40, -(5 << 40)])
    assert Total.of(large) == (-(2 << 40), 34 << 80)
    assert Total.of(np.array([3, -5])) == (-2, 34)


def test_all_hand_sizes_of_a_pool_are_checked_before_any_work() -> None:
    rules = "ledger:hand_size=26/13/12/7"  # 26 for two leave no stock
    with pytest.raises(rumsim.RequestError, match="hand_size"):
        rumsim.session(4, "knock=10", "pool", 1, rules)
    assert rumsim.session(4, "knock=10", "rotation", 1, rules).sessions == 4


def test_bots_from_files_are_refused() -> None:
    with pytest.raises(rumsim.RequestError, match=r"^bots: got '@docs/my_bot.py.*'; allowed: "):
        rumsim.session(2, ["@docs/my_bot.py", "knock=10"], "rotation", 1)


@pytest.mark.parametrize(
    ("argument", "given"),
    [
        *(("players", 6), ("format", "set"), ("sessions", 0), ("sessions", 1 << 43), ("seed", -1), ("jobs", 0)),
        *(("deals", 0), ("target", -1), ("rebuys", -1), ("max_deals", 0), ("max_deals", 1_000_001)),
    ],
)
def test_refusals_name_the_argument(argument: str, given: object) -> None:
    request = {"players": 3, "bots": "knock=10", "format": "match", "sessions": 2, argument: given}
    with pytest.raises(rumsim.RequestError, match=f"^{argument}: got"):
        rumsim.session(**request)
