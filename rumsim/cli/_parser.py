"""Options of one command: argparse splits the words, errors are worded as all errors of rumsim are.

Why not cyclopts: importing it takes 0.17 to 0.21 s here and its help 0.2 to 0.35 s, where `rumsim --help` has
0.3 s for everything; argparse takes 0.05 s.  cyclopts would also read `0x10` and `2.0` as whole numbers.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from rumsim.errors import RequestError

RULES = (
    "a profile with variants and fields, such as ledger or traditional:ace-high,undercut=20, "
    "or a TOML file (default: ledger)"
)


class _Once(argparse.Action):
    """Stores a value and refuses a second one, which argparse would let win in silence."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        before = getattr(namespace, self.dest, None)
        if before is not None:
            raise RequestError(f"{self.dest}: got {before!r} and {values!r}; allowed: one value")
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Reads the words of one command into texts; what they mean is for the command to check."""

    def __init__(self, command: str, description: str, examples: Sequence[str]) -> None:
        super().__init__(
            prog=f"rumsim {command}",
            description=description,
            epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
            formatter_class=_Formatter,
            allow_abbrev=False,
            exit_on_error=False,
        )
        self.allowed: dict[str, str] = {}

    def words(self, name: str, metavar: str, explanation: str) -> None:
        """Take any number of words that belong to no option."""
        self.add_argument(name, nargs="*", metavar=metavar, help=explanation)
        self.allowed[name] = explanation

    def value(self, option: str, metavar: str, explanation: str) -> None:
        """Add an option with one value, given at most once."""
        self.add_argument(option, action=_Once, metavar=metavar, help=explanation)
        self.allowed[option] = explanation

    def values(self, option: str, metavar: str, explanation: str) -> None:
        """Add an option with several values, after one option or by repeating it."""
        self.add_argument(option, action="extend", nargs="+", metavar=metavar, help=explanation)
        self.allowed[option] = explanation

    def flag(self, option: str, explanation: str) -> None:
        """Add an option without a value."""
        self.add_argument(option, action="store_true", help=explanation)

    def rules_option(self) -> None:
        """Add ``--rules``."""
        self.value("--rules", "RULES", RULES)

    def json_option(self, explanation: str = "print one JSON document instead of text") -> None:
        """Add ``--json``."""
        self.flag("--json", explanation)

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Split the words of a command line.

        Raises
        ------
        RequestError
            For unknown options, missing or surplus values and words that belong nowhere.
        """
        try:
            found, rest = self.parse_known_intermixed_args(words)
        except argparse.ArgumentError as error:
            raise self._reworded(error) from None
        if rest:
            raise RequestError(*(self._surplus(word) for word in rest))
        return found

    def error(self, message: str) -> NoReturn:
        """Refuse in the wording of argparse what :meth:`read` has no wording for."""
        raise RequestError(f"arguments: {message}")

    def _reworded(self, error: argparse.ArgumentError) -> RequestError:
        option = error.argument_name or "arguments"
        name = option.removeprefix("--")
        if error.message.startswith("expected"):
            return RequestError(f"{name}: got no value; allowed: {self.allowed.get(option, 'a value')}")
        if given := re.match(r"ignored explicit argument (.*)", error.message):
            return RequestError(f"{name}: got {given[1]}; allowed: {option} alone, without a value")
        return RequestError(f"{name}: {error.message}")

    def _surplus(self, word: str) -> str:
        known = sorted(self._option_string_actions)
        if word.startswith("-"):
            return f"option: got {word.split('=')[0]!r}; allowed: {', '.join(known)}"
        return f"arguments: got {word!r} too many; allowed: {self.format_usage().split(':', 1)[1].strip()}"


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of at most 80 columns, whatever the terminal, with paragraphs and examples as written."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=22, width=80)
