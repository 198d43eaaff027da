"""``boardgames replay SAVE``: shows a saved game, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames_cli.cli.command import CommonOptions, examples, make_command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import choose_front, settings_for, show_from_environment
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.cli.progress import reporter
from boardgames_cli.cli.saves import FinishedSave
from boardgames_cli.core.background import Progress
from boardgames_cli.plain.console import Console
from boardgames_cli.plain.replay_lines import print_replay, step_through
from boardgames_cli.session.recording import export_replay
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.viewpoint import disclosed_seed
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.reading import read_file, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped, end_at_once_again, pause_collection


@dataclass(frozen=True, slots=True)
class How:
    """How it is printed."""

    all: Annotated[
        bool, typer.Option("--all", help="Print everything without waiting for a key.")
    ] = False
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="PATH",
            help="Write pictures instead: an animation (.gif, .webp), a recording for asciinema "
            "(.cast), or a new folder of PNG files.",
        ),
    ] = None
    boards: Annotated[
        bool, typer.Option("--boards", help="Print everything, with the board after every step.")
    ] = False


def make(name: str) -> Any:
    """Create the command."""
    return make_command(
        name,
        replay_save,
        FinishedSave,
        How,
        Folder,
        AsJson,
        CommonOptions,
        help="Replay a saved game: step by step in a terminal, otherwise as a whole.",
        epilog=examples(
            "replay senet-3", "replay senet-3 --boards", "replay senet-3 --export senet-3.gif"
        ),
    )


def replay_save(
    which: FinishedSave, how: How, folder: Folder, form: AsJson, common: CommonOptions
) -> int:
    """Show a saved game.

    Returns:
        The exit code.

    Raises:
        GameError: It can't be found or read, or a move is not legal.
    """
    store = Store(save_folder(folder.save_dir))
    name = which.name_in(store)
    path = store.find(name)
    record = read_file(path)
    replay = Replay.of_record(restore(record, path), record, path=path)
    if how.export is not None:
        return _export(name, replay, how.export, form.json, common.is_plain)
    if form.json:
        say_json(_facts(name, replay))
        return 0
    is_printed_whole = how.all or how.boards
    show = show_from_environment()
    choice = choose_front(show, replace(common, plain=common.plain or is_printed_whole))
    if choice.front is Front.TUI:
        end_at_once_again()
        pause_collection()
        from boardgames_cli.tui.app import run_replay

        return run_replay(replay, settings_for(choice, show, folder.save_dir))
    with SignalWatch() as interrupts:
        console = Console.standard(interrupts)
        if console.is_live and not is_printed_whole:
            step_through(replay, console)
        else:
            print_replay(replay, console, how.boards)
    return 0


def _export(name: str, replay: Replay, path: Path, as_json: bool, no_color: bool) -> int:
    """Write pictures; a signal ends the work, and nothing is left."""
    with SignalWatch() as interrupts, reporter(no_color) as show:

        def report(progress: Progress) -> None:
            show(progress)
            with interrupts.waiting():
                pass

        try:
            count = export_replay(replay, path, report)
        except Stopped as stop:
            notify(f"Stopped; {path} was not written.")
            return stop.exit_code
    if as_json:
        say_json({"save": name, "file": str(path), "pictures": count})
    else:
        say(f"Written to {path}: {count} pictures.")
    return 0


def _facts(name: str, replay: Replay) -> dict[str, Any]:
    match = replay.match
    steps = [{"step": replay.step(ply), "text": replay.sentences(ply)} for ply in range(match.ply)]
    last = replay.snapshot(match.ply).seen.state
    return {
        "save": name,
        "game": match.game.info.id,
        "seed": disclosed_seed(match),
        "names": list(replay.names),
        "over": match.is_over,
        "returns": list(match.game.returns(last)),
        "steps": steps,
        "position": match.game.to_json(last),
    }
