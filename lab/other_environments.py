"""Plays random games in an environment of others and prints how many it played a second.

    FOLDER/venv/bin/python lab/other_environments.py FOLDER/senet 1.0

`environments.py --references FOLDER` runs it in the Python of that folder, which has what these
environments want and not this package, so nothing of the package is imported here. Like there,
every decision has its observation and, in Senet, a mask, made of the list of its legal moves;
and figures are games a second of processor time.
"""

from __future__ import annotations

import importlib
import random
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

RNG = random.Random(1)
SIX_MOVES = 6


def senet() -> Callable[[], None]:
    """mecotrade/gym-senet: the mask is made of its list of legal moves."""
    np = importlib.import_module("numpy")
    env = importlib.import_module("gym_senet.envs").SenetEnv()

    throw = importlib.import_module("gym_senet.envs.senet").Senet.throw_sticks

    def play_one() -> None:
        env.reset()
        is_over = False
        while not is_over:
            mask = np.zeros(env.action_space.n, np.int8)
            mask[env.game.legal_moves(throw())] = 1
            _, _, is_over, _, _ = env.step(any_legal(mask))

    return play_one


def any_legal(mask: Any) -> int:
    """The id of a legal action."""
    legal: list[int] = mask.nonzero()[0].tolist()
    return legal[int(RNG.random() * len(legal))]


def deepsea() -> Callable[[], None]:
    """Saaaber/gym-DeepSeaAdventure-v0: four divers; it asks them itself and knows no mask."""
    package = "gym_DeepSeaAdventure.envs."
    module = importlib.import_module(package + "DeepSeaAdventure")
    policy = importlib.import_module(package + "policy").Randy
    env = module.DSA_env()
    for _ in range(4):
        env.add_player(module.Player(policy()))

    def play_one() -> None:
        env.reset()
        is_over = False
        while not is_over:
            _, _, is_over, _ = env.step()

    return play_one


def pommerman() -> Callable[[], None]:
    """MultiAgentLearning/playground: free for all, all four observed; every move is legal."""
    # Neither pictures nor servers are needed, and they want old libraries.
    for name in ("graphics", "network", "cli"):
        sys.modules[f"pommerman.{name}"] = types.ModuleType(name)
    sample = random.sample
    # Its layout samples from sets, which Python has refused since 3.11.
    random.sample = lambda items, k: sample(list(items), k)  # type: ignore[assignment, misc]
    kwargs = importlib.import_module("pommerman.configs").ffa_competition_env()["env_kwargs"]
    make_agent = importlib.import_module("pommerman.agents").RandomAgent
    env = importlib.import_module("pommerman.envs.v0").Pomme(**kwargs)
    agents = [make_agent() for _ in range(4)]
    for seat, agent in enumerate(agents):
        agent.init_agent(seat, kwargs["game_type"])
    env.set_agents(agents)
    env.set_init_game_state(None)

    def play_one() -> None:
        env.reset()
        is_over = False
        while not is_over:
            moves = [int(RNG.random() * SIX_MOVES) for _ in agents]
            _, _, is_over, _ = env.step(moves)

    return play_one


def main() -> None:
    """Print the games a second, measured for so many seconds after a first game."""
    checkout, seconds = Path(sys.argv[1]), float(sys.argv[2])
    sys.path.insert(0, str(checkout))
    games_of = {"senet": senet, "deepsea": deepsea, "pommerman": pommerman}
    play_one = games_of[checkout.name]()
    play_one()
    started, games = time.process_time(), 0
    while time.process_time() - started < seconds:
        play_one()
        games += 1
    print(games / (time.process_time() - started))


if __name__ == "__main__":
    main()
