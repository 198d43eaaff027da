"""Starts games in a front end: settings, checks, and the choice of the front end."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli.cli.command import CommonOptions
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import Front, TerminalInfo, choose
from boardgames_cli.cli.output import say_json
from boardgames_cli.cli.parameters import SHORTEST_THINK, Show
from boardgames_cli.cli.serve import server_of_menu
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.errors import EXIT_AGENT, GameError, SeatError, is_gone
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import OptionSpec, option_values
from boardgames_cli.core.spec import load
from boardgames_cli.core.text import Glyphs
from boardgames_cli.plain.console import Console
from boardgames_cli.registry import spec_of
from boardgames_cli.session.parting import closing_message
from boardgames_cli.session.seats import check_shared_screen, people
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.session.viewpoint import disclosed_seed, is_secret
from boardgames_cli.storage.paths import drill_file, results_file
from boardgames_cli.storage.preferences import GLYPHS, PACES, THEMES
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped, prepare_imports
from boardgames_cli.terminal.streams import is_terminal

_TITLES: Final = {
    Front.JSON: "a result as JSON",
    Front.PLAIN: "plain text",
    Front.TUI: "the full screen",
}
_USUAL: Final = Show()


PACE: Final = OptionSpec("BOARDGAMES_PACE", str, "", choices=PACES)
_THINK: Final = OptionSpec("BOARDGAMES_THINK", float, None, low=SHORTEST_THINK)
_THEME: Final = OptionSpec("BOARDGAMES_THEME", str, "", choices=THEMES)
_GLYPHS: Final = OptionSpec("BOARDGAMES_GLYPHS", str, "", choices=GLYPHS)


def asked_by(variable: OptionSpec) -> Any:
    """The value of an environment variable; None if it is not set, or empty."""
    text = os.environ.get(variable.name)
    return variable.read(text) if text else None


def front_end(
    common: CommonOptions,
    show: Show = _USUAL,
    folder: Path | None = None,
    *,
    save: bool = True,
    as_json: bool = False,
) -> tuple[Front, Settings]:
    """The front end of this process and its settings; with --verbose it says why.

    Args:
        common: The options of every command.
        show: The display options that were given; where there is none, the environment counts.
        folder: The folder of saves that was chosen.
        save: Whether games are saved.
        as_json: Whether the result is JSON.
    """
    place = TerminalInfo.here()
    front, why = choose(place, json=as_json, plain=common.plain, no_color=common.no_color)
    if common.verbose:
        notify(f"front end: {_TITLES[front]} ({why})")
    encoding = getattr(sys.stdout, "encoding", None) or ""
    glyphs = default_glyphs(front, encoding, os.environ.get("TERM", ""))
    # For scripts, results must not depend on preferences.
    usual = Settings() if front is Front.JSON else Settings.preferred()
    for said in filter(None, (usual.preferences_problem, usual.preferences_remark)):
        notify(said)
    if glyphs is Glyphs.UNICODE and usual.preferences.glyphs:
        glyphs = usual.glyphs
    settings = replace(
        usual,
        pace=show.pace or Pace(asked_by(PACE) or usual.pace.value),
        glyphs=Glyphs(asked_by(_GLYPHS) or glyphs),
        theme="monochrome" if place.wants_no_colors else asked_by(_THEME) or usual.theme,
        think_seconds=show.think or asked_by(_THINK),
        is_shared=show.shared_screen,
        tutor=show.tutor,
        terse=common.plain and not show.boards,
        is_verbose=common.verbose,
        open_server=server_of_menu,
        save_folder=folder,
        save=save,
        results_file=results_file() if save else None,
        drill_file=drill_file() if save else None,
    )
    return front, settings


def default_glyphs(front: Front, encoding: str, term: str) -> Glyphs:
    """The characters that a front end can safely show.

    Plain text is ASCII, and the Linux console has few characters.
    """
    has_signs = encoding.lower().replace("-", "") == "utf8" and term != "linux"
    return Glyphs.UNICODE if front is Front.TUI and has_signs else Glyphs.ASCII


def check_seats(game: AnyGame, seats: Sequence[str], front: Front, is_screen_shared: bool) -> None:
    """Refuse people without a front end to ask them, and secrets that can't be kept.

    Of agents that are gone it says who plays instead.
    """
    for name in dict.fromkeys(split_agent(seat)[0] for seat in seats):
        successor = spec_of(game).successor_of(name)
        if ":" in successor:
            notify(f"{is_gone(name)} The nearest agent, {successor}, plays instead.")
    human = people(seats)
    if front is Front.JSON and human:
        raise SeatError(
            f"--json is for agents only, and seat {human[0] + 1} is a person's.",
            f"Example: boardgames watch {game.info.id} --json",
        )
    if front is Front.PLAIN:
        check_shared_screen(game, seats, is_screen_shared)


def check_tick(front: Front, tick: float | None, show: Show) -> None:
    """Refuse real time in plain text, and a tutor in real time."""
    if tick is None:
        return
    if show.tutor:
        raise GameError(
            "there is no tutor in real time: the game does not wait for its question.",
            "Leave --tutor or --tick out.",
        )
    if front is not Front.TUI:
        raise GameError(
            f"--tick is for the full screen, and this is {_TITLES[front]}.",
            "Leave it out: each step then waits for your line. --pace slows agents down.",
        )


def on_screen(settings: Settings, place: str, *shown: Any) -> int:
    """Show a screen, named by its place in ``tui.screens``, until it is left."""
    prepare_imports()
    from boardgames_cli.tui.app import run_screen

    return run_screen(settings, load(f"boardgames_cli.tui.screens.{place}")(*shown, settings))


def run_session(session: Session, settings: Settings, front: Front) -> int:
    """Play a session in the front end that was chosen."""
    if front is Front.JSON:
        return run_batch(session, settings)
    if front is Front.PLAIN:
        from boardgames_cli.plain.line_mode import run_game

        return run_game(session, settings)
    prepare_imports()
    from boardgames_cli.tui.app import run_game as run_on_screen

    return run_on_screen(session, settings)


def run_batch(session: Session, settings: Settings) -> int:
    """Play a session of agents to its end and write the result.

    The log goes to standard error if that is a terminal.

    Returns:
        The exit code: 0; 4 if the game could not be saved completely; 5 if an agent failed and a
        substitute action was played; or 128 plus the number of the signal that ended the game.
    """
    from boardgames_cli.plain.line_mode import PlainTable

    with SignalWatch() as interrupts, Path(os.devnull).open("w") as nowhere:
        story = sys.stderr if is_terminal(sys.stderr) else nowhere
        console = Console(interrupts, None, story, story)
        table = PlainTable(session, replace(settings, terse=True), console, interrupts)
        try:
            table.play()
        except Stopped as stop:
            notify(closing_message(session, settings))
            return session.saving.exit_code(stop.exit_code)
        finally:
            table.loop.close()
    say_json(result(session))
    code = session.saving.exit_code(EXIT_AGENT if session.failures else 0)
    if code:
        for line in session.log.remarks:
            notify(line.text)
    return code


def result(session: Session) -> dict[str, Any]:
    """The result of a game, for programs."""
    match, game = session.match, session.game
    seen = session.viewpoint.state(game, match.state) if is_secret(match) else match.state
    return {
        "game": game.info.id,
        "options": option_values(game),
        "seed": disclosed_seed(match),
        "seats": [holder.spec for holder in session.holders],
        "plies": match.ply,
        "over": match.has_result,
        "truncated": match.truncated,
        "returns": list(game.returns(seen)),
        "winners": match.winners,
        "position": game.to_json(seen),
        "save": str(session.journal.path) if session.journal is not None else None,
        "notes": [{"ply": line.ply, "text": line.text} for line in session.log.remarks],
    }
