"""The log of a match: its steps as seen from a viewpoint, and remarks between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from boardgames_cli.core.game import Seat, Step
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.view import AnyView, RenderContext
from boardgames_cli.session.viewpoint import Viewpoint

_LONGEST_REMARK: Final = 1000
"""The maximum length of a remark; notes in a save may be of any length."""


AnyContext: TypeAlias = RenderContext[Any, Any]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the log, with the ply at which it was written."""

    ply: int
    text: str
    seat: Seat | None = None
    """The seat that acted; None for chance and the program."""


class GameLog:
    """The log of a match, updated step by step.

    Args:
        match: The match.
        view: The view that narrates steps.
        context: Returns the render context for a ply and a viewpoint.
    """

    def __init__(
        self,
        match: AnyMatch,
        view: AnyView,
        context: Callable[[int, Viewpoint], AnyContext],
    ) -> None:
        self._match = match
        self._view = view
        self._context = context
        self._viewpoint: Viewpoint | None = None
        self._lines: list[LogLine] = []
        self._narrated = 0
        self._remarks: list[LogLine] = []

    @property
    def remarks(self) -> tuple[LogLine, ...]:
        """The lines not about a step: hints taken, agents that failed."""
        return tuple(self._remarks)

    def remark(self, text: str) -> None:
        """Add a line that is not about a step."""
        self._remarks.append(LogLine(self._match.ply, one_line(text)))

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Restore the remarks of a save."""
        self._remarks = [LogLine(ply, one_line(text)) for ply, text in notes]

    def lines(self, upto: int | None = None) -> list[LogLine]:
        """All lines in order, up to a ply if one is given."""
        lines = sorted([*self._lines, *self._remarks], key=lambda line: line.ply)
        return [line for line in lines if upto is None or line.ply <= upto]

    def since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._lines if line.ply > ply]

    def catch_up(self, viewpoint: Viewpoint) -> None:
        """Narrate new steps, and drop undone ones.

        Args:
            viewpoint: The viewpoint; if it has changed, everything is narrated again.
        """
        if viewpoint != self._viewpoint:
            self._viewpoint, self._lines, self._narrated = viewpoint, [], 0
        last = self._match.ply
        if self._narrated > last:
            self._lines = [line for line in self._lines if line.ply <= last]
        for ply in range(self._narrated, last):
            context = self._context(ply + 1, viewpoint)
            self._lines += narrate_step(self._match, self._view, ply, viewpoint, context)
        self._narrated = last


def narrate_step(
    match: AnyMatch, view: AnyView, ply: int, viewpoint: Viewpoint, context: AnyContext
) -> list[LogLine]:
    """The sentences about the step after a ply.

    Args:
        match: The match.
        view: The view that narrates steps.
        ply: The ply before the step.
        viewpoint: The viewpoint.
        context: The render context after the step.
    """
    sentences = view.narrate(*viewpoint.passage(match, ply), context)
    by = actor(match.steps[ply])
    return [LogLine(ply + 1, text, _speaks_of(text, context.names, by)) for text in sentences]


def _speaks_of(text: str, names: Sequence[str], by: Seat | None) -> Seat | None:
    """The seat whose name a sentence starts with; otherwise the seat that acted."""
    if by is None:
        return None
    found = [seat for seat, name in enumerate(names) if text.startswith(f"{name} ")]
    return max(found, key=lambda seat: len(names[seat]), default=by)


def actor(step: Step[Any, Any]) -> Seat | None:
    """The seat that acted alone in a step; None if chance or several did."""
    return next(iter(step.joint)) if len(step.joint) == 1 else None


def one_line(text: str) -> str:
    """Join a remark into one line, so that it can't pass for several log lines."""
    cut = text[:_LONGEST_REMARK]
    return " ".join(cut.split()) + ("..." if cut != text else "")
