"""The dialogs of the table, and what follows from their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.registry import spec_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.secrecy import told_seed
from boardgames_cli.session.setup import Pace

if TYPE_CHECKING:
    from boardgames_cli.tui.app import BoardgamesApp
    from boardgames_cli.tui.screens.help import HelpScreen
    from boardgames_cli.tui.screens.table import Table
    from boardgames_cli.tui.theme import Palette


_MOST_REVIEWED: Final = 5
"""Lines of a game's own review that fit into the dialog of the smallest window."""

_GUARD_SECONDS: Final = 0.6
"""A digit pressed for a move must not choose a rematch because the game was over first."""


def app_of(screen: Table) -> BoardgamesApp:
    """The application, with its type."""
    from boardgames_cli.tui.app import BoardgamesApp

    assert isinstance(screen.app, BoardgamesApp)
    return screen.app


def leave(screen: Table) -> None:
    """Ask how to leave; a finished or unsaved game needs no save."""
    from boardgames_cli.tui.screens.dialogs import ChoiceDialog

    app, session = app_of(screen), screen.session
    if session.match.is_over or not session.saving.retry():
        leave_for(screen, app.exit)
        return
    journal = session.journal
    if journal is None:
        title, facts = "Leave the game?", ["It is played without saving, so it can't be resumed."]
        answers = [("quit", "Quit"), ("menu", "Go to the menu"), ("stay", "Stay")]
    else:
        title, facts = "Leave the game?", [f"Everything is saved as {journal.name}."]
        answers = [
            ("quit", "Save and quit"),
            ("menu", "Save and go to the menu"),
            ("delete", "Quit and delete the save"),
            ("stay", "Stay"),
        ]

    def follow(answer: str | None) -> None:
        if answer == "quit":
            leave_for(screen, app.exit)
        elif answer == "menu":
            leave_for(screen, app.open_menu)
        elif answer == "delete":
            _delete(screen)

    app.push_screen(ChoiceDialog(title, facts, answers, screen.palette), follow)


def _delete(screen: Table) -> None:
    try:
        screen.session.saving.discard()
    except GameError as error:
        screen.say(str(error))
        return
    app_of(screen).exit()


def leave_for(screen: Table, go: Callable[[], object], said: str = "") -> None:
    """Leave the table for something else, once its game is saved or nobody cares.

    Args:
        screen: The table.
        go: What comes then.
        said: What came of the last answer.
    """
    from boardgames_cli.tui.screens.dialogs import ChoiceDialog

    saving = screen.session.saving
    if saving.retry():
        go()
        return
    answers = [
        ("elsewhere", "Save it in another place"),
        ("again", "Try again"),
        ("leave", f"Leave without {saving.missing}"),
        ("stay", "Stay"),
    ]

    def follow(answer: str | None) -> None:
        if answer == "elsewhere":
            _save_elsewhere(screen, go)
        elif answer == "again":
            leave_for(screen, go)
        elif answer == "leave":
            go()

    facts = [saving.warning, *([said] if said else [])]
    dialog = ChoiceDialog("Leave the game?", facts, answers, screen.palette)
    app_of(screen).push_screen(dialog, follow)


def _save_elsewhere(screen: Table, go: Callable[[], object]) -> None:
    from boardgames_cli.tui.screens.dialogs import NameDialog

    journal = screen.session.journal
    assert journal is not None, "only what has a save can lack something there"

    def follow(chosen: str | None) -> None:
        said = ""
        if chosen:
            try:
                screen.session.saving.move(chosen)
            except StorageError as error:
                said = error.message
        leave_for(screen, go, said)

    place = str(Path.home() / journal.path.name)
    dialog = NameDialog("Save the game in which folder or file?", place)
    app_of(screen).push_screen(dialog, follow)


def save_as(screen: Table, name: str) -> None:
    """Keep a copy of the save under a name, which is asked for if it is empty."""
    from boardgames_cli.tui.screens.dialogs import NameDialog

    journal = screen.session.journal
    if journal is None:
        screen.say("This game is played without saving, so there is nothing to copy.")
        return

    def follow(chosen: str | None) -> None:
        if not chosen:
            return
        try:
            path = screen.session.saving.keep_copy(chosen)
        except GameError as error:
            screen.say(str(error))
            return
        screen.say(f"Saved a copy as {path.stem}. The game goes on in {journal.name}.")

    if name:
        follow(name)
    else:
        dialog = NameDialog("Save a copy under which name?", f"{journal.name}-copy")
        app_of(screen).push_screen(dialog, follow)


def hand_over(screen: Table, seat: Seat) -> None:
    """Hide everything until the person of a seat has taken over."""
    from boardgames_cli.tui.screens.dialogs import HandOver

    def follow(_: str | None) -> None:
        screen.outlook.reveal(seat)
        screen.refresh_table()

    app_of(screen).push_screen(HandOver(screen.session.names[seat]), follow)


def show_help(screen: Table, page: str) -> None:
    """Keys, rules, legend, beginning with one of them."""
    app, session = app_of(screen), screen.session
    keys = app.key_descriptions(screen)
    glyphs = screen.outlook.context().glyphs
    app.push_screen(help_for(session.game, keys, glyphs, screen.palette, page))


def help_for(
    game: AnyGame,
    keys: Sequence[tuple[str, str]],
    glyphs: Glyphs,
    palette: Palette,
    page: str = "keys",
) -> HelpScreen:
    """The help screen of a game."""
    # Markdown takes a while to import, and the first board should not wait for it.
    from boardgames_cli.tui.screens.help import HelpScreen

    spec = spec_of(game)
    try:
        rules = spec.rules_text()
    except OSError:  # a plug-in may have none
        rules = "This game comes without written rules."
    legend = spec.make_view(game).legend(glyphs)
    return HelpScreen(game.info.name, keys, rules, legend, palette, page)


def show_result(screen: Table) -> None:
    """Who won, and what can be done next."""
    from boardgames_cli.tui.screens.dialogs import ChoiceDialog

    app, session = app_of(screen), screen.session
    if app.screen is not screen:
        return
    answers = [("rematch", "Rematch")]
    if session.game.seats > 1:
        answers.append(("swap", "Rematch with seats changed"))
    answers += [
        ("review", "Look back through the game"),
        ("menu", "New game, or the menu"),
        ("quit", "Quit"),
    ]

    def follow(answer: str | None) -> None:
        if answer in ("rematch", "swap"):
            leave_for(screen, lambda: app.rematch(screen, swap=answer == "swap"))
        elif answer == "review":
            review(screen)
        elif answer == "menu":
            leave_for(screen, app.open_menu)
        elif answer == "quit":
            leave_for(screen, app.exit)

    # Who plays at once has no time to look either: there the dialog answers at once, too.
    guard = 0.0 if screen.settings.pace is Pace.INSTANT else _GUARD_SECONDS
    dialog = ChoiceDialog(_headline(screen), _facts(screen), answers, screen.palette, guard=guard)
    dialog.add_class("-result")
    app.push_screen(dialog, follow)


def review(screen: Table) -> None:
    """Show the finished game from its beginning, with everything revealed."""
    app_of(screen).open_replay(Replay.of_session(screen.session))


def _headline(screen: Table) -> Picture:
    session = screen.session
    seen = screen.outlook.seen()
    if session.match.truncated:
        text = screen.outlook.prompt()
    else:
        text = session.view.result(seen.state, screen.outlook.context())
    returns = session.match.returns
    best = [seat for seat, value in enumerate(returns) if value == max(returns)]
    role = f"seat.{best[0]}" if len(best) == 1 else "title"
    return Picture.of([Span("G A M E   O V E R", "muted"), "", Span(text, f"{role} headline")])


def _facts(screen: Table) -> list[str]:
    session = screen.session
    returns = session.match.returns
    width = max(len(name) for name in session.names)
    facts = [
        f"{name:<{width}}  {value:+g}" for name, value in zip(session.names, returns, strict=True)
    ]
    seed = told_seed(session.match)
    facts.append(f"{session.match.ply} steps" + ("" if seed is None else f", seed {seed}"))
    if session.saving.warning:
        facts.append(session.saving.warning)
    elif session.journal is not None:
        facts[-1] += f", saved as {session.journal.name}"
    return facts + session.review()[:_MOST_REVIEWED]
