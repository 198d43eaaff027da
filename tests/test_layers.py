"""Imports point one way: between rooms, between games, and from rules to nothing but rules.

Every import of every module counts, also those inside functions and those for types alone.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from boardgames_cli.registry import BUILT_IN_GAMES

PACKAGE = "boardgames_cli"
ROOT = Path(__file__).parents[1] / PACKAGE

ORDER: tuple[tuple[str, ...], ...] = (
    ("codec",),
    ("core",),
    ("registry",),
    ("algorithms",),
    ("agents",),
    ("games",),
    ("storage",),
    ("tournament",),  # training measures strength by playing many games
    ("training", "environments", "evaluation"),
    ("session",),
    ("online",),
    ("terminal",),
    ("plain", "tui"),
    ("web",),
    ("cli",),
)
"""Rooms from the bottom to the top: each may need itself and those below it, not its neighbour."""

BELOW = {
    room: {lower for others in ORDER[:level] for lower in others}
    for level, rooms in enumerate(ORDER)
    for room in rooms
} | {"testing": {"codec", "core", "registry"}, "storage": {"codec", "core", "registry"}}
BELOW["cli"].add("testing")  # `agents check` says which law an agent breaks

ALLOWED = {("codec", f"{PACKAGE}.core.errors")}
"""Single modules of a higher room that a room may need; they need nothing themselves."""

API = {
    PACKAGE: {"codec", "core", "registry", "algorithms", "storage", "environments", "cli"},
    f"{PACKAGE}.__main__": {"cli", "terminal"},
}
"""The package itself and its start, which offer what others make."""

HEAVY = {"numpy", "numba", "textual", "rich", "typer", "click", "platformdirs"}
OUTSIDE: Mapping[str, set[str]] = {
    "core": set(),
    "registry": set(),
    "testing": set(),
    "session": set(),
    "terminal": set(),
    "plain": set(),
    "storage": {"platformdirs", "tomlkit"},
    "codec": set(),
    "evaluation": set(),
}
"""What rooms may need besides the standard library; a room that is not named is free to choose."""

USED_LATE: Mapping[str, set[str]] = {
    "core.encoder": {"numpy"},
    "evaluation.export": {"rich"},
    "session.recording": {"PIL", "rich"},
}
"""What single modules import only where it is used, and may need beyond their room."""

NOT_RULES = {"encode", "agents", "analyst", "fast", "playground"}
"""The parts of a game that may need numpy and the like; all others are its rules and its view."""

Sources = Mapping[str, str]


def read_sources() -> dict[str, str]:
    """The text of every module of the package by its name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        pieces = path.relative_to(ROOT.parent).with_suffix("").parts
        name = ".".join(pieces[:-1] if pieces[-1] == "__init__" else pieces)
        found[name] = path.read_text(encoding="utf-8")
    return found


SOURCES = read_sources()


@functools.cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


@functools.cache
def import_nodes(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    nodes = ast.walk(parsed(source))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


@functools.cache
def texts(source: str) -> tuple[tuple[int, str], ...]:
    """Every constant text of a module, with its line."""
    nodes = ast.walk(parsed(source))
    found = (node for node in nodes if isinstance(node, ast.Constant))
    return tuple((node.lineno, node.value) for node in found if isinstance(node.value, str))


def room_of(module: str) -> str:
    """The room that a module lives in; "" is the package itself."""
    return "" if module in API else module.split(".")[1]


def game_of(module: str) -> str:
    """The game that a module belongs to; "" if none."""
    pieces = module.split(".")
    return pieces[2] if len(pieces) > 2 and pieces[1] == "games" else ""


def is_rules(module: str) -> bool:
    pieces = module.split(".")
    return bool(game_of(module)) and not NOT_RULES.intersection(pieces[3:4])


def imports(module: str, sources: Sources) -> Iterator[tuple[int, str]]:
    """Every module that a module imports, with the line."""
    for node in import_nodes(sources[module]):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            assert node.module is not None
            for alias in node.names:
                if (node.module, alias.name) == (PACKAGE, "__version__"):
                    continue  # a constant that stands in the package for those who build it
                inner = f"{node.module}.{alias.name}"
                yield node.lineno, inner if inner in sources else node.module


def wrong_rooms(sources: Sources) -> Iterator[str]:
    """Imports from a room that lies above, or from another game."""
    for module in sources:
        room = room_of(module)
        allowed = API.get(module) or BELOW[room] | {room}
        for line, target in imports(module, sources):
            if target.partition(".")[0] != PACKAGE:
                continue
            if room_of(target) not in allowed and (room_of(module), target) not in ALLOWED:
                yield f"{module}:{line} imports {target}"
            elif game_of(target) and game_of(target) != game_of(module):
                yield f"{module}:{line} imports {target}, a game"


def named_games(sources: Sources) -> Iterator[str]:
    """Texts by which a room that serves all games means one of them."""
    for module, source in sources.items():
        if module == f"{PACKAGE}.registry" or game_of(module):
            continue
        for line, text in texts(source):
            if text in BUILT_IN_GAMES or text.startswith(f"{PACKAGE}.games."):
                yield f"{module}:{line} names {text!r}"


def needs_outside(sources: Sources) -> Iterator[str]:
    """Imports of other packages where only the standard library may be needed."""
    for module in sources:
        for line, target in imports(module, sources):
            top = target.partition(".")[0]
            if top == PACKAGE or top in sys.stdlib_module_names:
                continue
            if top in USED_LATE.get(module.partition(".")[2], ()):
                continue
            if top not in OUTSIDE.get(room_of(module), {top}) or (
                is_rules(module) and top in HEAVY
            ):
                yield f"{module}:{line} needs {target}"


def heavy_rules(sources: Sources) -> Iterator[str]:
    """Rules that get at what rules may not need through other modules."""
    graph = graph_of(sources)
    heavy = {
        module
        for module in sources
        if HEAVY.intersection(target.partition(".")[0] for _, target in imports(module, sources))
        and module.partition(".")[2] not in USED_LATE
    }
    for module in filter(is_rules, sources):
        for other in sorted(heavy & reachable(graph, module)):
            yield f"{module}: through {other}"


def early_imports(sources: Sources) -> Iterator[str]:
    """Modules of `USED_LATE` that import as they are loaded what they may import in use alone."""
    for name, packages in USED_LATE.items():
        for node in parsed(sources[f"{PACKAGE}.{name}"]).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from (f"{name}: {top}" for top in packages if top in ast.unparse(node))


def graph_of(sources: Sources) -> dict[str, set[str]]:
    """The modules of the package that each module imports."""
    return {
        module: {target for _, target in imports(module, sources) if target in sources}
        for module in sources
    }


def circles(sources: Sources) -> list[list[str]]:
    """Groups of modules that import each other, directly or through others."""
    graph = graph_of(sources)
    reach = {module: reachable(graph, module) for module in graph}
    groups = {
        frozenset({module, *(other for other in reach[module] if module in reach[other])})
        for module in graph
        if module in reach[module]
    }
    return sorted(map(sorted, groups))


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


CHECKS = (wrong_rooms, named_games, needs_outside, heavy_rules, early_imports, circles)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_house_is_in_order(check) -> None:  # type: ignore[no-untyped-def]
    assert list(check(SOURCES)) == []


def test_every_room_has_its_place_and_every_place_its_room() -> None:
    assert {room_of(module) for module in SOURCES} - {""} == set(BELOW)


def test_every_module_is_looked_at() -> None:
    assert len(SOURCES) == len(list(ROOT.rglob("*.py")))
    assert sum(len(list(imports(module, SOURCES))) for module in SOURCES) > 1000


G = "games.senet"


@pytest.mark.parametrize(
    ("check", "module", "source"),
    [
        (wrong_rooms, "core.x", "from boardgames_cli.registry import make"),
        (wrong_rooms, "core.x", "import boardgames_cli"),
        (wrong_rooms, "core.x", "def f():\n    import boardgames_cli.storage.files"),
        (wrong_rooms, f"{G}.rules", "from boardgames_cli.session.session import Session"),
        (wrong_rooms, f"{G}.fast", "from boardgames_cli.games import kuhn"),
        (wrong_rooms, "agents.x", "import boardgames_cli.training.curve"),
        (wrong_rooms, "testing.x", "from boardgames_cli.agents.random import RandomAgent"),
        (wrong_rooms, "tui.x", "from boardgames_cli.plain.line_mode import Turn"),
        (
            wrong_rooms,
            "core.x",
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from boardgames_cli.cli.main import app",
        ),
        (named_games, "cli.x", "if game == 'senet': pass"),
        (named_games, "core.x", "load('boardgames_cli.games.kuhn.rules:Kuhn')"),
        (needs_outside, "core.x", "import numpy"),
        (needs_outside, "core.x", "def f():\n    import rich.text"),
        (needs_outside, f"{G}.anything", "import numba"),
        (needs_outside, "games.pommerman.rules.step", "def f():\n    import numpy"),
        (
            heavy_rules,
            "games.pommerman.rules.x",
            "import boardgames_cli.games.pommerman.fast",
        ),
    ],
)
def test_a_wrong_import_is_found(check, module: str, source: str) -> None:  # type: ignore[no-untyped-def]
    before = set(check(SOURCES))
    name = f"{PACKAGE}.{module}"
    new = set(check({**SOURCES, name: source})) - before
    assert [problem.startswith(f"{name}:") for problem in new] == [True]


@pytest.mark.parametrize(
    "back",
    [
        "from boardgames_cli.core.x import something",
        "def f():\n    from boardgames_cli.core.x import something",
    ],
)
def test_a_circle_is_found(back: str) -> None:
    x, y, z = (f"{PACKAGE}.core.{name}" for name in "xyz")
    added = {x: f"import {y}", y: f"from {z} import something", z: back}
    assert [x, y, z] in circles({**SOURCES, **added})
