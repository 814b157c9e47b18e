"""The authors' dial: what an answer or an equilibrium becomes when one number in the rules is turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.equilibrium import Equilibrium, equilibrium
from rumsim.lab.respond import Response, respond
from rumsim.rules import Rules, parse_rules

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FIELDS = ("undercut", "rum_bonus", "knock_limit", "hand_size")
MOST_VALUES = 200
CALM = 0.05  # points a deal that an answer to an equilibrium may gain
_FORM = (
    f"FIELD=LO:HI:STEP with a FIELD out of {', '.join(FIELDS)}, LO <= HI and a STEP from 1 that reaches HI, "
    "such as undercut=0:60:10"
)

Result = TypeVar("Result", bound=Response | Equilibrium)


class Dial(NamedTuple):
    """A field of the rules, the values it takes, and the rules with each."""

    field: str
    values: tuple[int, ...]
    rules: tuple[Rules, ...]


def read_vary(given: str, rules: Rules, players: int) -> Dial:
    """Read ``FIELD=LO:HI:STEP``.

    Raises
    ------
    RequestError
        If it is none, or the rules do not allow a value to that many players.

    Examples
    --------
    >>> read_vary("undercut=0:60:20", Rules(), 2).values
    (0, 20, 40, 60)
    """
    field, sign, reach = given.partition("=") if isinstance(given, str) else ("", "", "")
    if not sign or field.strip() not in FIELDS:
        raise wrong("vary", given, _FORM)
    try:
        low, high, step = (whole_number("vary", word, 0) for word in reach.split(":"))
    except ValueError:  # a RequestError is one
        raise wrong("vary", given, _FORM) from None
    if high < low or step < 1 or (high - low) % step:
        raise wrong("vary", given, _FORM)
    if (high - low) // step >= MOST_VALUES:
        raise wrong("vary", given, f"up to {MOST_VALUES} values")
    field, values = field.strip(), tuple(range(low, high + 1, step))
    try:
        made = tuple(replace(rules, **{field: value}) for value in values)  # type: ignore[arg-type]
        for one in made:
            one.size_for(players)
    except RequestError as error:
        raise RequestError(*(f"vary: {line}" for line in error.lines)) from None
    return Dial(field, values, made)


@dataclass(frozen=True)
class Varied(Generic[Result]):
    """A result for each value of a field.

    Attributes
    ----------
    field : str
        Of the rules.
    rules : Rules
        All others of their fields hold for all.
    values : tuple of int
        Of the field.
    results : tuple
        As many.
    """

    field: str
    rules: Rules
    values: tuple[int, ...]
    results: tuple[Result, ...]

    def as_json(self) -> dict[str, object]:
        """Return what ``--vary`` prints with ``--json``."""
        written = [
            {"value": value, **result.as_json()} for value, result in zip(self.values, self.results, strict=True)
        ]
        return {"vary": self.field, "values": written}

    def _head(self) -> str:
        first = self.results[0]
        return (
            f"{first.players} players, rules {self.rules} but for {self.field}; found on seed {first.search_seed}, "
            f"confirmed on {first.blocks:,} blocks of seed {first.confirm_seed}"
        )

    def _table(self, said: Sequence[str], head: Sequence[str], row: Callable[[Result], list[str]]) -> str:
        from rumsim.lab.tables import columns, folded

        rows = [[self.field, *head]]
        for value, result in zip(self.values, self.results, strict=True):
            rows.append([str(value), *row(result)])
        lines = [line for text in said for line in folded(text)]
        return "\n".join([*lines, "", columns(rows, left=0)])

    def _frame(self, rows: Callable[[Result], list[dict[str, Any]]]) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(
            [
                {"players": one.players, "field": self.field, "value": value, **row}
                for value, one in zip(self.values, self.results, strict=True)
                for row in rows(one)
            ]
        )


class VariedResponse(Varied[Response]):
    """The best knock for each value of a field."""

    @property
    def frame(self) -> pd.DataFrame:
        """A row a value: ``players``, ``field``, ``value``, the best constant ``threshold``, ``low`` and ``high``, what
        it earns (``ev``, ``ev_se``), and what the best schedule earns (``schedule_ev``, ``schedule_ev_se``).
        """  # noqa: D205
        return self._frame(
            lambda one: [
                {
                    "threshold": one.constant,
                    "low": one.within[0],
                    "high": one.within[1],
                    "ev": one.constant_points.mean,
                    "ev_se": one.constant_points.error,
                    "schedule_ev": one.points.mean,
                    "schedule_ev_se": one.points.error,
                    "blocks": one.blocks,
                }
            ]
        )

    def table(self) -> str:
        """Return what ``rumsim respond --vary`` prints."""
        first = self.results[0]

        def row(one: Response) -> list[str]:
            low, high = one.within
            earned, more = one.constant_points, one.points
            return [
                str(one.constant),
                f"{low} to {high}",
                *(_signed(earned.mean), _plain(earned.error), _signed(more.mean), _plain(more.error)),
            ]

        said = (self._head(), f"opponents {first.opponents}", f"the studied player: {first.bot}")
        return self._table(said, ["constant", "within 0.02", "points", "s.e.", "by turn", "s.e."], row)

    def plot(self) -> Figure:
        """Draw best constant and gain against the field."""
        from rumsim.charts.dial import response_dial

        first = self.results[0]
        return response_dial(
            self.frame, f"{self._head()}.\nOpponents {first.opponents}; the studied player: {first.bot}."
        )


class VariedEquilibrium(Varied[Equilibrium]):
    """The equilibrium for each value of a field."""

    @property
    def frame(self) -> pd.DataFrame:
        """A row a value and seat: ``players``, ``field``, ``value``, ``seat``; ``threshold`` on the first own turn;
        ``turns`` a deal; ``undercuts`` and ``first_round``, shares of deals; points a deal of the seat, ``ev`` and
        ``ev_se``; ``constant``, the calmest constant (mean of the mixture); ``gain_upper``.
        """  # noqa: D205
        return self._frame(
            lambda one: [
                {
                    "seat": seat,
                    "threshold": one.first_threshold(seat),
                    "turns": one.turns,
                    "undercuts": one.undercuts,
                    "first_round": one.first_round,
                    "ev": ev,
                    "ev_se": error,
                    "constant": one.constants.mean(),
                    "gain_upper": one.gain_upper,
                    "blocks": one.blocks,
                }
                for seat, (ev, error) in enumerate(one.seats)
            ]
        )

    def table(self) -> str:
        """Return what ``rumsim equilibrium --vary`` prints."""
        first = self.results[0]

        def row(one: Equilibrium) -> list[str]:
            firsts = [one.first_threshold(seat) for seat in range(one.players)]
            return [
                " ".join("never" if threshold < 0 else str(threshold) for threshold in firsts),
                f"{one.turns:.2f}",
                f"{one.undercuts:.1%}",
                f"{one.seats[0][0]:+.3f}",
                f"{one.seats[0][1]:.3f}",
                f"{max(one.gain_upper, 0):.3f}",
                f"{one.constants.mean():.0f}",
            ]

        said = (
            self._head(),
            f"everybody {first.bot}",
            "Knock at: on the first own turn, by seat. Seat 0: its points a deal. Gain: what an answer gains at most, "
            "with 95 %. Const: the equilibrium among constants, the mean of its mixture.",
        )
        head = ["knock at", "turns", "undercut", "seat 0", "s.e.", "gain <=", "const"]
        text = self._table(said, head, row)
        if all(one.gain_upper <= CALM for one in self.results):
            return text
        from rumsim.lab.tables import folded

        note = f"Where the bound on the gain is above {CALM}, no schedule was found that is an equilibrium."
        return "\n".join([text, "", *folded(note)])

    def plot(self) -> Figure:
        """Draw thresholds, lengths, undercuts and the first seat's points against the field."""
        from rumsim.charts.dial import equilibrium_dial

        return equilibrium_dial(self.frame, f"{self._head()}.\nEverybody {self.results[0].bot}.")


def vary_respond(
    vary: str, players: int, opponents: str, rules: object = "ledger", **options: object
) -> VariedResponse:
    """Find the best knock against given opponents for each value of a number in the rules.

    Parameters
    ----------
    vary : str
        ``FIELD=LO:HI:STEP``, the field ``undercut``, ``rum_bonus``, ``knock_limit`` or ``hand_size``.
    players, opponents, rules, **options
        As for :func:`rumsim.respond`.

    Returns
    -------
    VariedResponse
        A response a value.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Examples
    --------
    >>> found = vary_respond("undercut=0:20:20", 2, "knock=10", blocks=1000)
    >>> found.values, len(found.results)
    ((0, 20), 2)
    """
    dial = read_vary(vary, parse_rules(rules), whole_number("players", players, 2, 5))  # type: ignore[arg-type]
    results = tuple(respond(players, opponents, one, **options) for one in dial.rules)  # type: ignore[arg-type]
    return VariedResponse(dial.field, parse_rules(rules), dial.values, results)  # type: ignore[arg-type]


def vary_equilibrium(vary: str, players: int, rules: object = "ledger", **options: object) -> VariedEquilibrium:
    """Find the equilibrium among knock schedules for each value of a number in the rules.

    Parameters
    ----------
    vary : str
        ``FIELD=LO:HI:STEP``, the field ``undercut``, ``rum_bonus``, ``knock_limit`` or ``hand_size``.
    players, rules, **options
        As for :func:`rumsim.equilibrium`.

    Returns
    -------
    VariedEquilibrium
        An equilibrium a value.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Examples
    --------
    >>> found = vary_equilibrium("undercut=0:60:60", 3, blocks=1000)
    >>> found.frame["value"].unique().tolist()
    [0, 60]
    """
    dial = read_vary(vary, parse_rules(rules), whole_number("players", players, 2, 5))  # type: ignore[arg-type]
    results = tuple(equilibrium(players, one, **options) for one in dial.rules)  # type: ignore[arg-type]
    return VariedEquilibrium(dial.field, parse_rules(rules), dial.values, results)  # type: ignore[arg-type]


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:+.3f}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
