"""Pages made while MkDocs builds the site: the API reference, and the arrays of the games.

Each module has a page; a package's has what the package itself offers, and its modules.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))
import spaces

PACKAGE = Path(__file__).parents[1] / "boardgames_cli"
FOLDER = "reference"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; MkDocs calls this when it has collected the files."""
    for path in _modules(PACKAGE):
        text = _page(path)
        files.append(File.generated(config, f"{FOLDER}/{_name(path)}.md", content=text))
    files.append(File.generated(config, f"{FOLDER}/arrays.md", content=spaces.page()))
    return files


def _modules(folder: Path) -> Iterator[Path]:
    """The modules of a package and of those in it, each as its file or its folder."""
    if folder != PACKAGE:
        yield folder
    for path in sorted(folder.iterdir()):
        if path.name.startswith("_"):
            continue
        if path.suffix == ".py":
            yield path
        elif (path / "__init__.py").exists():
            yield from _modules(path)


def _name(path: Path) -> str:
    """The name of a module within the package."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _page(path: Path) -> str:
    name = _name(path)
    text = f"# `{name}`\n\n::: {PACKAGE.name}.{name}\n"
    inner = [one for one in _modules(path) if one.parent == path] if path.is_dir() else []
    if inner:
        text += "\n## Modules\n\n| Module | |\n| --- | --- |\n"
    for module in inner:
        text += f"| [`{_name(module)}`]({_name(module)}.md) | {_summary(module)} |\n"
    return text


def _summary(path: Path) -> str:
    """The first line of a module's docstring."""
    source = path / "__init__.py" if path.is_dir() else path
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].replace("``", "`").replace("|", "\\|")
