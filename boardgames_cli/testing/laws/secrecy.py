"""Laws of hidden information: an observation has what the seat may know, and nothing else."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, Final

from boardgames_cli.core.game import CHANCE, AnyGame, Seat, Step, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.testing.findings import Law, demand
from boardgames_cli.testing.scene import Scene, one_step

_GUESSES = 3
_MOST_OUTCOMES = 12
_STEPS_AHEAD = 12

AnyStep = Step[Any, Any]


def hides_nothing_it_does_not_declare(scene: Scene) -> None:
    """Without Traits.HIDDEN every observation has the unchanged state."""
    if Traits.HIDDEN in scene.game.traits:
        return
    for seat in scene.viewers:
        demand(
            scene.game.redact(scene.state, seat) == scene.state,
            f"{_who(seat)} sees {scene.game.redact(scene.state, seat)!r}",
            "Add Traits.HIDDEN, or leave redact as it is.",
        )


def redacts_once_and_for_all(scene: Scene) -> None:
    """Redacting a redacted state changes nothing."""
    game = scene.game
    for seat in scene.viewers:
        seen = game.redact(scene.state, seat)
        demand(
            game.redact(seen, seat) == seen,
            f"{_who(seat)} sees {seen!r}, and of that only {game.redact(seen, seat)!r}",
            "redact must leave a state alone that it has redacted for that seat.",
        )


def shows_everybody_who_acts(scene: Scene) -> None:
    """A redacted state still shows who acts, and the acting seat its legal actions."""
    game, state = scene.game, scene.state
    for seat in scene.viewers:
        seen = game.redact(state, seat)
        demand(
            game.to_act(seen) == game.to_act(state),
            f"{_who(seat)} believes that {game.to_act(seen)} act, but it is {game.to_act(state)}",
            "Whose turn it is must be public; front ends show it.",
        )
        if seat in scene.acting:
            assert seat is not None
            demand(
                list(game.legal_actions(seen, seat)) == list(game.legal_actions(state, seat)),
                f"seat {seat} sees other legal actions than it has",
                "Legal actions must follow from what the seat sees, or they reveal a secret.",
            )


def guesses_what_looks_the_same(scene: Scene) -> None:
    """Every determinization gives the seat the same observation as the true state."""
    game = scene.game
    for seat in scene.viewers:
        seen = game.observe(scene.state, seat, scene.ply)
        for guess in range(_GUESSES):
            imagined = game.determinize(seen, scene.rng(f"guess{guess}"))
            demand(
                game.observe(imagined, seat, scene.ply) == seen,
                f"{_who(seat)} saw {seen!r}, but in the imagined state {imagined!r} it would see "
                f"{game.observe(imagined, seat, scene.ply)!r}",
                "redact leaks hidden information, or determinize changes what the seat knows.",
            )


def guesses_states_that_can_be_played(scene: Scene) -> None:
    """A determinization is a complete state, from which the game can continue."""
    if Traits.HIDDEN not in scene.game.traits:
        return
    for seat in scene.viewers:
        seen = scene.game.observe(scene.state, seat, scene.ply)
        imagined = scene.game.determinize(seen, scene.rng("ahead"))
        match: AnyMatch = Match(scene.game, seed=scene.seed, start=imagined, max_plies=_STEPS_AHEAD)
        while match.waiting_for:
            one_step(match)
        scene.game.returns(match.state)


def keeps_some_secret(game: AnyGame) -> None:
    """A game with Traits.HIDDEN hides something from some seat at some point."""
    if Traits.HIDDEN not in game.traits:
        return
    for seed in range(5):
        match: AnyMatch = Match(game, seed=seed, max_plies=40)
        while True:
            viewers: tuple[Seat | None, ...] = (*range(game.seats), None)
            if any(game.redact(match.state, seat) != match.state for seat in viewers):
                return
            if not match.waiting_for:
                break
            one_step(match)
    demand(False, "redact hid nothing in five games", "Override redact, or drop Traits.HIDDEN.")


def _who(seat: Seat | None) -> str:
    if seat is None:
        return "a spectator"
    return "chance" if seat == CHANCE else f"seat {seat}"


def redacts_steps_to_a_true_part(scene: Scene) -> None:
    """redact_step only leaves out parts of the step, and never the seat's own action."""
    if not scene.match.steps:
        return
    game, step = scene.game, scene.match.steps[-1]
    before = scene.match.state_at(scene.ply - 1)
    for seat in scene.viewers:
        known = game.redact_step(before, step, seat)
        who = "a spectator" if seat is None else f"seat {seat}"
        demand(
            known.is_chance == step.is_chance
            and known.joint.items() <= step.joint.items()
            and known.outcome in (None, step.outcome),
            f"of {step} {who} gets {known}",
            "Leave actions and outcomes out, or give them as they were.",
        )
        demand(
            seat not in step.joint or seat in known.joint,
            f"{who} did {step}, but gets {known}",
            "Show every seat what it did itself.",
        )
        demand(
            Traits.HIDDEN in game.traits or known == step,
            f"of {step} {who} gets {known}",
            "Add Traits.HIDDEN, or leave redact_step as it is.",
        )


def redacts_secrets_from_steps(scene: Scene) -> None:
    """redact_step gives the same result for all steps that the seat can't tell apart.

    The check resamples everything hidden: the state before, the chance outcome, the others'
    actions.
    """
    game, match = scene.game, scene.match
    if not match.steps or Traits.HIDDEN not in game.traits:
        return
    before, step = match.state_at(scene.ply - 1), match.steps[-1]
    for seat in scene.viewers:
        known = game.redact_step(before, step, seat)
        seen_after = game.redact(scene.state, seat)
        for other, possible in _alternatives(scene, before, step, seat):
            after = game.apply_step(other, possible)
            if game.redact(after, seat) != seen_after:
                continue
            # Dice that lead to the very same state may be shown: no secret distinguishes them.
            if step.is_chance and after == scene.state:
                continue
            demand(
                game.redact_step(other, possible, seat) == known,
                f"{'a spectator' if seat is None else f'seat {seat}'} is known {known} of {step}, "
                f"but {game.redact_step(other, possible, seat)} of {possible}, "
                "which looks the same to it",
                "Leave out of the step what redact leaves out of the state.",
            )


def _alternatives(
    scene: Scene, before: Any, step: AnyStep, seat: Seat | None
) -> Iterator[tuple[Any, AnyStep]]:
    """States a seat can't tell apart from ``before``, each with a possible step."""
    game = scene.game
    seen = game.observe(before, seat, scene.ply - 1)
    for guess in range(_GUESSES):
        rng = scene.rng(f"told{guess}")
        other = before if guess == 0 else game.determinize(seen, rng)
        if step.is_chance:
            outcomes = [game.sample_chance(other, rng)]
            if Traits.SAMPLED_CHANCE not in game.traits:
                listed = game.chance_outcomes(other)[:_MOST_OUTCOMES]
                outcomes = [outcome for outcome, _ in listed]
            yield from ((other, Step.of_chance(outcome)) for outcome in outcomes)
            continue
        legal = {who: list(game.legal_actions(other, who)) for who in step.joint}
        for changed in (None, *step.joint):
            joint = dict(step.joint)
            if changed is not None and changed != seat:
                joint[changed] = rng.choice(legal[changed])
            if all(action in legal[who] for who, action in joint.items()):
                yield other, Step(joint)


def pools_the_steps_each_knows(scene: Scene) -> None:
    """Several seats together know exactly what the individual seats know of a step."""
    if not scene.match.steps:
        return
    game, step = scene.game, scene.match.steps[-1]
    before = scene.match.state_at(scene.ply - 1)
    known = {seat: game.redact_step(before, step, seat) for seat in range(game.seats)}
    groups = [(seat,) for seat in known]
    for seats in [*groups, *itertools.permutations(known, 2), tuple(known)]:
        together = game.redact_step_for_all(before, step, seats)
        actions = {who: act for seat in seats for who, act in known[seat].joint.items()}
        outcomes = {known[seat].outcome for seat in seats} - {None}
        demand(
            together.is_chance == step.is_chance
            and together.joint == actions
            and ({together.outcome} - {None}) == outcomes,
            f"seats {seats} together get {together}",
            "Leave redact_step_for_all as it is, or pool what redact_step gives each of them.",
        )


def reads_back_what_a_seat_sees(scene: Scene) -> None:
    """read_seen reads a redacted state as to_json writes it; external agents need it."""
    game = scene.game
    for seat in scene.viewers:
        seen = game.redact(scene.state, seat)
        written = json.loads(json.dumps(game.to_json(seen)))
        read = game.read_seen(written, scene.ply)
        demand(
            read == seen,
            f"{_who(seat)} sees {seen!r}; read back from {written!r} it is {read!r}",
            "Override read_seen: it must take the marks of what is hidden.",
        )


GAME_LAWS: Final[tuple[Law, ...]] = (keeps_some_secret,)
LAWS: Final[tuple[Law, ...]] = (
    hides_nothing_it_does_not_declare,
    redacts_once_and_for_all,
    shows_everybody_who_acts,
    guesses_what_looks_the_same,
    guesses_states_that_can_be_played,
    redacts_steps_to_a_true_part,
    redacts_secrets_from_steps,
    pools_the_steps_each_knows,
    reads_back_what_a_seat_sees,
)
