"""What is told of a match: its steps as somebody saw them, and remarks between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.core.game import Seat, Step
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.view import AnyView, RenderContext
from boardgames_cli.session.viewpoint import Viewpoint

_LONGEST_REMARK: Final = 1000
"""A save may hold notes of any length; more than this nobody reads."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the story, and the ply after which it was told."""

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
        context: Callable[[int, Viewpoint], RenderContext[Any, Any]],
    ) -> None:
        self._match = match
        self._view = view
        self._context = context
        self._eyes: Viewpoint | None = None
        self._lines: list[LogLine] = []
        self._told = 0
        self._remarks: list[LogLine] = []

    @property
    def remarks(self) -> tuple[LogLine, ...]:
        """What was told that is not a step: hints taken, agents that failed."""
        return tuple(self._remarks)

    def remark(self, text: str) -> None:
        """Tell something that is not a step."""
        self._remarks.append(LogLine(self._match.ply, one_line(text)))

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Take over the remarks of a save."""
        self._remarks = [LogLine(ply, one_line(text)) for ply, text in notes]

    def lines(self, upto: int | None = None) -> list[LogLine]:
        """All that was told, in order; with a ply, only what had happened by then."""
        lines = sorted([*self._lines, *self._remarks], key=lambda line: line.ply)
        return [line for line in lines if upto is None or line.ply <= upto]

    def since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._lines if line.ply > ply]

    def catch_up(self, eyes: Viewpoint) -> None:
        """Tell what has happened since, or forget what was taken back.

        Args:
            eyes: Who is told; if others were told before, all is told anew.
        """
        if eyes != self._eyes:
            self._eyes, self._lines, self._told = eyes, [], 0
        last = self._match.ply
        if self._told > last:
            self._lines = [line for line in self._lines if line.ply <= last]
        for ply in range(self._told, last):
            self._lines += self._sentences(ply, eyes)
        self._told = last

    def _sentences(self, ply: int, eyes: Viewpoint) -> list[LogLine]:
        match, game = self._match, self._match.game
        before, after = (eyes.state(game, match.state_at(at)) for at in (ply, ply + 1))
        step = eyes.step(game, match.state_at(ply), match.steps[ply])
        told = self._view.narrate(before, step, after, self._context(ply + 1, eyes))
        return [LogLine(ply + 1, text, actor(match.steps[ply])) for text in told]


def actor(step: Step[Any, Any]) -> Seat | None:
    """The seat that acted alone in a step; None if chance or several did."""
    return next(iter(step.joint)) if len(step.joint) == 1 else None


def one_line(text: str) -> str:
    """A remark as one sentence of the story, so that it can't pass for several."""
    cut = text[:_LONGEST_REMARK]
    return " ".join(cut.split()) + ("..." if cut != text else "")
