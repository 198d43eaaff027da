"""The options that several verbs share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import (
    MORE,
    PROGRAM,
    Subcommand,
    examples,
    fields,
    kinds_of,
    make_command,
    make_parameter,
    option,
)
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import RANDOM, OptionSpec, options_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.settings import LONGEST_TICK, SHORTEST_TICK, Pace

SHORTEST_THINK: Final = 0.01
GAME_SECTION: Final = "Game"
_PLAYERS: Final = "Players"
_SHOW: Final = "Display"
_SAVE: Final = "Saving"
_OWN_PREFIX: Final = "game_"
SETTING: Final = "setting_"
"""Before the names of parameters that are settings of trainers."""


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """Who plays."""

    section: ClassVar = _PLAYERS

    seat: list[str] | None = option(
        None,
        "Who plays the next seat; once per seat. human, human:Ann, ai, a level, or an "
        "agent such as expectimax:depth=2.",
        "-s",
        "--seat",
        metavar="SPEC",
        autocompletion=completion.holders,
    )
    vs: str | None = option(
        None, "Who plays the remaining seats.", metavar="SPEC", autocompletion=completion.holders
    )
    level: str | None = option(
        None,
        "The level of the agents on the remaining seats: easy, medium, hard; perfect if "
        "the game is solved; adaptive for one about as strong as you.",
        metavar="LEVEL",
    )

    @property
    def rest(self) -> str:
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

    section: ClassVar = MORE

    seed: int | None = option(
        None,
        "The random seed; the same seed gives the same throws and deals.",
        rich_help_panel=GAME_SECTION,
    )
    position: Path | None = option(
        None, "Start from a position, a JSON file; - reads standard input."
    )
    max_plies: int | None = option(
        None, "End the game after this many steps, throws and deals included.", min=1
    )


@dataclass(frozen=True, slots=True)
class Show:
    """How the game is shown and paced."""

    section: ClassVar = _SHOW

    tutor: bool = option(
        False,
        "Ask before a costly move, with the reason; counts as a hint.",
        rich_help_panel=_PLAYERS,
    )
    pace: Pace | None = option(
        None,
        "How fast agents' steps are shown: instant, fast, normal, slow or step. "
        "[env var: BOARDGAMES_PACE]",
        metavar="PACE",
    )
    think: float | None = option(
        None,
        "The time limit of agents for one action. [default: the game's, usually 2; "
        "env var: BOARDGAMES_THINK]",
        min=SHORTEST_THINK,
        metavar="SECONDS",
    )
    boards: bool = option(False, "With --plain: draw the board at every turn, not on request.")
    shared_screen: bool = option(False, "People sharing the screen may see each other's secrets.")


@dataclass(frozen=True, slots=True)
class RealTime:
    """Real time in games with joint steps."""

    section: ClassVar = _SHOW

    tick: float | None = option(
        None,
        "Real time, on the full screen: a step every SECONDS, whether or not everybody "
        "has chosen. Without it each step waits for all people.",
        min=SHORTEST_TICK,
        max=LONGEST_TICK,
        metavar="SECONDS",
    )


@dataclass(frozen=True, slots=True)
class Watching:
    """How games with secrets are watched."""

    section: ClassVar = _SHOW

    view_as: str | None = option(
        None,
        "The viewpoint: all, public (common knowledge), or a seat, by its number or name.",
        metavar="WHOSE",
    )


@dataclass(frozen=True, slots=True)
class Folder:
    """Where saves are."""

    section: ClassVar = _SAVE

    save_dir: Path | None = option(
        None,
        "The save folder; by default BOARDGAMES_SAVES, or your data folder.",
        metavar="FOLDER",
    )


@dataclass(frozen=True, slots=True)
class SaveOptions(Folder):
    """Where the game is saved, if at all."""

    section: ClassVar = _SAVE

    no_save: bool = option(False, "Don't save this game.")


@dataclass(frozen=True, slots=True)
class AsJson:
    """The form of a result."""

    section: ClassVar = MORE

    json: bool = option(False, "Write the result as JSON.")


@dataclass(frozen=True, slots=True)
class Trust:
    """Whether the author of a file is trusted."""

    section: ClassVar = MORE

    run_commands: bool = option(False, "Run the programs that the file names.")


def for_game(
    action: Callable[..., int],
    *tries: str,
    help: str = "",
    more: Callable[[GameSpec | None, Sequence[str]], Iterable[inspect.Parameter]] = lambda *_: (),
    has_many: bool = False,
    starts_as_menu: bool = False,
) -> Subcommand:
    """The subcommand of an action for a game, whose options are options of the command.

    Args:
        action: As for `make_command`; `given_options` finds the game's options in its other values.
        *tries: Examples; ``GAME`` stands for the game.
        help: As for `command`.
        more: The parameters that only some games have, from the game, if one is named, and the
            words of the command line.
        has_many: Whether the options may have several values; they are then lists.
        starts_as_menu: Whether people begin with the values of the menu.
    """
    told = help or inspect.getdoc(action) or ""

    def load(name: str, words: Sequence[str]) -> Any:
        spec = _game_among(words)
        after = list(more(spec, words))
        if spec is None:
            each = f"Each game has options of its own: {PROGRAM} {name} GAME --help"
            epilog = f"{examples(*tries)}\n\nGames: {' '.join(game_ids())}\n{each}"
            return make_command(name, action, help=told, epilog=epilog, after=after)
        taken = {one.name.removeprefix(SETTING) for one in after}
        taken |= {field.name for kind in kinds_of(action) for field in fields(kind)}
        usual = spec.menu_defaults if starts_as_menu else {}
        made = make_command(
            name,
            action,
            help=f"{told}\n\n{spec.info.name}: {spec.info.summary}",
            epilog=examples(*tries).replace("GAME", spec.info.id),
            before=game_parameters(spec, taken, usual, has_many=has_many),
            after=after,
        )
        made.game = spec.info.id
        return made

    return Subcommand(told, load)


def _game_among(words: Sequence[str]) -> GameSpec | None:
    known = game_ids()
    named = next((word for word in words if word in known), "")
    if not named and "--help" not in words:
        named = next(iter(words), "")  # a mistake, which is told before those of the options
    return find_game(named) if named and not named.startswith("-") else None


def game_parameters(
    spec: GameSpec,
    taken: Collection[str],
    usual: Mapping[str, Any] | None = None,
    *,
    has_many: bool = False,
) -> list[inspect.Parameter]:
    """A game's own options as parameters of a command that has the options ``taken``.

    ``usual`` has the values with which people begin, where they differ from the defaults.
    """
    made = []
    for own in options_of(spec.game_class()):
        if usual and own.name in usual and own.type is not bool:
            own = replace(own, default=f"{usual[own.name]} for people, else {own.default}")
        flag = own.flag(spec.info.id, taken)
        section = MORE if own.is_rare else GAME_SECTION
        made.append(own_parameter(own, section, flag, _OWN_PREFIX, has_many=has_many))
    return made


def own_parameter(
    own: OptionSpec, section: str, flag: str, prefix: str, *, has_many: bool = False
) -> inspect.Parameter:
    """An option of a game or of a trainer as a parameter of a command."""
    choices = [str(choice) for choice in own.choices]
    hint: Any = bool if own.type is bool else str  # so that the owner's check reports errors
    if hint is bool:
        info = typer.Option(
            f"--{flag}/--no-{flag}",
            help=f"{own.help} [default: {'on' if own.default else 'off'}]",
            rich_help_panel=section,
        )
    else:
        info = typer.Option(
            f"--{flag}",
            metavar="TEXT" if own.type is str or str(RANDOM) in choices else "NUMBER",
            help=f"{own.help} [{own.allowed}; default: {own.default}]",
            autocompletion=lambda: choices,
            rich_help_panel=section,
        )
    return make_parameter(prefix + own.name, (list[hint] if has_many else hint) | None, info)


def given_options(values: Mapping[str, Any], prefix: str = _OWN_PREFIX) -> dict[str, Any]:
    """The options of a game that were given on the command line."""
    return {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if name.startswith(prefix) and value not in (None, [])
    }
