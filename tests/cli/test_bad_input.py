"""What people get wrong: one line that helps, the right exit code, and no output.

Most mistakes are in the transcripts of `test_golden`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.agent import ADAPTIVE
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import OptionSpec, options_of
from boardgames_cli.registry import agents_for, find_game, game_ids, make
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Settings, Setup
from tests.conftest import Program

RULES = {id: find_game(id).game_class() for id in game_ids()}
LIMITS = [
    (id, option)
    for id, rules in RULES.items()
    for option in options_of(rules)
    if option.type is int and (option.low is not None or option.high is not None or option.choices)
]


def refused(program: Program, code: int, message: str, *words: str) -> None:
    outcome = program(*words)
    assert (outcome.code, outcome.out) == (code, ""), outcome.err
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err


def outside(option: OptionSpec) -> list[int]:
    """Numbers just beyond what an option allows."""
    if option.choices:
        return [min(option.choices) - 1, max(option.choices) + 1]
    low = [] if option.low is None else [int(option.low) - 1]
    return low + ([] if option.high is None else [int(option.high) + 1])


@pytest.mark.parametrize(("game", "option"), LIMITS, ids=lambda v: getattr(v, "name", v))
def test_numbers_just_outside_are_refused_and_the_limits_are_not(
    program: Program, game: str, option: OptionSpec
) -> None:
    flag = f"--{option.name.replace('_', '-')}"
    for number in outside(option):
        message = f"{option.name[1:]} can't be {number}.   Allowed: {option.allowed}."
        if option.name == "max_plies":  # every game's option of that name, checked before
            message = f"Invalid value for '--max-plies': {number}"
            if number > 0:
                continue
        refused(program, 2, message, "watch", game, flag, str(number), "--json", "--no-save")
    limits = option.choices or [x for x in (option.low, option.high) if x is not None]
    for limit in (min(limits), max(limits)):
        assert getattr(make(game, **{option.name: int(limit)}), option.name) == limit


@pytest.mark.parametrize("game", game_ids())
def test_every_agent_that_can_play_a_game_is_shown_with_its_options(
    program: Program, game: str
) -> None:
    listed = json.loads(program("agents", game, "--json").out)[0]["agents"]
    assert {agent["name"] for agent in listed} == {*agents_for(find_game(game))} - {ADAPTIVE}
    levels = find_game(game).levels
    for agent in (agent for agent in listed if agent["name"] not in levels):
        outcome = program("agents", "show", agent["name"], "--game", game, "--json")
        if agent["problem"]:
            assert outcome.code in (2, 4)
            assert agent["problem"][:30] in outcome.err
            continue
        assert outcome.code == 0
        facts = json.loads(outcome.out)
        assert facts["game"] == game
        assert facts["summary"] == agent["summary"]
        assert facts["options"] == {o["name"]: o["default"] for o in agent["options"]}


SENET = ("play", "senet")


def test_save_folder_that_cannot_be_written(program: Program, tmp_path: Path) -> None:
    # A file where the folder should be: nobody can write there, not even root.
    (tmp_path / "file").write_text("")
    folder = ("--save-dir", str(tmp_path / "file" / "saves"))
    refused(program, 4, "--no-save", *SENET, *folder)
    assert program("doctor", *folder).code == 4


@pytest.mark.parametrize(
    ("game", "seats", "words"),
    [
        ("pennies", ("human", "human"), "Pennies can't be played in real time"),
        ("pommerman", ("human", "human", "human"), "at most 2 people fit at one keyboard, not 3"),
        ("fog", ("human", "human"), "2 people look at one screen"),
    ],
)
@pytest.mark.usefixtures("toys")
def test_real_time_is_refused_where_people_could_not_play(
    game: str, seats: tuple[str, ...], words: str
) -> None:
    setup = Setup(game, seats=seats)
    if game == "fog":
        setup = Setup("pommerman", {"mode": "team"}, seats)
    with pytest.raises(GameError, match=words):
        open_session(setup, Settings(save=False, tick=0.5))
