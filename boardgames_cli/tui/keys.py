"""Names of keys, bindings that can be remapped, and the keys of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.binding import Binding, BindingsMap, BindingType
from textual.keys import format_key

_NAMED: Final = frozenset({"enter", "backspace", "pageup", "pagedown", "comma"})
"""Keys that are shown by their names; few terminals have Textual's signs for them."""


def bindings_of(room: str, *keys: tuple[str, str, str, str]) -> list[BindingType]:
    """Bindings that can be remapped.

    Args:
        room: The first part of their ids.
        keys: The keys, the action, its description and the last part of the id of each.
    """
    return [
        Binding(key, action, text, show=False, id=f"{room}.{id}") for key, action, text, id in keys
    ]


def numbered(action: str, text: str, id: str, last: int = 9) -> list[tuple[str, str, str, str]]:
    """The keys of digits for `bindings_of`; 0 is the tenth.

    Args:
        action: The name of the action, which takes the number.
        text: The description; ``{}`` stands for the number.
        id: The last part of the id without the number.
        last: The last number.
    """
    return [(str(n % 10), f"{action}({n})", text.format(n), f"{id}{n}") for n in range(1, last + 1)]


def key_sign(key: str) -> str:
    """The display name of a key."""
    return key if key in _NAMED else format_key(key)


def key_now(keymap: Mapping[str, str], bindings: BindingsMap, action: str) -> str:
    """The key assigned to an action by the keymap; empty if it keeps its default."""
    for _, binding in bindings:
        if binding.id in keymap and f"screen.{binding.action}" == action:
            return key_sign(keymap[binding.id or ""].split(",")[0])
    return ""


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
