"""Secrecy by non-interference: what a seat may not know does not change one byte of what it sees.

One round makes two games that differ only in what one seat may not know: the other's card, the
cards to come, what the fog and the walls hide, or what somebody has chosen for the step that is not
complete yet. The seat does the same in both. All that it can see must be the same to the byte: the
transcript of plain text; every screen with its title and the clipboard; the list of saves, the save
told, shown, replayed and resumed, as text and as JSON. (Only the file of a save holds secrets.)
Moments in time are left out of the comparison.
"""

from __future__ import annotations

import difflib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.screen import on_screen
from tests.campaigns.twins import KINDS, Twins
from tests.secrecy import timeless
from tests.tui.tables import shown

ON = ("--pace", "instant")


def compare(one: list[str], two: list[str]) -> None:
    """Both are the same; otherwise the difference is shown."""
    first, second = ([timeless(text) for text in texts] for texts in (one, two))
    if first != second:
        lines = [[line for text in texts for line in text.split("\n")] for texts in (first, second)]
        shown = list(difflib.unified_diff(lines[0], lines[1], lineterm="", n=1))
        raise AssertionError("what is hidden can be seen:\n" + "\n".join(shown[:60]))


def in_lines(folder: Path, twins: Twins, which: int) -> list[str]:
    """All that one of the two games tells as lines."""
    path = _set_up(folder, twins, which)
    play = ("play", *twins.words[which], "--position", path, *ON, "--no-color")
    commands = [
        ("saves",), ("saves", "--json"), ("saves", "show", twins.name),
        ("saves", "show", twins.name, "--json"), ("replay", twins.name), ("--plain",),
        ("replay", twins.name, "--boards"), ("replay", twins.name, "--json"),
    ]  # fmt: skip
    outcomes = [inside(folder, *play, lines=[*twins.lines, "q"])]
    outcomes += [inside(folder, *words, lines=["q"]) for words in commands]
    resume = ("resume", twins.name, *ON, "--plain")
    outcomes.append(
        inside(
            folder, *resume, lines=["board", "last", "score", "pos", "undo", "board", "redo", "q"]
        )
    )
    for outcome in outcomes:
        check_manners(outcome)
    assert outcomes[0].code == 0, outcomes[0]
    return [f"{outcome.code}\n{outcome.out}\n{outcome.err}" for outcome in outcomes]


def _set_up(folder: Path, twins: Twins, which: int) -> str:
    # The same folder for both, so that even its name is the same.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "position.json"
    path.write_text(json.dumps(twins.positions[which]))
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
def test_lines(campaign: Campaign, tmp_path: Path, kind: str) -> None:
    def try_once(here: Round) -> None:
        twins = KINDS[kind](here.rng)
        folder = tmp_path / "game"
        compare(in_lines(folder, twins, 0), in_lines(folder, twins, 1))
        campaign.counts["pairs"] += 1

    campaign.each(3, 400, try_once)


KEYS = ("i", "e", "left_square_bracket", "right_square_bracket", "L", "y", "question_mark",
        "escape", "f", "a", "tab", "b", "q", "escape", "ctrl+p", "escape")  # fmt: skip


def at_the_screen(folder: Path, twins: Twins, which: int, keys: list[str]) -> list[str]:
    """All that one of the two games shows on the screen."""
    path = _set_up(folder, twins, which)
    seen: list[str] = []

    async def steps(pilot: Pilot[Any]) -> None:
        for key in keys:
            if key in twins.lines:
                await pilot.press("colon", *(_key(letter) for letter in key), "enter")
            else:
                await pilot.press(key)
            screen, app = await _at_rest(pilot), pilot.app
            seen.append(f"after {key}: {app.title} {app.sub_title} {app.clipboard}\n{screen}")

    words = ("play", *twins.words[which], "--position", path, *ON)
    outcome = on_screen(folder, *words, steps=steps, BOARDGAMES_REDUCED_MOTION="1")
    check_manners(outcome, (0,))
    return [*seen, outcome.out, outcome.err]


def _key(letter: str) -> str:
    return {" ": "space", ">": "greater_than_sign"}.get(letter, letter)


async def _at_rest(pilot: Pilot[Any]) -> str:
    before, now = "", "\n".join(shown(pilot.app))
    for _ in range(200):
        await pilot.pause(0.05)
        before, now = now, "\n".join(shown(pilot.app))
        if before == now and "thinking" not in now:
            break
    return now


@pytest.mark.parametrize("kind", KINDS)
def test_the_full_screen(campaign: Campaign, tmp_path: Path, kind: str) -> None:
    def try_once(here: Round) -> None:
        twins = KINDS[kind](here.rng)
        moves = [line for line in twins.lines if line.isalpha() and len(line) > 2]
        keys = [
            key
            for move in moves
            for key in (*here.rng.sample(KEYS, campaign.amount(3, 8)), "escape", move)
            if key not in ("pos", "redo", "legend")
        ]
        folder = tmp_path / "game"
        one = at_the_screen(folder, twins, 0, keys)
        compare(one, at_the_screen(folder, twins, 1, keys))
        campaign.counts["pairs"] += 1

    campaign.each(1, 30, try_once)


def test_a_choice_for_a_step_that_is_not_complete(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        begin = ("play", "pommerman", "--mode", "duel", "-s", "human:Ann", "-s", "human:Ben")
        words = (*begin, "--seed", "7", "--plain", *ON)
        asked = [here.rng.choice(["board", "last", "score", "pos", "moves"]) for _ in range(3)]
        told = []
        for choice in here.rng.sample(["up", "down", "left", "right", "stop", "bomb"], 2):
            folder = tmp_path / "game"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            done = inside(folder, *words, lines=[choice, *asked, "q"])
            check_manners(done, (0,))
            replayed = inside(folder, "replay", "pommerman-1", "--json")
            told.append([done.out, replayed.out])
        compare(*told)
        campaign.counts["pairs"] += 1

    campaign.each(2, 100, try_once)
