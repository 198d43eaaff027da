"""``boardgames agents check SPEC --game GAME``: tests an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote.client import RemoteAgent
from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.agents.remote.seating import prepare, released, seat_agent
from boardgames_cli.agents.trials import AgentTrials
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import REQUIRED, argument, command, option
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import EXIT_AGENT
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.registry import find_game, resolve_level, spec_of
from boardgames_cli.session.seats import default_seconds

_MARKS: Final = {True: "ok", False: "FAILED", None: "-"}


@dataclass(frozen=True, slots=True)
class TrialArguments:
    """What to test, and for how long."""

    agent: str = argument(
        "Its name with options, or your program: 'cmd:python mybot.py'",
        autocompletion=completion.agents,
    )
    game: str = option(REQUIRED, "The game.", metavar="GAME", autocompletion=completion.games)
    games: int = option(10, "The number of games to play.", min=1)
    seed: int = option(1, "The seed of all random numbers.")
    think: float | None = option(
        None, "The time limit of a decision. [default: the game's]", metavar="SECONDS", min=0.01
    )


def check_agent(trial: TrialArguments, form: AsJson) -> int:
    """Test an agent and write a table of the results."""
    spec = find_game(trial.game)
    game, seed = spec.game_class()(), check_seed(trial.seed)
    seconds = trial.think or default_seconds(game)
    text = resolve_level(trial.agent, spec_of(game))
    with released(seat_agent(text, game, seed, 0, seconds)) as agent:
        prepare([agent], 60.0)
        trials = AgentTrials(
            agent, game, trial.games, seed, seconds, _promise_of(agent), _memory_of(agent)
        )
        results = list(trials.run())
    failures = sum(result.passed is False for result in results)
    if form.json:
        say_json({"agent": trial.agent, "game": trial.game, "trials": list(map(asdict, results))})
    else:
        say(f"{trial.agent} at {game.info.name}:")
        say_table(
            ("trial", "result", "detail"),
            [[result.name, _MARKS[result.passed], result.detail] for result in results],
        )
        say("All trials passed." if not failures else f"Failed: {failures}.")
    return EXIT_AGENT if failures else 0


def _promise_of(agent: Agent[Any, Any]) -> Callable[[], bool]:
    """Whether it claims to be deterministic; agents in Python must be, programs may be."""
    if isinstance(agent, ExternalAgent):
        return lambda: agent.about.get("deterministic") is True
    return lambda: True


def _memory_of(agent: Agent[Any, Any]) -> Callable[[], int]:
    if isinstance(agent, RemoteAgent):
        return lambda: agent.memory_used
    return _own_memory


def _own_memory() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    import resource

    return pages * resource.getpagesize()


make = command(
    check_agent,
    "agents check 'cmd:python mybot.py' --game kuhn",
    "agents check hard --game senet",
    help="Test an agent in games and unusual situations, and report failures. "
    "The exit code is 5 if anything failed.",
)
