"""Uses all that a view has: helpers, constants, history, turns, cards one by one."""

import math

DANGER = (0.0, 0.5, 1.0, 2.0)


def dear(view, card):
    return view.points(card) >= 8


def takers(view):
    found = 0
    for turn in view.seen:
        if turn.player != view.player and turn.card >= 0:
            found += 1
    return found


def take_upcard(view, margin=1, eager=True):
    _, left = view.best_discard_with_upcard()
    first = view.own_turn == 1 and view.stock > 10 + view.seat
    return left <= view.deadwood(view.hand) - margin or (eager and first and not dear(view, view.upcard))


def give_back(view, knock=10, caution=1.5):
    best, fewest = -1, 999
    for card in view.cards(view.hand):
        if card == view.taken:
            continue
        left = view.deadwood(view.hand & ~(1 << card)) * 2
        if view.pile >> card % 13 & 1 or (view.upcard >= 0 and view.upcard % 13 == card % 13):
            left -= 1
        if len(view.seen) > 0 and view.seen[-1].discard % 13 == card % 13:
            left -= 1
        if left < fewest:
            best, fewest = card, left
    left = view.deadwood(view.hand & ~(1 << best))
    again, points = view.best_discard_of(view.hand, best)
    if points < left and again != view.drawn:
        best, left = again, points
    patience = sum(view.turns) / 10 + math.sqrt(view.table_turn) + view.players
    return best, left <= min(knock - caution * DANGER[min(takers(view), 3)] + patience, view.knock_limit)
