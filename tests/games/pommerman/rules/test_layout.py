"""Fresh boards: the invariants on thousands of ours, on the recorded ones, and their notation."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.pommerman.actions import Layout
from boardgames_cli.games.pommerman.board import POWERS, RIGID, WOOD
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import BoardSpec, board_spec_of, draw_layout, flaw
from tests.games.pommerman.records import boards

KINDS = [(4, "four_agents_reference_defaults"), (2, "two_agents_reference_defaults")]


def recorded(kind: str) -> list[Layout]:
    return [
        Layout(
            tuple(value for row in sample["board"] for value in row),
            tuple(
                (place[0] * len(sample["board"]) + place[1], power)
                for place, power in sample["items"]
            ),
        )
        for sample in boards()[kind]["sample_boards"]
    ]


@pytest.mark.parametrize(("seats", "kind"), KINDS)
def test_two_thousand_boards_are_as_they_should_be(seats: int, kind: str) -> None:
    board_spec, rng = board_spec_of(seats), random.Random(7)
    items = 18 if seats == 4 else 8
    rigid: Counter[int] = Counter()
    powers: Counter[int] = Counter()
    for _ in range(2000):
        layout = draw_layout(board_spec, items, rng)
        assert flaw(board_spec, layout, items) == ""
        rigid.update(cell for cell, value in enumerate(layout.board) if value == RIGID)
        powers.update(power for _, power in layout.items)
    assert all(abs(powers[power] / powers.total() - 1 / 3) < 0.02 for power in POWERS)
    wanted = [share for row in boards()[kind]["rigid_frequency_by_cell"] for share in row]
    # Both are shares of 2,000 boards: five standard errors of their difference.
    assert all(abs(rigid[cell] / 2000 - share) < 0.08 for cell, share in enumerate(wanted))


@pytest.mark.parametrize(("seats", "kind"), KINDS)
def test_recorded_boards_have_the_same_plan(seats: int, kind: str) -> None:
    board_spec, wanted = board_spec_of(seats), boards()[kind]
    size = wanted["board_size"]

    def cells(name: str) -> set[int]:
        return {row * size + column for row, column in wanted[name]}

    assert set(board_spec.agents) == cells("agent_positions")
    assert board_spec.free == cells("always_passage_cells")
    assert board_spec.corridors == cells("always_wood_cells")
    assert (board_spec.rigid, board_spec.wood) == (wanted["num_rigid"], wanted["num_wood"])
    for layout in recorded(kind):
        assert flaw(board_spec, layout, wanted["num_items"]) == ""


def spoil(board_spec: BoardSpec, layout: Layout, what: str) -> Layout:
    board = list(layout.board)
    wall = next(cell for cell, value in enumerate(board) if value == RIGID)
    match what:
        case "agent":
            board[board_spec.agents[0]] = 0
        case "free":
            board[min(board_spec.free)] = WOOD
        case "corridor":
            board[min(board_spec.corridors)] = RIGID
        case "diagonal":
            board[0] = WOOD
        case "mirror":
            board[wall] = 0
        case "count":
            row, column = divmod(wall, board_spec.size)
            board[wall] = board[column * board_spec.size + row] = 0
        case "items":
            return replace(layout, items=layout.items[1:])
        case "bare":
            return replace(layout, items=((wall, 6), *layout.items[1:]))
    return replace(layout, board=tuple(board))


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("agent", "r1c1 is not where it starts"),
        ("free", "r1c2, beside an agent, is not free"),
        ("corridor", "r1c4, between two corners, is not wood"),
        ("diagonal", "r0c0, on the diagonal, is a wall"),
        ("mirror", "is not mirrored"),
        ("count", "34 rigid walls, not 36"),
        ("items", "17 walls hide a power-up, not 18"),
        ("bare", "not under wood"),
    ],
)
def test_a_wrong_board_is_refused(what: str, reason: str) -> None:
    game = Pommerman()
    layout = draw_layout(game.board_spec, 18, random.Random(3))
    assert game.parse_chance(game.initial_state(), str(layout)) == layout
    wrong = spoil(game.board_spec, layout, what)
    assert reason in flaw(game.board_spec, wrong, 18)
    if what not in ("bare", "corridor"):  # the notation can write power-ups under wood only
        with pytest.raises(UnknownActionError, match="no such board"):
            game.parse_chance(game.initial_state(), str(wrong))


def test_a_board_that_is_shut_off_is_refused() -> None:
    agents = board_spec_of(2).agents
    board = [0] * 64
    board[agents[0]], board[agents[1]] = 10, 11
    for walls, reason in (
        ([(0, 3), (1, 3)], ""),
        ([(2, 3)], "too much of the board is out of reach"),
    ):
        for row, column in walls:
            board[row * 8 + column] = board[column * 8 + row] = RIGID
        board_spec = BoardSpec(8, board.count(RIGID), 0, agents, frozenset(), frozenset())
        assert flaw(board_spec, Layout(tuple(board), ()), 0) == reason
