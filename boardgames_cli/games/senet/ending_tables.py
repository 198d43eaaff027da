"""Tables of Senet's endings: exact winning probabilities with few dancers left.

A table holds the positions before a throw in parts, one for each pair of numbers of dancers. Within
a part they are ordered by the ranks of the two masks in the combinatorial number system (Knuth, The
Art of Computer Programming, 7.2.1.3), so that the index of a position is computed, not stored.

Tables with up to two dancers per side are bundled, and those of three with 8 bits a position, which
judge decisions: a file that is mapped from disk and read by index.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

from boardgames_cli.algorithms.endings import (
    ROUNDING,
    SCALE,
    EndingsTable,
    parse_table,
)
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.games.senet.board import HOUSES, WATER, bit, cones_at_start
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState


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
        return sum(part.size for part in self.parts)

    @cached_property
    def starts(self) -> Mapping[tuple[int, int], int]:
        """The start of each part, by the numbers of dancers of the two sides."""
        return {(part.own, part.opponent): part.start for part in self.parts}

    def columns(self, part: Part) -> int:
        """The number of masks of the other player for each mask of the player about to throw."""
        return comb(self.houses - part.own, part.opponent)

    def number(self, own: int, opponent: int) -> int | None:
        """The index of a position; None if it is not in the table."""
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


MOST: Final = 5
"""The maximum number of dancers per side in a table: then it has the whole game with five."""

BUNDLED: Final = 2
"""The maximum number of dancers per side in the bundled tables."""

ROUNDED_UP_TO: Final = 3
"""The maximum number of dancers per side in the bundled tables of rounded values."""

LEVELS: Final = 255
"""The rounded value that stands for a certain win."""

ROUNDED_ERROR: Final = 0.5 / LEVELS
"""The largest error of a rounded value, as a probability."""


@dataclass(frozen=True)
class Endings:
    """Winning probabilities of positions with few dancers, for one rule set."""

    table: EndingsTable
    rounded: memoryview = memoryview(b"")  # noqa: RUF009  # can't be changed
    """0 to `LEVELS`, for the positions up to `ROUNDED_UP_TO` that a smaller table lacks."""

    @staticmethod
    @functools.cache
    def load(rules: str) -> Endings:
        """The bundled exact values of a rule set, and rounded ones for what is larger."""
        file = _data(f"{rules}.endings")
        table = parse_table(file.read_bytes(), file.name, Senet(rules))
        return Endings(table, rounded=_rounded(rules))

    @property
    def exact(self) -> Endings:
        return replace(self, rounded=memoryview(b""))

    @property
    def up_to(self) -> int:
        """All positions with up to this many dancers per side are known."""
        return ROUNDED_UP_TO if self.rounded else self.table.up_to

    @property
    def error(self) -> float:
        rounding = ROUNDED_ERROR if self.rounded else 0.0
        return self.table.error + ROUNDING + rounding

    @cached_property
    def layout(self) -> TableLayout:
        return TableLayout(self.table.rules, self.up_to)

    def chance(self, own: int, opponent: int) -> float | None:
        """The winning probability of the player about to throw; None if unknown."""
        if not (own and opponent):
            return 0.0 if own else 1.0
        number = self.layout.number(own, opponent)
        if number is None:
            return None
        exact = self.table.numbers
        if number < len(exact):
            return exact[number] / SCALE
        return self.rounded[number - len(exact)] / LEVELS

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


class SenetEndings:
    """Senet's endings for ``boardgames solve``."""

    pieces: Final = "dancers"

    def table(self, game: Senet) -> EndingsTable:
        return Endings.load(game.rules).table

    def start_chances(self, table: EndingsTable) -> tuple[float, ...]:
        """The winning probability of the spools, which begin, for every number of dancers."""
        endings = Endings(table)
        cones = map(cones_at_start, range(1, table.up_to + 1))
        return tuple(endings.chance(mask << 1, mask) or 0.0 for mask in cones)

    def judge(self, game: Senet, state: SenetState) -> tuple[float, dict[str, float]] | None:
        """The exact winning probability, and that after each move if there is a throw to use."""
        endings = Endings.load(game.rules).exact
        chance = endings.value(state)
        if chance is None:
            return None
        if state.steps is None:
            return chance, {}
        return chance, endings.action_chances(state) or {}


ENDINGS: Final = SenetEndings()


def digest(rules: str) -> str:
    """A digest of the tables of a rule set, of which it reads the first lines only.

    These hold checksums of all the rest.
    """
    found = hashlib.sha256()
    for name in ("endings", "rounded"):
        with _data(f"{rules}.{name}").open("rb") as stream:
            found.update(stream.readline(10_000))
    return found.hexdigest()


def _data(name: str) -> Traversable:
    return resources.files(__package__) / "data" / name


@functools.cache
def _rounded(rules: str) -> memoryview:
    file = _data(f"{rules}.rounded")
    if isinstance(file, Path) and file.stat().st_size:  # nothing can't be mapped
        with file.open("rb") as stream:
            content: bytes | mmap.mmap = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    else:
        content = file.read_bytes()
    start = content.find(b"\n") + 1
    values = memoryview(content)[start:]
    lacking = TableLayout(rules, ROUNDED_UP_TO).size - TableLayout(rules, BUNDLED).size
    made_for = b'"rules_version": %d,' % Senet.info.rules_version
    if len(values) != lacking or made_for not in content[:start]:
        raise LearnedFileError(
            f"{file.name} is for other rules of the game, or damaged.", "Install the program anew."
        )
    return values
