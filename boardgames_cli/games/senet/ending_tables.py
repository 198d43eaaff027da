"""Tables of Senet's endings: exact winning probabilities with few dancers left.

Tables with up to two dancers per side are bundled, and rounded ones with up to three, which judge
decisions; ``boardgames solve senet`` computes exact ones.
"""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Final

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
from boardgames_cli.games.senet.board import cones_at_start
from boardgames_cli.games.senet.movement import RULE_SETS
from boardgames_cli.games.senet.rounded_endings import unpack
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.games.senet.table_layout import TableLayout

MOST: Final = 5
"""The maximum number of dancers per side in a table: then it has the whole game with five."""

SOLVABLE: Final = 4
"""The maximum number of dancers per side that ``boardgames solve`` offers; a table with five has 17
or 25 gigabytes, and takes a large GPU (``benchmarks/senet_full_game.py``)."""

USUAL: Final = 3
"""The maximum number of dancers per side in a table that is computed in minutes."""

BUNDLED: Final = 2
"""The maximum number of dancers per side in the bundled tables."""


@dataclass(frozen=True)
class Endings:
    """Exact winning probabilities of positions with few dancers, for one rule set."""

    table: EndingsTable
    path: Path | None = None
    """The file of the table; None if bundled."""
    exact_up_to: int = BUNDLED
    """Values with more dancers on either side are rounded to `rounded_endings.ROUNDED_ERROR`."""

    @staticmethod
    def load(rules: str) -> Endings:
        """Load the largest usable table; a damaged user table is ignored with a warning.

        Args:
            rules: The rule set.
        """
        return _load(rules, _own_path(rules))

    @staticmethod
    def load_rounded(rules: str) -> Endings:
        """Load the table as `load` does, or a larger one whose values are rounded.

        That takes a second or two, and memory for all values.

        Args:
            rules: The rule set.
        """
        exact = Endings.load(rules)
        rounded = _rounded(rules)
        return exact if exact.up_to >= rounded.up_to else rounded

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

    sizes: Final = tuple(range(1, SOLVABLE + 1))
    usual_size: Final = USUAL
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

    def start_chances(self, table: EndingsTable) -> tuple[float, ...]:
        """The winning probability of the spools, which begin, for every number of dancers."""
        endings = Endings(table)
        cones = map(cones_at_start, range(1, table.up_to + 1))
        return tuple(endings.chance(mask << 1, mask) or 0.0 for mask in cones)

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
    return bundled if table.up_to <= BUNDLED else Endings(table, path, table.up_to)


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


@functools.cache
def _rounded(rules: str) -> Endings:
    smaller = _bundled(rules).table
    file = resources.files(__package__) / "data" / f"{rules}.rounded"
    return Endings(unpack(file.read_bytes(), file.name, Senet(rules), smaller))
