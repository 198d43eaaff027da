"""The compiled solver of Senet's endings: interval iteration, part by part.

Every position has a lower and an upper bound of the winning probability of the player about to
throw, initially 0 and 1. Bounds are updated from those of the successors, which preserves their
validity, and converge (Haddad and Monmege, "Interval iteration algorithm for MDPs and IMDPs",
2018). Updates are used immediately (Gauss-Seidel), and a position is solved jointly with its mirror
image, in which the other player is about to throw: near the end the turn often alternates between
these two, because nobody can move. Each part is solved accurately enough for the parts that depend
on it.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import numpy as np

from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.codec.position import is_whole
from boardgames_cli.games.senet.actions import THROW_CHANCES
from boardgames_cli.games.senet.fast import Floats, compiled
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    end_of,
    movers,
    play,
    throws_again,
)
from boardgames_cli.games.senet.fast.playouts import Masks, count_of
from boardgames_cli.games.senet.fast.ranking import (
    Starts,
    closed_in,
    masks_of,
    number_of,
    spread,
    starts_of,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.table_layout import Part, TableLayout

_CHANCES: Final = np.array((0.0, *THROW_CHANCES))


@compiled
def sweep(
    bounds: Floats,
    starts: Starts,
    first: int,
    owns: Masks,
    opponents: Masks,
    rows: tuple[int, int],
    rules: int,
    close: float,
) -> float:
    """Update the bounds of some positions once, most advanced dancers first.

    Each position is updated together with its mirror image.

    Args:
        bounds: float64[positions, 2]: lower and upper bounds, in the order of the table.
        starts: From `ranking.starts_of`.
        first: The index of the first position of the part.
        owns: All masks of the player about to throw, without closed houses.
        opponents: All masks of the other player, also without the houses of the one to throw.
        rows: The half-open range of ``owns``.
        rules: The rule set, see `moves`.
        close: Bounds with at most this gap are not updated.

    Returns:
        The widest remaining gap.
    """
    widest = 0.0
    closed = closed_in(rules)
    has_own_mirrors = count_of(owns[0]) == count_of(opponents[0])
    for row in range(rows[1] - 1, rows[0] - 1, -1):
        own = spread(owns[row], closed)
        at = first + (row + 1) * len(opponents)
        for column in range(len(opponents) - 1, -1, -1):
            at -= 1
            opponent = spread(opponents[column], closed | own)
            if has_own_mirrors and opponent > own:
                continue  # updated with its mirror image
            mirror = number_of(opponent, own, rules, starts)
            gap = _wider_gap(bounds, at, mirror)
            if gap > close:
                _tighten(own, opponent, at, mirror, rules, bounds, starts)
                gap = _wider_gap(bounds, at, mirror)
            widest = max(widest, gap)
    return widest


@compiled
def _wider_gap(bounds: Floats, one: int, other: int) -> float:
    gap: float = max(bounds[one, 1] - bounds[one, 0], bounds[other, 1] - bounds[other, 0])
    return gap


@compiled
def _tighten(
    own: int, opponent: int, at: int, mirror: int, rules: int, bounds: Floats, starts: Starts
) -> None:
    """Solve a position and its mirror image, given the bounds of their successors."""
    low, high, passes = _bounds_by_moving(own, opponent, rules, bounds, starts)
    opponent_low, opponent_high, opponent_passes = _bounds_by_moving(
        opponent, own, rules, bounds, starts
    )
    # x = moving + passes * (1 - y) and
    # y = opponent_moving + opponent_passes * (1 - x), solved for x.
    scale = 1.0 / (1.0 - passes * opponent_passes)
    bounds[at, 0] = (low + passes * (1.0 - opponent_high - opponent_passes)) * scale
    bounds[at, 1] = (high + passes * (1.0 - opponent_low - opponent_passes)) * scale
    bounds[mirror, 0] = opponent_low + opponent_passes * (1.0 - bounds[at, 1])
    bounds[mirror, 1] = opponent_high + opponent_passes * (1.0 - bounds[at, 0])


@compiled
def _bounds_by_moving(
    own: int, opponent: int, rules: int, bounds: Floats, starts: Starts
) -> tuple[float, float, float]:
    """The contribution of throws with a move to both bounds, and the probability of a pass."""
    low = high = passes = 0.0
    for steps in range(1, 6):
        moving = movers(own, opponent, steps, rules)
        if moving:
            best_low, best_high = _best_move(own, opponent, steps, moving, rules, bounds, starts)
            low += _CHANCES[steps] * best_low
            high += _CHANCES[steps] * best_high
        else:
            passes += _CHANCES[steps]
    return low, high, passes


@compiled
def _best_move(
    own: int, opponent: int, steps: int, moving: int, rules: int, bounds: Floats, starts: Starts
) -> tuple[float, float]:
    """The bounds after the best move of the dancers in ``moving``."""
    best_low = best_high = 0.0
    backward, dancers = moving & BACKWARD, moving & BOARD
    while dancers:
        start = dancers & -dancers
        dancers ^= start
        end = end_of(own, opponent, start, steps, backward, rules)
        own_after, opponent_after = play(own, opponent, start, end)
        if not own_after:
            return 1.0, 1.0
        if throws_again(steps, end, rules):
            at = number_of(own_after, opponent_after, rules, starts)
            low, high = bounds[at, 0], bounds[at, 1]
        else:
            at = number_of(opponent_after, own_after, rules, starts)
            low, high = 1.0 - bounds[at, 1], 1.0 - bounds[at, 0]
        best_low = max(best_low, low)
        best_high = max(best_high, high)
    return best_low, best_high


ERROR: Final = 5e-7
"""The widest gap between the bounds of a position, which is also the maximum error."""

_CLOSER: Final = 10.0
"""The factor of accuracy for positions on which later ones depend."""

_MOMENT: Final = 100_000
"""Positions per call, about a tenth of a second."""

_USUAL_SWEEPS: Final = 50
"""The typical number of sweeps of a group of parts."""
_ALMOST: Final = 0.99

_KEY: Final = "boardgames_endings_work"


class SenetSolver:
    """Computes the winning probability of every position with few dancers per side.

    Args:
        game: The rulebook.
        up_to: The maximum number of dancers per side.
    """

    def __init__(self, game: Senet, up_to: int) -> None:
        self._game = game
        self._layout = TableLayout(game.rules, up_to)
        self._rules = RULES[game.rules]
        self._starts = starts_of(self._layout)
        self._groups = _groups(self._layout)
        self._bounds: Floats = np.empty((self._layout.size, 2))
        self._bounds[:] = (0.0, 1.0)
        self.total = self._layout.size
        # The current group, and the next row in it.
        self._group = 0
        self._row: int | None = None
        self._sweeps = 0
        self._gap, self._widest = 1.0, 0.0

    @property
    def is_finished(self) -> bool:
        """Whether the bounds of all positions have converged."""
        return self._group == len(self._groups)

    @property
    def stage(self) -> str:
        """The numbers of dancers, and the widest gap."""
        if self.is_finished:
            return "done"
        part = self._groups[self._group][0]
        return f"{part.own} against {part.opponent}, sweep {self._sweeps + 1}, gap {self._gap:.1e}"

    @property
    def done(self) -> int:
        """The work done so far, in positions."""
        if self.is_finished:
            return self.total
        parts = self._groups[self._group]
        share = min(_ALMOST, self._sweeps / _USUAL_SWEEPS)
        return parts[0].start + round(share * sum(part.size for part in parts))

    def work(self) -> None:
        """Sweep over some positions; a group of parts is done when its gaps are closed."""
        part = self._groups[self._group][0]  # the other part holds the mirror images
        owns = masks_of(self._layout.houses, part.own)
        opponents = masks_of(self._layout.houses - part.own, part.opponent)
        last = len(owns) if self._row is None else self._row
        first = max(0, last - max(1, _MOMENT // len(opponents)))
        close = self._allowed(self._group) / 2
        widest = sweep(
            self._bounds,
            self._starts,
            part.start,
            owns,
            opponents,
            (first, last),
            self._rules,
            close,
        )
        self._widest = max(self._widest, widest)
        self._row = first
        if first == 0:
            self._end_sweep()

    def _end_sweep(self) -> None:
        self._gap, self._widest, self._row = self._widest, 0.0, None
        self._sweeps += 1
        if self._gap <= self._allowed(self._group):
            self._begin(self._group + 1)

    def _begin(self, group: int) -> None:
        self._group, self._sweeps = group, 0
        self._row = None
        self._gap, self._widest = 1.0, 0.0

    def _allowed(self, group: int) -> float:
        return ERROR / _CLOSER ** (len(self._groups) - 1 - group)

    def bounds(self) -> Floats:
        """float64[positions, 2]: the current lower and upper bounds."""
        return self._bounds

    def table(self) -> EndingsTable:
        """The table of the midpoints of the bounds.

        Returns:
            Its numbers are a memoryview of format H.
        """
        assert self.is_finished
        middles = self._bounds.mean(axis=1)
        numbers = np.rint(middles * SCALE).astype(np.uint16)
        error = float((self._bounds[:, 1] - self._bounds[:, 0]).max()) / 2
        info = self._game.info
        return EndingsTable(
            info.id, info.rules_version, self._game.rules, self._layout.up_to, error, numbers.data
        )

    def save(self) -> bytes:
        """The current bounds as the content of a file."""
        reached = self._groups[min(self._group, len(self._groups) - 1)][-1]
        # Copied only once, because the bounds take a quarter of a gigabyte.
        data = self._bounds[: reached.start + reached.size].astype("<f8", copy=False).data.cast("B")
        header = self._identity() | {"group": self._group, "sha256": _digest(data)}
        return b"".join((json.dumps(header).encode(), b"\n", data))

    def restore(self, content: bytes) -> bool:
        """Resume saved bounds; False if they are damaged or for another table."""
        end = content.find(b"\n") + 1
        data = memoryview(content)[end:]
        try:
            header = json.loads(content[:end])
        except ValueError:
            return False
        if not isinstance(header, dict):
            return False
        group = header.pop("group", None)
        if header != self._identity() | {"sha256": _digest(data)}:
            return False
        if not is_whole(group) or not 0 <= group <= len(self._groups):
            return False
        saved = np.frombuffer(data, dtype="<f8").reshape(-1, 2)
        self._bounds[: len(saved)] = saved
        self._begin(group)
        return True

    def _identity(self) -> dict[str, Any]:
        info = self._game.info
        return {
            _KEY: 1,
            "game": info.id,
            "rules_version": info.rules_version,
            "rules": self._game.rules,
            "up_to": self._layout.up_to,
        }


def _groups(layout: TableLayout) -> list[list[Part]]:
    """The parts grouped with their mirror images, which depend on each other."""
    groups: dict[frozenset[int], list[Part]] = {}
    for part in layout.parts:
        groups.setdefault(frozenset({part.own, part.opponent}), []).append(part)
    return list(groups.values())


def _digest(data: memoryview) -> str:
    return hashlib.sha256(data).hexdigest()
