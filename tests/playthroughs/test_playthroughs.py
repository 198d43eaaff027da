"""Whole recorded games, replayed line by line through the rules.

The files are saves, readable in a diff. A change here means that recorded games go differently
than before: then the game's ``rules_version`` must be raised. Those in ``older`` were played with
other random numbers for the same seeds, twice over: a save holds what happened, and needs no
generator.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import Match
from boardgames_cli.core.record import digest, lines_after, read_lines
from boardgames_cli.registry import game_ids, make
from boardgames_cli.storage.reading import load_record
from boardgames_cli.testing.scene import one_step

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
OLDER = sorted(FOLDER.glob("older/**/*.jsonl"))


def make_of(path: Path) -> AnyGame:
    header = load_record(path).header
    return make(header.game, **dict(header.options))


@pytest.mark.parametrize("path", FILES + OLDER, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_line_is_what_the_rules_say(path: Path) -> None:
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    described = json.loads(header)
    game = make(described["game"], **described["options"])
    match = Match(game, seed=described["seed"])
    for number, line in enumerate(lines, start=2):
        where = f"{path.name}, line {number}: {line}"
        data = json.loads(line)
        if "digest" in data:
            assert (data["ply"], data["digest"]) == (match.ply, digest(game, match.state)), where
            continue
        if "result" in data:
            assert data["result"] == list(match.returns), where
            assert (match.is_over, number) == (True, len(lines) + 1), where
            continue
        if match.waiting_for == (CHANCE,) and path in FILES:
            # Replays need no generator, but the seed must still give the same throws.
            drawn = game.sample_chance(match.state, match.rng("chance"))
            assert data == {"chance": str(drawn)}, where
        for key, text in data.items():
            if key == "chance":
                match.submit_chance(game.parse_chance(match.state, text))
            else:
                match.submit(int(key), game.parse(match.state, int(key), text))
    assert match.is_over


@pytest.mark.parametrize("path", FILES + OLDER, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_record_is_read_and_written_the_same(path: Path) -> None:
    record = load_record(path)
    match = record.restore(make_of(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [record.header.line(), *lines_after(match, 0)] == lines
    assert read_lines(f"{line}\n" for line in lines) == record


@pytest.mark.parametrize("path", OLDER, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_older_games_are_those_of_other_luck(path: Path) -> None:
    """Else they would test nothing that the others don't."""
    match = load_record(path).restore(make_of(path))
    again = Match(match.game, seed=match.seed)
    while again.waiting_for:
        one_step(again)
    assert again.steps != match.steps


def test_no_game_lacks_a_playthrough() -> None:
    assert {load_record(path).header.game for path in FILES} == set(game_ids())
