"""Our agents behind the protocol: the same moves as inside, and an answer to any nonsense."""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from boardgames_cli.agents.remote import client as remote_client
from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.agent_server import AgentServer, LineChannel
from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.match import AnyMatch, Match, brief, play
from boardgames_cli.registry import agents_for, find_game, game_ids, make, make_agent

PLIES = {"pommerman": 8, "deepsea": 24}
FILES = {"cfr", "cmd"}
"""Agents that can do nothing without a file or a command."""


class Client:
    """The other end of a server's streams."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, os.fdopen(answers, "rb", closefd=False)

    def send(self, message: Any) -> None:
        """Send a line, or what is not one yet."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        os.write(self._requests, line)

    def ask(self, message: Any) -> dict[str, Any]:
        """The answer; what the agent tells of its progress is left out."""
        self.send(message)
        answer: dict[str, Any] = {"type": "log"}
        while answer["type"] == "log":
            answer = json.loads(self._answers.readline())
        return answer

    def end(self) -> None:
        os.close(self._requests)


@contextmanager
def served(text: str) -> Iterator[Client]:
    """A server in a thread of its own."""
    requests, requests_end = os.pipe()
    answers, answers_end = os.pipe()
    server = AgentServer(text, LineChannel(requests, answers_end))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    client = Client(requests_end, answers)
    try:
        yield client
    finally:
        client.end()
        thread.join(60)
        assert not thread.is_alive()
        for end in (answers, requests, answers_end):
            os.close(end)


SHORTER = {
    "best-response": "best-response:to=rock",
    **{name: f"{name}:simulations=20" for name in ("rollout", "mcts", "ismcts")},
}


def bundled() -> list[tuple[str, str]]:
    return [
        (id, name)
        for id in game_ids()
        for name in agents_for(find_game(id))
        if name not in FILES and (name != "rollouts")
    ]


@pytest.mark.parametrize(("id", "name"), bundled())
def test_an_agent_plays_the_same_through_the_pipe(id: str, name: str) -> None:
    game = make(id)
    text = SHORTER.get(name, name)
    try:
        inside = make_agent(text, game)
    except GameError:
        pytest.skip("it does not play this game")
    match: AnyMatch = Match(game, seed=2, max_plies=PLIES.get(id, 40))
    rng, seat = random.Random(3), game.seats - 1
    with served(text) as client:
        brief(inside, game, seat, (match.observe(seat),))
        assert client.ask(protocol.hello(game, seat, 60.0, None))["type"] == "ready"
        client.send(protocol.observe(game, match.observe_step(seat)))
        while match.waiting_for:
            for other in match.waiting_for:
                if other < 0:
                    match.resolve_chance()
                    break
                seen = match.observe(other)
                if other != seat:
                    match.submit(other, rng.choice(seen.legal))
                    continue
                number = rng.getrandbits(53)
                expected = str(inside.act(seen, Thinking(random.Random(number))))
                answer = client.ask(protocol.write_message("act", random=number))
                assert answer["action"] == expected
                match.submit(seat, game.parse(match.state, seat, expected))
            brief(inside, None, seat, (match.observe(seat),))
            client.send(protocol.observe(game, match.observe_step(seat)))


def test_a_whole_process_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("kuhn", hands=4)
    agents = []
    for text in ("hard", "maniac"):
        words = [sys.executable, "-m", "boardgames_cli", "agent", "serve", text]
        agent = ExternalAgent(shlex.join(words), env="PYTHONPATH")
        agent.take_seat(game, None, None, 7)
        agents.append(agent)
    match: AnyMatch = Match(game, seed=5)
    try:
        play(match, agents)
        assert agents[0].about["name"] == "hard"
    finally:
        for agent in agents:
            agent.close()
    inside = [make_agent(text, game) for text in ("hard", "maniac")]
    for seat, ours in enumerate(inside):
        ours.reset(game, seat)
    again: AnyMatch = Match(game, seed=5)
    while again.waiting_for:
        (seat,) = again.waiting_for
        if seat < 0:
            again.resolve_chance()
            continue
        number = remote_client.draw_number(again.rng(f"seat{seat}"), remote_client.seed_key(7))
        again.submit(seat, inside[seat].act(again.observe(seat), Thinking(random.Random(number))))
    assert again.steps == match.steps


HELLO = {"type": "hello", "protocol": 1, "game": "kuhn", "options": {}, "seat": 1}
OBSERVE = {
    "type": "observe", "ply": 3, "legal": ["check", "bet"],
    "position": {"cards": ["?", 2], "actions": ["bet"], "first": 0},
}  # fmt: skip
ACT = {"type": "act", "random": 1}


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([ACT], "no game has begun"),
        ([OBSERVE], "no game has begun"),
        ([HELLO | {"protocol": 2}], "this is version 1 of the protocol, not 2"),
        ([HELLO | {"game": "chess"}], 'unknown game "chess"'),
        ([HELLO | {"seat": 2}], "has the seats 0 to 1"),
        ([HELLO | {"options": {"hands": -1}}], "hands can't be -1"),
        ([HELLO | {"options": []}], "options is not a JSON object"),
        ([HELLO | {"rules_version": 99}], "this is version"),
        ([HELLO, ACT], "not this agent's turn"),
        ([HELLO, OBSERVE | {"position": {}}], "lacks the field"),
        ([HELLO, OBSERVE | {"position": 1}], "an observation has a ply and a position"),
        ([HELLO, OBSERVE | {"legal": ["fly"]}], "legal has actions that are not legal"),
        ([HELLO, OBSERVE, ACT | {"random": "x"}], "a number under random"),
        ([{"type": "hurrah"}], 'there is no type "hurrah"'),
        ([{"kind": 1}], "it has no type"),
        ([[]], "it is not a JSON object"),
    ],
)
def test_nonsense_gets_one_error(messages: list[Any], problem: str) -> None:
    with served("hard") as client:
        for message in messages[:-1]:
            if message == OBSERVE:
                client.send(message)
            else:
                assert client.ask(message)["type"] == "ready"
        answer = client.ask(messages[-1])
        assert answer["type"] == "error"
        assert problem in answer["message"]
        assert client.ask(HELLO)["type"] == "ready", "it goes on"


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("data", [{}, {"agents": [1]}, {"cards": ["?", "?", "?"]}], ids=str)
def test_nonsense_is_no_position(id: str, data: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        make(id).read_seen(data, 0)


def test_the_ply_of_a_position_is_read_though_it_counts_for_nothing() -> None:
    game = make("tapnswap")
    match: AnyMatch = Match(game, seed=3, max_plies=9)
    play(match, [make_agent("random", game)] * 2)
    seen = match.observe(0)
    assert game.read_seen(game.to_json(seen.state), seen.ply).ply == seen.state.ply == match.ply


def test_it_says_what_choices_are_worth_when_asked() -> None:
    with served("rollout:simulations=20") as client:
        client.ask(HELLO)
        client.send(OBSERVE)
        answer = client.ask(ACT | {"explain": True})
    assert answer["values"] == {"check": -1.0, "bet": 2.0}
    assert answer["action"] == "bet"
