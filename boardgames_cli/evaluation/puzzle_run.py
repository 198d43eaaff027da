"""Presents puzzles and cards of the drill one by one, and records progress; for both front ends."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.game_tree import information_set, stage_of
from boardgames_cli.algorithms.position_graph import SmallGame, position_key
from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.text import Glyphs, counted
from boardgames_cli.evaluation.asked_position import AskedPosition
from boardgames_cli.evaluation.mining import puzzle_of
from boardgames_cli.evaluation.puzzles import (
    LEVELS,
    Puzzle,
    PuzzleError,
    puzzle_of_the_day,
    puzzles_of,
    read_puzzle,
    require_puzzles,
)
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.registry import find_game, spec_of
from boardgames_cli.storage.practice import (
    DrillDeck,
    PuzzleProgress,
    note_card,
    note_progress,
    read_progress,
)


class Stage(Enum):
    """The stage of a puzzle."""

    OPEN = "open"
    SOLVED = "solved"
    SHOWN = "shown"
    """The answer was shown: on request, or because it was the only choice left."""


class AskedPuzzle(AskedPosition):
    """One puzzle, and the answers so far.

    Raises:
        PuzzleError: It doesn't fit the rules of this version.
    """

    def __init__(self, puzzle: Puzzle, glyphs: Glyphs = Glyphs.ASCII) -> None:
        game = puzzle.rulebook()
        super().__init__(spec_of(game).make_view(game), puzzle.observation(game), glyphs)
        self.puzzle = puzzle
        self.stage = Stage.OPEN

    @property
    def task(self) -> str:
        """What to find."""
        return self.puzzle.task

    @property
    def choices(self) -> tuple[str, ...]:
        """The notations of the choices, in the order of their numbers."""
        if self.puzzle.share_of:
            return tuple(sorted(self.puzzle.choices, key=lambda share: int(share.split()[0])))
        return super().choices

    @property
    def heading(self) -> str:
        """The heading of the puzzle."""
        return f"{self.puzzle.id}, {LEVELS[self.puzzle.level]}"

    def read(self, text: str) -> str | None:
        """The choice that a text means: a notation first, then a number."""
        share = f"{text.rstrip(' %')} %"
        if self.puzzle.share_of and text not in self.choices and share in self.choices:
            return share
        return super().read(text)

    @property
    def is_done(self) -> bool:
        """Whether it is solved, or the answer was shown."""
        return self.stage is not Stage.OPEN

    @property
    def shows_layer(self) -> bool:
        """Whether the board shows its layer; before it is done that would give away the answer."""
        return self.is_done

    @property
    def tries(self) -> int:
        """The number of answers given; 0 if the answer was shown, or nothing else was left."""
        is_found = len(self.tried) == 1 or len(set(self.tried)) < len(self.choices)
        return len(self.tried) if self.stage is Stage.SOLVED and is_found else 0

    def comment(self) -> str:
        """A comment on the last answer, or on the answer that was shown."""
        puzzle = self.puzzle
        answer = f"The answer is {puzzle.label(puzzle.answer)}."
        if not self.tried:
            return answer if self.stage is Stage.SHOWN else ""
        last = self.tried[-1]
        if self.stage is Stage.SOLVED:
            return f"Right: {puzzle.label(last)}."
        refuted = f"Not the best: {puzzle.label(last)}: {puzzle.verdict(last)}."
        if self.stage is Stage.OPEN:
            return f"{refuted} Try again."
        return f"{refuted} {answer}" if puzzle.losses.keys() <= set(self.tried) else answer


def _matching(puzzles: Sequence[Puzzle], game: str, level: int) -> list[Puzzle]:
    """The puzzles of a game and a level; an empty game means all, level 0 means all."""
    return [one for one in puzzles if game in ("", one.game) and level in (0, one.level)]


@dataclass(frozen=True, slots=True)
class PuzzleGroup:
    """Puzzles that can be chosen together."""

    game: str
    """The game's id; empty for all games."""
    level: int
    """How hard they are; 0 for all levels."""
    name: str
    """The label of the group in a list."""
    count: int
    solved: int
    """The number solved so far."""


class PuzzleRun:
    """A sequence of puzzles, and the progress over all of them.

    Easy ones come first, those that more levels find before others; several games take turns, and
    solved puzzles come last.

    Args:
        puzzles: The puzzles; not empty.
        progress_file: The file of the progress; None for none.
        glyphs: Which characters boards may use.
        find_all: Loads the puzzles to choose from with `choose`; None for these puzzles alone.

    Raises:
        StorageError: The file of the progress is damaged.
        PuzzleError: The first puzzle doesn't fit the rules of this version.
    """

    opening = ""
    """A sentence about what is asked, for the first puzzle."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        progress_file: Path | None,
        glyphs: Glyphs = Glyphs.ASCII,
        find_all: Callable[[], Sequence[Puzzle]] | None = None,
    ) -> None:
        self._file = progress_file
        self.progress = (
            read_progress(progress_file) if progress_file is not None else PuzzleProgress()
        )
        self.glyphs = glyphs
        self._find_all = find_all or (lambda: puzzles)
        self.problem = ""
        """Why the progress is not saved; empty if it is."""
        self._begin(puzzles)

    @property
    def kind(self) -> str:
        """The word for the current one in a title."""
        return "PUZZLE OF THE DAY" if self.asked.puzzle is self._of_the_day else "PUZZLE"

    @property
    def heading(self) -> str:
        """The heading of the current one."""
        return self.asked.heading

    def _begin(self, puzzles: Sequence[Puzzle]) -> None:
        order = self._in_order(puzzles)
        self.asked = AskedPuzzle(order[0], self.glyphs)
        """The current puzzle."""
        self._all, self._order, self._place = tuple(puzzles), order, 0
        self._of_the_day: Puzzle | None = None

    def _in_order(self, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
        """The order in which puzzles are asked."""
        turns: Counter[Any] = Counter()
        keys = {}
        for puzzle in sorted(puzzles, key=lambda one: -sum(one.found.values())):
            group = (puzzle.id in self.progress.solved, puzzle.level)
            keys[puzzle.id] = (*group, turns[puzzle.game, group])
            turns[puzzle.game, group] += 1
        return sorted(puzzles, key=lambda one: keys[one.id])

    @property
    def chosen(self) -> tuple[str, int]:
        """The current game and level; empty or 0 if there are several."""
        games, levels = {one.game for one in self._all}, {one.level for one in self._all}
        return (
            next(iter(games)) if len(games) == 1 else "",
            next(iter(levels)) if len(levels) == 1 else 0,
        )

    def games(self) -> list[PuzzleGroup]:
        """The games to choose from; all together come first if there are several.

        Raises:
            PuzzleError: A game's file of puzzles is damaged.
        """
        puzzles = self._find_all()
        ids = list(dict.fromkeys(puzzle.game for puzzle in puzzles))
        groups = [self._group(puzzles, id, 0, find_game(id).info.name) for id in ids]
        return [self._group(puzzles, "", 0, "all games"), *groups] if len(groups) > 1 else groups

    def levels(self, game: str) -> list[PuzzleGroup]:
        """The levels of a game's puzzles; all together come first if there are several.

        Args:
            game: Its id; empty for all games.

        Raises:
            PuzzleError: A game's file of puzzles is damaged.
        """
        puzzles = _matching(self._find_all(), game, 0)
        levels = sorted({puzzle.level for puzzle in puzzles})
        groups = [self._group(puzzles, game, level, LEVELS[level]) for level in levels]
        return [self._group(puzzles, game, 0, "all levels"), *groups] if len(groups) > 1 else groups

    def _group(self, puzzles: Sequence[Puzzle], game: str, level: int, name: str) -> PuzzleGroup:
        listed = _matching(puzzles, game, level)
        return PuzzleGroup(game, level, name, len(listed), self._solved(listed))

    def choose(self, game: str, level: int) -> None:
        """Switch to other puzzles.

        Args:
            game: The game's id; empty for all games.
            level: The level; 0 for all levels.

        Raises:
            PuzzleError: There are none, a game's file is damaged, or the first puzzle doesn't fit
                the rules of this version. The current puzzle stays then.
        """
        wanted = _matching(self._find_all(), game, level)
        if not wanted:
            raise PuzzleError("there are no such puzzles.")
        self._begin(wanted)

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return len(self._order)

    @property
    def has_next(self) -> bool:
        """Whether another one comes after this one."""
        return self._place + 1 < self.count

    @property
    def solved(self) -> int:
        """How many of them were ever solved."""
        return self._solved(self._order)

    def _solved(self, puzzles: Sequence[Puzzle]) -> int:
        return sum(1 for puzzle in puzzles if self.progress.solved.get(puzzle.id))

    def go_on(self) -> bool:
        """Go to the next puzzle; False if this is the last one.

        Raises:
            PuzzleError: The next one doesn't fit the rules of this version; the one after it may.
        """
        if not self.has_next:
            return False
        self._place += 1
        self.asked = AskedPuzzle(self._order[self._place], self.glyphs)
        return True

    def go_to_today(self, day: datetime.date) -> bool:
        """Go to the puzzle of a day, like `go_on`; False if it is the current one already.

        Raises:
            PuzzleError: It doesn't fit the rules of this version.
        """
        wanted = self._of_the_day = puzzle_of_the_day(self._all, day)
        if wanted is self.asked.puzzle:
            return False
        asked = AskedPuzzle(wanted, self.glyphs)
        # It is inserted here: the puzzle that was next stays next.
        at = self._order.index(wanted)
        del self._order[at]
        self._place -= at <= self._place
        self._place += 1
        self._order.insert(self._place, wanted)
        self.asked = asked
        return True

    def answer(self, notation: str) -> bool:
        """Try a choice; whether it is correct.

        Args:
            notation: One of the choices; ignored if the puzzle is done.
        """
        asked = self.asked
        is_right = notation in asked.puzzle.right
        if asked.is_done:
            return is_right
        asked.tried.append(notation)
        if is_right:
            asked.stage = Stage.SOLVED
            self._keep()
        elif asked.puzzle.losses.keys() <= set(asked.tried):
            self.show_answer()  # it is the only choice left: trying all is no solution
        return is_right

    def show_answer(self) -> None:
        """Give up and show the answer."""
        if not self.asked.is_done:
            self.asked.stage = Stage.SHOWN
            self._keep()

    def _keep(self) -> None:
        puzzle, tries = self.asked.puzzle.id, self.asked.tries
        if self._file is not None:
            try:
                self.progress = note_progress(self._file, puzzle, tries)
                return
            except StorageError as error:
                self.problem = f"Your progress is not kept: {error}"
        self.progress.note(puzzle, tries)

    @property
    def summary(self) -> str:
        """A sentence about the current selection."""
        game, level = self.chosen
        kind = f"{LEVELS[level]} " if level else ""
        whose = find_game(game).info.name if game else "all games"
        noun = "puzzle" if self.count == 1 else "puzzles"
        return f"{self.count} {kind}{noun} of {whose}, {self.solved} solved."

    @property
    def outlook(self) -> str:
        """When it is asked again, as a sentence; empty for a puzzle."""
        return ""


def run_of_game(
    game: str, offered: Sequence[str], progress_file: Path | None, glyphs: Glyphs
) -> PuzzleRun:
    """A run of a game's puzzles, which can be switched to the other games on offer.

    Raises:
        GameError: The game has none, or they or the progress can't be used.
    """
    return PuzzleRun(require_puzzles(game), progress_file, glyphs, partial(puzzles_of, offered))


FEW: Final = 5
"""With fewer cards due, puzzles join in."""

_LEVELS: Final = {Mark.BLUNDER: 1, Mark.MISTAKE: 2, Mark.INACCURACY: 3}


def mistakes_as_puzzles(
    name: str, match: AnyMatch, review: Review, seats: Sequence[Seat]
) -> list[Puzzle]:
    """A puzzle for every marked mistake of some seats; the ids begin with the name of the save."""
    found = []
    for step, decision in review.mistakes():
        if decision.seat not in seats:
            continue
        puzzle = puzzle_of(
            match.game, match.observe(decision.seat, step.ply), decision.choices, review.scale,
            id=f"{name}, step {step.ply + 1}", level=_LEVELS[decision.mark],
            why=decision.reason.text, method=str(review.method),
        )  # fmt: skip
        try:
            puzzle.observation(match.game)
        except PuzzleError:  # an analyst that leaves out choices
            continue
        found.append(puzzle)
    return found


class DrillRun(PuzzleRun):
    """Asks cards that are due, then puzzles if these are few.

    Args:
        deck: The deck; at least one card is due, or there are puzzles.
        deck_file: Where answers to cards are noted.
        puzzles: The puzzles that may join in.
        progress_file: The file of the progress in puzzles; None for none.
        glyphs: Which characters boards may use.
        today: The day.
        game: The id of a game; empty means all.

    Raises:
        StorageError: The file of the progress is damaged.
        PuzzleError: There is nothing to ask, or a card doesn't fit this version.
    """

    def __init__(
        self,
        deck: DrillDeck,
        deck_file: Path,
        puzzles: Sequence[Puzzle],
        progress_file: Path | None,
        glyphs: Glyphs,
        today: datetime.date,
        game: str = "",
    ) -> None:
        self._deck_file, self._today = deck_file, today
        cards = [read_puzzle(card.puzzle, "a card of the drill") for card in deck.due(today, game)]
        self._cards = {card.puzzle["id"]: card.games for card in deck.due(today, game)}
        self._done: set[str] = set()
        self._again = ""
        super().__init__([*cards, *puzzles] if len(cards) < FEW else cards, progress_file, glyphs)
        self.opening = self.summary

    @property
    def outlook(self) -> str:
        """When the card is asked again, as a sentence; empty for a puzzle."""
        return self._again if self.asked.puzzle.id in self._cards else ""

    @property
    def kind(self) -> str:
        """The word for the current one in a title."""
        return "DRILL" if self.asked.puzzle.id in self._cards else super().kind

    @property
    def heading(self) -> str:
        """The heading of the current one, with the number of games if there are several."""
        games = self._cards.get(self.asked.puzzle.id, 1)
        return f"{super().heading}, in {games} games" if games > 1 else super().heading

    def go_to_today(self, day: datetime.date) -> bool:
        """There is no puzzle of the day among what is due.

        Raises:
            PuzzleError: Always.
        """
        raise PuzzleError(
            "a drill has no puzzle of the day.", "Press o in the menu, or: boardgames puzzle"
        )

    def _in_order(self, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
        """The cards first; of puzzles, unsolved ones, as many as are missing."""
        cards = [one for one in puzzles if one.id in self._cards]
        others = [one for one in puzzles if one.id not in self._cards]
        joining = [one for one in super()._in_order(others) if one.id not in self.progress.solved]
        order = [*cards, *joining[: max(0, FEW - len(cards))]]
        if not order:
            raise PuzzleError(
                "no card is due today, and all puzzles are solved.",
                "Cards come from the mistakes of reviewed games: boardgames review",
            )
        return order

    def _solved(self, puzzles: Sequence[Puzzle]) -> int:
        return sum(puzzle.id in self._done for puzzle in puzzles)

    def _keep(self) -> None:
        asked = self.asked
        self._done.add(asked.puzzle.id)
        if asked.puzzle.id not in self._cards:
            super()._keep()
            return
        try:
            days = note_card(self._deck_file, asked.puzzle.id, asked.tries, self._today)
            self._again = f"It is asked again in {counted(days, 'day')}." if days else ""
        except StorageError as error:
            self.problem = f"Your drill is not kept: {error}"

    @property
    def summary(self) -> str:
        """A sentence about what is asked."""
        cards, joining = len(self._cards), self.count - len(self._cards)
        if not cards:
            return "No card is due today: these are puzzles."
        joined = f", then {counted(joining, 'puzzle')}" if joining else ""
        return f"{cards} {'card is' if cards == 1 else 'cards are'} due today{joined}."


def as_data(puzzles: Sequence[Puzzle]) -> dict[str, dict[str, object]]:
    """Puzzles as JSON objects, as cards store them, by what they ask: the first of each."""
    found: dict[str, dict[str, object]] = {}
    for puzzle in puzzles:
        found.setdefault(_question(puzzle), dataclasses.asdict(puzzle))
    return found


def _question(puzzle: Puzzle) -> str:
    game = puzzle.rulebook()
    seen = puzzle.observation(game)
    # Mirror images ask the same, and a hand of a match what a single hand asks.
    is_small = isinstance(game, SmallGame)
    name = position_key(game, seen.state) if is_small else information_set(game, seen)
    return json.dumps([puzzle.game, option_values(stage_of(game)), name])


def question_of(card: Mapping[str, Any]) -> str:
    """What the puzzle of a card asks; empty if it doesn't fit this version."""
    try:
        return _question(read_puzzle(card, "a card of the drill"))
    except GameError:
        return ""
