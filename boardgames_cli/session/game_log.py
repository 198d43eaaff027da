"""The log of a match: its steps as seen from a viewpoint, and remarks between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final

from boardgames_cli.core.game import Seat, Step
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.session.snapshot import LogLine, TableSnapshot
from boardgames_cli.session.viewpoint import Viewpoint

_LONGEST_REMARK: Final = 1000
"""The maximum length of a remark; notes in a save may be of any length."""


class GameLog:
    """The log of a match, updated step by step."""

    def __init__(
        self, match: AnyMatch, snapshot: Callable[[int, Viewpoint], TableSnapshot]
    ) -> None:
        self._match = match
        self._snapshot = snapshot
        self._viewpoint: Viewpoint | None = None
        self._lines: list[LogLine] = []
        self._narrated = 0
        self._remarks: list[LogLine] = []
        self._edition = 0

    @property
    def edition(self) -> int:
        """Changes whenever lines were removed or written anew, rather than added."""
        return self._edition

    @property
    def size(self) -> tuple[int, int, int]:
        """Changes with every line."""
        return self._edition, len(self._lines), len(self._remarks)

    @property
    def remarks(self) -> tuple[LogLine, ...]:
        """The lines not about a step: hints taken, agents that failed."""
        return tuple(self._remarks)

    def remark(self, text: str) -> None:
        """Add a line that is not about a step."""
        self._remarks.append(LogLine(self._match.ply, one_line(text)))

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Restore the remarks of a save."""
        remarks = [LogLine(ply, one_line(text)) for ply, text in notes]
        self._remarks = sorted(remarks, key=_ply_of)
        self._edition += 1

    def lines(self, upto: int | None = None) -> list[LogLine]:
        """All lines in order, up to a ply if one is given."""
        lines = sorted([*self._lines, *self._remarks], key=_ply_of)
        return [line for line in lines if upto is None or line.ply <= upto]

    def lines_from(self, ply: int) -> list[LogLine]:
        """The lines written at a ply or later, in order."""
        ends = (self._lines, self._remarks)
        found = [line for all in ends for line in all[bisect_left(all, ply, key=_ply_of) :]]
        return sorted(found, key=_ply_of)

    def since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._lines if line.ply > ply]

    def catch_up(self, viewpoint: Viewpoint) -> None:
        """Narrate new steps, and drop undone ones.

        If the viewpoint has changed, everything is narrated again.
        """
        if viewpoint != self._viewpoint:
            self._viewpoint, self._lines, self._narrated = viewpoint, [], 0
            self._edition += 1
        last = self._match.ply
        if self._narrated > last:
            self._lines = [line for line in self._lines if line.ply <= last]
            self._edition += 1
        for ply in range(self._narrated, last):
            self._lines += narrate_step(self._match, self._snapshot(ply + 1, viewpoint))
        self._narrated = last


def narrate_step(match: AnyMatch, after: TableSnapshot) -> list[LogLine]:
    """The sentences about a step, after which something is seen."""
    ply, names = after.seen.ply, after.context.names
    by = actor(match.steps[ply - 1])
    return [LogLine(ply, text, _speaks_of(text, names, by)) for text in after.sentences]


def _speaks_of(text: str, names: Sequence[str], by: Seat | None) -> Seat | None:
    """The seat whose name a sentence starts with; otherwise the seat that acted."""
    if by is None:
        return None
    found = [seat for seat, name in enumerate(names) if text.startswith(f"{name} ")]
    return max(found, key=lambda seat: len(names[seat]), default=by)


def actor(step: Step[Any, Any]) -> Seat | None:
    """The seat that acted alone in a step; None if chance or several did."""
    return next(iter(step.joint)) if len(step.joint) == 1 else None


def _ply_of(line: LogLine) -> int:
    return line.ply


def one_line(text: str) -> str:
    """Join a remark into one line, so that it can't pass for several log lines."""
    cut = text[:_LONGEST_REMARK]
    return " ".join(cut.split()) + ("..." if cut != text else "")
