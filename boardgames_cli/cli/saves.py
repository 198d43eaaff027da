"""``boardgames saves``: list, show and delete saved games."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import Any, Final

import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import CommonOptions, argument, command, group, option
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.record import Header
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.seats import holder_name
from boardgames_cli.session.viewpoint import disclosed_seed
from boardgames_cli.storage.reading import SaveSummary, load_record, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.streams import is_terminal, printable, read_line

_UNTOLD: Final = {"result": "not over yet", "seed": "shown when the game is over"}


@dataclass(frozen=True, slots=True)
class SaveArgument:
    """The save."""

    name: str = argument("Its name or file.", metavar="SAVE", autocompletion=completion.saves)


@dataclass(frozen=True, slots=True)
class FinishedSave:
    """The finished game that a command shows; without a name the last one."""

    save: str | None = argument(
        "Its name or file; by default the last finished game.",
        default=None,
        autocompletion=completion.saves,
    )

    def name_in(self, store: Store) -> str:
        return self.save or store.latest_finished()


@dataclass(frozen=True, slots=True)
class ConfirmOption:
    """Whether to ask."""

    yes: bool = option(False, "Don't ask for confirmation.", "--yes", "-y")


def list_saves(folder: Folder, form: AsJson, common: CommonOptions) -> int:
    """List all saves, most recently used first."""
    store = Store.at(folder.save_dir)
    summaries = store.summaries()
    if form.json:
        say_json([_facts(summary) for summary in summaries])
    elif not summaries:
        say(f"There are no saves in {store.place}.")
    else:
        say_table(
            ("name", "game", "step", "state", "last played", "seats"),
            [_row(summary, is_verbose=common.verbose) for summary in summaries],
        )
        if any(summary.path.parent != store.folder for summary in summaries):
            notify(f"Those of ./saves are from before: new games are saved in {store.folder}.")
    return 0


def show_save(which: SaveArgument, folder: Folder, form: AsJson) -> int:
    """Show what is in a save."""
    store = Store.at(folder.save_dir)
    path = store.find(which.name)
    record = load_record(path)
    match = restore(record, path)
    header, ending = record.header, match.ending
    names = [holder_name(seat, find_game(header.game)) for seat in header.seats]
    ended = "" if ending is None else ending.in_words(names, match.ply)
    facts = {
        "name": path.stem,
        "path": str(path),
        "game": header.game,
        "options": dict(header.options),
        "seats": list(header.seats),
        "seed": disclosed_seed(match),
        "created": header.created,
        "program": header.program,
        "plies": len(record.steps),
        "result": None if record.result is None else list(record.result),
        "notes": [f"step {ply}: {text}" for ply, text in record.notes],
    }
    if form.json:
        say_json(facts | {"ended": ended or None})
        return 0
    untold = _UNTOLD | ({"result": ended} if ended else {})
    for key, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name} {chosen}" for name, chosen in value.items())
        elif isinstance(value, list):
            value = ", ".join(str(item) for item in value)
        if value != "":
            say(f"{key:<9}{untold.get(key, '') if value is None else value}".rstrip())
    return 0


def delete_save(which: SaveArgument, sure: ConfirmOption, folder: Folder) -> int:
    """Delete a save for good."""
    store = Store.at(folder.save_dir)
    path = store.check_deletable(which.name)
    # Files elsewhere are shown with their path, since they may have the name of a save.
    name = path.stem if store.name_of(path) == path.stem else str(path.absolute())
    if not sure.yes:
        if not is_terminal(sys.stdin):
            raise GameError(
                f"{name} was not deleted, since there was no terminal to ask.",
                f"To delete it: boardgames saves delete {shlex.quote(which.name)} --yes",
            )
        typer.echo(printable(f"Delete {name} for good? [y/N] "), nl=False, err=True)
        if read_line(sys.stdin).strip().lower() not in ("y", "yes"):
            say(f"{name} is kept.")
            return 0
    store.delete(which.name)
    say(f"{name} is deleted.")
    return 0


def _state(summary: SaveSummary) -> str:
    if summary.problem:
        return "unreadable"
    if summary.is_finished:
        return "over"
    return "unfinished" if summary.can_go_on else "stopped"


def _row(summary: SaveSummary, *, is_verbose: bool) -> tuple[str, ...]:
    header = summary.header
    return (
        summary.name,
        header.game if header is not None else "?",
        str(summary.plies),
        _state(summary),
        f"{summary.modified:%Y-%m-%d %H:%M}",
        _reason(summary) if header is None else ", ".join(_seats(header, is_verbose=is_verbose)),
    )


def _seats(header: Header, *, is_verbose: bool) -> tuple[str, ...]:
    if is_verbose or header.game not in game_ids():
        return header.seats
    return tuple(holder_name(seat, find_game(header.game)) for seat in header.seats)


def _reason(summary: SaveSummary) -> str:
    what = summary.problem.partition("   ")[0]
    return what.removeprefix(summary.path.name).lstrip(",: ")


def _facts(summary: SaveSummary) -> dict[str, Any]:
    header = summary.header
    return {
        "name": summary.name,
        "path": str(summary.path),
        "game": None if header is None else header.game,
        "options": None if header is None else dict(header.options),
        "seats": None if header is None else list(header.seats),
        "plies": summary.plies,
        "state": _state(summary),
        "result": None if summary.result is None else list(summary.result),
        "modified": summary.modified.isoformat(timespec="seconds"),
        "problem": summary.problem or None,
    }


make = group(
    {
        "list": command(list_saves),
        "show": command(show_save),
        "delete": command(delete_save),
    },
    "saves",
    "saves show senet-3",
    "saves delete senet-3",
    help="List, show and delete saved games.",
    default="list",
)
