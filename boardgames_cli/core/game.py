"""What a game is: a rulebook over immutable states.

The words follow the field: a *seat* acts, *chance* acts as seat -1, an *observation* is what
one seat may know of a state, *returns* are the sums of rewards so far. What seats do are
*actions*, what chance does are *outcomes*; they are two types, and no method takes either.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, NamedTuple, Never, TypeAlias, TypeVar

from boardgames_cli.core.errors import IllegalActionError, UnknownActionError
from boardgames_cli.core.info import GameInfo, Traits
from boardgames_cli.core.notation import beginning_with, listed, written_as
from boardgames_cli.core.options import check_options

Seat: TypeAlias = int
"""A place at the table, counted from 0."""

CHANCE: Final[Seat] = -1
"""The seat that throws dice and deals cards."""

S = TypeVar("S", bound=Hashable)
"""A state: a frozen, slotted dataclass of plain values."""

A = TypeVar("A", bound=Hashable)
"""What a seat does; ``str(action)`` is its notation."""

C = TypeVar("C", bound=Hashable)
"""What chance brings; ``str(outcome)`` is its notation."""

NoChance: TypeAlias = Never
"""The outcomes of a game without chance: ``Game[State, Action, NoChance]``."""


class Observation(NamedTuple, Generic[S, A]):
    """All that one seat may know at one moment. Agents and views get nothing else.

    A named tuple: it is made at every decision, twice as fast as a frozen dataclass.
    """

    seat: Seat | None
    """The viewer's seat; None is a spectator, who knows what everybody knows."""
    ply: int
    """How many steps, chance included, came before."""
    state: S
    """The state with everything redacted that the seat may not know."""
    legal: tuple[A, ...]
    """What the seat can do now; empty while it is not its turn."""


@dataclass(frozen=True, slots=True)
class Step(Generic[A, C]):
    """One step of a history: what the seats that were to act did, or what chance brought.

    `Game.redact_step` gives the part of it that somebody may know.
    """

    joint: Mapping[Seat, A] = field(default_factory=dict)
    """The action of each seat; empty if chance acted. Actions that the reader may not know are
    left out."""
    outcome: C | None = None
    """What chance brought; None if seats acted, or if the reader may not know it."""
    is_chance: bool = False
    """Whether chance acted."""

    @classmethod
    def of_chance(cls, outcome: C | None) -> Step[A, C]:
        """A step of chance; None is an outcome that the reader may not know."""
        return cls({}, outcome, True)


class Game(ABC, Generic[S, A, C]):
    """A rulebook: a frozen dataclass whose fields are its options, and nothing else.

    All methods are pure. `apply`, `apply_chance`, `legal_actions`, `returns` and `redact` trust
    their input; whatever comes from outside passes `parse`, `parse_chance`, `from_json` or
    `Match.submit` first. A game without chance is a ``Game[S, A, NoChance]`` and leaves all
    methods about chance as they are.
    """

    info: ClassVar[GameInfo]

    position_options: ClassVar[tuple[str, ...]] = ()
    """Options that a position repeats, so that it can't be read into another kind of game."""

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def seats(self) -> int:
        """How many seats this game, with these options, has."""
        return self.info.seats[0]

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that win and lose together; by default each is for itself."""
        return tuple((seat,) for seat in range(self.seats))

    @property
    def traits(self) -> Traits:
        """What kind of game it is with these options; by default what `info` says."""
        return self.info.traits

    @property
    @abstractmethod
    def utility(self) -> tuple[float, float]:
        """The least and the greatest return that a seat can have, now or in the end."""

    @property
    def longest(self) -> int | None:
        """No game has more steps than this, chance included; None if there is no such bound."""
        return None

    @property
    def actions(self) -> tuple[A, ...]:
        """Every action a seat can ever take, in the order of their ids.

        Empty, as by default, if they can't be listed, say because they carry numbers. Such a game
        overrides `action_named`, and `action_count`, `action_id` and `action_of` if it has ids.
        """
        return ()

    def action_named(self, text: str) -> A | None:
        """The action of this game that a text is the notation of, legal or not; None if none.

        This is how "unknown" and "illegal" differ. By default looked up in `actions`.
        """
        return written_as(text, self.actions)

    @property
    def action_count(self) -> int:
        """How many ids there are for reinforcement learning: ids are below this number."""
        return len(self.actions)

    def action_id(self, state: S, action: A) -> int:
        """The id of an action for reinforcement learning; by default its place in `actions`."""
        return self.actions.index(action)

    def action_of(self, state: S, id: int) -> A:
        """The action that an id stands for in a state.

        Raises:
            UnknownActionError: No action has that id here.
        """
        if not 0 <= id < self.action_count:
            raise UnknownActionError(
                f"there is no action {id}.", f"Ids: 0 to {self.action_count - 1}."
            )
        return self.actions[id]

    def legal_with_id(self, state: S, legal: Sequence[A], id: int) -> A:
        """The one of some legal actions that has an id, for games whose ids depend on the state.

        Raises:
            UnknownActionError: None of them has it.
        """
        for action in legal:
            if self.action_id(state, action) == id:
                return action
        known = ", ".join(str(self.action_id(state, action)) for action in legal) or "none"
        raise UnknownActionError(f"no legal action has the id {id}.", f"Ids now: {known}.")

    @abstractmethod
    def initial_state(self) -> S:
        """The state before the first step."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Who acts now: nobody once it is over, ``(CHANCE,)``, one seat, or several together."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """What a seat that is to act can do; never empty for such a seat."""

    @abstractmethod
    def apply(self, state: S, joint: Mapping[Seat, A]) -> S:
        """The state after every seat that was to act has acted."""

    @abstractmethod
    def returns(self, state: S) -> tuple[float, ...]:
        """For every seat the sum of its rewards so far."""

    def chance_outcomes(self, state: S) -> Sequence[tuple[C, float]]:
        """All outcomes of chance with their probabilities, where chance is to act.

        Games with `Traits.SAMPLED_CHANCE` have too many and override `sample_chance` instead.
        """
        raise NotImplementedError(f"{self.info.id} lists no chance outcomes")

    def sample_chance(self, state: S, rng: random.Random) -> C:
        """One outcome of chance, drawn with its probability."""
        outcomes = self.chance_outcomes(state)
        drawn = rng.random()
        cumulated = itertools.accumulate(probability for _, probability in outcomes)
        for (outcome, _), below in zip(outcomes, cumulated, strict=True):
            if drawn < below:
                return outcome
        return outcomes[-1][0]

    def apply_chance(self, state: S, outcome: C) -> S:
        """The state after chance has acted."""
        raise NotImplementedError(f"{self.info.id} leaves nothing to chance")

    def apply_step(self, state: S, step: Step[A, C]) -> S:
        """The state after a step, whoever acted; the step must be one that hides nothing."""
        if step.outcome is None:
            return self.apply(state, step.joint)
        return self.apply_chance(state, step.outcome)

    def redact(self, state: S, seat: Seat | None) -> S:
        """The state as a seat knows it; None is a spectator. By default nothing is hidden."""
        return state

    def redact_step(self, before: S, step: Step[A, C], seat: Seat | None) -> Step[A, C]:
        """A step as a seat may know it; None is a spectator. By default nothing is hidden.

        Args:
            before: The state before the step, in full.
            step: The step, in full.
            seat: The observing seat.
        """
        return step

    def redact_step_for_all(self, before: S, step: Step[A, C], seats: Sequence[Seat]) -> Step[A, C]:
        """A step as several seats know it together, when they share what they know."""
        known = [self.redact_step(before, step, seat) for seat in seats]
        if step.is_chance:
            outcomes = (part.outcome for part in known if part.outcome is not None)
            return Step.of_chance(next(outcomes, None))
        shown = {seat for part in known for seat in part.joint}
        return Step({seat: action for seat, action in step.joint.items() if seat in shown})

    def determinize(self, seen: Observation[S, A], rng: random.Random) -> S:
        """Some full state that looks to ``seen.seat`` exactly like ``seen``."""
        return seen.state

    def observe(self, state: S, seat: Seat | None, ply: int = 0) -> Observation[S, A]:
        """What a seat knows of a state."""
        legal: tuple[A, ...] = ()
        if seat is not None and seat in self.to_act(state):
            legal = tuple(self.legal_actions(state, seat))
        return Observation(seat, ply, self.redact(state, seat), legal)

    @property
    def needs_lock_screen(self) -> bool:
        """Whether people at one screen must look away while another of them acts."""
        return Traits.HIDDEN in self.traits

    def redact_for_all(self, state: S, seats: Sequence[Seat]) -> S:
        """The state as several seats know it together, if they show each other what they see.

        By default as much as the first of them knows.
        """
        return self.redact(state, seats[0])

    def is_over(self, state: S) -> bool:
        """Whether nobody can act any more."""
        return not self.to_act(state)

    def is_out(self, state: S, seat: Seat) -> bool:
        """Whether a seat has nothing more to do, although others may.

        Where several games are played in a row, the present one is meant.
        """
        return self.is_over(state)

    def is_settled(self, state: S, seat: Seat) -> bool:
        """Whether a seat will neither act again nor have another return, although others go on.

        By default that is so once the game is over.
        """
        return self.is_over(state)

    def default_action(self, state: S, seat: Seat) -> A | None:
        """What a seat does that lets its time pass, such as standing still.

        None, the usual answer, means that the game waits for everybody. Games that have such an
        action can be played in real time, and their agents must keep their time limit.
        """
        return None

    def explain_illegal(self, state: S, seat: Seat, action: A) -> str:
        """Why an existing action can't be taken now, as an end of the sentence "illegal: ..."."""
        return f"{action} is not possible now"

    def near_misses(self, state: S, seat: Seat) -> Sequence[A]:
        """Illegal actions that a player might well try; front ends list them with the reason."""
        return ()

    def parse(self, state: S, seat: Seat, text: str) -> A:
        """The action that a text stands for.

        The notation itself always wins; otherwise a beginning that fits one legal action only.

        Raises:
            UnknownActionError: The text is not the notation of anything in this game.
            IllegalActionError: It is, but not possible now.
            AmbiguousActionError: It begins several legal actions.
        """
        legal = self.legal_actions(state, seat) if seat in self.to_act(state) else ()
        exact = written_as(text, legal)
        if exact is not None:
            return exact
        # Before beginnings: "5>1", if illegal, must not be taken for a legal "5>10".
        action = self.action_named(text)
        if action is not None:
            reason = self.explain_illegal(state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.", f"Choose: {listed(legal)}.")
        begun = beginning_with(text, legal)
        if begun is not None:
            return begun
        raise UnknownActionError(
            f'"{text}" is not an action of {self.info.name}.', f"Choose: {listed(legal)}."
        )

    def parse_chance(self, state: S, text: str) -> C:
        """The outcome of chance that a text stands for, as in `parse`.

        Games with `Traits.SAMPLED_CHANCE` override this.

        Raises:
            UnknownActionError: The text is no outcome that is possible now.
            AmbiguousActionError: It begins several.
        """
        outcomes: Sequence[C] = ()
        if self.to_act(state) == (CHANCE,):
            outcomes = [outcome for outcome, _ in self.chance_outcomes(state)]
        found = written_as(text, outcomes)
        if found is None:
            found = beginning_with(text, outcomes)
        if found is None:
            raise UnknownActionError(
                f'"{text}" can\'t come by chance now.', f"Choose: {listed(outcomes)}."
            )
        return found

    def check(self, state: S) -> None:
        """Refuse a position that its types allow and the rules of this game don't.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """

    def to_json(self, state: S) -> dict[str, Any]:
        """The position as a JSON object; docs/file-formats.md lists the keys of every game.

        By default a key for each field of the state and of `position_options`.
        """
        from boardgames_cli.core.derived_codec import object_codec

        options = {name: getattr(self, name) for name in self.position_options}
        return object_codec(type(state)).write(state) | options

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state of a position, the opposite of `to_json`.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        from boardgames_cli.core.derived_codec import read_position

        options = {name: getattr(self, name) for name in self.position_options}
        state = read_position(type(self.initial_state()), data, options)
        self.check(state)
        return state

    def read_seen(self, data: Mapping[str, Any], ply: int) -> S:
        """The redacted state that a seat's observation was written from, for programs outside.

        By default as `from_json`; games whose redacted positions are none to play from, or whose
        states hold more than their positions, override this.

        Args:
            data: What `to_json` wrote of the redacted state.
            ply: The ply of the observation.

        Raises:
            PositionError: It is no such position.
        """
        return self.from_json(data)


AnyGame: TypeAlias = Game[Any, Any, Any]
"""Any game at all: for code to which the types of states and actions mean nothing."""
