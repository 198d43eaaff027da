"""Playing matches out, and agents that misbehave."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import AgentError, OptionError, SeatError
from boardgames_cli.core.game import CHANCE, Observation
from boardgames_cli.core.match import AnyMatch, Match, ask, feed, play
from boardgames_cli.registry import game_ids, make, make_agent
from tests.calls import counted
from tests.toys import TOYS, Cards, Pennies, Race


class Diary(Agent[Any, Any]):
    """Writes down all it is told, and does the first legal thing."""

    def __init__(self) -> None:
        self.seen: list[Observation[Any, Any]] = []
        self.seats: list[int] = []
        self.budgets: list[Budget] = []
        self.asked: list[Observation[Any, Any]] = []

    def reset(self, game: Any, seat: int) -> None:
        self.seen.clear()
        self.seats.append(seat)

    def watch(self, seen: Observation[Any, Any]) -> None:
        self.seen.append(seen)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.budgets.append(thinking.budget)
        self.asked.append(seen)
        return seen.legal[0]


class Broken(Diary):
    def __init__(self, what: Any) -> None:
        super().__init__()
        self.what = what

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        if isinstance(self.what, BaseException):
            raise self.what
        return self.what


class Gambler(Agent[Any, Any]):
    """Draws much, and of every kind, before it chooses."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        rng = thinking.rng
        legal = rng.sample(seen.legal, len(seen.legal))
        rng.gauss(0.0, 1.0)
        for _ in range(rng.randrange(12)):
            rng.shuffle(legal)
        return rng.choice(legal)


@pytest.mark.parametrize("agent", [RandomAgent(), Gambler()], ids=["little", "much"])
@pytest.mark.parametrize("game", [*TOYS, *map(make, game_ids())], ids=str)
def test_a_game_played_by_itself_is_the_game_played_step_by_step(game: Any, agent: Any) -> None:
    by_itself: AnyMatch = Match(game, seed=8, max_plies=60)
    play(by_itself, [agent] * game.seats)
    match: AnyMatch = Match(game, seed=8, max_plies=60)
    turns_back = {5, 11}
    while match.waiting_for:
        if match.ply in turns_back:
            turns_back.remove(match.ply)
            match.undo()
            match.undo()
            match.redo()
        if match.waiting_for == (CHANCE,):
            match.resolve_chance()
            continue
        for seat in reversed(match.waiting_for):
            rng = match.rng(f"seat{seat}")
            rng.random()
            action = agent.act(match.observe(seat), Thinking(match.rng(f"seat{seat}")))
            match.submit(seat, action)
    assert match.steps == by_itself.steps
    assert match.state == by_itself.state


def test_agents_see_every_step_and_only_their_own_secrets() -> None:
    agents = [Diary(), Diary()]
    match = Match(Cards(), seed=3)
    play(match, agents, Budget(nodes=7))
    for seat, agent in enumerate(agents):
        assert agent.seats == [seat]
        assert [seen.ply for seen in agent.seen] == [0, 1, 2, 3]
        assert all(seen.seat == seat for seen in agent.seen)
        own = match.state.cards[seat]
        cards = (own, None) if seat == 0 else (None, own)
        assert [seen.state.cards for seen in (agent.seen[1], *agent.asked)] == [cards, cards]
        assert agent.budgets == [Budget(nodes=7)]


def test_feeding_shows_the_past() -> None:
    match = Match(Race(), seed=3)
    match.resolve_chance()
    match.submit(0, "step")
    diary = Diary()
    feed(match, [diary, RandomAgent()])
    assert diary.seen == [match.game.observe(match.state_at(ply), 0, ply) for ply in range(3)]


def test_a_match_goes_on_from_where_it_is_up_to_its_limit() -> None:
    match = Match(Race(), seed=3, max_plies=5)
    match.resolve_chance()
    assert play(match, [RandomAgent(), RandomAgent()]) == (0.0, 0.0)
    assert (match.ply, match.truncated) == (5, True)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_number_of_agents_must_fit(count: int) -> None:
    with pytest.raises(SeatError, match=f"Pennies has 2 seats; you gave {count} agents"):
        play(Match(Pennies(), seed=1), [RandomAgent()] * count)


def first_question() -> tuple[Observation[Any, Any], Thinking]:
    match = Match(Pennies(), seed=1)
    return match.observe(0), Thinking(random.Random(1))


class Claimant(str):
    """Equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("heads")


@pytest.mark.parametrize("answer", ["fly", None, 3, [], {}, Claimant("x")])
def test_an_illegal_answer_is_refused_with_what_is_legal(answer: Any) -> None:
    seen, thinking = first_question()
    with pytest.raises(AgentError, match="which is not legal") as caught:
        ask(Broken(answer), seen, thinking)
    assert caught.value.todo == "Legal: heads, tails."


def test_an_agents_own_message_is_kept() -> None:
    seen, thinking = first_question()
    with pytest.raises(OptionError, match=r"it has no table\."):
        ask(Broken(OptionError("it has no table.")), seen, thinking)


def test_when_to_stop_thinking() -> None:
    rng = random.Random(1)
    assert not Thinking(rng).should_stop(10**9)
    assert Thinking(rng, Budget(nodes=5)).should_stop(5)
    assert not Thinking(rng, Budget(nodes=5)).should_stop(4)
    assert Thinking(rng, Budget(seconds=0.0)).should_stop()
    assert not Thinking(rng, Budget(seconds=1e9)).should_stop()
    assert Thinking(rng, cancelled=lambda: True).should_stop()


def test_an_interrupt_is_the_users_own() -> None:
    seen, thinking = first_question()
    with pytest.raises(KeyboardInterrupt):
        ask(Broken(KeyboardInterrupt()), seen, thinking)


def test_the_tables_own_object_is_played() -> None:
    seen, thinking = first_question()
    copy = "".join(["hea", "ds"])
    assert ask(Broken(copy), seen, thinking) is seen.legal[0]


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


class Forger(Diary):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        object.__setattr__(seen, "legal", ("win",))
        return "win"


@pytest.mark.parametrize(
    ("agent", "what"),
    [
        (Broken(KeyError("obs")), "KeyError: 'obs'"),
        (Broken(SystemExit(3)), "SystemExit: 3"),
        (Broken(GeneratorExit()), "GeneratorExit"),
        (Broken(RecursionError()), "RecursionError"),
        (Broken(Mute()), "Mute"),
        (Forger(), "AttributeError: can't set attribute"),
    ],
)
def test_an_agent_that_fails_is_named_and_changes_nothing(agent: Diary, what: str) -> None:
    seen, thinking = first_question()
    legal = seen.legal
    name = type(agent).__name__
    with pytest.raises(AgentError, match=rf'agent "{name}" failed at ply 0 \({what}\)'):
        ask(agent, seen, thinking)
    assert seen.legal is legal


@pytest.mark.parametrize(
    ("method", "when"), [("reset", "when the game began"), ("watch", "while it watched")]
)
def test_an_agent_that_fails_before_it_acts_is_named(method: str, when: str) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("too bright")

    agent = type("Blind", (Diary,), {method: fail})()
    with pytest.raises(AgentError, match=rf'"Blind" failed {when} \(ValueError: too bright\)'):
        play(Match(Race(), seed=1), [RandomAgent(), agent])


def test_a_game_takes_few_calls_beyond_its_rules() -> None:
    game = make("kuhn")
    agents = [make_agent("random", game)] * 2
    play(Match(game, seed=0), agents)
    with counted() as calls:
        for seed in range(100):
            play(Match(game, seed=seed), agents)
    assert 3000 < calls.total() < 6000  # 7,710 once
