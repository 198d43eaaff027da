"""Matches cut short, saves of other rules, leftovers: what a list of saves must get right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.errors import RecordError
from boardgames_cli.registry import make
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.store import Store, new_header


def cut_short(folder: Path) -> str:
    """A finished save of a match of 30 steps."""
    settings = Settings(save_folder=folder)
    session = open_session(
        Setup("senet", seats=("random",), rest="random", seed=1, max_plies=30), settings
    )
    while waiting := session.match.waiting_for:
        if waiting[0] < 0:
            session.resolve_chance()
        else:
            session.submit(waiting[0], session.observe(waiting[0]).legal[0])
    assert session.journal is not None
    session.close()
    return session.journal.name


def test_a_match_cut_short_stays_cut_short(tmp_path: Path) -> None:
    name = cut_short(tmp_path)
    assert Store(tmp_path).summaries()[0].is_finished
    session = resume_session(name, Settings(save_folder=tmp_path))
    assert session.match.truncated
    assert session.match.ply == 30
    session.close()


def test_a_result_before_the_end_is_damage(tmp_path: Path) -> None:
    path = tmp_path / f"{cut_short(tmp_path)}.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], lines[-1]]))
    with pytest.raises(RecordError, match="the result is not the one of these moves"):
        Store(tmp_path).resume(path.stem)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [("game", "chess", "unknown game"), ("rules_version", 99, "version 99 of the rules")],
)
def test_what_can_not_be_played_is_not_offered(
    tmp_path: Path, field: str, value: object, problem: str
) -> None:
    store = Store(tmp_path)
    store.create(new_header(make("senet"), seed=1, seats=("human", "random"))).close()
    path = tmp_path / "senet-1.jsonl"
    header = json.loads(path.read_text())
    path.write_text(json.dumps({**header, field: value}) + "\n")
    assert problem in store.summaries()[0].problem
    assert store.latest() is None
