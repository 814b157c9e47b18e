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
    return RequestError(f"{argument}: got {given!r}; allowed: {allowed}")


def whole_number(argument: str, given: object, low: int, high: int | None = None) -> int:
    """Return ``given`` as an integer within bounds, or refuse it.

    Parameters
    ----------
    argument : str
        The name that the user knows it by.
    given : object
        A Python or numpy integer, or the text of one.
    low, high : int
        The smallest and, if there is one, the largest value allowed.

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
    """
    allowed = f"a whole number, at least {low}" if high is None else f"{low} to {high}"
    number: int | None = None
    if isinstance(given, str):
        text = given.strip()
        # int() would also take "1_000" and digits of other scripts.
        if text.isascii() and text.removeprefix("-").isdigit() and len(text) < _MOST_DIGITS:
            number = int(text)
    elif not isinstance(given, bool) and hasattr(given, "__index__"):
        number = given.__index__()
    if number is None or number < low or (high is not None and number > high):
        raise wrong(argument, given, allowed)
    return number
