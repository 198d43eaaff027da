"""Exact endings of Senet: the chance of winning with few dancers left, looked up in a table.

A table lists the positions before a throw in parts, one for each number of dancers of either side,
and in a part by the ranks of the two masks in the combinatorial number system (Knuth, The Art of
Computer Programming, 7.2.1.3), so that the number of a position is worked out, and never stored.
Those with up to two dancers a side come with the program; ``boardgames solve senet`` makes larger
ones.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

from boardgames_cli.algorithms.endings import (
    ROUNDING,
    SCALE,
    EndingsError,
    EndingsTable,
    EndingsWarning,
    TableFacts,
    parse_table,
    read_table,
    tables_folder,
)
from boardgames_cli.games.senet.board import HOUSES, WATER, bit
from boardgames_cli.games.senet.movement import RULE_SETS
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

MOST: Final = 3
"""The most dancers a side that a table can have; for four it would have 300 million positions."""

BUNDLED: Final = 2
"""The most dancers a side in the tables that come with the program."""


class Part(NamedTuple):
    """The positions of a table with so many dancers on either side."""

    own: int
    """Dancers of the player about to throw."""
    foe: int
    start: int
    """The number of the first position."""
    size: int


@dataclass(frozen=True)
class Layout:
    """The order of the positions in a table; a larger table begins with the smaller one."""

    rules: str
    up_to: int

    @property
    def closed(self) -> int:
        """The houses where nobody ever stands, as a mask."""
        return bit(WATER) if self.rules == "kendall" else 0

    @cached_property
    def houses(self) -> int:
        """How many houses dancers can stand on."""
        return HOUSES - self.closed.bit_count()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts, each only needing those before it and, with the sides changed, itself."""
        found: list[Part] = []
        start = 0
        for most in range(1, self.up_to + 1):
            for least in range(1, most + 1):
                for own, foe in dict.fromkeys([(least, most), (most, least)]):
                    size = comb(self.houses, own) * comb(self.houses - own, foe)
                    found.append(Part(own, foe, start, size))
                    start += size
        return tuple(found)

    @cached_property
    def size(self) -> int:
        """How many positions there are."""
        return sum(part.size for part in self.parts)

    @cached_property
    def starts(self) -> Mapping[tuple[int, int], int]:
        """Where each part begins, by the dancers of the two sides."""
        return {(part.own, part.foe): part.start for part in self.parts}

    def number(self, own: int, foe: int) -> int | None:
        """The number of a position; None if it is not in the table.

        Args:
            own: The houses of the player about to throw.
            foe: Those of the other.
        """
        owns, foes = own.bit_count(), foe.bit_count()
        start = self.starts.get((owns, foes))
        if start is None or (own | foe) & self.closed:
            return None
        block = comb(self.houses - owns, foes)
        return start + rank(own, self.closed) * block + rank(foe, self.closed | own)


def rank(mask: int, closed: int) -> int:
    """The number of a mask among those of as many dancers on all houses that are not closed."""
    found = dancers = 0
    while mask:
        lowest = mask & -mask
        dancers += 1
        found += comb((lowest - 1 & ~closed).bit_count(), dancers)
        mask ^= lowest
    return found


@dataclass(frozen=True)
class Endings:
    """The exact chances of all positions with few dancers, under one rule set."""

    table: EndingsTable
    path: Path | None = None
    """Where the table comes from; None if it came with the program."""

    @staticmethod
    def load(rules: str) -> Endings:
        """The largest table that can be used; a broken one of the user is left out with a warning.

        Args:
            rules: The rule set.
        """
        return _load(rules, _own_path(rules))

    @property
    def up_to(self) -> int:
        """All positions with 1 to so many dancers on either side are known."""
        return self.table.up_to

    @property
    def error(self) -> float:
        """The most by which a chance can be wrong."""
        return self.table.error + ROUNDING

    @cached_property
    def layout(self) -> Layout:
        """The order of the positions."""
        return Layout(self.table.rules, self.table.up_to)

    def chance(self, own: int, foe: int) -> float | None:
        """The chance that the player about to throw wins; None if it is not known.

        Args:
            own: The houses of that player; none if it has won.
            foe: Those of the other.
        """
        if not (own and foe):
            return 0.0 if own else 1.0
        number = self.layout.number(own, foe)
        return None if number is None else self.table.numbers[number] / SCALE

    def value(self, state: SenetState) -> float | None:
        """The chance that the player wins whose turn it is; None if it is not known.

        With a throw to be used it is that of the best move.
        """
        own, foe = state.side(state.player), state.side(1 - state.player)
        if state.steps is None or not (own and foe):
            return self.chance(own, foe)
        chances = self.action_chances(state)
        return None if chances is None else max(chances.values())

    def action_chances(self, state: SenetState) -> dict[str, float] | None:
        """The player's chance after each legal move, by the move's text; None if not known."""
        game = Senet(self.table.rules)
        player = state.player
        found = {}
        for move in game.legal_actions(state, player):
            after = game.apply(state, {player: move})
            chance = self.chance(after.side(after.player), after.side(1 - after.player))
            if chance is None:
                return None
            found[str(move)] = chance if after.player == player else 1 - chance
        return found

    def describe(self) -> str:
        """Which endings are known, in a few words."""
        source = "comes with the program" if self.path is None else str(self.path)
        return f"up to {self.up_to} dancers a side ({self.table.rules}; {source})"


class SenetEndings:
    """Senet's endings for `algorithms.endings.GameEndings`."""

    sizes: Final = tuple(range(1, MOST + 1))
    pieces: Final = "dancers"
    solver: Final = "boardgames_cli.games.senet.fast.solver:SenetSolver"

    def games(self) -> tuple[Senet, ...]:
        """The rulebook of each rule set."""
        return tuple(map(Senet, RULE_SETS))

    def path(self, game: Senet) -> Path:
        """Where the table of the user lies."""
        return _own_path(game.rules)

    def tables(self, game: Senet) -> tuple[TableFacts, ...]:
        """The table that comes with the program, and that of the user if there is one."""
        bundled = TableFacts(game.rules, None, _bundled(game.rules).table)
        path = self.path(game)
        if not _is_there(path):
            return (bundled,)
        try:
            return bundled, TableFacts(game.rules, path, read_own(path, game.rules))
        except EndingsError as error:
            return bundled, TableFacts(game.rules, path, None, error.message)

    def judge(self, game: Senet, state: SenetState) -> tuple[float, dict[str, float]] | None:
        """The exact chance of the player, and after each move if there is a throw to be used."""
        endings = Endings.load(game.rules)
        chance = endings.value(state)
        if chance is None:
            return None
        if state.steps is None:
            return chance, {}
        return chance, endings.action_chances(state) or {}


ENDINGS: Final = SenetEndings()


def read_own(path: Path, rules: str) -> EndingsTable:
    """The table of a file.

    Raises:
        EndingsError: It can't be read, or it is not a table of this rule set.
    """
    return _checked(read_table(path, Senet(rules)), rules, str(path))


def _checked(table: EndingsTable, rules: str, name: str) -> EndingsTable:
    if table.rules != rules:
        raise EndingsError(f"{name} is for the rules {table.rules}, not {rules}.")
    if table.up_to > MOST or len(table.numbers) != Layout(rules, table.up_to).size:
        raise EndingsError(f"{name} is damaged: it has {len(table.numbers)} positions.")
    return table


def _own_path(rules: str) -> Path:
    return tables_folder() / f"senet-{rules}.endings"


@functools.cache
def _load(rules: str, path: Path) -> Endings:
    bundled = _bundled(rules)
    if not _is_there(path):
        return bundled
    try:
        table = read_own(path, rules)
    except EndingsError as error:
        left = f"Only endings with up to {BUNDLED} dancers a side are exact now."
        remedy = f"Remake it: boardgames solve senet --rules {rules}"
        warnings.warn(f"{error.message} {left} {remedy}", EndingsWarning, stacklevel=3)
        return bundled
    return bundled if table.up_to <= BUNDLED else Endings(table, path)


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except (OSError, ValueError):  # where nobody may look, nothing can be used
        return False
    return True


@functools.cache
def _bundled(rules: str) -> Endings:
    file = resources.files(__package__) / "data" / f"{rules}.endings"
    table = parse_table(file.read_bytes(), file.name, Senet(rules))
    return Endings(_checked(table, rules, file.name))
