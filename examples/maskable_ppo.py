"""Proximal policy optimisation with action masks, by stable-baselines3 and sb3-contrib.

The environment needs no wrapper: sb3-contrib finds `action_masks` by itself (S. Huang and S.
Ontañón, "A closer look at invalid action masking in policy gradient algorithms", 2022). PyTorch is
large, so this is not part of the extras:

    pip install '.[environments]' stable-baselines3 sb3-contrib
    python examples/maskable_ppo.py boardgames/Tapnswap-v0 --steps 40000
    python examples/maskable_ppo.py boardgames/Senet-v0 --steps 5000000 --every 250000
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import boardgames_cli.environments

gymnasium.register_envs(boardgames_cli.environments)

OPTIONS = {"opponents": "random"}
"""`opponents="hard"` is the next thing to try."""


class Curve(BaseCallback):
    """Prints how many games the policy wins, after so many steps each time.

    Args:
        env: The id of the environment.
        every: Steps between two tests.
        games: Games of a test, which are the same each time.
    """

    def __init__(self, env: str, every: int, games: int) -> None:
        super().__init__()
        self._every = every
        self._games = games
        self._next = 0
        self._env = gymnasium.make(env, **OPTIONS)

    def _on_step(self) -> bool:
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self._every
            self._env.reset(seed=2**40)
            returns, _ = evaluate_policy(
                self.model, self._env, self._games, return_episode_rewards=True, warn=False
            )
            print(
                f"{self.num_timesteps:9,} steps: wins {np.mean(np.array(returns) > 0):.1%}",
                flush=True,
            )
        return True


def main() -> None:
    """Learn, and print the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("env", nargs="?", default="boardgames/Tapnswap-v0")
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--every", type=int, default=5_000)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    envs = make_vec_env(given.env, n_envs=8, seed=given.seed, env_kwargs=OPTIONS)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=512,
        gamma=0.995,
        ent_coef=0.01,
        learning_rate=5e-4,
        seed=given.seed,
    )
    model.learn(given.steps, callback=Curve(given.env, given.every, given.games))
    model.save("maskable-ppo")


if __name__ == "__main__":
    main()
