"""Refusals in the user's words: which argument, what was given, what is allowed."""

from __future__ import annotations

import re

_MOST_DIGITS = 1000  # int() refuses several thousand
_LONGEST = 1000  # characters of a line: what was given may be a megabyte
_TAIL = 400  # of them for the end, where a line says what is allowed
# What could move a terminal's cursor or change the order of its letters.
_UNSEEN = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {code: ascii(chr(code))[1:-1] for code in _UNSEEN if chr(code) not in "\n\t"}
_TO_ESCAPE = re.compile(f"[{re.escape(''.join(map(chr, _ESCAPES)))}]")


def printable(text: str) -> str:
    r"""Return a text as a terminal may be given it: control characters are written as escapes.

    Parameters
    ----------
    text : str
        Line ends and tabs stay.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> print(printable("\x1b[2Jx"))
    \x1b[2Jx
    """
    return text.translate(_ESCAPES) if _TO_ESCAPE.search(text) else text  # translating takes ten times the search


def shortened(text: str, most: int = _LONGEST, tail: int = _TAIL) -> str:
    """Return a text without its middle if it is too long for a message.

    Parameters
    ----------
    text : str
        Any.
    most, tail : int
        How many characters may stay, and how many of these from its end.

    Returns
    -------
    str
        The text, or its start and end and how many characters it has.

    Examples
    --------
    >>> shortened("x" * 5000, most=40, tail=4)
    'xxxxxxxxxx ... (5,000 characters) ... xxxx'
    """
    if len(text) <= most:
        return text
    middle = f" ... ({len(text):,} characters) ... "
    return text[: max(most - tail - len(middle), 10)] + middle + text[len(text) - tail :]


class RequestError(ValueError):
    """A request that cannot be carried out as it stands.

    Parameters
    ----------
    *lines : str
        One line per error.  A command prints each on standard error and exits with 2;
        the library raises them together, so that all errors are seen at once.

    Examples
    --------
    >>> RequestError("players: got 6; allowed: 2 to 5").lines
    ('players: got 6; allowed: 2 to 5',)
    """

    def __init__(self, *lines: str) -> None:
        self.lines = tuple(printable(shortened(line)) for line in lines)
        super().__init__("\n".join(self.lines))


class NotWritten(OSError):
    """The work was done, but not all of its files could be written.

    Parameters
    ----------
    *lines : str
        One line for each folder or file: the argument, the path and the reason.
    result : object
        What the work found, so that it is not lost.

    Examples
    --------
    >>> error = NotWritten("out: 'a' could not be written: No space left on device", result=3)
    >>> error.lines, error.result
    (("out: 'a' could not be written: No space left on device",), 3)
    """

    def __init__(self, *lines: str, result: object = None) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
        self.result = result


def wrong(argument: str, given: object, allowed: str) -> RequestError:
    """Make the refusal of one argument.

    Parameters
    ----------
    argument : str
        The name that the user knows it by.
    given : object
        What was given; text is shown in quotes.
    allowed : str
        What would have been accepted.

    Returns
    -------
    RequestError
        To be raised by the caller.

    Examples
    --------
    >>> str(wrong("players", 6, "2 to 5"))
    'players: got 6; allowed: 2 to 5'
    """
    return RequestError(f"{argument}: got {shortened(repr(given), 400, 40)}; allowed: {allowed}")


_LARGEST = 10**_MOST_DIGITS - 1  # str() refuses several thousand digits too
_LONG = 10**9  # a bound from here on is not the point of a line


def whole_number(argument: str, given: object, low: int, high: int | None = None) -> int:
    """Return ``given`` as an integer within bounds, or refuse it.

    Parameters
    ----------
    argument : str
        The name that the user knows it by.
    given : object
        A Python or numpy integer, or the text of one.
    low, high : int
        The smallest value allowed, and the largest; without one, whatever has fewer than 1000 digits.

    Returns
    -------
    int
        The number.

    Raises
    ------
    RequestError
        If it is no whole number, or out of bounds.  ``True`` and ``2.0`` are no whole numbers.

    Examples
    --------
    >>> whole_number("players", "4", 2, 5)
    4
    >>> whole_number("blocks", 0, 1, 10**15)
    Traceback (most recent call last):
        ...
    rumsim.errors.RequestError: blocks: got 0; allowed: a whole number, at least 1 and at most 1,000,000,000,000,000
    """
    allowed = f"{low} to {high}"
    if high is None or high >= _LONG:
        allowed = f"a whole number, at least {low}" + ("" if high is None else f" and at most {high:,}")
    number: int | None = None
    if isinstance(given, str):
        text = given.strip()
        # int() would also take "1_000" and digits of other scripts.
        if text.isascii() and text.removeprefix("-").isdigit() and len(text) < _MOST_DIGITS:
            number = int(text)
    elif not isinstance(given, bool) and hasattr(given, "__index__"):
        number = given.__index__()
        if abs(number) > _LARGEST:  # too long to be written into an error
            allowed += "" if high else f", with fewer than {_MOST_DIGITS} digits"
            raise RequestError(f"{argument}: got a number of more than {_MOST_DIGITS} digits; allowed: {allowed}")
    if number is None or number < low or (high is not None and number > high):
        raise wrong(argument, given, allowed)
    return number
