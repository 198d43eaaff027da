"""How a game is shown: one view serves every front end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Seat, Step
from boardgames_cli.core.text import Glyphs, Picture, Span, shortened


@dataclass(frozen=True, slots=True)
class Size:
    """Room for a picture in columns and rows."""

    width: int
    height: int


LEAST_SIDEBAR: Final = 26
"""Columns that a sidebar can always count on."""

G = TypeVar("G", bound=AnyGame)
"""The rulebook of one game."""


@dataclass(frozen=True, slots=True)
class RenderContext(Generic[A, C]):
    """What a picture is asked to bring out besides the position itself."""

    glyphs: Glyphs = Glyphs.ASCII
    names: Sequence[str] = ()
    """What the seats' owners are called, by seat."""
    highlight: A | None = None
    """The action under the cursor: the view shows what it would do."""
    last: Step[A, C] | None = None
    """The step that led here, as the viewer may know it; None at the start."""
    last_move: Step[A, C] | None = None
    """The last step of seats up to there, whatever chance has done since; None before the first."""
    committed: Collection[Seat] = ()
    """The seats that have chosen in a joint step that is not complete yet."""
    people: Collection[Seat] | None = None
    """The seats of the people at the screen, for "you"; None is the viewer's own."""
    shows_layer: bool = False
    """Whether the view's `View.layer` is laid over the board."""
    has_colours: bool = True
    """Whether grounds can be told apart by colour; if not, frames and shades must do it."""
    viewer: Seat | None = None
    """Whose view it is, for `View.frames`, which gets no observation."""

    def is_own(self, seat: Seat) -> bool:
        """Whether a person at the screen has the seat."""
        return self.people is None or seat in self.people

    def name(self, seat: Seat) -> str:
        """What to call the owner of a seat."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat + 1}"

    def short_name(self, seat: Seat, width: int) -> str:
        """What to call the owner of a seat in no more than a number of columns."""
        return shortened(self.name(seat), width, self.glyphs)


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys with which one person plays on the full screen without looking at a list."""

    actions: Mapping[str, str]
    """Notations by key; keys are named as Textual does: ``up``, ``w``, ``space``, ``full_stop``."""
    hints: tuple[tuple[str, str], ...] = ()
    """What the footer says: (keys, word)."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What a key adds to the notation of the next action, such as a word to be said with it."""
    word_count: int = 0
    """Words that complete an action; fewer count as none."""


@dataclass(frozen=True)
class View(ABC, Generic[G, S, A, C]):
    """Draws observations and describes steps of one game, with its options.

    It reads no state and no step but those that the viewer may know, and keeps nothing between
    two calls. `picture`, `narrate` and `legend` are what a game must have; the rest has usable
    defaults.
    """

    game: G
    """The rulebook."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """For each theme ("dark", "light") a style for each role of this game, such as
    ``"bold #2b2118 on #e8d5a3"``; roles without one take the style of the part before the last dot,
    and the styles of ``seat.N`` come from the front end."""

    counts_moments: ClassVar[bool] = False
    """Whether the prompt says which moment it is, in the game's own count."""

    layer: ClassVar[str] = ""
    """What can be laid over the board and taken off again, such as ``danger``; empty if nothing.

    `RenderContext.shows_layer` says whether it is."""

    reports: ClassVar[Mapping[str, str]] = {}
    """Words that people may type for a report of this game alone, each with what it reports;
    `report` gives it."""

    @abstractmethod
    def picture(self, seen: Observation[S, A], size: Size, context: RenderContext[A, C]) -> Picture:
        """The board as one seat sees it, no larger than ``size`` where that is possible at all."""

    @abstractmethod
    def narrate(
        self, before: S, step: Step[A, C], after: S, context: RenderContext[A, C]
    ) -> list[str]:
        """One line for each thing that happened.

        Args:
            before: The state before the step, redacted for the reader.
            step: The step, redacted for the reader.
            after: The state after it, redacted for the reader.
            context: How the board looks after the step.
        """

    @abstractmethod
    def legend(self, glyphs: Glyphs) -> Picture:
        """What the signs on the board mean."""

    def sidebar(self, seen: Observation[S, A], width: int, context: RenderContext[A, C]) -> Picture:
        """Facts beside the board: who has what, and what the position means.

        Args:
            seen: What is shown.
            width: Columns that may be used, `LEAST_SIDEBAR` or more. Names use what is left by the
                rest; see `RenderContext.short_name`.
            context: How it is drawn.
        """
        lines = []
        for seat in range(self.game.seats):
            mark = ">" if seat in self.game.to_act(seen.state) else " "
            name = context.short_name(seat, width - len(mark) - 1)
            lines.append((Span(f"{mark} {name}", f"seat.{seat}"),))
        return Picture(tuple(lines))

    def frames(
        self,
        before: S,
        step: Step[A, C],
        after: S,
        size: Size,
        context: RenderContext[A, C],
    ) -> Iterable[Picture]:
        """Pictures between two states, in order, such as a piece on its way; none by default.

        The states are redacted for the reader, and neither is among the pictures. Front ends that
        can move show them within the time that the pace leaves; the others, and those asked to
        show steps at once or without motion, do without.
        """
        return ()

    def pause_after(
        self, before: S, step: Step[A, C], after: S, context: RenderContext[A, C]
    ) -> str:
        """What comes after a step that people want to look at, such as ``next hand``.

        Where people play, front ends wait there for a key, with the last of the step's `frames` on
        the board if it has any. Empty, as by default: the game goes on at its pace.

        Args:
            before: The state before the step, redacted for the viewer.
            step: The step, redacted for the viewer.
            after: The state after it, redacted for the viewer; the game is not over.
            context: How the board looks after the step.
        """
        return ""

    def prompt(self, seen: Observation[S, A], context: RenderContext[A, C]) -> str:
        """One line about the decision to take."""
        seats = self.game.to_act(seen.state)
        if not seats:
            return "The game is over."
        if seats == (CHANCE,):
            return "Chance acts."
        return f"{', '.join(context.name(seat) for seat in seats)} to act."

    def status(self, seen: Observation[S, A], context: RenderContext[A, C]) -> str:
        """What the observer's seat has, in a few words, for a line with its name and choice.

        Such lines stand where the list of choices would, when several people play at once and in
        real time. Empty, as by default: the prompt says it all.
        """
        return ""

    def describe(self, seen: Observation[S, A], action: A) -> str:
        """The label of a choice: the action's notation and what is special about it."""
        return str(action)

    def shortlist(self, seen: Observation[S, A]) -> Sequence[A]:
        """The actions to be listed and numbered; the others can be typed. By default all."""
        return seen.legal

    def at_a_glance(self, seen: Observation[S, A]) -> str:
        """All choices in one line, for games that ask often; empty: they are listed one a line."""
        return ""

    def key_sets(self, people: int) -> Sequence[KeySet]:
        """A set of keys for each person at one keyboard.

        None at all if the game needs no keys of its own; a single one for several people if they
        must act one after the other.
        """
        return ()

    def audience_viewpoint(self) -> Seat | None:
        """Whose view people first watch agents play from; None is what everybody knows."""
        return None

    def report(self, seen: Observation[S, A], word: str, context: RenderContext[A, C]) -> list[str]:
        """The lines of one of `reports`."""
        return []

    def result(self, state: S, context: RenderContext[A, C]) -> str:
        """Who won, in one line."""
        returns = self.game.returns(state)
        best = max(returns)
        winners = [context.name(seat) for seat, value in enumerate(returns) if value == best]
        if len(winners) == 1:
            return f"{winners[0]} won."
        return (
            "The game is a draw." if len(winners) == len(returns) else f"Tie: {', '.join(winners)}."
        )


AnyView: TypeAlias = View[Any, Any, Any, Any]
"""A view of any game."""
