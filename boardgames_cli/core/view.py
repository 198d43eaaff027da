"""How a game is shown: one view serves every front end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

from boardgames_cli.core.game import CHANCE, A, Game, Observation, S, Seat
from boardgames_cli.core.text import Glyphs, Picture, Span


@dataclass(frozen=True, slots=True)
class Size:
    """Room for a picture in columns and rows."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RenderContext(Generic[A]):
    """What a picture is asked to bring out besides the position itself."""

    glyphs: Glyphs = Glyphs.ASCII
    names: Sequence[str] = ()
    """What the seats' owners are called, by seat."""
    highlight: A | None = None
    """The action under the cursor: the view shows what it would do."""
    last: Mapping[Seat, A] = field(default_factory=dict)
    """The step that led here."""
    committed: Collection[Seat] = ()
    """The seats that have chosen in a joint step that is not complete yet."""
    people: Collection[Seat] | None = None
    """The seats of the people who look, for "you"; None is whoever's observation is drawn."""

    def is_own(self, seat: Seat) -> bool:
        """Whether a person who looks has the seat."""
        return self.people is None or seat in self.people

    def name(self, seat: Seat) -> str:
        """What to call the owner of a seat."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat + 1}"


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


class View(ABC, Generic[S, A]):
    """Draws observations and tells steps. It reads no state that the viewer may not know.

    `picture`, `narrate` and `legend` are what a game must have; the rest has usable defaults.
    """

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """For each theme ("dark", "light") a style for each role of this game, such as
    ``"bold #2b2118 on #e8d5a3"``; roles without one take the style of the part before the last dot,
    and the styles of ``seat.N`` come from the front end."""

    counts_moments: ClassVar[bool] = False
    """Whether the prompt says which moment it is, in the game's own count."""

    layer: ClassVar[str] = ""
    """What can be laid over the board and taken off again, such as ``danger``; empty if nothing."""

    shows_layer: bool = False
    """Whether it is laid over the board now."""

    reports: ClassVar[Mapping[str, str]] = {}
    """Words that people may type to be told something of this game alone, each with what that is;
    `report` tells it."""

    @abstractmethod
    def picture(
        self, game: Game[S, A], seen: Observation[S, A], size: Size, look: RenderContext[A]
    ) -> Picture:
        """The board as one seat sees it, no larger than ``size`` where that is possible at all."""

    @abstractmethod
    def narrate(
        self, game: Game[S, A], before: S, joint: Mapping[Seat, A], after: S, look: RenderContext[A]
    ) -> list[str]:
        """One line for each thing that happened; the states are redacted for the reader."""

    @abstractmethod
    def legend(self, game: Game[S, A], glyphs: Glyphs) -> Picture:
        """What the signs on the board mean."""

    def sidebar(self, game: Game[S, A], seen: Observation[S, A], look: RenderContext[A]) -> Picture:
        """Facts beside the board: who has what, and what the position means."""
        lines = []
        for seat in range(game.seats):
            mark = ">" if seat in game.to_act(seen.state) else " "
            lines.append((Span(f"{mark} {look.name(seat)}", f"seat.{seat}"),))
        return Picture(tuple(lines))

    def frames(
        self,
        game: Game[S, A],
        before: S,
        joint: Mapping[Seat, A],
        after: S,
        size: Size,
        look: RenderContext[A],
    ) -> Iterable[Picture]:
        """Pictures between two states, in order, such as a piece on its way; none by default.

        The states are redacted for the reader, and neither is among the pictures. Front ends that
        can move show them within the time that the pace leaves; the others, and those asked to
        show steps at once or without motion, do without.
        """
        return ()

    def prompt(self, game: Game[S, A], seen: Observation[S, A], look: RenderContext[A]) -> str:
        """One line that says what is to be decided."""
        seats = game.to_act(seen.state)
        if not seats:
            return "The game is over."
        if seats == (CHANCE,):
            return "Chance acts."
        return f"{', '.join(look.name(seat) for seat in seats)} to act."

    def describe(self, game: Game[S, A], seen: Observation[S, A], action: A) -> str:
        """The label of a choice: the action's notation and what is special about it."""
        return str(action)

    def shortlist(self, game: Game[S, A], seen: Observation[S, A]) -> Sequence[A]:
        """The actions to be listed and numbered; the others can be typed. By default all."""
        return seen.legal

    def at_a_glance(self, game: Game[S, A], seen: Observation[S, A]) -> str:
        """All choices in one line, for games that ask often; empty: they are listed one a line."""
        return ""

    def key_sets(self, game: Game[S, A], people: int) -> Sequence[KeySet]:
        """A set of keys for each of so many people at one keyboard.

        None at all if the game needs no keys of its own; a single one for several people if they
        must act one after the other.
        """
        return ()

    def audience_viewpoint(self, game: Game[S, A]) -> Seat | None:
        """Through whose eyes people first watch agents play; None is what everybody knows."""
        return None

    def report(
        self, game: Game[S, A], seen: Observation[S, A], word: str, look: RenderContext[A]
    ) -> list[str]:
        """What there is to tell about one of `reports`."""
        return []

    def result(self, game: Game[S, A], state: S, look: RenderContext[A]) -> str:
        """Who won, in one line."""
        returns = game.returns(state)
        best = max(returns)
        winners = [look.name(seat) for seat, value in enumerate(returns) if value == best]
        if len(winners) == 1:
            return f"{winners[0]} won."
        return (
            "The game is a draw." if len(winners) == len(returns) else f"Tie: {', '.join(winners)}."
        )


AnyView = View[Any, Any]
