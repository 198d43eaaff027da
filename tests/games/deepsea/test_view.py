"""The trail as the source draws it, and shades; the rest is in tests/games/scenes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rich.style import Style

from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.view import DeepSeaView
from boardgames_cli.games.deepsea.view.drawing import PALETTE, SHADES
from tests.colours import luminance
from tests.games.deepsea.records import DATA, position

RENDERED = json.loads((DATA / "deepsea-render.json").read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize("row", [row for row in RENDERED if not row["state"]["game_over"]],
                         ids=lambda row: row["kind"])  # fmt: skip
def test_the_line_of_the_source(row: dict[str, Any]) -> None:
    state = row["state"]
    game = DeepSea(players=state["players"])
    data = {key: value for key, value in state.items() if key not in ("turn_order", "game_over")}
    data = position(data)
    if not state["done"][state["current"]]:
        data["phase"] = "dice"
    seen = game.observe(game.from_json(data), None)
    lines = str(DeepSeaView(game).picture(seen, Size(100, 20), RenderContext())).splitlines()
    theirs = row["plain"].splitlines()
    # The order inside the submarine is the order of turns; whoever moves next is at the hatch.
    assert sorted(lines[0][1:7].replace("_", " ")) == sorted(theirs[0][1:7])
    assert lines[0][8:72] == theirs[0][8:72]
    assert lines[1][8:72] == theirs[1][8:72]
    if "phase" in data:
        whose = theirs[0][72:].partition("'s turn")[0].strip()
        assert lines[0][72:].strip() == f"{whose}'s turn."
        assert lines[1][72:].split() == theirs[1][72:].split()


def test_the_sea_darkens_with_depth_and_chips_grow_brighter() -> None:
    for theme in PALETTE.values():
        shades = [luminance(theme[f"depth.{step}"].split(" on ")[1]) for step in range(SHADES)]
        assert shades == sorted(shades, reverse=True)
        assert all(Style.parse(style) is not None for style in theme.values())
    grounds = [
        luminance(PALETTE["dark"][f"chip.{level}"].split(" on ")[1]) for level in range(1, 5)
    ]
    assert grounds == sorted(grounds)
