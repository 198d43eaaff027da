"""Connect4 keeps the contract of boardgames, with every set of options."""

from __future__ import annotations

import pytest
from boardgames_cli import AnyGame, every_option_set, find_game, make, make_agent, make_encoder
from boardgames_cli.testing import check_agent, check_encoder, check_game, check_spec, check_view

SPEC = find_game("connect4")
GAMES = [make(SPEC.info.id, **options) for options in every_option_set(SPEC.game_class())]


def test_the_manifest() -> None:
    check_spec(SPEC)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_rules_and_the_view(game: AnyGame) -> None:
    check_game(game, seeds=range(3))
    check_view(SPEC.make_view(game), seeds=range(1))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_arrays_for_learning_programs(game: AnyGame) -> None:
    pytest.importorskip("numpy")
    check_encoder(make_encoder(game), seeds=range(1))


@pytest.mark.parametrize("level", SPEC.levels)
def test_the_levels(level: str) -> None:
    game = make("connect4")
    check_agent(make_agent(level, game), game, seeds=range(1))
