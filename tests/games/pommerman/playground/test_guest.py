"""Agents that were written for the original, at our table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_cli.agents.guest_class import load_class
from boardgames_cli.agents.remote.program import PluginAgent
from boardgames_cli.agents.remote.seating import seat_agent
from boardgames_cli.core.errors import AgentError, OptionError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.pommerman.playground.guest import Several, read_answer
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import commands_in, find_game, is_bundled, make_agent
from tests.conftest import Program

GUESTS = "tests.games.pommerman.playground.guests"
DUEL, RADIO = Pommerman(mode="duel"), Pommerman(mode="radio")


def seated(name: str, game: Pommerman = DUEL) -> Any:
    return make_agent(f"playground:{GUESTS}:{name}", game)


def test_it_is_told_its_seat_what_it_sees_and_the_end() -> None:
    agent = seated("Drawing")
    match: Any = Match(DUEL, seed=2)
    returns = play(match, [make_agent("easy", DUEL), agent])
    first, *seen, last = agent._guest.diary
    assert first == ("init", 1, 4)
    assert last == ("end", returns[1])
    assert len(seen) == match.state.step
    obs = seen[0]
    assert obs["position"] == divmod(match.state_at(1).agents[1].cell, 8)
    assert (obs["teammate"].value, [enemy.value for enemy in obs["enemies"]]) == (9, [10, 9, 9])
    assert (obs["alive"], obs["ammo"], obs["blast_strength"]) == ([10, 11], 1, 3)
    assert obs["can_kick"] is False
    assert [obs["step_count"] for obs in seen] == list(range(len(seen)))
    shapes = {obs[name].shape for name in ("board", "bomb_life", "flame_life")}
    assert shapes == {(8, 8)}
    assert obs["board"][obs["position"]] == 11


def test_a_tie_that_is_played_again_is_an_end_too() -> None:
    game = Pommerman(mode="duel", rerun_ties=True, steps=2, first_collapse=1)
    agent = seated("Drawing", game)
    match: Any = Match(game, seed=2)
    play(match, [make_agent("random", game), agent])
    ends = [note for note in agent._guest.diary if isinstance(note, tuple) and note[0] == "end"]
    ties = match.state.reruns
    assert ties > 2
    assert ends == [("end", -1.0)] * ties + [("end", match.returns[1])]


def test_its_moves_and_words_are_read() -> None:
    match: Any = Match(RADIO, seed=1, max_plies=3)
    names = ("Bold", "Teller", "Drawing", "Bold")
    play(match, [seated(name, RADIO) for name in names])
    moves = match.steps[1].joint
    assert [str(moves[seat]) for seat in (0, 1, 3)] == ["bomb", "right 3 7", "bomb"]
    assert str(match.steps[2].joint[0]) == "stop"


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        (0, "stop"), (np.int64(5), "bomb"), (np.array(2), "down"), ([4], "right"),
        ([1, 8, 1], "up 8 1"), ((1, 0, 0), "up"), (np.array([3, 2, 2]), "left 2 2"),
        ([3, 0, 5], "left"),
    ],
)  # fmt: skip
def test_answers_that_stand_for_a_move(answer: Any, move: str) -> None:
    assert str(read_answer(answer, RADIO, "x")) == move


@pytest.mark.parametrize(
    "answer", [None, 6, -1, "up", 1.5, [], [1, 2], [1, 9, 1], [1, -1, 1], np.zeros((2, 2)), {}]
)
def test_answers_that_stand_for_none(answer: Any) -> None:
    with pytest.raises(AgentError, match="which is not an action"):
        read_answer(answer, RADIO, "x")


def test_words_without_radio_are_no_action() -> None:
    with pytest.raises(AgentError, match="It is 0 to 5"):
        read_answer([1, 2, 3], DUEL, "x")


def test_the_space_of_radio_has_its_parts() -> None:
    import random

    space = Several(random.Random(1))
    drawn = [space.sample() for _ in range(200)]
    for place, part in enumerate(space.spaces):
        assert {sample[place] for sample in drawn} == set(range(part.n))
        assert part.contains(0)
        assert not part.contains(part.n)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Bold", "names no class"),
        (":Bold", "names no class"),
        ("nowhere_at_all:Bold", 'there is no module "nowhere_at_all"'),
        (f"{GUESTS}.deeper:Bold", "there is no module"),
        (f"{GUESTS}:Bald", 'has no class "Bald"'),
        (f"{GUESTS}:SETTINGS", 'has no class "SETTINGS"'),
        (f"{GUESTS}:Mute", "it has no method act"),
    ],
)
def test_a_class_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load_class(text, "playground")


def test_it_runs_in_a_process_of_its_own_and_not_unasked() -> None:
    spec, text = find_game("pommerman"), f"playground:{GUESTS}:Bold"
    assert not is_bundled(text, spec)
    assert commands_in(text, spec) == [f"{GUESTS}:Bold"]
    agent = seat_agent(text, DUEL, 1)
    assert isinstance(agent, PluginAgent)
    agent.close()


def watch(program: Program, name: str) -> Any:
    words = ("--mode", "duel", "--steps", "3", "--seed", "1", "--json", "--no-save")
    return program("watch", "pommerman", *words, "-s", f"playground:{name}", "-s", "random")


def test_a_module_of_the_current_folder_plays(program: Program, clean_environment: Path) -> None:
    source = "class Bomber:\n    def act(self, obs, space):\n        return 5\n"
    (clean_environment / "bombers.py").write_text(source, encoding="utf-8")
    done = watch(program, "bombers:Bomber")
    assert done.code == 0, done.err
    position = json.loads(done.out)["position"]
    assert [bomb["bomber"] for bomb in position["bombs"]].count(0) == 1
    missing = watch(program, "bombers:Cook")
    assert (missing.code, missing.out) == (2, "")
    assert 'the module "bombers" has no class "Cook"' in missing.err
    assert "Traceback" not in missing.err


def test_one_that_fails_does_not_stop_the_game(program: Program) -> None:
    done = watch(program, f"{GUESTS}:Broken")
    assert done.code == 5
    assert json.loads(done.out)["plies"] == 4
    assert "Traceback" not in done.err


def test_without_a_class_it_says_how_to_name_one(program: Program) -> None:
    words = ("--mode", "duel", "--no-save", "-s", "playground", "-s", "random")
    done = program("watch", "pommerman", *words)
    assert done.code == 2
    assert "playground:MODULE:CLASS" in done.err
