"""Imports point one way, and rules need nothing but the standard library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "boardgames_cli"
PACKAGE = "boardgames_cli"

# Each part may import itself and what is listed here.
BASE = {"core", "registry", ""}
AGENTS = BASE | {"algorithms", "agents"}
GAMES = AGENTS | {"games"}
SESSION = GAMES | {"storage", "training"}
MAY_IMPORT = {
    "": {"core", "registry", "storage", "cli"},
    "core": set[str](),
    "registry": {"core"},
    "algorithms": BASE,
    "agents": BASE | {"algorithms", "games"},
    "games": AGENTS,
    "training": GAMES | {"storage"},
    "storage": BASE,
    "testing": BASE,
    "session": SESSION,
    "terminal": SESSION | {"session"},
    "plain": SESSION | {"session", "terminal"},
    "tui": SESSION | {"session", "terminal"},
}
RUNTIME = {"typer", "rich", "textual", "platformdirs", "click"}
HEAVY = {"numpy", "numba", "textual", "rich", "typer", "click", "platformdirs"}
# The parts of a game that are its rules; the others (kernels, learners) may need more.
RULES_FILES = {"rules", "view", "board", "movement", "positions", "explain", "__init__"}
ALLOWED_OUTSIDE = {
    "core": set[str](),
    "registry": set[str](),
    "storage": {"platformdirs"},
    "testing": set[str](),
    "session": set[str](),
    "terminal": set[str](),
    "plain": set[str](),
}

FILES = sorted(ROOT.rglob("*.py"))


def part_of(module: str) -> str:
    """The part of the package that a module belongs to; "" is the package itself."""
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else ""


def module_name(path: Path) -> str:
    pieces = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(pieces[:-1] if pieces[-1] == "__init__" else pieces)


def imports(source: str) -> Iterator[tuple[int, str]]:
    """Every imported module with its line, also those imported inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            assert node.module is not None
            if node.module == PACKAGE:
                # from boardgames_cli import registry
                for alias in node.names:
                    is_part = (ROOT / alias.name).is_dir() or (ROOT / f"{alias.name}.py").exists()
                    yield node.lineno, f"{PACKAGE}.{alias.name}" if is_part else PACKAGE
            else:
                yield node.lineno, node.module


def broken(path: Path, source: str) -> list[str]:
    """The imports of a file that point the wrong way, or to what it may not need."""
    part = part_of(module_name(path))
    if path.name == "__main__.py":
        part = "cli"
    if path == ROOT / "games" / "__init__.py":
        part = ""  # called as a function, it is a piece of the public API
    found = []
    for line, module in imports(source):
        if module.partition(".")[0] == PACKAGE:
            target = part_of(module)
            if part != "cli" and target != part and target not in MAY_IMPORT[part]:
                found.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
            continue
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names:
            continue
        is_rules = part == "games" and path.stem in RULES_FILES
        if (is_rules and top in HEAVY) or top not in ALLOWED_OUTSIDE.get(part, {top}):
            found.append(f"{path.relative_to(ROOT)}:{line} needs {module}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    assert broken(path, path.read_text(encoding="utf-8")) == []


def test_every_part_of_the_package_has_its_place() -> None:
    parts = {part_of(module_name(path)) for path in FILES} - {"cli", "__main__"}
    assert parts <= set(MAY_IMPORT)


def test_the_table_itself_points_one_way() -> None:
    def below(part: str, seen: tuple[str, ...]) -> None:
        assert part not in seen, f"a circle: {seen}"
        for lower in MAY_IMPORT[part] - {"", "cli"}:
            # Agents know games and games name agents of their own: the one exception.
            if {part, lower} != {"games", "agents"}:
                below(lower, (*seen, part))

    for part in MAY_IMPORT:
        if part:
            below(part, ())


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/x.py", "from boardgames_cli.registry import make"),
        ("core/x.py", "import numpy"),
        ("core/x.py", "def f():\n    import rich.text"),
        ("games/senet/rules.py", "import numpy as np"),
        ("games/senet/view.py", "from textual.app import App"),
        ("games/senet/rules.py", "from boardgames_cli.session.session import Session"),
        ("storage/x.py", "from boardgames_cli.session import seats"),
        ("testing/x.py", "import pytest"),
        ("testing/x.py", "from boardgames_cli.session.seats import HUMAN"),
        ("session/x.py", "from boardgames_cli import tui"),
        ("agents/x.py", "import boardgames_cli.training.td"),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str) -> None:
    assert len(broken(ROOT / path, source)) == 1
