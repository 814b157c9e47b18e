"""A settlement in words: who collects what, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from rumsim.melds import Arrangement
from rumsim.report.hands import hand_line, wrapped
from rumsim.rules import Rules
from rumsim.settlement import Settlement

Namer = Callable[[int], str]


def plain_name(player: int) -> str:
    """Name a player who is not at the keyboard.

    Examples
    --------
    >>> plain_name(1)
    'player 1'
    """
    return f"player {player}"


def hands_lines(
    hands: Sequence[Arrangement], knocker: int | None, winners: Sequence[int], name: Namer, symbols: bool
) -> list[str]:
    """List all hands: the count, the melds and loose cards, who knocked and who won.

    Examples
    --------
    >>> from rumsim.melds import deadwood
    >>> hands_lines([deadwood("4H 5H 6H 8D"), deadwood("AS AC AD KD")], 0, [0], plain_name, symbols=False)
    ['  player 0    8  4H-5H-6H  |  8D  (knocked, wins)', '  player 1   10  AS-AD-AC  |  KD']
    """
    width = max(len(name(player)) for player in range(len(hands)))
    lines = []
    for player, hand in enumerate(hands):
        notes = ["knocked"] * (player == knocker)
        notes += ["wins" if len(winners) == 1 else "shares"] * (player in winners)
        note = f"  ({', '.join(notes)})" if notes else ""
        text = f"  {name(player):<{width}}  {hand.deadwood:>3}  {hand_line(hand, symbols)}{note}"
        lines += wrapped(text, indent=width + 9)
    return lines


def settlement_lines(result: Settlement, knocker: int | None, rules: Rules, name: Namer = plain_name) -> list[str]:
    r"""Explain who pays whom.

    Parameters
    ----------
    result : Settlement
        Any deal's, a stalled one with no winners included.
    knocker : int or None
        The player who knocked.
    rules : Rules
        The amounts.
    name : callable
        How to call a player.

    Returns
    -------
    list of str
        The reason, a line for each player who pays, who collects, and the ledger.

    Examples
    --------
    >>> from rumsim.settlement import settle
    >>> from rumsim.rules import parse_rules
    >>> result = settle(["4H 5H 6H QC QD QS 8D", "AS AH AD 7C 8C 9C 3H"], knocker=0)
    >>> print("\n".join(settlement_lines(result, 0, parse_rules("ledger"))))
    Player 0 knocked with 8 and is undercut: player 1 has 3.
      player 0 pays 8 - 3 = 5 and 10 for being undercut: 15
      player 1 collects 15
    Ledger: player 0 -15, player 1 +15
    """
    lines = wrapped(_reason(result, knocker, rules, name), indent=2)
    if result.winners:
        lines += ["  " + line for line in _payments(result, knocker, rules, name)]
    entries = (f"{name(player)} {_signed(amount)}" for player, amount in enumerate(result.transfers))
    return [*lines, *wrapped("Ledger: " + ", ".join(entries), indent=8)]


def _reason(result: Settlement, knocker: int | None, rules: Rules, name: Namer) -> str:
    if not result.winners:
        return "The deal is stalled: nobody wins, nothing is paid."
    lowest = min(result.deadwood)
    who = _list(name(player) for player in result.winners)
    have = "has" if len(result.winners) == 1 else "have"
    if knocker is None:
        return f"Nobody knocked, hands are compared: {who} {have} the least, {lowest}."
    knock = f"{_capital(name(knocker))} knocked with {result.deadwood[knocker]}"
    if result.rum:
        zeros = [player for player, count in enumerate(result.deadwood) if count == 0 and player != knocker]
        beaten = f", also against the 0 of {_list(map(name, zeros))}" if zeros else ""
        return f"{knock}: rum{beaten}.  Each opponent pays their count and {rules.rum_bonus} more."
    if result.undercut:
        return f"{knock} and is undercut: {who} {have} {lowest}."
    if result.tied:
        collect = "collects" if len(result.winners) == 1 else "collect"
        return f"{knock} and is tied: {who} {have} {lowest} too and {collect}."
    return f"{knock}, the least of all."


def _payments(result: Settlement, knocker: int | None, rules: Rules, name: Namer) -> list[str]:
    lowest = min(result.deadwood)
    lines = []
    pot = 0
    for player, count in enumerate(result.deadwood):
        if player in result.winners:
            continue
        extra, why = 0, ""
        if result.rum:
            paid, extra, why = count, rules.rum_bonus, "for the rum"
        else:
            paid = count - lowest
            if player == knocker and result.undercut:
                extra, why = rules.undercut, "for being undercut"
            elif player == knocker and result.tied and rules.tie == "penalty":
                extra, why = rules.undercut, "as a tied knocker"
        pot += paid + extra
        lines.append(f"{name(player)} pays " + _sum(count, 0 if result.rum else lowest, extra, why))
    each = Fraction(pot, len(result.winners))
    if len(result.winners) == 1:
        lines.append(f"{name(result.winners[0])} collects {each}")
    else:
        lines.append(f"{_list(map(name, result.winners))} share {pot}: {each} each")
    return lines


def _sum(count: int, lowest: int, extra: int, why: str) -> str:
    own = count - lowest
    if own == 0 and extra == 0:
        return "nothing"
    first = f"{count} - {lowest} = {own}" if lowest else str(own)
    if not extra:
        return first
    return f"{extra} {why}" if own == 0 else f"{first} and {extra} {why}: {own + extra}"


def _signed(amount: Fraction) -> str:
    return f"+{amount}" if amount > 0 else str(amount)


def _list(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
