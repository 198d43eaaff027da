"""One game being played: the only thing that changes. No I/O, no clock, no threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeAlias

from boardgames_cli.core.errors import ActionError, IllegalActionError
from boardgames_cli.core.game import (
    CHANCE,
    A,
    C,
    Game,
    Observation,
    S,
    Seat,
    Step,
)
from boardgames_cli.core.randomness import CHANCE_STREAM, CounterRandom, RandomStreams

_Taken: TypeAlias = dict[Seat, A] | C
"""What the seats did, or what chance brought, which is hashable and so no dictionary."""

_ONLY_CHANCE: Final = (CHANCE,)

_new_tuple: Final = tuple.__new__
"""Makes a named tuple of a tuple in a third of the time that its constructor takes."""


class StepObservation(Observation[S, A]):
    """An observation with the step that led to it: what agents that watch are shown.

    It equals the observation alone.
    """

    step: Step[A, Any] | None = None
    """The last step as the seat may know it; None before the first one, or if it is not known."""

    @classmethod
    def of(cls, seen: Observation[S, A], step: Step[A, Any] | None) -> StepObservation[S, A]:
        """An observation and its step."""
        made = tuple.__new__(cls, seen)
        made.step = step
        return made


class Match(Generic[S, A, C]):
    """A history of states, with the rules checked at the door.

    Args:
        game: The rulebook.
        seed: All chance derives from it, by ply, so that undo never re-rolls and a resumed match
            goes on as it would have.
        agent_seed: The same for all other randomness: of agents, stand-ins and hints. By default
            it is derived from the seed, by a hash that can't be inverted.
        start: The first state, if it is not the game's own.
        max_plies: The match is cut short after this many steps, chance included.
    """

    def __init__(
        self,
        game: Game[S, A, C],
        *,
        seed: int,
        agent_seed: int | None = None,
        start: S | None = None,
        max_plies: int | None = None,
    ) -> None:
        self.game = game
        self.seed = seed
        self.agent_seed = agent_seed
        self.start = game.initial_state() if start is None else start
        self.max_plies = max_plies
        kind = type(game)
        self._observes_itself = kind.observe is not Game.observe
        self._hides = kind.redact is not Game.redact
        self._streams = RandomStreams(seed, agent_seed)
        self._chance_rng: CounterRandom | None = None
        self._states: list[S] = [self.start]
        # What was done in each step. Programs play whole matches and look at no step of them, so
        # that the steps themselves are made when somebody looks.
        self._taken: list[_Taken[A, C]] = []
        self._steps: list[Step[A, C]] = []
        self._history: tuple[Step[A, C], ...] = ()
        self._undone: list[_Taken[A, C]] = []
        self._committed: dict[Seat, A] = {}
        self._other_changes = 0
        self._to_act = self._waiting_for = game.to_act(self.start)
        if max_plies is not None:
            self._cut_short()

    @property
    def state(self) -> S:
        """The state now, in full; only the match's owner may look at it."""
        return self._states[-1]

    @property
    def ply(self) -> int:
        """How many steps have been taken, chance included."""
        return len(self._taken)

    @property
    def version(self) -> int:
        """Changes with every change of the match; an answer to an older version is stale."""
        return len(self._taken) + self._other_changes

    @property
    def steps(self) -> Sequence[Step[A, C]]:
        """The history so far."""
        if len(self._history) != len(self._taken):
            for taken in self._taken[len(self._steps) :]:
                if isinstance(taken, dict):
                    self._steps.append(Step(taken))
                else:
                    self._steps.append(Step.of_chance(taken))
            self._history = tuple(self._steps)
        return self._history

    @property
    def committed(self) -> dict[Seat, A]:
        """What seats have chosen for a joint step that is not complete yet."""
        return dict(self._committed)

    @property
    def truncated(self) -> bool:
        """Whether the match was cut short by `max_plies` before the game was over."""
        return bool(self._to_act) and self.max_plies is not None and self.ply >= self.max_plies

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that must still act, ``(CHANCE,)``, or nobody when it is over."""
        return self._waiting_for

    @property
    def is_over(self) -> bool:
        """Whether the game ended or the match was cut short."""
        return not self._to_act or self.truncated

    @property
    def returns(self) -> tuple[float, ...]:
        """For every seat the sum of its rewards so far."""
        return self.game.returns(self._states[-1])

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone and nothing else has been done since."""
        return bool(self._undone)

    def state_at(self, ply: int) -> S:
        """The state before the step of that number."""
        return self._states[ply]

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[S, A]:
        """What a seat (None: a spectator) sees now, or what it saw at an earlier ply."""
        now = len(self._taken)
        if ply is not None and ply != now:
            return self.game.observe(self._states[ply], seat, ply)
        game, state = self.game, self._states[-1]
        if self._observes_itself:
            seen = game.observe(state, seat, now)
            return seen if seat in self._waiting_for else seen._replace(legal=())
        # What Game.observe does, without asking again who is to act.
        legal: Sequence[A] = ()
        if seat in self._waiting_for and seat is not None:
            legal = game.legal_actions(state, seat)
        shown = game.redact(state, seat) if self._hides else state
        return _new_tuple(Observation, (seat, now, shown, tuple(legal)))

    def observe_step(self, seat: Seat | None, ply: int | None = None) -> StepObservation[S, A]:
        """What `observe` gives, with the last step as the seat may know it."""
        at = len(self._taken) if ply is None else ply
        step = None
        if at:
            taken = self._taken[at - 1]
            whole = Step(taken) if isinstance(taken, dict) else Step.of_chance(taken)
            step = self.game.redact_step(self._states[at - 1], whole, seat)
        return StepObservation.of(self.observe(seat, ply), step)

    def rng(self, stream: str) -> CounterRandom:
        """A new generator of one named stream at the present ply.

        The stream "chance" derives from the match's seed, every other one from its `agent_seed`.
        """
        return self._streams.at(stream, len(self._taken))

    def submit(self, seat: Seat, action: A) -> None:
        """Let a seat act; the step happens when all that are to act have acted.

        Raises:
            IllegalActionError: It is not that seat's turn, or the action is not legal. The
                match is unchanged.
        """
        self._check(seat, action)
        self._committed[seat] = action
        if len(self._committed) == len(self._to_act):
            self.take_checked({})
        else:
            self._other_changes += 1
            self._waiting_for = tuple(other for other in self._waiting_for if other != seat)

    def take_checked(self, joint: dict[Seat, A]) -> None:
        """Let all seats that are to act do something, unchecked: for actions just observed.

        Args:
            joint: For every seat of `waiting_for` one of its legal actions, in any order.
        """
        if self._committed or len(joint) > 1:
            # In the order in which the rules name the seats.
            acted = self._committed | joint
            joint = {seat: acted[seat] for seat in self._to_act}
        state = self.game.apply(self._states[-1], joint)
        self._committed = {}
        self._take(joint, state)

    def play_on(
        self,
        deciders: Sequence[Callable[[Observation[S, A]], A]],
        show_step: Callable[[], None] | None = None,
    ) -> None:
        """Play to the end, or to `max_plies`.

        Args:
            deciders: For every seat who is asked at its decisions for one of the legal actions of
                an observation, and trusted to answer with one; what it raises ends the playing.
            show_step: Called after every step.
        """
        game, states, taken = self.game, self._states, self._taken
        legal_actions, redact, apply = game.legal_actions, game.redact, game.apply
        as_it_is, hides = not self._observes_itself, self._hides
        while waiting := self._waiting_for:
            if waiting == _ONLY_CHANCE:
                self.resolve_chance()
            else:
                state, now, joint = states[-1], len(taken), {}
                for seat in waiting:
                    if as_it_is:  # as `observe` does, without asking who is to act
                        shown = redact(state, seat) if hides else state
                        legal = tuple(legal_actions(state, seat))
                        seen = _new_tuple(Observation, (seat, now, shown, legal))
                    else:
                        seen = self.observe(seat)
                    joint[seat] = deciders[seat](seen)
                if self._committed:
                    self.take_checked(joint)
                else:
                    self._take(joint, apply(state, joint))
            if show_step is not None:
                show_step()

    def resolve_chance(self) -> C:
        """Draw the outcome of chance from its own stream, take the step, and return the outcome.

        Raises:
            IllegalActionError: It is not chance that is to act.
        """
        if self._waiting_for != _ONLY_CHANCE:
            raise IllegalActionError(self._why_not_now(CHANCE))
        # Made once and moved on: rules draw from it and forget it.
        rng = self._chance_rng
        if rng is None:
            rng = self._chance_rng = self._streams.at(CHANCE_STREAM, 0)
        rng.move_to(len(self._taken))
        state = self._states[-1]
        outcome = self.game.sample_chance(state, rng)
        self._take(outcome, self.game.apply_chance(state, outcome))
        return outcome

    def submit_chance(self, outcome: C) -> None:
        """Let chance bring an outcome that was drawn before, such as one from a record.

        Raises:
            IllegalActionError: It is not chance that is to act, or it can't bring that now. The
                match is unchanged.
        """
        if self._waiting_for != _ONLY_CHANCE:
            raise IllegalActionError(self._why_not_now(CHANCE))
        self._check_outcome(outcome)
        self._take(outcome, self.game.apply_chance(self._states[-1], outcome))

    def take(self, step: Step[A, C]) -> None:
        """Take a whole step of another match of this game.

        Raises:
            IllegalActionError: It can't be taken now; seats before the one refused have acted.
        """
        if step.outcome is not None:
            self.submit_chance(step.outcome)
        for seat, action in step.joint.items():
            self.submit(seat, action)

    def undo(self) -> None:
        """Take back the last step, or the seats' choices of an incomplete one.

        Raises:
            IllegalActionError: Nothing has happened yet.
        """
        if self._committed:
            self._committed = {}
        elif self._taken:
            self._undone.append(self._taken.pop())
            self._states.pop()
            del self._steps[len(self._taken) :]
            self._history = ()
            self._other_changes += 1  # the version counts one step less
        else:
            raise IllegalActionError("there is nothing to undo.")
        self._to_act = self._waiting_for = self.game.to_act(self._states[-1])
        self._cut_short()
        self._other_changes += 1

    def redo(self) -> None:
        """Take again the step that was undone last.

        Raises:
            IllegalActionError: Nothing was undone, or something else was done since.
        """
        if not self._undone or self._committed:
            raise IllegalActionError("there is nothing to redo.")
        game, state = self.game, self._states[-1]
        taken, undone = self._undone.pop(), self._undone
        if isinstance(taken, dict):
            self._take(taken, game.apply(state, taken))
        else:
            self._take(taken, game.apply_chance(state, taken))
        self._undone = undone

    def _take(self, taken: _Taken[A, C], state: S) -> None:
        self._taken.append(taken)
        self._states.append(state)
        if self._undone:
            self._undone = []
        self._to_act = self._waiting_for = self.game.to_act(state)
        if self.max_plies is not None:
            self._cut_short()

    def _cut_short(self) -> None:
        if self.truncated:
            self._waiting_for = ()

    def _check(self, seat: Seat, action: A) -> None:
        if seat not in self._waiting_for or seat == CHANCE:
            raise IllegalActionError(self._why_not_now(seat))
        game = self.game
        if action not in game.legal_actions(self.state, seat):
            # Programs hand over anything; rules explain only what is an action of theirs.
            if game.action_named(str(action)) != action:
                raise IllegalActionError(f'"{action}" is not an action of {game.info.name}.')
            reason = game.explain_illegal(self.state, seat, action)
            raise IllegalActionError(f"illegal: {reason}.")

    def _check_outcome(self, outcome: C) -> None:
        # Sampled chance has no list to look in: its own parser is the check.
        try:
            is_possible = self.game.parse_chance(self.state, str(outcome)) == outcome
        except ActionError:
            is_possible = False
        if not is_possible:
            raise IllegalActionError(f"{outcome} can't come by chance now.")

    def _why_not_now(self, seat: Seat) -> str:
        if self.is_over:
            return "the game is over."
        if seat in self._committed:
            return f"seat {seat + 1} has already acted in this step."
        waiting = self.waiting_for
        if waiting == (CHANCE,):
            if seat == CHANCE:
                return "chance is no seat; what it brings goes to submit_chance."
            return "chance must act first."
        others = ", ".join(str(other + 1) for other in waiting)
        return f"it is not the turn of seat {seat + 1}, but of {others}."


AnyMatch: TypeAlias = Match[Any, Any, Any]
"""A match of any game."""
