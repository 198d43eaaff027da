"""Control characters: what others wrote never speaks to the terminal.

Escape sequences, bells, backspaces and the like are put wherever text comes in from outside: names
of players, notes and headers of saves, names of files and folders, paths, typed lines, words of the
command line, variables, positions, texts of learned files, exceptions and summaries of agents. Then
every command that might show them is run, as lines through a pipe and on the full screen. What goes
to standard output and standard error is printable; what goes to the terminal of the full screen has
none of the sequences in it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.fuzzing import check_all
from tests.campaigns.inside import inside
from tests.campaigns.screen import on_screen, sent_to_terminal

TITLE, COLOUR, RAW_COLOUR = "\x1b]0;pwned\x07", "\x1b[31337m", "\x9b31337m"
HARMFUL = (TITLE, COLOUR, RAW_COLOUR, "\x07pwned", "\x08pwned", "\x1bPpwned\x1b\\", "\rpwned",
           "\x1b[2Jpwned", "\x85pwned", "\x7fpwned", "\u202epwned", "\u2028pwned")  # fmt: skip
ON = ("--plain", "--pace", "instant", "--think", "0.01")

Commands = list[tuple[str, ...]]
Place = Callable[[Path, str], Commands]
"""Puts a text somewhere in a folder, and says what to run then."""

PLACES: dict[str, Place] = {}


def place(function: Place) -> Place:
    """Register a place by the name of its function."""
    PLACES[function.__name__.replace("_", " ")] = function
    return function


def _save(folder: Path, name: str = "bad", notes: str = "", **header: Any) -> None:
    inside(folder, "play", "senet", "--vs", "random", "--seed", "1", lines=["1", "q"])
    first, *rest = (folder / "saves" / "senet-1.jsonl").read_text().splitlines()
    lines = [json.dumps(json.loads(first) | header), json.dumps({"note": notes, "ply": 0}), *rest]
    (folder / "saves" / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))


def _reading(name: str = "bad") -> Commands:
    return [
        ("saves",), ("saves", "--json"), ("saves", "show", name), ("replay", name, "--all"),
        ("replay", name, "--json"), ("resume", name, *ON), ("saves", "delete", name), (),
    ]  # fmt: skip


@place
def players_name(folder: Path, text: str) -> Commands:
    words = ("play", "senet", "-s", f"human:{text}", "--vs", "random", *ON)
    inside(folder, *words, lines=["1", "q"])
    return [words, *_reading("senet-1")]


@place
def note(folder: Path, text: str) -> Commands:
    _save(folder, notes=text)
    return _reading()


@place
def header(folder: Path, text: str) -> Commands:
    key = random.Random(text).choice(["seats", "program", "created", "game", "options", "start"])
    value: Any = {"seats": [f"human:name={text}", text], "options": {text: text}}.get(key, text)
    _save(folder, **{key: value})
    return _reading()


@place
def name_of_a_save(folder: Path, text: str) -> Commands:
    _save(folder, name=text)
    return _reading(text)


@place
def folder_of_saves(folder: Path, text: str) -> Commands:
    chosen = ("--save-dir", f"saves {text}")
    return [
        ("play", "senet", "--vs", "random", *ON, *chosen),
        ("saves", *chosen), ("resume", *ON, *chosen), ("doctor", *chosen), ("resume", "x", *chosen),
    ]  # fmt: skip


@place
def position(folder: Path, text: str) -> Commands:
    path = folder / f"{text}.json"
    path.write_text(json.dumps({text: text, "cones": [text], "player": text}))
    missing = ("play", "senet", "--position", f"no {text}")
    return [
        ("play", "senet", "--position", str(path)),
        missing,
        ("solve", "tapnswap", *missing[2:]),
    ]


@place
def words(folder: Path, text: str) -> Commands:
    return [
        (text,), ("play", text), ("play", "senet", f"--{text}"), ("play", "senet", "--seed", text),
        ("play", "senet", "--vs", text), ("rules", text), ("saves", "show", text),
        ("play", "senet", "--vs", f"greedy:{text}={text}"), ("train", "kuhn", "--variant", text),
        ("agents", "show", text), ("play", "senet", "--rules", text), ("list", text),
        ("watch", "kuhn", "--view-as", text),
        ("play", "senet", "--theme", text),
    ]  # fmt: skip


@place
def learned_files(folder: Path, text: str) -> Commands:
    table, strategy = str(folder / "t.jsonl"), str(folder / "s.json")
    inside(folder, "train", "kuhn", "--iterations", "3", "--out", strategy)
    learned = json.loads(Path(strategy).read_text())
    learned["about"] = {"command": text, text: text, "iterations": text, "curve": [{text: 1.0}]}
    Path(strategy).write_text(json.dumps(learned))
    Path(table).write_text(json.dumps({"boardgames q-table": 1, "game": text, text: text}) + "\n")
    return [
        ("agents", "show", f"cfr:file={strategy}"), ("agents", "show", f"q-table:file={table}"),
        ("watch", "kuhn", "-s", f"cfr:file={strategy}", "--vs", "rock", *ON),
        ("watch", "tapnswap", "-s", f"q-table:file={table}", *ON),
    ]  # fmt: skip


@pytest.mark.parametrize("where", PLACES)
def test_lines(campaign: Campaign, tmp_path: Path, where: str) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        text = "".join(here.rng.sample(HARMFUL, 3)).replace("/", "")
        commands = PLACES[where](folder, text)
        if campaign.size == "small":
            commands = here.rng.sample(commands, min(4, len(commands)))
        check_all(folder, *commands, lines=(text, "1", f"save {text}", "save kept", "q"))
        campaign.counts["commands"] += len(commands)

    campaign.each(1, 60, try_once)


AT_THE_SCREEN = ("players name", "note", "name of a save", "folder of saves")


@pytest.mark.parametrize("where", AT_THE_SCREEN)
def test_the_full_screen(campaign: Campaign, tmp_path: Path, where: str) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        text = "".join(here.rng.sample(HARMFUL, 4))
        commands = PLACES[where](folder, text)
        shown = [
            words for words in commands if words[:1] in (("play",), ("resume",), ("replay",), ())
        ]
        words = here.rng.choice(shown)
        words = tuple(word for word in words if word not in ("--plain", "--all", "--json"))

        async def steps(pilot: Pilot[Any]) -> None:
            for key in ("i", "1", "left_square_bracket", "question_mark", "escape", "q"):
                await pilot.pause(0.05)
                if pilot.app.is_running:
                    await pilot.press(key)

        outcome = on_screen(folder, *words, steps=steps)
        assert outcome.code in (0, 2, 4), outcome
        _check_sent(sent_to_terminal() + outcome.out + outcome.err)
        campaign.counts["screens"] += 1

    campaign.each(1, 30, try_once)


def _check_sent(sent: str) -> None:
    """None of the harmful sequences came through, though their letters may."""
    found = [sequence for sequence in HARMFUL if sequence in sent and sequence != "\rpwned"]
    assert not found, (found, sent[max(0, sent.index(found[0]) - 200) :][:600])
