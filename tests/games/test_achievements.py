"""Achievements are earned by the games that they describe, and by no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.presentation.achievement import (
    Achievement,
    FinishedGame,
    achievements_of,
    earned_in,
)
from boardgames_cli.games.kuhn import GAME as KUHN
from boardgames_cli.registry import find_game, game_ids, make


def played(
    game: str, notations: Sequence[str], options: Mapping[str, Any] | None = None, start: Any = None
) -> AnyMatch:
    rules = make(game, **(options or {}))
    match: AnyMatch = Match(rules, seed=0, start=None if start is None else rules.from_json(start))
    for text in notations:
        (seat, *_) = match.waiting_for
        if seat == CHANCE:
            match.submit_chance(rules.parse_chance(match.state, text))
        else:
            match.submit(seat, rules.parse(match.state, seat, text))
    assert match.is_over
    return match


@pytest.mark.parametrize(
    ("deals", "line", "seat", "earned"),
    [
        (("J", "Q"), ("bet", "bet"), 1, ("bluff-caught",)),
        (("J", "Q"), ("bet", "bet"), 0, ()),
        (("K", "Q"), ("bet", "bet"), 1, ()),
        (("Q", "J"), ("check", "bet", "bet"), 0, ("bluff-caught",)),
        (("J", "Q"), ("bet", "check"), 0, ("bluff",)),
        (("J", "Q"), ("bet", "check"), 1, ()),
        (("Q", "J"), ("check", "bet", "check"), 1, ("bluff",)),
        (("K", "J"), ("check", "bet", "bet"), 0, ("trap",)),
        (("K", "J"), ("check", "check"), 0, ()),
    ],
)
def test_hands_of_kuhn_poker(
    deals: Sequence[str], line: Sequence[str], seat: int, earned: Sequence[str]
) -> None:
    match = played("kuhn", [*(f"deal {card}" for card in deals), *line], {"hands": 1})
    assert earned_in(KUHN, match, seat) == tuple(earned)


def test_a_hand_comes_back_to_life() -> None:
    start = {"hands": [[4, 0], [0, 1]], "player": 0}
    moves = ["swap 2-2", "swap 1-0"]
    spec = find_game("tapnswap")
    rules = make("tapnswap")
    match: AnyMatch = Match(rules, seed=0, start=rules.from_json(start), max_plies=1)
    match.submit(0, rules.parse(match.state, 0, moves[0]))
    assert earned_in(spec, match, 0) == ("revival",)
    assert earned_in(spec, match, 1) == ()


def test_what_fails_is_not_earned(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Any) -> bool:
        raise ValueError("out of ideas")

    broken = (Achievement("odd", "Odd", "Try.", "It fails.", fail), *achievements_of(KUHN))
    monkeypatch.setattr("boardgames_cli.games.kuhn.achievements.ACHIEVEMENTS", broken)
    match = played("kuhn", ["deal J", "deal Q", "bet", "bet"], {"hands": 1})
    assert earned_in(KUHN, match, 1) == ("bluff-caught",)


@pytest.mark.parametrize("id", game_ids())
def test_every_game_has_three_to_five_in_one_line(id: str) -> None:
    found = achievements_of(find_game(id))
    assert 3 <= len(found) <= 5
    for one in found:
        assert len(f"New: {one.title}! {one.lesson}") <= 120, one.title


def test_they_are_earned_by_what_the_seat_saw() -> None:
    match = played("kuhn", ("deal J", "deal Q", "bet", "check"))
    turn = next(FinishedGame(match, 0).own_turns)
    assert match.game.to_json(turn.before)["cards"] == [0, "?"]
