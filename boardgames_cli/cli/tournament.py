"""``boardgames tournament GAME``: many games between agents, with ratings.

It shows a live table in a terminal, and lines elsewhere.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Final

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import MORE, PROGRAM, CommonOptions, argument, option
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import long_work, say, say_json, screen_width
from boardgames_cli.cli.parameters import AsJson, Trust, for_game, given_options
from boardgames_cli.codec.json_reader import lines_of
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import GameError, OptionError, PositionError, UnknownNameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import finite_number, option_values
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.registry import commands_in, find_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.session.opening import POSITIONS, UntrustedCommandError, state_to_play
from boardgames_cli.tournament.cluster import make_pool
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import check_entrants, name_entrants
from boardgames_cli.tournament.pools import Dispatcher
from boardgames_cli.tournament.reports import tables
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.schedule import usual_schedule
from boardgames_cli.tournament.tournament_config import (
    ROUND_ROBIN,
    SCHEDULES,
    TABLES,
    TournamentConfig,
)
from boardgames_cli.tournament.worker import check_luck

_KEPT: Final = "What is kept"
_GAMES: Final = 100


@dataclass(frozen=True, slots=True)
class Rules:
    """The game and the entrants."""

    section: ClassVar = "Who plays whom"

    game: str | None = argument(
        "The game; omit it with --resume.",
        default=None,
        metavar="GAME",
        autocompletion=completion.games,
    )
    seat: list[str] | None = option(
        None,
        "An entrant: a level, or an agent such as expectimax:depth=2; repeatable.",
        "-s",
        "--seat",
        metavar="SPEC",
        autocompletion=completion.agents,
    )
    format: str | None = option(
        None,
        "; ".join(f"{name}: {words}" for name, words in SCHEDULES.items())
        + f". [default: {ROUND_ROBIN}, or {TABLES} if the game has more than two sides and "
        "there are enough entrants]",
        metavar="NAME",
        autocompletion=lambda: list(SCHEDULES),
    )
    games: int | None = option(
        None,
        "Games of each pairing with each set of options, rounded up so that every deal "
        f"is played from all seats. [default: {_GAMES}]",
        min=1,
    )
    max_plies: int | None = option(
        None,
        "Longer games end as draws; throws and deals count.",
        min=1,
        rich_help_panel=MORE,
    )
    think: float | None = option(
        None,
        "The time limit for one action; results then depend on the machine. [default: no "
        "time limit]",
        min=0.001,
        metavar="SECONDS",
    )
    clock: str | None = option(
        None,
        "The time of each entrant for a whole game, and what every action adds to it. Results "
        "then depend on the machine.",
        metavar="60s+1s",
    )
    sprt: str | None = option(
        None,
        "A sequential test ends each pairing, between two differences in rating such as "
        "0,20. --games is the maximum.",
        metavar="LOW,HIGH",
    )
    positions: Path | None = option(
        None,
        "Start from the positions in a file, a JSON object on each line; each is played from all "
        "seats, in turn. [default of --games: each once]",
        metavar="FILE",
        rich_help_panel=MORE,
    )
    luck: bool = option(
        False, "Tell what the luck of dice and cards gave each entrant, beside its results."
    )
    seed: int | None = option(None, "The seed of all deals. [default: 1]")
    records: bool = option(
        False, "Keep every game as a save for boardgames replay.", rich_help_panel=_KEPT
    )
    out: Path | None = option(
        None,
        "A new folder for the results. [default: GAME-DATE in the current folder]",
        metavar="FOLDER",
        rich_help_panel=_KEPT,
    )


@dataclass(frozen=True, slots=True)
class Running:
    """How a tournament is run, which does not affect its results."""

    section: ClassVar = "Workers"

    resume: Path | None = option(
        None, "Resume a stopped tournament.", metavar="FOLDER", rich_help_panel=_KEPT
    )
    jobs: int | None = option(
        None, "The number of worker processes. [default: one per core]", min=1, max=1024
    )
    dask: str | None = option(
        None,
        "Use the workers of a Dask scheduler, such as tcp://192.0.2.1:8786.",
        metavar="ADDRESS",
    )


def run(
    rules: Rules,
    running: Running,
    form: AsJson,
    common: CommonOptions,
    trust: Trust,
    **values: Any,
) -> int:
    """Play a tournament to its end, and write the results."""
    if running.dask is not None and running.jobs is not None:
        raise GameError("--dask and --jobs exclude each other.", "Leave one of them out.")
    folder: RunFolder | None = None
    with contextlib.ExitStack() as stack:
        if running.resume is not None:
            _check_alone(rules)
            folder = RunFolder.open(running.resume)
            stack.callback(folder.close)
            config = folder.config
            if not trust.run_commands:
                _check_harmless(config, running.resume)
        else:
            config = read_config(rules, given_options(values))
        tournament = Tournament(config)
        if folder is not None:
            _check_version(folder, tournament)
        check_entrants(config.entrants, tournament.games, config.seed)
        pool = stack.enter_context(make_pool(running.jobs, running.dask))
        if folder is None:
            # Created last, so that a failure leaves nothing behind.
            folder = RunFolder.create(rules.out, config)
            stack.callback(folder.close)
        with long_work(common.is_plain, _standings(tournament)) as work:
            dispatcher = Dispatcher(
                pool, config, work.waiting, note=lambda text: notify(f"note: {text}")
            )
            tournament.run(folder, dispatcher, work.show)
        show_results(tournament, folder.path, as_json=form.json, is_finished=work.stop is None)
    return work.exit_code(f". To continue: {PROGRAM} tournament --resume {folder.path}")


def _standings(tournament: Tournament) -> Callable[[int], str]:
    entrants, tally = tournament.config.entrants, tournament.tally
    return lambda width: tables.running_table(entrants, tally).text(width)


def _check_alone(rules: Rules) -> None:
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value is not None and value is not False:
            name = "GAME" if field.name == "game" else f"--{field.name.replace('_', '-')}"
            raise GameError(
                f"--resume uses the settings in the folder; {name} can't change them.",
                f"Leave {name} out, or start a new tournament.",
            )


def _check_harmless(config: TournamentConfig, path: Path) -> None:
    spec = find_game(config.game)
    commands = [c for entrant in config.entrants for c in commands_in(entrant.agent, spec)]
    if commands:
        again = f"tournament --resume {path}"
        raise UntrustedCommandError(f"the tournament in {path}", commands, again)


def _check_version(folder: RunFolder, tournament: Tournament) -> None:
    config = folder.config
    if any(game.info.rules_version != config.rules_version for game in tournament.games):
        raise GameError(
            f"the tournament in {folder.path} was started with other rules of {config.game}.",
            f"Finish it with the version of boardgames that started it ({config.program}).",
        )


def show_results(tournament: Tournament, folder: Path, *, as_json: bool, is_finished: bool) -> None:
    """Print the tables, or the report as JSON, and write the reports to the folder."""
    from boardgames_cli.tournament.reports.report import HTML_FILE, make_report

    report = make_report(
        tournament.config,
        tournament.games,
        tournament.tally,
        tournament.tests,
        is_finished=is_finished,
    )
    report.write(folder)  # before printing, since standard output may be closed
    if as_json:
        game = tournament.config.game
        say_json({"game": game, "folder": str(folder), **report.as_json()})
    else:
        shown = [tables.standings_table(report.table), tables.cross_table(report.table)]
        if report.table.has_luck:
            shown.append(tables.luck_table(report.table))
        if any(row.sums.failures or row.sums.late for row in report.table.rows):
            shown.append(tables.behaviour_table(report.table))
        for table in shown:
            say(table.text(screen_width()))
        for remark in report.remarks:
            say(remark)
        say(f"folder: {folder}")
        notify(f"The whole report: {folder / HTML_FILE}")


def read_config(rules: Rules, given: Mapping[str, Sequence[str | bool]]) -> TournamentConfig:
    """The tournament described by the command line, with the given options of the game."""
    if rules.game is None:
        raise GameError(
            "which game is to be played?", "Write: boardgames tournament GAME -s AGENT -s AGENT"
        )
    spec = find_game(rules.game)
    sets = option_sets(rules.game, given)
    for text in rules.seat or ():
        if text.partition(":")[0] == "human":
            raise OptionError(
                f'a tournament is for agents only, and "{text}" is a person.',
                f"To play: boardgames play {rules.game}",
            )
    entrants = name_entrants(rules.seat or ())
    games = [make_game(rules.game, **options) for options in sets]
    schedule = rules.format or usual_schedule(games, len(entrants))
    if schedule not in SCHEDULES:
        raise UnknownNameError("format", schedule, SCHEDULES)
    for game in games if rules.luck else ():
        check_luck(game)
    positions = () if rules.positions is None else read_positions(rules.positions, games)
    usual = len(positions) * max(len(game.teams) for game in games) or _GAMES
    return TournamentConfig(
        rules.game,
        entrants,
        sets,
        schedule,
        rules.games or usual,
        1 if rules.seed is None else check_seed(rules.seed),
        rules.max_plies,
        rules.think,
        None if rules.sprt is None else _bounds(rules.sprt),
        rules.records,
        rules.luck,
        positions,
        str(read_time_control(rules.clock)) if rules.clock else "",
        rules_version=spec.info.rules_version,
    )


def read_positions(path: Path, games: Sequence[AnyGame]) -> tuple[str, ...]:
    """Read a file with a position on each line, each with moves to make."""
    found = []
    text = POSITIONS.read_text(path)
    for number, line in lines_of(text):
        try:
            data = POSITIONS.check_object(POSITIONS.parse(line, "the line"), "the line")
            for game in games:
                state_to_play(game, data)
        except GameError as error:
            raise PositionError(f"{path}, line {number}: {error.message}", error.todo) from None
        found.append(json.dumps(data, separators=(",", ":")))
    if not found:
        raise PositionError(f"{path} has no position.", "Write a JSON object on each line.")
    return tuple(found)


def option_sets(
    game: str, given: Mapping[str, Sequence[str | bool]]
) -> tuple[Mapping[str, Any], ...]:
    """Every combination of the given values, as complete sets of options.

    A text may hold several values, with commas between them.
    """
    values = [
        [one.strip() if isinstance(one, str) else one for text in texts for one in _split(text)]
        for texts in given.values()
    ]
    combinations = itertools.product(*values)
    made = [make_game(game, **dict(zip(given, chosen, strict=True))) for chosen in combinations]
    return tuple(option_values(one) for one in dict.fromkeys(made))


def _split(value: str | bool) -> Sequence[str | bool]:
    return value.split(",") if isinstance(value, str) else [value]


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(finite_number, text.split(","))
    except ValueError:
        raise GameError(
            f'--sprt can\'t be "{text}".', "Give two differences in rating: --sprt 0,20"
        ) from None
    return low, high


make = for_game(
    run,
    "tournament senet -s hard -s medium -s greedy -s random --games 2000",
    "tournament deepsea -s hard -s medium -s random --players 3",
    "tournament senet -s hard -s medium --rules kendall,skyruk",
    "tournament senet -s hard -s medium --games 200 --luck",
    "tournament kuhn -s perfect -s rock --sprt 0,20 --games 100000",
    "tournament --resume senet-2026-01-31",
    "tournament senet -s hard -s easy --dask tcp://192.0.2.1:8786",
    help="Let agents play many games against each other, and rate them. Every deal is played "
    "from all seats, so that luck cancels. Options of the game may have several values, such as "
    "--rules kendall,skyruk; everything is played with each. Ctrl+C keeps the games played.",
    has_many=True,
)
