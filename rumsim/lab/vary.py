"""The authors' dial: what an answer or an equilibrium becomes when one number in the rules is turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.equilibrium import CALM as CALM
from rumsim.lab.equilibrium import Equilibrium, equilibrium
from rumsim.lab.respond import Response, respond
from rumsim.rules import Rules, parse_rules
from rumsim.runs.interrupt import heard

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FIELDS = ("undercut", "rum_bonus", "knock_limit", "hand_size")
MOST_VALUES = 200
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
    asked : int
        How many values were asked for; more where Ctrl-C ended it.
    """

    field: str
    rules: Rules
    values: tuple[int, ...]
    results: tuple[Result, ...]
    asked: int

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it before the last value."""
        return len(self.values) < self.asked

    def finished(self) -> str:
        """Say in words how far it came."""
        return f"{len(self.values)} of {self.asked} values were finished"

    def as_json(self) -> dict[str, object]:
        """Return what ``--vary`` prints with ``--json``."""
        written = [
            {"value": value, **result.as_json()} for value, result in zip(self.values, self.results, strict=True)
        ]
        return {"vary": self.field, "values": written, **({"interrupted": True} if self.interrupted else {})}

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
        """A row a value: ``players``, ``field``, ``value``, the best constant ``threshold``, ``low`` and ``high``,
        ``set`` (the constants not beaten, with blanks), what it earns (``ev``, ``ev_se``), and what the best schedule
        earns (``schedule_ev``, ``schedule_ev_se``).
        """  # noqa: D205
        return self._frame(
            lambda one: [
                {
                    "threshold": one.constant,
                    "low": one.within[0],
                    "high": one.within[1],
                    "set": " ".join(map(str, one.not_beaten)),
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
        ``ev_se``; the equilibrium among constants, ``constant`` if it is one threshold, else NaN, and ``mixture``,
        ``LOW-HIGH:WEIGHT`` a range of it; ``gain_upper``, the bound on what a knock schedule gains, and
        ``is_equilibrium``, whether the schedule may be called one.
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
                    "constant": float("nan") if (pure := one.constants.pure()) is None else float(pure),
                    "mixture": " ".join(f"{low}-{high}:{weight:g}" for low, high, weight in one.constants.ranges()),
                    "gain_upper": one.gain_upper,
                    "is_equilibrium": one.is_equilibrium,
                    "blocks": one.blocks,
                }
                for seat, (ev, error) in enumerate(one.seats)
            ]
        )

    def table(self) -> str:
        """Return what ``rumsim equilibrium --vary`` prints."""
        from rumsim.lab.tables import folded

        first = self.results[0]

        def row(one: Equilibrium) -> list[str]:
            assert one.turns is not None and one.undercuts is not None and one.gain_upper is not None
            firsts = [one.first_threshold(seat) for seat in range(one.players)]
            ev, error = one.seats[0]
            return [
                " ".join("never" if threshold < 0 else str(threshold) for threshold in firsts),
                f"{one.turns:.2f}",
                f"{one.undercuts:.1%}",
                _signed(ev),
                _plain(error),
                f"{max(one.gain_upper, 0):.3f}",
                "yes" if one.is_equilibrium else "no",
            ]

        said = (
            self._head(),
            f"everybody {first.bot}",
            "Knock at: on the first own turn, by seat. Seat 0: its points a deal. Gain: what any knock schedule by "
            f"seat and own turn gains at most, with 95 %. Equil.: whether that is at most {CALM}, so that the schedule "
            "is an equilibrium among those.",
        )
        head = ["knock at", "turns", "undercut", "seat 0", "s.e.", "gain <=", "equil."]
        constants = "; ".join(
            f"{value}: {one.constants.text()}" for value, one in zip(self.values, self.results, strict=True)
        )
        note = f"Among constants alone, a mixture as thresholds and their chances, by {self.field}: {constants}."
        return "\n".join([self._table(said, head, row), "", *folded(note)])

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
    results = _each(dial, lambda one: respond(players, opponents, one, **options))  # type: ignore[arg-type]
    values = dial.values[: len(results)]
    return VariedResponse(dial.field, parse_rules(rules), values, results, len(dial.values))  # type: ignore[arg-type]


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
    results = _each(dial, lambda one: equilibrium(players, one, **options))  # type: ignore[arg-type]
    values = dial.values[: len(results)]
    return VariedEquilibrium(dial.field, parse_rules(rules), values, results, len(dial.values))  # type: ignore[arg-type]


def _each(dial: Dial, ask: Callable[[Rules], Result]) -> tuple[Result, ...]:
    """Ask for value after value, until Ctrl-C; what was not finished by then is left out."""
    results: list[Result] = []
    with heard():
        for rules in dial.rules:
            try:
                found = ask(rules)
            except KeyboardInterrupt:
                break
            if found.interrupted:
                break
            results.append(found)
    if not results:
        raise KeyboardInterrupt
    return tuple(results)


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:+.3f}"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
