"""Laws of rulebooks: seats to act, legal actions, chance, returns."""

from __future__ import annotations

import collections
import itertools
import math
import random
from typing import Any, Final

from boardgames_cli.core.game import CHANCE, AnyGame, Game, Step, Traits
from boardgames_cli.core.record import step_texts
from boardgames_cli.testing.findings import Law, demand
from boardgames_cli.testing.scene import Scene

_MOST_JOINTS = 40
_DRAWS = 600
_MOST_SPREADS = 6
_TOLERANCE = 1e-9
_BY_CHANCE = Traits.CHANCE | Traits.SAMPLED_CHANCE


def begins_the_same_every_time(game: AnyGame) -> None:
    """initial_state gives equal states, and nobody has won or lost anything yet."""
    first = game.initial_state()
    demand(
        first == game.initial_state(),
        "two calls gave different states",
        "Leave dealing and shuffling to chance.",
    )
    demand(
        not any(game.returns(first)),
        f"the returns at the start are {game.returns(first)}",
        "Returns are the sums of rewards so far; begin with zeros.",
    )


def has_a_number_of_seats_it_names(game: AnyGame) -> None:
    """The number of seats is one of info.seats, and each seat has a name if any has."""
    demand(
        game.seats in game.info.seats,
        f"seats is {game.seats}, info.seats {game.info.seats}",
        "List every number of seats in info.seats.",
    )
    names = game.info.seat_names
    demand(
        not names or len(names) >= game.seats,
        f"{len(names)} seat names for {game.seats} seats",
        "Name every seat in info.seat_names, or none.",
    )


def says_who_acts(scene: Scene) -> None:
    """to_act gives nobody, chance alone, or players in ascending order."""
    game = scene.game
    seats = game.to_act(scene.state)
    demand(
        isinstance(seats, tuple) and all(type(seat) is int for seat in seats),
        f"to_act gave {seats!r}",
        "Give a tuple of ints.",
    )
    if CHANCE in seats:
        demand(
            seats == (CHANCE,),
            f"chance acts together with others: {seats}",
            "Give (CHANCE,) alone.",
        )
        demand(
            bool(game.traits & _BY_CHANCE),
            "chance acts, but the traits don't say so",
            "Add Traits.CHANCE or Traits.SAMPLED_CHANCE.",
        )
        return
    demand(
        list(seats) == sorted(set(seats)) and set(seats) <= set(range(game.seats)),
        f"to_act gave {seats} in a game of {game.seats} seats",
        "Give each seat once, ascending, counted from 0.",
    )
    demand(
        len(seats) <= 1 or Traits.SIMULTANEOUS in game.traits,
        f"seats {seats} act at once, but the traits don't say so",
        "Add Traits.SIMULTANEOUS.",
    )
    demand(
        game.is_over(scene.state) == (not seats),
        f"is_over is {game.is_over(scene.state)} while {seats} are to act",
        "Leave is_over as it is: over means that nobody is to act.",
    )


def offers_actions_it_knows(scene: Scene) -> None:
    """A seat to act has legal actions, each once, and the game knows each by its notation."""
    game = scene.game
    for seat in scene.acting:
        legal = list(game.legal_actions(scene.state, seat))
        demand(
            bool(legal),
            f"seat {seat} is to act, but has no legal action",
            "Add a pass, or leave the seat out of to_act.",
        )
        demand(
            len(set(legal)) == len(legal),
            f"seat {seat} has an action twice: {legal}",
            "Offer equal actions once.",
        )
        unknown = _unknown(game, legal)
        demand(
            not unknown,
            f"legal, but not in game.actions: {unknown}",
            "List every action that can ever be legal in game.actions, or override action_named.",
        )
        demand(
            legal == list(game.legal_actions(scene.state, seat)),
            "a second call gave other actions, or another order",
            "legal_actions must depend on the state alone.",
        )


def _unknown(game: AnyGame, legal: list[Any]) -> list[str]:
    if game.actions:
        return [str(action) for action in set(legal).difference(game.actions)]
    return [str(action) for action in legal if game.action_named(str(action)) != action]


def applies_legal_actions(scene: Scene) -> None:
    """Every legal step can be applied, twice with the same result, and leaves the state alone."""
    game, state = scene.game, scene.state
    fingerprint = hash(state), repr(state)
    for step in _steps(scene):
        text = _text(step)
        after = game.apply_step(state, step)
        again = Step(dict(reversed([*step.joint.items()])), step.outcome, step.is_chance)
        demand(
            after == game.apply_step(state, again),
            f"applying {text} twice gave two different states",
            "apply must be pure and must not depend on the order of the seats.",
        )
        demand(
            (hash(state), repr(state)) == fingerprint,
            f"applying {text} changed the state it was given",
            "Make a new state; never change the old one.",
        )
        game.to_act(after)
        game.returns(after)


def _steps(scene: Scene) -> list[Step[Any, Any]]:
    game, state = scene.game, scene.state
    if scene.acting:
        choices = [game.legal_actions(state, seat) for seat in scene.acting]
        combinations = itertools.islice(itertools.product(*choices), _MOST_JOINTS)
        return [Step(dict(zip(scene.acting, actions, strict=True))) for actions in combinations]
    if not game.to_act(state):
        return []
    if Traits.SAMPLED_CHANCE in game.traits:
        return [Step.of_chance(game.sample_chance(state, scene.rng("apply")))]
    return [Step.of_chance(outcome) for outcome, _ in game.chance_outcomes(state)]


def _text(step: Step[Any, Any]) -> str:
    return ", ".join(f"{actor}: {text}" for actor, text in step_texts(step).items())


def has_fair_chances(scene: Scene) -> None:
    """Listed outcomes of chance are different, possible, and their probabilities add up to 1."""
    if scene.game.to_act(scene.state) != (CHANCE,):
        return
    if Traits.SAMPLED_CHANCE in scene.game.traits:
        return
    outcomes = scene.game.chance_outcomes(scene.state)
    demand(
        all(0 < chance <= 1 for _, chance in outcomes),
        f"the probabilities are {[chance for _, chance in outcomes]}",
        "Leave impossible outcomes out.",
    )
    total = math.fsum(chance for _, chance in outcomes)
    demand(
        abs(total - 1) < _TOLERANCE,
        f"the probabilities add up to {total}",
        "Give every outcome its probability; together they are 1.",
    )
    demand(
        len({outcome for outcome, _ in outcomes}) == len(outcomes),
        "an outcome is listed twice",
        "Add the probabilities of equal outcomes.",
    )


def draws_chance_from_the_generator_given(scene: Scene) -> None:
    """Chance gives a possible outcome and uses no randomness but the generator it is given."""
    game, state = scene.game, scene.state
    if game.to_act(state) != (CHANCE,):
        return
    before = random.getstate()
    drawn = [game.sample_chance(state, scene.rng("draw")) for _ in range(2)]
    demand(
        drawn[0] == drawn[1] and random.getstate() == before,
        f"equal generators gave {drawn[0]} and {drawn[1]}, or the global generator was used",
        "Draw from the rng argument only; else undo would re-roll.",
    )
    if Traits.SAMPLED_CHANCE not in game.traits:
        demand(
            drawn[0] in [outcome for outcome, _ in game.chance_outcomes(state)],
            f"{drawn[0]} was drawn, but chance_outcomes does not list it",
            "Make sample_chance and chance_outcomes agree.",
        )


def draws_as_often_as_it_lists(scene: Scene) -> None:
    """Outcomes are drawn with the probabilities that chance_outcomes gives."""
    game, state = scene.game, scene.state
    is_listed = game.to_act(state) == (CHANCE,) and Traits.SAMPLED_CHANCE not in game.traits
    # The contract's own sample_chance draws from the list itself.
    if not is_listed or type(game).sample_chance is Game.sample_chance:
        return
    rng = scene.rng("often")
    drawn = collections.Counter(game.sample_chance(state, rng) for _ in range(_DRAWS))
    for outcome, probability in game.chance_outcomes(state):
        expected = _DRAWS * probability
        spread = math.sqrt(expected * (1 - probability))
        demand(
            abs(drawn[outcome] - expected) <= 1 + _MOST_SPREADS * spread,
            f"{outcome} was drawn {drawn[outcome]} times of {_DRAWS}, "
            f"but its probability is {probability:.3f}",
            "Make sample_chance and chance_outcomes agree.",
        )


def pays_every_seat(scene: Scene) -> None:
    """Returns are one finite number for each seat, and add up to 0 if so declared."""
    game = scene.game
    returns = game.returns(scene.state)
    demand(
        isinstance(returns, tuple) and len(returns) == game.seats,
        f"returns gave {returns!r} in a game of {game.seats} seats",
        "Give a tuple with one number for each seat.",
    )
    demand(
        all(isinstance(value, float) and math.isfinite(value) for value in returns),
        f"the returns are {returns}",
        "Give finite floats.",
    )
    demand(
        returns == game.returns(scene.state),
        "a second call gave other returns",
        "Returns must depend on the state alone.",
    )
    demand(
        Traits.ZERO_SUM not in game.traits or abs(math.fsum(returns)) < _TOLERANCE,
        f"the returns {returns} don't add up to 0",
        "Correct the returns, or drop Traits.ZERO_SUM.",
    )


def declares_its_bounds(game: AnyGame) -> None:
    """The utility is a least and a greatest finite number; longest is None or a whole number."""
    least, greatest = game.utility
    demand(
        math.isfinite(least) and math.isfinite(greatest) and least <= greatest,
        f"utility is {game.utility}",
        "Give (least, greatest) as finite numbers.",
    )
    longest = game.longest
    demand(
        longest is None or (type(longest) is int and longest >= 0),
        f"longest is {longest!r}",
        "Give a number of steps, or None where there is no bound.",
    )


def stays_within_its_utility(scene: Scene) -> None:
    """The returns of no seat ever lie outside the game's utility."""
    least, greatest = scene.game.utility
    returns = scene.game.returns(scene.state)
    demand(
        all(least <= value <= greatest for value in returns),
        f"the returns are {returns}, but utility is {scene.game.utility}",
        "Let utility hold the least and the greatest return that any seat can ever have.",
    )


def ends_in_time(scene: Scene) -> None:
    """A game has never more steps than longest, chance included."""
    longest = scene.game.longest
    demand(
        longest is None or scene.ply < longest or not scene.game.to_act(scene.state),
        f"after {scene.ply} steps the game goes on, but longest is {longest}",
        "Count the steps of chance too; give None if there is no bound.",
    )


GAME_LAWS: Final[tuple[Law, ...]] = (
    has_a_number_of_seats_it_names,
    begins_the_same_every_time,
    declares_its_bounds,
)
BASIC_LAWS: Final[tuple[Law, ...]] = (
    says_who_acts,
    offers_actions_it_knows,
    pays_every_seat,
    stays_within_its_utility,
    ends_in_time,
)
"""Laws checked at every state, before the next step of the match."""

LAWS: Final[tuple[Law, ...]] = (
    has_fair_chances,
    draws_chance_from_the_generator_given,
    applies_legal_actions,
)
RARE_LAWS: Final[tuple[Law, ...]] = (draws_as_often_as_it_lists,)
"""Slow laws, checked only at the first few states of a match."""
