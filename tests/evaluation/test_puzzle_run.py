"""Puzzles one after the other: what counts as solved, and which comes when."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.options import option_values
from boardgames_cli.evaluation.puzzle_run import AskedPuzzle, PuzzleRun, Stage, as_data, question_of
from boardgames_cli.evaluation.puzzles import (
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    puzzle_of_the_day,
    puzzles_of,
)
from boardgames_cli.registry import make
from boardgames_cli.storage.practice import (
    note_progress,
    read_progress,
)

PUZZLES = bundled_puzzles("tapnswap")[:6]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.json"


def wrong_in(asked: AskedPuzzle) -> str:
    return next(iter(asked.puzzle.losses))


def test_a_wrong_answer_says_what_it_costs(file: Path) -> None:
    run = PuzzleRun(PUZZLES, file)
    assert run.answer(run.asked.puzzle.answer)
    assert run.go_on()
    wrong = wrong_in(run.asked)
    assert not run.answer(wrong)
    assert run.asked.stage is Stage.OPEN
    assert f"{wrong}: {run.asked.puzzle.verdict(wrong)}. Try again." in run.asked.comment()
    assert run.answer(run.asked.puzzle.answer)
    assert (run.asked.tries, run.solved) == (2, 2)
    assert read_progress(file) == run.progress


def test_who_tries_all_but_one_has_not_solved_it(file: Path) -> None:
    small = next(one for one in bundled_puzzles("deepsea") if len(one.choices) == 2)
    run = PuzzleRun([small], file)
    wrong = wrong_in(run.asked)
    assert not run.answer(wrong)
    assert run.asked.stage is Stage.SHOWN
    assert run.asked.comment() == (
        f"Not the best: {wrong}: {small.verdict(wrong)}. The answer is {small.answer}."
    )
    run.answer(small.answer)
    assert (run.solved, run.asked.tries) == (0, 0)


def test_what_was_shown_is_not_solved_even_after_tries(file: Path) -> None:
    run = PuzzleRun(PUZZLES, file)
    run.answer(wrong_in(run.asked))
    run.show_answer()
    assert run.asked.stage is Stage.SHOWN
    assert run.solved == 0
    # A puzzle that is done takes no more answers.
    run.answer(run.asked.puzzle.answer)
    run.show_answer()
    assert read_progress(file).solved == {run.asked.puzzle.id: 0}


def test_easy_ones_first_and_solved_ones_last(file: Path) -> None:
    done = min(PUZZLES, key=lambda puzzle: puzzle.level)
    note_progress(file, done.id, 1)
    run = PuzzleRun(PUZZLES, file)
    asked = [run.asked.puzzle]
    while run.go_on():
        asked.append(run.asked.puzzle)
    assert asked[-1] == done
    levels = [puzzle.level for puzzle in asked[:-1]]
    assert levels == sorted(levels)
    assert len(asked) == len(PUZZLES)


def test_what_more_levels_find_comes_first() -> None:
    run = PuzzleRun(bundled_puzzles("senet"), None)
    asked = [run.asked.puzzle]
    while run.go_on():
        asked.append(run.asked.puzzle)
    ease = [(one.level, -sum(one.found.values())) for one in asked]
    assert ease == sorted(ease)


def test_games_take_turns() -> None:
    easy = [one for game in ("kuhn", "deepsea") for one in bundled_puzzles(game) if one.level == 1]
    run = PuzzleRun(easy, None)
    games = [run.asked.puzzle.game]
    while run.go_on():
        games.append(run.asked.puzzle.game)
    assert games[:8] == ["kuhn", "deepsea"] * 4
    assert len(games) == len(easy)


def test_the_puzzle_of_the_day_comes_between_and_nothing_is_lost(file: Path) -> None:
    for day in (datetime.date(2026, 1, 1) + datetime.timedelta(number) for number in range(20)):
        run = PuzzleRun(PUZZLES, None)
        order = [run.asked.puzzle]
        run.go_on()
        order.append(run.asked.puzzle)
        wanted = puzzle_of_the_day(PUZZLES, day)
        assert run.kind == "PUZZLE"
        moved = run.go_to_today(day)
        assert run.kind == "PUZZLE OF THE DAY"
        assert run.asked.puzzle == wanted
        assert moved is (order[-1] != wanted)
        if moved:
            order.append(wanted)
        while run.go_on():
            order.append(run.asked.puzzle)
        assert {puzzle.id for puzzle in order} == {puzzle.id for puzzle in PUZZLES}
        assert not run.go_to_today(day) or run.asked.puzzle == wanted


def test_groups_count_what_is_solved_and_choosing_keeps_the_progress(file: Path) -> None:
    listed = puzzles_of(["tapnswap", "kuhn"])
    run = PuzzleRun(PUZZLES, file, find_all=lambda: listed)
    run.answer(run.asked.puzzle.answer)
    solved = run.asked.puzzle
    groups = run.games()
    assert [(one.game, one.solved) for one in groups] == [("", 1), ("tapnswap", 1), ("kuhn", 0)]
    assert groups[0].count == len(listed) == groups[1].count + groups[2].count
    levels = run.levels("tapnswap")
    assert [one.name for one in levels] == ["all levels", "easy", "medium", "hard"]
    assert sum(one.solved for one in levels[1:]) == 1 == levels[0].solved
    run.choose("tapnswap", solved.level)
    assert run.chosen == ("tapnswap", solved.level)
    assert run.count == levels[solved.level].count
    assert run.solved == 1
    asked = [run.asked.puzzle]
    while run.go_on():
        asked.append(run.asked.puzzle)
    assert {(one.game, one.level) for one in asked} == {("tapnswap", solved.level)}
    assert asked[-1] == solved
    run.choose("", 0)
    assert (run.count, run.chosen) == (len(listed), ("", 0))


def test_what_is_not_there_cannot_be_chosen_and_the_puzzle_stays(file: Path) -> None:
    run = PuzzleRun(PUZZLES, file)
    asked = run.asked
    for game, level in (("kuhn", 0), ("tapnswap", 3)):
        with pytest.raises(PuzzleError, match="no such puzzles"):
            run.choose(game, level)
    assert run.asked is asked
    assert [one.game for one in run.games()] == ["tapnswap"]


def test_progress_that_cannot_be_written_is_a_problem_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = PuzzleRun(PUZZLES, tmp_path / "file" / "puzzles.json")
    run.answer(run.asked.puzzle.answer)
    assert run.problem.startswith("Your progress is not kept: ")
    assert run.go_on()
    assert run.solved == 1


def test_choices_are_read_by_notation_then_number_then_as_the_game_reads_them() -> None:
    asked = AskedPuzzle(PUZZLES[0])
    notations = list(asked.choices)
    assert [asked.read(str(number + 1)) for number in range(len(notations))] == notations
    assert asked.read(notations[-1].upper()) == notations[-1]
    assert [asked.read(text) for text in ("0", "99", "12345678", "chess", "")] == [None] * 5


def test_the_reader_has_the_seat_that_is_to_act() -> None:
    for game in ("tapnswap", "deepsea"):
        asked = AskedPuzzle(bundled_puzzles(game)[0])
        names = [asked.context().name(seat) for seat in range(asked.game.seats)]
        assert names[asked.puzzle.seat] == "You"
        assert len(set(names)) == asked.game.seats
    # What is laid over the board would say much of the answer.
    assert not asked.context().shows_layer
    asked.stage = Stage.SHOWN
    assert asked.context().shows_layer


HANDS: dict[str, Any] = {"hands": [[1, 2], [3, 4]], "player": 0}
CALL: dict[str, Any] = {"cards": [2, "?"], "actions": ["check", "bet"], "first": 0}


@pytest.mark.parametrize(
    ("game", "one", "other", "is_same"),
    [
        ("tapnswap", HANDS, HANDS, True),
        ("tapnswap", HANDS, {"hands": [[2, 1], [3, 4]], "player": 0}, True),  # a mirror image
        ("tapnswap", HANDS, {"hands": [[4, 3], [1, 2]], "player": 1}, True),  # at the other seat
        ("tapnswap", HANDS, {"hands": [[3, 4], [1, 2]], "player": 0}, False),
        ("tapnswap", HANDS, {"hands": [[1, 3], [3, 4]], "player": 0}, False),
        ("kuhn", CALL, {**CALL, "cards": ["?", 2], "first": 1, "hand": 3, "chips": [2, -2]}, True),
        ("kuhn", CALL, {**CALL, "cards": [1, "?"]}, False),
    ],
)
def test_cards_ask_the_same_in_every_game(
    game: str, one: dict[str, Any], other: dict[str, Any], is_same: bool
) -> None:
    puzzles = []
    for position in (one, other):
        options = {"hands": 5} if "hand" in position else {}
        seat = position["first" if "first" in position else "player"]
        rules = make(game, **options)
        legal = rules.legal_actions(rules.read_seen(position, 9), seat)
        answer, *wrong = map(str, legal)
        puzzles.append(
            Puzzle(
                game=game, options=option_values(rules), position=position, ply=9, seat=seat,
                level=1, task="", answer=answer, losses=dict.fromkeys(wrong, ""), words={}, why="",
                method="",
            )
        )  # fmt: skip
    asked = as_data(puzzles)
    assert len(asked) == (1 if is_same else 2)
    assert [question_of(card) for card in asked.values()] == list(asked)
    assert question_of({"game": game}) == ""
