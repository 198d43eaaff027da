"""Custom keys from the preferences."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from textual.binding import Binding

from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.tui.keys import AUDIENCE_BINDINGS, GAME_BINDINGS, LAYER_BINDINGS


def remappable() -> Iterator[Binding]:
    """Every binding of the table, the menu, replays, tournaments and puzzles that has an id."""
    from boardgames_cli.tui.screens.launcher import Launcher
    from boardgames_cli.tui.screens.puzzle import PuzzleScreen
    from boardgames_cli.tui.screens.replay import ReplayScreen
    from boardgames_cli.tui.screens.tournament import TournamentScreen

    lists = [GAME_BINDINGS, LAYER_BINDINGS, AUDIENCE_BINDINGS]
    screens = (Launcher, ReplayScreen, TournamentScreen, PuzzleScreen)
    lists += [screen.BINDINGS for screen in screens]
    for binding in itertools.chain.from_iterable(lists):
        if isinstance(binding, Binding) and binding.id:
            yield binding


def keymap_problem(keymap: Mapping[str, str]) -> str:
    """What is wrong with a keymap; empty if it is valid."""
    known = [binding.id or "" for binding in remappable()] if keymap else []
    for id, keys in keymap.items():
        if id not in known:
            unknown = UnknownNameError("id", id, known).message
            return f"[keymap]: {unknown} List: boardgames config keys"
        if not keys.strip():
            return f"[keymap]: {id} has no key."
    return ""
