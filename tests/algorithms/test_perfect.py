from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from boardgames_cli.agents.perfect import Perfect
from boardgames_cli.algorithms.position_graph import explore
from boardgames_cli.algorithms.retrograde import Outcome, solve
from boardgames_cli.core.agent import EvaluatesActions, Thinking
from boardgames_cli.games.tapnswap.actions import TapnSwapAction
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.algorithms.toys import Grid, Walk

GAME = TapnSwap()
THINKING = Thinking(random.Random(1))


def seated() -> Perfect[TapnSwapState, TapnSwapAction]:
    agent: Perfect[TapnSwapState, TapnSwapAction] = Perfect()
    agent.reset(GAME, 0)
    return agent


@pytest.mark.parametrize("player", [0, 1])
def test_it_keeps_the_value_and_the_distance_everywhere(player: int) -> None:
    agent, solution = seated(), solve(explore(GAME, GAME.every_position()))
    rng = random.Random(1)
    for state in GAME.every_position():
        if player:
            state = TapnSwapState((state.hands[1], state.hands[0]), 1)
        action = agent.act(GAME.observe(state, player), Thinking(rng))
        after = GAME.apply(state, {player: action})
        verdict = solution.verdict(state)
        if GAME.is_over(after):
            assert str(verdict) == "win in 1"
        elif verdict.outcome is Outcome.DRAW:
            assert solution.verdict(after).outcome is Outcome.DRAW
        else:
            assert solution.verdict(after) == type(verdict)(
                Outcome(-verdict.outcome), verdict.plies - 1
            )


def test_it_says_what_it_knows() -> None:
    agent = seated()
    assert isinstance(agent, EvaluatesActions)
    seen = GAME.observe(TapnSwapState(((3, 2), (0, 1)), 0), 0)
    told = {str(action): str(verdict) for action, verdict in agent.judge(seen).items()}
    assert told == {
        "tap L>R": "loss in 32",
        "tap R>R": "win in 11",
        "swap 1-4": "loss in 8",
        "swap 4-1": "loss in 8",
    }
    values = agent.evaluate_actions(seen, Thinking(random.Random(1)))
    for action, verdict in agent.judge(seen).items():
        assert round(values[action]) == verdict.outcome


def test_spectators_are_told_nothing() -> None:
    assert seated().judge(GAME.observe(GAME.initial_state(), None)) == {}


def test_it_plays_only_what_can_be_solved() -> None:
    assert Perfect().supports(Walk("circle")) is None


class Counted(Grid):
    visited = 0

    def apply(self, state: tuple[int, ...], joint: Mapping[int, str]) -> tuple[int, ...]:
        Counted.visited += 1
        return super().apply(state, joint)


def test_a_large_game_is_refused_after_a_short_look() -> None:
    # Every list of agents asks: "boardgames agents" took minutes in a Connect Four.
    assert Perfect().supports(Counted()) == "Grid has more than 2,000 positions"
    assert 1000 < Counted.visited < 50_000
