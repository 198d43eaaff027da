"""Small files that all games share: what two programs write at once is all there in the end.

Each round starts two real processes at nearly the same moment that write the same file: results of
games, the progress in puzzles, the forms of the menu, the review of one save. They are typed into
by turns. Each must end well, and whatever each has written must be there afterwards.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from boardgames_cli.storage.played_games import PlayedGame, ResultsFile
from boardgames_cli.storage.practice import read_progress
from boardgames_cli.storage.preferences import PreferencesFile
from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.processes import PROGRAM, QUIETLY, Piped
from tests.conftest import Outcome

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

FORMS = """
import sys
from pathlib import Path
from boardgames_cli.storage.preferences import PreferencesFile
for line in sys.stdin:
    PreferencesFile(Path(sys.argv[1])).remember(forms={line.strip(): {"hands": "3"}})
"""
LINE = PlayedGame("0", "kuhn", "2026-11-23", (0,), ("Cy", "Di"), (1.0, -1.0)).line().encode()


@dataclass
class Writer:
    """One of the programs.

    Args:
        words: Its command line.
        lines: What is typed.
        program: What is started instead of the program.
    """

    words: tuple[str, ...]
    lines: list[str]
    program: tuple[str, ...] = PROGRAM


def run_together(folder: Path, rng: random.Random, *writers: Writer) -> list[Outcome]:
    """Run programs at once, each in a folder of its own, with the files of one person."""
    shared = {"XDG_DATA_HOME": f"{folder}/data", "BOARDGAMES_SAVES": f"{folder}/saves"}
    running = []
    for number, writer in enumerate(writers):
        own = folder / str(number)
        own.mkdir()
        running.append(Piped(own, *writer.words, program=writer.program, **shared))
        time.sleep(rng.choice([0.0, 0.0, 0.01, 0.1]))
    waiting = [list(writer.lines) for writer in writers]
    while any(waiting):
        number = rng.choice([number for number, lines in enumerate(waiting) if lines])
        running[number].send(waiting[number].pop(0) + "\n")
        time.sleep(rng.choice([0.0, 0.0, 0.002, 0.02]))
    ended = []
    for process in running:
        process.close_input()
        code = process.end()
        ended.append(Outcome(code, process.raw.decode(), process.errors))
        check_manners(ended[-1], (0,))
    return ended


def made(tmp_path: Path, here: Round) -> Path:
    """The folder of a round."""
    folder = tmp_path / str(here.index)
    folder.mkdir()
    return folder


def test_puzzles(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder, rng = made(tmp_path, here), here.rng
        games = rng.sample(["senet", "tapnswap", "kuhn", "deepsea"], 2)
        counts = [rng.randrange(1, 5) for _ in games]
        writers = [
            Writer(("puzzle", game, "--plain"), ["a", "n"] * count + ["q"])
            for game, count in zip(games, counts, strict=True)
        ]
        run_together(folder, rng, *writers)
        solved = read_progress(folder / "data/boardgames/puzzles.json").solved
        for game, count in zip(games, counts, strict=True):
            assert sum(id.startswith(f"{game}-") for id in solved) == count, (game, solved)
        campaign.counts["puzzles"] += len(solved)

    campaign.each(2, 300, try_once)


def test_results(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder, rng = made(tmp_path, here), here.rng
        results = ResultsFile(folder / "data/boardgames/results.jsonl")
        torn = LINE[: rng.randrange(len(LINE) - 1)]
        results.path.parent.mkdir(parents=True)
        results.path.write_bytes(torn)
        play = ("play", "kuhn", "--hands", "1", "--vs", "random", *QUIETLY, "-s")
        people = ("Ann", "Ben")
        writers = [Writer((*play, f"human:{name}"), ["1"] * 4) for name in people]
        run_together(folder, rng, *writers)
        games, unreadable = results.read()
        assert sorted(game.names[game.people[0]] for game in games) == [*people]
        assert unreadable == (len(torn) > 0)
        campaign.counts["results"] += len(games)

    campaign.each(2, 300, try_once)


def test_forms(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder, rng = made(tmp_path, here), here.rng
        path = folder / "config.toml"
        text = rng.choice(["", 'forms.kuhn.hands = "5"\n', '[forms]\nkuhn.hands = "5" # five\n'])
        path.write_text(text)
        names = [[f"{who}{at}" for at in range(rng.randrange(1, 12))] for who in "xy"]
        program = (sys.executable, "-c", FORMS, str(path))
        run_together(folder, rng, *(Writer((), lines, program) for lines in names))
        forms = PreferencesFile(path).read().forms
        assert forms.keys() - {"kuhn"} == {*names[0], *names[1]}
        assert ("kuhn" in forms) == bool(text)
        campaign.counts["forms"] += len(forms)

    campaign.each(2, 300, try_once)


def test_reviews(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder, rng = made(tmp_path, here), here.rng
        words = ("watch", "kuhn", "-s", "maniac", "-s", "rock", "--hands", "9", *QUIETLY)
        check_manners(inside(folder, *words, "--seed", str(here.index)), (0,))
        file = folder / "saves" / "kuhn-1.review.json"
        if rng.random() < 0.5:
            file.write_bytes(rng.randbytes(100))
        writer = Writer(("review", "kuhn-1"), [])
        first, second = run_together(folder, rng, writer, writer)
        assert first.out == second.out
        again = inside(folder, "review", "kuhn-1")
        check_manners(again, (0,))
        assert (again.out, again.err) == (first.out, "")
        assert [path.name for path in file.parent.glob("*review*")] == [file.name]

    campaign.each(2, 300, try_once)
