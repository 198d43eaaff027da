"""``boardgames review --all``: statistics over all finished games of people."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, Final

from boardgames_cli.algorithms.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, say_table, screen_width
from boardgames_cli.cli.progress import LongWork, long_work
from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, OptionError, StorageError
from boardgames_cli.evaluation.cache import review_of
from boardgames_cli.evaluation.profile import (
    GameProfile,
    PlayedReview,
    accuracy_plot,
    game_profiles,
    kinds_in_words,
    luck_in_words,
)
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import Reviewer, check_reviewable
from boardgames_cli.registry import find_game
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.seats import people
from boardgames_cli.session.setup import Settings, load_replay
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.names import review_file
from boardgames_cli.storage.store import Store

_WIDTH: Final = 80
"""The width of the plot if the output is not a terminal."""


def judge(work: LongWork, store: Store, name: str, replay: Replay) -> Review:
    """The cached or a new review of a finished game; partial after a signal.

    Raises:
        GameError: The game can't be reviewed.
    """

    def show(reviewer: Reviewer) -> None:
        work.show(Progress(reviewer.done, reviewer.total, f"steps of {name} reviewed"))

    return review_of(
        review_file(store.find(name), store.folder),
        replay.match,
        analyst_for(replay.game, tuple(replay.seats)),
        replay.names,
        replay.seats,
        show,
        work.is_stopped,
        replay.notes,
    )


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
    found = [one for one in store.summaries() if _is_meant(one, _read_day(since))]
    found.sort(key=lambda one: one.header.created if one.header is not None else "")
    if not found:
        raise StorageError(
            f"no finished game of a person{f' since {since}' if since else ''} is in "
            f"{store.folder}.",
            "Play one, for example: boardgames play senet",
        )
    played: dict[str, list[PlayedReview]] = {}
    with long_work(no_color) as work:
        for summary in found:
            for name, one in _judged(store, summary, work):
                played.setdefault(name, []).append(one)
            if work.stop is not None:
                break
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


def _is_meant(summary: SaveSummary, since: str) -> bool:
    header = summary.header
    if header is None or summary.problem or not summary.is_finished:
        return False
    return bool(people(header.seats)) and header.created[:10] >= since


def _judged(
    store: Store, summary: SaveSummary, work: LongWork
) -> Iterator[tuple[str, PlayedReview]]:
    """The figures of the people in a save; none, after a notice, if it can't be reviewed."""
    assert summary.header is not None, "only saves that can be read are meant"
    try:
        replay = load_replay(summary.name, Settings(save_folder=store.folder))
        check_reviewable(replay.match, summary.name)
        reason = why_no_analyst(replay.game)
        if reason is not None:
            notify(f"{summary.name} is left out: {reason}")
            return
        review = judge(work, store, summary.name, replay)
    except GameError as error:
        notify(f"{summary.name} is left out: {error.message}")
        return
    if not review.is_complete:
        return
    for seat in people(summary.header.seats):
        name = review.names[seat]
        yield name, PlayedReview.of(summary.name, summary.header.created, review, seat)


def _say_person(name: str, played: list[PlayedReview]) -> None:
    days = [one.when[:10] for one in played if one.when]
    span = f", {days[0]} to {days[-1]}" if days else ""
    say(f"{name}: {len(played)} game{'s' if len(played) != 1 else ''}{span}")
    profiles = game_profiles(played)
    say_table(
        ("game", "games", "accuracy", "mean loss", "??", "?", "?!", "luck over all"),
        [_row(profile) for profile in profiles],
    )
    for profile in profiles:
        kinds = kinds_in_words(profile)
        if kinds:
            say(f"{_title(profile.game)}, most frequent mistakes: {kinds}.")
    plot = accuracy_plot(played, (screen_width() or _WIDTH) - 1)
    if plot:
        say("Accuracy, from the first game to the last:")
        for line in plot:
            say(line)


def _row(profile: GameProfile) -> tuple[str, ...]:
    accuracy = "-" if profile.accuracy is None else f"{profile.accuracy:.0f} %"
    return (
        _title(profile.game),
        str(profile.games),
        accuracy,
        profile.scale.format_loss(profile.mean_loss),
        *(str(profile.counts[mark]) for mark in (Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY)),
        luck_in_words(profile),
    )


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


def _title(game: str) -> str:
    return find_game(game).info.name
