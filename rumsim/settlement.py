"""Who pays whom at the end of a deal, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rumsim.cards import card_text, mask
from rumsim.errors import RequestError, whole_number
from rumsim.melds import count, hand_of
from rumsim.rules import Rules, parse_rules

_FEWEST, _MOST = 2, 5


@dataclass(frozen=True)
class Settlement:
    """The result of one deal, player by player.

    Attributes
    ----------
    deadwood : tuple of int
        Each player's count, in points.
    winners : tuple of int
        The players who collect.
    transfers : tuple of Fraction
        Points each player receives (positive) or pays; they sum to zero.
    win_shares : tuple of Fraction
        One divided among the winners.
    rum, undercut, tied : bool
        What became of the knocker: knocked with 0; strictly above the lowest; sharing the lowest with another.
    warnings : tuple of str
        What looks wrong but could be scored.
    """

    deadwood: tuple[int, ...]
    winners: tuple[int, ...]
    transfers: tuple[Fraction, ...]
    win_shares: tuple[Fraction, ...]
    rum: bool
    undercut: bool
    tied: bool
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return what ``rumsim settle --json`` prints: amounts are exact fractions as text."""
        return {
            "deadwood": list(self.deadwood),
            "winners": list(self.winners),
            "transfers": [str(amount) for amount in self.transfers],
            "win_shares": [str(share) for share in self.win_shares],
            "rum": self.rum,
            "undercut": self.undercut,
            "tied": self.tied,
        }


def settlement(counts: Sequence[int], knocker: int | None, rules: Rules) -> Settlement:
    """Settle a deal whose counts are known.

    Parameters
    ----------
    counts : sequence of int
        Each player's deadwood, in points.
    knocker : int or None
        The player who knocked; None when hands are compared because the stock ran out.
    rules : Rules
        The amounts and the tie rule.

    Returns
    -------
    Settlement
        Exact; transfers sum to zero.

    Examples
    --------
    >>> [str(amount) for amount in settlement([15, 6, 6, 22], 0, parse_rules("ledger")).transfers]
    ['-19', '35/2', '35/2', '-16']
    """
    lowest = min(counts)
    everyone = range(len(counts))
    rum = knocker is not None and counts[knocker] == 0
    undercut = tied = False
    if rum:
        winners = [player for player in everyone if player == knocker]
        payments = [0 if player == knocker else counts[player] + rules.rum_bonus for player in everyone]
    else:
        others = [player for player in everyone if counts[player] == lowest and player != knocker]
        winners = others or [player for player in everyone if player == knocker]
        payments = [held - lowest for held in counts]
        if knocker is not None:
            undercut = counts[knocker] > lowest
            tied = counts[knocker] == lowest and bool(others)
            if undercut or (tied and rules.tie == "penalty"):
                payments[knocker] += rules.undercut
    share = Fraction(1, len(winners))
    pot = sum(payments)
    return Settlement(
        deadwood=tuple(counts),
        winners=tuple(winners),
        transfers=tuple((pot * share if player in winners else Fraction(0)) - payments[player] for player in everyone),
        win_shares=tuple(share if player in winners else Fraction(0) for player in everyone),
        rum=rum,
        undercut=undercut,
        tied=tied,
    )


def stalled(counts: Sequence[int]) -> Settlement:
    """Settle a deal that went round in circles: nobody wins, nothing moves.

    Examples
    --------
    >>> stalled([3, 4]).winners
    ()
    """
    nothing = tuple(Fraction(0) for _ in counts)
    return Settlement(tuple(counts), (), nothing, nothing, rum=False, undercut=False, tied=False)


def settle(hands: Iterable[str | Iterable[object]], knocker: int | None = None, rules: object = "ledger") -> Settlement:
    """Score the hands of a real deal.

    Parameters
    ----------
    hands : iterable of str
        One hand a player, in the order of the players.
    knocker : int, optional
        The player who knocked, counted from 0; without one, hands are compared.
    rules : str, mapping or Rules
        The rules of the game.

    Returns
    -------
    Settlement
        With a warning where the hands have another size than the rules give, or the knock was above the limit.

    Raises
    ------
    RequestError
        For a card in two places, hands of unequal size, fewer than 2 or more than 5 hands, a knocker who is not
        there, more jokers than the rules have.

    Examples
    --------
    >>> result = settle(["4H 5H 6H QC QD QS 8D", "AS AH AD 7C 8C 9C 3H"], knocker=0)
    >>> result.deadwood, [str(amount) for amount in result.transfers]
    ((8, 3), ['-15', '15'])
    """
    known = parse_rules(rules)  # type: ignore[arg-type]
    if isinstance(hands, str) or not isinstance(hands, Iterable):
        raise RequestError(f"hands: got {hands!r}; allowed: a list of {_FEWEST} to {_MOST} hands")
    given = list(hands)
    if not _FEWEST <= len(given) <= _MOST:
        raise RequestError(f"hands: got {len(given)}; allowed: {_FEWEST} to {_MOST}")
    held = _read_hands(given, known)
    _refuse_shared_cards(held, known)
    sizes = [len(hand) for hand in held]
    if len(set(sizes)) > 1:
        raise RequestError(f"hands: got hands of {', '.join(map(str, sizes))} cards; allowed: hands of one size")
    if knocker is not None:
        knocker = whole_number("knocker", knocker, 0, len(held) - 1)
    result = settlement([count(mask(hand), known) for hand in held], knocker, known)
    return replace(result, warnings=tuple(_warnings(result, sizes[0], knocker, known)))


def _read_hands(given: Sequence[str | Iterable[object]], rules: Rules) -> list[list[int]]:
    held: list[list[int]] = []
    problems: list[str] = []
    for player, hand in enumerate(given):
        try:
            held.append(hand_of(hand, rules, argument=f"hand of player {player}"))
        except RequestError as error:
            problems += error.lines
    if problems:
        raise RequestError(*problems)
    return held


def _refuse_shared_cards(held: list[list[int]], rules: Rules) -> None:
    problems = []
    owner: dict[int, int] = {}
    jokers = 0
    for player, hand in enumerate(held):
        for card in hand:
            if card_text(card) == "**":
                jokers += 1
            elif card in owner:
                problems.append(
                    f"hands: got {card_text(card)} in the hands of players {owner[card]} and {player}; "
                    "allowed: each card in one place"
                )
            else:
                owner[card] = player
    if jokers > rules.jokers:
        problems.append(f"hands: got {jokers} jokers; allowed: {rules.jokers} (rules {rules})")
    if problems:
        raise RequestError(*problems)


def _warnings(result: Settlement, size: int, knocker: int | None, rules: Rules) -> Iterable[str]:
    players = len(result.deadwood)
    expected = rules.hand_size[players - _FEWEST]
    if size != expected:
        cards = f"{size} card{'s' * (size != 1)}"
        yield f"hands of {cards}, where the rules give {players} players {expected}; scored all the same"
    if knocker is not None and rules.knock_limit is not None and result.deadwood[knocker] > rules.knock_limit:
        yield (
            f"player {knocker} knocked with {result.deadwood[knocker]}, above the limit of {rules.knock_limit}; "
            "scored all the same"
        )
