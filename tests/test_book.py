"""The book of a real evening: what it adds up, and what it refuses, by its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rumsim.book import TEMPLATE, book_lines, read_book
from rumsim.errors import RequestError
from tests.conftest import Answer

Command = Callable[..., Answer]
HEAD = "players Ann, Ben, Cid\n"
HANDS = "hands Ann knocks: 4H 5H 6H QC QD QS 8D | Ben: AS AH AD 7C 8C 9C 3H | Cid: 2C 2D 2H KS 4S 5D AC"


def ledger(text: str) -> list[str]:
    return [str(amount) for amount in read_book(text).session.ledger]


def test_counts_hands_and_transfers_say_the_same() -> None:
    for deal in ("counts Ann 8 knocks, Ben 3, Cid 20", HANDS, "transfers Ann -15, Ben 32, Cid -17"):
        assert ledger(HEAD + deal) == ["-15", "32", "-17"]
    assert read_book(HEAD + HANDS).entries[0].counts == (8, 3, 20)


def test_fractions_stay_exact() -> None:
    four = (
        "players A, B, C, D\nformat cumulative\ncounts A 15 knocks, B 6, C 6, D 22\ntransfers A 1/2, B -1/2, C 0, D 0"
    )
    assert ledger(four) == ["-37/2", "17", "35/2", "-16"]


def test_without_a_knocker_hands_are_compared_and_a_stalled_deal_moves_nothing() -> None:
    assert ledger(HEAD + "counts Ann 8, Ben 3, Cid 20\nstalled") == ["-5", "22", "-17"]


def test_names_take_any_case_and_comments_are_not_read() -> None:
    assert ledger("# x\n players Ann , Ben\n\ncounts BEN 3 knocks, ann 9 # well played") == ["-6", "6"]


def test_the_deal_passes_over_who_is_out_of_a_pool() -> None:
    text = HEAD + "format pool\ndealer Cid\ntransfers Ann -120, Ben 60, Cid 60\ncounts Ben 5 knocks, Cid 9"
    book = read_book(text)
    assert book.session.still_in == (1, 2) and [entry.dealer for entry in book.entries] == [2, 1]
    assert book_lines(book)[-2:] == ["Out: Ann.", "Next: Cid deals 10 cards each, Ben moves first."]
    done = read_book(text + "\ntransfers Ben 200, Cid -200")
    assert book_lines(done)[-1] == "Ben has won. The stakes are 300."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: players: got nothing"),
        ("players Ann", "line 1: players: got 1; allowed: 2 to 5"),
        ("players Ann, ann", "line 1: players: got 'Ann, ann'; allowed: each name once"),
        ("players Ann, 9", "line 1: players: got '9'; allowed: names"),
        (HEAD + "player Ann", "line 2: line: got 'player'; allowed: a line that begins with"),
        (HEAD + "rules lodger", "line 2: rules: unknown profile 'lodger'"),
        (HEAD + "format set", "line 2: format: got 'set'; allowed: rotation"),
        (HEAD + "format match goal=3", "line 2: format: got 'goal=3'"),
        (HEAD + "format match target=x", "line 2: target: got 'x'"),
        (HEAD + "dealer Dan", "line 2: dealer: got 'Dan'; allowed: Ann, Ben, Cid"),
        (HEAD + HEAD, "line 2: players: got it twice, first in line 1"),
        (HEAD + "stalled\nrules ledger", "line 3: rules: got it after a deal"),
        (HEAD + "counts Ann 8, Ben 3", "line 2: counts: got nothing for Cid"),
        (HEAD + "counts Ann 8, Ben 3, Cid", "line 2: counts: got 'Cid'"),
        (HEAD + "counts Ann 8, Ben 3, Dan 4", "line 2: player: got 'Dan'"),
        (HEAD + "counts Ann 8, Ben 3, Ben 4", "line 2: counts: got Ben twice"),
        (HEAD + "counts Ann 8 knocks, Ben 3 knocks, Cid 4", "line 2: knocks: got Ann and Ben; allowed: at most one"),
        (HEAD + "counts Ann -8, Ben 3, Cid 4", "line 2: count of Ann: got '-8'"),
        (HEAD + "rules ledger:rum-knock\ncounts Ann 11 knocks, Ben 3, Cid 4", "line 3: knocks: got Ann with 11"),
        (HEAD + HANDS.replace("8D", "AS"), "line 2: hands: got AS in the hands of"),
        (HEAD + HANDS.replace(" 8D", ""), "line 2: hand of Ann: got 6 cards; allowed: 7"),
        (HEAD + "hands Ann 4H", "line 2: hands: got 'Ann 4H'"),
        (HEAD + "transfers Ann -15, Ben 32, Cid -16", "line 2: transfers: got a sum of 1; allowed: 0"),
        (HEAD + "transfers Ann x, Ben 32, Cid -16", "line 2: transfer of Ann: got 'x'"),
        (HEAD + "transfers Ann 1/0, Ben 32, Cid -16", "line 2: transfer of Ann: got '1/0'"),
        (HEAD + "stalled again", "line 2: stalled: got 'again'"),
        (HEAD + "stalled\nstalled\nstalled\nstalled", "line 5: stalled: got one more deal; allowed: none"),
        (
            HEAD + "format pool\ntransfers Ann -120, Ben 60, Cid 60\ncounts Ann 1, Ben 2, Cid 3",
            "line 4: counts: got Ann",
        ),
    ],
)
def test_a_wrong_line_is_refused_by_its_number(text: str, message: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_book(text)
    assert len(caught.value.lines) == 1 and caught.value.lines[0].startswith(message)


def test_every_wrong_line_is_reported() -> None:
    text = "players Ann, Ben, Cid\nformat set\nplayer x\ncounts Ann 8, Ben 3, Cid\ncounts Ann 8, Ben 3, Dan 4"
    with pytest.raises(RequestError) as caught:
        read_book(text)
    assert [line.partition(": got")[0] for line in caught.value.lines] == ["line 2: format", "line 3: line"]
    with pytest.raises(RequestError) as caught:
        read_book(text.replace("set", "match").replace("player x", "stalled\nrules ledger") + "\ncounts Ann 8, Ben 3")
    assert [line.partition(": got")[0] for line in caught.value.lines] == [
        "line 4: rules",
        "line 5: counts",
        "line 6: player",
        "line 7: counts",
    ]


def test_behind_a_wrong_line_of_a_pool_nobody_is_said_to_be_out() -> None:
    text = HEAD + "format pool\ncounts Ann 1 knocks, Ben 170, Cid x\ncounts Ann 1 knocks, Cid 2\nstalled now"
    with pytest.raises(RequestError) as caught:
        read_book(text)
    assert [line.partition(": got")[0] for line in caught.value.lines] == ["line 3: count of Cid", "line 5: stalled"]


POOL = HEAD + "format pool rebuys=1\ncounts Ann 1 knocks, Ben 150, Cid 50\n"


@pytest.mark.parametrize(
    "rest", ["counts Ann 1 knocks, Cid 50", "hands Ann knocks: AS 2S 3S | Cid: KS QS 2D", "out Ben"]
)
def test_a_re_entry_can_be_declined(rest: str) -> None:
    book = read_book((POOL + rest).replace(HEAD, HEAD + "rules ledger:hand_size=3\n"))
    assert book.session.still_in == (0, 2) and book.session.entries == [0, 0, 0] and book.declined == (1,)
    assert "Ben is out without a re-entry." in book_lines(book) and book.as_json()["out"] == [1]


def test_a_re_entry_is_taken_by_who_stands_in_the_next_deal_and_ends_where_nobody_is_left() -> None:
    stays = read_book(POOL + "counts Ann 1 knocks, Ben 3, Cid 4")
    assert stays.session.entries == [0, 1, 0] and stays.session.still_in == (0, 1, 2)
    two = read_book("players Ann, Ben\nformat pool rebuys=2\ncounts Ann 1 knocks, Ben 150\nout Ben")
    assert two.session.finished and two.session.prizes() == (100, -100)


def test_who_did_not_just_re_enter_cannot_decline() -> None:
    for text in (POOL + "out Ann", POOL + "stalled\nout Ben", HEAD + "stalled\nout Ben"):
        with pytest.raises(RequestError, match=r"line \d: out: got (Ann|Ben); allowed: "):
            read_book(text)
    with pytest.raises(RequestError, match="line 4: counts: got nothing for Cid"):
        read_book(POOL + "counts Ann 1 knocks, Ben 2")


def test_the_command(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "friday.txt"
    answer = command("book", "--new", file)
    assert answer.code == 0 and file.read_text() == TEMPLATE
    assert "exists" in command("book", "--new", file).refused() and file.read_text() == TEMPLATE
    assert command("book", file).out.splitlines()[-1] == "Next: Ann deals 7 cards each, Ben moves first."
    file.write_text(TEMPLATE + "counts Ann 8 knocks, Ben 3, Cid 20\n")
    assert "8* -15" in command("book", file).out
    document = command("book", file, "--json").json
    assert document["ledger"] == ["-15", "32", "-17"] and document["next_dealer"] == 1
    assert command("book", "--new").out == TEMPLATE
    file.write_text("players Ann, Ben\ncounts Ann 5")
    assert (
        command("book", file).refused()
        == "rumsim book: line 2: counts: got nothing for Ben; allowed: every player in play"
    )
    assert command("book", tmp_path / "none.txt").refused().startswith("rumsim book: file: got")
    assert command("book").refused().startswith("rumsim book: file: got nothing")


def test_every_form_in_the_template_is_read() -> None:
    lines = TEMPLATE.splitlines()
    forms = [line[2:] for line in lines if line.startswith(("# counts", "# hands", "# transfers", "# stalled"))]
    assert len(forms) == 4
    for form in forms:
        read_book("\n".join([*lines, form]))
    options = next(line for line in lines if "|" in line and "cumulative" in line)
    for option in options.strip("# ").split(" | "):
        read_book(f"players Ann, Ben\nformat {option.strip()}")
