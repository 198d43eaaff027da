"""Twins: games that differ only in what a seat may not see, for tests that it sees no difference.

A test runs the same thing for both twins and compares all bytes that a reader gets
(`the_same_for`). `kuhn_twins` differ by their seed and the other's cards, `fogged_twins` by what is
in the fog, in pockets and under wood.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.spec import AgentSpec
from boardgames_cli.registry import make
from tests.plugins import forget

Choose = Callable[[AnyMatch, Seat], Any]


class First(Agent[Any, Any]):
    """Takes the first legal action, whatever it sees."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


class Confessing(Agent[Any, Any]):
    """Fails, and says all that it knows."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        thinking.report(f"I know {seen.state}")
        raise ValueError(f"I know {seen.state}")


def seat_odd_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the agents of this module known as ``first`` and ``confessing``."""
    odd = (
        AgentSpec("first", "tests.secrecy:First", "takes the first legal action"),
        AgentSpec("confessing", "tests.secrecy:Confessing", "fails, and says what it knows"),
    )
    monkeypatch.setattr(registry, "BUILT_IN_AGENTS", (*registry.BUILT_IN_AGENTS, *odd))
    forget()


@dataclass(frozen=True)
class Twin:
    """One of two games that a seat can't tell apart."""

    game: str
    options: tuple[str, ...]
    seed: int
    position: Mapping[str, Any] | None = None

    def words(self) -> list[str]:
        """The command line that plays it; its position is written into a file."""
        words = [self.game, *self.options, "--seed", str(self.seed)]
        if self.position is not None:
            Path("start.json").write_text(json.dumps(self.position))
            words += ["--position", "start.json"]
        return words

    def named_options(self) -> dict[str, str]:
        names = (flag.removeprefix("--") for flag in self.options[::2])
        return dict(zip(names, self.options[1::2], strict=True))

    def played(self, plies: int) -> AnyMatch:
        """A match of it after some plies."""
        game = make(self.game, **self.named_options())
        start = None if self.position is None else game.from_json(dict(self.position))
        match: AnyMatch = Match(game, seed=self.seed, start=start)
        play_on(match, plies)
        return match


def first_legal(match: AnyMatch, seat: Seat) -> Any:
    return match.game.legal_actions(match.state, seat)[0]


def play_on(match: AnyMatch, plies: int, choose: Choose = first_legal) -> None:
    """Play a match on for some plies, or to its end."""
    for _ in range(plies):
        for seat in match.waiting_for:
            if seat == CHANCE:
                match.resolve_chance()
            else:
                match.submit(seat, choose(match, seat))


def sights(match: AnyMatch, seat: Seat | None) -> tuple[Any, ...]:
    """All that a seat saw of a match."""
    game = match.game
    return tuple(game.redact(match.state_at(ply), seat) for ply in range(match.ply + 1))


def kuhn_twins(seat: Seat | None, plies: int, hands: int = 3) -> tuple[Twin, Twin]:
    """Two seeds whose hands look the same to a seat for so many plies, with other cards.

    Everybody checks, so that hands end in a showdown.
    """
    game = make("kuhn", hands=hands)
    known: dict[tuple[Any, ...], tuple[int, tuple[Any, ...]]] = {}
    for seed in range(3000):
        match: AnyMatch = Match(game, seed=seed)
        play_on(match, plies)
        full = tuple(match.state_at(ply) for ply in range(match.ply + 1))
        other, states = known.setdefault(sights(match, seat), (seed, full))
        if states != full:
            options = ("--hands", str(hands))
            return Twin("kuhn", options, other), Twin("kuhn", options, seed)
    raise AssertionError("no seeds look alike")


def fogged_twins(seat: Seat, plies: int, mode: str = "team") -> tuple[Twin, Twin]:
    """Two positions of Pommerman that look the same to a seat, also for so many plies to come."""
    game: AnyGame = make("pommerman", mode=mode)
    match: AnyMatch = Match(game, seed=4)
    play_on(match, 1)
    rng = random.Random(7)
    # No bombs: whoever plays at random dies of the first.
    play_on(match, 25, lambda played, seat: rng.choice(game.legal_actions(played.state, seat)[:5]))
    seen = match.observe(seat)
    worlds = [game.determinize(seen, random.Random(number)) for number in range(200)]
    positions = [game.to_json(world) for world in worlds]
    futures = []
    for position in positions:
        on: AnyMatch = Match(game, seed=1, start=game.from_json(position))
        play_on(on, plies)
        futures.append(sights(on, seat))
    for number, future in enumerate(futures[1:], start=1):
        if future == futures[0] and positions[number] != positions[0]:
            options = ("--mode", mode)
            return (
                Twin("pommerman", options, 1, positions[0]),
                Twin("pommerman", options, 1, positions[number]),
            )
    raise AssertionError("no worlds look alike for so long")


_TIMES = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z)?")


def timeless(text: str) -> str:
    """A text without its times and dates, which differ between any two runs."""
    return _TIMES.sub("TIME", text)


def the_same_for(twins: tuple[Twin, Twin], run: Callable[[Twin], str]) -> str:
    """Run the same for both twins and compare; returns what both saw.

    Raises:
        AssertionError: The reader can tell the twins apart.
    """
    one, other = (timeless(run(twin)) for twin in twins)
    assert one == other
    return one
