"""Pages made while MkDocs builds the site: the start, the reference, and the arrays of the games.

The reference has what authors import: every public name in one list, and the rooms that games,
encoders, environments and programs are written against.
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import boardgames_cli

sys.path.insert(0, str(Path(__file__).parent))
import spaces

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = boardgames_cli.__name__

ROOMS: Final = {
    "core": (
        *("game", "match", "agent", "analyst", "presentation.view", "text", "encoder", "options"),
        *("spec", "record", "errors", "randomness"),
    ),
    "codec": ("fields", "derived", "json_reader"),
    "environments": ("", "aec", "parallel", "seat", "vector", "openspiel"),
    "testing": ("check", "findings", "laws", "scene"),
    "protocol": ("agents.remote.protocol", "agents.remote.agent_server"),
}
"""The pages of the reference, each with its modules."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; MkDocs calls this when it has collected the files."""
    for name, text in pages():
        files.append(File.generated(config, name, content=text))
    return files


def pages() -> Iterator[tuple[str, str]]:
    """Each page that is made: its file in the folder of documents, and its text."""
    yield "index.md", start_page((ROOT / "README.md").read_text(encoding="utf-8"))
    yield "reference/boardgames_cli.md", package_page()
    for room in ROOMS:
        parts = [f"::: {module}\n" for module in _modules(room)]
        yield f"reference/{room}.md", "\n".join([f"# `{room}`\n", *parts])
    yield "reference/arrays.md", spaces.page()


def start_page(readme: str) -> str:
    """The README; what leads out of the folder of documents becomes plain words."""
    inside = readme.replace("](docs/", "](")
    outside = r"(?<!!)\[([^]]*)\]\((?=[A-Z]|boardgames_cli/)[^)]*\)"
    return re.sub(outside, r"\1", inside)


def package_page() -> str:
    """Every name of the package, with its signature and its first sentence."""
    inside = [module for room in ROOMS for module in _modules(room)]
    rows, rest = [], ""
    for name in sorted(set(boardgames_cli.__all__) - {"__version__"}, key=str.casefold):
        thing = getattr(boardgames_cli, name)
        if getattr(thing, "__name__", "") == name:
            module, text, taken = thing.__module__, inspect.getdoc(thing) or "", _signature(thing)
        else:
            (module, text), taken = _written(name), ""
        row = f"- **[`{name}`][{module}.{name}]** {taken and f'`{taken}`'}"
        rows.append(f"{row.rstrip()}<br>{_first_sentence(text)}")
        if module not in inside:
            rest += f"\n::: {module}.{name}\n"
    head = (
        f"# `{PACKAGE}`\n\nWhat `import {PACKAGE} as bg` gives; `bg.__version__` is its version.\n"
    )
    return "\n".join([head, *rows, "\n## In full\n", rest])


def _modules(room: str) -> list[str]:
    if room == "protocol":
        return [f"{PACKAGE}.{module}" for module in ROOMS[room]]
    return [f"{PACKAGE}.{room}.{module}".rstrip(".") for module in ROOMS[room]]


def _written(name: str) -> tuple[str, str]:
    """Where a name is defined that is no class or function, and the text below it."""
    for module in _modules("core"):
        text = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        if found := re.search(rf'^{name}\b.*\n"""(.*)', text, re.MULTILINE):
            return module, found[1].removesuffix('"""')
    raise LookupError(f"{name} has no text below it")


def _signature(thing: Any) -> str:
    if isinstance(thing, enum.EnumMeta):
        return ""
    text = re.sub(r"ForwardRef\((.*?)\)", r"\1", str(inspect.signature(thing)))
    text = re.sub(r"(?<=: )'([^']*)'|(?<=-> )'([^']*)'", r"\1\2", text)
    text = re.sub(rf"{PACKAGE}[\w.]*\.|typing\.| = <factory>", "", text)
    return "" if "*args" in text else text.removesuffix(" -> None")


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[.:])\s(?=[A-Z])", paragraph)[0].replace("``", "`")
