"""How many steps a second Pgx plays on one core, for scale: run in a Python that has it.

    PYTHON lab/pgx_speed.py kuhn_poker 1000 1.0

`vector.py --pgx PYTHON` calls it. One compiled function draws a legal action on every board, steps,
and begins new games where one is over; observations are part of Pgx's states. A step is one action
of whichever player is to act, while our environments count those of the learner alone.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from typing import Any


def main() -> None:
    """Print the steps a second of processor time, compilation not counted; the best of slices."""
    game, boards, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    jax: Any = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(game)
    auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, luck, draws = jax.random.split(key, 3)
        noise = jax.random.uniform(luck, state.legal_action_mask.shape)
        actions = (state.legal_action_mask * (1 + noise)).argmax(axis=1)
        return step(state, actions, jax.random.split(draws, boards)), key

    play = jax.jit(play)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), boards))
    state, key = play(state, jax.random.PRNGKey(2))
    jax.block_until_ready(state)
    best, slices = 0.0, 5
    for _ in range(slices):
        started, steps = time.process_time(), 0
        while time.process_time() - started < seconds / slices:
            for _ in range(20):
                state, key = play(state, key)
            jax.block_until_ready(state)
            steps += 20 * boards
        best = max(best, steps / (time.process_time() - started))
    print(best)


if __name__ == "__main__":
    main()
