"""What ``advise`` says: actions with what they are worth, and on what that stands."""

from __future__ import annotations

from dataclasses import dataclass

from rumsim.cards import card_text, pretty
from rumsim.tasks.advice import EVERYTHING, Given, Spot

Z = 1.959964
FEW = 1000  # decks that fit


@dataclass(frozen=True)
class Value:
    """What an action is worth.

    Attributes
    ----------
    ev, error : float
        Points a deal, and their standard error.
    win, undercut : float
        The share of the deals won, and of those in which one's own knock is undercut.
    """

    ev: float
    error: float
    win: float
    undercut: float


@dataclass(frozen=True)
class Discard:
    """A card that may be given back.

    Attributes
    ----------
    card, left : int
        The card, and the count without it.
    knock : Value or None
        Knocking then; None where the rules do not allow it.
    play_on : Value
        Playing on.
    """

    card: int
    left: int
    knock: Value | None
    play_on: Value


@dataclass(frozen=True)
class Advice:
    """The result of ``advise``.

    Attributes
    ----------
    spot : Spot
        The hand and the turn.
    opponents : str
        How the others play.
    schedule : tuple of int
        At how much the player knocks on later own turns when playing on; empty if interrupted before it was found.
    draws : tuple of (str, Value) or None
        What taking the upcard, with the best that follows, and drawing from the stock are worth; None after the draw.
    discards : tuple of Discard or None
        The cards worth a thought, best first; None if interrupted before enough decks were weighed.
    decks, reached, fit : int
        Decks laid out; those in which the turn came with nobody having knocked; those of them with this upcard.
    advice : str
        One sentence.
    seed, confirm_seed : int
        Of the decks for later knocks, and of those on which the actions were weighed.
    given : Given
        What is taken into account of how the turn came about.
    note : str
        Why that is not everything, and what is supposed instead; empty if it is.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    spot: Spot
    opponents: str
    schedule: tuple[int, ...]
    draws: tuple[tuple[str, Value], ...] | None
    discards: tuple[Discard, ...] | None
    decks: int
    reached: int
    fit: int
    advice: str
    seed: int
    confirm_seed: int
    given: Given = EVERYTHING
    note: str = ""
    interrupted: bool = False

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim advise --json`` prints."""
        return {
            "rules": self.spot.rules.as_json(),
            "players": self.spot.players,
            "seat": self.spot.seat,
            "own_turn": self.spot.own_turn,
            "opponents": self.opponents,
            "draws": None
            if self.draws is None
            else [{"draw": name, "ev": value.ev, "ev_se": value.error} for name, value in self.draws],
            "discards": None
            if self.discards is None
            else [
                {
                    "card": card_text(one.card),
                    "deadwood": one.left,
                    "knock": None if one.knock is None else _json(one.knock, undercut=True),
                    "play_on": _json(one.play_on, undercut=False),
                }
                for one in self.discards
            ],
            "advice": self.advice,
            "decks": self.decks,
            "reached": self.reached,
            "fit": self.fit,
            "schedule": ["never" if one < 0 else one for one in self.schedule],
            "search_seed": self.seed,
            "confirm_seed": self.confirm_seed,
            "upcard_conditioned": None if self.spot.up is None else self.given.discarded,
            "knocks_conditioned": self.given.unknocked,
            "turns_conditioned": self.given.played,
            "note": self.note or None,
            **({"interrupted": True} if self.interrupted else {}),
        }

    def table(self, symbols: bool = True) -> str:
        """Return what ``rumsim advise`` prints."""
        from rumsim.lab.tables import columns, folded

        spot = self.spot
        seen = spot.up if spot.up is not None else spot.drawn
        assert seen is not None
        what = "the upcard is" if spot.up is not None else "drawn from the stock:"
        head = (
            f"{spot.players} players, rules {spot.rules}; seat {spot.seat}, own turn {spot.own_turn}",
            "hand " + " ".join(pretty(card, symbols) for card in sorted(spot.hand)) + f"; {what} "
            f"{pretty(seen, symbols)}",
            f"opponents {self.opponents}",
        )
        lines = [line for text in head for line in folded(text)]
        lines += ["", *folded(self.advice)]
        if self.note:
            lines += ["", *folded(self.note)]
        if self.draws is not None:
            rows = [["draw", "points", "+/-"]]
            rows += [[name, f"{one.ev:+.2f}", f"{Z * one.error:.2f}"] for name, one in self.draws]
            lines += ["", columns(rows)]
        if self.discards is not None:
            rows = [["give back", "left", "knock", "+/-", "wins", "undercut", "play on", "+/-", "wins"]]
            rows += [_row(one, symbols) for one in self.discards]
            lines += ["", columns(rows)]
        if not self.decks:
            return "\n".join(lines)
        return "\n".join([*lines, "", *(line for text in self._assumed() for line in folded(text))])

    def _assumed(self) -> list[str]:
        spot = self.spot
        later = "/".join(
            "never" if one < 0 else str(one) for one in self.schedule[min(spot.own_turn, len(self.schedule) - 1) :][:6]
        )
        supposed = "Assumed: the opponents play this bot."
        if self.given.played:
            supposed = (
                "Assumed: the opponents play this bot and nobody has knocked; on earlier turns you drew from the stock "
                "and gave that card back."
            )
        said = (
            f"{supposed} Playing on: you draw improve:1, discard greedily, and knock at "
            f"{later} from your next turn on, the best knock against these opponents."
        )
        if spot.up is not None:
            said += " Drawing from the stock: the usual discard, and a knock by the same schedule."
        came = f"; the turn came in {self.reached:,}" if self.given.played else ""
        if self.spot.up is not None and self.given.discarded:
            came += f"; {self.fit:,} of them with this upcard"
        few = " As few decks fit, intervals are wide." if self.fit < FEW else ""
        return [
            said,
            f"{self.decks:,} decks of seed {self.confirm_seed} with your cards{came}. +/-: half of a 95 % "
            f"interval.{few}",
        ]


def _json(value: Value, *, undercut: bool) -> dict[str, float]:
    found = {"ev": value.ev, "ev_se": value.error, "win": value.win}
    return found | ({"undercut": value.undercut} if undercut else {})


def _row(one: Discard, symbols: bool) -> list[str]:
    knock = one.knock
    cells = (
        ["-"] * 4
        if knock is None
        else [f"{knock.ev:+.2f}", f"{Z * knock.error:.2f}", f"{knock.win:.1%}", f"{knock.undercut:.1%}"]
    )
    on = one.play_on
    return [
        *(pretty(one.card, symbols), str(one.left), *cells),
        *(f"{on.ev:+.2f}", f"{Z * on.error:.2f}", f"{on.win:.1%}"),
    ]
