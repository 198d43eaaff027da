"""Policies that were written for the original environment, at our table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boardgames_cli.core.errors import AgentError, OptionError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.deepsea.actions import DIVE, RETURN, TAKE
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import Phase
from boardgames_cli.registry import commands_in, find_game, is_bundled, make_agent
from tests.conftest import Program

GUESTS = "tests.games.deepsea.agents.guests"
GAME = DeepSea(players=3)


def seated(text: str) -> Any:
    return make_agent(f"policy{text.replace(':G:', f':{GUESTS}:')}", GAME)


def test_it_plays_whole_games_as_it_answers() -> None:
    agent = seated("[depth=9,count=2]:G:Fetch")
    drops = 0
    for seed in range(6):
        match: Any = Match(GAME, seed=seed)
        play(match, [make_agent("random", GAME), agent, make_agent("grabber:n=2", GAME)])
        own = [
            (match.state_at(ply), step.joint[1])
            for ply, step in enumerate(match.steps)
            if 1 in step.joint
        ]
        diary = agent._guest.diary
        assert len(diary) == len(own)
        for (method, numbers), (state, action) in zip(diary, own, strict=True):
            assert (method == "forward") == (state.phase is Phase.DIRECTION)
            assert numbers[:4] == [state.oxygen, state.places[1], len(state.held[1]),
                                   int(state.diving[1])]  # fmt: skip
            assert numbers[4:6] == [state.places[0], state.places[2]]
            assert len(numbers) == 83
            if method == "forward":
                turns = numbers[1] >= 9 or numbers[2] >= 2
                assert action == (RETURN if turns else DIVE)
            elif method == "pick":
                assert (action == TAKE) == (numbers[2] < 2)
            else:
                drops += 1
                assert str(action).startswith("drop") == (numbers[0] < 10)
    assert drops


@pytest.mark.parametrize("theirs", [np.bool_(True), np.int64(1), np.array(1), True, 1.0])
def test_answers_that_stand_for_yes(theirs: Any) -> None:
    agent = seated("[depth=9]:G:Fetch")
    agent.reset(GAME, 0)
    agent._guest.pick = lambda _: theirs
    assert agent._ask("pick") == 1


@pytest.mark.parametrize("theirs", [None, 2, -1, "yes", [], np.zeros(3), 0.5])
def test_answers_that_stand_for_nothing(theirs: Any) -> None:
    agent = seated("[depth=9]:G:Fetch")
    agent.reset(GAME, 0)
    agent._guest.pick = lambda _: theirs
    with pytest.raises(AgentError, match="It is 0 or 1"):
        agent._ask("pick")


def test_one_that_answers_nothing_is_named() -> None:
    agent = seated(":G:Silent")
    with pytest.raises(AgentError, match="answered None to pick"):
        play(Match(GAME, seed=1), [agent] * 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it must know which class plays"),
        (":G:Half", "it has no method pick"),
        (":G:Fetch", 'Fetch needs the argument "depth"'),
        ("[n=1]:G:Fetch", 'Fetch has no argument "n"'),
    ],
)
def test_what_can_not_be_seated(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        seated(text)


def test_it_runs_in_a_process_of_its_own_and_not_unasked(program: Program) -> None:
    text = f"policy[depth=9]:{GUESTS}:Fetch"
    spec = find_game("deepsea")
    assert not is_bundled(text, spec)
    assert commands_in(text, spec) == [f"{GUESTS}:Fetch"]
    done = program("watch", "deepsea", "--players", "2", "--json", "--no-save",
                   "-s", text, "-s", "grabber")  # fmt: skip
    assert done.code == 0, done.err
