"""How fast Pommerman's rules and its search kernel are.

    python benchmarks/pommerman_speed.py [seconds]

Games of four random agents are played from the layout to the end, all of it counted.
"""

from __future__ import annotations

import itertools
import random
import sys
import time

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
from boardgames_cli.games.pommerman.actions import ORDERS, PommermanAction
from boardgames_cli.games.pommerman.kernel import foresee, survivors
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.search import Hard
from boardgames_cli.games.pommerman.simple import Simple
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.games.pommerman.tactics import Situation, look_at


def rules_speed(game: Pommerman, seconds: float) -> tuple[int, int, float]:
    """Steps and games played with the bare rules, and the seconds they took."""
    rng = random.Random(1)
    choose = rng.random
    steps = games = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.initial_state()
        state = game.apply(state, {CHANCE: game.sample_chance(state, rng)})
        while seats := game.to_act(state):
            state = game.apply(state, {seat: ORDERS[int(choose() * 6)] for seat in seats})
            steps += 1
        games += 1
    return steps, games, time.perf_counter() - started


def positions(game: Pommerman, count: int) -> list[PommermanState]:
    """Positions from the middle of games of four `simple` agents."""
    found: list[PommermanState] = []
    for seed in itertools.count():
        match: Match[PommermanState, PommermanAction] = Match(game, seed=seed, max_plies=120)
        play(match, [Simple() for _ in range(4)])
        found += [match.state_at(ply) for ply in range(20, match.ply, 10)]
        if len(found) >= count:
            return found[:count]
    raise AssertionError


def kernel_speed(game: Pommerman, seconds: float) -> tuple[float, float]:
    """Steps of fire foreseen, and steps of a flood through time, a second."""
    scenes = [look_at(game, game.redact(state, 0), 0) for state in positions(game, 200)]
    rates = []
    for job in (_foresee, _flood):
        done, started = 0, time.perf_counter()
        while time.perf_counter() - started < seconds:
            for scene in scenes:
                done += job(scene)
        rates.append(done / (time.perf_counter() - started))
    return rates[0], rates[1]


def _foresee(scene: Situation) -> int:
    return len(foresee(scene.scene, [scene.bomb(scene.own.cell, scene.own.strength)]).burning)


def _flood(scene: Situation) -> int:
    survivors(scene.size, scene.timeline, 1 << scene.own.cell)
    return len(scene.timeline.burning)


def thinking_times(game: Pommerman, count: int) -> list[float]:
    """Seconds that `hard` takes for one decision, ascending."""
    taken = []
    for state in positions(game, count):
        agent = Hard()
        agent.reset(game, 0)
        seen = game.observe(state, 0)
        if not seen.legal:
            continue
        started = time.perf_counter()
        agent.act(seen, Thinking(random.Random(1)))
        taken.append(time.perf_counter() - started)
    return sorted(taken)


def main() -> None:
    """Print the speeds."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    steps, games, taken = rules_speed(Pommerman(), seconds)
    print(f"rules, four random agents: {steps / taken:,.0f} steps/s ({games} games)")
    fire, flood = kernel_speed(Pommerman(), seconds / 2)
    print(f"kernel: {fire:,.0f} steps of fire/s, {flood:,.0f} steps of flood/s")
    times = thinking_times(Pommerman(), 400)
    print(
        f"hard: median {times[len(times) // 2] * 1000:.1f} ms a decision, 99 % within "
        f"{times[len(times) * 99 // 100] * 1000:.1f} ms, most {times[-1] * 1000:.1f} ms"
    )


if __name__ == "__main__":
    main()
