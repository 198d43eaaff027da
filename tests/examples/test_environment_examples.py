"""The examples for environments do what they say; those for PyTorch are run by hand."""

from __future__ import annotations

import ast
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

from tests.examples.load import FOLDER, load


def test_random_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    load("random_play").main()
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == ["Deep Sea Adventure", "Pommerman", "Senet"]
    assert told[2] in ("Senet: 1.0", "Senet: -1.0")


def test_q_learning_plays_every_position_right() -> None:
    example = load("tapnswap_q_learning")
    steps, table = list(example.learn(32_000))[-1]
    assert steps < 33_000
    assert example.right_moves(table) == (534, 534)


def test_the_policy_gradient_beats_random_play() -> None:
    example = load("senet_policy_gradient")
    games, weights = list(example.learn(260))[-1]
    assert games == 260
    assert example.share_of_wins(weights, 120, seed=2) > 0.55


def test_the_policy_gradient_for_divers_brings_more_than_choices_at_random() -> None:
    example = load("deepsea_policy_gradient")
    import numpy as np

    games, weights = list(example.learn(120, "random"))[-1]
    assert games == 120
    points, error = example.mean_points(weights, 60, "random", seed=2)
    env, rng = example.make_env("random"), np.random.default_rng(1)
    none = np.zeros_like(weights)
    at_random = np.mean([example.play(env, none, rng, (2 << 48) + game)[0] for game in range(60)])
    assert points > at_random + 3 * error


def test_ppo_wins_duels_that_choices_at_random_lose() -> None:
    pytest.importorskip("numba")
    example = load("pommerman_ppo")
    rounds = list(example.learn(131_072, "policy"))
    assert [steps for steps, _ in rounds] == [*range(0, 131_073, 8192)]
    before, after = (example.results(net, 300, "policy") for _, net in (rounds[0], rounds[-1]))
    assert (before > 0).mean() < 0.03
    assert (after > 0).mean() > 0.2
    assert after.mean() > before.mean() + 0.5


def options_in(source: str) -> Any:
    """What an example that is not run gives to its environment."""
    return next(
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.value
        and ast.unparse(node).startswith("OPTIONS")
    )


def test_what_is_not_run_names_options_that_there_are() -> None:
    import gymnasium

    from boardgames_cli import environments

    source = (FOLDER / "maskable_ppo.py").read_text(encoding="utf-8")
    assert "\ngymnasium.register_envs(boardgames_cli.environments)\n" in source
    single = gymnasium.make("boardgames/Tapnswap-v0", **options_in(source))
    assert single.get_wrapper_attr("action_masks")
    options = options_in((FOLDER / "parallel_ppo.py").read_text(encoding="utf-8"))
    env = environments.parallel_env("pommerman", **options)
    spaces = [env.observation_space(agent) for agent in env.possible_agents]
    assert all(isinstance(space, gymnasium.spaces.Box) for space in spaces)
