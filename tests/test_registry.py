"""Names of games and agents, and plug-ins that add to them."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import ADAPTIVE, join_agent, split_agent
from boardgames_cli.core.errors import (
    GameError,
    UnknownNameError,
    install_command,
)
from boardgames_cli.core.plugins import AGENT_GROUP, GAME_GROUP, PluginWarning
from boardgames_cli.core.spec import AgentSpec
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import (
    agents_for,
    find_agent,
    find_game,
    game_ids,
    heuristic_of,
    level_of,
    levels_with,
    list_games,
    make,
    make_agent,
    resolve_level,
    spec_of,
)
from tests.conftest import Program
from tests.plugins import Plugins
from tests.toys import RACE, Race, evaluate

SLUG = AgentSpec("slug", "boardgames_cli.agents.random:RandomAgent", "a plug-in's agent")
NEEDY = AgentSpec("needy", "no_such_package.agent:Agent", "needs a package", needs="numpy")
BARE = replace(RACE, view="no_view:View", parts={"endings": "tests.toys:Nothing"})


class _Of02:
    """A module whose manifest was written for version 0.2."""

    @property
    def make(self) -> Any:
        return replace(RACE, search="old:search")  # type: ignore[call-arg]


Of02 = _Of02()
NOBODY = replace(RACE, levels={"easy": "random", "medium": "first", "hard": "first"})
FAKE_SENET = replace(RACE, info=replace(RACE.info, id="senet"))


def test_games_are_made_by_name() -> None:
    assert make("senet") == Senet()
    assert make("senet", rules="skyruk", pieces="7") == Senet("skyruk", 7)
    assert "senet" in [info.id for info in list_games()]


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("random", {"rule": "x"}, 'unknown senet option "rule". Did you mean "rules"?'),
        ("ai:speed=9", {}, 'unknown ai option "speed"'),
        ("random:x=1", {}, 'unknown random option "x"'),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_ones(
    agent: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(GameError) as caught:
        make_agent(agent, make("senet", **options))
    assert caught.value.message.startswith(message)
    assert caught.value.todo


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("random", "random", {}),
        (" expectimax : depth = 2 ", "expectimax", {"depth": "2"}),
        ("expectimax:2", "expectimax", {"": "2"}),
        ("a:x=1,y=b=c,", "a", {"x": "1", "y": "b=c"}),
        ("human:name=Ann", "human", {"name": "Ann"}),
        ("cmd:./bot", "cmd", {"": "./bot"}),
        ("cmd[start=60]:bot --a=b,c:d", "cmd", {"": "bot --a=b,c:d", "start": "60"}),
        ("", "", {}),
    ],
)
def test_agent_specifications_are_split(text: str, name: str, options: dict[str, str]) -> None:
    assert split_agent(text) == (name, options)
    assert split_agent(join_agent(name, options)) == (name, options)


def test_a_level_that_names_nobody_is_refused(plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "race", f"{__name__}:NOBODY")
    for text in ("hard", "mix", "first"):
        with pytest.raises(UnknownNameError, match='unknown agent "first"'):
            make_agent(text, "race")


@pytest.mark.parametrize("text", ["ai", "ai:", "medium", "ai:medium", "ai:level=medium"])
def test_levels_stand_for_agents(text: str) -> None:
    spec = find_game("senet")
    assert resolve_level(text, spec) == spec.levels["medium"]


def test_options_after_a_level_replace_those_of_its_agent() -> None:
    senet, pommerman = find_game("senet"), find_game("pommerman")
    assert resolve_level("hard", senet) == "expectimax:depth=2"
    assert resolve_level("hard:depth=1", senet) == "expectimax:depth=1"
    assert resolve_level("easy:slips=0.5", senet) == "chaser:temperature=6.5,slips=0.5"
    # An agent of that name comes first.
    assert resolve_level("hard:x=1", pommerman) == "hard:x=1"


def test_what_is_suggested_can_play_and_is_named_once() -> None:
    for id in ("pommerman", "kuhn"):
        with pytest.raises(UnknownNameError) as caught:
            make_agent("nosuch", make(id))
        names = caught.value.todo.removeprefix("Agents: ").split()
        assert len(names) == len(set(names))
        assert ADAPTIVE in names, "a session with a person makes an agent of it"
        for name in names:
            if name != ADAPTIVE:
                assert make_agent(name, make(id)) is not None


def test_samples_name_agents_that_exist() -> None:
    for sample in (Path(__file__).parents[1] / "saves").glob("sample-*.jsonl"):
        header = json.loads(sample.read_text(encoding="utf-8").partition("\n")[0])
        names = agents_for(find_game(header["game"]))
        for seat in header["seats"]:
            assert split_agent(seat)[0] in names, (sample.name, seat)


def test_a_former_name_still_finds_the_agent_but_is_listed_nowhere() -> None:
    spec, game = find_game("deepsea"), make("deepsea")
    assert "seafarer" not in agents_for(spec)
    assert find_agent("seafarer", spec) is find_agent("risk", spec) is not None
    for gone in ("seafarer:fear=0.5", "planner:growth=3", "planner:0.5", "one-ply", "planner"):
        assert make_agent(gone, game) == make_agent("risk", game), "its options go with it"
    assert make_agent("lookout:samples=9", game) == make_agent("monte-carlo:samples=9", game)
    assert make_agent("reckoner:care=0.5", game) == make_agent("risk:care=0.5", game)
    assert find_agent("nobody", spec) is None
    with pytest.raises(UnknownNameError) as caught:
        make_agent("nobody", game)
    assert "lookout" not in str(caught.value)


def test_a_plugin_adds_a_game_and_an_agent(plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")
    plugins.add(AGENT_GROUP, "slug", "tests.test_registry:SLUG")
    assert game_ids() == [*registry.BUILT_IN_GAMES, "race"]
    assert make("race", length=6) == Race(6)
    assert isinstance(make_agent("slug", make("senet")), RandomAgent)
    assert "slug" in agents_for(RACE)
    assert heuristic_of(Race()) is evaluate
    assert registry.spec_of(Race()) is RACE


def test_a_plugin_cannot_replace_a_game_or_an_agent_of_ours(plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "senet", "tests.test_registry:FAKE_SENET")
    plugins.add(AGENT_GROUP, "random", "tests.test_registry:SLUG")
    assert find_game("senet") is not FAKE_SENET
    assert game_ids().count("senet") == 1
    assert agents_for(find_game("senet"))["random"].path.endswith("random:RandomAgent")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_package:GAME", "ModuleNotFoundError"),
        ("tests.toys:NOTHING", "AttributeError"),
        ("tests.test_registry:Of02.make", '"search" is gone since 0.3. Name it in parts of the'),
        ("tests.toys:Race", "it is a ABCMeta, not a GameSpec"),
        ("tests.test_registry:SLUG", "it is a AgentSpec, not a GameSpec"),
        ("tests.toys:RACE", 'it calls itself "race"; give both the same name'),
    ],
)
def test_a_broken_plugin_is_named_and_left_out(plugins: Plugins, value: str, reason: str) -> None:
    plugins.add(GAME_GROUP, "broken", value)
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")
    with pytest.warns(PluginWarning, match=f'plug-in "broken" of an unknown.*{reason}'):
        assert game_ids() == [*registry.BUILT_IN_GAMES, "race"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "race" in game_ids()


def test_an_agent_whose_package_is_missing_says_what_to_install(plugins: Plugins) -> None:
    plugins.add(AGENT_GROUP, "needy", "tests.test_registry:NEEDY")
    with pytest.raises(GameError, match=r"needs a package .*no_such_package") as caught:
        make_agent("needy", make("senet"))
    assert install_command("numpy") in caught.value.todo


def test_a_part_that_is_missing_is_named(plugins: Plugins, program: Program) -> None:
    plugins.add(GAME_GROUP, "race", "tests.test_registry:BARE")
    for words, missing in (
        (("play", "race", "--plain"), "no_view:View can't be loaded: there is no module no_view"),
        (("solve", "race"), "tests.toys:Nothing can't be loaded: tests.toys has no Nothing"),
        (("rules", "race"), "Race has no rules to read: there is no RULES.md"),
    ):
        done = program(*words)
        assert (done.code, done.out) == (2, ""), done
        assert missing in " ".join(done.err.split())


def test_one_agent_without_its_comma_is_refused() -> None:
    with pytest.raises(TypeError, match=r"agents is one AgentSpec, not a tuple"):
        replace(RACE, agents=SLUG)  # type: ignore[arg-type]


def test_doctor_lists_plugins_and_what_is_wrong_with_them(
    plugins: Plugins, program: Program
) -> None:
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")
    plugins.add(GAME_GROUP, "senet", "tests.toys:RACE")
    plugins.add(AGENT_GROUP, "lost", "no_such_module:SPEC")
    said = program("doctor").out
    assert "game race of an unknown package, game senet of an unknown package (left out)" in said
    assert "agent lost of an unknown package (left out)" in said
    assert 'plug-in "lost" of an unknown package is left out' in said


def test_only_the_plugin_that_is_meant_is_imported(plugins: Plugins) -> None:
    plugins.add(AGENT_GROUP, "broken", "no_such_module:SPEC")
    plugins.add(AGENT_GROUP, "slug", "tests.test_registry:SLUG")
    assert isinstance(make_agent("slug", make("senet")), RandomAgent)
    assert isinstance(make_agent("random", make("senet")), RandomAgent)


def test_what_a_level_means_may_go_with_the_options() -> None:
    pommerman = find_game("pommerman")
    seen = set()
    for mode, collapse in product(("ffa", "team", "radio", "duel"), (False, True)):
        spec = spec_of(make("pommerman", mode=mode, collapse=collapse))
        assert list(spec.levels) == list(pommerman.levels), "the order of the levels"
        seen.add(resolve_level("tricky", spec))
        for level in spec.levels:
            meant = resolve_level(level, spec)
            # Saves hold what a level meant, and it means the same with any options.
            assert level_of(meant, pommerman) == level
            assert resolve_level(meant, pommerman) == meant
    assert len(seen) == 4


def test_what_a_level_means_may_go_with_several_options_and_the_last_that_fit_count() -> None:
    where = {
        "mode=duel": {"easy": "random", "medium": "simple:slips=0.1"},
        "mode=duel,collapse=True": {"medium": "simple:slips=0.2"},
    }
    spec = replace(find_game("pommerman"), levels_where=where)

    def meant(**options: Any) -> tuple[str, str]:
        levels = levels_with(make("pommerman", **options), spec)
        return levels["easy"], levels["medium"]

    assert meant(collapse=True) == (spec.levels["easy"], spec.levels["medium"])
    assert meant(mode="duel") == ("random", "simple:slips=0.1")
    assert meant(mode="duel", collapse=True) == ("random", "simple:slips=0.2")
