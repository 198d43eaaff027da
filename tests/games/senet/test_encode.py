"""The array and the three encodings of moves."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.senet import encode
from boardgames_cli.games.senet.actions import MOVE, PASS, SenetMove
from boardgames_cli.games.senet.board import OFF
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet.positions import position
from tests.games.senet.test_heuristics import random_states


@pytest.mark.parametrize(
    ("state", "move", "by_house", "by_dancer", "id"),
    [
        (position([4, 11], [21], 0, 4), MOVE[11][15], (10, 4), (1, 4), 14),
        # Both spools are stopped by a row of three cones, so one must go back.
        (position([23, 24, 25], [21, 22], 1, 4), MOVE[22][18], (21, -4), (1, -4), 17),
        # Who falls into the water moves forward.
        (position([26], [4], 0, 1), MOVE[26][15], (25, 1), (0, 1), 1),
        (position([28], [4], 0, 3), MOVE[28][OFF], (27, 3), (0, 3), 3),
        (position([28], [4], 0, 5), PASS, encode.PASS_BY_HOUSE, encode.PASS_BY_DANCER, 0),
    ],
    ids=["forward", "backward", "water", "off", "pass"],
)
def test_the_encodings_of_known_moves(
    state: SenetState,
    move: SenetMove,
    by_house: tuple[int, int],
    by_dancer: tuple[int, int],
    id: int,
) -> None:
    assert encode.house_and_steps(state, move) == by_house
    assert encode.dancer_and_steps(state, move) == by_dancer
    assert Senet().action_id(state, move) == id
    assert (encode.PASS_BY_HOUSE, encode.PASS_BY_DANCER) == ((30, 0), (-1, 0))


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
@pytest.mark.parametrize("pieces", [5, 7])
def test_every_encoding_finds_its_move_again(rules: str, pieces: int) -> None:
    game = Senet(rules=rules, pieces=pieces)
    for state in random_states(game, 3):
        for action in () if state.steps is None else game.legal_actions(state, state.player):
            pair = encode.house_and_steps(state, action)
            assert encode.from_house_and_steps(game, state, pair) == action
            dancer, steps = pair = encode.dancer_and_steps(state, action)
            assert encode.from_dancer_and_steps(game, state, pair) == action
            number = steps and 10 * dancer + steps + 11 * (steps < 0)
            assert game.action_id(state, action) == number


def test_what_stands_for_no_legal_move_is_refused() -> None:
    state = position([4, 11], [21], 0, 4)
    game = Senet()
    with pytest.raises(UnknownActionError, match=r"\(9, 4\) as \(house, steps\)"):
        encode.from_house_and_steps(game, state, (9, 4))
    with pytest.raises(UnknownActionError, match=r"\(2, 4\) as \(dancer, steps\)"):
        encode.from_dancer_and_steps(game, state, (2, 4))
    with pytest.raises(UnknownActionError, match="no legal action has the id 24"):
        game.action_of(state, 24)
