"""Shell completion. Nothing here may fail or take long."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError

if TYPE_CHECKING:
    from boardgames_cli.core.spec import GameSpec

_ASKED: Final = "_BOARDGAMES_COMPLETE"
_OPTIONS: Final = ("--install-completion", "--show-completion")
_FIRST_TAB: Final = '\n[ "$funcstack[1]" = _%(prog_name)s ] && %(complete_func)s\n'
"""What typer's script for zsh lacks: it is loaded by the first tab, which it then must answer."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")


def prepare(words: Sequence[str]) -> None:
    """Make typer's completion take a shell's name, and ignore requests that no shell made."""
    what, _, shell = os.environ.get(_ASKED, "").partition("_")
    needed = ("COMP_WORDS", "COMP_CWORD") if shell == "bash" else ("_TYPER_COMPLETE_ARGS",)
    is_complete = what == "source" or all(name in os.environ for name in needed)
    if what not in ("source", "complete") or shell not in _SHELLS or not is_complete:
        os.environ.pop(_ASKED, None)  # left behind by somebody; the command is meant
    if any(word.startswith(_OPTIONS) for word in words):
        _mend_scripts()
    for option in _OPTIONS:
        named = words[words.index(option) + 1 :][:1] if option in words else []
        is_joined = any(word.startswith(f"{option}=") for word in words)
        if is_joined or (named and not named[0].startswith("-")):
            # Without a name, typer looks which shell has started the program.
            os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"


def _mend_scripts() -> None:
    from typer import _completion_shared as shared

    shared._completion_scripts["zsh"] = shared.COMPLETION_SCRIPT_ZSH.rstrip() + _FIRST_TAB
    shared.Shells.__str__ = str.__str__  # type: ignore[method-assign]  # "bash", not "Shells.bash"


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from boardgames_cli.registry import game_ids

    return [id for id in game_ids() if id.startswith(incomplete)]


def agents(incomplete: str) -> list[tuple[str, str]]:
    """Names of agents of any game."""
    from boardgames_cli.registry import agents_for

    offered: dict[str, str] = {}
    for spec in _specs():
        offered |= {name: agent.summary for name, agent in agents_for(spec).items()}
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def saves(incomplete: str) -> list[str]:
    """Names of saves, most recently used first."""
    from boardgames_cli.storage.store import Store

    return list(Store.at().names(incomplete))


def holders(incomplete: str) -> list[tuple[str, str]]:
    """Possible seat holders: people, levels, and agents of any game."""
    offered = {"human": "a person", "ai": "the game's own agent"}
    for spec in _specs():
        offered |= {level: f"the level {level}" for level in spec.levels}
    offered = dict(agents("")) | offered  # a level may have the name of an agent
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def _specs() -> Iterator[GameSpec]:
    """The manifests of all games that can be loaded."""
    from boardgames_cli.registry import find_game, game_ids

    for id in game_ids():
        with contextlib.suppress(GameError, ImportError):
            yield find_game(id)
