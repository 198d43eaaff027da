"""PPO on the parallel Pommerman of PettingZoo, by SuperSuit and stable-baselines3.

All four agents share one policy and learn from every seat at once (J. Schulman et al., "Proximal
policy optimization algorithms", 2017). `mask="info"` makes plain boxes of the observations, as the
wrappers want them; all six moves are legal at any time, so that no mask is needed. PyTorch is
large, so this is not part of the extras:

    pip install '.[environments,fast]' supersuit stable-baselines3
    python examples/parallel_ppo.py --steps 500000
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import supersuit
import torch
from pettingzoo.utils.wrappers import BaseParallelWrapper
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import boardgames_cli.environments as bg

OPTIONS: dict[str, Any] = {"mode": "ffa", "steps": 200, "mask": "info"}


class Everybody(BaseParallelWrapper):
    """Keeps dead agents, who see zeros, until the game is over for all.

    SuperSuit's `black_death_v3` waits for agents that are terminated and truncated at once, which
    no agent is here.
    """

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        """Begin a game."""
        self.agents = [*self.possible_agents]
        return self.env.reset(seed=seed, options=options)

    def step(self, actions: Any) -> Any:
        """Take a step; every agent gets all five results."""
        alive = list(self.env.agents)
        seen, rewards, _, cuts, infos = self.env.step({one: actions[one] for one in alive})
        is_over, everybody = not self.env.agents, self.possible_agents
        for agent in everybody:
            if agent not in seen:
                seen[agent] = np.zeros(self.observation_space(agent).shape, np.float32)
        self.agents = [] if is_over else [*everybody]
        return (
            seen,
            {agent: rewards.get(agent, 0.0) for agent in everybody},
            {agent: is_over and not cuts.get(agent, False) for agent in everybody},
            {agent: cuts.get(agent, False) for agent in everybody},
            {agent: infos.get(agent, {}) for agent in everybody},
        )


def main() -> None:
    """Learn, and save the policy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500_000, help="actions of all agents")
    parser.add_argument("--boards", type=int, default=8)
    given = parser.parse_args()
    torch.set_num_threads(1)
    env = supersuit.pettingzoo_env_to_vec_env_v1(Everybody(bg.parallel_env("pommerman", **OPTIONS)))
    envs = supersuit.concat_vec_envs_v1(env, given.boards, base_class="stable_baselines3")
    model = PPO(
        "MlpPolicy",
        VecMonitor(envs),
        n_steps=128,
        batch_size=512,
        gamma=0.99,
        ent_coef=0.01,
        verbose=1,
    )
    model.learn(given.steps)
    model.save("parallel-ppo")


if __name__ == "__main__":
    main()
