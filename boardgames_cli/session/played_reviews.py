"""Reviews of finished games of people: for what they have reached, and for the drill."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.algorithms.game_tree import information_set, stage_of
from boardgames_cli.algorithms.position_graph import SmallGame, position_key
from boardgames_cli.core.background import BackgroundJob
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import DRAWN, LOST, WON
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header
from boardgames_cli.core.text import counted
from boardgames_cli.evaluation.mining import decision_puzzle
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
from boardgames_cli.evaluation.you import RecentGame, You, people_of, you
from boardgames_cli.registry import find_game
from boardgames_cli.session.questions import FEW, PuzzleRun, Question, QuestionRun, look_of
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.session.seats import holder_name, people
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.storage.played_games import PlayedGame, read_results
from boardgames_cli.storage.practice import add_cards, read_deck
from boardgames_cli.storage.reading import SaveSummary
from boardgames_cli.storage.store import Store

_MOST_RECENT: Final = 10
"""The last games that are looked back at: reviewing all of them could take hours."""


def games_of_people(saves: Iterable[SaveSummary]) -> list[tuple[SaveSummary, Header]]:
    """The saves with finished games of people, the latest first, by when they began."""
    found = [(save, save.header) for save in saves if save.header and not save.problem]
    played = [pair for pair in found if pair[0].is_finished and people(pair[1].seats)]
    return sorted(played, key=lambda pair: pair[1].created, reverse=True)


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


@dataclass(frozen=True, slots=True)
class LookBack:
    """What people have reached, and how far the reviews of the last games have come."""

    people: tuple[You, ...] = ()
    """Everybody who has played; who played last is first."""
    done: int = 0
    total: int = 0
    remarks: tuple[str, ...] = ()
    """What can't be read, as sentences."""

    @property
    def is_done(self) -> bool:
        return self.done == self.total


def look_back(
    settings: Settings,
    show: Callable[[Reviewer], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    game: str = "",
) -> Iterator[LookBack]:
    """What people have reached, perhaps in one game, before and after each review of a game."""
    store, today = Store.at(settings.save_folder), datetime.date.today()
    results, due, remarks = list[PlayedGame](), None, list[str]()
    try:
        if settings.results_file is not None:
            results, damaged = read_results(settings.results_file)
            results = [one for one in results if game in ("", one.game)]
            remarks += [f"{counted(damaged, 'result')} can't be read."] if damaged else []
        if settings.drill_file is not None:
            due = len(read_deck(settings.drill_file).due(today, game))
    except StorageError as error:
        remarks.append(str(error))
    summaries = store.summaries()
    unreadable = [save.name for save in summaries if save.problem]
    finished = games_of_people(summaries)
    chosen = [pair for pair in finished if game in ("", pair[1].game)][:_MOST_RECENT]
    games = [_games_in(*pair) for pair in chosen]

    def so_far(done: int) -> LookBack:
        recent = [*chain(*games)]
        found = [you(results, recent, who, due, today) for who in people_of(results, recent)]
        count = counted(len(unreadable), "save")
        damaged = [f"{count} can't be read: {', '.join(unreadable)}."] if unreadable else []
        return LookBack(tuple(found), done, len(games), (*remarks, *damaged))

    yield so_far(0)
    for place, (save, _) in enumerate(chosen):
        try:
            replay = replay_of(save.path)
        except GameError:  # its steps are damaged
            unreadable.append(save.name)
            games[place] = []
        else:
            with contextlib.suppress(GameError):  # it has no review
                check_reviewable(replay.match, save.name)
                review = judge(store, replay, show, is_stopped)
                if review.is_complete:
                    games[place] = [one.reviewed(review) for one in games[place]]
        yield so_far(place + 1)


def _games_in(save: SaveSummary, header: Header) -> list[RecentGame]:
    spec, best = find_game(header.game), save.winners
    names = [holder_name(seat, spec) for seat in header.seats]
    found = []
    for seat in people(header.seats):
        won = "" if best is None else DRAWN if not best else WON if seat in best else LOST
        rivals = tuple(dict.fromkeys(name for at, name in enumerate(names) if at != seat))
        day = header.created[:10]
        found.append(RecentGame(names[seat], seat, save.name, header.game, day, won, rivals))
    return found


@dataclass
class LookBackJob(BackgroundJob[LookBack]):
    """Looks back in the background."""

    settings: Settings

    def run(self, deliver: Callable[[LookBack], None]) -> None:
        for found in look_back(self.settings, is_stopped=self.cancelled.is_set):
            if self.cancelled.is_set():
                return
            deliver(found)


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
    for save, header in games_of_people(store.summaries()):
        name = save.path.stem
        key = f"{name} {header.created}"
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
