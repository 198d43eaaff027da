"""``boardgames review --all``: statistics over all finished games of people."""

from __future__ import annotations

import datetime
from typing import Any, Final

from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, say_table, screen_width
from boardgames_cli.cli.progress import LongWork, long_work
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import OptionError, StorageError
from boardgames_cli.evaluation.profile import (
    PROFILE_HEADINGS,
    PlayedReview,
    accuracy_plot,
    game_profiles,
    kinds_in_words,
    profile_row,
    reviews_by_person,
    span_in_words,
)
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import Reviewer
from boardgames_cli.session.played_reviews import games_of_people, judge, reviews_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.store import Store

_WIDTH: Final = 80
"""The width of the plot if the output is not a terminal."""


def judge_shown(work: LongWork, store: Store, name: str, replay: Replay) -> Review:
    """The cached or a new review of a finished game; partial after a signal.

    Raises:
        GameError: The game can't be reviewed.
    """

    def show(reviewer: Reviewer) -> None:
        work.show(Progress(reviewer.done, reviewer.total, f"steps of {name} reviewed"))

    return judge(store, name, replay, show, work.is_stopped)


def show_profile(store: Store, since: str, as_json: bool, no_color: bool) -> int:
    """Review all finished games of people, and write a summary.

    Args:
        store: The saves.
        since: Only games that began on or after this day, in ISO 8601; empty for all.
        as_json: Whether to write JSON.
        no_color: Whether the progress must be plain text.

    Returns:
        The exit code: 0, or 128 plus the number of the signal that stopped it.

    Raises:
        GameError: The day is invalid, or there is no such game.
    """
    found = games_of_people(store, _read_day(since))
    if not found:
        raise StorageError(
            f"no finished game of a person{f' since {since}' if since else ''} is in "
            f"{store.folder}.",
            "Play one, for example: boardgames play senet",
        )
    figures: list[tuple[str, PlayedReview]] = []
    with long_work(no_color) as work:
        for some in reviews_of(
            store,
            found,
            lambda name, replay: judge_shown(work, store, name, replay),
            lambda name, reason: notify(f"{name} is left out: {reason}"),
        ):
            figures += some
            if work.stop is not None:
                break
    played = reviews_by_person(figures)
    if as_json:
        say_json([_facts(name, games) for name, games in played.items()])
    else:
        for number, (name, games) in enumerate(played.items()):
            if number:
                say()
            _say_person(name, games)
    if work.stop is not None:
        notify("Stopped. The reviews so far are kept; repeat the command to continue.")
        return work.stop.exit_code
    return 0


def _read_day(text: str) -> str:
    if not text:
        return ""
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise OptionError(f'"{text}" is not a day.', "Write it as 2026-01-31.") from None


def _say_person(name: str, played: list[PlayedReview]) -> None:
    say(f"{name}: {span_in_words(played)}")
    profiles = game_profiles(played)
    say_table(PROFILE_HEADINGS, [profile_row(profile) for profile in profiles])
    for profile in profiles:
        kinds = kinds_in_words(profile)
        if kinds:
            say(f"{profile.spec.info.name}, most frequent mistakes: {kinds}.")
    plot = accuracy_plot(played, (screen_width() or _WIDTH) - 1)
    if plot:
        say("Accuracy, from the first game to the last:")
        for line in plot:
            say(line)


def _facts(name: str, played: list[PlayedReview]) -> dict[str, Any]:
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
