"""Keep the ledger of a real evening.

FILE holds a header - players, rules, format, first dealer - and a line a deal:
counts, hands or transfers. 'rumsim book --new FILE' starts one that explains
itself. Prints every deal, the ledger in exact fractions, who is out, who has
won and who deals next. A wrong line is refused by its number.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rumsim.cli import _output
from rumsim.cli._parser import Parser
from rumsim.cli._requests import as_path, read_text
from rumsim.errors import RequestError

EXAMPLES = ("rumsim book --new friday.txt", "rumsim book friday.txt")


def arguments(parser: Parser) -> None:
    """Declare what the command takes."""
    parser.words("file", "FILE", "the book; - is standard input")
    parser.flag("--new", "start a book in FILE, or print an empty one")
    parser.json_option()


def run(args: Namespace) -> int:
    """Read the book, or start one."""
    from rumsim.book import TEMPLATE, book_lines, read_book

    if len(args.file) > 1:
        raise RequestError(f"file: got {len(args.file)} files; allowed: one")
    if args.new:
        if args.json:
            raise RequestError("json: got it with --new; allowed: one of them")
        _start(args.file, TEMPLATE)
        return 0
    if not args.file:
        raise RequestError("file: got nothing; allowed: the file of a book (--new starts one)")
    book = read_book(read_text("file", args.file[0]))
    if args.json:
        _output.put_json(book.as_json())
    else:
        _output.put("\n".join(book_lines(book)))
    return 0


def _start(files: list[str], template: str) -> None:
    if not files or files[0] == "-":
        _output.put(template)
        return
    path = Path(as_path(files[0]))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:  # never over an old one
            file.write(template)
    except FileExistsError:
        raise RequestError(f"file: got {files[0]!r}, which exists; allowed: a new one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RequestError(f"file: got {files[0]!r}; allowed: a file that can be written ({reason})") from None
    _output.put(f"started {files[0]}: write a line a deal, then look with: rumsim book {files[0]}")
