"""Weight is a fault: the package keeps to the budgets in `budgets.toml`."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import boardgames_cli
from tests import test_layers

ROOT = Path(boardgames_cli.__file__).parent
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
SOURCES = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
PACKAGES = {
    ".".join(("boardgames_cli", *path.parts[:-1])) for path in SOURCES if path.stem == "__init__"
} | {"boardgames_cli.__main__"}
MOST_FILES = 14
LONGEST_FILE = 700
LEAST_LINES = 60
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


def test_names_of_files_mean_one_thing() -> None:
    rooms: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        if len(path.parts) > 1 and path.stem != "__init__":
            rooms[path.stem].add(room_of(path))
    twice = {name: found for name, found in rooms.items() if len(found) > 1}
    assert len(twice) == BUDGETS["names"]["files"], twice


def test_a_module_that_stands_alone_has_a_reason() -> None:
    sources = test_layers.SOURCES
    graph = test_layers.graph_of(sources)
    alone = set()
    for module, source in sources.items():
        importers = [other for other, found in graph.items() if module in found]
        folder = module.rpartition(".")[0]
        is_small = len(source.splitlines()) < LEAST_LINES and module not in PACKAGES
        if is_small or [other.rpartition(".")[0] for other in importers] == [folder]:
            alone.add(module.partition(".")[2])
    assert alone == set(BUDGETS["alone"])


def classes() -> Iterator[tuple[Path, str]]:
    for path, text in SOURCES.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                yield path, node.name
