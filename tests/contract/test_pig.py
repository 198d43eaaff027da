"""What is general works for a game of chance from elsewhere, and says what is true of it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from boardgames_cli import registry
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match, play
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import make_agent
from boardgames_cli.testing import check_analyst, check_game, check_view
from tests.contract.pig import Pig, PigState, PigView, chances, exact_value, judged

TARGETS = (2, 6, 10)


@pytest.fixture(autouse=True)
def pig(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pig as one of the games."""
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "pig", "tests.contract.pig:PIG")


def positions(game: Pig, count: int = 60) -> Iterator[PigState]:
    """Positions of random games in which a seat is to act."""
    rng, state = random.Random(5), game.initial_state()
    while count:
        if not game.to_act(state):
            state = game.initial_state()
        elif game.to_act(state) == (CHANCE,):
            state = game.apply_chance(state, game.sample_chance(state, rng))
        else:
            yield state
            count -= 1
            choice = rng.choice(game.legal_actions(state, state.player))
            state = game.apply(state, {state.player: choice})


@pytest.mark.parametrize("target", TARGETS)
def test_the_contract_is_kept(target: int) -> None:
    game = Pig(target)
    check_game(game, seeds=range(5))
    check_view(PigView(game), max_plies=60)


@pytest.mark.parametrize("target", TARGETS)
def test_the_table_is_the_truth(target: int) -> None:
    """Bellman's equation, by the rulebook and not by the table's own arithmetic."""
    game = Pig(target)
    for state in positions(game):
        seat = state.player
        for choice in game.legal_actions(state, seat):
            after = game.apply(state, {seat: choice})
            if game.to_act(after) == (CHANCE,):
                expected = sum(
                    chance * exact_value(game, game.apply_chance(after, die), seat)
                    for die, chance in game.chance_outcomes(after)
                )
            else:
                expected = exact_value(game, after, seat)
            assert expected == pytest.approx(2 * judged(game, state)[choice] - 1, abs=1e-9)


def test_two_points_are_won_by_anything_but_a_1() -> None:
    """Each roll wins with 5/6, so the first player wins with 6/7."""
    assert chances(2)[0, 0, 0] == pytest.approx(6 / 7)
    assert exact_value(Pig(2), Pig(2).initial_state(), 1) == pytest.approx(-5 / 7)


@pytest.mark.parametrize("agent", ["greedy", "expectimax:depth=1", "expectimax:depth=2"])
def test_general_agents_choose_what_is_best(agent: str) -> None:
    game = Pig(10)
    player, thinking = make_agent(agent, game), Thinking(random.Random(1))
    player.reset(game, 0)
    for state in positions(game, 30):
        worth = judged(game, state)
        choice = player.act(game.observe(state, state.player), thinking)
        assert worth[choice] == pytest.approx(max(worth.values()), abs=1e-9)


def test_the_general_analyst_is_exact_if_the_heuristic_is() -> None:
    game = Pig(10)
    analyst = analyst_for(game)
    for state in positions(game, 20):
        value = analyst.value(state)
        seat = state.player
        assert value.returns[seat] == pytest.approx(exact_value(game, state, seat), abs=1e-9)
        judgement = analyst.judge(game.observe(state, seat))
        for found in judgement.choices:
            wanted = 2 * judged(game, state)[found.action] - 1
            assert found.returns[seat] == pytest.approx(wanted, abs=1e-9)
    check_analyst(analyst, seeds=range(2), max_plies=40)


@pytest.mark.parametrize("seed", range(4))
def test_a_review_counts_what_was_given_away_and_what_was_luck(seed: int) -> None:
    game = Pig(10)
    match = Match(game, seed=seed)
    play(match, [make_agent("random", game), make_agent("random", game)])
    review = review_of(ReviewedGame(match, ["Ann", "Ben"]), analyst_for(game))
    given_away = [0.0, 0.0]
    luck = 0.0
    for ply, step in enumerate(match.steps):
        state = match.state_at(ply)
        if step.outcome is not None:
            after = match.state_at(ply + 1)
            luck += exact_value(game, after, 0) - exact_value(game, state, 0)
        else:
            worth = judged(game, state)
            done = step.joint[state.player]
            given_away[state.player] += 2 * (max(worth.values()) - worth[done])
    for seat in (0, 1):
        one = review.summary(seat)
        assert one.own == pytest.approx(-given_away[seat], abs=1e-9)
        assert one.luck == pytest.approx(luck if seat == 0 else -luck, abs=1e-9)
        assert one.start + one.luck + one.own + one.others + one.rest == pytest.approx(one.result)
