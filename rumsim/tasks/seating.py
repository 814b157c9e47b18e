"""From bots to the rows of numbers that the engine reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rumsim.bots import Bot, ThresholdBot
from rumsim.engine.requests import DRAWS, MOST_PLAYERS, Seating
from rumsim.rules import Rules

_MOST_MARGIN = 1 << 20  # a larger one is never reached, and fits the arithmetic


def seating_of(bots: Sequence[Bot], entry_of: Sequence[int], rules: Rules) -> Seating:
    """Seat bots for the engine.

    Parameters
    ----------
    bots : sequence of Bot
        The bot of each player.
    entry_of : sequence of int
        For each player, which of the bots asked about it has.
    rules : Rules
        Their knock limit is applied to every threshold.

    Returns
    -------
    Seating
        Arrays for the engine.
    """
    players = len(bots)
    thresholds = [bot for bot in bots if isinstance(bot, ThresholdBot)]
    assert len(thresholds) == players
    length = max(len(schedule) for bot in thresholds for schedule in bot.knock)
    limit = 200 if rules.knock_limit is None else rules.knock_limit
    knock = np.full((players, MOST_PLAYERS, length), -1, np.int16)
    for player, bot in enumerate(thresholds):
        for seat in range(players):
            for turn in range(length):
                knock[player, seat, turn] = min(bot.threshold(seat, turn + 1), limit)
    return Seating(
        draw=np.array([DRAWS.index(bot.draw) for bot in thresholds], np.int64),
        margin=np.array([min(bot.margin, _MOST_MARGIN) for bot in thresholds], np.int64),
        knock=knock,
        entry=np.array(entry_of, np.int64),
    )
