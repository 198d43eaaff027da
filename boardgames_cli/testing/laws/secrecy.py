"""Laws of hidden information: an observation has what the seat may know, and nothing else."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, Final

from boardgames_cli.core.errors import ActionError
from boardgames_cli.core.game import AnyGame, PassesTime, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.scene import (
    Scene,
    SeatTurn,
    Sight,
    call_viewer,
    one_step,
    other_steps,
    scenes,
)

_GUESSES: Final = 3
_MOST_STEPS: Final = 12
_STEPS_AHEAD: Final = 12
_DRAWS: Final = 24


def keeps_some_secret(game: AnyGame) -> None:
    """A game with Traits.HIDDEN hides something from some seat at some point.

    Override redact, or drop Traits.HIDDEN.
    """
    demand(
        Traits.HIDDEN not in game.traits
        or any(
            game.redact(scene.state, viewer) != scene.state
            for scene in scenes(game, range(5), 40)
            for viewer in scene.viewers
        ),
        "redact hid nothing in five games",
    )


def hides_nothing_it_does_not_declare(sight: Sight) -> None:
    """Without Traits.HIDDEN every observation has the unchanged state.

    Add Traits.HIDDEN, or leave redact as it is.
    """
    if Traits.HIDDEN not in sight.game.traits and sight.seen.state != sight.scene.state:
        raise BrokenLaw(f"{sight.who} sees {sight.seen.state!r}")


def redacts_once_and_for_all(sight: Sight) -> None:
    """Of what a viewer sees, it sees all again, and a spectator what it sees of everything.

    redact must leave a state alone that it has redacted for that seat, and redact(state, None) show
    only what every seat knows.
    """
    state, seen = sight.scene.state, sight.seen.state
    for viewer in (sight.viewer, None):
        shown, again = (sight.game.redact(one, viewer) for one in (state, seen))
        if again != shown:
            raise BrokenLaw(
                f"{call_viewer(viewer)} sees {shown!r}; of what {sight.who} sees it is {again!r}"
            )


def shows_everybody_who_acts(sight: Sight) -> None:
    """A redacted state still shows who acts: whose turn it is must be public."""
    shown, acting = (sight.game.to_act(one) for one in (sight.seen.state, sight.scene.state))
    demand(shown == acting, f"{sight.who} believes that {shown} act, but it is {acting}")


def guesses_what_looks_the_same(sight: Sight) -> None:
    """A determinization is a complete state, which looks the same to the seat as the true one.

    Either redact leaks hidden information, or determinize changes what the seat knows.
    """
    for guess in range(_GUESSES):
        imagined = sight.imagine(f"guess{guess}")
        if sight.look(imagined) != sight.seen:
            raise BrokenLaw(
                f"{sight.who} saw {sight.seen!r}, but in the imagined state {imagined!r} it would "
                f"see {sight.look(imagined)!r}"
            )
    if Traits.HIDDEN in sight.game.traits:
        ahead: AnyMatch = Match(
            sight.game, seed=sight.scene.match.seed, start=imagined, max_plies=_STEPS_AHEAD
        )
        while ahead.waiting_for:
            one_step(ahead)
        sight.game.returns(ahead.state)


def redacts_steps_to_a_true_part(sight: Sight) -> None:
    """redact_step only leaves out parts of the step, for a spectator most, and no own action.

    Without Traits.HIDDEN leave redact_step as it is; tell spectators only what every seat is told.
    """
    if sight.scene.last is None:
        return
    before, step = sight.scene.last
    known, public = (sight.game.redact_step(before, step, one) for one in (sight.viewer, None))
    demand(
        all(
            part.is_chance == whole.is_chance
            and part.joint.items() <= whole.joint.items()
            and part.outcome in (None, whole.outcome)
            for part, whole in ((known, step), (public, known))
        )
        and (sight.viewer not in step.joint or sight.viewer in known.joint)
        and (Traits.HIDDEN in sight.game.traits or known == step),
        f"of {step} {sight.who} gets {known}, a spectator {public}",
    )


def redacts_secrets_from_steps(sight: Sight) -> None:
    """redact_step gives the same result for all steps that the seat can't tell apart.

    Let both agree: redact shows a seat its own card, and redact_step tells no other.
    """
    game, scene = sight.game, sight.scene
    if scene.last is None or Traits.HIDDEN not in game.traits:
        return
    before, step = scene.last
    known = game.redact_step(before, step, sight.viewer)
    seen = game.observe(before, sight.viewer, scene.ply - 1)
    rng = scene.rng("told")
    # Everything hidden is resampled: the state before, the outcome of chance, the others' actions.
    for other in (before, *(game.determinize(seen, rng) for _ in range(_GUESSES))):
        steps, _ = other_steps(game, other, step, sight.viewer, rng, _MOST_STEPS)
        for possible in steps:
            after = game.apply_step(other, possible)
            # Dice that lead to the very same state may be shown: no secret distinguishes them.
            if step.is_chance and after == scene.state:
                continue
            told = game.redact_step(other, possible, sight.viewer)
            demand(
                told == known or game.redact(after, sight.viewer) != sight.seen.state,
                f"{sight.who} is known {known} of {step}, but {told} of {possible}, "
                "which looks the same to it",
            )


def reads_back_what_a_seat_sees(sight: Sight) -> None:
    """read_seen reads a redacted state as to_json writes it; external agents need it.

    Annotate what may be hidden as Hidden, or override read_seen.
    """
    seen = sight.seen.state
    written = json.loads(json.dumps(sight.game.to_json(seen), allow_nan=False))
    read = sight.game.read_seen(written, sight.scene.ply)
    if read != seen:
        raise BrokenLaw(f"{sight.who} sees {seen!r}; read back from {written!r} it is {read!r}")


def pools_what_each_knows(scene: Scene) -> None:
    """What seats know together includes all that each knows; alone each knows what redact shows."""
    game, state = scene.game, scene.state
    groups = itertools.chain.from_iterable(
        itertools.permutations(range(game.seats), size) for size in (1, 2)
    )
    for first, *others in groups:
        pooled = game.redact_for_all(state, (first, *others))
        of_first = game.redact(pooled, first) if others else pooled
        if of_first != game.redact(state, first):
            raise BrokenLaw(
                f"seats {(first, *others)} together see {pooled!r}; of that seat {first} "
                f"sees {of_first!r}"
            )


def shows_only_what_steps_tell(sight: Sight) -> None:
    """Histories whose steps look the same to a viewer look the same to it.

    Hide in redact what no step told, or tell it: redact_step shows a seat its own card. What was
    hidden may be turned up at the end, by a step that pays somebody, and where a game that
    RevealsInformation says so.
    """
    worlds = sight.scene.worlds.get(sight.viewer)
    if worlds is not None and worlds.leak is not None:
        raise BrokenLaw(
            f"{sight.who} sees {sight.seen.state!r}; after steps that look the same it would see "
            f"{sight.look(worlds.leak).state!r}"
        )


def answers_from_what_is_seen(sight: Sight) -> None:
    """Legal actions, ids, refusals, defaults and returns are the same whatever is hidden.

    Let each read only what redact shows.
    """
    if Traits.HIDDEN not in sight.game.traits:
        return
    truth = dict(_answers(sight, sight.scene.state))
    for other in (*sight.look_alikes, sight.seen.state):
        for question, answer in _answers(sight, other):
            if answer != truth[question] and not (
                question == "returns" and other is sight.seen.state
            ):
                raise BrokenLaw(
                    f"{question} gave {truth[question]!r}, but {answer!r} in {other!r}, "
                    f"which looks the same to {sight.who}"
                )


def _answers(sight: Sight, state: Any) -> Iterator[tuple[str, object]]:
    game, seat = sight.game, sight.viewer
    yield "returns", game.returns(state)
    if seat is None or seat not in sight.scene.acting:
        return
    legal = list(game.legal_actions(state, seat))
    yield "legal_actions", legal
    if isinstance(game, PassesTime):
        yield "default_action", game.default_action(state, seat)
    yield "near_misses", list(game.near_misses(state, seat))
    for action in sight.seen.legal if game.action_count else ():
        yield f"action_id of {action}", game.action_id(state, action)
    for action in (*game.near_misses(state, seat), *SeatTurn(sight.scene, seat).illegal):
        yield f"explain_illegal of {action}", game.explain_illegal(state, seat, action)
        try:
            game.parse(state, seat, str(action))
        except ActionError as error:
            yield f"parse of {action}", str(error)


def guesses_what_can_be(sight: Sight) -> None:
    """Determinizations are states that the steps allow, and not always the same one.

    Draw what is hidden from what is left, no card twice, with the rng that determinize gets; and
    let redact show a seat what a step told it, such as its own card.
    """
    worlds = sight.scene.worlds.get(sight.viewer)
    if worlds is None:
        return
    drawn = {sight.imagine(f"draw{number}") for number in range(_DRAWS)}
    wrong = [state for state in drawn if state not in worlds.states] if worlds.is_complete else []
    demand(
        not wrong,
        f"determinize gave {wrong[:1]}, which can't be after what {sight.who} was shown",
    )
    missed = [state for state in worlds.states if state not in drawn]
    demand(
        len(drawn) > 1 or not missed or sight.scene.match.is_over,
        f"determinize always gave {drawn}; {missed[:1]} looks the same",
    )
