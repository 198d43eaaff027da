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
        """The rulebook."""
        return self.scene.game

    @cached_property
    def value(self) -> Value:
        """The analyst's value of the position."""
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


def gives_values_that_can_be(judged: Judged) -> None:
    """A value is within the game's utility, and exact values have no error."""
    value = judged.value
    demand(
        _is_possible(judged, value.returns, value.error),
        f"the position is worth {value.returns} with an error of {value.error}, "
        f"but returns are {judged.game.utility[0]} to {judged.game.utility[1]}",
        "Give an expected return within utility for every seat; zero-sum ones add up to 0.",
    )
    demand(
        not (value.is_exact and value.error),
        f"the value is exact, with an error of {value.error}",
        "Say that it is an estimate, or that it has no error.",
    )
    demand(
        not value.chances
        or (len(value.chances) == judged.game.seats
            and min(value.chances) >= 0 and abs(math.fsum(value.chances) - 1) < _TOLERANCE),
        f"the chances to win are {value.chances}",
        "Give every seat a chance of 0 to 1; they add up to 1.",
    )  # fmt: skip


def knows_how_it_ended(judged: Judged) -> None:
    """Where the game is over, a position is worth exactly its returns."""
    game, state = judged.game, judged.scene.state
    if not game.is_over(state):
        return
    value = judged.value
    demand(
        value.is_exact and value.returns == tuple(game.returns(state)),
        f"the game ended with {game.returns(state)}, the value is {value}",
        "Give the returns of a position in which the game is over, exactly.",
    )


def weighs_chance(judged: Judged) -> None:
    """Where chance acts, a position is worth the mean of what its outcomes are worth."""
    game, state = judged.game, judged.scene.state
    if not judged.scene.lists_chance:
        return
    found = list(judged.analyst.outcomes(state))
    if not found:
        return
    demand(
        [(outcome, chance) for outcome, chance, _ in found] == list(game.chance_outcomes(state)),
        f"the outcomes are {[(str(outcome), chance) for outcome, chance, _ in found]}",
        "Give all outcomes of the game with their probabilities, in its order.",
    )
    value = judged.value
    for seat in range(game.seats):
        expected = math.fsum(chance * after.returns[seat] for _, chance, after in found)
        error = math.hypot(value.error, *(chance * after.error for _, chance, after in found))
        demand(
            abs(expected - value.returns[seat]) <= _TOLERANCE + _CERTAIN * error,
            f"for seat {seat} the position is worth {value.returns[seat]}, "
            f"the mean of its outcomes is {expected}",
            "Let a position at chance be worth the mean of its outcomes.",
        )


def judges_every_choice(judged: Judged) -> None:
    """A judgement has every legal action once, the best first, and losses that follow from it."""
    for seen, judgement in judged.turns:
        seat, actions = judgement.seat, [choice.action for choice in judgement.choices]
        demand(
            seat == seen.seat and len(set(actions)) == len(actions)
            and set(actions) == set(seen.legal),
            f"seat {seen.seat} has {seen.legal}, judged are {actions}",
            "Judge every legal action, each once.",
        )  # fmt: skip
        losses = [choice.loss for choice in judgement.choices]
        demand(
            losses == sorted(losses) and abs(losses[0]) <= _TOLERANCE,
            f"the losses are {losses}",
            "Put the best choice first, with a loss of 0, and the others by their loss.",
        )
        best = judgement.best.returns[seat]
        for choice in judgement.choices:
            short = best - choice.returns[seat]
            demand(
                _is_possible(judged, choice.returns, choice.error)
                and (choice.plies_lost > 0) == (abs(short - choice.loss) > _TOLERANCE)
                and not (choice.plies_lost and short)
                and choice.loss_error >= 0,
                f"{choice.action} is worth {choice.returns}, {choice.loss} less than the best",
                "Let a loss be the difference of the seat's expected returns, or of the distance.",
            )


def expects_what_can_be_chosen(judged: Judged) -> None:
    """What the reference expects at a decision lies between its worst and its best choice."""
    for _, judgement in judged.turns:
        seat = judgement.seat
        own = [choice.returns[seat] for choice in judgement.choices]
        margin = _TOLERANCE + _CERTAIN * judgement.error
        demand(
            min(own) - margin <= judgement.expected[seat] <= max(own) + margin,
            f"seat {seat} expects {judgement.expected[seat]}, its choices are worth {own}",
            "Expect the value of the choice that the reference takes, or of its mixture.",
        )


def fits_its_values_together(judged: Judged) -> None:
    """In a game without secrets, a position is worth what its reference choice is worth."""
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
            all(
                abs(first - second) <= _TOLERANCE + _CERTAIN * error
                for first, second in zip(one, other, strict=True)
            ),
            f"the same is worth {one} and {other}, with an error of {error}",
            "Let choices be worth what the positions after them are, within the error.",
        )


def says_the_same_again(judged: Judged) -> None:
    """Equal questions get equal answers, also from another analyst of the same game."""
    demand(
        judged.twin.value(judged.scene.state) == judged.value
        and judged.ask(judged.twin) == judged.turns,
        "a second analyst judges otherwise",
        "Draw what is random from fixed seeds, and keep nothing that changes answers.",
    )


def gives_reasons(judged: Judged) -> None:
    """Whatever two choices are compared, there are words for it."""
    for seen, judgement in judged.turns:
        choices = judgement.choices
        if not choices[-1].loss > _TOLERANCE:
            continue
        reason = judged.analyst.reason(seen, choices[-1].action, choices[0].action)
        demand(
            "\n" not in reason.text + reason.kind and not reason.text.endswith("."),
            f"the reason is {reason}",
            "Give one sentence without its full stop, or nothing.",
        )
        demand(
            bool(judged.analyst.label(seen, choices[0].action)),
            "a choice has no label",
            "Call it by its notation, at least.",
        )


def says_for_whom_chance_acts(judged: Judged) -> None:
    """Chance acts for a seat of the game or for nobody, and what it did has a label of one line."""
    game, state = judged.game, judged.scene.state
    if not judged.scene.lists_chance:
        return
    for outcome, _ in game.chance_outcomes(state):
        seat = judged.analyst.chance_seat(state, outcome)
        label = judged.analyst.chance_label(outcome)
        demand(
            seat is None or (0 <= seat < game.seats and bool(label) and "\n" not in label),
            f'{outcome} comes to seat {seat}, which "{label}"',
            "Name a seat, and what came to it in a few words; or None for nobody's chance.",
        )
