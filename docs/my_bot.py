"""Take what helps enough, knock low, and lower when opponents have taken much."""


def take_upcard(view, margin=1):
    """Take the upcard if it lowers the count by the margin."""
    _, left = view.best_discard_with_upcard()
    return left <= view.deadwood(view.hand) - margin


def give_back(view, knock=10, caution=1.5):
    """Give back what leaves least; knock at the threshold, less so much for each card that others took."""
    card, left = view.best_discard()
    taken = 0
    for turn in view.seen:
        if turn.player != view.player and turn.card >= 0:
            taken += 1
    return card, left <= min(knock - caution * taken, view.knock_limit)
