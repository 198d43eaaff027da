"""boardgames: five board games for the terminal, with agents and environments.

The names in ``__all__`` are the public API; it keeps its promises between minor versions.

    >>> import boardgames_cli as bg
    >>> game = bg.make("senet", rules="skyruk")
    >>> match = bg.Match(game, seed=1)
    >>> bg.play(match, ["random", "random"])
    (-1.0, 1.0)
"""

# Nothing is imported here, not even `typing` or `__future__`: until signal handling is set up,
# every microsecond counts.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst as SearchAnalyst
    from boardgames_cli.codec.derived import redacted as redacted
    from boardgames_cli.codec.fields import Hidden as Hidden
    from boardgames_cli.codec.fields import Longest as Longest
    from boardgames_cli.codec.fields import Whole as Whole
    from boardgames_cli.core.agent import Agent as Agent
    from boardgames_cli.core.agent import Budget as Budget
    from boardgames_cli.core.agent import Comments as Comments
    from boardgames_cli.core.agent import EvaluatesActions as EvaluatesActions
    from boardgames_cli.core.agent import ExplainsActions as ExplainsActions
    from boardgames_cli.core.agent import Thinking as Thinking
    from boardgames_cli.core.analyst import Analyst as Analyst
    from boardgames_cli.core.analyst import Choice as Choice
    from boardgames_cli.core.analyst import Judgement as Judgement
    from boardgames_cli.core.analyst import Method as Method
    from boardgames_cli.core.analyst import Reason as Reason
    from boardgames_cli.core.analyst import Scale as Scale
    from boardgames_cli.core.analyst import Value as Value
    from boardgames_cli.core.encoder import ArrayField as ArrayField
    from boardgames_cli.core.encoder import Arrays as Arrays
    from boardgames_cli.core.encoder import DerivedEncoder as DerivedEncoder
    from boardgames_cli.core.encoder import Encoder as Encoder
    from boardgames_cli.core.errors import AgentError as AgentError
    from boardgames_cli.core.errors import AmbiguousActionError as AmbiguousActionError
    from boardgames_cli.core.errors import GameError as GameError
    from boardgames_cli.core.errors import IllegalActionError as IllegalActionError
    from boardgames_cli.core.errors import OptionError as OptionError
    from boardgames_cli.core.errors import PositionError as PositionError
    from boardgames_cli.core.errors import RecordError as RecordError
    from boardgames_cli.core.errors import SeatError as SeatError
    from boardgames_cli.core.errors import StorageError as StorageError
    from boardgames_cli.core.errors import UnknownActionError as UnknownActionError
    from boardgames_cli.core.errors import UnknownNameError as UnknownNameError
    from boardgames_cli.core.game import CHANCE as CHANCE
    from boardgames_cli.core.game import AnyGame as AnyGame
    from boardgames_cli.core.game import EliminatesSeats as EliminatesSeats
    from boardgames_cli.core.game import Game as Game
    from boardgames_cli.core.game import GameInfo as GameInfo
    from boardgames_cli.core.game import NoChance as NoChance
    from boardgames_cli.core.game import Observation as Observation
    from boardgames_cli.core.game import PassesTime as PassesTime
    from boardgames_cli.core.game import RevealsInformation as RevealsInformation
    from boardgames_cli.core.game import Seat as Seat
    from boardgames_cli.core.game import Step as Step
    from boardgames_cli.core.game import Traits as Traits
    from boardgames_cli.core.match import Match as Match
    from boardgames_cli.core.match import play as play
    from boardgames_cli.core.options import every_option_set as every_option_set
    from boardgames_cli.core.options import option as option
    from boardgames_cli.core.presentation.view import KeyedView as KeyedView
    from boardgames_cli.core.presentation.view import KeySet as KeySet
    from boardgames_cli.core.presentation.view import Moment as Moment
    from boardgames_cli.core.presentation.view import RenderContext as RenderContext
    from boardgames_cli.core.presentation.view import Size as Size
    from boardgames_cli.core.presentation.view import View as View
    from boardgames_cli.core.record import Record as Record
    from boardgames_cli.core.spec import AgentSpec as AgentSpec
    from boardgames_cli.core.spec import GameSpec as GameSpec
    from boardgames_cli.core.text import Canvas as Canvas
    from boardgames_cli.core.text import Glyphs as Glyphs
    from boardgames_cli.core.text import Picture as Picture
    from boardgames_cli.core.text import Span as Span
    from boardgames_cli.environments import aec_env as aec_env
    from boardgames_cli.environments import gymnasium_env as gymnasium_env
    from boardgames_cli.environments import parallel_env as parallel_env
    from boardgames_cli.registry import find_game as find_game
    from boardgames_cli.registry import list_games as list_games
    from boardgames_cli.registry import make as make
    from boardgames_cli.registry import make_agent as make_agent
    from boardgames_cli.registry import make_encoder as make_encoder
    from boardgames_cli.storage.reading import load_record as load_record

__version__ = "0.3.0.dev0"

_NAMES = {
    "algorithms.analysts.open_analyst": "SearchAnalyst",
    "core.agent": "Agent Budget Comments EvaluatesActions ExplainsActions Thinking",
    "core.analyst": "Analyst Choice Judgement Method Reason Scale Value",
    "codec.derived": "redacted",
    "codec.fields": "Hidden Longest Whole",
    "core.encoder": "ArrayField Arrays DerivedEncoder Encoder",
    "core.errors": "AgentError AmbiguousActionError GameError IllegalActionError OptionError "
    "PositionError RecordError SeatError StorageError UnknownActionError UnknownNameError",
    "core.game": "CHANCE AnyGame EliminatesSeats Game GameInfo NoChance Observation PassesTime "
    "RevealsInformation Seat Step Traits",
    "core.options": "every_option_set option",
    "core.record": "Record",
    "core.spec": "AgentSpec GameSpec",
    "core.text": "Canvas Glyphs Picture Span",
    "core.presentation.view": "KeySet Moment KeyedView RenderContext Size View",
    "environments": "aec_env gymnasium_env parallel_env",
    # Matches take games and agents by name, so the registry comes with them.
    "registry": "Match find_game list_games make make_agent make_encoder play",
    "storage.reading": "load_record",
}
"""The public names by module."""

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [  # noqa: PLE0604  # the names are strings, ruff can't see that
    "__version__",
    *_HOME,
]


def __getattr__(name: str) -> "Any":
    # Loaded on first use, so that `boardgames --version` starts nothing.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return globals().setdefault(name, getattr(import_module(f"{__name__}.{_HOME[name]}"), name))


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})
