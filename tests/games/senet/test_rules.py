"""The laws of Senet, on any position and through whole games."""

from __future__ import annotations

from collections import Counter

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.games.senet.rules import Senet
from tests.games.senet.positions import GAMES


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_whole_game_has_one_winner_and_the_turns_the_throws_give(game: Senet) -> None:
    for seed in range(6):
        match = Match(game, seed=seed)
        throws: Counter[str] = Counter()
        while match.waiting_for:
            if match.waiting_for == (CHANCE,):
                throws[str(match.resolve_chance())] += 1
                continue
            seat = match.state.player
            choices = game.legal_actions(match.state, seat)
            match.submit(seat, match.rng("any").choice(choices))
        assert sorted(match.returns) == [-1.0, 1.0]
        winner = match.returns.index(1.0)
        assert (match.state.side(winner), bool(match.state.side(1 - winner))) == (0, True)
        assert next(iter(match.steps[-1].joint)) == winner
        assert set(throws) <= {f"throw {steps}" for steps in range(1, 6)}


def test_throws_come_as_four_sticks_fall() -> None:
    chances = {
        str(throw): chance for throw, chance in Senet().chance_outcomes(Senet().initial_state())
    }
    wanted = [4 / 16, 6 / 16, 4 / 16, 1 / 16, 1 / 16]
    assert list(chances.values()) == wanted
