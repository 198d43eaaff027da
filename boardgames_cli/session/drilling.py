"""Fills the deck of the drill from saved games, and opens it."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boardgames_cli.algorithms.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.core.background import CancellableJob
from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.puzzle_run import DrillRun, as_data, mistakes_as_puzzles
from boardgames_cli.evaluation.puzzles import games_with_puzzles, puzzles_of
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import GivesWay, load_review
from boardgames_cli.registry import find_game
from boardgames_cli.session.played_reviews import games_of_people, judge
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.setup import Settings, load_replay
from boardgames_cli.storage.drill_deck import add_cards, read_deck
from boardgames_cli.storage.names import review_file
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.store import Store


def fill_deck(
    folder: Path | None, deck_file: Path, is_stopped: Callable[[], bool] = lambda: False
) -> int:
    """Make cards of the finished games of people that were not looked through yet.

    Games with an exact analyst are reviewed; of others a review that has begun, as it does at the
    end of a game on the screen, is finished. Between two steps the work rests.

    Args:
        folder: The save folder; None means the default.
        deck_file: The deck.
        is_stopped: Asked before every game and step.

    Returns:
        The number of games that were looked through.

    Raises:
        GameError: The deck or the folder can't be used.
    """
    store = Store(save_folder(folder))
    known, count = set(read_deck(deck_file).games), 0
    for save in reversed(games_of_people(store)):
        key = f"{save.name} {save.header.created if save.header else ''}"
        if is_stopped() or key in known:
            continue
        try:
            replay = load_replay(save.name, Settings(save_folder=folder))
            review = _review(store, save.name, replay, is_stopped)
        except GameError:  # a damaged save, or one of another version
            continue
        if review is None or not review.is_complete:
            continue
        found = mistakes_as_puzzles(save.name, replay.match, review, replay.people)
        add_cards(deck_file, key, as_data(found), datetime.date.today())
        count += 1
    return count


def _review(
    store: Store, name: str, replay: Replay, is_stopped: Callable[[], bool]
) -> Review | None:
    """A game's review: a new one if its values are exact, else one that was begun, finished."""
    match = replay.match
    if not match.game.is_over(match.state) or why_no_analyst(match.game):
        return None
    analyst, give_way = analyst_for(match.game, tuple(replay.seats)), GivesWay()
    file = review_file(store.find(name), store.folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a damaged review is made anew by who asks for it
        if not analyst.method.is_exact and load_review(file, match, analyst, replay.names) is None:
            return None
        return judge(store, name, replay, lambda _: give_way(), is_stopped)


def open_drill(settings: Settings, game: str = "") -> DrillRun:
    """What is due today.

    Args:
        settings: Where the deck and the progress are.
        game: The id of a game; empty means all.

    Raises:
        GameError: There is no such game or nothing to ask, or a file can't be used.
    """
    if game:
        find_game(game)
    if settings.drill_file is None:
        raise GameError("there is no drill here.", "Drill in a terminal: boardgames drill")
    puzzles = puzzles_of([game] if game else settings.games or games_with_puzzles())
    deck = read_deck(settings.drill_file)
    today = datetime.date.today()
    file = settings.drill_file
    return DrillRun(deck, file, puzzles, settings.puzzles_file, settings.glyphs, today, game)


@dataclass
class FillDeckJob(CancellableJob[int]):
    """Fills the deck in the background; delivers the number of cards that are due."""

    folder: Path | None
    deck_file: Path

    def run(self, deliver: Callable[[int], None]) -> None:
        """Fill it; without a message if that fails, since nobody asked for it."""
        due = 0
        try:
            fill_deck(self.folder, self.deck_file, self.cancelled.is_set)
            due = len(read_deck(self.deck_file).due(datetime.date.today()))
        except GameError:
            pass
        deliver(due)
