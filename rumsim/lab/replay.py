"""Referee a recorded deal that someone wrote down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rumsim.bots import parse_bot
from rumsim.errors import RequestError, wrong
from rumsim.files import read_file, text_of
from rumsim.referee.record import RecordedDeal
from rumsim.referee.replay import referee_record


def replay(source: str | Path | Mapping[str, object]) -> RecordedDeal:
    """Referee a recorded deal and settle it.

    Parameters
    ----------
    source : path or mapping
        A JSON file, or its contents, with ``rules``, ``players``, ``dealer``, ``deck`` and ``turns``, each turn with
        ``draw``, ``discard`` (``@drawn`` for the card just drawn) and ``knock``.

    Returns
    -------
    RecordedDeal
        With ``end`` ``open`` if the turns stop before the deal does, or the stock must be renewed and no order is
        given.

    Raises
    ------
    RequestError
        If the file is not such a record; as ``IllegalTurn`` on the first turn against the rules, naming the turn
        (from 1), the player and the rule.

    Examples
    --------
    >>> from rumsim import play
    >>> record = play(3, "knock=20", seed=5).as_json()
    >>> replay(record).as_json() == record
    True
    """
    if not isinstance(source, (Mapping, str, Path)):
        raise wrong("file", source, "a path, or the contents of a recorded deal")
    deal = referee_record(source if isinstance(source, Mapping) else _read(Path(source)))
    return deal if deal.bots is None else replace(deal, bots=tuple(map(_canonical, deal.bots)))


def _canonical(text: str | None) -> str | None:
    """Return a bot's canonical text; who played is not needed to referee, so a name that is no bot stays."""
    try:
        # A file that a record names is not opened: refereeing runs nobody's code.
        return text if text is None or text.startswith("@") else str(parse_bot(text))
    except RequestError:
        return text


def _read(path: Path) -> Mapping[str, object]:
    return parse_json(text_of("file", str(path), read_file("file", path)), str(path))


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object, refusing a key that stands in it twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"{twice!r} stands there twice")
    return found


def parse_json(text: str, name: str) -> Mapping[str, object]:
    """Read the JSON text of a recorded deal.

    Raises
    ------
    RequestError
        If it is no JSON object.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:  # also a number of too many digits
        raise wrong("file", name, f"a recorded deal in JSON ({error})") from None
    if not isinstance(found, Mapping):
        raise wrong("file", name, "a recorded deal: a JSON object")
    return found
