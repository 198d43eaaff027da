"""Puzzles: what is bundled is right, what is mined is clear, what is damaged is refused."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.game import AnyGame
from boardgames_cli.evaluation import mining
from boardgames_cli.evaluation.mining import CLEAR_SHARE, Miner, level_of
from boardgames_cli.evaluation.puzzles import (
    LEVELS,
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    games_with_puzzles,
    puzzle_of_the_day,
    read_puzzles,
    write_puzzles,
)
from boardgames_cli.registry import find_game, make, make_agent, spec_of

EXACT = ("kuhn", "tapnswap")
"""Games whose analysts know everything, and at once."""


def mined(game: str, count: int, seed: int = 1) -> list[Puzzle]:
    return list(itertools.islice(Miner(make(game), seed).mine(), count))


BY_HEURISTIC = dataclasses.replace(find_game("tapnswap"), analyst="")
TOO_EASY = dataclasses.replace(find_game("tapnswap"), beginner="perfect")
FOR_THE_CLUELESS = dataclasses.replace(find_game("tapnswap"), beginner="random")


def test_puzzles_are_found_where_there_is_only_a_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "tapnswap", f"{__name__}:BY_HEURISTIC")
    analyst_for.cache_clear()
    try:
        (puzzle,) = mined("tapnswap", 1)
    finally:
        analyst_for.cache_clear()
    assert puzzle.method == "estimate: the game's heuristic, one decision further"


@pytest.mark.parametrize("game", games_with_puzzles())
def test_bundled_puzzles_fit_the_rules(game: str) -> None:
    puzzles = bundled_puzzles(game)
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        rulebook = puzzle.rulebook()
        seen = puzzle.observation(rulebook)
        assert (seen.seat, puzzle.game) == (puzzle.seat, game)
        assert rulebook.to_json(seen.state) == puzzle.position
        assert puzzle.losses
        assert not {*puzzle.right} & puzzle.losses.keys()


@pytest.mark.parametrize("game", EXACT)
def test_bundled_answers_are_the_best(game: str) -> None:
    for puzzle in bundled_puzzles(game):
        rulebook = puzzle.rulebook()
        analyst = analyst_for(rulebook)
        if puzzle.share_of:
            continue
        judged = analyst.judge(puzzle.observation(rulebook))
        assert str(judged.best.action) == puzzle.answer
        assert analyst.scale.share(judged.choices[1].loss) >= CLEAR_SHARE
        assert puzzle.method.startswith("exact: ")


def test_senets_answers_are_the_best_beyond_the_error_and_not_a_beginners() -> None:
    puzzles = bundled_puzzles("senet")
    assert len(puzzles) >= 100
    assert {puzzle.options["rules"] for puzzle in puzzles} == {"kendall", "skyruk"}
    assert {puzzle.method.partition(":")[0] for puzzle in puzzles} == {"exact", "estimate"}
    assert sum(len(puzzle.choices) > 2 for puzzle in puzzles) >= 30, "two are half guessed"
    for puzzle in puzzles:
        rulebook = puzzle.rulebook()
        analyst, seen = analyst_for(rulebook), puzzle.observation(rulebook)
        judged = analyst.judge(seen)
        assert str(judged.best.action) == puzzle.answer
        second = judged.choices[1]
        assert analyst.scale.mark(second.loss, second.loss_error) is not Mark.GOOD
        assert judged.method.is_exact is puzzle.method.startswith("exact: ")
        beginner = make_agent(spec_of(rulebook).beginner, rulebook)
        beginner.reset(rulebook, puzzle.seat)
        lucks = [Thinking(random.Random(luck)) for luck in range(9)]
        found = [str(beginner.act(seen, luck)) == puzzle.answer for luck in lucks]
        assert sum(found) <= 7, "at most it is as good as another for them"


def test_what_beginners_find_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("tapnswap")
    seen = bundled_puzzles("tapnswap")[0].observation(game)
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "tapnswap", f"{__name__}:TOO_EASY")
    assert Miner(game, 1).puzzle_at(seen) is None, "they find everything"
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "tapnswap", f"{__name__}:FOR_THE_CLUELESS")
    assert Miner(game, 1).puzzle_at(seen) is not None


@pytest.mark.slow
def test_mirror_images_of_a_solved_position_come_last() -> None:
    def same_for_all_mirrors(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
        hands, player = puzzle.position["hands"], puzzle.position["player"]
        return tuple(tuple(sorted(hands[seat])) for seat in (player, 1 - player))

    puzzles = mined("tapnswap", 100)
    positions = [same_for_all_mirrors(puzzle) for puzzle in puzzles]
    assert len(positions) > 3 * len(set(positions)), "most are mirror images"
    assert len(set(positions[:15])) == 15
    assert puzzles == bundled_puzzles("tapnswap")


def test_a_game_with_two_choices_only_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "_MOST_WAITING", 1)
    alike = [(str(number), puzzle) for number, puzzle in enumerate(bundled_puzzles("deepsea"))]
    looked_at = iter(alike)
    monkeypatch.setattr(Miner, "_candidates", lambda _: looked_at)
    first = list(itertools.islice(Miner(make("deepsea"), 1).mine(), 20))
    assert len(first) == 20
    assert next(looked_at)[0] == "21", "one is waiting, and all others came as they were found"


def test_a_wider_gap_leaves_fewer_and_numbers_go_on() -> None:
    game = make("deepsea", players=2, rounds=1)
    least = 0.15 * analyst_for(game).scale.size

    def losses(puzzle: Puzzle) -> list[float]:
        return [float(loss.split()[0]) for loss in puzzle.losses.values()]

    assert any(min(losses(puzzle)) < least for puzzle in found(game, 0.1, 3))
    wide = found(game, 0.15, 3)
    assert [puzzle.id for puzzle in wide] == ["deepsea-8", "deepsea-9", "deepsea-10"]
    for puzzle in wide:
        assert min(losses(puzzle)) >= round(least, 2)


def found(game: AnyGame, gap: float, count: int) -> list[Puzzle]:
    return list(itertools.islice(Miner(game, 1, gap, 8).mine(), count))


def test_mining_is_repeatable_with_a_seed_and_reads_back(tmp_path: Path) -> None:
    puzzles = mined("tapnswap", 3)
    assert puzzles == mined("tapnswap", 3) != mined("tapnswap", 3, seed=1000)
    file = tmp_path / "puzzles.json"
    file.write_text(write_puzzles(puzzles))
    assert read_puzzles(file) == puzzles


@pytest.mark.parametrize("game", games_with_puzzles())
def test_the_puzzle_of_a_day_is_one_that_a_person_can_solve(game: str) -> None:
    puzzles = bundled_puzzles(game)
    assert any(one.is_humane for one in puzzles)
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(number) for number in range(200)]
    chosen = [puzzle_of_the_day(puzzles, day) for day in days]
    assert chosen == [puzzle_of_the_day(puzzles, day) for day in days]
    assert len({puzzle.id for puzzle in chosen}) >= 5, "they change"
    for puzzle in chosen:
        assert puzzle.level < 3
        assert not re.search(r"win in (1[2-9]|[2-9]\d)", puzzle.task)


def damaged(**changes: Any) -> str:
    puzzle = next(
        one for one in bundled_puzzles("kuhn") if "share_of" in changes or not one.share_of
    )
    fields = dataclasses.asdict(puzzle) | changes
    return json.dumps({"format": 1, "puzzles": [fields]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "is not a file of puzzles of format 1"),
        ('{"format": 2, "puzzles": []}', "is not a file of puzzles of format 1"),
        ('{"format": 1, "puzzles": []}', "has no puzzles"),
        ('{"format": 1, "puzzles": [3]}', "puzzle 1 is 3.*It has: id, game"),
        (damaged(level=9), "level is 9.*from 1 to 3"),
        (damaged(found={"easy": 2}), "found holds something that is no share"),
        ("{", "is not JSON"),
    ],
)
def test_what_is_no_file_of_puzzles_is_refused(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(text)
    with pytest.raises(PuzzleError, match=message):
        read_puzzles(file)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": {"x": 1}}, "can't be shown"),
        ({"answer": "raise"}, "doesn't fit the rules of this version"),
        ({"share_of": "raise"}, "doesn't fit the rules of this version"),
        ({"game": "chess"}, "kuhn-\\d+ can't be shown: unknown game"),
        ({"options": {"hands": -1}}, "can't be shown: hands can't be -1"),
        ({"options": {"id": 1}}, "can't be shown: unknown kuhn option"),
    ],
)
def test_a_puzzle_that_fits_no_rules_says_so(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(damaged(**changes))
    (puzzle,) = read_puzzles(file)
    with pytest.raises(PuzzleError, match=message):
        puzzle.observation(puzzle.rulebook())


@pytest.mark.parametrize("game", games_with_puzzles())
def test_difficulty_follows_from_how_often_the_levels_find_it(game: str) -> None:
    names = ["random", *find_game(game).levels]
    for puzzle in bundled_puzzles(game):
        if puzzle.share_of:
            assert not puzzle.found, "who plays one choice answers no question for a share"
            continue
        assert list(puzzle.found) == names
        found = [puzzle.found[level] >= 0.5 for level in ("easy", "medium")]
        assert puzzle.level == (found.index(True) + 1 if any(found) else 3)
        assert puzzle.is_humane <= (puzzle.found["medium"] >= 0.5 or puzzle.level == 1)


def test_what_was_found_is_measured_and_old_files_have_none(tmp_path: Path) -> None:
    puzzle = bundled_puzzles("tapnswap")[0]
    game = puzzle.rulebook()
    shares = Miner(game, 1).finders(puzzle.observation(game), puzzle.answer)
    assert (shares, level_of(shares)) == (puzzle.found, puzzle.level)
    fields = dataclasses.asdict(puzzle)
    del fields["found"]
    file = tmp_path / "old.json"
    file.write_text(json.dumps({"format": 1, "puzzles": [fields]}))
    (old,) = read_puzzles(file)
    assert (old.found, old.finders) == ({}, "")


LEVELS_TOLD = ("random", "easy", "medium", "hard", "perfect")


def test_the_document_tells_what_is_in_the_bundled_files() -> None:
    text = (Path(__file__).parents[2] / "docs/puzzles.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    for id in registry.BUILT_IN_GAMES:
        puzzles, name = bundled_puzzles(id), find_game(id).info.name
        (found, listed) = [row for row in rows if row[0].partition(" (")[0].startswith(name)]
        asked = [puzzle.found for puzzle in puzzles if puzzle.found]
        told = [level for level in LEVELS_TOLD if level in asked[0]]
        means = [sum(one[level] for one in asked) / len(asked) for level in told]
        shares = [int(share) for share in re.findall(r"(\d+) %(?= \||$)", " | ".join(found[1:]))]
        assert shares == [round(100 * mean) for mean in means], name
        assert listed[1].startswith(str(len(puzzles))), name
        for number, level in re.findall(r"(\d+) (easy|medium|hard)\b", listed[1]):
            assert int(number) == sum(LEVELS[one.level] == level for one in puzzles), (name, level)
