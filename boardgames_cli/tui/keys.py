"""The keys of the table, each with an id by which it can be remapped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.binding import Binding, BindingType

from boardgames_cli.core.game import Traits
from boardgames_cli.session.session import Session
from boardgames_cli.tui.keyboard import Keyboard, actions_by_key


def _key(keys: str, action: str, description: str, id: str) -> Binding:
    return Binding(keys, action, description, show=False, id=f"game.{id}")


_NUMBERS: Final = tuple(
    Binding(
        str(number % 10), f"choose({number})", "take the action of that number", show=False,
        id=f"game.action{number}",
    )
    for number in range(1, 11)
)  # fmt: skip

GAME_BINDINGS: Final[list[BindingType]] = [
    *_NUMBERS,
    _key("up", "highlight(-1, True)", "highlight the action above", "up"),
    _key("down", "highlight(1, True)", "highlight the action below", "down"),
    _key("left,shift+tab", "highlight(-1)", "highlight the action before", "previous"),
    _key("right", "highlight(1)", "highlight the next action", "next"),
    _key("tab", "tab", "next action; in a small window: board or facts", "tab"),
    _key("enter,space", "confirm", "take the highlighted action", "confirm"),
    _key("colon,slash", "type", "type a move, its number, or a command", "type"),
    _key("escape", "escape", "leave the line, the past or the highlight", "escape"),
    _key("u", "undo", "undo to your last choice", "undo"),
    _key("U", "redo", "redo", "redo"),
    _key("i,f2", "hint", "hint; again for more of it", "hint"),
    _key("L", "refusals", "all illegal actions with the reasons", "refusals"),
    _key("e", "estimate", "winning chances, analysis, or neither", "estimate"),
    _key("left_square_bracket", "travel(-1)", "one step back in the history", "back"),
    _key("right_square_bracket", "travel(1)", "one step forward", "forward"),
    _key("left_curly_bracket", "travel_first", "to the beginning", "first"),
    _key("right_curly_bracket", "travel_live", "to the present", "live"),
    _key("p", "pause", "pause or go on", "pause"),
    _key("plus,equals_sign", "pace(1)", "faster", "faster"),
    _key("minus", "pace(-1)", "slower", "slower"),
    _key("full_stop", "step", "one step", "step"),
    _key("x", "hurry", "the agent must move now", "hurry"),
    _key("ctrl+s", "save_as", "save a copy under a name", "save-as"),
    _key("y", "copy", "copy the position as JSON", "copy"),
    _key("question_mark,f1", "help", "keys, rules, legend", "help"),
    _key("v", "review", "look back through the game when it is over", "review"),
    _key("q", "leave", "save and quit, or stay", "quit"),
]
"""The keys of the game screen for every game; the help screen lists exactly these."""

LAYER_BINDINGS: Final[list[BindingType]] = [
    _key("b", "layer", "overlay on the board, on or off", "layer"),
]
"""For games whose view has a layer."""

AUDIENCE_BINDINGS: Final[list[BindingType]] = [
    _key("f", "follow", "if nobody of you plays: see what the next seat sees (a: all)", "follow"),
    _key("a", "see_all", "if nobody of you plays: see everything", "see-all"),
]
"""For games in which something is hidden."""

ACTION_OF_KEY: Final[Mapping[str, str]] = actions_by_key(
    (*GAME_BINDINGS, *LAYER_BINDINGS, *AUDIENCE_BINDINGS)
)
"""The action of each key that the game does not use itself."""


def keys_beside(session: Session) -> list[BindingType]:
    """Additional keys of a session's game; its own keys take precedence."""
    view, traits = session.view, session.game.traits
    common = [
        *(LAYER_BINDINGS if view.layer else []),
        *(AUDIENCE_BINDINGS if Traits.HIDDEN in traits else []),
    ]
    own = Keyboard.of_session(session).bindings()
    taken = {binding.key for binding in own}
    return [*own, *(key for key in common if isinstance(key, Binding) and key.key not in taken)]
