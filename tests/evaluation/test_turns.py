"""Throws and the decisions after them are told as one turn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst
from boardgames_cli.cli.review import as_json
from boardgames_cli.core.game import Step
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation import export
from boardgames_cli.evaluation.review_result import (
    Review,
    StepKind,
    awaits_decision,
    throw_before,
    turn_at,
    turns,
)
from boardgames_cli.evaluation.review_text import dearest, review_page, throw_words
from boardgames_cli.evaluation.reviewer import ReviewedGame, Reviewer, review_of
from boardgames_cli.registry import make, make_agent
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.snapshot import LogLine
from boardgames_cli.tui.review_model import log_by_turn

NAMES = ("Ann", "Bob", "Cy")


def a_game(
    id: str, *agents: str, start: dict[str, Any] | None = None, **options: Any
) -> tuple[AnyMatch, Review]:
    game = make(id, **options)
    match: AnyMatch = Match(game, seed=5, start=game.from_json(start) if start else None)
    play(match, [make_agent(agent, game) for agent in agents])
    return match, review_of(ReviewedGame(match, NAMES[: game.seats]), analyst_for(game))


@pytest.fixture(scope="module")
def senet() -> tuple[AnyMatch, Review]:
    # With few dancers: to judge a whole game takes ten seconds.
    late = {"cones": [2, 5, 9], "spools": [4, 7, 12], "player": 0, "steps": None, "pieces": 5}
    return a_game("senet", "random", "random", start=late, rules="skyruk")


@pytest.fixture(scope="module")
def deepsea() -> tuple[AnyMatch, Review]:
    return a_game("deepsea", "risk", "random", players=2, rounds=1)


def thrown_in(step: Step[Any, Any]) -> int:
    assert step.outcome is not None
    return int(step.outcome.steps)


def test_a_throw_and_its_move_are_one_turn(senet: tuple[AnyMatch, Review]) -> None:
    match, review = senet
    found = list(turns(review))
    assert [len(turn.steps) for turn in found] == [2] * (match.ply // 2)
    for turn in found:
        thrown, moved = turn.steps
        assert (turn.first, turn.last) == (thrown.ply, moved.ply)
        assert turn.seat == moved.decisions[0].seat
        assert turn.label == f"threw {thrown_in(match.steps[turn.first])}"
        assert turn.luck == thrown.luck[turn.seat]
        assert turn.loss == moved.decisions[0].loss
        assert turn_at(review, thrown.ply) == turn_at(review, moved.ply) == turn
        assert awaits_decision(review, thrown.ply)
        assert not awaits_decision(review, moved.ply)
        assert throw_before(review, moved) == turn


def test_turns_hold_every_step_once(
    senet: tuple[AnyMatch, Review], deepsea: tuple[AnyMatch, Review]
) -> None:
    kuhn = a_game("kuhn", "random", "random", hands=3)
    for _, review in (senet, deepsea, kuhn, a_game("tapnswap", "random", "random")):
        steps = [step for turn in turns(review) for step in turn.steps]
        assert steps == list(review.steps)
    with pytest.raises(IndexError):
        turn_at(senet[1], len(senet[1].steps))


def test_dice_belong_to_who_threw_them_and_to_nobody_else(
    deepsea: tuple[AnyMatch, Review],
) -> None:
    match, review = deepsea
    unanswered = 0
    for step in review.steps:
        outcome = match.steps[step.ply].outcome
        if outcome is None:
            continue
        if not str(outcome).startswith("dice"):
            assert (step.seat, step.label) == (None, ""), "a chip turned over is nobody's throw"
            assert turn_at(review, step.ply).steps == (step,)
            continue
        assert step.seat == match.state_at(step.ply).current
        turn = turn_at(review, step.ply)
        assert {one.seat for one in turn.decisions} <= {step.seat}
        unanswered += not turn.decisions
    assert unanswered, "who comes home with a throw decides nothing"


def test_a_deal_to_all_is_no_turn_of_who_acts_first() -> None:
    _, review = a_game("kuhn", "random", "random", hands=3)
    deals = [step for step in review.steps if step.kind is StepKind.CHANCE]
    assert deals
    for step in deals:
        assert step.seat is None
        assert not awaits_decision(review, step.ply)


def test_a_game_with_nothing_but_a_heuristic_has_turns_too() -> None:
    game = make("senet")
    match: AnyMatch = Match(game, seed=5)
    play(match, [make_agent("greedy", game)] * 2)
    reviewer = Reviewer(ReviewedGame(match, NAMES[:2]), SearchAnalyst(game))
    for _ in range(2):
        reviewer.advance()
    (turn,) = turns(reviewer.review())
    assert turn.label == f"got {match.steps[0].outcome}"


# -- in words


def test_luck_and_loss_stand_side_by_side(senet: tuple[AnyMatch, Review]) -> None:
    match, review = senet
    found = dearest(review, [0])
    assert found, "the game was chosen for its mistakes"
    page = str(review_page(review, 0, 400))
    for number, (step, decision) in enumerate(found, start=1):
        thrown = f"threw {thrown_in(match.steps[step.ply - 1])}"
        assert f"{number:<3}Step {step.ply + 1}, {thrown}: {decision.choice.label} " in page
        luck = review.scale.format(review.steps[step.ply - 1].luck[0])
        assert throw_words(review, step) == f"{thrown} (luck {luck})"
        assert f"Ann {thrown}" in export.review_page(match, review, "Bob won.", 0)
    assert "Chances assume that all play on equally well." in str(
        review_page(review, 0, 400, has_figures=True)
    )


def test_programs_get_the_turns(senet: tuple[AnyMatch, Review]) -> None:
    _, review = senet
    told = json.loads(json.dumps(as_json(review)))["turns"]
    assert len(told) == len(review.steps) // 2
    assert (told[1]["first"], told[1]["last"]) == (2, 3)
    assert told[1]["label"].startswith("threw ")


def test_the_log_has_a_line_a_turn(senet: tuple[AnyMatch, Review]) -> None:
    match, review = senet
    replay = Replay(match, ("random", "greedy"), NAMES[:2], notes=((1, "Ann took a hint."),))
    lines = log_by_turn(review, replay.log(match.ply), replay.notes)
    moves = {line.ply: line.text for line in lines if line.ply % 2 == 0}
    thrown, moved = thrown_in(match.steps[2]), match.steps[3]
    ((seat, move),) = moved.joint.items()
    assert moves[4].startswith(f"{NAMES[seat]} threw {thrown}: {move}")
    assert not [line for line in lines if line.text.endswith(f"threw {thrown}.")]
    marked = review.mistakes()
    assert marked
    for step, decision in marked:
        text = next(line.text for line in lines if line.ply == step.ply + 1)
        assert text.endswith(f" {decision.mark.value}")
    # A remark stays by itself, and so does the throw before it.
    assert LogLine(1, "Ann took a hint.") in lines


def test_before_the_move_the_log_ends_with_the_throw(senet: tuple[AnyMatch, Review]) -> None:
    match, review = senet
    replay = Replay(match, ("random", "greedy"), NAMES[:2])
    lines = log_by_turn(review, replay.log(3), ())
    assert lines[-1].text.endswith(f"threw {thrown_in(match.steps[2])}.")


def test_what_is_not_judged_yet_is_logged_as_ever(senet: tuple[AnyMatch, Review]) -> None:
    match, _ = senet
    reviewer = Reviewer(ReviewedGame(match, NAMES[:2]), analyst_for(match.game))
    reviewer.advance()
    replay = Replay(match, ("random", "greedy"), NAMES[:2])
    assert log_by_turn(reviewer.review(), replay.log(8), ()) == replay.log(8)
