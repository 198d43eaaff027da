"""The manifest of a game: everything the program needs to know before loading the rules."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeAlias

from boardgames_cli.core.errors import GameError, MissingPartError
from boardgames_cli.core.game import AnyGame, GameInfo, Seat
from boardgames_cli.core.presentation.view import AnyView

Heuristic: TypeAlias = Callable[[Any, Any, Seat], float]
"""``evaluate(game, state, seat)``: an estimate of the seat's final return."""


PUZZLES: Final = "puzzles.json"
"""The name of the file of puzzles in a game's folder ``data``."""

LESSON: Final = "LESSON.json"
"""The name of the file of a game's lesson, beside its RULES.md (`core.presentation.lesson`)."""

HOME: Final = "HOME.json"
"""The name of the file for the home screen, beside RULES.md (`core.presentation.home_page`)."""


def load(path: str) -> Any:
    """Import the object that ``package.module:name`` points to.

    Raises:
        MissingPartError: The module or the name in it does not exist.
        ImportError: The module imports something that does not exist.
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
    """An agent by name; its class is loaded on demand."""

    name: str
    path: str
    """``package.module:Class``."""
    summary: str
    needs: str = ""
    """The optional extra it needs, such as ``numpy``; empty if none."""
    agent_options: tuple[str, ...] = ()
    """Its options that name another agent."""
    runs_commands: bool = False
    """Whether its first option is a command to run, which needs the user's consent if it comes from
    a file."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game by name; its rules, view and other parts are loaded on demand."""

    info: GameInfo
    rules: str
    """``package.module:Class`` of the rulebook; its options are the game's options."""
    view: str
    """``package.module:Class`` of the view."""
    levels: Mapping[str, str]
    """Agent specs by level, weakest first: at least easy, medium and hard."""
    levels_where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Other ones where options have these values, such as ``mode=duel`` or ``mode=duel,view=3``;
    where several fit, the last counts. An agent stands for one level."""
    encoder: str = ""
    """``package.module:Class`` of the default `Encoder` for learning programs; empty if it is
    derived from the state's fields."""
    encodings: Mapping[str, str] = field(default_factory=dict)
    """Other encoders by name, such as those under which the game was published first."""
    batch: str = ""
    """``package.module:Class`` of a `TurnBatch` (`algorithms.fast.boards`) for vector environments,
    such as `algorithms.fast.table_batch.TableBatch`; empty if there is none."""
    heuristic: str = ""
    """``package.module:function`` of an evaluation; empty if there is none."""
    analyst: str = ""
    """``package.module:Class`` of the `Analyst` for reviews, hints and puzzles; empty if the
    heuristic is used instead."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """What few games have, by the name of what asks for it: ``package.module:object``, or words.

    ``analyst_needs``: the optional package that the analyst imports, such as ``numba``.
    ``endings``: exact values of positions with few pieces, for ``solve``; an object with the
    members of `games.senet.ending_tables.SenetEndings`.
    ``movers``: for `TableBatch`, the agents whose policy depends on the position they see alone.
    ``search``: for `agents.expectimax`. ``make(game, heuristic)`` is an object that searches a few
    decisions too fast to be interrupted, with the rules' values, or None if it lacks the heuristic.
    Its ``deepest`` is the largest depth; ``value(state, seat, depth)`` is None for a state where it
    can't start.
    ``table_format``: reads another program's Q-tables of the game
    (`algorithms.action_value_table.read_table`)."""
    agents: tuple[AgentSpec, ...] = field(default=())
    beginner: str = ""
    """The agent that plays like a beginner; puzzles that it solves are left out. Empty means
    ``greedy`` if there is a heuristic and the analyst does not use it, else no agent."""
    recommended: tuple[str, ...] = ()
    """Names of general agents that suit this game, for lists and menus."""
    menu_defaults: Mapping[str, Any] = field(default_factory=dict)
    """Option values where people want other defaults than programs: in menus, and where a person
    has the first seat."""

    def __post_init__(self) -> None:
        agents: object = self.agents
        if isinstance(agents, AgentSpec):  # the comma is easily forgotten
            raise TypeError("agents is one AgentSpec, not a tuple: write (...,)")

    def game_class(self) -> type[AnyGame]:
        """The rulebook's class."""
        loaded: type[AnyGame] = load(self.rules)
        return loaded

    def view_class(self) -> type[AnyView]:
        """The view's class; its palette and its layer don't depend on the options.

        Raises:
            GameError: The game is not registered.
        """
        if not self.view:
            raise GameError(
                f"{self.info.name} can't be drawn: it is not registered, so its view is unknown.",
                "Register it, as docs/adding-a-game.md says.",
            )
        loaded: type[AnyView] = load(self.view)
        return loaded

    def make_view(self, game: AnyGame) -> AnyView:
        """The view of a game with its options."""
        return self.view_class()(game)

    def load_part(self, name: str) -> Any:
        """The object that ``heuristic``, ``analyst`` or one of `parts` names; None if none."""
        path = {"heuristic": self.heuristic, "analyst": self.analyst, **self.parts}.get(name)
        return load(path) if path else None

    def present_agent_name(self, name: str) -> str:
        """The current name of an agent of this game; saves may hold a former name.

        Former names are listed in data/former_agent_names.json, if there are any.
        """
        return (self.successor_of(name) or name).partition(":")[0]

    def successor_of(self, name: str) -> str:
        """The present name for a former one; empty if it is none.

        With options, as in ``risk:care=1``, it is the nearest agent to one that is gone.
        """
        text = self.data_text("former_agent_names.json")
        present: dict[str, str] = {} if text is None else json.loads(text)
        return present.get(name, "")

    @property
    def has_puzzles(self) -> bool:
        """Whether puzzles come with the game."""
        return self.data_file(PUZZLES) is not None

    def data_text(self, name: str) -> str | None:
        """The text of a file in the game's folder ``data``; None if there is none."""
        return self.text_beside_rules(f"data/{name}")

    def data_file(self, name: str) -> Path | None:
        """A file in the game's folder ``data``; None if there is none."""
        file = self._folder() / "data" / name
        return Path(str(file)) if file.is_file() else None

    @property
    def has_lesson(self) -> bool:
        """Whether the game has a lesson."""
        return (self._folder() / LESSON).is_file()

    def text_beside_rules(self, name: str) -> str | None:
        """The text of a file beside the rules, such as `LESSON`; None if there is none."""
        file = self._folder() / name
        return file.read_text(encoding="utf-8-sig") if file.is_file() else None

    def rules_text(self) -> str:
        """The rules for people, in Markdown, from RULES.md beside the rules.

        Raises:
            GameError: There is no such file.
        """
        text = self.text_beside_rules("RULES.md")
        if text is None:
            raise GameError(
                f"{self.info.name} has no rules to read: there is no RULES.md beside its rulebook."
            )
        return text

    def _folder(self) -> Traversable:
        package = self.rules.partition(":")[0].rpartition(".")[0]
        # A single module brings no files; nothing is below this path.
        return resources.files(package) if package else Path(os.devnull)
