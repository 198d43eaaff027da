"""The history of a match on a server, as far as a seat knows it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardgames_cli.core.errors import ActionError, GameError, IllegalActionError, PositionError
from boardgames_cli.core.game import AnyGame, Observation, Seat, Step
from boardgames_cli.core.match import AnyMatch, Match, StepObservation

_CHANCE: Final = "chance"
_MOST_GUESSES: Final = 200


class RemoteMatch(Match[Any, Any, Any]):
    """The history of a match as a seat knows it.

    Args:
        game: The rulebook, for notation and drawing.
        seat: The seat; None is a spectator.
    """

    def __init__(self, game: AnyGame, seat: Seat | None) -> None:
        super().__init__(game, seed=0)
        self.seat = seat
        self.has_ended = False
        """Whether the server has said that the game is over, for whatever reason."""
        self.is_seed_known = False
        self.is_pending = False
        """Whether the seat has acted, and the server has not answered."""
        self._legal: tuple[Any, ...] = ()
        self._is_empty = True

    # -- what the server says --------------------------------------------------------------

    def restart(self) -> None:
        """Forget the history; all of it comes again."""
        self._states, self._taken, self._steps, self._history = [self.start], [], [], ()
        self._is_empty = True
        self.is_seed_known = False
        self._changed()

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take an ``observe`` message.

        Raises:
            GameError: It does not follow what was received before, or is not a position.
        """
        ply, position, legal = (message.get(key) for key in ("ply", "position", "legal"))
        if not isinstance(ply, int) or not isinstance(position, dict):
            raise PositionError("the server sent no position.")
        if ply != (0 if self._is_empty else self.ply + 1):
            raise PositionError(f"the server sent step {ply} after step {self.ply}.")
        state = self.game.read_seen(position, ply)
        if ply:
            step = self._read_step(message.get("step"))
            self._steps = list(self.steps)
            self._steps.append(step)
            self._taken.append(step.outcome if step.is_chance else dict(step.joint))
            self._history = tuple(self._steps)
            self._states.append(state)
        else:
            self.start = state
            self._states = [state]
        self._is_empty = False
        self._legal = tuple(self._read_action(text) for text in _texts(legal))
        self._to_act = self._waiting_for = self.game.to_act(state)
        self._changed()

    def refuse(self) -> None:
        """The server has refused the seat's action."""
        self._changed()

    def commit(self, seats: Sequence[Seat]) -> None:
        """Seats have chosen in a joint step that is not complete."""
        self._waiting_for = tuple(seat for seat in self._to_act if seat not in seats)
        self._other_changes += 1

    def end(self) -> None:
        """The game is over, even if the rules would let it go on."""
        self.has_ended = True
        self._legal = ()
        self._waiting_for = ()
        self._changed()

    def reveal(self, whole: AnyMatch) -> None:
        """Take over the whole history, which is public after the end."""
        self.is_seed_known = True
        self.seed, self.start = whole.seed, whole.start
        self.ended = whole.ended
        self._states = [whole.state_at(ply) for ply in range(whole.ply + 1)]
        self._steps = list(whole.steps)
        self._taken = [step.outcome if step.is_chance else dict(step.joint) for step in self._steps]
        self._history = tuple(self._steps)
        self._changed()

    def _changed(self) -> None:
        self.is_pending = False
        self._other_changes += 1

    def _read_step(self, step: Any) -> Step[Any, Any]:
        if not isinstance(step, dict):
            return Step.of_chance(None)
        if _CHANCE in step:
            text = step[_CHANCE]
            return Step.of_chance(self._read_outcome(text) if isinstance(text, str) else None)
        return Step(
            {
                int(seat): self._read_action(text)
                for seat, text in step.items()
                if isinstance(text, str) and seat.isdecimal()
            }
        )

    def _read_outcome(self, text: str) -> Any:
        """The outcome of chance that a text stands for.

        Which outcomes are possible may depend on what is hidden, so it is looked for in positions
        that the seat believes possible.
        """
        seen: Observation[Any, Any] = Observation(self.seat, self.ply, self._states[-1], ())
        rng = random.Random(text)
        for _ in range(_MOST_GUESSES):
            with contextlib.suppress(ActionError):
                return self.game.parse_chance(self.game.determinize(seen, rng), text)
        raise PositionError(f'"{text[:40]}" can\'t come by chance in {self.game.info.name}.')

    def _read_action(self, text: str) -> Any:
        action = self.game.action_named(text)
        if action is None:
            raise PositionError(f'"{text[:40]}" is not an action of {self.game.info.name}.')
        return action

    # -- as a match ------------------------------------------------------------------------

    @property
    def truncated(self) -> bool:
        """Whether the game ended before the rules ended it."""
        return self.has_ended and not self.game.is_over(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.has_ended or not self._to_act

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[Any, Any]:
        """What the seat sees now, or saw; nobody else's view is known before the end."""
        now = self.ply
        if ply is not None and ply != now:
            if self.is_seed_known:
                return super().observe(seat, ply)
            return Observation(seat, ply, self._states[ply], ())
        legal = self._legal if seat == self.seat and not self.is_pending else ()
        return Observation(seat, now, self._states[-1], legal)

    def observe_step(self, seat: Seat | None, ply: int | None = None) -> StepObservation[Any, Any]:
        """Like `observe`, with the step that led there."""
        at = self.ply if ply is None else ply
        return StepObservation.of(self.observe(seat, at), self.steps[at - 1] if at else None)

    def submit(self, seat: Seat, action: Any) -> None:
        """Note that the seat has acted; only the server takes steps."""
        if self.has_ended:
            raise IllegalActionError("the game is over.")
        if self.is_pending or seat != self.seat or not self._legal:
            raise IllegalActionError("it is not your turn.")
        if action not in self._legal:
            raise IllegalActionError(
                f"illegal: {self.game.explain_illegal(self.state, seat, action)}."
            )
        self.is_pending = True
        self._other_changes += 1

    def undo(self) -> None:
        """Refused: the others must agree, which the session asks for."""
        raise IllegalActionError("only the server takes steps back.")

    def redo(self) -> None:
        """Refused: see `undo`."""
        raise IllegalActionError("at a table over the network nothing can be done again.")

    def resolve_chance(self) -> Any:
        """Refused: chance acts on the server."""
        raise IllegalActionError("chance acts on the server.")


def _texts(data: Any) -> list[str]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise GameError("the server sent actions that are not text.")
    return data
