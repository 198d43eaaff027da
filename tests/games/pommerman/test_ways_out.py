"""Marks and puzzles are about the last way out, by every walk on the readable rules."""

from __future__ import annotations

import pytest

pytest.importorskip("numba", reason="reviews of Pommerman need the extra `fast` (numba)")

from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.puzzles import Puzzle, bundled_puzzles
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.games.pommerman.analyst import PommermanAnalyst, has_way_out
from boardgames_cli.games.pommerman.board import MOVE_NAMES
from boardgames_cli.games.pommerman.fast.playouts import STEPS
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import play_step
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.registry import make_agent
from tests.games.pommerman.crowds import living


def can_live(game: Pommerman, state: PommermanState, seat: int, moves: int) -> bool:
    """Whether any walk of a seat ends alive, depth first; all others stand still."""
    if not state.agents[seat].alive:
        return False
    if not moves:
        return True
    joint = [0] * game.seats
    for move in range(5):
        joint[seat] = move
        if can_live(game, play_step(game.step_rules, state, joint, state.words), seat, moves - 1):
            return True
    return False


def living_moves(game: Pommerman, state: PommermanState, seat: int) -> set[str]:
    """The moves after which a seat can live."""
    living = set()
    for code, name in enumerate(MOVE_NAMES):
        joint = [0] * game.seats
        joint[seat] = code
        after = play_step(game.step_rules, state, joint, state.words)
        # Who lives for so long outlives all bombs there are; fewer steps keep the search short.
        if can_live(game, after, seat, STEPS - 1):
            living.add(name)
    return living


@pytest.mark.parametrize("puzzle", bundled_puzzles("pommerman"), ids=lambda puzzle: puzzle.id)
def test_only_the_answer_of_a_puzzle_has_a_way_out(puzzle: Puzzle) -> None:
    game = puzzle.rulebook()
    assert isinstance(game, Pommerman)
    state = puzzle.observation(game).state
    found = living_moves(game, state, puzzle.seat)
    assert found == {puzzle.answer}, "while the others stand still"
    for code, name in enumerate(MOVE_NAMES):
        assert has_way_out(game, state, puzzle.seat, code) == (name in found), "both searches"
    alone = living(state, puzzle.seat)
    assert living_moves(game, alone, puzzle.seat) <= {puzzle.answer}, "if they get out of the way"


@pytest.mark.parametrize(
    ("mode", "seed", "agents"),
    [("duel", 11, ["random", "hard"]), ("team", 22, ["simple:foresight=3"] * 4)],
    ids=["duel", "in the fog"],
)
def test_a_review_marks_the_move_that_closed_the_last_way_out(
    mode: str, seed: int, agents: list[str]
) -> None:
    """An agent that stands still beside its bomb is lost at one step, and marked at that step."""
    game = Pommerman(mode=mode)
    match: AnyMatch = Match(game, seed=seed)
    play(match, [make_agent(agent, game) for agent in agents])
    names = ("Ann", "Bob", "Cid", "Dan")[: game.seats]
    review = review_of(ReviewedGame(match, names), PommermanAnalyst(game))
    marked = [
        (step.ply, decision)
        for step in review.steps
        for decision in step.decisions
        if decision.mark is not Mark.GOOD
    ]
    assert marked, "who plays at random or foresees little dies by a mistake"
    for ply, decision in marked:
        assert decision.choice.returns[decision.seat] <= -0.8, (ply, "the move dies")
        assert decision.best.returns[decision.seat] > decision.choice.returns[decision.seat]
        played = MOVE_NAMES.index(decision.played.split()[0])
        assert not has_way_out(game, match.state_at(ply), decision.seat, played)


def judged_at(seed: int, seat: int, ply: int) -> tuple[Mark, str]:
    """The mark of a move in a free-for-all of `medium`, once it is confirmed, and its reason."""
    game = Pommerman()
    match: AnyMatch = Match(game, seed=seed)
    play(match, [make_agent("medium", game) for _ in range(game.seats)])
    analyst, seen = PommermanAnalyst(game), match.observe(seat, ply)
    action = match.steps[ply].joint[seat]
    first = analyst.judge(seen)
    told = analyst.confirm(seen, (), first, (action, first.best.action))
    choice = told.of(action)
    assert choice.loss > 0.9 * 2, "strong agents lose the seat after it"
    mark = analyst.scale.mark(choice.loss, choice.loss_error)
    return mark, analyst.reason(seen, action, told.best.action).text


def test_a_move_is_marked_after_which_others_are_sure_to_block_every_way_out() -> None:
    mark, reason = judged_at(301, 0, 87)
    assert mark is Mark.BLUNDER
    assert "others are likely to block its way out" in reason


def test_a_move_is_not_marked_while_a_walk_escapes_the_others_as_they_move() -> None:
    mark, _ = judged_at(309, 0, 50)
    assert mark is Mark.GOOD, "strong agents don't find the walk, but it is there"
