"""An agent at hand against another one: fair, repeatable, and scored as a tournament scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
from boardgames_cli.registry import make, make_agent
from boardgames_cli.tournament.config import ONE_AGAINST_MANY, TournamentConfig
from boardgames_cli.tournament.dispatch import Dispatcher
from boardgames_cli.tournament.entrants import name_entrants
from boardgames_cli.tournament.evaluation import evaluate
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import Job
from boardgames_cli.tournament.pools import InProcessPool
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.standings import scores


class Rememberer(Agent[Any, Any]):
    """Takes the first action, and knows where it sits."""

    def reset(self, game: AnyGame, seat: Seat) -> None:
        self.seat = seat

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        assert seen.seat == self.seat, "each seat has an agent of its own"
        return seen.legal[0]


def test_two_sides_score_what_a_plain_loop_scores() -> None:
    game = make("senet")
    greedy, other = make_agent("greedy", game), RandomAgent()
    wins = 0
    for seed in range(5):
        wins += play(Match(game, seed=seed), [greedy, other])[0] > 0
        wins += play(Match(game, seed=seed), [other, greedy])[1] > 0
    score = evaluate(game, lambda: make_agent("greedy", game), RandomAgent, 10)
    assert (score.points, score.games) == (wins, 10)
    assert "of 10 games (95 %: " in str(score)


@pytest.mark.parametrize(
    ("game", "options", "games", "equal"),
    [
        ("kuhn", {}, 2, 1 / 2),
        ("deepsea", {"players": 3}, 3, 1 / 3),
        ("pommerman", {"mode": "team", "steps": 20}, 2, 1 / 2),
        ("pommerman", {"mode": "ffa", "steps": 20}, 4, 1 / 4),
    ],
)
def test_equals_have_the_score_of_equals(
    game: str, options: dict[str, Any], games: int, equal: float
) -> None:
    score = evaluate(make(game, **options), Rememberer, Rememberer, games - 1)
    assert score.games == games, "whole deals"
    assert score.share == pytest.approx(equal)


def test_it_counts_as_the_tournament_of_one_against_many(tmp_path: Path) -> None:
    config = TournamentConfig(
        "deepsea",
        name_entrants(["planner", "random"]),
        ({"players": 3},),
        ONE_AGAINST_MANY,
        games=30,
    )
    tournament = Tournament(config)
    folder = RunFolder.create(tmp_path / "run", config)
    pool = InProcessPool()
    try:
        tournament.run(folder, Dispatcher(pool, Job.of(config)), lambda _: None)
    finally:
        pool.close()
        folder.close()
    teams = [game.teams for game in tournament.games]
    (one, points), (many, rest) = scores(tournament.tally.outcomes, 2, teams)
    assert (one, many, points + rest) == (30, 60, 30)
    # Other seeds, the same strength: the rivals are two of three sides and win less than that.
    game = tournament.games[0]
    score = evaluate(game, lambda: make_agent("planner", game), RandomAgent, 30)
    assert score.share > 1 / 2 < points / one
