"""The rules of a game: every field, the two profiles, the named variants."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from rumsim.cards import JOKERS, rank_of
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.files import read_file, text_of

PLAYERS = (2, 3, 4, 5)
NATURALS = 52
MOST_TURNS = 10**12  # hours of play for one deal; those of a block, added up, fit 64 bits


@dataclass(frozen=True)
class Rules:
    """One complete set of rules.

    Attributes
    ----------
    hand_size : tuple of int
        Cards a player holds with 2, 3, 4 and 5 players.
    stock : str
        ``compare`` or ``reshuffle``: what happens when the stock is empty.
    tie : str
        ``free`` or ``penalty``: whether a tied knocker pays ``undercut`` points.
    undercut : int
        Points that an undercut knocker pays on top.
    rum_bonus : int
        Points that each opponent pays on top against rum.
    knock_limit : int or None
        Highest deadwood, in points, with which one may knock; None for no limit.
    ace : str
        ``low``, or ``high-or-low`` when Q-K-A is a run too.
    jokers : int
        Jokers in the deck.
    joker_value : int
        Points of a joker as deadwood.
    min_naturals : int
        Natural cards that a meld must hold.
    max_turns : int
        Table turns after which a deal is stalled.

    Examples
    --------
    >>> parse_rules("traditional").size_for(5)
    6
    """

    hand_size: tuple[int, int, int, int] = (10, 7, 7, 7)
    stock: str = "compare"
    tie: str = "free"
    undercut: int = 10
    rum_bonus: int = 25
    knock_limit: int | None = None
    ace: str = "low"
    jokers: int = 0
    joker_value: int = 15
    min_naturals: int = 1
    max_turns: int = 500

    def __post_init__(self) -> None:
        """Refuse values outside the table, however the rules were made."""
        problems: list[str] = []
        for field in FIELDS.values():
            try:
                object.__setattr__(self, field.name, field.read(field.name, getattr(self, field.name)))
            except RequestError as error:
                problems += error.lines
        if problems:
            raise RequestError(*problems)

    @property
    def deck_size(self) -> int:
        """Cards in the deck, jokers included."""
        return NATURALS + self.jokers

    def size_for(self, players: int) -> int:
        """Return the cards each of ``players`` players holds.

        Raises
        ------
        RequestError
            If there are not 2 to 5 players, or too few cards for so many hands of that size: two cards must be
            left, one for the upcard and one for the stock.

        Examples
        --------
        >>> Rules().size_for(2), Rules().size_for(5)
        (10, 7)
        """
        size = self.hand_size[whole_number("players", players, PLAYERS[0], PLAYERS[-1]) - PLAYERS[0]]
        most = (self.deck_size - 2) // players
        if size > most:
            raise RequestError(f"hand_size: got {size} cards for {players} players; allowed: 1 to {most}")
        return size

    def points(self, card: int) -> int:
        """Return a card's points as deadwood: ace 1, number cards their number, J Q K 10, a joker its value.

        Examples
        --------
        >>> [Rules().points(card) for card in (0, 6, 12)]
        [1, 7, 10]
        """
        return self.joker_value if card in JOKERS else min(rank_of(card) + 1, 10)

    def as_json(self) -> dict[str, str | int]:
        """Return the fields as JSON writes them, to be read back by :func:`parse_rules`.

        Examples
        --------
        >>> Rules().as_json()["hand_size"], Rules().as_json()["knock_limit"]
        ('10/7/7/7', 'none')
        """
        return {field.name: write_value(getattr(self, field.name)) for field in fields(self)}

    def __str__(self) -> str:
        """Name the rules by the shortest text that :func:`parse_rules` reads back."""
        profile = min(PROFILES, key=lambda name: len(_differences(self, PROFILES[name])))
        changed = _differences(self, PROFILES[profile])
        return profile + (":" + ",".join(f"{key}={value}" for key, value in changed.items()) if changed else "")


def _differences(rules: Rules, base: Rules) -> dict[str, str | int]:
    mine, theirs = rules.as_json(), base.as_json()
    return {key: value for key, value in mine.items() if value != theirs[key]}


def write_value(value: Any) -> str | int:
    """Write one field's value: hand sizes as ``10/7/7/7``, no limit as ``none``.

    Examples
    --------
    >>> write_value((10, 7, 7, 7)), write_value(None), write_value(25)
    ('10/7/7/7', 'none', 25)
    """
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return "none" if value is None else value


# ---- the table of fields -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """One row of the table of fields: its name, the values allowed, what it means, and how its text is read."""

    name: str
    allowed: str
    meaning: str
    read: Callable[[str, object], Any]


def _choice(*values: str) -> Callable[[str, object], str]:
    def read(name: str, given: object) -> str:
        if given not in values:
            raise wrong(name, given, " or ".join(values))
        return str(given)

    return read


def _number(low: int, high: int | None = None) -> Callable[[str, object], int]:
    return lambda name, given: whole_number(name, given, low, high)


def _knock_limit(name: str, given: object) -> int | None:
    if given is None or given == "none":
        return None
    try:
        return whole_number(name, given, 0, 200)
    except RequestError:
        raise wrong(name, given, "none, or 0 to 200") from None


def _hand_size(name: str, given: object) -> tuple[int, int, int, int]:
    most = (NATURALS + len(JOKERS) - 2) // PLAYERS[0]
    parts = given.split("/") if isinstance(given, str) else given if isinstance(given, (list, tuple)) else [given]
    try:
        sizes = [whole_number(name, part, 1, most) for part in parts]
    except RequestError:
        sizes = []
    if len(sizes) not in (1, len(PLAYERS)):
        raise wrong(name, given, f"a number from 1 to {most}, or one per player count such as 10/7/7/7")
    two, three, four, five = sizes * len(PLAYERS) if len(sizes) == 1 else sizes
    return two, three, four, five


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field("hand_size", "a number, or 10/7/7/7 for 2/3/4/5 players", "cards a player holds", _hand_size),
        Field("stock", "compare, reshuffle", "what happens when the stock is empty", _choice("compare", "reshuffle")),
        Field("tie", "free, penalty", "what a tied knocker pays", _choice("free", "penalty")),
        Field("undercut", "0 to 1000", "what an undercut knocker pays on top", _number(0, 1000)),
        Field("rum_bonus", "0 to 1000", "what each opponent pays on top against rum", _number(0, 1000)),
        Field("knock_limit", "none, 0 to 200", "highest deadwood with which one may knock", _knock_limit),
        Field("ace", "low, high-or-low", "whether Q-K-A is a run too", _choice("low", "high-or-low")),
        Field("jokers", "0 to 2", "jokers in the deck", _number(0, len(JOKERS))),
        Field("joker_value", "0 to 40", "a joker's points as deadwood", _number(0, 40)),
        Field("min_naturals", "1 to 3", "natural cards that a meld must hold", _number(1, 3)),
        Field("max_turns", "1 to 10^12", "table turns after which a deal is stalled", _number(1, MOST_TURNS)),
    )
}

PROFILES: dict[str, Rules] = {
    "ledger": Rules(),
    "traditional": Rules(hand_size=(10, 7, 7, 6), stock="reshuffle", tie="penalty"),
}

VARIANTS: dict[str, dict[str, object]] = {
    "rum-knock": {"knock_limit": 10},
    "no-knock": {"knock_limit": 0},
    "joker-knock": {"jokers": 2},
    "ace-high": {"ace": "high-or-low"},
    "seven": {"hand_size": 7},
    "poker-rum": {},
    "poker-gin": {},
}

# ---- from what a user writes to Rules ------------------------------------------------------------------------


def parse_rules(value: Rules | str | Path | Mapping[str, object]) -> Rules:
    """Read rules from any of the forms in which people give them.

    Parameters
    ----------
    value : Rules, str, path or mapping
        A profile with optional variants and fields, ``traditional:ace-high,undercut=20``; the path of a TOML file
        with ``profile``, ``variants`` and fields; or the same keys as a mapping.

    Returns
    -------
    Rules
        Complete and validated.

    Raises
    ------
    RequestError
        For an unknown profile, variant or field, a value outside the table, a field given twice, or variants
        that contradict each other; all errors at once.

    Examples
    --------
    >>> parse_rules("ledger:rum-knock,undercut=20").knock_limit
    10
    """
    if isinstance(value, Rules):
        return value
    if isinstance(value, Mapping):
        return _from_mapping(value)
    text = str(value)
    if isinstance(value, Path) or text.endswith(".toml"):
        return _from_mapping(read_toml("rules", Path(text)))
    return _from_text(text)


@functools.lru_cache(maxsize=256)
def _from_text(text: str) -> Rules:
    profile, colon, rest = text.partition(":")
    words = [word.strip() for word in rest.split(",")] if colon else []
    variants = [word for word in words if "=" not in word]
    given = [(key.strip(), field.strip()) for key, _, field in (word.partition("=") for word in words if "=" in word)]
    return _assemble(profile.strip(), variants, given)


def _from_mapping(source: Mapping[str, object]) -> Rules:
    profile, variants = source.get("profile", "ledger"), source.get("variants", [])
    if isinstance(variants, str) or not isinstance(variants, (list, tuple)):
        raise wrong("variants", variants, 'a list of names, such as ["ace-high"]')
    return _assemble(
        str(profile), [str(name) for name in variants], [(k, v) for k, v in source.items() if k not in _NOT_FIELDS]
    )


_NOT_FIELDS = ("profile", "variants")


def _assemble(profile: str, variants: Sequence[str], given: Sequence[tuple[str, object]]) -> Rules:
    if profile not in PROFILES:
        raise RequestError(f"rules: unknown profile {profile!r}; allowed: {', '.join(PROFILES)}, or a file name.toml")
    problems: list[str] = []
    settings: dict[str, Any] = {}
    for name in variants:
        if name not in VARIANTS:
            problems.append(
                f"rules: unknown variant {name!r}; allowed: {', '.join(VARIANTS)}, or field=value "
                f"with a field out of {', '.join(FIELDS)}"
            )
    if "rum-knock" in variants and "no-knock" in variants:
        problems.append("rules: got rum-knock together with no-knock; allowed: one of them")
    seen: set[str] = set()
    from_variants = [item for name in variants for item in VARIANTS.get(name, {}).items()]
    for key, _ in given:
        if key not in FIELDS:
            problems.append(f"rules: unknown field {key!r}; allowed: {', '.join(FIELDS)}")
        elif key in seen:
            problems.append(f"rules: got {key} twice; allowed: each field once")
        seen.add(key)
    for key, setting in [*(item for item in from_variants if item[0] not in seen), *given]:
        if key in FIELDS:
            try:
                settings[key] = FIELDS[key].read(key, setting)
            except RequestError as error:
                problems += error.lines
    if problems:
        raise RequestError(*dict.fromkeys(problems))
    return replace(PROFILES[profile], **settings)


def read_toml(argument: str, path: Path) -> dict[str, object]:
    """Read a TOML file that a user named, or refuse it in one line.

    Parameters
    ----------
    argument : str
        What the file was given for.
    path : Path
        The file.

    Returns
    -------
    dict
        Its contents.

    Raises
    ------
    RequestError
        If it cannot be read or is no TOML.
    """
    text = text_of(argument, str(path), read_file(argument, path))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, too many digits
        raise wrong(argument, str(path), f"a TOML file ({error})") from None
