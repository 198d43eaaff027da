"""A game's own keys: what each means for whom, at a keyboard that people may share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from textual.binding import Binding, BindingType

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import AnyView, KeySet
from boardgames_cli.session.session import Session
from boardgames_cli.tui.widgets.choices import Choice

SIGNS: Final = {
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "question_mark": "?",
    "full_stop": ".",
    "equals_sign": "=",
    "plus": "+",
    "minus": "-",
    "colon": ":",
    "slash": "/",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "escape": "esc",
}
"""What people call the keys whose names they would not know."""

_ARROWS: Final = ("up", "down", "left", "right")


class Keyboard:
    """The keys that a game has for the people at it.

    Args:
        view: The game's view.
        people: The seats of the people.
        names: What they are called, by seat.
        waiting_for: Says which seats can act now.
        shares: Whether all of them have keys at once; else one after the other has the same.
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
        self._sets: tuple[KeySet, ...] = tuple(view.key_sets(count)) if count else ()
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
        """What will be added to the next action, with a mark for each word that is missing."""
        if not self._words:
            return ""
        count = max(own.word_count for own in self._sets)
        return " ".join([*self._words, *["_"] * (count - len(self._words))])

    @property
    def hints(self) -> list[tuple[str, str]]:
        """What the footer says of the keys: (keys, word)."""
        if self.is_shared:
            people = zip(self._sets, self._people, strict=True)
            return [
                (" ".join(keys for keys, _ in own.hints), self._names[seat]) for own, seat in people
            ]
        return [hint for keys in self._sets for hint in keys.hints]

    def has(self, key: str) -> bool:
        """Whether a key belongs to the game, so that it means nothing else."""
        return any(key in own.actions or key in own.words for own in self._sets)

    @property
    def is_shared(self) -> bool:
        """Whether several people have keys of their own."""
        return len(self._sets) > 1

    def bindings(self) -> list[Binding]:
        """The keys for a screen that has an action ``press(key)``, each described."""
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
        """Who does what if a key is pressed now, as a text to be parsed; empty for a word.

        Args:
            key: The key's name.
            seat: The person to act on what is shown; None if nobody can.

        Returns:
            None if the key means nothing to the game now.
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
        """The key of an action, for a list; empty if it has none."""
        for number, keys in enumerate(self._sets):
            if self._owner(number, seat) != seat:
                continue
            found = [key for key, text in keys.actions.items() if text == notation]
            # An arrow is understood quickest, but not every terminal can show one.
            found.sort(key=lambda key: (key in _ARROWS) is is_ascii)
            if found:
                return found[0] if is_ascii and found[0] in _ARROWS else key_sign(found[0])
        return ""

    def choice(
        self, view: AnyView, seen: Observation[Any, Any], action: Any, glyphs: Glyphs
    ) -> Choice:
        """An action as it is listed, with its own key if it has one.

        Args:
            view: The game's view.
            seen: What the seat to act sees.
            action: One of its actions.
            glyphs: Which signs keys may have.
        """
        label = view.describe(seen, action)
        mark = (
            "" if seen.seat is None else self.mark(str(action), seen.seat, glyphs is Glyphs.ASCII)
        )
        # The key says which action it is, and room is short.
        return Choice(label.removeprefix(f"{action}: ") if mark else label, mark=mark)

    def _owner(self, number: int, seat: Seat | None) -> Seat | None:
        """Whose a set is, if that person can act now."""
        if not self.is_shared:
            return seat
        owner = self._people[number]
        return owner if seat is not None and owner in self._waiting_for() else None


def actions_by_key(bindings: Iterable[BindingType]) -> dict[str, str]:
    """What each key does where the keys of the game itself mean nothing."""
    return {
        key: binding.action
        for binding in bindings
        if isinstance(binding, Binding)
        for key in binding.key.split(",")
    }


def key_sign(key: str) -> str:
    """What people call a key."""
    return SIGNS.get(key, key)


def key_now(keymap: Mapping[str, str], bindings: Iterable[Binding], action: str) -> str:
    """The sign of the key that an action was given by the keymap; empty if it keeps its own."""
    for binding in bindings:
        if binding.id in keymap and f"screen.{binding.action}" == action:
            return key_sign(keymap[binding.id or ""].split(",")[0])
    return ""
