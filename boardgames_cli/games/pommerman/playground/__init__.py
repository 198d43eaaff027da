"""Our agents in the original playground's environments: `Agent`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardgames_cli.core.errors import GameError

if TYPE_CHECKING:
    from boardgames_cli.games.pommerman.playground.wrapped_agent import AgentForPlayground as Agent

__all__ = ["Agent"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: it needs numpy.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from boardgames_cli.games.pommerman.playground.wrapped_agent import AgentForPlayground
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise GameError(
            "agents for the original playground need a package that is not installed (numpy).",
            "Install it: pip install 'boardgames-cli[numpy]'",
        ) from error
    return AgentForPlayground
