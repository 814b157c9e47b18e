"""The built-in threshold bot, written as one's own: draw=improve, draw=stock or draw=always, discard=greedy."""


def take_upcard(view, margin=1, always=False, never=False):
    if always or never:
        return always
    _, left = view.best_discard_with_upcard()
    return left <= view.deadwood(view.hand) - margin


def give_back(view, knock=10, early=-1):
    card, left = view.best_discard()
    threshold = early if view.own_turn == 1 and early >= 0 else knock
    return card, left <= min(threshold, view.knock_limit)
