"""Whole recorded games, replayed line by line through the rules.

The files are saves, readable in a diff. A change here means that recorded games go differently
than before: then the game's ``rules_version`` must be raised.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.core.record import digest, lines_after, read_lines
from boardgames_cli.registry import game_ids, make
from boardgames_cli.storage.store import load_record

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
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
        if match.waiting_for == (CHANCE,):
            # Replays need no generator, but the seed must still give the same throws.
            drawn = game.sample_chance(match.state, match.rng("chance"))
            assert data == {"chance": str(drawn)}, where
        for key, text in data.items():
            seat = CHANCE if key == "chance" else int(key)
            match.submit(seat, game.parse(match.state, seat, text))
    assert match.is_over


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_record_is_read_and_written_the_same(path: Path) -> None:
    record = load_record(path)
    match = record.restore(make(record.header.game, **dict(record.header.options)))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [record.header.line(), *lines_after(match, 0)] == lines
    assert read_lines(f"{line}\n" for line in lines) == record


def test_no_game_lacks_a_playthrough() -> None:
    assert {load_record(path).header.game for path in FILES} == set(game_ids())
