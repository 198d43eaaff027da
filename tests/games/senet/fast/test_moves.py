"""The compiled rules, move by move against the readable ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.games.senet.actions import MOVE, PASS, THROW_CHANCES, SenetMove
from boardgames_cli.games.senet.board import HAPPINESS, OFF, WATER, bit
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    RULES,
    count_of,
    end_of,
    movers,
    nth,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.rules import play as readable_play

GAMES = [Senet(rules, pieces) for rules in RULES for pieces in (5, 7)]


def compiled_moves(own: int, opponent: int, steps: int, rules: int) -> list[SenetMove]:
    starts = movers(own, opponent, steps, rules)
    backward = starts & BACKWARD
    dancers = starts & BOARD
    found = []
    for number in range(count_of(dancers)):
        start = nth(dancers, number)
        end = end_of(own, opponent, start, steps, backward, rules)
        found.append(MOVE[start.bit_length()][end.bit_length()])
    return found or [PASS]


def positions(game: Senet, count: int) -> Iterator[tuple[int, int]]:
    """Possible and crowded positions: half of them on a short stretch of the path."""
    rng = random.Random(f"{game}")
    free = [house for house in range(1, OFF) if game.rules == "skyruk" or house != WATER]
    for number in range(count):
        stretch = free[rng.randint(0, 14) :] if number % 2 else free
        own, opponent = rng.randint(1, game.pieces), rng.randint(1, game.pieces)
        spots = [bit(house) for house in rng.sample(stretch, own + opponent)]
        yield sum(spots[:own]), sum(spots[own:])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_moves_are_those_of_the_rules(game: Senet) -> None:
    rules = RULES[game.rules]
    met: Counter[str] = Counter()
    for own, opponent in positions(game, 1500):
        for steps in range(1, 6):
            wanted = list(game.rule_set.moves(own, opponent, steps))
            assert compiled_moves(own, opponent, steps, rules) == wanted, (own, opponent, steps)
            for move in wanted:
                if move == PASS:
                    met["pass"] += 1
                    continue
                start, end = bit(move.start), bit(move.end)
                assert play(own, opponent, start, end) == readable_play(own, opponent, move)
                assert throws_again(steps, end, rules) == game.throws_again(move, steps)
                met[kind_of(move, opponent, steps)] += 1
    wanted_kinds = {"pass", "forward", "backward", "swap", "off", "rebirth", "happiness"}
    assert all(met[kind] > 9 for kind in wanted_kinds), met


def kind_of(move: SenetMove, opponent: int, steps: int) -> str:
    if move.end == OFF:
        return "off"
    if move.start >= HAPPINESS and move.end < HAPPINESS:
        return "rebirth"
    if opponent & bit(move.end):
        return "swap"
    if move.is_backward(steps):
        return "backward"
    return "happiness" if move.end == HAPPINESS else "forward"


def test_the_sticks_fall_as_often_as_they_should() -> None:
    rng, games = make_seed(3), 16_000
    seen = Counter(throw(rng) for _ in range(games))
    for steps, chance in enumerate(THROW_CHANCES, 1):
        deviation = (games * chance * (1 - chance)) ** 0.5
        assert abs(seen[steps] - games * chance) < 5 * deviation
    assert sum(seen.values()) == games
