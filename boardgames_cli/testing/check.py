"""Checks games, views, encoders, analysts, specs and agents against the laws of the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from boardgames_cli.core.agent import Agent, Budget
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.encoder import AnyEncoder
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.view import AnyView, Size
from boardgames_cli.testing.findings import Law, call_game, place
from boardgames_cli.testing.laws import (
    agents,
    analysts,
    encoders,
    matches,
    notation,
    rules,
    secrecy,
    showing,
    specs,
    tables,
    values,
    views,
)
from boardgames_cli.testing.scene import Scene, play_at_random

BOARD_AREA = Size(60, 20)
"""The size of the board on the smallest supported terminal."""

_RARE_BEFORE = 4
_GAME_LAWS = (
    *rules.GAME_LAWS,
    *values.GAME_LAWS,
    *notation.GAME_LAWS,
    *secrecy.GAME_LAWS,
)
_STATE_LAWS = (
    *rules.LAWS,
    *values.LAWS,
    *notation.LAWS,
    *secrecy.LAWS,
    *matches.LAWS,
    *tables.LAWS,
)
_RARE_LAWS = (*rules.RARE_LAWS, *values.RARE_LAWS)


def check_game(game: AnyGame, seeds: Iterable[int] = range(5), max_plies: int = 1000) -> None:
    """Check a rulebook against every law, in random games.

    Args:
        game: The rulebook with the options to check.
        seeds: One game is played per seed.
        max_plies: Longer games are truncated.

    Raises:
        ContractError: A law is broken; the message names the law, the seed, the ply and the state,
            and says what to do.
    """
    subject = call_game(game)
    for law in _GAME_LAWS:
        with place(law, subject, {}):
            law(game)
    met: set[str] = set()
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        with place(plays_on, subject, {"seed": seed}):
            for scene in play_at_random(match, seed):
                _check_scene(scene, subject, met)
        for law in matches.MATCH_LAWS:
            with place(law, subject, {"seed": seed, "plies": match.ply}):
                law(match)


def plays_on(match: AnyMatch) -> None:
    """A game can be played at random from its start to its end."""


def _check_scene(scene: Scene, subject: str, met: set[str]) -> None:
    laws: tuple[Law, ...] = rules.BASIC_LAWS
    if scene.is_sample:
        laws += _STATE_LAWS
    if (scene.ply < _RARE_BEFORE or scene.match.is_over) and repr(scene.state) not in met:
        met.add(repr(scene.state))
        laws += _RARE_LAWS
    for law in laws:
        with place(law, subject, scene.where):
            law(scene)


def check_view(
    view: AnyView,
    seeds: Iterable[int] = range(2),
    fits: Size = BOARD_AREA,
    max_plies: int = 300,
) -> None:
    """Check a view against every law, in random games.

    Args:
        view: The view, made with the game that it shows.
        seeds: One game is played per seed.
        fits: Pictures must fit into this size, and into all larger ones.
        max_plies: Longer games are truncated.

    Raises:
        ContractError: A law is broken; the message says which, where, and what to do.
    """
    game = view.game
    subject = f"{type(view).__name__} of {call_game(game)}"
    shown = showing.Showing(view, fits)
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        for scene in play_at_random(match, seed):
            if scene.is_sample:
                _check_look(views.ViewScene(scene, view, fits), shown, subject)
    for law in showing.LAST_LAWS:
        with place(law, subject, {}):
            law(shown)


def _check_look(looked_at: views.ViewScene, shown: showing.Showing, subject: str) -> None:
    scene = looked_at.scene
    for law in (*views.LAWS, *tables.VIEW_LAWS):
        with place(law, subject, scene.where):
            law(looked_at)
    shown.visit(scene)
    for law in showing.LAWS:
        with place(law, subject, scene.where):
            law(shown)


def check_encoder(
    encoder: AnyEncoder, seeds: Iterable[int] = range(2), max_plies: int = 300
) -> None:
    """Check an encoder against every law, in random games. It needs numpy.

    Args:
        encoder: The encoder, made with the game that it encodes.
        seeds: One game is played per seed.
        max_plies: Longer games are truncated.

    Raises:
        ContractError: A law is broken; the message says which, where, and what to do.
    """
    game = encoder.game
    subject = f"{type(encoder).__name__} of {call_game(game)}"
    for law in encoders.ENCODER_LAWS:
        with place(law, subject, {}):
            law(encoder)
    known: encoders.Known = {}
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        for scene in play_at_random(match, seed):
            laws = encoders.LAWS if scene.is_sample else ()
            for law in (*laws, *encoders.EVERYWHERE):
                with place(law, subject, scene.where):
                    law(encoders.EncoderScene(encoder, scene, known))


def check_analyst(
    analyst: AnyAnalyst, seeds: Iterable[int] = range(2), max_plies: int = 60, every: int = 1
) -> None:
    """Check an analyst against every law, in random games.

    Args:
        analyst: The analyst, made with the game that it evaluates.
        seeds: One game is played per seed.
        max_plies: Longer games are truncated.
        every: Only every n-th position and the last one are evaluated; for slow analysts.

    Raises:
        ContractError: A law is broken; the message says which, where, and what to do.
    """
    game = analyst.game
    subject = f"{type(analyst).__name__} of {call_game(game)}"
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        for scene in play_at_random(match, seed):
            if scene.ply % every and not match.is_over:
                continue
            for law in analysts.LAWS:
                with place(law, subject, scene.where):
                    law(analysts.AnalystScene(analyst, scene))


def check_spec(spec: GameSpec, samples: Iterable[Path] = ()) -> None:
    """Check a game's manifest: its levels, agents, rules, colours and samples.

    Args:
        spec: The spec that the registry or an entry point offers.
        samples: Sample saves of the game.

    Raises:
        ContractError: A law is broken; the message says which, and what to do.
    """
    trial = specs.SpecTrial(spec, tuple(samples))
    for law in specs.LAWS:
        with place(law, f"the spec of {spec.info.id}", {}):
            law(trial)


def check_agent(
    agent: Agent[Any, Any] | Callable[[], Agent[Any, Any]],
    game: AnyGame,
    seeds: Iterable[int] = range(2),
    *,
    max_plies: int = 60,
    budget: Budget = Budget(nodes=200),  # noqa: B008  # frozen
    patience: float = 20.0,
) -> None:
    """Check an agent against every law, at every seat of a game.

    Args:
        agent: The agent, which is reset between games, or a function that makes one.
        game: A game that it can play.
        seeds: One match is played for each.
        max_plies: The maximum number of plies per match.
        budget: The limits of every decision; a limit in seconds makes answers depend on the
            machine.
        patience: The time in seconds that an agent may take to answer after it was told to stop.

    Raises:
        ContractError: A law is broken; the message says which, where, and what to do.
    """
    make: Callable[[], Agent[Any, Any]] = agent if not isinstance(agent, Agent) else lambda: agent
    name = type(make()).__name__
    for seed in seeds:
        trial = agents.Trial(make, game, seed, max_plies, budget, patience)
        for law in agents.LAWS:
            with place(law, f"{name} at {call_game(game)}", trial.where):
                law(trial)
                if trial.make().supports(game) is not None:
                    return
