from __future__ import annotations

from dataclasses import replace

import pytest

from boardgames_cli.cli.frontend import Front, TerminalInfo, choose, may_color
from boardgames_cli.cli.open_table import default_glyphs
from boardgames_cli.core.text import Glyphs

TERMINAL = TerminalInfo(True, True, {"TERM": "xterm-256color"}, (80, 24))
PIPED = replace(TERMINAL, stdin_is_terminal=False)
SENT = replace(TERMINAL, stdout_is_terminal=False)


def within(place: TerminalInfo, **variables: str) -> TerminalInfo:
    return replace(place, environment={**place.environment, **variables})


@pytest.mark.parametrize(
    ("place", "flags", "front", "reason"),
    [
        (TERMINAL, {}, Front.TUI, "terminal"),
        (TERMINAL, {"json": True, "plain": True}, Front.JSON, "--json"),
        (TERMINAL, {"plain": True}, Front.PLAIN, "--plain"),
        (TERMINAL, {"no_color": True}, Front.PLAIN, "--no-color"),
        (within(PIPED, TEXTUAL_DRIVER="web"), {}, Front.TUI, "TEXTUAL_DRIVER"),
        (within(PIPED, TEXTUAL_DRIVER="web"), {"no_color": True}, Front.PLAIN, "--no-color"),
        (PIPED, {}, Front.PLAIN, "input"),
        (SENT, {}, Front.PLAIN, "output"),
        (within(TERMINAL, TERM="dumb"), {}, Front.PLAIN, "dumb"),
        (within(TERMINAL, TERM=""), {}, Front.PLAIN, "not set"),
        (replace(TERMINAL, environment={}), {}, Front.PLAIN, "not set"),
        (replace(TERMINAL, environment={}, is_posix=False), {}, Front.TUI, "terminal"),
        (replace(TERMINAL, size=(59, 24)), {}, Front.TUI, "59x24"),
        (within(TERMINAL, NO_COLOR="1"), {}, Front.TUI, "NO_COLOR"),
        (within(TERMINAL, NO_COLOR=""), {}, Front.TUI, "this is a terminal"),
    ],
)
def test_first_condition_that_holds_decides(
    place: TerminalInfo, flags: dict[str, bool], front: Front, reason: str
) -> None:
    chosen, why = choose(place, **{"json": False, "plain": False, "no_color": False, **flags})
    assert chosen is front
    assert reason in why


def test_bold_type_needs_a_terminal_that_wants_it() -> None:
    assert may_color(TERMINAL, no_color=False)
    assert not may_color(TERMINAL, no_color=True)
    assert not may_color(within(TERMINAL, NO_COLOR="1"), no_color=False)
    assert not may_color(within(TERMINAL, TERM="dumb"), no_color=False)
    assert not may_color(SENT, no_color=False)
    assert may_color(within(SENT, FORCE_COLOR="1"), no_color=False)
    assert not may_color(within(SENT, FORCE_COLOR="1", NO_COLOR="1"), no_color=False)


@pytest.mark.parametrize(
    ("front", "encoding", "term", "glyphs"),
    [
        (Front.TUI, "utf-8", "xterm", Glyphs.UNICODE),
        (Front.TUI, "UTF8", "tmux", Glyphs.UNICODE),
        (Front.TUI, "ascii", "xterm", Glyphs.ASCII),
        (Front.TUI, "utf-8", "linux", Glyphs.ASCII),
        (Front.PLAIN, "utf-8", "xterm", Glyphs.ASCII),
    ],
)
def test_signs_that_can_surely_be_shown(
    front: Front, encoding: str, term: str, glyphs: Glyphs
) -> None:
    assert default_glyphs(front, encoding, term) is glyphs
