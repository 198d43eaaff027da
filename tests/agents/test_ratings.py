"""The ratings that come with the program: of agents that there are, and made by their command."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path

import pytest

from boardgames_cli.agents.ratings import FILE, bundled_ratings
from boardgames_cli.cli.tournament import option_sets
from boardgames_cli.core.presentation.home_page import home_page_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import BUILT_IN_GAMES, find_game, make, make_agent
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.pools import Dispatcher, InProcessPool
from boardgames_cli.tournament.reports.report import make_report, ratings_text
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.tournament_config import TournamentConfig
from tests.strangers import GAME as PLUGIN


@pytest.mark.parametrize("id", list(BUILT_IN_GAMES))
def test_every_level_is_rated_above_the_one_before_and_every_rated_agent_plays(id: str) -> None:
    spec = find_game(id)
    found = bundled_ratings(spec)
    assert found is not None
    levels = [found.of(agent) for agent in ("random", *spec.levels)]
    ratings = [one.rating for one in levels if one is not None]
    assert len(ratings) == len(levels)
    assert ratings == sorted(set(ratings))
    words = shlex.split(found.command)
    assert words[:3] == ["boardgames", "tournament", id]
    for rating in found.ratings:
        make_agent(rating.agent, make(id))
        assert rating.agent in words
        assert found.of(rating.agent) == rating
    best = [rating.rating for rating in found.ratings]
    assert best == sorted(best, reverse=True)


@pytest.mark.parametrize("id", list(BUILT_IN_GAMES))
def test_the_opponents_of_a_ladder_have_the_ratings_of_their_agents(id: str) -> None:
    spec = find_game(id)
    found, ladder = bundled_ratings(spec), home_page_of(spec).ladder
    assert found is not None
    assert ladder is not None
    named = {one.agent: one.rating for one in ladder.opponents}
    assert set(spec.levels) <= set(named)
    for rating in found.ratings:
        assert named.get(rating.agent, rating.rating) == rating.rating


class OldRatings(GameSpec):
    def text_beside_rules(self, name: str) -> str | None:
        return '{"format": 1, "command": "", "games": 2, "ratings": []}'


def test_a_game_without_ratings_on_today_s_scale_has_none() -> None:
    assert bundled_ratings(PLUGIN) is bundled_ratings(OldRatings(PLUGIN.info, "", "", {})) is None


@pytest.mark.slow
def test_the_command_makes_the_same_file_again(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    spec = find_game("kuhn")
    found = bundled_ratings(spec)
    assert found is not None
    words = shlex.split(found.command)
    agents = [word for flag, word in itertools.pairwise(words) if flag == "-s"]
    games = int(words[words.index("--games") + 1])
    sets = option_sets("kuhn", {"hands": [words[words.index("--hands") + 1]]})
    config = TournamentConfig("kuhn", name_entrants(agents), sets, games=games)
    folder = RunFolder.create(tmp_path / "t", config)
    tournament = Tournament(config)
    tournament.run(folder, Dispatcher(InProcessPool(), config), lambda _: None)
    folder.close()
    report = make_report(config, tournament.games, tournament.tally)
    assert ratings_text(report) == spec.data_text(FILE)
