"""Checks games, views, encoders, analysts, specs and agents against the laws of the contract.

Except for manifests, all are checked in random games, one for each seed, of which longer ones than
``max_plies`` are truncated. A broken law raises a `ContractError`, which says which law, where, and
what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.agent import Agent, Budget
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.encoder import AnyEncoder
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.presentation.view import AnyView
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.testing.findings import Law, call_game, laws_about, place, subject_of
from boardgames_cli.testing.laws import (
    agents,
    analysts,
    encoders,
    matches,
    notation,
    rules,
    secrecy,
    specs,
    views,
)
from boardgames_cli.testing.scene import Scene, Sight, scenes

EVERYWHERE: Final = (
    rules.says_who_acts,
    rules.offers_actions_it_knows,
    rules.pays_every_seat,
)
"""Laws checked at every state; the others are checked at samples (`Scene.is_sample`)."""

RARELY: Final = (rules.draws_as_often_as_it_lists, rules.refuses_damaged_positions)
"""Slow laws, checked only at the first few states of a match and at its end."""

_RARE_BEFORE: Final = 4
_PARTS: Final = (rules, notation, secrecy, matches)

GAME_LAWS: Final = laws_about("AnyGame", *_PARTS)
STATE_LAWS: Final = laws_about("Scene Sight SeatTurn", *_PARTS)
MATCH_LAWS: Final = laws_about("AnyMatch", *_PARTS)
LOOK_LAWS: Final = laws_about("Look", views)
SHOWING_LAWS: Final = laws_about("Showing", views)
ENCODER_LAWS: Final = laws_about("AnyEncoder", encoders)
ENCODING_LAWS: Final = laws_about("Encoding", encoders)
ANALYST_LAWS: Final = laws_about("Judged", analysts)
SPEC_LAWS: Final = laws_about("SpecTrial", specs)
AGENT_LAWS: Final = laws_about("Trial", agents)

_SAMPLED: Final = tuple(law for law in STATE_LAWS if law not in (*EVERYWHERE, *RARELY))


def _check(
    laws: Iterable[Law], about: object, subject: str, where: Mapping[str, object] | None = None
) -> None:
    for law in laws:
        with place(law, subject, where or {}):
            law(about)


def check_game(game: AnyGame, seeds: Iterable[int] = range(5), max_plies: int = 1000) -> None:
    """Check a rulebook against every law, in random games."""
    subject = call_game(game)
    _check(GAME_LAWS, game, subject)
    met: set[str] = set()
    for seed in seeds:
        with place(plays_on, subject, {"seed": seed}):
            for scene in scenes(game, [seed], max_plies):
                _check_scene(scene, subject, met)
        _check(MATCH_LAWS, scene.match, subject, {"seed": seed, "plies": scene.ply})


def plays_on(game: AnyGame) -> None:
    """A game can be played at random from its start to its end."""


def _check_scene(scene: Scene, subject: str, met: set[str]) -> None:
    seen: Mapping[str, Sequence[Scene | Sight]]
    seen = {"Scene": [scene], "Sight": scene.sights, "SeatTurn": scene.turns}
    laws: Iterable[Law] = (*EVERYWHERE, *_SAMPLED) if scene.is_sample else EVERYWHERE
    for law in laws:
        for about in seen[subject_of(law)]:
            _check([law], about, subject, about.where)
    if scene.ply < _RARE_BEFORE or scene.match.is_over:
        state = repr(scene.state)
        if state not in met:
            met.add(state)
            _check(RARELY, scene, subject, scene.where)


def check_view(view: AnyView, seeds: Iterable[int] = range(2), max_plies: int = 300) -> None:
    """Check a view against every law, in random games."""
    subject = f"{type(view).__name__} of {call_game(view.game)}"
    shown = views.Showing(view)
    for scene in scenes(view.game, seeds, max_plies):
        if scene.is_sample:
            for viewer in scene.viewers:
                look = views.Look(scene, viewer, view)
                _check(LOOK_LAWS, look, subject, look.where)
            shown.visit(scene)
            _check([views.shows_every_step], shown, subject, scene.where)
    _check([views.distinguishes_positions], shown, subject)


def check_encoder(
    encoder: AnyEncoder, seeds: Iterable[int] = range(2), max_plies: int = 300
) -> None:
    """Check an encoder against every law, in random games. It needs numpy."""
    subject = f"{type(encoder).__name__} of {call_game(encoder.game)}"
    _check(ENCODER_LAWS, encoder, subject)
    known: encoders.Known = {}
    for scene in scenes(encoder.game, seeds, max_plies):
        # Comparing states with each other makes sense only at every state.
        laws = ENCODING_LAWS if scene.is_sample else (encoders.distinguishes_states,)
        for viewer in scene.viewers:
            encoding = encoders.Encoding(scene, viewer, encoder, known)
            _check(laws, encoding, subject, encoding.where)


def check_analyst(
    analyst: AnyAnalyst, seeds: Iterable[int] = range(2), max_plies: int = 60, every: int = 1
) -> None:
    """Check an analyst against every law, in random games.

    Of a slow one, only every n-th position and the last one are evaluated.
    """
    subject = f"{type(analyst).__name__} of {call_game(analyst.game)}"
    for scene in scenes(analyst.game, seeds, max_plies):
        if scene.ply % every == 0 or scene.match.is_over:
            twin = type(analyst)(analyst.game)
            judged = analysts.Judged(scene, analyst, twin)
            _check(ANALYST_LAWS, judged, subject, scene.where)


def check_spec(spec: GameSpec, samples: Iterable[Path] = ()) -> None:
    """Check a game's manifest: its levels, agents, rules, colours and sample saves."""
    trial = specs.SpecTrial(spec, tuple(samples))
    _check(SPEC_LAWS, trial, f"the spec of {spec.info.id}")


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
    """
    make: Callable[[], Agent[Any, Any]] = agent if not isinstance(agent, Agent) else lambda: agent
    subject = f"{type(make()).__name__} at {call_game(game)}"
    trial = agents.Trial(make, game, tuple(seeds), max_plies, budget, patience)
    where = {"seeds": trial.seeds}
    _check([agents.says_what_it_can_play], trial, subject, where)
    if make().supports(game) is None:
        _check(AGENT_LAWS, trial, subject, where)
