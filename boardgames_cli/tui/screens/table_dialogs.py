"""The dialogs of the game screen: hand-over, help, result, leaving and saving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.setup import Pace, Settings, record_of
from boardgames_cli.tui.navigator import navigator_of
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, HandOver, NameDialog
from boardgames_cli.tui.screens.frame import Dialog, Frame
from boardgames_cli.tui.table_view import TableView
from boardgames_cli.tui.timers import KeyDebounce


class TableDialogs:
    """Opens the dialogs of the game screen and acts on their answers.

    Args:
        screen: The game screen.
        view: The widget that draws the session.
    """

    def __init__(self, screen: Frame, view: TableView) -> None:
        self._screen = screen
        self._view = view
        self._session = view.model.session
        self._is_result_seen = False
        """Whether the result has been shown and closed."""

    # -- during the game ---------------------------------------------------------------------

    def hand_over(self, seat: Seat, follow: Callable[[], None]) -> None:
        """Hide everything until the person of a seat has taken over."""

        def reveal(_: str | None) -> None:
            self._view.model.reveal(seat)
            follow()

        self._show(HandOver(self._session.names[seat]), reveal)

    def show_help(self, page: str) -> None:
        """Show the help, starting with one of its pages."""
        # Imported late: Markdown is slow to import, and the first board should not wait for it.
        from boardgames_cli.tui.screens.help import game_help

        keys = navigator_of(self._screen.app).key_descriptions(self._screen)
        glyphs = self._session.glyphs
        dialog = game_help(self._session.game, keys, glyphs, self._view.palette, page)
        self._screen.app.push_screen(dialog)

    # -- at its end --------------------------------------------------------------------------

    def show_result(self, settings: Settings) -> None:
        """Say who won, and ask what to do next."""
        from boardgames_cli.tui.screens.result import (
            ResultScene,
        )  # imported late, not before the first board

        # At the fastest pace nobody watches the board. Real time has its own ticks.
        is_awaited = settings.pace is Pace.INSTANT and self._session.tick is None
        is_asked_for, self._is_result_seen = self._is_result_seen, False
        rest = None if is_awaited or is_asked_for else KeyDebounce()

        def follow(answer: str | None) -> None:
            self._is_result_seen = True
            if answer in ("rematch", "swap"):
                self.leave_for(lambda: self._rematch(swap=answer == "swap"))
            elif answer == "review":
                self.review()
            elif answer == "menu":
                self.leave_for(self._menu)
            elif answer == "quit":
                self.leave_for(self._quit)

        view, record = self._view, record_of(self._session, settings.results_file)
        self._show(ResultScene(view.model, view.palette, rest, record, view.make_room), follow)

    def review(self) -> None:
        """Show the review of the finished game from its beginning, with everything revealed."""
        replay = Replay.of_session(self._session)
        replay.is_judged = True
        navigator_of(self._screen.app).open_replay(replay)

    def _rematch(self, *, swap: bool) -> None:
        try:
            navigator_of(self._screen.app).rematch(self._session, swap=swap)
        except GameError as error:
            self._view.say(str(error))

    # -- leaving -----------------------------------------------------------------------------

    def leave(self) -> None:
        """Ask how to leave; a finished or unsaved game needs no save."""
        session = self._session
        if session.match.is_over or not session.saving.retry():
            self.leave_for(self._quit)
            return
        journal = session.journal
        if journal is None:
            facts = ["It is played without saving, so it can't be resumed."]
            answers = [("quit", "Quit"), ("menu", "Go to the menu"), ("stay", "Stay")]
        else:
            facts = [f"Everything is saved as {journal.name}."]
            answers = [
                ("quit", "Save and quit"),
                ("menu", "Save and go to the menu"),
                ("delete", "Quit and delete the save"),
                ("stay", "Stay"),
            ]

        def follow(answer: str | None) -> None:
            if answer == "quit":
                self.leave_for(self._quit)
            elif answer == "menu":
                self.leave_for(self._menu)
            elif answer == "delete":
                self._delete()

        self._show(ChoiceDialog("Leave the game?", facts, answers, self._view.palette), follow)

    def leave_for(self, where: Callable[[], object], said: str = "") -> None:
        """Leave once the game is saved, or the user gives up saving.

        Args:
            where: Called to leave.
            said: The result of the last attempt to save.
        """
        saving = self._session.saving
        if saving.retry():
            where()
            return
        answers = [
            *([] if is_confined() else [("elsewhere", "Save it in another place")]),
            ("again", "Try again"),
            ("leave", f"Leave without {saving.missing}"),
            ("stay", "Stay"),
        ]

        def follow(answer: str | None) -> None:
            if answer == "elsewhere":
                self._save_elsewhere(where)
            elif answer == "again":
                self.leave_for(where)
            elif answer == "leave":
                where()

        facts = [saving.warning, *([said] if said else [])]
        self._show(ChoiceDialog("Leave the game?", facts, answers, self._view.palette), follow)

    def save_copy(self, name: str) -> None:
        """Save a copy under a name; ask for the name if it is empty."""
        journal = self._session.journal
        if journal is None:
            self._view.say("This game is played without saving, so there is nothing to copy.")
            return

        def follow(chosen: str | None) -> None:
            if not chosen:
                return
            try:
                path = self._session.saving.keep_copy(chosen)
            except GameError as error:
                self._view.say(str(error))
                return
            self._view.say(f"Saved a copy as {path.stem}. The game goes on in {journal.name}.")

        if name:
            follow(name)
        else:
            self._show(NameDialog("Save a copy under which name?", f"{journal.name}-copy"), follow)

    def leave_for_menu(self) -> None:
        """Save and open the menu."""
        app = self._screen.app
        self.leave_for(lambda: app.run_worker(app.run_action("open_menu")))

    def _delete(self) -> None:
        try:
            self._session.saving.discard()
        except GameError as error:
            self._view.say(str(error))
            return
        self._quit()

    def _save_elsewhere(self, where: Callable[[], object]) -> None:
        journal = self._session.journal
        assert journal is not None, "only a game with a save can have an incomplete one"

        def follow(chosen: str | None) -> None:
            said = ""
            if chosen:
                try:
                    self._session.saving.move(chosen)
                except StorageError as error:
                    said = error.message
            self.leave_for(where, said)

        place = str(Path.home() / journal.path.name)
        self._show(NameDialog("Save the game in which folder or file?", place), follow)

    # -- the application ---------------------------------------------------------------------

    def _show(self, dialog: Dialog, follow: Callable[[str | None], None]) -> None:
        self._screen.app.push_screen(dialog, follow)

    def _quit(self) -> None:
        self._screen.app.exit()

    def _menu(self) -> None:
        navigator_of(self._screen.app).open_menu()
