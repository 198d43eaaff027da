"""Files of weights: written, read, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli import make, make_agent
from boardgames_cli.algorithms.linear_model import LinearModel, ModelError, parse_model, read_model
from boardgames_cli.core.errors import EXIT_FILE

MODEL = LinearModel("senet", 1, {"kendall": {"own pair": 0.25}, "skyruk": {}}, {"command": "c"})


def test_a_model_is_read_as_it_was_written() -> None:
    assert parse_model(MODEL.to_text(), "m") == MODEL
    unfinished = LinearModel("senet", 1, {}, {}, {"settings": {"games": 3}})
    assert parse_model(unfinished.to_text(), "m") == unfinished


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"boardgames_weights": 2}, "written in format 2"),
        ({"boardgames_weights": 0}, "not a set of weights"),
        ({"game": 3}, '"game" is missing or wrong'),
        ({"rules_version": True}, '"rules_version" is missing or wrong'),
        ({"weights": []}, '"weights" is missing or wrong'),
        ({"weights": {"kendall": 1}}, '"weights" is missing or wrong'),
        ({"weights": {"kendall": {"own pair": "1"}}}, 'kendall, "own pair" is not a number'),
        ({"weights": {"kendall": {"own pair": True}}}, 'kendall, "own pair" is not a number'),
        ({"about": 1}, '"about" is missing or wrong'),
        ({"training": []}, '"training" is missing or wrong'),
    ],
)
def test_damage_is_named(change: dict[str, Any], message: str) -> None:
    data = json.loads(MODEL.to_text()) | change
    with pytest.raises(ModelError, match=message) as caught:
        parse_model(json.dumps(data), "m")
    assert caught.value.exit_code == EXIT_FILE
    assert caught.value.todo


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"boardgames_weights": NaN}', "[" * 5000])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(ModelError):
        parse_model(text, "m")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"gone\.json can't be read"):
        read_model(tmp_path / "gone.json")


def test_agents_play_by_a_file_of_weights(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(MODEL.to_text())
    game = make("senet")
    for name in ("greedy", "expectimax"):
        assert make_agent(f"{name}:weights={path}", game).supports(game) is None


@pytest.mark.parametrize(
    ("model", "game", "message"),
    [
        (LinearModel("chess", 1, {}), "senet", "was made for chess, not senet"),
        (LinearModel("senet", 9, {}), "senet", "for version 9 of the rules"),
        (LinearModel("senet", 1, {}), "senet", 'not for "kendall"'),
        (LinearModel("tapnswap", 1, {}), "tapnswap", "no weights can be learned for it"),
    ],
)
def test_agents_refuse_the_wrong_weights(
    tmp_path: Path, model: LinearModel, game: str, message: str
) -> None:
    path = tmp_path / "w.json"
    path.write_text(model.to_text())
    with pytest.raises(Exception, match=message) as caught:
        make_agent(f"greedy:weights={path}", make(game))
    assert caught.type.__module__.startswith("boardgames_cli")
