"""A bot that looks at the ledger: it plays for points until the session is nearly over, and then for the win.

How it was found, and what it is worth: ``experiments/endgame.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

from rumsim.bots.threshold import HIGHEST_THRESHOLD, NEVER, ThresholdBot
from rumsim.errors import RequestError, whole_number
from rumsim.referee.view import Standing, View
from rumsim.session_rules import STAKE

_KEYS = ("near", "more", "hope")
_MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class CloserBot(ThresholdBot):
    """A threshold bot that knocks with other counts when the session is nearly over.

    In the last deal of a rotation or a cumulative session, and in those that break its ties, what counts is the lead
    over the best other player:

    * in the lead, a cheap end is as good as a win: it knocks with a share of its lead more, the lead divided by the
      number of players;
    * behind, it takes a win of that many points: a knock with c brings little more than what each opponent holds, less
      c, from each of them. So it knocks with at most ``hope`` points for each card of a hand, less a share of what it
      is behind by.

    In a match it knocks with ``more`` points when it needs no more than ``near`` for the target, in a pool when a
    player who is in has no more than ``near`` left, unused re-entries included. Behind in either it plays as ever:
    there all points count alike, and waiting for more loses.

    Without a ledger, outside sessions, it plays as its threshold bot.

    Attributes
    ----------
    near, more, hope : int
        Points, see above; ``hope`` is what a card in an opponent's hand is taken to count.

    Examples
    --------
    >>> from rumsim.bots import parse_bot
    >>> str(parse_bot("closer:knock=30"))
    'closer:knock=30,draw=improve:1,discard=greedy,near=30,more=3,hope=7'
    """

    near: int = 30
    more: int = 3
    hope: int = 7

    @classmethod
    def from_keys(cls, pairs: dict[str, object]) -> CloserBot:
        """Make a bot from its keys, those of a threshold bot and its own.

        Raises
        ------
        RequestError
            For an unknown key or a value that is not allowed; all errors at once.
        """
        problems: list[str] = []
        own: dict[str, int] = {}
        base = ThresholdBot()
        for key, value in pairs.items():
            try:
                if key in _KEYS:
                    own[key] = whole_number(key, value, 0, _MOST_POINTS)
            except RequestError as error:
                problems += error.lines
        try:
            base = ThresholdBot.from_keys({key: value for key, value in pairs.items() if key not in _KEYS})
        except RequestError as error:
            allowed = f"allowed: knock, draw, discard, {', '.join(_KEYS)}"
            problems += [line.replace("allowed: knock, draw, discard", allowed) for line in error.lines]
        if problems:
            raise RequestError(*problems)
        return cls(base.knock, base.draw, base.margin, base.discard, **own)

    def __str__(self) -> str:
        """Return the canonical form, with every key."""
        own = ",".join(f"{key}={getattr(self, key)}" for key in _KEYS)
        return f"closer:{super().__str__()},{own}"

    def threshold_at(self, view: View) -> int:
        """Return the highest count to knock with in this turn, in points; -1 for never."""
        threshold = super().threshold_at(view)
        if threshold == NEVER or view.standing is None:
            return threshold
        added, most = self.aim(view.standing, view.player, len(view.hand) - 1)
        return min(threshold + added, HIGHEST_THRESHOLD, HIGHEST_THRESHOLD if most is None else most)

    def aim(self, standing: Standing, player: int, cards: int) -> tuple[int, int | None]:
        """Return what is added to the threshold in a deal, and what it then is at most, if anything.

        Parameters
        ----------
        standing : Standing
            How the session stands before it.
        player : int
            Who asks, by the players of the deal.
        cards : int
            How many each holds.

        Examples
        --------
        Two players with 10 cards, the last of two deals, 40 points ahead and 40 behind.

        >>> from fractions import Fraction
        >>> from rumsim.session_rules import Format
        >>> standing = Standing(Format("rotation"), 2, 1, (Fraction(20), Fraction(-20)))
        >>> CloserBot().aim(standing, 0, 10), CloserBot().aim(standing, 1, 10)
        ((20, None), (0, 50))
        """
        format, ledger = standing.format, standing.ledger
        if format.name == "match":
            return self.more if format.target - ledger[player] <= self.near else 0, None
        if format.name == "pool":
            return self.more if STAKE * (1 + format.rebuys) + min(ledger) <= self.near else 0, None
        if standing.played + 1 < (standing.players if format.name == "rotation" else format.deals):
            return 0, None
        lead = ledger[player] - max(net for other, net in enumerate(ledger) if other != player)
        share = lead // len(ledger)  # rounded down, so that a small arrear counts
        if lead >= 0:
            return share, None
        return 0, max(self.hope * cards + share, 0)


def named(keys: str) -> CloserBot:
    """Make the bot from what stands behind its name.

    Examples
    --------
    >>> named("").more
    3
    """
    bot = CloserBot.parse(keys) if keys else CloserBot()
    assert isinstance(bot, CloserBot)
    return bot
