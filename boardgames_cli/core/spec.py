"""The manifest of a game: everything the program must know before it loads the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias

from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.errors import GameError, MissingPackageError, MissingPartError
from boardgames_cli.core.file_format import AnyFormat
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.info import GameInfo
from boardgames_cli.core.view import AnyView

Heuristic: TypeAlias = Callable[[Any, Any, Seat], float]
"""``evaluate(game, state, seat)``: an estimate of the seat's final return."""

Chances: TypeAlias = Callable[[Any, Any], Sequence[float]]
"""``chances(game, state)``: for every seat an estimate of its chances to win; they add up to 1."""


PUZZLES: Final = "puzzles.json"
"""The name of the file of puzzles in a game's folder ``data``."""


def load(path: str) -> Any:
    """The object that ``package.module:name`` points to, imported only now.

    Raises:
        MissingPartError: There is no such module, or nothing of that name in it.
        ImportError: The module imports something that is not there.
    """
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise MissingPartError(path, f"there is no module {error.name}") from error
    except AttributeError as error:
        if error.name != name:
            raise
        raise MissingPartError(path, f"{module} has no {name}") from error


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent by name, with its class still unloaded."""

    name: str
    path: str
    """``package.module:Class``."""
    summary: str
    needs: str = ""
    """The optional extra it needs, such as ``numpy``; empty if none."""
    agent_options: tuple[str, ...] = ()
    """Its options that name another agent."""
    runs_commands: bool = False
    """Whether its first option is a program on this machine, which then is not run unasked if it
    comes from a file."""
    runs_foreign_code: bool = False
    """Whether it imports code that somebody else wrote: at a table it gets a process of its own."""


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """A format of another program by name, still unloaded."""

    name: str
    path: str
    """``package.module:object`` of a `FileFormat`."""
    summary: str

    def load(self) -> AnyFormat:
        """The format."""
        format: AnyFormat = load(self.path)
        return format


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game by name, with its rules, view and knowledge still unloaded."""

    info: GameInfo
    rules: str
    """``package.module:Class`` of the rulebook; the class's options are the game's options."""
    view: str
    """``package.module:Class`` of the view."""
    levels: Mapping[str, str]
    """Agent specs by level, weakest first: at least easy, medium and hard."""
    encoder: str = ""
    """``package.module:Class`` of the `Encoder` that learning programs get by default; empty if
    it is to be derived from the state's fields."""
    encodings: Mapping[str, str] = field(default_factory=dict)
    """Other encoders by name, such as those under which the game was published first."""
    batch: str = ""
    """``package.module:Class`` of many boards in compiled rules, of which a vector environment is
    made (`environments.vector.Batch`); empty if there are none."""
    heuristic: str = ""
    """``package.module:function`` of an evaluation; empty if there is none."""
    search: str = ""
    """``package.module:function`` that makes a compiled search with the game's evaluation
    (`algorithms.compiled_search`); needs the extra ``fast``; empty if there is none."""
    chances: str = ""
    """``package.module:function`` that estimates who will win, for people who watch or play; empty
    if there is none. Duels with a heuristic and solved games need none."""
    network: str = ""
    """``package.module:object`` that says how networks evaluate the game's positions, and how they
    are learned (`algorithms.network_model.NetworkGame`); empty if there is none."""
    features: str = ""
    """``package.module:object`` that names features of positions, from which ``boardgames train``
    learns an evaluation (`algorithms.linear_model.LinearFeatures`); empty if there is none."""
    analyst: str = ""
    """``package.module:Class`` of the `Analyst` that judges its positions for reviews, hints and
    puzzles; empty if only its heuristic can."""
    analyst_needs: str = ""
    """The package that it imports and that may be missing, such as ``numba``; empty if none."""
    endings: str = ""
    """``package.module:object`` that says what is known exactly of positions with few pieces, and
    how ``boardgames solve`` works out more (`algorithms.endings.GameEndings`); empty if nothing."""
    agents: tuple[AgentSpec, ...] = field(default=())
    """Agents that belong to this game alone."""
    beginner: str = ""
    """The agent that chooses as beginners do; puzzles that it solves are left out. Empty is
    ``greedy`` where there is a heuristic, else nobody."""
    think_seconds: float = 2.0
    """How long agents may think about one action unless somebody says otherwise."""
    recommended: tuple[str, ...] = ()
    """Names of general agents that make sense here, for lists and menus."""
    menu_defaults: Mapping[str, Any] = field(default_factory=dict)
    """Options that menus propose, where people want another value than programs do."""
    formats: tuple[FormatSpec, ...] = ()
    """Files of other programs that can be opened, and written, here."""

    def __post_init__(self) -> None:
        for name, kind in (("agents", AgentSpec), ("formats", FormatSpec)):
            if isinstance(getattr(self, name), kind):  # easily forgotten: the comma behind it
                raise TypeError(f"{name} is one {kind.__name__}, not a tuple: write (...,)")

    def game_class(self) -> type[AnyGame]:
        """The rulebook's class."""
        loaded: type[AnyGame] = load(self.rules)
        return loaded

    def view_class(self) -> type[AnyView]:
        """The view's class; its palette and its layer don't depend on the options."""
        loaded: type[AnyView] = load(self.view)
        return loaded

    def make_view(self, game: AnyGame) -> AnyView:
        """The view of a game with its options."""
        return self.view_class()(game)

    def load_heuristic(self) -> Heuristic | None:
        """The game's evaluation of positions, if it has one."""
        if not self.heuristic:
            return None
        heuristic: Heuristic = load(self.heuristic)
        return heuristic

    def load_chances(self) -> Chances | None:
        """What estimates who will win, if the game has it."""
        if not self.chances:
            return None
        chances: Chances = load(self.chances)
        return chances

    def load_search(self) -> Any:
        """What makes the game's compiled search; None if there is none, or no extra ``fast``."""
        if not self.search:
            return None
        try:
            return load(self.search)
        except MissingPackageError:
            return None

    def load_network(self) -> Any:
        """What says how networks evaluate the game's positions; None if nothing does."""
        return load(self.network) if self.network else None

    def load_features(self) -> Any:
        """What names features of the game's positions; None if nothing does."""
        return load(self.features) if self.features else None

    def load_endings(self) -> Any:
        """What is known exactly of the game's endings; None if nothing is."""
        return load(self.endings) if self.endings else None

    def analyst_class(self) -> type[AnyAnalyst] | None:
        """The class of what judges the game's positions, if it has one of its own."""
        if not self.analyst:
            return None
        loaded: type[AnyAnalyst] = load(self.analyst)
        return loaded

    def present_agent_name(self, name: str) -> str:
        """What an agent of this game is called now; saves may hold a name that it had before.

        Former names stand in data/former_agent_names.json beside the rules, if there are any.
        """
        text = self.data_text("former_agent_names.json")
        if text is None:
            return name
        present: dict[str, str] = json.loads(text)
        return present.get(name, name)

    @property
    def has_puzzles(self) -> bool:
        """Whether puzzles come with the game."""
        return (self._folder() / "data" / PUZZLES).is_file()

    def data_text(self, name: str) -> str | None:
        """The text of a file of the folder ``data`` beside the rules; None if there is none."""
        file = self._folder() / "data" / name
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def rules_text(self) -> str:
        """The rules for people, in Markdown, from RULES.md beside the rules.

        Raises:
            GameError: There is no such file.
        """
        try:
            return (self._folder() / "RULES.md").read_text(encoding="utf-8")
        except FileNotFoundError as error:
            raise GameError(
                f"{self.info.name} has no rules to read: there is no RULES.md beside its rulebook."
            ) from error

    def _folder(self) -> Traversable:
        return resources.files(self.rules.partition(":")[0].rpartition(".")[0])
