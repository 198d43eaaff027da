"""What holds in every game, whatever is decided: found with random games of all options."""

from __future__ import annotations

import itertools
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.chips import BLANK, DOTS, GONE, level_of
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

GAMES = st.builds(
    DeepSea,
    players=st.integers(2, 6),
    rounds=st.integers(1, 4),
    oxygen=st.integers(1, 40),
    drop=st.sampled_from(["lowest", "choose"]),
    stacks=st.booleans(),
)


def history(game: DeepSea, seed: int) -> list[DeepSeaState]:
    """A random game; it dives more often than it turns back, so that it sees deep places."""
    rng = random.Random(seed)
    states = [game.initial_state()]
    while seats := game.to_act(states[-1]):
        state, seat = states[-1], seats[0]
        if seat == CHANCE:
            states.append(game.apply_chance(state, game.sample_chance(state, rng)))
        else:
            legal = game.legal_actions(state, seat)
            action = legal[int(rng.random() ** 0.6 * len(legal))]
            states.append(game.apply(state, {seat: action}))
    return states


def chips(state: DeepSeaState) -> Counter[int]:
    """How many chips of each level there are: on the trail, in hands, turned over."""
    lying = [*state.trail, *(chip for load in state.held for chip in load)]
    found = Counter(dots for chip in lying if chip != GONE for dots in DOTS[chip])
    for value, count in enumerate(state.ledger.revealed):
        found[level_of(value)] += count
    return +found


def check_step(game: DeepSea, before: DeepSeaState, after: DeepSeaState) -> None:
    """Chips are conserved, oxygen falls, and nobody turns twice or goes back on its way."""
    is_same_round = before.round == after.round
    if game.stacks or is_same_round or after.phase is Phase.OVER:
        assert chips(after) == chips(before)
    else:
        assert chips(after) <= chips(before), "what drowned has vanished"
    if not is_same_round:
        return
    assert after.oxygen <= before.oxygen
    for seat in range(game.players):
        assert after.diving[seat] <= before.diving[seat]
        assert not before.is_home(seat) or after.is_home(seat)
        moved = after.places[seat] - before.places[seat]
        assert moved >= 0 if before.diving[seat] else moved <= 0


def check_state(game: DeepSea, state: DeepSeaState) -> None:
    """Everybody has a place, every chip carried has left a blank, points are chips turned over."""
    assert 0 <= state.oxygen <= game.oxygen
    out = [place for place in state.places if place]
    assert len(set(out)) == len(out)
    assert GONE not in [state.trail[place - 1] for place in out]
    blanks, carried = state.trail.count(BLANK), sum(map(len, state.held))
    assert blanks == carried or state.phase in (Phase.REVEAL, Phase.OVER)
    ledger = state.ledger
    assert sum(ledger.points) == sum(v * count for v, count in enumerate(ledger.revealed))
    assert max(ledger.revealed) <= 2


@settings(max_examples=100, deadline=None)
@given(GAMES, st.integers(0, 10**6))
def test_every_game_keeps_the_laws(game: DeepSea, seed: int) -> None:
    states = history(game, seed)
    for state in states:
        check_state(game, state)
    for before, after in itertools.pairwise(states):
        check_step(game, before, after)
    last = states[-1]
    assert last.round == game.rounds
    assert last.points == tuple(map(sum, zip(*last.ledger.by_round, strict=True)))
    assert game.returns(last) == last.points
