"""Refusals name the rule, and what they say is true."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet import slow_rules
from tests.games.senet.positions import positions, slow


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
