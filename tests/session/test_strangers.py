"""Agents of other packages at a table: seated, asked, hurried, taken back, resumed, and left."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.remote.program import PluginAgent
from boardgames_cli.agents.remote.seating import prepare, released, seat_agent
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.evaluation.oracle import StandIn, experience
from boardgames_cli.games.kuhn.actions import NOT_DEALT
from boardgames_cli.registry import find_game, is_bundled, make, make_agent
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from tests.processes import is_alive, wait_until
from tests.strangers import Spy, installed


@pytest.fixture(autouse=True)
def strangers(toys: None) -> Iterator[None]:
    with installed("guest", "odd", "learner", "spy"):
        yield


def table(
    *seats: str, game: str = "tapnswap", seed: int = 1, folder: Path | None = None
) -> Session:
    settings = Settings(save=folder is not None, save_folder=folder)
    return open_session(Setup(game, seats=seats, seed=seed), settings)


def act(session: Session) -> str:
    """Let the next agent act; returns what it reported."""
    request = session.request()
    session.accept(request.result())
    return request.progress[0]


def pid_of(agent: Agent[Any, Any] | None) -> int:
    assert isinstance(agent, PluginAgent)
    assert agent._child is not None
    return agent._child.pid


@pytest.mark.parametrize(
    ("text", "game", "is_ours"),
    [
        ("random", "tapnswap", True),
        ("hard", "tapnswap", True),
        ("ai:level=easy", "tapnswap", True),
        ("rock", "kuhn", True),
        ("best-response:to=rock", "kuhn", True),
        ("best-response:to=guest", "kuhn", False),
        ("best-response:guest", "kuhn", False),
        ("best-response:to=best-response:to=guest", "kuhn", False),
        ("guest", "kuhn", False),
        ("hard", "race", False),
        ("easy", "race", True),
        ("no-such-agent", "kuhn", True),
        ("ai:level=none", "kuhn", True),
    ],
)
def test_whose_agent_it_is(text: str, game: str, is_ours: bool) -> None:
    assert is_bundled(text, find_game(game)) is is_ours


def test_a_strangers_module_is_not_imported_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.strangers")
    game = make("kuhn")
    for text in ("rock", "guest", "best-response:to=guest"):
        with released(seat_agent(text, game, 1)) as agent:
            prepare([agent])
    assert "tests.strangers" not in sys.modules
    make_agent("guest", game)
    assert "tests.strangers" in sys.modules


def test_ours_stay_here_and_strangers_leave_with_the_table() -> None:
    session = table("guest", "random")
    ours = session.holders[1].agent
    assert not isinstance(ours, PluginAgent)
    pid = pid_of(session.holders[0].agent)
    assert is_alive(pid)
    act(session)
    session.close()
    wait_until(lambda: not is_alive(pid))


def test_the_seed_repeats_the_luck_of_strangers() -> None:
    def story(seed: int) -> list[str]:
        session = table("guest", "guest", seed=seed)
        for _ in range(8):
            if session.match.waiting_for:
                act(session)
        session.close()
        return [str(step.joint) for step in session.match.steps]

    assert story(5) == story(5)
    assert len({tuple(story(seed)) for seed in (5, 6, 7)}) > 1


def test_the_seed_that_nobody_chose_cant_be_tried_out() -> None:
    seeds = [open_session(Setup("tapnswap"), Settings(save=False)).match.seed for _ in range(8)]
    assert len(set(seeds)) == 8
    assert max(seeds) > 2**56


def test_undo_shows_the_game_again() -> None:
    session = table("learner", "random")
    told = []
    for _ in range(2):
        told.append([act(session) for _ in range(3)][2])
        session.match.undo()
        session.match.undo()
        session.match.undo()
        session.forget()
    session.close()
    assert told[0] == told[1]
    assert told[0].startswith("3 seen")


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    session = table("learner", "random", folder=tmp_path)
    act(session)
    act(session)
    session.close()
    session = resume_session("tapnswap-1", Settings(save_folder=tmp_path))
    assert act(session).startswith("3 seen")
    session.close()


def test_a_save_is_free_again_when_a_stranger_cant_be_seated(tmp_path: Path) -> None:
    session = table("guest", "random", folder=tmp_path)
    session.close()
    save = tmp_path / "tapnswap-1.jsonl"
    save.write_text(save.read_text().replace('"guest"', '"guest:colour=red"'))
    for _ in range(2):
        with pytest.raises(GameError, match="unknown guest option"):
            resume_session("tapnswap-1", Settings(save_folder=tmp_path))


def test_one_that_is_ended_begins_anew_with_the_whole_story() -> None:
    session = table("learner", "random")
    act(session)
    act(session)
    first = pid_of(session.holders[0].agent)
    request = session.request()
    session.accept(request.given_up())
    wait_until(lambda: not is_alive(first))
    assert "did not answer" in session.log.remarks[0].text
    act(session)
    text = act(session)
    assert text.startswith("5 seen")
    assert pid_of(session.holders[0].agent) != first
    session.close()


def test_a_stranger_that_stands_in_for_an_analyst_has_a_process_of_its_own() -> None:
    session = table("human", "guest", game="race")
    session.resolve_chance()
    seen, stand_in = session.observe(0), StandIn(session.game)
    with released(stand_in.agent()) as agent:
        assert isinstance(agent, PluginAgent)
    judgement = stand_in.judge(seen, experience(session.match, 0))
    assert judgement.best.action == seen.legal[-1]
    assert judgement.of(seen.legal[0]).words == "place 0"
    session.close()


def test_a_spy_at_the_table_learns_nothing_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes.json"
    monkeypatch.setenv("TEST_SPY_FILE", str(notes))
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)  # is no seed of a game
    session = table("spy:game=kuhn", "random", game="kuhn", seed=8)
    while session.match.waiting_for == (CHANCE,):
        session.resolve_chance()
    before, known = session.match.state, str(session.observe(0).state.cards)
    assert str(before.cards) != known
    act(session)
    found = json.loads(notes.read_text())
    assert session.match.state_at(session.match.ply - 1) is before
    assert str(before.cards) == str(session.match.state.cards) != "forged"
    # Before the deal every hand is the same, a constant of the rules.
    undealt = str((NOT_DEALT, NOT_DEALT))
    assert set(found["hands"]) - {undealt} == {known}
    assert found["seed"] is None
    assert found["matches"] == 0
    assert found["report owner"] == "None"
    assert found["environment"] == found["frames"] == []
    assert found["threads"] == ["MainThread"]
    assert found["pid"] != os.getpid()
    session.close()


def test_the_search_finds_the_seed_where_it_can_be_found() -> None:
    """The spy's search is no dummy: it finds the seed from numbers that are not kept from it."""
    match: AnyMatch = Match(make("tapnswap"), seed=8)
    assert Spy().search_seed(Thinking(match.rng("seat0")).rng, match.observe(0)) == 8
