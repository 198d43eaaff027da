"""The adapters in examples/agents, which seat agents of other programs by the protocol."""

from __future__ import annotations

import ast
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_cli.agents.remote.seating import released
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.deepsea.encode import DeepSeaVector
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.pommerman.encode import PlaygroundEncoder
from boardgames_cli.games.pommerman.playground import RULES, as_original
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_agent
from tests.examples.load import AGENTS as FOLDER
from tests.examples.load import check, load

ADAPTERS = ("pommerman_agent", "deepsea_policy", "http_agent")
GUESTS = '''
class Bold:
    """Lays bombs, and prints what would be no message."""
    def act(self, obs, action_space):
        print("boom")
        return [5, 3, 7] if action_space.shape else 5

class Drawing:
    def __init__(self, mood="calm"):
        self.mood = mood * 2 if mood == 3 else mood
    def init_agent(self, id, game_type):
        self.id = id
    def act(self, obs, action_space):
        assert obs["board"][obs["position"]] == 10 + self.id
        return action_space.sample()
    def episode_end(self, reward):
        with open("diary", "w") as diary:
            diary.write("%s %s" % (self.mood, reward))

class Broken:
    def __init__(self):
        raise RuntimeError("out of ideas")

class Deep:
    def __init__(self, n=3):
        self.n = n
    def forward(self, state):
        return int(state[1] < self.n)
    def pick(self, state):
        return int(state[2] < 2)
    def drop(self, state):
        return 1
'''


@pytest.fixture
def guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "guests.py").write_text(GUESTS)
    monkeypatch.chdir(tmp_path)


def command(name: str, *words: str) -> str:
    return " ".join([sys.executable, str(FOLDER / f"{name}.py"), *words])


@pytest.mark.parametrize("name", ADAPTERS)
def test_they_need_nothing_of_ours_and_an_old_python(name: str) -> None:
    tree = ast.parse((FOLDER / f"{name}.py").read_text(), feature_version=(3, 6))
    roots = {
        (alias.name if isinstance(node, ast.Import) else node.module or "").partition(".")[0]
        for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    assert roots - set(sys.stdlib_module_names) == ({"numpy"} if name == ADAPTERS[0] else set())


@pytest.mark.parametrize(
    "options", [{}, {"mode": "team"}, {"mode": "radio"}, {"mode": "duel"}, {"collapse": True}]
)
def test_a_guest_sees_what_the_original_shows(options: dict[str, Any]) -> None:
    game = Pommerman(**RULES, **options)
    encoder, match = PlaygroundEncoder(game), Match(game, seed=5, max_plies=120)
    play(match, [make_agent("simple", game) for _ in range(game.seats)])
    with_arrays, with_lists = (
        load(f"agents/{name}").see for name in ("pommerman_agent", "http_agent")
    )
    compared = 0
    for ply in range(1, match.ply):
        for seat in range(game.seats):
            seen = match.observe(seat, ply)
            if not seen.state.agents[seat].alive:
                continue
            hello = {"seats": game.seats, "options": {"mode": game.mode, "collapse": game.collapse}}
            position = json.loads(json.dumps(game.to_json(seen.state)))
            wanted = as_original(encoder, seen)
            found, listed = with_arrays(position, hello, seat), with_lists(position, hello, seat)
            assert found.keys() == wanted.keys() == listed.keys()
            for name, value in wanted.items():
                assert np.array_equal(found[name], value), (ply, seat, name)
                assert np.array_equal(listed[name], value), (ply, seat, name)
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 6, "stacks": True}])
def test_a_policy_sees_the_83_numbers(options: dict[str, Any]) -> None:
    game = DeepSea(**options)
    encoder, match = DeepSeaVector(game), Match(game, seed=2)
    play(match, [make_agent("random", game) for _ in range(game.seats)])
    see = load("agents/deepsea_policy").see
    for ply in range(match.ply):
        for seat in range(game.seats):
            seen = match.observe(seat, ply)
            position = json.loads(json.dumps(game.to_json(seen.state)))
            assert see(position, seat) == encoder.encode(seen)["vector"].tolist(), (ply, seat)


@pytest.mark.parametrize("mode", ["ffa", "team", "radio", "duel"])
def test_agents_of_the_original_play(guests: None, mode: str) -> None:
    game = Pommerman(mode=mode, steps=30)
    check(command("pommerman_agent", "guests:Drawing"), game)
    bold = make_agent(f"cmd:{command('pommerman_agent', 'guests:Bold')}", game)
    match: Any = Match(game, seed=1, max_plies=3)
    play(match, [bold, *[make_agent("random", game) for _ in range(game.seats - 1)]])
    assert str(match.steps[1].joint[0]) == ("bomb 3 7" if mode == "radio" else "bomb")


@pytest.mark.parametrize(("word", "value"), [("wild", "wild"), ("3", "6")])
def test_it_is_told_its_arguments_and_the_end(guests: None, word: str, value: str) -> None:
    game = Pommerman(mode="duel", steps=3)
    text = command("pommerman_agent", "guests:Drawing", f"mood={word}")
    with released(make_agent(f"cmd:{text}", game)) as agent:
        returns = play(Match(game, seed=1), [agent, make_agent("random", game)])
    assert Path("diary").read_text() == f"{value} {returns[0]}"


@pytest.mark.parametrize("options", [{}, {"stacks": True, "drop": "choose"}])
def test_policies_play(guests: None, options: dict[str, Any]) -> None:
    check(command("deepsea_policy", "guests:Deep", "n=2"), DeepSea(players=3, **options))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (("pommerman_agent",), "name its class"),
        (("pommerman_agent", "nowhere:Bold"), "nowhere"),
        (("pommerman_agent", "guests:Bald"), "Bald"),
        (("pommerman_agent", "guests:Broken"), r"\(out of ideas\)\.(?!\.)"),
        (("pommerman_agent", "guests:Drawing", "calm"), 'write "calm" as NAME=VALUE'),
        (("deepsea_policy", "guests:Deep", "3"), 'write "3" as NAME=VALUE'),
        (("deepsea_policy", "guests"), "name its class"),
        (("deepsea_policy", "guests:Deep", "m=3"), "m"),
        (("http_agent", "http://127.0.0.1:1"), "no agent answers at http://127.0.0.1:1"),
        (("http_agent", "http://127.0.0.1:1", "soon"), "soon"),
    ],
)
def test_what_can_not_be_seated_says_why(guests: None, text: tuple[str, ...], why: str) -> None:
    game = DeepSea() if text[0] == "deepsea_policy" else Pommerman(mode="duel")
    with (
        released(make_agent(f"cmd:{command(*text)}", game)) as agent,
        pytest.raises(GameError, match=why),
    ):
        play(Match(game, seed=1), [agent] * game.seats)


class Served:
    """A server that lays bombs, or answers nothing that is a move, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.raw = b""
        """What it answers to ``/action``, whatever that is; by default a move."""
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                data = {name: json.loads(value) for name, value in body.items()}
                served.asked.append((self.path, data))
                if served.raw and self.path == "/action":
                    self.wfile.write(served.raw)
                    return
                moves = [path for path, _ in served.asked].count("/action")
                answer: Any = [5, 3, 7] if isinstance(data.get("action_space"), list) else 5
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps({"action": answer if moves < 2 else "up"}).encode())

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
    match: Any = Match(game, seed=1)
    with released(make_agent(f"cmd:{command('http_agent', served.url, '30')}", game)) as agent:
        returns = play(match, [agent, *[make_agent("random", game)] * (game.seats - 1)])
    assert [path for path, _ in served.asked[:2]] == ["/init_agent", "/action"]
    data = served.asked[1][1]
    assert data["action_space"] == space
    assert data["obs"]["board"][1][1] == 10
    assert str(match.steps[1].joint[0]) == did
    assert str(match.steps[2].joint[0]) == "stop", "an answer that is no move"
    assert served.asked[-1] == ("/episode_end", {"reward": returns[0]})


@pytest.mark.parametrize(
    "answer",
    [
        b"no HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
        b'HTTP/1.1 200 OK\r\n\r\n{"action": Infinity}',
        b'HTTP/1.1 200 OK\r\n\r\n{"action": -1}',
        b"HTTP/1.1 200 OK\r\n\r\n" + 100_000 * b"[",
    ],
    ids=["no HTTP", "too short", "infinite", "below zero", "too deep"],
)
def test_what_is_no_answer_over_http_stands_still(served: Served, answer: bytes) -> None:
    served.raw = answer
    game = Pommerman(mode="duel")
    match = Match(game, seed=1)
    match.resolve_chance()
    messages: list[dict[str, Any]] = [
        {"type": "hello", "seat": 0, "seats": 2, "options": {"mode": "duel"}},
        {"type": "observe", "position": game.to_json(match.observe(0).state)},
        {"type": "act"},
    ]
    done = subprocess.run(
        [sys.executable, str(FOLDER / "http_agent.py"), served.url, "30"],
        input="".join(f"{json.dumps(message)}\n" for message in messages),
        capture_output=True,
        text=True,
        check=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [message["type"] for message in told] == ["ready", "log", "action"]
    assert told[-1]["action"] == "stop"
    assert served.asked[-1][0] == "/action"
