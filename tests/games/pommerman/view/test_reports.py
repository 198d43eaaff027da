"""What is told on request: what will burn, and the bombs."""

from __future__ import annotations

import random

from boardgames_cli.core.game import Observation
from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.view.pictures import DUEL, at
from tests.games.pommerman.view.pictures import calm_duel as duel


def report(game: Pommerman, seen: Observation[PommermanState, Move], word: str) -> list[str]:
    return PommermanView(game).report(seen, word, RenderContext(Glyphs.ASCII))


def test_danger_lists_all_cells_in_flames_step_by_step() -> None:
    state = duel(bombs=(Bomb(at(0, 7), 2, 2, 1, 0),), flames=(1 << at(7, 0), 1 << at(7, 1), 0))
    assert report(DUEL, DUEL.observe(state, 0), "danger") == [
        "burns in 1: r7c1",
        "burns in 2: r0c6 r0c7 r1c7",
        "burns in 3: r0c6 r0c7 r1c7",
        "burns in 4: r0c6 r0c7 r1c7",
    ]


def test_danger_says_that_nothing_burns() -> None:
    for state in (duel(), DUEL.initial_state()):
        lines = report(DUEL, DUEL.observe(state, 0), "danger")
        assert lines == ["Nothing burns in the next 10 steps."]


def test_bombs_are_listed_the_next_to_go_off_first() -> None:
    state = duel(bombs=(Bomb(at(0, 7), 9, 2, 1, 0), Bomb(at(4, 4), 3, 5, 0, 4)))
    assert report(DUEL, DUEL.observe(state, 0), "bombs") == [
        "r4c4: goes off in 3, range 5, yours, rolls right",
        "r0c7: goes off in 9, range 2, laid by B",
    ]
    assert report(DUEL, DUEL.observe(duel(), 0), "bombs") == ["No bombs in sight."]


def test_nobody_is_named_for_a_bomb_whose_owner_is_not_known() -> None:
    game = Pommerman(mode="team")
    state = crowded(game, random.Random(3))
    lines = report(game, game.observe(state, None), "bombs")
    assert lines == ["No bombs in sight."]
    lines = report(game, game.observe(state, 0), "bombs")
    assert lines
    assert not any("laid by" in line for line in lines)


def test_there_are_no_other_reports() -> None:
    assert set(PommermanView.reports) == {"danger", "bombs"}
    assert report(DUEL, DUEL.observe(duel(), 0), "weather") == []
