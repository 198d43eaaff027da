"""Tables of Senet's endings: exact winning probabilities with few dancers left.

A table holds the positions before a throw in parts, one for each pair of numbers of dancers. Within
a part they are ordered by the ranks of the two masks in the combinatorial number system (Knuth, The
Art of Computer Programming, 7.2.1.3), so that the index of a position is computed, not stored.
Tables with up to two dancers per side are bundled; ``boardgames solve senet`` computes larger ones.
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
    EndingsTable,
    EndingsWarning,
    TableFacts,
    parse_table,
    read_table,
    tables_folder,
)
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.games.senet.board import HOUSES, WATER, bit
from boardgames_cli.games.senet.movement import RULE_SETS
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

MOST: Final = 3
"""The maximum number of dancers per side in a table; with four it would have 300 million
positions."""

BUNDLED: Final = 2
"""The maximum number of dancers per side in the bundled tables."""


class Part(NamedTuple):
    """The part of a table for given numbers of dancers."""

    own: int
    """Dancers of the player about to throw."""
    opponent: int
    start: int
    """The index of the first position."""
    size: int


@dataclass(frozen=True)
class TableLayout:
    """The order of positions in a table; smaller tables are prefixes of larger ones."""

    rules: str
    up_to: int

    @property
    def closed(self) -> int:
        """The houses where dancers never stand, as a mask."""
        return bit(WATER) if self.rules == "kendall" else 0

    @cached_property
    def houses(self) -> int:
        """The number of houses where dancers can stand."""
        return HOUSES - self.closed.bit_count()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts in order of dependency: each needs only earlier ones and its mirror image."""
        found: list[Part] = []
        start = 0
        for most in range(1, self.up_to + 1):
            for least in range(1, most + 1):
                for own, opponent in dict.fromkeys([(least, most), (most, least)]):
                    size = comb(self.houses, own) * comb(self.houses - own, opponent)
                    found.append(Part(own, opponent, start, size))
                    start += size
        return tuple(found)

    @cached_property
    def size(self) -> int:
        """The number of positions."""
        return sum(part.size for part in self.parts)

    @cached_property
    def starts(self) -> Mapping[tuple[int, int], int]:
        """The start of each part, by the numbers of dancers of the two sides."""
        return {(part.own, part.opponent): part.start for part in self.parts}

    def number(self, own: int, opponent: int) -> int | None:
        """The index of a position; None if it is not in the table.

        Args:
            own: The houses of the player about to throw.
            opponent: The houses of the other player.
        """
        owns, opponents = own.bit_count(), opponent.bit_count()
        start = self.starts.get((owns, opponents))
        if start is None or (own | opponent) & self.closed:
            return None
        block = comb(self.houses - owns, opponents)
        return start + rank(own, self.closed) * block + rank(opponent, self.closed | own)


def rank(mask: int, closed: int) -> int:
    """The rank of a mask among all masks with as many dancers on houses that are not closed."""
    found = dancers = 0
    while mask:
        lowest = mask & -mask
        dancers += 1
        found += comb((lowest - 1 & ~closed).bit_count(), dancers)
        mask ^= lowest
    return found


@dataclass(frozen=True)
class Endings:
    """Exact winning probabilities of positions with few dancers, for one rule set."""

    table: EndingsTable
    path: Path | None = None
    """The file of the table; None if bundled."""

    @staticmethod
    def load(rules: str) -> Endings:
        """Load the largest usable table; a damaged user table is ignored with a warning.

        Args:
            rules: The rule set.
        """
        return _load(rules, _own_path(rules))

    @property
    def up_to(self) -> int:
        """All positions with up to this many dancers per side are known."""
        return self.table.up_to

    @property
    def error(self) -> float:
        """The maximum error of a probability."""
        return self.table.error + ROUNDING

    @cached_property
    def layout(self) -> TableLayout:
        """The order of the positions."""
        return TableLayout(self.table.rules, self.table.up_to)

    def chance(self, own: int, opponent: int) -> float | None:
        """The winning probability of the player about to throw; None if unknown.

        Args:
            own: The houses of that player; empty if it has won.
            opponent: The houses of the other player.
        """
        if not (own and opponent):
            return 0.0 if own else 1.0
        number = self.layout.number(own, opponent)
        return None if number is None else self.table.numbers[number] / SCALE

    def value(self, state: SenetState) -> float | None:
        """The winning probability of the player to act; None if unknown.

        After a throw it is that of the best move.
        """
        own, opponent = state.side(state.player), state.side(1 - state.player)
        if state.steps is None or not (own and opponent):
            return self.chance(own, opponent)
        chances = self.action_chances(state)
        return None if chances is None else max(chances.values())

    def action_chances(self, state: SenetState) -> dict[str, float] | None:
        """The winning probability after each legal move, by notation; None if unknown."""
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
        """A short description of the known endings."""
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
        """The path of the user's table."""
        return _own_path(game.rules)

    def tables(self, game: Senet) -> tuple[TableFacts, ...]:
        """The bundled table, and the user's table if there is one."""
        bundled = TableFacts(game.rules, None, _bundled(game.rules).table)
        path = self.path(game)
        if not _is_there(path):
            return (bundled,)
        try:
            return bundled, TableFacts(game.rules, path, read_own(path, game.rules))
        except LearnedFileError as error:
            return bundled, TableFacts(game.rules, path, None, error.message)

    def judge(self, game: Senet, state: SenetState) -> tuple[float, dict[str, float]] | None:
        """The exact winning probability, and that after each move if there is a throw to use."""
        endings = Endings.load(game.rules)
        chance = endings.value(state)
        if chance is None:
            return None
        if state.steps is None:
            return chance, {}
        return chance, endings.action_chances(state) or {}


ENDINGS: Final = SenetEndings()


def read_own(path: Path, rules: str) -> EndingsTable:
    """Read a table from a file.

    Raises:
        LearnedFileError: It can't be read, or is not a table of this rule set.
    """
    return _checked(read_table(path, Senet(rules)), rules, str(path))


def _checked(table: EndingsTable, rules: str, name: str) -> EndingsTable:
    if table.rules != rules:
        raise LearnedFileError(f"{name} is for the rules {table.rules}, not {rules}.")
    if table.up_to > MOST or len(table.numbers) != TableLayout(rules, table.up_to).size:
        raise LearnedFileError(f"{name} is damaged: it has {len(table.numbers)} positions.")
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
    except LearnedFileError as error:
        left = f"Only endings with up to {BUNDLED} dancers a side are exact now."
        remedy = f"Remake it: boardgames solve senet --rules {rules}"
        warnings.warn(f"{error.message} {left} {remedy}", EndingsWarning, stacklevel=3)
        return bundled
    return bundled if table.up_to <= BUNDLED else Endings(table, path)


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except (OSError, ValueError):  # an inaccessible file can't be used
        return False
    return True


@functools.cache
def _bundled(rules: str) -> Endings:
    file = resources.files(__package__) / "data" / f"{rules}.endings"
    table = parse_table(file.read_bytes(), file.name, Senet(rules))
    return Endings(_checked(table, rules, file.name))
