"""Keeping the save of a match up to date, and knowing when it is not.

A game goes on although its save can't be written: nothing here raises for that. The players are
notified once, `Saving.problem` says it for as long as it lasts, and every step tries again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from boardgames_cli.core.confinement import ConfinedError, is_confined
from boardgames_cli.core.errors import EXIT_FILE, StorageError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.journal import Journal, SaveGoneError, SaveUnwritableError
from boardgames_cli.storage.names import SUFFIX, is_plain
from boardgames_cli.storage.store import Store

_AGAIN = "The game is being saved again; nothing is missing."


class Saving:
    """The save of a match that is being played.

    Args:
        match: The match.
        journal: Its save; None plays without saving.
        remark: Called with what the players and the log should know.
    """

    def __init__(
        self, match: AnyMatch, journal: Journal | None, remark: Callable[[str], None]
    ) -> None:
        self.journal = journal
        self.problem = ""
        """Why something is not saved, in a few words; empty if everything is."""
        self.at_end: Callable[[], None] | None = None
        """Called when the game has ended, and again if it was taken back and ends anew."""
        self._match = match
        self._remark = remark
        self._is_closed = False

    @property
    def is_complete(self) -> bool:
        """Whether the save holds everything; without a save nothing is missing."""
        return self.journal is None or not self.journal.is_behind

    @property
    def missing(self) -> str:
        """What the save does not hold, such as ``12 steps``; empty if it holds everything."""
        if self.journal is None or not self.journal.is_behind:
            return ""
        count = self.journal.missing(self._match)
        if not count:
            return "the last change"
        return "1 step" if count == 1 else f"{count} steps"

    @property
    def warning(self) -> str:
        """What is not saved and why, in a sentence; empty if everything is."""
        if not self.missing:
            return ""
        return f"Not saved: {self.missing}{f' ({self.problem})' if self.problem else ''}."

    def exit_code(self, code: int) -> int:
        """What the program ends with: a code, unless something is missing in the save."""
        return code if self.is_complete else EXIT_FILE

    # -- writing ---------------------------------------------------------------------------

    def record(self) -> None:
        """Save the steps that were taken."""
        self._write(lambda journal: journal.record(self._match))
        if self.at_end is not None and self._match.is_over and not self._is_closed:
            self.at_end()

    def rewrite(self) -> None:
        """Save that steps were taken back."""
        self._write(lambda journal: journal.rewrite(self._match))

    def note(self, text: str) -> None:
        """Save a remark about the present moment."""
        self._write(lambda journal: journal.note(self._match, text))

    def retry(self) -> bool:
        """Try again to save what is missing; returns whether everything is saved now."""
        if not self.is_complete:
            self._write(lambda journal: journal.record(self._match))
        return self.is_complete

    def close(self) -> None:
        """Try once more, and release the save; nothing is written from now on."""
        if self.journal is not None and not self._is_closed:
            self.retry()
            self.journal.close()
        self._is_closed = True

    # -- elsewhere -------------------------------------------------------------------------

    def move(self, text: str) -> Path:
        """Go on in another file, which holds the whole game; what is in the old one stays.

        Args:
            text: A folder, a file, or a new name in the same folder.

        Returns:
            The new file.

        Raises:
            StorageError: The game is not saved at all, or it can't be written there either.
            ConfinedError: A visitor asked for it, who may not choose where files go.
        """
        if is_confined():
            raise ConfinedError("games in a browser are saved in one place alone.")
        journal = self._require()
        journal.move(self._match, self._place(text, journal.path))
        self.problem = ""
        self._announce(f"The game is saved as {journal.path} from now on.")
        return journal.path

    def keep_copy(self, name: str) -> Path:
        """Keep a copy of the game as it is now under another name.

        Returns:
            The copy.

        Raises:
            StorageError: The game is not saved at all, or the name can't be used or is taken.
        """
        journal = self._require()
        return Store(journal.path.parent).keep(name, journal.data(self._match))

    def discard(self) -> None:
        """Delete the save; nothing is written from now on.

        Raises:
            StorageError: It can't be deleted.
        """
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
        except (OSError, RuntimeError, ValueError) as error:  # no such home; a null byte
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
            with contextlib.suppress(StorageError):  # then it is written with the next step
                self.journal.note(self._match, text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
