"""What opponents hold on each own turn, counted in chunks of blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from rumsim import decks
from rumsim.bots.threshold import NEVER
from rumsim.engine.odds import Tallies, Watched
from rumsim.engine.requests import MOST_PLAYERS, Game, Seating, game_of, new_room
from rumsim.tasks.response import Question
from rumsim.tasks.seating import seating_of_tables

MOST_OWN_TURNS = 250  # that are counted: with two players all of a deal of 500 turns, the usual max_turns
PLACES = 321  # counts 0 to 320: 26 cards, two of them jokers of 40 and all others tens
CHUNK = 1024  # blocks: less than a second even if deals end only after their last turn


@dataclass(frozen=True)
class OddsSums:
    """Sums over whole blocks.

    Attributes
    ----------
    blocks : int
        Blocks played.
    tallies : Tallies
        What was counted.  No sum wraps: the largest, the square of a block's sum of 20 counts up to 320, is below 2^26
        a block, and 2^37 blocks are far more than are accepted.
    """

    blocks: int
    tallies: Tallies

    def __add__(self, other: OddsSums) -> OddsSums:
        """Merge the sums of two disjoint ranges of blocks; exact, so the order does not matter."""
        sums = (one + another for one, another in zip(self.tallies, other.tallies, strict=True))
        return OddsSums(self.blocks + other.blocks, Tallies(*sums))


@dataclass(frozen=True)
class CountOdds:
    """A player who never knocks against opponents who do, to be watched on the decks of a seed.

    Attributes
    ----------
    question : Question
        Who plays.
    seed : int
        Of the decks.
    """

    question: Question
    seed: int

    @property
    def own_turns(self) -> int:
        """How many own turns are counted."""
        players = self.question.players
        return min(MOST_OWN_TURNS, -(-self.question.rules.max_turns // players))

    def empty(self) -> OddsSums:
        """Return the sums of no block."""
        turns, players = self.own_turns, self.question.players
        by_seat = (turns, players), (turns, players, PLACES), (turns, players, PLACES), (turns, players)
        together = (turns,), *[(turns, PLACES)] * 3, (turns, 2), (turns, 2)
        return OddsSums(0, Tallies(*(np.zeros(shape, np.int64) for shape in (*by_seat, *together))))

    def run(self, first: int, last: int) -> OddsSums:
        """Play the blocks from ``first`` up to, not including, ``last``."""
        from rumsim.engine.odds import count_opponents

        game, seating, chances, key = self._table
        # Tables are filled anew in every deal, and threads run the same task.
        alone = seating._replace(
            draw=seating.draw.copy(), margin=seating.margin.copy(), knock=seating.knock.copy(), door=seating.door.copy()
        )
        watched = Watched(
            log=np.zeros((game.max_turns, 1), np.int64),
            last=np.zeros(MOST_PLAYERS, np.int64),
            lowest=np.zeros((self.own_turns, MOST_PLAYERS), np.int64),
            total=np.zeros((self.own_turns, MOST_PLAYERS), np.int64),
            depth=np.zeros(MOST_PLAYERS, np.int64),
        )
        tallies = self.empty().tallies
        count_opponents(game, alone, chances, key, first, last - first, new_room(), watched, tallies)
        return OddsSums(last - first, tallies)

    @cached_property
    def _table(self) -> tuple[Game, Seating, npt.NDArray[np.float64], np.uint64]:
        asked, players = self.question, self.question.players
        game = game_of(asked.rules, players)
        game = game._replace(max_turns=min(game.max_turns, self.own_turns * players))  # what follows is not counted
        studied = replace(asked.bot, knock=((NEVER,),))
        tables = [[bot] * players for bot in (*asked.opponents.bots, *[studied] * (players + 1))]
        chances = np.array([float(up) for up in accumulate(asked.opponents.weights)])
        return game, seating_of_tables(tables, asked.rules), chances, np.uint64(decks.key_of(self.seed))
