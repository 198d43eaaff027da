"""Every registered game, with every set of options, keeps the contract; so do views and agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.agents.rollout import SimulationAgent
from boardgames_cli.core.agent import ADAPTIVE, Budget
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import every_option_set, options_of
from boardgames_cli.registry import (
    agents_for,
    find_game,
    game_ids,
    make,
    make_agent,
    make_encoder,
    spec_of,
)
from boardgames_cli.testing import check_agent, check_encoder, check_game, check_view
from boardgames_cli.testing.findings import call_game
from tests.toys import TOYS, Race, RaceView

FEW = 12
"""A game with no more sets of options than this is tested with each."""

MORE: dict[str, list[dict[str, Any]]] = {
    "kuhn": [{"hands": 25}, {"hands": 4, "first": 2}],
    "tapnswap": [{"max_plies": 7, "first": 2}],
}
"""Options that meet nowhere else."""


def every_game() -> Iterator[Any]:
    """Each with its usual options, and slowly with others."""
    for id in game_ids():
        for options in [*some_option_sets(find_game(id).game_class()), *MORE.get(id, [])]:
            game = make(id, **options)
            yield game if game == make(id) else pytest.param(game, marks=pytest.mark.slow)


def some_option_sets(kind: type) -> list[dict[str, Any]]:
    """All sets of options; of many, those that change one at most, and that of all last values."""
    sets = list(every_option_set(kind))
    if len(sets) <= FEW:
        return sets
    usual = {option.name: option.default for option in options_of(kind)}
    near = [options for options in sets if sum(options[k] != usual[k] for k in options) <= 1]
    return [*near, sets[-1]]


def every_agent() -> Iterator[tuple[str, AnyGame]]:
    for id in game_ids():
        game = make(id)
        specs = {*agents_for(find_game(id)), *find_game(id).levels.values()}
        # A session puts a mix of two levels in its place.
        specs.discard(ADAPTIVE)
        yield from ((spec, game) for spec in sorted(specs))


@pytest.mark.parametrize("game", every_game(), ids=call_game)
def test_game_keeps_the_contract(game: AnyGame) -> None:
    check_game(game, seeds=range(5))


def test_a_game_that_is_cut_short_keeps_the_contract() -> None:
    check_game(make("kuhn", hands=1000), seeds=range(2), max_plies=40)


@pytest.mark.parametrize("game", every_game(), ids=call_game)
def test_view_keeps_the_contract(game: AnyGame) -> None:
    check_view(spec_of(game).make_view(game), seeds=range(1), max_plies=120)


@pytest.mark.parametrize("game", every_game(), ids=call_game)
def test_encoders_keep_the_contract(game: AnyGame) -> None:
    spec = spec_of(game)
    assert spec.encoder, "our games bring an encoder, and several are published"
    for name in ("", *spec.encodings):
        check_encoder(make_encoder(game, name), seeds=range(1), max_plies=100)


@pytest.mark.parametrize(("spec", "game"), every_agent(), ids=str)
def test_agent_keeps_the_contract(spec: str, game: AnyGame) -> None:
    try:
        agent = make_agent(spec, game)
    except OptionError as error:
        refusal = error.message
    else:
        # Whole games are played on for each node, which is slow where games are long.
        nodes = 12 if isinstance(agent, SimulationAgent) else 200
        check_agent(agent, game, seeds=range(1), max_plies=30, budget=Budget(nodes=nodes))
        return
    # Not every agent plays every game, but those of its levels do.
    assert spec not in spec_of(game).levels.values(), refusal
    assert "can't play this game: " in refusal


@pytest.mark.parametrize("game", TOYS, ids=call_game)
def test_toys_keep_the_contract(game: AnyGame) -> None:
    check_game(game, seeds=range(20))


def test_the_view_of_a_toy_keeps_the_contract() -> None:
    check_view(RaceView(Race()))
