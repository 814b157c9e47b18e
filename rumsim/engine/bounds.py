"""How large sums can become, so that no kernel is given more blocks than its whole numbers hold.

For each accumulator: what one block can add at most, from the rules; and what holds it.  With N players, in twelfths:

* A hand of s cards counts at most s times the dearest card.  A seat pays at most that and the larger of ``undercut``
  and ``rum_bonus`` (a tie costs no more than ``undercut``), in all P = 12 (s · dearest + larger).
* Transfers sum to zero and at most N - 1 seats pay, so any group of seats together gets or gives at most P (N - 1) in a
  deal, and in the N deals of a block at most A = P (N - 1) N.  That is the bound of every total of a block, by bot and
  by seat, and A² that of their squares and products.
* Win shares of a deal sum to 60 at most, so W = 60 N bounds totals of a block and W² their squares.
* A deal ends once and has at most one knock: N a block.  It has at most ``max_turns`` turns: N · max_turns a block.

=============  ==============================  =====================  ==================================
kernel         accumulator                     most that a block adds  held by
=============  ==============================  =====================  ==================================
play_blocks    points, seat_points             A                      int64, :func:`most_blocks`
play_blocks    points_products, seat_squares   A²                     int64, :func:`most_blocks`
play_blocks    wins, seat_wins                 W                      int64, :func:`most_blocks`
play_blocks    wins_squares, …                 W²                     int64, :func:`most_blocks`
play_blocks    ends, knock_counts, knock_turns N                      int64, :func:`most_blocks`
play_blocks    turns                           N · max_turns          int64, :func:`most_blocks`
trace_grid     points and squares of a cell    A, A²; jumps twice to  packed: :func:`most_packed`; then
               wins and squares of a cell      four times as much     int64, :func:`most_blocks`
trace_grid     ends of a cell, each way        N                      20 bits: ``GRID_BLOCKS`` blocks
trace_grid     turns of a cell                 N · max_turns          int64, :func:`most_blocks`
play_sessions  ledger of one session           P (N - 1) · deals      int64: no sum over blocks
trace_blocks   points of a seat at a turn      P (N - 1)              int32: no sum over blocks
trace_blocks   counts; wins                    s · dearest; 60        int16: no sum over blocks
best_schedule  gains of a count                2 P (N - 1)            int64, :func:`most_blocks`
constant_…     totals of a count               2 P (N - 1)            int64, :func:`most_blocks`
weigh          sums; products (F futures)      F P (N - 1); squared   int64, :func:`most_decks`
=============  ==============================  =====================  ==================================

Chunks of blocks are merged by :func:`rumsim.tasks.sums.exact_sum`, which takes Python's whole numbers where 64 bits
would not do.
"""

from __future__ import annotations

from rumsim.engine.requests import SIXTIETHS, TWELFTHS, Game

HOLDS = (1 << 62) - 1  # half of what an int64 does: no doubt about the last unit
GRID_BLOCKS = 1 << 15  # between sums of a sheet: twenty bits hold how often N deals of a block ended so


def most_points(game: Game) -> int:
    """Return how many twelfths of a point any group of seats can get, or give, in one deal.

    Examples
    --------
    >>> from rumsim.engine.requests import game_of
    >>> from rumsim.rules import parse_rules
    >>> most_points(game_of(parse_rules("ledger"), 2))  # 10 cards of 10 points, and rum
    1500
    """
    dearest = max(10, game.jokers.value if game.jokers else 0)
    return TWELFTHS * (game.size * dearest + max(game.undercut, game.rum_bonus)) * (game.players - 1)


def most_blocks(game: Game) -> int:
    """Return how many blocks one call of a kernel may add up.

    Examples
    --------
    >>> from rumsim.engine.requests import game_of
    >>> from rumsim.rules import parse_rules
    >>> dear = "traditional:undercut=1000,rum_bonus=1000,jokers=2,joker_value=40,hand_size=10"
    >>> most_blocks(game_of(parse_rules(dear), 5)), most_blocks(game_of(parse_rules("ledger"), 2))
    (40848976, 512409557603)
    """
    points, wins = most_points(game) * game.players, SIXTIETHS * game.players
    return HOLDS // max(points**2, wins**2, game.players * game.max_turns)


def most_decks(game: Game, futures: int) -> int:
    """Return how many decks one call may weigh actions on, each in so many futures.

    Examples
    --------
    >>> from rumsim.engine.requests import game_of
    >>> from rumsim.rules import parse_rules
    >>> most_decks(game_of(parse_rules("ledger"), 2), 32)
    2001599834
    """
    return HOLDS // (futures * max(most_points(game), SIXTIETHS)) ** 2
