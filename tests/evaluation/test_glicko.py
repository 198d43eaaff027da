from __future__ import annotations

import math

import pytest

from boardgames_cli.evaluation.milestones import PlayerRating, rating_of
from boardgames_cli.storage.played_games import PlayedGame


def test_the_published_example() -> None:
    """Glickman's: beats 1400 (RD 30), loses to 1550 (100) and 1700 (300)."""
    now = PlayerRating(deviation=200)
    after = now.after([(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)])
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize(("ahead", "score"), [(600, 0), (0, 0.5), (200, 0), (1500, 1)])
def test_the_volatility_solves_its_equation(ahead: float, score: float) -> None:
    """Step 5: f(x) = 0, whether delta^2 is more than phi^2 + v, or less, as in the example."""
    sigma = PlayerRating(1500, 70, 1.0).after([(1500 - ahead, 0, score)]).volatility
    expected = 1 / (1 + 10 ** (-ahead / 400))
    phi, variance = 70 / 173.7178, 1 / (expected * (1 - expected))
    delta, total = variance * (score - expected), phi**2 + variance + sigma**2
    gain = sigma**2 * (delta**2 - total) / (2 * total**2)
    assert 2 * math.log(sigma) == pytest.approx(0.5**2 * gain, abs=1e-5)


def test_play_never_makes_a_rating_less_sure_nor_less_than_a_hundred() -> None:
    assert PlayerRating(101).after([(90, 0, 0)]).value == 100
    now, deviations = PlayerRating(), list[float]()
    for game in range(1000):
        now = now.after([(1400.0, 4.0, 1)])
        deviations.append(now.deviation)
        if game in (49, 999):
            lost = now.after([(1400.0, 4.0, 0)])
            assert now.value - lost.value < 100
            assert lost.deviation <= now.deviation
    assert deviations == sorted(deviations, reverse=True)
    assert deviations[-1] < 110


def test_only_games_against_rated_levels_count() -> None:
    def game(rival: str, returns: tuple[float, float]) -> PlayedGame:
        return PlayedGame(rival, "senet", "2026-01-01", (0,), ("Ann", rival), returns)

    assert rating_of([game("Ben", (1, -1))], "senet", "Ann") is None
    won = rating_of([game("Ben", (-1, 1)), game("hard", (1, -1))], "senet", "Ann")
    assert won is not None
    assert won.value > 1600
    assert rating_of([game("hard", (1, -1))], "senet", "Cid") is None
    assert rating_of([game("hard", (1, -1))], "gone", "Ann") is None
