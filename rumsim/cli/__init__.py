"""The command line: one command a file, found by itself.

A command is a module of this package whose name has no leading underscore.  It has a docstring whose first
line is its entry in ``rumsim --help``, a tuple ``EXAMPLES``, ``arguments(parser)`` that declares the words it
takes, and ``run(args)`` that does the work and returns the exit code.  What it needs beyond cards and rules
is imported inside ``run``, so that no command waits for the libraries of another.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from rumsim import __version__
from rumsim.cli import _output
from rumsim.errors import RequestError
from rumsim.runs import listen

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after ``rumsim``; those of the process if not given.

    Returns
    -------
    int
        The exit code: 0 done, 1 the work failed, 2 the request is wrong, 130 interrupted.

    Examples
    --------
    >>> main(["deadwood", "4H 5H 6H 8D", "--json"])
    {"hand": ["4H", "5H", "6H", "8D"], "deadwood": 8, "melds": [["4H", "5H", "6H"]], "unmelded": ["8D"]}
    0
    """
    _output.prepare()
    if argv is None:
        gc.set_threshold(100_000)  # loading numba makes many objects that stay: looking for garbage took 0.1 s
    speaker = "rumsim"
    try:
        from rumsim.cli._requests import decoded

        words = [decoded(word) for word in (sys.argv[1:] if argv is None else argv)]
        command = words[0] if words else None
        if command in commands():
            speaker = f"rumsim {command}"
            listen.speak_as(speaker)
        code = _dispatch(words)
        _output.flush()
        if code == DONE and listen.pressed():
            return _interrupted(speaker, ": what is shown is complete, charts may be missing")
        return code
    except RequestError as error:
        if listen.pressed():  # which libraries may turn into other errors
            return _interrupted(speaker)
        _output.tell(*(f"{speaker}: {_one_line(line)}" for line in error.lines))
        return WRONG
    except BrokenPipeError:  # whoever read our output has seen enough
        _output.abandon()
        return DONE
    except KeyboardInterrupt:
        return _interrupted(speaker)
    except Exception as error:
        if listen.pressed():
            return _interrupted(speaker)
        _report_failure(speaker, error)
        return FAILED


def commands() -> list[str]:
    """List the names of the commands, in alphabetical order."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_"))


def _dispatch(words: list[str]) -> int:
    from rumsim.cli._parser import Parser

    known = commands()
    name, rest = (words[0], words[1:]) if words else ("--help", [])
    if name in ("--help", "-h", "help"):
        _output.put(_overview(known))
    elif name == "--version":
        _output.put(f"rumsim {__version__}")
    elif name in known:
        module = _module(name)
        parser = Parser(name, (module.__doc__ or "").strip(), module.EXAMPLES)
        module.arguments(parser)
        if "--help" in rest or "-h" in rest:
            _output.put(parser.format_help())
        else:
            return int(module.run(parser.read(rest)))
    else:
        raise RequestError(f"command: got {name!r}; allowed: {', '.join(known)} (or --help)")
    return DONE


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def _overview(known: Sequence[str]) -> str:
    first = {name: (_module(name).__doc__ or "").strip().splitlines()[0] for name in known}
    width = max(map(len, known)) + 2
    return "\n".join(
        (
            "usage: rumsim COMMAND [arguments]",
            "",
            "A Monte Carlo toolkit for Knock Rummy.",
            "",
            "commands:",
            *(f"  {name:<{width}}{line}" for name, line in first.items()),
            "",
            "'rumsim COMMAND --help' explains a command, 'rumsim --version' shows the version.",
            "",
            'A hand is one quoted argument: "4H 5H 6H 8D".  Cards are a rank A 2-9 T (or 10)',
            "J Q K, then a suit S H D C or its symbol.  Players and seats count from 0.",
            "",
            "exit codes: 0 done, 1 the work failed, 2 the request is wrong, 130 interrupted",
        )
    )


def _interrupted(speaker: str, more: str = "") -> int:
    listen.told()
    _output.tell(f"{speaker}: interrupted{more}")
    return INTERRUPTED


def _report_failure(speaker: str, error: Exception) -> None:
    if os.environ.get("RUMSIM_DEBUG"):
        import traceback

        _output.tell(traceback.format_exc().rstrip())
    if isinstance(error, OSError):
        what = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
    else:
        what = f"internal error: {type(error).__name__}: {error}"
    _output.tell(f"{speaker}: {_one_line(what)} (RUMSIM_DEBUG=1 shows where)")
    if isinstance(error, OSError):
        _output.abandon()  # it may be the standard output that cannot be written


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
