"""Refusals in the user's words: which argument, what was given, what is allowed."""

from __future__ import annotations

_MOST_DIGITS = 1000  # int() refuses several thousand


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
        super().__init__("\n".join(lines))
        self.lines = lines


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
    return RequestError(f"{argument}: got {given!r}; allowed: {allowed}")


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
