"""Games with options that meet nowhere else keep the contract, too."""

from __future__ import annotations

import pytest

from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.testing import check_game, check_view
from tests.games.pommerman.rules.test_rerun import SHORT, short

FALLING = Pommerman(collapse=True, steps=30, first_collapse=5)
FOGGY = Pommerman(mode="team", view=3, collapse=True, steps=30, first_collapse=5)
GAMES = [
    FALLING,
    Pommerman(mode="team", collapse=True, steps=40, first_collapse=11, view=2, caps=True),
    Pommerman(mode="duel", items_block=True),
    Pommerman(mode="duel", collapse=True, steps=20, first_collapse=4),
    *(short(mode, view=2) for mode in ("ffa", "team", "radio", "duel")),
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_game_keeps_the_contract(game: Pommerman) -> None:
    check_game(game, seeds=range(2), max_plies=60)


@pytest.mark.parametrize("game", [FALLING, FOGGY, SHORT], ids=repr)
def test_the_view_keeps_the_contract(game: Pommerman) -> None:
    check_view(PommermanView(game), seeds=[0], max_plies=30)
