"""The tables of arrays that the site shows have every field of every encoder."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from boardgames_cli.registry import find_game, game_ids, make, make_encoder

SCRIPT = Path(__file__).parents[1] / "docs" / "spaces.py"


def test_the_tables_tell_of_every_field() -> None:
    spec = importlib.util.spec_from_file_location("spaces", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    lines = script.page().splitlines()
    for id in game_ids():
        assert f"## {find_game(id).info.name}" in lines
        for encoding in ("", *find_game(id).encodings):
            for field in make_encoder(make(id), encoding).fields:
                start = f"| `{field.name}` | {list(field.shape)} | {field.dtype} |"
                assert any(line.startswith(start) for line in lines), (id, encoding, field.name)
