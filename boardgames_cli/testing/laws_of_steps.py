"""Laws of told steps: what a seat is told of a step is true, its own share, and no secret."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

from boardgames_cli.core.game import Seat, Step, Traits
from boardgames_cli.testing.report import Law, demand
from boardgames_cli.testing.scene import Scene

_GUESSES = 3
_MOST_OUTCOMES = 12

AnyStep = Step[Any, Any]


def tells_a_part_of_the_step(scene: Scene) -> None:
    """What redact_step tells is true: the seat's own action, and others' actions or outcomes."""
    if not scene.match.steps:
        return
    game, step = scene.game, scene.match.steps[-1]
    before = scene.match.state_at(scene.ply - 1)
    for seat in scene.viewers:
        told = game.redact_step(before, step, seat)
        who = "a spectator" if seat is None else f"seat {seat}"
        demand(
            told.is_chance == step.is_chance
            and told.joint.items() <= step.joint.items()
            and told.outcome in (None, step.outcome),
            f"of {step} {who} is told {told}",
            "Leave actions and outcomes out, or tell them as they were.",
        )
        demand(
            seat not in step.joint or seat in told.joint,
            f"{who} did {step}, but is told {told}",
            "Tell every seat what it did itself.",
        )
        demand(
            Traits.HIDDEN in game.traits or told == step,
            f"of {step} {who} is told {told}",
            "Add Traits.HIDDEN, or leave redact_step as it is.",
        )


def tells_no_secret_of_a_step(scene: Scene) -> None:
    """A seat is told the same of all steps that look the same to it before and after.

    Everything hidden is drawn anew: the state before, the outcome of chance, what others did.
    """
    game, match = scene.game, scene.match
    if not match.steps or Traits.HIDDEN not in game.traits:
        return
    before, step = match.state_at(scene.ply - 1), match.steps[-1]
    for seat in scene.viewers:
        told = game.redact_step(before, step, seat)
        seen_after = game.redact(scene.state, seat)
        for other, possible in _alternatives(scene, before, step, seat):
            after = game.apply_step(other, possible)
            if game.redact(after, seat) != seen_after:
                continue
            # Dice that lead to the very same state may be told: nothing hidden tells them apart.
            if step.is_chance and after == scene.state:
                continue
            demand(
                game.redact_step(other, possible, seat) == told,
                f"{'a spectator' if seat is None else f'seat {seat}'} is told {told} of {step}, "
                f"but {game.redact_step(other, possible, seat)} of {possible}, "
                "which looks the same to it",
                "Leave out of the step what redact leaves out of the state.",
            )


def _alternatives(
    scene: Scene, before: Any, step: AnyStep, seat: Seat | None
) -> Iterator[tuple[Any, AnyStep]]:
    """States that look to a seat like the one before, each with a step that it could have seen."""
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
    """What several seats are told of a step is all that each of them is told, and no more."""
    if not scene.match.steps:
        return
    game, step = scene.game, scene.match.steps[-1]
    before = scene.match.state_at(scene.ply - 1)
    told = {seat: game.redact_step(before, step, seat) for seat in range(game.seats)}
    groups = [(seat,) for seat in told]
    for seats in [*groups, *itertools.permutations(told, 2), tuple(told)]:
        together = game.redact_step_for_all(before, step, seats)
        actions = {who: act for seat in seats for who, act in told[seat].joint.items()}
        outcomes = {told[seat].outcome for seat in seats} - {None}
        demand(
            together.is_chance == step.is_chance
            and together.joint == actions
            and ({together.outcome} - {None}) == outcomes,
            f"seats {seats} together are told {together}",
            "Leave redact_step_for_all as it is, or pool what redact_step tells each of them.",
        )


LAWS: Final[tuple[Law, ...]] = (
    tells_a_part_of_the_step,
    tells_no_secret_of_a_step,
    pools_the_steps_each_knows,
)
