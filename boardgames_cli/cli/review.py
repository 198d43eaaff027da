"""``boardgames review SAVE``: where a game was won, what was luck, and what were mistakes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from boardgames_cli.analysis.analysts import analyst_for
from boardgames_cli.analysis.cache import review_of
from boardgames_cli.analysis.plots import chance_plot
from boardgames_cli.analysis.report import mistake_lines, summary_lines
from boardgames_cli.analysis.review import Review
from boardgames_cli.analysis.review_json import to_json
from boardgames_cli.analysis.reviewer import Reviewer, check_reviewable
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import PROGRAM, examples, make_command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.options import AsJson, Folder
from boardgames_cli.cli.output import say, say_json, screen_width
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.reading import read_file, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal

_WIDTH: Final = 80
"""Columns of the curve where nobody knows how wide the page is."""
_PAUSE: Final = 0.2
"""Seconds between two words on how far it is."""


@dataclass(frozen=True, slots=True)
class Which:
    """The save, and whose mistakes."""

    save: Annotated[
        str | None,
        typer.Argument(
            metavar="[SAVE]",
            help="Its name or file; without one, the finished game played last.",
            autocompletion=completion.saves,
            show_default=False,
        ),
    ] = None
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", min=1, metavar="NUMBER", help="List the mistakes of that seat alone."
        ),
    ] = None


def make(name: str) -> Any:
    """The verb."""
    return make_command(
        name,
        review_save,
        Which,
        Folder,
        AsJson,
        help="Judge a finished game: what was luck, which decisions were mistakes, and why. "
        "Ctrl+C keeps what was judged.",
        epilog=examples(
            "review", "review senet-3", "review kuhn-1 --seat 1", "review senet-3 --json"
        ),
    )


def review_save(which: Which, folder: Folder, form: AsJson) -> int:
    """Judge a game and say what came of it.

    Returns:
        The exit code: 0, or 128 and the number of the signal that stopped it.

    Raises:
        GameError: The save can't be found or read, or the game can't be judged.
    """
    store = Store(save_folder(folder.save_dir))
    name = which.save or latest_finished(store)
    opened = OpenedSave.open(store.find(name), name)
    _check_seat(which.seat, opened)
    with Judging() as judging:
        review = judging.review(opened)
    if form.json:
        say_json({"save": name, **as_json(review)})
    else:
        _say_review(opened, review, None if which.seat is None else which.seat - 1)
    if judging.stopped is not None:
        notify(f"Stopped. To go on: {PROGRAM} review {name}")
        return judging.stopped.exit_code
    return 0


@dataclass(frozen=True, slots=True)
class OpenedSave:
    """A save that was read."""

    path: Path
    name: str
    replay: Replay
    seats: tuple[str, ...]
    """The specification of every seat's owner."""

    @classmethod
    def open(cls, path: Path, name: str) -> OpenedSave:
        """Read a save of a game that is over.

        Raises:
            GameError: It can't be read, or the game is not over.
        """
        record = read_file(path)
        match = restore(record, path)
        check_reviewable(match, name)
        return cls(path, name, Replay.of_record(match, record), record.header.seats)


class Judging:
    """Judges games until a signal comes, and says how far it is; a context manager."""

    def __init__(self) -> None:
        self.stopped: Stopped | None = None
        """The signal that came."""
        self._watch = SignalWatch()
        self._shown = time.monotonic()
        self._width = 0

    def __enter__(self) -> Judging:
        self._watch.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._clear()
        self._watch.__exit__(*error)

    def review(self, opened: OpenedSave) -> Review:
        """The review of a save: the one kept beside it, or a new one; partial after a signal.

        Raises:
            GameError: The game can't be judged.
        """
        match = opened.replay.match
        analyst = analyst_for(match.game)
        return review_of(
            opened.path,
            match,
            analyst,
            opened.replay.names,
            opened.seats,
            self._progress(opened.name),
            self._is_stopped,
        )

    def _is_stopped(self) -> bool:
        try:
            with self._watch.waiting():
                return self.stopped is not None
        except Stopped as stop:
            self.stopped = stop
            return True

    def _progress(self, name: str) -> Callable[[Reviewer], None]:
        def show(reviewer: Reviewer) -> None:
            now = time.monotonic()
            if now - self._shown > _PAUSE and is_terminal(sys.stderr):
                self._shown = now
                self._say(f"{name}: {reviewer.done} of {reviewer.total} steps judged")

        return show

    def _say(self, text: str) -> None:
        typer.echo(f"\r{text:<{self._width}}", nl=False, err=True)
        self._width = len(text)

    def _clear(self) -> None:
        if self._width:
            typer.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0


def latest_finished(store: Store) -> str:
    """The name of the finished game played last.

    Raises:
        StorageError: There is none.
    """
    for summary in store.summaries():
        if summary.is_finished and not summary.problem:
            return summary.name
    raise StorageError(
        f"there is no finished game in {store.folder}.",
        "Play one, for example: boardgames play senet",
    )


def as_json(review: Review) -> dict[str, Any]:
    """A review with the sums that it stands for."""
    summaries = []
    for seat in range(len(review.names)):
        one = review.summary(seat)
        data = {name: getattr(one, name) for name in one.__slots__ if name != "counts"}
        counts = {mark.name.lower(): count for mark, count in one.counts.items()}
        summaries.append({**data, "counts": counts})
    return {"complete": review.is_complete, "summaries": summaries, "review": to_json(review)}


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
