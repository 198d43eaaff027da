"""Luck and losses in tournaments, against values that are known in another way."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import Match, play
from boardgames_cli.registry import make, make_agent
from boardgames_cli.tournament.control_variate import Controlled
from boardgames_cli.tournament.luck import check_luck, losses_of, luck_of
from boardgames_cli.tournament.players import name_entrants, release_players
from boardgames_cli.tournament.ratings.standings import Standings, standings
from boardgames_cli.tournament.results import Tally, read_deal
from boardgames_cli.tournament.schedule import make_schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import play_batch


def table_of(game: str, agents: tuple[str, ...], games: int, **options: object) -> Standings:
    config = TournamentConfig(
        game, name_entrants(agents), (options,), games=games, luck=True, losses=True
    )
    rulebook = make(game, **options)
    schedule = make_schedule(config, [rulebook])
    release_players()
    batch = play_batch(config, schedule.deals(schedule.round(0, ()), 0))
    tally = Tally.of(map(read_deal, batch.lines))
    return standings(tally.outcomes, tally.totals, agents, teams=[rulebook.teams])


def exact_return(game: AnyGame, agents: Sequence[Agent[Any, Any]], state: Any = None) -> float:
    """The first seat's mean return over all outcomes of chance, if the agents are deterministic."""
    start = game.initial_state() if state is None else state
    if game.to_act(start) != (CHANCE,):
        return play(Match(game, seed=1, start=start), agents)[0]
    return math.fsum(
        chance * exact_return(game, agents, game.apply_chance(start, outcome))
        for outcome, chance in game.chance_outcomes(start)
    )


@pytest.mark.parametrize(("one", "other"), [("maniac", "rock"), ("always-call", "maniac")])
def test_a_mean_without_luck_is_the_exact_one_and_surer(one: str, other: str) -> None:
    game = make("kuhn", hands=1)
    agents = [make_agent(one, game), make_agent(other, game)]
    sums = Controlled()
    returns = []
    for deal in range(400):
        match = Match(game, seed=deal)
        returns.append(play(match, agents)[0])
        sums += Controlled.of(deal, luck_of(match)[0][0], returns[-1])
    found = sums.corrected()
    assert found is not None
    mean, error = found
    assert abs(mean - exact_return(game, agents)) < 2.6 * error
    assert error < 0.75 * statistics.stdev(returns) / 400**0.5


def test_luck_is_zero_on_average_over_all_outcomes() -> None:
    game = make("kuhn", hands=1)
    mean, spread = [0.0, 0.0], 0.0
    for deal, chance in game.chance_outcomes(game.initial_state()):
        match = Match(game, seed=1)
        match.submit_chance(deal)
        for seat, value in enumerate(luck_of(match)[0]):
            mean[seat] += chance * value
            spread += abs(value)
    assert mean == pytest.approx([0.0, 0.0], abs=1e-12)
    assert spread > 0.1


def test_luck_in_senet_explains_most_of_the_score() -> None:
    table = table_of("senet", ("greedy", "random"), 48)
    for row in table.rows:
        assert row.score_without_luck is not None
        assert row.unpaired is not None
        assert row.score_without_luck.interval.width < 2 / 3 * row.unpaired.width


def test_perfect_play_loses_nothing_and_random_play_does() -> None:
    table = table_of("kuhn", ("perfect", "random"), 60, hands=4)
    lost = {row.name: row.mean_loss for row in table.rows}
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


def test_a_control_variate_is_unbiased_and_narrows_honestly() -> None:
    rng = random.Random(4)
    held, widths = 0, []
    for _ in range(300):
        sums = Controlled()
        for deal in range(60):
            luck, skill = rng.gauss(0, 1), rng.gauss(0.3, 0.4)
            sums += Controlled.of(deal, luck, 2 * luck + skill)
        found = sums.corrected()
        assert found is not None
        mean, error = found
        held += abs(mean - 0.3) < 1.96 * error
        widths.append(error)
    assert 0.92 <= held / 300 <= 0.98
    assert statistics.mean(widths) == pytest.approx(0.4 / 60**0.5, rel=0.1)


def test_a_number_without_control_variate_stays_as_it_is() -> None:
    sums = Controlled()
    values = [1.0, 0.0, 1.0, 1.0, 0.5, 0.0]
    for deal, value in enumerate(values):
        sums += Controlled.of(deal, 0.0, value)
    found = sums.corrected()
    assert found is not None
    assert found[0] == pytest.approx(statistics.mean(values))
    assert Controlled.of(1, 0.0, 1.0).corrected() is None
