"""The threshold bot, exactly as it is defined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rumsim import play
from rumsim.bots import parse_bot, table_bots
from rumsim.errors import RequestError
from rumsim.rules import parse_rules
from tests import oracle
from tests.oracle import Card
from tests.scripts import shuffled, stack

# ---------------------------------------------------------------- text forms


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("knock=10", "knock=10,draw=improve:1,discard=greedy"),
        ("draw=stock", "knock=10,draw=stock,discard=greedy"),
        ("discard=greedy", "knock=10,draw=improve:1,discard=greedy"),
        ("draw=improve", "knock=10,draw=improve:1,discard=greedy"),
        ("draw=improve:0", "knock=10,draw=improve:0,discard=greedy"),
        ("draw=improve:12", "knock=10,draw=improve:12,discard=greedy"),
        ("discard=greedy,draw=meld,knock=0", "knock=0,draw=meld,discard=greedy"),
        ("draw=always,knock=200", "knock=200,draw=always,discard=greedy"),
        ("knock=never", "knock=never,draw=improve:1,discard=greedy"),
        ("knock=30/20/10", "knock=30/20/10,draw=improve:1,discard=greedy"),
        ("knock=never/never/15", "knock=never/never/15,draw=improve:1,discard=greedy"),
        ("knock=40/35+38/33", "knock=40/35+38/33,draw=improve:1,discard=greedy"),
        ("knock=40+never/33+0", "knock=40+never/33+0,draw=improve:1,discard=greedy"),
    ],
)
def test_canonical_form_shows_every_key(text: str, canonical: str) -> None:
    assert str(parse_bot(text)) == canonical
    assert str(parse_bot(canonical)) == canonical
    assert parse_bot(canonical) == parse_bot(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("knock=201", ["knock", "201", "200"]),
        ("knock=-1", ["knock", "-1"]),
        ("knock=ten", ["knock", "ten"]),
        ("knock=1.5", ["knock", "1.5"]),
        ("knock=1_0", ["knock", "1_0"]),
        ("knock=", ["knock"]),
        ("knock=10/", ["knock", "10/"]),
        ("knock=/10", ["knock", "/10"]),
        ("knock=10++10", ["knock", "10++10"]),
        ("knock=10+", ["knock", "10+"]),
        ("knock=none", ["knock", "none", "never"]),
        ("knock=10/201+5", ["knock", "201"]),
        ("draw=improve:-1", ["draw", "improve:-1"]),
        ("draw=improve:", ["draw", "improve:"]),
        ("draw=improve:x", ["draw", "improve:x"]),
        ("draw=stock:1", ["draw", "stock:1"]),
        ("draw=never", ["draw", "never", "stock", "meld", "improve", "always"]),
        ("draw=", ["draw"]),
        ("discard=random", ["discard", "random", "greedy"]),
        ("colour=red", ["colour", "knock", "draw", "discard"]),
        ("knock=10,knock=20", ["knock", "twice"]),
        ("knock=10,draw=stock,knock=10", ["knock", "twice"]),
        ("knock", ["knock"]),
        ("10", ["10"]),
        ("", []),
        ("knock=10,", ["knock=10,"]),
        ("knock=10;draw=stock", ["draw"]),
    ],
)
def test_a_text_that_is_no_bot_is_refused(text: str, words: list[str]) -> None:
    with pytest.raises(RequestError) as refused:
        parse_bot(text)
    line = str(refused.value)
    assert len(line.splitlines()) == 1
    for word in words:
        assert word in line


def test_a_bot_from_a_toml_file(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text('knock = "30/20"\ndraw = "meld"\n', "utf-8")
    assert str(parse_bot(f"@{file}")) == "knock=30/20,draw=meld,discard=greedy"
    file.write_text("knock = 15\n", "utf-8")
    assert str(parse_bot(f"@{file}")) == "knock=15,draw=improve:1,discard=greedy"
    for broken in ("knock = 300\n", 'colour = "red"\n', "knock =\n", "knock = true\n", "knock = 1.5\n"):
        file.write_text(broken, "utf-8")
        with pytest.raises(RequestError):
            parse_bot(f"@{file}")
    with pytest.raises(RequestError, match="missing"):
        parse_bot(f"@{tmp_path / 'missing.toml'}")


def test_bots_take_one_two_or_n_values() -> None:
    def table(values: list[str], players: int) -> list[str]:
        return [str(bot).split(",")[0].removeprefix("knock=") for bot in table_bots(values, players)]

    a, b, c, d = "knock=1", "knock=2", "knock=3", "knock=4"
    assert table([a], 4) == ["1", "1", "1", "1"]
    assert table([a, b], 2) == ["1", "2"]
    assert table([a, b], 3) == ["1", "2", "2"]
    assert table([a, b], 5) == ["1", "2", "2", "2", "2"]
    assert table([a, b, c], 3) == ["1", "2", "3"]
    assert table([a, b, c, d], 4) == ["1", "2", "3", "4"]
    for values, players in (([], 2), ([a, b, c], 2), ([a, b, c], 4), ([a, b, c, d], 5)):
        with pytest.raises(RequestError) as refused:
            table_bots(values, players)
        assert str(len(values)) in str(refused.value)


def test_fewer_seat_schedules_than_seats_are_refused_and_more_are_ignored() -> None:
    for players in (3, 4, 5):
        with pytest.raises(RequestError, match="2"):
            table_bots(["knock=40/35+38/33"], players)
        with pytest.raises(RequestError):
            table_bots(["knock=10", "knock=1+2"], players)
    table_bots(["knock=40/35+38/33"], 2)
    table_bots(["knock=1+2+3+4+5"], 2)
    table_bots(["knock=1/2/3"], 5)  # one schedule is for all seats
    few = play(2, ["knock=30+20"], deck=shuffled(1)).as_json()
    more = play(2, ["knock=30+20+200+200"], deck=shuffled(1)).as_json()
    assert few["turns"] == more["turns"]


# ---------------------------------------------------------------- the draw


def first_turn(bot: str, hand: str, upcard: str, stock: str, rules: str = "ledger") -> dict[str, Any]:
    """What the bot does on the first turn of a deal of two, and what oracle says about its hand."""
    size = len(hand.split())
    spare = [word for word in map(oracle.text, oracle.PACK) if word not in f"{hand} {upcard} {stock}".split()]
    deck = stack(2, 1, [hand, " ".join(spare[-size:])], upcard, stock)
    glue = "," if ":" in rules else ":"
    return play(2, [bot, "knock=200"], f"{rules}{glue}hand_size={size}", deck=deck).as_json()["turns"][0]


def takes(draw: str, hand: str, upcard: str, rules: str = "ledger") -> bool:
    stock = next(word for word in map(oracle.text, oracle.PACK) if word not in f"{hand} {upcard}".split())
    return first_turn(f"knock=0,draw={draw}", hand, upcard, stock, rules)["draw"] == "upcard"


# hand, upcard, D(H), D(H+u), least D(H+u-c) with c out of H
POSITIONS = [
    ("4S 4H KD", "4D", 18, 10, 0),  # completes a set
    ("4S 5S 6S", "7S", 0, 0, 0),  # prolongs a run: melds, but nothing is gained
    ("4S 5S 6S", "KD", 0, 10, 19),  # would break a meld
    ("2S 9H KD", "AD", 21, 22, 12),  # melds nothing, but is lower
    ("2S 9H KD", "KC", 21, 31, 21),  # a king for a king
    ("2S 9H QD", "KC", 21, 31, 21),
    ("AS 2H 3D", "KC", 6, 16, 13),  # makes it worse
    ("7S 8S 8H KD", "8D", 33, 17, 7),  # one eight serves the set, the seven is left
    ("7S 8S 8H 8D", "9S", 7, 16, 8),  # melds with 7 8, but the set breaks: the count falls by nothing
    ("6S 7S 8S 8H 8D", "8C", 13, 0, 6),  # melds to nothing, but one card of a meld must go
]


@pytest.mark.parametrize(("hand", "upcard", "before", "with_it", "after"), POSITIONS)
def test_positions_are_counted_rightly(hand: str, upcard: str, before: int, with_it: int, after: int) -> None:
    held, up = oracle.cards(hand), oracle.card(upcard)
    assert oracle.deadwood(held) == before
    assert oracle.deadwood(held | {up}) == with_it
    assert min(oracle.after_giving(held | {up}, taken=up).values()) == after


@pytest.mark.parametrize(("hand", "upcard", "before", "with_it", "after"), POSITIONS)
def test_draw_keys(hand: str, upcard: str, before: int, with_it: int, after: int) -> None:
    assert not takes("stock", hand, upcard)
    assert takes("always", hand, upcard)
    assert takes("meld", hand, upcard) is (with_it < before + oracle.points(oracle.card(upcard)))
    for margin in (0, 1, 2, 8, 9, 10, 18, 26, 30):
        assert takes(f"improve:{margin}", hand, upcard) is (after <= before - margin)
    assert takes("improve", hand, upcard) is takes("improve:1", hand, upcard)


def test_draw_answers_by_name() -> None:
    # The same in plain words, so that the formulas above are tested too.
    assert takes("meld", "4S 4H KD", "4D")
    assert takes("meld", "4S 5S 6S", "7S")
    assert not takes("improve", "4S 5S 6S", "7S")
    assert takes("improve:0", "4S 5S 6S", "7S")
    assert not takes("meld", "2S 9H KD", "AD")
    assert takes("improve:9", "2S 9H KD", "AD")
    assert not takes("improve:10", "2S 9H KD", "AD")
    # A king for a king: nothing gained, so only with m = 0.
    assert takes("improve:0", "2S 9H KD", "KC")
    assert not takes("improve:1", "2S 9H KD", "KC")


def test_draw_knows_the_ace_above_the_king() -> None:
    assert not takes("meld", "QS KS 4D", "AS")
    assert takes("meld", "QS KS 4D", "AS", "ledger:ace-high")


# ---------------------------------------------------------------- the discard


@pytest.mark.parametrize(
    ("hand", "drawn", "given"),
    [
        ("2S 9H QD", "KC", "QD"),  # ten points each: the lower id
        ("2S 9H KC", "QD", "QD"),
        ("2S 9H KC", "KS", "KS"),
        ("7S 7H 7D 2C", "AC", "2C"),
        ("7S 7H 7D 2C", "7C", "2C"),
        ("6D 7D 8D", "9D", "9D"),  # either end may go; the nine has more points
        ("4S 5S 6S 9H 9D", "9C", "9H"),  # all melded: a nine breaks its set; a run's card costs less
    ],
)
def test_discard_greedy(hand: str, drawn: str, given: str) -> None:
    held = oracle.cards(f"{hand} {drawn}")
    expected, left = oracle.greedy_discard(held)
    turn = first_turn("knock=0,draw=stock", hand, "3H", drawn)
    assert (turn["discard"], turn["deadwood"]) == (oracle.text(expected), left)
    if given != "9H":
        assert turn["discard"] == given


def test_discard_of_a_complete_hand() -> None:
    # 4 5 6 and three nines: giving the 4 leaves 11, the 6 leaves 9, a nine leaves 18.
    turn = first_turn("knock=0,draw=stock", "4S 5S 6S 9H 9D", "3H", "9C")
    assert (turn["discard"], turn["deadwood"]) == ("6S", 9)


def test_the_card_just_taken_is_never_given_back() -> None:
    # The king helps nothing, but it was taken: the highest other card goes.
    turn = first_turn("knock=0,draw=always", "AS 2H 3D", "KC", "QC")
    assert (turn["card"], turn["discard"]) == ("KC", "3D")
    for seed in range(40):
        deal = play(3, ["knock=15,draw=always"], "traditional:max_turns=60", deck=shuffled(seed))
        for turn in deal.as_json()["turns"]:
            assert turn["draw"] == "upcard"
            assert turn["card"] != turn["discard"]


# ---------------------------------------------------------------- the knock


def test_the_knock_is_tested_after_the_discard() -> None:
    # 4 + 9 + 10 before, 23 with the ace; after giving the king 14.
    for threshold, knocks in ((13, False), (14, True), (200, True)):
        turn = first_turn(f"knock={threshold},draw=stock", "4S 9H KD", "QC", "AD")
        assert (turn["discard"], turn["deadwood"], turn["knock"]) == ("KD", 14, knocks)
    assert not first_turn("knock=never,draw=stock", "4S 9H KD", "QC", "AD")["knock"]


def test_the_knock_needs_the_rules_limit_as_well() -> None:
    for limit, knocks in ((13, False), (14, True)):
        turn = first_turn("knock=200,draw=stock", "4S 9H KD", "QC", "AD", f"ledger:knock_limit={limit}")
        assert turn["knock"] is knocks


def test_never_does_not_knock_with_nothing_left_either() -> None:
    turn = first_turn("knock=never", "4S 4H KD", "4D", "QC")
    assert (turn["deadwood"], turn["knock"]) == (0, False)
    assert first_turn("knock=0", "4S 4H KD", "4D", "QC")["knock"]


@pytest.mark.parametrize("rules", ["ledger", "traditional"])
@pytest.mark.parametrize(
    ("schedule", "own_turn"), [("200", 1), ("never/200", 2), ("never/never/200", 3), ("never/never/never/never/200", 5)]
)
def test_a_schedule_goes_by_the_own_turn(rules: str, schedule: str, own_turn: int) -> None:
    for players in (2, 3, 5):
        bots = [f"knock={schedule},draw=stock", "knock=never,draw=stock"]
        for dealer in range(players):
            deal = play(players, bots, f"{rules}:hand_size=4", dealer=dealer, deck=shuffled(12)).as_json()
            assert deal["knocker"] == 0
            assert sum(turn["player"] == 0 for turn in deal["turns"]) == own_turn


def test_the_last_value_of_a_schedule_repeats() -> None:
    # The first value would do on turn 1, had it not been passed; from then on "never" for good.
    deal = play(2, ["knock=0/never", "knock=never"], "traditional:max_turns=90", deck=shuffled(3)).as_json()
    assert deal["end"] == "stalled"


def test_schedules_by_seat_go_by_the_seat_and_not_by_the_player() -> None:
    for players in (2, 3, 4, 5):
        for knocking in range(players):
            seats = ["never"] * players
            seats[knocking] = "never/200"
            for dealer in range(players):
                bots = ["knock=" + "+".join(seats) + ",draw=stock"]
                deal = play(players, bots, "ledger:hand_size=7", dealer=dealer, deck=shuffled(4)).as_json()
                assert deal["knocker"] == (dealer + 1 + knocking) % players
                assert len(deal["turns"]) == players + knocking + 1


def test_a_reshuffle_does_not_reset_the_schedule() -> None:
    # Five players of ten cards: the stock is renewed before nearly every turn.
    bots = ["knock=never/never/never/200,draw=stock", "knock=never,draw=stock"]
    deal = play(5, bots, "traditional:hand_size=10", deck=shuffled(9)).as_json()
    assert sum("reshuffle" in turn for turn in deal["turns"]) >= 3
    assert sum(turn["player"] == 0 for turn in deal["turns"]) == 4
    assert deal["knocker"] == 0


# ---------------------------------------------------------------- the empty stock


def test_with_an_empty_stock_the_bot_declines_where_its_rule_says_stock() -> None:
    for draw in ("stock", "meld", "improve:200"):
        deal = play(5, [f"knock=never,draw={draw}"], "ledger:hand_size=10", deck=shuffled(21)).as_json()
        assert deal["end"] == "exhausted"
        last = deal["turns"][-1]
        assert (last["draw"], last["card"], last["discard"], last["knock"]) == ("decline", None, None, False)
    always = play(5, ["knock=never,draw=always"], "ledger:hand_size=10,max_turns=20", deck=shuffled(21))
    assert always.end == "stalled"
    assert not any(turn.draw == "decline" for turn in always.turns)


def test_with_an_empty_stock_the_draw_rule_is_applied_as_usual() -> None:
    # Player 4, all melded, draws the last card and gives it back; player 0, with two kings, takes it.
    spare = iter([word for word in map(oracle.text, oracle.PACK) if word[0] != "K"])
    hands = [" ".join(next(spare) for _ in range(10 if player else 8)) for player in range(5)]
    hands[0] += " KS KH"
    deck = stack(5, 3, hands, "KC", "KD")
    bots = ["knock=200,draw=meld", *["knock=never,draw=stock"] * 4]
    deal = play(5, bots, "ledger:hand_size=10", dealer=3, deck=deck).as_json()
    turns = [(turn["player"], turn["draw"], turn["card"]) for turn in deal["turns"]]
    assert turns == [(4, "stock", "KD"), (0, "upcard", "KD")]
    assert (deal["end"], deal["knocker"]) == ("knock", 0)


# ---------------------------------------------------------------- every decision, again by the oracle


def expected_turn(bot: str, moment: oracle.Moment, rules: dict[str, Any]) -> tuple[str, Card | None, bool]:
    """The bot once more, written from its definition with nothing but the oracle."""
    way, limit = oracle.way(rules), rules["knock_limit"]
    keys = dict(pair.split("=") for pair in bot.split(","))
    hand, upcard = moment.hands[moment.player], moment.pile[-1]
    before = oracle.deadwood(hand, **way)
    draw = keys["draw"]
    if draw == "meld":
        take = oracle.deadwood(hand | {upcard}, **way) < before + oracle.points(upcard, rules["joker_value"])
    elif draw.startswith("improve:"):
        least = min(oracle.after_giving(hand | {upcard}, upcard, **way).values())
        take = least <= before - int(draw.removeprefix("improve:"))
    else:
        take = draw == "always"
    if not take and not moment.stock:
        return "decline", None, False
    drawn = upcard if take else moment.stock[0]
    card, left = oracle.greedy_discard(hand | {drawn}, upcard if take else None, **way)
    seats = keys["knock"].split("+")
    schedule = seats[moment.seat if len(seats) > 1 else 0].split("/")
    threshold = schedule[min(moment.turns[moment.player], len(schedule) - 1)]
    knock = threshold != "never" and left <= int(threshold) and (limit == "none" or left <= limit)
    return ("upcard" if take else "stock"), card, knock


TABLES = [
    (2, "ledger", ["knock=12,draw=improve:1", "knock=30/20/never,draw=meld"]),
    (2, "traditional:rum-knock,ace-high", ["knock=50,draw=improve:0", "knock=8+3,draw=stock"]),
    (3, "ledger:ace-high", ["knock=5,draw=meld", "knock=2,draw=improve:3", "knock=never,draw=always"]),
    (3, "traditional:no-knock,max_turns=80", ["knock=200,draw=improve:2", "knock=0,draw=meld"]),
    (4, "ledger:stock=reshuffle,tie=penalty,max_turns=70", ["knock=0/9+1+2+3/5,draw=improve:1"]),
    (4, "traditional:stock=compare,tie=free", ["knock=never,draw=improve:1", "knock=1,draw=meld"]),
    (5, "ledger", ["knock=3,draw=improve:1", "knock=never/never/7,draw=improve:5"]),
    (5, "traditional:max_turns=60,hand_size=9", ["knock=20/1,draw=meld", "knock=2,draw=improve:0"]),
    (2, "ledger:joker-knock", ["knock=9,draw=improve:1", "knock=5,draw=meld"]),
    (3, "traditional:jokers=2,joker_value=0,min_naturals=3,max_turns=30", ["knock=3,draw=meld", "knock=2,draw=always"]),
    (4, "ledger:jokers=1,joker_value=40,ace-high", ["knock=1,draw=improve:0", "knock=never,draw=stock"]),
    (5, "traditional:joker-knock,min_naturals=2,max_turns=30", ["knock=4,draw=meld", "knock=0,draw=improve:2"]),
]


@pytest.mark.parametrize(("players", "rules", "bots"), TABLES)
def test_every_decision_is_the_one_that_the_contract_asks_for(players: int, rules: str, bots: list[str]) -> None:
    decisions = 0
    for seed in range(5):
        deck = shuffled(100 * players + seed, parse_rules(rules).jokers)
        deal = play(players, bots, rules, dealer=seed % players, deck=deck).as_json()
        deal = json.loads(json.dumps(deal))
        for moment, turn in oracle.follow(deal):
            if turn is None:
                continue
            bot = deal["bots"][moment.player]
            draw, card, knock = expected_turn(bot, moment, deal["rules"])
            assert turn["draw"] == draw
            assert turn["discard"] == (None if card is None else oracle.text(card))
            assert turn["knock"] is knock
            decisions += 1
    assert decisions > 20
