"""Positions from outside: every wrong field is refused, and the message names it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.sketches import cases

Data = dict[str, Any]
HUGE = 10**30
# Row 1: A stands on a bomb; row 2 has flames with a power-up below; row 3 a bomb on a power-up.
ROWS = [
    "..1.....",
    ".a2.....",
    "44......",
    "3..6....",
    "........",
    "........",
    "......b.",
    "........",
]


def duel() -> Data:
    def agent(id: int, row: int, column: int) -> Data:
        pocket = {"ammo": 1, "blast_strength": 3, "can_kick": False}
        return {"id": id, "alive": True, "pos": [row, column], **pocket}

    def bomb(row: int, column: int, direction: int) -> Data:
        place = {"pos": [row, column], "dir": direction}
        return {**place, "life": 5, "blast_strength": 3, "bomber": 0}

    value = {".": 0, "a": 10, "b": 11}
    return {
        "board": [[value[sign] if sign in value else int(sign) for sign in row] for row in ROWS],
        "agents": [agent(0, 1, 1), agent(1, 6, 6)],
        "bombs": [bomb(1, 1, 0), bomb(3, 0, 4)],
        "flames": [{"pos": [2, 0], "life": 2}, {"pos": [2, 1], "life": 0}],
        "items": [[[1, 2], 6], [[2, 1], 7], [[3, 0], 8]],
        "step": 12,
    }


def put(path: str, value: object) -> Callable[[Data], None]:
    """A change of one place, such as ``bombs.0.life``."""

    def change(data: Data) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        place: Any = data
        for part in way:
            place = place[part]
        place[last] = value

    return change


def spoilt(*changes: tuple[str, object]) -> Data:
    data = copy.deepcopy(duel())
    for path, value in changes:
        put(path, value)(data)
    return data


def refusal(data: Data, game: Pommerman) -> str:
    with pytest.raises(PositionError) as refused:
        game.from_json(data)
    return str(refused.value)


def test_the_position_itself_is_possible() -> None:
    game = Pommerman(mode="duel")
    state = game.from_json(duel())
    assert game.to_json(state) == duel()
    assert (state.hidden, state.powers) == ((1 << 10, 1 << 17, 0), (1 << 27, 0, 1 << 24))


NUMBERS = [
    ("agents.0.ammo", 0, 100_000),
    ("agents.1.blast_strength", 1, 100_000),
    ("bombs.0.life", 1, 100_000),
    ("bombs.1.blast_strength", 1, 100_000),
    ("bombs.0.bomber", 0, 1),
    ("bombs.1.dir", 0, 4),
    ("flames.0.life", 0, 2),
    ("step", 0, 800),
]


def called(path: str) -> str:
    """How messages name a place: ``bombs[0].life``."""
    parts = path.split(".")
    return parts[0] if len(parts) == 1 else f"{parts[0]}[{parts[1]}].{parts[2]}"


@pytest.mark.parametrize(("path", "low", "high"), NUMBERS)
def test_numbers_are_whole_and_within_their_bounds(path: str, low: int, high: int) -> None:
    game = Pommerman(mode="duel")
    numbers: list[Any] = [low - 1, high + 1, -1, HUGE, -HUGE]
    for wrong in [*numbers, True, False, 1.0, "1", None, [1], {}]:
        message = refusal(spoilt((path, wrong)), game)
        assert message.startswith(f"{called(path)} is {wrong!r}."), wrong
        assert f"a whole number from {low} to {high}" in message
    for right in (low, high):
        data = spoilt((path, right))
        assert game.to_json(game.from_json(data)) == data


@pytest.mark.parametrize("path", ["agents.0.pos", "bombs.1.pos", "flames.0.pos"])
@pytest.mark.parametrize(
    "wrong", [None, "11", [1], [1, 2, 3], [8, 0], [0, -1], [True, 1], [0, HUGE]]
)
def test_places_are_two_numbers_on_the_board(path: str, wrong: object) -> None:
    message = refusal(spoilt((path, wrong)), Pommerman(mode="duel"))
    assert message.startswith(f"{called(path)} is ")
    assert "[row, column]" in message or "from 0 to 7" in message


LISTS = [
    ("agents", ("id", "alive", "pos", "ammo", "blast_strength", "can_kick")),
    ("bombs", ("pos", "life", "blast_strength", "bomber", "dir")),
    ("flames", ("pos", "life")),
]


@pytest.mark.parametrize(("field", "keys"), LISTS)
def test_entries_have_all_their_keys_and_no_others(field: str, keys: tuple[str, ...]) -> None:
    game = Pommerman(mode="duel")
    no_lists: list[Any] = [None, 3, "text", {}, {"0": 1}]
    for wrong in no_lists:
        assert refusal(spoilt((field, wrong)), game).startswith(
            f"{field} is not a list: {wrong!r}."
        )
    no_entries: list[Any] = [None, [], 7, {}]
    for wrong in no_entries:
        assert refusal(spoilt((f"{field}.1", wrong)), game).startswith(f"{field}[1] is {wrong!r}.")
    for key in keys:
        data = duel()
        del data[field][0][key]
        assert f"It has: {', '.join(keys)}." in refusal(data, game)
    assert refusal(spoilt((f"{field}.0.more", 1)), game).startswith(f"{field}[0] is ")


BREAKS = [
    ("an unknown field", [("extra", 1)], 'unknown field "extra"'),
    ("no board", [("board", None)], "board has not 8 rows, as mode duel needs"),
    ("a board too small", [("board", [[0] * 7] * 7)], "board has not 8 rows"),
    ("a row too long", [("board.3", [0] * 9)], "board row 3 has not 8 cells"),
    ("a row of text", [("board.3", "3..6....")], "board row 3 has not 8 cells"),
    ("an unknown number", [("board.4.5", 9)], "board r4c5 is 9"),
    ("fog", [("board.4.5", 5)], "board r4c5 is 5"),
    ("a truth for a number", [("board.4.5", True)], "board r4c5 is True"),
    ("a fraction", [("board.4.5", 1.0)], "board r4c5 is 1.0"),
    ("a list in a cell", [("board.4.5", [1])], "board r4c5 is [1]"),
    ("a huge number", [("board.4.5", HUGE)], "board r4c5 is 1000"),
    ("an agent of another mode", [("board.4.5", 12)], "board r4c5 is 12"),
    ("too few agents", [("agents", [])], "agents has 0 agents, but mode duel has 2"),
    ("ids out of order", [("agents.0.id", 1)], "agents[0].id is 1, not 0"),
    ("a truth for an id", [("agents.1.id", True)], "agents[1].id is True, not 1"),
    ("two agents in a cell", [("agents.1.pos", [1, 1])], "agents 0 and 1 both stand on r1c1"),
    (
        "an agent where the board has none",
        [("agents.1.pos", [5, 5])],
        "agent 1 stands on r5c5, where the board shows 0, not 11",
    ),
    (
        "an agent in a wall",
        [("agents.1.pos", [0, 2])],
        "agent 1 stands on r0c2, where the board shows 1, not 11",
    ),
    (
        "an agent drawn twice",
        [("board.5.5", 11)],
        "the board shows 11 on r5c5, but agent 1 does not",
    ),
    ("a dead agent drawn", [("agents.1.alive", False)], "11 on r6c6, but agent 1 does not stand"),
    ("two bombs in a cell", [("bombs.1.pos", [1, 1])], "two bombs lie on r1c1"),
    (
        "a bomb on a wall",
        [("bombs.0.pos", [0, 2])],
        "r0c2 is listed in bombs, but the board shows 1",
    ),
    ("a bomb on wood", [("bombs.0.pos", [1, 2])], "r1c2 is listed in bombs, but the board shows 2"),
    ("a bomb nowhere", [("bombs.0.pos", [7, 7])], "r7c7 is listed in bombs, but the board shows 0"),
    ("a bomb in flames", [("bombs.0.pos", [2, 0])], "a bomb and a flame both lie on r2c0"),
    (
        "a drawn bomb not listed",
        [("board.7.7", 3)],
        "r7c7 is not listed in bombs, but the board sh",
    ),
    ("a drawn flame not listed", [("board.7.7", 4)], "r7c7 is not listed in flames, but the board"),
    (
        "a flame not drawn",
        [("flames.0.pos", [7, 7]), ("board.2.0", 0)],
        "r7c7 is listed in flames, but the board shows 0",
    ),
    (
        "a flame under an agent",
        [("flames.0.pos", [6, 6]), ("board.2.0", 0)],
        "r6c6 is listed in flames, but the board shows 11",
    ),
    (
        "two equal flames",
        [("flames.0", {"pos": [2, 1], "life": 0})],
        "two flames of life 0 lie on r2c1",
    ),
    ("items that are not a list", [("items", None)], "items is not a list"),
    ("an item that is not a pair", [("items.0", [[1, 2]])], "items[0] is [[1, 2]]"),
    ("an item without a place", [("items.1", [None, 6])], "items[1] is None"),
    ("an item off the board", [("items.1", [[8, 0], 6])], "items[1] is 8"),
    ("an unknown power-up", [("items.1", [[2, 1], 9])], "items[1] is 9"),
    ("a wall for a power-up", [("items.1", [[2, 1], 1])], "items[1] is 1"),
    ("two items in a cell", [("items.1", [[1, 2], 7])], "two items lie on r1c2"),
    ("an item in the open", [("items.1", [[5, 5], 7])], "items lists r5c5, which is neither wood"),
    ("an item in a wall", [("items.1", [[0, 2], 7])], "items lists r0c2, which is neither wood"),
    ("words without a radio", [("messages", [[0, 0]] * 2)], "there is no radio in mode duel"),
    ("fallen is not a list", [("fallen", 1)], "fallen is not a list"),
    ("the living among the fallen", [("fallen", [0])], "fallen lists seat 0, which is alive"),
    ("a seat that is none", [("fallen", [2])], "fallen is 2"),
    ("a truth for a seat", [("fallen", [True])], "fallen is True"),
    ("reruns without the option", [("reruns", 1)], "reruns is 1"),
]


@pytest.mark.parametrize(("changes", "message"), cases(BREAKS))
def test_impossible_positions_are_refused(changes: list[tuple[str, object]], message: str) -> None:
    assert message in refusal(spoilt(*changes), Pommerman(mode="duel"))


@pytest.mark.parametrize("mode", ["ffa", "team", "radio"])
def test_a_position_of_another_mode_is_refused(mode: str) -> None:
    assert f"board has not 11 rows, as mode {mode} needs" in refusal(duel(), Pommerman(mode=mode))


def of_radio() -> Data:
    game = Pommerman(mode="radio")
    corners = [game.step_rules.grid.place(cell) for cell in game.board_spec.agents]
    board = [[0] * 11 for _ in range(11)]
    pocket = {"ammo": 1, "blast_strength": 3, "can_kick": False}
    agents = []
    for seat, (row, column) in enumerate(corners):
        alive = seat != 3
        board[row][column] = 10 + seat if alive else 0
        agents.append({"id": seat, "alive": alive, "pos": [row, column], **pocket})
    lists: Data = {"bombs": [], "flames": [], "items": []}
    return {"board": board, "agents": agents, **lists, "step": 3}


WORDS = [
    ("no list", "hello", "messages is not a list of 4 pairs"),
    ("too few", [[1, 1]] * 3, "messages is not a list of 4 pairs"),
    ("a number for words", [3, [0, 0], [0, 0], [0, 0]], "messages[0] is 3"),
    ("one word", [[0, 0], [1], [0, 0], [0, 0]], "messages[1] is [1]"),
    ("three words", [[0, 0], [1, 2, 3], [0, 0], [0, 0]], "messages[1] is [1, 2, 3]"),
    ("a word above 8", [[0, 0], [9, 1], [0, 0], [0, 0]], "messages[1] is 9"),
    ("a word below 0", [[0, 0], [1, -1], [0, 0], [0, 0]], "messages[1] is -1"),
    ("a truth for a word", [[True, 1], [0, 0], [0, 0], [0, 0]], "messages[0] is True"),
    ("half a silence", [[0, 0], [0, 0], [1, 0], [0, 0]], "messages[2] is [1, 0]"),
    ("the other half", [[0, 0], [0, 0], [0, 8], [0, 0]], "messages[2] is [0, 8]"),
    ("words of the dead", [[0, 0], [0, 0], [0, 0], [1, 1]], "but the dead are silent"),
]


@pytest.mark.parametrize(("words", "message"), cases(WORDS))
def test_wrong_words_are_refused(words: object, message: str) -> None:
    assert message in refusal(of_radio() | {"messages": words}, Pommerman(mode="radio"))


def test_who_fell_in_this_step_was_heard_once_more() -> None:
    said = [[0, 0], [0, 0], [0, 0], [7, 1]]
    state = Pommerman(mode="radio").from_json(of_radio() | {"messages": said, "fallen": [3]})
    assert (state.words[3], state.fallen) == ((7, 1), (3,))


def test_words_that_are_left_out_are_silence() -> None:
    game = Pommerman(mode="radio")
    assert game.from_json(of_radio()).words == ((0, 0),) * 4
    said = [[1, 8], [8, 1], [0, 0], [0, 0]]
    assert game.from_json(of_radio() | {"messages": said}).words == ((1, 8), (8, 1), (0, 0), (0, 0))


@pytest.mark.parametrize("fallen", [[1, 0], [0, 0]])
def test_the_fallen_are_listed_once_and_in_order(fallen: list[int]) -> None:
    data = spoilt(("agents.0.alive", False), ("agents.1.alive", False), ("board.1.1", 3))
    data = data | {"board": [[0 if v == 11 else v for v in row] for row in data["board"]]}
    game = Pommerman(mode="duel")
    assert "each seat once, ascending" in refusal(data | {"fallen": fallen}, game)
    assert game.from_json(data | {"fallen": [0, 1]}).fallen == (0, 1)


@pytest.mark.parametrize("wrong", [-1, 100, HUGE, True, "1", 1.0, None, [1]])
def test_reruns_are_counted_up_to_a_limit(wrong: object) -> None:
    game = Pommerman(mode="duel", rerun_ties=True)
    assert refusal(duel() | {"reruns": wrong}, game).startswith(f"reruns is {wrong!r}.")
    for right in (0, 1, 2, 3, 99):
        assert game.from_json(duel() | {"reruns": right}).reruns == right
    assert Pommerman(mode="duel").from_json(duel() | {"reruns": 0}).reruns == 0


EMPTY: Data = {"board": [], "agents": [], "bombs": [], "flames": [], "items": [], "step": 0}


def test_the_empty_table_is_a_position_too() -> None:
    game = Pommerman(mode="radio", rerun_ties=True)
    assert game.from_json(EMPTY) == PommermanState() == game.initial_state()
    for key, value in (("step", 1), ("step", False), ("bombs", [1]), ("agents", None)):
        assert "board has not 11 rows" in refusal(EMPTY | {key: value}, game)
    for key, value in (("messages", []), ("fallen", []), ("reruns", 1)):
        assert f"{key} is given, but the board has not been laid out" in refusal(
            EMPTY | {key: value}, game
        )


def test_what_a_seat_sees_is_no_position_to_go_on_from() -> None:
    game = Pommerman(mode="duel")
    seen = game.to_json(game.redact(game.from_json(duel()), 0))
    assert refusal(seen, game).startswith("agents[1].ammo is None.")
