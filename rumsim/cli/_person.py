"""A person at the table: sees what a player may know, is asked for a draw and a card to give back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rumsim.cards import card_id, mask, pretty
from rumsim.cli import _output
from rumsim.errors import RequestError
from rumsim.lab.play import play
from rumsim.melds import arrange, count
from rumsim.referee import Deal, Turn, View
from rumsim.referee.view import card_meant
from rumsim.report.deal import end_lines, turn_words
from rumsim.report.hands import cards_text, hand_line, wrapped
from rumsim.report.rules import rules_lines
from rumsim.rules import Rules

INTERRUPTED = 130
HELP = """\
  s          draw from the stock
  u          take the upcard
  d          decline it, when the stock is empty: ends the deal, hands are compared
  8D         give back the 8 of diamonds, face up
  k 8D       knock: give it back face down, which ends the deal
  p          look at the cards given back so far
  h          this help
  quit       leave the table (q asks first: it may be a queen)"""


class Left(Exception):
    """The person left the table."""


class Person:
    """Decides as the one at the keyboard says.

    Parameters
    ----------
    ask : callable
        Shows a prompt and returns the answer.
    say : callable
        Shows a line.
    symbols : bool
        Whether suits can be shown as symbols.
    """

    def __init__(self, ask: Callable[[str], str], say: Callable[[str], None], symbols: bool) -> None:
        self._ask, self._say, self._symbols = ask, say, symbols

    def take_upcard(self, view: View) -> bool:
        """Ask where to draw from: the upcard if True, otherwise the stock, or a decline when it is empty."""
        assert view.upcard is not None
        upcard = pretty(view.upcard, self._symbols)
        self._say("")
        stock = f"{view.stock_count} card{'s' * (view.stock_count != 1)} in the stock"
        self._say(f"Turn {view.table_turn} is yours.  Upcard {upcard}, {stock}.")
        self._show_hand(view)
        may_decline = not view.stock_count and view.rules.stock == "compare"
        other, other_words = ("d", "decline it") if may_decline else ("s", "draw from the stock")
        choices = f"u to take the upcard {upcard}, {other} to {other_words}"
        while True:
            answer = self._answer(f"Draw ({choices}): ", view)
            if answer in ("u", "upcard"):
                return True
            if answer[:1] == other and answer in ("s", "stock", "d", "decline"):
                return False
            if answer in ("s", "stock"):
                self._say("The stock is empty: take the upcard (u) or decline it (d).")
            elif answer in ("d", "decline"):
                self._say("You may decline only when the stock is empty: draw s or u.")
            else:
                self._say(f"That is no draw.  Type {choices}; h for help.")

    def give_back(self, view: View) -> tuple[int, bool]:
        """Ask for the card to give back, and whether to knock with it."""
        assert view.drawn is not None
        where = "from the stock" if view.taken is None else "from the discard pile"
        self._say(f"You drew {pretty(view.drawn, self._symbols)} {where}.")
        self._show_hand(view)
        while True:
            answer = self._answer("Give back (a card, or k and a card to knock): ", view)
            first, _, rest = answer.partition(" ")
            knock = first in ("k", "knock")
            try:
                card = card_meant(card_id((rest if knock else answer).strip()), view.hand, view.taken)
            except RequestError:
                self._say("That is no card.  Type a card you hold, such as 8D, or k 8D to knock; h for help.")
                continue
            reason = self._forbidden(view, card, knock)
            if reason is None:
                return card, knock
            self._say(reason)

    def _forbidden(self, view: View, card: int, knock: bool) -> str | None:
        text = pretty(card, self._symbols)
        if card not in view.hand:
            return f"You do not hold {text}."
        if card == view.taken:
            return f"You just took {text} from the discard pile; it may not be given back in the same turn."
        left = count(mask(view.hand) & ~(1 << card), view.rules)
        limit = view.rules.knock_limit
        if knock and limit is not None and left > limit:
            return f"You would knock with {left}; these rules allow it with {limit} or less."
        return None

    def _answer(self, prompt: str, view: View) -> str:
        while True:
            answer = " ".join(self._ask(prompt).split()).lower()
            if answer == "quit" or (answer == "q" and self._leaves()):
                raise Left("you left the table")
            if answer == "q":
                continue
            if answer in ("h", "help", "?"):
                self._say(HELP)
            elif answer in ("p", "pile"):
                given = f"Discard pile, oldest first: {cards_text(view.pile, self._symbols) or 'empty'}"
                self._say("\n".join(wrapped(given, indent=2)))
            else:
                return answer

    def _leaves(self) -> bool:
        """Ask whether a bare q means to leave."""
        try:
            answer = self._ask("Leave the table? (y, or n to stay; a queen is written with its suit, such as QH): ")
        except Left:
            return True
        return answer.strip().lower() in ("y", "yes", "q", "quit")

    def _show_hand(self, view: View) -> None:
        hand = arrange(view.hand, view.rules)
        text = f"Your hand counts {hand.deadwood}:  {hand_line(hand, self._symbols)}"
        self._say("\n".join(wrapped(text, indent=2)))


def play_with_person(
    me: int, players: int, bots: list[str], rules: Rules, source: dict[str, Any], as_json: bool
) -> int:
    """Play one deal with a person at place ``me`` and show how it ended.

    Returns
    -------
    int
        The exit code.
    """
    symbols = _output.symbols(to_stderr=as_json)
    say = _speaker(as_json)

    def name(player: int) -> str:
        return f"player {player} (you)" if player == me else f"player {player}"

    def watch(deal: Deal, turn: Turn) -> None:
        for line in _seen_lines(deal, turn, me, symbols):
            say(line)

    for line in rules_lines(rules, players):
        say(line)
    say(f"You are player {me}.  {_again(source)}Type h for help, quit to leave.")
    person = Person(_asker(as_json), say, symbols)
    try:
        deal = play(players, bots, rules, people={me: person}, watch=watch, **source)
    except Left as left:
        _output.tell(f"rumsim play: {left}; the deal was not finished")
        return INTERRUPTED
    say("")
    for line in end_lines(deal, symbols, name):
        say(line)
    if as_json:
        _output.put_json(deal.as_json())
    return 0


def _again(source: dict[str, Any]) -> str:
    if source.get("deck") is not None:
        return ""
    keys = ("seed", "block", "rotation")
    options = [f"--{key} {source[key]}" for key in keys if source.get(key) is not None]
    return f"This deal is {' '.join(options)}.  "


def _seen_lines(deal: Deal, turn: Turn, me: int, symbols: bool) -> list[str]:
    """Tell a turn as everybody at the table saw it, and one's own count."""
    lines = []
    if turn.reshuffle is not None:
        lines.append(f"The stock was renewed: {len(turn.reshuffle)} cards from the discard pile, shuffled.")
    who = "You" if turn.player == me else f"Player {turn.player}"
    if turn.draw == "decline":
        lines.append(f"{who} declined the upcard.")
    elif turn.player == me:
        assert turn.discard is not None
        given = pretty(turn.discard, symbols) + " and knocked" * turn.knock
        lines.append(f"You gave back {given}; your hand counts {turn.deadwood}.")
    else:
        lines.append(f"{who} {turn_words(turn, symbols, hidden=True)}.")
    return lines


def _speaker(to_stderr: bool) -> Callable[[str], None]:
    def say(line: str) -> None:
        if to_stderr:
            _output.tell(line)
        else:
            _output.put(line)

    return say


def _asker(to_stderr: bool) -> Callable[[str], str]:
    def ask(prompt: str) -> str:
        stream = sys.stderr if to_stderr else sys.stdout
        if stream is not None:
            stream.write(prompt)
            stream.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            if stream is not None:
                stream.write("\n")
            raise Left("the answers ended")
        if stream is not None and not sys.stdin.isatty():
            stream.write(line.rstrip("\n") + "\n")  # nobody has typed it into the transcript
        return _decoded(line)

    return ask


def _decoded(line: str) -> str:
    """Read an answer as UTF-8 where the locale made something else of it, as for suit symbols."""
    try:
        return line.encode(sys.stdin.encoding or "utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return line
