"""Lessons: a guided first game, step by step, as data beside a game's rules.

A step says one thing and asks for one action, which the rules check. What chance and the other
seats do in between is part of the data, so that a lesson is the same every time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.codec.derived import parse_as
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.spec import LESSON, GameSpec

FORMAT: Final = 1
_LARGEST: Final = 1_000_000


class LessonError(GameError):
    """A lesson can't be used."""

    exit_code = EXIT_FILE


_READER: Final = JsonReader("", _LARGEST, LessonError)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One thing to learn, and one thing to do."""

    say: str
    """A sentence about the position or a rule."""
    task: str
    """What to do, such as ``Swap with the spool on 9.``"""
    right: tuple[str, ...]
    """The notations of the actions that do it."""
    praise: str
    """A sentence about what the action has done."""
    otherwise: str
    """Why an action that `wrong` doesn't name is not the one asked for."""
    wrong: dict[str, str] = field(default_factory=dict)
    """The same for single actions, by notation."""
    then: tuple[str, ...] = ()
    """The notations of what follows until the next step, by chance and by other seats, in order."""
    position: Mapping[str, Any] | None = None
    """The position where the step begins; None if it goes on from the step before, or from the
    start of a game."""

    def comment(self, tried: Sequence[str], is_done: bool) -> str:
        """What there is to say: of the position, of the last action tried, or of what it did."""
        if is_done:
            return self.praise
        return self.wrong.get(tried[-1], self.otherwise) if tried else self.say


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a game."""

    format: int
    steps: tuple[LessonStep, ...]
    seat: Seat = 0
    """The learner's seat."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game, where they are not the defaults."""
    opening: tuple[str, ...] = ()
    """The notations of what comes before the first step, by chance and by other seats."""


def lesson_of(spec: GameSpec) -> Lesson | None:
    """The lesson of a game; None if it has none.

    Raises:
        LessonError: The file is damaged; the message names the step.
    """
    text = spec.text_beside_rules(LESSON)
    if text is None:
        return None
    subject = f"{LESSON} of {spec.info.id}"
    lesson = parse_as(Lesson, _READER, text, subject)
    if lesson.format != FORMAT or not lesson.steps:
        raise LessonError(f"{subject} is not a lesson of format {FORMAT} with steps.")
    following = (*lesson.steps[1:], None)
    for number, (step, after) in enumerate(zip(lesson.steps, following, strict=True), 1):
        if not step.right:
            raise LessonError(f"{subject}: step {number} names no right action.")
        if after is not None and after.position is None and len(step.right) > 1:
            raise LessonError(
                f"{subject}: step {number} has several right actions, so that the next one needs a "
                "position."
            )
    return lesson


def begin_step(game: AnyGame, lesson: Lesson, number: int, before: AnyMatch | None) -> AnyMatch:
    """The match in which a step is to be done.

    Before it comes the match of the step before, after what follows that; None at the first step.

    Raises:
        GameError: The position is impossible, or it is not the learner's turn there.
    """
    position = lesson.steps[number].position
    if position is not None or before is None:
        start = None if position is None else game.from_json(position)
        before = Match(game, seed=0, start=start)  # chance outcomes are given, never drawn
        follow(before, () if number else lesson.opening)
    if lesson.seat not in before.waiting_for:
        raise LessonError(f"step {number + 1} of the lesson: it is not the learner's turn.")
    return before


def follow(match: AnyMatch, texts: tuple[str, ...]) -> None:
    """Play what follows an action: by chance and by other seats.

    Raises:
        GameError: One of them is not possible there.
    """
    for text in texts:
        if match.is_over:
            raise LessonError(f'"{text}" follows the end of the game.')
        seat = match.waiting_for[0]
        if seat == CHANCE:
            match.submit_chance(match.game.parse_chance(match.state, text))
        else:
            match.submit(seat, match.game.parse(match.state, seat, text))
