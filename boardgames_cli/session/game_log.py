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
"""A save may hold notes of any length; more than this nobody reads."""


AnyContext: TypeAlias = RenderContext[Any, Any]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the log, and the ply after which it was written."""

    ply: int
    text: str
    seat: Seat | None = None
    """Who did it; None for chance and the program."""


class GameLog:
    """The sentences about a match, kept up with it.

    Args:
        match: The match.
        view: What finds the words.
        context: How the board looks to somebody at a ply.
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
        """The lines that are not a step: hints taken, agents that failed."""
        return tuple(self._remarks)

    def remark(self, text: str) -> None:
        """Note something that is not a step."""
        self._remarks.append(LogLine(self._match.ply, one_line(text)))

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Take over the remarks of a save."""
        self._remarks = [LogLine(ply, one_line(text)) for ply, text in notes]

    def lines(self, upto: int | None = None) -> list[LogLine]:
        """All lines, in order; with a ply, only what had happened by then."""
        lines = sorted([*self._lines, *self._remarks], key=lambda line: line.ply)
        return [line for line in lines if upto is None or line.ply <= upto]

    def since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._lines if line.ply > ply]

    def catch_up(self, viewpoint: Viewpoint) -> None:
        """Narrate what has happened since, or forget what was taken back.

        Args:
            viewpoint: Whose view is described; if it was another before, all is described anew.
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
        view: What finds the words.
        ply: The ply before the step.
        viewpoint: From where the step was seen.
        context: How the board looks from there after the step.
    """
    sentences = view.narrate(*viewpoint.passage(match, ply), context)
    by = actor(match.steps[ply])
    return [LogLine(ply + 1, text, _speaks_of(text, context.names, by)) for text in sentences]


def _speaks_of(text: str, names: Sequence[str], by: Seat | None) -> Seat | None:
    """The seat whose name a sentence begins with; else who acted. Chance is nobody."""
    if by is None:
        return None
    found = [seat for seat, name in enumerate(names) if text.startswith(f"{name} ")]
    return max(found, key=lambda seat: len(names[seat]), default=by)


def actor(step: Step[Any, Any]) -> Seat | None:
    """The seat that acted alone in a step; None if chance or several did."""
    return next(iter(step.joint)) if len(step.joint) == 1 else None


def one_line(text: str) -> str:
    """A remark as one sentence of the log, so that it can't pass for several."""
    cut = text[:_LONGEST_REMARK]
    return " ".join(cut.split()) + ("..." if cut != text else "")
