"""Programs of other languages as agents, good and bad, and what their game sees of them."""

from __future__ import annotations

import json
import os
import shlex
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from boardgames_cli.agents.remote import client as remote_client
from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.program import ExternalAgent, command_title
from boardgames_cli.core.agent import Budget, EvaluatesActions
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import commands_in, find_game, make, make_agent
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Settings, Setup
from tests.agents.seats import GAME, PATIENT, SEEN, SHORT, Seat, take_part, thinking
from tests.campaigns.test_strangers import left_behind
from tests.processes import wait_until

PROGRAM = Path(__file__).parents[1] / "odd_program.py"


def odd(way: str, when: str = "act", **options: Any) -> ExternalAgent:
    words = [sys.executable, "-I", "-S", str(PROGRAM), way, when]
    return ExternalAgent(shlex.join(words), **options)


def log_in(folder: Path) -> Path:
    (log,) = folder.rglob("odd_program.log")
    return log


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


class Recorder:
    """A program that writes down what it is told."""

    def __init__(self, folder: Path) -> None:
        program, self.log = folder / "recorder.py", folder / "log"
        program.write_text(RECORDER)
        self.command = shlex.join([sys.executable, "-I", "-S", str(program), str(self.log)])

    def lines(self) -> list[str]:
        return self.log.read_text().splitlines()

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(line[2:]) for line in self.lines() if line[0] == ">"]


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    monkeypatch.setattr(remote_client, "_QUIT_SECONDS", 60.0)  # it gets the time to write
    return Recorder(tmp_path)


@pytest.mark.parametrize("way", ["unknown", "children", "chatter", "crlf", "rich"])
def test_oddities_that_do_no_harm(seat: Seat, way: str) -> None:
    agent = seat(odd(way))
    for _ in range(2):
        assert take_part(agent) is SEEN.legal[0]


BAD_ANSWERS = {
    "silent": "did not answer in time and was ended.",
    "half": "did not answer in time and was ended (it has not finished its line).",
    "garbage": 'sent the line "',
    "exit": "ended unexpectedly (exit code 3).",
    "torn": "ended unexpectedly in the middle of a line (exit code 0).",
    "hog": "ended unexpectedly (exit code 1).",
    "crash": "ended unexpectedly (signal SIGSEGV).",
    "flood": "sent more than 10,000 messages without an answer.",
    "endless": "can't be understood (a line of more than 1,048,576 bytes).",
    "illegal": "answered 'no such action' at ply 0, which is not legal.",
    "ply": "answered for ply 1 at ply 0.",
    "id": "answered with the id 1000000000 at ply 0, which no legal action has.",
    "neither": "answered at ply 0 without an action (a text) or an id (a number).",
    "twin": 'can\'t be understood (it has the key "type" twice in one object).',
    "nan": "can't be understood (it is not JSON (NaN is not a JSON number)).",
    "deep": "which is no message (it is nested too deeply).",
    "bytes": "can't be understood (it is not UTF-8).",
    "list": "which is no message (it is not a JSON object).",
    "untyped": "can't be understood (it has no type).",
    "error": "could not answer: I can't [2J do that.",
    "close": "ended unexpectedly (signal SIGKILL).",
    "stop": "ended unexpectedly (it was stopped by signal SIGSTOP).",
}


@pytest.mark.parametrize("way", BAD_ANSWERS)
def test_one_that_answers_badly_is_named_and_begins_anew(
    seat: Seat, way: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if way != "close":  # which does not end by itself
        request.getfixturevalue("time_to_end")
    if way == "hog" and sys.platform != "linux":
        pytest.skip("only there the system refuses memory")
    agent = seat(odd(way, memory="150M"))
    is_late = "in time" in BAD_ANSWERS[way]
    short = Budget(seconds=2.0) if way == "half" else SHORT  # it must come so far
    for _ in range(2 if way in ("silent", "exit", "garbage", "illegal", "close") else 1):
        with pytest.raises(AgentError) as caught:
            take_part(agent, short if is_late else PATIENT)
        assert caught.value.message.startswith('agent "odd_program" ')
        assert caught.value.message.endswith(BAD_ANSWERS[way]) or way == "garbage"
        assert BAD_ANSWERS[way] in caught.value.message
        assert caught.value.todo
        assert way != "exit" or str(log_in(tmp_path)) in caught.value.todo
    agent.close()  # then all that it has written is in the log
    told = "you answered 'no such action' at ply 0, which is not legal"
    assert (told in log_in(tmp_path).read_text()) == (way == "illegal")


BAD_STARTS = {
    "version": ("speaks version 2 of the protocol, and this program version 1.", ""),
    "games": ("can't play TapnSwap.", "Its games"),
    "error": ("can't play this game: I can't [2J do that.", ""),
    "silent": ("did not answer in time and was ended.", "flush=True"),
    "banner": ('sent the line "Loading the model ...", which is no message', "file=sys.stderr"),
}


@pytest.mark.parametrize("way", BAD_STARTS)
def test_one_that_cant_begin_says_why_and_what_to_do(
    seat: Seat, way: str, time_to_end: None
) -> None:
    agent = seat(odd(way, "hello", start=0.5 if way == "silent" else 20.0))
    what, todo = BAD_STARTS[way]
    for _ in range(2):
        with pytest.raises(GameError) as caught:
            agent.reset(GAME, 0)
        assert what in caught.value.message
        assert todo in caught.value.todo


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("no-such-command-here", 'the command "no-such-command-here" is not found.'),
        ("./no/such/file", 'the command "./no/such/file" is not found.'),
        ("./data.txt x", "./data.txt can't be run: it is not an executable file."),
        ("./broken", "can't be started: Exec format error"),
        ("python 'x", "the command \"python 'x\" can't be read (no closing quotation)."),
    ],
)
def test_commands_that_cant_be_started(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("1")
    (tmp_path / "broken").write_text("\x00\x01")
    (tmp_path / "broken").chmod(0o755)
    with pytest.raises(GameError) as caught:
        ExternalAgent(words).reset(GAME, 0)
    assert message in str(caught.value)
    assert caught.value.todo


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cmd", "say which program"),
        ("cmd:", "say which program"),
        ("cmd[memory=lots]:x", 'memory can\'t be "lots".'),
        ("cmd[memory=0]:x", 'memory can\'t be "0".'),
        ("cmd[cpu=10s]:x", "ulimit -t"),
        ("cmd[colour=red]:x", 'unknown cmd option "colour".'),
        ("cmd[memory=1M,memory=2M]:x", "gives the same option twice"),
        ("cmd[512M]:x", '"512M" is not an option of cmd.'),
        ("cmd[memory=1M:x", "are not closed"),
    ],
)
def test_specifications_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(GameError) as caught:
        make_agent(text, GAME)
    assert message in str(caught.value)


def test_a_command_may_hold_anything() -> None:
    agent = make_agent("cmd[memory=512m,start=5]:python 'my bot.py' --depth=2,3:x [y]", GAME)
    assert isinstance(agent, ExternalAgent)
    assert agent.command == "python 'my bot.py' --depth=2,3:x [y]"
    assert (agent.memory, agent.start) == ("512m", 5.0)
    assert agent.name == "my bot"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("python my/bot.py -v", "bot"),
        ("./senet_agent 3", "senet_agent"),
        ("node agents/very-long-name-of-an-agent.js", "very-long-name-of-an"),
        ("sh -c 'exec x'", "sh"),
        ("", "cmd"),
    ],
)
def test_what_a_program_is_called(text: str, title: str) -> None:
    assert command_title(text) == title


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cmd:rm -rf x", ["rm -rf x"]),
        ("cmd[start=1]:a", ["a"]),
        ("best-response:to=cmd:evil", ["evil"]),
        ("mix:stronger=cmd:python bot.py", ["python bot.py"]),
        ("random", []),
        ("human:Ann", []),
        ("cmd[", []),
    ],
)
def test_commands_are_found_before_they_run(text: str, found: list[str]) -> None:
    assert commands_in(text, find_game("kuhn")) == found


def test_one_that_has_ended_after_a_game_begins_anew(
    seat: Seat, mark: None, tmp_path: Path
) -> None:
    agent = seat(odd("exit", "over"))
    take_part(agent)
    agent.game_over([1.0, -1.0], "over")
    wait_until(lambda: not left_behind(tmp_path))
    take_part(agent)
    assert left_behind(tmp_path)


@pytest.mark.parametrize("when", ["quit", "over", "act"])
def test_nothing_is_left_when_it_is_closed(
    seat: Seat, when: str, tmp_path: Path, mark: None
) -> None:
    agent = seat(odd("stubborn" if when != "act" else "children", when))
    take_part(agent)
    assert len(left_behind(tmp_path)) >= 2
    agent.game_over(None, "left")
    agent.close()
    assert left_behind(tmp_path) == []


def test_it_gets_no_secrets_of_the_environment(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("WANTED", "yes")
    monkeypatch.setenv("LC_TIME", "C")
    agent = seat(odd("environment", env="WANTED+MISSING"))
    take_part(agent)
    agent.close()  # then all that it has written is in the log
    environment = json.loads(log_in(tmp_path).read_text().splitlines()[0])
    assert "API_KEY" not in environment
    assert environment["WANTED"] == "yes"
    assert environment["PATH"] == os.environ["PATH"]
    assert environment["LC_TIME"] == "C"
    assert log_in(tmp_path).stat().st_mode & 0o777 == 0o600


def test_what_it_says_is_fit_to_be_shown(seat: Seat) -> None:
    agent = seat(odd("rich"))
    take_part(agent)
    comment = agent.take_comment()
    assert comment.startswith("a [31mred word here!!!")
    assert len(comment) == protocol.LONGEST_TEXT
    assert agent.take_comment() == ""


def test_it_values_choices_when_asked(seat: Seat) -> None:
    agent = seat(odd("rich"))
    agent.reset(GAME, 0)
    assert isinstance(agent, EvaluatesActions)
    assert agent.evaluate_actions(SEEN, thinking()) == {SEEN.legal[0]: 1.0}


def validators() -> tuple[jsonschema.Draft202012Validator, jsonschema.Draft202012Validator]:
    folder = resources.files("boardgames_cli.agents.remote") / "schemas"
    to, back = (
        json.loads((folder / f"{name}-agent.schema.json").read_text()) for name in ("to", "from")
    )
    for schema in (to, back):
        jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(to), jsonschema.Draft202012Validator(back)


RECORDER = """
import json, sys
log = open(sys.argv[1], "a")
legal = []
for line in sys.stdin:
    log.write("> " + line)
    m = json.loads(line)
    if m["type"] == "hello": answer = {"type": "ready", "name": "n", "values": True}
    elif m["type"] == "act": answer = {"type": "action", "action": legal[-1], "text": "so"}
    elif m["type"] == "observe": legal = m["legal"]; continue
    else: continue
    print(json.dumps(answer), flush=True)
    log.write("< " + json.dumps(answer) + chr(10)); log.flush()
"""


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("senet", {}), ("tapnswap", {}), ("kuhn", {"hands": 3}), ("deepsea", {}),
        ("pommerman", {"mode": "radio"}),
    ],
)  # fmt: skip
def test_it_is_shown_every_step_and_no_secret_and_all_messages_fit_the_schema(
    id: str, options: dict[str, Any], recorder: Recorder
) -> None:
    game = make(id, **options)
    match: AnyMatch = Match(game, seed=7410258963, max_plies=40)
    agent = ExternalAgent(recorder.command)
    others = [make_agent("random", game) for _ in range(game.seats - 1)]
    play(match, [agent, *others])
    agent.close()
    to, back = validators()
    kinds = set()
    for line in recorder.lines():
        message = json.loads(line[2:])
        (to if line[0] == ">" else back).validate(message)
        kinds.add(message["type"])
    assert kinds == {"hello", "ready", "observe", "act", "action", "over", "quit"}
    seen = [line for line in recorder.told() if line["type"] == "observe"]
    assert [line["ply"] for line in seen] == list(range(match.ply + 1))
    assert seen[0]["step"] is None
    for shown in seen[1:]:
        before, step = match.state_at(shown["ply"] - 1), match.steps[shown["ply"] - 1]
        known = game.redact_step(before, step, 0)
        if step.is_chance:
            told = None if known.outcome is None else str(known.outcome)
            assert shown["step"] == {"chance": told}
        else:
            seen_of = {seat: str(action) for seat, action in known.joint.items()}
            assert shown["step"] == {str(seat): seen_of.get(seat) for seat in step.joint}
        assert shown["position"] == game.to_json(match.observe(0, shown["ply"]).state)
    assert str(match.seed) not in recorder.log.read_text()


def test_the_game_in_the_document_is_what_is_sent() -> None:
    text = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    lines = text.partition("```text\n")[2].partition("```")[0].splitlines()
    to, back = validators()
    for line in lines:
        (to if line[0] == ">" else back).validate(json.loads(line[2:]))
    game = make("kuhn")
    match: AnyMatch = Match(game, seed=1)
    sent = [protocol.hello(game, 1, 60.0, 2.0)]
    acted: list[Any] = []
    for step in ("deal Q", "deal K", "bet", "bet", ""):
        seconds = 2.0 if 1 in match.waiting_for else None
        sent.append(protocol.observe(game, match.observe_step(1), acted, seconds))
        acted = protocol.actors(game, match.state)
        if match.waiting_for == (-1,):
            match.submit_chance(game.parse_chance(match.state, step))
        elif step:
            seat = match.waiting_for[0]
            match.submit(seat, game.parse(match.state, seat, step))
    told = [line[2:] for line in lines if line[0] == ">"]
    assert told[: len(sent) - 1] == [line.decode().rstrip() for line in sent[:-1]]
    assert json.loads(told[-2])["returns"] == list(match.returns)


def test_undo_begins_the_game_anew_in_the_same_process(recorder: Recorder) -> None:
    setup = Setup("tapnswap", seats=("human", f"cmd:{recorder.command}"), seed=1)
    session = open_session(setup, Settings(save=False))
    try:
        for _ in range(2):
            session.submit(0, session.observe(0).legal[0])
            session.accept(session.request().result())
            session.undo()
            assert session.match.ply == 0
    finally:
        session.close()
    lines = recorder.told()
    told = [line.get("ply", line["type"]) for line in lines]
    assert told == ["hello", 0, 1, "act", "hello", 0, 1, "act", "over", "quit"]
    assert lines[-2]["reason"] == "left"
    assert lines[-2]["returns"] is None
