"""What a process refuses that plays for strangers, whichever way leads to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.agents.remote.program import PluginAgent
from boardgames_cli.agents.remote.seating import prepare, seat_agent
from boardgames_cli.core import plugins
from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.core.options import options_of
from boardgames_cli.core.plugins import AGENT_GROUP, ConfinedError
from boardgames_cli.core.spec import load
from boardgames_cli.registry import agents_for, find_game, game_ids, make
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.store import Store, new_header
from tests.plugins import Plugins


@pytest.fixture
def confined(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `confine` does, but only for one test."""
    monkeypatch.setattr(plugins, "_confined", [True])


def test_once_confined_always_confined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_confined", [])
    assert not plugins.is_confined()
    plugins.confine()
    plugins.confine()
    assert plugins.is_confined()


@pytest.mark.parametrize("id", game_ids())
def test_every_level_plays_on(confined: None, id: str) -> None:
    spec = find_game(id)
    for level in (*spec.levels, *spec.levels.values(), "ai", "ai:level=easy"):
        assert seat_agent(level, make(id), 0) is not None


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("senet", "random"),
        ("senet", "greedy:slips=0.2"),
        ("senet", "expectimax:depth=1"),
        ("kuhn", "best-response:to=rock"),
        ("tapnswap", "q-table:level=easy"),
    ],
)
def test_numbers_words_and_other_agents_are_no_harm(confined: None, id: str, text: str) -> None:
    assert seat_agent(text, make(id), 0) is not None


def free_texts(id: str) -> list[str]:
    """The agents of a game with an option into which anything can be written."""
    return [
        f"{name}:{option.name}="
        for name, agent in agents_for(find_game(id)).items()
        for option in options_of(load(agent.path))
        if option.type is str and not option.choices
    ]


def test_there_are_agents_with_files_and_commands() -> None:
    assert {"q-table:file=", "cfr:file=", "best-response:to="} <= set(free_texts("tapnswap"))


@pytest.mark.parametrize("id", game_ids())
def test_no_text_of_a_visitor_becomes_a_command_or_a_file(
    confined: None, tmp_path: Path, id: str
) -> None:
    (tmp_path / "secret").write_text("of the owner")
    trap = f"cmd:touch {tmp_path}/ran"
    for text in (*free_texts(id), "cmd:command="):
        is_command = text.startswith("cmd:")
        for value in (f"{tmp_path}/secret", trap, f"q-table:file={tmp_path}/secret"):
            with pytest.raises(GameError) as refusal:
                prepare([seat_agent(trap if is_command else text + value, make(id), 0)])
            assert "of the owner" not in str(refusal.value)
            # Another agent may be named, and is checked in turn.
            if text.partition(":")[2] not in ("to=", "rollout=", "weaker=", "stronger="):
                assert isinstance(refusal.value, ConfinedError), text
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("senet", "cmd:sh -c id"),
        ("senet", "cmd[cwd=/]:id"),
        ("kuhn", "best-response:to=cmd:id"),
        ("kuhn", "best-response:to=cfr:file=/x"),
    ],
)
def test_other_ways_to_write_it(confined: None, id: str, text: str) -> None:
    with pytest.raises(ConfinedError):
        prepare([seat_agent(text, make(id), 0)])


def test_an_agent_of_a_plugin_gets_no_text(confined: None, plugins: Plugins) -> None:
    plugins.add(AGENT_GROUP, "stranger", "tests.nowhere:STRANGER")
    with pytest.raises(ConfinedError):
        seat_agent("stranger:file=/etc/passwd", make("senet"), 0)
    with pytest.raises(ConfinedError):
        seat_agent("best-response:to=stranger", make("kuhn"), 0)
    # By its name alone it may play: the owner has installed it. It is not imported here.
    assert isinstance(seat_agent("stranger", make("senet"), 0), PluginAgent)


def test_games_are_not_opened_with_them(confined: None, tmp_path: Path) -> None:
    settings = Settings(save_folder=tmp_path)
    command = f"cmd:touch {tmp_path}/ran"
    with pytest.raises(ConfinedError):
        open_session(Setup("senet", seats=("human", command)), settings)
    assert list(tmp_path.iterdir()) == []
    Store(tmp_path).create(new_header(make("senet"), seed=1, seats=("human", command))).close()
    # Even with a yes to the question that the menu does not ask.
    with pytest.raises(ConfinedError):
        resume_session("senet-1", settings, is_trusted=True)
    assert not (tmp_path / "ran").exists()


def test_saves_lie_in_one_folder(confined: None, tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir()
    Store(tmp_path).create(new_header(make("senet"), seed=1, seats=("human", "human"))).close()
    store = Store(tmp_path / "saves")
    for name in (str(tmp_path / "senet-1.jsonl"), "../senet-1.jsonl", "../senet-1"):
        with pytest.raises(StorageError):
            store.find(name)
    session = open_session(Setup("senet"), Settings(save_folder=tmp_path / "saves"))
    try:
        with pytest.raises(ConfinedError):
            session.saving.move(str(tmp_path))
        with pytest.raises(StorageError):
            session.saving.keep_copy("../elsewhere")
    finally:
        session.close()
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["senet-1.jsonl"]
