"""``boardgames review SAVE``: evaluates a finished game: luck and mistakes."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from boardgames_cli.cli.command import PROGRAM, CommonOptions, examples, make_command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import choose_front, settings_for, show_from_environment
from boardgames_cli.cli.output import say, say_json, say_table, screen_width
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.cli.review_saves import Judging, OpenedSave
from boardgames_cli.cli.saves import FinishedSave
from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.errors import GameError, OptionError, StorageError
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.evaluation.export import ReviewPage, written_as
from boardgames_cli.evaluation.plots import chance_plot
from boardgames_cli.evaluation.profile import (
    GameProfile,
    PlayedReview,
    accuracy_plot,
    game_profiles,
    kinds_in_words,
    luck_in_words,
)
from boardgames_cli.evaluation.review_result import Review, to_json, turns
from boardgames_cli.evaluation.review_text import mistake_lines, summary_lines
from boardgames_cli.registry import find_game
from boardgames_cli.session.seats import people
from boardgames_cli.storage.files import replace_file
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.startup import end_at_once_again, pause_collection

_WIDTH: Final = 80
"""The width of the curve if the output is not a terminal."""
_MANY: Final = "Many games"


@dataclass(frozen=True, slots=True)
class ReviewArguments:
    """Which games are reviewed, and what is shown."""

    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", min=1, metavar="NUMBER", help="List only the mistakes of this seat."
        ),
    ] = None
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write the review as Markdown (.md), or as a self-contained page with boards "
            "and the curve (.html).",
        ),
    ] = None
    all: Annotated[
        bool,
        typer.Option(
            "--all",
            help="A summary of all finished games of people: accuracy over time, frequent "
            "mistakes, luck over all.",
            rich_help_panel=_MANY,
        ),
    ] = False
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="DAY",
            help="With --all: only games from that day on, such as 2026-01-31.",
            rich_help_panel=_MANY,
        ),
    ] = ""


def make(name: str) -> Any:
    """Create the command."""
    return make_command(
        name,
        review_save,
        FinishedSave,
        ReviewArguments,
        Folder,
        AsJson,
        CommonOptions,
        help="Review a finished game: luck, mistakes, and the reasons. "
        "Ctrl+C keeps the partial review.",
        epilog=examples(
            "review",
            "review senet-3 --seat 1",
            "review senet-3 --export senet-3.html",
            "review senet-3 --json",
            "review --all --since 2026-01-31",
        ),
    )


def review_save(
    finished: FinishedSave,
    which: ReviewArguments,
    folder: Folder,
    form: AsJson,
    common: CommonOptions,
) -> int:
    """Review a game and write the result.

    Returns:
        The exit code: 0, or 128 plus the number of the signal that stopped it.

    Raises:
        GameError: The save can't be found or read, or the game can't be judged.
    """
    store = Store(save_folder(folder.save_dir))
    if which.all:
        if finished.save is not None or which.seat is not None or which.export is not None:
            raise GameError(
                "--all is about many games.", "Leave out the save, --seat and --export."
            )
        return show_profile(store, which.since, form.json, common.is_plain)
    if which.since:
        raise GameError("--since goes with --all.", f"Write: {PROGRAM} review --all --since DAY")
    write = None if which.export is None else written_as(which.export)
    name = finished.name_in(store)
    opened = OpenedSave.open(store, name)
    _check_seat(which.seat, opened)
    is_text = form.json or common.plain or which.seat is not None or write is not None
    if not is_text and (code := _on_screen(opened, folder, common)) is not None:
        return code
    with Judging(common.is_plain) as judging:
        review = judging.review(opened)
    if write is not None and which.export is not None:
        page = ReviewPage(opened.replay.match, review, opened.replay.ending())
        replace_file(which.export, write(page))
        say(f"Written to {which.export}.")
    elif form.json:
        say_json({"save": name, **as_json(review)})
    else:
        _say_review(opened, review, None if which.seat is None else which.seat - 1)
    if judging.stopped is not None:
        notify(f"Stopped. To continue: {PROGRAM} review {name}")
        return judging.stopped.exit_code
    return 0


def _on_screen(opened: OpenedSave, folder: Folder, common: CommonOptions) -> int | None:
    """Review a game on the full screen; None if there is none."""
    show = show_from_environment()
    choice = choose_front(show, common)
    if choice.front is not Front.TUI:
        return None
    analyst_for(opened.replay.game)  # raises an error with a message if there is none
    end_at_once_again()
    pause_collection()
    from boardgames_cli.tui.app import run_replay

    opened.replay.is_judged = True
    return run_replay(opened.replay, settings_for(choice, show, folder.save_dir))


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


def _check_seat(seat: int | None, opened: OpenedSave) -> None:
    count = opened.replay.game.seats
    if seat is not None and seat > count:
        raise GameError(f"{opened.replay.game.info.name} has {count} seats here, not {seat}.")


def _say_review(opened: OpenedSave, review: Review, seat: int | None) -> None:
    replay = opened.replay
    say(f"{replay.game.info.name}: {' v '.join(review.names)}, {replay.match.ply} steps.")
    say(replay.ending())
    say()
    for line in chance_plot(review, (screen_width() or _WIDTH) - 1, glyphs=Glyphs.ASCII):
        say(line)
    say()
    for line in summary_lines(review):
        say(line)
    say()
    say("What cost most:")
    for line in mistake_lines(review, seat):
        say(f"  {line}")


_PLOT_WIDTH: Final = 80


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
    with Judging(no_color) as judging:
        for summary in found:
            for name, one in _judged(store, summary, judging):
                played.setdefault(name, []).append(one)
            if judging.stopped is not None:
                break
    if as_json:
        say_json([_facts(name, games) for name, games in played.items()])
    else:
        for number, (name, games) in enumerate(played.items()):
            if number:
                say()
            _say_person(name, games)
    if judging.stopped is not None:
        notify("Stopped. The reviews so far are kept; repeat the command to continue.")
        return judging.stopped.exit_code
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
    store: Store, summary: SaveSummary, judging: Judging
) -> Iterator[tuple[str, PlayedReview]]:
    """The figures of the people in a save; none, after a notice, if it can't be reviewed."""
    assert summary.header is not None, "only saves that can be read are meant"
    try:
        opened = OpenedSave.open(store, summary.name)
        reason = why_no_analyst(opened.replay.game)
        if reason is not None:
            notify(f"{summary.name} is left out: {reason}")
            return
        review = judging.review(opened)
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
    plot = accuracy_plot(played, (screen_width() or _PLOT_WIDTH) - 1)
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
