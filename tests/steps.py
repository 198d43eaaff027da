"""Steps of chance and of seats, for tests that treat both alike."""

from __future__ import annotations

from typing import Any

from boardgames_cli.core.game import CHANCE, AnyGame, Step


def step_by(actor: int, done: Any) -> Step[Any, Any]:
    """A step in which one seat, or chance, does something."""
    return Step.of_chance(done) if actor == CHANCE else Step({actor: done})


def after(game: AnyGame, state: Any, done: Any) -> Any:
    """The state after whoever is to act alone has done something."""
    (actor,) = game.to_act(state)
    return game.apply_step(state, step_by(actor, done))
