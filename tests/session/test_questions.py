"""Questions one after the other: what counts as solved, which comes when, and whole lessons."""

from __future__ import annotations

import dataclasses
import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.presentation.lesson import LessonError, lesson_of
from boardgames_cli.core.spec import LESSON, GameSpec
from boardgames_cli.evaluation.puzzles import (
    Puzzle,
    PuzzleError,
    bundled_puzzles,
    puzzle_of_the_day,
)
from boardgames_cli.registry import find_game
from boardgames_cli.session.questions import PuzzleRun, Question, lesson_run, question_of_puzzle
from boardgames_cli.storage.practice import note_progress, read_progress

PUZZLES = bundled_puzzles("tapnswap")[:6]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.json"


def puzzle_in(asked: Question) -> Puzzle:
    assert asked.puzzle is not None
    return asked.puzzle


def wrong_in(asked: Question) -> str:
    return next(iter(puzzle_in(asked).losses))


def right_in(asked: Question) -> str:
    return asked.about.right[0]


def order_of(run: PuzzleRun) -> list[Puzzle]:
    """The puzzles from the current one on."""
    found = []
    while True:
        found.append(puzzle_in(run.asked))
        if not run.go_on():
            return found


def test_a_wrong_answer_says_what_it_costs_and_is_one_try(file: Path) -> None:
    run = PuzzleRun(PUZZLES, file)
    asked, wrong = run.asked, wrong_in(run.asked)
    run.answer(wrong)
    assert not asked.is_done
    cost = f"{wrong}: {puzzle_in(asked).verdict(wrong)}"
    assert asked.comment == f"Not the best: {cost}. Try again."
    assert [line.text for line in asked.snapshot().log] == [cost]
    run.answer(right_in(asked))
    run.answer(wrong)  # it is done: it takes no more answers
    assert (asked.comment, asked.tries) == (f"Right: {right_in(asked)}.", 2)
    assert read_progress(file) == run.progress
    assert run.progress.solved == {puzzle_in(asked).id: 2}


def test_who_tries_all_but_one_has_not_solved_it(file: Path) -> None:
    small = next(one for one in bundled_puzzles("deepsea") if len(one.choices) == 2)
    run = PuzzleRun([small], file)
    wrong = wrong_in(run.asked)
    run.answer(wrong)
    assert run.asked.is_shown
    assert run.asked.comment == (
        f"Not the best: {wrong}: {small.verdict(wrong)}. The answer is {small.answer}."
    )
    run.answer(small.answer)
    assert (run.standing[:8], run.asked.tries) == ("solved 0", 0)


def test_what_was_shown_is_not_solved_even_after_tries(file: Path) -> None:
    run = PuzzleRun(PUZZLES, file)
    run.answer(wrong_in(run.asked))
    # What is laid over the board would say much of the answer.
    assert not run.asked.snapshot().context.shows_layer
    first, second = sorted((right_in(run.asked), wrong_in(run.asked)))
    assert run.help() == f"It is {first} or {second}."
    assert not run.asked.is_done
    assert not run.help()
    assert run.asked.snapshot().context.shows_layer
    assert (run.asked.is_shown, run.standing[:8]) == (True, "solved 0")
    run.answer(right_in(run.asked))
    run.help()
    shown = puzzle_in(run.asked).id
    assert read_progress(file).solved == {shown: 0}
    assert note_progress(file, shown, 1).solved == {shown: 0}, "the first tries are kept"


def test_easy_ones_first_and_solved_ones_last(file: Path) -> None:
    done = min(PUZZLES, key=lambda puzzle: puzzle.level)
    note_progress(file, done.id, 1)
    asked = order_of(PuzzleRun(PUZZLES, file))
    assert asked[-1] == done
    levels = [puzzle.level for puzzle in asked[:-1]]
    assert levels == sorted(levels)
    assert len(asked) == len(PUZZLES)


def test_what_more_levels_find_comes_first() -> None:
    asked = order_of(PuzzleRun(bundled_puzzles("senet"), None))
    ease = [(one.level, -sum(one.found.values())) for one in asked]
    assert ease == sorted(ease)


def test_games_take_turns() -> None:
    easy = [one for game in ("kuhn", "deepsea") for one in bundled_puzzles(game) if one.level == 1]
    games = [puzzle.game for puzzle in order_of(PuzzleRun(easy, None))]
    assert games[:8] == ["kuhn", "deepsea"] * 4
    assert len(games) == len(easy)


def test_the_puzzle_of_the_day_comes_first_and_nothing_is_lost() -> None:
    for day in (datetime.date(2026, 1, 1) + datetime.timedelta(number) for number in range(20)):
        run = PuzzleRun(PUZZLES, None, today=day)
        first = run.asked.puzzle
        assert run.asked.kind == "PUZZLE OF THE DAY"
        assert first == puzzle_of_the_day(PUZZLES, day)
        asked = order_of(run)
        assert run.asked.kind == "PUZZLE"
        assert sorted(one.id for one in asked) == sorted(one.id for one in PUZZLES)


def test_a_puzzle_that_does_not_fit_is_passed_over_and_the_one_before_stays(file: Path) -> None:
    first, second, third = PUZZLES[:3]
    puzzles = [first, dataclasses.replace(second, answer="odd"), third]
    puzzles = [dataclasses.replace(one, level=n) for n, one in enumerate(puzzles, start=1)]
    run = PuzzleRun(puzzles, file)
    with pytest.raises(PuzzleError, match="doesn't fit"):
        run.go_on()
    run.answer(first.answer)
    assert read_progress(file).solved == {first.id: 1}
    assert run.go_on()
    assert puzzle_in(run.asked).id == third.id


def test_progress_that_cannot_be_written_is_a_problem_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = PuzzleRun(PUZZLES, tmp_path / "file" / "puzzles.json")
    run.answer(right_in(run.asked))
    assert run.problem.startswith("Your progress is not kept: ")
    assert run.go_on()
    assert run.standing.startswith("solved 1 ")


def test_choices_are_read_by_notation_then_number_then_as_the_game_reads_them() -> None:
    asked = question_of_puzzle(PUZZLES[0])
    notations = list(asked.choices)
    assert [asked.read(str(number + 1)) for number in range(len(notations))] == notations
    assert asked.read(notations[-1].upper()) == notations[-1]
    assert [asked.read(text) for text in ("0", "99", "12345678", "chess", "")] == [None] * 5


def test_the_reader_has_the_seat_that_is_to_act() -> None:
    for game in ("tapnswap", "deepsea"):
        asked = question_of_puzzle(bundled_puzzles(game)[0])
        names = asked.snapshot().context.names
        assert names[asked.seat] == "You"
        assert len(set(names)) == len(names) == asked.game.seats


GAMES = ("tapnswap", "kuhn", "pommerman", "deepsea", "senet")


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_has_six_to_ten_steps_of_one_sentence_and_one_task(game: str) -> None:
    lesson = lesson_of(find_game(game))
    assert lesson is not None
    assert 6 <= len(lesson.steps) <= 10
    for step in lesson.steps:
        for text in (step.say, step.task, step.praise, step.otherwise, *step.wrong.values()):
            assert text.endswith((".", "?"))
            assert len(text) <= 2 * 78, "it has two lines of 80 columns"
        assert len(step.task) <= 58, "it fits a line of 60 columns"


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_done_after_a_wrong_answer(game: str) -> None:
    run = lesson_run(game)
    lesson = lesson_of(find_game(game))
    assert lesson is not None
    for step in lesson.steps:
        asked, before = run.asked, len(run.asked.shown.log)
        assert (asked.about, asked.comment) == (step, step.say)
        for notation in asked.choices:
            if notation not in step.right:
                run.answer(notation)
                assert not asked.is_done
                assert asked.comment == step.wrong.get(notation, step.otherwise)
        run.answer(step.right[0])
        assert asked.is_done
        assert asked.comment == step.praise
        assert len(asked.shown.log) >= before
        assert not asked.choices
        assert run.go_on() is (step is not lesson.steps[-1])


def test_only_what_the_seat_may_know_is_seen() -> None:
    asked, lesson = lesson_run("kuhn").asked, lesson_of(find_game("kuhn"))
    assert lesson is not None
    whole = asked.game.from_json(lesson.steps[0].position or {})
    assert str(asked.seen.state) != str(whole)
    assert "jack" not in asked.shown.prompt


class Altered(GameSpec):
    """Kuhn poker with another file."""

    def text_beside_rules(self, name: str) -> str | None:
        return self.encodings["lesson"] if name == LESSON else None


def altered(text: str) -> GameSpec:
    spec = find_game("kuhn")
    fields = {name: getattr(spec, name) for name in GameSpec.__slots__}
    return Altered(**fields | {"encodings": {"lesson": text}})


def step(**changes: Any) -> dict[str, Any]:
    texts = dict.fromkeys(("say", "task", "praise", "otherwise"), "Text.")
    return {**texts, "right": ["bet"], "position": {}} | changes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "It has: format, steps"),
        ('{"format": 1, "steps": []}', "not a lesson"),
        (json.dumps({"format": 1, "steps": [step(right=[])]}), "step 1 names no right action"),
        (json.dumps({"format": 1, "steps": [step(say=3)]}), "steps[0].say is 3.   It is a text."),
        (
            json.dumps({"format": 1, "steps": [step(right=["a", "b"]), step(position=None)]}),
            "several right actions",
        ),
    ],
)
def test_a_damaged_lesson_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(LessonError, match="of kuhn") as caught:
        lesson_of(altered(text))
    assert said in str(caught.value)


def test_a_game_without_a_lesson_says_which_have_one() -> None:
    with pytest.raises(LessonError, match="Race has no lesson") as caught:
        lesson_run("race")
    assert "senet" in caught.value.todo
