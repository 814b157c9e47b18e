"""When to knock, on one page: the best knock against several sorts of opponents, and at the equilibrium."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rumsim.bots.mixture import Mixture
from rumsim.bots.threshold import ThresholdBot
from rumsim.errors import RequestError, whole_number
from rumsim.lab.calm import without_gaps
from rumsim.lab.equilibrium import SEARCHED, Equilibrium, equilibrium
from rumsim.lab.grid_request import read_confirm_seed, read_keys
from rumsim.lab.respond import BLOCKS as BLOCKS
from rumsim.lab.respond import Ranges, Response, Turn, answered
from rumsim.rules import Rules, parse_rules
from rumsim.runs.interrupt import heard
from rumsim.stats.blocks import Estimate
from rumsim.tasks.response import Question

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

OPPONENTS = ("knock=8", "knock=10", "knock=15", "knock=25")
MOST_OPPONENTS = 4  # and the equilibrium: what a page has room for
EQUILIBRIUM = "equilibrium"  # as opponents: everybody plays the panel itself
_MOST_LETTERS = 300  # of a bot or mixture in full
_TURNS = 8  # of a printed table


class Panel(NamedTuple):
    """What to do against one sort of opponents.

    Attributes
    ----------
    opponents : str
        A bot, a mixture, or ``equilibrium``.
    turns : tuple of Turn
        By seat and own turn; ``low`` and ``high`` lose at most 0.02 points a deal to the threshold shown, against that
        table, if all others stay.
    constant, within : int, (int, int)
        The best threshold that is the same on every turn, and the range around it within 0.02 points a deal.
    constant_points : Estimate
        What it gains, as ``points``.
    points : Estimate
        What the best schedule gains, in points a deal, on the decks of the confirmation: over the opponents' own bot,
        at the equilibrium over the panel itself.
    knock : str
        The panel as a bot's ``knock``.
    gain_upper : float or None
        At the equilibrium, points a deal that no knock schedule by seat and own turn gains more than, with 95 %.
    is_equilibrium : bool or None
        At the equilibrium, whether it may be called one, see :func:`rumsim.lab.equilibrium.is_equilibrium`.
    not_beaten : tuple of int
        Constants that the best one does not beat, with 95 %.
    """

    opponents: str
    turns: tuple[Turn, ...]
    constant: int
    within: tuple[int, int]
    constant_points: Estimate
    points: Estimate
    knock: str
    gain_upper: float | None
    is_equilibrium: bool | None
    not_beaten: tuple[int, ...]

    def of_seat(self, seat: int) -> list[Turn]:
        """Return the turns of one seat."""
        return [turn for turn in self.turns if turn.seat == seat]


@dataclass(frozen=True)
class KnockChart:
    """The result of ``knock_chart``.

    Attributes
    ----------
    rules, players : Rules, int
        The game and the table.
    bot : str
        How the studied player draws and discards; at the equilibrium, everybody.
    search_seed, confirm_seed, blocks : int
        The decks on which the answers were found, those on which they are confirmed, and how many of each.
    panels : tuple of Panel
        For each of the opponents, and last for the equilibrium.
    asked : int
        How many panels were asked for; more where Ctrl-C ended it.
    search_blocks : int
        On how many blocks, the first ones, schedules were found at least.
    """

    rules: Rules
    players: int
    bot: str
    search_seed: int
    confirm_seed: int
    blocks: int
    panels: tuple[Panel, ...]
    asked: int
    search_blocks: int

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it before the last panel."""
        return len(self.panels) < self.asked

    def finished(self) -> str:
        """Say in words how far it came."""
        return f"{len(self.panels)} of {self.asked} panels were finished"

    @property
    def frame(self) -> pd.DataFrame:
        """A row a turn: ``players``, ``opponents``, ``seat``, ``own_turn``, ``threshold`` (-1 for never, NaN where
        under 1 % of blocks reach the turn), ``low`` and ``high`` (within 0.02 points of it), ``reached`` (share of
        blocks).
        """  # noqa: D205
        import pandas as pd

        rows = [
            {
                "players": self.players,
                "opponents": panel.opponents,
                "seat": turn.seat,
                "own_turn": turn.own_turn,
                "threshold": turn.threshold,
                "low": turn.low,
                "high": turn.high,
                "reached": turn.reached,
            }
            for panel in self.panels
            for turn in panel.turns
        ]
        frame = pd.DataFrame(rows)
        numbers = ["threshold", "low", "high", "reached"]
        frame[numbers] = frame[numbers].astype(float)
        return frame

    @property
    def answers(self) -> pd.DataFrame:
        """A row a panel: ``players``, ``opponents``, best ``constant`` with ``low`` and ``high``, the gain in points a
        deal (``constant_ev``, ``constant_ev_se``; that of the panel ``ev``, ``ev_se``, ``ev_low``, ``ev_high``),
        ``gain_upper`` and ``is_equilibrium`` (at the equilibrium, else NaN), ``set`` (the constants not beaten, with
        blanks), ``blocks``.
        """  # noqa: D205
        import pandas as pd

        rows = []
        for panel in self.panels:
            low, high = panel.points.interval or (None, None)
            rows.append(
                {
                    "players": self.players,
                    "opponents": panel.opponents,
                    "constant": panel.constant,
                    "low": panel.within[0],
                    "high": panel.within[1],
                    "constant_ev": panel.constant_points.mean,
                    "constant_ev_se": panel.constant_points.error,
                    "ev": panel.points.mean,
                    "ev_se": panel.points.error,
                    "ev_low": low,
                    "ev_high": high,
                    "gain_upper": panel.gain_upper,
                    "is_equilibrium": panel.is_equilibrium,
                    "set": " ".join(map(str, panel.not_beaten)),
                    "blocks": self.blocks,
                }
            )
        return pd.DataFrame(rows).astype({"gain_upper": float, "is_equilibrium": float})

    def caption(self) -> str:
        """Return rules, bots, blocks and seeds, and what is assumed."""
        cards = self.rules.size_for(self.players)
        fewer = f" (the equilibrium on {SEARCHED:,} of them)" if self.blocks > SEARCHED else ""
        if self.search_blocks < self.blocks:
            fewer += f" (schedules on the first {self.search_blocks:,})"
        part = f" Interrupted: {self.finished()}." if self.interrupted else ""
        return (
            f"Rules: {self.rules}, {self.players} players, {cards} cards each. Found on {self.blocks:,} blocks of seed "
            f"{self.search_seed}{fewer}; gains confirmed on as many of seed "
            f"{self.confirm_seed} (a block: one deck, played with you in every seat; errors are over blocks).\n"
            f"Drawing and discarding are fixed: {self._draws()}. Given that, the numbers are the best among knock "
            "schedules by seat and own turn; the equilibrium is one among such schedules, not that of Knock Rummy."
            f"{part}"
        )

    def _draws(self) -> str:
        """Say how all draw and discard: once, if they do it alike."""
        ways = {_way(panel.opponents) for panel in self.panels if panel.opponents != EQUILIBRIUM}
        if ways == {self.bot}:
            return f"all {self.bot}"
        default = str(ThresholdBot()).partition(",")[2]
        return f"you, and all at the equilibrium, {self.bot}; opponents {default} unless their panel says otherwise"

    def plot(self) -> Figure:
        """Draw the page, A4 landscape."""
        from rumsim.charts.knock_sheet import knock_sheet

        return knock_sheet(self.frame, self.answers, self.caption())

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim chart knock --json`` prints; ``never`` stands for no count at all."""
        return {
            "chart": "knock",
            "rules": self.rules.as_json(),
            "players": self.players,
            "bot": self.bot,
            "panels": [self._panel(panel) for panel in self.panels],
            "blocks": self.blocks,
            "search_seed": self.search_seed,
            "confirm_seed": self.confirm_seed,
            **({"interrupted": True} if self.interrupted else {}),
        }

    def _panel(self, panel: Panel) -> dict[str, object]:
        seats = [panel.of_seat(seat) for seat in range(self.players)]
        return {
            "opponents": panel.opponents,
            "constant": {
                "threshold": panel.constant,
                "within": list(panel.within),
                "set": list(panel.not_beaten),
                "ev": panel.constant_points.mean,
                "ev_se": panel.constant_points.error,
            },
            "schedule": [[_said(turn.threshold) for turn in seat] for seat in seats],
            "flat": [[[_said(turn.low), _said(turn.high)] for turn in seat] for seat in seats],
            "reached": [[turn.reached for turn in seat] for seat in seats],
            "ev": panel.points.mean,
            "ev_se": panel.points.error,
            "ev_ci": [None, None] if panel.points.interval is None else list(panel.points.interval),
            "gain_upper": panel.gain_upper,
            "is_equilibrium": panel.is_equilibrium,
            "knock": panel.knock,
        }

    def table(self) -> str:
        """Return what ``rumsim chart knock`` prints: the panels as text."""
        from rumsim.lab.tables import columns, folded

        lines = [line for text in self.caption().split("\n") for line in folded(text)]
        for panel in self.panels:
            turns = min(_TURNS, max(turn.own_turn for turn in panel.turns))
            rows = [["seat", *(f"turn {turn + 1}" for turn in range(turns))]]
            for seat in range(self.players):
                cells = [_shown(turn.threshold) for turn in panel.of_seat(seat)]
                rows.append([str(seat), *(cells + ["-"] * turns)[:turns]])
            lines += ["", *folded(_sentence(panel)), columns(rows)]
        return "\n".join(lines)


def read_opponents(given: str | Iterable[str] | None, players: int | None) -> tuple[Mixture, ...]:
    """Read the opponents of a page, those that knock at 8, 10, 15 and 25 if none are given.

    Parameters
    ----------
    given : str, sequence of str or None
        Bots or mixtures.
    players : int or None
        How many sit at the table, if known.

    Raises
    ------
    RequestError
        For what is no bot, is there twice or has no room on a page, and for more than four; a line for each problem.

    Examples
    --------
    >>> [str(one).partition(",")[0] for one in read_opponents(None, 3)]
    ['knock=8', 'knock=10', 'knock=15', 'knock=25']
    """
    texts = OPPONENTS if given is None else [given] if isinstance(given, str) else list(given)
    found: list[Mixture] = []
    problems: list[str] = []
    for text in texts:
        try:
            one = Mixture.parse(text)
            if players is not None:
                one.check(players)
            if len(str(one)) > _MOST_LETTERS:
                raise RequestError(
                    f"opponents: got {len(str(one))} letters; allowed: {_MOST_LETTERS}, for room on a page"
                )
            if one in found:
                raise RequestError(f"opponents: got {text!r} twice; allowed: each once")
            found.append(one)
        except RequestError as error:
            problems += error.lines
    if not 1 <= len(texts) <= MOST_OPPONENTS:
        problems.append(f"opponents: got {len(texts)}; allowed: 1 to {MOST_OPPONENTS} bots or mixtures")
    if problems:
        raise RequestError(*problems)
    return tuple(found)


def knock_chart(
    players: int,
    opponents: str | Sequence[str] | None = None,
    rules: object = "ledger",
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    confirm_seed: int | None = None,
    bot: str = "",
    jobs: int = 1,
    progress: bool = False,
) -> KnockChart:
    """Find when to knock, by own turn and seat, against several sorts of opponents and at the equilibrium.

    Parameters
    ----------
    players : int
        2 to 5.
    opponents : str or sequence of str
        1 to 4 bots or mixtures, a panel each; those that knock at 8, 10, 15 and 25 if not given.
    rules : str, mapping or Rules
        The rules of the game.
    blocks : int
        Decks to search on, and as many others to confirm on; at least 2.
    seed, confirm_seed : int
        The decks for the search and, the next seed if not given, for the confirmation.
    bot : str
        The keys with which the studied player, and at the equilibrium everybody, draws and discards, without ``knock``.
    jobs : int
        Threads; they change nothing but the time.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    KnockChart
        ``.plot()`` draws the page.  After Ctrl-C it has the panels that were finished, if any was.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.

    See Also
    --------
    rumsim.lab.respond.respond : a panel by itself, also with win shares.
    rumsim.lab.equilibrium.equilibrium : the last panel by itself.

    Examples
    --------
    >>> found = knock_chart(3, "knock=10", blocks=1000)
    >>> [panel.opponents for panel in found.panels]
    ['knock=10,draw=improve:1,discard=greedy', 'equilibrium']
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    others = read_opponents(opponents, players)
    studied = read_keys(bot)
    blocks = whole_number("blocks", blocks, 2, 10_000_000)
    seed = whole_number("seed", seed, 0)
    confirm = read_confirm_seed(confirm_seed, seed)
    jobs = whole_number("jobs", jobs, 1)

    def ask(given: Mixture, around: Sequence[Sequence[int]] = ()) -> tuple[Response, Ranges]:
        response, ranges = answered(
            Question(known, players, studied, given), blocks, seed, confirm, jobs, progress, around
        )
        if response.interrupted:
            raise KeyboardInterrupt
        return response, ranges

    panels, searched = [], blocks
    with heard():
        try:
            for one in others:
                response, _ = ask(one)
                searched = min(searched, response.search_blocks)
                panels.append(_response_panel(response))
            calm = equilibrium(
                *(players, known), blocks=blocks, seed=seed, confirm_seed=confirm, bot=bot, jobs=jobs, progress=progress
            )
            if calm.interrupted:
                raise KeyboardInterrupt
            schedules = [without_gaps(seat, calm.constant) for seat in calm.thresholds]
            panels.append(_equilibrium_panel(calm, *ask(Mixture.parse(f"knock={calm.knock()},{calm.bot}"), schedules)))
        except KeyboardInterrupt:  # what is finished is shown
            if not panels:
                raise
    way = str(studied).partition(",")[2]
    return KnockChart(known, players, way, seed, confirm, blocks, tuple(panels), len(others) + 1, searched)


def _way(opponents: str) -> str:
    """Return how opponents draw and discard."""
    return str(Mixture.parse(opponents).bots[0]).partition(",")[2]


def _response_panel(found: Response) -> Panel:
    return _panel(found.opponents, found.turns, found, found.knock())


def _panel(
    opponents: str, turns: Iterable[Turn], answer: Response, knock: str, calm: Equilibrium | None = None
) -> Panel:
    return Panel(
        opponents=opponents,
        turns=tuple(turns),
        constant=answer.constant,
        within=answer.within,
        constant_points=answer.constant_points,
        points=answer.points,
        knock=knock,
        gain_upper=None if calm is None else calm.gain_upper,
        is_equilibrium=None if calm is None else calm.is_equilibrium,
        not_beaten=answer.not_beaten,
    )


def _equilibrium_panel(calm: Equilibrium, answer: Response, ranges: Ranges) -> Panel:
    """Return the equilibrium's thresholds with those around them that lose little against the same table."""
    turns = []
    for seat, (thresholds, reached) in enumerate(zip(calm.thresholds, calm.reached, strict=True)):
        for place, (threshold, share) in enumerate(zip(thresholds, reached, strict=True)):
            low, high = (None, None) if threshold is None else ranges[seat][place]
            turns.append(Turn(seat, place + 1, threshold, low, high, share))
    return _panel(EQUILIBRIUM, turns, answer, calm.knock(), calm)


def _sentence(panel: Panel) -> str:
    low, high = panel.within
    constant = f"{panel.constant} ({low} to {high}) on every turn"
    if panel.gain_upper is not None:
        upper = max(panel.gain_upper, 0.0)
        what = "Equilibrium" if panel.is_equilibrium else "No equilibrium found"
        return (
            f"{what}: all play this, and no knock schedule by seat and own turn gains more than {upper:.3f} points a "
            f"deal. Best answer with one number: {constant}."
        )
    return (
        f"Against {panel.opponents}: gains {_gain(panel.points)} points a deal; {constant} gains "
        f"{_gain(panel.constant_points)}."
    )


def _gain(points: Estimate) -> str:
    mean = f"{(points.mean or 0.0) + 0.0:+.2f}"
    if points.interval is None:
        return mean
    low, high = points.interval
    return f"{mean} ({low:+.2f} to {high:+.2f})"


def _said(threshold: int | None) -> int | str | None:
    return "never" if threshold is not None and threshold < 0 else threshold


def _shown(threshold: int | None) -> str:
    return "-" if threshold is None else str(_said(threshold))
