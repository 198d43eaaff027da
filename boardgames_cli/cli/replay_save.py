"""``boardgames replay SAVE``: shows a saved game, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardgames_cli.cli.command import CommonOptions, command, option
from boardgames_cli.cli.frontend import Front
from boardgames_cli.cli.open_table import front_end, on_screen
from boardgames_cli.cli.output import long_work, say, say_json
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.cli.saves import FinishedSave
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.record import Record
from boardgames_cli.plain.console import Console
from boardgames_cli.plain.page import print_replay, step_through
from boardgames_cli.session.recording import export_replay
from boardgames_cli.session.replay import Replay, replay_of
from boardgames_cli.session.viewpoint import disclosed_seed
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.signals import SignalWatch


@dataclass(frozen=True, slots=True)
class How:
    """How it is printed."""

    all: bool = option(False, "Print everything without waiting for a key.")
    export: Path | None = option(
        None,
        "Write pictures instead: an animation (.gif), or a new folder of PNG files.",
        metavar="PATH",
    )
    verify: bool = option(
        False,
        "Check that the dice and cards are those of the seed that all sides agreed upon "
        "(games over a network).",
    )
    boards: bool = option(False, "Print everything, with the board after every step.")


def replay_save(
    which: FinishedSave, how: How, folder: Folder, form: AsJson, common: CommonOptions
) -> int:
    """Replay a saved game: step by step in a terminal, otherwise as a whole."""
    store = Store.at(folder.save_dir)
    name = which.name_in(store)
    if how.verify:
        return _verify(name, load_record(store.find(name)))
    replay = replay_of(store.find(name))
    if how.export is not None:
        return _export(name, replay, how.export, form.json, common.is_plain)
    if form.json:
        say_json(_facts(name, replay))
        return 0
    is_printed_whole = how.all or how.boards
    common = replace(common, plain=common.plain or is_printed_whole)
    front, settings = front_end(common, folder=folder.save_dir)
    if front is Front.TUI:
        return on_screen(settings, "replay_screen:ReplayScreen", replay)
    with SignalWatch() as interrupts:
        console = Console.standard(interrupts)
        if console.is_live and not is_printed_whole:
            step_through(replay, console)
        else:
            print_replay(replay, console, how.boards)
    return 0


def _verify(name: str, record: Record) -> int:
    from boardgames_cli.online.fair_dice import check_dice, read_dice  # few saves have such dice

    if record.header.dice is None:
        raise GameError(
            f"nothing was agreed about the dice of {name}.",
            "Only games over a network can be verified: boardgames host",
        )
    count = check_dice(restore(record, Path(name)), read_dice(record.header.dice))
    say(f"All {count} outcomes of chance follow from the seed that all sides agreed upon.")
    return 0


def _export(name: str, replay: Replay, path: Path, as_json: bool, no_color: bool) -> int:
    count = 0
    with long_work(no_color) as work:
        count = export_replay(replay, path, work.report)
    if work.stop is not None:
        return work.exit_code(f"; {path} was not written.")
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
        "reason": None if match.ending is None else match.ending.reason,
        "winners": match.winners,
        "returns": list(match.game.returns(last)),
        "steps": steps,
        "position": match.game.to_json(last),
    }


make = command(
    replay_save, "replay senet-3", "replay senet-3 --boards", "replay senet-3 --export senet-3.gif"
)
