"""With a heuristic that is never wrong, agents, the analyst and reviews say what is true."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from boardgames_cli import registry
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import EvaluatesActions, Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match, play
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import make_agent
from boardgames_cli.testing import check_analyst
from tests.toys import RACE, Race, RaceState


@functools.cache
def worth(game: Race, state: RaceState) -> float:
    """What the first seat can expect if both do their best, by nothing but the rules."""
    seats = game.to_act(state)
    if not seats:
        return game.returns(state)[0]
    if seats == (CHANCE,):
        return sum(
            chance * worth(game, game.apply_chance(state, roll))
            for roll, chance in game.chance_outcomes(state)
        )
    return (max, min)[seats[0]](judged(game, state).values())


def judged(game: Race, state: RaceState) -> dict[str, float]:
    """What the first seat can expect after each choice."""
    seat = state.turn
    legal = game.legal_actions(state, seat)
    return {action: worth(game, game.apply(state, {seat: action})) for action in legal}


def truth(game: Race, state: RaceState, seat: int) -> float:
    return worth(game, state) * (1, -1)[seat]


TRUE = replace(RACE, heuristic=f"{__name__}:truth")


@pytest.fixture(autouse=True)
def race(monkeypatch: pytest.MonkeyPatch) -> Race:
    """The race as one of the games, with the true heuristic."""
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "race", f"{__name__}:TRUE")
    return Race()


def positions(game: Race) -> Iterator[RaceState]:
    """Positions of random games in which a seat has a choice that matters."""
    for seed in range(12):
        match = Match(game, seed=seed)
        play(match, [make_agent("random", game)] * 2)
        for state in map(match.state_at, range(match.ply)):
            if state.roll and len({*judged(game, state).values()}) > 1:
                yield state


@pytest.mark.parametrize("agent", ["greedy", *(f"expectimax:depth={n}" for n in (1, 2, 3))])
def test_general_agents_know_what_each_choice_is_worth(agent: str, race: Race) -> None:
    for seat, sign in ((0, 1), (1, -1)):
        player, thinking = make_agent(agent, race), Thinking(random.Random(1))
        assert isinstance(player, EvaluatesActions)
        player.reset(race, seat)
        for state in (one for one in positions(race) if one.turn == seat):
            wanted = {action: sign * value for action, value in judged(race, state).items()}
            seen = race.observe(state, seat)
            found = player.evaluate_actions(seen, thinking)
            assert found == pytest.approx(wanted, abs=1e-5)  # expectimax is in some haste
            assert wanted[player.act(seen, thinking)] == max(wanted.values())


def test_the_general_analyst_is_exact_if_the_heuristic_is(race: Race) -> None:
    analyst = analyst_for(race)
    for state in positions(race):
        assert analyst.value(state).returns[0] == pytest.approx(worth(race, state), abs=1e-9)
        choices = analyst.judge(race.observe(state, state.turn)).choices
        found = {choice.action: choice.returns[0] for choice in choices}
        assert found == pytest.approx(judged(race, state), abs=1e-9)
    check_analyst(analyst, seeds=range(2), max_plies=40)


@pytest.mark.parametrize("seed", range(4))
def test_a_review_counts_what_was_given_away_and_what_was_luck(seed: int, race: Race) -> None:
    match = Match(race, seed=seed)
    play(match, [make_agent("random", race)] * 2)
    review = review_of(ReviewedGame(match, ["Ann", "Ben"]), analyst_for(race))
    values = [worth(race, match.state_at(ply)) for ply in range(match.ply + 1)]
    changes = {CHANCE: 0.0, 0: 0.0, 1: 0.0}
    for ply, step in enumerate(match.steps):
        (actor,) = step.joint or (CHANCE,)
        changes[actor] += values[ply + 1] - values[ply]
    for seat, sign in ((0, 1), (1, -1)):
        one = review.summary(seat)
        assert one.own == pytest.approx(sign * changes[seat], abs=1e-9)
        assert one.luck == pytest.approx(sign * changes[CHANCE], abs=1e-9)
        assert one.start + one.luck + one.own + one.others + one.rest == pytest.approx(one.result)
