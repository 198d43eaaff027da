"""Reviews as JSON: what is written is read again, and what doesn't fit together is refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation import review_text
from boardgames_cli.evaluation.review_result import Review, from_json, to_json, turn_at
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import make, make_agent
from tests.mutations import ODD, places

TOO_MUCH = (2**63, 1e308, -1e308, -1, 99)


@pytest.fixture(scope="module")
def review() -> Review:
    game = make("kuhn", hands=1)
    match: AnyMatch = Match(game, seed=3)
    play(match, [make_agent("maniac", game), make_agent("rock", game)])
    return review_of(ReviewedGame(match, ["Ann", "Ben"]), analyst_for(match.game))


def test_what_is_written_is_read_again(review: Review) -> None:
    assert from_json(to_json(review)) == review


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("scale", "size"), 0.0),
        (("scale", "size"), 5e-324),
        (("final", "returns"), []),
        (("final", "error"), -1.0),
        (("final", "returns", 0), 10**300),
        (("steps", 0, "ply"), -1),
        (("steps", 1, "ply"), 2**63),
        (("steps", 0, "seat"), 2),
        (("steps", 0, "error"), 1e308),
        (("steps", 0, "value", "returns"), [0.0]),
        (("steps", -1, "decisions", 0, "seat"), 7),
        (("steps", -1, "decisions", 0, "choices", 0, "returns"), []),
        (("total_steps",), 10**9),
    ],
)
def test_what_does_not_fit_together_is_refused(
    review: Review, path: tuple[Any, ...], value: Any
) -> None:
    data = to_json(review)
    _put(data, path, value)
    with pytest.raises(ValueError, match=r"\w"):
        from_json(data)


def test_what_is_read_can_be_shown(review: Review) -> None:
    shown = 0
    for data in _changed(to_json(review)):
        try:
            found = from_json(data)
        except ValueError:
            continue
        shown += 1
        review_text.review_page(found, 0, 80, has_figures=True)
        to_json(found)
        for ply in range(len(found.steps)):
            turn_at(found, ply)
    assert shown > 100


def _changed(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in places(data):
        for value in (*ODD, *TOO_MUCH):
            changed = copy.deepcopy(data)
            _put(changed, path, value)
            yield changed
        if isinstance(path[-1], int):
            changed = copy.deepcopy(data)
            _inner(changed, path).pop(path[-1])
            yield changed


def _put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    _inner(data, path)[path[-1]] = value


def _inner(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data
