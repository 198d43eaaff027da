"""What a review says in words, curves and files."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import CHANCE_TO_WIN, Mark, Scale
from boardgames_cli.core.game import LOST
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation import export
from boardgames_cli.evaluation.plots import (
    blocks,
    curve,
    resample,
)
from boardgames_cli.evaluation.review_result import Review, accuracy
from boardgames_cli.evaluation.review_text import parts_in_words, review_page
from boardgames_cli.evaluation.reviewer import ReviewedGame, Reviewer, review_of
from boardgames_cli.evaluation.you import RecentGame, you
from boardgames_cli.registry import make, make_agent


@pytest.fixture(scope="module")
def kuhn() -> tuple[AnyMatch, Review]:
    game = make("kuhn", hands=14)
    match: AnyMatch = Match(game, seed=4)
    play(match, [make_agent("maniac", game), make_agent("rock", game)])
    return match, review_of(ReviewedGame(match, ("Ann <b>", "*Bob*")), analyst_for(game))


# -- marks


@pytest.mark.parametrize(
    ("loss", "error", "mark"),
    [
        (0.0, 0.0, Mark.GOOD), (0.09, 0.0, Mark.GOOD), (0.1, 0.0, Mark.INACCURACY),
        (0.2, 0.0, Mark.MISTAKE), (0.4, 0.0, Mark.BLUNDER), (2.0, 0.0, Mark.BLUNDER),
        (0.4, 0.19, Mark.BLUNDER), (0.4, 0.2, Mark.GOOD), (0.4, 0.3, Mark.GOOD),
    ],
)  # fmt: skip
def test_a_loss_has_its_mark_only_beyond_its_error(loss: float, error: float, mark: Mark) -> None:
    assert CHANCE_TO_WIN.mark(loss, error) is mark


def test_amounts_are_said_in_their_scale() -> None:
    chips = Scale("chips", 2.0)
    assert (chips.format(-0.004), chips.format(1.5), chips.format_loss(0.25)) == (
        "+0.00 chips", "+1.50 chips", "0.25 chips",
    )  # fmt: skip
    assert (CHANCE_TO_WIN.format(0.5), CHANCE_TO_WIN.format_loss(0.1)) == ("+25.0 %", "5.0 %")
    assert (CHANCE_TO_WIN.format_return(0.5), chips.format_return(-1)) == ("75.0 %", "-1.00 chips")


@pytest.mark.parametrize(
    ("lost", "at_random", "best_ratio", "reached"),
    [
        (0.0, 3.0, 0.0, 100), (3.0, 3.0, 0.0, 0), (1.5, 3.0, 0.0, 50), (9.0, 3.0, 0.0, 0),
        (0.3, 3.0, 0.1, 100), (3.0, 3.0, 0.1, 0), (0.0, 3.0, 0.1, 100), (0.0, 0.0, 0.1, None),
    ],
)  # fmt: skip
def test_accuracy_goes_from_random_choices_to_the_best_level(
    lost: float, at_random: float, best_ratio: float, reached: float | None
) -> None:
    assert accuracy(lost, at_random, best_ratio) == pytest.approx(reached)


def test_random_play_loses_what_random_choices_lose() -> None:
    game, lost, at_random = make("tapnswap"), 0.0, 0.0
    for seed in range(40):
        match: AnyMatch = Match(game, seed=seed)
        play(match, [make_agent("random", game), make_agent("perfect", game)])
        review = review_of(ReviewedGame(match, ("A", "B")), analyst_for(game))
        one, other = review.summary(0), review.summary(1)
        lost += one.mean_loss * one.decisions
        at_random += one.random_loss * one.decisions
        assert other.accuracy in (100, None)
        assert other.cost == 0
    assert lost / at_random == pytest.approx(1, abs=0.15)


def test_the_parts_that_are_told_add_up(kuhn: tuple[AnyMatch, Review]) -> None:
    for seat in (0, 1):
        one = kuhn[1].summary(seat)
        whole, *told = [
            float(part.split()[-1]) for part in parts_in_words(Scale("chips", 2.0), one)
        ]
        assert sum(told) == pytest.approx(one.result)
        assert whole == pytest.approx(one.result)
        assert len(told) == 4, "start, luck, own decisions, and those of the other side"
        assert parts_in_words(CHANCE_TO_WIN, one)[1].startswith("start +50.0 %")


# -- words and curves


def test_the_words_of_a_partial_review_say_so(kuhn: tuple[AnyMatch, Review]) -> None:
    match = kuhn[0]
    reviewer = Reviewer(ReviewedGame(match, ("A", "B")), analyst_for(match.game))
    for _ in range(3):
        reviewer.advance()
    review = reviewer.review()
    assert not review.is_complete
    page = str(review_page(review, 0, 80, has_figures=True))
    assert page.startswith(f"So far 3 of {match.ply} steps are reviewed.")
    summary, after = review.summary(0), kuhn[1].value_at(3)
    assert after is not None
    assert summary.result == pytest.approx(after.returns[0])
    parts = summary.start + summary.luck + summary.own + summary.others + summary.rest
    assert summary.result == pytest.approx(parts)
    assert f"A, so far: {summary.result:+.2f} = start" in page


def test_nothing_has_no_sign_of_less(kuhn: tuple[AnyMatch, Review]) -> None:
    review = kuhn[1]
    steps = tuple(replace(step, own=(-1e-9, -1e-9)) for step in review.steps)
    page = str(review_page(replace(review, steps=steps), 0, 400, has_figures=True))
    assert "own decisions +0.00" in page
    assert "-0.00" not in page


@pytest.mark.parametrize("glyphs", [Glyphs.ASCII, Glyphs.UNICODE])
def test_a_curve_fills_its_columns(glyphs: Glyphs) -> None:
    rows = blocks([0.0, 0.5, 1.0], 2, glyphs)
    full = "@" if glyphs is Glyphs.ASCII else "█"
    assert rows == [f"  {full}", f" {full}{full}"]
    assert resample([None, 0.25, None, 1.0], 4) == [0.25, 0.25, 0.25, 1.0]
    assert resample([], 3) == []


def test_the_lead_of_each_side_has_its_own_side_of_the_line() -> None:
    roles = ["seat.0", "seat.1"]
    lines = curve([0.0, 0.25, 0.5, 0.75, 1.0], 3, roles, Glyphs.UNICODE)
    assert ["".join(span.text for span in line) for line in lines] == ["   ▄█", "─────", "█▄   "]
    above, line, below = curve([0.0, 0.125, 0.5], 3, roles, Glyphs.UNICODE)
    assert [span.role for span in (*above, *line)] == ["seat.0", "muted"]
    # A quarter that stays empty at the foot of its cell, drawn the other way round, hangs down.
    assert [(span.text, span.role) for span in below] == [
        ("█", "seat.1"), ("▂", "seat.1 inverse"), (" ", "seat.1"),
    ]  # fmt: skip


# -- files


class Links(HTMLParser):
    """Everything that a page would load or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.found += [str(value) for name, value in attrs if name in ("src", "href", "data")]


def test_a_page_needs_nothing_else_and_obeys_no_name(kuhn: tuple[AnyMatch, Review]) -> None:
    match, review = kuhn
    page = export.review_page(match, review, "Ann won.", 0)
    links = Links()
    links.feed(page)
    assert links.found == []
    assert links.tags["script"] == links.tags["b"] == 0
    assert links.tags["svg"] == 1
    assert links.tags["pre"] == 1 + len(review.mistakes()), "boards, and the figures"
    assert "url(" not in page
    assert "Ann &lt;b&gt;" in page
    assert "A jack folds and a king calls" in page


def test_the_biggest_mistake_and_the_kinds_that_cost_most(kuhn: tuple[AnyMatch, Review]) -> None:
    blank = RecentGame("Ann", 0, "kuhn-1", "kuhn", "2026-05-04", LOST, ("rock",))
    last, rivals = (replace(blank, seat=seat).reviewed(kuhn[1]) for seat in (0, 1))
    assert rivals.mistake == ""
    assert last.mistake == "Hand 8, jack: call ?? costs 1 chip; better: fold."
    assert kuhn[1].steps[last.ply].decisions[0].moment == "hand 8, jack"
    slept = replace(blank, game="senet", costs=(("slept", 2.0), ("slept", 0.5)))
    found = you([], [last, slept, replace(slept, player="Ben")], "Ann", 3, datetime.date.max)
    assert found.training() == [
        "Drill: 3 cards due.",
        "Senet: slept (2 times).",
        "Kuhn poker: called with a loser (2 times).",
        "Kuhn poker: bet what only better cards call (3 times).",
    ]
