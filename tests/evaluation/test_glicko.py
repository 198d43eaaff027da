from __future__ import annotations

import pytest

from boardgames_cli.evaluation.milestones import PlayerRating, rating_of
from boardgames_cli.storage.played_games import PlayedGame


def test_one_game_moves_a_new_player_as_the_formulas_say() -> None:
    # With g = 1, E = 1/2 and v = 4: phi' = 1/sqrt(1/phi^2 + 1/4), mu' = phi'^2 / 2.
    after = PlayerRating().after(0.0, 1.0)
    assert after.deviation == pytest.approx(246.6, abs=0.5)
    assert after.value == pytest.approx(175.0, abs=1.0)
    assert after.volatility == pytest.approx(0.06, abs=1e-4)


def test_half_of_the_wins_against_a_level_is_its_rating() -> None:
    now = PlayerRating()
    for game in range(400):
        now = now.after(120.0, game % 2)
    assert now.value == pytest.approx(120.0, abs=25)
    assert now.deviation < 60


def test_only_games_against_rated_levels_count() -> None:
    def game(rival: str, returns: tuple[float, float]) -> PlayedGame:
        return PlayedGame(rival, "senet", "2026-01-01", (0,), ("Ann", rival), returns)

    assert rating_of([game("Ben", (1, -1))], "senet", "Ann") is None
    won = rating_of([game("Ben", (-1, 1)), game("hard", (1, -1))], "senet", "Ann")
    assert won is not None
    assert won.value > 100
    assert rating_of([game("hard", (1, -1))], "senet", "Cid") is None
    assert rating_of([game("hard", (1, -1))], "gone", "Ann") is None
