"""What two agents tell each other by radio, and what comes of it."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.agent import Thinking
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.agents.search import Hard, cell_meant, words_for
from boardgames_cli.games.pommerman.board import UNKNOWN, WORDS, grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, Bomber, PommermanState

RADIO = Pommerman(mode="radio", view=2)
GRID = grid_of(11)


@pytest.mark.parametrize("size", [8, 11])
def test_words_lead_to_the_cell_or_beside_it(size: int) -> None:
    for cell in range(size * size):
        words = words_for(size, cell)
        assert all(1 <= word <= WORDS for word in words)
        meant = cell_meant(size, words)
        assert words_for(size, meant) == words
        assert all(
            abs(a - b) <= 1 for a, b in zip(divmod(meant, size), divmod(cell, size), strict=True)
        )
    assert cell_meant(size, SILENCE) == UNKNOWN


def table(opponent: tuple[int, int], mate: tuple[int, int] = (9, 9)) -> PommermanState:
    """We in the middle of an empty board."""
    places = ((5, 5), opponent, mate, (0, 10))
    agents = tuple(Bomber(GRID.cell(*place), True, 0, 3, False) for place in places)
    return PommermanState(agents=agents, words=(SILENCE,) * 4)


def answer(state: PommermanState, **options: bool) -> str:
    agent = Hard(**options)
    agent.reset(RADIO, 0)
    agent.watch(RADIO.observe(state, 0))
    return str(agent.act(RADIO.observe(state, 0), Thinking(random.Random(1))))


def test_hard_says_where_it_sees_an_enemy() -> None:
    words = "{} {}".format(*words_for(11, GRID.cell(5, 7)))
    assert answer(table((5, 7))).endswith(words)
    assert len(answer(table((5, 7)), radio=False).split()) == 1
    assert len(answer(table((0, 0))).split()) == 1, "nobody is in sight"


@pytest.mark.parametrize(
    ("place", "move"), [((5, 10), "right"), ((5, 0), "left"), ((0, 5), "up"), ((10, 5), "down")]
)
def test_hard_goes_where_its_mate_sees_an_enemy(place: tuple[int, int], move: str) -> None:
    said = words_for(11, GRID.cell(*place))
    state = table((0, 0))._replace(words=(SILENCE, SILENCE, said, SILENCE))
    assert answer(state).split()[0] == move


def test_where_enemies_may_be() -> None:
    memory = Memory(11)
    seen = RADIO.redact(table((5, 7)), 0)
    memory.watch(seen)
    opponents = (1, 3)
    left = RADIO.redact(table((5, 8))._replace(step=1), 0)
    memory.watch(left)
    near = memory.whereabouts(left, opponents)
    assert near >> GRID.cell(5, 8) & 1
    assert not near >> GRID.cell(0, 0) & 1
    assert not near >> GRID.cell(5, 6) & 1, "what is in sight is empty"
    later = left._replace(step=60)
    memory.watch(later)
    assert memory.whereabouts(later, opponents) == later.fog, "they may be anywhere"
    memory.report(GRID.cell(0, 0))
    assert memory.whereabouts(later, opponents) == sum(
        1 << GRID.cell(r, c) for r in (0, 1) for c in (0, 1)
    )
