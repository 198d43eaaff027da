"""The compiled solver of Senet's endings: value iteration, part by part, on all cores.

A position has one number, the winning probability of the player about to throw in units of 2^-32.
It is updated from the numbers of its successors in whole-number arithmetic, and new numbers are
used immediately (Gauss-Seidel). A position is solved jointly with its mirror image, in which the
other player is about to throw: near the end the turn often alternates between these two, because
nobody can move.

A group of parts is finished once no number changes by more than `CLOSE` in a complete sweep. The
largest change falls by a third or more from sweep to sweep, with Skyruk's rules and four dancers by
a fifth (measured), so that what all further sweeps would change is at most a few times as much;
`SLOWEST` allows for a tenth. ``lab/senet_solver.py`` makes larger tables, on all cores.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.games.senet.actions import FALLS
from boardgames_cli.games.senet.ending_tables import Part, TableLayout
from boardgames_cli.games.senet.fast import compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    Masks,
    count_of,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.ranking import (
    Starts,
    closed_in,
    masks_of,
    number_of,
    spread,
    starts_of,
)
from boardgames_cli.games.senet.rules import Senet

Values: TypeAlias = npt.NDArray[np.uint32]

CERTAIN: Final = (1 << 32) - 1
"""The number of a certain win."""

_FALLS: Final = np.array((0, *FALLS), dtype=np.int64)


@compiled
def sweep(
    values: Values,
    starts: Starts,
    part: tuple[int, int],
    owns: Masks,
    opponents: Masks,
    rows: tuple[int, int],
    rules: int,
    changes: Masks,
    close: int,
) -> None:
    """Update some positions once, most advanced dancers first.

    Each position is updated together with its mirror image.

    Args:
        values: uint32[positions], in the order of the table.
        starts: From `ranking.starts_of`.
        part: The numbers of dancers of both sides.
        owns: All masks of the player about to throw, without closed houses.
        opponents: All masks of the other player, also without the houses of the one to throw.
        rows: The half-open range of ``owns``.
        rules: The rule set, see `moves`.
        changes: int64[owns]: the largest change in each row, here and in the last sweep.
        close: Rows with no larger change in the last sweep are left out.
    """
    closed = closed_in(rules)
    first = starts[part[0], part[1]]
    for row in range(rows[1] - 1, rows[0] - 1, -1):
        if changes[row] <= close:
            continue
        own = spread(owns[row], closed)
        at = first + (row + 1) * len(opponents)
        largest = 0
        for column in range(len(opponents) - 1, -1, -1):
            at -= 1
            opponent = spread(opponents[column], closed | own)
            largest = max(largest, update(own, opponent, at, rules, values, starts))
        changes[row] = largest


@compiled
def update(own: int, opponent: int, at: int, rules: int, values: Values, starts: Starts) -> int:
    """Solve a position and its mirror image, given their successors.

    Args:
        own: The houses of the player about to throw.
        opponent: The houses of the other player.
        at: The index of the position.
        rules: The rule set, see `moves`.
        values: As for `sweep`.
        starts: From `ranking.starts_of`.

    Returns:
        The larger change; 0 if this position is updated with its mirror image, which has as many
        dancers on either side.
    """
    if opponent > own and count_of(opponent) == count_of(own):
        return 0
    mirror = number_of(opponent, own, rules, starts)
    moving, passes = _by_moving(own, opponent, rules, values, starts)
    opponent_moving, opponent_passes = _by_moving(opponent, own, rules, values, starts)
    # 16 x = moving + passes * (1 - y) and
    # 16 y = opponent_moving + opponent_passes * (1 - x), solved for x.
    numerator = 16 * (moving + passes * CERTAIN)
    numerator -= passes * (opponent_moving + opponent_passes * CERTAIN)
    denominator = 256 - passes * opponent_passes
    value = (numerator + denominator // 2) // denominator
    opponent_value = (opponent_moving + opponent_passes * (CERTAIN - value) + 8) // 16
    change = abs(value - np.int64(values[at]))
    opponent_change = abs(opponent_value - np.int64(values[mirror]))
    values[at], values[mirror] = value, opponent_value
    return max(change, opponent_change)  # type: ignore[return-value]


@compiled
def _by_moving(
    own: int, opponent: int, rules: int, values: Values, starts: Starts
) -> tuple[int, int]:
    """16 times the contribution of throws with a move, and the falls that lead to a pass."""
    total = passes = 0
    for steps in range(1, 6):
        moving = movers(own, opponent, steps, rules)
        if moving:
            total += _FALLS[steps] * _best_move(own, opponent, steps, moving, rules, values, starts)
        else:
            passes += _FALLS[steps]
    return total, passes


@compiled
def _best_move(
    own: int, opponent: int, steps: int, moving: int, rules: int, values: Values, starts: Starts
) -> int:
    """The value after the best move of the dancers in ``moving``."""
    best: Any = 0
    backward, dancers = moving & BACKWARD, moving & BOARD
    while dancers:
        start = dancers & -dancers
        dancers ^= start
        end = end_of(own, opponent, start, steps, backward, rules)
        own_after, opponent_after = play(own, opponent, start, end)
        if not own_after:
            return CERTAIN
        if throws_again(steps, end, rules):
            value = np.int64(values[number_of(own_after, opponent_after, rules, starts)])
        else:
            value = CERTAIN - np.int64(values[number_of(opponent_after, own_after, rules, starts)])
        best = max(best, value)
    return best  # type: ignore[no-any-return]


CLOSE: Final = 8
"""The largest change of a number in the last sweep, 2e-9 as a probability."""
SLOWEST: Final = 10.0
"""What all further sweeps would change, as a multiple of the change in the last one."""

DUE: Final = CERTAIN
"""The change of a row that must be updated."""


def solve(game: Senet, up_to: int) -> EndingsTable:
    """Compute the winning probability of every position with few dancers per side.

    Args:
        game: The rulebook.
        up_to: The maximum number of dancers per side.
    """
    layout = TableLayout(game.rules, up_to)
    starts, rules = starts_of(layout), RULES[game.rules]
    values = np.full(layout.size, CERTAIN // 2, dtype=np.uint32)  # any numbers would do
    for part, *_ in groups_of(layout):
        owns, opponents = masks_of_part(layout, part)
        changes = np.full(len(owns), DUE, dtype=np.int64)
        sides, rows = (part.own, part.opponent), (0, len(owns))
        while changes.max() > CLOSE:
            changes[:] = DUE
            sweep(values, starts, sides, owns, opponents, rows, rules, changes, CLOSE)
    return table_with(game, layout, rounded(values), CLOSE)


def groups_of(layout: TableLayout) -> list[list[Part]]:
    """The parts grouped with their mirror images, which are solved with the first of a group."""
    groups: dict[frozenset[int], list[Part]] = {}
    for part in layout.parts:
        groups.setdefault(frozenset({part.own, part.opponent}), []).append(part)
    return list(groups.values())


def masks_of_part(layout: TableLayout, part: Part) -> tuple[Masks, Masks]:
    """The masks of both sides of a part, as for `sweep`."""
    return masks_of(layout.houses, part.own), masks_of(layout.houses - part.own, part.opponent)


def rounded(values: Values) -> npt.NDArray[np.uint16]:
    """Values as the numbers of a table."""
    unit = CERTAIN // SCALE
    return ((values.astype(np.int64) + unit // 2) // unit).astype(np.uint16)


def table_with(
    game: Senet, layout: TableLayout, numbers: npt.NDArray[np.uint16], close: int
) -> EndingsTable:
    """The table of numbers that were solved until a sweep changed none by more than ``close``."""
    error = len(groups_of(layout)) * SLOWEST * close / CERTAIN
    info = game.info
    return EndingsTable(info.id, info.rules_version, game.rules, layout.up_to, error, numbers.data)
