"""The plain front end in a real terminal, and without one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.cli.main import VERBS
from tests.conftest import Program
from tests.e2e.screens import Terminal, environment

SENET = ("play", "senet", "--vs", "random", "--seed", "4799677", "--pace", "instant")


def pipe(
    folder: Path,
    *words: str,
    text: str | None = None,
    program: tuple[str, ...] = ("-m", "boardgames_cli"),
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program, *words],
        cwd=folder,
        env=environment(folder, **variables),
        input=text,
        stdin=None if text is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
        start_new_session=True,  # no terminal to fall back on
    )


def resumable(folder: Path) -> bool:
    return pipe(folder, "resume", text="q\n").returncode == 0


def test_dumb_terminal_gets_lines(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SENET, TERM="dumb")
    terminal.wait_for("You>$")
    terminal.send("1\n")
    terminal.wait_for(r"You 7>10\.")
    terminal.send("q\n")
    assert terminal.end() == 0
    assert b"\x1b" not in terminal.raw


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*SENET, "--no-color"), 0),
        (("--no-color", "--help"), 0),
        (("play", "senet", "--help", "--no-color"), 0),
        (("play", "sennet", "--no-color"), 2),
        (("play", "senet", "--bogus", "--no-color"), 2),
        (("doctor", "--no-color"), 0),
        (("--no-color",), 0),
    ],
)
def test_no_color_writes_no_escape_byte(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    terminal = Terminal(tmp_path, *words, COLORTERM="truecolor")
    if words[0] in ("play", "--no-color") and "--help" not in words and code == 0:
        terminal.wait_for(r"(You>|choice\?)$")
        terminal.send("q\n")
    assert terminal.end() == code
    assert terminal.raw
    assert b"\x1b" not in terminal.raw


SAMPLE = str(Path(__file__).parents[2] / "saves" / "sample-kuhn.jsonl")

COMMANDS: dict[str, tuple[str, ...]] = {
    "play": ("kuhn", "--no-save"),
    "learn": ("kuhn",),
    "watch": ("kuhn", "--no-save", "--pace", "instant"),
    "resume": (),
    "replay": (SAMPLE,),
    "review": (SAMPLE,),
    "saves": ("list",),
    "list": (),
    "agents": ("kuhn",),
    "rules": ("kuhn",),
    "train": ("tapnswap", "--episodes", "20", "--out", "model"),
    "tournament": ("kuhn", "-s", "random", "-s", "rock", "--games", "2", "--out", "run"),
    "solve": ("tapnswap",),
    "host": ("kuhn", "--port", "99999"),
    "join": ("nowhere",),
    "serve": ("--port", "99999"),
    "mcp": ("nobody",),  # without a mistake it would wait for a model
    "puzzle": ("kuhn",),
    "drill": ("kuhn",),
    "ladder": (),
    "stats": (),
    "new-game": ("three",),
    "config": ("show",),
    "doctor": (),
}
"""Every command in a form that ends by itself, or after ``q``."""


def test_the_table_of_commands_is_complete() -> None:
    assert COMMANDS.keys() == VERBS.keys()


@pytest.mark.parametrize("flag", ["-v", "--debug", "--no-color", "--plain"])
@pytest.mark.parametrize("verb", COMMANDS)
def test_flags_mean_the_same_before_and_after_the_command(
    program: Program,
    clean_environment: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    flag: str,
) -> None:
    rest = COMMANDS[verb]
    found = []
    for number, words in enumerate([(flag, verb, *rest), (verb, flag, *rest), (verb, *rest, flag)]):
        folder = clean_environment / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        for variable in ("BOARDGAMES_SAVES", "XDG_STATE_HOME", "XDG_DATA_HOME"):
            monkeypatch.setenv(variable, str(folder / variable))
        done = program(*words, lines=["q"])
        assert "\x1b" not in done.out + done.err
        reason = re.findall("^front end: .*", done.err, re.MULTILINE)
        found.append((done.code, reason, "Traceback" in done.err))
    assert found == [found[0]] * 3
    assert found[0][2] == (flag == "--debug" and found[0][0] != 0)


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
def test_help_and_mistakes_obey_the_environment(tmp_path: Path, variables: dict[str, Any]) -> None:
    for words in (("--help",), ("play", "sennet")):
        terminal = Terminal(tmp_path, *words, **variables)
        terminal.end()
        assert b"\x1b" not in terminal.raw


def test_help_has_bold_headings_in_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--help")
    assert terminal.end() == 0
    assert b"\x1b[1mFriends:\x1b[0m" in terminal.raw


def test_ctrl_z_stops_the_full_screen_as_a_job_of_a_shell_until_fg(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--norc", "-i", program=("bash",), PS1="shell: ")
    terminal.wait_for("shell:")
    terminal.send(f"{sys.executable} -m boardgames_cli {' '.join(SENET)}\n")
    for _ in range(2):
        terminal.wait_for("7>10 ")
        terminal.send("\x1a")
        terminal.wait_for("Stopped")
        terminal.screen.reset()
        terminal.send("fg\n")
    terminal.wait_for("7>10 ")
    terminal.send("q")
    terminal.wait_for("Leave the game")
    terminal.send("1")
    terminal.wait_for("shell:")
    terminal.send("echo code $?; exit\n")
    assert terminal.end() == 0
    assert b"code 0" in terminal.raw


def test_a_command_to_be_copied_is_not_broken(tmp_path: Path) -> None:
    folder = tmp_path / f"saves-{'x' * 60}"
    terminal = Terminal(tmp_path, *SENET, "--plain", "--save-dir", str(folder))
    terminal.wait_for("You>$")
    terminal.send("q\n")
    assert terminal.end() == 0
    assert f"boardgames resume senet-1 --save-dir {folder}\r\n".encode() in terminal.raw


def test_ctrl_c_while_an_agent_thinks(tmp_path: Path) -> None:
    words = ("play", "senet", "--vs", "expectimax:depth=30", "--think", "600", "--plain")
    terminal = Terminal(tmp_path, *words, "--seed", "4799677", "--pace", "instant")
    terminal.wait_for(r"is thinking\.")
    terminal.send("\x03")
    assert terminal.end() == 130
    assert b"Saved as senet-1" in terminal.raw
    assert b"Traceback" not in terminal.raw


def test_end_of_input_in_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *SENET, "--plain")
    terminal.wait_for("You>$")
    terminal.send("\x04")
    assert terminal.end() == 0
    assert b"End of input." in terminal.raw


def test_no_terminal_at_all(tmp_path: Path) -> None:
    done = pipe(tmp_path, *SENET)
    assert done.returncode == 0
    assert done.stdout.endswith("Go on with: boardgames resume senet-1\n")
    assert done.stderr == ""


def test_closed_streams(tmp_path: Path) -> None:
    program = f"'{sys.executable}' -m boardgames_cli {' '.join(SENET)}"
    for streams, code in (("<&-", 0), ("<&- >&-", 4), ("<&- 2>&-", 0)):
        done = subprocess.run(
            ["sh", "-c", f"{program} {streams}"],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == code, (streams, done)
        assert "Traceback" not in done.stderr
