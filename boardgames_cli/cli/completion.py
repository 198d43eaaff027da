"""Shell completion. Nothing here may fail or take long."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import GameError

if TYPE_CHECKING:
    from boardgames_cli.core.spec import GameSpec

_OPTIONS: Final = ("--install-completion", "--show-completion")


def prepare(words: Sequence[str]) -> None:
    """Let typer's options for completion take the name of a shell."""
    for option in _OPTIONS:
        named = words[words.index(option) + 1 :][:1] if option in words else []
        is_joined = any(word.startswith(f"{option}=") for word in words)
        if is_joined or (named and not named[0].startswith("-")):
            # Without a name, typer looks which shell has started the program.
            os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"


def games(incomplete: str) -> list[str]:
    """Names of games."""
    from boardgames_cli.registry import game_ids

    return [id for id in game_ids() if id.startswith(incomplete)]


def agents(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """Names of agents of the game that is chosen, or of any game."""
    from boardgames_cli.registry import agents_for

    offered: dict[str, str] = {}
    for spec in _specs(ctx):
        offered |= {name: agent.summary for name, agent in agents_for(spec).items()}
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def saves(incomplete: str) -> list[str]:
    """Names of saves, most recently used first."""
    from boardgames_cli.storage.store import Store

    return list(Store.at().names(incomplete))


def holders(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """Possible seat holders: people, levels, agents and the ladder of the game, or of any game."""
    from boardgames_cli.core.presentation.home_page import home_page_of

    offered = {"human": "a person", "ai": "the game's own agent"}
    for spec in _specs(ctx):
        offered |= {level: f"the level {level}" for level in spec.levels}
        with contextlib.suppress(GameError):
            ladder = home_page_of(spec).ladder
            offered |= {one.name: one.style for one in (ladder.opponents if ladder else ())}
    offered = dict(agents(ctx, "")) | offered  # a level may have the name of an agent
    return [item for item in offered.items() if item[0].startswith(incomplete)]


def _specs(ctx: Any) -> Iterator[GameSpec]:
    from boardgames_cli.registry import find_game, game_ids

    known = game_ids()
    chosen = [id for id in (ctx.command.game, ctx.params.get("game")) if id in known]
    for id in chosen or known:
        with contextlib.suppress(GameError, ImportError):
            yield find_game(id)
