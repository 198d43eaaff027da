"""How many agent steps a second the vector environments make, on one core.

    python lab/vector.py --boards 1000 --seconds 3
    python lab/vector.py --pgx FOLDER/bin/python

One agent step is one action of the learning seat, with the replies of the others, its whole
observation and its reward; new games are included, but a step that only begins one does not count.
Actions are drawn among the legal ones by a compiled function, which counts too. Measured in turn,
the best of many rounds counting: the vector environment with observations as a dictionary and as
one float32 vector, against opponents of several kinds; Pommerman's boards alone, without
observations; and Gymnasium's own SyncVectorEnv of the same game by the readable rules. In
Pommerman's teams a learner that dies waits for the result, see ``after_death``: if it is asked on,
every step of its board counts, and how many of them were decisions of a living agent is said beside
it. Seconds are those of the processor for this process alone, so that others on the machine count
little. Needs the extras ``environments`` and ``fast``. With ``--pgx``, a Python that has Pgx (``pip
install jax pgx``), its Kuhn poker, tic-tac-toe and Connect Four are played in turn with ours
(`pgx_speed.py`).
"""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arguments import Parser, run_main
from match_speed import command

ROUNDS = 15
PGX_ROUNDS = 3
SYNC_BOARDS = 8
PGX_GAMES = ("kuhn_poker", "tic_tac_toe", "connect_four")
_BETWEEN = 40
"""Steps between the beginnings of groups of boards."""
_ALIVE = 2
"""What of an agent tells whether it is alive."""
SLOWEST = "SyncVectorEnv, readable rules"


def make_drawer() -> Callable[..., None]:
    """A compiled function that writes a legal id for each board, from random numbers below 1."""
    from boardgames_cli.algorithms.fast.jit import Compiler

    @Compiler(Path(__file__))
    def draw(masks: Any, luck: Any, ids: Any) -> None:
        # Without branches, which nobody could predict.
        for board in range(len(masks)):
            legal = passed = chosen = 0
            for id in range(masks.shape[1]):
                legal += masks[board, id]
            wanted = int(luck[board] * legal)
            for id in range(masks.shape[1] - 1):
                passed += masks[board, id]
                chosen += passed <= wanted
            ids[board] = chosen

    return draw


def stepper(env: Any, *, alive: bool = False, groups: int = 1) -> Callable[[], int]:
    """What makes one step of a vector environment, and gives the number of actions played.

    Actions are drawn among the legal ones. Boards whose step begins the next game don't count;
    with ``alive``, nor do those whose agent is dead, as Pommerman's dictionary tells. Groups of
    boards begin one after the other, so that where games are equally long a short time is as good
    as a long one.
    """
    import numpy as np

    draw, ids = make_drawer(), np.zeros(env.num_envs, dtype=np.int64)
    luck = np.random.default_rng(1).random((64, env.num_envs))
    masks = env.reset(seed=1)[1]["action_mask"]
    is_idle = np.zeros(env.num_envs, dtype=bool)
    at = 0

    def step() -> int:
        nonlocal at, masks, is_idle
        at = (at + 1) % len(luck)
        played = int(env.num_envs - is_idle.sum())
        draw(masks, luck[at], ids)
        seen, _, terminated, truncated, infos = env.step(ids)
        masks, is_idle = infos["action_mask"], terminated | truncated
        if alive:
            is_idle |= seen["agents"][:, 0, _ALIVE] == 0
        return played

    for group in range(groups):
        begun = np.arange(env.num_envs) % groups == group
        if groups > 1 and begun.any():
            env.reset(options={"reset_mask": begun})
        for _ in range(_BETWEEN):
            step()
    return step


def bare_stepper(boards: int) -> Callable[[], int]:
    """What makes one step of boards in which all move at random; nobody observes."""
    import numpy as np

    from boardgames_cli.algorithms.fast.boards import BEGIN, RANDOM
    from boardgames_cli.games.pommerman.fast.batch import BoardBatch
    from boardgames_cli.games.pommerman.rules import Pommerman

    batch, over = BoardBatch(Pommerman(), boards, seed=1), np.ones(boards, dtype=np.bool_)
    movers = np.full((boards, 4), RANDOM, dtype=np.int32)
    actions = np.random.default_rng(1).integers(6, size=(64, boards))
    number = 0

    def step() -> int:
        nonlocal number, over
        number += 1
        over = batch.play(0, np.where(over, BEGIN, actions[number % 64]), movers).over
        return boards

    return step


def speed(step: Callable[[], int], seconds: float) -> float:
    """Agent steps a second of processor time."""
    done, started = step(), time.process_time()
    done = 0
    while time.process_time() - started < seconds:
        done += step()
    return done / (time.process_time() - started)


def contenders(boards: int) -> dict[str, dict[str, Callable[[], int]]]:
    """What is measured, by game and name; the last is what the others are compared with."""
    import gymnasium

    import boardgames_cli.environments  # tells Gymnasium of the games

    assert boardgames_cli.environments, "it is imported for what it does"

    def made(game: str, count: int = boards, **options: Any) -> Callable[[], int]:
        return stepper(gymnasium.make_vec(f"boardgames/{game}-v0", num_envs=count, **options))

    def teams(after_death: str, **how: Any) -> Callable[[], int]:
        return stepper(
            gymnasium.make_vec(
                "boardgames/Pommerman-v0", num_envs=boards, mode="team", flatten=False,
                opponents="policy", after_death=after_death,
            ),
            **how,
        )  # fmt: skip

    def readable(game: str) -> Callable[[], int]:
        return made(game, SYNC_BOARDS, vectorization_mode="sync")

    return {
        "Kuhn poker": {
            "vector, random opponent": made("Kuhn"),
            "vector, equilibrium": made("Kuhn", opponents="equilibrium"),
            SLOWEST: readable("Kuhn"),
        },
        "TapnSwap": {"vector, random opponent": made("Tapnswap"), SLOWEST: readable("Tapnswap")},
        "Deep Sea Adventure": {
            "vector, random opponents": made("Deepsea"),
            SLOWEST: readable("Deepsea"),
        },
        "Senet": {
            "dictionary, random opponent": made("Senet", flatten=False),
            "vector, random opponent": made("Senet"),
            "vector, foremost dancer": made("Senet", opponents="foremost"),
            SLOWEST: readable("Senet"),
        },
        "Pommerman": {
            "dictionary, random opponents": made("Pommerman", flatten=False),
            "vector, random opponents": made("Pommerman"),
            "dictionary, policy opponents": made("Pommerman", flatten=False, opponents="policy"),
            "vector, policy opponents": made("Pommerman", opponents="policy"),
            "teams in fog, policy": teams("play"),
            "the same, truncated at death": teams("truncate"),
            "the same, asked on when dead": teams("wait", groups=20),
            "of those, by the living": teams("wait", groups=20, alive=True),
            "boards alone, four at random": bare_stepper(boards),
            SLOWEST: readable("Pommerman"),
        },
    }


def pgx_speed(given: argparse.Namespace, game: str) -> float:
    """Steps a second of one of Pgx's games, in a process of its own."""
    script = Path(__file__).with_name("pgx_speed.py")
    words = (given.pgx, script, game, given.boards, given.seconds / PGX_ROUNDS)
    return command(shlex.join(map(str, words)))(0.0)


def main() -> None:
    """Print the speeds and the ratios."""
    parser = Parser(__doc__)
    parser.add_count("--boards", 1000, "boards of the vector environment")
    parser.add_seconds("--seconds", 3.0, "how long each is measured, all rounds together")
    parser.add_argument("--pgx", metavar="PYTHON", help="a Python that has Pgx, to compare with")
    given = parser.parse_args()
    for game, steppers in contenders(given.boards).items():
        best = dict.fromkeys(steppers, 0.0)
        others = PGX_GAMES if given.pgx and game == "Kuhn poker" else ()
        for turn in range(ROUNDS):
            for name, step in steppers.items():
                best[name] = max(best[name], speed(step, given.seconds / ROUNDS))
            for other in others if turn < PGX_ROUNDS else ():
                name = f"Pgx, {other}"
                best[name] = max(best.get(name, 0.0), pgx_speed(given, other))
        print(game)
        for name, found in best.items():
            times = found / best[SLOWEST]
            print(f"  {name:30} {found:10,.0f} agent steps/s {times:8.1f} times")


if __name__ == "__main__":
    run_main(main)
