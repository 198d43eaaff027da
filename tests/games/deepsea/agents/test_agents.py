"""The classic agents against the recorded ones, the odds, and who beats whom."""

from __future__ import annotations

import itertools
import math
import random
import re
from typing import Any

import pytest

import boardgames_cli as bg
from boardgames_cli.core.agent import Budget, EvaluatesActions, Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.actions import DIVE, LEAVE, RETURN, TAKE
from boardgames_cli.games.deepsea.agents.monte_carlo import (
    PRIOR,
    RIVALS,
    MonteCarlo,
    OpponentModel,
    watch_step,
)
from boardgames_cli.games.deepsea.agents.odds import (
    chip_worths,
    turns_left,
)
from boardgames_cli.games.deepsea.agents.plans import Plan, Sea, decide, returns
from boardgames_cli.games.deepsea.agents.policies import Diver, Follower, Grabber, GreedyClassic
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState
from boardgames_cli.testing import check_agent
from tests.games.deepsea.records import load, play_turn
from tests.games.deepsea.test_rules import sea

ROWS = [row for row in load("deepsea.jsonl.gz") if row["dice"] is not None]
KIND: dict[str, Follower] = {
    "Diver(8,2)": Diver(8, 2),
    "Diver(16,1)": Diver(16, 1),
    "Greedy()": GreedyClassic(),
    "Grabber(1)": Grabber(1),
    "Grabber(2)": Grabber(2),
    "Grabber(3)": Grabber(3),
    "Grabber(4)": Grabber(4),
}
ODD = {"Grabber(4)": 1}
"""Decisions that differ: at the end of the trail the reference dives on, being turned by force."""


def disagreements(name: str) -> tuple[int, int]:
    """How many recorded decisions of an agent there are, and how many ours decides otherwise."""
    decisions = different = 0
    for row in ROWS:
        if row["policies"][row["current"]] != name:
            continue
        game = DeepSea(players=row["players"])
        states = play_turn(game, row)
        for before, following in itertools.pairwise(states):
            (seat,) = game.to_act(before)
            if seat == CHANCE:
                continue
            decisions += 1
            choice = decide(KIND[name].plan(game.seats), game.observe(before, seat))
            expected = game.apply(before, {seat: choice})
            different += expected != following
    return decisions, different


@pytest.mark.parametrize(("name", "least"), [
    ("Diver(8,2)", 60), ("Diver(16,1)", 90), ("Greedy()", 200), ("Grabber(1)", 5),
    ("Grabber(2)", 35), ("Grabber(3)", 45), ("Grabber(4)", 50),
])  # fmt: skip
def test_classic_agents_decide_as_recorded(name: str, least: int) -> None:
    decisions, different = disagreements(name)
    assert decisions >= least
    assert different == ODD.get(name, 0)


def test_at_the_end_of_the_trail_every_plan_turns_back() -> None:
    game = DeepSea(players=2)
    seen = game.observe(sea(game, phase="direction", pos=[32, 0]), 0)
    for plan in (*(kind.plan(2) for kind in KIND.values()), *RIVALS):
        assert decide(plan, seen) == RETURN


@pytest.mark.parametrize("oxygen", range(1, 26))
@pytest.mark.parametrize("drain", [0, 1, 3])
@pytest.mark.parametrize("load_", [1, 2])
def test_turns_left_counts_what_the_rules_would_allow(oxygen: int, drain: int, load_: int) -> None:
    left, turns = oxygen, 0
    while left - drain > 0:
        left -= drain + load_
        turns += 1
    assert turns_left(oxygen, drain, load_) == min(turns, 40)


def monte_carlo(game: DeepSea, **options: Any) -> MonteCarlo:
    agent = MonteCarlo(**options)
    agent.reset(game, 0)
    return agent


def luck(seed: int = 1) -> Thinking:
    return Thinking(random.Random(seed))


def watched(game: DeepSea, divers: list[Follower], games: int) -> OpponentModel:
    """What a model thinks after some games with divers."""
    rng, opponents = random.Random(4), OpponentModel(game.seats)
    plans: list[Plan] = [diver.plan(game.seats) for diver in divers]
    for _ in range(games):
        state: DeepSeaState = game.initial_state()
        while acting := game.to_act(state):
            (seat,) = acting
            if seat == CHANCE:
                after = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                after = game.apply(state, {seat: decide(plans[seat], game.observe(state, seat))})
            watch_step(opponents, state, after)
            state = after
    return opponents


def test_the_model_expects_what_was_watched() -> None:
    game = DeepSea(players=3, rounds=1)
    opponents = watched(game, [Diver(16, 1), Grabber(1), Grabber(3)], 3)
    assert all(math.isclose(sum(opponents.weights[seat]), 1.0) for seat in range(3))
    state = sea(game, phase="direction", pos=[11, 10, 9], held=[[[2]], [[2]], [[2]]],
                blank=[11, 10, 9], oxygen=16)  # fmt: skip
    turning = [
        sum(
            weight
            for plan, weight in zip(RIVALS, opponents.weights[seat], strict=True)
            if returns(plan, Sea.of(state), seat)
        )
        for seat in range(3)
    ]
    assert turning[0] < 0.2
    assert turning[1] > 0.8
    assert turning[2] < 0.2


def test_samples_follow_the_weights() -> None:
    opponents = watched(DeepSea(players=2, rounds=1), [Grabber(2), GreedyClassic()], 4)
    drawn = [opponents.sample(random.Random(number))[0] for number in range(400)]
    likeliest = max(range(len(PRIOR)), key=lambda plan: opponents.weights[0][plan])
    share = drawn.count(RIVALS[likeliest]) / len(drawn)
    assert abs(share - opponents.weights[0][likeliest]) < 0.1


def test_the_worth_of_a_chip_follows_what_was_turned_over() -> None:
    assert chip_worths(bytes(16))[:5] == (0.0, 1.5, 5.5, 9.5, 13.5)
    assert chip_worths(bytes([0] * 14 + [2, 2]))[4] == pytest.approx(12.5)


def test_monte_carlo_says_what_its_choices_lead_to() -> None:
    game = DeepSea(players=3)
    state = sea(game, phase="direction", pos=[16, 3, 0], held=[[[2]], [[1]], []], blank=[3, 16],
                oxygen=9, points=[7, 0, 0])  # fmt: skip
    seen = game.observe(state, 0)
    agent = monte_carlo(game, samples=120)
    assert isinstance(agent, EvaluatesActions)
    values = agent.evaluate_actions(seen, luck())
    assert values[RETURN] > values[DIVE] >= 7.0
    texts = agent.explain_actions(seen, luck())
    assert set(texts) == {RETURN, DIVE}
    assert re.fullmatch(r"home \d+ %, \d+\.\d points, win \d+ %", texts[RETURN])
    best, other = agent.estimates(seen, luck())
    assert best.action == RETURN
    assert 0 <= other.chance_home <= best.chance_home <= 1
    assert best.samples == other.samples > 0


def test_without_time_monte_carlo_still_does_something_sensible() -> None:
    game = DeepSea(players=2)
    seen = game.observe(sea(game, phase="chip", pos=[18, 0], oxygen=16), 0)
    thinking = Thinking(random.Random(1), Budget(nodes=0))
    assert monte_carlo(game).act(seen, thinking) == TAKE


def test_a_choice_that_ends_the_round_under_water_is_worth_nothing() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="chip", pos=[18, 0], dir=[0, 0], oxygen=0, points=[3, 0])
    agent, seen = monte_carlo(game, samples=10), game.observe(state, 0)
    values = agent.evaluate_actions(seen, luck())
    assert values == {TAKE: 3.0, LEAVE: 3.0}
    texts = agent.explain_actions(seen, luck())
    assert set(texts.values()) == {"home 0 %, 0.0 points, win 0 %"}


def test_the_last_round_is_played_for_the_win() -> None:
    game, best = DeepSea(players=2), {}
    for rival in (32, 39):
        # Home is sure with one chip and doubtful with two; the rival is home already.
        state = sea(game, phase="chip", pos=[13, 0], dir=[0, 0], held=[[[2]], []], blank=[16],
                    oxygen=12, points=[30, rival], round=2)  # fmt: skip
        state = state._replace(trail=bytes(12) + state.trail[12:])  # nothing to take on the way
        best[rival] = monte_carlo(game).estimates(game.observe(state, 0), luck(2))[0]
    assert best[32].chance_home > 0.95, "one chip is enough; a second one would be put down"
    assert best[39].action == TAKE
    assert best[39].chance_home < 0.95
    assert best[39].share > 0.2


@pytest.mark.parametrize("spec", ["monte-carlo:samples=10", "grabber:n=2", "diver",
                                  "greedy-classic", "risk"])  # fmt: skip
def test_agents_keep_the_contract(spec: str) -> None:
    game = DeepSea(players=3, drop="choose", stacks=True)
    check_agent(lambda: bg.make_agent(spec, game), game, seeds=[3])


def test_without_care_it_forgets_that_others_breathe_too() -> None:
    game = DeepSea(players=3)
    loaded = sea(game, pos=[8, 12, 14], dir=[1, 1, 1], held=[[[1]], [[2], [2]], [[2], [3]]],
                 blank=[3, 9, 11, 13, 17], oxygen=20)  # fmt: skip
    seen = game.observe(loaded, 0)
    for spec, expected in (("risk", RETURN), ("risk:care=0", DIVE)):
        agent = bg.make_agent(spec, game)
        agent.reset(game, 0)
        assert agent.act(seen, luck()) == expected
