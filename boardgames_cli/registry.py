"""Maps names to games and agents, which are imported on first use.

Other packages register games and agents as `plugins`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.agent import (
    ADAPTIVE,
    COMMAND,
    NAME_OPTION,
    Agent,
    agent_failure,
    is_agents_fault,
    join_agent,
    split_agent,
)
from boardgames_cli.core.errors import (
    GameError,
    MissingPackageError,
    OptionError,
    UnknownNameError,
    install_command,
)
from boardgames_cli.core.game import AnyGame, GameInfo
from boardgames_cli.core.match import ByName
from boardgames_cli.core.match import Match as Match
from boardgames_cli.core.match import play as play
from boardgames_cli.core.options import build, options_of
from boardgames_cli.core.plugins import (
    AGENT_GROUP,
    GAME_GROUP,
    check_agent,
    entries_of,
    give_entries,
    load_plugin,
)
from boardgames_cli.core.spec import AgentSpec, GameSpec, Heuristic, load

if TYPE_CHECKING:
    from boardgames_cli.core.encoder import AnyEncoder

DEFAULT_LEVEL: Final = "medium"
_DERIVED_ENCODER: Final = "boardgames_cli.core.encoder:DerivedEncoder"

BUILT_IN_GAMES: Final = {
    "senet": "boardgames_cli.games.senet:GAME",
    "tapnswap": "boardgames_cli.games.tapnswap:GAME",
    "kuhn": "boardgames_cli.games.kuhn:GAME",
    "deepsea": "boardgames_cli.games.deepsea:GAME",
    "pommerman": "boardgames_cli.games.pommerman:GAME",
}

BUILT_IN_AGENTS: Final = (
    AgentSpec("random", "boardgames_cli.agents.random:RandomAgent", "plays a random legal action"),
    AgentSpec("greedy", "boardgames_cli.agents.greedy:Greedy", "looks one ply ahead"),
    AgentSpec(
        "expectimax",
        "boardgames_cli.agents.expectimax:Expectimax",
        "depth-limited search that averages over chance",
    ),
    AgentSpec(
        "rollout",
        "boardgames_cli.agents.rollout:RolloutAgent",
        "plays on many times after every action",
        agent_options=("rollout",),
    ),
    AgentSpec(
        "mcts",
        "boardgames_cli.agents.mcts:Mcts",
        "Monte Carlo tree search",
        agent_options=("rollout",),
    ),
    AgentSpec(
        "ismcts",
        "boardgames_cli.agents.mcts:Ismcts",
        "Monte Carlo tree search with hidden information",
        agent_options=("rollout",),
    ),
    AgentSpec(
        "q-table",
        "boardgames_cli.agents.q_table:QTableAgent",
        "plays from values learned by Q-learning",
    ),
    AgentSpec(
        "perfect",
        "boardgames_cli.agents.perfect:Perfect",
        "plays a small game optimally",
    ),
    AgentSpec("cfr", "boardgames_cli.agents.cfr:CfrAgent", "plays a strategy that training made"),
    AgentSpec(
        "network",
        "boardgames_cli.agents.network_agent:NetworkAgent",
        "searches where a network that learned by self-play points",
        needs="numpy",
    ),
    AgentSpec(
        "best-response",
        "boardgames_cli.agents.best_response:BestResponseAgent",
        "plays the best response to another agent",
        agent_options=("to",),
    ),
    AgentSpec(
        "mix",
        "boardgames_cli.agents.mix:Mix",
        "plays by turns as one of two agents, with a strength between theirs",
        agent_options=("weaker", "stronger"),
    ),
    AgentSpec(
        ADAPTIVE,
        "boardgames_cli.agents.mix:Mix",
        "a mix of two levels, about as strong as the person at the table",
        agent_options=("weaker", "stronger"),
    ),
    AgentSpec(
        COMMAND,
        "boardgames_cli.agents.remote.program:ExternalAgent",
        "runs any program that speaks the agent protocol",
        runs_commands=True,
    ),
)


def use_plugins(entries: Iterable[tuple[str, str, str]]) -> None:
    """Use exactly these plug-ins; a worker process must have the same ones as its parent.

    Args:
        entries: As `plugin_entries` gives them.
    """
    give_entries(entries)
    for cached in (_plugin_games, _plugin_agent_entries, _general_agents):
        cached.cache_clear()


@functools.cache
def _plugin_games() -> Mapping[str, GameSpec]:
    found = {entry.name: load_plugin(entry, GameSpec) for entry in entries_of(GAME_GROUP)}
    return {name: spec for name, spec in found.items() if spec and name not in BUILT_IN_GAMES}


@functools.cache
def _plugin_agent_entries() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entries_of(AGENT_GROUP)}


@functools.cache
def _general_agents() -> Mapping[str, AgentSpec]:
    ours = {spec.name: spec for spec in BUILT_IN_AGENTS}
    found = {
        name: load_plugin(entry, AgentSpec)
        for name, entry in _plugin_agent_entries().items()
        if name not in ours
    }
    return {name: spec for name, spec in found.items() if spec} | ours


def game_ids() -> list[str]:
    """The ids of all games, bundled ones first."""
    return [*BUILT_IN_GAMES, *_plugin_games()]


def find_game(id: str) -> GameSpec:
    """The manifest of a game.

    Raises:
        UnknownNameError: There is none.
    """
    if id in BUILT_IN_GAMES:
        spec: GameSpec = load(BUILT_IN_GAMES[id])
        return spec
    if id in _plugin_games():
        return _plugin_games()[id]
    raise UnknownNameError("game", id, game_ids())


def spec_of(game: AnyGame) -> GameSpec:
    """The manifest of a game, with the levels that go with its options.

    That of a game that is not registered names nothing.
    """
    try:
        spec = find_game(game.info.id)
    except UnknownNameError:
        return GameSpec(game.info, rules="", view="", levels={})
    return replace(spec, levels=levels_with(game, spec)) if spec.levels_where else spec


def levels_with(game: AnyGame, spec: GameSpec) -> dict[str, str]:
    """The agents' specifications by level that go with a game's options; the last that fit."""
    found = dict(spec.levels)
    for settings, levels in spec.levels_where.items():
        pairs = (setting.partition("=") for setting in settings.split(","))
        if all(str(getattr(game, name, None)) == value for name, _, value in pairs):
            found |= levels
    return found


def level_of(agent: str, spec: GameSpec) -> str:
    """The level that an agent's specification stands for, with any options; empty if for none."""
    tables = (spec.levels, *spec.levels_where.values())
    return next((level for table in tables for level, meant in table.items() if meant == agent), "")


def list_games() -> list[GameInfo]:
    """The description of every game."""
    return [find_game(id).info for id in game_ids()]


def make(id: str, /, **options: Any) -> AnyGame:
    """Create a game by name.

    Args:
        id: The game's name, such as ``"senet"``.
        **options: The game's options; those left out have their defaults.

    Raises:
        UnknownNameError: There is no such game or option.
        OptionError: An option can't have that value.
    """
    game: AnyGame = build(find_game(id).game_class(), options, id)
    return game


def file_of(game: AnyGame, text: str) -> Path:
    """The file that an option of an agent names.

    ``data/NAME`` is the file of that name in the game's folder ``data``, if it has one, so that a
    level can name what comes with the game. Everything else is a path of the user's.
    """
    folder, _, name = text.rpartition("/")
    own = spec_of(game).data_file(name) if folder == "data" else None
    return own or Path(text).expanduser()


def heuristic_of(game: AnyGame) -> Heuristic | None:
    """The evaluation function of a registered game; None if there is none."""
    heuristic: Heuristic | None = spec_of(game).load_part("heuristic")
    return heuristic


def _rulebook(game: AnyGame | str) -> AnyGame:
    return make(game) if isinstance(game, str) else game


def make_encoder(game: AnyGame | str, name: str = "") -> AnyEncoder:
    """The encoder that converts a game's observations to arrays for learning programs.

    Args:
        game: The game, with its options; or the id of a game.
        name: An alternative encoder from the game's spec; empty for the default one, which is
            derived from the fields of the state if the spec has none.

    Raises:
        UnknownNameError: There is no such game, or it has no encoder of that name.
        GameError: numpy is not installed, or nothing can be derived from the state's fields.
    """
    game = _rulebook(game)
    spec = spec_of(game)
    paths = {"": spec.encoder, **spec.encodings}
    if name not in paths:
        raise UnknownNameError("encoder", name, [known for known in paths if known])
    try:
        importlib.import_module("numpy")
        kind: type[AnyEncoder] = load(paths[name] or _DERIVED_ENCODER)
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise MissingPackageError("encoders", "numpy", "numpy") from error
    return kind(game)


def agents_for(spec: GameSpec) -> dict[str, AgentSpec]:
    """All agents available in a game: its own first, then the general ones.

    This imports plug-ins; see `is_bundled` for what needs no import.
    """
    own = {agent.name: agent for agent in spec.agents}
    return own | {name: agent for name, agent in _general_agents().items() if name not in own}


def find_agent(name: str, spec: GameSpec) -> AgentSpec | None:
    """The agent with a name, or a former name, in a game; None if there is none.

    Only the plug-in with that name is imported.
    """
    declared = _declared(name, spec)
    entry = _plugin_agent_entries().get(name) if declared is None else None
    return declared if entry is None else load_plugin(entry, AgentSpec)


def _declared(name: str, spec: GameSpec) -> AgentSpec | None:
    declared = {agent.name: agent for agent in (*BUILT_IN_AGENTS, *spec.agents)}
    if name in declared or name in _plugin_agent_entries():
        return declared.get(name)
    return declared.get(spec.present_agent_name(name))


def is_adaptive(text: str) -> bool:
    """Whether a specification asks for the level ``adaptive``, chosen already or not.

    One that can't be read does not; making its agent tells why.
    """
    try:
        name, options = split_agent(text)
    except GameError:
        return False
    return name == ADAPTIVE or (name == "ai" and ADAPTIVE in options.values())


def resolve_level(text: str, spec: GameSpec) -> str:
    """Replace ``ai``, ``ai:level=hard``, a level or an opponent's name by what it stands for.

    The names are those of the game's ladder (`core.presentation.home_page`). Options after a level,
    such as ``hard:depth=3``, replace those of its agent, unless the game has an agent of that name.

    Raises:
        UnknownNameError: The game has no such level.
        OptionError: It is the level ``adaptive``, and no session has chosen its strength.
    """
    name, options = split_agent(text)
    if is_adaptive(text) and "share" not in options:
        raise OptionError(
            f"{ADAPTIVE} takes its strength from a person at the table, and there is none here.",
            f"Levels: {' '.join(spec.levels)}",
        )
    if NAME_OPTION in options:
        called = options.pop(NAME_OPTION)
        agent, own = split_agent(resolve_level(join_agent(name, options), spec))
        return join_agent(agent, {**own, NAME_OPTION: called})
    if name in spec.levels and (not options or _declared(name, spec) is None):
        agent, own = split_agent(spec.levels[name])
        return join_agent(agent, own | options) if options else spec.levels[name]
    if name != "ai":
        successor = spec.successor_of(name)
        if ":" in successor and name not in _plugin_agent_entries():
            return successor  # the options were those of the agent that is gone
        if options or _declared(name, spec):
            return text
        from boardgames_cli.core.presentation.home_page import opponent_of

        opponent = opponent_of(spec, name)
        return text if opponent is None else resolve_level(opponent.seat, spec)
    level = options.pop("level", options.pop("", DEFAULT_LEVEL))
    if options:
        raise UnknownNameError("ai option", next(iter(options)), ["level"])
    if level not in spec.levels:
        raise UnknownNameError("level", level, spec.levels)
    return spec.levels[level]


def is_bundled(text: str, game_spec: GameSpec) -> bool:
    """Whether an agent, and any that its options name, comes with this program.

    Imports nothing. An unknown name counts as bundled, so that there is a single error for it.

    Args:
        text: The agent's specification, such as ``"best-response:to=rock"``.
        game_spec: The game it is to play.
    """
    is_ours = game_spec.info.id in BUILT_IN_GAMES
    return all(
        name not in _names(game_spec) if spec is None else is_ours or spec not in game_spec.agents
        for name, _, spec in _agents_in(text, game_spec)
    )


def commands_in(text: str, game_spec: GameSpec) -> list[str]:
    """The programs on this machine that an agent, or one that its options name, would run.

    Specifications from a file need the user's consent before the agents are created. Imports
    nothing. For an invalid specification the result is empty; creating the agent fails.

    Args:
        text: The agent's specification, such as ``"cmd:python bot.py"``.
        game_spec: The game it is to play.
    """
    found = _agents_in(text, game_spec)
    return [values.get("", "") for _, values, spec in found if spec and spec.runs_commands]


def _agents_in(
    text: str, game_spec: GameSpec
) -> Iterator[tuple[str, dict[str, str], AgentSpec | None]]:
    try:
        name, values = split_agent(resolve_level(text, game_spec))
    except GameError:
        return
    spec = _declared(name, game_spec)
    yield name, values, spec
    if spec is not None and spec.agent_options:
        for key in ("", *spec.agent_options):
            yield from _agents_in(values[key], game_spec) if key in values else ()


def _names(game_spec: GameSpec) -> list[str]:
    own = [agent.name for agent in game_spec.agents]
    general = [agent.name for agent in BUILT_IN_AGENTS]
    return list(dict.fromkeys([*own, *_plugin_agent_entries(), *general]))


def make_agent(text: str, game: AnyGame | str) -> Agent[Any, Any]:
    """Create an agent from its specification, such as ``"expectimax:depth=2"`` or ``"hard"``.

    Args:
        text: The specification.
        game: The game it is to play, registered or not; or the id of a game.

    Raises:
        UnknownNameError: There is no such agent, level, option or game.
        OptionError: An option can't have that value, or the agent can't play this game.
        AgentError: The agent failed while it was made or asked what it can play.
    """
    if not isinstance(text, str):
        raise OptionError(
            f"an agent can't be {text!r}.", 'Allowed: an agent, or a text such as "hard".'
        )
    game = _rulebook(game)
    spec = spec_of(game)
    agent = read_agent(text, spec, game)
    name = split_agent(resolve_level(text, spec))[0]
    try:
        reason = agent.supports(game)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        raise agent_failure(name, "when it was asked whether it plays this game", error) from error
    if reason:
        raise OptionError(f'agent "{name}" can\'t play this game: {reason}.')
    return agent


def read_agent(text: str, game_spec: GameSpec, game: AnyGame | None = None) -> Agent[Any, Any]:
    """Create an agent from its specification, without checking that it can play the game.

    Args:
        text: The specification.
        game_spec: The game's manifest.
        game: The game, for messages that name who can play it; by default that of the manifest.

    Raises:
        UnknownNameError: There is no such agent, level or option.
        OptionError: An option can't have that value.
        AgentError: The agent failed while it was imported or made.
        ConfinedError: Visitors may not use it (see `core.plugins`).
    """
    resolved = resolve_level(text, game_spec)
    name, values = split_agent(resolved)
    values.pop(NAME_OPTION, "")
    try:
        found = find_agent(name, game_spec)
        if found is None:
            raise UnknownNameError("agent", name, _playing(game_spec, game))
        kind = _agent_class(found)
        declared = options_of(kind)
        if "" in values:
            if not declared:
                raise OptionError(f'agent "{name}" has no options.', f"Write just {name}.")
            values[declared[0].name] = values.pop("")
        if not level_of(resolved, game_spec):
            check_agent(found, values, declared)
        agent: Agent[Any, Any] = build(kind, values, name)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        raise agent_failure(name, "while it was made", error) from error
    return agent


def _playing(game_spec: GameSpec, game: AnyGame | None) -> Iterator[str]:
    game = game or game_spec.game_class()()
    yield from ("ai", *game_spec.levels) if game_spec.levels else ()
    for name, agent in agents_for(game_spec).items():
        is_made_of_levels = "weaker" in agent.agent_options  # one of which may be the unknown name
        if game_spec.levels if is_made_of_levels else why_not(agent, game) is None:
            yield name


def why_not(spec: AgentSpec, game: AnyGame) -> str | None:
    """Why an agent without options can't play a game; None if it can."""
    try:
        kind: type[Agent[Any, Any]] = load(spec.path)
        return kind().supports(game)
    except ImportError as error:
        extra = f": {install_command(spec.needs)}" if spec.needs else ""
        return f"{error.name} is not installed{extra}"
    except Exception as error:  # a foreign agent; its name and reason are more useful
        return f"{type(error).__name__}: {error}"


def _agent_class(spec: AgentSpec) -> type[Agent[Any, Any]]:
    try:
        kind: type[Agent[Any, Any]] = load(spec.path)
    except ImportError as error:
        if not spec.needs:
            raise
        raise GameError(
            f'agent "{spec.name}" needs a package that is not installed ({error.name}).',
            f"Install it: {install_command(spec.needs)}",
        ) from error
    return kind


ByName.game, ByName.agent = make, make_agent
