"""What a position of Senet is worth: the bundled network, and exact endings."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from senet_exact import read_choices

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet import heuristic
from boardgames_cli.games.senet.analyst import VALUE_ERROR, SenetAnalyst
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.heuristic import (
    bundled_model,
    evaluate,
    side_inputs,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.testing.scene import one_step

GAMES = [Senet(rules, pieces) for rules in ("kendall", "skyruk") for pieces in (5, 7)]


def random_states(game: Senet, games: int) -> Iterator[SenetState]:
    for seed in range(games):
        match: AnyMatch = Match(game, seed=seed)
        yield match.state
        while match.waiting_for:
            one_step(match)
            yield match.state


def after_moves(rules: str, sample: str) -> Iterator[tuple[SenetState, int, float]]:
    """Positions after moves of a sample, the seat that moved, and its exact chance there."""
    for choice in read_choices(sample):
        if choice.rules == rules:
            seat = choice.state.player
            for id, chance in choice.values.items():
                move = choice.game.action_of(choice.state, id)
                yield choice.game.apply(choice.state, {seat: move}), seat, chance


class TestEvaluate:
    @pytest.mark.parametrize("rules", ["kendall", "skyruk"])
    def test_it_is_as_near_to_perfect_play_as_reviews_say(self, rules: str) -> None:
        analyst = SenetAnalyst(Senet(rules))
        sample = list(after_moves(rules, "games"))
        assert len(sample) > 3_000
        gaps = [
            analyst.ahead(state)[seat] - (2 * chance - 1) for state, seat, chance in sample[::10]
        ]
        assert math.sqrt(statistics.fmean(gap * gap for gap in gaps)) <= VALUE_ERROR[rules][0]
        assert abs(statistics.fmean(gaps)) <= VALUE_ERROR[rules][0] / 3.5, "no side is favoured"

    @pytest.mark.parametrize("game", GAMES, ids=str)
    def test_colour_does_not_matter(self, game: Senet) -> None:
        for state in random_states(game, 1):
            mirrored = SenetState(state.spools, state.cones, 1 - state.player, state.steps)
            assert evaluate(game, mirrored, 1) == evaluate(game, state, 0)

    def test_ends_are_certain(self) -> None:
        game = Senet()
        assert evaluate(game, SenetState(0, bit(30), 1, None), 0) == 1
        assert evaluate(game, SenetState(bit(30), 0, 1, None), 0) == -1

    def test_after_the_throw_it_is_the_best_move_that_counts(self) -> None:
        game = Senet()
        state = SenetState(bit(30), bit(3), 0, 1)
        assert evaluate(game, state, 0) == 1


class TestInputs:
    def test_each_dancer_pair_and_group_is_named(self) -> None:
        mask = bit(4) | bit(5) | bit(6) | bit(26) | bit(30)
        houses = [heuristic.HOUSE + 4 * 30 + house - 1 for house in (4, 5, 6, 26, 30)]
        others = [heuristic.PAIR + 3, heuristic.PAIR + 4, heuristic.THREE + 3]
        group = heuristic.BEYOND + 4 * heuristic.GROUPS + 0b10001
        assert side_inputs(mask) == [*houses, *others, group]


class TestNetworks:
    def test_the_bundled_file_names_the_commands_that_make_it(self) -> None:
        about = bundled_model().about
        program, script = about["command"].split()
        assert program == "python"
        assert (Path(__file__).parents[3] / script).is_file()
