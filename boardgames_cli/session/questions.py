"""Questions, one after the other: steps of a lesson, puzzles, cards of the drill.

A question is a position, a task, and the answers that are right; both front ends ask it.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.lesson import (
    Lesson,
    LessonError,
    LessonStep,
    begin_step,
    follow,
    lesson_of,
)
from boardgames_cli.core.presentation.view import AnyView, RenderContext
from boardgames_cli.core.text import Glyphs, counted
from boardgames_cli.evaluation.puzzles import (
    LEVELS,
    Puzzle,
    PuzzleError,
    puzzle_of_the_day,
)
from boardgames_cli.registry import find_game, game_ids, make, spec_of
from boardgames_cli.session.snapshot import LogLine, TableSnapshot, narrate_step, take_snapshot
from boardgames_cli.session.viewpoint import Viewpoint
from boardgames_cli.storage.practice import (
    PuzzleProgress,
    note_card,
    note_progress,
    read_progress,
)


@dataclass(eq=False, slots=True)
class Question:
    """A position in which a person is asked for an action, and the answers so far."""

    shown: TableSnapshot
    """What the seat that is asked sees, with its legal actions."""
    about: Puzzle | LessonStep
    """What is asked, and what there is to say of the answers."""
    kind: str
    """The word for it in a title."""
    heading: str = ""
    play: Callable[[str], TableSnapshot] | None = None
    """Plays a right answer, and returns what is seen then; None where nothing moves."""
    tried: list[str] = field(default_factory=list)
    """The notations of the choices tried, in order."""
    is_hinted: bool = False
    """Whether a hint was given, which counts as a try."""
    is_shown: bool = False
    """Whether the answer was shown: on request, or as it was the only choice left."""
    outlook: str = ""
    """When it is asked again, as a sentence; may be empty."""

    @property
    def view(self) -> AnyView:
        return self.shown.view

    @property
    def game(self) -> AnyGame:
        game: AnyGame = self.view.game
        return game

    @property
    def seen(self) -> Observation[Any, Any]:
        return self.shown.seen

    @property
    def seat(self) -> Seat:
        return self.shown.seen.own_seat

    @property
    def puzzle(self) -> Puzzle | None:
        return self.about if isinstance(self.about, Puzzle) else None

    @property
    def asks_share(self) -> bool:
        """Whether the choices are no actions, but how often one is taken."""
        return self.puzzle is not None and bool(self.puzzle.share_of)

    @property
    def choices(self) -> tuple[str, ...]:
        """The notations of the choices, in the order of their numbers."""
        if self.puzzle is not None and self.asks_share:
            return tuple(sorted(self.puzzle.choices, key=lambda share: int(share.split()[0])))
        return tuple(map(str, self.seen.legal))

    def action(self, notation: str) -> Any:
        """The action with a notation; None if there is none."""
        return next((one for one in self.seen.legal if str(one) == notation), None)

    def describe(self, notation: str) -> str:
        """The label of a choice in the list."""
        action = self.action(notation)
        return notation if action is None else self.view.describe(self.seen, action)

    def read(self, text: str) -> str | None:
        """The choice that a text means: a notation first, then a number.

        Returns:
            Its notation; None if it is not among the choices.
        """
        notations = self.choices
        for notation in (text, f"{text.rstrip(' %')} %"):
            if notation in notations:
                return notation
        is_number = text.isdecimal() and text.isascii() and len(text) < 4
        if is_number and 1 <= int(text) <= len(notations):
            return notations[int(text) - 1]
        try:
            action = str(self.game.parse(self.seen.state, self.seat, text))
        except GameError:
            return None
        return action if action in notations else None

    def answer(self, notation: str) -> bool:
        """Try a choice; whether the question is done then."""
        self.tried.append(notation)
        if self.play is not None and self.is_solved:
            self.shown = self.play(notation)
        if self.puzzle is not None and self.puzzle.losses.keys() <= set(self.tried):
            self.is_shown = not self.is_solved  # the only choice left: trying all is no solution
        return self.is_done

    @property
    def is_solved(self) -> bool:
        return bool(self.tried) and self.tried[-1] in self.about.right

    @property
    def is_done(self) -> bool:
        return self.is_shown or self.is_solved

    @property
    def tries(self) -> int:
        """The number of answers given; 0 if the answer was shown, or nothing else was left."""
        is_found = len(self.tried) == 1 or len(set(self.tried)) < len(self.choices)
        return len(self.tried) + self.is_hinted if self.is_solved and is_found else 0

    @property
    def comment(self) -> str:
        """What there is to say now: of the position, or of the last answer; may be empty."""
        return self.about.comment(self.tried, self.is_done)

    def snapshot(self, highlight: Any = None, *, has_colours: bool = True) -> TableSnapshot:
        """What a table shows; its log has what happened, or what answers to a puzzle cost."""
        # What is laid over the board would give away the answer.
        shows_layer = self.puzzle is not None and self.is_done
        look = replace(
            self.shown.context,
            highlight=highlight,
            shows_layer=shows_layer,
            has_colours=has_colours,
        )
        log = self.shown.log
        if self.puzzle is not None and not self.is_done:
            costs = [f"{self.puzzle.label(one)}: {self.puzzle.verdict(one)}" for one in self.tried]
            log = [LogLine(number, text, self.seat) for number, text in enumerate(costs)]
        return replace(self.shown, context=look, log=log)


def look_of(game: AnyGame, seat: Seat, glyphs: Glyphs) -> RenderContext[Any, Any]:
    """How a board is drawn for the person who has a seat."""
    others = ["Opponent" if game.seats == 2 else f"Seat {game.info.seat_name(seat)}"
              for seat in range(game.seats)]  # fmt: skip
    names = ["You" if other == seat else name for other, name in enumerate(others)]
    return RenderContext(glyphs, names, viewer=seat)


def question_of_puzzle(
    puzzle: Puzzle, glyphs: Glyphs = Glyphs.ASCII, kind: str = "PUZZLE", heading: str = ""
) -> Question:
    """A puzzle as a question.

    Raises:
        PuzzleError: It doesn't fit the rules of this version.
    """
    game = puzzle.rulebook()
    seen, view = puzzle.observation(game), spec_of(game).make_view(game)
    shown = TableSnapshot(view, seen, look_of(game, puzzle.seat, glyphs))
    return Question(shown, puzzle, kind, heading)


Item = TypeVar("Item")


class QuestionRun(Generic[Item]):
    """Asks one question after the other.

    Args:
        items: What is asked about; not empty.
        ask: Makes the question about one.
        opening: What there is to say before the first.
        closing: What there is to say after the last.
    """

    problem = ""
    """Why the answers are not kept; empty if they are."""

    def __init__(
        self,
        items: Sequence[Item],
        ask: Callable[[Item], Question],
        opening: str = "",
        closing: str = "",
    ) -> None:
        self._ask = ask
        self.opening, self.closing = opening, closing
        self._items, self._place = items, 0
        self.asked = ask(items[0])

    @property
    def count(self) -> int:
        return len(self._items)

    @property
    def has_next(self) -> bool:
        return self._place + 1 < self.count

    @property
    def standing(self) -> str:
        """How far it has come; empty for a single question."""
        return f"step {self._place + 1} of {self.count}" if self.count > 1 else ""

    def answer(self, notation: str) -> None:
        """Try a choice; ignored if the question is done."""
        if not self.asked.is_done and self.asked.answer(notation):
            self._keep()

    def help(self) -> str:
        """A first hint; the second time, or if there is none, the answer is shown instead."""
        asked = self.asked
        hint = "" if asked.puzzle is None or asked.is_hinted else asked.puzzle.hint
        if not asked.is_done:
            asked.is_hinted, asked.is_shown = True, not hint
            if asked.is_shown:
                self._keep()
        return hint

    def _keep(self) -> None:
        pass  # nothing is kept of a lesson

    def go_on(self) -> bool:
        """Go to the next question; False if this is the last one.

        Raises:
            GameError: The next one doesn't fit the rules of this version; the one after it may.
        """
        if not self.has_next:
            return False
        self._place += 1
        self.asked = self._ask(self._items[self._place])
        return True


def lesson_run(game: str, glyphs: Glyphs = Glyphs.ASCII) -> QuestionRun[int]:
    """The lesson of a game, step by step.

    Raises:
        LessonError: There is no lesson, or one that can't be played.
    """
    spec = find_game(game)
    lesson = lesson_of(spec)
    if lesson is None:
        known = " ".join(id for id in game_ids() if find_game(id).has_lesson)
        raise LessonError(f"{spec.info.name} has no lesson.", f"Games with one: {known}")
    view = spec.make_view(make(game, **lesson.options))
    aim = view.aim(lesson.seat)
    return QuestionRun(
        range(len(lesson.steps)),
        partial(_question_of_step, lesson, view, glyphs),
        f"Aim: {aim}." if aim else "",
        f"That is all you need. To play: boardgames play {spec.info.id}",
    )


def _question_of_step(lesson: Lesson, view: AnyView, glyphs: Glyphs, number: int) -> Question:
    step, seat = lesson.steps[number], lesson.seat
    match = _match_at(view.game, lesson, number)
    goes_on = any(after.position is None for after in lesson.steps[number + 1 : number + 2])
    viewpoint, look = Viewpoint((seat,)), look_of(view.game, seat, glyphs)

    def see(ply: int, legal: tuple[Any, ...] = ()) -> TableSnapshot:
        return take_snapshot(match, view, viewpoint, ply, look, legal)

    def see_all(legal: tuple[Any, ...] = ()) -> TableSnapshot:
        moments = [see(ply) for ply in range(1, match.ply + 1)]
        lines = [line for moment in moments for line in narrate_step(match, moment)]
        return replace(see(match.ply, legal), log=lines)

    def play(notation: str) -> TableSnapshot:
        start, rest = match.ply, list(step.then)
        match.submit(seat, match.game.parse(match.state, seat, notation))
        # Others may act at the same time. What follows is shown at once if the next step begins
        # elsewhere, and else with the next step.
        while rest and (match.ply == start or not goes_on):
            follow(match, (rest.pop(0),))
        return see_all()

    return Question(see_all(match.observe(seat).legal), step, "LESSON", play=play)


def _match_at(game: AnyGame, lesson: Lesson, number: int) -> AnyMatch:
    before = None
    if number and lesson.steps[number].position is None:
        before, done = _match_at(game, lesson, number - 1), lesson.steps[number - 1]
        before.submit(lesson.seat, game.parse(before.state, lesson.seat, done.right[0]))
        follow(before, done.then)
    return begin_step(game, lesson, number, before)


FEW: Final = 5
"""With fewer cards due, puzzles join in."""


class PuzzleRun(QuestionRun[Puzzle]):
    """Asks puzzles, and keeps the progress over all of them.

    Easy ones come first, those that more levels find before others; several games take turns, and
    solved puzzles come last. A drill asks its cards first, and unsolved puzzles if these are few.

    Args:
        puzzles: The puzzles, and those of the cards of a drill; not empty.
        progress_file: The file of the progress; None for none.
        glyphs: Which characters boards may use.
        today: The day whose puzzle comes first; None for none.
        cards: The cards of a drill by the ids of their puzzles, with the number of games in which
            the mistake was made.
        deck_file: The deck of the drill; None for puzzles alone.

    Raises:
        StorageError: The file of the progress is damaged.
        PuzzleError: The first puzzle doesn't fit the rules of this version, or a drill has nothing
            to ask.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        progress_file: Path | None,
        glyphs: Glyphs = Glyphs.ASCII,
        today: datetime.date | None = None,
        cards: Mapping[str, int] | None = None,
        deck_file: Path | None = None,
    ) -> None:
        self._file, self._deck_file = progress_file, deck_file
        self.progress = PuzzleProgress() if progress_file is None else read_progress(progress_file)
        self._glyphs = glyphs
        self._cards = cards or {}
        self._done: set[str] = set()
        """The ids of those that are done since the drill began."""
        asked = self._in_order(puzzles)
        self._of_the_day = None if today is None else puzzle_of_the_day(puzzles, today)
        if self._of_the_day is not None:
            asked = [self._of_the_day, *(one for one in asked if one is not self._of_the_day)]
        closing = "\nThat was the last one." if len(asked) > 1 else ""
        super().__init__(asked, self._question, self._opening(len(asked)), closing)

    @property
    def is_drill(self) -> bool:
        return self._deck_file is not None

    def _opening(self, count: int) -> str:
        if not self.is_drill:
            return ""
        cards, joining = len(self._cards), count - len(self._cards)
        if not cards:
            return "No card is due today: these are puzzles."
        joined = f", then {counted(joining, 'puzzle')}" if joining else ""
        return f"{cards} {'card is' if cards == 1 else 'cards are'} due today{joined}."

    def _question(self, puzzle: Puzzle) -> Question:
        games = self._cards.get(puzzle.id, 0)
        heading = f"{puzzle.id}, {LEVELS[puzzle.level]}"
        heading += f", in {counted(games, 'game')}" if games else ""
        kind = "PUZZLE OF THE DAY" if puzzle is self._of_the_day else "PUZZLE"
        return question_of_puzzle(puzzle, self._glyphs, "DRILL" if games else kind, heading)

    def _in_order(self, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
        cards = [one for one in puzzles if one.id in self._cards]
        others = [one for one in puzzles if one.id not in self._cards]
        turns: Counter[Any] = Counter()
        keys = {}
        for puzzle in sorted(others, key=lambda one: -sum(one.found.values())):
            group = (puzzle.id in self.progress.solved, puzzle.level)
            keys[puzzle.id] = (*group, turns[puzzle.game, group])
            turns[puzzle.game, group] += 1
        others.sort(key=lambda one: keys[one.id])
        if self.is_drill:
            unsolved = [one for one in others if one.id not in self.progress.solved]
            others = unsolved[: max(0, FEW - len(cards))]
        if not cards and not others:
            raise PuzzleError(
                "no card is due today, and all puzzles are solved.",
                "Cards come from the mistakes of reviewed games: boardgames review",
            )
        return [*cards, *others]

    @property
    def standing(self) -> str:
        """How many of them were ever solved; in a drill, how many are done."""
        done = self._done if self.is_drill else {id for id, n in self.progress.solved.items() if n}
        return f"solved {sum(puzzle.id in done for puzzle in self._items)} of {self.count}"

    def _keep(self) -> None:
        # Not the one at the present place, if that doesn't fit the rules.
        assert self.asked.puzzle is not None, "it asks puzzles"
        id, tries = self.asked.puzzle.id, self.asked.tries
        self._done.add(id)
        deck = self._deck_file if id in self._cards else None
        try:
            if deck is not None:
                days = note_card(deck, id, tries, datetime.date.today())
                self.asked.outlook = f"It is asked again in {counted(days, 'day')}." if days else ""
            elif self._file is not None:
                self.progress = note_progress(self._file, id, tries)
            else:
                self.progress.note(id, tries)
        except StorageError as error:
            self.problem = f"Your {'drill' if deck else 'progress'} is not kept: {error}"
            self.progress.note(id, tries)
