"""Results on standard output, as text or as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import typer

from boardgames_cli.terminal.streams import is_terminal, printable, wrap_lines


def screen_width() -> int | None:
    """The width of standard output if it is a terminal; otherwise None."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None


def say(text: str = "") -> None:
    """Write text, wrapped to the width if the output is a terminal."""
    width = screen_width()
    if width is not None:
        text = wrap_lines(text, width)
    typer.echo(printable(text))


def say_json(data: Any) -> None:
    """Write a result as one JSON document."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=True))


def say_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows in columns; in a terminal the last column is wrapped."""
    widths = [max(len(row[column]) for row in (headings, *rows)) for column in range(len(headings))]
    start = sum(widths[:-1]) + 2 * len(widths[:-1])
    for row in (headings, *rows):
        cells = (f"{cell:<{width}}" for cell, width in zip(row[:-1], widths, strict=False))
        line = "  ".join([*cells, row[-1]]).rstrip()
        width = screen_width()
        if width is not None:
            line = wrap_lines(line, width, " " * start)
        typer.echo(printable(line))
