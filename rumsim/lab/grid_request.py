"""What a sweep is asked for, read and checked before anything is compiled or played."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rumsim.bots.threshold import HIGHEST_THRESHOLD, ThresholdBot, from_toml
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.rules import Rules, read_toml

_RANGE = f"LO:HI:STEP with 0 <= LO <= HI <= {HIGHEST_THRESHOLD} and a STEP from 1 that reaches HI, such as 0:60:5"
_KEYS = "keys other than knock, such as draw=meld; the sweep itself sets knock"

Whole = int | str


def read_players(given: Whole | Iterable[Whole], rules: Rules) -> tuple[int, ...]:
    """Return player counts in ascending order.

    Raises
    ------
    RequestError
        For one outside 2 to 5, given twice, or that the rules do not have.

    Examples
    --------
    >>> from rumsim.rules import parse_rules
    >>> read_players(["4", "2"], parse_rules("ledger"))
    (2, 4)
    """
    players = _numbers("players", given, 2, 5)
    for number in players:
        rules.size_for(number)
    return players


def read_thresholds(given: str | Iterable[Whole]) -> tuple[int, ...]:
    """Return thresholds in ascending order, from a range with both ends or one by one.

    Raises
    ------
    RequestError
        For a range that is none, or a threshold that is none or given twice.

    Examples
    --------
    >>> read_thresholds("0:60:20")
    (0, 20, 40, 60)
    >>> read_thresholds([25, 10])
    (10, 25)
    """
    if not isinstance(given, str):
        return _numbers("thresholds", given, 0, HIGHEST_THRESHOLD)
    try:
        low, high, step = (whole_number("thresholds", word, 0, HIGHEST_THRESHOLD) for word in given.split(":"))
    except ValueError:  # a RequestError is one
        raise wrong("thresholds", given, _RANGE) from None
    if high < low or step < 1 or (high - low) % step:
        raise wrong("thresholds", given, _RANGE)
    return tuple(range(low, high + 1, step))


def read_table(given: Whole | Iterable[Whole]) -> tuple[int, ...]:
    """Return opponents' thresholds in ascending order.

    Raises
    ------
    RequestError
        For one that is none or given twice.
    """
    return _numbers("table", given, 0, HIGHEST_THRESHOLD)


def read_confirm_seed(given: int | None, seed: int) -> int:
    """Return the seed of the decks on which what was found is confirmed: the next one if none is given.

    Raises
    ------
    RequestError
        For one that is none, or the same as the first.

    Examples
    --------
    >>> read_confirm_seed(None, 1)
    2
    """
    confirm = seed + 1 if given is None else whole_number("confirm_seed", given, 0)
    if confirm == seed:
        raise wrong("confirm_seed", given, f"another than seed, which is {seed}")
    return confirm


def read_keys(text: str, argument: str = "bot") -> ThresholdBot:
    """Return the bot whose keys players share, but for ``knock``.

    Parameters
    ----------
    text : str
        ``key=value`` pairs or ``@file.toml``, without ``knock``; nothing for the defaults.
    argument : str
        What messages call it.

    Raises
    ------
    RequestError
        If it has ``knock``, or makes no bot.

    Examples
    --------
    >>> read_keys("draw=meld").draw
    'meld'
    """
    if not isinstance(text, str):
        raise wrong(argument, text, _KEYS)
    if text.startswith("@") and not text.endswith(".toml"):
        raise wrong(argument, text, f"{_KEYS}; or @file.toml with them (a bot of one's own sets its knock itself)")
    try:
        if text.startswith("@"):
            path = Path(text[1:])
            names, found = set(read_toml(argument, path)), from_toml(path)
        else:
            names = {word.partition("=")[0].strip() for word in text.split(",")}
            found = ThresholdBot.parse(text) if text.strip() else ThresholdBot()
    except RequestError as error:
        raise RequestError(*(_renamed(line, argument) for line in error.lines)) from None
    if "knock" in names:
        raise wrong(argument, text, _KEYS)
    return found


def _renamed(line: str, argument: str) -> str:
    if line.startswith("bots: "):
        return f"{argument}: {line.removeprefix('bots: ')}"
    return line if argument == "bot" else f"{argument}: {line}"


def _numbers(argument: str, given: Whole | Iterable[Whole], low: int, high: int) -> tuple[int, ...]:
    several = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    problems: list[str] = []
    found: list[int] = []
    for one in several:
        try:
            found.append(whole_number(argument, one, low, high))
        except RequestError as error:
            problems += error.lines
    twice = sorted({number for number in found if found.count(number) > 1})
    problems += [f"{argument}: got {number} twice; allowed: each once" for number in twice]
    if not several:
        problems.append(f"{argument}: got nothing; allowed: {low} to {high}")
    if problems:
        raise RequestError(*dict.fromkeys(problems))
    return tuple(sorted(found))
