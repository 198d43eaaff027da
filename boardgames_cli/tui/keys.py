"""Names of keys, bindings that can be remapped, the table's keys, and those of a game itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final

from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.keys import format_key

from boardgames_cli.core.game import Seat
from boardgames_cli.core.presentation.view import AnyView, KeyedView, KeySet
from boardgames_cli.session.session import Session

_NAMED: Final = frozenset({"enter", "backspace", "pageup", "pagedown", "comma"})
"""Keys that are shown by their names; few terminals have Textual's signs for them."""


def bindings_of(room: str, *keys: tuple[str, str, str, str]) -> list[BindingType]:
    """Bindings that can be remapped: (keys, action, description, last part of the id) of each."""
    return [
        Binding(key, action, text, show=False, id=f"{room}.{id}") for key, action, text, id in keys
    ]


def numbered(action: str, text: str, id: str, last: int = 9) -> list[tuple[str, str, str, str]]:
    """The keys of digits for `bindings_of`; 0 is the tenth."""
    return [(str(n % 10), f"{action}({n})", text.format(n), f"{id}{n}") for n in range(1, last + 1)]


def key_sign(key: str) -> str:
    """The display name of a key."""
    return key if key in _NAMED else format_key(key)


def bindings_now(node: DOMNode) -> list[Binding]:
    """The bindings of a screen or the application that have an id, with the user's keys."""
    found: dict[tuple[str, str], Binding] = {}
    for _, binding in node._bindings:
        if binding.id:
            for key in node.app._keymap.get(binding.id, binding.key).split(","):
                found.setdefault((binding.id, key), binding.with_key(key))
    return [*found.values()]


FAR: Final = 10**9
"""More steps than a game has."""

GAME_BINDINGS: Final = bindings_of(
    "game",
    *numbered("choose", "take the action of that number", "action", 10),
    ("up", "highlight(-1, True)", "highlight the action above", "up"),
    ("down", "highlight(1, True)", "highlight the action below", "down"),
    ("left,shift+tab", "highlight(-1)", "highlight the action before", "previous"),
    ("right", "highlight(1)", "highlight the next action", "next"),
    ("tab", "tab", "next action; in a small window: board or facts", "tab"),
    ("enter,space", "confirm", "take the highlighted action", "confirm"),
    ("colon,slash", "type", "type a move, its number, or a command", "type"),
    ("escape", "escape", "leave the line, the past or the highlight", "escape"),
    ("u", "undo", "undo to your last choice", "undo"),
    ("U", "redo", "redo", "redo"),
    ("i,f2", "hint", "hint; again for more of it", "hint"),
    ("L", "refusals", "all illegal actions with the reasons", "refusals"),
    ("e", "estimate", "winning chances, analysis, or neither", "estimate"),
    ("left_square_bracket", "travel(-1)", "one step back in the history", "back"),
    ("right_square_bracket", "travel(1)", "one step forward", "forward"),
    ("left_curly_bracket", f"travel(-{FAR})", "to the beginning", "first"),
    ("right_curly_bracket", f"travel({FAR})", "to the present", "live"),
    ("p", "pause", "pause or go on", "pause"),
    ("plus,equals_sign", "pace(1)", "faster", "faster"),
    ("minus", "pace(-1)", "slower", "slower"),
    ("full_stop", "step", "one step", "step"),
    ("x", "hurry", "the agent must move now; once you are out, to the end", "hurry"),
    ("r", "rematch", "another game, once you are out", "rematch"),
    ("ctrl+s", "save_as", "save a copy under a name", "save-as"),
    ("y", "copy", "copy the position as JSON", "copy"),
    ("question_mark,f1", "help", "keys, rules, legend", "help"),
    ("v", "review", "review the game when it is over", "review"),
    ("q", "leave", "save and quit, or stay", "quit"),
)
"""The keys of the game screen for every game; the help screen lists exactly these."""

LAYER_BINDINGS: Final = bindings_of(
    "game",
    ("b", "layer", "overlay on the board, on or off", "layer"),
)
"""For games whose view has a layer."""

AUDIENCE_BINDINGS: Final = bindings_of(
    "game",
    ("f", "follow", "if nobody of you plays: see what the next seat sees (a: all)", "follow"),
    ("a", "see_all", "if nobody of you plays: see everything", "see-all"),
)
"""For games in which something is hidden."""

COMPANY_BINDINGS: Final = bindings_of(
    "game",
    ("t", "type('', True)", "talk to everybody at the table", "say"),
    ("o", "offers", "ask the others for something, or answer them", "offers"),
    ("R", "talk('resign', '')", "give up the game", "resign"),
)
"""For tables on a server."""


REST_SECONDS: Final = 0.7
"""Longer than the repeat interval of held keys on common systems."""

RESULT_SECONDS: Final = 1.5
"""The time a person needs to notice that the game is over."""


class KeyDebounce:
    """Decides when keys count: some time after a question, however many came before."""

    def __init__(self, seconds: float = RESULT_SECONDS) -> None:
        self._earliest = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._earliest


_ARROWS: Final = ("up", "down", "left", "right")


class Keyboard:
    """The game's keys for its people, who share the keyboard or use the same keys in turn."""

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

    def _owner(self, number: int, seat: Seat | None) -> Seat | None:
        if not self.is_shared:
            return seat
        owner = self._people[number]
        return owner if seat is not None and owner in self._waiting_for() else None


def layer_of(view: AnyView) -> str:
    """The name of the overlay on a game's board; empty if there is none."""
    return view.layer if isinstance(view, KeyedView) else ""
