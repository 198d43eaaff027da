"""Names of games and agents, and what they stand for. Nothing is imported before it is asked for.

Other packages add games and agents through the entry-point groups ``boardgames_cli.games`` (an
object of type `GameSpec`) and ``boardgames_cli.agents`` (an `AgentSpec`).
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import GameError, OptionError, UnknownNameError
from boardgames_cli.core.game import Game, GameInfo
from boardgames_cli.core.options import build, options_of
from boardgames_cli.core.spec import AgentSpec, GameSpec, Heuristic, load

GAME_GROUP: Final = "boardgames_cli.games"
AGENT_GROUP: Final = "boardgames_cli.agents"
DEFAULT_LEVEL: Final = "medium"

BUILT_IN_GAMES: Final = {
    "senet": "boardgames_cli.games.senet:GAME",
    "tapnswap": "boardgames_cli.games.tapnswap:GAME",
    "kuhn": "boardgames_cli.games.kuhn:GAME",
    "deepsea": "boardgames_cli.games.deepsea:GAME",
    "pommerman": "boardgames_cli.games.pommerman:GAME",
}

BUILT_IN_AGENTS: Final = (
    AgentSpec("random", "boardgames_cli.agents.random:RandomAgent", "any legal action"),
    AgentSpec("greedy", "boardgames_cli.agents.greedy:Greedy", "looks one ply ahead"),
    AgentSpec(
        "expectimax",
        "boardgames_cli.agents.expectimax:Expectimax",
        "weighs every outcome of chance, several plies deep",
    ),
    AgentSpec(
        "q-table",
        "boardgames_cli.agents.q_table:QTableAgent",
        "plays from values learned by Q-learning",
    ),
    AgentSpec(
        "perfect",
        "boardgames_cli.agents.perfect:Perfect",
        "knows the exact value of every position of a small game",
    ),
    AgentSpec("cfr", "boardgames_cli.agents.cfr:CfrAgent", "plays a strategy from a file"),
    AgentSpec(
        "best-response",
        "boardgames_cli.agents.best_response:BestResponseAgent",
        "knows another agent by heart and exploits it",
    ),
)

SpecT = TypeVar("SpecT", GameSpec, AgentSpec)


class PluginWarning(UserWarning):
    """An installed plug-in can't be used; the message names it."""


def _plugins(group: str, kind: type[SpecT]) -> Iterator[tuple[str, SpecT]]:
    for entry in entry_points(group=group):
        spec = _load_plugin(entry, kind)
        if spec is not None:
            yield entry.name, spec


def _load_plugin(entry: EntryPoint, kind: type[SpecT]) -> SpecT | None:
    try:
        spec = entry.load()
    except Exception as error:  # whatever a stranger's module does at import must not stop us
        _warn(entry, f"{type(error).__name__}: {error}")
        return None
    if not isinstance(spec, kind):
        _warn(entry, f"it is a {type(spec).__name__}, not a {kind.__name__}")
        return None
    return spec


def _warn(entry: EntryPoint, reason: str) -> None:
    package = entry.dist.name if entry.dist else "an unknown package"
    warnings.warn(
        f'plug-in "{entry.name}" of {package} is left out ({reason}).', PluginWarning, stacklevel=2
    )


@functools.cache
def _plugin_games() -> Mapping[str, GameSpec]:
    return {
        name: spec for name, spec in _plugins(GAME_GROUP, GameSpec) if name not in BUILT_IN_GAMES
    }


@functools.cache
def _general_agents() -> Mapping[str, AgentSpec]:
    found = dict(_plugins(AGENT_GROUP, AgentSpec))
    return found | {spec.name: spec for spec in BUILT_IN_AGENTS}


def game_ids() -> list[str]:
    """The names of all games, ours first."""
    return [*BUILT_IN_GAMES, *_plugin_games()]


def find_game(id: str) -> GameSpec:
    """The game of that name.

    Raises:
        UnknownNameError: There is none.
    """
    if id in BUILT_IN_GAMES:
        spec: GameSpec = load(BUILT_IN_GAMES[id])
        return spec
    if id in _plugin_games():
        return _plugin_games()[id]
    raise UnknownNameError("game", id, game_ids())


def spec_of(game: Game[Any, Any]) -> GameSpec:
    """The visiting card of a rulebook."""
    return find_game(game.info.id)


def games() -> list[GameInfo]:
    """What there is to play."""
    return [find_game(id).info for id in game_ids()]


def make(id: str, **options: Any) -> Game[Any, Any]:
    """A rulebook by name.

    Args:
        id: The game's name, such as ``"senet"``.
        **options: The game's options; those left out have their defaults.

    Raises:
        UnknownNameError: There is no such game or option.
        OptionError: An option can't have that value.
    """
    game: Game[Any, Any] = build(find_game(id).game_class(), options, id)
    return game


def heuristic_of(game: Game[Any, Any]) -> Heuristic | None:
    """The game's evaluation of positions, if it is a registered game and has one."""
    try:
        return spec_of(game).load_heuristic()
    except UnknownNameError:
        return None


def agents_for(spec: GameSpec) -> dict[str, AgentSpec]:
    """All agents that a game can name: its own first, then the general ones."""
    own = {agent.name: agent for agent in spec.agents}
    return own | {name: agent for name, agent in _general_agents().items() if name not in own}


def find_agent(name: str, spec: GameSpec) -> AgentSpec | None:
    """The agent that a game knows by a name, or knew by it before; None if there is none."""
    known = agents_for(spec)
    if name in known:
        return known[name]
    return next((agent for agent in known.values() if name in agent.former_names), None)


def split_agent(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,...``; a value without a key has the key ``""``.

    Raises:
        OptionError: A key is given twice.
    """
    name, _, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "", part
        if key.strip() in options:
            raise OptionError(f'"{text}" gives the same option twice.', "Write name:key=value,...")
        options[key.strip()] = value.strip()
    return name.strip(), options


def resolve_level(text: str, spec: GameSpec) -> str:
    """Replace ``ai``, ``ai:level=hard`` or a bare level by the agent it stands for in a game.

    Raises:
        UnknownNameError: The game has no such level.
    """
    name, options = split_agent(text)
    if name in spec.levels and not options:
        return spec.levels[name]
    if name != "ai":
        return text
    level = options.pop("level", options.pop("", DEFAULT_LEVEL))
    if options:
        raise UnknownNameError("ai option", next(iter(options)), ["level"])
    if level not in spec.levels:
        raise UnknownNameError("level", level, spec.levels)
    return spec.levels[level]


def make_agent(text: str, game: Game[Any, Any]) -> Agent[Any, Any]:
    """An agent from its specification, such as ``"expectimax:depth=2"`` or ``"hard"``.

    Raises:
        UnknownNameError: There is no such agent, level or option.
        OptionError: An option can't have that value, or the agent can't play this game.
    """
    agent = read_agent(text, spec_of(game))
    reason = agent.supports(game)
    if reason:
        name = split_agent(resolve_level(text, spec_of(game)))[0]
        raise OptionError(f'agent "{name}" can\'t play this game: {reason}.')
    return agent


def read_agent(text: str, game_spec: GameSpec) -> Agent[Any, Any]:
    """An agent from its specification, whether it can play the game or not.

    Raises:
        UnknownNameError: There is no such agent, level or option.
        OptionError: An option can't have that value.
    """
    name, values = split_agent(resolve_level(text, game_spec))
    found = find_agent(name, game_spec)
    if found is None:
        raise UnknownNameError("agent", name, ["ai", *game_spec.levels, *agents_for(game_spec)])
    kind = _agent_class(found)
    if "" in values:
        declared = options_of(kind)
        if not declared:
            raise OptionError(f'agent "{name}" has no options.', f"Write just {name}.")
        values[declared[0].name] = values.pop("")
    agent: Agent[Any, Any] = build(kind, values, name)
    return agent


def _agent_class(spec: AgentSpec) -> type[Agent[Any, Any]]:
    try:
        kind: type[Agent[Any, Any]] = load(spec.path)
    except ImportError as error:
        if not spec.needs:
            raise
        raise GameError(
            f'agent "{spec.name}" needs a package that is not installed ({error.name}).',
            f"Install it: pip install 'boardgames-cli[{spec.needs}]'",
        ) from error
    return kind
