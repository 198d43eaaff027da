"""``boardgames review SAVE``: evaluates a finished game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.cli.command import PROGRAM, CommonOptions, command, option
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import front_end, on_screen
from boardgames_cli.cli.output import long_work, say, say_json
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.cli.saves import FinishedSave
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Picture, counted
from boardgames_cli.evaluation import export
from boardgames_cli.evaluation.review_result import Review, to_json, turns
from boardgames_cli.evaluation.review_text import DEAREST, figures, review_page
from boardgames_cli.evaluation.reviewer import check_reviewable
from boardgames_cli.session.parting import save_arguments
from boardgames_cli.session.played_reviews import judge
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.storage.files import replace_file
from boardgames_cli.storage.store import Store

_WIDTH: Final = 80
"""The width of a review."""


@dataclass(frozen=True, slots=True)
class ReviewArguments:
    """Which games are reviewed, and what is shown."""

    seat: int | None = option(None, "List only the mistakes of this seat.", min=1)
    export: Path | None = option(
        None, "Write the review as a self-contained page with boards and the curve (.html)."
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
    if which.export is not None:
        export.check_export(which.export)
    name = finished.name_in(store)
    replay = replay_of(store.find(name))
    arguments = save_arguments(store.find(name), folder.save_dir)
    check_reviewable(replay.match, name, arguments)
    if which.seat is not None and which.seat > (seats := replay.game.seats):
        raise GameError(f"{replay.game.info.name} has {seats} seats here, not {which.seat}.")
    front, settings = front_end(common, folder=folder.save_dir, as_json=form.json)
    if front is Front.TUI and which.seat is None and which.export is None:
        analyst_for(replay.game)  # raises an error with a message if there is none
        replay.is_judged = True
        return on_screen(settings, "replay_screen:ReplayScreen", replay)
    with long_work(common.is_plain) as work:
        review = judge(store, replay, work.reviewing(f"steps of {name}"), work.is_stopped)
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
    return work.exit_code(f". To continue: {PROGRAM} review {arguments}")


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


def _say_review(replay: Replay, review: Review, seat: Seat, most: int) -> None:
    say(
        f"{replay.game.info.name}: {' v '.join(review.names)}, {counted(replay.match.ply, 'step')}."
    )
    say(replay.ending())
    say()
    say(str(review_page(review, seat, _WIDTH, most)))


make = command(
    review_save,
    "review",
    "review senet-3 --seat 1",
    "review senet-3 --export senet-3.html",
    "review senet-3 --json",
)
