"""Compatibility with the original playground: state files, recorded games, and agents.

`Agent` is an agent of ours for the original's environments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardgames_cli.core.errors import GameError, install_command

if TYPE_CHECKING:
    from boardgames_cli.games.pommerman.playground.wrapped_agent import AgentForPlayground as Agent

__all__ = ["Agent"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: reading a file needs neither agents nor numpy.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from boardgames_cli.games.pommerman.playground.wrapped_agent import AgentForPlayground
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise GameError(
            "agents for the original playground need a package that is not installed (numpy).",
            f"Install it: {install_command('numpy')}",
        ) from error
    return AgentForPlayground
