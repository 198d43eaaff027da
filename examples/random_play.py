"""A game at random through each interface, in ten lines each.

python examples/random_play.py
"""

from __future__ import annotations

import gymnasium

import boardgames_cli as bg
import boardgames_cli.environments

gymnasium.register_envs(boardgames_cli.environments)


def one_after_the_other() -> dict[str, float]:
    """Deep Sea Adventure through PettingZoo's AEC interface."""
    env = bg.aec_env("deepsea", players=3)
    env.reset(seed=1)
    score = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, is_terminated, is_truncated, _ = env.last()
        score[agent] += reward
        is_done = is_terminated or is_truncated
        env.step(None if is_done else env.action_space(agent).sample(seen["action_mask"]))
    env.close()
    return score


def all_at_once() -> dict[str, float]:
    """Pommerman through PettingZoo's parallel interface."""
    env = bg.parallel_env("pommerman")
    env.reset(seed=1)
    score = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        _, rewards, _, _, _ = env.step(actions)
        for agent, reward in rewards.items():
            score[agent] += reward
    env.close()
    return score


def one_seat() -> float:
    """Senet through Gymnasium, against an agent that looks one move ahead."""
    env = gymnasium.make("boardgames/Senet-v0", rules="skyruk", opponents="greedy", seat="random")
    _, info = env.reset(seed=1)
    score, is_over = 0.0, False
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, is_terminated, is_truncated, info = env.step(action)
        score += float(reward)
        is_over = is_terminated or is_truncated
    env.close()
    return score


def main() -> None:
    """Play all three, and print who got what."""
    print("Deep Sea Adventure:", one_after_the_other())
    print("Pommerman:", all_at_once())
    print("Senet:", one_seat())


if __name__ == "__main__":
    main()
