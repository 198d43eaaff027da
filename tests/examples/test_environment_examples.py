"""The examples for environments do what they say; those for PyTorch are run by hand."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("pettingzoo")

FOLDER = Path(__file__).parents[2] / "examples"


def load(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def test_mirror_images_are_one_position() -> None:
    example = load("tapnswap_q_learning")
    import numpy as np

    one, ids = example.fold(np.array([[1, 3], [2, 0]], dtype=np.int8))
    other, straight = example.fold(np.array([[3, 1], [2, 0]], dtype=np.int8))
    assert one == other == (3, 1, 2, 0)
    assert [*straight] == [*range(10)]
    assert [*ids] == [2, 3, 0, 1, 7, 8, 9, 4, 5, 6]


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


def test_the_slopes_of_ppo_are_those_of_its_loss() -> None:
    pytest.importorskip("numba")
    example = load("pommerman_ppo")
    import numpy as np

    rng, rows = np.random.default_rng(1), 40
    net = [rng.standard_normal(shape) for shape in ((5, 4), (4,), (4, 7), (7,))]
    seen, moves = rng.standard_normal((rows, 5)), rng.integers(6, size=rows)
    logs = example.judge(net, seen)[1][np.arange(rows), moves]
    gains, goals, noise = rng.standard_normal((3, rows))
    batch = example.Batch(seen, moves, logs + 0.3 * noise, gains, goals)
    for array, slopes in zip(net, example.loss(net, batch)[1], strict=True):
        for at in np.ndindex(array.shape):
            found, kept = [], array[at]
            for step in (1e-6, -1e-6):
                array[at] = kept + step
                found.append(example.loss(net, batch)[0])
            array[at] = kept
            assert (found[0] - found[1]) / 2e-6 == pytest.approx(slopes[at], rel=1e-4, abs=1e-7)


def test_the_heat_of_a_bomb_ends_at_walls_and_at_the_edge() -> None:
    pytest.importorskip("numba")
    example = load("pommerman_ppo")
    import numpy as np

    free, bombs = np.full((2, 4, 4), True), np.zeros((2, 4, 4, 4), np.int8)
    free[1, 1, 2] = False
    bombs[1, :2, 1, 1] = 10, 4
    bombs[1, :2, 3, 0] = 1, 2
    none, found = example.heat(free, bombs)
    assert not none.any()
    expected = [[0, 0.1, 0, 0], [0.1, 0.1, 0, 0], [1, 0.1, 0, 0], [1, 1, 0, 0]]
    assert found == pytest.approx(np.array(expected))


@pytest.mark.parametrize("example", ["maskable_ppo"])
def test_what_is_not_run_uses_what_there_is(example: str) -> None:
    """Names imported from us exist, and the options are those of the environment."""
    import gymnasium

    import boardgames_cli.environments

    source = (FOLDER / f"{example}.py").read_text(encoding="utf-8")
    assert "\ngymnasium.register_envs(boardgames_cli.environments)\n" in source
    tree = ast.parse(source)
    options = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OPTIONS"
    )
    env = gymnasium.make("boardgames/Tapnswap-v0", **options)
    assert env.get_wrapper_attr("action_masks")
    assert boardgames_cli.environments.__name__ in sys.modules


def test_the_parallel_example_names_options_that_there_are() -> None:
    import gymnasium

    from boardgames_cli import environments

    tree = ast.parse((FOLDER / "parallel_ppo.py").read_text(encoding="utf-8"))
    options = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "OPTIONS" and node.value
    )
    env = environments.parallel_env("pommerman", **options)
    spaces = [env.observation_space(agent) for agent in env.possible_agents]
    assert all(isinstance(space, gymnasium.spaces.Box) for space in spaces)
