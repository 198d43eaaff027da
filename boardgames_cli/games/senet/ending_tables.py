"""Tables of Senet's endings: exact winning probabilities with few dancers left.

A table holds the positions before a throw in parts, one for each pair of numbers of dancers. Within
a part they are ordered by the ranks of the two masks in the combinatorial number system (Knuth, The
Art of Computer Programming, 7.2.1.3), so that the index of a position is computed, not stored.

Tables with up to two dancers per side are bundled, and rounded ones with up to three, which judge
decisions; ``boardgames solve senet`` computes exact ones. Rounded tables are small because
neighbouring positions have similar values: each part is a matrix with a row for each mask of the
player about to throw and a column for each of the other player. A value minus its neighbour above,
minus the same difference one column before, is close to 0; these residuals are compressed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import sys
import warnings
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from math import comb
from operator import sub
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
from boardgames_cli.core.game import AnyGame
from boardgames_cli.games.senet.board import HOUSES, WATER, bit, cones_at_start
from boardgames_cli.games.senet.movement import RULE_SETS
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

    def columns(self, part: Part) -> int:
        """The number of masks of the other player for each mask of the player about to throw."""
        return comb(self.houses - part.own, part.opponent)

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


BITS: Final = 10
"""The size of a rounded value."""

_LOW, _HIGH = (0, 1) if sys.byteorder == "little" else (1, 0)
"""The indices of the two bytes of a code."""
_TOP: Final = (1 << BITS) - 1
_LANE: Final = 32
"""The bits of a column in an integer that holds a row."""
_WIDER: Final = -(-(SCALE << 16) // _TOP)
"""A rounded value times this, in its upper 16 bits, is the number in a table."""
_ALL_BITS: Final = (4 << BITS) - 1
"""Those of a code. The codes 0, 1, 2, 3, 4 stand for the residuals 0, -1, 1, -2, 2."""

ROUNDED_ERROR: Final = 0.5 / _TOP
"""The largest error of a rounded value, as a probability."""


def pack(table: EndingsTable, after: int) -> bytes:
    """Round a table.

    Args:
        table: All endings of a rule set up to some size.
        after: Parts with up to so many dancers a side are left out.

    Returns:
        The content of a file: a line of JSON, and the compressed residuals of all other parts.
    """
    layout = TableLayout(table.rules, table.up_to)
    codes = array("H")
    for part in layout.parts:
        if max(part.own, part.opponent) > after:
            codes.extend(_codes(table.numbers[part.start : part.start + part.size], part, layout))
    raw = codes.tobytes()
    data = zlib.compress(raw[_LOW::2] + raw[_HIGH::2], 9)  # low bytes, then high bytes
    header = {
        "boardgames_rounded_endings": 1,
        "game": table.game,
        "rules_version": table.rules_version,
        "rules": table.rules,
        "up_to": table.up_to,
        "after": after,
        "bits": BITS,
        "error": table.error + ROUNDED_ERROR,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    return json.dumps(header).encode() + b"\n" + data


def _codes(numbers: Sequence[int], part: Part, layout: TableLayout) -> Iterator[int]:
    width = layout.columns(part)
    above = [0] * width
    for start in range(0, part.size, width):
        row = [round(number * _TOP / SCALE) for number in numbers[start : start + width]]
        down = list(map(sub, row, above))
        for residual in map(sub, down, [0, *down[:-1]]):
            yield -2 * residual - 1 if residual < 0 else 2 * residual
        above = row


def unpack(content: bytes, subject: str, game: AnyGame, smaller: EndingsTable) -> EndingsTable:
    """Restore a table from the content of a file made by `pack`.

    Args:
        content: The content of the file.
        subject: The name of the file in messages.
        game: The rulebook for which it must have been made.
        smaller: A table with the parts that were left out.

    Raises:
        LearnedFileError: The file was made for another game or other rules, or is damaged.
    """
    line, _, data = content.partition(b"\n")
    header = json.loads(line)
    info = game.info
    made_for = (header["game"], header["rules_version"], header["rules"], header["after"])
    if made_for != (info.id, info.rules_version, smaller.rules, smaller.up_to):
        raise LearnedFileError(f"{subject} is for other rules of the game.")
    if header["bits"] != BITS or hashlib.sha256(data).hexdigest() != header["sha256"]:
        raise LearnedFileError(f"{subject} is damaged: its checksum is wrong.")
    layout = TableLayout(smaller.rules, header["up_to"])
    planes = zlib.decompress(data)
    low, high = planes[: len(planes) // 2], planes[len(planes) // 2 :]
    numbers = array("H", smaller.numbers)
    for part in layout.parts:
        if max(part.own, part.opponent) > smaller.up_to:
            first = part.start - len(smaller.numbers)
            codes = (low[first : first + part.size], high[first : first + part.size])
            _restore(*codes, layout.columns(part), numbers)
    return EndingsTable(
        info.id,
        info.rules_version,
        smaller.rules,
        layout.up_to,
        header["error"],
        memoryview(numbers),
    )


def _restore(low: bytes, high: bytes, width: int, numbers: array[int]) -> None:
    """Append the numbers of one part.

    A row is one integer with 32 bits for each column: Python adds all columns at once, in a quarter
    of the time of one by one.

    Args:
        low: The low bytes of the part's codes.
        high: Their high bytes.
        width: The number of columns.
        numbers: The numbers of the parts before.
    """
    bits = _LANE * width
    ones = sum(1 << shift for shift in range(0, bits, _LANE))
    zero = ones << BITS + 1  # what is counted from, so that no column is negative
    zeros = _summed(zero, bits)
    down, lanes, row = zero, bytearray(bits // 8), bytearray(2 * width)
    for start in range(0, len(low), width):
        lanes[::4], lanes[1::4] = low[start : start + width], high[start : start + width]
        codes = int.from_bytes(lanes, "little")
        odd = codes & ones
        residuals = (codes ^ odd) >> 1 ^ odd * _ALL_BITS ^ zero
        down += residuals - zero
        rounded = _summed(down, bits) - zeros
        wide = (rounded * _WIDER + (ones << 15)).to_bytes(len(lanes), "little")
        row[_LOW::2], row[_HIGH::2] = wide[2::4], wide[3::4]
        numbers.frombytes(row)


def _summed(columns: int, bits: int) -> int:
    shift = _LANE
    while shift < bits:
        columns += columns << shift
        shift *= 2
    return columns & (1 << bits) - 1


MOST: Final = 5
"""The maximum number of dancers per side in a table: then it has the whole game with five."""

SOLVABLE: Final = 4
"""The maximum number of dancers per side that ``boardgames solve`` offers; a table with five has 17
or 25 gigabytes, and takes a large GPU (``lab/senet_full_game.py``)."""

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
    """Values with more dancers on either side are rounded to `ROUNDED_ERROR`."""

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

        That takes about a second, and memory for all values.

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


def digest(rules: str) -> str:
    """A digest of the tables of a rule set, of which it reads the first lines only.

    These hold checksums of all the rest.
    """
    found = hashlib.sha256()
    for name in ("endings", "rounded"):
        file = resources.files(__package__) / "data" / f"{rules}.{name}"
        with file.open("rb") as stream:
            found.update(stream.readline(_LONGEST_LINE))
    own = _own_path(rules)
    if own.is_file():
        with contextlib.suppress(OSError), own.open("rb") as stream:
            found.update(stream.readline(_LONGEST_LINE))
            found.update(b"%d" % own.stat().st_size)
    return found.hexdigest()


_LONGEST_LINE: Final = 10_000


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
