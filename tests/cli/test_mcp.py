"""A language model at the table: what it is told, and the protocol itself."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.cli.mcp import ModelTable
from boardgames_cli.core.errors import GameError
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.storage.reading import load_record


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ModelTable]:
    settings = Settings(pace=Pace.INSTANT, save_folder=tmp_path)
    with closing(ModelTable(settings, "random")) as table:
        yield table


def legal(text: str) -> list[str]:
    return re.findall(r"^  (\S.*?)   ", text.partition("Legal:\n")[2], re.MULTILINE)


@pytest.mark.parametrize("game", ["deepsea", "kuhn", "pommerman", "senet", "tapnswap"])
def test_a_whole_game_is_played_and_saved(table: ModelTable, game: str, tmp_path: Path) -> None:
    assert game in table.list_games()
    assert len(table.rules(game)) > 500
    rng = random.Random(5)
    said = table.new_game(game, seat=2, seed=5)
    for _ in range(2000):
        choices = legal(said)
        if not choices:
            break
        said = table.act(rng.choice(choices))
    assert "boardgames review" in said
    record = load_record(next(tmp_path.glob("*.jsonl")))
    assert record.result
    assert record.header.seats[1].startswith("human")


def test_it_is_told_what_its_seat_may_know(table: ModelTable) -> None:
    table.new_game("kuhn", seat=2, seed=5)
    seen = json.loads(table.observe())
    assert seen["type"] == "observe"
    cards = seen["position"]["cards"]
    assert cards.count("?") + cards.count(None) == 1


def test_what_is_wrong_is_said_and_changes_nothing(table: ModelTable) -> None:
    with pytest.raises(GameError, match="no game yet"):
        table.act("1>2")
    with pytest.raises(GameError, match="no seat 3"):
        table.new_game("senet", seat=3)
    before = table.new_game("senet", seed=1)
    with pytest.raises(GameError):
        table.act("nonsense")
    assert legal(table.look()) == legal(before)


def words(said: Any) -> str:
    """The text of a tool's answer; the SDK knows other kinds of content, too."""
    return str(said.content[0].text)


@pytest.mark.slow
async def test_a_client_of_the_official_sdk_plays(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the SDK is not installed")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "boardgames_cli", "mcp", "--vs", "random", "--save-dir", str(tmp_path)],
        env=dict(os.environ),
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"list_games", "rules", "new_game", "look", "observe", "act"}
        said = await client.call_tool("new_game", {"game": "kuhn", "seed": 3})
        while choices := legal(words(said)):
            said = await client.call_tool("act", {"action": choices[0]})
        assert "boardgames review kuhn-1" in words(said)
        refused = await client.call_tool("act", {"action": "bet"})
        assert "over" in words(refused)
    assert load_record(tmp_path / "kuhn-1.jsonl").result
