"""Weight is a fault: the package keeps to the budgets in `budgets.toml`."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import boardgames_cli

ROOT = Path(boardgames_cli.__file__).parent
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
SOURCES = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
MOST_FILES = 14
LONGEST_FILE = 700
SLACK = 0.05
"""How far below its limit a room may be; otherwise the limit is lowered."""


def room_of(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else "package"


def test_every_room_keeps_to_its_budget() -> None:
    lines: Counter[str] = Counter()
    for path, text in SOURCES.items():
        lines[room_of(path)] += len(text.splitlines())
    assert set(lines) == set(BUDGETS["lines"])
    for room, count in lines.items():
        limit = BUDGETS["lines"][room]["limit"]
        assert count <= limit, f"{room} has {count} lines: take something away, or say why not"
        assert count >= (1 - SLACK) * limit - 50, f"{room} has {count} lines: lower its limit"


def test_folders_and_files_stay_small() -> None:
    files: Counter[str] = Counter()
    for path, text in SOURCES.items():
        assert len(text.splitlines()) <= LONGEST_FILE, path
        if room_of(path) not in ("games", "cli") and path.stem != "__init__":
            files["/".join(path.parts[:-1]) or "package"] += 1
    crowded = {
        folder: count
        for folder, count in files.items()
        if count > MOST_FILES and not folder.endswith("screens")
    }
    assert crowded == BUDGETS["files"]


def test_names_of_classes_mean_one_thing() -> None:
    modules: defaultdict[str, set[Path]] = defaultdict(set)
    for path, name in classes():
        modules[name].add(path)
    twice = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert len(twice) == BUDGETS["names"]["classes"], sorted(twice)


def classes() -> Iterator[tuple[Path, str]]:
    for path, text in SOURCES.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                yield path, node.name
