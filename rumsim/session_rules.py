"""Several deals to a result: who deals, who is still in, when it is over and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rumsim.errors import RequestError, whole_number, wrong

FORMATS = {
    "rotation": "every player deals once; the highest net wins, ties share",
    "cumulative": "a fixed number of deals; the highest net wins, a tie is broken by one more deal while it lasts",
    "match": "the first net above the target wins, looked at after each deal; exactly the target does not",
    "pool": "every player stakes 100; who has nothing left is out, or re-enters; the last one in wins all stakes",
}
STAKE = 100  # points, at the start of a pool and for each re-entry
_MOST = 1_000_000


@dataclass(frozen=True)
class Format:
    """How a session ends, and who wins it.

    Attributes
    ----------
    name : str
        ``rotation``, ``cumulative``, ``match`` or ``pool``.
    deals : int
        Of a cumulative session, before ties are broken.
    target : int
        Points that a match is played to: a net above it wins.
    rebuys : int
        How often a player may re-enter a pool; used while any remain.
    max_deals : int
        A session of so many deals that is not over is unfinished.

    Raises
    ------
    RequestError
        For values outside what is allowed.

    Examples
    --------
    >>> Format("match", target=50).target
    50
    """

    name: str
    deals: int = 10
    target: int = 200
    rebuys: int = 0
    max_deals: int = 1000

    def __post_init__(self) -> None:
        """Refuse what is no format."""
        if self.name not in FORMATS:
            raise wrong("format", self.name, ", ".join(FORMATS))
        for field, low in (("deals", 1), ("target", 0), ("rebuys", 0), ("max_deals", 1)):
            object.__setattr__(self, field, whole_number(field, getattr(self, field), low, _MOST))


class Session:
    """A session as it goes: deals are recorded one by one.

    Parameters
    ----------
    format : Format
        How it ends.
    players : int
        2 to 5; player ``i + 1`` sits at the left of player ``i``.
    first_dealer : int
        Who deals first.

    Attributes
    ----------
    dealer : int
        Who deals next.
    dealers : list of int
        Who has dealt.
    ledger : list of Fraction
        Net points of each player, re-entries not counted.
    entries : list of int
        How often each player has re-entered a pool.
    out : list of tuple of int
        Who went out of a pool, deal by deal in which somebody did, in the order of play.
    finished, unfinished : bool
        Whether it is over with winners; or stopped because it has reached its most deals.

    Examples
    --------
    >>> session = Session(Format("rotation"), players=3, first_dealer=1)
    >>> for transfers in ([-15, 32, -17], [20, -20, 0], [-5, -12, 17]):
    ...     session.record(transfers)
    >>> session.dealers, session.winners
    ([1, 2, 0], (0, 1, 2))
    """

    def __init__(self, format: Format, players: int, first_dealer: int = 0) -> None:
        self.format = format
        self.players = whole_number("players", players, 2, 5)
        self.dealer = whole_number("dealer", first_dealer, 0, self.players - 1)
        self.dealers: list[int] = []
        self.ledger = [Fraction(0)] * self.players
        self.entries = [0] * self.players
        self.out: list[tuple[int, ...]] = []
        self.finished = False
        self._winners: tuple[int, ...] = ()
        self._reentered: dict[int, int] = {}  # in the last deal: the entries that each player had before it
        self._out_before = 0  # groups in ``out`` before the last deal

    @property
    def deals(self) -> int:
        """Deals recorded."""
        return len(self.dealers)

    @property
    def unfinished(self) -> bool:
        """Whether the session has reached its most deals without a result."""
        return not self.finished and self.deals >= self.format.max_deals

    @property
    def winners(self) -> tuple[int, ...]:
        """The winners; empty while it is not over."""
        return self._winners

    @property
    def still_in(self) -> tuple[int, ...]:
        """The players who play the next deal, by player."""
        gone = {player for players in self.out for player in players}
        return tuple(player for player in range(self.players) if player not in gone)

    @property
    def first_to_move(self) -> int:
        """The player who moves first in the next deal: the next one in at the dealer's left."""
        return self._left_of(self.dealer)

    def stake(self, player: int) -> Fraction:
        """Return what a player has left in a pool.

        Examples
        --------
        >>> pool = Session(Format("pool"), players=3)
        >>> pool.record([-60, 80, -20])
        >>> pool.stake(0)
        Fraction(40, 1)
        """
        return self.stake_paid(player) + self.ledger[player]

    def stake_paid(self, player: int) -> Fraction:
        """Return what a player has staked in a pool, re-entries included."""
        return Fraction(STAKE * (1 + self.entries[player]))

    def record(self, transfers: Sequence[Fraction | int]) -> None:
        """Record a deal: what each player receives, 0 for who is out.

        Parameters
        ----------
        transfers : sequence of Fraction or int
            Points by player; they sum to zero.

        Raises
        ------
        RequestError
            If the session is over, or these are no transfers of its players.
        """
        if self.finished or self.unfinished:
            raise RequestError("session: got one more deal; allowed: none, it is over")
        amounts = [Fraction(amount) for amount in transfers]
        if len(amounts) != self.players:
            raise RequestError(f"transfers: got {len(amounts)}; allowed: {self.players}, one a player")
        if sum(amounts) != 0:
            raise RequestError(f"transfers: got a sum of {sum(amounts)}; allowed: 0")
        for player, amount in enumerate(amounts):
            if amount and player not in self.still_in:
                raise RequestError(f"transfers: got {amount} for player {player}; allowed: 0, who is out")
        self.ledger = [before + amount for before, amount in zip(self.ledger, amounts, strict=True)]
        self.dealers.append(self.dealer)
        if self.format.name == "pool":
            self._let_go()
        self._decide()
        self.dealer = self._left_of(self.dealer)

    @property
    def reentered(self) -> tuple[int, ...]:
        """The players who re-entered a pool in the last deal, and may still decline to."""
        return tuple(self._reentered)

    def decline_reentry(self, player: int) -> None:
        """Let a player who re-entered a pool in the last deal go out instead.

        Parameters
        ----------
        player : int
            One of ``reentered``.

        Raises
        ------
        RequestError
            For anybody else.

        Examples
        --------
        >>> pool = Session(Format("pool", rebuys=1), players=3)
        >>> pool.record([-120, 60, 60])
        >>> pool.reentered
        (0,)
        >>> pool.decline_reentry(0)
        >>> pool.still_in, pool.stake(0)
        ((1, 2), Fraction(-20, 1))
        """
        if player not in self._reentered:
            allowed = ", ".join(map(str, self.reentered)) or "nobody, as nobody re-entered in the last deal"
            raise RequestError(f"decline_reentry: got player {player}; allowed: {allowed}")
        self.entries[player] = self._reentered.pop(player)
        first = (self.dealers[-1] + 1) % self.players
        gone = {player, *(one for group in self.out[self._out_before :] for one in group)}
        in_order = sorted(gone, key=lambda one: (one - first) % self.players)
        self.out[self._out_before :] = [tuple(in_order)]
        self._decide()
        self.dealer = self._left_of(self.dealers[-1])

    def prizes(self) -> tuple[Fraction, ...]:
        """Return the net points that each player takes home.

        In a pool the winner takes all stakes and the others lose theirs; otherwise it is the ledger.

        Examples
        --------
        >>> pool = Session(Format("pool"), players=2)
        >>> pool.record([120, -120])
        >>> pool.prizes()
        (Fraction(100, 1), Fraction(-100, 1))
        """
        if self.format.name != "pool" or not self.finished:
            return tuple(self.ledger)
        paid = [self.stake_paid(player) for player in range(self.players)]
        (winner,) = self._winners
        return tuple(sum(paid) - stake if player == winner else -stake for player, stake in enumerate(paid))

    def _left_of(self, player: int) -> int:
        at = (player + 1) % self.players
        while at not in self.still_in:
            at = (at + 1) % self.players
        return at

    def _let_go(self) -> None:
        """Let players who have nothing left re-enter, or go out."""
        gone = []
        self._reentered, self._out_before = {}, len(self.out)
        for step in range(self.players):
            player = (self.dealer + 1 + step) % self.players
            if player not in self.still_in:
                continue
            before = self.entries[player]
            while self.stake(player) <= 0 and self.entries[player] < self.format.rebuys:
                self.entries[player] += 1
            if self.stake(player) <= 0:
                gone.append(player)
            elif self.entries[player] > before:
                self._reentered[player] = before
        if gone:
            self.out.append(tuple(gone))

    def _decide(self) -> None:
        name, best = self.format.name, max(self.ledger)
        leaders = tuple(player for player, net in enumerate(self.ledger) if net == best)
        if name == "rotation":
            over = self.deals == self.players
        elif name == "cumulative":
            over = self.deals >= self.format.deals and len(leaders) == 1
        elif name == "match":
            over = best > self.format.target and len(leaders) == 1
        else:
            leaders = self.still_in
            over = len(leaders) == 1
        if over:
            self.finished, self._winners = True, leaders
