"""Bots: how a player decides.  One family a file; :func:`parse_bot` finds them by their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, runtime_checkable

from rumsim.bots.threshold import ThresholdBot, from_toml
from rumsim.errors import RequestError, whole_number
from rumsim.referee.view import Player

__all__ = ["Bot", "ThresholdBot", "bot_files", "parse_bot", "table_bots"]


class Bot(Player, Protocol):
    """A player with a text form."""

    def __str__(self) -> str:
        """Return the canonical text, from which :func:`parse_bot` makes the same bot."""

    def check(self, players: int) -> None:
        """Raise RequestError if the bot cannot play at a table of that many players."""


@runtime_checkable
class _FromFile(Protocol):
    path: str
    source: str
    sha256: str


def parse_bot(text: str | Bot) -> Bot:
    """Make a bot from its text form.

    Parameters
    ----------
    text : str
        ``knock=10,draw=improve:1`` with any of the keys, ``@file.toml`` with the same keys, one's own bot as
        ``@file.py`` or ``@file.py:key=value,…``, or a built-in one by its name, ``closer`` or ``closer:key=value,…``.

    Returns
    -------
    Bot
        Its ``str`` is the canonical form.

    Raises
    ------
    RequestError
        If it is no bot.

    Examples
    --------
    >>> str(parse_bot("knock=12"))
    'knock=12,draw=improve:1,discard=greedy'
    """
    if not isinstance(text, str):
        if not (hasattr(text, "take_upcard") and hasattr(text, "check")):
            raise RequestError(f"bots: got {text!r}; allowed: a text such as knock=10, or a bot")
        return text
    if text.startswith("@"):
        if text.endswith(".toml"):
            return from_toml(Path(text[1:]))
        if re.search(r"\.py(:|\s*$)", text):
            from rumsim.bots.custom import CustomBot

            return CustomBot.parse(text)
        raise RequestError(f"bots: got {text!r}; allowed: @file.toml, @file.py, or key=value pairs such as knock=10")
    if re.match(r"\s*[0-9.]+\s*\*", text):
        raise RequestError(
            f"bots: got {text!r}; allowed: a bot such as knock=10 "
            "(mixtures are for --opponents of respond, odds, advise and chart)"
        )
    name, _, keys = (part.strip() for part in text.partition(":"))
    if named := _family(name):
        return named(keys)
    return ThresholdBot.parse(text)


def _family(name: str) -> Callable[[str], Bot] | None:
    """Find the built-in bots of that name: those of a module here that has a function ``named``."""
    if not re.fullmatch("[a-z]+", name) or find_spec(f"{__name__}.{name}") is None:
        return None
    return getattr(import_module(f"{__name__}.{name}"), "named", None)


def bot_files(bots: Iterable[Bot]) -> dict[str, dict[str, str]]:
    """Return the source, and its sha256, of every bot that a user wrote, by the path it was named with.

    Examples
    --------
    >>> bot_files([parse_bot("knock=12")])
    {}
    """
    return {bot.path: {"sha256": bot.sha256, "source": bot.source} for bot in bots if isinstance(bot, _FromFile)}


def table_bots(values: str | Bot | Iterable[str | Bot], players: int) -> list[Bot]:
    """Seat bots: one for all, a focal one against a table of another, or one each.

    Parameters
    ----------
    values : iterable of str or Bot
        1, 2 or ``players`` of them.
    players : int
        2 to 5.

    Returns
    -------
    list of Bot
        The bot of each player, player 0 being the focal one.

    Raises
    ------
    RequestError
        For another number of bots, or a bot that cannot sit at this table.

    Examples
    --------
    >>> [str(bot)[:8] for bot in table_bots(["knock=5", "knock=9"], 3)]
    ['knock=5,', 'knock=9,', 'knock=9,']
    """
    players = whole_number("players", players, 2, 5)
    given = [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    allowed = sorted({1, 2, players})
    if len(given) not in allowed:
        numbers = " or ".join(map(str, allowed)) if len(allowed) < 3 else f"1, 2 or {players}"
        raise RequestError(f"bots: got {len(given)} bots; allowed: {numbers} with {players} players")
    bots = [parse_bot(value) for value in given]
    for bot in bots:
        bot.check(players)
    return [bots[min(player, len(bots) - 1)] for player in range(players)]
