"""How fast Pommerman's rules, its compiled rules and its search forecast are, on one core.

    python lab/pommerman_speed.py --seconds 5

Games of four random agents are played from the layout to the end, all of it counted: with the rules
and with their compiled copy (the extra ``fast``) in turn, three rounds of each, the best counting.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.agents.forecast import foresee, survivors
from boardgames_cli.games.pommerman.agents.search import Hard
from boardgames_cli.games.pommerman.agents.simple import Simple
from boardgames_cli.games.pommerman.agents.situation import Situation, look_at
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState


def rules_speed(game: Pommerman, seconds: float) -> tuple[int, int, float]:
    """Steps and games played with the bare rules, and the seconds they took."""
    rng = random.Random(1)
    choose = rng.random
    steps = games = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        state = game.initial_state()
        state = game.apply_chance(state, game.sample_chance(state, rng))
        while seats := game.to_act(state):
            state = game.apply(state, {seat: MOVES[int(choose() * 6)] for seat in seats})
            steps += 1
        games += 1
    return steps, games, time.perf_counter() - started


ROUNDS = 3
BOARDS = 2000
"""How many boards the compiled rules play at once."""


def compare_rules(game: Pommerman, seconds: float) -> None:
    """Print the speed of the rules and of the compiled ones, and the ratio."""
    try:
        import numpy as np

        from boardgames_cli.algorithms.fast.boards import BEGIN, RANDOM
        from boardgames_cli.games.pommerman.fast.batch import BoardBatch
    except ImportError as error:
        steps, games, taken = rules_speed(game, seconds)
        print(f"rules, four random agents: {steps / taken:,.0f} steps/s ({games} games)")
        print(f"compiled rules: left out, {error.name} is not installed")
        return
    started = time.perf_counter()
    boards = BoardBatch(game, BOARDS, seed=1)
    movers = np.full((BOARDS, game.seats), RANDOM, dtype=np.int32)
    actions = np.random.default_rng(1).integers(6, size=(64, BOARDS))
    over = boards.play(0, np.full(BOARDS, BEGIN), movers).over
    print(f"compiled rules: ready after {time.perf_counter() - started:.1f} s")
    plain = compiled = 0.0
    for _ in range(ROUNDS):
        steps, _, taken = rules_speed(game, seconds / ROUNDS)
        plain = max(plain, steps / taken)
        done, started = 0, time.perf_counter()
        while time.perf_counter() - started < seconds / ROUNDS:
            over = boards.play(0, np.where(over, BEGIN, actions[done // BOARDS % 64]), movers).over
            done += BOARDS
        compiled = max(compiled, done / (time.perf_counter() - started))
    print(
        f"four random agents: rules {plain:,.0f} steps/s, compiled {compiled:,.0f} steps/s, "
        f"{compiled / plain:.0f} times as many"
    )
    print(f"playouts by the policy: {playout_speed(game, seconds / 2):,.0f} steps/s")


def playout_speed(game: Pommerman, seconds: float) -> float:
    """Steps a second in which everybody moves by the policy, from the middle of games."""
    import numpy as np

    from boardgames_cli.algorithms.fast.jit import make_seed
    from boardgames_cli.games.pommerman.fast.arrays import SEATS, STEP, pack, pack_options
    from boardgames_cli.games.pommerman.fast.playouts import (
        COUNTS,
        PlayoutPlan,
        make_room,
        play_to_end,
    )

    roots = [pack(game, state) for state in positions(game, 100)]
    room, options, rng = make_room(), pack_options(game), make_seed(1)
    counts, free = np.zeros(COUNTS, dtype=np.int32), np.full(SEATS, -1, dtype=np.int32)
    done, taken = 0, 0.0
    while taken < seconds:
        for root in roots:
            for _ in range(20):
                started = time.perf_counter()
                play_to_end(root, room, options, rng, counts, free, 1, PlayoutPlan(24))
                taken += time.perf_counter() - started
                done += int(room[STEP] - root[STEP])
    return done / taken


def positions(game: Pommerman, count: int) -> list[PommermanState]:
    """Positions from the middle of games of four `simple` agents."""
    found: list[PommermanState] = []
    for seed in itertools.count():
        match: AnyMatch = Match(game, seed=seed, max_plies=120)
        play(match, [Simple() for _ in range(4)])
        found += [match.state_at(ply) for ply in range(20, match.ply, 10)]
        if len(found) >= count:
            return found[:count]
    raise AssertionError


def forecast_speed(game: Pommerman, seconds: float) -> tuple[float, float]:
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


def thinking_times(make: Callable[[], Agent[Any, Any]], game: Pommerman, count: int) -> list[float]:
    """Seconds that an agent takes for one decision under a limit of 100 ms, ascending."""
    taken = []
    agent = make()
    for state in positions(game, count):
        agent.reset(game, 0)
        seen = game.observe(state, 0)
        if not seen.legal:
            continue
        started = time.perf_counter()
        agent.act(seen, Thinking(random.Random(1), Budget(seconds=0.1)))
        taken.append(time.perf_counter() - started)
    return sorted(taken)


def print_times(name: str, times: list[float]) -> None:
    """Print what is usual and what is the worst."""
    print(
        f"{name}: median {times[len(times) // 2] * 1000:.1f} ms a decision, 99 % within "
        f"{times[len(times) * 99 // 100] * 1000:.1f} ms, most {times[-1] * 1000:.1f} ms"
    )


def main() -> None:
    """Print the speeds."""
    parser = Parser(__doc__)
    parser.add_seconds("--seconds", 5.0, "how long each speed is measured")
    parser.add_count("--decisions", 400, "decisions of each agent that are timed")
    given = parser.parse_args()
    seconds: float = given.seconds
    compare_rules(Pommerman(), seconds)
    fire, flood = forecast_speed(Pommerman(), seconds / 2)
    print(f"search forecast: {fire:,.0f} steps of fire/s, {flood:,.0f} steps of flood/s")
    print_times("hard", thinking_times(Hard, Pommerman(), given.decisions))
    if find_spec("numba"):
        from boardgames_cli.games.pommerman.agents.rollouts import Rollouts

        print_times("rollouts", thinking_times(Rollouts, Pommerman(), given.decisions))


if __name__ == "__main__":
    run_main(main)
