from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import senet_exact

from boardgames_cli import registry
from boardgames_cli.agents.greedy import Greedy
from boardgames_cli.algorithms import action_values
from boardgames_cli.algorithms.action_values import pick_best, pick_by_temperature
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import AnyGame, Game, GameInfo, NoChance, Observation, Seat, Traits
from boardgames_cli.games.tapnswap.state import TapnSwapState


def thinking(seed: int = 1) -> Thinking:
    return Thinking(random.Random(seed))


def senet(rules: str = "kendall") -> AnyGame:
    return registry.make("senet", rules=rules)


def position(game: AnyGame, **fields: Any) -> Observation[Any, Any]:
    state = game.from_json({"player": 0, "pieces": 5} | fields)
    return game.observe(state, fields.get("player", 0))


def seated(game: AnyGame, **options: Any) -> Greedy[Any, Any]:
    agent: Greedy[Any, Any] = Greedy(**options)
    assert agent.supports(game) is None
    agent.reset(game, 0)
    return agent


@dataclass(frozen=True)
class Guess(Game[int, str, NoChance]):
    """A card, 1 or 2, lies face down; redacted to 0. Naming it right is worth 1, else -1."""

    info: ClassVar[GameInfo] = GameInfo("guess", "Guess", (1,), Traits.HIDDEN, 1)
    actions: ClassVar[tuple[str, ...]] = ("one", "two")

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    def initial_state(self) -> int:
        return 1

    def to_act(self, state: int) -> tuple[Seat, ...]:
        return (0,) if state in (0, 1, 2) else ()

    def legal_actions(self, state: int, seat: Seat) -> tuple[str, ...]:
        return self.actions

    def apply(self, state: int, joint: Any) -> int:
        return 10 + int(self.actions.index(joint[0]) + 1 == state)

    def returns(self, state: int) -> tuple[float, ...]:
        return (1.0 if state == 11 else -1.0,)

    def redact(self, state: int, seat: Seat | None) -> int:
        return 0

    def determinize(self, seen: Observation[int, str], rng: random.Random) -> int:
        return 1 if rng.random() < 0.9 else 2

    def to_json(self, state: int) -> dict[str, Any]:
        return {}

    def from_json(self, data: Any) -> int:
        return 1


class TestChoice:
    def test_takes_the_bear_off_that_wins(self) -> None:
        game = senet()
        seen = position(game, cones=[29], spools=[3, 28], steps=1)
        assert str(seated(game).act(seen, thinking())) == "30>off"

    def test_single_action_needs_no_thought(self) -> None:
        game = senet()
        seen = position(game, cones=[3], spools=[10], steps=2)
        agent = Greedy[Any, Any]()  # not seated: any evaluation would fail
        assert agent.act(seen, thinking()) == seen.legal[0]

    def test_hidden_card_is_guessed_from_what_fits_the_observation(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(action_values, "heuristic_of", lambda _: lambda *_: 0.0)
        game = Guess()
        agent = seated(game)
        values = agent.evaluate_actions(game.observe(1, 0), thinking())
        assert values["one"] == -values["two"] > 0

    def test_ties_are_drawn(self) -> None:
        rng = random.Random(1)
        drawn = Counter(pick_best({"a": 0.5, "b": 0.5 + 1e-12, "c": 0.4}, rng) for _ in range(200))
        assert set(drawn) == {"a", "b"}
        assert min(drawn.values()) > 60


class TestTemperature:
    def test_what_is_worse_by_it_is_drawn_e_times_more_rarely(self) -> None:
        rng = random.Random(1)
        values = {"best": 0.5, "worse": 0.4, "bad": -0.5}
        drawn = Counter(pick_by_temperature(values, 0.1, rng) for _ in range(4000))
        assert drawn["best"] / drawn["worse"] == pytest.approx(math.e, rel=0.1)
        assert drawn["bad"] < 10

    def test_at_zero_only_the_best_are_drawn(self) -> None:
        rng = random.Random(1)
        values = {"a": 0.5, "b": 0.5, "c": 0.49}
        assert {pick_by_temperature(values, 0.0, rng) for _ in range(50)} == {"a", "b"}

    def test_medium_misses_nothing_that_is_there(self) -> None:
        game = senet("skyruk")
        # Off from the Water by a 4, or back to where 60 % win instead of all: two are left, and
        # the other throws again.
        seen = position(game, cones=[26, 29], spools=[18, 19, 28], steps=4)
        agent = registry.make_agent(registry.find_game("senet").levels["medium"], game)
        agent.reset(game, 0)
        drawn = Counter(str(agent.act(seen, thinking(seed))) for seed in range(60))
        assert drawn["27>off"] == 60

    def test_a_win_at_once_is_never_let_go(self) -> None:
        game = registry.make("tapnswap")
        seen = game.observe(TapnSwapState(((2, 3), (0, 2)), 0), 0)
        hot = seated(game, temperature=100.0)
        assert len(seen.legal) > 2
        assert {str(hot.act(seen, thinking(seed))) for seed in range(40)} == {"tap R>R"}


class TestSlips:
    def test_always_slipping_is_random(self) -> None:
        game = senet()
        seen = position(game, cones=[3, 8, 12, 20, 29], spools=[5, 14], steps=1)
        agent = seated(game, slips=1.0)
        drawn = Counter(agent.act(seen, thinking(seed)) for seed in range(300))
        assert set(drawn) == set(seen.legal)
        assert min(drawn.values()) > 30


class TestSupports:
    def test_no_heuristic(self) -> None:
        reason = Greedy[Any, Any]().supports(Guess())
        assert reason is not None
        assert "no heuristic" in reason

    def test_simultaneous(self, monkeypatch: pytest.MonkeyPatch) -> None:
        info = GameInfo("guess", "Guess", (1,), Traits.SIMULTANEOUS, 1)
        monkeypatch.setattr(Guess, "info", info)
        reason = Greedy[Any, Any]().supports(Guess())
        assert reason is not None
        assert "at once" in reason


@pytest.mark.slow
class TestStrength:
    """Small samples of what `boardgames tournament` measures, with room for bad luck."""

    @pytest.mark.parametrize(
        ("agent", "rules", "floor", "loss"),
        [
            ("greedy", "kendall", 0.55, 0.01),
            ("greedy", "skyruk", 0.55, 0.01),
            ("expectimax:depth=2", "kendall", 0.62, 0.007),
            ("expectimax:depth=2", "skyruk", 0.58, 0.007),
        ],
    )
    def test_plays_known_endings_well(
        self, agent: str, rules: str, floor: float, loss: float
    ) -> None:
        choices = [choice for choice in senet_exact.read_choices() if choice.rules == rules]
        verdict = senet_exact.judge(agent, choices)
        assert verdict.optimal >= floor
        assert verdict.loss < loss
