"""One episode: a match as used by all environments."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import gymnasium

from boardgames_cli.core.errors import GameError, IllegalActionError, OptionError
from boardgames_cli.core.game import CHANCE, AnyGame, Game, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match, returns_of_forfeit
from boardgames_cli.environments.spaces import Encoded, Mask, Spaces


class ResetNeededError(GameError, gymnasium.error.ResetNeeded):
    """No episode has been started, or it is over."""


class ClosedError(GameError, gymnasium.error.ClosedEnvironmentError):
    """The environment was closed."""


class InvalidActionError(IllegalActionError, gymnasium.error.InvalidAction, ValueError):
    """The given action is not an action, or not legal now."""

    is_no_id = False
    """Whether it was not even an integer."""


class RenderModeError(OptionError, gymnasium.error.UnsupportedMode):
    """The render mode is unknown, or the environment has none."""


_MOST_IDS_TOLD: Final = 20


def agent_name(seat: Seat) -> str:
    """The name of a seat's agent, such as ``player_0``."""
    return f"player_{seat}"


class PendingDecision(NamedTuple):
    """A seat's observation and its action ids."""

    seen: Observation[Any, Any]
    ids: list[int]
    """The ids of ``seen.legal``, in the same order."""


class Episode:
    """A match in which chance acts automatically and actions are ids.

    It equals the match with the same seed: the same actions lead to the same game in
    `core.match.play`.

    Args:
        game: The rulebook.
        spaces: The game's spaces.
        seed: The seed of the match.
        max_cycles: The episode is truncated when a seat that has acted this often is to act again.
        watch: Called at the start and after every step, chance included.
    """

    def __init__(
        self,
        game: AnyGame,
        spaces: Spaces,
        *,
        seed: int,
        max_cycles: int | None = None,
        watch: Callable[[AnyMatch], None] | None = None,
    ) -> None:
        self.match: AnyMatch = Match(game, seed=seed)
        self.acting: tuple[Seat, ...] = ()
        self.is_truncated = False
        self.loser: Seat | None = None
        """The seat that lost by an illegal action, if any."""
        self._game = game
        self._spaces = spaces
        self._max_cycles = max_cycles
        self._acted = [0] * game.seats
        self._watch = watch
        self._settles_early = type(game).is_settled is not Game.is_settled
        self._decisions: dict[Seat, PendingDecision] = {}
        self._encoded: dict[Seat, tuple[Encoded, Mask]] = {}
        self._paid = self.match.returns
        if watch:
            watch(self.match)
        self._let_chance_act()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules or by an illegal action."""
        return not (self.acting or self.is_truncated)

    @property
    def returns(self) -> tuple[float, ...]:
        """The sum of rewards so far of every seat."""
        returns = self.match.returns
        return (
            returns
            if self.loser is None
            else returns_of_forfeit(self._game, returns, (self.loser,))
        )

    def rewards(self) -> list[float]:
        """What every seat has got since the last call, as the difference of two returns."""
        before, self._paid = self._paid, self.returns
        return [after - earlier for after, earlier in zip(self._paid, before, strict=True)]

    def is_settled(self, seat: Seat) -> bool:
        """Whether a seat will neither act nor get rewards again."""
        if self._settles_early and not self.is_truncated:
            return self.is_over or self._game.is_settled(self.match.state, seat)
        return self.is_over

    def decision(self, seat: Seat) -> PendingDecision:
        """A seat's observation and legal ids, which are empty unless it is to act."""
        if seat in self._decisions:
            return self._decisions[seat]
        seen = self.match.observe(seat)
        if self.loser is not None:
            seen = seen._replace(legal=())
        action_id, state = self._game.action_id, seen.state
        found = PendingDecision(seen, [action_id(state, action) for action in seen.legal])
        self._decisions[seat] = found
        return found

    def encoded(self, seat: Seat) -> tuple[Encoded, Mask]:
        """A seat's encoded observation and action mask; the same arrays until the next step."""
        if seat in self._encoded:
            return self._encoded[seat]
        seen, ids = self.decision(seat)
        found = self._encoded[seat] = self._spaces.encode(seen), self._spaces.mask_of(ids)
        return found

    def notations(self, seat: Seat) -> tuple[str, ...]:
        """The notation of every legal action of a seat, in the order of their ids."""
        seen, ids = self.decision(seat)
        in_order = sorted(range(len(ids)), key=ids.__getitem__)
        return tuple(str(seen.legal[place]) for place in in_order)

    def action(self, seat: Seat, id: object) -> Any:
        """The legal action with an id.

        Raises:
            InvalidActionError: The id is not a whole number, or no legal action has it.
        """
        seen, ids = self.decision(seat)
        number = id if type(id) is int else _whole_number(seat, id)
        if number not in ids:
            raise InvalidActionError(*self._why_not(seat, number))
        return seen.legal[ids.index(number)]

    def _why_not(self, seat: Seat, id: int) -> tuple[str, str]:
        seen, ids = self.decision(seat)
        game = self._game
        try:
            reason = game.why_illegal(seen.state, seat, game.action_of(seen.state, id))
        except GameError as error:
            reason = error.message.removesuffix(".")
        told = ", ".join(map(str, sorted(ids)[:_MOST_IDS_TOLD]))
        more = ", ..." if len(ids) > _MOST_IDS_TOLD else ""
        return (
            f"action {id} of {agent_name(seat)} is illegal: {reason}.",
            f"Choose where the action mask is 1: {told}{more}.",
        )

    def take(self, joint: Mapping[Seat, Any]) -> None:
        """Take a joint step, and then the chance steps.

        Args:
            joint: A legal action for every seat of `acting`.
        """
        for seat in joint:
            self._acted[seat] += 1
        self.match.take_checked(dict(joint))
        self._changed()
        self._let_chance_act()

    def lose(self, seat: Seat) -> None:
        """End the game because of a seat's illegal action."""
        self.loser = seat
        self.acting = ()
        self._forget()

    def _let_chance_act(self) -> None:
        match = self.match
        while (waiting := match.waiting_for) == (CHANCE,):
            match.resolve_chance()
            self._changed()
        limit = self._max_cycles
        if limit is not None and any(self._acted[seat] >= limit for seat in waiting):
            self.is_truncated = True
            waiting = ()
        self.acting = waiting

    def _forget(self) -> None:
        self._decisions.clear()
        self._encoded.clear()

    def _changed(self) -> None:
        self._forget()
        if self._watch:
            self._watch(self.match)


def _whole_number(seat: Seat, id: object) -> int:
    """Convert an action to an int.

    Raises:
        InvalidActionError: It is not an integer.
    """
    if not isinstance(id, bool):
        with contextlib.suppress(TypeError):
            return operator.index(id)  # type: ignore[arg-type]  # raises TypeError for other types
    given = "None" if id is None else f"{id!r} ({type(id).__name__})"
    error = InvalidActionError(
        f"{agent_name(seat)} gave {given} as an action.",
        "Give an id: a whole number, 0 or more, below the size of the action space.",
    )
    error.is_no_id = True
    raise error
