"""The rules of Kuhn poker: the whole tree, recorded ends, matches of several hands, words."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.game_tree import NodeCounts, count_nodes
from boardgames_cli.core.errors import (
    PositionError,
)
from boardgames_cli.core.game import CHANCE, Step
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import RANDOM
from boardgames_cli.games.kuhn.actions import Deal
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.registry import make, make_encoder
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, QUEEN, KuhnMatch, every_state, play_hand

TRACE = Path(__file__).parents[2] / "data" / "kuhn.jsonl.gz"
ROWS = [json.loads(line) for line in gzip.decompress(TRACE.read_bytes()).splitlines()]


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (Kuhn(), NodeCounts(4, 24, 30)),  # those of the literature
        (Kuhn(first=2), NodeCounts(4, 24, 30)),
        # The 30 ends of the first hand are the chance nodes at which the second begins.
        (Kuhn(hands=2), NodeCounts(4 + 30 * 4, 24 + 30 * 24, 30 * 30)),
        (Kuhn(first=RANDOM), NodeCounts(1 + 2 * 4, 2 * 24, 2 * 30)),
    ],
    ids=str,
)
def test_node_counts(game: Kuhn, counts: NodeCounts) -> None:
    assert count_nodes(game, game.initial_state(), 99) == counts


def test_every_recorded_end_is_reached_and_pays_the_same() -> None:
    game = Kuhn()
    ends = {
        (state.cards, tuple(map(str, state.actions))): game.returns(state)
        for state in every_state(game)
        if game.is_over(state)
    }
    recorded = {(tuple(row["cards"]), tuple(row["actions"])): tuple(row["returns"]) for row in ROWS}
    assert len(ROWS) == 30
    assert ends == recorded


def test_chips_run_on_and_the_first_player_alternates() -> None:
    match: KuhnMatch = Match(Kuhn(hands=4), seed=1)
    firsts, chips = [], []
    for deal, line in (("KJ", "bb"), ("KJ", "bc"), ("QK", "cbc"), ("JQ", "cc")):
        play_hand(match, deal, line[:0])
        firsts.append(match.waiting_for[0])
        for letter in line:
            match.submit(match.waiting_for[0], CHECK if letter == "c" else BET)
        chips.append(match.returns[0])
    assert firsts == [0, 1, 0, 1]
    # +2 at the showdown; seat 1 bets and is given 1; seat 1 bets again; seat 1's jack loses.
    assert chips == [2, 1, 0, 1]
    assert match.is_over


def test_a_hand_ends_before_the_next_is_dealt() -> None:
    match: KuhnMatch = Match(Kuhn(hands=2), seed=1)
    play_hand(match, "QJ", "cc")
    assert match.waiting_for == (CHANCE,)
    assert match.observe(0).state.cards == (QUEEN, JACK), "the showdown can be looked at"
    play_hand(match, "K", "")
    assert match.state == KuhnState((-1, KING), (), 1, 1, 1)


def test_with_a_random_first_seat_nobody_knows_who_begins_before_it_is_drawn() -> None:
    game = make("kuhn", first="random")
    start = game.initial_state()
    assert dict(game.chance_outcomes(start)) == {"first 1": 0.5, "first 2": 0.5}
    assert game.to_json(start)["first"] == -1
    assert game.from_json({"cards": [None, None], "actions": []}) == start
    arrays = make_encoder(game).encode(game.observe(start, 0))
    assert not arrays["place"].any()
    assert analyst_for(game).value(start).returns == (0, 0)
    with pytest.raises(PositionError, match="before a random draw"):
        Kuhn().from_json({"cards": [None, None], "actions": [], "first": -1})


@pytest.mark.parametrize("hands", [1, 3, 4])
def test_random_first_seats_are_even_and_seen_by_all(hands: int) -> None:
    game = Kuhn(hands, RANDOM)
    began: Counter[Deal] = Counter()
    for seed in range(40):
        match = Match(game, seed=seed)
        drawn = match.resolve_chance()
        steps = [match.observe_step(seat, 1).step for seat in (0, 1, None)]
        assert steps == [Step.of_chance(drawn)] * 3
        began[drawn] += 1
    assert min(began.values()) > 10
