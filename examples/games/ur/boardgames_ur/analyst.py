"""The analyst of Ur: the table of endings, otherwise the heuristic one decision further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from boardgames_cli import Method, SearchAnalyst

from boardgames_ur.endings import MOST, value
from boardgames_ur.rules import Move, State, Throw, Ur


@dataclass(frozen=True)
class UrAnalyst(SearchAnalyst[Ur, State, Move, Throw]):
    """Reviews games and asks puzzles."""

    known_by: ClassVar[str] = "the table of endings"

    @property
    def method(self) -> Method:
        """The heuristic, and the size of the table."""
        text = f"one decision further; exact with up to {MOST} pieces a side that are not home"
        return Method(False, f"the game's heuristic, {text}")

    def known(self, state: State) -> tuple[float, ...] | None:
        """The value of an ending by best play."""
        first = value(state, 0)
        return None if first is None else (first, -first)

    def chance_label(self, outcome: Throw) -> str:
        """The throw."""
        return f"threw {outcome.pips}"
