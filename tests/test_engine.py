"""The engine is the referee, only faster: deals event for event, sums to the last unit, twins to the last bit."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

import rumsim
from rumsim import decks
from rumsim.cards import card_text, cards_of
from rumsim.engine.requests import MOST_PLAYERS, RENEWED, SIXTIETHS, TWELFTHS, game_of, new_room
from rumsim.melds import count
from rumsim.referee import Deal
from rumsim.rules import parse_rules
from rumsim.settlement import settlement
from tests.compiled import deal_out, renew, settle, shuffle, start
from tests.engine_tables import (
    WANTED,
    Table,
    assert_alike,
    course_of,
    engine_course,
    happened,
    random_table,
    referee_course,
    refereed,
    summed,
)

FAR = (1 << 32, (1 << 32) + 7, 1 << 40, decks.LAST_BLOCK - 1, decks.LAST_BLOCK)
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


@pytest.fixture(scope="module", autouse=True)
def _compiled_in_the_usual_order():
    # Helpers are called by themselves below. Numba numbers the files of a cache in the order of first use, which must
    # be the same in all processes that fill one cache at a time.
    table = Table(2, "ledger", ("knock=10",), seed=0)
    engine_course(table, 0, 0)
    table.task.run(0, 1)


# ---- whole deals ---------------------------------------------------------------------------------------------


@PLAYERS
@pytest.mark.parametrize("part", range(2))
def test_random_deals_go_as_the_referee_has_them(players, part):
    rng = random.Random(f"{players} players, part {part}")
    seen = Counter()
    for _ in range(640):
        table = random_table(rng, players)
        block = rng.choice([rng.randrange(1000), rng.randrange(1 << 33), rng.randrange(decks.LAST_BLOCK + 1)])
        rotation = rng.randrange(players)
        deal = refereed(table, block, rotation)
        assert engine_course(table, block, rotation) == course_of(deal), table.command(block, rotation)
        seen += happened(deal)
    missing = [name for name in WANTED if not seen[name]]
    assert not missing, f"never happened, so nothing was proved of it: {missing}; seen: {dict(seen)}"


@PLAYERS
def test_a_knock_on_the_last_turn_allowed_counts_and_one_turn_later_does_not(players):
    bots = ("knock=25",)
    knocks = 0
    for block in range(40):
        turns = engine_course(Table(players, "ledger", bots, 3), block, 0).turns
        at_last = Table(players, f"ledger:max_turns={turns}", bots, 3)
        assert engine_course(at_last, block, 0) == referee_course(at_last, block, 0)
        knocks += engine_course(at_last, block, 0).end == "knock"
        if turns > 1:
            too_late = Table(players, f"ledger:max_turns={turns - 1}", bots, 3)
            found = engine_course(too_late, block, 0)
            assert found.end == "stalled" and found.turns == turns - 1
            assert found == referee_course(too_late, block, 0)
    assert knocks > 20


@pytest.mark.parametrize("rules", ["ledger", "traditional"])
def test_deals_that_go_round_to_the_cap_stay_equal(rules):
    # 500 table turns: many reshuffles, and a knock at the very end.
    for bots in (("knock=never,draw=stock",), ("knock=never,draw=always", "knock=never,draw=meld")):
        table = Table(2, rules, bots, seed=8)
        assert engine_course(table, 0, 1) == referee_course(table, 0, 1)


@PLAYERS
@pytest.mark.parametrize("rules", ["ledger", "traditional:ace-high"])
def test_what_play_prints_is_the_deal_of_the_engine(players, rules, command):
    table = Table(players, rules, ("knock=12/25,draw=meld", "knock=30"), seed=17)
    for block, rotation in ((0, 0), (5, players - 1), (1 << 40, 1)):
        words = ("--players", players, "--rules", rules, "--bots", *table.bots, "--seed", table.seed)
        shown = command("play", *words, "--block", block, "--rotation", rotation, "--json").json
        played = rumsim.play(players, table.bots, rules, seed=table.seed, block=block, rotation=rotation)
        assert shown == played.as_json()
        engine = engine_course(table, block, rotation)
        seats = [(player + rotation) % players for player in range(players)]
        moves = [turn for turn in shown["turns"] if turn["draw"] != "decline"]
        for turn, move in zip(moves, engine.moves, strict=True):
            assert seats[turn["player"]] == move.seat
            assert (turn["draw"], turn["deadwood"], "reshuffle" in turn) == (move.draw, move.count, move.renewed)
            assert (turn["card"], turn["discard"]) == (card_text(move.card), card_text(move.discard))
        assert [turn["knock"] for turn in moves[:-1]] == [False] * (len(moves) - 1)
        assert shown["end"] == engine.end
        assert shown["knocker"] == (None if engine.knocker is None else seats.index(engine.knocker))
        assert shown["deadwood"] == [engine.counts[seat] for seat in seats]
        assert shown["hands"] == [[card_text(card) for card in cards_of(engine.hands[seat])] for seat in seats]
        assert shown["transfers"] == [str(Fraction(engine.points[seat], TWELFTHS)) for seat in seats]
        assert shown["win_shares"] == [str(Fraction(engine.wins[seat], SIXTIETHS)) for seat in seats]
        assert [shown[name] for name in ("rum", "undercut", "tied")] == [engine.rum, engine.undercut, engine.tied]


# ---- sums over blocks ----------------------------------------------------------------------------------------

LATE = "/".join(["never"] * 69 + ["200"])  # knocks on the own turn 70, beyond the last place of the histogram


@pytest.mark.parametrize(
    "table",
    [
        Table(2, "ledger", ("knock=30/20,draw=meld", "knock=10"), seed=1),
        Table(3, "traditional", ("knock=25",), seed=2),
        Table(4, "ledger:tie=penalty", ("knock=0,draw=stock", "knock=never"), seed=3),
        Table(5, "traditional", tuple(f"knock={t}" for t in (8, 16, 24, 32, 40)), seed=4),
        Table(5, "ledger:hand_size=1", ("knock=4", "knock=2,draw=always"), seed=5),
        Table(2, "traditional", (f"knock={LATE},draw=always",), seed=6),
        Table(4, "ledger:max_turns=9", ("knock=20+30+25+never", "knock=12"), seed=1 << 70),
    ],
    ids=lambda table: f"{table.players} players {table.rules}",
)
def test_sums_are_those_of_the_referee(table):
    expected = summed(table, 0, 8, referee_course)
    assert_alike(table.task.run_and_rows(0, 8), expected)
    assert_alike((table.task.run(0, 8), expected[1]), expected)


@PLAYERS
def test_sums_are_those_of_single_deals(players):
    rng = random.Random(f"sums, {players} players")
    for blocks in (300, *[50] * 12):  # 300 take several of the chunks that are settled together
        table = random_table(rng, players)
        first = rng.choice([0, rng.randrange(1 << 20), (1 << 32) - 20, decks.LAST_BLOCK - blocks - 10])
        found = table.task.run_and_rows(first, first + blocks)
        assert_alike(found, summed(table, first, first + blocks, engine_course))
        if len(set(table.bots)) == 1:
            assert not found[1].points.sum(axis=1).any(), "transfers sum to zero in every block"


def test_ranges_of_blocks_merge_exactly():
    table = Table(3, "traditional", ("knock=30", "knock=12"), seed=21)
    whole = table.task.run(0, 9000)  # more than two calls of the kernel
    for cuts in ([0, 4096, 8192, 9000], [0, 1, 5000, 9000]):
        parts = [table.task.run(first, last) for first, last in pairwise(cuts)]
        merged = table.task.empty()
        for part in reversed(parts):
            merged = merged + part
        for name in vars(whole):
            assert np.array_equal(getattr(merged, name), getattr(whole, name)), name
    assert table.task.run(7, 7).blocks == 0


# ---- the twin of decks ---------------------------------------------------------------------------------------


def shuffled(state, size, cuts):
    cards = np.arange(size, dtype=np.uint8)
    for top, upto in pairwise(cuts):
        shuffle(cards, state, np.uint64(top), np.uint64(upto), np.uint64(size))
    return cards.tolist()


def started(seed, block, stream, index):
    state = np.empty(4, np.uint64)
    start(state, np.uint64(decks.key_of(seed)), np.uint64(block), np.uint64(stream), np.uint64(index))
    return state


@pytest.mark.parametrize("size", [52, 53, 54])
def test_decks_are_those_of_the_plain_version_in_any_order_of_blocks(size):
    rng = random.Random(size)
    blocks = [*range(200), *FAR, *(rng.randrange(1 << 63) for _ in range(200))]
    rng.shuffle(blocks)
    for block in blocks:
        seed = rng.choice([0, 1, rng.randrange(1 << 64), rng.randrange(1 << 200)])
        # An engine stops early and goes on later: in stretches it must find the same.
        cuts = sorted({0, size, *rng.sample(range(size), rng.randint(0, 6))})
        assert shuffled(started(seed, block, decks.DECK, 0), size, cuts) == decks.deck(seed, block, size), (seed, block)


def test_generators_start_alike_for_every_stream_and_index():
    rng = random.Random(1)
    for _ in range(500):
        seed, block = rng.randrange(1 << 64), rng.choice([*FAR, rng.randrange(1 << 63)])
        stream, index = rng.randrange(6), rng.choice([0, 1, 2, 250, (1 << 31) - 1])
        plain = decks.Stream(decks.key_of(seed), block, stream, index)
        assert started(seed, block, stream, index).tolist() == plain._state


def test_numbers_that_would_favour_a_card_are_rejected_alike():
    # A first word is made to order: a + d = 0 makes it a. Its upper half decides, with the low part of half * size.
    taken = Counter()
    for size in range(2, 55):
        for top in {0, *(-(-(k << 32) // size) for k in range(1, size))}:
            a = top << 32 | 12345
            state = np.array([a, 3 << 50, 11, (1 << 64) - a], np.uint64)
            plain = decks.Stream(0, 0, 0)
            plain._state = state.tolist()
            low = top * size & 0xFFFFFFFF
            assert low < size
            taken["rejected" if low < (1 << 32) % size else "kept"] += 1
            assert shuffled(state, size, [0, size - 1]) == plain.shuffled(range(size)), (size, top)
            assert state.tolist() == plain._state
    assert taken["rejected"] > 100 and taken["kept"] > 100


def test_renewed_stocks_are_those_of_the_plain_version():
    rng = random.Random(5)
    for _ in range(300):
        seed, block = rng.randrange(1 << 40), rng.choice([rng.randrange(100), *FAR])
        number = rng.choice([0, 1, 2, 77])
        pack = rng.sample(range(52), 52)
        cuts = sorted(rng.sample(range(51), MOST_PLAYERS))
        hands = np.zeros(MOST_PLAYERS, np.uint64)
        for seat, (low, high) in enumerate(zip([0, *cuts], cuts, strict=False)):
            hands[seat] = sum(1 << card for card in pack[low:high])
        upcard, pile = pack[cuts[-1]], pack[cuts[-1] + 1 :]
        cards = np.full(128, 99, np.uint8)
        key = np.uint64(decks.key_of(seed))
        end = renew(52, hands, np.uint64(upcard), key, np.uint64(block), number, np.zeros(4, np.uint64), cards)
        assert end - RENEWED == len(pile)
        assert cards[RENEWED:end].tolist() == decks.reshuffled(seed, block, number, pile)
        assert (cards[:RENEWED] == 99).all(), "the deck is every rotation's"


@PLAYERS
def test_hands_are_dealt_and_counted_alike(players):
    rng = random.Random(players)
    for _ in range(150):
        size, seed, block = rng.randint(1, 50 // players), rng.randrange(1 << 64), rng.choice([rng.randrange(99), *FAR])
        rules = parse_rules(f"ledger:hand_size={size},ace={rng.choice(['low', 'high-or-low'])}")
        plain = Deal(rules, players, players - 1, decks.deck(seed, block))
        room = new_room()
        hands, counts = np.zeros(MOST_PLAYERS, np.uint64), np.zeros(MOST_PLAYERS, np.int64)
        key = np.uint64(decks.key_of(seed))
        ready = deal_out(game_of(rules, players), key, np.uint64(block), room, hands, counts)
        assert players * size < ready <= 52
        assert hands[:players].tolist() == plain.hands
        assert counts[:players].tolist() == [count(hand, rules) for hand in plain.hands]
        assert room.cards[:ready].tolist() == list(plain.deck[:ready])


# ---- the twin of settlement ----------------------------------------------------------------------------------


def assert_settled_alike(counts, knocker, rules, game):
    players = len(counts)
    held = np.zeros(MOST_PLAYERS, np.int64)
    held[:players] = counts
    points, wins = np.full((2, MOST_PLAYERS), 987654, np.int64)  # what an earlier deal left there
    flags = settle(held, -1 if knocker is None else knocker, game, points, wins)
    plain = settlement(counts, knocker, rules)
    assert points[:players].tolist() == [amount * TWELFTHS for amount in plain.transfers], (counts, knocker, rules)
    assert wins[:players].tolist() == [share * SIXTIETHS for share in plain.win_shares], (counts, knocker, rules)
    assert flags == (plain.rum, plain.undercut, plain.tied), (counts, knocker, rules)


AMOUNTS = ["ledger", "traditional", "traditional:undercut=7,rum_bonus=3", "ledger:undercut=0,rum_bonus=0"]


@PLAYERS
@pytest.mark.parametrize("text", AMOUNTS)
def test_every_pattern_of_small_counts_settles_alike(players, text):
    # Four counts hold every order and every tie of up to five players that matters, 0 included.
    rules = parse_rules(text)
    game = game_of(rules, players)
    for counts in product((0, 1, 5, 9) if players < 5 else (0, 2, 7), repeat=players):
        for knocker in (None, *range(players)):
            assert_settled_alike(counts, knocker, rules, game)


@PLAYERS
def test_random_counts_settle_alike(players):
    rng = random.Random(players)
    for _ in range(1500):
        rules = parse_rules(
            f"ledger:tie={rng.choice(['free', 'penalty'])},undercut={rng.choice([0, 10, 1000, rng.randint(0, 1000)])},"
            f"rum_bonus={rng.choice([0, 25, 1000, rng.randint(0, 1000)])}"
        )
        most = rng.choice([2, 12, 100, 260])
        counts = [rng.randint(0, most) for _ in range(players)]
        if rng.random() < 0.4:  # a tie of some of the lowest
            for player in rng.sample(range(players), rng.randint(2, players)):
                counts[player] = min(counts)
        assert_settled_alike(counts, rng.choice([None, *range(players)]), rules, game_of(rules, players))
