"""Why one move is better, in words that the board bears out."""

from __future__ import annotations

import pytest

from boardgames_cli.games.senet.actions import MOVE
from boardgames_cli.games.senet.analyst import explain, facts_of
from boardgames_cli.games.senet.rules import Senet
from tests.games.senet.positions import position

OFF = 31


@pytest.mark.parametrize(
    ("cones", "spools", "steps", "played", "better", "kind", "text"),
    [
        (
            [4, 5, 12], [1, 2], 3, (5, 8), (12, 15), "broke a pair",
            "5>8 breaks the pair 4-5; 5>8 leaves 4 open to 10 of 16 throws (12>15: nothing)",
        ),
        (
            [28, 20], [10], 3, (20, 23), (28, OFF), "did not bear off",
            "28>off bears a dancer off; after 28>off 16 of 16 throws move forward (20>23: 14)",
        ),
        (
            [10, 20], [13], 3, (20, 23), (10, 13), "missed a swap",
            "10>13 swaps and sends one of the spools back 3",
        ),
        ([8, 10], [3], 1, (10, 11), (8, 9), "did not make a pair", "8>9 makes the pair 9-10"),
        (
            [26, 10], [3], 1, (26, 15), (10, 11), "went into the Water",
            "26>15 falls into the Water",
        ),
    ],
)  # fmt: skip
def test_the_weightiest_difference_comes_first(
    cones: list[int],
    spools: list[int],
    steps: int,
    played: tuple[int, int],
    better: tuple[int, int],
    kind: str,
    text: str,
) -> None:
    one, other = (MOVE[start][end] for start, end in (played, better))
    reason = explain(Senet(), position(cones, spools, 0, steps), one, other)
    assert (reason.kind, reason.text) == (kind, text)


def test_throws_are_counted_by_the_falls_of_the_sticks() -> None:
    # From 1 and 2 the lone cone on 4 is met by a 3 and by a 2: 4 and 6 of 16 falls.
    facts = facts_of(Senet(), position([4, 12], [1, 2], 0, 3), MOVE[12][15])
    assert (facts.open_houses, facts.open_falls) == ((4,), 10)


def test_where_nothing_else_differs_the_dancers_are_named() -> None:
    state = position([2, 7], [29], 0, 2)
    reason = explain(Senet(), state, MOVE[2][4], MOVE[7][9])
    assert reason.kind == "moved the wrong dancer"
    assert reason.text == "7>9 leaves dancers on 2 and 9; 2>4 leaves them on 4 and 7"
