"""Referee a recorded deal, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from rumsim.bots import parse_bot
from rumsim.cards import JOKERS, card_id, parse_cards
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.referee.deal import Deal, IllegalTurn
from rumsim.referee.play import whole_deck
from rumsim.referee.record import RecordedDeal, record_of
from rumsim.rules import parse_rules

_DRAWN = "@drawn"


class _TurnFile(BaseModel):
    model_config = ConfigDict(extra="ignore")
    draw: Literal["stock", "upcard", "decline"]
    discard: StrictStr | None
    knock: StrictBool
    reshuffle: list[StrictStr] | StrictStr | None = None


class _DealFile(BaseModel):
    model_config = ConfigDict(extra="ignore")
    rules: StrictStr | dict[str, Any]
    players: StrictInt
    dealer: StrictInt
    deck: list[StrictStr] | StrictStr
    turns: list[_TurnFile]
    bots: list[StrictStr | None] | None = None


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
    >>> from rumsim.referee.play import play
    >>> record = play(3, "knock=20", seed=5).as_json()
    >>> replay(record).as_json() == record
    True
    """
    file = _checked(source if isinstance(source, Mapping) else _read(Path(source)))
    rules = parse_rules(file.rules)
    players = whole_number("players", file.players, 2, 5)
    dealer = whole_number("dealer", file.dealer, 0, players - 1)
    deal = Deal(rules, players, dealer, whole_deck(file.deck, rules))
    bots = _bots(file.bots, players)
    for number, turn in enumerate(file.turns, 1):
        player = deal.mover
        try:
            if turn.reshuffle is not None:
                deal.renew(_reshuffle(turn.reshuffle))
            elif deal.to_renew:
                break
            _referee(deal, turn)
        except IllegalTurn as error:
            raise IllegalTurn(f"turn {number}, player {player}: {error}") from None
    return record_of(deal, bots)


def _referee(deal: Deal, turn: _TurnFile) -> None:
    before = deal.count(deal.mover)
    if turn.draw == "decline":
        if turn.discard is not None or turn.knock:
            raise IllegalTurn("a player who declines gives no card back and does not knock")
        deal.decline()
        return
    if turn.draw == "stock":
        deal.draw_stock()
    else:
        deal.take_upcard()
    if turn.discard is None:
        raise IllegalTurn("a card must be given back")
    deal.give_back(_named(turn.discard, deal), turn.knock, before)


def _named(text: str, deal: Deal) -> int:
    """Find the card that a turn gives back; of several jokers the lowest that may be given back."""
    if text == _DRAWN:
        assert deal.drawn is not None
        return deal.drawn
    try:
        card = card_id(text)
    except RequestError:
        raise IllegalTurn(f"{text!r} is no card: discard not in hand") from None
    if card in JOKERS:
        held = [joker for joker in JOKERS if deal.hands[deal.mover] >> joker & 1]
        return next((joker for joker in held if joker != deal.taken), held[0] if held else card)
    return card


def _reshuffle(order: list[str] | str) -> list[int]:
    try:
        return parse_cards(order, "reshuffle")
    except RequestError as error:
        raise IllegalTurn(str(error)) from None


def _bots(texts: list[str | None] | None, players: int) -> list[str | None] | None:
    if texts is None:
        return None
    if len(texts) != players:
        raise RequestError(f"bots: got {len(texts)} in the file; allowed: {players}, or none")
    return [None if text is None else str(parse_bot(text)) for text in texts]


def _read(path: Path) -> Mapping[str, object]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise wrong("file", str(path), f"a file that can be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise wrong("file", str(path), "a recorded deal in JSON, in UTF-8") from None
    return parse_json(text, str(path))


def parse_json(text: str, name: str) -> Mapping[str, object]:
    """Read the JSON text of a recorded deal.

    Raises
    ------
    RequestError
        If it is no JSON object.
    """
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise wrong("file", name, f"a recorded deal in JSON ({error})") from None
    if not isinstance(found, Mapping):
        raise wrong("file", name, "a recorded deal: a JSON object")
    return found


def _checked(found: Mapping[str, object]) -> _DealFile:
    try:
        return _DealFile.model_validate(dict(found))
    except ValidationError as error:
        seen: dict[str, str] = {}
        for problem in error.errors():
            # A union reports each of its members; the first tells enough.
            place = [str(part) for part in problem["loc"] if part not in ("str", "list[str]") and "[" not in str(part)]
            seen.setdefault(".".join(place), problem["msg"][0].lower() + problem["msg"][1:])
        raise RequestError(*(f"{place}: {message}" for place, message in seen.items())) from None
