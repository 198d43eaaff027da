"""boardgames: five board games for the terminal, with agents and environments.

The names in ``__all__`` are the public API; it keeps its promises between minor versions.

    >>> import boardgames_cli as bg
    >>> game = bg.make("senet", rules="skyruk")
    >>> match = bg.Match(game, seed=1)
    >>> bg.play(match, [bg.make_agent("random", game), bg.make_agent("random", game)])
    (-1.0, 1.0)
"""

# Nothing is imported here, not even `typing` or `__future__`: until signal handling is set up,
# every microsecond counts.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boardgames_cli.core.agent import Agent as Agent
    from boardgames_cli.core.agent import Budget as Budget
    from boardgames_cli.core.agent import Thinking as Thinking
    from boardgames_cli.core.errors import GameError as GameError
    from boardgames_cli.core.game import CHANCE as CHANCE
    from boardgames_cli.core.game import Game as Game
    from boardgames_cli.core.game import Observation as Observation
    from boardgames_cli.core.info import GameInfo as GameInfo
    from boardgames_cli.core.match import Match as Match
    from boardgames_cli.core.play import play as play
    from boardgames_cli.core.record import Record as Record
    from boardgames_cli.environments import aec_env as aec_env
    from boardgames_cli.environments import gymnasium_env as gymnasium_env
    from boardgames_cli.environments import parallel_env as parallel_env
    from boardgames_cli.registry import list_games as list_games
    from boardgames_cli.registry import make as make
    from boardgames_cli.registry import make_agent as make_agent
    from boardgames_cli.registry import make_encoder as make_encoder
    from boardgames_cli.storage.reading import load_record as load_record

__version__ = "0.1.0"

_HOME = {
    "Agent": "core.agent",
    "Budget": "core.agent",
    "Thinking": "core.agent",
    "GameError": "core.errors",
    "CHANCE": "core.game",
    "Game": "core.game",
    "GameInfo": "core.info",
    "Observation": "core.game",
    "Match": "core.match",
    "play": "core.play",
    "Record": "core.record",
    "list_games": "registry",
    "make": "registry",
    "make_agent": "registry",
    "make_encoder": "registry",
    "load_record": "storage.reading",
    "aec_env": "environments",
    "parallel_env": "environments",
    "gymnasium_env": "environments",
}

__all__ = [  # noqa: PLE0604  # the names are strings, ruff can't see that
    "__version__",
    *_HOME,
]


def __getattr__(name: str) -> "Any":
    # Loaded on first use, so that `boardgames --version` starts nothing.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
