"""Weight is a fault: package, tests and documents keep to the numbers in `budgets.toml`."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boardgames_cli
from tests import test_layers

ROOT = Path(boardgames_cli.__file__).parent
TOP = Path(__file__).parents[1]
BUDGETS = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
SOURCES = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
MOST_FILES = 14
LONGEST_FILE = 700
LEAST_LINES = 60
OF_EVERY_GAME = {"state", "actions", "rules", "view", "heuristic", "analyst", "encode", "agents"}
"""The files that games have, each for one role."""
SLACK = 0.05
"""How far below its limit a number may be; otherwise the limit is lowered."""


def room_of(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else "package"


def check(name: str, count: int, limit: int) -> None:
    assert count <= limit, f"{name}: {count} of {limit}; take something away"
    assert count >= (1 - SLACK) * limit - 50, f"{name}: {count} of {limit}; lower the limit"


def test_every_room_keeps_to_its_budget() -> None:
    lines: Counter[str] = Counter()
    for path, text in SOURCES.items():
        lines[room_of(path)] += len(text.splitlines())
    assert set(lines) == set(BUDGETS["lines"])
    for room, count in lines.items():
        check(room, count, BUDGETS["lines"][room])
    check("the package", lines.total(), BUDGETS["all"])
    assert sum(BUDGETS["lines"].values()) <= BUDGETS["all"]


def test_tests_and_documents_keep_to_theirs() -> None:
    tests = sum(len(path.read_text().splitlines()) for path in (TOP / "tests").rglob("*.py"))
    pages = [*(TOP / "docs").rglob("*.md"), *TOP.glob("*.md")]
    check("tests", tests, BUDGETS["tests"])
    check("words", sum(len(page.read_text().split()) for page in pages), BUDGETS["words"])


def earlier(commit: str) -> Mapping[str, Any]:
    """The budgets of an earlier commit; the present ones where git or the file is not at hand."""
    words = ("git", "-C", TOP, "show", f"{commit}:tests/budgets.toml")
    try:
        found = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return BUDGETS
    read = tomllib.loads(found)
    return read if "all" in read else BUDGETS  # 0.2 had reasons beside the numbers


@pytest.mark.parametrize("commit", ["HEAD", "HEAD^"])
def test_the_numbers_only_fall(commit: str) -> None:
    before = earlier(commit)
    for name in ("all", "tests", "words", "alone"):
        assert BUDGETS[name] <= before[name], f"{name} was {before[name]} at {commit}"
    # A room may take lines from another, which then has as many less.
    assert sum(BUDGETS["lines"].values()) <= sum(before["lines"].values())


def test_folders_and_files_stay_small() -> None:
    files: Counter[str] = Counter()
    for path, text in SOURCES.items():
        assert len(text.splitlines()) <= LONGEST_FILE, path
        if room_of(path) not in ("games", "cli") and path.stem != "__init__":
            files["/".join(path.parts[:-1]) or "package"] += 1
    crowded = {folder for folder, count in files.items() if count > MOST_FILES}
    assert not {folder for folder in crowded if not folder.endswith("screens")}


def test_names_of_classes_mean_one_thing() -> None:
    modules: defaultdict[str, set[Path]] = defaultdict(set)
    for path, name in classes():
        modules[name].add(path)
    assert not {name: paths for name, paths in modules.items() if len(paths) > 1}


def test_names_of_files_mean_one_thing() -> None:
    rooms: defaultdict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        if len(path.parts) > 1 and path.stem != "__init__":
            rooms[path.stem].add(room_of(path))
    twice = {name for name, found in rooms.items() if len(found) > 1}
    # A command, a contract, and what games have.
    assert twice == {"agents", "analyst", "errors", "rules"}


def test_few_modules_stand_alone() -> None:
    sources = test_layers.SOURCES
    graph = test_layers.graph_of(sources)
    alone = set()
    for module, source in sources.items():
        importers = [other for other, found in graph.items() if module in found]
        folder, _, name = module.rpartition(".")
        if (
            module.endswith("__main__")
            or not folder
            or ROOT.joinpath(*module.split(".")[1:]).is_dir()
        ):
            continue
        is_agent = ".agents" in folder
        if name in OF_EVERY_GAME or is_agent:
            continue
        is_small = len(source.splitlines()) < LEAST_LINES
        if is_small or [other.rpartition(".")[0] for other in importers] == [folder]:
            alone.add(module.partition(".")[2])
    assert len(alone) <= BUDGETS["alone"], sorted(alone)


def classes() -> Iterator[tuple[Path, str]]:
    for path, text in SOURCES.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                yield path, node.name
