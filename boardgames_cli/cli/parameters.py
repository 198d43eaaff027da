"""The options that several verbs share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.output import say
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.setup import LONGEST_TICK, SHORTEST_TICK, Pace
from boardgames_cli.terminal.streams import is_terminal, printable, read_line

GAME_SECTION: Final = "Game"
_PLAYERS: Final = "Players"
_SHOW: Final = "Display"
_SAVE: Final = "Saving"


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """Who plays."""

    seat: Annotated[
        list[str] | None,
        typer.Option(
            "-s",
            "--seat",
            metavar="SPEC",
            help="Who plays the next seat; once per seat. human, human:Ann, ai, a level, "
            "or an agent such as expectimax:depth=2.",
            autocompletion=completion.holders,
            rich_help_panel=_PLAYERS,
        ),
    ] = None
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="SPEC",
            help="Who plays the remaining seats.",
            autocompletion=completion.holders,
            rich_help_panel=_PLAYERS,
        ),
    ] = None
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="The level of the agents on the remaining seats: easy, medium, hard; "
            "perfect if the game is solved.",
            rich_help_panel=_PLAYERS,
        ),
    ] = None

    @property
    def rest(self) -> str:
        """The specification for the remaining seats.

        Raises:
            GameError: It is given twice.
        """
        if self.vs is not None and self.level is not None:
            raise GameError(
                "--vs and --level both set who plays the other seats.",
                f"Give one of them, for example --vs {self.vs}.",
            )
        if self.level is not None:
            return f"ai:level={self.level}"
        return self.vs or "ai"


@dataclass(frozen=True, slots=True)
class StartOptions:
    """How the game begins."""

    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            help="The random seed; the same seed gives the same throws and deals.",
            rich_help_panel=GAME_SECTION,
        ),
    ] = None
    position: Annotated[
        Path | None,
        typer.Option(
            "--position",
            metavar="FILE",
            help="Start from a position, a JSON file; - reads standard input.",
            rich_help_panel=GAME_SECTION,
        ),
    ] = None
    max_plies: Annotated[
        int | None,
        typer.Option(
            "--max-plies",
            min=1,
            metavar="NUMBER",
            help="End the game after this many steps, throws and deals included.",
            rich_help_panel=GAME_SECTION,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Show:
    """How the game is shown and paced."""

    hints_by: Annotated[
        str,
        typer.Option(
            "--hints-by",
            metavar="SPEC",
            help="Which agent gives hints. [default: the strongest level]",
            autocompletion=completion.agents,
            show_default=False,
            rich_help_panel=_PLAYERS,
        ),
    ] = ""
    tutor: Annotated[
        bool,
        typer.Option(
            "--tutor",
            help="Ask before a costly move, with the reason; counts as a hint.",
            rich_help_panel=_PLAYERS,
        ),
    ] = False
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Only agents play; the result is one JSON object.",
            rich_help_panel=_SHOW,
        ),
    ] = False
    pace: Annotated[
        Pace | None,
        typer.Option(
            "--pace",
            metavar="PACE",
            envvar="BOARDGAMES_PACE",
            help="How fast agents' steps are shown: instant, fast, normal, slow or step.",
            rich_help_panel=_SHOW,
        ),
    ] = None
    think: Annotated[
        float | None,
        typer.Option(
            "--think",
            min=0.01,
            metavar="SECONDS",
            envvar="BOARDGAMES_THINK",
            help="The time limit of agents for one action. [default: the game's, usually 2]",
            rich_help_panel=_SHOW,
        ),
    ] = None
    theme: Annotated[
        Literal["dark", "light", "monochrome"] | None,
        typer.Option(
            "--theme",
            metavar="THEME",
            envvar="BOARDGAMES_THEME",
            help="The colours: dark, light or monochrome.",
            rich_help_panel=_SHOW,
        ),
    ] = None
    glyphs: Annotated[
        Glyphs | None,
        typer.Option(
            "--glyphs",
            metavar="SIGNS",
            envvar="BOARDGAMES_GLYPHS",
            help="The characters of boards: ascii, unicode or hieroglyph.",
            rich_help_panel=_SHOW,
        ),
    ] = None
    terse: Annotated[
        bool,
        typer.Option("--terse", help="Plain text: boards only on request.", rich_help_panel=_SHOW),
    ] = False
    auto_forced: Annotated[
        bool,
        typer.Option(
            "--auto-forced",
            help="Take forced actions at once, not at the agents' pace.",
            rich_help_panel=_SHOW,
        ),
    ] = False
    shared_screen: Annotated[
        bool,
        typer.Option(
            "--shared-screen",
            help="People sharing the screen may see each other's secrets.",
            rich_help_panel=_SHOW,
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class RealTime:
    """Real time in games with joint steps."""

    tick: Annotated[
        float | None,
        typer.Option(
            "--tick",
            min=SHORTEST_TICK,
            max=LONGEST_TICK,
            metavar="SECONDS",
            help="Real time, on the full screen: a step every SECONDS, whether or not "
            "everybody has chosen. Without it each step waits for all people.",
            rich_help_panel=_SHOW,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Watching:
    """How games with secrets are watched."""

    view_as: Annotated[
        str | None,
        typer.Option(
            "--view-as",
            metavar="WHOSE",
            help="The viewpoint: all, public (common knowledge), or a seat, by its number or name.",
            rich_help_panel=_SHOW,
        ),
    ] = None
    eyes: Annotated[str | None, typer.Option("--eyes", metavar="WHOSE", hidden=True)] = None
    """The former name of `view_as`."""


@dataclass(frozen=True, slots=True)
class Folder:
    """Where saves are."""

    save_dir: Annotated[
        Path | None,
        typer.Option(
            "--save-dir",
            metavar="FOLDER",
            help="The save folder; by default BOARDGAMES_SAVES, ./saves if it exists, "
            "or your data folder.",
            rich_help_panel=_SAVE,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SaveOptions(Folder):
    """Where the game is saved, if at all."""

    no_save: Annotated[
        bool, typer.Option("--no-save", help="Don't save this game.", rich_help_panel=_SAVE)
    ] = False


@dataclass(frozen=True, slots=True)
class AsJson:
    """The form of a result."""

    json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False


@dataclass(frozen=True, slots=True)
class Trust:
    """Whether the author of a file is trusted."""

    run_commands: Annotated[
        bool,
        typer.Option("--run-commands", help="Run programs named in the file without asking."),
    ] = False

    def decision(self, *, can_ask: bool) -> Callable[[Sequence[str]], bool]:
        """A function that decides whether programs may be run.

        Args:
            can_ask: Whether a person can be asked, which needs a terminal.
        """
        if self.run_commands:
            return lambda _: True
        if can_ask and is_terminal(sys.stdin) and is_terminal(sys.stdout):
            return ask_for_trust
        return lambda _: False


def ask_for_trust(commands: Sequence[str]) -> bool:
    """Ask on the terminal whether programs named in a file may be run."""
    say("An agent in this file is a program on this machine. It would run:")
    for command in commands:
        say(f"  {printable(command)}")
    sys.stdout.write("Run it? [y/N] ")
    sys.stdout.flush()
    return read_line(sys.stdin).strip().lower() in ("y", "yes")
