"""Observations of the original, made from ours and read again."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.agents.simple import Simple
from boardgames_cli.games.pommerman.board import UNKNOWN
from boardgames_cli.games.pommerman.encode import PlaygroundEncoder
from boardgames_cli.games.pommerman.playground import (
    RULES,
    Item,
    Translator,
    as_original,
    game_of,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from tests.games.pommerman.records import rows

GAME_TYPES = {"ffa": 1, "team": 2, "radio": 3, "1v1": 4, "duel": 4}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "duel"},
        {"mode": "team"},
        {"mode": "radio", "collapse": True, "first_collapse": 40},
    ],
    ids=str,
)
def test_a_game_is_seen_as_it_is(options: dict[str, Any]) -> None:
    game = Pommerman(**RULES, **options)
    encoder, rng = PlaygroundEncoder(game), random.Random(1)
    match: Any = Match(game, seed=3, max_plies=120)
    match.resolve_chance()
    translators = [Translator(game, seat) for seat in range(game.seats)]
    agents = [Simple(slips=0.2) for _ in range(game.seats)]
    for seat, agent in enumerate(agents):
        agent.reset(game, seat)
    bombs = 0
    while waiting := match.waiting_for:
        joint = {}
        for seat in waiting:
            seen = match.observe(seat)
            found = translators[seat].translate(as_original(encoder, seen))
            for name, wanted in encoder.encode(seen).items():
                assert np.array_equal(encoder.encode(found)[name], wanted), (name, match.ply)
            assert (found.seat, found.ply, found.legal) == (seat, seen.ply, seen.legal)
            for name in ("bombs", "step", "words", "fog", "rigid", "wood", "powers"):
                assert getattr(found.state, name) == getattr(seen.state, name), (name, match.ply)
            own = seen.state.agents[seat]
            assert found.state.agents[seat] == own
            bombs += sum(bomb.owner != UNKNOWN for bomb in seen.state.bombs)
            joint[seat] = agents[seat].act(seen, Thinking(rng))
        match.take_checked(joint)
    assert bombs > 20


def test_recorded_observations_of_the_original_are_read() -> None:
    for number, row in enumerate(rows("pommerman-obs")):
        original = {**row["obs"], "step_count": row["state"]["step"]}
        game = game_of(original, GAME_TYPES[row["mode"]], {"view": row["view_size"] or 4})
        seen = Translator(game, row["agent"]).translate(original)
        again = as_original(PlaygroundEncoder(game), seen)
        for name, wanted in row["obs"].items():
            found = np.asarray(again[name])
            assert found.tolist() == np.asarray(wanted).tolist(), (number, name)


def test_the_game_is_guessed_from_what_is_seen() -> None:
    def seen(game: Pommerman) -> dict[str, Any]:
        state = game.apply_chance(
            game.initial_state(), game.sample_chance(game.initial_state(), random.Random(1))
        )
        return as_original(PlaygroundEncoder(game), game.observe(state, 1))

    for game in (
        Pommerman(**RULES),
        Pommerman(**RULES, collapse=True),
        Pommerman(**RULES, mode="team"),
        Pommerman(**RULES, mode="team", view=10),
        Pommerman(**RULES, mode="radio"),
        Pommerman(**RULES, mode="duel"),
    ):
        assert game_of(seen(game), GAME_TYPES[game.mode], {}) == game
    options = {"strength": 3, "caps": False, "items_block": False}
    assert game_of(seen(Pommerman()), 1, options) == Pommerman()
    with pytest.raises(GameError, match="no game type 7"):
        game_of(seen(Pommerman()), 7, {})


def test_items_have_the_numbers_of_the_board() -> None:
    assert [Item(number).name for number in (0, 5, 9, 13)] == [
        "Passage", "Fog", "AgentDummy", "Agent3",
    ]  # fmt: skip


@pytest.mark.parametrize("flaw", ["board", "alive", "position", "bomb_life"])
def test_what_is_no_observation_is_refused(flaw: str) -> None:
    original = dict(rows("pommerman-obs")[0]["obs"])
    game = game_of(original, 3, {})
    del original[flaw]
    with pytest.raises(GameError, match=f"not an observation of the playground .*{flaw}"):
        Translator(game, 1).translate(original)
    with pytest.raises(GameError, match=r"the board has the shape \(2, 2\)"):
        Translator(game, 1).translate({**original, "board": [[0, 0], [0, 0]]})
