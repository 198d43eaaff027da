"""Q-tables of TapnSwap-RL.

The fixtures are made here: the order of lines and columns is worked out by hand from the format.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.action_value_table import read_table
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.core.agent import Thinking
from boardgames_cli.games.tapnswap.actions import Swap, Tap
from boardgames_cli.games.tapnswap.rl_tables import column_of, read_rl_table
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.registry import make_agent
from tests.conftest import Program

GAME = TapnSwap()
# Twenty pairs of different hands come first, 0-1 to 4-3, then five pairs of equal ones.
START = 21 * 25 + 21
"""The line of 1-1 against 1-1."""
FIRST = 21
"""The line of 0-1 against 1-1."""


def file_of(cells: dict[tuple[int, int], float], comma: str = ",") -> str:
    rows = [
        [f"{cells.get((line, column), 0.0):.18e}" for column in range(8)] for line in range(625)
    ]
    return "".join(comma.join(row) + "\n" for row in rows)


def values_of(state: TapnSwapState, path: Path) -> dict[str, float]:
    agent: Any = make_agent(f"q-table:file={path}", GAME)
    agent.reset(GAME, state.player)
    seen = GAME.observe(state, state.player)
    values = agent.evaluate_actions(seen, Thinking(random.Random(1)))
    return {str(action): value for action, value in values.items()}


@pytest.mark.parametrize("comma", [",", ";"])
def test_a_table_is_read_as_it_was_stored(tmp_path: Path, comma: str) -> None:
    path = tmp_path / "model.csv"
    path.write_text(file_of({(START, 0): 5.0, (START, 4): -2.5, (FIRST, 2): 10.0}, comma))
    start = GAME.initial_state()
    # Of the two mirrored swaps the project has one; both are worth as much.
    assert values_of(start, path) == {"tap L>L": 0.5, "swap 0-2": -0.25, "swap 2-0": -0.25}
    assert values_of(TapnSwapState(((1, 1), (0, 1)), 1), path)["tap R>L"] == 1.0
    # Positions are not mirrored: it knows nothing of 1-0.
    assert values_of(TapnSwapState(((1, 1), (1, 0)), 1), path)["tap L>L"] == 0.0


def test_visits_lie_in_a_folder_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "model.csv"
    path.write_text(file_of({(START, 0): 5.0}))
    assert dict(read_table(path, read_rl_table).facts())["learned from"] == "0 moves"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "count_model.csv").write_text(file_of({(START, 0): 7.0, (START, 4): 2.0}))
    table = read_table(path, read_rl_table)
    assert table.rows["1111"] == {"2111": (0.5, 7), "1102": (0.0, 2), "1120": (0.0, 2)}
    assert dict(table.facts())["made by"] == "TapnSwap-RL"


@pytest.mark.parametrize(
    ("own", "action", "column"),
    [
        ((1, 1), Tap(1, 0), 2),
        ((1, 1), Swap(0, 2), 4),
        ((2, 1), Swap(3, 0), 6),
        ((2, 1), Swap(0, 3), 6),  # the left hand would give two: the right one gives one
        ((1, 2), Swap(0, 3), 4),
        ((3, 1), Swap(2, 2), 4),
        ((3, 1), Swap(4, 0), 6),
        ((3, 1), Swap(0, 4), 6),
        ((2, 2), Swap(0, 4), 5),
        ((4, 0), Swap(2, 2), 5),
        ((0, 4), Swap(1, 3), 6),
        ((0, 4), Swap(2, 2), 7),
        ((3, 2), Swap(4, 1), 6),
        ((2, 4), Swap(3, 3), 6),
    ],
)
def test_columns(own: tuple[int, int], action: Any, column: int) -> None:
    assert column_of(own, action) == column


def test_of_two_taps_that_kill_one_hand_the_better_counts(tmp_path: Path) -> None:
    own, opponent = (1, 2), (0, 4)
    line = 25 * 5 + 3  # of 0-1 0-2 0-3 0-4 1-0 1-2 ..., counted from 0
    path = tmp_path / "model.csv"
    path.write_text(file_of({(line, 1): 3.0, (line, 3): 9.0}))
    found = values_of(TapnSwapState((own, opponent), 0), path)
    assert (found["tap L>R"], found["tap R>R"]) == (0.9, 0.9)


def test_our_table_beats_a_weak_one_of_theirs(tmp_path: Path, program: Program) -> None:
    Path("weak.csv").write_text(file_of({(START, 0): 5.0}))
    words = ("--json", "--no-save", "--seed", "4")
    seats = ("-s", "q-table:file=weak.csv,level=perfect", "-s", "q-table:level=perfect")
    done = program("watch", "tapnswap", *words, *seats)
    assert done.code == 0, done.err
    assert '"winners": [\n    1\n  ]' in done.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,0,0,0,0,0,0,0\n", "it has 1 lines, not 625."),
        (file_of({}) + "0,0,0,0,0,0,0,0\n", "it has 626 lines, not 625."),
        (f"{file_of({}).rstrip()},0\n", "line 625 is not 8 numbers up to"),
        (file_of({(7, 7): 1e9}), "line 8 is not 8 numbers up to"),
        (file_of({(7, 7): float("nan")}), 'line 8: "nan" is not a finite number.'),
        (file_of({(2, 0): float("inf")}), 'line 3: "inf" is not a finite number.'),
        (file_of({}).replace("0.0", "zero", 1), 'line 1: "zero'),
    ],
)
def test_damaged_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "model.csv"
    path.write_text(text)
    with pytest.raises(LearnedFileError) as error:
        read_table(path, read_rl_table)
    assert message in error.value.message
    assert str(path) in error.value.message
