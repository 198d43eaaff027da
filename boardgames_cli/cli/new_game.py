"""``boardgames new-game NAME``: writes the package of a small game to start from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Final

from boardgames_cli.cli.command import argument, command, option
from boardgames_cli.cli.output import say
from boardgames_cli.core.errors import OptionError, StorageError
from boardgames_cli.registry import game_ids
from boardgames_cli.storage.files import changing

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_NAME: Final = 30
_SUMMARIES: Final = {
    "board": "Mark cells in turn: three in a row win.",
    "dice": "Throw a die, and perhaps once more: the highest wins.",
}
"""The small games of the templates."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the game is like, and where it is written."""

    name: str = argument("Its name for commands: lower-case letters, digits and hyphens.")
    chance: bool = option(False, "Start from a game with dice instead of a board.")
    hidden: bool = option(False, "Start from a game with dice that only their owners see.")
    seats: int = option(2, "How many play.", min=2, max=6)
    out: Path | None = option(None, "The new folder. [default: the name]", metavar="FOLDER")

    @property
    def kind(self) -> str:
        return "dice" if self.chance or self.hidden else "board"

    def words(self) -> dict[str, str]:
        """What the placeholders of the templates stand for."""
        parts = self.name.split("-")
        traits = ["CHANCE"] * (self.kind == "dice") + ["HIDDEN"] * self.hidden + ["ZERO_SUM"]
        summary = _SUMMARIES[self.kind]
        return {
            "id": self.name,
            "title": " ".join(parts).capitalize(),
            "module": f"boardgames_{'_'.join(parts)}",
            "distribution": f"boardgames-{self.name}",
            "seats": str(self.seats),
            "traits": " | ".join(f"Traits.{trait}" for trait in traits),
            "search": "ismcts" if self.hidden else "mcts",
            "summary": summary,
            "lower_summary": summary[0].lower() + summary[1:],
        }


def new_game(wanted: NewGame) -> int:
    """Write the package."""
    name = wanted.name
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise OptionError(
            f'a game can\'t be called "{name}".',
            f"Lower-case letters, digits and hyphens, at most {_LONGEST_NAME}: royal-ur",
        )
    if name in game_ids():
        raise OptionError(f'there is a game called "{name}" already.', "Choose another name.")
    folder = wanted.out or Path(name)
    if folder.exists() or folder.is_symlink():
        raise StorageError(f"{folder} already exists.", "Choose another folder with --out.")
    files = _files(wanted)
    with changing(folder, "Choose another folder with --out."):
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    say(f"{folder} has a game that works, in {len(files)} files. To try it:")
    say(f"cd {folder} && pip install -e '.[test]' && pytest")
    say(f"boardgames play {name}")
    say(f"Then make it your own: {folder / 'README.md'} says in which order.")
    return 0


def _files(wanted: NewGame) -> dict[str, str]:
    words = wanted.words()
    template = resources.files("boardgames_cli.cli") / "template"
    files = {}
    for part in ("common", wanted.kind):
        for path, text in _texts(template / part, ""):
            place = path.removesuffix(".txt").replace("package/", f"{words['module']}/")
            files[place] = Template(_chosen(text, wanted.hidden)).substitute(words)
    return dict(sorted(files.items()))


def _texts(folder: Traversable, above: str) -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _texts(entry, f"{above}{entry.name}/")
        else:
            found.append((f"{above}{entry.name}", entry.read_text(encoding="utf-8")))
    return found


def _chosen(text: str, hidden: bool) -> str:
    mark, other = ("#hidden:", "#open:") if hidden else ("#open:", "#hidden:")
    lines = (line for line in text.splitlines(keepends=True) if not line.startswith(other))
    return "".join(line.removeprefix(mark) for line in lines)


make = command(
    new_game,
    "new-game connect4",
    "new-game pig --chance --seats 4",
    "new-game poker --hidden",
    help="Write the package of a small game that installs, plays and passes its tests, to start "
    "from. docs/adding-a-game.md explains its parts.",
)
