"""A game's own keys, for one or more people at one keyboard."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from textual.binding import Binding

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.presentation.view import AnyView, KeyedView, KeySet
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.session import Session
from boardgames_cli.tui.keys import key_sign
from boardgames_cli.tui.widgets.choices import ListedChoice

_ARROWS: Final = ("up", "down", "left", "right")


class Keyboard:
    """The game's keys for its people.

    Args:
        view: The game's view.
        people: The seats of the people.
        names: The names of the seat holders, by seat.
        waiting_for: Returns the seats that can act now.
        shares: Whether everybody has separate keys; otherwise all use the same keys in turn.
    """

    def __init__(
        self,
        view: AnyView,
        people: Sequence[Seat],
        names: Sequence[str],
        waiting_for: Callable[[], Collection[Seat]],
        *,
        shares: bool = True,
    ) -> None:
        self._people = tuple(people)
        self._names = names
        self._waiting_for = waiting_for
        count = len(self._people) if shares else 1
        self._sets: tuple[KeySet, ...] = ()
        if isinstance(view, KeyedView) and count:
            self._sets = tuple(view.key_sets(count))
        self._words: list[str] = []

    @classmethod
    def of_session(cls, session: Session) -> Keyboard:
        """The keys of the people at a table."""
        return cls(
            session.view,
            session.humans,
            session.names,
            lambda: session.match.waiting_for,
            shares=not session.keeps_secrets,
        )

    @property
    def words(self) -> str:
        """The words for the next action, with a mark for each missing word."""
        if not self._words:
            return ""
        count = max(own.word_count for own in self._sets)
        return " ".join([*self._words, *["_"] * (count - len(self._words))])

    @property
    def hints(self) -> list[tuple[str, str]]:
        """The footer's entries for the keys: (keys, label)."""
        if self.is_shared:
            people = zip(self._sets, self._people, strict=True)
            return [
                (" ".join(keys for keys, _ in own.hints), self._names[seat]) for own, seat in people
            ]
        return [hint for keys in self._sets for hint in keys.hints]

    def has(self, key: str) -> bool:
        """Whether a key belongs to the game."""
        return any(key in own.actions or key in own.words for own in self._sets)

    @property
    def is_shared(self) -> bool:
        return len(self._sets) > 1

    def bindings(self) -> list[Binding]:
        """Bindings for a screen with an action ``press(key)``, with descriptions."""
        made: dict[str, Binding] = {}
        for number, keys in enumerate(self._sets):
            who = f"{self._names[self._people[number]]}: " if self.is_shared else ""
            for key, text in [*keys.actions.items(), *keys.words.items()]:
                said = text if key in keys.actions else "words to be said"
                made[key] = Binding(
                    key,
                    f"press('{key}')",
                    f"{who}{said}",
                    show=False,
                    id=f"game.own.{number}.{said.replace(' ', '-')}",
                )
        return list(made.values())

    def press(self, key: str, seat: Seat | None) -> tuple[Seat, str] | None:
        """The seat and the action text for a key pressed now; the text is empty for a word.

        Args:
            key: The key's name.
            seat: The person who can act on what is shown; None if nobody.

        Returns:
            None if the key has no meaning in the game now.
        """
        for number, keys in enumerate(self._sets):
            owner = self._owner(number, seat)
            if owner is None:
                continue
            if key in keys.words:
                self._words = [*self._words, keys.words[key]][-keys.word_count :]
                return owner, ""
            if key in keys.actions:
                words = self._words if len(self._words) == keys.word_count else []
                self._words = []
                return owner, " ".join([keys.actions[key], *words])
        return None

    def mark(self, notation: str, seat: Seat, is_ascii: bool) -> str:
        """The key of an action for the list; empty if it has none."""
        for number, keys in enumerate(self._sets):
            if self._owner(number, seat) != seat:
                continue
            found = [key for key, text in keys.actions.items() if text == notation]
            # An arrow is clearest, but not every terminal can show it.
            found.sort(key=lambda key: (key in _ARROWS) is is_ascii)
            if found:
                return found[0] if is_ascii and found[0] in _ARROWS else key_sign(found[0])
        return ""

    def choice(
        self, view: AnyView, seen: Observation[Any, Any], action: Any, glyphs: Glyphs
    ) -> ListedChoice:
        """The list entry of an action, with its own key if it has one.

        Args:
            view: The game's view.
            seen: What the seat to act sees.
            action: One of its actions.
            glyphs: Which characters may be used.
        """
        label = view.describe(seen, action)
        mark = (
            "" if seen.seat is None else self.mark(str(action), seen.seat, glyphs is Glyphs.ASCII)
        )
        # The key identifies the action, and space is short.
        return ListedChoice(label.removeprefix(f"{action}: ") if mark else label, mark=mark)

    def _owner(self, number: int, seat: Seat | None) -> Seat | None:
        if not self.is_shared:
            return seat
        owner = self._people[number]
        return owner if seat is not None and owner in self._waiting_for() else None


def layer_of(view: AnyView) -> str:
    """The name of the overlay on a game's board; empty if there is none."""
    return view.layer if isinstance(view, KeyedView) else ""
