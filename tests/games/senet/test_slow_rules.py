"""The fast rules against a slow second implementation, on any position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.testing.scene import one_step
from tests.games.senet import slow_rules
from tests.games.senet.positions import GAMES, positions, slow, text_of


def compare(game: Senet, state: SenetState) -> None:
    wanted = slow_rules.legal(slow(game, state))
    legal = game.legal_actions(state, state.player)
    assert [str(move) for move in legal] == [text_of(move) for move in wanted]
    for move, wanted_move in zip(legal, wanted, strict=True):
        after = game.apply(state, {state.player: move})
        assert slow(game, after) == slow_rules.after(slow(game, state), wanted_move)


@given(st.one_of(positions(), positions(crowded=True)))
@settings(max_examples=500, deadline=None, database=None)
def test_both_agree_on_open_and_on_crowded_boards(drawn: tuple[Senet, SenetState]) -> None:
    compare(*drawn)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_both_agree_through_whole_games(game: Senet) -> None:
    for seed in range(4):
        match: AnyMatch = Match(game, seed=seed)
        while match.waiting_for:
            if match.waiting_for != (CHANCE,):
                compare(game, match.state)
            one_step(match)


def test_throws_come_as_four_sticks_fall() -> None:
    chances = [chance for _, chance in Senet().chance_outcomes(Senet().initial_state())]
    assert chances == [4 / 16, 6 / 16, 4 / 16, 1 / 16, 1 / 16]
