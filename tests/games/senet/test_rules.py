"""The laws of Senet, on any position and through whole games."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from boardgames_cli.core.errors import IllegalActionError, OptionError, UnknownActionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.games.senet.actions import MOVE, PASS, Throw
from boardgames_cli.games.senet.board import houses
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet.positions import GAMES, position, positions

thorough = settings(max_examples=400, deadline=None, database=None)


@given(positions())
@thorough
def test_ids_and_texts_of_moves(drawn: tuple[Senet, SenetState]) -> None:
    game, state = drawn
    assert state.steps is not None
    dancers = list(houses(state.side(state.player)))
    for move in game.legal_actions(state, state.player):
        id = game.action_id(state, move)
        if move == PASS:
            assert id == 0
        else:
            back = move.is_backward(state.steps)
            wanted = 11 - state.steps if back else state.steps
            assert id == 10 * dancers.index(move.start) + wanted
        assert 0 <= id < game.action_count
        assert game.action_of(state, id) == move
        assert game.parse(state, state.player, str(move)) == move


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_whole_game_has_one_winner_and_the_turns_the_throws_give(game: Senet) -> None:
    for seed in range(6):
        match = Match(game, seed=seed)
        throws: Counter[str] = Counter()
        while match.waiting_for:
            if match.waiting_for == (CHANCE,):
                throws[str(match.resolve_chance())] += 1
                continue
            seat = match.state.player
            choices = game.legal_actions(match.state, seat)
            match.submit(seat, match.rng("any").choice(choices))
        assert sorted(match.returns) == [-1.0, 1.0]
        winner = match.returns.index(1.0)
        assert (match.state.side(winner), bool(match.state.side(1 - winner))) == (0, True)
        assert next(iter(match.steps[-1].joint)) == winner
        assert set(throws) <= {f"throw {steps}" for steps in range(1, 6)}


def legal_texts(rules: str, own: list[int], opponent: list[int], steps: int) -> list[str]:
    return [str(move) for move in Senet(rules).legal_actions(position(own, opponent, 0, steps), 0)]


@pytest.mark.parametrize(
    ("rules", "own", "opponent", "steps", "legal"),
    [
        # Happiness and the houses after it, by Kendall
        ("kendall", [25], [3], 1, ["25>26"]),
        ("kendall", [25], [3], 2, ["25>23"]),
        ("kendall", [26], [3], 1, ["26>15"]),
        ("kendall", [26, 15, 14], [13], 1, ["15>16", "26>12"]),
        ("kendall", [26], [3], 3, ["26>29"]),
        ("kendall", [26], [29], 3, ["pass"]),
        ("kendall", [26], [3], 5, ["26>off"]),
        ("kendall", [26, 3], [28, 29, 30], 5, ["3>8", "26>off"]),
        ("kendall", [28, 29, 30], [3], 1, ["30>off"]),
        ("kendall", [28, 29, 30], [3], 4, ["pass"]),
        # and by Skyruk
        ("skyruk", [25], [3], 5, ["25>26"]),
        ("skyruk", [26, 3], [9], 1, ["26>27"]),
        ("skyruk", [26, 27], [9], 1, ["26>15"]),
        ("skyruk", [26, 28], [9], 2, ["26>27"]),
        ("skyruk", [26], [29, 27], 3, ["26>15"]),
        ("skyruk", [27], [3], 2, ["27>15"]),
        ("skyruk", [27], [3], 5, ["pass"]),
        ("skyruk", [27], [15, 14], 1, ["27>13"]),
        ("skyruk", [28, 29, 30], [3], 1, ["30>off"]),
        ("skyruk", [28, 29, 30], [3], 2, ["29>off", "30>off"]),
        # groups and blockades
        ("kendall", [1], [3, 4], 2, ["pass"]),
        ("kendall", [1], [2, 3], 3, ["1>4"]),
        ("kendall", [8], [10, 11], 2, ["8>6"]),
        ("kendall", [22], [24, 25], 2, ["22>20"]),
        ("skyruk", [1], [2, 3], 3, ["pass"]),
        ("skyruk", [1], [2, 3, 4], 2, ["1>3"]),
        ("skyruk", [12], [15], 5, ["12>17"]),
    ],
)
def test_readings_of_the_rules(
    rules: str, own: list[int], opponent: list[int], steps: int, legal: list[str]
) -> None:
    assert legal_texts(rules, own, opponent, steps) == legal


def test_a_beaten_dancer_takes_the_place_of_the_one_that_beat_it() -> None:
    game = Senet()
    after = game.apply(position([1], [3], 0, 2), {0: MOVE[1][3]})
    assert after == position([3], [1], 1, None)


@pytest.mark.parametrize("text", ["1>3", "1-3", "1 to 3", " 1 > 3 ", "1>", "1"])
def test_ways_to_write_a_move(text: str) -> None:
    assert Senet().parse(position([1], [9], 0, 2), 0, text) == MOVE[1][3]


def test_the_move_into_the_water_is_the_one_to_rebirth() -> None:
    state = position([26], [9], 0, 1)
    assert Senet().parse(state, 0, "26>27") == MOVE[26][15]
    assert Senet(rules="skyruk").parse(state, 0, "26>27") == MOVE[26][27]
    with pytest.raises(IllegalActionError):
        Senet().parse(position([25], [9], 0, 1), 0, "26>27")


def test_a_start_house_never_stands_for_another_that_begins_like_it() -> None:
    game = Senet()
    with pytest.raises(UnknownActionError):
        game.parse(position([11], [9], 0, 1), 0, "1")
    # 5>1 would be a move backward; it is not the beginning of the legal 5>10.
    with pytest.raises(IllegalActionError):
        game.parse(position([5], [20], 0, 5), 0, "5>1")


def test_actions_and_throws_are_told_apart() -> None:
    game = Senet()
    start = game.initial_state()
    assert game.parse_chance(start, "throw 4") == Throw(4)
    with pytest.raises(UnknownActionError):
        game.parse_chance(start, "throw 6")
    assert len(game.actions) == 1 + 30 * 30
    with pytest.raises(UnknownActionError):
        game.action_of(position([1], [9], 0, 2), 12)


def test_throws_come_as_four_sticks_fall() -> None:
    chances = {
        str(throw): chance for throw, chance in Senet().chance_outcomes(Senet().initial_state())
    }
    wanted = [4 / 16, 6 / 16, 4 / 16, 1 / 16, 1 / 16]
    assert list(chances.values()) == wanted
    counted: Counter[str] = Counter()
    for seed in range(3200):
        match = Match(Senet(), seed=seed)
        counted[str(match.resolve_chance())] += 1
    for throw, chance in chances.items():
        assert abs(counted[throw] - 3200 * chance) < 4 * (3200 * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(
    ("options", "problem"),
    [({"rules": "none"}, "rules"), ({"pieces": 6}, "pieces"), ({"pieces": True}, "pieces")],
)
def test_options_that_do_not_exist(options: dict[str, object], problem: str) -> None:
    with pytest.raises(OptionError, match=f"{problem} can't be"):
        Senet(**options)  # type: ignore[arg-type]
