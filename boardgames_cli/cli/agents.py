"""``boardgames agents``: list, describe, check and serve agents."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import asdict, dataclass
from typing import Any

from boardgames_cli.agents.ratings import BundledRating, bundled_ratings
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import GameFilter, argument, command, group, later, option
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.agent import ADAPTIVE, HasLearned, split_agent
from boardgames_cli.core.errors import OptionError, UnknownNameError
from boardgames_cli.core.match import brief
from boardgames_cli.core.options import option_values, options_of
from boardgames_cli.core.spec import AgentSpec, GameSpec, load
from boardgames_cli.registry import (
    agents_for,
    find_agent,
    find_game,
    game_ids,
    make_agent,
    read_agent,
    why_not,
)


@dataclass(frozen=True, slots=True)
class One:
    """The agent."""

    agent: str = argument(
        "Its name, with options if you like: q-table:file=mine.jsonl",
        autocompletion=completion.agents,
    )
    game: str | None = option(
        None,
        "The game; by default the first that it can play.",
        metavar="GAME",
        autocompletion=completion.games,
    )


@dataclass(frozen=True, slots=True)
class Served:
    """The agent that is served."""

    agent: str = argument(
        "Its name, with options if you like. The game comes with the protocol.",
        autocompletion=completion.agents,
    )


def serve_agent(served: Served) -> int:
    """Let programs in any language use an agent, by the agent protocol."""
    from boardgames_cli.agents.remote.agent_server import serve

    serve(served.agent)
    return 0


def show_agent(one: One, form: AsJson) -> int:
    """Show what an agent can do, and what it has learned."""
    with _results_only():
        game_spec, agent_spec = _find(one)
        game = game_spec.game_class()()
        agent = make_agent(one.agent, game)
        brief(agent, game, 0, (), one.agent)
        learned = list(agent.facts()) if isinstance(agent, HasLearned) else []
    facts = {"agent": one.agent, "game": game_spec.info.id, "summary": agent_spec.summary}
    if form.json:
        options = option_values(agent)
        say_json({**facts, "options": options, "facts": dict(learned)})
        return 0
    say(f"{one.agent}: {agent_spec.summary}. Here for {game_spec.info.name}.")
    for setting, levels in ("by default", game_spec.levels), *game_spec.levels_where.items():
        if one.agent in levels:
            say(f"{setting}: {levels[one.agent]}")
    _say_options(_options(type(agent)))
    for name, text in learned:
        say(f"{name}: {text}")
    return 0


def _results_only() -> contextlib.AbstractContextManager[object]:
    """Redirect the output of foreign code, since standard output is for results."""
    return contextlib.redirect_stdout(sys.stderr)


def _find(one: One) -> tuple[GameSpec, AgentSpec]:
    specs = [find_game(id) for id in ([one.game] if one.game else game_ids())]
    names = [agent for spec in specs for agent in agents_for(spec)]
    refusals: dict[str, list[str]] = {}
    for spec in specs:
        # A level may have the name of an agent, and then stands for another one.
        name = split_agent(spec.levels.get(one.agent, one.agent))[0]
        agent = find_agent(name, spec)
        if agent is None:
            continue
        # With its options: an agent that plays from a file needs one.
        reason = read_agent(one.agent, spec).supports(spec.game_class()())
        if reason is None:
            return spec, agent
        refusals.setdefault(reason, []).append(spec.info.name)
    if refusals:
        why = "; ".join(f"{', '.join(games)}: {reason}" for reason, games in refusals.items())
        raise OptionError(f'agent "{split_agent(one.agent)[0]}" can\'t play {why}.')
    raise UnknownNameError("agent", split_agent(one.agent)[0], names)


def list_agents(which: GameFilter, form: AsJson) -> int:
    """List the agents that can play, with their options."""
    chosen = [which.game] if which.game else game_ids()
    specs = [find_game(id) for id in chosen]
    if form.json:
        say_json([_facts(spec) for spec in specs])
        return 0
    for number, spec in enumerate(specs):
        if number:
            say()
        _say_game(_facts(spec), spec.info.name)
    return 0


def _say_game(facts: dict[str, Any], title: str) -> None:
    for setting, levels in ("", facts["levels"]), *facts["levels_where"].items():
        say(f"{title}, levels{setting and ' with '}{setting}:")
        for level, meant in levels.items():
            say(f"  {level:<10}{meant}")
    if len(facts["levels_where"]) > 1:
        say("  Where several of these fit, the last one counts.")
    say(f"  {ADAPTIVE:<10}about as strong as the person who plays")
    say(f"{title}, agents:")
    width = max(len(agent["name"]) for agent in facts["agents"]) + 2
    for agent in facts["agents"]:
        if agent["problem"]:
            continue
        say(f"  {agent['name']:<{width}}{agent['summary']}")
        _say_options(agent["options"])
    useless = [agent for agent in facts["agents"] if agent["problem"]]
    if useless:
        say(f"{title}, agents that can't play it as they are:")
    for agent in useless:
        say(f"  {agent['name']:<{width}}{agent['problem']}")
    if facts["ratings"] is not None:
        _say_ratings(facts["ratings"], title, width)


def _say_ratings(ratings: dict[str, Any], title: str, width: int) -> None:
    say(f"{title}, ratings from {ratings['games']:,} games, with 95 % intervals:")
    width = max(width, *(len(row["agent"]) + 2 for row in ratings["ratings"]))
    for row in ratings["ratings"]:
        say(f"  {row['agent']:<{width}}{BundledRating(**row)}")
    say(f"  To play them again: {ratings['command']}")


def _say_options(options: list[dict[str, Any]]) -> None:
    for one in options:
        text = f"{one['name']}={one['default']}"
        say(f"    {text:<18}{one['help']} [{one['allowed']}]")


def _facts(spec: GameSpec) -> dict[str, Any]:
    named = [*(agent.name for agent in spec.agents), *spec.recommended]
    ratings = bundled_ratings(spec)
    facts = {} if ratings is None else asdict(ratings)
    facts.pop("opponents", None)  # `ladder` shows these
    agents = agents_for(spec)
    del agents[ADAPTIVE]  # listed with the levels
    # Recommended agents come first.
    order = sorted(agents, key=lambda name: named.index(name) if name in named else len(named))
    return {
        "game": spec.info.id,
        "levels": dict(spec.levels),
        "levels_where": {setting: dict(them) for setting, them in spec.levels_where.items()},
        "agents": [_agent(agents[name], spec) for name in order],
        "ratings": facts or None,
    }


def _agent(agent: AgentSpec, spec: GameSpec) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": agent.name,
        "summary": agent.summary,
        "problem": None,
        "options": [],
    }
    with _results_only(), contextlib.suppress(Exception):  # a foreign agent
        facts["problem"] = why_not(agent, spec.game_class()())
        facts["options"] = _options(load(agent.path))
    return facts


def _options(kind: Any) -> list[dict[str, Any]]:
    names = ("name", "default", "allowed", "help")
    return [{name: getattr(one, name) for name in names} for one in options_of(kind)]


make = group(
    {
        "list": command(list_agents, "agents senet", "play senet --vs expectimax:depth=3"),
        "show": command(show_agent),
        "check": later("check_agent", "Test an agent, one of ours or your own program."),
        "serve": command(serve_agent, "agent serve hard", "agent serve expectimax:depth=3"),
    },
    "agents",
    "agents senet",
    "agents show q-table",
    "agents check hard",
    help="List the agents that can play, show what they have learned, test and serve them.",
    default="list",
    takes_words=True,
)
