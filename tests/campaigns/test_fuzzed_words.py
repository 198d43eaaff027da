"""Fuzzed words: typed lines and command lines of every kind are answered, and nothing breaks.

Typed lines are made of moves, numbers, commands, and what nobody should type: control characters,
very long words, other alphabets, numbers of other scripts, half-finished commands; many of them are
typed into one game. Command lines are made of the program's own words and options with extreme
values, in any order, and of its environment variables. All run in this process and must end
within the limit, with exit code 0, 2, 4 or 5, without a traceback, an internal error or a control
character.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.campaigns.campaign import Campaign
from tests.campaigns.fuzzing import check_clean, search
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.mutations import texts

GAMES = {
    "senet": ("senet", "--vs", "random"),
    "tapnswap": ("tapnswap", "-s", "human", "-s", "human:Ben"),
    "kuhn": ("kuhn", "--vs", "maniac", "--hands", "20"),
    "deepsea": ("deepsea", "--vs", "grabber", "--drop", "choose"),
    "pommerman": ("pommerman", "-s", "human", "--vs", "random", "--mode", "radio"),
}
COMMANDS = (
    "board", "b", "moves", "m", "last", "l", "score", "w", "undo", "u", "redo", "rules",
    "legend", "pos", "save", "help", "?", "h", "danger", "odds",
)  # fmt: skip
MOVES = (
    "1", "2", "3", "7>10", "10>off", "pass", "tap L>R", "swap 4-1", "swap 0-2", "check", "bet",
    "fold", "call", "dive", "return", "take", "leave", "drop", "drop 1", "up", "stop", "bomb",
    "up 3 7", "l 3 7", "up 9 9", "0", "-1", "99999999999999999999", "1.0", "1e3", "٣", "①", "²",
)  # fmt: skip
ODD = (
    "", " ", "\t", "\x1b", "\x1b[A", "\x00", "\x03", "\x7f", "x" * 3000, "1" * 400, "save \x1b[2J",
    "save ../x", "save /tmp/x", "save .", "save " + "n" * 300, "save CON", "save kept", "save -rf",
    ":quit now", "undo undo", "pos pos", "?" * 50, "\u202e", "\ud7ff", "\ufeff1", "ﬁ", "İ", "ß",
    "tap L>" + ">" * 500, "tap", "swap", "drop -1", "drop 1 2 3", ">", "7>", ">7", "7>7", "'", '"',
    "%s", "{0}", "{}", "\\", "[red]", "[/]", "`id`", "$(id)", "\r", "\x85", "\u2028", "nan",
)  # fmt: skip
words = st.sampled_from(MOVES) | st.sampled_from(COMMANDS) | st.sampled_from(ODD) | texts
typed = words | st.lists(words, min_size=2, max_size=3).map(" ".join)
LINES = 30
"""Lines typed into one game; each counts as an input."""


@pytest.mark.parametrize("game", GAMES)
def test_typed_lines(campaign: Campaign, tmp_path: Path, game: str) -> None:
    start = ("play", *GAMES[game], "--seed", "5", "--plain", "--pace", "instant")

    def check(lines: list[str]) -> None:
        campaign.counts["inputs"] += len(lines) - 1
        for path in (tmp_path / "saves").glob("*"):
            path.unlink()
        single = [line for line in lines if "\n" not in line]
        outcome = inside(tmp_path, *start, lines=[*single, "quit"])
        check_manners(outcome, (0,))
        check_clean(outcome)
        outcome = inside(tmp_path, "saves", "show", f"{game}-1")
        check_manners(outcome, (0,))

    search(campaign, 4, 300, st.lists(typed, min_size=LINES, max_size=LINES), check)


VERBS = (
    "play", "watch", "resume", "replay", "saves", "saves show", "saves delete", "saves list",
    "list", "agents", "agents show", "rules", "train", "solve", "doctor", "", "sennet",
    "play senet", "play kuhn", "play pommerman", "play deepsea", "play tapnswap", "watch kuhn",
    "watch tapnswap", "watch senet", "train tapnswap", "train kuhn",
    "solve tapnswap", "solve kuhn", "puzzle senet", "agents senet", "rules kuhn", "agents show cfr",
)  # fmt: skip
FLAGS = (
    "--plain", "--json", "--no-color", "--debug", "--help", "-v", "--verbose", "--version", "--yes",
    "--shared-screen", "--no-save", "--boards", "--all", "--force",
    "--", "--collapse", "--stacks", "-h", "--resume", "--help-all", "-",
)  # fmt: skip
OPTIONS = (
    "--seed", "--position", "--max-plies", "-s", "--seat", "--vs", "--level", "--pace", "--think",
    "--save-dir", "--view-as", "--tick", "--rules", "--pieces",
    "--hands", "--first", "--players", "--rounds", "--oxygen", "--mode", "--view", "--steps",
    "--items", "--strength", "--opponent", "--rate", "--discount", "--epsilon", "--variant",
)  # fmt: skip
# Numbers that ask for much work, such as a million games, are no faults: those options are bounded.
BOUNDED = ("--episodes", "--iterations")
VALUES = (
    "", "0", "1", "-1", "2", "nan", "inf", "-inf", "1e999", "1e-9", "9" * 400, "0x10", "1_000", "١",
    "senet", "human", "human:Ann", "human:name=", "human:name=\x1b[2J", "human:a=b", "ai", "ai:",
    "ai:level=easy", "random", "random:x=1", "expectimax:depth=-1", "expectimax:depth=nan",
    "greedy:slips=nan", "greedy:slips=inf", "greedy:slips=2", "q-table:file=", "q-table:file=.",
    "q-table:temperature=nan", "cfr:file=/nonexistent", "cfr:file=.", "best-response:to=",
    "best-response:to=best-response", "equilibrium:alpha=nan", "equilibrium:alpha=9", ":", "=", ",",
    "a:b:c", "human:" + "n" * 5000, "p" * 5000, "/dev/null", "/dev/zero", ".", "..", "\x1b[2J",
    "\udcff", "\x00", "é", "😀", "\u202e", "all", "public", "instant", "step", "dark", "ascii",
    "easy", "perfect", "on", "off", "True", "None", "senet-1", "../senet-1", "[red]", "self,random",
    "self," * 30, "%s", "{}", "-5", "--", "kendall", "duel", "radio", "cfr+", "choose",
)  # fmt: skip
ENVIRONMENT = (
    "BOARDGAMES_PACE", "BOARDGAMES_THINK", "BOARDGAMES_THEME", "BOARDGAMES_GLYPHS", "NO_COLOR",
    "BOARDGAMES_SAVES", "BOARDGAMES_REDUCED_MOTION", "COLUMNS", "LINES", "TERM", "LANG",
)  # fmt: skip
# Nothing is written outside of the folder of the test.
values = (
    st.sampled_from(VALUES)
    | texts.filter(lambda text: text[:1] not in "/~")
    | st.integers(-(10**6), 10**12).map(str)
    | st.floats().map(str)
)
pieces = (
    st.sampled_from(FLAGS).map(lambda flag: (flag,))
    | st.tuples(st.sampled_from(OPTIONS), values)
    | st.tuples(st.sampled_from(BOUNDED), st.sampled_from(["-1", "0", "3", "nan", "x"]))
    | values.map(lambda value: (value,))
)
QUICKLY = {"BOARDGAMES_THINK": "0.01", "BOARDGAMES_PACE": "instant"}


def test_command_lines(campaign: Campaign, tmp_path: Path) -> None:
    inside(tmp_path, "play", "senet", "--vs", "random", lines=["1", "q"])
    lines = st.tuples(
        st.sampled_from(VERBS),
        st.lists(pieces, max_size=4),
        st.dictionaries(st.sampled_from(ENVIRONMENT), values, max_size=1),
    )

    def check(given: tuple[str, list[tuple[str, ...]], dict[str, str]]) -> None:
        verb, rest, changes = given
        variables: dict[str, Any] = {**QUICKLY, **changes}
        line = [*verb.split(), *(word for piece in rest for word in piece)]
        if verb.split()[:1] in (["play"], ["watch"]) and len(verb.split()) > 1:
            line[2:2] = ["--max-plies", "6"]
        if verb.startswith("train"):
            line += ["--episodes" if "kuhn" not in verb else "--iterations", "3", "--force"]
        if any("\x00" in word for word in [*line, *changes.values()]):
            return  # no system lets one through
        outcome = inside(tmp_path, *line, lines=["1", "q", "n"], **variables)
        if "--debug" in line:
            assert outcome.code in (0, 2, 4, 5), outcome
        else:
            check_manners(outcome)
            check_clean(outcome)

    search(campaign, 60, 15000, lines, check)
