"""The referee: one deal in plain Python, readable, the specification of the engine."""

from rumsim.referee.deal import Deal, IllegalTurn, Turn
from rumsim.referee.play import play
from rumsim.referee.record import RecordedDeal
from rumsim.referee.replay import replay
from rumsim.referee.view import PublicTurn, View

__all__ = ["Deal", "IllegalTurn", "PublicTurn", "RecordedDeal", "Turn", "View", "play", "replay"]
