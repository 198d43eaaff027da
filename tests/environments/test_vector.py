"""Many games at once, against the rules and Gymnasium's own vector environments."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import boardgames_cli.environments  # tells Gymnasium of the games
from boardgames_cli import registry
from boardgames_cli.algorithms.fast.boards import GIVEN, RANDOM
from boardgames_cli.algorithms.fast.jit import Compiler
from boardgames_cli.core.errors import GameError
from boardgames_cli.environments.vector import VectorEnvironment, announce_compilation
from boardgames_cli.games.pommerman import GAME
from boardgames_cli.games.pommerman.fast.batch import POLICY
from boardgames_cli.registry import make_encoder

BOARDS = 20
assert boardgames_cli.environments


def made(count: Any = BOARDS, game: str = "Pommerman", **options: Any) -> Any:
    return gymnasium.make_vec(f"boardgames/{game}-v0", num_envs=count, **options)


def batch_of(env: Any) -> Any:
    return env._batch


def legal_of(masks: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    """An action that is legal on each board; 0 where there is none."""
    chosen: np.ndarray = (masks * luck.random(masks.shape)).argmax(axis=1)
    return chosen


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seat": "random", "opponents": ["random", "policy", "policy"], "flatten": False},
        {"mode": "team", "seat": 2, "opponents": "policy"},
        {"mode": "team", "seat": "random", "after_death": "wait", "steps": 40},
        {"mode": "duel", "seat": 1, "flatten": False},
        {"game": "Senet"},
        {"game": "Senet", "seat": "random", "opponents": ["foremost"], "flatten": False},
        {"game": "Senet", "seat": 1, "rules": "skyruk", "pieces": 7},
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
    waits = options.get("after_death") == "wait"
    while ends < 25:
        seats = infos["seat"]
        before = [batch.state(board).step for board in range(BOARDS)] if waits else []
        for board, seat in enumerate(seats.tolist()):
            seen = game.observe(batch.state(board), seat)
            if "game" in options:  # in Pommerman everything may be tried
                assert np.array_equal(infos["action_mask"][board], encoder.mask(seen))
            if options.get("flatten", True):
                assert np.array_equal(observations[board], encoder.flat(seen))
            else:
                for name, wanted in encoder.encode(seen).items():
                    assert np.array_equal(observations[name][board], wanted), name
        assert env.observation_space.contains(observations)
        assert np.array_equal(env.action_masks(), infos["action_mask"].astype(bool))
        actions = legal_of(infos["action_mask"], luck)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        assert not rewards[was_over].any()
        paid = np.where(was_over, 0.0, paid + rewards)
        for board in map(int, np.flatnonzero(was_over) if "game" not in options else ()):
            assert batch.state(board).step == 0
        for board in map(int, np.flatnonzero(~was_over) if waits else ()):
            state = batch.state(board)
            assert state.step == before[board] + 1, "the dead are asked at every step"
            assert terminated[board] == game.is_over(state)
        for board in map(int, np.flatnonzero(terminated)):
            state, seat = batch.state(board), int(seats[board])
            assert paid[board] == game.returns(state)[seat]
            assert game.is_over(state) or game.is_out(state, seat)
            ends += 1
        was_over = terminated


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "duel", "flatten": False},
        {"game": "Senet"},
        {"game": "Senet", "rules": "skyruk", "flatten": False},
        {"game": "Kuhn"},
    ],
    ids=str,
)
def test_its_spaces_and_infos_are_those_of_one_environment(options: dict[str, Any]) -> None:
    ours, theirs = made(3, **options), made(3, vectorization_mode="sync", **options)
    assert isinstance(ours, VectorEnvironment)
    assert isinstance(theirs, SyncVectorEnv)
    for name in ("single_observation_space", "single_action_space", "observation_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    found, infos = ours.reset(seed=1)
    wanted, wanted_infos = theirs.reset(seed=1)
    for one, other in (
        *((found[name], wanted[name]) for name in (wanted if isinstance(wanted, dict) else ())),
        *([] if isinstance(wanted, dict) else [(found, wanted)]),
        (infos["action_mask"], wanted_infos["action_mask"]),
    ):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    assert set(infos) <= set(wanted_infos)


def play(env: Any, seed: Any) -> list[Any]:
    """What the first board showed and paid in forty steps."""
    infos, luck, told = env.reset(seed=seed)[1], np.random.default_rng(1), []
    for _ in range(40):
        chosen = (infos["action_mask"] * luck.random(infos["action_mask"].shape[1])).argmax(axis=1)
        observations, rewards, _, _, infos = env.step(chosen)
        told += [*observations[0], rewards[0]]
    return told


@pytest.mark.parametrize("game", ["Pommerman", "Senet"])
def test_a_seed_repeats_everything_whatever_the_number_of_boards(game: str) -> None:
    first = play(made(5, game), 7)
    assert first == play(made(5, game), 7) == play(made(2, game), [7, 99])
    assert first != play(made(5, game), 8)
    assert play(made(1, game), None) != play(made(1, game), None)


def test_what_follows_a_seed_differs() -> None:
    env = made(5)
    env.reset(seed=7)
    again = [env.reset()[0].copy() for _ in range(2)]
    assert not np.array_equal(again[0], again[1])


def test_the_next_game_begins_in_the_same_step() -> None:
    env = made(30, autoreset_mode="SameStep")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=3)
    luck = np.random.default_rng(1)
    while True:
        observations, rewards, terminated, _, infos = env.step(luck.integers(6, size=30))
        if terminated.any():
            break
        assert "final_obs" not in infos
    assert (infos["_final_obs"] == terminated).all()
    encoder, game = make_encoder(env.game), env.game
    for board in map(int, np.flatnonzero(terminated)):
        state = batch_of(env).state(board)
        assert state.step == 0
        assert np.array_equal(observations[board], encoder.flat(game.observe(state, 0)))
        assert not np.array_equal(infos["final_obs"][board], observations[board])
        assert rewards[board] in (-1.0, 1.0)
    assert all(infos["final_obs"][board] is None for board in np.flatnonzero(~terminated))
    # The same keys as Gymnasium's own.
    made_one = gymnasium.make("boardgames/Pommerman-v0", mode="duel", steps=1)
    theirs = SyncVectorEnv(
        [lambda: made_one],
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    theirs.reset(seed=1)
    wanted = theirs.step(np.array([0]))[4]
    assert {"final_obs", "_final_obs", "final_info", "_final_info", "seat", "_seat"} <= set(wanted)
    assert set(infos) <= set(wanted)


def test_without_autoreset_the_caller_begins_the_next_game() -> None:
    env = made(6, autoreset_mode=AutoresetMode.DISABLED, mode="duel", steps=2)
    env.reset(seed=1)
    env.step(np.zeros(6, int))
    terminated = env.step(np.zeros(6, int))[2]
    assert terminated.all()
    with pytest.raises(GameError, match="6 games are over, and autoreset is off"):
        env.step(np.zeros(6, int))
    mask = np.arange(6) < 4
    env.reset(options={"reset_mask": mask})
    assert [batch_of(env).state(board).step for board in range(6)] == [0] * 4 + [2] * 2
    with pytest.raises(GameError, match="2 games are over"):
        env.step(np.zeros(6, int))
    env.reset(options={"reset_mask": ~mask})
    env.step(np.zeros(6, int))


def test_a_limit_of_cycles_truncates() -> None:
    env = made(4, max_cycles=3)
    env.reset(seed=1)
    told = [env.step(np.zeros(4, int))[2:4] for _ in range(5)]
    assert [truncated.tolist() for _, truncated in told] == [
        [False] * 4, [False] * 4, [True] * 4, [False] * 4, [False] * 4,
    ]  # fmt: skip
    assert not any(terminated.any() for terminated, _ in told)


def test_who_dies_may_end_the_episode_at_once() -> None:
    env = made(mode="team", after_death="truncate", opponents="policy")
    env.reset(seed=1)
    luck, ends = np.random.default_rng(2), 0
    for _ in range(60):
        _, rewards, terminated, truncated, infos = env.step(luck.integers(6, size=20))
        batch, alive = batch_of(env), batch_of(env).living(infos["seat"])
        assert not (terminated & truncated).any()
        assert not rewards[truncated].any(), "the result is open"
        for board in map(int, np.flatnonzero(truncated)):
            state = batch.state(board)
            assert not alive[board]
            assert not env.game.is_over(state)
            assert state.step < 60
            ends += 1
        assert (alive | terminated | truncated).all()
    assert ends > 20


def test_opponents_sit_in_the_order_of_their_seats() -> None:
    env = made(60, seat="random", opponents=["policy", "random", "policy"])
    _, infos = env.reset(seed=1)
    assert set(infos["seat"].tolist()) == {0, 1, 2, 3}
    for seat, movers in zip(infos["seat"].tolist(), env._movers.tolist(), strict=True):
        assert movers.pop(seat) == GIVEN
        assert movers == [POLICY, RANDOM, POLICY]


def test_gymnasiums_wrappers_work_on_it() -> None:
    env = RecordEpisodeStatistics(made(8, mode="duel", steps=5))
    env.reset(seed=1)
    for _ in range(5):
        *_, infos = env.step(np.zeros(8, int))
    assert infos["episode"]["l"].tolist() == [5] * 8
    assert infos["episode"]["r"].tolist() == [-1.0] * 8


def test_masks_go_with_the_next_game() -> None:
    env = made(game="Senet", autoreset_mode=AutoresetMode.SAME_STEP)
    infos, luck = env.reset(seed=3)[1], np.random.default_rng(1)
    while "final_obs" not in infos:
        *_, terminated, _, infos = env.step(legal_of(infos["action_mask"], luck))
    assert terminated.any()
    assert (infos["final_info"]["_action_mask"] == terminated).all()
    assert not infos["final_info"]["action_mask"][terminated].any()
    assert infos["action_mask"].any(axis=1).all(), "the next game has begun everywhere"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "radio"}, "no words by radio"),
        ({"rerun_ties": True}, "no game played again"),
        ({"opponents": "hard"}, "no opponent 'hard'.*random, policy.*vectorization_mode"),
        ({"opponents": ["random"]}, "needs 3 opponents; you gave 1"),
        ({"seat": 4}, "seat can't be 4"),
        ({"encoding": "playground"}, "no option encoding"),
        ({"illegal": "lose"}, "no option encoding or illegal"),
        ({"render_mode": "ansi"}, "can't be drawn"),
        ({"autoreset_mode": "Never"}, "autoreset_mode can't be 'Never'"),
        ({"mode": "chess"}, "mode can't be"),
        ({"after_death": "stay"}, "after_death can't be 'stay'.*play, wait, truncate"),
        ({"colour": 1}, "unknown"),
        (
            {"game": "Senet", "opponents": "hard"},
            "no opponent 'hard'.*random, foremost",
        ),
        ({"game": "Senet", "opponents": ["random", "random"]}, "needs 1 opponents; you gave 2"),
        ({"game": "Senet", "after_death": "truncate"}, "after_death can't be 'truncate'.*play"),
        *(({"count": count}, "num_envs can't be") for count in (0, True, 1.5, "2")),
    ],
)
def test_what_it_can_not_do_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        made(**{"count": 2} | options)


@pytest.mark.parametrize(
    "actions", [[0, 6], [0, -1], [0], [0, 0, 0], [0.0, 1.0], [True, False], "up", [[0], [1]]]
)
def test_what_is_no_action_changes_nothing(actions: Any) -> None:
    env = made(2)
    before = env.reset(seed=1)[0]
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(np.array(actions))
    assert np.array_equal(batch_of(env).play(env._seats, dtype="float32").rows, before)


def test_what_is_illegal_changes_nothing() -> None:
    env = made(game="Senet")
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


def test_steps_have_their_time() -> None:
    env = made(2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game has begun"):
        env.step(np.zeros(2, int))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.action_masks()
    with pytest.raises(GameError, match="3 seeds can't seed 2 boards"):
        env.reset(seed=[1, 2, 3])
    for mask in (np.array([True]), np.array([1, 0]), np.array([False, False])):
        with pytest.raises(GameError, match="reset_mask is"):
            env.reset(options={"reset_mask": mask})
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros(2, int)), env.action_masks):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()


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


def test_a_game_without_compiled_rules_is_taken_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "pommerman", f"{__name__}:SPEC")
    monkeypatch.setitem(globals(), "SPEC", replace(GAME, batch=""))
    with pytest.raises(GameError, match=re.escape('vectorization_mode="sync"')):
        VectorEnvironment("pommerman", 2)
