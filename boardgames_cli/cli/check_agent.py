"""``boardgames agents check SPEC --game GAME``: tests an agent."""

from __future__ import annotations

import math
import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.agents.remote.seating import default_seconds, prepare, released, seat_agent
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import REQUIRED, argument, command, option
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.agent import Agent, Budget, RunsElsewhere
from boardgames_cli.core.errors import EXIT_AGENT, GameError
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.registry import find_game, resolve_level, spec_of
from boardgames_cli.testing.check import AGENT_LAWS
from boardgames_cli.testing.findings import BrokenLaw, Law, told_by
from boardgames_cli.testing.laws import agents as laws
from boardgames_cli.testing.laws.agents import Trial

_MARKS: Final = {True: "ok", False: "FAILED", None: "-"}
_MOST_PLIES: Final = 400
_PATIENCE: Final = 20.0
"""Seconds in which an agent that was told to stop must have answered."""


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
        seeds = range(seed, seed + math.ceil(trial.games / game.seats))
        tried = Trial(
            lambda: agent,
            game,
            seeds,
            _MOST_PLIES,
            Budget(seconds),
            _PATIENCE,
            (lambda: 0) if isinstance(agent, RunsElsewhere) else _own_memory,
        )
        results = [_try(law, tried, agent) for law in AGENT_LAWS]
    failures = sum(result["passed"] is False for result in results)
    if form.json:
        say_json({"agent": trial.agent, "game": trial.game, "trials": results})
    else:
        say(f"{trial.agent} at {game.info.name}:")
        say_table(
            ("trial", "result", "detail"),
            [[row["name"], _MARKS[row["passed"]], row["detail"]] for row in results],
        )
        if tried.times:
            median, longest = (1000 * of(tried.times) for of in (statistics.median, max))
            say(
                f"{len(tried.times)} decisions: median {median:.1f} ms, longest {longest:.1f} ms, "
                f"limit {seconds:g} s."
            )
        say("All trials passed." if not failures else f"Failed: {failures}.")
    return EXIT_AGENT if failures else 0


def _try(law: Law, trial: Trial, agent: Agent[Any, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"name": law.__name__.replace("_", " "), "passed": True}
    is_program = isinstance(agent, ExternalAgent)
    promises = not isinstance(agent, ExternalAgent) or agent.about.get("deterministic") is True
    reasons: dict[Law, str] = {
        laws.answers_the_same_again: "" if promises else "not promised",
        laws.values_every_action: "a program may value some" if is_program else "",
        laws.answers_in_time: "" if trial.times else "it has not answered",
        laws.keeps_its_memory: "" if trial.used else "not known",
    }
    if reasons.get(law):
        return {**row, "passed": None, "detail": reasons[law]}
    try:
        law(trial)
    except BrokenLaw as error:
        todo = error.todo or told_by(law)[1]
        return {**row, "passed": False, "detail": f"{error.problem}.   {todo}".rstrip()}
    except GameError as error:
        return {**row, "passed": False, "detail": str(error)}
    return {**row, "detail": told_by(law)[0]}


def _own_memory() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


make = command(
    check_agent,
    "agents check 'cmd:python mybot.py' --game kuhn",
    "agents check hard --game senet",
    help="Test an agent in games and unusual situations, and report failures. "
    "The exit code is 5 if anything failed.",
)
