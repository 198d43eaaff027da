"""The Royal Game of Ur is played as RULES.md says, and is as large as its solvers counted."""

from __future__ import annotations

import random
from math import comb

import pytest
from boardgames_cli import CHANCE, GameError, Match, make_agent, play
from boardgames_cli.algorithms.game_tree import successors

from boardgames_ur.heuristic import evaluate
from boardgames_ur.rules import HOME, Move, State, Throw, Ur


def moved(state: State, text: str) -> State:
    game = Ur(pieces=len(state.pieces[0]))
    return game.apply(state, {state.player: game.parse(state, state.player, text)})


def test_a_rosette_throws_again() -> None:
    after = moved(State(((0, 0), (0, 0)), 0, 4), "0>4")
    assert (after.pieces[0], after.player, after.pips) == ((0, 4), 0, None)


def test_a_piece_on_a_shared_square_is_sent_back() -> None:
    assert moved(State(((0, 6), (0, 7)), 0, 1), "6>7").pieces == ((0, 7), (0, 0))
    # Squares 1 to 4, 13 and 14 are each seat's own: nobody meets there.
    assert moved(State(((0, 2), (0, 3)), 0, 1), "2>3").pieces == ((0, 3), (0, 3))


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (State(((0, 6), (0, 8)), 0, 2), "6>8", "the rosette 8 is taken"),
        (State(((4, 6), (0, 8)), 0, 2), "4>6", "your own piece is on 6"),
        (State(((0, 6), (0, 9)), 0, 2), "6>9", "the throw is 2"),
        (State(((0, 6), (0, 9)), 0, 2), "7>9", "no piece on 7"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(state: State, move: str, reason: str) -> None:
    with pytest.raises(GameError, match=f"illegal: .*{reason}"):
        Ur(pieces=2).parse(state, 0, move)


def test_a_throw_that_can_t_be_used_passes_the_turn() -> None:
    game = Ur(pieces=1)
    for state, pips in ((State(((0,), (0,))), 0), (State(((14,), (0,))), 2)):
        after = game.apply_chance(state, Throw(pips))
        assert (after.player, game.to_act(after)) == (1, (CHANCE,))


def test_a_piece_leaves_by_an_exact_throw_and_the_last_one_wins() -> None:
    after = moved(State(((13, HOME), (0, 2)), 0, 2), "13>15")
    assert Ur(pieces=2).to_act(after) == ()
    assert Ur(pieces=2).returns(after) == (1.0, -1.0)


def positions(pieces: int) -> int:
    """The arrangements of both seats' pieces that the rules allow, won ones included."""
    own = range(7)
    return sum(
        comb(6, a) * comb(6, b) * comb(8, c) * comb(8 - c, d)
        * (pieces - a - c + 1) * (pieces - b - d + 1)
        for a in own for b in own for c in range(9) for d in range(9 - c)
        if a + c <= pieces and b + d <= pieces
    )  # fmt: skip


def test_there_are_as_many_positions_as_published() -> None:
    # RoyalUr.net, "The Royal Game of Ur has been solved", 2024: for one player to throw.
    assert positions(7) == 137_913_936
    # The rules reach all of them but those in which both have won.
    game = Ur(pieces=1)
    known, new = {game.initial_state()}, [game.initial_state()]
    while new:
        for _, state in successors(game, new.pop()):
            if state not in known:
                known.add(state)
                new.append(state)
    assert len({state.pieces for state in known}) == positions(1) - 1


def test_the_heuristic_wins_most_games_against_random() -> None:
    game = Ur()
    won = 0
    for seed in range(20):
        agents = [make_agent("greedy", game), make_agent("random", game)]
        returns = play(Match(game, seed=seed), agents if seed % 2 else agents[::-1])
        won += returns[1 - seed % 2] > 0
    assert won >= 14


def test_the_heuristic_is_the_result_where_it_is_known() -> None:
    game, rng = Ur(pieces=1), random.Random(1)
    state = State(((HOME,), (rng.randrange(15),)))
    assert (evaluate(game, state, 0), evaluate(game, state, 1)) == (1.0, -1.0)
    assert game.parse(State(((14,), (0,)), 0, 1), 0, "14>15") == Move(14, HOME)
