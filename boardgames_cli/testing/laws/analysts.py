"""Laws of analysts: values are possible, consistent, and within their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from boardgames_cli.core.analyst import AnyAnalyst, Judgement, Value
from boardgames_cli.core.game import AnyGame, Observation, Traits
from boardgames_cli.testing.findings import demand
from boardgames_cli.testing.scene import Scene, can_be_returns

_TOLERANCE: Final = 1e-6
_CERTAIN: Final = 4.0
"""The tolerance for estimates in standard errors."""


@dataclass(frozen=True)
class Judged:
    """A scene whose position an analyst judges."""

    scene: Scene
    analyst: AnyAnalyst
    twin: AnyAnalyst
    """Another analyst of the same kind and game."""

    @property
    def game(self) -> AnyGame:
        return self.scene.game

    @cached_property
    def value(self) -> Value:
        return self.analyst.value(self.scene.state)

    @cached_property
    def turns(self) -> list[tuple[Observation[Any, Any], Judgement[Any]]]:
        """What every seat to act sees, and the analyst's judgement of its choices."""
        return self.ask(self.analyst)

    def ask(self, analyst: AnyAnalyst) -> list[tuple[Observation[Any, Any], Judgement[Any]]]:
        """What every seat to act sees, and an analyst's judgement of its choices."""
        match = self.scene.match
        return [
            (match.observe(seat), analyst.judge(match.observe(seat), earlier))
            for seat in self.scene.acting
            for earlier in [[match.observe_step(seat, ply) for ply in range(match.ply)]]
        ]


def _is_possible(judged: Judged, returns: tuple[float, ...], error: float) -> bool:
    margin = _TOLERANCE + _CERTAIN * error
    return 0 <= error < math.inf and can_be_returns(judged.game, returns, margin)


def _is_near(one: float, other: float, error: float) -> bool:
    return abs(one - other) <= _TOLERANCE + _CERTAIN * error


def gives_values_that_can_be(judged: Judged) -> None:
    """A value is within utility, and at the end the returns; chances to win add up to 1.

    Give every seat an expected return within utility, exact ones without an error, and a chance of
    0 to 1 or none.
    """
    game, value, chances = judged.game, judged.value, judged.value.chances
    demand(
        _is_possible(judged, value.returns, value.error) and not (value.is_exact and value.error),
        f"the position is worth {value}, but returns are {game.utility}",
    )
    ended = game.returns(judged.scene.state)
    demand(
        (value.is_exact and value.returns == tuple(ended)) or not game.is_over(judged.scene.state),
        f"the game ended with {ended}, the value is {value}",
    )
    demand(
        not chances
        or (
            len(chances) == game.seats
            and min(chances) >= 0
            and abs(math.fsum(chances) - 1) < _TOLERANCE
        ),
        f"the chances to win are {chances}",
    )


def weighs_chance(judged: Judged) -> None:
    """Where chance acts, for a seat or nobody, a position is worth the mean of its outcomes.

    Give all outcomes of the game with their probabilities, in its order, or none; and say in a few
    words what came to the seat.
    """
    game, state = judged.game, judged.scene.state
    if not judged.scene.lists_chance:
        return
    for outcome, _ in game.chance_outcomes(state):
        seat = judged.analyst.chance_seat(state, outcome)
        label = judged.analyst.chance_label(outcome)
        demand(
            seat is None or (seat in range(game.seats) and bool(label) and "\n" not in label),
            f'{outcome} comes to seat {seat}, which "{label}"',
        )
    found = list(judged.analyst.outcomes(state))
    if not found:
        return
    demand(
        [(outcome, chance) for outcome, chance, _ in found] == list(game.chance_outcomes(state)),
        f"the outcomes are {[(str(outcome), chance) for outcome, chance, _ in found]}",
    )
    value = judged.value
    for seat in range(game.seats):
        expected = math.fsum(chance * after.returns[seat] for _, chance, after in found)
        error = math.hypot(value.error, *(chance * after.error for _, chance, after in found))
        demand(
            _is_near(expected, value.returns[seat], error),
            f"for seat {seat} the position is worth {value.returns[seat]}, "
            f"the mean of its outcomes is {expected}",
        )


def judges_every_choice(judged: Judged) -> None:
    """A judgement has every legal action once, the best first, and losses that follow from it.

    A loss is the difference of the seat's expected returns to the best choice, or of the distance.
    The reference expects the value of the choice that it takes, or of its mixture.
    """
    for seen, judgement in judged.turns:
        seat, actions = judgement.seat, [choice.action for choice in judgement.choices]
        demand(
            seat == seen.seat
            and len(set(actions)) == len(actions)
            and set(actions) == set(seen.legal),
            f"seat {seen.seat} has {seen.legal}, judged are {actions}",
        )
        losses = [choice.loss for choice in judgement.choices]
        demand(
            losses == sorted(losses) and abs(losses[0]) <= _TOLERANCE, f"the losses are {losses}"
        )
        own = [choice.returns[seat] for choice in judgement.choices]
        for choice in judgement.choices:
            short = own[0] - choice.returns[seat]
            demand(
                _is_possible(judged, choice.returns, choice.error)
                and (choice.plies_lost > 0) == (abs(short - choice.loss) > _TOLERANCE)
                and not (choice.plies_lost and short)
                and choice.loss_error >= 0,
                f"{choice.action} is worth {choice.returns}, {choice.loss} less than the best",
            )
        margin = _TOLERANCE + _CERTAIN * judgement.error
        demand(
            min(own) - margin <= judgement.expected[seat] <= max(own) + margin,
            f"seat {seat} expects {judgement.expected[seat]}, its choices are worth {own}",
        )


def fits_its_values_together(judged: Judged) -> None:
    """In a game without secrets, a position is worth what its reference choice is worth.

    Choices are worth what the positions after them are, within the error.
    """
    game, acting = judged.game, judged.scene.acting
    if Traits.HIDDEN in game.traits or len(acting) != 1:
        return
    [(_, judgement)], value = judged.turns, judged.value
    pairs = [(judgement.expected, value.returns, math.hypot(judgement.error, value.error))]
    for choice in judgement.choices:
        after = judged.analyst.value(game.apply(judged.scene.state, {acting[0]: choice.action}))
        pairs.append((choice.returns, after.returns, math.hypot(choice.error, after.error)))
    for one, other, error in pairs:
        demand(
            all(_is_near(*seats, error) for seats in zip(one, other, strict=True)),
            f"the same is worth {one} and {other}, with an error of {error}",
        )


def says_the_same_again(judged: Judged) -> None:
    """Equal questions get equal answers, also from another analyst of the same game.

    Draw what is random from fixed seeds, and keep nothing that changes answers.
    """
    demand(
        judged.twin.value(judged.scene.state) == judged.value
        and judged.ask(judged.twin) == judged.turns,
        "a second analyst judges otherwise",
    )


def gives_reasons(judged: Judged) -> None:
    """Of any two choices a reason is a sentence without its full stop, or empty; each has a label.

    A label is the notation of the choice, at least.
    """
    for seen, judgement in judged.turns:
        best, worst = judgement.choices[0], judgement.choices[-1]
        if worst.loss > _TOLERANCE:
            reason = judged.analyst.reason(seen, worst.action, best.action)
            demand(
                "\n" not in reason.text + reason.kind and not reason.text.endswith("."),
                f"the reason is {reason}",
            )
            demand(bool(judged.analyst.label(seen, best.action)), "a choice has no label")
