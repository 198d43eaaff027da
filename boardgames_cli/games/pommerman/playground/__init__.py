"""The original playground: its state files and recorded games, and its agents' interface.

`Agent` is an agent of ours for the original's environments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames_cli.games.pommerman.playground.agent import Agent as Agent

__all__ = ["Agent"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: who reads a file needs no agents, and no numpy.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from boardgames_cli.games.pommerman.playground.agent import Agent

    return Agent
