"""A game that was begun in real time goes on so, if it can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.settings import Settings, Setup

DUEL = Setup("pommerman", {"mode": "duel"}, ("human:Ann", "random"), seed=7)
TWO = Setup("pommerman", {"mode": "team"}, ("human:Ann", "human:Ben"), "random", seed=7)


def begin(folder: Path, setup: Setup, tick: float | None, **changes: Any) -> str:
    session = open_session(setup, Settings(save_folder=folder, tick=tick, **changes))
    assert session.journal is not None
    name = session.journal.name
    session.close()
    return name


def tick_of(folder: Path, name: str, **changes: float | bool) -> float | None:
    session = resume_session(name, Settings(save_folder=folder, **changes))  # type: ignore[arg-type]
    session.close()
    return session.tick


def test_a_game_in_real_time_goes_on_in_real_time(tmp_path: Path) -> None:
    name = begin(tmp_path, DUEL, 0.4)
    assert tick_of(tmp_path, name) == 0.4
    assert tick_of(tmp_path, name, tick=1.5) == 1.5, "unless another tick is chosen"


def test_a_game_in_turns_goes_on_in_turns(tmp_path: Path) -> None:
    name = begin(tmp_path, DUEL, None)
    assert tick_of(tmp_path, name) is None
    header = json.loads((tmp_path / f"{name}.jsonl").read_text().splitlines()[0])
    assert "tick" not in header, "saves of games in turns are what they were"


def test_what_is_not_allowed_now_goes_on_in_turns(tmp_path: Path) -> None:
    name = begin(tmp_path, TWO, 0.4, is_shared=True)
    assert tick_of(tmp_path, name) is None, "nobody said now that they don't mind"
    assert tick_of(tmp_path, name, is_shared=True) == 0.4


@pytest.mark.parametrize("tick", ["soon", True, [1], 1e999, 0, -1, 1000])
def test_a_tick_that_is_none_is_refused_or_left_out(tmp_path: Path, tick: object) -> None:
    name = begin(tmp_path, DUEL, 0.4)
    path = tmp_path / f"{name}.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), "tick": tick}), *rest]) + "\n")
    if tick in (0, -1, 1000):
        assert tick_of(tmp_path, name) is None
    else:
        with pytest.raises(GameError):
            tick_of(tmp_path, name)
