"""``boardgames tournament GAME``: many games between agents, and what they are worth."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import PROGRAM, Everywhere, examples, make_command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.options import AsJson
from boardgames_cli.cli.tournament_output import reporter, show_results
from boardgames_cli.core.errors import GameError, OptionError, UnknownNameError
from boardgames_cli.core.options import finite_number, option_values
from boardgames_cli.registry import find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.tournament.config import ROUND_ROBIN, SCHEDULES, SWISS, TABLES, TournamentConfig
from boardgames_cli.tournament.dispatch import PATIENCE_SECONDS, Dispatcher
from boardgames_cli.tournament.entrants import check_entrants, name_entrants
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import Job
from boardgames_cli.tournament.pools import Pool, core_count, make_pool
from boardgames_cli.tournament.run import Tournament

_WHO: Final = "Who plays whom"
_WHERE: Final = "Workers"
_KEPT: Final = "What is kept"
_GAMES: Final = 100


@dataclass(frozen=True, slots=True)
class Rules:
    """What is played, and by whom."""

    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="The game; left out with --resume.",
            autocompletion=completion.games,
            show_default=False,
        ),
    ] = None
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "-s",
            "--seat",
            metavar="SPEC",
            help="Who takes part; once for each. A level, or an agent such as expectimax:depth=2.",
            autocompletion=completion.agents,
            rich_help_panel=_WHO,
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="; ".join(f"{name}: {words}" for name, words in SCHEDULES.items())
            + f". [default: {ROUND_ROBIN}, or {TABLES} if the game has more than two sides and "
            "there are enough entrants]",
            autocompletion=lambda: list(SCHEDULES),
            rich_help_panel=_WHO,
        ),
    ] = None
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            metavar="NUMBER",
            help="Games of each pairing with each set of options, rounded up so that every deal "
            f"is played from all seats. [default: {_GAMES}]",
            rich_help_panel=_WHO,
        ),
    ] = None
    set: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="OPTION=VALUE",
            help="An option of the game. With several values, as in rules=kendall,skyruk, "
            "everything is played with each.",
            rich_help_panel=_WHO,
        ),
    ] = None
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            min=1,
            metavar="NUMBER",
            help="Rounds of a Swiss tournament. [default: enough to find the best]",
            rich_help_panel=_WHO,
        ),
    ] = None
    lineups: Annotated[
        int | None,
        typer.Option(
            "--lineups",
            min=1,
            metavar="NUMBER",
            help="At mixed tables, at most so many line-ups, in which all sit equally often. "
            "[default: all]",
            rich_help_panel=_WHO,
        ),
    ] = None
    max_plies: Annotated[
        int | None,
        typer.Option(
            "--max-plies",
            min=1,
            metavar="NUMBER",
            help="Longer games are cut short and drawn; throws and deals count.",
            rich_help_panel=_WHO,
        ),
    ] = None
    think: Annotated[
        float | None,
        typer.Option(
            "--think",
            min=0.001,
            metavar="SECONDS",
            help="The most time for one action. Then results depend on the machine. [default: "
            "agents do the work they are made for]",
            rich_help_panel=_WHO,
        ),
    ] = None
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW,HIGH",
            help="A pairing ends when it is decided which difference in rating is nearer, such as "
            "0,20. --games is the most it plays.",
            rich_help_panel=_WHO,
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            metavar="NUMBER",
            help="All deals derive from it. [default: 1]",
            rich_help_panel=_WHO,
        ),
    ] = None
    records: Annotated[
        bool,
        typer.Option(
            "--records",
            help="Keep every game, as boardgames replay opens it.",
            rich_help_panel=_KEPT,
        ),
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="A new folder for the results. [default: one of today, here]",
            rich_help_panel=_KEPT,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Running:
    """How a tournament is played, which changes nothing about its results."""

    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="FOLDER",
            help="Go on with a tournament that was stopped.",
            rich_help_panel=_KEPT,
        ),
    ] = None
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            min=1,
            max=1024,
            metavar="NUMBER",
            help="Games played at the same time, each in a process. [default: one for each core]",
            rich_help_panel=_WHERE,
        ),
    ] = None
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask",
            metavar="ADDRESS",
            help="Play on the workers of a Dask scheduler, such as tcp://192.0.2.1:8786.",
            rich_help_panel=_WHERE,
        ),
    ] = None
    patience: Annotated[
        float,
        typer.Option(
            "--patience",
            min=1.0,
            metavar="SECONDS",
            help="When no result comes for so long, workers are ended and their games are "
            "played again.",
            rich_help_panel=_WHERE,
        ),
    ] = PATIENCE_SECONDS
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            metavar="ENTRANT",
            help="Whose rating is 0, so that tables can be compared. [default: the mean rating]",
            rich_help_panel=_WHO,
        ),
    ] = None


def make(name: str) -> Any:
    """The verb."""
    return make_command(
        name,
        run,
        Rules,
        Running,
        AsJson,
        Everywhere,
        help="Let agents play many games against each other, and rate them. Every deal is played "
        "from all seats, so that luck cancels. Ctrl+C keeps what was played.",
        epilog=examples(
            "tournament senet -s hard -s medium -s greedy -s random --games 2000",
            "tournament deepsea -s hard -s medium -s random --set players=3",
            "tournament kuhn -s perfect -s rock --sprt 0,20 --games 100000",
            "tournament --resume senet-2026-01-31",
            "tournament senet -s hard -s easy --dask tcp://192.0.2.1:8786",
        ),
    )


def run(rules: Rules, running: Running, form: AsJson, everywhere: Everywhere) -> int:
    """Play a tournament to its end, and say what came of it.

    Returns:
        The exit code: 0, or 128 and the number of the signal that stopped it.

    Raises:
        GameError: Something chosen is wrong, the workers can't play, or a file can't be written.
    """
    if running.dask is not None and running.jobs is not None:
        raise GameError("--dask and --jobs both say where to play.", "Leave one of them out.")
    with contextlib.ExitStack() as stack:
        if running.resume is not None:
            _check_alone(rules)
            folder = RunFolder.open(running.resume)
            stack.callback(folder.close)
            config = folder.config
            _check_anchor(running, config)
            tournament = Tournament(config)
            _check_version(folder, tournament)
            check_entrants(config.entrants, tournament.games, config.seed)
            pool = stack.enter_context(_pool(running))
        else:
            config = read_config(rules)
            _check_anchor(running, config)
            tournament = Tournament(config)
            check_entrants(config.entrants, tournament.games, config.seed)
            # The folder comes last: nothing is left behind if the workers can't be reached.
            pool = stack.enter_context(_pool(running))
            folder = RunFolder.create(rules.out, config)
            stack.callback(folder.close)
        stop = _play(tournament, folder, pool, running, no_color=everywhere.no_color)
        show_results(
            tournament,
            folder.path,
            anchor=running.anchor,
            as_json=form.json,
            is_finished=stop is None,
        )
    if stop is None:
        return 0
    notify(f"Stopped. To go on: {PROGRAM} tournament --resume {folder.path}")
    return stop.exit_code


def _play(
    tournament: Tournament, folder: RunFolder, pool: Pool, running: Running, *, no_color: bool
) -> Stopped | None:
    """Play to the end, or until a signal comes; gives that."""
    with (
        SignalWatch() as interrupts,
        reporter(tournament, no_color=no_color) as report,
    ):
        job = Job.of(tournament.config)
        dispatcher = Dispatcher(pool, job, interrupts.waiting, running.patience, report.note)
        try:
            tournament.run(folder, dispatcher, report.show)
        except Stopped as stop:
            return stop
    return None


@contextlib.contextmanager
def _pool(running: Running) -> Iterator[Pool]:
    if running.dask is not None:
        # Only who plays on a cluster needs what it takes.
        from boardgames_cli.tournament.cluster import DaskPool

        pool: Pool = DaskPool(running.dask)
    else:
        pool = make_pool(running.jobs or core_count())
    try:
        yield pool
    finally:
        pool.close()


def _check_alone(rules: Rules) -> None:
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value is not None and value is not False:
            name = "GAME" if field.name == "game" else f"--{field.name.replace('_', '-')}"
            raise GameError(
                f"--resume goes on with what the folder says; {name} can't change it.",
                f"Leave {name} out, or begin a new tournament.",
            )


def _check_anchor(running: Running, config: TournamentConfig) -> None:
    names = [entrant.name for entrant in config.entrants]
    if running.anchor is not None and running.anchor not in names:
        raise UnknownNameError("entrant", running.anchor, names)


def _check_version(folder: RunFolder, tournament: Tournament) -> None:
    config = folder.config
    if any(game.info.rules_version != config.rules_version for game in tournament.games):
        raise GameError(
            f"the tournament in {folder.path} was begun with other rules of {config.game}.",
            f"Finish it with the version of boardgames that began it ({config.program}).",
        )


def read_config(rules: Rules) -> TournamentConfig:
    """The tournament that the command line describes.

    Raises:
        GameError: Something is missing or wrong.
    """
    if rules.game is None:
        raise GameError(
            "which game is to be played?", "Write: boardgames tournament GAME -s AGENT -s AGENT"
        )
    spec = find_game(rules.game)
    sets = option_sets(rules.game, rules.set or ())
    entrants = name_entrants(rules.seat or ())
    schedule = rules.format or _usual_schedule(rules.game, sets, len(entrants))
    if schedule not in SCHEDULES:
        raise UnknownNameError("format", schedule, SCHEDULES)
    for value, name, wanted in (
        (rules.rounds, "--rounds", SWISS),
        (rules.lineups, "--lineups", TABLES),
    ):
        if value is not None and schedule != wanted:
            raise GameError(f"{name} is for --format {wanted} alone.", "Leave one of them out.")
    return TournamentConfig(
        rules.game,
        entrants,
        sets,
        schedule,
        rules.games or _GAMES,
        1 if rules.seed is None else rules.seed,
        rules.max_plies,
        rules.think,
        None if rules.sprt is None else _bounds(rules.sprt),
        rules.rounds,
        rules.lineups,
        rules.records,
        rules_version=spec.info.rules_version,
    )


def option_sets(game: str, settings: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Every combination of the values given, as complete sets of options.

    Args:
        game: The game's id.
        settings: Each ``OPTION=VALUE``, with commas between several values.

    Raises:
        GameError: An option is unknown, given twice, or has a value that it can't have.
    """
    values: dict[str, list[str]] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        key = name.strip().replace("-", "_")
        if not equals or not key:
            raise OptionError(f'"{setting}" is not OPTION=VALUE.', "Such as --set rules=skyruk")
        if key in values:
            raise OptionError(
                f"--set gives {name} twice.", f"Write its values with commas: --set {name}=A,B"
            )
        values[key] = [part.strip() for part in text.split(",")]
    combinations = itertools.product(*values.values())
    made = [make_game(game, **dict(zip(values, chosen, strict=True))) for chosen in combinations]
    return tuple(option_values(one) for one in dict.fromkeys(made))


def _usual_schedule(game: str, sets: Sequence[Mapping[str, Any]], entrants: int) -> str:
    sides = [len(make_game(game, **options).teams) for options in sets]
    return TABLES if min(sides) > 2 and entrants >= max(sides) else ROUND_ROBIN


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(finite_number, text.split(","))
    except ValueError:
        raise GameError(
            f'--sprt can\'t be "{text}".', "Give two differences in rating: --sprt 0,20"
        ) from None
    return low, high
