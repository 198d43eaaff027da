"""``boardgames bench GAME``: how fast a game and its agents are on this machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import argument, command, option
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.cli.tournament_rules import game_with
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.registry import agents_for, is_bundled, spec_of
from boardgames_cli.tournament.players import can_play, check_entrants, name_entrants
from boardgames_cli.tournament.speed import Speed, agent_speed, match_speed, rules_speed


@dataclass(frozen=True, slots=True)
class Bench:
    """What to measure."""

    game: str = argument("The game.", autocompletion=completion.games)
    seat: list[str] | None = option(
        None,
        "An agent to measure; repeatable. [default: all that can play]",
        "-s",
        "--seat",
        metavar="SPEC",
        autocompletion=completion.agents,
    )
    set: list[str] | None = option(None, "An option of the game.", metavar="OPTION=VALUE")
    seconds: float = option(
        1.0, "How long to measure each.", min=0.001, max=3600.0, metavar="SECONDS"
    )


def bench(what: Bench, form: AsJson) -> int:
    """Measure and write one table."""
    game = game_with(what.game, what.set or (), "bench measures", "Give each one value.")
    agents = what.seat or _able(game)
    check_entrants(name_entrants(what.seat or ()), [game], 0)
    found = {"rules": rules_speed(game, what.seconds), "match": match_speed(game, what.seconds)}
    speeds = {agent: agent_speed(agent, game, what.seconds) for agent in agents}
    if form.json:
        say_json(
            {
                "game": what.game,
                "options": option_values(game),
                **_json(found),
                "agents": _json(speeds),
            }
        )
        return 0
    rows = [_row("rules alone", found["rules"]), _row("match of random agents", found["match"])]
    rows += [_agent_row(agent, speed) for agent, speed in speeds.items()]
    say_table(("what", "games/s", "decisions/s", "ms a decision"), rows)
    say("The speed of agents is that of decisions only, in self-play on all seats.")
    return 0


def _able(game: AnyGame) -> list[str]:
    """The levels, and every agent of this program that can play without options."""
    spec = spec_of(game)
    found = list(dict.fromkeys([*spec.levels.values(), *(one.name for one in spec.agents)]))
    for name in agents_for(spec):
        if name not in found:
            found.append(name)
    return [name for name in found if is_bundled(name, spec) and can_play(name, game)]


def _json(speeds: dict[str, Speed]) -> dict[str, Any]:
    return {name: asdict(speed) for name, speed in speeds.items()}


def _row(name: str, speed: Speed) -> list[str]:
    return [name, _rate(speed.games_a_second), "-", "-"]


def _agent_row(name: str, speed: Speed) -> list[str]:
    rate = speed.decisions_a_second or 0.0
    return [name, "-", _rate(rate), f"{1000 / rate:,.3f}" if rate else "-"]


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:,.2f}"


make = command(
    bench,
    "bench senet",
    "bench pommerman -s simple -s hard --set mode=team",
    help="Measure how fast a game is on this machine: its rules alone, whole matches of random "
    "agents, and how long agents think.",
)
