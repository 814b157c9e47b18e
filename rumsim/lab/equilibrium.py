"""A knock schedule that no other answers better when everybody has it: a symmetric equilibrium among schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.errors import whole_number
from rumsim.lab.calm import Confirmed, as_written, confirm_table, search_table, without_gaps
from rumsim.lab.constants import Mixtures
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.respond import RARE
from rumsim.rules import Rules, parse_rules
from rumsim.runs.interrupt import heard
from rumsim.tasks.kept import APART
from rumsim.tasks.response import Question

BLOCKS = 400_000
SEARCHED = 50_000  # blocks of the search: what it finds is flat, what it claims is confirmed on all
CALM = 0.05  # points a deal that an answer to an equilibrium may gain
CLASS = f"knock schedules by seat and own turn ({APART} own turns, the last for all later ones)"


def is_equilibrium(gain_upper: float | None) -> bool | None:
    """Judge whether what everybody has may be called an equilibrium: the one place where that is decided.

    Parameters
    ----------
    gain_upper : float or None
        The 95 % bound on what any answer of the class gains, in points a deal.

    Returns
    -------
    bool or None
        None where there is no bound.

    Examples
    --------
    >>> is_equilibrium(0.012), is_equilibrium(1.4), is_equilibrium(None)
    (True, False, None)
    """
    return None if gain_upper is None else gain_upper <= CALM


@dataclass(frozen=True)
class Equilibrium:
    """The result of ``equilibrium``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    bot : str
        How everybody draws and discards.
    search_seed, confirm_seed, blocks : int
        The decks it was found on, those it was confirmed on, and how many of the latter.
    bound_blocks : int
        On how many of these the bound rests: as many as have room for their own turns.
    thresholds : tuple of tuple of int or None
        By seat and own turn; -1 for never, None where under 1 % of blocks reach the turn.
    constant : int
        The best answer among constants, which a seat without any threshold takes.
    reached : tuple of tuple of float
        The share of blocks that reach each turn.
    searched_gain : float
        Points a deal that a best answer to it gains on the decks of the search: too high, as it was fitted to them.
    gain, gain_error : float or None
        What that answer gains on other decks, and its standard error.
    gain_upper : float or None
        Its exploitability over knock schedules: a bound, with 95 % for all of them at once, on what any knock schedule
        by seat and own turn gains, drawing and discarding fixed; from other decks.
    seats : tuple of (float, float)
        Points a deal by seat, and their standard errors.
    first_round, turns, undercuts : float or None
        The share of deals that end before anyone has a second turn; table turns a deal, in the mean; and the share of
        deals in which the knocker is undercut.
    constants : Mixtures
        The equilibrium among constant thresholds.
    starts : tuple of (int or str, str, float)
        For each start of the search, the first three thresholds of each seat that it came to, and what a best answer
        to them gains on its decks.
    interrupted : bool
        Whether Ctrl-C ended it: estimates are those of the blocks finished, or None.
    """

    rules: Rules
    players: int
    bot: str
    search_seed: int
    confirm_seed: int
    blocks: int
    bound_blocks: int
    thresholds: tuple[tuple[int | None, ...], ...]
    constant: int
    reached: tuple[tuple[float, ...], ...]
    searched_gain: float
    gain: float | None
    gain_error: float | None
    gain_upper: float | None
    seats: tuple[tuple[float | None, float | None], ...]
    first_round: float | None
    turns: float | None
    undercuts: float | None
    constants: Mixtures
    starts: tuple[tuple[int | str, str, float], ...]
    interrupted: bool = False

    @property
    def is_equilibrium(self) -> bool | None:
        """Whether it may be called one, see :func:`is_equilibrium`."""
        return is_equilibrium(self.gain_upper)

    def first_threshold(self, seat: int) -> int:
        """Return the threshold of a seat's first turn, as its bot has it; -1 for never."""
        return without_gaps(self.thresholds[seat], self.constant)[0]

    def knock(self) -> str:
        """Return the schedule as a bot's ``knock``: a turn without a threshold takes the one before it."""
        return "+".join(_text(without_gaps(seat, self.constant)) for seat in self.thresholds)

    def finished(self) -> str:
        """Say in words how far it came."""
        return f"confirmed on {self.blocks:,} blocks" if self.blocks else "not confirmed"

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim equilibrium --json`` prints."""
        return {
            "rules": self.rules.as_json(),
            "players": self.players,
            "draw": self.bot.partition(",")[0].removeprefix("draw="),
            "bot": f"knock={self.knock()},{self.bot}",
            "thresholds": [["never" if one == -1 else one for one in seat] for seat in self.thresholds],
            "reached": [list(seat) for seat in self.reached],
            "searched_gain": self.searched_gain,
            "gain": self.gain,
            "gain_se": self.gain_error,
            "gain_upper": self.gain_upper,
            "class": CLASS,
            "is_equilibrium": self.is_equilibrium,
            "bound_blocks": self.bound_blocks,
            "seats": [{"seat": seat, "ev": ev, "ev_se": error} for seat, (ev, error) in enumerate(self.seats)],
            "constant": self.constant,
            "first_round": self.first_round,
            "turns": self.turns,
            "undercuts": self.undercuts,
            "constants": {
                "mixture": [{"threshold": one, "weight": float(weight)} for one, weight in self.constants.weights],
                "bot": self.constants.bot(self.bot),
                "gain": self.constants.gain,
                "gain_se": self.constants.gain_error,
                "gain_upper": self.constants.gain_upper,
            },
            "starts": [{"start": start, "knock": knock, "gain": gain} for start, knock, gain in self.starts],
            "blocks": self.blocks,
            "search_seed": self.search_seed,
            "confirm_seed": self.confirm_seed,
            **({"interrupted": True} if self.interrupted else {}),
        }

    def toml(self) -> str:
        """Return a bot file that every command accepts as ``@FILE``."""
        keys = dict(word.split("=", 1) for word in self.bot.split(","))
        lines = [f'knock = "{self.knock()}"', *(f'{name} = "{value}"' for name, value in keys.items())]
        bound = "not confirmed"
        if self.gain_upper is not None:
            upper = f"{max(self.gain_upper, 0.0):.3f} points a deal (95 %)"
            bound = f"on seed {self.confirm_seed} no knock schedule gains more than {upper}"
        what = "Symmetric equilibrium" if self.is_equilibrium else "Calmest schedule found, no equilibrium,"
        head = (
            f"# {what} among knock schedules, {self.players} players, rules {self.rules}.",
            f"# Found on seed {self.search_seed}; {bound}.",
        )
        return "\n".join([*head, *lines]) + "\n"

    def table(self) -> str:
        """Return what ``rumsim equilibrium`` prints."""
        from rumsim.lab.tables import columns, folded

        head = (
            f"{self.players} players, rules {self.rules}; everybody {self.bot}",
            f"found on seed {self.search_seed}, "
            + (
                f"confirmed on {self.blocks:,} blocks of seed {self.confirm_seed}"
                if self.gain_upper is not None
                else "not confirmed: interrupted"
            ),
            "",
            self._what(),
        )
        rows = [["seat", "points a deal", "s.e.", *(f"turn {turn + 1}" for turn in range(self._turns()))]]
        for seat, thresholds in enumerate(self.thresholds):
            ev, error = self.seats[seat] if self.seats else (None, None)
            cells = [_cell(one, share) for one, share in zip(thresholds, self.reached[seat], strict=True)]
            shown = (cells + ["-"] * self._turns())[: self._turns()]
            rows.append([str(seat), _number(ev, "+.3f"), _number(error, ".3f"), *shown])
        gains = (
            f"A best answer gains {self.searched_gain:.3f} points a deal on the decks it was fitted to.",
            *self._confirmed(),
        )
        ends = [["start", "gain on its decks", "knock"]]
        ends += [
            [str(start), f"{round(gain, 3) + 0.0:.3f}", knock if len(knock) < 50 else knock[:47] + "..."]
            for start, knock, gain in self.starts
        ]
        return "\n".join(
            [
                *(line for text in head for line in (folded(text) or [""])),
                "",
                columns(rows, left=0),
                "(threshold, and the share of blocks that reach the turn)",
                "",
                *(line for text in gains for line in folded(text)),
                "",
                columns(ends, left=0),
                "",
                *folded(f"As a bot: knock={self.knock()}"),
            ]
        )

    def _what(self) -> str:
        """Say what the schedule is, as far as its bound allows."""
        if self.is_equilibrium is None:
            return "The calmest schedule that was found; not confirmed, so it is not known how calm."
        if self.is_equilibrium:
            return (
                "A schedule to which, when all have it, no other knock schedule by seat and own turn is a better "
                f"answer by more than {CALM} points a deal: an equilibrium among those, drawing and discarding fixed. "
                "It is not the equilibrium of Knock Rummy."
            )
        return (
            "No equilibrium was found: the calmest schedule, when all have it, with drawing and discarding fixed. "
            f"Others may gain more than {CALM} points a deal against it."
        )

    def _confirmed(self) -> list[str]:
        """Return what is known from other decks."""
        if self.gain is None or self.gain_error is None or self.gain_upper is None:
            return []
        assert self.turns is not None and self.first_round is not None and self.undercuts is not None
        on = "" if self.bound_blocks == self.blocks else f" (from {self.bound_blocks:,} of these blocks)"
        said = [
            f"On other decks it gains {round(self.gain, 3) + 0.0:.3f} (s.e. {self.gain_error:.3f}), and with 95 % no "
            f"knock schedule by seat and own turn gains more than {max(self.gain_upper, 0.0):.3f}{on}.",
            f"A deal lasts {self.turns:.2f} table turns; {self.first_round:.1%} end before anyone has a second turn, "
            f"and in {self.undercuts:.1%} the knocker is undercut.",
        ]
        if self.constants.weights and self.constants.gain_upper is not None:
            pure = self.constants.pure() is not None
            each = "all knock at" if pure else "each draws a threshold anew in every deal, from"
            said.append(
                f"Among constants alone: {each} {self.constants.text()}. With 95 % no constant gains more than "
                f"{max(self.constants.gain_upper, 0.0):.3f} against that."
            )
        return said

    def _turns(self) -> int:
        return min(4, max(map(len, self.thresholds)))


def equilibrium(
    players: int,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
    progress: bool = False,
) -> Equilibrium:
    """Find a symmetric equilibrium among knock schedules by seat and own turn, with a bound on what others gain.

    Parameters
    ----------
    players : int
        2 to 5.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks to confirm on; the search uses as many of its own, up to 50,000.
    seed, confirm_seed : int
        The decks for the search and, the next seed if not given, for the confirmation.
    bot : str
        The keys with which everybody draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    Equilibrium
        Thresholds, what answers to them gain, and what each seat earns.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    Best answers from traces, seat by seat, each seat moving part of the way to its own, from several starts.  Equal
    bots earn exactly 0 in a block, so what an answer earns is its gain.

    *The bound.*  On decks that chose nothing of the schedule, the best answer of all, whichever that is, gains in the
    mean at most what the best answer *on those decks* does.  So that mean plus 1.645 standard errors is a 95 % bound
    for all knock schedules at once, without a price for their number.  The maximum is searched for as
    :func:`rumsim.tasks.bound.most` says; the standard error of the unknown best answer is taken as the largest of
    three: that of the maximum, of the search's answer, and of the near-best answer that is least sure.

    Ctrl-C ends it early: the result then holds what was found on the blocks finished, and says so; before the first
    block it is passed on.

    Examples
    --------
    >>> found = equilibrium(3, blocks=3000, seed=1)
    >>> 35 < found.thresholds[0][0] < 55
    True
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 2, min(LAST_BLOCK, 10_000_000))
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    question = Question(known, players, studied, Mixture((Fraction(1),), (studied,)))

    with heard() as ctrl_c:
        searched = search_table(question, seed, min(blocks, SEARCHED), jobs, progress, ctrl_c)
        reached = searched.reached
        thresholds = tuple(
            tuple(int(one) if share >= RARE else None for one, share in zip(seat, shares, strict=False))
            for seat, shares in zip(searched.knock, reached, strict=True)
        )
        knock = as_written(thresholds, searched.constant)  # what is confirmed is what is printed
        found = Confirmed(blocks=0)
        if not searched.interrupted:
            found = confirm_table(question, searched, knock, confirm, blocks, jobs, progress, ctrl_c)
    return Equilibrium(
        rules=known,
        players=players,
        bot=str(studied).partition(",")[2],
        search_seed=seed,
        confirm_seed=confirm,
        blocks=found.blocks,
        bound_blocks=found.bound_blocks,
        thresholds=thresholds,
        constant=searched.constant,
        reached=reached,
        searched_gain=searched.gain,
        gain=found.gain,
        gain_error=found.error,
        gain_upper=found.upper,
        seats=found.seats,
        first_round=found.first_round,
        turns=found.turns,
        undercuts=found.undercuts,
        constants=Mixtures(searched.mixed, found.mixed_gain, found.mixed_error, found.mixed_upper),
        starts=tuple(
            (end.start, "+".join(_text(list(seat[:3])) for seat in end.knock), end.gain) for end in searched.ends
        ),
        interrupted=searched.interrupted or found.blocks < blocks or found.upper is None,
    )


def _text(seat: Sequence[int]) -> str:
    return "/".join("never" if one < 0 else str(one) for one in seat)


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value + 0.0, form)


def _cell(threshold: int | None, share: float) -> str:
    shown = "-" if threshold is None else "never" if threshold < 0 else str(threshold)
    return f"{shown} ({share:.0%})"
