"""The drill: cards come from the mistakes of people's games, and are asked when they are due."""

from __future__ import annotations

import dataclasses
import datetime
import random
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import option_values
from boardgames_cli.evaluation.puzzles import Puzzle
from boardgames_cli.evaluation.reviewer import ReviewedGame, load_review, review_of
from boardgames_cli.registry import make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.played_reviews import fill_deck, open_drill, question_of
from boardgames_cli.session.session import Event
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.practice import read_deck
from boardgames_cli.storage.store import Store


def played(folder: Path) -> None:
    """A game of TapnSwap between two people who choose at random."""
    settings = Settings(save_folder=folder, save=True)
    session = open_session(Setup("tapnswap", seats=("human:Ann", "human:Ben"), seed=3), settings)
    rng = random.Random(3)
    while session.next_event() is not Event.OVER:
        seat = session.match.waiting_for[0]
        session.submit(seat, rng.choice(session.observe(seat).legal))
    session.close()


def drilling(folder: Path) -> Settings:
    return Settings(
        save_folder=folder,
        puzzles_file=folder / "puzzles.json",
        drill_file=folder / "drill.json",
    )


def test_mistakes_become_cards_once_and_those_of_two_games_are_counted(tmp_path: Path) -> None:
    played(tmp_path)
    settings = drilling(tmp_path)
    assert settings.drill_file is not None
    assert fill_deck(tmp_path, settings.drill_file) == 1
    assert fill_deck(tmp_path, settings.drill_file) == 0
    once = read_deck(settings.drill_file).cards
    assert {card.puzzle["game"] for card in once.values()} == {"tapnswap"}
    played(tmp_path)
    assert fill_deck(tmp_path, settings.drill_file) == 1
    twice = read_deck(settings.drill_file).cards
    assert twice.keys() == once.keys()
    assert {
        (one.games, two.games) for one, two in zip(once.values(), twice.values(), strict=True)
    } == {(1, 2)}
    assert open_drill(settings, "tapnswap").asked.heading.endswith(", in 2 games")


def test_a_card_that_was_answered_is_not_due_any_more(tmp_path: Path) -> None:
    played(tmp_path)
    settings = drilling(tmp_path)
    assert settings.drill_file is not None
    fill_deck(tmp_path, settings.drill_file)
    run = open_drill(settings, "tapnswap")
    first = run.asked.puzzle
    assert first is not None
    assert first.id.startswith("tapnswap-1, step ")
    assert (run.asked.kind, run.asked.heading[-11:]) == ("DRILL", ", in 1 game")
    run.answer(first.answer)
    tomorrow = datetime.date.today() + datetime.timedelta(1)
    assert read_deck(settings.drill_file).cards[first.id].due == tomorrow.isoformat()
    assert run.asked.outlook == "It is asked again in 1 day."
    assert run.standing.startswith("solved 1 ")
    assert not (tmp_path / "puzzles.json").exists(), "cards are no puzzles"


def test_puzzles_join_in_where_there_are_few_cards(tmp_path: Path) -> None:
    run = open_drill(drilling(tmp_path), "kuhn")
    assert run.count == 5
    assert run.opening == "No card is due today: these are puzzles."
    assert run.asked.kind == "PUZZLE"
    run.answer(run.asked.about.right[0])
    assert (tmp_path / "puzzles.json").exists()


def test_without_a_deck_there_is_no_drill() -> None:
    with pytest.raises(GameError):
        open_drill(Settings())


def test_a_review_that_has_begun_is_finished_for_the_drill(tmp_path: Path) -> None:
    settings = Settings(save_folder=tmp_path, save=True)
    session = open_session(Setup("race", seats=("human:Ann", "random"), seed=3), settings)
    rng = random.Random(3)
    while (event := session.next_event()) is not Event.OVER:
        if event is Event.CHANCE:
            session.resolve_chance()
        else:
            seat = session.match.waiting_for[0]
            session.submit(seat, rng.choice(session.observe(seat).legal))
    session.close()
    match, deck = session.match, tmp_path / "drill.json"
    assert fill_deck(tmp_path, deck) == 0, "its values are estimates: nobody asked for them"
    file = Store(tmp_path).review_file(tmp_path / "race-1.jsonl")
    seats = [holder.spec for holder in session.holders]
    analyst = analyst_for(match.game, tuple(seats))
    stops = iter([False, True])
    game = ReviewedGame(match, session.names, seats, file=file)
    begun = review_of(game, analyst, cancelled=lambda: next(stops, True))
    assert not begun.is_complete
    assert fill_deck(tmp_path, deck) == 1
    known = load_review(game, analyst)
    assert known is not None
    assert known.is_complete


HANDS: dict[str, Any] = {"hands": [[1, 2], [3, 4]], "player": 0}
CALL: dict[str, Any] = {"cards": [2, "?"], "actions": ["check", "bet"], "first": 0}


@pytest.mark.parametrize(
    ("game", "one", "other", "is_same"),
    [
        ("tapnswap", HANDS, HANDS, True),
        ("tapnswap", HANDS, {"hands": [[2, 1], [3, 4]], "player": 0}, True),  # a mirror image
        ("tapnswap", HANDS, {"hands": [[4, 3], [1, 2]], "player": 1}, True),  # at the other seat
        ("tapnswap", HANDS, {"hands": [[3, 4], [1, 2]], "player": 0}, False),
        ("tapnswap", HANDS, {"hands": [[1, 3], [3, 4]], "player": 0}, False),
        ("kuhn", CALL, {**CALL, "cards": ["?", 2], "first": 1, "hand": 3, "chips": [2, -2]}, True),
        ("kuhn", CALL, {**CALL, "cards": [1, "?"]}, False),
    ],
)
def test_cards_ask_the_same_in_every_game(
    game: str, one: dict[str, Any], other: dict[str, Any], is_same: bool
) -> None:
    puzzles = []
    for position in (one, other):
        options = {"hands": 5} if "hand" in position else {}
        seat = position["first" if "first" in position else "player"]
        rules = make(game, **options)
        legal = rules.legal_actions(rules.read_seen(position, 9), seat)
        answer, *wrong = map(str, legal)
        puzzles.append(
            Puzzle(
                game=game, options=option_values(rules), position=position, ply=9, seat=seat,
                level=1, task="", answer=answer, losses=dict.fromkeys(wrong, ""), words={}, why="",
                method="",
            )
        )  # fmt: skip
    asked = [question_of(dataclasses.asdict(puzzle)) for puzzle in puzzles]
    assert all(asked)
    assert (asked[0] == asked[1]) is is_same
    assert question_of({"game": game}) == ""
