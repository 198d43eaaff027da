from __future__ import annotations

import io
import itertools
import json
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from boardgames_cli import __version__
from boardgames_cli.core.agent import UNLIMITED, Agent, Budget, Thinking
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import AgentError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import Match
from boardgames_cli.core.record import read_lines
from boardgames_cli.registry import make, make_agent
from boardgames_cli.tournament import players
from boardgames_cli.tournament.players import name_entrants, release_players
from boardgames_cli.tournament.pools import InProcessPool
from boardgames_cli.tournament.rows import GameRow, Tally, read_row
from boardgames_cli.tournament.schedule import GameSet, Schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult, play_batch
from tests.calls import counted
from tests.tournament.agents import Faulty, register


@pytest.fixture(autouse=True)
def faulty_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    release_players()


def plan(game: str, *agents: str, **more: Any) -> tuple[TournamentConfig, list[GameSet]]:
    config = TournamentConfig(game, name_entrants(agents), **more)
    schedule = Schedule(config, [make(game, **one) for one in config.option_sets])
    return config, list(schedule.deals())


def reproducible(result: BatchResult) -> list[dict[str, Any]]:
    lines = [json.loads(line) for text in result.lines for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def rows_of(result: BatchResult) -> list[tuple[GameRow, ...]]:
    return [tuple(map(read_row, text.splitlines())) for text in result.lines]


def games_of(result: BatchResult) -> list[GameRow]:
    return [row for rows in rows_of(result) for row in rows]


@pytest.mark.parametrize(
    ("game", "agents", "more"),
    [
        ("kuhn", ("random", "rock", "faulty"), {"games": 60}),  # of the last ones few are timed
        ("tapnswap", ("random", "witness"), {"games": 20, "max_plies": 25}),
        ("kuhn", ("random", "rock", "faulty"), {"games": 60, "luck": True}),
        ("deepsea", ("random", "greedy-classic", "risk"), {"games": 4}),
    ],
)
def test_nothing_depends_on_how_deals_are_batched_or_timed(
    game: str, agents: tuple[str, ...], more: dict[str, Any]
) -> None:
    config, deals = plan(game, *agents, **more)
    whole, parts = play_batch(config, deals), BatchResult()
    for start in range(0, len(deals), 7):
        release_players()
        parts.add(play_batch(config, deals[start : start + 7]))
    assert reproducible(whole) == reproducible(parts)
    read = Tally()
    for rows in rows_of(whole):
        read.add(rows, make(game).teams)
    assert read.deals == whole.tally.deals == parts.tally.deals
    for ours, stored in zip(whole.tally.totals(3), read.totals(3), strict=True):
        assert stored.seconds == pytest.approx(ours.seconds, abs=1e-3)
        assert (stored.plies, stored.returns) == (ours.plies, ours.returns)
    timed = play_batch(replace(config, clock="1000m"), deals)
    assert timed.tally.deals == whole.tally.deals
    assert timed.tally.totals(3)[0].decisions >= whole.tally.totals(3)[0].decisions


def test_a_failure_that_does_not_come_again_leaves_no_trace() -> None:
    """When it comes depends on how many games the agent has played since it was created."""
    lines = []
    for life in (1000, 110, 130):  # the first 64 deals are timed, and failures count there
        release_players()
        config, deals = plan("kuhn", "random", f"faulty:way=tired,every={life}", games=250)
        lines.append(reproducible(play_batch(config, deals)))
    assert lines[0] == lines[1] == lines[2]


@pytest.mark.parametrize(
    ("game", "options"),
    [("kuhn", {}), ("deepsea", {"players": 3}), ("pommerman", {"mode": "team"}), ("senet", {})],
)
def test_who_fails_loses_the_game_and_no_other(game: str, options: dict[str, Any]) -> None:
    config, deals = plan(
        game, "faulty:every=1,way=illegal", "random", games=4, option_sets=(options,)
    )
    result = play_batch(config, deals)
    for row in games_of(result):
        assert row.ending == "forfeit"
        (failed,) = (seat for seat, times in enumerate(row.failures) if times)
        assert row.entrants[failed] == 0
        lost = {seat for seat, value in enumerate(row.returns) if value == min(row.returns)}
        assert failed in lost
        teams = make(game, **options).teams
        assert lost == next(set(team) for team in teams if failed in team)
    assert reproducible(play_batch(config, deals)) == reproducible(result)


def test_an_agent_that_remembers_is_shown_everything() -> None:
    config, deals = plan("tapnswap", "witness", "random", games=20)
    games = games_of(play_batch(config, deals))
    asked = sum(game.decisions[game.entrants.index(0)] for game in games)
    failed = sum(sum(game.failures) for game in games)
    assert 0.1 * asked < failed < 0.4 * asked  # had it missed anything, all would have failed


def test_a_fallen_flag_is_a_forfeit() -> None:
    config, deals = plan(
        "pommerman", "faulty:way=late", "random", games=2, max_plies=13,
        option_sets=({"mode": "duel"},), clock="0.015s",
    )  # fmt: skip
    for game in games_of(play_batch(config, deals)):
        hasty = game.entrants.index(0)
        assert game.late[hasty] >= 1
        assert not game.late[1 - hasty]
        assert game.ending == "forfeit"
        assert game.returns[hasty] < game.returns[1 - hasty]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let every answer take so many seconds."""

    def set_to(seconds: int) -> None:
        clock = SimpleNamespace(perf_counter=itertools.count(0, seconds).__next__)
        monkeypatch.setattr(players, "time", clock)

    return set_to


@dataclass
class Hasty(Agent[Any, Any]):
    """Notes the seconds that it is given."""

    limits: list[float | None] = field(default_factory=list)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.limits.append(thinking.budget.seconds)
        return seen.legal[0]


@pytest.mark.parametrize("game", [make("tapnswap"), make("pommerman")])
def test_only_agents_of_others_forfeit_when_they_are_far_too_late(
    game: Any, slow: Callable[[int], None]
) -> None:
    slow(100)
    match = Match(game, seed=1)
    if match.waiting_for == (-1,):
        match.resolve_chance()
    seen = match.observe(0)
    for kind, is_ours in ((type(make_agent("random", game)), True), (Faulty, False)):
        contender = players.seat(kind(), "x")
        contender.reset(game, 0)
        thinking = Thinking(random.Random(1), Budget(1.0))
        if is_ours:
            assert contender.act(seen, thinking) is random.Random(1).choice(seen.legal)
        else:
            with pytest.raises(AgentError, match="forfeits"):
                contender.act(seen, thinking)
        assert (contender.late, contender.has_forfeited) == (1, not is_ours)


def test_the_only_legal_action_is_no_decision() -> None:
    contender = players.seat(Faulty(every=1), "x")
    seen = Match(make("tapnswap"), seed=1).observe(0)
    forced = seen._replace(legal=seen.legal[1:2])
    assert contender.act(forced, Thinking(random.Random(1), Budget(0.0))) == seen.legal[1]
    assert (contender.decisions, contender.failures, contender.late) == (0, 0, 0)


def test_an_increment_is_added_after_every_action_but_the_first(
    slow: Callable[[int], None],
) -> None:
    """Each answer takes 2 s of a clock with 3 s, to which each action adds 1 s."""
    slow(2)
    game, agent = make("tapnswap"), Hasty()
    hers = players.seat(agent, "hasty", read_time_control("3s+1s"))
    hers.reset(game, 0)
    seen = Match(game, seed=1).observe(0)
    for _ in range(2):
        thinking = Thinking(random.Random(1))
        hers.act(seen, thinking)
        assert thinking.budget == UNLIMITED, "the next seat's limits are its own"
    with pytest.raises(AgentError, match="forfeits"):
        hers.act(seen, Thinking(random.Random(1)))
    assert (hers.late, hers.has_forfeited) == (1, True)
    hers.begin()
    hers.act(seen, Thinking(random.Random(1)))
    assert agent.limits == [3.0, 2.0, 1.0, 3.0], "every game has a new clock"


def test_records_can_be_replayed() -> None:
    config, deals = plan("senet", "random", "greedy", games=2, records=True)
    result = play_batch(config, deals)
    (played,) = rows_of(result)
    assert [record.number for record in result.records] == [0, 1]
    for record, game in zip(result.records, played, strict=True):
        found = read_lines(io.StringIO(record.text))
        match = found.restore(make("senet"))
        assert (match.returns, match.ply) == (game.returns, game.plies)
        names = ("random", "greedy")
        assert found.header.seats == tuple(names[at] for at in game.entrants)


def test_a_batch_of_many_deals_is_a_small_message() -> None:
    config, deals = plan("kuhn", "random", "rock", games=400)
    result = play_batch(config, deals)
    result.lines.clear()
    assert len(pickle.dumps(result)) < 10 * len(deals) + 6000


def test_the_end_of_a_tournament_leaves_the_agents_of_another_thread() -> None:
    config, deals = plan("kuhn", "random", "rock", games=2)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(play_batch, config, deals).result()
        theirs = thread.submit(players.players_of, config, __version__).result()
        seated = list(theirs._contenders)
        InProcessPool().shutdown()
        assert list(theirs._contenders) == seated != []


def test_a_game_that_runs_is_read_in_few_files() -> None:
    config, deals = plan("senet", "greedy", "random", games=4)
    play_batch(config, deals[:1])
    with counted() as calls:
        play_batch(config, deals[1:2])
    assert 10 < len(calls.files) <= 20
