"""New games from positions of old ones."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Traits
from boardgames_cli.session.opening import (
    AS_BEFORE,
    branch,
    open_session,
    player_at,
    start_of,
)
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.testing.scene import one_step

GAMES = {
    "senet": ("human", "easy"),
    "tapnswap": ("human", "easy"),
    "kuhn": ("easy", "human"),
    "deepsea": ("easy", "human", "easy", "easy"),
    "pommerman": ("human", "easy", "easy", "easy"),
}


def somewhere(game: str, seats: tuple[str, ...], steps: int = 30) -> Session:
    session = open_session(Setup(game, seats=seats, seed=8), Settings(save=False))
    while session.match.waiting_for and session.match.ply < steps:
        one_step(session.match)
    return session


@pytest.mark.parametrize("game", GAMES)
def test_every_position_can_be_played_on(game: str) -> None:
    session = somewhere(game, GAMES[game])
    match, replay = session.match, Replay.of_session(session)
    for ply in range(0, match.ply, 3):
        seat = player_at(replay, ply)
        start = match.game.from_json(start_of(match, ply, seat))
        if Traits.HIDDEN not in match.game.traits:
            assert start == match.state_at(ply)
        assert match.game.to_act(start) == match.game.to_act(match.state_at(ply))
        seen = match.game.redact(match.state_at(ply), seat)
        assert match.game.redact(start, seat) == seen
    setup = branch(replay, match.ply // 2, "random")
    assert setup.seats.count("random") == len(setup.seats) - 1
    new = open_session(setup, Settings(save=False))
    assert new.humans == (player_at(replay, match.ply // 2),)
    assert new.match.seed != match.seed


def test_what_was_hidden_is_dealt_anew() -> None:
    session = somewhere("kuhn", GAMES["kuhn"], 2)
    match = session.match
    ply = match.ply
    others = set()
    for _ in range(60):
        state = match.game.from_json(start_of(match, ply, 1))
        assert state.cards[1] == match.state.cards[1]
        others.add(state.cards[0])
    assert len(others) == 2, "the rival may have either of the two other cards"


def test_an_agent_that_is_a_program_is_not_run_because_a_save_names_it() -> None:
    session = somewhere("tapnswap", ("human", "random"), 3)
    replay = Replay(session.match, ("human", "cmd:rm -r nothing"), session.names)
    with pytest.raises(GameError, match="is a program on this machine"):
        branch(replay, 1, AS_BEFORE)
    assert branch(replay, 1, "easy").seats == ("human", "easy")


def test_after_its_end_nothing_can_be_played_on() -> None:
    session = somewhere("kuhn", GAMES["kuhn"], 99)
    replay = Replay.of_session(session)
    with pytest.raises(GameError, match="over"):
        branch(replay, session.match.ply, "easy")
