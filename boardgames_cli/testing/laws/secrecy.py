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
from boardgames_cli.testing.scene import Scene, SeatTurn, Sight, one_step, other_steps, scenes

_GUESSES: Final = 3
_MOST_STEPS: Final = 12
_STEPS_AHEAD: Final = 12
_DRAWS: Final = 24


def keeps_some_secret(game: AnyGame) -> None:
    """A game with Traits.HIDDEN hides something from some seat at some point."""
    demand(
        Traits.HIDDEN not in game.traits
        or any(
            game.redact(scene.state, viewer) != scene.state
            for scene in scenes(game, range(5), 40)
            for viewer in scene.viewers
        ),
        "redact hid nothing in five games",
        "Override redact, or drop Traits.HIDDEN.",
    )


def hides_nothing_it_does_not_declare(sight: Sight) -> None:
    """Without Traits.HIDDEN every observation has the unchanged state."""
    if Traits.HIDDEN not in sight.game.traits and sight.seen.state != sight.scene.state:
        raise BrokenLaw(
            f"{sight.who} sees {sight.seen.state!r}", "Add Traits.HIDDEN, or leave redact as it is."
        )


def redacts_once_and_for_all(sight: Sight) -> None:
    """Redacting a redacted state changes nothing."""
    seen = sight.seen.state
    again = sight.game.redact(seen, sight.viewer)
    if again != seen:
        raise BrokenLaw(
            f"{sight.who} sees {seen!r}, and of that only {again!r}",
            "redact must leave a state alone that it has redacted for that seat.",
        )


def shows_everybody_who_acts(sight: Sight) -> None:
    """A redacted state still shows who acts, and the acting seat its legal actions."""
    game, state, seen = sight.game, sight.scene.state, sight.seen
    demand(
        game.to_act(seen.state) == game.to_act(state),
        f"{sight.who} believes that {game.to_act(seen.state)} act, but it is {game.to_act(state)}",
        "Whose turn it is must be public; front ends show it.",
    )
    seat = sight.viewer
    demand(
        seat not in sight.scene.acting
        or seat is None
        or list(game.legal_actions(seen.state, seat)) == list(seen.legal),
        f"{sight.who} sees other legal actions than it has",
        "Legal actions must follow from what the seat sees, or they reveal a secret.",
    )


def guesses_what_looks_the_same(sight: Sight) -> None:
    """Every determinization gives the seat the same observation as the true state."""
    for guess in range(_GUESSES):
        imagined = sight.imagine(f"guess{guess}")
        if sight.look(imagined) != sight.seen:
            raise BrokenLaw(
                f"{sight.who} saw {sight.seen!r}, but in the imagined state {imagined!r} it would "
                f"see {sight.look(imagined)!r}",
                "redact leaks hidden information, or determinize changes what the seat knows.",
            )


def guesses_states_that_can_be_played(sight: Sight) -> None:
    """A determinization is a complete state, from which the game can continue."""
    if Traits.HIDDEN not in sight.game.traits:
        return
    start = sight.imagine("ahead")
    match: AnyMatch = Match(sight.game, seed=sight.scene.seed, start=start, max_plies=_STEPS_AHEAD)
    while match.waiting_for:
        one_step(match)
    sight.game.returns(match.state)


def redacts_steps_to_a_true_part(sight: Sight) -> None:
    """redact_step only leaves out parts of the step, and never the seat's own action."""
    if sight.scene.last is None:
        return
    before, step = sight.scene.last
    known = sight.game.redact_step(before, step, sight.viewer)
    told = f"of {step} {sight.who} gets {known}"
    demand(
        known.is_chance == step.is_chance
        and known.joint.items() <= step.joint.items()
        and known.outcome in (None, step.outcome),
        told,
        "Leave actions and outcomes out, or give them as they were.",
    )
    demand(
        sight.viewer not in step.joint or sight.viewer in known.joint,
        told,
        "Show every seat what it did itself.",
    )
    demand(
        Traits.HIDDEN in sight.game.traits or known == step,
        told,
        "Add Traits.HIDDEN, or leave redact_step as it is.",
    )


def redacts_secrets_from_steps(sight: Sight) -> None:
    """redact_step gives the same result for all steps that the seat can't tell apart.

    The check resamples everything hidden: the state before, the chance outcome, the others'
    actions.
    """
    game, scene = sight.game, sight.scene
    if scene.last is None or Traits.HIDDEN not in game.traits:
        return
    before, step = scene.last
    known = game.redact_step(before, step, sight.viewer)
    seen = game.observe(before, sight.viewer, scene.ply - 1)
    rng = scene.rng("told")
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
                "Let both agree: redact shows a seat its own card, and redact_step tells no other.",
            )


def reads_back_what_a_seat_sees(sight: Sight) -> None:
    """read_seen reads a redacted state as to_json writes it; external agents need it."""
    seen = sight.seen.state
    written = json.loads(json.dumps(sight.game.to_json(seen), allow_nan=False))
    read = sight.game.read_seen(written, sight.scene.ply)
    if read != seen:
        raise BrokenLaw(
            f"{sight.who} sees {seen!r}; read back from {written!r} it is {read!r}",
            "Annotate what may be hidden as Hidden, or override read_seen.",
        )


def pools_what_each_knows(scene: Scene) -> None:
    """What seats know together includes all that each of them knows."""
    game, state = scene.game, scene.state
    for seats in itertools.permutations(range(game.seats), 2):
        pooled = game.redact_for_all(state, seats)
        first = seats[0]
        if game.redact(pooled, first) != game.redact(state, first):
            raise BrokenLaw(
                f"seats {seats} together see {pooled!r}",
                f"Of that, seat {first} must recognise all that it knows.",
            )
    for seat in range(game.seats):
        alone = game.redact_for_all(state, (seat,))
        if alone != game.redact(state, seat):
            raise BrokenLaw(
                f"seat {seat} alone sees {alone!r}",
                "For a single seat redact_for_all must equal redact.",
            )


def shows_only_what_steps_tell(sight: Sight) -> None:
    """Histories whose steps look the same to a viewer look the same to it.

    What was hidden may be turned up at the end, and by a step that pays somebody.
    """
    worlds = sight.scene.worlds.get(sight.viewer)
    leak = worlds.leak if worlds else None
    if leak is not None:
        raise BrokenLaw(
            f"{sight.who} sees {sight.seen.state!r}; after steps that look the same it would see "
            f"{sight.look(leak).state!r}",
            "Hide in redact what no step told, or tell it: redact_step shows a seat its own card. "
            "Where a step turns something up, let the game be RevealsInformation.",
        )


def shows_spectators_what_all_know(sight: Sight) -> None:
    """A spectator sees nothing that some seat does not see."""
    game, state = sight.game, sight.scene.state
    public, known = game.redact(state, None), game.redact(sight.seen.state, None)
    if public != known:
        raise BrokenLaw(
            f"a spectator sees {public!r}; of what {sight.who} sees it is {known!r}",
            "redact(state, None) shows only what every seat knows.",
        )
    if sight.scene.last is None:
        return
    told = game.redact_step(*sight.scene.last, None)
    own = game.redact_step(*sight.scene.last, sight.viewer)
    demand(
        told.joint.items() <= own.joint.items() and told.outcome in (None, own.outcome),
        f"a spectator is told {told}, {sight.who} {own}",
        "redact_step(before, step, None) tells only what every seat is told.",
    )


def answers_from_what_is_seen(sight: Sight) -> None:
    """Legal actions, ids, refusals, defaults and returns are the same whatever is hidden."""
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
                    f"which looks the same to {sight.who}",
                    f"Let {question.split()[0]} read only what redact shows.",
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
    """Determinizations are states that the steps allow, and not always the same one."""
    worlds = sight.scene.worlds.get(sight.viewer)
    if worlds is None:
        return
    drawn = {sight.imagine(f"draw{number}") for number in range(_DRAWS)}
    wrong = [state for state in drawn if state not in worlds.states] if worlds.is_complete else []
    demand(
        not wrong,
        f"determinize gave {wrong[:1]}, which can't be after what {sight.who} was shown",
        "Draw what is hidden from what is left, no card twice; and let redact show a seat what a "
        "step told it, such as its own card.",
    )
    missed = [state for state in worlds.states if state not in drawn]
    demand(
        len(drawn) > 1 or not missed or sight.scene.match.is_over,
        f"determinize always gave {drawn}; {missed[:1]} looks the same",
        "Draw what is hidden with the rng that determinize gets.",
    )
