"""Every mistake is one error that says what to do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import boardgames_cli.environments
from boardgames_cli import aec_env, gymnasium_env, make, parallel_env
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.errors import (
    GameError,
    OptionError,
    SeatError,
    UnknownNameError,
    install_command,
)
from boardgames_cli.environments.episode import (
    ClosedError,
    InvalidActionError,
    RenderModeError,
    ResetNeededError,
)
from boardgames_cli.environments.episodes import OPTION_NAMES
from tests.environments.players import acts
from tests.toys import Race


class Numberless(Race):
    """Its actions have no ids."""

    action_count = 0


class Shy(Race):
    """It says why not."""

    def legal_actions(self, state: Any, seat: int) -> tuple[str, ...]:
        return ("step", "jump")

    def explain_illegal(self, state: Any, seat: int, action: str) -> str:
        return f"hares don't {action}"


MAKERS: list[Callable[..., Any]] = [aec_env, parallel_env, gymnasium_env]
MAKING = [
    ({"game": "senat"}, UnknownNameError, 'unknown game "senat".*Did you mean "senet"'),
    ({"game": "pommerman", "modus": "ffa"}, UnknownNameError, "pommerman option.*mode .*max_cycl"),
    ({"game": "pommerman", "mode": "solo"}, OptionError, r"mode can't be .*Allowed: ffa, team"),
    ({"game": "pommerman", "encoding": "planes"}, UnknownNameError, "Encoders: playground"),
    ({"game": "pommerman", "flatten": 2}, OptionError, r"flatten can't be 2"),
    ({"game": "pommerman", "illegal": "ignore"}, OptionError, "Allowed: error, lose"),
    ({"game": "pommerman", "max_cycles": -1}, OptionError, "Allowed: 0 or more"),
    ({"game": "pommerman", "max_cycles": 1.5}, OptionError, r"max_cycles can't be 1.5"),
    ({"game": "pommerman", "render_mode": "rgb"}, RenderModeError, "Allowed: ansi, rgb_array, hum"),
    ({"game": make("pommerman"), "mode": "team"}, OptionError, "the given rulebook already has"),
    ({"game": Numberless()}, GameError, "have no ids"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), MAKING, ids=lambda v: str(v)[:40])
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_what_can_not_be_made(
    maker: Callable[..., Any], arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    if maker is parallel_env and isinstance(arguments["game"], Numberless):
        message = "have no ids|never move at once"
    with pytest.raises(error, match=message) as raised:
        maker(arguments["game"], **{k: v for k, v in arguments.items() if k != "game"})
    assert isinstance(raised.value, GameError)
    assert raised.value.todo


SEATS = [
    ({"seat": 4}, SeatError, r'seat can\'t be 4.*Allowed: 0 to 1, or "random"'),
    ({"seat": -1}, SeatError, "Allowed: 0 to 1"),
    ({"seat": "first"}, SeatError, "Allowed: 0 to 1"),
    ({"seat": 0.0}, SeatError, "Allowed: 0 to 1"),
    ({"seat": True}, SeatError, "Allowed: 0 to 1"),
    ({"opponents": []}, SeatError, r"Senet needs 1 opponents; you gave 0\."),
    ({"opponents": ["random", "random"]}, SeatError, "you gave 2"),
    ({"opponents": "strong"}, UnknownNameError, 'unknown agent "strong"'),
    ({"opponents": "greedy:speed=1"}, UnknownNameError, "greedy option"),
    ({"opponents": "expectimax:depth=x"}, OptionError, "depth can't be"),
    ({"opponents": "equilibrium"}, GameError, "equilibrium"),
    ({"opponents": 7}, OptionError, "opponents can't be 7"),
    ({"opponents": [None]}, OptionError, "an opponent can't be None"),
    ({"opponents": [RandomAgent]}, OptionError, "an opponent can't be <class"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), SEATS, ids=lambda v: str(v)[:40])
def test_seats_and_opponents(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        gymnasium_env("senet", **arguments)
    with pytest.raises(error, match=message):
        gymnasium.make("boardgames/Senet-v0", **arguments)


def begun(maker: Callable[..., Any], **options: Any) -> Any:
    env = maker("pommerman", **options)
    env.reset(seed=1)
    return env


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
@pytest.mark.parametrize(
    ("action", "message"),
    [
        (6, r"action 6 of player_0 is illegal: there is no action 6\..*0, 1, 2, 3, 4, 5\."),
        (-1, "action -1 of player_0 is illegal"),
        (np.int64(99), "action 99"),
        (2.0, r"player_0 gave 2\.0 \(float\) as an action\..*Give an id"),
        (np.float32(2), "as an action"),
        ("stop", r"gave 'stop' \(str\)"),
        (True, r"gave True \(bool\)"),
        ([1], "as an action"),
        (np.array([1, 2]), "as an action"),
        (None, "player_0 gave None as an action"),
    ],
    ids=str,
)
def test_what_is_no_action(maker: Callable[..., Any], action: Any, message: str) -> None:
    env = begun(maker, render_mode="ansi")
    before = env.render()
    with pytest.raises(InvalidActionError, match=message) as raised:
        acts(env, action)
    assert isinstance(raised.value, gymnasium.error.InvalidAction)
    assert env.render() == before, "nothing has happened"
    acts(env, 0)


@pytest.mark.parametrize("action", [np.int8(0), np.uint64(0), np.array(0), np.zeros((), np.int32)])
def test_whole_numbers_of_every_kind_are_actions(action: Any) -> None:
    for maker in MAKERS:
        acts(begun(maker), action)


def test_what_is_no_number_is_wrong_even_where_illegal_actions_lose() -> None:
    env = aec_env("senet", illegal="lose")
    env.reset(seed=1)
    with pytest.raises(InvalidActionError):
        env.step("3")
    assert not any(env.terminations.values())


def test_an_illegal_action_is_explained_in_the_words_of_the_game() -> None:
    env = aec_env(Shy())
    env.reset(seed=1)
    with pytest.raises(InvalidActionError, match="illegal: hares don't jump high") as seen:
        env.step(2)
    assert str(seen.value).endswith("Choose where the action mask is 1: 0, 1.")


def test_an_id_that_means_nothing_here_is_explained_by_the_ids_that_do() -> None:
    env = aec_env("tapnswap")
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(InvalidActionError, match="no legal action has the id 3") as seen:
        env.step(3)
    assert "Choose where the action mask is 1: 0, 2, " in str(seen.value)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_nothing_works_before_reset(maker: Callable[..., Any]) -> None:
    env = maker("pommerman", render_mode="ansi")
    with pytest.raises(ResetNeededError, match=r"no episode has begun\.   Call reset\(\) first\."):
        acts(env, 0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.render()
    for name in ("last", "agent_iter", "action_masks"):
        if hasattr(env, name):
            with pytest.raises(ResetNeededError):
                getattr(env, name)()


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_nothing_works_after_the_end(maker: Callable[..., Any]) -> None:
    env = maker("pommerman", max_cycles=1)
    env.reset(seed=1)
    for _ in range(8 if maker is aec_env else 1):
        done = maker is aec_env and env.truncations[env.agent_selection]
        assert not (done and env.terminations[env.agent_selection])
        acts(env, None if done else 0)
    with pytest.raises(ResetNeededError, match=r"the episode is over\.   Call reset\(\)"):
        acts(env, 0)
    env.reset()
    acts(env, 0)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_nothing_works_after_close(maker: Callable[..., Any]) -> None:
    env = maker("pommerman", render_mode="ansi")
    env.reset(seed=1)
    env.close()
    env.close()
    uses: list[Callable[[], object]] = [lambda: acts(env, 0), env.reset, env.render]
    for use in uses:
        with pytest.raises(ClosedError, match="this environment was closed"):
            use()
    maker("pommerman").close()


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_seeds(maker: Callable[..., Any], seed: Any) -> None:
    with pytest.raises(OptionError, match=r"seed can't be .*Allowed: a whole number, 0 or more"):
        maker("pommerman").reset(seed=seed)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_drawing_needs_a_mode(maker: Callable[..., Any]) -> None:
    with pytest.raises(RenderModeError, match='Make it with render_mode="ansi"'):
        begun(maker).render()


def test_agents() -> None:
    aec, parallel = aec_env("pommerman"), parallel_env("pommerman")
    aec.reset(seed=1)
    parallel.reset(seed=1)
    calls: list[Callable[[], object]] = [
        lambda: aec.observe("player_4"),
        lambda: aec.observation_space("player_4"),
        lambda: aec.action_space("player_4"),
        lambda: parallel.observation_space("player_4"),
        lambda: parallel.action_space("player_4"),
        lambda: parallel.step({"player_4": 0}),
    ]
    for call in calls:
        with pytest.raises(UnknownNameError, match=r'unknown agent "player_4".*player_0 player_1'):
            call()
    with pytest.raises(InvalidActionError, match="player_3 is to act, but no action was given"):
        parallel.step({"player_0": 0, "player_1": 0, "player_2": 0})


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_without_the_extra(missing: str) -> None:
    script = f"""
import sys
sys.modules[{missing!r}] = None  # as if it were not installed
import boardgames_cli
for make in (boardgames_cli.aec_env, boardgames_cli.parallel_env, boardgames_cli.gymnasium_env):
    try:
        make("pommerman")
    except boardgames_cli.GameError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(run.stdout.splitlines()) == {
        f"environments need a package that is not installed ({missing}).   "
        f"Install it: {install_command('environments')}"
    }


def test_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "boardgames_cli.environments.image", raising=False)
    monkeypatch.delattr(boardgames_cli.environments, "image", raising=False)
    env = aec_env("senet", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(GameError, match=r"not installed \(pillow\)\.   Install it"):
        env.render()


def test_an_agent_that_fails_is_named() -> None:
    class Broken(RandomAgent[Any, Any]):
        def act(self, seen: Any, thinking: Any) -> Any:
            raise RuntimeError("boom")

    env = gymnasium_env("senet", seat=0, opponents=[Broken()])
    with pytest.raises(GameError, match=r'agent "Broken" failed at ply .*boom'):
        env.reset(seed=1)


def test_the_documentation_lists_the_options_of_every_environment() -> None:
    text = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    table = text[text.index("| Option |") :].partition("\n\n")[0]
    listed = [row.split("`")[1] for row in table.splitlines()[2:]]
    assert listed == [*OPTION_NAMES]


def test_by_every_id_an_illegal_action_is_an_error() -> None:
    id = "boardgames/Kuhn-v0"
    for env in (gymnasium.make(id), pettingzoo.make("aec", id)):
        env.reset(seed=1)
        with pytest.raises(InvalidActionError, match="action 7 of player_0 is illegal"):
            env.step(7)
