"""Modes, options, notation, ids, returns: what is not the step itself."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.errors import (
    IllegalActionError,
    OptionError,
    PositionError,
    UnknownActionError,
)
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.actions import ORDERS, order
from boardgames_cli.games.pommerman.collapse import schedule
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState


def dealt(game: Pommerman, seed: int = 1) -> PommermanState:
    return game.apply(
        game.initial_state(),
        {CHANCE: game.sample_chance(game.initial_state(), random.Random(seed))},
    )


def alive(state: PommermanState, *living: int, step: int = 0) -> PommermanState:
    agents = tuple(agent._replace(alive=seat in living) for seat, agent in enumerate(state.agents))
    return PommermanState(rigid=state.rigid, wood=state.wood, agents=agents, step=step)


@pytest.mark.parametrize(
    ("mode", "living", "step", "returns", "is_over"),
    [
        ("ffa", (0, 1, 2, 3), 5, (0, 0, 0, 0), False),
        ("ffa", (1, 2), 5, (-1, 0, 0, -1), False),
        ("ffa", (1,), 5, (-1, 1, -1, -1), True),
        ("ffa", (1,), 800, (-1, 1, -1, -1), True),
        ("ffa", (), 5, (-1, -1, -1, -1), True),
        ("ffa", (0, 1), 800, (-1, -1, -1, -1), True),
        ("duel", (0, 1), 5, (0, 0), False),
        ("duel", (1,), 5, (-1, 1), True),
        ("duel", (), 5, (0, 0), True),
        ("duel", (0, 1), 800, (-1, -1), True),
        ("team", (0, 1), 5, (0, 0, 0, 0), False),
        ("team", (2,), 5, (1, -1, 1, -1), True),
        ("team", (1, 3), 5, (-1, 1, -1, 1), True),
        ("radio", (), 5, (-1, -1, -1, -1), True),
        ("radio", (0, 1, 2, 3), 800, (-1, -1, -1, -1), True),
    ],
)
def test_ends_and_rewards(
    mode: str, living: tuple[int, ...], step: int, returns: tuple[int, ...], is_over: bool
) -> None:
    game = Pommerman(mode=mode)
    state = alive(dealt(game), *living, step=step)
    assert game.returns(state) == returns
    assert game.is_over(state) == is_over
    assert game.to_act(state) == (() if is_over else living)


def test_the_start_is_as_the_options_say() -> None:
    game = Pommerman(strength=5, items=25)
    state = dealt(game)
    assert [tuple(agent)[1:] for agent in state.agents] == [(True, 1, 5, False)] * 4
    assert sum(mask.bit_count() for mask in state.hidden) == 9
    assert (state.rigid.bit_count(), state.wood.bit_count()) == (36, 36)
    small = dealt(Pommerman(mode="duel"))
    assert sum(mask.bit_count() for mask in small.hidden) == 8
    assert [agent.cell for agent in small.agents] == [9, 54]


def test_the_collapse_kills_and_is_judged_a_step_later() -> None:
    game = Pommerman(collapse=True, steps=10, first_collapse=2)
    state = alive(dealt(game), 1, 2, step=1)
    agents = tuple(
        agent._replace(cell=cell) for agent, cell in zip(state.agents, (60, 1, 59, 61), strict=True)
    )
    state = PommermanState(rigid=0, agents=agents, step=1)
    after = game.apply(state, {1: ORDERS[0], 2: ORDERS[0]})
    assert (after.fallen, after.rigid.bit_count()) == ((1,), 40)
    assert game.returns(after) == (-1, 0, 0, -1), "not judged yet"
    assert game.to_act(after) == (2,)
    last = game.apply(after, {2: ORDERS[0]})
    assert game.is_over(last)
    assert game.returns(last) == (-1, -1, 1, -1)


def test_schedules() -> None:
    assert schedule(500, 800) == (500, 575, 650, 725)
    assert len(schedule(100, 202)) == 5
    assert len(schedule(100, 107)) == 7
    with pytest.raises(OptionError, match="first_collapse can't be 800"):
        Pommerman(collapse=True, first_collapse=800)


def test_ids_are_those_of_learners() -> None:
    game, radio = Pommerman(), Pommerman(mode="radio")
    state, heard = dealt(game), dealt(radio)
    assert [game.action_id(state, action) for action in game.actions] == list(range(6))
    for first in range(1, 9):
        for second in range(1, 9):
            for move in range(6):
                id = move + 6 * (8 * (first - 1) + (second - 1))
                assert radio.action_id(heard, order(move, first, second)) == id
                assert radio.action_of(heard, id) == order(move, first, second)
    assert [radio.action_id(heard, silent) for silent in ORDERS] == list(range(384, 390))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("u", 1), ("d", 2), ("l", 3), ("r", 4), ("b", 5), ("w", 0), ("Wait", 0), ("stop", 0)],
)
def test_short_orders(text: str, wanted: int) -> None:
    for mode in ("ffa", "radio"):
        game = Pommerman(mode=mode)
        assert game.parse(dealt(game), 2, text) == ORDERS[wanted]


def test_radio_orders() -> None:
    game = Pommerman(mode="radio")
    state = dealt(game)
    assert game.parse(state, 0, "l 3 7") == order(3, 3, 7)
    assert str(order(3, 3, 7)) == "left 3 7"
    for text, message in [
        ("l 3 9", 'radio word 2 is "9"'),
        ("l 0 1", 'radio word 1 is "0"'),
        ("l 3", "1 radio words, not two"),
        ("l 1 2 3", "3 radio words, not two"),
        ("hop", '"hop" is not a move'),
    ]:
        with pytest.raises(UnknownActionError, match=message):
            game.parse(state, 0, text)
    with pytest.raises(UnknownActionError, match="no radio in this mode"):
        Pommerman().parse(dealt(Pommerman()), 0, "l 3 7")


def test_the_dead_do_not_act() -> None:
    game = Pommerman()
    match = Match(game, seed=1, start=alive(dealt(game), 0, 1))
    assert match.waiting_for == (0, 1)
    with pytest.raises(IllegalActionError):
        match.submit(2, ORDERS[0])
    with pytest.raises(IllegalActionError, match="the dead don't act"):
        game.parse(match.state, 2, "up")


def test_words_are_heard_and_the_dead_are_silent() -> None:
    game = Pommerman(mode="radio")
    state = dealt(game)
    said = {seat: order(0, seat + 1, 8) for seat in range(4)}
    after = game.apply(state, said)
    assert after.words == ((1, 8), (2, 8), (3, 8), (4, 8))
    assert game.redact(after, 2).words == ((1, 8), (0, 0), (3, 8), (0, 0))
    burning = PommermanState(agents=state.agents, flames=(0, 1 << state.agents[1].cell, 0))
    assert game.apply(burning, said).words[1] == (0, 0)


BREAKS: list[tuple[str, object, str]] = [
    ("board", [[0] * 11] * 10, "board has not 11 rows"),
    ("board", [[0] * 10] * 11, "board row 0 has not 11 cells"),
    ("board", [[77] + [0] * 10] + [[0] * 11] * 10, "board r0c0 is 77"),
    ("board", [[0] * 11] * 11, "agent 0 stands on r1c1, where the board shows 0"),
    ("agents", [], "agents has 0 agents"),
    ("step", 801, "step is 801"),
    ("step", True, "step is True"),
    ("flames", [{"pos": [0, 0], "life": 3}], r"flames\[0\].life is 3"),
    ("flames", [{"pos": [1, 1], "life": 1}], "r1c1 is listed in flames, but the board shows 10"),
    ("bombs", [{"pos": [0, 0]}], r"bombs\[0\] is"),
    ("items", [[[1, 2], 6]], "items lists r1c2, which is neither wood"),
    ("items", [[[1, 4], 6], [[1, 4], 7]], "two items lie on r1c4"),
    ("items", [[[1, 4], 9]], r"items\[0\] is 9"),
    ("messages", [[0, 0]] * 4, "no radio in mode ffa"),
    ("fallen", [0], "fallen lists seat 0, which is alive"),
    ("extra", 1, 'unknown field "extra"'),
]


@pytest.mark.parametrize(("field", "value", "message"), BREAKS)
def test_impossible_positions_are_refused(field: str, value: object, message: str) -> None:
    game = Pommerman()
    data = game.to_json(dealt(game))
    with pytest.raises(PositionError, match=message):
        game.from_json(data | {field: value})


def test_things_in_one_cell_are_refused() -> None:
    game = Pommerman()
    data = game.to_json(dealt(game))
    bomb = {"life": 5, "blast_strength": 3, "bomber": 0, "dir": 0}
    wall = next([r, c] for r in range(11) for c in range(11) if data["board"][r][c] == 1)
    name = f"r{wall[0]}c{wall[1]}"
    with pytest.raises(PositionError, match=f"{name} is listed in bombs, but the board shows 1"):
        game.from_json(data | {"bombs": [bomb | {"pos": wall}]})
    with pytest.raises(PositionError, match="two bombs lie on r1c1"):
        game.from_json(data | {"bombs": [bomb | {"pos": [1, 1]}] * 2})
    twins = [dict(agent) for agent in data["agents"]]
    twins[1]["pos"] = [1, 1]
    with pytest.raises(PositionError, match="agents 0 and 1 both stand on r1c1"):
        game.from_json(data | {"agents": twins})
    assert game.from_json(data | {"bombs": [bomb | {"pos": [1, 1]}]}).bombs[0].cell == 12
    radio = Pommerman(mode="radio")
    with pytest.raises(PositionError, match=r"messages\[1\] is 9"):
        radio.from_json(data | {"messages": [[0, 0], [9, 1], [0, 0], [0, 0]]})
    with pytest.raises(PositionError, match=r"messages\[2\] is \[1, 0\]"):
        radio.from_json(data | {"messages": [[0, 0], [0, 0], [1, 0], [0, 0]]})
