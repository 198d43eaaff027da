"""The table of endings is right, and is used."""

from __future__ import annotations

import functools
import random
from itertools import product

import pytest
from boardgames_cli import CHANCE, Budget, EvaluatesActions, Match, Thinking, make_agent, play

from boardgames_ur.analyst import UrAnalyst
from boardgames_ur.endings import SCALE, rows, value, win_chance
from boardgames_ur.heuristic import evaluate
from boardgames_ur.rules import HOME, State, Ur

WAYS = (1, 4, 6, 4, 1)


def slow_chances() -> dict[tuple[int, int], float]:
    """The thrower's chance with a piece each, by rules that were written a second time."""
    chances = dict.fromkeys(product(range(15), range(15)), 0.5)

    def after(own: int, other: int, steps: int) -> float:
        end = own + steps
        if not steps or end > 15 or (end == other == 8):
            return 1 - chances[other, own]
        if end == 15:
            return 1.0
        if end == other and 5 <= end <= 12:
            other = 0
        return chances[end, other] if end in (4, 8, 14) else 1 - chances[other, end]

    while True:
        found = {
            (own, other): sum(
                ways * after(own, other, steps) for steps, ways in enumerate(WAYS)
            ) / 16
            for own, other in chances
        }  # fmt: skip
        change = max(abs(found[key] - chances[key]) for key in found)
        chances.update(found)
        if change < 1e-12:
            return chances


def test_with_a_piece_each_it_is_as_by_other_rules() -> None:
    for (own, other), chance in slow_chances().items():
        if own == other and 5 <= own <= 12:
            continue
        for pieces in (1, 7):  # pieces at home change nothing
            home = (HOME,) * (pieces - 1)
            state = State(((own, *home), (other, *home)))
            assert win_chance(state) == pytest.approx(chance, abs=1 / SCALE)


def test_the_solver_makes_the_table_that_comes_with_the_game() -> None:
    np = pytest.importorskip("numpy")
    from boardgames_ur.solver import solve

    solved, arrangements = solve(2), rows(2)
    for own, other in product(range(0, len(arrangements), 7), range(len(arrangements))):
        state = State((arrangements[own], arrangements[other]))
        if solved[own, other] and state.winner is None:
            assert win_chance(state) == pytest.approx(solved[own, other], abs=1 / SCALE)
    assert np.isfinite(solved).all()


def random_ending(rng: random.Random) -> State:
    """An ending with a throw, three pieces a side not being home, in which there is a choice."""
    game = Ur()
    while True:
        state = game.initial_state()
        while game.to_act(state):
            if game.to_act(state) == (CHANCE,):
                state = game.apply_chance(state, game.sample_chance(state, rng))
                continue
            actions = game.legal_actions(state, state.player)
            if len(actions) > 1 and value(state, 0) is not None:
                return state
            state = game.apply(state, {state.player: rng.choice(actions)})


def test_a_position_is_worth_what_follows_from_it() -> None:
    game, rng = Ur(), random.Random(1)
    for _ in range(30):
        thrown = random_ending(rng)
        state = State(thrown.pieces, thrown.player)
        mean = 0.0
        for outcome, share in game.chance_outcomes(state):
            after = game.apply_chance(state, outcome)
            values = [evaluate(game, after, state.player)]
            if after.pips is not None:
                actions = game.legal_actions(after, after.player)
                ends = [game.apply(after, {after.player: action}) for action in actions]
                values = [evaluate(game, end, state.player) for end in ends]
            mean += share * max(values)
        assert evaluate(game, state, state.player) == pytest.approx(mean, abs=4 / SCALE)


def test_games_end_as_often_as_the_table_says() -> None:
    game, won = Ur(pieces=3), 0
    agents = [make_agent("greedy", game) for _ in range(2)]
    for seed in range(400):
        won += play(Match(game, seed=seed), agents)[0] > 0
    chance = win_chance(game.initial_state())
    assert chance == pytest.approx(0.5162, abs=1e-4)
    assert won / 400 == pytest.approx(chance, abs=4 * 0.5 / 400**0.5)


@functools.cache
def ending() -> State:
    return random_ending(random.Random(5))


def test_the_best_level_and_the_review_are_exact_there() -> None:
    game, state = Ur(), ending()
    seen = game.observe(state, state.player)
    exact = {
        action: value(game.apply(state, {state.player: action}), state.player)
        for action in seen.legal
    }
    agent = make_agent("hard", game)
    assert isinstance(agent, EvaluatesActions)
    agent.reset(game, state.player)
    found = agent.evaluate_actions(seen, Thinking(random.Random(1), Budget()))
    assert found == pytest.approx(exact, abs=1e-3)
    judged = UrAnalyst(game).judge(seen)
    assert str(judged.method) == "exact: the table of endings"
    for choice in judged.choices:
        assert choice.returns[state.player] == pytest.approx(exact[choice.action], abs=1e-9)
        assert choice.error == 0
    before = State(state.pieces, state.player)
    assert UrAnalyst(game).value(before).is_exact
    assert not UrAnalyst(game).value(game.initial_state()).is_exact
