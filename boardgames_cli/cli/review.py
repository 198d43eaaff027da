"""``boardgames review SAVE``: evaluates a finished game, or with ``--all`` all those of people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.cli.command import PROGRAM, CommonOptions, command, option
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import front_end
from boardgames_cli.cli.output import LongWork, long_work, say, say_json, screen_width
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.cli.saves import FinishedSave
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.text import Picture, counted
from boardgames_cli.evaluation import export
from boardgames_cli.evaluation.profile import (
    PlayedReview,
    profile_page,
    reviews_by_person,
)
from boardgames_cli.evaluation.review_result import Review, to_json, turns
from boardgames_cli.evaluation.review_text import DEAREST, figures, review_page
from boardgames_cli.evaluation.reviewer import Reviewer, check_reviewable
from boardgames_cli.session.parting import save_arguments
from boardgames_cli.session.played_reviews import games_of_people, judge, reviews_of
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.files import replace_file
from boardgames_cli.storage.paths import results_file
from boardgames_cli.storage.played_games import played_games
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.startup import prepare_imports

_WIDTH: Final = 80
"""The width of a review, and of other summaries if the output is not a terminal."""
_MANY: Final = "Many games"


@dataclass(frozen=True, slots=True)
class ReviewArguments:
    """Which games are reviewed, and what is shown."""

    seat: int | None = option(None, "List only the mistakes of this seat.", min=1)
    export: Path | None = option(
        None, "Write the review as a self-contained page with boards and the curve (.html)."
    )
    all: bool = option(
        False,
        "A summary of all finished games of people: accuracy over time, frequent "
        "mistakes, luck over all.",
        rich_help_panel=_MANY,
    )


def review_save(
    finished: FinishedSave,
    which: ReviewArguments,
    folder: Folder,
    form: AsJson,
    common: CommonOptions,
) -> int:
    """Review a finished game: luck, mistakes, and the reasons. Ctrl+C keeps the partial review."""
    store = Store.at(folder.save_dir)
    if which.all:
        if finished.save is not None or which.seat is not None or which.export is not None:
            raise GameError(
                "--all is about many games.", "Leave out the save, --seat and --export."
            )
        front, settings = front_end(common, folder=folder.save_dir, as_json=form.json)
        if front is Front.TUI:
            prepare_imports()
            from boardgames_cli.tui.app import run_screen
            from boardgames_cli.tui.screens.profile_screen import ProfileScreen

            return run_screen(settings, ProfileScreen(settings))
        return show_profile(store, form.json, common.is_plain)
    if which.export is not None:
        export.check_export(which.export)
    name = finished.name_in(store)
    replay = replay_of(store.find(name))
    arguments = save_arguments(store.find(name), folder.save_dir)
    check_reviewable(replay.match, name, arguments)
    _check_seat(which.seat, replay.game)
    front, settings = front_end(common, folder=folder.save_dir, as_json=form.json)
    if front is Front.TUI and which.seat is None and which.export is None:
        return _on_screen(replay, settings)
    with long_work(common.is_plain) as work:
        review = judge_shown(work, store, name, replay)
    reader = replay.reader if which.seat is None else which.seat - 1
    if which.export is not None:
        page = export.review_page(replay.match, review, replay.ending(), reader)
        replace_file(which.export, page)
        say(f"Written to {which.export}.")
    elif form.json:
        say_json({"save": name, **as_json(review)})
    else:
        _say_review(replay, review, reader, DEAREST if which.seat is None else 0)
        say()
        if settings.is_verbose:
            say(str(Picture.of(figures(review, reader, _WIDTH))))
        else:
            say(f"The figures: {PROGRAM} review {arguments} --verbose")
    if work.stop is not None:
        notify(f"Stopped. To continue: {PROGRAM} review {arguments}")
        return work.stop.exit_code
    return 0


def _on_screen(replay: Replay, settings: Settings) -> int:
    analyst_for(replay.game)  # raises an error with a message if there is none
    prepare_imports()
    from boardgames_cli.tui.app import run_screen
    from boardgames_cli.tui.screens.replay_screen import ReplayScreen

    replay.is_judged = True
    return run_screen(settings, ReplayScreen(replay, settings))


def as_json(review: Review) -> dict[str, Any]:
    """A review as JSON, with its summaries and turns."""
    summaries = []
    for seat in range(len(review.names)):
        one = review.summary(seat)
        data = {name: getattr(one, name) for name in one.__slots__ if name != "counts"}
        counts = {mark.name.lower(): count for mark, count in one.counts.items()}
        summaries.append({**data, "counts": counts})
    names = ("seat", "first", "last", "label", "luck", "loss")
    return {
        "complete": review.is_complete,
        "summaries": summaries,
        "turns": [{name: getattr(turn, name) for name in names} for turn in turns(review)],
        "review": to_json(review),
    }


def _check_seat(seat: int | None, game: AnyGame) -> None:
    if seat is not None and seat > game.seats:
        raise GameError(f"{game.info.name} has {game.seats} seats here, not {seat}.")


def _say_review(replay: Replay, review: Review, seat: Seat, most: int) -> None:
    say(
        f"{replay.game.info.name}: {' v '.join(review.names)}, {counted(replay.match.ply, 'step')}."
    )
    say(replay.ending())
    say()
    say(str(review_page(review, seat, _WIDTH, most)))


def judge_shown(work: LongWork, store: Store, name: str, replay: Replay) -> Review:
    """The cached or a new review of a finished game; partial after a signal."""

    def show(reviewer: Reviewer) -> None:
        work.show(Progress(reviewer.done, reviewer.total, f"steps of {name} reviewed"))

    return judge(store, replay, show, work.is_stopped)


def show_profile(store: Store, as_json: bool, no_color: bool) -> int:
    """Review all finished games of people, and write a summary."""
    found = games_of_people(store)
    if not found:
        raise StorageError(
            f"no finished game of a person is in {store.place}.",
            "Play one, for example: boardgames play senet",
        )
    figures: list[tuple[str, PlayedReview]] = []
    with long_work(no_color) as work:
        for some in reviews_of(
            found,
            lambda name, replay: judge_shown(work, store, name, replay),
            lambda name, reason: notify(f"{name} is left out: {reason}"),
        ):
            figures += some
            if work.stop is not None:
                break
    if as_json:
        people = reviews_by_person(figures).items()
        say_json([_person_json(name, games) for name, games in people])
    else:
        width = (screen_width() or _WIDTH) - 1
        say(str(profile_page(figures, played_games(results_file()), width)))
    if work.stop is not None:
        notify("Stopped. The reviews so far are kept; repeat the command to continue.")
        return work.stop.exit_code
    return 0


def _person_json(name: str, played: list[PlayedReview]) -> dict[str, Any]:
    return {
        "name": name,
        "games": [
            {
                "save": one.save,
                "when": one.when,
                "game": one.game,
                "seat": one.seat,
                "accuracy": one.summary.accuracy,
                "mean_loss": one.summary.mean_loss,
                "luck": one.summary.luck,
                "error": one.summary.error,
                "counts": {mark.word: count for mark, count in one.summary.counts.items()},
                "kinds": dict(one.kinds),
            }
            for one in played
        ],
    }


make = command(
    review_save,
    "review",
    "review senet-3 --seat 1",
    "review senet-3 --export senet-3.html",
    "review senet-3 --json",
    "review --all",
)
