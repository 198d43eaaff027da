"""A position in which a person is asked for an action: of a puzzle, or of a lesson."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.presentation.view import AnyView, RenderContext
from boardgames_cli.core.text import Glyphs


class AskedPosition(ABC):
    """A position, its choices, and the answers so far.

    Args:
        view: The view that draws it.
        seen: What the seat that is asked sees, with its legal actions.
        glyphs: Which characters boards may use.
    """

    def __init__(
        self, view: AnyView, seen: Observation[Any, Any], glyphs: Glyphs = Glyphs.ASCII
    ) -> None:
        assert seen.seat is not None, "a spectator is asked nothing"
        self.view = view
        self.game: AnyGame = view.game
        self.seat: Seat = seen.seat
        self.seen = seen
        self.glyphs = glyphs
        self.names = _names(self.game, self.seat)
        self.tried: list[str] = []
        """The notations of the choices tried, in order."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether the answer is known."""

    @property
    @abstractmethod
    def task(self) -> str:
        """What is asked, in one sentence."""

    @property
    def shows_layer(self) -> bool:
        """Whether the board shows its layer."""
        return False

    @property
    def choices(self) -> tuple[str, ...]:
        """The notations of the choices, in the order of their numbers."""
        return tuple(str(action) for action in self.seen.legal)

    def action(self, notation: str) -> Any:
        """The action with a notation; None if there is none."""
        return next((one for one in self.seen.legal if str(one) == notation), None)

    def describe(self, notation: str) -> str:
        """The label of a choice in the list."""
        action = self.action(notation)
        return notation if action is None else self.view.describe(self.seen, action)

    @property
    def situation(self) -> str:
        """The decision to make, in the game's own words."""
        return self.view.prompt(self.seen, self.context())

    def context(
        self, highlight: Any = None, *, has_colours: bool = True
    ) -> RenderContext[Any, Any]:
        """How the board is drawn.

        Args:
            highlight: The action under the cursor, if any.
            has_colours: Whether colours are available.
        """
        return RenderContext(
            self.glyphs,
            self.names,
            highlight=highlight,
            shows_layer=self.shows_layer,
            has_colours=has_colours,
            viewer=self.seat,
        )

    def read(self, text: str) -> str | None:
        """The choice that a text means: a notation first, then a number.

        Returns:
            Its notation; None if it is not among the choices.
        """
        notations = self.choices
        if text in notations:
            return text
        is_number = text.isdecimal() and text.isascii() and len(text) < 4
        if is_number and 1 <= int(text) <= len(notations):
            return notations[int(text) - 1]
        try:
            action = str(self.game.parse(self.seen.state, self.seat, text))
        except GameError:
            return None
        return action if action in notations else None


def _names(game: AnyGame, own: Seat) -> list[str]:
    """The names of the seats: the user has the one to act."""
    others = ["Opponent" if game.seats == 2 else f"Seat {game.info.seat_name(seat)}"
              for seat in range(game.seats)]  # fmt: skip
    return ["You" if seat == own else name for seat, name in enumerate(others)]
