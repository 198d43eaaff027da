"""Files of networks: written, read, and refused."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli import make, make_agent
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.networks.network_model import (
    NetworkModel,
    parse_network,
    read_network,
)
from boardgames_cli.algorithms.networks.side_network import Shape, SideNetwork
from boardgames_cli.core.errors import EXIT_FILE

SHAPE = Shape(2, 3, 1)
NETWORK = SideNetwork(SHAPE, [number / 8 for number in range(SHAPE.size)])
MODEL = NetworkModel("senet", 1, {"kendall": NETWORK, "skyruk": NETWORK}, {"command": "c"})
INFINITE = base64.b64encode(b"\x00\x7c" * SHAPE.size).decode()


def test_a_model_is_read_as_it_was_written() -> None:
    assert parse_network(MODEL.to_text(), "m") == MODEL
    # 0.2 kept the state of an unfinished training there.
    unfinished = MODEL.to_text().replace('"networks"', '"training": {"settings": {}}, "networks"')
    assert parse_network(unfinished, "m") == MODEL


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"boardgames_network": 2}, "written in format 2"),
        ({"boardgames_network": 0}, "not a network"),
        ({"game": 3}, '"game" is missing or wrong'),
        ({"about": 1}, '"about" is missing or wrong'),
        ({"hidden": "3"}, '"hidden" is missing or wrong'),
        ({"hidden": 0}, "no network of a possible size"),
        ({"hidden": 10**9}, "no network of a possible size"),
        ({"hidden": 4}, "bytes instead of"),
        ({"networks": []}, '"networks" is missing or wrong'),
        ({"networks": {}}, "no network of a possible size"),
        ({"networks": {"kendall": 3}}, "damaged: kendall"),
        ({"networks": {"kendall": "AAA"}}, "damaged: kendall"),
        ({"networks": {"kendall": "Ä"}}, "damaged: kendall"),
        ({"networks": {"kendall": INFINITE}}, "a weight is not a number"),
    ],
)
def test_damage_is_named(change: dict[str, Any], message: str) -> None:
    data = json.loads(MODEL.to_text()) | change
    with pytest.raises(LearnedFileError, match=message) as caught:
        parse_network(json.dumps(data), "m")
    assert caught.value.exit_code == EXIT_FILE
    assert caught.value.todo


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"boardgames_network": NaN}', "[" * 5000])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(LearnedFileError):
        parse_network(text, "m")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LearnedFileError, match=r"gone\.json can't be read"):
        read_network(tmp_path / "gone.json")


def test_a_file_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "n.json"
    file.write_text(NetworkModel("go", 1, {"kendall": NETWORK}).to_text())
    with pytest.raises(LearnedFileError, match="made for go, not senet"):
        make_agent(f"greedy:weights={file}", make("senet"))
