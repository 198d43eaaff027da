"""Refusals name the rule, and what they say is true."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet import slow_rules
from tests.games.senet.positions import position, positions, slow

# rules, own cones, spools, throw, the move tried, the reason
REASONS = [
    ("kendall", [1, 5], [3, 4], 2, "1>3", "house 3 is protected: spools stand side by side on 3-4"),
    ("kendall", [1, 5], [3], 2, "1>5", "the throw is 2: from house 1 that leads to 3"),
    (
        "kendall",
        [1],
        [2, 3, 4],
        4,
        "1>5",
        "the spools on 2-4 are a blockade, which can't be jumped",
    ),
    ("skyruk", [1], [2, 3], 3, "1>4", "the spools on 2-3 are a blockade, which can't be jumped"),
    ("skyruk", [1], [3, 4, 5], 2, "1>3", "house 3 is protected: spools stand side by side on 3-5"),
    ("kendall", [1, 3], [9], 2, "1>3", "your own dancer stands on house 3"),
    ("kendall", [13], [15], 2, "13>15", "house 15 is the House of Rebirth, where nobody can be"),
    ("kendall", [24], [26], 2, "24>26", "house 26 is the House of Happiness, where nobody can be"),
    ("skyruk", [24], [26], 4, "24>26", "house 26 is the House of Happiness, where nobody can be"),
    ("kendall", [24, 3], [9], 5, "24>29", "every dancer must stop on house 26 first, by an exact"),
    ("skyruk", [24, 3], [9], 5, "24>29", "every dancer must stop on house 26 first$"),
    ("kendall", [28, 3], [9], 2, "28>off", "house 28 bears off with exactly 3; the throw is 2"),
    ("kendall", [29, 3], [9], 3, "29>off", "house 29 bears off with exactly 2; the throw is 3"),
    ("kendall", [30, 3], [9], 2, "30>off", "house 30 bears off with exactly 1; the throw is 2"),
    ("skyruk", [30, 3], [9], 2, "30>28", "house 30 bears off with any throw"),
    ("skyruk", [27, 3], [9], 5, "27>off", "from the water 4 bears off and 1, 2 or 3 leads to reb"),
    ("kendall", [26, 28, 3], [9], 2, "26>28", "house 28 is occupied"),
    ("kendall", [26, 3], [9], 5, "26>28", "from house 26 a throw of 5 leads elsewhere"),
    ("kendall", [26, 3], [28], 2, "26>29", "from house 26 a throw of 2 leads elsewhere"),
    ("skyruk", [26, 3], [9], 2, "3>5", "the dancer on house 26 must move first"),
    ("kendall", [10, 3], [9], 2, "10>8", "a dancer moves backward only when none can move forward"),
    ("kendall", [1], [9], 2, "pass", "you can move, so you can't pass"),
    ("kendall", [1], [9], 2, "2>4", "you have no dancer on house 2"),
    ("kendall", [29], [28], 1, "29>off", "house 29 bears off with exactly 2; the throw is 1"),
]


@pytest.mark.parametrize(("rules", "own", "opponent", "steps", "text", "reason"), REASONS)
@pytest.mark.parametrize("player", [0, 1])
def test_the_reason(
    rules: str, own: list[int], opponent: list[int], steps: int, text: str, reason: str, player: int
) -> None:
    game = Senet(rules)
    state = position(*((own, opponent) if player == 0 else (opponent, own)), player, steps)
    move = next(action for action in game.actions if str(action) == text)
    assert move not in game.legal_actions(state, player)
    if player:
        reason = reason.replace("spools", "cones")
    assert re.match(reason, game.explain_illegal(state, player, move))


def claims(reason: str, game: Senet, state: SenetState, start: int, end: int | str) -> bool:
    """Whether a reason is true, as the slow rules see it."""
    here = slow(game, state)
    taken = here.own | here.opponent
    numbers = [int(number) for number in re.findall(r"\d+", reason)]
    if "you have no dancer" in reason:
        return start not in here.own
    if "must move first" in reason:
        return game.rules == "skyruk" and 26 in here.own and start != 26
    if "your own dancer" in reason:
        return end in here.own and end == numbers[0]
    if "are a blockade" in reason:
        return isinstance(end, int) and slow_rules.jumps_a_blockade(here, start, end)
    if "blockade stands" in reason:
        return end == "off" and slow_rules.jumps_a_blockade(here, start, 31)
    if "is protected" in reason:
        return isinstance(end, int) and end in here.opponent and slow_rules.is_protected(here, end)
    if "nobody can be beaten" in reason:
        return end in here.opponent and end in slow_rules.SAFE_HOUSES
    if "is occupied" in reason:
        return end in taken and end == numbers[0]
    if "any throw" in reason:
        return game.rules == "skyruk" and start == 30 and end != "off"
    if "bears off with exactly" in reason:
        return slow_rules.forward(here, start) != end
    if "backward only" in reason:
        return any(slow_rules.forward(here, dancer) is not None for dancer in here.own)
    if "stop on house 26" in reason:
        exact = "exact throw" in reason
        is_past = end == "off" or int(end) > 26
        return start < 26 and is_past and exact == (game.rules == "kendall")
    if "that leads to" in reason:
        assert here.steps is not None
        return start < 26 and end not in (start + here.steps, start - here.steps)
    if "from house 26" in reason:
        return start == 26 and slow_rules.forward(here, 26) != end
    return "from the water" in reason and start == 27


@given(positions(), st.integers(1, 30), st.integers(-6, 6))
@settings(max_examples=600, deadline=None, database=None)
def test_every_reason_is_true(drawn: tuple[Senet, SenetState], start: int, way: int) -> None:
    game, state = drawn
    end: int | str = start + way if start + way <= 30 else "off"
    move = next((a for a in game.actions if str(a) == f"{start}>{end}"), None)
    if move is None or move in game.legal_actions(state, state.player):
        return
    reason = game.explain_illegal(state, state.player, move)
    assert claims(reason, game, state, start, end), f"{move}: {reason}"


@given(positions(crowded=True))
@settings(max_examples=300, deadline=None, database=None)
def test_every_tempting_move_is_of_a_stuck_dancer_and_truly_refused(
    drawn: tuple[Senet, SenetState],
) -> None:
    game, state = drawn
    own = slow(game, state).own
    movable = {move.start for move in game.legal_actions(state, state.player)}
    wished = game.near_misses(state, state.player)
    assert {move.start for move in wished} == own - movable
    for move in wished:
        start, _, end = str(move).partition(">")
        reason = game.explain_illegal(state, state.player, move)
        where = "off" if end == "off" else int(end)
        assert claims(reason, game, state, int(start), where), f"{move}: {reason}"
