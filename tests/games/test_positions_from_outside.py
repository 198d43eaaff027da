"""Positions that anybody may have written: read as what they are, or refused in words, at once.

``BOARDGAMES_EXAMPLES`` multiplies the number of examples.
"""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import every_option_set, options_of
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.testing.scene import one_step
from tests.mutations import ODD, damaged

MANY = int(os.environ.get("BOARDGAMES_EXAMPLES", "1"))
fuzzed = settings(max_examples=120 * MANY, derandomize=True, deadline=None)


@cache
def rulebooks(id: str) -> list[Any]:
    """Rulebooks of a game: with its own options, and up to four sets of others."""
    kind = find_game(id).game_class()
    sets = list(every_option_set(kind))
    random.Random(id).shuffle(sets)
    counts = {
        spec.name: int(spec.high)
        for spec in options_of(kind)
        if spec.type is int and spec.high is not None and spec.high <= 1000
    }
    return [kind(), *(kind(**chosen) for chosen in sets[:3]), kind(**counts)]


@cache
def positions(id: str) -> list[tuple[Any, dict[str, Any]]]:
    """Sound positions with their rulebooks, from games played at random."""
    found = []
    for number, game in enumerate(rulebooks(id)):
        rng = random.Random(number)
        match: AnyMatch = Match(game, seed=number, max_plies=120)
        while not match.is_over:
            if match.ply < 5 or rng.random() < 0.1:
                found.append((game, game.to_json(match.state)))
            one_step(match)
        found.append((game, game.to_json(match.state)))
    return found


def read(game: Any, data: Any) -> Any:
    """The state of a position, None if it was refused; nothing else may come of it."""
    try:
        state = game.from_json(data)
    except PositionError:
        return None
    hash(state)
    return state


@pytest.mark.parametrize("id", game_ids())
def test_damaged_positions_are_read_or_refused(id: str) -> None:
    known = positions(id)

    @fuzzed
    @given(st.data())
    def check(data: st.DataObject) -> None:
        game, sound = data.draw(st.sampled_from(known))
        position = data.draw(damaged(st.just(sound)))
        state = read(game, position)
        if state is None:
            return
        # What was let in can be played on and written.
        assert read(game, game.to_json(state)) == state
        for seat in game.to_act(state):
            if seat == CHANCE:
                game.apply_chance(state, game.sample_chance(state, random.Random(1)))
            else:
                assert game.legal_actions(state, seat)

    check()


@pytest.mark.parametrize("id", game_ids())
def test_every_odd_value_in_every_field_and_alone(id: str) -> None:
    for game in rulebooks(id)[:2]:
        sound = [data for own, data in positions(id) if own == game][-2]
        for odd in ODD:
            read(game, odd)
            for key in sound:
                read(game, {**sound, key: odd})
