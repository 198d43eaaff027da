"""The drill: a person's own mistakes as puzzles, asked again when they are due."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.mining import loss_in_words, task_of
from boardgames_cli.evaluation.puzzle_run import PuzzleRun
from boardgames_cli.evaluation.puzzles import Puzzle, PuzzleError, read_puzzle
from boardgames_cli.evaluation.review_result import Decision, Review
from boardgames_cli.storage.drill_deck import DrillDeck, note_card

FEW: Final = 5
"""With fewer cards due, puzzles join in."""

_LEVELS: Final = {Mark.BLUNDER: 1, Mark.MISTAKE: 2, Mark.INACCURACY: 3}
_EQUAL: Final = 1e-9
"""The largest loss of a choice that is as good as the best."""


def mistakes_as_puzzles(
    name: str, match: AnyMatch, review: Review, seats: Sequence[Seat]
) -> list[Puzzle]:
    """A puzzle for every marked mistake of some seats.

    Args:
        name: The name of the save, for the ids.
        match: The game.
        review: Its complete review.
        seats: The seats of people.
    """
    found = []
    for step, decision in review.mistakes():
        if decision.seat not in seats:
            continue
        puzzle = _puzzle(f"{name}, step {step.ply + 1}", match, step.ply, review, decision)
        try:
            puzzle.observation(match.game)
        except PuzzleError:  # an analyst that leaves out choices
            continue
        found.append(puzzle)
    return found


def _puzzle(id: str, match: AnyMatch, ply: int, review: Review, decision: Decision) -> Puzzle:
    game: AnyGame = match.game
    best, choices = decision.best, decision.choices
    also = [choice.action for choice in choices[1:] if choice.loss <= _EQUAL]
    wrong = [choice for choice in choices[1:] if choice.loss > _EQUAL]
    return Puzzle(
        id=id,
        game=game.info.id,
        options=option_values(game),
        position=game.to_json(match.observe(decision.seat, ply).state),
        ply=ply,
        seat=decision.seat,
        level=_LEVELS[decision.mark],
        task=task_of("" if best.words.startswith("loss") else best.words),
        answer=best.action,
        losses={choice.action: loss_in_words(review.scale, choice) for choice in wrong},
        words={choice.action: choice.words for choice in choices if choice.words},
        labels={
            choice.action: choice.label
            for choice in choices
            if choice.label not in ("", choice.action)
        },
        why=decision.reason.text,
        share_of="",
        also=also,
        method=str(review.method),
    )


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

    kind = "DRILL"

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
        self._cards = {puzzle.id for puzzle in cards}
        self._done: set[str] = set()
        super().__init__([*cards, *puzzles] if len(cards) < FEW else cards, progress_file, glyphs)

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
            note_card(self._deck_file, asked.puzzle.id, asked.tries, self._today)
        except StorageError as error:
            self.problem = f"Your drill is not kept: {error}"

    @property
    def summary(self) -> str:
        """A sentence about what is asked."""
        cards = len(self._cards)
        return f"{cards} {'card is' if cards == 1 else 'cards are'} due today."


def as_data(puzzles: Sequence[Puzzle]) -> list[dict[str, object]]:
    """Puzzles as JSON objects, as cards store them."""
    return [dataclasses.asdict(puzzle) for puzzle in puzzles]
