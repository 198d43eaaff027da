"""``boardgames convert GAME IN OUT``: converts files from and to the formats of other programs."""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.action_value_table import (
    QTable,
    TableFormat,
    check_table,
    table_from,
)
from boardgames_cli.cli.command import argument, examples, fields, make_command, option
from boardgames_cli.cli.output import say
from boardgames_cli.cli.parameters import game_parameters, given_options
from boardgames_cli.cli.play import Games
from boardgames_cli.codec.json_reader import STREAM, JsonReader
from boardgames_cli.core.errors import (
    GameError,
    PositionError,
    RecordError,
    StorageError,
    UnknownNameError,
)
from boardgames_cli.core.record import Record, read_lines
from boardgames_cli.core.spec import FormatSpec, GameSpec, Recording, load
from boardgames_cli.registry import find_game, game_ids, unknown_game
from boardgames_cli.registry import make as make_game
from boardgames_cli.storage.files import changing, create_file, replace_file
from boardgames_cli.storage.reading import restore
from boardgames_cli.storage.store import save_text
from boardgames_cli.terminal.streams import is_terminal, printable

_SAVE: Final = ".jsonl"


@dataclass(frozen=True, slots=True)
class ConvertArguments:
    """The input and the output."""

    source: str = argument(
        "A position, a save, or a file or folder of another program; - reads standard input.",
        metavar="IN",
    )
    target: str = argument("The new file; - writes to standard output.", metavar="OUT")
    to: str | None = option(
        None, "The target format for our files, if there are several.", metavar="FORMAT"
    )
    force: bool = option(False, "Overwrite OUT if it exists.")


@dataclass(frozen=True, slots=True)
class Product:
    """The result of a conversion."""

    text: str
    what: str
    """A description for people."""
    suffix: str = ""
    """The required suffix of its file; empty if any."""
    beside: str = ""
    """The text of a second file, which a table of another program has."""


class Convertible(Games):
    """The verb, with a command for each game that has formats."""

    operands = " IN OUT"

    def summaries(self) -> Mapping[str, str]:
        """One line for each such game: its formats."""
        specs = [find_game(id) for id in game_ids()]
        return {
            spec.info.id: "; ".join(f"{card.name}: {card.summary}" for card in _cards(spec))
            for spec in specs
            if _cards(spec)
        }

    def load(self, name: str) -> Any:
        """The command of a game."""
        return _command(find_game(name))

    def unknown(self, name: str) -> GameError:
        """The error for a game without formats, or an unknown game."""
        known = self.summaries()
        if name not in game_ids():
            return unknown_game(name, known)
        return GameError(
            f"there are no file formats of other programs for {find_game(name).info.name}.",
            f"Games: {' '.join(known)}",
        )


def _cards(spec: GameSpec) -> tuple[FormatSpec, ...]:
    return (*spec.formats, *spec.table_formats)


def _command(spec: GameSpec) -> Any:
    taken = {parameter.name for parameter in fields(ConvertArguments)}
    id, theirs = spec.info.id, ", ".join(card.name for card in _cards(spec))
    shown, meant = [], []
    if spec.formats:
        meant.append("a position or a save")
        shown += [
            f"convert {id} recorded-folder game.jsonl",
            f"convert {id} position.json {spec.formats[0].name}.json",
            f"convert {id} {id}-1.jsonl -",
        ]
    if spec.table_formats:
        meant.append("a Q-table")
        shown += [f"convert {id} model.csv table.jsonl", f"convert {id} table.jsonl model.csv"]
    return make_command(
        id,
        functools.partial(convert, spec),
        ConvertArguments,
        help=f"Convert files of {spec.info.name}. What IN is decides the direction: a file of "
        f"another program ({theirs}) becomes {' or '.join(meant)} of ours, and the reverse.",
        epilog=examples(*shown),
        extra=game_parameters(spec, taken),
    )


def convert(spec: GameSpec, way: ConvertArguments, **values: Any) -> int:
    """Convert a file and write the result."""
    card = _format(spec, way.to)
    source = read_source(way.source, spec.load_table_formats())
    try:
        product = _product(spec, card, source, given_options(values))
    except (PositionError, RecordError) as error:
        raise type(error)(f"{way.source}: {error.message}", error.todo) from error
    except RecursionError:
        raise RecordError(f"{way.source} is nested too deeply.", "Choose another file.") from None
    if way.target != STREAM and not way.target.endswith(product.suffix):
        raise GameError(
            f"a save must have a name that ends in {product.suffix}.",
            f"Write it to {way.target}{product.suffix}",
        )
    files = {way.target: product.text}
    if product.beside and way.target != STREAM:
        files[_beside(card, way.target)] = product.beside
    for name in files:  # none is written if one of them exists
        if not way.force and name != STREAM and os.path.lexists(name):
            raise _exists(name)
    for name, text in files.items():
        write_target(name, text, force=way.force)
    if way.target != STREAM:
        say(f"{way.target}: {product.what}.")
    return 0


def _beside(card: FormatSpec, target: str) -> str:
    """The second file of a table; its folder is made if there is none."""
    format: TableFormat = load(card.path)
    path = format.companion(Path(target))
    with contextlib.suppress(OSError):  # writing the file says why it can't be made
        path.parent.mkdir(exist_ok=True)
    return str(path)


def _format(spec: GameSpec, name: str | None) -> FormatSpec:
    cards = {card.name: card for card in _cards(spec)}
    if name is None:
        return _cards(spec)[0]
    if name not in cards:
        raise UnknownNameError("format", name, cards)
    return cards[name]


def _product(spec: GameSpec, card: FormatSpec, source: Source, given: dict[str, Any]) -> Product:
    if source.table is not None:
        return _from_table(spec, card, source, given)
    if source.record is not None:
        return _from_save(spec, card, source.record, given)
    for theirs in spec.formats:
        format = theirs.load()
        data = source.data if source.files is None else format.join(source.files)
        if format.is_recording(data):
            return _from_recording(spec, theirs, data, given)
        if format.is_position(data):
            game = make_game(spec.info.id, **(format.options(data) | given))
            position = game.to_json(format.read_position(game, data))
            return Product(json.dumps(position) + "\n", "a position")
    if card not in spec.formats:
        raise RecordError("this is no Q-table.", _TABLES_ONLY)
    game = make_game(spec.info.id, **given)
    state = game.from_json(source.data)
    written = card.load().write_position(game, state)
    return Product(_document(written), f"a position for {card.name}")


def _from_table(spec: GameSpec, card: FormatSpec, source: Source, given: dict[str, Any]) -> Product:
    table = source.table
    assert table is not None, "the caller checks it"
    if given:
        raise GameError("a Q-table has no options of the game.", f"Leave out: {' '.join(given)}")
    if card not in spec.table_formats:
        raise GameError(f"{card.name} has no Q-tables.", "Choose another format with --to.")
    check_table(table, make_game(spec.info.id))
    facts = f"{table.shape[0]} positions, {table.shape[1]} values"
    if source.is_theirs:
        return Product(table.text(), f"a Q-table with {facts}")
    format: TableFormat = load(card.path)
    text, visits = format.write(table)
    return Product(text, f"a Q-table for {card.name}, from {facts}", beside=visits)


def _from_recording(
    spec: GameSpec, card: FormatSpec, data: Mapping[str, Any], given: dict[str, Any]
) -> Product:
    from boardgames_cli.session.seats import HUMAN, LONGEST_NAME

    format = card.load()
    game = make_game(spec.info.id, **(format.options(data) | given))
    found = format.read_recording(game, data)
    text = save_text(
        found.match,
        tuple(f"{HUMAN}:name={name[:LONGEST_NAME]}" for name in found.names),
        f"Read from a recorded game of {card.name}.",
    )
    ending = "over" if found.match.is_over else "not over"
    return Product(text, f"a save with {found.match.ply} steps, {ending}", _SAVE)


def _from_save(spec: GameSpec, card: FormatSpec, record: Record, given: dict[str, Any]) -> Product:
    header = record.header
    if header.game != spec.info.id:
        raise RecordError(
            f"this is a save of {header.game}, not of {spec.info.id}.", "Choose another file."
        )
    if given:
        raise GameError(
            "a save already contains its options.",
            f"Leave out: {' '.join(given)}",
        )
    if card not in spec.formats:
        raise RecordError("a save can't be converted.", _TABLES_ONLY)
    match = restore(record)
    written = card.load().write_recording(match.game, Recording(match, header.seats))
    torn = "; the last line of the save was cut off, and is left out" if record.torn else ""
    what = f"a recorded game for {card.name}{torn}"
    return Product(_document(written), what)


def _document(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=4, sort_keys=True) + "\n"


_MARK: Final = '{"boardgames":'
_TABLE_MARK: Final = '{"boardgames q-table":'
_TABLES_ONLY: Final = "Only Q-tables of this game are converted: the .csv files of the program."
_MOST_FILES: Final = 10_000

FILES: Final = JsonReader(
    what="",
    limit=64_000_000,
    error=StorageError,
    remedy="docs/file-formats.md shows what can be read.",
)


@dataclass(frozen=True, slots=True)
class Source:
    """The input: a save, a folder or a JSON object."""

    record: Record | None = None
    table: QTable | None = None
    is_theirs: bool = False
    """Whether the table is in another program's format."""
    files: Mapping[str, dict[str, Any]] | None = None
    """The JSON objects of a folder, by file name."""
    data: dict[str, Any] = field(default_factory=dict)


def read_source(name: str, formats: Sequence[TableFormat] = ()) -> Source:
    """Read a save, a Q-table, a JSON object, or all JSON objects in a folder.

    The name ``-`` is standard input.
    """
    if name != STREAM and os.path.isdir(name):  # noqa: PTH112  # Path's fails for long names
        return Source(files=_read_folder(Path(name)))
    # Not strict, because a save may be cut off inside a character.
    text = FILES.read_text(name, allow_stream=True, is_strict=False)
    # A save has many lines of JSON; the first one identifies it.
    if text.lstrip().startswith(_MARK):
        try:
            return Source(record=read_lines(io.StringIO(text, newline="\n")))
        except RecordError as error:
            raise RecordError(f"{name}, {error.message}", error.todo) from error
    is_theirs = any(format.is_table(text) for format in formats)
    if is_theirs or (formats and text.lstrip().startswith(_TABLE_MARK)):
        return Source(table=table_from(text, name, formats), is_theirs=is_theirs)
    return Source(data=FILES.check_object(FILES.parse(text, name), name))


def write_target(name: str, text: str, *, force: bool) -> None:
    """Write a file atomically; ``-`` is standard output."""
    if name == STREAM:
        # A pipe gets the bytes unchanged, a terminal only printable text.
        sys.stdout.write(printable(text) if is_terminal(sys.stdout) else text)
        return
    path = Path(name)
    todo = "Choose another place, or check the permissions of this one and the free space."
    try:
        (replace_file if force else create_file)(path, text)
    except FileExistsError:
        raise _exists(path) from None
    except StorageError as error:
        raise StorageError(error.message, todo) from error
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror}).", todo) from error


def _exists(path: str | Path) -> StorageError:
    return StorageError(
        f"{path} already exists.", "Choose another name, or overwrite it with --force."
    )


def _read_folder(folder: Path) -> dict[str, dict[str, Any]]:
    with changing(folder, how="read"):
        listed = (path for path in folder.iterdir() if path.suffix == ".json")
        paths = sorted(itertools.islice(listed, _MOST_FILES + 1))
    if len(paths) > _MOST_FILES:
        raise StorageError(f"{folder} has more than {_MOST_FILES} JSON files.", FILES.remedy)
    files, left = {}, FILES.limit
    for path in paths:
        text = replace(FILES, limit=left).read_text(path)
        files[path.name] = FILES.check_object(FILES.parse(text, str(path)), str(path))
        left -= len(text)
    return files


make = functools.partial(
    Convertible.below,
    help="Convert positions and recorded games of other programs into ours, and back.",
    epilog="Each game has options of its own: boardgames convert GAME --help",
)
