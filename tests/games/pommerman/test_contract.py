"""Games with options that meet nowhere else keep the contract, too."""

from __future__ import annotations

import pytest

from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.testing import check_game, check_view

GAMES = [
    Pommerman(collapse=True, steps=30, first_collapse=5),
    Pommerman(mode="team", collapse=True, steps=40, first_collapse=11, view=2, caps=True),
    Pommerman(mode="duel", items_block=True),
    Pommerman(mode="duel", collapse=True, steps=20, first_collapse=4),
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_game_keeps_the_contract(game: Pommerman) -> None:
    check_game(game, seeds=range(2), max_plies=60)


def test_the_view_shows_where_somebody_died() -> None:
    check_view(PommermanView(GAMES[0]), seeds=[0], max_plies=30)
