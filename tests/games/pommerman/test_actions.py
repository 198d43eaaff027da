"""Moves, radio words and layouts: their texts, their ids, and what is refused."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.errors import IllegalActionError, UnknownActionError
from boardgames_cli.games.pommerman.actions import (
    MOVES,
    RADIO_MOVES,
    Layout,
    Move,
    radio_id,
    read_layout,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import draw_layout
from boardgames_cli.games.pommerman.state import PommermanState


def dealt(game: Pommerman) -> PommermanState:
    start = game.initial_state()
    return game.apply_chance(start, game.sample_chance(start, random.Random(1)))


def test_ids_are_those_of_learners() -> None:
    game, radio = Pommerman(), Pommerman(mode="radio")
    state, heard = dealt(game), dealt(radio)
    assert [game.action_id(state, action) for action in game.actions] == list(range(6))
    assert (game.action_count, radio.action_count) == (6, 390)
    for first in range(1, 9):
        for second in range(1, 9):
            for move in range(6):
                id = move + 6 * (8 * (first - 1) + (second - 1))
                assert radio.action_id(heard, Move(move, (first, second))) == id
                assert radio.action_of(heard, id) == Move(move, (first, second))
    assert [radio.action_id(heard, silent) for silent in MOVES] == list(range(384, 390))
    assert [radio_id(action) for action in RADIO_MOVES] == list(range(390))


def test_who_is_not_to_act_is_told_why() -> None:
    game = Pommerman()
    state = dealt(game)
    for seat, message in ((-2, "there is no seat -2"), (4, "there is no seat 4")):
        with pytest.raises(IllegalActionError, match=message):
            game.parse(state, seat, "up")
    with pytest.raises(IllegalActionError, match="the board is being laid out"):
        game.parse(game.initial_state(), 0, "up")
    with pytest.raises(UnknownActionError, match="has been laid out already"):
        game.parse_chance(state, str(draw_layout(game.board_spec, 18, random.Random(2))))


def test_a_layout_says_what_stands_where() -> None:
    layout = Layout((10, 0, 2, 1, 2, 2, 2, 0, 11), ((2, 7), (4, 6), (6, 8)))
    assert str(layout) == "layout a.7/#6+/8.b"
    assert read_layout("LAYOUT  A.7/#6+/8.B") == layout
    assert layout.size == 3
