"""Referee a recorded deal, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from rumsim.cards import JOKERS, card_id, parse_cards
from rumsim.errors import RequestError, whole_number
from rumsim.referee.deal import Deal, IllegalTurn
from rumsim.referee.play import whole_deck
from rumsim.referee.record import RecordedDeal, record_of
from rumsim.referee.view import card_meant
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
    bots: Any = None


def referee_record(found: Mapping[str, object]) -> RecordedDeal:
    """Referee the contents of a record, as :func:`rumsim.replay` describes; bots keep the texts they came with."""
    file = _checked(found)
    rules = parse_rules(file.rules)
    players = whole_number("players", file.players, 2, 5)
    dealer = whole_number("dealer", file.dealer, 0, players - 1)
    deal = Deal(rules, players, dealer, whole_deck(file.deck, rules))
    for number, turn in enumerate(file.turns, 1):
        player = deal.mover
        try:
            if turn.reshuffle is not None:
                deal.renew(_reshuffle(turn.reshuffle, deal))
            elif deal.to_renew:
                break
            _referee(deal, turn)
        except IllegalTurn as error:
            raise IllegalTurn(f"turn {number}, player {player}: {error}") from None
    return record_of(deal, _names(file.bots, players))


def _names(bots: object, players: int) -> list[str | None] | None:
    """Return who played, if the file says so of every player."""
    if isinstance(bots, list) and len(bots) == players and all(b is None or isinstance(b, str) for b in bots):
        return bots
    return None


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
    """Find the card that a turn gives back."""
    if text == _DRAWN:
        assert deal.drawn is not None
        return deal.drawn
    try:
        return card_meant(card_id(text), deal.hand(deal.mover), deal.taken)
    except RequestError:
        raise IllegalTurn(f"{text!r} is no card: discard not in hand") from None


def _reshuffle(order: list[str] | str, deal: Deal) -> list[int]:
    try:
        cards = parse_cards(order, "reshuffle")
    except RequestError as error:
        raise IllegalTurn(str(error)) from None
    lying = iter([card for card in deal.to_renew if card in JOKERS])  # a lone joker there may be the second one
    return [next(lying, card) if card in JOKERS else card for card in cards]


def _checked(found: Mapping[str, object]) -> _DealFile:
    try:
        return _DealFile.model_validate(dict(found))
    except ValidationError as error:
        seen: dict[str, str] = {}
        for problem in error.errors():
            # A union reports each of its members; the first tells enough.
            seen.setdefault(_place(problem["loc"]), _message(problem["type"], problem["input"], problem["msg"]))
        raise RequestError(*(f"{place}: {message}" for place, message in seen.items())) from None


def _message(kind: str, given: object, message: str) -> str:
    if kind == "missing":
        return "missing; needed in a recorded deal"
    shown = repr(given)
    allowed = "an object" if kind == "model_type" else message.removeprefix("Input should be ")
    return f"got {shown if len(shown) < 60 else shown[:57] + '...'}; allowed: {allowed}"


def _place(location: tuple[int | str, ...]) -> str:
    """Name the part of the file that is wrong: a turn by its number from 1, as messages of the referee do."""
    match location:
        case ("turns", int(turn), *rest):
            return ": ".join([f"turn {turn + 1}", *(part for part in rest[:1] if isinstance(part, str))])
        case (name, *_):
            return str(name)
    return "file"
