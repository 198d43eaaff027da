"""Connect Four is played as RULES.md says, and as large as published."""

from __future__ import annotations

from pathlib import Path

import pytest
from boardgames_cli import GameError, load_record
from boardgames_cli.algorithms.game_tree import count_nodes, successors

from boardgames_connect4.rules import Rules, State


def after(moves: str) -> State:
    """The state after some moves, such as "dde"."""
    game = Rules()
    state = game.initial_state()
    for letter in moves:
        state = game.apply(state, {state.player: game.parse(state, state.player, letter)})
    return state


def test_histories_are_counted_right() -> None:
    # Nothing is full and nobody has won before ply 7: 7 choices at every node.
    game = Rules()
    counts = count_nodes(game, game.initial_state(), depth=4)
    assert (counts.decision, counts.terminal) == (1 + 7 + 49 + 343 + 2401, 0)


def test_positions_are_as_many_as_published() -> None:
    # J. Tromp, "John's Connect Four Playground": positions after 0, 1, 2 ... moves.
    game = Rules()
    layer = {game.initial_state()}
    for expected in (1, 7, 49, 238, 1120, 4263):
        assert len(layer) == expected
        layer = {state for before in layer for _, state in successors(game, before)}


@pytest.mark.parametrize("moves", ["adadada", "aabbccd", "abbccdcddgd"])
def test_four_in_a_row_win(moves: str) -> None:
    game = Rules()
    assert game.to_act(after(moves[:-1])) == (0,)
    assert game.to_act(after(moves)) == ()
    assert game.returns(after(moves)) == (1.0, -1.0)


def test_a_full_column_is_refused_with_the_reason() -> None:
    with pytest.raises(GameError, match="illegal: column d is full"):
        Rules().parse(after("dddddd"), 0, "d")


def test_impossible_positions_are_refused() -> None:
    game = Rules()
    for columns, problem in [
        ([[0, 0], [], [], [], [], [], []], "take turns"),
        ([[0, 1] * 4, [], [], [], [], [], []], "8 discs in column a"),
        ([[0], [], []], "has 3 columns"),
        ([[0, 0, 0, 0], [1, 1, 1, 1], [], [], [], [], []], "did not end the game"),
        ([[2], [], [], [], [], [], []], "columns"),
    ]:
        with pytest.raises(GameError, match=problem):
            game.from_json({"columns": columns})


def test_a_recorded_game_goes_as_it_went() -> None:
    record = load_record(Path(__file__).with_name("playthrough.jsonl"))
    match = record.restore(Rules())
    assert match.is_over
    assert match.returns == record.result
