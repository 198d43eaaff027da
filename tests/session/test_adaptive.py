"""The level that is about as strong as the person: chosen at the start, and then kept."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from boardgames_cli.agents.ratings import bundled_ratings
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.game import WON
from boardgames_cli.core.match import Match, play
from boardgames_cli.evaluation.milestones import PlayerRating, level_near, rating_of
from boardgames_cli.registry import BUILT_IN_GAMES, find_game, make, make_agent
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.parting import played_game
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.played_games import PlayedGame, add_result, read_results
from tests.toys import RACE

ANN = "human:Ann"
LOWEST = "adaptive:weaker=easy,stronger=medium,share=0.00"


def settings(folder: Path) -> Settings:
    return Settings(save_folder=folder, results_file=folder / "results.jsonl")


def seated(session: Session) -> str:
    return session.holders[1].spec


def won(folder: Path, rival: str, games: int) -> None:
    for number in range(games):
        played = PlayedGame(f"{rival}{number}", "tapnswap", "now", (0,), ("Ann", rival), (1, -1))
        add_result(folder / "results.jsonl", played)


@pytest.mark.parametrize("form", ["adaptive", "ai:level=adaptive", "ai:adaptive"])
def test_it_begins_as_the_lowest_level_and_rises_with_the_person(tmp_path: Path, form: str) -> None:
    setup = Setup("tapnswap", seats=(ANN,), rest=form)
    first = open_session(setup, settings(tmp_path))
    assert (seated(first), first.names) == (LOWEST, ("Ann", "adaptive"))
    first.close()
    won(tmp_path, "medium", 3)
    later = open_session(setup, settings(tmp_path))
    assert split_agent(seated(later))[1]["weaker"] in ("medium", "hard")
    later.close()


def test_the_save_keeps_the_choice_and_a_rematch_chooses_anew(tmp_path: Path) -> None:
    session = open_session(Setup("tapnswap", seats=(ANN, "adaptive")), settings(tmp_path))
    name = session.journal.name if session.journal else ""
    session.close()
    won(tmp_path, "hard", 5)
    resumed = resume_session(name, settings(tmp_path))
    assert seated(resumed) == LOWEST
    seats = tuple(holder.spec for holder in resumed.holders)
    resumed.close()
    again = open_session(Setup("tapnswap", seats=seats), settings(tmp_path))
    assert seated(again) != LOWEST
    again.close()


def test_its_games_count_for_the_rating(tmp_path: Path) -> None:
    session = open_session(Setup("tapnswap", seats=(ANN, "adaptive")), settings(tmp_path))
    played = played_game(session)
    assert played.agents == ("", LOWEST)
    session.close()
    add_result(tmp_path / "r.jsonl", played)
    assert read_results(tmp_path / "r.jsonl") == ([played], 0)
    assert rating_of([played], "tapnswap", "Ann") is not None
    for damaged in ("adaptive", "adaptive:weaker=easy", LOWEST.replace("0.00", "x"), "a:b=c,b=c"):
        unknown = dataclasses.replace(played, agents=("", damaged))
        assert rating_of([unknown], "tapnswap", "Ann") is None


@pytest.mark.parametrize("id", list(BUILT_IN_GAMES))
def test_the_mix_goes_up_the_ladder_with_the_rating(id: str) -> None:
    spec = find_game(id)
    ratings, levels = bundled_ratings(spec), list(spec.levels)
    assert ratings is not None
    places = []
    for value in range(500, 3000, 25):
        name, options = split_agent(level_near(spec, PlayerRating(float(value))))
        assert name == "adaptive"
        weaker, stronger = levels.index(options["weaker"]), levels.index(options["stronger"])
        assert stronger == weaker + 1
        places.append(weaker + float(options["share"]))
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0.0, len(levels) - 1)


def test_a_game_without_ratings_keeps_the_lowest_level() -> None:
    assert level_near(RACE, PlayerRating(2000.0)) == LOWEST


@pytest.mark.parametrize("temperature", [0.5, 0.25])
def test_a_person_of_known_strength_wins_about_half(temperature: float) -> None:
    spec, game = find_game("tapnswap"), make("tapnswap")
    played: list[PlayedGame] = []
    for number in range(120):
        seat = number % 2
        near = level_near(spec, rating_of(played, "tapnswap", "Ann"))
        specs = [near, near]
        specs[seat] = f"q-table:temperature={temperature}"
        match = Match(game, seed=number, max_plies=400)
        returns = play(match, [make_agent(one, game) for one in specs])
        names, agents = ["adaptive", "adaptive"], [near, near]
        names[seat], agents[seat] = "Ann", ""
        played.append(
            PlayedGame(
                str(number), "tapnswap", "", (seat,), tuple(names), tuple(returns), 0, tuple(agents)
            )
        )
    late = [one.outcome(one.people[0]) == WON for one in played[40:]]
    assert 0.4 < sum(late) / len(late) < 0.6
