"""Monte Carlo strategy research for Knock Rummy, whose one question is when to knock.

The verbs of the command line under the same names; each module is imported when one of its names is first used,
so that reading cards does not wait for a compiler.

Examples
--------
>>> import rumsim
>>> rumsim.deadwood("4H 5H 6H QC QD QS 8D").deadwood
8
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # what type checkers know otherwise; typing would be half of what starts before Ctrl-C is heard
if TYPE_CHECKING:
    from rumsim.bots import parse_bot as parse_bot
    from rumsim.errors import NotWritten as NotWritten
    from rumsim.errors import RequestError as RequestError
    from rumsim.lab.advise import advise as advise
    from rumsim.lab.equilibrium import equilibrium as equilibrium
    from rumsim.lab.evaluator import best_discard as best_discard
    from rumsim.lab.evaluator import min_deadwood as min_deadwood
    from rumsim.lab.odds import odds as odds
    from rumsim.lab.play import play as play
    from rumsim.lab.replay import replay as replay
    from rumsim.lab.respond import respond as respond
    from rumsim.lab.session import session as session
    from rumsim.lab.simulate import simulate as simulate
    from rumsim.lab.sweep import sweep as sweep
    from rumsim.melds import deadwood as deadwood
    from rumsim.rules import Rules as Rules
    from rumsim.rules import parse_rules as parse_rules
    from rumsim.settlement import settle as settle

_PUBLIC = {
    "NotWritten": "rumsim.errors",
    "RequestError": "rumsim.errors",
    "Rules": "rumsim.rules",
    "advise": "rumsim.lab.advise",
    "best_discard": "rumsim.lab.evaluator",
    "deadwood": "rumsim.melds",
    "equilibrium": "rumsim.lab.equilibrium",
    "min_deadwood": "rumsim.lab.evaluator",
    "odds": "rumsim.lab.odds",
    "parse_bot": "rumsim.bots",
    "parse_rules": "rumsim.rules",
    "play": "rumsim.lab.play",
    "replay": "rumsim.lab.replay",
    "respond": "rumsim.lab.respond",
    "session": "rumsim.lab.session",
    "settle": "rumsim.settlement",
    "simulate": "rumsim.lab.simulate",
    "sweep": "rumsim.lab.sweep",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        from importlib import import_module

        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'rumsim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
