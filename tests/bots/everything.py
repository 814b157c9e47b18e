"""Decides by a number made of all that a view shows, so that no difference between two views stays hidden."""


def mixed(total, number):
    return (total * 31 + number % 1000003) % 2147483647


def digest(view):
    total = 0
    total = mixed(total, view.players)
    total = mixed(total, view.player)
    total = mixed(total, view.seat)
    total = mixed(total, view.hand)
    total = mixed(total, view.upcard)
    total = mixed(total, view.drawn)
    total = mixed(total, view.taken)
    total = mixed(total, view.stock)
    total = mixed(total, view.pile)
    total = mixed(total, view.own_turn)
    total = mixed(total, view.table_turn)
    total = mixed(total, view.knock_limit)
    for turns in view.turns:
        total = mixed(total, turns)
    for turn in view.seen:
        total = mixed(mixed(mixed(total, turn.player), turn.card), turn.discard)
    for card in view.cards(view.pile):
        total = mixed(mixed(total, card), view.points(card))
    best, left = view.best_discard()
    return mixed(mixed(mixed(total, view.deadwood(view.hand)), best), left)


def take_upcard(view, often=3):
    best, left = view.best_discard_with_upcard()
    return mixed(mixed(digest(view), best), left) // 7 % often == 0


def give_back(view, rarely=12):
    total = digest(view) // 7
    cards = 0
    for card in view.cards(view.hand):
        cards += card != view.taken
    chosen = total % cards
    given = -1
    for card in view.cards(view.hand):
        if card != view.taken:
            if chosen == 0:
                given = card
            chosen -= 1
    left = view.deadwood(view.hand & ~(1 << given))
    return given, left <= view.knock_limit and total // 64 % rarely == 0
