"""Luck and losses in tournaments, against values that are known in another way."""

from __future__ import annotations

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import Match, play
from boardgames_cli.registry import make, make_agent
from boardgames_cli.tournament.luck import check_luck, losses_of, luck_of
from boardgames_cli.tournament.players import name_entrants, release_players
from boardgames_cli.tournament.ratings.standings import Standings, standings
from boardgames_cli.tournament.schedule import Schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import play_batch


def table_of(game: str, agents: tuple[str, ...], games: int, **options: object) -> Standings:
    config = TournamentConfig(
        game, name_entrants(agents), (options,), games=games, luck=True, losses=True
    )
    rulebook = make(game, **options)
    schedule = Schedule(config, [rulebook])
    release_players()
    batch = play_batch(config, schedule.deals())
    return standings(batch.tally, agents)


def test_luck_is_zero_on_average_over_all_outcomes() -> None:
    game = make("kuhn", hands=1)
    mean, spread = [0.0, 0.0], 0.0
    for deal, chance in game.chance_outcomes(game.initial_state()):
        match = Match(game, seed=1)
        match.submit_chance(deal)
        for seat, value in enumerate(luck_of(match)):
            mean[seat] += chance * value
            spread += abs(value)
    assert mean == pytest.approx([0.0, 0.0], abs=1e-12)
    assert spread > 0.1


@pytest.mark.slow
def test_the_sum_of_luck_stands_beside_the_result() -> None:
    table = table_of("senet", ("greedy", "random"), 48)
    first, second = (row.sums.mean_luck for row in table.rows)
    assert first is not None
    assert first == pytest.approx(-(second or 0))
    assert abs(first) < 1


def test_perfect_play_loses_nothing_and_random_play_does() -> None:
    table = table_of("kuhn", ("perfect", "random"), 60, hands=4)
    lost = {row.name: row.sums.mean_loss for row in table.rows}
    assert lost["perfect"] == pytest.approx(0.0, abs=1e-6)
    assert lost["random"] is not None
    assert lost["random"] > 0.05


def test_the_losses_of_solved_moves_are_differences_of_exact_values() -> None:
    game = make("tapnswap")
    match = Match(game, seed=5, agent_seed=5)
    play(match, [make_agent("random", game)] * 2)
    analyst = analyst_for(game)
    expected = [0.0, 0.0]
    for ply, step in enumerate(match.steps):
        (seat,) = step.joint
        before = analyst.value(match.state_at(ply)).returns[seat]
        expected[seat] += before - analyst.value(match.state_at(ply + 1)).returns[seat]
    assert losses_of(match)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("game", "told"), [("tapnswap", "no luck"), ("pommerman", "no luck")])
def test_games_without_luck_are_told(game: str, told: str) -> None:
    with pytest.raises(GameError, match=told):
        check_luck(make(game))
