"""A game's own keys: what each means for whom, at a keyboard that people may share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from textual.binding import Binding

from boardgames_cli.core.game import Seat
from boardgames_cli.core.view import KeySet
from boardgames_cli.session.session import Session

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
    """The keys that the game at a table has for the people there.

    Args:
        session: The table.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        people = 1 if session.keeps_secrets else len(session.humans)
        view = session.view
        self._sets: tuple[KeySet, ...] = tuple(view.key_sets(people)) if people else ()
        self._words: list[str] = []

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
            people = zip(self._sets, self._session.humans, strict=True)
            return [
                (" ".join(keys for keys, _ in own.hints), self._session.names[seat])
                for own, seat in people
            ]
        return [hint for keys in self._sets for hint in keys.hints]

    @property
    def is_shared(self) -> bool:
        """Whether several people have keys of their own."""
        return len(self._sets) > 1

    def bindings(self) -> list[Binding]:
        """The keys for a screen that has an action ``press(key)``, each described."""
        made: dict[str, Binding] = {}
        for number, keys in enumerate(self._sets):
            who = f"{self._session.names[self._session.humans[number]]}: " if self.is_shared else ""
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

    def _owner(self, number: int, seat: Seat | None) -> Seat | None:
        """Whose a set is, if that person can act now."""
        if not self.is_shared:
            return seat
        owner = self._session.humans[number]
        return owner if seat is not None and owner in self._session.match.waiting_for else None


def key_sign(key: str) -> str:
    """What people call a key."""
    return SIGNS.get(key, key)


def key_now(keymap: Mapping[str, str], bindings: Iterable[Binding], action: str) -> str:
    """The sign of the key that an action was given by the keymap; empty if it keeps its own."""
    for binding in bindings:
        if binding.id in keymap and f"screen.{binding.action}" == action:
            return key_sign(keymap[binding.id or ""].split(",")[0])
    return ""
