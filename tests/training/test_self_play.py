"""A network of policy and value learns any game by self-play."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="networks need numpy")

from boardgames_cli import Match, make, make_agent, play  # noqa: E402
from boardgames_cli.agents.network_agent import NetworkAgent  # noqa: E402
from boardgames_cli.algorithms.learned_file import LearnedFileError  # noqa: E402
from boardgames_cli.algorithms.networks.policy_value_network import (  # noqa: E402
    Example,
    Inputs,
    NetworkLeaves,
    PolicyValueNetwork,
    read_policy_value,
)
from boardgames_cli.algorithms.tree_search import TreeSearch  # noqa: E402
from boardgames_cli.core.agent import Thinking  # noqa: E402
from boardgames_cli.core.errors import OptionError  # noqa: E402
from boardgames_cli.core.game import AnyGame  # noqa: E402
from boardgames_cli.games.tapnswap.rules import TapnSwap  # noqa: E402
from boardgames_cli.registry import make_encoder  # noqa: E402
from boardgames_cli.testing import check_agent  # noqa: E402
from boardgames_cli.testing.findings import call_game  # noqa: E402
from boardgames_cli.training.self_play import (  # noqa: E402
    SelfPlayer,
    SelfPlayRun,
    play_games,
    resume_self_play,
)
from boardgames_cli.training.trainers import SelfPlaySettings  # noqa: E402
from tests.conftest import Program  # noqa: E402
from tests.processes import is_alive, wait_until  # noqa: E402
from tests.toys import Heap, HeapState, Pennies, Race  # noqa: E402
from tests.training.test_training_run import StopHere, stop_after  # noqa: E402

QUICK: dict[str, Any] = {"rounds": 4, "games": 2, "simulations": 8, "units": 8, "jobs": 1}


def trained(game: AnyGame, path: Path | None, **settings: Any) -> SelfPlayRun:
    run = SelfPlayRun(game, SelfPlaySettings(**{**QUICK, **settings}), path)
    run.run()
    return run


def untrained(game: AnyGame) -> tuple[PolicyValueNetwork, NetworkLeaves]:
    inputs = Inputs(make_encoder(game))
    network = PolicyValueNetwork(inputs.count, game.action_count, 8)
    return network, NetworkLeaves(game, network, inputs)


def random_batch(rng: Any, count: int = 5, inputs: int = 7, actions: int = 4) -> Example:
    legal = rng.random((count, actions)) < 0.7
    legal[:, 0] = True
    policy = rng.random((count, actions)) * legal
    policy /= policy.sum(axis=1, keepdims=True)
    values = rng.uniform(-1, 1, count)
    return Example(rng.normal(size=(count, inputs)), legal, policy, values)


def test_a_step_goes_where_the_loss_falls_fastest() -> None:
    rng = np.random.default_rng(1)
    batch = random_batch(rng)
    network = PolicyValueNetwork(7, 4, 6)
    network.weights = rng.normal(0, 0.5, len(network.weights))
    network.moments = np.zeros((2, len(network.weights)))
    start = network.weights.copy()
    network.learn(batch, 0.0)
    gradient = network.moments[0] / 0.1  # the first moment is a tenth of it
    for at in rng.integers(len(start), size=25):
        losses = []
        for change in (1e-5, -1e-5):
            network.weights = start.copy()
            network.weights[at] += change
            losses.append(network.learn(batch, 0.0))
        assert gradient[at] == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=1e-4)


def test_an_untrained_network_finds_no_action_better() -> None:
    game = TapnSwap()
    _, leaves = untrained(game)
    state = game.initial_state()
    assert set(leaves.priors(state, 0).values()) == {1 / len(game.legal_actions(state, 0))}
    assert leaves.play(state, random.Random(1)) == (0.0, 0.0)


def test_a_proven_win_is_what_the_policy_learns() -> None:
    # Once the win is proven, the search looks at the other actions: they must not become the aim.
    class Short(Heap):
        def initial_state(self) -> HeapState:
            return HeapState(3)

    game = Short()
    network, leaves = untrained(game)
    seen = game.observe(game.initial_state(), 0)
    search: TreeSearch[Any, Any] = TreeSearch(game, seen, leaves, random.Random(1))
    search.run(60, lambda _: False)
    assert search.root.solved == (1.0, -1.0)
    assert search.shares() == {"1": 0.0, "2": 0.0, "3": 1.0}
    player = SelfPlayer(game, SelfPlaySettings(**QUICK), network.weights)
    for example in player.play(random.Random(1)):
        assert example.policy[game.action_id(seen.state, "3")] == 1.0
        assert example.value == 1.0


@pytest.mark.parametrize("game", [TapnSwap(), make("kuhn"), Race(6), Pennies()], ids=call_game)
def test_any_game_is_learned_and_played(game: AnyGame, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    run = trained(game, path, rounds=1, games=3)
    assert run.done == run.total == 1
    assert 0 <= run.points[-1].share <= 1
    agent: NetworkAgent[Any, Any] = NetworkAgent(file=str(path), simulations=8)
    assert agent.supports(game) is None
    check_agent(agent, game, seeds=range(1), max_plies=20)
    assert agent.facts()[0][1].startswith(game.info.id)


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    game = TapnSwap()
    weights = [trained(game, None, rounds=2, games=5, jobs=jobs).model().weights for jobs in (1, 2)]
    assert weights[0] == weights[1]


def test_what_it_learns_are_results_and_shares() -> None:
    game = TapnSwap()
    network, _ = untrained(game)
    settings = SelfPlaySettings(**QUICK)
    examples = play_games(game, settings, network.weights, ["1", "2"])
    assert len(examples) > 4
    for example in examples:
        assert example.policy.sum() == pytest.approx(1.0)
        assert not example.policy[~example.legal].any()
        assert -1 <= example.value <= 1
    assert {float(np.sign(example.value)) for example in examples} >= {1.0, -1.0}


def test_a_killed_training_resumes(tmp_path: Path) -> None:
    game, path = TapnSwap(), tmp_path / "n.json"
    run = SelfPlayRun(game, SelfPlaySettings(**QUICK), path)
    with pytest.raises(StopHere):
        run.run(pause=stop_after(2))
    with pytest.raises(OptionError, match="with other options of TapnSwap"):
        resume_self_play(TapnSwap(first=2), path, None)
    data = json.loads(path.read_text())
    once = {"varied": 12, "window": 20_000, "repeats": 8, "step": 0.001, "measured": 20}
    data["training"]["settings"] |= once  # as files of old versions do
    path.write_text(json.dumps(data))
    again = resume_self_play(game, path, None)
    assert (again.done, again.total, again.points) == (2, 4, run.points)
    kept, read = run.model(), again.model()
    assert (read.weights, read.training) == (kept.weights, kept.training)
    again.run()
    assert (again.done, again.points[:2]) == (4, run.points)
    assert read_policy_value(path).training == {}
    with pytest.raises(LearnedFileError, match="is finished"):
        resume_self_play(game, path, None)


@pytest.mark.slow
def test_killed_in_the_middle_it_is_gone_on_with(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    words = ["train", "tapnswap", "--method", "network", "--out", str(path)]
    settings = ["--rounds", "400", "--games", "2", "--simulations", "8", "--jobs", "2"]
    script = (
        "from boardgames_cli.training import training_run; training_run.SAVE_EVERY = 0\n"
        "from boardgames_cli.cli.main import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *words, *settings], stdout=subprocess.DEVNULL
    )
    wait_until(lambda: path.exists() and read_policy_value(path).training["rounds"] >= 2)
    listed = subprocess.run(
        ["ps", "--ppid", str(process.pid), "-o", "pid="], capture_output=True, check=True
    )
    workers = [int(number) for number in listed.stdout.split()]
    assert len(workers) >= 2
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(map(is_alive, workers)))
    rounds = read_policy_value(path).training["rounds"]
    assert "already exists" in program(*words, *settings).err
    ended = program(*words, "--resume", "--rounds", str(rounds + 2))
    assert ended.code == 0
    assert f"after {rounds + 2} rounds" in ended.out
    assert read_policy_value(path).training == {}


def test_a_network_of_another_game_or_encoder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    trained(TapnSwap(), path, rounds=1)
    spec = f"network:file={path},simulations=5"
    assert make_agent(spec, make("tapnswap"))
    assert make_agent(spec, make("tapnswap", first=2)), "which is the same to the encoder"
    with pytest.raises(OptionError, match=r"made for tapnswap, not kuhn\.$"):
        make_agent(spec, make("kuhn"))
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "encoding": "of tomorrow"}))
    with pytest.raises(OptionError, match="another version of TapnSwap's encoder"):
        make_agent(spec, make("tapnswap"))
    text = SelfPlayRun(make("tapnswap"), SelfPlaySettings(), None).model().to_text()
    path.write_text(text)
    assert resume_self_play(make("tapnswap"), path, None).done == 0
    path.write_text(json.dumps({**json.loads(text), "encoding": "of tomorrow"}))
    with pytest.raises(LearnedFileError, match="another version of TapnSwap's encoder"):
        resume_self_play(make("tapnswap"), path, None)
    path.write_text(json.dumps({**data, "weights": data["weights"][:40]}))
    with pytest.raises(LearnedFileError, match="damaged"):
        make_agent(spec, make("tapnswap")).reset(make("tapnswap"), 0)


@pytest.mark.slow
def test_training_makes_it_stronger() -> None:
    # TapnSwap is small enough to be learned in seconds.
    game = TapnSwap()
    run = trained(game, None, rounds=12, games=12, simulations=24, units=32, seed=1)
    inputs = Inputs(make_encoder(game))
    fresh = PolicyValueNetwork(inputs.count, game.action_count, 32)

    def seated(network: Any) -> NetworkAgent[Any, Any]:
        class Seated(NetworkAgent[Any, Any]):
            def load(self, game: AnyGame) -> NetworkLeaves:
                return NetworkLeaves(game, network, inputs)

        return Seated(simulations=2)

    def won(network: Any) -> float:
        """What it wins against random play by its policy, with next to no search."""
        points = 0.0
        for number in range(40):
            agents = [seated(network), make_agent("random", game)]
            seat = number % 2
            for place, agent in enumerate(agents[::-1] if seat else agents):
                agent.reset(game, place)
            returns = play(Match(game, seed=number), agents[::-1] if seat else agents)
            points += (returns[seat] + 1) / 2
        return points

    assert won(run.model().load(game)[0]) > won(fresh) + 3


def test_the_command_and_its_errors(program: Program) -> None:
    words = ["--rounds", "1", "--games", "1", "--simulations", "4"]
    done = program("train", "tapnswap", "--method", "network", *words, "--jobs", "1")
    assert done.code == 0
    assert done.out.startswith("TapnSwap: 23 inputs, ")
    assert "points against mcts:simulations=4" in done.out
    assert "file: tapnswap-network.json" in done.out
    shown = program("agents", "show", "network:file=tapnswap-network.json", "--game", "tapnswap")
    assert shown.code == 0
    assert "two layers of 128 units" in shown.out


def test_it_thinks_as_long_as_it_may(tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    trained(TapnSwap(), path, rounds=1)
    game = make("tapnswap")
    agent = make_agent(f"network:file={path}", game)
    agent.reset(game, 0)
    seen = game.observe(game.initial_state(), 0)
    told: list[str] = []
    thinking = Thinking(random.Random(1), report=told.append)
    assert agent.act(seen, thinking) in seen.legal
    assert told == ["400 simulations"]
