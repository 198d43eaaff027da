"""Strategy files, the agents that play them, and the agent that answers another."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.best_response import BestResponseAgent
from boardgames_cli.agents.cfr import CfrAgent
from boardgames_cli.algorithms.exploitability import profile_of, profile_value, quality
from boardgames_cli.algorithms.game_tree import GameTree, TreeError, draw
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.strategy import (
    Strategy,
    read_strategy,
)
from boardgames_cli.core.agent import Agent, HasLearned, Thinking
from boardgames_cli.core.errors import EXIT_FILE, OptionError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.actions import Action
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.registry import make, make_agent
from boardgames_cli.testing import check_agent
from tests.games.kuhn.tables import BET, CHECK, JACK, KING

GAME = Kuhn()
TREE = GameTree(GAME)
TEXT = agents.equilibrium(0.25).to_text()


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    return path


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(TEXT) | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{" * 100_000, "not JSON"),
        ('{"game": "kuhn"}', "not a strategy of boardgames"),
        (changed(boardgames_strategy=2), "format 2"),
        (changed(game=3), '"game" is missing or wrong'),
        (changed(rules_version=True), '"rules_version" is missing or wrong'),
        (changed(options=[]), '"options" is missing or wrong'),
        (changed(strategy={}), '"strategy" is missing or empty'),
        (changed(strategy={"J": {}}), '"J" has no actions'),
        (changed(strategy={"J": {"check": 1.5, "bet": -0.5}}), '"J" has 1.5 for a probability'),
        (changed(strategy={"J": {"check": "all", "bet": 0}}), "'all'"),
        (changed(strategy={"J": {"check": 0.5, "bet": 0.4}}), '"J" adds up to 0.9'),
    ],
    ids=lambda value: value[:30],
)
def test_damaged_files_are_refused_in_words(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(LearnedFileError, match=message) as caught:
        make_agent(f"cfr:file={path}", GAME)
    assert caught.value.exit_code == EXIT_FILE
    assert caught.value.todo


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "leduc"}, "made for leduc"),
        ({"rules_version": 9}, "version 9 of the rules"),
        ({"options": {"hands": 2, "first": 1}}, "other options .hands=2, first=1"),
    ],
)
def test_strategies_for_other_games_are_refused(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    path = written(tmp_path, changed(**changes))
    with pytest.raises(OptionError, match=reason):
        make_agent(f"cfr:file={path}", GAME)


def test_a_hole_in_the_table_is_found_when_it_matters(tmp_path: Path) -> None:
    table = {"J": {"check": 1.0, "bet": 0.0}}
    path = written(tmp_path, Strategy.of(GAME, table).to_text())
    agent = make_agent(f"cfr:file={path}", GAME)
    agent.reset(GAME, 0)
    thinking = Thinking(random.Random(1))
    assert agent.act(GAME.observe(KuhnState((JACK, KING), (), 0), 0), thinking) is CHECK
    with pytest.raises(LearnedFileError, match='what to do at "K"'):
        agent.act(GAME.observe(KuhnState((KING, JACK), (), 0), 0), thinking)
    with pytest.raises(LearnedFileError, match="what to do at"):
        read_strategy(path).profile(TREE)


def test_a_file_plays_like_the_strategy_in_it(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT)
    for game in (GAME, Kuhn(first=2), Kuhn(hands=4)):
        agent = make_agent(f"cfr:file={path}", game)
        assert isinstance(agent, CfrAgent)
        check_agent(agent, game, seeds=range(1))
    ours = profile_of(TREE, {seat: make_agent(f"cfr:file={path}", GAME) for seat in (0, 1)})
    for row, known in zip(ours, agents.equilibrium(0.25).profile(TREE), strict=True):
        assert row == pytest.approx(known, abs=1e-6)


def test_it_tells_what_it_has_learned(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT)
    agent = make_agent(f"cfr:file={path},slips=0.5", GAME)
    agent.reset(GAME, 0)
    assert isinstance(agent, HasLearned)
    facts = dict(agent.facts())
    assert facts["game"] == "kuhn, rules version 1"
    assert facts["value"] == "-0.055556 a game for the first seat if both play it"
    assert float(facts["exploitability"].split(":")[0]) < 1e-6, "but for the rounding"
    assert facts["at J check"] == "check  66.7 %  bet  33.3 %"
    assert sum(name.startswith("at ") for name in facts) == 12


def test_exploitability_is_measured_and_not_believed(tmp_path: Path) -> None:
    table = json.loads(TEXT)["strategy"] | {"K bet": {"check": 1.0, "bet": 0.0}}
    path = written(tmp_path, changed(strategy=table, about={"exploitability": 0.0}))
    agent = make_agent(f"cfr:file={path}", GAME)
    agent.reset(GAME, 0)
    assert isinstance(agent, CfrAgent)
    gain = float(dict(agent.facts())["exploitability"].split(":")[0])
    tree_gain = quality(TREE, read_strategy(path).profile(TREE)).exploitability
    assert gain == pytest.approx(tree_gain, rel=0.05)
    assert gain > 0.01


def test_strange_things_said_about_a_strategy_do_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path, changed(about={"command": 7, "curve": 3}))
    agent = make_agent(f"cfr:file={path}", GAME)
    agent.reset(GAME, 0)
    assert isinstance(agent, CfrAgent)
    assert "made by" not in dict(agent.facts())


# -- the best response -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "value"),
    # Both places together, by hand or by the 64 ways to play (see tests/solving).
    [("maniac", 2 / 3), ("rock", 1 / 2), ("always-call", 5 / 6), ("equilibrium:alpha=0.2", 0.0)],
)
def test_it_wins_all_that_can_be_won(other: str, value: float) -> None:
    responder = make_agent(f"best-response:to={other}", GAME)
    opponent = make_agent(other, GAME)
    first = profile_value(TREE, profile_of(TREE, {0: responder, 1: opponent}))
    second = -profile_value(TREE, profile_of(TREE, {0: opponent, 1: responder}))
    assert first + second == pytest.approx(value, abs=1e-9)


def test_it_learns_by_asking_those_who_do_not_say_how_they_mix() -> None:
    responder = make_agent("best-response:to=random", GAME)
    profile = profile_of(TREE, {0: responder, 1: make_agent("random", GAME)})
    # Against even mixing each place can win 11/24 and 1/2 (the paper's own game, all 64 ways).
    assert profile_value(TREE, profile) == pytest.approx(0.46, abs=0.06)


def test_an_agent_that_remembers_is_shown_the_whole_hand() -> None:
    class Copycat(Agent[KuhnState, Action]):
        """Does what was done before, and counts what it was shown."""

        def reset(self, game: Any, seat: int) -> None:
            self.shown: list[int] = []

        def watch(self, seen: Any) -> None:
            self.shown.append(seen.ply)

        def act(self, seen: Any, thinking: Thinking) -> Action:
            assert self.shown == list(range(seen.ply + 1))
            return seen.state.actions[-1] if seen.state.actions else CHECK

    profile = profile_of(TREE, {1: Copycat()})
    assert profile[TREE.find("Q check")] == [1, 0]
    assert profile[TREE.find("Q bet")] == [0, 1]
    assert profile[TREE.find("Q check bet")] == [0.5, 0.5], "seat 0 was not asked"


def test_a_tree_that_is_too_large_is_not_begun() -> None:
    with pytest.raises(TreeError, match="more than 20,000 histories"):
        BestResponseAgent().reset(make("senet"), 0)


def first_moves(agent: str, count: int = 200) -> list[str]:
    """The first moves of many games, each with other cards."""
    agents = [make_agent(agent, GAME), make_agent(agent, GAME)]
    found: list[str] = []
    for seed in range(count):
        match = Match(GAME, seed=seed)
        play(match, agents)
        found += map(str, match.steps[2].joint.values())
    return found


def test_the_share_of_a_mix_says_how_often_the_other_agent_moves() -> None:
    bets = {
        share: first_moves(f"mix:weaker=rock,stronger=maniac,share={share}").count("bet") / 200
        for share in (0, 0.5, 1)
    }
    assert bets[1] == 1.0
    assert bets[0] == first_moves("rock").count("bet") / 200
    assert bets[0] + 0.15 < bets[0.5] < bets[1] - 0.15


def test_drawing_follows_the_policy() -> None:
    rng = random.Random(3)
    drawn = [draw({CHECK: 0.9, BET: 0.1}, rng) for _ in range(1000)]
    assert drawn.count(BET) == pytest.approx(100, abs=35)
    assert {draw({CHECK: 0.0, BET: 1.0}, rng) for _ in range(100)} == {BET}
