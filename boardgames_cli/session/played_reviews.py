"""Reviews of all finished games of people: for their profiles, and for the deck of the drill."""

from __future__ import annotations

import dataclasses
import datetime
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.algorithms.game_tree import information_set, stage_of
from boardgames_cli.algorithms.position_graph import SmallGame, position_key
from boardgames_cli.core.background import BackgroundJob
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import option_values
from boardgames_cli.evaluation.mining import decision_puzzle
from boardgames_cli.evaluation.profile import PlayedReview
from boardgames_cli.evaluation.puzzles import (
    bundled_puzzles,
    games_with_puzzles,
    read_puzzle,
)
from boardgames_cli.evaluation.review_result import Decision, Review
from boardgames_cli.evaluation.reviewer import (
    GivesWay,
    ReviewedGame,
    Reviewer,
    check_reviewable,
    load_review,
    review_of,
)
from boardgames_cli.registry import find_game
from boardgames_cli.session.questions import FEW, PuzzleRun, Question, QuestionRun, look_of
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.session.seats import people
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.storage.practice import add_cards, read_deck
from boardgames_cli.storage.reading import SaveSummary
from boardgames_cli.storage.store import Store


def games_of_people(store: Store) -> list[SaveSummary]:
    """The saves with finished games of people, in the order in which they began."""
    found = [
        (save.header.created, save)
        for save in store.summaries()
        if save.header is not None and save.is_finished and not save.problem
        if people(save.header.seats)
    ]
    return [save for _, save in sorted(found, key=lambda pair: pair[0])]


def reviewed(store: Store, replay: Replay) -> ReviewedGame:
    """A game for its review, which is kept beside its save if it has one."""
    file = None if replay.path is None else store.review_file(replay.path)
    return ReviewedGame(replay.match, replay.names, replay.seats, replay.notes, file)


def judge(
    store: Store,
    replay: Replay,
    show: Callable[[Reviewer], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Review:
    """The cached or a new review of a finished game; partial once it is stopped."""
    analyst = analyst_for(replay.game, tuple(replay.seats))
    return review_of(reviewed(store, replay), analyst, show, is_stopped)


def reviews_of(
    saves: Iterable[SaveSummary],
    judge_game: Callable[[str, Replay], Review],
    leave_out: Callable[[str, str], None],
) -> Iterator[list[tuple[str, PlayedReview]]]:
    """For each save the names and the figures of its people; empty if it can't be reviewed.

    ``leave_out`` is told the name of each save that can't be reviewed, and why.
    """
    for save in saves:
        figures: list[tuple[str, PlayedReview]] = []
        try:
            replay = replay_of(save.path)
            check_reviewable(replay.match, save.name)
            reason = why_no_analyst(replay.game)
            if reason is None:
                figures = _figures(save, judge_game(save.name, replay))
            else:
                leave_out(save.name, reason)
        except GameError as error:
            leave_out(save.name, error.message)
        yield figures


def _figures(save: SaveSummary, review: Review) -> list[tuple[str, PlayedReview]]:
    """The names and the figures of a game's people; none while the review is partial."""
    created = "" if save.header is None else save.header.created
    return [
        (review.names[seat], PlayedReview.of(save.name, created, review, seat))
        for seat in (people(review.seats) if review.is_complete else ())
    ]


@dataclass(frozen=True, slots=True)
class ProfileNews:
    """How far the reviews of all games have come."""

    done: int
    total: int
    played: Sequence[tuple[str, PlayedReview]]
    """The name of a person and the figures, for each game and person so far."""


@dataclass
class ProfileJob(BackgroundJob[ProfileNews]):
    """Reviews all finished games of people, and delivers the figures after each."""

    folder: Path | None

    def run(self, deliver: Callable[[ProfileNews], None]) -> None:
        store = Store.at(self.folder)
        saves = games_of_people(store)
        played: list[tuple[str, PlayedReview]] = []
        deliver(ProfileNews(0, len(saves), ()))

        def review(_: str, replay: Replay) -> Review:
            return judge(store, replay, is_stopped=self.cancelled.is_set)

        for done, figures in enumerate(reviews_of(saves, review, lambda *_: None), start=1):
            if self.cancelled.is_set():
                return
            played += figures
            deliver(ProfileNews(done, len(saves), tuple(played)))


_CARD: Final = "a card of the drill"


def decide_again(replay: Replay, review: Review, ply: int, made: Decision) -> QuestionRun[Question]:
    """A decision once more, with what its seat knew; right is what the review finds as good."""
    match, scale, known = replay.match, review.scale, {one.action for one in made.choices}
    seen = match.observe(made.seat, ply)
    seen = seen._replace(legal=tuple(one for one in seen.legal if str(one) in known))
    shown = TableSnapshot(replay.view, seen, look_of(match.game, made.seat, replay.glyphs))
    puzzle = decision_puzzle(match, review, ply, made, "")
    worse = [one.action for one in made.choices if scale.is_notable(one.loss, one.loss_error)]
    also = tuple(one.action for one in made.choices[1:] if one.action not in worse)
    losses = {action: puzzle.losses[action] for action in worse}
    puzzle = dataclasses.replace(puzzle, also=also, losses=losses)
    asked = Question(shown, puzzle, "AGAIN", f"step {ply + 1}, played: {made.choice.label}")
    return QuestionRun([asked], lambda question: question)


def question_of(card: Mapping[str, Any]) -> str:
    """What the puzzle of a card asks; empty if it doesn't fit this version."""
    try:
        puzzle = read_puzzle(card, _CARD)
        game = puzzle.rulebook()
        seen = puzzle.observation(game)
    except GameError:
        return ""
    # Mirror images ask the same, and a hand of a match what a single hand asks.
    is_small = isinstance(game, SmallGame)
    name = position_key(game, seen.state) if is_small else information_set(game, seen)
    return json.dumps([puzzle.game, option_values(stage_of(game)), name])


def fill_deck(
    folder: Path | None, deck_file: Path, is_stopped: Callable[[], bool] = lambda: False
) -> int:
    """Make cards of the finished games of people that were not looked through yet.

    Games with an exact analyst are reviewed; of others a review that has begun, as it does at the
    end of a game on the screen, is finished. Between two steps the work rests. Returns the number
    of games that were looked through.
    """
    store = Store.at(folder)
    known, count = set(read_deck(deck_file).games), 0
    for save in reversed(games_of_people(store)):
        name = save.path.stem
        key = f"{name} {save.header.created if save.header else ''}"
        if is_stopped() or key in known:
            continue
        try:
            replay = replay_of(save.path)
            review = _review_for_drill(store, replay, is_stopped)
        except GameError:  # a damaged save, or one of another version
            continue
        if review is None or not review.is_complete:
            continue
        asked: dict[str, Mapping[str, Any]] = {}
        for step, made in review.mistakes():
            if made.seat in replay.people:
                id = f"{name}, step {step.ply + 1}"
                card = dataclasses.asdict(decision_puzzle(replay.match, review, step.ply, made, id))
                asked.setdefault(question_of(card), card)
        asked.pop("", None)  # of an analyst that leaves out choices
        add_cards(deck_file, key, asked, datetime.date.today())
        count += 1
    return count


def _review_for_drill(
    store: Store, replay: Replay, is_stopped: Callable[[], bool]
) -> Review | None:
    """A game's review: a new one if its values are exact, else one that was begun, finished."""
    match = replay.match
    if not match.has_result or why_no_analyst(match.game) or replay.path is None:
        return None
    analyst, give_way = analyst_for(match.game, tuple(replay.seats)), GivesWay()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a damaged review is made anew by who asks for it
        if not analyst.method.is_exact and load_review(reviewed(store, replay), analyst) is None:
            return None
        return judge(store, replay, lambda _: give_way(), is_stopped)


def open_drill(settings: Settings, game: str = "") -> PuzzleRun:
    """What is due today, in one game or in all."""
    if game:
        find_game(game)
    if settings.drill_file is None:
        raise GameError("there is no drill here: it asks the mistakes of games saved for you.")
    file, glyphs = settings.puzzles_file, settings.glyphs
    due = read_deck(settings.drill_file).due(datetime.date.today(), game)
    cards = {card.puzzle["id"]: card.games for card in due}
    asked = [read_puzzle(card.puzzle, _CARD) for card in due]
    if len(asked) < FEW:
        asked += bundled_puzzles(*([game] if game else settings.games or games_with_puzzles()))
    return PuzzleRun(asked, file, glyphs, cards=cards, deck_file=settings.drill_file)


@dataclass
class FillDeckJob(BackgroundJob[int]):
    """Fills the deck in the background; delivers the number of cards that are due."""

    folder: Path | None
    deck_file: Path

    def run(self, deliver: Callable[[int], None]) -> None:
        due = 0
        try:
            fill_deck(self.folder, self.deck_file, self.cancelled.is_set)
            due = len(read_deck(self.deck_file).due(datetime.date.today()))
        except GameError:
            pass  # nobody asked for it
        deliver(due)
