"""The solver of Senet's endings: part after part, each closely enough for those that need it."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import numpy as np

from boardgames_cli.algorithms.endings import SCALE, EndingsTable
from boardgames_cli.core.position import is_whole
from boardgames_cli.games.senet.endings import Layout, Part
from boardgames_cli.games.senet.fast.iteration import sweep
from boardgames_cli.games.senet.fast.jit import Floats
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.ranking import masks_of, starts_of
from boardgames_cli.games.senet.rules import Senet

ERROR: Final = 5e-7
"""The widest gap between the bounds of a position, and so the most by which a chance is wrong."""

_CLOSER: Final = 10.0
"""How many times as close the bounds are of positions that later ones need."""

_MOMENT: Final = 100_000
"""Positions that are looked at in one call: about a tenth of a second."""

_USUAL_SWEEPS: Final = 50
"""About how many sweeps a group of parts needs."""
_ALMOST: Final = 0.99

_KEY: Final = "boardgames_endings_work"


class SenetSolver:
    """Works out the chance of winning in every position with few dancers a side.

    Args:
        game: The rulebook.
        up_to: The most dancers a side.
    """

    def __init__(self, game: Senet, up_to: int) -> None:
        self._game = game
        self._layout = Layout(game.rules, up_to)
        self._rules = RULES[game.rules]
        self._starts = starts_of(self._layout)
        self._groups = _groups(self._layout)
        self._bounds: Floats = np.empty((self._layout.size, 2))
        self._bounds[:] = (0.0, 1.0)
        self.total = self._layout.size
        # Where it is: in which group, and before which row of that.
        self._group = 0
        self._row: int | None = None
        self._sweeps = 0
        self._gap, self._widest = 1.0, 0.0

    @property
    def is_finished(self) -> bool:
        """Whether the bounds of all positions are close enough."""
        return self._group == len(self._groups)

    @property
    def stage(self) -> str:
        """How many dancers the positions have, and how wide the widest gap is."""
        if self.is_finished:
            return "done"
        part = self._groups[self._group][0]
        return f"{part.own} against {part.foe}, sweep {self._sweeps + 1}, gap {self._gap:.1e}"

    @property
    def done(self) -> int:
        """About how many positions' worth of work is done."""
        if self.is_finished:
            return self.total
        parts = self._groups[self._group]
        share = min(_ALMOST, self._sweeps / _USUAL_SWEEPS)
        return parts[0].start + round(share * sum(part.size for part in parts))

    def work(self) -> None:
        """Sweep over some positions; a group of parts ends after the sweep that leaves no gap."""
        part = self._groups[self._group][0]  # the other one has the mirrors, which go with it
        owns = masks_of(self._layout.houses, part.own)
        foes = masks_of(self._layout.houses - part.own, part.foe)
        last = len(owns) if self._row is None else self._row
        first = max(0, last - max(1, _MOMENT // len(foes)))
        close = self._allowed(self._group) / 2
        widest = sweep(
            self._bounds, self._starts, part.start, owns, foes, (first, last), self._rules, close
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
        """float64[positions, 2]: the lower and the upper bounds as they are now."""
        return self._bounds

    def table(self) -> EndingsTable:
        """The table of the middles between the bounds.

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
        """The bounds as they stand, for the content of a file."""
        reached = self._groups[min(self._group, len(self._groups) - 1)][-1]
        # Copied once only: the bounds are a quarter of a gigabyte.
        data = self._bounds[: reached.start + reached.size].astype("<f8", copy=False).data.cast("B")
        header = self._identity() | {"group": self._group, "sha256": _digest(data)}
        return b"".join((json.dumps(header).encode(), b"\n", data))

    def restore(self, content: bytes) -> bool:
        """Go on with bounds that were saved; False if they are damaged or of another table."""
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


def _groups(layout: Layout) -> list[list[Part]]:
    """The parts, together with those that have the sides changed: they need each other."""
    groups: dict[frozenset[int], list[Part]] = {}
    for part in layout.parts:
        groups.setdefault(frozenset({part.own, part.foe}), []).append(part)
    return list(groups.values())


def _digest(data: memoryview) -> str:
    return hashlib.sha256(data).hexdigest()
