"""A game in progress: the only mutable object. No I/O, no clock, no threads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeAlias, overload

from boardgames_cli.core.agent import (
    UNLIMITED,
    Agent,
    Budget,
    Thinking,
    agent_failure,
    is_agents_fault,
)
from boardgames_cli.core.errors import (
    ActionError,
    AgentError,
    IllegalActionError,
    PositionError,
    SeatError,
    UnknownActionError,
)
from boardgames_cli.core.game import (
    CHANCE,
    CUT_SHORT,
    DRAWN,
    LEFT,
    LOST,
    OVER,
    WON,
    A,
    AnyGame,
    C,
    EliminatesSeats,
    Ending,
    Game,
    Observation,
    S,
    Seat,
    Step,
    Traits,
    winners,
)
from boardgames_cli.core.randomness import CHANCE_STREAM, CounterRandom, RandomStreams

_Taken: TypeAlias = dict[Seat, A] | C
"""The seats' actions, or a chance outcome; an outcome is hashable, so it is never a dictionary."""

_ONLY_CHANCE: Final = (CHANCE,)

_new_tuple: Final = tuple.__new__
"""Makes a named tuple from a tuple in a third of its constructor's time."""


def _step_of(taken: _Taken[A, C]) -> Step[A, C]:
    return Step(taken) if isinstance(taken, dict) else Step.of_chance(taken)


class ByName:
    """Makes games and agents by name; the registry says how, because a room needs none above it."""

    game: ClassVar[Callable[[str], AnyGame]]
    agent: ClassVar[Callable[[Any, AnyGame], Agent[Any, Any]]]


class StepObservation(Observation[S, A]):
    """An observation with the step that led to it, for agents that watch every step.

    It compares equal to the plain observation.
    """

    step: Step[A, Any] | None = None
    """The last step as the seat may know it; None before the first step, or if it is unknown."""

    @classmethod
    def of(cls, seen: Observation[S, A], step: Step[A, Any] | None) -> StepObservation[S, A]:
        """Combine an observation with its step."""
        made = tuple.__new__(cls, seen)
        made.step = step
        return made


class Match(Generic[S, A, C]):
    """A history of states; every step is checked against the rules before it is taken.

    Args:
        game: The rulebook, or the id of a game.
        seed: All chance outcomes derive from it by ply, so that undo never re-rolls and a resumed
            match continues as it would have.
        agent_seed: The same for all other randomness: agents, stand-ins and hints. By default it is
            a one-way hash of the seed.
        start: The first state, if it is not the game's initial state.
        max_plies: The match is truncated after this many steps, chance included.

    Raises:
        UnknownNameError: There is no game with that id.
    """

    is_whole: bool = True
    """Whether it has the whole history and its seed; not so where a server tells a seat its part.
    """
    ended: Ending | None = None
    """How its players ended it where it is truncated, with everything shown; None if they did not.
    """
    _chance_rng: CounterRandom | None = None
    _other_changes: int = 0

    @overload
    def __init__(
        self,
        game: Game[S, A, C],
        *,
        seed: int,
        agent_seed: int | None = None,
        start: S | None = None,
        max_plies: int | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self: Match[Any, Any, Any],
        game: str,
        *,
        seed: int,
        agent_seed: int | None = None,
        start: Any = None,
        max_plies: int | None = None,
    ) -> None: ...

    def __init__(
        self,
        game: Game[S, A, C] | str,
        *,
        seed: int,
        agent_seed: int | None = None,
        start: S | None = None,
        max_plies: int | None = None,
    ) -> None:
        if isinstance(game, str):
            game = ByName.game(game)
        self.game = game
        self.seed = seed
        self.agent_seed = agent_seed
        self.start = game.initial_state() if start is None else start
        self.max_plies = max_plies
        self._hides = type(game).redact is not Game.redact
        self._streams = RandomStreams(seed, agent_seed)
        self._states: list[S] = [self.start]
        # What was done in each step. `Step` objects are made only on demand, because agents play
        # whole matches without anybody looking at the steps.
        self._taken: list[_Taken[A, C]] = []
        self._steps: tuple[Step[A, C], ...] = ()
        self._undone: list[_Taken[A, C]] = []
        self._committed: dict[Seat, A] = {}
        self._to_act = self._waiting_for = game.to_act(self.start)
        if max_plies is not None:
            self._cut_short()

    @property
    def state(self) -> S:
        """The current state, unredacted; only the owner of the match may read it."""
        return self._states[-1]

    @property
    def ply(self) -> int:
        """The number of steps taken, chance included."""
        return len(self._taken)

    @property
    def version(self) -> int:
        """Changes whenever the match changes; an answer to an older version is stale."""
        return len(self._taken) + self._other_changes

    @property
    def steps(self) -> Sequence[Step[A, C]]:
        """The history so far."""
        known = len(self._steps)
        if known != len(self._taken):
            self._steps += tuple(_step_of(taken) for taken in self._taken[known:])
        return self._steps

    @property
    def committed(self) -> dict[Seat, A]:
        """The actions already submitted for an incomplete joint step."""
        return dict(self._committed)

    @property
    def truncated(self) -> bool:
        """Whether the match reached `max_plies` before the game was over."""
        return bool(self._to_act) and self.max_plies is not None and self.ply >= self.max_plies

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """The seats that must still act, ``(CHANCE,)``, or ``()`` when the match is over."""
        return self._waiting_for

    @property
    def is_over(self) -> bool:
        """Whether the game ended or the match was truncated."""
        return not self._to_act or self.truncated

    @property
    def ending(self) -> Ending | None:
        """How it ended; None while it goes on."""
        if not self.is_over:
            return None
        if self.ended is not None and self._to_act:
            return self.ended
        return Ending(CUT_SHORT) if self.truncated else Ending(OVER, self._outcomes())

    @property
    def has_result(self) -> bool:
        """Whether it ended by its rules or its players, and was neither cut short nor left."""
        ending = self.ending
        return ending is not None and bool(ending.outcomes)

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won; empty for a draw, and without a result."""
        ending = self.ending
        return [] if ending is None else ending.winners

    def _outcomes(self) -> tuple[str, ...]:
        """What each seat has reached by its return.

        The highest wins; if all are alike it is a draw, but not for who had already lost while
        others played on: with the least return there is, and nothing more to get.
        """
        game, returns = self.game, self.returns
        best = winners(returns)
        if best:
            return tuple(WON if seat in best else LOST for seat in range(game.seats))
        if game.seats <= 2 or returns[0] > game.utility[0] or not self._taken:
            return (DRAWN,) * game.seats
        if not isinstance(game, EliminatesSeats):
            return (DRAWN,) * game.seats
        before = self._states[-2]
        return tuple(LOST if game.is_settled(before, seat) else DRAWN for seat in range(game.seats))

    @property
    def returns(self) -> tuple[float, ...]:
        """For every seat the sum of its rewards so far."""
        return self.game.returns(self._states[-1])

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone and the match has not changed since."""
        return bool(self._undone)

    def state_at(self, ply: int) -> S:
        """The state before the step with that index."""
        return self._states[ply]

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[S, A]:
        """What a seat (None: a spectator) sees now, or saw at an earlier ply.

        Raises:
            SeatError: There is no such seat.
        """
        if seat is not None and seat not in range(self.game.seats):
            seats = ", ".join(map(str, range(self.game.seats)))
            raise SeatError(
                f"{self.game.info.name} has no seat {seat!r}.",
                f"Seats: {seats}; None is a spectator, who only looks on.",
            )
        now = len(self._taken)
        if ply is not None and ply != now:
            return self.game.observe(self._states[ply], seat, ply)
        game, state = self.game, self._states[-1]
        # Inlined Game.observe, which would ask again who is to act.
        legal: Sequence[A] = ()
        if seat in self._waiting_for and seat is not None:
            legal = game.legal_actions(state, seat) or self._no_action(seat)
        shown = game.redact(state, seat) if self._hides else state
        return _new_tuple(Observation, (seat, now, shown, tuple(legal)))

    def observe_step(self, seat: Seat | None, ply: int | None = None) -> StepObservation[S, A]:
        """Like `observe`, with the last step as the seat may know it."""
        seen, step = self.observe(seat, ply), None
        at = len(self._taken) if ply is None else ply
        if at:
            step = _step_of(self._taken[at - 1])
            if self.is_whole:
                step = self.game.redact_step(self._states[at - 1], step, seat)
        return StepObservation.of(seen, step)

    def rng(self, stream: str) -> CounterRandom:
        """A new generator for a named stream at the current ply.

        The stream "chance" derives from the match's seed, all others from its `agent_seed`.
        """
        return self._streams.at(stream, len(self._taken))

    def submit(self, seat: Seat, action: A | str) -> None:
        """Submit a seat's action; the step is taken once all seats to act have acted.

        Args:
            seat: The seat.
            action: A legal action, or its notation as in `Game.parse`.

        Raises:
            IllegalActionError: It is not that seat's turn, or the action is not legal. The
                match is unchanged.
            AmbiguousActionError: Several legal actions begin with the text. The same holds.
        """
        self._committed[seat] = self._checked(seat, action)
        if len(self._committed) == len(self._to_act):
            self.take_checked({})
        else:
            self._other_changes += 1
            self._waiting_for = tuple(other for other in self._waiting_for if other != seat)

    def take_checked(self, joint: dict[Seat, A]) -> None:
        """Take a joint step without checks, for actions that come from a fresh observation.

        They come for every seat of `waiting_for`, in any order.
        """
        if self._committed or len(joint) > 1:
            joint = self._completed(joint)
        self._take(joint, self.game.apply(self._states[-1], joint))

    def _completed(self, joint: dict[Seat, A]) -> dict[Seat, A]:
        acted, self._committed = self._committed | joint, {}
        return {seat: acted[seat] for seat in self._to_act}

    def play_on(
        self,
        agents: Sequence[Agent[S, A]],
        budget: Budget = UNLIMITED,
        show_step: Callable[[], None] | None = None,
    ) -> None:
        """Play to the end, or to `max_plies`.

        Args:
            agents: One agent for each seat, which has seen the match so far.
            budget: The limits of every decision.
            show_step: Called after every step.

        Raises:
            AgentError: An agent failed or returned an illegal action.
        """
        game, states, taken, hides = self.game, self._states, self._taken, self._hides
        at, is_cut_short = self._streams.at, self.max_plies is not None
        legal_actions, redact, to_act = game.legal_actions, game.redact, game.to_act
        chance, rngs, thoughts = at(CHANCE_STREAM, 0), [], []
        for seat in range(len(agents)):
            rngs.append(at(seat_stream(seat), 0))
            thoughts.append(Thinking(rngs[-1], budget))
        # Inlined `resolve_chance`, `observe` and `_take`: calls take longer than the rules of a
        # small game.
        while waiting := self._waiting_for:
            state, now = states[-1], len(taken)
            done: _Taken[A, C]
            if waiting == _ONLY_CHANCE:
                chance.move_to(now)
                done = game.sample_chance(state, chance)
                state = game.apply_chance(state, done)
            else:
                joint = {}
                for seat in waiting:
                    shown = redact(state, seat) if hides else state
                    legal = tuple(legal_actions(state, seat)) or self._no_action(seat)
                    seen = _new_tuple(Observation, (seat, now, shown, legal))
                    rngs[seat].move_to(now)
                    thoughts[seat].restart()
                    joint[seat] = ask(agents[seat], seen, thoughts[seat])
                done = self._completed(joint) if self._committed else joint
                state = game.apply(state, done)
            taken.append(done)
            states.append(state)
            if self._undone:
                self._undone = []
            self._to_act = self._waiting_for = to_act(state)
            if is_cut_short:
                self._cut_short()
            if show_step is not None:
                show_step()

    def resolve_chance(self) -> C:
        """Draw a chance outcome from its own stream, take the step, and return the outcome.

        Raises:
            IllegalActionError: Chance is not to act.
        """
        if self._waiting_for != _ONLY_CHANCE:
            raise IllegalActionError(self._why_not_now(CHANCE))
        # One generator is reused and repositioned, since rules do not keep it.
        rng = self._chance_rng
        if rng is None:
            rng = self._chance_rng = self._streams.at(CHANCE_STREAM, 0)
        rng.move_to(len(self._taken))
        state = self._states[-1]
        outcome = self.game.sample_chance(state, rng)
        self._take(outcome, self.game.apply_chance(state, outcome))
        return outcome

    def submit_chance(self, outcome: C) -> None:
        """Take a chance step with a given outcome, such as one from a record.

        Raises:
            IllegalActionError: Chance is not to act, or the outcome is not possible now. The match
                is unchanged.
        """
        if self._waiting_for != _ONLY_CHANCE:
            raise IllegalActionError(self._why_not_now(CHANCE))
        # Sampled chance has no list of outcomes, so parsing is the check.
        try:
            is_possible = self.game.parse_chance(self.state, str(outcome)) == outcome
        except ActionError:
            is_possible = False
        if not is_possible:
            raise IllegalActionError(f"{outcome} can't come by chance now.")
        self._take(outcome, self.game.apply_chance(self._states[-1], outcome))

    def take(self, step: Step[A, C]) -> None:
        """Take a complete step from another match of the same game, as `submit` does.

        Raises:
            IllegalActionError: The step is not legal now; the seats before the refused one have
                acted.
        """
        if step.outcome is not None:
            self.submit_chance(step.outcome)
        for seat, action in step.joint.items():
            self.submit(seat, action)

    def receive(self, state: S, step: Step[A, C] | None = None) -> None:
        """Add a step that was taken elsewhere, and the state after it, as a seat knows both.

        Nothing is checked against the rules. Without a step the history begins anew.
        """
        if step is not None:
            self._take(step.outcome if step.is_chance else dict(step.joint), state)  # type: ignore[arg-type]
            return
        self._other_changes += self.ply + 1
        self.start, self.max_plies, self.ended = state, None, None
        self._states, self._taken, self._steps = [state], [], ()
        self._to_act = self._waiting_for = self.game.to_act(state)

    def note_acted(self, seats: Collection[Seat]) -> None:
        """Wait only for the other seats: these have acted elsewhere, in a step that is to come."""
        self._other_changes += 1
        self._waiting_for = tuple(seat for seat in self._to_act if seat not in seats)

    def stop(self, ending: Ending | None) -> None:
        """End it here, as its players or the loss of a server ended it; None cuts it short."""
        self.max_plies, self.ended = self.ply, ending
        self._cut_short()
        self._other_changes += 1

    def undo(self) -> None:
        """Take back the last step, or the submitted actions of an incomplete one.

        Raises:
            IllegalActionError: Nothing has happened yet.
        """
        if self._committed:
            self._committed = {}
        elif self._taken:
            self._undone.append(self._taken.pop())
            self._states.pop()
            self._steps = self._steps[: len(self._taken)]
            self._other_changes += 1  # the version counts steps too, and there is one less now
        else:
            raise IllegalActionError("there is nothing to undo.")
        self._to_act = self._waiting_for = self.game.to_act(self._states[-1])
        self._cut_short()
        self._other_changes += 1

    def redo(self) -> None:
        """Repeat the step that was undone last.

        Raises:
            IllegalActionError: Nothing was undone, or the match has changed since.
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

    def _no_action(self, seat: Seat) -> tuple[A, ...]:
        text = f"in step {self.ply + 1} seat {seat + 1} is to act, but has no legal action."
        raise PositionError(text, f"Tell the author of {self.game.info.name}: its rules are wrong.")

    def _checked(self, seat: Seat, action: A | str) -> A:
        if seat not in self._waiting_for or seat == CHANCE:
            raise IllegalActionError(self._why_not_now(seat))
        game, state = self.game, self._states[-1]
        if action in game.legal_actions(state, seat):
            return action  # type: ignore[return-value]  # a legal one, be it a text
        if isinstance(action, str):
            try:
                return game.parse(state, seat, action)
            except UnknownActionError as error:
                raise IllegalActionError(error.message, error.todo) from None
        # Callers may pass anything, but `explain_illegal` takes only actions of the game.
        named = game.action_named(str(action))
        if named is None or named != action:
            raise IllegalActionError(f'"{action}" is not an action of {game.info.name}.')
        raise IllegalActionError(f"illegal: {game.why_illegal(state, seat, action)}.")

    def _why_not_now(self, seat: Seat) -> str:
        if self.is_over:
            return "the game is over."
        if seat in self._committed:
            return f"seat {seat + 1} has already acted in this step."
        waiting = self.waiting_for
        if waiting == (CHANCE,):
            if seat == CHANCE:
                return "chance is not a seat; what it brings goes to submit_chance."
            return "chance must act first."
        others = ", ".join(str(other + 1) for other in waiting)
        return f"it is not the turn of seat {seat + 1}, but of {others}."


AnyMatch: TypeAlias = Match[Any, Any, Any]


def seat_stream(seat: Seat) -> str:
    """The name of the random stream of a seat's agent."""
    return f"seat{seat}"


def ask(
    agent: Agent[S, A], seen: Observation[S, A], thinking: Thinking, name: str | None = None
) -> A:
    """Ask an agent for an action; the result is always one of the legal action objects.

    Messages name it by the name of its class if none is given.

    Raises:
        AgentError: The agent raised an exception or returned an illegal action.
    """
    legal = seen.legal
    try:
        answer = agent.act(seen, thinking)
        for action in legal:  # almost all agents return one of the objects they were given
            if answer is action:
                return action
        for action in legal:
            # Compared both ways, since an object that claims to equal everything is not an action.
            if type(answer) is type(action) and answer == action and action == answer:
                return action
        text = str(answer)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        who = name or type(agent).__name__
        raise agent_failure(who, f"at ply {seen.ply}", error) from error
    who = name or type(agent).__name__
    raise AgentError(
        f'agent "{who}" answered "{text}" at ply {seen.ply}, which is not legal.',
        f"Legal: {', '.join(str(choice) for choice in legal[:12])}.",
    )


def feed(match: AnyMatch, agents: Sequence[Agent[Any, Any]]) -> list[tuple[Seat, Agent[Any, Any]]]:
    """Reset the agents and show them the match so far; those that watch it, with their seats."""
    watchers = []
    for seat, agent in enumerate(agents):
        kind = type(agent)
        # Most agents ignore observations, and making one for every seat at every step has a cost.
        if kind.watch is not Agent.watch:
            watchers.append((seat, agent))
        elif kind.reset is Agent.reset:
            continue
        seen = (match.observe_step(seat, ply) for ply in range(match.ply + 1))
        brief(agent, match.game, seat, seen)
    return watchers


def brief(
    agent: Agent[S, A],
    game: Game[S, A, Any] | None,
    seat: Seat,
    seen: Iterable[Observation[S, A]],
    name: str | None = None,
) -> None:
    """Reset an agent for a new game, if one is given, and show it past observations.

    The observations are those that it has not had yet; the game is None if it already plays it.

    Raises:
        AgentError: The agent raised an exception.
    """
    doing = "when the game began"
    try:
        if game is not None:
            agent.reset(game, seat)
        doing = "while it watched"
        if type(agent).watch is not Agent.watch:
            for observation in seen:
                agent.watch(observation)
    except BaseException as error:
        if not is_agents_fault(error):
            raise
        raise agent_failure(name or type(agent).__name__, doing, error) from error


def announce_end(match: AnyMatch, agents: Iterable[Agent[Any, Any] | None]) -> None:
    """Tell agents how a match ended, or that it was abandoned."""
    for agent in agents:
        if agent is not None and type(agent).game_over is not Agent.game_over:
            ending = match.ending
            reason = LEFT if ending is None or ending.is_by_players else ending.reason
            agent.game_over(None if reason == LEFT else match.returns, reason)


def play(
    match: AnyMatch, agents: Sequence[Agent[Any, Any] | str], budget: Budget = UNLIMITED
) -> tuple[float, ...]:
    """Play a match to its end (or to its `max_plies`).

    Args:
        match: A match at any ply.
        agents: One agent for each seat, or its specification, such as ``"hard"``.
        budget: The limits of every decision.

    Returns:
        The sum of rewards of every seat.

    Raises:
        SeatError: The number of agents is not the number of seats.
        UnknownNameError: There is no agent of that name.
        OptionError: An agent has no such option, or can't play the game.
        AgentError: An agent failed or returned an illegal action.
    """
    if len(agents) != match.game.seats:
        raise SeatError(
            f"{match.game.info.name} has {match.game.seats} seats; you gave {len(agents)} agents."
        )
    seated: list[Any] = [
        one if hasattr(type(one), "watch") else ByName.agent(one, match.game) for one in agents
    ]
    watchers = feed(match, seated)
    match.play_on(seated, budget, partial(_show_step, match, watchers) if watchers else None)
    announce_end(match, seated)
    return match.returns


def returns_of_forfeit(
    game: AnyGame, returns: tuple[float, ...], losers: Collection[Seat]
) -> tuple[float, ...]:
    """The returns of a game that seats have lost by a failure or an illegal action.

    They get the smallest possible return. In zero-sum games the others share what they lost;
    otherwise the others keep their returns.
    """
    least = game.utility[0]
    if Traits.ZERO_SUM in game.traits:
        returns = (-least * len(losers) / (game.seats - len(losers)),) * game.seats
    return tuple([least if seat in losers else value for seat, value in enumerate(returns)])


def _show_step(match: AnyMatch, watchers: Sequence[tuple[Seat, Agent[Any, Any]]]) -> None:
    for seat, agent in watchers:
        brief(agent, None, seat, (match.observe_step(seat),))
