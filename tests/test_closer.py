"""The bot that looks at the ledger: when it knocks with other counts, by hand and at the table."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rumsim
from rumsim.bots import ThresholdBot, parse_bot
from rumsim.bots.closer import CloserBot
from rumsim.errors import RequestError
from rumsim.referee import Standing, play_session
from rumsim.rules import parse_rules
from rumsim.session_rules import Format
from rumsim.tasks.sessions import Sessions

BOT = CloserBot(near=30, more=5, hope=7)


def standing(name: str, ledger: list[float | Fraction], played: int, players: int = 0, **options: int) -> Standing:
    return Standing(Format(name, **options), players or len(ledger), played, tuple(Fraction(net) for net in ledger))


# ---- its text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("closer", "closer:knock=10,draw=improve:1,discard=greedy,near=30,more=3,hope=7"),
        ("closer:", "closer:knock=10,draw=improve:1,discard=greedy,near=30,more=3,hope=7"),
        ("closer:hope=6,knock=40/30", "closer:knock=40/30,draw=improve:1,discard=greedy,near=30,more=3,hope=6"),
        (" closer : more=0 , draw=meld ", "closer:knock=10,draw=meld,discard=greedy,near=30,more=0,hope=7"),
    ],
)
def test_the_canonical_form_shows_every_key(text: str, canonical: str) -> None:
    assert str(parse_bot(text)) == canonical
    assert parse_bot(canonical) == parse_bot(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("closer:near=-1", "near: got '-1'; allowed: 0 to 1000000"),
        ("closer:ahead=1", "bots: unknown key 'ahead'; allowed: knock, draw, discard, near, more, hope"),
        ("closer:more=1,more=2", "bots: got more twice"),
        ("closer:near", "bots: got 'near'; allowed: key=value pairs"),
        ("closing:knock=1", "bots: unknown key 'closing:knock'; allowed: knock, draw, discard"),
        ("threshold:knock=1", "bots: unknown key 'threshold:knock'"),
    ],
)
def test_what_it_does_not_know_is_refused(text: str, words: str) -> None:
    with pytest.raises(RequestError) as refused:
        parse_bot(text)
    assert str(refused.value).startswith(words) and len(refused.value.lines) == 1


def test_all_wrong_keys_are_named_at_once() -> None:
    with pytest.raises(RequestError) as refused:
        parse_bot("closer:near=x,knock=300,hope=-1")
    assert [line.split(":")[0] for line in refused.value.lines] == ["near", "hope", "knock"]


def test_the_threshold_bot_keeps_its_text() -> None:
    assert str(parse_bot("knock=12")) == "knock=12,draw=improve:1,discard=greedy"
    assert type(parse_bot("knock=12")) is ThresholdBot


# ---- when it knocks with what ------------------------------------------------------------------------------------


def test_it_plays_for_points_until_the_last_deal() -> None:
    assert BOT.aim(standing("rotation", [90, -90], played=0), 0, 10) == (0, None)
    assert BOT.aim(standing("cumulative", [90, -90], played=8), 0, 10) == (0, None)
    assert BOT.aim(standing("cumulative", [90, -90], played=9), 0, 10) == (90, None)


def test_ahead_it_knocks_with_a_share_of_its_lead_more() -> None:
    assert BOT.aim(standing("rotation", [40, -10, -30], played=2), 0, 7) == (16, None)
    assert BOT.aim(standing("rotation", [0, 0, 0], played=2), 1, 7) == (0, None)


def test_behind_it_waits_for_a_win_that_makes_up_for_it() -> None:
    assert BOT.aim(standing("rotation", [40, -10, -30], played=2), 1, 7) == (0, 49 - 17)
    assert BOT.aim(standing("rotation", [40, -10, -30], played=2), 2, 7) == (0, 49 - 24)
    assert BOT.aim(standing("rotation", [Fraction(1, 12), Fraction(-1, 12)], played=1), 1, 10) == (0, 70 - 1)
    assert BOT.aim(standing("rotation", [500, -500], played=1), 1, 10) == (0, 0)


def test_deals_that_break_a_tie_are_last_deals() -> None:
    tied = standing("cumulative", [30, 30, -60], played=13)
    assert BOT.aim(tied, 0, 7) == (0, None)
    assert BOT.aim(tied, 2, 7) == (0, 49 - 30)


def test_near_the_target_of_a_match_it_knocks_with_more_and_far_from_it_as_ever() -> None:
    close = standing("match", [170, -84, -86], played=20)
    assert BOT.aim(close, 0, 7) == (5, None)
    assert BOT.aim(close, 1, 7) == (0, None)
    assert BOT.aim(standing("match", [Fraction(2039, 12), -169, 0], played=20), 0, 7) == (0, None)


def test_when_a_stake_is_nearly_gone_it_knocks_with_more() -> None:
    assert BOT.aim(standing("pool", [-70, 70], played=5), 0, 10) == (5, None)
    assert BOT.aim(standing("pool", [-70, 70], played=5), 1, 10) == (5, None)
    assert BOT.aim(standing("pool", [-69, 69], played=5), 1, 10) == (0, None)
    assert BOT.aim(standing("pool", [-70, 70], played=5, rebuys=1), 0, 10) == (0, None), "a re-entry is left"


def test_it_never_knocks_where_its_schedule_says_never() -> None:
    rules, format = parse_rules("ledger:max_turns=30"), Format("rotation")
    ends = []
    play_session(
        rules, format, [parse_bot("closer:knock=never")] * 2, seed=1, watch=lambda _, deal: ends.append(deal.end)
    )
    assert ends == ["stalled", "stalled"]


# ---- at the table ------------------------------------------------------------------------------------------------


def test_outside_sessions_it_plays_as_its_threshold_bot() -> None:
    closer, plain = "closer:knock=20,draw=meld", "knock=20,draw=meld"
    assert rumsim.play(3, closer, seed=4).turns == rumsim.play(3, plain, seed=4).turns
    one, other = (rumsim.simulate(3, [bot, "knock=9"], 200, seed=1) for bot in (closer, plain))
    assert one.points == other.points and one.bots[0].startswith("closer:")


def test_the_reason_names_the_count_that_it_knocks_with() -> None:
    view_of = {}

    class Spy(CloserBot):
        def give_back(self, view):  # type: ignore[no-untyped-def]
            view_of[view.standing.played] = view
            return super().give_back(view)

    bots = [Spy(knock=((200,),)), parse_bot("knock=0")]
    session = play_session(parse_rules("ledger"), Format("rotation"), bots, seed=1)
    behind = Standing(session.format, 2, 1, (Fraction(-50), Fraction(50)))
    assert bots[0].why_knock(view_of[0], 60, True) == "60 is at most 200"
    assert bots[0].why_knock(view_of[1]._replace(standing=behind), 60, False) == "60 is above 20"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("format", ["rotation", "cumulative", "match", "pool"])
def test_it_changes_play_and_wins_more_often_than_without_a_look_at_the_ledger(players: int, format: str) -> None:
    plain, closer = parse_bot("knock=25"), parse_bot("closer:knock=25")
    blocks = {"rotation": 6000, "cumulative": 8000, "match": 10_000, "pool": 1000}[format]

    def task(first: ThresholdBot) -> Sessions:
        bots = (first, *[plain] * (players - 1))
        return Sessions(parse_rules("ledger"), Format(format), bots, (0, *[1] * (players - 1)), seed=9)

    assert (task(plain).rows(0, 200).ledger != task(closer).rows(0, 200).ledger).any()
    result = rumsim.session(players, ["closer:knock=25", "knock=25"], format, blocks, seed=9)
    gain = result.by_bot[0].wins.mean - 1 / players
    assert gain > 2 * result.by_bot[0].wins.error
