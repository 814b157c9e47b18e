"""Whole sessions: who wins an evening, with which bot and from which place, and how long it lasts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rumsim.bots import Bot, table_bots
from rumsim.bots.threshold import ThresholdBot
from rumsim.decks import LAST_SESSION_BLOCK
from rumsim.engine.requests import SIXTIETHS, TWELFTHS
from rumsim.errors import RequestError, whole_number, wrong
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.runs.interrupt import heard, unless_interrupted
from rumsim.runs.progress import Progress
from rumsim.runs.provenance import Stopwatch
from rumsim.runs.saving import Saving
from rumsim.runs.store import Content, Kept, RunFolder, run_folder
from rumsim.session_rules import Format
from rumsim.stats.blocks import Estimate, estimate
from rumsim.stats.sequential import anytime_margin
from rumsim.stats.shares import LEAST, share, shares
from rumsim.stats.tally import Tally
from rumsim.tasks.session_sums import Parts, SessionSums
from rumsim.tasks.sessions import Sessions

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

PERCENT = (5, 25, 50, 75, 95)  # quantiles that are shown
_USES = {"cumulative": "deals", "match": "target", "pool": "rebuys"}  # of a format's options, but for max_deals


@dataclass(frozen=True)
class Fortune:
    """What sessions bring to one player with a certain bot, or to the one who starts in a certain place.

    Attributes
    ----------
    points, wins : Estimate
        Final net points of a session, and the chance to win it, which has an interval from 20 blocks on.
    ledger : Tally or None
        Final net points in twelfths, of bots.
    ranks : tuple of float or None
        Of pools, the chance to win, to be the last to go out, and so on to the first; None without sessions.
    re_entries, prize, prize_share : float or None
        Of pools: mean re-entries; points that winners take, with their own stakes, a session; part of all prizes.
    """

    points: Estimate
    wins: Estimate
    ledger: Tally | None
    ranks: tuple[float | None, ...]
    re_entries: float | None
    prize: float | None
    prize_share: float | None

    def as_json(self) -> dict[str, object]:
        """Return its numbers."""
        written: dict[str, object] = {
            "ev": self.points.mean,
            "ev_se": self.points.error,
            "ev_ci": _listed(self.points.interval),
            "win": self.wins.mean,
            "win_se": self.wins.error,
            "win_ci": _listed(self.wins.interval),
        }
        if self.ledger is not None:
            written["ledger"] = _spread(self.ledger, PERCENT, TWELFTHS)
        if self.ranks:
            written |= {
                "ranks": list(self.ranks),
                "re_entries": self.re_entries,
                "prize": self.prize,
                "prize_share": self.prize_share,
            }
        return written


@dataclass(frozen=True)
class SessionStudy:
    """The result of ``session``.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, seed, blocks : int
        The request; ``blocks`` are those that were played.
    format : Format
        How a session ends.
    bots : tuple of str
        The bots asked about, in canonical form.
    by_bot, by_place : tuple of Fortune
        For one player with each of these; for the one who starts in each place, place 0 moving first in the first deal.
    deals, margins : Tally
        Deals of a session; by how many twelfths the winner was ahead of the next, empty for pools.
    unfinished, shared : float or None
        Parts of all sessions: those that reached their most deals, and those that several players won.
    interrupted : bool
        Whether it stopped before all blocks were played.
    kept : Kept or None
        What the folder holds now, if there is one.
    """

    rules: Rules
    players: int
    seed: int
    blocks: int
    format: Format
    bots: tuple[str, ...]
    by_bot: tuple[Fortune, ...]
    by_place: tuple[Fortune, ...]
    deals: Tally
    margins: Tally
    unfinished: float | None
    shared: float | None
    interrupted: bool = False
    kept: Kept | None = field(default=None, repr=False, compare=False)

    @property
    def sessions(self) -> int:
        """Sessions that the estimates count."""
        return self.blocks * self.players

    @property
    def options(self) -> dict[str, int]:
        """The options of the format that it uses."""
        return used_options(self.format)

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim session --json`` prints."""
        written: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": self.players,
            "seed": self.seed,
            "blocks": self.blocks,
            "format": self.format.name,
            "options": self.options,
            "sessions": self.sessions,
            "bots": [{"bot": bot} | found.as_json() for bot, found in zip(self.bots, self.by_bot, strict=True)],
            "places": [{"place": place} | found.as_json() for place, found in enumerate(self.by_place)],
            "session_deals": _spread(self.deals, (5, 50, 95), 1),
            "margin": None if self.format.name == "pool" else _spread(self.margins, PERCENT, TWELFTHS),
            "shared": self.shared,
            "unfinished": self.unfinished,
        }
        too_few = {"too_few_blocks": True} if self.blocks < LEAST else {}
        return written | too_few | ({"interrupted": True} if self.interrupted else {})

    def table(self) -> str:
        """Return the tables that ``rumsim session`` prints."""
        from rumsim.lab.session_tables import session_table

        return session_table(self)

    def frame(self) -> pd.DataFrame:
        """Return a row a bot; see :func:`rumsim.lab.session_frames.bots_frame` for the columns."""
        from rumsim.lab.session_frames import bots_frame

        return bots_frame(self)

    def plot(self, value: str = "places") -> Figure:
        """Draw the chances to win by starting place, or how many deals sessions last.

        Parameters
        ----------
        value : str
            ``places`` or ``deals``.

        Returns
        -------
        Figure
            To be saved by :func:`rumsim.charts.style.save`.

        Raises
        ------
        RequestError
            For another value, or where nothing was played.
        """
        from rumsim.charts.sessions import deals_of_sessions, wins_by_place
        from rumsim.lab.session_frames import deals_frame, places_frame
        from rumsim.lab.session_tables import format_words

        if value not in ("places", "deals"):
            raise wrong("value", value, "places or deals")
        bots = "; ".join(bot.replace(",discard=greedy", "") for bot in self.bots)
        caption = (
            f"Rules: {self.rules}. {self.players} players. Session: {format_words(self)}. Bots: {bots}. "
            f"{self.blocks:,} blocks, each in all rotations, seed {self.seed}."
        )
        if self.unfinished:
            caption += f" {self.unfinished:.1%} of the sessions are unfinished: nobody won them."
        if value == "places":
            return wins_by_place(places_frame(self), caption)
        return deals_of_sessions(deals_frame(self), caption)


def session(
    players: int,
    bots: str | Bot | Iterable[str | Bot],
    format: str,
    sessions: int,
    rules: object = "ledger",
    *,
    deals: int = 10,
    target: int = 200,
    rebuys: int = 0,
    max_deals: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    out: str | Path | None = None,
    charts: bool = False,
    progress: bool = False,
) -> SessionStudy:
    """Let bots play sessions against each other, and find who wins them.

    Parameters
    ----------
    players : int
        2 to 5.
    bots : str or iterable of str
        1, 2 or ``players`` bots; with 2 and more players the first is the focal one, the second plays all others.
        Bots from a user's ``.py`` file do not play sessions.
    format : str
        ``rotation``, ``cumulative``, ``match`` or ``pool``.
    sessions : int
        Blocks of sessions: each is played once for every rotation, player ``N - 1 - r`` dealing first in rotation r,
        on the same decks; 1 to 2^43 - 1, as each has 2^20 of the 2^63 numbers of decks.
    rules : str, mapping or Rules
        The rules of the game.
    deals, target, rebuys, max_deals : int
        Options of the format: deals of a cumulative session, points that a match is played to, re-entries that each
        player of a pool may use, and after how many deals a session stays unfinished; each up to 10^6.
    seed : int
        Which decks; from 0.
    jobs : int
        Threads, at least 1; they change nothing but the time, and no more than four a core are started.
    out : str or Path, optional
        A folder for the result: ``result.json``, the tables ``bots``, ``places``, ``deals``, ``ledgers``, ``margins``
        and, for pools, ``ranks`` as parquet (columns in :mod:`rumsim.lab.session_frames`), ``bots.csv`` and
        ``manifest.json``.  It must be new, empty, or hold a run of the same request.  That is replaced, unless it
        holds more blocks than this run has played to the end.
    charts : bool
        Draw the chances by place and the number of deals into that folder, as SVG and PNG.
    progress : bool
        Show on standard error how far it is, where it takes more than a moment.

    Returns
    -------
    SessionStudy
        Estimates with standard errors over blocks.

    Raises
    ------
    RequestError
        For an argument outside what is allowed, before any work.
    NotWritten
        If files could not be written after the work; the error has the ``result``.

    Notes
    -----
    Ctrl-C ends the run early; the result then holds the blocks finished, and says so.  Without any, nothing is written.

    Examples
    --------
    >>> found = session(3, ["knock=30", "knock=10"], "match", sessions=20, seed=1, target=50)
    >>> found.sessions, found.unfinished, round(sum(place.wins.mean for place in found.by_place), 12)
    (60, 0.0, 1.0)
    """
    watch = Stopwatch()
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    form = Format(format, deals, target, rebuys, max_deals)
    check_sizes(known, players, form)
    given = [bots] if isinstance(bots, str) or not isinstance(bots, Iterable) else list(bots)
    seated = session_bots(given, players)
    blocks = whole_number("sessions", sessions, 1, LAST_SESSION_BLOCK)
    seed = whole_number("seed", seed, 0)
    jobs = whole_number("jobs", jobs, 1)
    entry_of = tuple(min(player, len(given) - 1) for player in range(players))
    texts = tuple(str(seated[entry_of.index(entry)]) for entry in range(len(given)))
    task = Sessions(known, form, seated, entry_of, seed)
    request: dict[str, object] = {
        "command": "session",
        "rules": known.as_json(),
        "players": players,
        "bots": list(texts),
        "format": form.name,
        **used_options(form),
        "blocks": blocks,
        "seed": seed,
    }
    if charts and out is None:
        raise RequestError("charts: got no folder for them; allowed: with out")
    with ExitStack() as around:
        folder = None if out is None else around.enter_context(run_folder(out, request))
        around.enter_context(heard())  # once there are numbers, files are written to their end
        bar = around.enter_context(Progress(blocks * players, "sessions", quiet=not progress))
        shown = _shown(task, bar) if progress else None
        sums, interrupted = execute(task, blocks, jobs, task.chunk, progress=shown)
        result = _result(task, texts, sums, interrupted)
        if folder is not None:
            saving = Saving()
            result = replace(result, kept=saving.attempt("out", folder.path, _write, folder, result, watch, charts))
            saving.stop(result)
    return result


def used_options(format: Format) -> dict[str, int]:
    """Return the options of a format that it uses.

    Examples
    --------
    >>> used_options(Format("match"))
    {'target': 200, 'max_deals': 1000}
    """
    names = [_USES[format.name]] if format.name in _USES else []
    return {name: getattr(format, name) for name in [*names, "max_deals"]}


def session_bots(bots: Iterable[str | Bot], players: int) -> tuple[ThresholdBot, ...]:
    """Seat bots for sessions.

    Raises
    ------
    RequestError
        As :func:`rumsim.bots.table_bots`, and for bots from a user's ``.py`` file.

    Examples
    --------
    >>> str(session_bots(["closer:knock=20", "knock=9"], 2)[1])
    'knock=9,draw=improve:1,discard=greedy'
    """
    seated = table_bots(bots, players)
    found = tuple(bot for bot in seated if isinstance(bot, ThresholdBot))
    if len(found) < players:
        # The view of such a bot knows one table; in a pool players, and so seats and numbers, change from deal to deal.
        other = next(bot for bot in seated if not isinstance(bot, ThresholdBot))
        allowed = "in sessions knock=10, closer:knock=10, or @file.toml with the same keys"
        raise RequestError(f"bots: got {str(other)!r}; allowed: {allowed}")
    return found


def check_sizes(rules: Rules, players: int, format: Format) -> None:
    """Refuse rules whose hands are too large for a number of players that can be in play.

    Raises
    ------
    RequestError
        As :meth:`rumsim.rules.Rules.size_for`.

    Examples
    --------
    >>> check_sizes(parse_rules("ledger"), 4, Format("pool"))
    """
    for many in range(2 if format.name == "pool" else players, players + 1):
        rules.size_for(many)


def _shown(task: Sessions, bar: Progress) -> Callable[[SessionSums, int], None]:
    """Return what shows the sums so far: the focal bot's chance with an interval that may be looked at any time."""
    players = len(task.bots)
    unit = SIXTIETHS * players * task.entry_of.count(0)

    def show(sums: SessionSums, planned: int) -> None:
        def note() -> str:
            won = sums.bots.wins[0]
            found = estimate(won.total, won.squares, sums.blocks, unit)
            margin = anytime_margin((found.error or 0.0) * sums.blocks**0.5, sums.blocks, planned)
            if found.mean is None or margin is None:
                return ""
            return f"first bot wins {found.mean:.3f} ± {margin:.3f}"

        bar.update(sums.blocks * players, note)

    return show


def _result(task: Sessions, bots: tuple[str, ...], sums: SessionSums, interrupted: bool) -> SessionStudy:
    players, blocks = len(task.bots), sums.blocks
    seats = [task.entry_of.count(entry) for entry in range(len(bots))]
    return SessionStudy(
        rules=task.rules,
        players=players,
        seed=task.seed,
        blocks=blocks,
        format=task.format,
        bots=bots,
        by_bot=_fortunes(sums.bots, seats, players, blocks, sums.ledgers.of, alike=len(set(bots)) == 1),
        by_place=_places(sums.places, players, blocks),
        deals=sums.deals,
        margins=sums.margins,
        unfinished=sums.unfinished / (blocks * players) if blocks else None,
        shared=sums.shared / (blocks * players) if blocks else None,
        interrupted=interrupted,
    )


def _fortunes(
    parts: Parts,
    seats: list[int],
    players: int,
    blocks: int,
    ledgers: tuple[Tally, ...] | None,
    *,
    alike: bool = False,
) -> tuple[Fortune, ...]:
    """Make estimates of sums; ``seats`` is how many players each group has in a session.

    ``alike``: all groups win equally much in every block.
    """
    found = []
    prizes = int(parts.prizes.sum())
    for group, many in enumerate(seats):
        each = players * many  # a block total covers so many
        points, wins = parts.points[group], parts.wins[group]
        ranks = [int(share) for share in parts.ranks[group]]
        pool = bool(ranks) and bool(blocks)
        found.append(
            Fortune(
                points=estimate(points.total, points.squares, blocks, TWELFTHS * each),
                wins=share(wins.total, wins.squares, blocks, SIXTIETHS * each, places=players if alike else many),
                ledger=None if ledgers is None else ledgers[group],
                ranks=tuple(share / (SIXTIETHS * each * blocks) if blocks else None for share in ranks),
                re_entries=int(parts.entries[group]) / (each * blocks) if pool else None,
                prize=int(parts.prizes[group]) / (TWELFTHS * each * blocks) if pool else None,
                prize_share=int(parts.prizes[group]) / (many * prizes) if pool and prizes else None,
            )
        )
    return tuple(found)


def _places(parts: Parts, players: int, blocks: int) -> tuple[Fortune, ...]:
    """Make estimates by place, whose chances have intervals that know of each other."""
    totals, squares = [won.total for won in parts.wins], [won.squares for won in parts.wins]
    chances = shares(totals, squares, blocks, SIXTIETHS * players)
    found = _fortunes(parts, [1] * players, players, blocks, None)
    return tuple(replace(each, wins=wins) for each, wins in zip(found, chances, strict=True))


def _write(folder: RunFolder, result: SessionStudy, watch: Stopwatch, charts: bool) -> Kept:
    if (kept := folder.further(result.blocks, result.interrupted)) is not None:
        return kept
    from rumsim.lab import session_frames as frames

    bots = frames.bots_frame(result)
    files: dict[str, Content] = {
        "result.json": json.dumps(result.as_json(), allow_nan=False) + "\n",
        "bots.csv": bots.to_csv(index=False, lineterminator="\n"),
    }
    if charts:
        for value in ("places", "deals"):
            if (figure := unless_interrupted(result.plot, value)) is None:
                break
            from rumsim.charts.style import save  # only now: loading it can be broken off, too

            files |= {f"{value}{suffix}": partial(save, figure) for suffix in (".svg", ".png")}
    tables = {
        "bots": bots,
        "places": frames.places_frame(result),
        "deals": frames.deals_frame(result),
        "ledgers": frames.ledgers_frame(result),
        "margins": frames.margins_frame(result),
    }
    return folder.write(
        tables | ({"ranks": frames.ranks_frame(result)} if result.format.name == "pool" else {}),
        files,
        seed=result.seed,
        blocks=result.blocks,
        interrupted=result.interrupted,
        cpu_seconds=watch.cpu_seconds(),
        started=watch.started,
    )


def _spread(tally: Tally, percent: Iterable[int], unit: int) -> dict[str, float | int | None]:
    """Return mean and quantiles of a tally, in so many parts of a point."""

    def scaled(value: float | None) -> float | int | None:
        return None if value is None else value / unit if unit > 1 else value

    return {"mean": scaled(tally.mean)} | {f"q{each:02}": scaled(tally.quantile(each)) for each in percent}


def _listed(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)
