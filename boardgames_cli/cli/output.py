"""Results on standard output, as text or as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import typer

from boardgames_cli.terminal.prose import wrap_lines
from boardgames_cli.terminal.streams import is_terminal, printable


def say(text: str = "") -> None:
    """Write a text as lines; a terminal gets none that is longer than it is wide."""
    if is_terminal(sys.stdout):
        text = wrap_lines(text, shutil.get_terminal_size().columns)
    typer.echo(printable(text))


def say_json(data: Any) -> None:
    """Write a result as one JSON document."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=True))


def say_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write rows in columns; in a terminal the last one is broken where the terminal ends."""
    widths = [max(len(row[column]) for row in (headings, *rows)) for column in range(len(headings))]
    start = sum(widths[:-1]) + 2 * len(widths[:-1])
    for row in (headings, *rows):
        cells = (f"{cell:<{width}}" for cell, width in zip(row[:-1], widths, strict=False))
        line = "  ".join([*cells, row[-1]]).rstrip()
        if is_terminal(sys.stdout):
            line = wrap_lines(line, shutil.get_terminal_size().columns, " " * start)
        typer.echo(printable(line))
