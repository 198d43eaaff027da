"""``boardgames train GAME``: learn a game from play, into a file that agents play from."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import Everywhere, make_command
from boardgames_cli.cli.errors import tell
from boardgames_cli.cli.options import AsJson
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.core.errors import GameError, OptionError, StorageError
from boardgames_cli.core.options import OptionSpec, build, options_of
from boardgames_cli.plain.interrupts import Interrupts, Stopped
from boardgames_cli.plain.streams import is_terminal
from boardgames_cli.registry import make as make_game
from boardgames_cli.training.campaign import Campaign, Progress
from boardgames_cli.training.settings import QSettings

_PREFIX: Final = "set_"
_SECTION: Final = "Learning"


@dataclass(frozen=True, slots=True)
class Training:
    """What is trained, and where to."""

    game: Annotated[str, typer.Argument(help="The game to learn.", autocompletion=completion.games)]
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Where the table goes. [default: GAME-q-table.jsonl]"
        ),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the table of --out, as it was begun.")
    ] = False
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --out.")] = False
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the learning curve: png, svg or pdf."),
    ] = None


def make(name: str) -> Any:
    """The verb."""
    return make_command(
        name,
        train,
        Training,
        AsJson,
        Everywhere,
        help="Learn a small game from play (Q-learning). Ctrl+C keeps what was learned.",
        epilog="Examples: boardgames train tapnswap   boardgames train tapnswap --opponent "
        "random,self --seed 7 --out mine.jsonl   boardgames play tapnswap --vs "
        "q-table:file=mine.jsonl",
        extra=[_parameter(option) for option in options_of(QSettings)],
    )


def _parameter(option: OptionSpec) -> inspect.Parameter:
    """A training setting as an option; its value stays a text, which `build` checks."""
    flag = option.name.replace("_", "-")
    help = f"{option.help} [default: {option.default}]"
    if option.type is bool:
        info = typer.Option(f"--{flag}/--no-{flag}", help=help, rich_help_panel=_SECTION)
        annotation: Any = Annotated[bool | None, info]
    else:
        metavar = "TEXT" if option.type is str else "NUMBER"
        info = typer.Option(f"--{flag}", help=help, metavar=metavar, rich_help_panel=_SECTION)
        annotation = Annotated[str | None, info]
    return inspect.Parameter(
        _PREFIX + option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )


def train(training: Training, form: AsJson, everywhere: Everywhere, **values: Any) -> int:
    """Train, save, and say how good the table is.

    Returns:
        The exit code: 0, or 128 and the number of the signal that ended the training.

    Raises:
        GameError: Something chosen is wrong, or the file can't be written.
    """
    from boardgames_cli.training.curve import check_plot, plot

    given = {
        name.removeprefix(_PREFIX): value for name, value in values.items() if value is not None
    }
    if training.plot is not None:
        check_plot(training.plot)
    path = training.out or Path(f"{training.game}-q-table.jsonl")
    campaign = _campaign(training, path, given)
    total = campaign.learner.settings.episodes
    stop: Stopped | None = None
    with Interrupts() as interrupts, _reporter(everywhere.no_color, total) as report:

        def pause() -> None:
            with interrupts.waiting():
                pass

        try:
            campaign.run(report, pause)
        except Stopped as error:
            stop = error
    _say_result(campaign, path, form.json)
    if training.plot is not None:
        plot(campaign.marks, training.plot, f"Q-learning: {training.game}")
    if stop is None:
        return 0
    tell(f"Stopped. To go on: boardgames train {training.game} --resume --out {path}")
    return stop.exit_code


def _campaign(training: Training, path: Path, given: dict[str, Any]) -> Campaign:
    from boardgames_cli.agents.table import read_table
    from boardgames_cli.training.campaign import earlier_marks
    from boardgames_cli.training.qlearning import QLearning, resume

    game = make_game(training.game)
    if not training.resume:
        settings = build(QSettings, given, "training")
        _check_free(path, training.force)
        return Campaign(QLearning(game, settings), path)
    fixed = sorted(given.keys() - {"episodes"})
    if fixed:
        raise OptionError(
            f"--{fixed[0].replace('_', '-')} can't be changed by --resume.",
            "Only --episodes can; begin anew to change others.",
        )
    build(QSettings, given, "training")  # a bad number is a mistake of the command, not of the file
    table = read_table(path)
    episodes = int(given["episodes"]) if given else None
    return Campaign(resume(game, table, episodes), path, earlier_marks(table))


def _check_free(path: Path, force: bool) -> None:
    """Find out before training whether the table can be written.

    Raises:
        GameError: There is such a file already.
        StorageError: The folder can't be written.
    """
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise StorageError(f"{path} can't be written.", "Choose another file with --out.")
    if path.exists() and not force:
        raise GameError(
            f"{path} exists already.", "To go on with it: --resume   To replace it: --force"
        )


@contextmanager
def _reporter(no_color: bool, total: int) -> Iterator[Callable[[Progress], None]]:
    """What shows progress on standard error: a bar, lines, or nothing if nobody reads it there."""
    if not is_terminal(sys.stderr):
        yield _silent
    elif no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        yield _Lines()
    else:
        with _bar(total) as report:
            yield report


def _silent(progress: Progress) -> None:
    """Show nothing."""
    del progress


class _Lines:
    """Says every examination in a line."""

    def __init__(self) -> None:
        self._told = -1

    def __call__(self, progress: Progress) -> None:
        """Report."""
        mark = progress.mark
        if mark is not None and mark.episodes != self._told:
            self._told = mark.episodes
            tell(f"{mark}; {progress.rate:,.0f} games/s, {progress.seconds_left:.0f} s left")


@contextmanager
def _bar(total: int) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (
        MofNCompleteColumn(),
        BarColumn(20),
        TextColumn("{task.fields[rate]:,.0f} games/s  {task.fields[left]:.0f} s left"),
        TextColumn("{task.fields[kept]}"),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task("", total=total, rate=0.0, left=0.0, kept="")

        def report(progress: Progress) -> None:
            mark = progress.mark
            bars.update(
                task,
                completed=progress.done,
                total=progress.total,
                rate=progress.rate,
                left=progress.seconds_left,
                kept="" if mark is None else f"exact value kept {mark.kept}/{mark.positions}",
            )

        yield report


def _say_result(campaign: Campaign, path: Path, as_json: bool) -> None:
    from boardgames_cli.training.curve import chart

    table, progress = campaign.table(), campaign.progress()
    if as_json:
        say_json(
            {
                "game": table.game,
                "file": str(path),
                "episodes": table.episodes,
                "finished": campaign.learner.is_done,
                "episodes_per_second": round(progress.rate),
                "shape": list(table.shape),
                "settings": dict(table.settings),
                "curve": list(table.curve),
            }
        )
        return
    for line in chart(campaign.marks):
        say(line)
    for name, text in table.facts():
        say(f"{name}: {text}")
    say(f"speed: {progress.rate:,.0f} games/s, {campaign.learning_seconds:.1f} s of learning")
    say(f"file: {path}")
