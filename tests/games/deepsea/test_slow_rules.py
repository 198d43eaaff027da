"""The rules against a slow second reading, in whole games with every kind of option."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.chips import BLANK, DOTS, GONE
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState
from tests.games.deepsea import slow_rules
from tests.games.deepsea.slow_rules import OVER, Table
from tests.games.deepsea.test_laws import GAMES


def table_for(game: DeepSea) -> Table:
    return Table(game.players, game.rounds, game.oxygen, game.drop, game.stacks)


def compare(game: DeepSea, state: DeepSeaState, table: Table) -> None:
    """The same position, the same to act, the same choices and chances."""
    places = {0: 0}
    for place, chip in enumerate(state.trail, start=1):
        if chip != GONE:
            places[place] = len(places)
    if table.waits_for != "start":
        assert state.oxygen == table.oxygen
        assert state.current == table.turn
    assert [list(DOTS[c]) if c != BLANK else [] for c in state.trail if c != GONE] == table.trail
    for seat, diver in enumerate(table.divers):
        assert places[state.places[seat]] == diver.place
        assert state.diving[seat] == diver.is_diving
        assert [list(DOTS[chip]) for chip in state.held[seat]] == diver.load
        assert game.returns(state)[seat] == diver.points
    actors = game.to_act(state)
    if table.actor == OVER:
        assert actors == ()
    elif table.actor == slow_rules.CHANCE:
        assert actors == (CHANCE,)
        wanted = table.chances()
        given = {str(outcome): chance for outcome, chance in game.chance_outcomes(state)}
        assert given == pytest.approx(wanted)
    else:
        assert actors == (table.actor,)
        assert {str(action) for action in game.legal_actions(state, actors[0])} == table.choices()


def play_both(game: DeepSea, seed: int, boldness: float) -> int:
    """A random game by both rules; how many steps it took.

    Args:
        game: The rulebook.
        seed: Of the random game.
        boldness: How often a diver dives on, takes or drops where it may.
    """
    rng = random.Random(seed)
    state, table = game.initial_state(), table_for(game)
    steps = 0
    compare(game, state, table)
    while seats := game.to_act(state):
        if seats == (CHANCE,):
            outcome = game.sample_chance(state, rng)
            state, said = game.apply_chance(state, outcome), str(outcome)
        else:
            legal = game.legal_actions(state, seats[0])
            eager = [
                action for action in legal if str(action).split()[0] in ("dive", "take", "drop")
            ]
            action = rng.choice(eager if rng.random() < boldness else legal)
            state, said = game.apply(state, {seats[0]: action}), str(action)
        table.play(said)
        compare(game, state, table)
        steps += 1
    return steps


@settings(max_examples=80, deadline=None)
@given(GAMES, st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.7, 0.95]))
def test_both_agree_through_whole_games(game: DeepSea, seed: int, boldness: float) -> None:
    assert play_both(game, seed, boldness) > game.rounds


@pytest.mark.parametrize(
    ("players", "drop", "stacks"), [(2, "choose", True), (6, "choose", False), (6, "lowest", True)]
)
def test_both_agree_where_the_sea_is_crowded_and_deep(
    players: int, drop: str, stacks: bool
) -> None:
    game = DeepSea(players=players, rounds=6, oxygen=90, drop=drop, stacks=stacks)
    for seed in range(4):
        assert play_both(game, seed, 0.6) > 50


@pytest.mark.parametrize(("fact", "wrong"), [("oxygen", 24), ("turn", 2), ("waits_for", "chip")])
def test_the_comparison_can_fail(fact: str, wrong: object) -> None:
    game = DeepSea(players=3)
    table, state = table_for(game), game.initial_state()
    start = game.chance_outcomes(state)[0][0]
    state = game.apply_chance(state, start)
    table.play(str(start))
    compare(game, state, table)
    setattr(table, fact, wrong)
    with pytest.raises(AssertionError):
        compare(game, state, table)
