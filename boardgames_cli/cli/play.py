"""``boardgames play GAME``, ``watch``, ``resume``, and the menu."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import (
    CommonOptions,
    GameArgument,
    argument,
    command,
    fields,
)
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import (
    check_seats,
    check_tick,
    front_end,
    run_session,
)
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import (
    AsJson,
    Folder,
    PlayerOptions,
    RealTime,
    SaveOptions,
    Show,
    StartOptions,
    Trust,
    Watching,
    for_game,
    given_options,
)
from boardgames_cli.core.errors import GameError, SeatError, StorageError, UnknownNameError
from boardgames_cli.core.game import AnyGame, PassesTime, Traits
from boardgames_cli.core.options import build, options_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.opening import open_session, read_position, resume_session
from boardgames_cli.session.seats import HUMAN, fill_seats, people, with_names
from boardgames_cli.session.settings import Setup
from boardgames_cli.storage.reading import SaveSummary
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.startup import prepare_imports
from boardgames_cli.terminal.streams import is_terminal, read_line


def start_game(
    which: GameArgument,
    players: PlayerOptions,
    start: StartOptions,
    show: Show,
    saving: SaveOptions,
    form: AsJson,
    common: CommonOptions,
    *,
    verb: str = "play",
    tick: float | None = None,
    view_as: str | None = None,
    **values: Any,
) -> int:
    """Set up a session and play it."""
    spec = find_game(which.game)
    front, settings = front_end(
        common, show, saving.save_dir, save=not saving.no_save, as_json=form.json
    )
    check_tick(front, tick, show)
    settings = replace(settings, tick=tick, view_as=view_as or "")
    given = given_options(values)
    seats = players.seat or [HUMAN]
    if verb == "play" and seats[0].partition(":")[0] == HUMAN and start.position is None:
        given = {**spec.menu_defaults, **given}  # the menu begins the same game
    setup = Setup(
        game=spec.info.id,
        options=game_options(spec, given, players.seat or ()),
        seats=tuple(players.seat or ([] if verb == "watch" else [HUMAN])),
        rest=players.rest,
        seed=start.seed,
        start=None if start.position is None else read_position(start.position),
        max_plies=start.max_plies,
    )
    game = make_game(setup.game, **dict(setup.options))
    seats = with_names(fill_seats(game, setup.seats, setup.rest), settings.preferences.names)
    if verb == "watch" and people(seats):
        raise SeatError(
            f"watch is for agents only, and seat {people(seats)[0] + 1} is a person's.",
            f"To play yourself: boardgames play {spec.info.id}",
        )
    check_seats(game, seats, front, show.shared_screen)
    # The completed seats are passed on, so that front ends and the save see every seat.
    session = open_session(replace(setup, seats=tuple(seats)), settings)
    return run_session(session, settings, front)


def game_options(spec: GameSpec, given: dict[str, Any], seats: Sequence[str]) -> dict[str, Any]:
    """The game's options; that for the number of seats follows from the named seats."""
    name = _seats_option(spec.game_class(), len(seats)) if len(seats) > 1 else None
    return given if name is None else {name: len(seats), **given}


def _seats_option(kind: type[AnyGame], count: int) -> str | None:
    if kind().seats == count:
        return None
    for option in options_of(kind):
        with contextlib.suppress(GameError):
            if option.type is int and build(kind, {option.name: count}, "game").seats == count:
                return option.name
    return None


def of_some_games(spec: GameSpec | None, _: object = None) -> list[inspect.Parameter]:
    """The option of games that can be played in real time."""
    if spec is None or Traits.SIMULTANEOUS not in spec.info.traits:
        return []
    return fields(RealTime) if issubclass(spec.game_class(), PassesTime) else []


make = for_game(
    start_game,
    "play GAME --level hard --seed 7",
    "play GAME -s human:Ann -s human:Ben",
    "play GAME --vs random --plain",
    help="Play a game, against agents or people at the same keyboard.",
    more=of_some_games,
    starts_as_menu=True,
)


def _of_some_watched_games(spec: GameSpec | None, _: object) -> list[inspect.Parameter]:
    is_hidden = spec is not None and Traits.HIDDEN in spec.info.traits
    return [*of_some_games(spec), *(fields(Watching) if is_hidden else [])]


make_watch = for_game(
    partial(start_game, verb="watch"),
    "watch GAME --pace slow",
    "watch GAME -s hard -s random --json",
    help="Watch agents play a game, or let them play it out and get the result with --json.",
    more=_of_some_watched_games,
)


@dataclass(frozen=True, slots=True)
class ResumeArguments:
    """The save."""

    save: str | None = argument(
        "Its name or file; by default the last unfinished game.",
        default=None,
        autocompletion=completion.saves,
    )


def resume(
    which: ResumeArguments,
    show: Show,
    folder: Folder,
    form: AsJson,
    common: CommonOptions,
    real_time: RealTime,
    trust: Trust,
) -> int:
    """Continue a saved game, by default the last unfinished one."""
    front, settings = front_end(common, show, folder.save_dir, as_json=form.json)
    check_tick(front, real_time.tick, show)
    settings = replace(settings, tick=real_time.tick)
    name = which.save or latest(Store.at(folder.save_dir))
    session = resume_session(name, settings, is_trusted=trust.run_commands)
    try:
        if session.match.is_over:
            raise GameError(
                f"the game {name} is over.", f"To see it again: boardgames replay {name}"
            )
        seats = [holder.spec for holder in session.holders]
        check_seats(session.game, seats, front, show.shared_screen)
    except GameError:
        session.close()
        raise
    return run_session(session, settings, front)


def latest(store: Store) -> str:
    """The name of the last unfinished game."""
    summary = store.latest()
    if summary is None:
        raise StorageError(
            f"there is no unfinished game in {store.place}.",
            "Start one, for example: boardgames play senet",
        )
    return summary.name


make_resume = command(resume, "resume", "resume senet-3 --plain")


_MENU: Final = {
    "l": ("learn a game", "learn GAME"),
    "w": ("watch agents", "watch GAME"),
    "p": ("solve puzzles", "puzzle"),
    "o": ("solve the puzzle of the day", "puzzle --today"),
    "d": ("train on your mistakes", "drill"),
    "n": ("see your next opponents", "ladder"),
    "v": ("see your results", "stats"),
    "h": ("let friends join you", "host GAME"),
    "j": ("join a friend", "join"),
}
"""What the menu offers in lines beside the games: letters, with the commands that they run."""


def launch(common: CommonOptions, run: Callable[[Sequence[str]], int]) -> int:
    """Open the menu; in plain text its choices are command lines, which are run."""
    front, settings = front_end(common)
    if front is Front.TUI:
        prepare_imports()
        from boardgames_cli.tui.app import run_screen

        return run_screen(settings)
    latest = Store.at().latest()
    specs = [find_game(id) for id in game_ids()]
    say("boardgames: board games for the terminal.")
    for number, spec in enumerate(specs, start=1):
        say(f"{number:>3} {spec.info.name}: {spec.info.summary}")
    if latest is not None and latest.header is not None:
        say(f"  c continue {latest.name}: {latest.header.game}, step {latest.plies}")
    if not is_terminal(sys.stdin):
        say("To play: boardgames play GAME")
        if latest is not None:
            say(f"To continue: boardgames resume {latest.name}")
        say("All commands: boardgames --help")
        return 0
    for letter, (text, _) in _MENU.items():
        say(f"  {letter} {text}")
    say("  q quit")
    flags = [f"--{name.replace('_', '-')}" for name, given in asdict(common).items() if given]
    return _ask(latest, lambda *words: run([*words, "--plain", *flags]))


def _ask(latest: SaveSummary | None, run: Callable[..., int]) -> int:
    numbers = {str(number): id for number, id in enumerate(game_ids(), start=1)}
    while True:
        sys.stdout.write("Your choice? ")
        sys.stdout.flush()
        line = read_line(sys.stdin)
        word, _, named = line.strip().lower().partition(" ")
        if not line or word in ("q", "quit"):
            return 0
        if word == "c" and latest is not None:
            return run("resume", latest.name)
        if word in _MENU:
            command, *rest = _MENU[word][1].split()
            if "GAME" not in rest:
                run(command, *rest)
            elif named:
                run(command, numbers.get(named, named))
            else:
                say(f"Which game? Such as: {word} 1")
        elif word.isdigit() and word not in numbers:
            say(f"There is no choice {word}. Type a number from 1 to {len(numbers)}.")
        else:
            try:
                return run("play", find_game(numbers.get(word, word)).info.id)
            except UnknownNameError as error:
                say(str(error))
