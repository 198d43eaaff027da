"""Presents the steps of a lesson one after the other; used by both front ends."""

from __future__ import annotations

from typing import Any

from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.lesson import (
    Lesson,
    LessonError,
    LessonStep,
    begin_step,
    follow,
    lesson_of,
)
from boardgames_cli.core.presentation.view import AnyView
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.asked_position import AskedPosition
from boardgames_cli.registry import find_game, game_ids, make
from boardgames_cli.session.snapshot import LogLine, TableSnapshot, narrate_step, take_snapshot
from boardgames_cli.session.viewpoint import Viewpoint


class AskedStep(AskedPosition):
    """One step of a lesson, and the answers so far.

    The right answer is played in the match.
    """

    def __init__(
        self, view: AnyView, match: AnyMatch, step: LessonStep, seat: int, glyphs: Glyphs
    ) -> None:
        super().__init__(view, match.observe(seat), glyphs)
        self.step = step
        self._match = match
        self._viewpoint = Viewpoint((seat,))
        self._start = match.ply
        self._rest = step.then

    @property
    def task(self) -> str:
        """What to do."""
        return self.step.task

    @property
    def is_done(self) -> bool:
        """Whether it was done."""
        return self._match.ply > self._start

    @property
    def is_wrong(self) -> bool:
        """Whether the last answer was not the action asked for."""
        return bool(self.tried) and not self.is_done

    @property
    def sentence(self) -> str:
        """What there is to say now: about the position, the last answer, or what it has done."""
        if self.is_done:
            return self.step.praise
        return self.step.why_wrong(self.tried[-1]) if self.tried else self.step.say

    def answer(self, notation: str) -> None:
        """Do something: the right action is played, any other one is remembered."""
        self.tried.append(notation)
        if notation not in self.step.right:
            return
        self._match.submit(self.seat, self.action(notation))
        self._follow(0)
        while not self.is_done and self._rest:  # others act at the same time
            self._follow(1)

    def finish(self) -> AnyMatch:
        """Play what follows until the next step, and return the match."""
        self._follow(len(self._rest))
        return self._match

    def _follow(self, count: int) -> None:
        texts, self._rest = self._rest[:count], self._rest[count:]
        follow(self._match, texts)
        self.seen = self._match.observe(self.seat)._replace(legal=())

    def snapshot(self, highlight: Any = None, *, has_colours: bool = True) -> TableSnapshot:
        """What the table shows, with the log of this match."""
        look = self.context(highlight, has_colours=has_colours)
        return self._at(self._match.ply, look, self.seen.legal)

    def _at(self, ply: int, look: Any, legal: tuple[Any, ...] = ()) -> TableSnapshot:
        return take_snapshot(self._match, self.view, self._viewpoint, ply, look, legal)

    def log(self) -> list[LogLine]:
        """What has happened in this match so far."""
        look, lines = self.context(), list[LogLine]()
        for ply in range(1, self._match.ply + 1):
            lines += narrate_step(self._match, self._at(ply, look))
        return lines


class LessonRun:
    """A lesson, and the current step.

    It raises `LessonError` where there is no lesson, or one that can't be played.
    """

    def __init__(self, game: str, glyphs: Glyphs = Glyphs.ASCII) -> None:
        spec = find_game(game)
        lesson = lesson_of(spec)
        if lesson is None:
            known = " ".join(id for id in game_ids() if find_game(id).has_lesson)
            raise LessonError(f"{spec.info.name} has no lesson.", f"Games with one: {known}")
        self.lesson: Lesson = lesson
        self.view = spec.make_view(make(game, **lesson.options))
        self.glyphs = glyphs
        self.number = 0
        """The number of the current step, from 1."""
        self._begin(None)

    def _begin(self, before: AnyMatch | None) -> None:
        match = begin_step(self.view.game, self.lesson, self.number, before)
        step = self.lesson.steps[self.number]
        self.asked = AskedStep(self.view, match, step, self.lesson.seat, self.glyphs)
        self.number += 1

    def answer(self, notation: str) -> None:
        """Do something in the current step.

        What follows is shown at once if the next step begins elsewhere.
        """
        self.asked.answer(notation)
        goes_on = not self.is_last and self.lesson.steps[self.number].position is None
        if self.asked.is_done and not goes_on:
            self.asked.finish()

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.lesson.steps)

    @property
    def is_last(self) -> bool:
        """Whether this is the last step."""
        return self.number == self.count

    @property
    def closing_message(self) -> str:
        """What to say after the last step."""
        info = self.view.game.info
        return f"That is all you need. To play: boardgames play {info.id}"

    def go_on(self) -> bool:
        """Go to the next step once this one is done; False if it was the last."""
        if self.is_last:
            return False
        self._begin(self.asked.finish())
        return True
