"""Agents of the original that ask a server for their moves, with a server on this machine."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import commands_in, find_game, make_agent
from boardgames_cli.storage.reading import load_record
from tests.conftest import Program

GUESTS = "tests.games.pommerman.playground.guests"
Requests = list[tuple[str, dict[str, Any]]]


class Served:
    """A server that lays bombs, and what it was asked."""

    def __init__(self) -> None:
        self.asked: Requests = []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                data = {name: json.loads(value) for name, value in body.items()}
                asked.append((self.path, data))
                answer: Any = 5
                if isinstance(data.get("action_space"), list):
                    answer = [5, 3, 7]
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps({"action": answer}).encode())

            def log_message(self, format: str, *args: Any) -> None: ...

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    thread = threading.Thread(target=served.server.serve_forever)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("mode", "space", "did"), [("duel", 6, "bomb"), ("radio", [6, 8, 8], "bomb 3 7")]
)
def test_a_game_over_http(served: Served, mode: str, space: Any, did: str) -> None:
    game = Pommerman(mode=mode, steps=3)
    agent = make_agent(f"playground[url={served.url}]:{GUESTS}:Caller", game)
    match: Any = Match(game, seed=1)
    returns = play(match, [agent, *[make_agent("random", game)] * (game.seats - 1)])
    assert [path for path, _ in served.asked[:2]] == ["/init_agent", "/action"]
    data = served.asked[1][1]
    assert data["action_space"] == space
    assert data["obs"]["board"][1][1] == 10
    assert str(match.steps[1].joint[0]) == did
    assert served.asked[-1] == ("/episode_end", {"reward": returns[0]})


def test_it_plays_in_a_process_of_its_own_too(served: Served, program: Program) -> None:
    port = served.server.server_address[1]
    text = f"playground[host=127.0.0.1,port={port},timeout=5.5]:{GUESTS}:Caller"
    words = ("--mode", "duel", "--steps", "2", "--seed", "1", "--json")
    done = program("watch", "pommerman", *words, "-s", text, "-s", "random")
    assert done.code == 0, done.err
    assert [path for path, _ in served.asked].count("/action") == 2
    assert load_record("saves/pommerman-1.jsonl").header.seats[0] == text
    assert commands_in(text, find_game("pommerman")) == [f"{GUESTS}:Caller"]


@pytest.mark.parametrize(
    ("text", "message", "todo"),
    [
        ("[port=1,port=2]:G:Caller", "same option twice", ""),
        ("[port=1:G:Caller", "are not closed", "NAME[KEY=VALUE,...]:TEXT"),
        ("[8080]:G:Caller", '"8080" is not an argument', "KEY=VALUE"),
        ("[door=1]:G:Caller", 'Caller has no argument "door".', "Its arguments: port host timeout"),
        ("[url=http://a:b]:G:Caller", '"http://a:b" is not an address', "http://localhost:10080"),
        ("[url=ftp://a]:G:Caller", '"ftp://a" is not an address', "http://localhost:10080"),
        ("[url=http://a,port=1]:G:Caller", "gives the host or the port twice", ""),
        ("[url=http://a]:G:Bold", 'Bold has no argument "url".', "It takes none."),
        (":G:DockerAgent", "agents in Docker containers can't be seated", "HttpAgent"),
        (":anything.at_all:DockerAgent", "agents in Docker containers can't be seated", "docker "),
    ],
)
def test_arguments_that_do_not_fit(text: str, message: str, todo: str) -> None:
    with pytest.raises(OptionError) as error:
        make_agent(f"playground{text.replace(':G:', f':{GUESTS}:')}", Pommerman(mode="duel"))
    assert message in error.value.message
    assert todo in error.value.todo


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(OptionError, match='Needy needs the argument "name"'):
        make_agent(f"playground:{GUESTS}:Needy", Pommerman(mode="duel"))
    make_agent(f"playground[name=x]:{GUESTS}:Needy", Pommerman(mode="duel"))
