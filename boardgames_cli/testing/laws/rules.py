"""Laws of rulebooks: seats to act, legal actions, chance, returns; frozen states and positions."""

from __future__ import annotations

import collections
import itertools
import json
import math
import random
from dataclasses import is_dataclass
from typing import Any, Final

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    EliminatesSeats,
    Game,
    PassesTime,
    Step,
    Traits,
)
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import step_texts
from boardgames_cli.testing.findings import BrokenLaw, demand, demand_refusal
from boardgames_cli.testing.scene import Scene, SeatTurn, can_be_returns, pickled_copy

_MOST_JOINTS: Final = 40
_DRAWS: Final = 600
_MOST_SPREADS: Final = 6
_TOLERANCE: Final = 1e-9
_BY_CHANCE: Final = Traits.CHANCE | Traits.SAMPLED_CHANCE
_JUNK: Final[tuple[Any, ...]] = (None, "junk", -1, 10**9, True, 0.5, [], [[]], [-7, "x"], {"a": 1})
_IMMUTABLE: Final = (tuple, frozenset, str, bytes, int, float)


def begins_the_same_every_time(game: AnyGame) -> None:
    """initial_state gives equal states, and nobody has won or lost anything yet.

    Leave dealing and shuffling to chance; returns are the sums of rewards so far, at first zeros.
    """
    first = game.initial_state()
    demand(first == game.initial_state(), "two calls gave different states")
    demand(not any(game.returns(first)), f"the returns at the start are {game.returns(first)}")


def declares_seats_and_bounds(game: AnyGame) -> None:
    """Seats are one of info.seats, all with a name or none; utility and longest are bounds.

    utility is a least and a greatest finite number, longest a number of steps, or None.
    """
    names, longest = game.info.seat_names, game.longest
    demand(
        game.seats in game.info.seats and (not names or len(names) >= game.seats),
        f"seats is {game.seats}, info.seats {game.info.seats}, the names are {names}",
    )
    least, greatest = game.utility
    demand(-math.inf < least <= greatest < math.inf, f"utility is {game.utility}")
    demand(longest is None or (type(longest) is int and longest >= 0), f"longest is {longest!r}")


def is_a_frozen_value(game: AnyGame) -> None:
    """A rulebook is a frozen dataclass: equal options make equal, hashable, picklable games.

    Make its options the fields of the dataclass, and keep nothing else in it.
    """
    twin = type(game)(**option_values(game))
    demand(twin == game and hash(twin) == hash(game), "two games with equal options are not equal")
    demand(pickled_copy(game) == game, "the game is not equal to itself after pickling")


def says_who_acts(scene: Scene) -> None:
    """to_act gives nobody, chance alone, or players in ascending order.

    Give a tuple of ints: (CHANCE,) alone, or each seat once, counted from 0; leave is_over as it
    is: over means that nobody is to act.
    """
    game = scene.game
    seats = game.to_act(scene.state)
    demand(
        isinstance(seats, tuple)
        and all(type(seat) is int for seat in seats)
        and (seats == (CHANCE,) or seats == tuple(sorted({*seats} & {*range(game.seats)}))),
        f"to_act gave {seats!r} in a game of {game.seats} seats",
    )
    demand(
        game.is_over(scene.state) == (not seats),
        f"is_over is {game.is_over(scene.state)} while {seats} are to act",
    )
    demand(
        (CHANCE not in seats or bool(game.traits & _BY_CHANCE))
        and (len(seats) <= 1 or Traits.SIMULTANEOUS in game.traits),
        f"{seats} are to act, but the traits don't say that this can be",
        "Add Traits.CHANCE or SAMPLED_CHANCE where chance acts, SIMULTANEOUS for several at once.",
    )


def offers_actions_it_knows(turn: SeatTurn) -> None:
    """A seat to act has legal actions, each once, and the game knows each by its notation.

    List every action that can ever be legal in game.actions, or override action_named; add a pass,
    or leave the seat out of to_act, where nothing is legal.
    """
    game, legal = turn.game, turn.legal
    demand(bool(legal) and len({*legal}) == len(legal), f"its legal actions are {legal}")
    unknown = set(legal).difference(game.actions)
    if not game.actions:
        unknown = {action for action in legal if game.action_named(str(action)) != action}
    demand(not unknown, f"legal, but not in game.actions: {[*map(str, unknown)]}")
    demand(
        legal == list(game.legal_actions(turn.state, turn.viewer)),
        "a second call gave other actions, or another order",
        "legal_actions must depend on the state alone.",
    )
    if isinstance(game, PassesTime):
        action = game.default_action(turn.state, turn.viewer)
        demand(action in legal, f"default_action is {action!r}, which is not legal")


def applies_legal_actions(scene: Scene) -> None:
    """Every legal step can be applied, twice with the same result, and leaves the state alone.

    apply must be pure, make a new state, and not depend on the order of the seats.
    """
    game, state = scene.game, scene.state
    fingerprint = hash(state), repr(state)
    for step in _steps(scene):
        text = ", ".join(f"{actor}: {done}" for actor, done in step_texts(step).items())
        after = game.apply_step(state, step)
        again = Step(dict(reversed([*step.joint.items()])), step.outcome, step.is_chance)
        demand(
            after == game.apply_step(state, again),
            f"applying {text} twice gave two different states",
        )
        demand(
            (hash(state), repr(state)) == fingerprint,
            f"applying {text} changed the state it was given",
        )
        game.to_act(after)
        game.returns(after)


def _steps(scene: Scene) -> list[Step[Any, Any]]:
    game, state = scene.game, scene.state
    if scene.acting:
        choices = [turn.legal for turn in scene.turns]
        combinations = itertools.islice(itertools.product(*choices), _MOST_JOINTS)
        return [Step(dict(zip(scene.acting, actions, strict=True))) for actions in combinations]
    if scene.lists_chance:
        return [Step.of_chance(outcome) for outcome, _ in game.chance_outcomes(state)]
    if not scene.is_chance:
        return []
    return [Step.of_chance(game.sample_chance(state, scene.rng("apply")))]


def has_fair_chances(scene: Scene) -> None:
    """Chance is drawn from the generator given; listed outcomes differ, and add up to 1.

    Draw from the rng argument only, else undo would re-roll, and what chance_outcomes lists. Leave
    impossible outcomes out there, and add the probabilities of equal ones.
    """
    game, state = scene.game, scene.state
    if not scene.is_chance:
        return
    before = random.getstate()
    drawn = [game.sample_chance(state, scene.rng("draw")) for _ in range(2)]
    demand(
        drawn[0] == drawn[1] and random.getstate() == before,
        f"equal generators gave {drawn[0]} and {drawn[1]}, or the global generator was used",
    )
    if not scene.lists_chance:
        return
    outcomes = game.chance_outcomes(state)
    chances = [chance for _, chance in outcomes]
    demand(
        all(0 < chance <= 1 for chance in chances) and abs(math.fsum(chances) - 1) < _TOLERANCE,
        f"the probabilities are {chances}, together {math.fsum(chances)}",
    )
    demand(len(dict(outcomes)) == len(outcomes), "an outcome is listed twice")
    demand(drawn[0] in dict(outcomes), f"{drawn[0]} was drawn, but is not listed")


def draws_as_often_as_it_lists(scene: Scene) -> None:
    """Outcomes are drawn with the probabilities that chance_outcomes gives."""
    game, state = scene.game, scene.state
    # The contract's own sample_chance draws from the list itself.
    if not scene.lists_chance or type(game).sample_chance is Game.sample_chance:
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
    """Returns are one float for each seat within utility, and add up to 0 if so declared.

    Let utility hold the least and the greatest return that any seat can ever have; returns depend
    on the state alone. Drop Traits.ZERO_SUM where they don't add up to 0.
    """
    game = scene.game
    returns = game.returns(scene.state)
    demand(
        isinstance(returns, tuple)
        and all(isinstance(value, float) for value in returns)
        and can_be_returns(game, returns),
        f"the returns of {game.seats} seats are {returns!r}, and utility is {game.utility}",
    )
    demand(returns == game.returns(scene.state), "a second call gave other returns")


def has_frozen_states(scene: Scene) -> None:
    """States can't be changed, and equal states have equal hashes.

    Use a frozen, slotted dataclass of plain values.
    """
    state = scene.state
    twin = pickled_copy(state)
    demand(
        twin == state and hash(twin) == hash(state),
        "a pickled copy of the state is not equal to it, or has another hash",
    )
    is_frozen = isinstance(state, _IMMUTABLE)
    if is_dataclass(state):
        # The attribute is undocumented but stable; trying to assign might succeed.
        is_frozen = getattr(state, "__dataclass_params__").frozen  # noqa: B009  # not typed
    demand(is_frozen, f"the state is a {type(state).__name__}, which is not frozen")


def writes_positions(scene: Scene) -> None:
    """A position survives to_json, real JSON text and from_json.

    Write a dict with text keys and everything that the state holds, and read it back the same.
    """
    game, state = scene.game, scene.state
    text = json.dumps(game.to_json(state), allow_nan=False)
    data = json.loads(text)
    demand(isinstance(data, dict), "to_json gave no object")
    again = game.from_json(data)
    if again != state:
        raise BrokenLaw(f"the position {text} was read back as {again!r}")


def refuses_damaged_positions(scene: Scene) -> None:
    """from_json takes a position or raises PositionError, whatever stands in it.

    Check every field before using it, raise PositionError naming it, and never put something else
    in its place.
    """
    data = scene.game.to_json(scene.state)
    _try_position(scene, {}, must=True)
    for key in data:
        _try_position(scene, {name: data[name] for name in data if name != key})
        for junk in _JUNK:
            is_object = isinstance(junk, dict) and not isinstance(data[key], dict)
            again = _try_position(scene, data | {key: junk}, must=is_object)
            demand(
                again is None or junk is None or again.get(key, junk) == junk,
                f"{key} was {json.dumps(junk)}, which was read as {json.dumps(again)}",
            )


def _try_position(scene: Scene, data: dict[str, Any], *, must: bool = False) -> Any:
    game, text = scene.game, json.dumps(data)

    def read() -> Any:
        state = game.from_json(json.loads(text))
        # An accepted position must be playable.
        for seat in game.to_act(state):
            if seat != CHANCE:
                game.legal_actions(state, seat)
        return game.to_json(state)

    return demand_refusal(read, PositionError, text, must=must)


def knows_who_is_done(scene: Scene) -> None:
    """Seats that are out or settled never act, and once the game is over all are both.

    is_out and is_settled must be false for every seat that may still act, is_settled also for one
    that may be paid again.
    """
    game, state = scene.game, scene.state
    if not isinstance(game, EliminatesSeats):
        return
    for name, is_done in (("is_out", game.is_out), ("is_settled", game.is_settled)):
        for seat in range(game.seats):
            demand(
                not (is_done(state, seat) and seat in scene.acting),
                f"{name} is true for seat {seat}, but it acts",
            )
            demand(
                is_done(state, seat) or not game.is_over(state),
                f"the game is over, but {name} is false for seat {seat}",
            )
    if scene.last is None:
        return
    before = scene.last[0]
    for seat in range(game.seats):
        gained = game.returns(state)[seat] - game.returns(before)[seat]
        demand(
            not game.is_settled(before, seat) or (game.is_settled(state, seat) and not gained),
            f"seat {seat} was settled before this step, and it changed something for it",
        )
