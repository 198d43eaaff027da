"""Luck in tournaments, against values that are known in another way."""

from __future__ import annotations

import pytest

from boardgames_cli.core.match import Match
from boardgames_cli.registry import make
from boardgames_cli.tournament.worker import luck_of


def test_luck_is_zero_on_average_over_all_outcomes() -> None:
    game = make("kuhn", hands=1)
    mean, spread = [0.0, 0.0], 0.0
    for deal, chance in game.chance_outcomes(game.initial_state()):
        match = Match(game, seed=1)
        match.submit_chance(deal)
        for seat, value in enumerate(luck_of(match)):
            mean[seat] += chance * value
            spread += abs(value)
    assert mean == pytest.approx([0.0, 0.0], abs=1e-12)
    assert spread > 0.1
