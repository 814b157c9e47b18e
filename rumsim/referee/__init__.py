"""The referee: one deal in plain Python, readable, the specification of the engine."""

from rumsim.referee.deal import Deal, IllegalTurn, Turn
from rumsim.referee.record import RecordedDeal
from rumsim.referee.session import play_session
from rumsim.referee.view import Player, PublicTurn, Standing, View

__all__ = ["Deal", "IllegalTurn", "Player", "PublicTurn", "RecordedDeal", "Standing", "Turn", "View", "play_session"]
