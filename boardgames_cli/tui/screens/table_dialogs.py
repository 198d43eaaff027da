"""The dialogs of a table, and what follows from their answers: nothing is lost unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.secrecy import disclosed_seed
from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.key_rest import KeyRest
from boardgames_cli.tui.navigator import navigator_of
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, HandOver, NameDialog
from boardgames_cli.tui.screens.frame import Dialog, Frame
from boardgames_cli.tui.table_model import TableModel
from boardgames_cli.tui.table_view import TableView
from boardgames_cli.tui.theme import Palette


class TableDialogs:
    """What lies over a table for a while.

    Args:
        screen: The screen of the table.
        view: The table as it is drawn.
    """

    def __init__(self, screen: Frame, view: TableView) -> None:
        self._screen = screen
        self._view = view
        self._session = view.model.session
        self._is_result_seen = False
        """Whether the result was shown and closed again."""

    # -- during the game ---------------------------------------------------------------------

    def hand_over(self, seat: Seat, follow: Callable[[], None]) -> None:
        """Hide everything until the person of a seat has taken over."""

        def reveal(_: str | None) -> None:
            self._view.model.reveal(seat)
            follow()

        self._show(HandOver(self._session.names[seat]), reveal)

    def show_help(self, page: str) -> None:
        """Show keys, rules and legend, beginning with one of them."""
        # Markdown takes a while to import, and the first board should not wait for it.
        from boardgames_cli.tui.screens.help import game_help

        keys = navigator_of(self._screen.app).key_descriptions(self._screen)
        glyphs = self._view.model.context().glyphs
        dialog = game_help(self._session.game, keys, glyphs, self._view.palette, page)
        self._screen.app.push_screen(dialog)

    # -- at its end --------------------------------------------------------------------------

    def show_result(self, pace: Pace) -> None:
        """Say who won, and ask what to do next."""
        # At pace instant nobody watches the board. Real time has a beat of its own.
        is_awaited = pace is Pace.INSTANT and self._session.tick is None
        is_asked_for, self._is_result_seen = self._is_result_seen, False
        rest = None if is_awaited or is_asked_for else KeyRest()

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

        self._show(result_dialog(self._view.model, self._view.palette, rest), follow)

    def review(self) -> None:
        """Show the finished game from its beginning, with everything revealed."""
        navigator_of(self._screen.app).open_replay(Replay.of_session(self._session))

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
        """Leave the table once its game is saved, or the user gives the save up.

        Args:
            where: What comes then.
            said: What came of the last answer.
        """
        saving = self._session.saving
        if saving.retry():
            where()
            return
        answers = [
            ("elsewhere", "Save it in another place"),
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
        """Keep a copy of the save under a name, which is asked for if it is empty."""
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
        assert journal is not None, "only what has a save can lack something there"

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


_MOST_REVIEWED: Final = 5
"""Lines of a game's own review that fit into the dialog of the smallest window."""

_RESULT_KEYS: Final = {"rematch": "r", "swap": "s", "review": "v", "menu": "m", "quit": "q"}
"""No digit and no enter: with those one plays, and goes on pressing them when the game is over."""


def result_dialog(model: TableModel, palette: Palette, rest: KeyRest | None) -> ChoiceDialog:
    """The dialog at the end: ``rematch``, ``swap``, ``review``, ``menu`` or ``quit``.

    Args:
        model: The table.
        palette: The colours.
        rest: Keeps it from taking keys that were meant for the game.
    """
    answers = [("rematch", "Rematch")]
    if model.session.game.seats > 1:
        answers.append(("swap", "Rematch with seats changed"))
    answers += [
        ("review", "Look back through the game"),
        ("menu", "New game, or the menu"),
        ("quit", "Quit"),
    ]
    facts = _facts(model.session)
    dialog = ChoiceDialog(
        _headline(model), facts, answers, palette, None, keys=_RESULT_KEYS, rest=rest
    )
    dialog.add_class("-result")
    return dialog


def _headline(model: TableModel) -> Picture:
    session = model.session
    if session.match.truncated:
        text = model.prompt()
    else:
        text = session.view.result(model.seen().state, model.context())
    returns = session.match.returns
    best = [seat for seat, value in enumerate(returns) if value == max(returns)]
    role = f"seat.{best[0]}" if len(best) == 1 else "title"
    return Picture.of([Span("G A M E   O V E R", "muted"), "", Span(text, f"{role} headline")])


def _facts(session: Session) -> list[str]:
    returns = session.match.returns
    width = max(len(name) for name in session.names)
    facts = [
        f"{name:<{width}}  {value + 0.0:+g}"
        for name, value in zip(session.names, returns, strict=True)
    ]
    seed = disclosed_seed(session.match)
    # Games that count moments themselves would say another number than this one.
    counted = [] if session.view.counts_moments else [f"{session.match.ply} steps"]
    facts.append(", ".join([*counted, *([] if seed is None else [f"seed {seed}"])]))
    if session.saving.warning:
        facts.append(session.saving.warning)
    elif session.journal is not None:
        facts[-1] += f"{', ' if facts[-1] else ''}saved as {session.journal.name}"
    return facts + session.review()[:_MOST_REVIEWED]
