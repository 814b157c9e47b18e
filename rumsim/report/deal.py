"""A deal to read along: what is played, the hands dealt, every turn, the end."""

from __future__ import annotations

import re

from rumsim.cards import SUITS, SYMBOLS, pretty
from rumsim.errors import shortened
from rumsim.melds import arrange
from rumsim.referee import RecordedDeal, Turn
from rumsim.report.hands import cards_text, hand_line, wrapped
from rumsim.report.rules import rules_lines
from rumsim.report.settlement import Namer, hands_lines, plain_name, settlement_lines

_CARD = re.compile(r"\b(10|[A2-9JQK])([SHDC])\b")


def deal_text(deal: RecordedDeal, symbols: bool) -> str:
    """Tell a whole deal.

    Parameters
    ----------
    deal : RecordedDeal
        Finished or open.
    symbols : bool
        Whether to write suits as symbols rather than letters.

    Returns
    -------
    str
        Lines of at most 80 columns where cards and bots' texts allow it.

    Examples
    --------
    >>> from rumsim import play
    >>> print(deal_text(play(2, "knock=60", seed=1), symbols=False).splitlines()[-1][:6])
    Ledger
    """
    parts = [heading_lines(deal), dealt_lines(deal, symbols)]
    if deal.turns:
        turns = (turn_lines(number, turn, symbols) for number, turn in enumerate(deal.turns, 1))
        parts.append([line for lines in turns for line in lines])
    parts.append(open_lines(deal, symbols) if deal.end == "open" else end_lines(deal, symbols))
    return "\n\n".join("\n".join(lines) for lines in parts)


def heading_lines(deal: RecordedDeal) -> list[str]:
    """Say what is played, by whom, and who deals."""
    lines = [*rules_lines(deal.rules, deal.players), ""]
    for player in range(deal.players):
        bot = None if deal.bots is None else deal.bots[player]
        bot = None if bot is None else shortened(" ".join(bot.split()), 400)  # a record may say anything
        dealer = "  (dealer)" if player == deal.dealer else ""
        lines += wrapped(f"{plain_name(player)}  {bot or 'no bot named'}{dealer}", indent=10)
    return lines


def dealt_lines(deal: RecordedDeal, symbols: bool) -> list[str]:
    """Show the hands dealt, their counts, and the first upcard."""
    lines = ["Hands dealt"]
    for player, cards in enumerate(deal.dealt):
        hand = arrange(cards, deal.rules)
        lines += wrapped(f"  {plain_name(player)}  {hand.deadwood:>3}  {hand_line(hand, symbols)}", indent=17)
    return [*lines, f"First upcard: {pretty(deal.first_upcard, symbols)}"]


def turn_lines(number: int, turn: Turn, symbols: bool) -> list[str]:
    """Tell one turn: what was drawn and why, what was given back, the count before and after."""
    lines = []
    if turn.reshuffle is not None:
        lines.append(f"     the stock is renewed: {len(turn.reshuffle)} cards of the discard pile, shuffled")
    if turn.draw == "decline":
        lines.append(f"{'':>3}  {plain_name(turn.player)}  declines the upcard on an empty stock")
    else:
        counts = f"{turn.before} -> {turn.deadwood}"
        lines.append(f"{number:>3}  {plain_name(turn.player)}  {turn_words(turn, symbols):<54} {counts:>10}")
    knock = f"{'' if turn.knock else 'no '}knock: {turn.why_knock}" if turn.why_knock else ""
    if why := "; ".join(reason for reason in (turn.why_draw, knock) if reason):
        lines += wrapped(f"{'':7}{with_symbols(why, symbols)}", indent=7)
    return lines


def turn_words(turn: Turn, symbols: bool, hidden: bool = False) -> str:
    """Say what a player drew and gave back; ``hidden`` leaves out what the others cannot see."""
    assert turn.card is not None and turn.discard is not None
    drawn, given = pretty(turn.card, symbols), pretty(turn.discard, symbols)
    if turn.draw == "upcard":
        draws = f"takes the upcard {drawn}"
    else:
        draws = "draws from the stock" if hidden else f"draws {drawn} from the stock"
    if turn.knock and hidden:
        return f"{draws} and KNOCKS"
    gives = "gives it back" if turn.card == turn.discard and not hidden else f"gives back {given}"
    return f"{draws}, {gives}" + (" and KNOCKS" if turn.knock else "")


def end_lines(deal: RecordedDeal, symbols: bool, name: Namer = plain_name) -> list[str]:
    """Show how a finished deal ended: all hands, who collects what and why."""
    assert deal.settlement is not None
    turns = sum(turn.draw != "decline" for turn in deal.turns)
    ends = {
        "knock": f"{name(deal.knocker or 0)} knocks on table turn {turns}.",
        "exhausted": f"The stock is empty and the upcard declined after {turns} table turns.",
        "stalled": f"No end in sight: stopped after {turns} table turns.",
    }
    how = ends[deal.end]
    hands = [arrange(hand, deal.rules) for hand in deal.hands]
    return [
        how[:1].upper() + how[1:],
        *hands_lines(hands, deal.knocker, deal.settlement.winners, name, symbols),
        "",
        *settlement_lines(deal.settlement, deal.knocker, deal.rules, name),
    ]


def open_lines(deal: RecordedDeal, symbols: bool) -> list[str]:
    """Show where a deal stands that is not over."""
    hands = [arrange(hand, deal.rules) for hand in deal.hands]
    lines = [f"The deal is not over: {plain_name(deal.next)} moves next."]
    if deal.new_stock:
        lines += wrapped(
            f"First the stock must be renewed; shuffle these {len(deal.new_stock)} cards: "
            + cards_text(deal.new_stock, symbols),
            indent=2,
        )
    lines += hands_lines(hands, None, (), plain_name, symbols)
    lines.append(f"Upcard: {pretty(deal.upcard, symbols)}")
    return lines + wrapped(f"Stock, top first: {cards_text(deal.stock, symbols) or 'empty'}", indent=2)


def with_symbols(text: str, symbols: bool) -> str:
    """Write the cards inside a sentence with suit symbols, if they can be shown.

    Examples
    --------
    >>> with_symbols("10D melds", symbols=False)
    '10D melds'
    """
    return _CARD.sub(lambda card: card[1] + SYMBOLS[SUITS.index(card[2])], text) if symbols else text
