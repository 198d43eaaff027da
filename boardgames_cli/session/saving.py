"""Keeps the save of a match up to date.

A game continues even if its save can't be written: nothing here raises for that. The players are
notified once, `Saving.problem` describes the problem while it lasts, and every step tries again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from boardgames_cli.core.errors import EXIT_FILE, StorageError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.plugins import ConfinedError, is_confined
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.journal import Journal, SaveGoneError, SaveUnwritableError
from boardgames_cli.storage.names import SUFFIX, is_plain
from boardgames_cli.storage.store import Store

_AGAIN = "The game is being saved again; nothing is missing."


class Saving:
    """The save of a match that is being played.

    Players and the log get remarks, which are sentences.
    """

    def __init__(
        self, match: AnyMatch, journal: Journal | None, remark: Callable[[str], None]
    ) -> None:
        self.journal = journal
        self.problem = ""
        """Why the save is incomplete, in a few words; empty if it is complete."""
        self.at_end: Callable[[], None] | None = None
        """Called when the game ends, and again if it ends anew after undo."""
        self._match = match
        self._remark = remark
        self._is_closed = False

    @property
    def is_complete(self) -> bool:
        """Whether the save is complete; always true without a save."""
        return self.journal is None or not self.journal.is_behind

    @property
    def missing(self) -> str:
        """What the save lacks, such as ``12 steps``; empty if it is complete."""
        if self.journal is None or not self.journal.is_behind:
            return ""
        count = self.journal.missing(self._match)
        if not count:
            return "the last change"
        return "1 step" if count == 1 else f"{count} steps"

    @property
    def warning(self) -> str:
        """A sentence about what is not saved and why; empty if the save is complete."""
        if not self.missing:
            return ""
        return f"Not saved: {self.missing}{f' ({self.problem})' if self.problem else ''}."

    def exit_code(self, code: int) -> int:
        """The exit code: the given one, unless the save is incomplete."""
        return code if self.is_complete else EXIT_FILE

    # -- writing ---------------------------------------------------------------------------

    def record(self) -> None:
        """Save new steps."""
        self._write(lambda journal: journal.record(self._match))
        if self.at_end is not None and self._match.is_over and not self._is_closed:
            self.at_end()

    def rewrite(self) -> None:
        """Rewrite the save after undo."""
        self._write(lambda journal: journal.rewrite(self._match))

    def note(self, text: str) -> None:
        """Save a remark at the current ply."""
        self._write(lambda journal: journal.note(self._match, text))

    def retry(self) -> bool:
        """Try again to complete the save; whether it is complete now."""
        if not self.is_complete:
            self._write(lambda journal: journal.record(self._match))
        return self.is_complete

    def close(self) -> None:
        """Try once more, and close the save."""
        if self.journal is not None and not self._is_closed:
            self.retry()
            self.journal.close()
        self._is_closed = True

    # -- elsewhere -------------------------------------------------------------------------

    def move(self, text: str) -> Path:
        """Continue in another file with the whole game; the old file keeps its content.

        The text is a folder, a file, or a new name in the same folder; the new file is returned.
        """
        if is_confined():
            raise ConfinedError("games in a browser are always saved in the same place.")
        journal = self._require()
        journal.move(self._match, self._place(text, journal.path))
        self.problem = ""
        self._announce(f"The game is saved as {journal.path} from now on.")
        return journal.path

    def keep_copy(self, name: str) -> Path:
        """Copy the current game to a save with another name; return the copy."""
        journal = self._require()
        return Store(journal.path.parent).keep(name, journal.data(self._match))

    def discard(self) -> None:
        """Delete the save, and stop saving."""
        self._require().discard()
        self._is_closed = True
        self.journal = None

    def _require(self) -> Journal:
        if self.journal is None:
            raise StorageError("this game is not saved (--no-save).", "Start without --no-save.")
        return self.journal

    @staticmethod
    def _place(text: str, old: Path) -> Path:
        try:
            path = Path(text).expanduser()
            if text.endswith(os.sep) or path.is_dir():
                path.mkdir(parents=True, exist_ok=True)
                return path / old.name
        except (
            OSError,
            RuntimeError,
            ValueError,
        ) as error:  # an unknown home folder, or a null byte
            raise StorageError(
                f"{text} can't be used ({reason_of(error)}).", "Choose another place."
            ) from None
        if path.suffix != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        return old.with_name(path.name) if is_plain(text) else path

    # -- what goes wrong -------------------------------------------------------------------

    def _write(self, write: Callable[[Journal], None]) -> None:
        journal = self.journal
        if journal is None or self._is_closed:
            return
        try:
            try:
                write(journal)
            except SaveGoneError as gone:
                journal.recreate(self._match)
                self._announce(f"{_sentence(gone.message)} It goes on as {journal.path}.")
        except SaveUnwritableError as error:
            is_news, self.problem = not self.problem, error.reason
            if is_news:
                self._announce(
                    f"This game is not being saved: {error.message} "
                    f"Every step tries again. {error.todo}".rstrip()
                )
        else:
            if self.problem:
                self.problem = ""
                self._announce(_AGAIN)

    def _announce(self, text: str) -> None:
        self._remark(text)
        if self.journal is not None:
            with contextlib.suppress(StorageError):  # it is then written with the next step
                self.journal.note(self._match, text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
