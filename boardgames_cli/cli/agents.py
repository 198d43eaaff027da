"""``boardgames agents [GAME]``: who can play, with which options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import examples, make_command
from boardgames_cli.cli.options import AsJson
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.core.options import options_of
from boardgames_cli.core.spec import AgentSpec, GameSpec, load
from boardgames_cli.registry import agents_for, find_game, game_ids


@dataclass(frozen=True, slots=True)
class Which:
    """The game."""

    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game that they are to play; without one, every game.",
            autocompletion=completion.games,
            show_default=False,
        ),
    ] = None


def make(name: str) -> Any:
    """The verb."""
    return make_command(
        name,
        list_agents,
        Which,
        AsJson,
        help="List the agents that can play, with their options.",
        epilog=examples("agents senet", "play senet --vs expectimax:depth=3"),
    )


def list_agents(which: Which, form: AsJson) -> int:
    """Write the levels and agents of one game or of all.

    Returns:
        The exit code.

    Raises:
        UnknownNameError: There is no such game.
    """
    chosen = [which.game] if which.game is not None else game_ids()
    specs = [find_game(id) for id in chosen]
    if form.json:
        say_json([_facts(spec) for spec in specs])
        return 0
    for number, spec in enumerate(specs):
        if number:
            say()
        _tell(_facts(spec), spec.info.name)
    return 0


def _tell(facts: dict[str, Any], title: str) -> None:
    say(f"{title}, levels:")
    for level, meant in facts["levels"].items():
        say(f"  {level:<10}{meant}")
    say(f"{title}, agents:")
    width = max(len(agent["name"]) for agent in facts["agents"]) + 2
    for agent in facts["agents"]:
        if agent["problem"]:
            continue
        say(f"  {agent['name']:<{width}}{agent['summary']}")
        for option in agent["options"]:
            text = f"{option['name']}={option['default']}"
            say(f"    {text:<18}{option['help']} [{option['allowed']}]")
    useless = [agent for agent in facts["agents"] if agent["problem"]]
    if useless:
        say(f"{title}, agents that can't play it as they are:")
    for agent in useless:
        say(f"  {agent['name']:<{width}}{agent['problem']}")


def _facts(spec: GameSpec) -> dict[str, Any]:
    named = [*(agent.name for agent in spec.agents), *spec.recommended]
    agents = agents_for(spec)
    # Those that make sense for this game come first.
    order = sorted(agents, key=lambda name: named.index(name) if name in named else len(named))
    return {
        "game": spec.info.id,
        "levels": dict(spec.levels),
        "agents": [_agent(agents[name], spec) for name in order],
    }


def _agent(agent: AgentSpec, spec: GameSpec) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": agent.name,
        "summary": agent.summary,
        "problem": None,
        "options": [],
    }
    try:
        kind = load(agent.path)
        facts["problem"] = kind().supports(spec.game_class()())
    except ImportError as error:
        extra = f": pip install 'boardgames-cli[{agent.needs}]'" if agent.needs else ""
        facts["problem"] = f"{error.name} is not installed{extra}"
        return facts
    except Exception as error:  # a stranger's agent; the list is more useful than a failure
        facts["problem"] = f"{type(error).__name__}: {error}"
        return facts
    facts["options"] = [
        {
            "name": option.name,
            "default": option.default,
            "allowed": option.allowed,
            "help": option.help,
        }
        for option in options_of(kind)
    ]
    return facts
