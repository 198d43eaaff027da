"""What a seat sees can be written as JSON and read back: an agent behind a pipe sees the same."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import every_option_set
from boardgames_cli.registry import find_game, game_ids, make

PLIES = {"pommerman": 20}
GAMES = [
    (id, options) for id in game_ids() for options in every_option_set(find_game(id).game_class())
]


def fields(value: Any) -> Any:
    """All that a state holds, also what does not count for equality."""
    return repr(value)


@pytest.mark.parametrize(("id", "options"), GAMES, ids=str)
def test_a_seen_state_is_read_back(id: str, options: dict[str, Any]) -> None:
    game = make(id, **options)
    match: AnyMatch = Match(game, seed=3, max_plies=PLIES.get(id, 24))
    rng = random.Random(4)
    while match.waiting_for:
        for seat in range(game.seats):
            seen = match.observe(seat)
            data = json.loads(json.dumps(game.to_json(seen.state)))
            assert fields(game.read_seen(data, seen.ply)) == fields(seen.state)
        if match.waiting_for == (-1,):
            match.resolve_chance()
        else:
            match.submit(
                match.waiting_for[0], rng.choice(match.observe(match.waiting_for[0]).legal)
            )


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("data", [{}, {"agents": [1]}, {"cards": ["?", "?", "?"]}], ids=str)
def test_nonsense_is_refused(id: str, data: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        make(id).read_seen(data, 0)
