"""What a table of bots earns: points a deal and win shares, by bot and by seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rumsim.bots import Bot, parse_bot, table_bots
from rumsim.decks import LAST_BLOCK
from rumsim.engine.requests import ENDS, SIXTIETHS, TWELFTHS
from rumsim.errors import whole_number
from rumsim.rules import Rules, parse_rules
from rumsim.runs.execute import execute
from rumsim.stats.blocks import Estimate, estimate
from rumsim.tasks.direct import Direct
from rumsim.tasks.sums import DealSums


@dataclass(frozen=True)
class Simulation:
    """The result of ``simulate``.

    Attributes
    ----------
    rules : Rules
        The rules of the game.
    players, seed, blocks : int
        The request; ``blocks`` are those that were played.
    bots : tuple of str
        The bots asked about, in canonical form.
    points, wins : tuple of Estimate
        For each of these: points a deal and mean win share of one player with that bot.
    seat_points, seat_wins : tuple of Estimate
        The same by seat.
    ends : dict
        Fractions of deals that ended so; None without blocks.
    turns : float or None
        Mean table turns.
    interrupted : bool
        Whether it stopped before all blocks were played.
    """

    rules: Rules
    players: int
    seed: int
    blocks: int
    bots: tuple[str, ...]
    points: tuple[Estimate, ...]
    wins: tuple[Estimate, ...]
    seat_points: tuple[Estimate, ...]
    seat_wins: tuple[Estimate, ...]
    ends: dict[str, float | None]
    turns: float | None
    interrupted: bool = False

    @property
    def deals(self) -> int:
        """Deals that the estimates count."""
        return self.blocks * self.players

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim simulate --json`` prints."""
        written: dict[str, object] = {
            "rules": self.rules.as_json(),
            "players": self.players,
            "seed": self.seed,
            "blocks": self.blocks,
            "deals": self.deals,
            "bots": [
                {
                    "bot": bot,
                    "ev": points.mean,
                    "ev_se": points.error,
                    "ev_ci": None if points.interval is None else list(points.interval),
                    "win": wins.mean,
                    "win_se": wins.error,
                }
                for bot, points, wins in zip(self.bots, self.points, self.wins, strict=True)
            ],
            "seats": [
                {"seat": seat, "ev": points.mean, "ev_se": points.error, "win": wins.mean}
                for seat, (points, wins) in enumerate(zip(self.seat_points, self.seat_wins, strict=True))
            ],
            "ends": self.ends,
            "turns": self.turns,
        }
        return written | ({"interrupted": True} if self.interrupted else {})

    def table(self) -> str:
        """Return the tables that ``rumsim simulate`` prints."""
        from rumsim.lab.tables import simulation_table

        return simulation_table(self)


def simulate(
    players: int,
    bots: str | Bot | Iterable[str | Bot],
    blocks: int,
    rules: object = "ledger",
    *,
    seed: int = 0,
    jobs: int = 1,
) -> Simulation:
    """Play bots against each other and estimate what each earns.

    Parameters
    ----------
    players : int
        2 to 5.
    bots : str or iterable of str
        1, 2 or ``players`` bots; with 2 and more players the first is the focal one, the second plays all others.
    blocks : int
        Decks to play, each once for every rotation of the bots through the seats; at least 1.
    rules : str, mapping or Rules
        The rules of the game.
    seed : int
        Which decks; from 0.
    jobs : int
        Threads; they change nothing but the time.

    Returns
    -------
    Simulation
        Estimates with standard errors over blocks.

    Raises
    ------
    RequestError
        For an argument outside what is allowed.

    Examples
    --------
    >>> result = simulate(3, ["knock=30", "knock=10"], blocks=20, seed=1)
    >>> result.deals, round(sum(share.mean for share in result.seat_wins), 12)
    (60, 1.0)
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    players = whole_number("players", players, 2, 5)
    known.size_for(players)
    given = [bots] if isinstance(bots, str) or not isinstance(bots, Iterable) else list(bots)
    seated = table_bots(given, players)
    blocks = whole_number("blocks", blocks, 1, LAST_BLOCK)
    seed = whole_number("seed", seed, 0)
    jobs = whole_number("jobs", jobs, 1)
    task = Direct(known, tuple(seated), tuple(min(player, len(given) - 1) for player in range(players)), seed)
    sums, interrupted = execute(task, blocks, jobs)
    return _result(task, tuple(str(parse_bot(bot)) for bot in given), sums, interrupted)


def _result(task: Direct, bots: tuple[str, ...], sums: DealSums, interrupted: bool) -> Simulation:
    players, blocks = len(task.bots), sums.blocks
    deals = blocks * players
    # A block total of a bot covers all its players in all rotations.
    shares = [players * task.entry_of.count(entry) for entry in range(len(bots))]
    return Simulation(
        rules=task.rules,
        players=players,
        seed=task.seed,
        blocks=blocks,
        bots=bots,
        points=tuple(
            estimate(int(sums.points[e]), int(sums.points_products[e, e]), blocks, TWELFTHS * shares[e])
            for e in range(len(bots))
        ),
        wins=tuple(
            estimate(int(sums.wins[e]), int(sums.wins_squares[e]), blocks, SIXTIETHS * shares[e])
            for e in range(len(bots))
        ),
        seat_points=tuple(
            estimate(int(sums.seat_points[s]), int(sums.seat_squares[s]), blocks, TWELFTHS * players)
            for s in range(players)
        ),
        seat_wins=tuple(
            estimate(int(sums.seat_wins[s]), int(sums.seat_wins_squares[s]), blocks, SIXTIETHS * players)
            for s in range(players)
        ),
        ends={name: int(n) / deals if deals else None for name, n in zip(ENDS, sums.ends, strict=True)},
        turns=int(sums.turns[0]) / deals if deals else None,
        interrupted=interrupted,
    )
