"""Threshold bots: knock when the count is low enough, draw and discard by plain rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rumsim.cards import mask, pretty
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.melds import best_discard, count
from rumsim.referee.view import View
from rumsim.rules import read_toml

NEVER = -1
HIGHEST_THRESHOLD = 200
DRAWS = ("stock", "meld", "improve", "always")
DISCARDS = ("greedy",)
_KNOCK_ALLOWED = "a whole number from 0 to 200, never, T1/T2/… by own turn, or one such schedule per seat joined by +"
_DRAW_ALLOWED = "stock, meld, improve:m with a whole number m from 0, or always"

Schedule = tuple[int, ...]


@dataclass(frozen=True)
class ThresholdBot:
    """The parameterised bot that thresholds are compared with.

    Attributes
    ----------
    knock : tuple of tuple of int
        A schedule for each seat, or one for all; a schedule holds the highest count, in points, with which to
        knock on the own turns 1, 2, …; its last value repeats; -1 is ``never``.
    draw : str
        ``stock``, ``meld``, ``improve`` or ``always``.
    margin : int
        Points by which the upcard must lower the count; only for ``improve``.
    discard : str
        ``greedy``.

    Examples
    --------
    >>> str(ThresholdBot.parse("knock=40/35+never,draw=improve"))
    'knock=40/35+never,draw=improve:1,discard=greedy'
    """

    knock: tuple[Schedule, ...] = ((10,),)
    draw: str = "improve"
    margin: int = 1
    discard: str = "greedy"
    ignores_knocks: ClassVar[bool] = True  # what it draws and gives back hangs on its cards alone

    @classmethod
    def parse(cls, text: str) -> ThresholdBot:
        """Read the text form: ``key=value`` pairs joined by commas, missing keys at their defaults.

        Raises
        ------
        RequestError
            For an unknown or repeated key, or a value that is not allowed; all errors at once.
        """
        problems: list[str] = []
        pairs: dict[str, object] = {}
        for word in text.split(","):
            key, equals, value = (part.strip() for part in word.partition("="))
            if not equals:
                problems.append(f"bots: got {text!r}; allowed: {_FORM}")
            elif key in pairs:
                problems.append(f"bots: got {key} twice in {text!r}; allowed: each key once")
            pairs[key] = value
        if problems:
            raise RequestError(*dict.fromkeys(problems))
        return cls.from_keys(pairs)

    @classmethod
    def from_keys(cls, pairs: dict[str, object]) -> ThresholdBot:
        """Make a bot from its keys, as a text or a TOML file gives them.

        Raises
        ------
        RequestError
            For an unknown key or a value that is not allowed; all errors at once.
        """
        problems: list[str] = []
        found: dict[str, object] = {}
        for key, value in pairs.items():
            try:
                if key == "knock":
                    found["knock"] = _read_knock(value)
                elif key == "draw":
                    found["draw"], found["margin"] = _read_draw(value)
                elif key == "discard":
                    if value not in DISCARDS:
                        raise wrong("discard", value, " or ".join(DISCARDS))
                else:
                    raise RequestError(f"bots: unknown key {key!r}; allowed: knock, draw, discard")
            except RequestError as error:
                problems += error.lines
        if problems:
            raise RequestError(*problems)
        return cls(**found)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """Return the canonical form, with every key."""
        knock = "+".join("/".join("never" if t == NEVER else str(t) for t in seat) for seat in self.knock)
        draw = f"improve:{self.margin}" if self.draw == "improve" else self.draw
        return f"knock={knock},draw={draw},discard={self.discard}"

    def check(self, players: int) -> None:
        """Refuse the bot at a table with more seats than it has schedules.

        Raises
        ------
        RequestError
            If there are several schedules, but fewer than seats.
        """
        if 1 < len(self.knock) < players:
            raise RequestError(
                f"bots: got {len(self.knock)} seat schedules in {str(self)!r}; allowed: one for all, or at least "
                f"{players} with {players} players"
            )

    def threshold(self, seat: int, own_turn: int) -> int:
        """Return the highest count to knock with, in points; -1 for never.

        Parameters
        ----------
        seat : int
            From 0.
        own_turn : int
            From 1, the current one included.
        """
        schedule = self.knock[seat] if len(self.knock) > 1 else self.knock[0]
        return schedule[min(own_turn, len(schedule)) - 1]

    # ---- at the table ----------------------------------------------------------------------------------------

    def take_upcard(self, view: View) -> bool:
        """Decide whether to take the upcard; if not, draw from the stock, or decline when it is empty."""
        if self.draw in ("stock", "always"):
            return self.draw == "always"
        before, with_it = self._counts(view)
        if self.draw == "meld":
            return with_it < before + view.rules.points(_known(view.upcard))
        return with_it <= before - self.margin

    def _counts(self, view: View) -> tuple[int, int]:
        """Return the count before drawing, and the one with the upcard: after a discard, but for ``draw=meld``."""
        hand, upcard = mask(view.hand), _known(view.upcard)
        before = count(hand, view.rules)
        if self.draw == "meld":
            return before, count(hand | 1 << upcard, view.rules)
        return before, best_discard(hand | 1 << upcard, view.rules, taken=upcard)[1]

    def give_back(self, view: View) -> tuple[int, bool]:
        """Choose the card to give back, and whether to knock with it."""
        card, left = best_discard(mask(view.hand), view.rules, view.taken)
        limit = view.rules.knock_limit
        allowed = limit is None or left <= limit
        return card, allowed and left <= self.threshold_at(view)

    def threshold_at(self, view: View) -> int:
        """Return the highest count to knock with in this turn, in points; -1 for never."""
        return self.threshold(view.seat, view.own_turn)

    # ---- in words, for people who read along -----------------------------------------------------------------

    def why_draw(self, view: View, took: bool) -> str:
        """Say why the upcard was taken or left."""
        card = pretty(_known(view.upcard), symbols=False)
        if self.draw == "always":
            return "always takes the upcard"
        if self.draw == "stock":
            return "never takes the upcard"
        before, with_it = self._counts(view)
        if self.draw == "meld":
            return f"{card} melds" if took else f"{card} would not meld"
        if took:
            return f"{card} brings {before} down to {with_it}"
        needed = before - self.margin
        return (
            f"with {card} the count would be {with_it}, not {needed} or less" if needed >= 0 else f"{card} cannot help"
        )

    def why_knock(self, view: View, left: int, knocked: bool) -> str:
        """Say why the knock came, or did not."""
        threshold = self.threshold_at(view)
        limit = view.rules.knock_limit
        if knocked:
            return f"{left} is at most {threshold}"
        if threshold == NEVER:
            return "never knocks"
        if left <= threshold and limit is not None:
            return f"{left} is above the rules' limit of {limit}"
        return f"{left} is above {threshold}"


_FORM = "key=value pairs joined by commas, such as knock=10,draw=improve:1,discard=greedy"


def _known(card: int | None) -> int:
    assert card is not None  # there is always an upcard before a draw
    return card


def _read_knock(given: object) -> tuple[Schedule, ...]:
    text = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(text, str):
        raise wrong("knock", given, _KNOCK_ALLOWED)
    try:
        return tuple(
            tuple(
                NEVER if word.strip() == "never" else whole_number("knock", word, 0, HIGHEST_THRESHOLD)
                for word in seat.split("/")
            )
            for seat in text.split("+")
        )
    except RequestError:
        raise wrong("knock", given, _KNOCK_ALLOWED) from None


def _read_draw(given: object) -> tuple[str, int]:
    rule, colon, margin = str(given).partition(":")
    if rule not in DRAWS or (colon and rule != "improve"):
        raise wrong("draw", given, _DRAW_ALLOWED)
    try:
        return rule, whole_number("draw", margin, 0) if colon else 1
    except RequestError:
        raise wrong("draw", given, _DRAW_ALLOWED) from None


def from_toml(path: Path) -> ThresholdBot:
    """Read a bot from a TOML file with the keys of the text form.

    Raises
    ------
    RequestError
        If the file cannot be read, or its keys make no bot.
    """
    return ThresholdBot.from_keys(read_toml("bots", path))
