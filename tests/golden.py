"""Digests of the integer sums of fixed requests.  ``python -m tests.golden`` writes them anew to ``golden.json``."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from rumsim.bots import table_bots
from rumsim.engine.session_requests import SessionRows
from rumsim.rules import parse_rules
from rumsim.session_rules import Format
from rumsim.tasks import RESULTS_VERSION
from rumsim.tasks.direct import Direct
from rumsim.tasks.sessions import Sessions
from rumsim.tasks.sums import DealSums

FILE = Path(__file__).with_name("golden.json")
WHAT_TO_DO = (
    "The same request gives other numbers than before. If that is no mistake, raise RESULTS_VERSION in "
    "rumsim/tasks/__init__.py, say so in CHANGELOG.md under Results, and run: python -m tests.golden"
)


@dataclass(frozen=True)
class Request:
    rules: str
    players: int
    bots: str
    seed: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.rules} | {self.players} | {self.bots} | seed {self.seed} | blocks {self.first} to {self.last}"

    @property
    def task(self) -> Direct:
        bots = self.bots.split()
        entry_of = tuple(min(player, len(bots) - 1) for player in range(self.players))
        return Direct(parse_rules(self.rules), tuple(table_bots(bots, self.players)), entry_of, self.seed)

    def digest(self) -> str:
        return digest(self.task.run(self.first, self.last))


@dataclass(frozen=True)
class SessionRequest:
    """Sessions: of what became of each, not of sums."""

    rules: str
    players: int
    bots: str
    format: Format
    seed: int
    first: int
    last: int

    def __str__(self) -> str:
        words = f"{self.rules} | {self.players} | {self.bots} | seed {self.seed} | blocks {self.first} to {self.last}"
        return f"{self.format} | {words}"

    def digest(self) -> str:
        bots = self.bots.split()
        entry_of = tuple(min(player, len(bots) - 1) for player in range(self.players))
        seated = tuple(table_bots(bots, self.players))
        rows = Sessions(parse_rules(self.rules), self.format, seated, entry_of, self.seed).rows(self.first, self.last)
        return digest(rows)


REQUESTS = [
    Request("ledger", 2, "knock=30 knock=10", 0, 0, 5000),
    Request("ledger", 3, "knock=25,draw=meld knock=12,draw=stock", 1, 0, 3000),
    Request("ledger", 4, "knock=40/35/30/20/10,draw=improve:2 knock=20", 7, 0, 3000),
    Request("ledger", 5, "knock=8 knock=16 knock=24 knock=32 knock=never", 123456789, 0, 2000),
    Request("traditional", 2, "knock=0,draw=improve:0 knock=5,draw=meld", 0, 0, 2000),
    Request("traditional", 3, "knock=20,draw=always knock=20,draw=stock knock=20,draw=meld", 3, 0, 3000),
    Request("traditional", 4, "knock=10+20+30+never/40,draw=meld knock=15", 1 << 64, 0, 3000),
    Request("traditional", 5, "knock=25", 10**40, 0, 2000),
    Request("ledger:rum-knock,ace-high", 2, "knock=200,draw=improve:12 knock=9", 5, 0, 3000),
    Request("ledger:no-knock,max_turns=60", 3, "knock=never/never/0,draw=stock knock=0", 6, 0, 2000),
    Request("traditional:seven,ace-high,undercut=1000,rum_bonus=1", 5, "knock=35 knock=3,draw=meld", 8, 0, 2000),
    Request("traditional:hand_size=1/2/12/9,max_turns=25,undercut=0", 4, "knock=70 knock=45,draw=always", 9, 0, 2000),
    Request("ledger:joker-knock", 4, "knock=20 knock=12,draw=meld", 4, 0, 2000),
    Request("traditional:jokers=1,joker_value=40,min_naturals=2,ace-high", 3, "knock=30/20 knock=9", 5, 0, 2000),
    Request("ledger:tie=penalty,hand_size=3", 4, "knock=6 knock=4,draw=stock", 2, (1 << 32) - 700, (1 << 32) + 700),
]

CLOSERS = "closer:knock=30,draw=meld closer:knock=10/8,near=60,more=9,hope=3 knock=25"
SESSIONS = [
    SessionRequest("ledger", 3, CLOSERS, Format("rotation"), 0, 0, 300),
    SessionRequest("traditional:joker-knock", 3, CLOSERS, Format("cumulative", deals=4), 1, 7, 90),
    SessionRequest("ledger:ace-high", 4, "closer:knock=25 knock=12", Format("match", target=60), 2, 0, 60),
    SessionRequest(
        "ledger", 5, "knock=40 closer:knock=30", Format("pool", rebuys=1, max_deals=200), 3, 1 << 40, (1 << 40) + 9
    ),
]


def digest(sums: DealSums | SessionRows) -> str:
    """SHA-256 of every sum with its name and shape, numbers as little-endian int64."""
    found = hashlib.sha256()
    for name in sums._fields if isinstance(sums, SessionRows) else [field.name for field in fields(sums)]:
        numbers = np.asarray(getattr(sums, name), "<i8")
        found.update(f"{name} {numbers.shape}\n".encode() + numbers.tobytes())
    return found.hexdigest()


def computed() -> dict[str, str]:
    return {str(request): request.digest() for request in [*REQUESTS, *SESSIONS]}


def recorded() -> tuple[int, dict[str, str]]:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    return written["results_version"], written["digests"]


def moved(digests: dict[str, str]) -> list[str]:
    """Name the requests that were recorded with this results version and other numbers."""
    version, before = recorded()
    return [name for name in digests if version >= RESULTS_VERSION and before.get(name, digests[name]) != digests[name]]


def main() -> int:
    digests = computed()
    if FILE.exists() and (names := moved(digests)):
        print(WHAT_TO_DO, *names, sep="\n  ", file=sys.stderr)
        return 1
    text = json.dumps({"results_version": RESULTS_VERSION, "digests": digests}, indent=2)
    FILE.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
