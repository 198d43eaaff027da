"""What the estimate of a position says: more brought home is better, a tighter tank is worse."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.games.deepsea.heuristic import evaluate
from boardgames_cli.games.deepsea.rules import DeepSea
from tests.games.deepsea.test_rules import sea

GAME = DeepSea(players=2)


def test_at_home_a_load_is_worth_its_level() -> None:
    values = []
    for level in (1, 2, 3, 4):
        held = [[[level]], []]
        state = sea(GAME, phase="dice", pos=[0, 9], dir=[0, 1], held=held, done=[True, False],
                    blank=[8 * level - 1], current=1)  # fmt: skip
        values.append(evaluate(GAME, state, 0))
    assert values == sorted(values)
    assert values[0] > 0


@pytest.mark.parametrize("points", [0, 7, 40])
def test_points_that_are_banked_count_in_full(points: int) -> None:
    over = sea(GAME, phase="over", round=3, pos=[0, 0], dir=[0, 0], points=[points, 3],
               by_round=[[0, 0], [0, 0], [points, 3]])  # fmt: skip
    assert evaluate(GAME, over, 0) == points
    assert evaluate(GAME, over, 1) == 3


@pytest.mark.parametrize(
    "nearer",
    [
        [{"pos": [14, 6], "held": [[[2], [2]], []], "blank": [13, 14], "oxygen": oxygen}
         for oxygen in range(1, 26)],
        [{"pos": [place, 6], "held": [[[4]], []], "blank": [30], "oxygen": 7}
         for place in range(24, 8, -1)],
    ],
    ids=["more oxygen", "a shorter way home"],
)  # fmt: skip
def test_what_brings_a_load_home_is_never_worse(nearer: list[dict[str, Any]]) -> None:
    values = [evaluate(GAME, sea(GAME, phase="dice", dir=[0, 1], **one), 0) for one in nearer]
    assert values == sorted(values)
    assert values[0] < values[-1]
