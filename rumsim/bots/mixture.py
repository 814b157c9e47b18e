"""A table of opponents of whom one cannot be sure: each draws its bot anew in every deal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from rumsim.bots.threshold import ThresholdBot
from rumsim.errors import RequestError, wrong

_PART = re.compile(r"(?:^|\+)\s*([0-9.]+)\s*\*")
_FORM = "a bot such as knock=10, or a mixture of them such as 0.5*knock=8+0.5*knock=25, whose weights sum to 1"
_OR_MIXTURE = "; a mixture is written 0.5*BOT+0.5*BOT"


@dataclass(frozen=True)
class Mixture:
    """Bots with the chance that an opponent plays as each of them.

    Attributes
    ----------
    weights : tuple of Fraction
        Above 0; they sum to 1.
    bots : tuple of ThresholdBot
        As many.
    """

    weights: tuple[Fraction, ...]
    bots: tuple[ThresholdBot, ...]

    @classmethod
    def parse(cls, text: str, argument: str = "opponents") -> Mixture:
        """Read ``BOT`` or ``0.5*BOT+0.5*BOT``, which is split before each number that a ``*`` follows.

        A bot with the weight 0 must be a bot, but does not play.

        Raises
        ------
        RequestError
            For a bot that is none, or weights that do not sum to 1.

        Examples
        --------
        >>> str(Mixture.parse("0.25*knock=8+0.75*knock=40/35+38"))
        '0.25*knock=8,draw=improve:1,discard=greedy+0.75*knock=40/35+38,draw=improve:1,discard=greedy'
        >>> str(Mixture.parse("knock=10"))
        'knock=10,draw=improve:1,discard=greedy'
        """
        if not isinstance(text, str) or not text.strip():
            raise wrong(argument, text, _FORM)
        parts = list(_PART.finditer(text))
        if not parts:
            return cls((Fraction(1),), (_bot(text, argument),))
        if parts[0].start() != 0 or text[: parts[0].start()].strip():
            raise wrong(argument, text, _FORM)
        ends = [part.start() for part in parts[1:]] + [len(text)]
        bots = tuple(_bot(text[part.end() : end], argument) for part, end in zip(parts, ends, strict=True))
        try:
            weights = tuple(Fraction(part[1]) for part in parts)
        except ValueError:
            raise wrong(argument, text, _FORM) from None
        if sum(weights) != 1:
            raise wrong(argument, text, f"{_FORM} (these sum to {float(sum(weights)):g})")
        playing = [(weight, bot) for weight, bot in zip(weights, bots, strict=True) if weight]
        return cls(tuple(weight for weight, _ in playing), tuple(bot for _, bot in playing))

    def check(self, players: int, argument: str = "opponents") -> None:
        """Raise RequestError if a bot cannot play at a table of that many players."""
        for bot in self.bots:
            try:
                bot.check(players)
            except RequestError as error:
                raise _renamed(error, argument) from None

    def __str__(self) -> str:
        """Return the canonical text."""
        if len(self.bots) == 1:
            return str(self.bots[0])
        return "+".join(f"{float(weight):g}*{bot}" for weight, bot in zip(self.weights, self.bots, strict=True))


def _bot(text: str, argument: str) -> ThresholdBot:
    if text.strip().startswith("@") and not text.strip().endswith(".toml"):
        raise wrong(argument, text, f"threshold bots, such as knock=10 or @file.toml{_OR_MIXTURE}")
    from rumsim.bots import parse_bot

    try:
        bot = parse_bot(text.strip())
    except RequestError as error:
        lines = _renamed(error, argument).lines
        raise RequestError(*lines[:-1], lines[-1] + _OR_MIXTURE) from None
    if not isinstance(bot, ThresholdBot):
        raise wrong(argument, text, f"threshold bots, such as knock=10 or @file.toml{_OR_MIXTURE}")
    return bot


def _renamed(error: RequestError, argument: str) -> RequestError:
    return RequestError(*(f"{argument}: {line.removeprefix('bots: ')}" for line in error.lines))
