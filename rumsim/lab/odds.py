"""What the opponents hold on one's own turn, and with which count one is the lowest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rumsim.bots.mixture import Mixture
from rumsim.decks import LAST_BLOCK
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.odds_turns import Check, Spread, Turn, compared, mean_lowest, number, turns_of_seat, turns_together
from rumsim.lab.respond import BLOCKS as BLOCKS
from rumsim.lab.respond import RARE
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard
from rumsim.runs.progress import Progress
from rumsim.stats.sequential import anytime_margin
from rumsim.tasks.odds import CHUNK, MOST_OWN_TURNS, CountOdds, OddsSums
from rumsim.tasks.response import Question

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_TURNS_SHOWN, _ROWS_SHOWN = 10, 20  # own turns beside each other in 80 columns, and below each other
_COUNTS_SHOWN = range(0, 51, 5)


@dataclass(frozen=True)
class Odds:
    """The result of ``odds``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    opponents, bot : str
        All others, and how the studied player draws and discards.
    blocks, seed : int
        The decks that were played; on each the studied player sits once in every seat.
    turns : tuple of Turn
        Over all seats, as far as 1 % of deals reach them, at most 250.
    by_seat : tuple of tuple of Turn
        The same for each seat.
    check : Check or None
        The comparison with other decks, if one was asked for and came to its end.
    interrupted : bool
        Whether Ctrl-C ended it before all decks were played.
    """

    rules: Rules
    players: int
    opponents: str
    bot: str
    blocks: int
    seed: int
    turns: tuple[Turn, ...]
    by_seat: tuple[tuple[Turn, ...], ...]
    check: Check | None = None
    interrupted: bool = False

    def of(self, seat: int | None = None) -> tuple[Turn, ...]:
        """Return the own turns of a seat, or over all seats.

        Raises
        ------
        RequestError
            For a seat that is not at the table.
        """
        return self.turns if seat is None else self.by_seat[read_seat(seat, self.players)]

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim odds --json`` prints."""
        check = self.check
        other = {"confirm_seed": check.confirm_seed} if check else {}
        differs = {"confirmed": check.as_json()} if check else {}
        return {
            "rules": self.rules.as_json(),
            "players": self.players,
            "opponents": self.opponents,
            "bot": self.bot,
            "blocks": self.blocks,
            "seed": self.seed,
            **other,
            "turns": [turn.as_json() for turn in self.turns],
            "seats": [[turn.as_json() for turn in turns] for turns in self.by_seat],
            **differs,
            **({"interrupted": True} if self.interrupted else {}),
        }

    def table(self, seat: int | None = None) -> str:
        """Return what ``rumsim odds`` prints."""
        from rumsim.lab.tables import columns, folded

        turns = self.of(seat)
        lines = [line for text in self._head(seat) for line in folded(text)]
        if not self.blocks:
            return "\n".join([*lines, "", "Interrupted before anything was counted."])
        if not turns:
            return "\n".join([*lines, "", f"No own turn is reached in {RARE:.0%} of the deals."])
        listed, shown = turns[:_ROWS_SHOWN], turns[:_TURNS_SHOWN]
        several = self.players > 2  # else the only opponent is the lowest
        spread = ("median", "middle half")
        spreads = [["own turn", "reached", "opponent", *spread, *(("lowest", *spread) if several else ())]]
        for turn in listed:
            lowest = _row(turn.lowest) if several else []
            spreads.append([str(turn.own_turn), f"{number(turn.reached):.1%}", *_row(turn.opponent), *lowest])
        chances = [["count", *(str(turn.own_turn) for turn in shown)]]
        for count in _COUNTS_SHOWN:
            chances.append([str(count), *(f"{100 * number(turn.chances[count].below):.1f}" for turn in shown)])
        whose = "one of them and of the lowest" if several else "the other"
        reading = (
            f"What opponents hold on an own turn, when nobody has knocked: the mean count of {whose}, in points; "
            "before a first turn, as dealt. Half of the counts are in the middle half."
        )
        said = "Chance in % that a count is below those of all opponents, by own turn" + self._errors(shown)
        text = [*lines, "", *folded(reading), "", columns(spreads, left=0), "", *folded(said), columns(chances, left=0)]
        if len(turns) > len(shown):
            text += ["", f"Own turns up to {turns[-1].own_turn}, and the chances of ties: with --json."]
        if len(turns) == MOST_OWN_TURNS:
            text += [f"Later own turns than {MOST_OWN_TURNS} are not counted."]
        if self.check:
            text += ["", *folded(self._confirmed(self.check))]
        return "\n".join(text)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each own turn and count, over all seats: see :meth:`frame_of`."""
        return self.frame_of()

    def frame_of(self, seat: int | None = None) -> pd.DataFrame:
        """Return a row for each ``own_turn`` and ``count``: the chances ``below`` and ``tied``, with ``below_se`` and
        ``tied_se``, and ``blocks``.
        """  # noqa: D205
        import pandas as pd

        rows = [
            {
                "own_turn": turn.own_turn,
                "count": chance.count,
                "below": chance.below.mean,
                "below_se": chance.below.error,
                "tied": chance.tied.mean,
                "tied_se": chance.tied.error,
                "blocks": self.blocks,
            }
            for turn in self.of(seat)
            for chance in turn.chances
        ]
        names = ("own_turn", "count", "below", "below_se", "tied", "tied_se", "blocks")
        return pd.DataFrame(rows, columns=list(names))

    def plot(self, seat: int | None = None) -> Figure:
        """Draw the chance that a count is the lowest, a line an own turn.

        Raises
        ------
        RequestError
            For a seat of which no own turn is reached in 1 % of the deals.
        """
        from rumsim.charts.odds import chance_lowest

        if not self.of(seat):
            raise wrong("seat", seat, f"for a chart, one of which {RARE:.0%} of the deals reach an own turn")
        said = " ".join(f"{line[0].upper()}{line[1:]}." for line in self._head(seat))
        return chance_lowest(self.frame_of(seat), said)

    def _head(self, seat: int | None) -> tuple[str, ...]:
        """Return the conditions, a sentence each."""
        where = "in every seat once" if seat is None else f"in seat {seat}"
        return (
            f"{self.players} players, rules {self.rules}",
            f"opponents {self.opponents}",
            f"the studied player: {self.bot}; never knocks before",
            f"{self.blocks:,} blocks of seed {self.seed}, the studied player {where}",
        )

    def _errors(self, shown: Sequence[Turn]) -> str:
        """Say how sure the chances are that the table shows."""
        errors = [turn.chances[count].below.error for turn in shown for count in _COUNTS_SHOWN]
        known = [error for error in errors if error is not None]
        return f" (standard errors at most {100 * max(known):.1f}):" if known else " (no standard errors of one block):"

    def _confirmed(self, check: Check) -> str:
        points = "1 point" if check.quantiles == 1 else f"{check.quantiles} points"
        return (
            f"On as many blocks of seed {check.confirm_seed}, over all seats: quantiles differ by at most {points}, "
            f"chances by at most {100 * check.chances:.1f} percentage points (most on own turn {check.own_turn})."
        )


def odds(
    players: int,
    opponents: str,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
    progress: bool = False,
) -> Odds:
    """Count what the opponents hold on each own turn, and how likely each own count is the lowest then.

    Parameters
    ----------
    players : int
        2 to 5.
    opponents : str
        The bot of all others, or a mixture ``0.5*BOT+0.5*BOT`` from which each draws its bot anew in every deal.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks; on each the studied player sits once in every seat.
    seed, confirm_seed : int
        The decks, and, if given, others on which all is counted again: nothing is selected here, so that only says how
        far two such tables are from each other.
    bot : str
        The keys with which the studied player draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    Odds
        By own turn, over all seats and for each.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    Notes
    -----
    The own turn of a deal counts if no opponent has knocked before it; the studied player has not.  Counts of
    opponents are those with which a knock on that turn would be compared: after their last turn, or as dealt.

    The chances are those over all own hands: what one's own cards and the discards tell about the others is left out,
    for that see :func:`rumsim.advise`.  A knock with 0 is rum, and wins also where it is tied.

    Ctrl-C ends it early; the result then holds the blocks finished, and says so.

    Errors are those of ratios over blocks, as blocks differ in how many of their deals reach a turn.

    Examples
    --------
    >>> found = odds(3, "knock=10", blocks=2000, seed=1)
    >>> third = found.turns[2]
    >>> third.own_turn, third.chances[10].below.mean > third.chances[30].below.mean
    (3, True)
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    others = Mixture.parse(opponents)
    others.check(players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 1, min(LAST_BLOCK, 10_000_000))
    seed = whole_number("seed", seed, 0)
    confirm = None if confirm_seed is None else read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)
    question = Question(known, players, studied, others)

    task = CountOdds(question, seed)
    confirmation = None if confirm is None else CountOdds(question, confirm)
    check = None
    with heard(), Progress(blocks * players * (1 if confirm is None else 2), quiet=not progress) as bar:
        sums, interrupted = execute(task, blocks, jobs, CHUNK, progress=_shown(bar, players, 0))
        turns = turns_together(sums, players)
        if confirmation is not None and not interrupted:
            show = _shown(bar, players, blocks)
            elsewhere, interrupted = execute(confirmation, blocks, jobs, CHUNK, progress=show)
            if not interrupted:
                check = compared(confirmation.seed, turns, turns_together(elsewhere, players))
        return Odds(
            rules=known,
            players=players,
            opponents=str(question.opponents),
            bot=str(studied).partition(",")[2],
            blocks=sums.blocks,
            seed=seed,
            turns=turns,
            by_seat=tuple(turns_of_seat(sums, seat, players) for seat in range(players)),
            check=check,
            interrupted=interrupted,
        )


def _shown(bar: Progress, players: int, before: int) -> Callable[[OddsSums, int], None]:
    """Return what shows the sums so far: what the lowest opponent holds at first, with an interval to look at any time.

    Deals of ``before`` blocks were played already.
    """

    def show(sums: OddsSums, planned: int) -> None:
        def note() -> str:
            found = mean_lowest(sums)
            margin = anytime_margin((found.error or 0.0) * sums.blocks**0.5, sums.blocks, planned)
            if found.mean is None or margin is None:
                return ""
            return f"lowest opponent on turn 1 {found.mean:.2f} ± {margin:.2f} points"

        bar.update((before + sums.blocks) * players, note)

    return show


def read_seat(given: int | str, players: int) -> int:
    """Return the seat of the studied player.

    Raises
    ------
    RequestError
        For one that is not at the table.

    Examples
    --------
    >>> read_seat("2", 3)
    2
    """
    try:
        return whole_number("seat", given, 0, players - 1)
    except RequestError:
        raise wrong("seat", given, f"0 to {players - 1} with {players} players") from None


def _row(spread: Spread) -> list[str]:
    _, low, median, high, _ = spread.quantiles
    return [f"{number(spread.mean):.1f}", str(median), f"{low} to {high}"]
