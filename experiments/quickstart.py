"""A first look: which knock threshold earns most against people who knock at 10, or at 25?

Question   How does the own threshold change what a player earns and how often it wins, with 2 to 5 players?
Design     A focal bot with thresholds 0, 1, … 60 against opponents at 10 and at 25, both profiles, all rotations,
           the same decks in every cell; more than ten million deals a curve, read off traces. The best thresholds are
           confirmed on other decks.
Seeds      1 to search, 2 to confirm
Runtime    under a minute
Finding    in results/quickstart/: tables and charts, a folder a profile.
"""

from __future__ import annotations

import os
from pathlib import Path

from rumsim.lab.sweep import sweep

RESULTS = Path(__file__).parent.parent / "results" / "quickstart"
PLAYERS, THRESHOLDS, TABLE = (2, 3, 4, 5), "0:60:1", (10, 25)
BLOCKS, SEED = 100_000, 1  # 61 thresholds x 2 players x 100,000 blocks are 12,200,000 deals, the shortest curve

NEXT = """\
Three lines to type next (with .venv/bin/ in front, or the environment activated):
  rumsim play --players 3 --me 0
  rumsim simulate --players 4 --bots knock=30 knock=10 --blocks 50000
  rumsim sweep --players 3 --thresholds 0:60:5 --table 15 --blocks 20000 --out out/first"""


def main() -> None:
    """Play, print the tables, write them with the charts."""
    for profile in ("ledger", "traditional"):
        print(f"playing {profile} …", flush=True)
        found = sweep(
            PLAYERS,
            THRESHOLDS,
            BLOCKS,
            profile,
            seed=SEED,
            table=TABLE,
            jobs=os.cpu_count() or 1,
            out=RESULTS / profile,
            progress=True,
        )
        print(f"\n{found.summary()}\n")
        for path in sorted((RESULTS / profile).iterdir()):
            print(f"wrote results/quickstart/{profile}/{path.name}")
    print(f"\n{NEXT}")


if __name__ == "__main__":
    main()
