"""A disk that is full while a game is played: the game goes on, and nothing is lost silently.

The system itself refuses to write: the limit on the size of files is set from outside.
"""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from boardgames_cli.storage.reading import load_record, restore
from tests.e2e.screens import Terminal

resource = pytest.importorskip("resource")

pytestmark = [
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux has prlimit"),
]

SENET = ("play", "senet", "--vs", "random", "--seed", "3", "--pace", "instant")
PLAIN = (*SENET, "--plain")
NOT_SAVED = "This game is not being saved"
ASKED = "q leaves without saving:"


def fill_disk(terminal: Terminal) -> None:
    """From now on no file of the program can grow."""
    resource.prlimit(terminal.child.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def free_disk(terminal: Terminal) -> None:
    limits = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(terminal.child.pid, resource.RLIMIT_FSIZE, limits)


def answer(terminal: Terminal, text: str) -> None:
    """Type something in the place of what is suggested."""
    suggested = re.escape(str(Path.home() / "senet-1.jsonl"))
    terminal.wait_for(suggested)
    for keys, sign in (("\x15", f"(?s)^(?!.*{suggested})"), (text, re.escape(text[-9:]))):
        terminal.send(keys)
        terminal.wait_for(sign)
    terminal.send("\r")


def plies(path: Path) -> int:
    """How many steps a save holds, each of which was played again by the rules."""
    return restore(load_record(path)).ply


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "saves" / "senet-1.jsonl"


@pytest.fixture
def plain(tmp_path: Path) -> Terminal:
    """A game in lines of which a turn could not be saved."""
    terminal = Terminal(tmp_path, *PLAIN, size=(100, 60))
    terminal.wait_for(r"You>$")
    fill_disk(terminal)
    terminal.send("1\n")
    terminal.wait_for(r"You \(not saved\)>$")
    return terminal


@pytest.fixture
def screen(tmp_path: Path) -> Terminal:
    """A game on the screen of which a turn could not be saved."""
    terminal = Terminal(tmp_path, *SENET, size=(120, 40))
    terminal.wait_for("You threw")
    fill_disk(terminal)
    terminal.send("1")
    terminal.wait_for(" NOT SAVED ")
    return terminal


def test_plain_text_says_it_once_and_marks_every_question(plain: Terminal, save: Path) -> None:
    before = plies(save)
    for words in ("hint\n", "save\n", "1\n"):
        plain.send(words)
        plain.wait_for(r"You \(not saved\)>$")
        plain.pump(0.3)
    assert plain.raw.count(NOT_SAVED.encode()) == 1
    assert plies(save) == before
    free_disk(plain)
    plain.send("1\n")
    plain.wait_for("being saved again; nothing is missing")
    plain.wait_for(r"You>$")
    plain.send("q\n")
    assert plain.end() == 0
    assert plies(save) > before
    notes = [text for _, text in load_record(save).notes]
    assert [NOT_SAVED in text for text in notes].count(True) == 1


def test_plain_text_offers_another_place(plain: Terminal, save: Path, tmp_path: Path) -> None:
    before = plies(save)
    (tmp_path / "usb stick").mkdir()
    plain.send("q\n")
    plain.wait_for(ASKED)
    plain.send("usb stick\n")
    plain.wait_for(r"usb stick/senet-1\.jsonl can't be written \(File too large\)")
    plain.send("\n")
    plain.wait_for(rf"(?s){ASKED}.*{ASKED}.*{ASKED}")
    plain.send("q\n")
    assert plain.end() == 4
    assert b"Not saved: " in plain.raw
    assert b"boardgames resume senet-1" in plain.raw
    assert plies(save) == before


@pytest.mark.parametrize("front", ["plain", "screen"])
def test_a_signal_says_what_is_missing(request: pytest.FixtureRequest, front: str) -> None:
    terminal: Terminal = request.getfixturevalue(front)
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 4
    assert b"Not saved: " in terminal.raw.rpartition(b"\x1b[?1049l")[2]


def test_the_screen_says_it_as_long_as_it_lasts(screen: Terminal, save: Path) -> None:
    before = plies(save)
    for keys in ("i", "e", "e", "e", "u", "1", "1"):
        screen.send(keys)
        screen.pump(0.3)
        screen.wait_for(" NOT SAVED ")
    screen.send("\x1b")  # away with the messages: the reason is shown
    screen.wait_for(r"Not saved: .*\(File too large\)")
    assert plies(save) == before
    free_disk(screen)
    for _ in range(40):  # a key that comes before its turn is not taken
        screen.send("1")
        screen.pump(0.5)
        if "being saved again" in screen.text:
            break
    screen.wait_for("being saved again")
    assert "NOT SAVED" not in screen.text
    screen.send("q")
    screen.wait_for("Everything is saved as senet-1")
    screen.send("1")
    assert screen.end() == 0
    assert plies(save) > before


def test_the_screen_offers_another_place(screen: Terminal, save: Path, tmp_path: Path) -> None:
    before = plies(save)
    screen.send("q")
    screen.wait_for("Save it in another place")
    assert "Everything is saved" not in screen.text
    screen.send("1")
    screen.wait_for("in which folder or file")
    answer(screen, str(tmp_path / "elsewhere"))
    screen.wait_for(r"elsewhere\.jsonl")
    screen.send("2")  # try again, and the answer of the other place is gone
    screen.wait_for(r"^(?s:(?!.*elsewhere).*Save it in another place)")
    screen.send("1")
    screen.wait_for("in which folder or file")
    free_disk(screen)
    answer(screen, str(tmp_path / "elsewhere"))
    assert screen.end() == 0
    assert plies(tmp_path / "elsewhere.jsonl") > before
    assert b"elsewhere.jsonl" in screen.raw[screen.raw.rindex(b"\x1b[?1049l") :]


def test_leaving_the_screen_without_the_last_steps_is_no_success(screen: Terminal) -> None:
    screen.send("q")
    screen.wait_for("Leave without")
    screen.send("3")
    assert screen.end() == 4
    assert b"Not saved: " in screen.raw[screen.raw.rindex(b"\x1b[?1049l") :]


def test_late_agents_in_real_time_do_not_end_it(tmp_path: Path) -> None:
    terminal = Terminal(
        tmp_path, "play", "pommerman", "--mode", "duel", "--seed", "5", "--think", "0.01",
        "--tick", "0.2", "--vs", "hard", size=(120, 40),
    )  # fmt: skip
    terminal.wait_for(r"step ([2-9]|\d\d+) of 800")
    fill_disk(terminal)
    terminal.wait_for(" NOT SAVED ")
    for _ in range(30):
        terminal.pump()
    assert terminal.child.isalive()
    free_disk(terminal)
    terminal.wait_for("^(?!.* NOT SAVED )")
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143
