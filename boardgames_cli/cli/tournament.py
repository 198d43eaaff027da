"""``boardgames tournament GAME``: many games between agents, with ratings.

It shows a live table in a terminal, and lines elsewhere.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, Final

from boardgames_cli.agents.remote.process_pool import Pool
from boardgames_cli.cli.command import PROGRAM, CommonOptions, command, option
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import LINE_SECONDS, is_plain, say, say_json, screen_width
from boardgames_cli.cli.parameters import AsJson, Trust
from boardgames_cli.cli.tournament_rules import KEPT, WHO, Rules, read_config
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, UnknownNameError
from boardgames_cli.registry import commands_in, find_game
from boardgames_cli.session.setup import UntrustedCommandError
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import is_terminal, printable
from boardgames_cli.tournament.cluster import make_pool
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import check_entrants
from boardgames_cli.tournament.pools import PATIENCE_SECONDS, Dispatcher
from boardgames_cli.tournament.reports.tables import Table
from boardgames_cli.tournament.run import Reporter, Tournament
from boardgames_cli.tournament.tournament_config import TournamentConfig

_WHERE: Final = "Workers"


@dataclass(frozen=True, slots=True)
class Running:
    """How a tournament is run, which does not affect its results."""

    section: ClassVar = _WHERE

    resume: Path | None = option(
        None, "Resume a stopped tournament.", metavar="FOLDER", rich_help_panel=KEPT
    )
    jobs: int | None = option(
        None, "The number of worker processes. [default: one per core]", min=1, max=1024
    )
    dask: str | None = option(
        None,
        "Use the workers of a Dask scheduler, such as tcp://192.0.2.1:8786.",
        metavar="ADDRESS",
    )
    patience: float = option(
        PATIENCE_SECONDS,
        "After this time without a result, workers are restarted and their games repeated.",
        min=1.0,
        metavar="SECONDS",
    )
    anchor: str | None = option(
        None,
        "The entrant with rating 0, so that tables can be compared. [default: the mean]",
        metavar="ENTRANT",
        rich_help_panel=WHO,
    )


def run(rules: Rules, running: Running, form: AsJson, common: CommonOptions, trust: Trust) -> int:
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
            _check_trust(config, running.resume, trust.decision(can_ask=not form.json))
        else:
            config = read_config(rules)
        _check_anchor(running, config)
        tournament = Tournament(config)
        if folder is not None:
            _check_version(folder, tournament)
        check_entrants(config.entrants, tournament.games, config.seed, is_isolated=config.isolate)
        pool = stack.enter_context(make_pool(running.jobs, running.dask))
        if folder is None:
            # Created last, so that a failure leaves nothing behind.
            folder = RunFolder.create(rules.out, config)
            stack.callback(folder.close)
        stop = _play(tournament, folder, pool, running, no_color=common.is_plain)
        show_results(
            tournament,
            folder.path,
            anchor=running.anchor,
            as_json=form.json,
            is_finished=stop is None,
        )
    if stop is None:
        return 0
    notify(f"Stopped. To continue: {PROGRAM} tournament --resume {folder.path}")
    return stop.exit_code


def _play(
    tournament: Tournament, folder: RunFolder, pool: Pool, running: Running, *, no_color: bool
) -> Stopped | None:
    """Play to the end, or until a signal arrives, which is returned."""
    with (
        SignalWatch() as interrupts,
        reporting(tournament, no_color=no_color) as (reporter, note),
    ):
        dispatcher = Dispatcher(pool, tournament.config, interrupts.waiting, running.patience, note)
        try:
            tournament.run(folder, dispatcher, reporter.show)
        except Stopped as stop:
            return stop
    return None


def _check_alone(rules: Rules) -> None:
    for field in fields(rules):
        value = getattr(rules, field.name)
        if value is not None and value is not False:
            name = "GAME" if field.name == "game" else f"--{field.name.replace('_', '-')}"
            raise GameError(
                f"--resume uses the settings in the folder; {name} can't change them.",
                f"Leave {name} out, or start a new tournament.",
            )


def _check_trust(
    config: TournamentConfig, path: Path, may_run: Callable[[Sequence[str]], bool]
) -> None:
    spec = find_game(config.game)
    commands = [c for entrant in config.entrants for c in commands_in(entrant.agent, spec)]
    if commands and not may_run(commands):
        again = f"tournament --resume {path}"
        raise UntrustedCommandError(f"the tournament in {path}", commands, again)


def _check_anchor(running: Running, config: TournamentConfig) -> None:
    names = [entrant.name for entrant in config.entrants]
    if running.anchor is not None and running.anchor not in names:
        raise UnknownNameError("entrant", running.anchor, names)


def _check_version(folder: RunFolder, tournament: Tournament) -> None:
    config = folder.config
    if any(game.info.rules_version != config.rules_version for game in tournament.games):
        raise GameError(
            f"the tournament in {folder.path} was started with other rules of {config.game}.",
            f"Finish it with the version of boardgames that started it ({config.program}).",
        )


@contextmanager
def reporting(
    tournament: Tournament, *, no_color: bool
) -> Iterator[tuple[Reporter, Callable[[str], None]]]:
    """Reports and notes on standard error: a live table in a terminal, lines elsewhere."""
    if is_plain(no_color) or not is_terminal(sys.stderr):
        yield Reporter(tournament, _say_progress, LINE_SECONDS), _say_note
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def draw(progress: Progress, standing: Table) -> None:
            text = f"{progress}\n\n{standing.text(live.console.width)}"
            live.update(Text(printable(text)), refresh=True)

        def note(text: str) -> None:
            live.console.print(printable(f"note: {text}"), markup=False, highlight=False)

        yield Reporter(tournament, draw), note


def _say_progress(progress: Progress, _: Table) -> None:
    if progress.rate:
        notify(str(progress))


def _say_note(text: str) -> None:
    notify(f"note: {text}")


def show_results(
    tournament: Tournament,
    folder: Path,
    *,
    anchor: str | None,
    as_json: bool,
    is_finished: bool,
) -> None:
    """Print the tables, or the report as JSON, and write the reports to the folder."""
    from boardgames_cli.tournament.reports import tables
    from boardgames_cli.tournament.reports.report import HTML_FILE, write_documents

    # Before printing, since standard output may be closed.
    report = write_documents(tournament, folder, anchor=anchor, is_finished=is_finished)
    if as_json:
        game = tournament.config.game
        say_json({"game": game, "folder": str(folder), **report.as_json()})
    else:
        shown = [tables.standings_table(report.table), tables.cross_table(report.table)]
        if report.table.is_analysed:
            shown.append(tables.luck_table(report.table))
        if any(row.sums.failures or row.sums.late for row in report.table.rows):
            shown.append(tables.behaviour_table(report.table))
        for table in shown:
            say(table.text(screen_width()))
        for remark in report.remarks:
            say(remark)
        say(f"folder: {folder}")
        notify(f"The whole report: {folder / HTML_FILE}")


make = command(
    run,
    "tournament senet -s hard -s medium -s greedy -s random --games 2000",
    "tournament deepsea -s hard -s medium -s random --set players=3",
    "tournament senet -s hard -s medium --games 200 --luck --losses",
    "tournament kuhn -s perfect -s rock --sprt 0,20 --games 100000",
    "tournament --resume senet-2026-01-31",
    "tournament senet -s hard -s easy --dask tcp://192.0.2.1:8786",
    help="Let agents play many games against each other, and rate them. Every deal is played "
    "from all seats, so that luck cancels. Ctrl+C keeps the games played.",
)
