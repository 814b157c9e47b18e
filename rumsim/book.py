"""The ledger of a real evening, kept in a text file that people write: a header, then a line a deal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from rumsim.errors import RequestError, whole_number, wrong
from rumsim.melds import hand_of
from rumsim.rules import Rules, parse_rules
from rumsim.session_rules import FORMATS, Format, Session
from rumsim.settlement import Settlement, settle, settlement, stalled

TEMPLATE = """\
# The book of an evening of Knock Rummy. What follows a # is not read.
players Ann, Ben, Cid
rules ledger
format rotation
#      rotation | cumulative deals=10 | match target=200 | pool rebuys=1
#      In a rotation everybody deals once; a match goes to the first above the target.
dealer Ann
#      who deals first; then the deal passes to the left, in the order of the players

# A line a deal, in one of these forms. Without a knocker hands are compared (the stock ran out).
#
# counts Ann 8 knocks, Ben 3, Cid 20
# hands Ann knocks: 4H 5H 6H QC QD QS 8D | Ben: AS AH AD 7C 8C 9C 3H | Cid: 2C 2D 2H KS 4S 5D AC
# transfers Ann -15, Ben 32, Cid -17
# stalled
#
# In a pool with rebuys who has nothing left re-enters, unless the next deal is written without them, or a line says
#   out Ben
"""

T = TypeVar("T")

_MOST_COUNT = 340  # a whole deck
_HEADER = ("players", "rules", "format", "dealer")
_DEALS = ("counts", "hands", "transfers", "stalled")
_OUT = "out"
_OPTIONS = {"deals", "target", "rebuys", "max_deals"}
_NAME = re.compile(r"[^\W\d][\w.'-]*\Z")


@dataclass(frozen=True)
class Entry:
    """A deal in the book.

    Attributes
    ----------
    line : int
        Where it stands in the file, from 1.
    dealer : int
        Who dealt.
    counts : tuple of int or None by player
        Deadwood where it is known, None for who was out; empty where only transfers were written.
    knocker : int or None
        Who knocked.
    transfers : tuple of Fraction
        What each player received.
    ledger : tuple of Fraction
        Net points after it.
    """

    line: int
    dealer: int
    counts: tuple[int | None, ...]
    knocker: int | None
    transfers: tuple[Fraction, ...]
    ledger: tuple[Fraction, ...]


@dataclass(frozen=True)
class Book:
    """What a file says.

    Attributes
    ----------
    names : tuple of str
        The players, clockwise.
    rules : Rules
        Of the game.
    session : Session
        How the evening stands.
    entries : tuple of Entry
        Its deals.
    declined : tuple of int
        Who did not re-enter a pool, in that order.
    """

    names: tuple[str, ...]
    rules: Rules
    session: Session
    entries: tuple[Entry, ...]
    declined: tuple[int, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim book --json`` prints: amounts are exact fractions as text."""
        session = self.session
        return {
            "players": list(self.names),
            "rules": self.rules.as_json(),
            "format": session.format.name,
            "deals": [
                {
                    "line": entry.line,
                    "dealer": entry.dealer,
                    "counts": list(entry.counts) or None,
                    "knocker": entry.knocker,
                    "transfers": [str(amount) for amount in entry.transfers],
                    "ledger": [str(amount) for amount in entry.ledger],
                }
                for entry in self.entries
            ],
            "ledger": [str(amount) for amount in session.ledger],
            "out": [player for players in session.out for player in players],
            "declined": list(self.declined),
            "finished": session.finished,
            "unfinished": session.unfinished,
            "winners": list(session.winners),
            "next_dealer": None if session.finished or session.unfinished else session.dealer,
        }


def read_book(text: str) -> Book:
    r"""Read the book of an evening.

    Parameters
    ----------
    text : str
        Its lines; see ``TEMPLATE``.

    Returns
    -------
    Book
        The ledger, and how the evening stands.

    Raises
    ------
    RequestError
        For every line that says something wrong, with its number.

    Examples
    --------
    >>> book = read_book("players Ann, Ben\nformat match target=20\ncounts Ann 8 knocks, Ben 30")
    >>> [str(amount) for amount in book.session.ledger], book.session.winners
    (['22', '-22'], (0,))
    """
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), start=1)]
    said = [(number, *_parted(words)) for number, words in lines if words]
    first_deal = next((number for number, kind, _ in said if kind in (*_DEALS, _OUT)), max(1, len(lines)))
    problems: list[str] = []
    header: dict[str, str] = {}
    at: dict[str, int] = {}
    for number, kind, rest in said:
        if kind not in (*_HEADER, *_DEALS, _OUT):
            allowed = f"a line that begins with {', '.join((*_HEADER, *_DEALS, _OUT))}"
            problems += _at(number, wrong("line", kind, allowed)).lines
        elif kind in _HEADER and kind in header:
            problems.append(f"line {number}: {kind}: got it twice, first in line {at[kind]}; allowed: once")
        elif kind in _HEADER and number > first_deal:
            problems.append(f"line {number}: {kind}: got it after a deal; allowed: before the first one")
        elif kind in _HEADER:
            header[kind], at[kind] = rest, number
    opened = _opened(header, at, first_deal, problems)
    if opened is None:
        raise RequestError(*_by_line(problems))
    evening = _Evening(*opened)
    for number, kind, rest in said:
        if kind in (*_DEALS, _OUT):
            problems += evening.read(number, kind, rest)
    if problems:
        raise RequestError(*_by_line(problems))
    return Book(evening.names, evening.rules, evening.session, tuple(evening.entries), tuple(evening.declined))


def _parted(words: str) -> tuple[str, str]:
    kind, _, rest = words.partition(" ")
    return kind, rest.strip()


def _by_line(problems: Sequence[str]) -> list[str]:
    return sorted(problems, key=lambda problem: int(problem.removeprefix("line ").partition(":")[0]))


def _at(number: int, error: RequestError) -> RequestError:
    return RequestError(*(f"line {number}: {line}" for line in error.lines))


def _opened(
    said: dict[str, str], at: dict[str, int], number: int, problems: list[str]
) -> tuple[tuple[str, ...], Rules, Session] | None:
    """Open the book with what its header says; note what is wrong with it, and return None then."""
    before = len(problems)

    def tried(kind: str, function: Callable[..., T], *words: object) -> T | None:
        try:
            return function(*words)
        except RequestError as error:
            problems.extend(_at(at.get(kind, number), error).lines)
            return None

    if "players" not in said:
        problems.append(f"line {number}: players: got nothing; allowed: a line such as: players Ann, Ben, Cid")
    names = tried("players", _names, said["players"]) if "players" in said else None
    rules = tried("rules", parse_rules, said.get("rules", "ledger"))
    if names is not None and rules is not None:
        tried("players", rules.size_for, len(names))
    form = tried("format", _format, said.get("format", "rotation"))
    dealer = tried("dealer", _player, said["dealer"], names, "dealer") if names is not None and "dealer" in said else 0
    if len(problems) > before or names is None or rules is None or form is None or dealer is None:
        return None
    return names, rules, Session(form, len(names), dealer)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if not _NAME.match(name):
            raise wrong("players", name, "names of one word, parted by commas, that begin with a letter")
    if len({name.lower() for name in names}) < len(names):
        raise wrong("players", text, "each name once")
    if not 2 <= len(names) <= 5:
        raise RequestError(f"players: got {len(names)}; allowed: 2 to 5, parted by commas")
    return names


def _format(text: str) -> Format:
    name, *options = text.split() or [""]
    if name not in FORMATS:
        raise wrong("format", name, ", ".join(FORMATS))
    found: dict[str, int] = {}
    for option in options:
        key, sign, value = option.partition("=")
        if not sign or key not in _OPTIONS or key in found:
            raise wrong("format", option, f"{', '.join(f'{one}=NUMBER' for one in sorted(_OPTIONS))}, each once")
        found[key] = whole_number(key, value, 0)
    return Format(name, **found)


def _player(text: str, names: Sequence[str], argument: str = "player") -> int:
    for player, name in enumerate(names):
        if name.lower() == text.strip().lower():
            return player
    raise wrong(argument, text, ", ".join(names))


class _Standing(RequestError):
    """Refused because of who is still in: after a wrong line nobody knows."""


class _Evening:
    """The deals of a book as they are read: a wrong one is not recorded, and those after it are read all the same."""

    def __init__(self, names: tuple[str, ...], rules: Rules, session: Session) -> None:
        self.names, self.rules, self.session = names, rules, session
        self.entries: list[Entry] = []
        self.declined: list[int] = []
        self._certain = True  # whether every line so far was recorded

    def read(self, number: int, kind: str, rest: str) -> Sequence[str]:
        """Read a line, record it, and return what is wrong with it."""
        try:
            if kind == _OUT:
                self._decline(_player(rest, self.names, _OUT))
            else:
                self._deal(number, kind, rest)
        except _Standing as error:
            # In a pool nobody knows who is still in behind a line that was not recorded.
            known, self._certain = self._certain or self.session.format.name != "pool", False
            return _at(number, error).lines if known else ()
        except RequestError as error:
            self._certain = False
            return _at(number, error).lines
        return ()

    def _decline(self, player: int) -> None:
        if player not in self.session.reentered:
            allowed = _listed(self.session.reentered, self.names) or "who re-enters a pool, behind that deal"
            raise _Standing(f"{_OUT}: got {self.names[player]}; allowed: {allowed}")
        self.session.decline_reentry(player)
        self.declined.append(player)

    def _deal(self, number: int, kind: str, rest: str) -> None:
        session = self.session
        for player in self._left_out(kind, rest):
            self._decline(player)
        if session.finished or session.unfinished:
            how = f"won by {_listed(session.winners, self.names)}" if session.finished else "at its most deals"
            raise _Standing(f"{kind}: got one more deal; allowed: none, the {session.format.name} is over, {how}")
        read = {"counts": _counts, "hands": _hands, "transfers": _transfers, "stalled": _stalled}[kind]
        dealer = session.dealer
        found = read(rest, self.names, session.still_in, self.rules)
        session.record(found.transfers)
        self.entries.append(Entry(number, dealer, found.counts, found.knocker, found.transfers, tuple(session.ledger)))

    def _left_out(self, kind: str, rest: str) -> list[int]:
        """List who re-entered in the last deal, but does not stand in this one."""
        if kind == "stalled":
            return []
        parts = rest.split("|" if kind == "hands" else ",")
        there = {re.split(r"[\s:]", part.strip(), maxsplit=1)[0].lower() for part in parts}
        return [player for player in self.session.reentered if self.names[player].lower() not in there]


@dataclass(frozen=True)
class _Deal:
    transfers: tuple[Fraction, ...]
    counts: tuple[int | None, ...] = ()
    knocker: int | None = None


def _settled(found: Settlement, still: Sequence[int], names: Sequence[str], knocker: int | None) -> _Deal:
    """Give those who are out nothing to pay."""
    transfers, counts = [Fraction(0)] * len(names), [None] * len(names)
    every: list[int | None] = [*counts]
    for place, player in enumerate(still):
        transfers[player], every[player] = found.transfers[place], found.deadwood[place]
    return _Deal(tuple(transfers), tuple(every), None if knocker is None else still[knocker])


def _by_player(
    parts: Sequence[tuple[str, str]], names: tuple[str, ...], still: Sequence[int], argument: str
) -> dict[int, str]:
    """Sort what is said of players, who must be those still in, each once."""
    found: dict[int, str] = {}
    for name, text in parts:
        player = _player(name, names)
        if player not in still:
            raise _Standing(f"{argument}: got {names[player]}, who is out; allowed: {_listed(still, names)}")
        if player in found:
            raise RequestError(f"{argument}: got {names[player]} twice; allowed: each player once")
        found[player] = text
    missing = [player for player in still if player not in found]
    if missing:
        raise _Standing(f"{argument}: got nothing for {_listed(missing, names)}; allowed: every player in play")
    return found


def _knocks(found: dict[int, str], still: Sequence[int], names: Sequence[str]) -> tuple[list[str], int | None]:
    """Part ``knocks`` from what else is said; return that in the order of play, and who knocked."""
    texts, knocker = [], None
    for place, player in enumerate(still):
        text, _, word = found[player].rpartition(" ") if found[player].endswith("knocks") else (found[player], "", "")
        if word:
            if knocker is not None:
                raise RequestError(f"knocks: got {_listed([still[knocker], player], names)}; allowed: at most one")
            knocker = place
        texts.append(text.strip())
    return texts, knocker


def _words(text: str, argument: str) -> list[tuple[str, str]]:
    parts = []
    for part in text.split(","):
        name, _, rest = part.strip().partition(" ")
        if not rest:
            raise wrong(argument, part.strip(), "a name and a number for each player, parted by commas")
        parts.append((name, rest.strip()))
    return parts


def _counts(text: str, names: tuple[str, ...], still: Sequence[int], rules: Rules) -> _Deal:
    found = _by_player(_words(text, "counts"), names, still, "counts")
    texts, knocker = _knocks(found, still, names)
    counts = [
        whole_number(f"count of {names[player]}", one, 0, _MOST_COUNT) for player, one in zip(still, texts, strict=True)
    ]
    _within(rules, knocker, counts, still, names)
    return _settled(settlement(counts, knocker, rules), still, names, knocker)


def _hands(text: str, names: tuple[str, ...], still: Sequence[int], rules: Rules) -> _Deal:
    parts = []
    for part in text.split("|"):
        name, sign, cards = part.partition(":")
        if not sign:
            raise wrong("hands", part.strip(), "NAME: cards, or NAME knocks: cards, parted by |")
        name, _, word = name.strip().partition(" ")
        parts.append((name, f"{cards.strip()} {word}".strip()))
    found = _by_player(parts, names, still, "hands")
    hands, knocker = _knocks(found, still, names)
    size = rules.size_for(len(still))
    for player, hand in zip(still, hands, strict=True):
        held = hand_of(hand, rules, f"hand of {names[player]}")
        if len(held) != size:
            raise RequestError(f"hand of {names[player]}: got {len(held)} cards; allowed: {size} (rules {rules})")
    result = settle(hands, knocker, rules)
    _within(rules, knocker, result.deadwood, still, names)
    return _settled(result, still, names, knocker)


def _within(
    rules: Rules, knocker: int | None, counts: Sequence[int], still: Sequence[int], names: Sequence[str]
) -> None:
    if knocker is not None and rules.knock_limit is not None and counts[knocker] > rules.knock_limit:
        raise RequestError(
            f"knocks: got {names[still[knocker]]} with {counts[knocker]}; allowed: at most {rules.knock_limit} "
            f"(rules {rules})"
        )


def _transfers(text: str, names: tuple[str, ...], still: Sequence[int], _rules: Rules) -> _Deal:
    found = _by_player(_words(text, "transfers"), names, still, "transfers")
    amounts = [Fraction(0)] * len(names)
    for player, one in found.items():
        if not re.fullmatch(r"[+-]?\d{1,9}(/\d{1,3}|\.\d{1,6})?", one, re.ASCII) or one.endswith(("/0", "/00", "/000")):
            raise wrong(f"transfer of {names[player]}", one, "a number or an exact fraction, such as -15 or 35/2")
        amounts[player] = Fraction(one)
    if sum(amounts):
        raise RequestError(f"transfers: got a sum of {sum(amounts)}; allowed: 0, what is paid is received")
    return _Deal(tuple(amounts))


def _stalled(text: str, names: tuple[str, ...], still: Sequence[int], _rules: Rules) -> _Deal:
    if text:
        raise wrong("stalled", text, "nothing after it")
    return _Deal(stalled([0] * len(names)).transfers)


def _listed(players: Sequence[int], names: Sequence[str]) -> str:
    return " and ".join(
        filter(None, [", ".join(names[one] for one in players[:-1]), *(names[i] for i in players[-1:])])
    )


def book_lines(book: Book) -> list[str]:
    r"""Write a book for people to read: deals, ledger, and what is next.

    Examples
    --------
    >>> book_lines(read_book("players Ann, Ben\nformat match target=20\ncounts Ann 8 knocks, Ben 30"))[-1]
    'Ann has won.'
    """
    session, names = book.session, book.names
    form = session.format
    option = {"cumulative": f" of {form.deals} deals", "match": f" to more than {form.target}"}.get(form.name, "")
    option = f" with up to {form.rebuys} re-entries" if form.name == "pool" and form.rebuys else option
    lines = [f"{len(names)} players, rules {book.rules}; {form.name}{option}", ""]
    rows = [["deal", "dealer", *names]]
    for place, entry in enumerate(book.entries, start=1):
        rows.append([str(place), names[entry.dealer], *(_cell(entry, player) for player in range(len(names)))])
    rows.append(["", "net", *(_signed(amount) for amount in session.ledger)])
    if form.name == "pool":
        rows.append(["", "stake", *(str(session.stake(player)) for player in range(len(names)))])
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].rjust(wide[0]), row[1].ljust(wide[1])]
        cells += [cell.rjust(width) for cell, width in zip(row[2:], wide[2:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines += ["(count, * knocked; what the player received)", ""]
    out = [player for players in session.out for player in players]
    if out:
        lines.append(f"Out: {_listed(out, names)}.")
    lines += [f"{names[player]} is out without a re-entry." for player in book.declined]
    return [*lines, *_next(book)]


def _next(book: Book) -> list[str]:
    session, names = book.session, book.names
    if session.finished:
        verb = "have" if len(session.winners) > 1 else "has"
        line = f"{_listed(session.winners, names)} {verb} won."
        if session.format.name == "pool":
            line += f" The stakes are {session.prizes()[session.winners[0]] + session.stake_paid(session.winners[0])}."
        return [line]
    if session.unfinished:
        return [f"Unfinished after {session.deals} deals."]
    dealer, first = names[session.dealer], names[session.first_to_move]
    size = book.rules.size_for(len(session.still_in))
    return [f"Next: {dealer} deals {size} cards each, {first} moves first."]


def _cell(entry: Entry, player: int) -> str:
    amount = _signed(entry.transfers[player])
    if not entry.counts or entry.counts[player] is None:
        return amount
    return f"{entry.counts[player]}{'*' if entry.knocker == player else ''} {amount}"


def _signed(amount: Fraction) -> str:
    return f"+{amount}" if amount > 0 else str(amount)
