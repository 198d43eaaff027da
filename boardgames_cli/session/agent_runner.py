"""Requests to the agents of a session, and substitute actions for agents that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.play import seat_stream
from boardgames_cli.session.act_request import ActRequest, ActResult
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.secrecy import disclosed_failure, is_secret

GRACE_SECONDS: Final = 3.0
"""Seconds beyond its budget after which an agent is given up."""

SHORT_GRACE_SECONDS: Final = 0.2
"""The same in real time, where a late answer would not count anyway."""


class AgentRunner:
    """Manages the agents of a session.

    For an agent that is late or fails, the game's default action is played, if it has one;
    otherwise a random legal action, and only after `GRACE_SECONDS`.

    Args:
        match: The match.
        holders: The holder of every seat.
        budget: The limits of an agent's decision.
        remark: Called with a sentence about each substitute action.
    """

    def __init__(
        self,
        match: AnyMatch,
        holders: Sequence[SeatHolder],
        budget: Budget,
        remark: Callable[[str], None],
    ) -> None:
        self._match = match
        self._holders = holders
        self._remark = remark
        self.budget = budget
        self.grace = GRACE_SECONDS
        self._shown: dict[Seat, int] = {}
        self._away: dict[Seat, ActRequest] = {}

    def request(self, seat: Seat) -> ActRequest:
        """The request to a seat's agent to act now."""
        match, agent = self._match, self._holders[seat].agent
        assert agent is not None, "people are not asked here"
        first = self._shown.get(seat)
        self._shown[seat] = match.ply + 1
        return ActRequest(
            version=match.version,
            seat=seat,
            agent=agent,
            seen=match.observe(seat),
            rng=match.rng(seat_stream(seat)),
            budget=self.budget,
            grace=min(self.grace, SHORT_GRACE_SECONDS)
            if self._lets_time_pass(seat)
            else self.grace,
            restart=match.game if first is None else None,
            unseen=tuple(match.observe_step(seat, ply) for ply in range(first or 0, match.ply + 1)),
        )

    def is_away(self, seat: Seat) -> bool:
        """Whether the agent is still busy with an abandoned request."""
        request = self._away.get(seat)
        return request is not None and not request.is_done

    def action_of(self, result: ActResult) -> Any:
        """The action to play: the answer if it is legal and in time, otherwise a substitute."""
        seat, limit = result.request.seat, self.budget.seconds
        if result.error is not None:
            self._shown.pop(seat, None)
            return self._stand_in(
                seat, disclosed_failure(self._match, self._name(seat), result.error)
            )
        if limit is not None and result.seconds > limit and self._lets_time_pass(seat):
            return self._stand_in(seat, f"{self._name(seat)} took longer than {limit:g} s.")
        # Comments may reveal hidden information, so they are dropped in games with secrets.
        if result.comment and not is_secret(self._match):
            self._remark(f'{self._name(seat)}: "{result.comment}"')
        return result.action

    def give_up(self, request: ActRequest) -> Any:
        """The substitute action for an agent that does not answer.

        An agent in its own process is killed, and restarted at its next decision; others are not
        asked again until they return.
        """
        request.stop()
        if not request.can_be_stopped:
            self._away[request.seat] = request
        return self.action_of_absent(request.seat)

    def action_of_absent(self, seat: Seat) -> Any:
        """The substitute action for an agent that is still busy."""
        self._shown.pop(seat, None)
        limit = self.budget.seconds or 0.0
        return self._stand_in(seat, f"{self._name(seat)} did not answer within {limit:g} s.")

    def forget(self) -> None:
        """Reset the agents and show them the whole match before their next decision."""
        self._shown.clear()

    def _name(self, seat: Seat) -> str:
        return self._holders[seat].name

    def _lets_time_pass(self, seat: Seat) -> bool:
        return self._match.game.default_action(self._match.state, seat) is not None

    def _stand_in(self, seat: Seat, reason: str) -> Any:
        match = self._match
        action = match.game.default_action(match.state, seat)
        if action is not None:
            self._remark(f'{reason} Played instead: "{action}".')
            return action
        action = match.rng("stand-in").choice(match.observe(seat).legal)
        # Other seats may not know what this one did.
        what = "" if is_secret(match) else f': "{action}"'
        self._remark(f"{reason} Played at random instead{what}.")
        return action
