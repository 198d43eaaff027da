"""Lessons: read strictly, done step by step, and the same every time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardgames_cli.core.presentation.lesson import LessonError, lesson_of
from boardgames_cli.core.spec import LESSON, GameSpec
from boardgames_cli.registry import find_game
from boardgames_cli.session.lesson_run import LessonRun

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
    run = LessonRun(game)
    while True:
        asked, before = run.asked, len(run.asked.log())
        for notation in asked.choices:
            if notation not in asked.step.right:
                run.answer(notation)
                assert asked.is_wrong
                assert asked.sentence == asked.step.why_wrong(notation)
        run.answer(asked.step.right[0])
        assert asked.is_done
        assert asked.sentence == asked.step.praise
        assert len(asked.log()) >= before
        assert not asked.seen.legal
        if not run.go_on():
            break
    assert run.number == run.count


def test_only_what_the_seat_may_know_is_seen() -> None:
    run = LessonRun("kuhn")
    assert str(run.asked.seen.state) != str(run.asked.game.from_json(
        run.asked.step.position or {}))  # fmt: skip
    assert "jack" not in run.asked.situation


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
        ("[]", "is not a JSON object"),
        ('{"format": 1}', "steps is missing"),
        ('{"format": 1, "steps": []}', "not a lesson"),
        ('{"format": 2, "steps": [{}]}', "say is missing"),
        (json.dumps({"format": 1, "steps": [step(right=[])]}), "step 1 names no right action"),
        (json.dumps({"format": 1, "steps": [step(say=3)]}), "step 1: say is missing or wrong"),
        (json.dumps({"format": 1, "steps": [step(wrong={"a": 1})]}), "step 1: wrong is missing or"),
        (json.dumps({"format": 1, "steps": [step(odd=1)]}), "unknown entry: odd"),
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


def test_a_game_without_a_lesson_says_which_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_cli.session.lesson_run.lesson_of", lambda _: None)
    with pytest.raises(LessonError, match="Kuhn poker has no lesson") as caught:
        LessonRun("kuhn")
    assert "senet" in caught.value.todo
