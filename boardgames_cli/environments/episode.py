"""One episode: a match as used by all environments."""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import gymnasium

from boardgames_cli.core.errors import (
    GameError,
    IllegalActionError,
    OptionError,
    UnknownActionError,
)
from boardgames_cli.core.game import CHANCE, AnyGame, EliminatesSeats, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match, returns_of_forfeit, seat_stream
from boardgames_cli.environments.spaces import Encoded, Mask, Spaces


class ResetNeededError(GameError, gymnasium.error.ResetNeeded):
    """No episode has been started, or it is over."""


class ClosedError(GameError, gymnasium.error.ClosedEnvironmentError):
    """The environment was closed."""


class InvalidActionError(IllegalActionError, gymnasium.error.InvalidAction, ValueError):
    """The given action is not an action, or not legal now."""


class RenderModeError(OptionError, gymnasium.error.UnsupportedMode):
    """The render mode is unknown, or the environment has none."""


_MOST_IDS_TOLD: Final = 20


def agent_name(seat: Seat) -> str:
    """The name of a seat's agent, such as ``player_0``."""
    return f"player_{seat}"


class Notations(Sequence[str]):
    """The notations of legal actions in the order of their ids, written when somebody reads them.

    It compares equal to the tuple of them, and is pickled as that.
    """

    def __init__(self, game: AnyGame, seen: Observation[Any, Any]) -> None:
        self._game = game
        self._seen = seen

    @functools.cached_property
    def _texts(self) -> tuple[str, ...]:
        ids = _ids_of(self._game, self._seen)
        return tuple([str(ids[id]) for id in sorted(ids)])

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, index: Any) -> Any:
        return self._texts[index]

    def __eq__(self, other: object) -> bool:
        return self._texts == (other._texts if isinstance(other, Notations) else other)

    def __hash__(self) -> int:
        return hash(self._texts)

    def __repr__(self) -> str:
        return repr(self._texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._texts,)


class Episode:
    """A match in which chance acts automatically and actions are ids.

    It equals the match with the same seed: the same actions lead to the same game in
    `core.match.play`. It is truncated when a seat that has acted `max_cycles` times is to act
    again. `watch` is called at the start and after every step, chance included. A seat may lose by
    an illegal action.
    """

    def __init__(
        self,
        game: AnyGame,
        spaces: Spaces,
        *,
        seed: int,
        max_cycles: int | None = None,
        may_lose: bool = False,
        watch: Callable[[AnyMatch], None] | None = None,
    ) -> None:
        self.game = game
        self.acting: tuple[Seat, ...] = ()
        self.is_truncated = False
        self.loser: Seat | None = None
        """The seat that lost by an illegal action, if any."""
        self._spaces = spaces
        self._max_cycles = max_cycles
        self._may_lose = may_lose
        self._acted = [0] * game.seats
        self._watch = watch
        self._encoded: dict[Seat, tuple[Encoded, Mask]] = {}
        self._nothing = [0.0] * game.seats
        self.match: AnyMatch = Match(game, seed=seed)
        self._seen: dict[Seat, Observation[Any, Any]] = {}
        self._paid = self.match.returns
        if self._watch:
            self._watch(self.match)
        self._let_chance_act()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules or by an illegal action."""
        return not (self.acting or self.is_truncated)

    @property
    def returns(self) -> tuple[float, ...]:
        """The sum of rewards so far of every seat."""
        returns = self.match.returns
        if self.loser is None:
            return returns
        return returns_of_forfeit(self.game, returns, (self.loser,))

    def rewards(self) -> list[float]:
        """What every seat has got since the last call, as the difference of two returns."""
        before, self._paid = self._paid, self.returns
        if before == self._paid:
            return self._nothing
        return [after - earlier for after, earlier in zip(self._paid, before, strict=True)]

    @property
    def may_be_settled(self) -> bool:
        """Whether any agent can be done now; False saves asking for each."""
        return isinstance(self.game, EliminatesSeats) or not self.acting

    def is_settled(self, seat: Seat) -> bool:
        """Whether a seat will neither act nor get rewards again."""
        if seat in self.acting or self.is_truncated:
            return False
        if self.acting and isinstance(self.game, EliminatesSeats):
            return self.game.is_settled(self.match.state, seat)
        return self.is_over

    def seen(self, seat: Seat) -> Observation[Any, Any]:
        """A seat's observation, in which nothing is legal after an illegal action."""
        seen = self._seen.get(seat)
        if seen is None:
            seen = self.match.observe(seat)
            if self.loser is not None:
                seen = seen._replace(legal=())
            self._seen[seat] = seen
        return seen

    def encoded(self, seat: Seat) -> tuple[Encoded, Mask]:
        """A seat's encoded observation and action mask; the same arrays until the next step."""
        found = self._encoded.get(seat)
        if found is None:
            found = self._encoded[seat] = self._spaces.encode(self.seen(seat))
        return found

    def action(self, seat: Seat, id: object) -> Any:
        """The legal action with an id; None if the seat has lost by it.

        Raises:
            InvalidActionError: The id is not a whole number; or no legal action has it, and the
                seat can't lose by that.
        """
        seen = self.seen(seat)
        number = id if type(id) is int else whole_number(seat, id)
        try:
            return self.game.legal_with_id(seen.state, seen.legal, number)
        except UnknownActionError:
            if not self._may_lose:
                raise InvalidActionError(*self._why_not(seat, number)) from None
        self.loser = seat
        self.acting = ()
        self._forget()
        return None

    def _why_not(self, seat: Seat, id: int) -> tuple[str, str]:
        seen, game = self.seen(seat), self.game
        ids = sorted(_ids_of(game, seen))
        try:
            reason = game.why_illegal(seen.state, seat, game.action_of(seen.state, id))
        except GameError as error:
            reason = error.message.removesuffix(".")
        told = ", ".join(map(str, ids[:_MOST_IDS_TOLD]))
        more = ", ..." if len(ids) > _MOST_IDS_TOLD else ""
        return (
            f"action {id} of {agent_name(seat)} is illegal: {reason}.",
            f"Choose where the action mask is 1: {told}{more}.",
        )

    def any_action(self, seat: Seat) -> Any:
        """What the agent ``random`` does at a seat."""
        return self.match.rng(seat_stream(seat)).choice(self.seen(seat).legal)

    def take(self, joint: dict[Seat, Any]) -> None:
        """Take a joint step of all seats that are `acting`, and then the chance steps."""
        for seat in joint:
            self._acted[seat] += 1
        self._forget()
        self.match.take_checked(joint)
        if self._watch:
            self._watch(self.match)
        self._let_chance_act()

    def _let_chance_act(self) -> None:
        match = self.match
        while (waiting := match.waiting_for) == (CHANCE,):
            match.resolve_chance()
            if self._watch:
                self._watch(match)
        limit = self._max_cycles
        if limit is not None and any(self._acted[seat] >= limit for seat in waiting):
            self.is_truncated = True
            waiting = ()
        self.acting = waiting

    def _forget(self) -> None:
        self._seen = {}
        self._encoded = {}


def _ids_of(game: AnyGame, seen: Observation[Any, Any]) -> dict[int, Any]:
    return {game.action_id(seen.state, action): action for action in seen.legal}


def whole_number(seat: Seat, id: object) -> int:
    """Convert an action to an int.

    Raises:
        InvalidActionError: It is not an integer.
    """
    if not isinstance(id, bool):
        with contextlib.suppress(TypeError):
            return operator.index(id)  # type: ignore[arg-type]  # raises TypeError for other types
    given = "None" if id is None else f"{id!r} ({type(id).__name__})"
    raise InvalidActionError(
        f"{agent_name(seat)} gave {given} as an action.",
        "Give an id: a whole number, 0 or more, below the size of the action space.",
    )
