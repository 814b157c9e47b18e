"""Mixtures of bots: weights, and what is said of texts that are none."""

from __future__ import annotations

import pytest

from rumsim.bots import parse_bot
from rumsim.bots.mixture import Mixture
from rumsim.errors import RequestError


def test_a_bot_with_the_weight_0_does_not_play_and_messages_say_that_there_are_mixtures() -> None:
    assert str(Mixture.parse("1*knock=12+0*knock=25")) == str(Mixture.parse("knock=12"))
    assert Mixture.parse("0.5*knock=8+0*knock=9+0.5*knock=25").bots == Mixture.parse("0.5*knock=8+0.5*knock=25").bots
    for text in ("knck=10", "0.5*knock=8,0.5*knock=25", "0.5 knock=8 + 0.5 knock=25", "0*knock=8", "@own.py"):
        with pytest.raises(RequestError, match=r"^opponents: .*0\.5\*"):
            Mixture.parse(text)
    with pytest.raises(RequestError, match="^bots: got '0.5.*mixtures are for --opponents"):
        parse_bot("0.5*knock=8+0.5*knock=25")
