"""Hints in numbers and words."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, Observation
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.evaluation.hints import (
    ask_hint,
    ask_values,
    experience,
    find_reason,
    hint_sentence,
)
from boardgames_cli.games.kuhn.actions import Action
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make_agent
from boardgames_cli.session.setup import Settings, Setup, open_session
from tests.games.kuhn.tables import KuhnMatch, play_hand
from tests.toys import Race

GAME = Race()
SEEN: Observation[Any, Any] = Observation(0, 1, GAME.initial_state(), ("step", "jump"))


class Sampler(Agent[Any, Any]):
    """Draws its values, and remembers the time that it was given."""

    def __init__(self) -> None:
        self.given: list[float | None] = []

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise AssertionError("nobody asked it to act")

    def evaluate_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> dict[Any, float]:
        self.given.append(thinking.budget.seconds)
        return {action: thinking.rng.random() for action in seen.legal}

    def explain_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> dict[Any, str]:
        self.given.append(thinking.budget.seconds)
        return {action: str(thinking.rng.random()) for action in seen.legal}


class Talker(Agent[Any, Any]):
    """Has words for one action only."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[1]

    def explain_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> dict[Any, str]:
        return {seen.legal[0]: "long known"}


def test_numbers_and_words_share_the_time_and_the_luck() -> None:
    agent = Sampler()
    hint = ask_hint(agent, GAME, SEEN, Thinking(random.Random(1), Budget(seconds=2.0)))
    assert agent.given == [1.0, 1.0]
    assert {action: str(value) for action, value in hint.values} == hint.words
    assert hint.best == max(hint.values, key=lambda item: item[1] or 0.0)[0]


def test_actions_may_be_missing_from_the_words() -> None:
    hint = ask_hint(Talker(), GAME, SEEN, Thinking(random.Random(1)))
    assert hint.best == "jump"
    assert hint.values == (("jump", None), ("step", None))
    assert hint.words == {"step": "long known"}


def test_a_hint_agent_is_shown_what_came_before() -> None:
    class Watcher(Talker):
        def __init__(self) -> None:
            self.seen: list[int] = []

        def watch(self, seen: Observation[Any, Any]) -> None:
            self.seen.append(seen.ply)

    match: AnyMatch = Match(GAME, seed=1)
    while match.ply < 4:
        if match.waiting_for == (CHANCE,):
            match.resolve_chance()
        else:
            seat = match.waiting_for[0]
            match.submit(seat, match.observe(seat).legal[0])
    if match.waiting_for == (CHANCE,):
        match.resolve_chance()
    seat = match.waiting_for[0]
    agent = Watcher()
    thinking = Thinking(random.Random(1))
    ask_hint(agent, GAME, match.observe(seat), thinking, experience(match, seat))
    assert agent.seen == list(range(match.ply + 1))


def test_nobody_to_advise() -> None:
    nobody: Observation[Any, Any] = Observation(None, 1, SEEN.state, ())
    with pytest.raises(GameError, match="nobody's turn"):
        ask_hint(Talker(), GAME, nobody, Thinking(random.Random(1)))
    assert ask_values("Tal", Talker(), GAME, nobody, Thinking(random.Random(1))) is None


def test_the_rival_is_the_other_agent_that_explains() -> None:
    settings = Settings(save=False)
    session = open_session(Setup("tapnswap", seats=("human", "q-table:level=easy")), settings)
    rival = session.hint_source.make_second_agent(0)
    assert rival is not None
    name, agent = rival
    assert name == "q-table"
    assert agent is not session.holders[1].agent
    assert session.hint_source.make_second_agent(1) is None
    hint_agent = open_session(Setup("tapnswap", seats=("human", "perfect")), settings)
    assert hint_agent.hint_source.make_second_agent(0) is None, "it says the same as the hint agent"


def test_a_mixed_strategy_is_told_with_its_frequencies_the_most_frequent_first() -> None:
    game = Kuhn()
    match: KuhnMatch = Match(game, seed=1)
    play_hand(match, "QJ", "c")  # a jack bluffs once in three times after a check
    agent = make_agent("equilibrium", game)
    hint = ask_hint(agent, game, match.observe(1), Thinking(random.Random(1)))
    assert [str(action) for action in hint.mixed] == ["check", "bet"]
    assert hint_sentence(hint, str) == (
        "Hint: check (67 % of the time, -1.00 chips) or bet (33 % of the time, -1.00 chips)."
    )


def test_a_pure_choice_is_told_alone() -> None:
    game = Kuhn()
    match: KuhnMatch = Match(game, seed=1)
    play_hand(match, "QK", "b")
    hint = ask_hint(
        make_agent("equilibrium", game), game, match.observe(1), Thinking(random.Random(1))
    )
    assert hint.mixed == ()
    assert hint_sentence(hint, str) == "Hint: bet (always, +2.00 chips)."


def test_a_danger_in_a_joint_step_is_a_reason() -> None:
    pytest.importorskip("numba", reason="Pommerman's analyst needs the extra `fast` (numba)")
    setup = Setup("pommerman", seats=("human", "random", "random", "random"), seed=7)
    session = open_session(setup, Settings(save=False))
    match, rng = session.match, random.Random(1)
    while match.ply < 13:
        if match.waiting_for == (CHANCE,):
            session.resolve_chance()
            continue
        for seat in match.waiting_for:
            session.submit(seat, rng.choice(session.observe(seat).legal))
    seen = session.observe(0)
    stop = session.game.parse(seen.state, 0, "stop")
    reason = find_reason(session.game, seen, experience(match, 0), stop)
    assert "burns in 1 step" in reason
    assert "after stop" in reason
    assert session.hint_source.is_hasty is False
    session.tick = 0.5
    assert session.hint_source.is_hasty, "in real time nobody waits for reasons"


def test_actions_are_named_as_the_choices_are() -> None:
    session = open_session(Setup("kuhn", seats=("human", "human"), seed=1), Settings(save=False))
    play_hand(session.match, "QK", "b")
    assert session.action_name(1, Action.CHECK) == "fold"
    assert session.action_name(1, Action.BET) == "call (pay 1)"
    senet = open_session(Setup("senet", seats=("human", "human"), seed=1), Settings(save=False))
    senet.resolve_chance()
    seat = senet.match.waiting_for[0]
    for action in senet.observe(seat).legal:
        assert senet.action_name(seat, action) == str(action)
