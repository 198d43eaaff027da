"""Many games in turns at once: turns, chance and moves that are not always legal."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import boardgames_cli.environments  # tells Gymnasium of the games
from boardgames_cli.algorithms.fast.boards import TurnBatch
from boardgames_cli.algorithms.fast.jit import Compiler
from boardgames_cli.core.errors import GameError
from boardgames_cli.environments.episodes import announce_compilation
from boardgames_cli.environments.vector import VectorEnvironment
from boardgames_cli.games.kuhn.analyst import KuhnAnalyst
from boardgames_cli.games.tapnswap.analyst import TapnSwapAnalyst
from boardgames_cli.registry import make_encoder

BOARDS = 12
assert boardgames_cli.environments


def made(count: int = BOARDS, game: str = "Senet", **options: Any) -> Any:
    return gymnasium.make_vec(f"boardgames/{game}-v0", num_envs=count, **options)


def batch_of(env: Any) -> TurnBatch[Any, Any]:
    batch = env._batch
    assert isinstance(batch, TurnBatch)
    return batch


def legal_of(masks: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    """An action that is legal on each board; 0 where there is none."""
    chosen: np.ndarray = (masks * luck.random(masks.shape)).argmax(axis=1)
    return chosen


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seat": "random", "opponents": ["foremost"], "flatten": False, "rules": "skyruk"},
        {"seat": 1, "pieces": 7},
        {"game": "Kuhn", "hands": 4, "seat": "random", "opponents": "equilibrium"},
        {"game": "Kuhn", "seat": 1, "flatten": False},
        {"game": "Deepsea", "seat": "random", "rounds": 1, "flatten": False},
        {"game": "Tapnswap", "seat": "random", "max_plies": 20},
    ],
    ids=str,
)
def test_it_shows_and_pays_what_the_rules_do(options: dict[str, Any]) -> None:
    env = made(**options)
    game, batch, encoder = env.game, batch_of(env), make_encoder(env.game)
    observations, infos = env.reset(seed=1)
    luck, paid, ends = np.random.default_rng(2), np.zeros(BOARDS), 0
    was_over = np.zeros(BOARDS, dtype=bool)
    while ends < 25:
        for board, seat in enumerate(infos["seat"].tolist()):
            seen = game.observe(batch.state(board), seat)
            assert np.array_equal(infos["action_mask"][board], encoder.mask(seen))
            if options.get("flatten", True):
                assert np.array_equal(observations[board], encoder.flat(seen))
            else:
                for name, wanted in encoder.encode(seen).items():
                    assert np.array_equal(observations[name][board], wanted), name
        assert env.observation_space.contains(observations)
        assert np.array_equal(env.action_masks(), infos["action_mask"].astype(bool))
        seats = infos["seat"]
        actions = legal_of(infos["action_mask"], luck)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        assert not rewards[was_over].any()
        paid = np.where(was_over, 0.0, paid + rewards)
        for board in map(int, np.flatnonzero(terminated)):
            state = batch.state(board)
            assert game.is_over(state)
            assert paid[board] == game.returns(state)[seats[board]]
            ends += 1
        was_over = terminated


def test_its_spaces_and_infos_are_those_of_one_environment() -> None:
    every: list[dict[str, Any]] = [{}, {"rules": "skyruk", "flatten": False}, {"game": "Kuhn"}]
    for options in every:
        ours, theirs = made(3, **options), made(3, vectorization_mode="sync", **options)
        assert isinstance(ours, VectorEnvironment)
        assert isinstance(theirs, SyncVectorEnv)
        for name in ("single_observation_space", "single_action_space", "observation_space"):
            assert getattr(ours, name) == getattr(theirs, name)
        found, wanted = ours.reset(seed=1)[1], theirs.reset(seed=1)[1]
        assert found["action_mask"].shape == wanted["action_mask"].shape
        assert found["action_mask"].dtype == wanted["action_mask"].dtype
        assert set(found) <= set(wanted)


def test_what_is_illegal_changes_nothing() -> None:
    env = made()
    infos = env.reset(seed=3)[1]
    batch = batch_of(env)
    before = batch.states.copy()
    legal = legal_of(infos["action_mask"], np.random.default_rng(1))
    for board in range(BOARDS):
        wrong = legal.copy()
        wrong[board] = int(infos["action_mask"][board].argmin())
        with pytest.raises(gymnasium.error.InvalidAction, match=f"of board {board} is illegal"):
            env.step(wrong)
    with pytest.raises(gymnasium.error.InvalidAction, match=r"is not an action.*0 to 50"):
        env.step(np.full(BOARDS, 51))
    assert np.array_equal(batch.states, before)
    env.step(legal)
    assert not np.array_equal(batch.states, before)


def test_masks_have_their_time() -> None:
    env = made(2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.action_masks()
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        env.action_masks()


def test_the_next_game_begins_in_the_same_step() -> None:
    env = made(autoreset_mode=AutoresetMode.SAME_STEP)
    infos, luck = env.reset(seed=3)[1], np.random.default_rng(1)
    while "final_obs" not in infos:
        *_, terminated, _, infos = env.step(legal_of(infos["action_mask"], luck))
    assert terminated.any()
    assert (infos["final_info"]["_action_mask"] == terminated).all()
    assert not infos["final_info"]["action_mask"][terminated].any()
    assert infos["action_mask"].any(axis=1).all(), "the next game has begun everywhere"


def test_a_seed_repeats_everything_whatever_the_number_of_boards() -> None:
    def played(count: int, seed: Any) -> np.ndarray:
        env = made(count)
        infos = env.reset(seed=seed)[1]
        for _ in range(40):
            infos = env.step(infos["action_mask"].argmax(axis=1))[4]
        states: np.ndarray = batch_of(env).states[0].copy()
        return states

    first = played(5, 7)
    assert np.array_equal(first, played(2, [7, 99]))
    assert not np.array_equal(first, played(5, 8))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "hard"}, "no opponent 'hard'.*random, foremost.*vectorization_mode"),
        ({"opponents": ["random", "random"]}, "needs 1 opponents; you gave 2"),
        ({"seat": 2}, "seat can't be 2"),
        ({"encoding": "board"}, "no option encoding"),
        ({"rules": "mine"}, "rules can't be"),
        ({"values": True}, "Senet has no exact values"),
        ({"after_death": "truncate"}, "after_death can't be 'truncate'.*play"),
    ],
)
def test_what_it_can_not_do_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        made(2, **options)


@pytest.mark.parametrize(
    "options", [{"game": "Kuhn", "hands": 3}, {"game": "Tapnswap", "max_plies": 9}], ids=str
)
def test_exact_values_are_those_of_the_analyst(options: dict[str, Any]) -> None:
    env = made(values=True, seat="random", **options)
    game, luck = env.game, np.random.default_rng(1)
    analyst = KuhnAnalyst(game) if options["game"] == "Kuhn" else TapnSwapAnalyst(game)
    infos = env.reset(seed=4)[1]
    for _ in range(12):
        for board, seat in enumerate(infos["seat"].tolist()):
            seen = game.observe(batch_of(env).state(board), seat)
            values, mask = infos["action_values"][board], infos["action_mask"][board]
            assert (np.isnan(values) == (mask == 0)).all()
            before = analyst.settled(seen) if isinstance(analyst, KuhnAnalyst) else 0.0
            for choice in analyst.judge(seen).choices if seen.legal else ():
                wanted = choice.returns[seat] - before
                assert values[game.action_id(seen.state, choice.action)] == pytest.approx(wanted)
        infos = env.step(legal_of(infos["action_mask"], luck))[4]


def test_the_first_compilation_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made(1, "Kuhn")  # loads the rules, whose cache may be empty
    capsys.readouterr()
    announce_compilation.cache_clear()
    caches: list[tuple[set[str], int]] = [(set(), 0), ({"a folder"}, 1), ({"a folder"}, 0)]
    for cold, lines in caches:
        monkeypatch.setattr(Compiler, "cold", cold)
        made(1, "Kuhn")
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("Compiling the rules of Kuhn poker") == lines
