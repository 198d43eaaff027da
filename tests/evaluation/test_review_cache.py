"""Reviews that were stopped, and games that can't be reviewed as they are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.review_text import story
from boardgames_cli.evaluation.reviewer import (
    ReviewedGame,
    Reviewer,
    load_review,
    review_of,
    store_review,
)
from boardgames_cli.games.senet import analyst as senet_analyst
from boardgames_cli.games.senet import ending_tables
from boardgames_cli.games.senet.analyst import SenetAnalyst
from boardgames_cli.games.senet.heuristic import NetworkEvaluation
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import make, make_agent

NAMES = ("A", "B")


def a_match(max_plies: int | None = None) -> AnyMatch:
    game = make("kuhn", hands=4)
    match: AnyMatch = Match(game, seed=2, max_plies=max_plies)
    play(match, [make_agent("maniac", game), make_agent("rock", game)])
    return match


def kept(match: AnyMatch, folder: Path) -> ReviewedGame:
    return ReviewedGame(match, NAMES, file=folder / "review.json")


def test_a_review_that_is_stopped_keeps_what_it_has_and_goes_on_later(tmp_path: Path) -> None:
    game = kept(a_match(), tmp_path)
    analyst = analyst_for(game.match.game)
    seen: list[int] = []
    partial = review_of(game, analyst, lambda made: seen.append(made.done), lambda: len(seen) > 4)
    assert not partial.is_complete
    assert load_review(game, analyst) == partial
    seen.clear()
    whole = review_of(game, analyst, lambda made: seen.append(made.done))
    assert seen[0] == len(partial.steps) + 1, "nothing is done twice"
    assert whole == review_of(ReviewedGame(game.match, NAMES), analyst)


def test_an_exception_keeps_it_too(tmp_path: Path) -> None:
    game = kept(a_match(), tmp_path)
    analyst = analyst_for(game.match.game)

    def stop(made: Reviewer) -> None:
        if made.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review_of(game, analyst, stop)
    known = load_review(game, analyst)
    assert known is not None
    assert len(known.steps) == 3


def test_a_stored_review_is_found_without_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Senet()
    match: AnyMatch = Match(game, seed=2, max_plies=2)
    match.resolve_chance()
    stored, analyst = kept(match, tmp_path), SenetAnalyst(game)
    review = review_of(stored, analyst)
    with monkeypatch.context() as patch:
        patch.setattr(ending_tables, "parse_table", pytest.fail)
        ending_tables.Endings.load.cache_clear()
        patch.setattr(senet_analyst, "evaluate", NetworkEvaluation())
        assert load_review(stored, SenetAnalyst(game)) == review
    monkeypatch.setattr(senet_analyst, "digest", lambda _: "other tables")
    assert load_review(stored, SenetAnalyst(game)) is None


def test_a_review_of_other_rules_or_by_another_analyst_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = a_match()
    game = kept(match, tmp_path)
    analyst = analyst_for(match.game)
    review = review_of(ReviewedGame(match, NAMES), analyst)
    assert store_review(game, analyst, review)
    assert load_review(game, analyst) == review
    table = analyst_for(match.game, ("hard", "hard"))
    assert load_review(game, table) is None
    with monkeypatch.context() as patch:
        patch.setattr(type(analyst), "version", 99)
        assert load_review(game, analyst) is None
    info = dataclasses.replace(match.game.info, rules_version=99)
    monkeypatch.setattr(type(match.game), "info", info)
    assert load_review(game, analyst) is None


def test_where_a_substitute_chose_for_an_agent_the_review_says_so() -> None:
    match = a_match()
    notes = [(2, "A took a hint.")]
    notes += [(ply, f"B is late at {ply}. Played at random instead.") for ply in range(3, 29)]
    review = review_of(ReviewedGame(match, NAMES, notes=notes), analyst_for(match.game))
    told = [line for line in story(review, 0) if "did not choose itself" in line]
    assert told[0] == (
        "Before step 4 an agent did not choose itself: B is late at 3. Played at random instead."
    )
    assert len(review.remarks) == 4
    assert review.remarks[3] == "That was so 23 more times, the last before step 29."
