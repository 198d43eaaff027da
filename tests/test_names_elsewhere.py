"""Names of other programs: who uses one learns what to write here."""

from __future__ import annotations

import json
import shlex

import pytest

import boardgames_cli as bg
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.core.options import option_values
from boardgames_cli.games.pommerman.playground.formats import _OPTIONS, RULES
from boardgames_cli.registry import find_agent, find_game, game_ids, make_agent, read_agent
from boardgames_cli.session.seats import HUMAN
from tests.conftest import Program


@pytest.mark.parametrize(
    ("game", "name", "here"),
    [
        ("senet", "RandomAgent", "random"),
        ("tapnswap", "EASY", "random"),
        ("tapnswap", "greedy0_2_vsRandomvsSelf", "q-table:level=perfect,file=Models/NAME.csv"),
        ("deepsea", "Randy", "random"),
        ("deepsea", "Randy()", "random"),
        ("deepsea", "Diver(16, 1)", "diver:depth=16,n=1"),
        ("deepsea", "Greedy", "greedy-classic"),
        ("kuhn", "Example_KuhnPokerAlwaysBetPlayer", "maniac"),
        ("pommerman", "test::agents.SimpleAgent", "simple"),
        ("pommerman", "player::arrows", "human"),
        ("pommerman", "random::null", "random"),
        ("pommerman", "test::my.Agent", "playground:MODULE:CLASS"),
        ("pommerman", "http::localhost:10080", "HttpAgent"),
        ("pommerman", "docker::pommerman/simple-agent", "containers are out of reach"),
    ],
)
def test_an_agent_of_theirs(game: str, name: str, here: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        make_agent(name, bg.make(game))
    assert f'unknown agent "{name}". That name is from another program; here write: ' in str(
        error.value
    )
    assert here in error.value.message


@pytest.mark.parametrize("game", game_ids())
def test_what_is_to_be_written_exists(game: str) -> None:
    spec = find_game(game)
    assert spec.agents_elsewhere
    assert spec.names_elsewhere
    for name, here in spec.agents_elsewhere.items():
        ours = here.partition(" ")[0]
        assert find_agent(name, spec) is None
        assert name not in spec.levels
        if ours == HUMAN:
            continue
        assert find_agent(split_agent(ours)[0], spec) is not None
        if not any(word in ours for word in ("MODULE", "pommerman.agents")):
            read_agent(ours, spec)
    for here in spec.names_elsewhere.values():
        assert here.partition(" ")[0] == game


@pytest.mark.parametrize("name", _OPTIONS)
def test_every_environment_of_the_playground_has_its_command(name: str, program: Program) -> None:
    words = shlex.split(find_game("pommerman").name_here(name))
    done = program("watch", *words, "--json", "--no-save", "--max-plies", "1", "--vs", "random")
    assert done.code == 0, done.err
    wanted = {**option_values(bg.make("pommerman")), **RULES, **_OPTIONS[name]}
    assert json.loads(done.out)["options"] == wanted


@pytest.mark.parametrize(
    ("words", "here"),
    [
        ("play PommeFFACompetition-v0", "pommerman --items-block --caps --strength 2"),
        ("watch gym_DeepSeaAdventure:DeepSeaAdventure-v0", "deepsea"),
        ("rules senet-v0", "senet"),
        ("play pommerman --vs test::agents.SimpleAgent", "simple"),
        ("watch deepsea -s Randy -s grabber", "random"),
        ("agents show Randy --game deepsea", "random"),
        ("convert PommeFFA-v1 a b", "pommerman --collapse --items-block --caps --strength 2"),
    ],
)
def test_the_command_line_says_so_in_one_line(program: Program, words: str, here: str) -> None:
    done = program(*words.split())
    assert (done.code, done.out) == (2, "")
    assert f"here write: {here}" in done.err
    assert done.err.count("\n") == 1


def test_environments_say_so_too() -> None:
    with pytest.raises(UnknownNameError, match="here write: kuhn"):
        bg.aec_env("KuhnPokerEnv")
