"""What the bundled file says of rounds is true of games by the rules."""

from __future__ import annotations

import math
import statistics

import pytest

from boardgames_cli.core.match import Match, play
from boardgames_cli.games.deepsea.agents.tuned import DiverKind, kind_of_care, points_at
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

GAMES = 150
TUNED = points_at((kind_of_care(1.0, 4),) * 4)[0]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_rounds_bring_what_was_measured_of_them(seats: int) -> None:
    game = DeepSea(players=seats)
    points: list[list[int]] = [[], [], []]
    for seed in range(GAMES):
        match = Match(game, seed=seed)
        play(match, [make_agent("risk", game) for _ in range(seats)])
        for number, of_round in enumerate(match.state.ledger.by_round):
            points[number] += of_round
    for number in (1, 2):
        diver = points_at((kind_of_care(1.0, seats),) * seats)[0]
        until = diver.points_to_come(number - 1, number + 1)
        error = math.sqrt(until.variance / len(points[number]))
        assert statistics.mean(points[number]) == pytest.approx(until.mean, abs=4 * error)
        assert statistics.pvariance(points[number]) == pytest.approx(until.variance, rel=0.25)


def test_rounds_to_come_add_up() -> None:
    both, second, third = (TUNED.points_to_come(*rounds) for rounds in ((0, 3), (0, 2), (1, 3)))
    assert both.mean == pytest.approx(second.mean + third.mean)
    assert both.variance == pytest.approx(second.variance + third.variance)


def test_nothing_is_to_come_in_the_last_round() -> None:
    last = TUNED.points_to_come(2, 3)
    assert (last.mean, last.variance) == (0.0, 0.0)


def test_rounds_that_were_not_measured_count_as_the_third() -> None:
    third, fourth = TUNED.points_to_come(1, 3), TUNED.points_to_come(2, 4)
    assert (third.mean, third.variance) == (fourth.mean, fourth.variance)


def test_a_diver_makes_the_mean_of_what_its_kind_makes_beside_each_other() -> None:
    bold, careless, careful = (kind_of_care(care, 3) for care in (0.0, 0.41, 1.0))

    def made(*others: DiverKind) -> float:
        return points_at((careful, *others))[0].points_to_come(-1, 3).mean

    both = made(bold, bold) + made(careless, careless)
    assert made(bold, careless) == pytest.approx(both / 2)
    assert made(bold, bold) < made(careless, careless), "they empty the tank"


def test_a_care_between_two_that_were_measured_makes_what_lies_between() -> None:
    cares = (0.41, 0.705, 1.0)
    low, middle, high = (points_at((kind_of_care(care, 2),) * 2)[0].rounds[0][0] for care in cares)
    assert low < middle < high
