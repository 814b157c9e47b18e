"""What a user can get wrong is refused in one line, from the library as from the command line."""

import json
from pathlib import Path

import pytest

import rumsim
from rumsim.errors import RequestError

DEAL = rumsim.play(2, "knock=30", seed=1).as_json()


def refused(call, *words):
    with pytest.raises(RequestError) as caught:
        call()
    for line in caught.value.lines:
        assert "\n" not in line
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("text", ["undercut = " + "1" * 5000, "a = " + "[" * 5000, "undercut 3", "undercut = 5000"])
def test_a_toml_file_of_any_kind(tmp_path, text):
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    refused(lambda: rumsim.parse_rules(str(path)), "allowed")
    refused(lambda: rumsim.parse_bot(f"@{path}"))


@pytest.mark.parametrize("name", ["a\0.toml", "\ud800.toml", "nowhere/at/all.toml"])
def test_a_path_that_is_none(name):
    refused(lambda: rumsim.parse_rules(name), "rules")
    refused(lambda: rumsim.replay({**DEAL, "rules": name}), "rules")


@pytest.mark.parametrize(
    "text",
    ['{"players": ' + "1" * 5000 + "}", "[" * 100_000, "[]", "", '{"players": 2, "players": 3}', "\0"],
    ids=["digits", "depth", "list", "nothing", "twice", "zero"],
)
def test_a_deal_that_is_none(tmp_path: Path, text):
    path = tmp_path / "deal.json"
    path.write_text(text, encoding="utf-8")
    refused(lambda: rumsim.replay(path), "deal.json")


def test_a_byte_order_mark_is_no_error(tmp_path):
    path = tmp_path / "deal.json"
    path.write_text("\ufeff" + json.dumps(DEAL), encoding="utf-8")
    assert rumsim.replay(path).as_json() == DEAL


@pytest.mark.parametrize("bots", ["knock=1", ["knock=1"], [3, 4], {}, 7])
def test_who_played_is_not_needed_to_referee(bots):
    assert rumsim.replay({**DEAL, "bots": bots}).bots is None


def test_players_need_not_be_bots():
    names = rumsim.replay({**DEAL, "bots": ["Ann", "knock=12"]}).bots
    assert names == ("Ann", "knock=12,draw=improve:1,discard=greedy")


@pytest.mark.parametrize(
    "call",
    [
        lambda: rumsim.deadwood(None),
        lambda: rumsim.deadwood([1.5]),
        lambda: rumsim.deadwood([99]),
        lambda: rumsim.settle(None),
        lambda: rumsim.settle("4H 5H"),
        lambda: rumsim.replay(None),
        lambda: rumsim.play(2, None, seed=1),
        lambda: rumsim.play(2, [5], seed=1),
        lambda: rumsim.simulate(2, [None], 5),
        lambda: rumsim.Rules(undercut=-5),
        lambda: rumsim.Rules(hand_size=(0, 0, 0, 0)),
        lambda: rumsim.parse_rules(5),
    ],
)
def test_odd_arguments_of_the_library(call):
    refused(call, "allowed")


def test_all_bad_cards_are_named_at_once():
    refused(lambda: rumsim.deadwood("ZZ 4H YY"), "ZZ", "YY")
    refused(lambda: rumsim.settle(["ZZ", "YY"]), "player 0", "player 1")


def test_any_number_of_jobs_is_served():
    assert rumsim.simulate(2, ["knock=30", "knock=10"], 3, jobs=10**9).blocks == 3


def test_a_huge_request_starts_at_once(monkeypatch):
    from rumsim.tasks.direct import Direct

    def stop(self, first, last):
        raise KeyboardInterrupt

    monkeypatch.setattr(Direct, "run", stop)
    for jobs in (1, 2):
        result = rumsim.simulate(2, "knock=60", 10**15, jobs=jobs)
        assert result.interrupted
        assert result.as_json()["bots"][0]["ev"] is None
